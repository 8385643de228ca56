"""A lean MCP client: JSON lines over two pipes, nothing else, so that a client's own cost is not counted."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from benchmarks import counting_program

OUR_SERVER = (sys.executable, "-m", "server")
BARE_SERVER = (sys.executable, "-m", "benchmarks.bare_server")
_ROOT = Path(__file__).parent.parent
_INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


@dataclass(frozen=True, slots=True)
class Debugging:
    """A call of `debug-script` on the counting program."""

    node: str
    hits: int
    depth: int = counting_program.SHALLOW
    expression: str = counting_program.EXPRESSION
    include_stack: bool = False
    """Asks for the stack too, which only a program that stops can give: every hit is a stop then."""

    def arguments(self) -> dict[str, Any]:
        """What the tool is called with."""
        plain = counting_program.command(self.node, self.hits, self.depth)
        words = [plain[0], "--inspect-brk=0", *plain[1:]]
        return {
            "command": " ".join(json.dumps(word) for word in words),
            "breakpoint": {"file": str(counting_program.FILE), "line": counting_program.marked_line()},
            "expression": self.expression,
            "timeout": 120_000,
            "include_stack": self.include_stack,
        }


@dataclass(frozen=True, slots=True)
class Answered:
    """The values that came back: all of them, or so many of the first and for the rest the last."""

    values: list[Any]
    kept_first: int


@dataclass(frozen=True, slots=True)
class Timed:
    """An answer, and how long it took from the request."""

    result: dict[str, Any]
    seconds: float


class PipeClient:
    """A server process and the conversation with it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=_ROOT)
        self._last_id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._process.pid

    def initialize(self) -> None:
        """Do the handshake that opens every conversation."""
        self.request("initialize", _INITIALIZE)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def debug(self, debugging: Debugging) -> None:
        """Call `debug-script`, and check every value of the answer."""
        answer = self.ask(debugging)
        counting_program.check_kept_values(answer.values, debugging.hits, answer.kept_first)

    def ask(self, debugging: Debugging) -> Answered:
        """Call `debug-script`, and check only that the program was seen to do all its hits."""
        answer = self.request("tools/call", {"name": "debug-script", "arguments": debugging.arguments()})
        structured = answer["structuredContent"]
        if "results" not in structured:
            raise counting_program.WrongAnswerError(structured["error"])
        values = [result["value"] for result in structured["results"]]
        cut = structured.get("truncated", {"hits": len(values), "kept_first": len(values)})
        if cut["hits"] != debugging.hits:
            raise counting_program.WrongAnswerError(f"{cut['hits']} hits of {debugging.hits} were seen")
        return Answered(values, cut["kept_first"])

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and block for its answer; what else the server says is passed over."""
        [answer] = self.request_all(method, [params])
        return answer.result

    def request_all(self, method: str, all_params: Sequence[dict[str, Any]]) -> list[Timed]:
        """Send a request for each of these, without waiting in between, and block for all answers."""
        sent_at: dict[int, float] = {}
        for params in all_params:
            began = time.perf_counter()
            sent_at[self._send(method, params)] = began
        answers: dict[int, Timed] = {}
        assert self._process.stdout is not None
        while len(answers) < len(sent_at):
            line = self._process.stdout.readline()
            received_at = time.perf_counter()
            if not line:
                raise EOFError(f"the server ended without an answer to {method}")
            message = json.loads(line)
            if message.get("id") in sent_at:
                answers[message["id"]] = Timed(message["result"], received_at - sent_at[message["id"]])
        return [answers[request_id] for request_id in sent_at]

    def _send(self, method: str, params: dict[str, Any]) -> int:
        self._last_id += 1
        self._write({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        return self._last_id

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
