"""Debugging the counting program in sessions, each answer checked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from benchmarks import counting_program
from benchmarks.counting_program import WrongAnswerError
from benchmarks.pipe_client import PipeClient, Timed

_FUNCTION = "count"
_PREVIEW = re.compile(r"\{i: (\d+), total: (\d+)\}")


class SessionClient:
    """The session tools of a server that somebody else runs."""

    def __init__(self, pipe: PipeClient, node: str) -> None:
        self._pipe = pipe
        self._node = node

    def start(self, hits: int) -> str:
        """Start the program up to the first hit of its marked line; the answer is the id of the session."""
        place = {"file": str(counting_program.FILE), "line": counting_program.marked_line()}
        words = counting_program.command(self._node, hits)
        command = " ".join(json.dumps(word) for word in words)
        answer = self._call("start_debugging", {"command": command, "breakpoints": [place]})
        _check_stop(answer, reasons=("breakpoint",))
        if answer["stop"]["location"]["line"] != place["line"]:
            raise WrongAnswerError(f"stopped at {answer['stop']['location']}")
        session_id: str = answer["session_id"]
        return session_id

    def close(self, session_id: str) -> None:
        """End a session and its program."""
        self._call("close_debug_session", {"session_id": session_id})

    def step(self, session_ids: Sequence[str]) -> list[float]:
        """Step each of these sessions, all at once; the answer is how long each took."""
        answers = self._call_all("step_over", [{"session_id": one} for one in session_ids])
        for answer in answers:
            _check_stop(_structured(answer.result), reasons=("step", "breakpoint"))
        return [answer.seconds for answer in answers]

    def evaluate(self, session_ids: Sequence[str]) -> list[float]:
        """Evaluate the expression in each of these sessions, all at once; the answer is how long each took."""
        expression = counting_program.EXPRESSION
        answers = self._call_all(
            "evaluate_expression", [{"session_id": one, "expression": expression} for one in session_ids]
        )
        for answer in answers:
            _check_result(_structured(answer.result))
        return [answer.seconds for answer in answers]

    def _call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return _structured(self._pipe.request("tools/call", {"name": tool, "arguments": arguments}))

    def _call_all(self, tool: str, arguments: Sequence[dict[str, Any]]) -> list[Timed]:
        return self._pipe.request_all("tools/call", [{"name": tool, "arguments": one} for one in arguments])


def _structured(result: dict[str, Any]) -> dict[str, Any]:
    structured: dict[str, Any] = result["structuredContent"]
    if structured["status"] != "ok":
        raise WrongAnswerError(str(structured["error"]))
    return structured


def _check_stop(answer: dict[str, Any], reasons: Sequence[str]) -> None:
    if answer["state"] != "paused" or answer["stop"]["reason"] not in reasons:
        raise WrongAnswerError(f"no stop of the kind that was asked for: {answer}")
    location = answer["stop"]["location"]
    if location["file"] != str(counting_program.FILE) or location["function"] != _FUNCTION:
        raise WrongAnswerError(f"stopped at {location}")


def _check_result(answer: dict[str, Any]) -> None:
    """What `total` is depends on which line of the loop the program stands at: `i` is added already, or not."""
    found = _PREVIEW.fullmatch(answer["result"]["preview"])
    if found is None:
        raise WrongAnswerError(f"not a value of the expression: {answer['result']}")
    i, total = int(found[1]), int(found[2])
    if total not in (i * (i - 1) // 2, i * (i + 1) // 2):
        raise WrongAnswerError(f"values that do not belong together: {answer['result']}")
