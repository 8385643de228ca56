"""The usual debugger client: websocket-client as it comes, and every command waits for its answer.

This is what a hit costs without the care that `server/cdp` takes; nothing in it is slow on purpose.
"""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import websocket

from benchmarks import counting_program


def debug(node: str, hits: int) -> None:
    """Debug the counting program from launch to end, and check every value."""
    plain = counting_program.command(node, hits)
    with subprocess.Popen([plain[0], "--inspect-brk=0", *plain[1:]], stderr=subprocess.PIPE) as process:
        try:
            client = _NaiveClient(_announced_url(process))
            client.arm()
            values = client.collect()
            client.close()
            process.communicate()
        finally:
            process.kill()
    counting_program.check_values(values, hits)


def _announced_url(process: subprocess.Popen[bytes]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if match := re.search(rb"ws://\S+", line):
            return match[0].decode()
    raise EOFError("node announced no inspector")


class _NaiveClient:
    def __init__(self, url: str) -> None:
        self._socket = websocket.create_connection(url, suppress_origin=True)
        self._last_id = 0
        self._events: list[dict[str, Any]] = []

    def arm(self) -> None:
        self._send("Runtime.enable")
        self._send("Debugger.enable")
        self._send("NodeRuntime.enable")
        self._send("NodeRuntime.notifyWhenWaitingForDisconnect", enabled=True)
        line = counting_program.marked_line() - 1
        self._send("Debugger.setBreakpointByUrl", lineNumber=line, url=counting_program.FILE.as_uri())
        self._send("Runtime.runIfWaitingForDebugger")

    def collect(self) -> list[Any]:
        values: list[Any] = []
        while True:
            event = self._next_event()
            if event["method"] == "NodeRuntime.waitingForDebugger":
                self._send("Runtime.runIfWaitingForDebugger")
            elif event["method"] == "NodeRuntime.waitingForDisconnect":
                return values
            elif event["method"] == "Debugger.paused":
                if event["params"]["hitBreakpoints"]:
                    values.append(self._evaluate(event["params"]["callFrames"][0]["callFrameId"]))
                self._send("Debugger.resume")

    def close(self) -> None:
        self._socket.close()

    def _evaluate(self, frame_id: str) -> Any:
        expression = f"({counting_program.EXPRESSION})"
        answer = self._send(
            "Debugger.evaluateOnCallFrame", callFrameId=frame_id, expression=expression, returnByValue=True
        )
        return answer["result"]["value"]

    def _send(self, method: str, **params: Any) -> dict[str, Any]:
        self._last_id += 1
        self._socket.send(json.dumps({"id": self._last_id, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._last_id:
                result: dict[str, Any] = message.get("result", {})  # Node 18 has no NodeRuntime.enable
                return result
            self._events.append(message)

    def _next_event(self) -> dict[str, Any]:
        if self._events:
            return self._events.pop(0)
        event: dict[str, Any] = json.loads(self._socket.recv())
        return event
