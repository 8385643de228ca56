"""Calls session tools as the server would, in this process, with real programs under a real Node.js.

| thread | owns | may do |
|---|---|---|
| `call:<tool>` (one a call) | nothing | wait for the answer, as a worker of the server does |
"""

from __future__ import annotations

import os
import shlex
import signal
import threading
from dataclasses import dataclass
from typing import Any

from server.debug.backend import SessionBackend
from server.debug.sessions import SessionLimits, Sessions
from server.report.answer import Answer
from server.tools.session_tool import SessionJob
from server.tools.session_toolset import SESSION_TOOLS
from tests.integration.script_debugger import Program
from tests.nodes import NODE
from tests.unit.process.process_probe import wait_for_death, wait_until

BOUND_S = 60.0
"""Longer than any call here takes; one that is not answered by then hangs."""
Fields = dict[str, Any]


class CallUnderWay:
    """A call of a tool, waited for by a thread of its own."""

    def __init__(self, name: str, job: SessionJob[Any]) -> None:
        self._job = job
        self._answers: list[Answer] = []
        self._thread = threading.Thread(target=self._run, name=f"call:{name}", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Give it up, as a client may at any time."""
        self._job.cancel()

    def answer(self) -> Fields:
        """The structured content; fails where the call hangs, or raised."""
        self._thread.join(BOUND_S)
        assert not self._thread.is_alive(), f"{self._thread.name} is not answered"
        [answer] = self._answers
        return checked(answer)

    def _run(self) -> None:
        self._answers.append(self._job.run())


def checked(answer: Answer) -> Fields:
    """The structured content of an answer that keeps what all of them promise."""
    structured = answer.structured
    assert answer.text
    assert structured["status"] == ("error" if answer.is_error else "ok")
    if answer.is_error:
        assert set(structured["error"]) == {"code", "message", "details", "next"}
    return structured


class SessionTools:
    """All session tools, on sessions of their own."""

    def __init__(self, backend: SessionBackend, limits: SessionLimits | None = None) -> None:
        self.sessions = Sessions(lambda: backend, limits or SessionLimits(), lambda _: None)
        self._tools = {tool.name: tool(self.sessions) for tool in SESSION_TOOLS}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._tools)

    def begin(self, name: str, /, **arguments: Any) -> CallUnderWay:
        """Make a call whose arguments are right, and do not wait for it."""
        started = self._tools[name].start(arguments)
        assert not isinstance(started, Answer), started
        return CallUnderWay(name, started)

    def both(self, name: str, /, **arguments: Any) -> Fields:
        """The answer to a call, whether it succeeds or not."""
        started = self._tools[name].start(arguments)
        return checked(started) if isinstance(started, Answer) else CallUnderWay(name, started).answer()

    def call(self, name: str, /, **arguments: Any) -> Fields:
        """The answer to a call that has to succeed."""
        answer = self.both(name, **arguments)
        assert answer["status"] == "ok", answer
        return answer

    def error_code(self, name: str, /, **arguments: Any) -> str:
        """The code of a call that has to fail."""
        answer = self.both(name, **arguments)
        assert answer["status"] == "error", answer
        code: str = answer["error"]["code"]
        return code

    def start(self, program: Program, *marks: str, words: tuple[str, ...] = (), **more: Any) -> ToolSession:
        """Start a program up to the first of these marks, or to its first line."""
        answer = self.call("start_debugging", **start_arguments(program, *marks, words=words), **more)
        return ToolSession(self, answer["session_id"], answer["target_info"]["pid"], answer)


def start_arguments(program: Program, *marks: str, words: tuple[str, ...] = ()) -> Fields:
    """How `start_debugging` is called with breakpoints at these marks."""
    places = [{"file": str(program.path), "line": program.line(mark)} for mark in marks]
    return {"command": shlex.join([NODE, str(program.path), *words]), "breakpoints": places}


@dataclass(frozen=True)
class ToolSession:
    """One session, as whoever started it knows it."""

    tools: SessionTools
    id: str
    pid: int
    opened: Fields

    def begin(self, name: str, /, **arguments: Any) -> CallUnderWay:
        return self.tools.begin(name, session_id=self.id, **arguments)

    def both(self, name: str, /, **arguments: Any) -> Fields:
        return self.tools.both(name, session_id=self.id, **arguments)

    def call(self, name: str, /, **arguments: Any) -> Fields:
        return self.tools.call(name, session_id=self.id, **arguments)

    def error_code(self, name: str, /, **arguments: Any) -> str:
        return self.tools.error_code(name, session_id=self.id, **arguments)

    @property
    def state(self) -> str:
        return str(self.tools.sessions.get(self.id).summary().state)

    def await_state(self, state: str) -> None:
        wait_until(lambda: self.state == state, f"the session is {state}")

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the program, and wait for its death."""
        self.signal(signal.SIGKILL)
        wait_for_death([self.pid])

    def value(self, expression: str, **more: Any) -> Any:
        """What an expression is, where the program stands."""
        return self.call("evaluate_expression", expression=expression, **more)["result"].get("value")
