"""The real server in a process of its own, and a client of plain JSON lines that hides nothing of the wire."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MODULE_COMMAND = (sys.executable, "-m", "server")
CONSOLE_SCRIPT = str(Path(sys.executable).with_name("debug-script-mcp"))
HANDSHAKE_VERSION = "2025-11-25"
BOUND_S = 60.0

Message = dict[str, Any]


class ServerProcess:
    """A started server. The first line that is no JSON-RPC message fails the test that reads it."""

    def __init__(
        self,
        *arguments: str,
        command: Sequence[str] = MODULE_COMMAND,
        env: Mapping[str, str] | None = None,
        cwd: Path = ROOT,
    ) -> None:
        # To append, since both sides share one position, and a look at it must not move where the server writes.
        self._stderr = tempfile.TemporaryFile("a+b")  # noqa: SIM115 - closed with the server
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env={**os.environ, **(env or {})},
            cwd=cwd,
            # Whatever a test sends to a process group must not reach the tests themselves.
            start_new_session=True,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._stdin = self.process.stdin
        self._stdout = self.process.stdout.fileno()
        self._unread = b""
        self._last_id = 0
        self._answers: dict[int, Message] = {}
        self.notifications: list[Message] = []
        """Every notification that was read so far, in order."""

    @property
    def pid(self) -> int:
        return self.process.pid

    # --- what a client sends ----------------------------------------------------------------------------

    def send_line(self, line: bytes) -> None:
        self._stdin.write(line + b"\n")
        self._stdin.flush()

    def send(self, message: Message) -> None:
        self.send_line(json.dumps(message).encode())

    def notify(self, method: str, params: Message) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Message | None = None) -> int:
        """Send a request and return its id; `answer` waits for what comes of it."""
        self._last_id += 1
        self.send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params or {}})
        return self._last_id

    def start_call(self, arguments: Mapping[str, Any], *, name: str = "debug-script", **meta: Any) -> int:
        params: Message = {"name": name, "arguments": dict(arguments)}
        return self.request("tools/call", {**params, "_meta": meta} if meta else params)

    def cancel(self, request_id: int) -> None:
        self.notify("notifications/cancelled", {"requestId": request_id, "reason": "not wanted any more"})

    def close_stdin(self) -> None:
        self._stdin.close()

    # --- what it receives -------------------------------------------------------------------------------

    def answer(self, request_id: int) -> Message:
        """The whole answer, a result or an error, whenever it comes between those to other requests."""
        while request_id not in self._answers:
            self.read_message()
        return self._answers.pop(request_id)

    def ask(self, method: str, params: Message | None = None) -> Message:
        """Send a request and return its result."""
        return self.result(self.request(method, params))

    def call(self, arguments: Mapping[str, Any], **meta: Any) -> Message:
        """Call `debug-script` and return the tool's result."""
        return self.result(self.start_call(arguments, **meta))

    def result(self, request_id: int) -> Message:
        answer = self.answer(request_id)
        assert "result" in answer, answer
        result: Message = answer["result"]
        return result

    def has_answered(self, request_id: int) -> bool:
        """Whether the answer was among what has been read so far."""
        return request_id in self._answers

    def initialize(self, version: str = HANDSHAKE_VERSION) -> Message:
        client = {"name": "tests", "version": "1"}
        result = self.ask("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": client})
        self.notify("notifications/initialized", {})
        return result

    def read_message(self) -> None:
        """Take in the next message of the server."""
        message = json.loads(self._read_line())
        assert message["jsonrpc"] == "2.0", message
        if "method" in message:
            self.notifications.append(message)
        else:
            self._answers[message["id"]] = message

    def read_to_end(self) -> None:
        """Take in everything that is left until the server closes its output."""
        while self._fill(time.monotonic() + BOUND_S):
            while b"\n" in self._unread:
                self.read_message()
        assert self._unread == b"", "the output ends in the middle of a line"

    def stderr(self) -> str:
        """What the server has logged so far."""
        self._stderr.seek(0)
        return self._stderr.read().decode()

    # --- its end ----------------------------------------------------------------------------------------

    def wait(self) -> int:
        """The exit code, negative for a signal; fails when the server does not end."""
        return self.process.wait(BOUND_S)

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.process.kill()
            self.wait()
            if error is not None:
                sys.stderr.write(self.stderr())
        finally:
            self.vanish()
            self._stderr.close()

    def vanish(self) -> None:
        """Let go of both pipes, as the death of a client would."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # what a dead server did not take is lost
                    pipe.close()

    def stop_reading(self) -> None:
        """Close the reading end of the server's output, and keep its input open."""
        assert self.process.stdout is not None
        self.process.stdout.close()

    def send_signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def _read_line(self) -> bytes:
        deadline = time.monotonic() + BOUND_S
        while b"\n" not in self._unread:
            assert self._fill(deadline), f"the server closed its output:\n{self.stderr()}"
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _fill(self, deadline: float) -> bool:
        """Read some more bytes; False at the end of the output."""
        left = max(0.0, deadline - time.monotonic())
        readable, _, _ = select.select([self._stdout], [], [], left)
        assert readable, f"the server said nothing for {BOUND_S} s:\n{self.stderr()}"
        data = os.read(self._stdout, 1 << 20)
        self._unread += data
        return bool(data)
