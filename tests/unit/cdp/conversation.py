"""A connection of the server's own to a fake inspector, from its opening to its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from server.cdp.connection import Connection, WireClosed, WireMessage
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from tests.fake_inspector import BOUND_S, Behaviour, FakeInspector, Peer, ShakeHands, accept, say_nothing

MAX_MESSAGE_BYTES = 1 << 20
SOON_S = 0.2
"""A deadline that a test means to pass."""


@dataclass(frozen=True)
class Conversation:
    """Both ends, and the inbox of the thread that owns ours."""

    connection: Connection
    inbox: Inbox
    inspector: FakeInspector

    def next_payload(self) -> dict[str, Any]:
        """The next message that the reader delivered."""
        message = self.inbox.next()
        assert isinstance(message, WireMessage), message
        return message.payload

    def reason_of_end(self) -> str:
        """Why the connection ended; nothing else may come before that."""
        message = self.inbox.next()
        assert isinstance(message, WireClosed), message
        assert self.connection.settle(message) is None
        return message.reason


@contextmanager
def conversation(
    behave: Behaviour = say_nothing,
    *,
    shake_hands: ShakeHands = accept,
    deadline_s: float = BOUND_S,
    max_message_bytes: int = MAX_MESSAGE_BYTES,
) -> Iterator[Conversation]:
    """Open a connection to a fake inspector that behaves like this; both are gone afterwards."""
    inbox = Inbox(Deadline.after(deadline_s))
    with FakeInspector(behave, shake_hands) as inspector:
        connection = Connection.open(inspector.url, inbox, max_message_bytes, "test")
        try:
            yield Conversation(connection, inbox, inspector)
        finally:
            connection.close()


def answer_everything(peer: Peer) -> None:
    """Acknowledge each command; ends with the client."""
    while True:
        peer.answer(peer.read_command())
