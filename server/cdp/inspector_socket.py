"""The socket under a connection to Node's inspector, with what that inspector needs."""

from __future__ import annotations

import socket
from typing import Any
from urllib.parse import urlsplit

import websocket

from server.debug.deadline import Deadline
from server.errors import ConnectionFailedError

_QUICKACK = getattr(socket, "TCP_QUICKACK", None)  # Linux only


class MessageTooLargeError(Exception):
    """The peer sent more than one message may hold."""


class _PromptSocket(socket.socket):
    """Acknowledges at once, and counts what one message takes.

    Node answers in two small writes. With Nagle's algorithm on its side and a delayed acknowledgement on
    ours, each answer would take 40 ms; Linux drops quick acknowledgement again on its own, so it is armed
    before every read.
    """

    max_message_bytes: int
    message_bytes = 0

    def recv(self, *args: Any, **kwargs: Any) -> bytes:
        if _QUICKACK is not None:
            self.setsockopt(socket.IPPROTO_TCP, _QUICKACK, 1)
        data = super().recv(*args, **kwargs)
        self.message_bytes += len(data)
        if self.message_bytes > self.max_message_bytes:
            raise MessageTooLargeError(f"a message is larger than {self.max_message_bytes} bytes")
        return data


class _QuietWebSocket(websocket.WebSocket):
    """A websocket that never answers pings: Node drops a connection on which it sees a pong."""

    def pong(self, payload: str | bytes = "") -> None:
        """Send nothing."""


class InspectorSocket:
    """A connected websocket. One thread sends, one other thread receives."""

    def __init__(self, websocket_: websocket.WebSocket, tcp: _PromptSocket) -> None:
        self._websocket = websocket_
        self._tcp = tcp

    @staticmethod
    def connect(url: str, deadline: Deadline, max_message_bytes: int) -> InspectorSocket:
        """Open the connection, or raise `ConnectionFailedError` when that fails or the time is up."""
        try:
            tcp = _connect_tcp(url, deadline)
        except OSError as error:
            raise ConnectionFailedError(f"The inspector at {url} cannot be reached: {error}") from error
        tcp.max_message_bytes = max_message_bytes
        quiet = _QuietWebSocket(enable_multithread=False, skip_utf8_validation=True)
        try:
            # A socket of our own also keeps proxies out of the way.
            quiet.connect(url, socket=tcp, suppress_origin=True)  # type: ignore[no-untyped-call]
        except (OSError, websocket.WebSocketException, MessageTooLargeError, ValueError) as error:
            tcp.close()
            raise ConnectionFailedError(f"{url} did not open a websocket: {error}") from error
        tcp.settimeout(None)
        return InspectorSocket(quiet, tcp)

    def send(self, text: str) -> None:
        """Send one message, in one unfragmented text frame."""
        self._websocket.send(text)

    def receive(self) -> str | bytes:
        """Block for one whole message; an empty one means that the peer closed."""
        self._tcp.message_bytes = 0
        message: str | bytes = self._websocket.recv()
        return message

    def abort(self) -> None:
        """Break the connection and wake a blocked `receive`; any thread."""
        self._websocket.abort()  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Free the descriptor, when nobody receives any more."""
        self._websocket.shutdown()  # type: ignore[no-untyped-call]
        self._tcp.close()


def _connect_tcp(url: str, deadline: Deadline) -> _PromptSocket:
    address = urlsplit(url)
    failure: OSError | None = None
    for family, kind, protocol, _, target in socket.getaddrinfo(
        address.hostname, address.port or 80, type=socket.SOCK_STREAM
    ):
        tcp = _PromptSocket(family, kind, protocol)
        tcp.max_message_bytes = 1 << 20
        tcp.settimeout(max(0.001, deadline.remaining_s()))
        try:
            tcp.connect(target)
            tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            tcp.close()
            failure = error
        else:
            return tcp
    raise failure or OSError("the host name has no address")
