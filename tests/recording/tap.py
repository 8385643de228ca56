"""Listens in on the server's own conversation with an inspector."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest import mock

from server.cdp.inspector_socket import InspectorSocket
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.process.process_events import OutputChunk, Stream
from tests.recording.recording_file import Message

INTERNAL_SCRIPTS = 2
"""How many of Node's own scripts, which are a hundred, stay in a recording."""
_WAITING = "NodeRuntime.waitingForDebugger"
_RELEASE = "Runtime.runIfWaitingForDebugger"


@dataclass
class Tap:
    """Everything that passed. Sending and receiving happen on two threads: each list has one writer."""

    sent: list[Message] = field(default_factory=list)
    received: list[Message] = field(default_factory=list)

    def in_one_order(self) -> Iterator[Message]:
        """What the inspector said, each answer beside its command, without what depends on the moment."""
        commands = {command["id"]: command for command in self.sent}
        waiting_is_told = any(message.get("method") == _WAITING for message in self.received)
        released = False
        for message in self._without_most_internal_scripts():
            if message.get("method") == _WAITING:
                continue  # comes just before or just after the answer to NodeRuntime.enable: told there
            if "id" not in message:
                yield {"event": message["method"], "params": message.get("params", {})}
                continue
            command = commands[message["id"]]
            if command["method"] == _RELEASE:
                if released:
                    continue  # how often it was sent depends on the moment
                released = True
            answer: Message = {key: message[key] for key in ("result", "error") if key in message}
            yield {"command": command["method"], "params": command["params"], **answer}
            if command["method"] == "NodeRuntime.enable" and waiting_is_told:
                yield {"event": _WAITING, "params": {}}

    def _without_most_internal_scripts(self) -> Iterator[Message]:
        internal_scripts = 0
        for message in self.received:
            if message.get("method") == "Debugger.scriptParsed" and message["params"]["url"].startswith("node:"):
                internal_scripts += 1
                if internal_scripts > INTERNAL_SCRIPTS:
                    continue
            yield message


@contextmanager
def tapped_sockets() -> Iterator[Tap]:
    """Note what goes through every inspector socket meanwhile."""
    tap = Tap()
    send, receive = InspectorSocket.send, InspectorSocket.receive

    def send_and_note(self: InspectorSocket, text: str, deadline: Deadline) -> None:
        tap.sent.append(json.loads(text))
        send(self, text, deadline)

    def receive_and_note(self: InspectorSocket) -> bytes | None:
        data = receive(self)
        if data is not None:
            tap.received.append(json.loads(data))
        return data

    with mock.patch.multiple(InspectorSocket, send=send_and_note, receive=receive_and_note):
        yield tap


class TappedInbox(Inbox):
    """An inbox that notes what the program wrote."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__(deadline)
        self.output: dict[Stream, bytes] = {"stdout": b"", "stderr": b""}

    def put(self, message: object) -> None:
        if isinstance(message, OutputChunk):
            self.output[message.stream] += message.data
        super().put(message)
