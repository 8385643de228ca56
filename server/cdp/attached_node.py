"""A node that somebody else started: we are guests at its inspector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cdp.connection import Connection, WireClosed, WireMessage
from server.cdp.inspector_link import InspectorLink
from server.cdp.launched_node import EXIT_AFTER_LOSS_S, InspectorLost, NodeEnded
from server.errors import DeadlinePassed
from server.process.foreign_process import is_alive

if TYPE_CHECKING:
    from server.cdp.attach_target import AttachTarget
    from server.cdp.launched_node import NodeNews
    from server.debug.inbox import Inbox

_LOOK_AGAIN_S = 0.02


class AttachedNode:
    """Belongs to the owner of its inbox."""

    def __init__(self, target: AttachTarget, inbox: Inbox, max_message_bytes: int) -> None:
        self.pid = target.pid
        """Where it is known to be a process of this machine."""
        self.link: InspectorLink | None = None
        self._target = target
        self._inbox = inbox
        self._max_message_bytes = max_message_bytes
        self._is_left = False

    def connect(self) -> InspectorLink:
        """Connect; the program goes on as it was."""
        name = self._target.websocket_url.rpartition("/")[2][:8]
        url = self._target.websocket_url
        self.link = InspectorLink(Connection.open(url, self._inbox, self._max_message_bytes, name=name))
        return self.link

    def note(self, message: object) -> NodeNews | None:
        """What a message of the inbox means; None where only this object had to know."""
        match message:
            case WireMessage() if self.link is not None:
                return self.link.note(message)
            case WireClosed(connection, reason):
                connection.settle(message)
                return self._look_whether_over(reason)
            case _:
                raise AssertionError(f"an unknown message: {message!r}")

    def leave(self) -> None:
        """Close the connection; the program does not notice."""
        self._is_left = True
        if self.link is not None:
            self.link.connection.close()

    def _look_whether_over(self, reason: str) -> NodeEnded | InspectorLost | None:
        if self._is_left:
            return None
        is_over = (self.link is not None and self.link.is_parted) or self._has_exited()
        return NodeEnded(None) if is_over else InspectorLost(reason)

    def _has_exited(self) -> bool:
        """Whether the process ends, where we know which it is: a moment after its inspector, as a rule."""
        if self.pid is None:
            return False
        patience = self._inbox.deadline.earlier(EXIT_AFTER_LOSS_S)
        while is_alive(self.pid) and not patience.passed:
            try:
                self._inbox.set_aside(self._inbox.next_unseen(patience.earlier(_LOOK_AGAIN_S)))
            except DeadlinePassed:
                continue  # a moment has passed: look again
        return not is_alive(self.pid)
