"""A node that this server started, from the first words of its inspector to its last output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.cdp.announcement import AnnouncementReader, Listening, NotListening
from server.cdp.connection import Connection, WireClosed, WireMessage
from server.cdp.inspector_flag import refuse_beyond_loopback
from server.cdp.inspector_link import InspectorLink, ReadyToPart, WireEvent
from server.cdp.ports import port_in_use_error
from server.errors import ConnectionFailedError, DeadlinePassed, DisconnectedError, TargetLaunchError
from server.process.process_events import STREAMS, ExitStatus, OutputChunk, ProcessExited, StreamEnded

if TYPE_CHECKING:
    from server.debug.inbox import Inbox
    from server.process.launched_process import LaunchedProcess

Handle = Callable[[object], None]
"""Takes a message of the inbox; called for each that comes while something is waited for."""

_RELEASE_AGAIN_S = 0.05
"""Node 18 does not tell when it is ready to be released; a release that came too early is repeated."""
EXIT_AFTER_LOSS_S = 2.0
"""How long a program may take to end after its inspector went away, before the connection counts as lost."""


@dataclass(frozen=True, slots=True)
class NodeEnded:
    """The program is over, and all that it wrote has been told. How it ended is known of one that we launched."""

    exit: ExitStatus | None


@dataclass(frozen=True, slots=True)
class InspectorLost:
    """The inspector went away, and the program did not end."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Unreachable:
    """The inspector was announced and could not be reached."""

    reason: str


NodeNews = WireEvent | ReadyToPart | OutputChunk | NodeEnded | InspectorLost


class LaunchedNode:
    """Belongs to the owner of its inbox."""

    def __init__(self, process: LaunchedProcess, inbox: Inbox, max_message_bytes: int) -> None:
        self.process = process
        self.link: InspectorLink | None = None
        self.exit: ExitStatus | None = None
        self._inbox = inbox
        self._max_message_bytes = max_message_bytes
        self._wire_is_open = False
        self._open_streams: set[str] = set(STREAMS)
        self._is_gone = False
        process.start_pumps(inbox.put, name=str(process.pid))

    @property
    def pid(self) -> int:
        """The process id of what was launched."""
        return self.process.pid

    @property
    def is_parted(self) -> bool:
        """Whether the program came to its end and we left it, so that nothing of it went unseen."""
        return self.link is not None and self.link.is_parted

    # --- from the launch to the first pause -------------------------------------------------------------

    def connect(self, handle: Handle) -> InspectorLink:
        """Wait for the inspector's address on standard error, and connect there."""
        url = self._await_announcement(handle)
        refuse_beyond_loopback(url)
        self.link = InspectorLink(self._open_connection(url))
        self._wire_is_open = True
        return self.link

    def release(self, handle: Handle, has_paused: Callable[[], bool]) -> None:
        """Let the program go; returns at its first pause, or when the program or its inspector is gone."""
        assert self.link is not None, "not connected"
        self.link.release()
        while not has_paused() and not self._is_gone:
            try:
                handle(self._inbox.next(self._inbox.deadline.earlier(_RELEASE_AGAIN_S)))
            except DeadlinePassed:
                if self._inbox.deadline.passed:
                    raise
                self.link.release()

    def await_gone(self, handle: Handle) -> None:
        """After the connection broke: wait for the program's end, or for the proof that it lives on."""
        while not self._is_gone:
            handle(self._inbox.next())

    def _await_announcement(self, handle: Handle) -> str:
        reader = AnnouncementReader()
        while not self._is_gone:
            message = self._inbox.next()
            handle(message)
            if not isinstance(message, OutputChunk) or message.stream != "stderr":
                continue
            match reader.feed(message.data):
                case Listening(url):
                    return url
                case NotListening(address, reason):
                    raise _not_listening(address, reason)
                case None:
                    continue
        raise DisconnectedError("connect", "the program ended before its inspector was there")

    def _open_connection(self, url: str) -> Connection:
        try:
            return Connection.open(url, self._inbox, self._max_message_bytes, name=str(self.pid))
        except ConnectionFailedError as error:
            # Whether that is because the program has just ended is known in a moment.
            self._inbox.set_aside(_Unreachable(error.message))
            raise DisconnectedError("connect", error.message) from error

    # --- what it tells ----------------------------------------------------------------------------------

    def note(self, message: object) -> NodeNews | None:
        """What a message of the inbox means; None where only this object had to know."""
        match message:
            case WireMessage() if self.link is not None:
                return self.link.note(message)
            case OutputChunk():
                return message
            case StreamEnded(stream):
                self._open_streams.discard(stream)
                return self._look_whether_over()
            case ProcessExited(status):
                self.exit = status
                return self._look_whether_over()
            case WireClosed(connection, reason):
                connection.settle(message)
                self._wire_is_open = False
                return self._look_whether_over() or self._look_whether_lost(reason)
            case _Unreachable(reason):
                return self._look_whether_lost(reason)
            case _:
                raise AssertionError(f"an unknown message: {message!r}")

    def end(self) -> None:
        """Kill what still runs, and close the connection; what was written last is in the inbox then."""
        self._is_gone = True
        self.process.end()
        if self.link is not None:
            self.link.connection.close()

    def leave(self) -> None:
        """Close the connection, and let the program and its descendants live on without us."""
        self._is_gone = True
        if self.link is not None:
            self.link.connection.close()
        self.process.release()

    def _look_whether_over(self) -> NodeEnded | None:
        """A program is over when it exited, its inspector is gone, and all its output has been read."""
        if self.exit is None or self._wire_is_open:
            return None
        # Descendants that still run hold the pipes open; they end with the program, like its last output.
        self.process.end()
        if self._open_streams:
            return None
        self._is_gone = True
        return NodeEnded(self.exit)

    def _look_whether_lost(self, reason: str) -> InspectorLost | None:
        if self.is_parted or self.exit is not None or self._is_gone:
            return None
        patience = self._inbox.deadline.earlier(EXIT_AFTER_LOSS_S)
        try:
            while True:
                message = self._inbox.next_unseen(patience)
                self._inbox.set_aside(message)
                if isinstance(message, ProcessExited):
                    return None
        except DeadlinePassed:
            if self._inbox.deadline.passed:
                raise
            self._is_gone = True
            return InspectorLost(reason)


def _not_listening(address: str, reason: str) -> TargetLaunchError:
    # Node goes on without its inspector, so the program would run unseen: the caller ends it.
    if "in use" in reason:
        return port_in_use_error(address)
    return TargetLaunchError(f"The inspector could not start on {address}: {reason}")
