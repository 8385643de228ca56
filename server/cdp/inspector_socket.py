"""The socket under a connection to Node's inspector, with what that inspector needs."""

from __future__ import annotations

import contextlib
import select
import socket
from typing import Any
from urllib.parse import urlsplit

import websocket

from server.debug.deadline import Deadline
from server.errors import ConnectionFailedError, DeadlinePassed

_READ_BYTES = 16 * 1024
_QUICKACK = getattr(socket, "TCP_QUICKACK", None)  # Linux only
_MAX_HANDSHAKE_BYTES = 64 * 1024


class MessageTooLargeError(Exception):
    """The peer sent more than one message may hold."""


class _PromptSocket(socket.socket):
    """Acknowledges at once, reads ahead, counts what a message takes, and waits for a slow peer no longer than it may.

    Node answers in two small writes. With Nagle's algorithm on its side and a delayed acknowledgement on
    ours, each answer would take 40 ms; Linux drops quick acknowledgement again on its own, so it is armed
    before every read. Reading ahead saves most reads: websocket-client asks for a handshake byte by byte, and
    for a message in three pieces, while V8 sends a hundred messages in one go.
    """

    max_message_bytes = _MAX_HANDSHAKE_BYTES
    message_bytes = 0
    _unread = b""
    send_deadline: Deadline

    def recv(self, bufsize: int, flags: int = 0) -> bytes:
        if not self._unread:
            self._unread = self._read_ahead(max(bufsize, _READ_BYTES), flags)
        data, self._unread = self._unread[:bufsize], self._unread[bufsize:]
        self.message_bytes += len(data)
        if self.message_bytes > self.max_message_bytes:
            raise MessageTooLargeError(f"a message is larger than {self.max_message_bytes} bytes")
        return data

    def _read_ahead(self, most: int, flags: int) -> bytes:
        if _QUICKACK is not None:
            self.setsockopt(socket.IPPROTO_TCP, _QUICKACK, 1)
        return super().recv(most, flags)

    def send(self, data: Any, flags: int = 0) -> int:
        # A timeout of the socket would hold for `recv` as well, which may block for as long as it likes.
        while True:
            try:
                return super().send(data, flags | socket.MSG_DONTWAIT)
            except BlockingIOError:
                self._wait_until_writable()

    def _wait_until_writable(self) -> None:
        poller = select.poll()
        poller.register(self, select.POLLOUT)
        if not poller.poll(self.send_deadline.remaining_s() * 1000):
            raise TimeoutError("the debugger takes no more data")


class _QuietWebSocket(websocket.WebSocket):
    """A websocket that answers no control frame.

    Node drops a connection on which it sees a pong; and both answers would be sent by the thread that
    receives, into the middle of what another one is sending.
    """

    def pong(self, payload: str | bytes = "") -> None:
        """Send nothing."""

    def send_close(self, status: int = websocket.STATUS_NORMAL, reason: str | bytes = b"") -> None:
        """Send nothing: the end of the stream, which follows at once, says it as well."""


class InspectorSocket:
    """A websocket. One thread sends; one other thread shakes hands, and then receives."""

    def __init__(self, url: str, tcp: _PromptSocket, max_message_bytes: int) -> None:
        self._url = url
        self._tcp = tcp
        self._max_message_bytes = max_message_bytes
        self._websocket = _QuietWebSocket(enable_multithread=False, skip_utf8_validation=True)

    @staticmethod
    def connect(url: str, deadline: Deadline, max_message_bytes: int) -> InspectorSocket:
        """Reach the peer's port; raises `ConnectionFailedError`, or `DeadlinePassed` when the time is up."""
        try:
            tcp = _connect_tcp(url, deadline)
        except (OSError, ValueError) as error:
            if deadline.passed:
                raise DeadlinePassed from error
            raise ConnectionFailedError(f"The inspector at {url} cannot be reached: {error}") from error
        return InspectorSocket(url, tcp, max_message_bytes)

    def shake_hands(self) -> None:
        """Make a websocket of the connection; blocks for as long as the peer likes, or until `abort`."""
        # A socket of our own keeps proxies out of the way, and no redirection leads to another one.
        self._websocket.connect(  # type: ignore[no-untyped-call]
            self._url, socket=self._tcp, suppress_origin=True, redirect_limit=0
        )
        self._tcp.max_message_bytes = self._max_message_bytes

    def send(self, text: str, deadline: Deadline) -> None:
        """Send one message, in one unfragmented text frame; waits for a peer that does not read until then."""
        self._tcp.send_deadline = deadline
        self._websocket.send(text)

    def receive(self) -> bytes | None:
        """Block for one whole message; None when the peer says that it closes."""
        self._tcp.message_bytes = 0
        opcode, data = self._websocket.recv_data()
        return None if opcode == websocket.ABNF.OPCODE_CLOSE else data

    def abort(self) -> None:
        """Break the connection and wake who blocks in it; any thread."""
        with contextlib.suppress(OSError):  # it is broken already
            self._tcp.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Free the descriptor, when nobody receives any more."""
        self._tcp.close()


def _connect_tcp(url: str, deadline: Deadline) -> _PromptSocket:
    address = urlsplit(url)
    failure: OSError | None = None
    for family, kind, protocol, _, target in socket.getaddrinfo(
        address.hostname, address.port or 80, type=socket.SOCK_STREAM
    ):
        try:
            return _connect_to_address(_PromptSocket(family, kind, protocol), target, deadline)
        except OSError as error:
            failure = error
    raise failure or OSError("the host name has no address")


def _connect_to_address(tcp: _PromptSocket, target: Any, deadline: Deadline) -> _PromptSocket:
    try:
        tcp.settimeout(max(0.001, deadline.remaining_s()))
        tcp.connect(target)
        tcp.settimeout(None)
        tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        tcp.send_deadline = deadline
    except BaseException:
        tcp.close()
        raise
    return tcp
