"""A lean MCP client: JSON lines over two pipes, nothing else, so that a client's own cost is not counted."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
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


class PipeClient:
    """A server process and the conversation with it; one request at a time."""

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

    def debug(self, node: str, hits: int) -> None:
        """Call `debug-script` on the counting program, and check every value of the answer."""
        plain = counting_program.command(node, hits)
        words = [plain[0], "--inspect-brk=0", *plain[1:]]
        arguments = {
            "command": " ".join(json.dumps(word) for word in words),
            "breakpoint": {"file": str(counting_program.FILE), "line": counting_program.marked_line()},
            "expression": counting_program.EXPRESSION,
            "timeout": 120_000,
        }
        answer = self.request("tools/call", {"name": "debug-script", "arguments": arguments})
        structured = answer["structuredContent"]
        if "results" not in structured:
            raise counting_program.WrongAnswerError(structured["error"])
        counting_program.check_values([result["value"] for result in structured["results"]], hits)

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and block for its answer; what else the server says is passed over."""
        self._last_id += 1
        self._write({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") == self._last_id:
                result: dict[str, Any] = message["result"]
                return result
        raise EOFError(f"the server ended without an answer to {method}")

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
