"""A connection that speaks the protocol: typed commands out, answers and events in.

| thread | owns | may do |
|---|---|---|
| owner (the inbox's) | ids, which calls are open, sending | everything but receive |
| reader:<name> | receiving, the handshake too | parse, put wire events in the inbox; as its last act `WireClosed` |

Answers travel through the inbox too. So the table of open calls has one owner and no lock, and whatever the
owner waits for, an exit, a lost connection, a cancellation or the deadline wakes it.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import websocket

from server.cdp.inspector_socket import InspectorSocket, MessageTooLargeError
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.errors import ConnectionFailedError, DisconnectedError, ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.base import CDPModel, Command

R = TypeVar("R", bound="CDPModel")
log = logging.getLogger(__name__)

_JOIN_S = 5.0


@dataclass(frozen=True, slots=True)
class WireOpened:
    """The peer has made a websocket of this connection."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class WireMessage:
    """One parsed message; `connection` tells whose, where an owner has several."""

    connection: Connection
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class WireClosed:
    """Nothing more comes from this connection."""

    connection: Connection
    reason: str


class Call(Generic[R]):
    """A command that was sent. Belongs to the owner, like the connection."""

    __slots__ = ("answer", "decode", "failure", "method")

    def __init__(self, method: str, decode: Callable[[dict[str, Any]], R]) -> None:
        self.method = method
        self.decode = decode
        self.answer: dict[str, Any] | None = None
        self.failure: ProtocolError | DisconnectedError | None = None

    @property
    def settled(self) -> bool:
        """Whether the answer, or the reason why there is none, has come."""
        return self.answer is not None or self.failure is not None

    def result(self) -> R:
        """The decoded answer of a settled call, or its failure raised."""
        if self.failure is not None:
            raise self.failure
        assert self.answer is not None, f"{self.method} is not settled"
        return self.decode(self.answer)


class Connection:
    """Sends commands and settles them; the only reader of its socket is its own thread."""

    def __init__(self, socket: InspectorSocket, inbox: Inbox, name: str) -> None:
        self._socket = socket
        self._inbox = inbox
        self._open_calls: dict[int, Call[Any]] = {}
        self._next_id = 1
        self._closed_because: str | None = None
        self._reader = threading.Thread(target=self._read, name=f"reader:{name}", daemon=True)
        self._reader.start()

    @classmethod
    def open(cls, url: str, inbox: Inbox, max_message_bytes: int, name: str) -> Connection:
        """Connect and shake hands; the deadline and a cancellation end this like any other wait."""
        socket = InspectorSocket.connect(url, inbox.deadline, max_message_bytes)
        try:
            connection = cls(socket, inbox, name)
        except RuntimeError:  # there are no more threads to be had
            socket.close()
            raise
        try:
            connection._await_opened(url)
        except BaseException:
            connection.close()
            raise
        return connection

    # --- the owner's side -----------------------------------------------------------------------------

    def post(self, command: Command[R]) -> Call[R]:
        """Send a command and go on; on a closed connection the call comes back failed."""
        self._inbox.assert_owned()
        call: Call[R] = Call(command.METHOD, command.decode_result)
        call_id = self._next_id
        self._next_id += 1
        if self._closed_because is not None:
            call.failure = DisconnectedError(call.method, self._closed_because)
            return call
        self._open_calls[call_id] = call
        message = {"id": call_id, "method": command.METHOD, "params": command.to_params()}
        try:
            self._socket.send(json.dumps(message), self._inbox.deadline)
        except (OSError, websocket.WebSocketException) as error:
            # Half a frame may be out: nothing that follows would be understood.
            self._fail_open_calls(f"sending failed: {error}")
            self._socket.abort()
        return call

    def wait(self, call: Call[R], until: Deadline | None = None) -> R:
        """Block for an answer; other messages keep their order for later."""
        while not call.settled:
            message = self._inbox.next_unseen(until)
            if self.settle(message) is None:
                self._inbox.set_aside(message)
        return call.result()

    def send(self, command: Command[R], until: Deadline | None = None) -> R:
        """Send a command and block for its answer."""
        return self.wait(self.post(command), until)

    def settle(self, message: object) -> Call[Any] | None:
        """Settle the call that a message answers. Not an answer: None, and the message is the caller's.

        The end of the connection fails every open call; it stays the caller's message as well.
        """
        self._inbox.assert_owned()
        if isinstance(message, WireClosed) and message.connection is self:
            self._fail_open_calls(message.reason)
            return None
        if not isinstance(message, WireMessage) or message.connection is not self:
            return None
        call_id = message.payload.get("id")
        call = self._open_calls.pop(call_id, None) if type(call_id) is int else None
        if call is None:
            return None
        if "error" in message.payload:
            call.failure = _error_to_failure(call.method, message.payload["error"])
        else:
            result = message.payload.get("result")
            call.answer = result if isinstance(result, dict) else {}
        return call

    @property
    def closed(self) -> bool:
        """Whether the owner knows that the connection is over."""
        return self._closed_because is not None

    def close(self) -> None:
        """End the connection and its thread; idempotent."""
        self._inbox.assert_owned()
        self._fail_open_calls("the connection was closed")
        self._socket.abort()
        self._reader.join(_JOIN_S)
        if self._reader.is_alive():
            log.error("%s did not end", self._reader.name)
        self._socket.close()

    def _await_opened(self, url: str) -> None:
        while True:
            match self._inbox.next_unseen():
                case WireOpened(connection) if connection is self:
                    return
                case WireClosed(connection, reason) if connection is self:
                    raise ConnectionFailedError(f"{url} did not open a websocket: {reason}")
                case message:
                    self._inbox.set_aside(message)

    def _fail_open_calls(self, reason: str) -> None:
        if self._closed_because is None:
            self._closed_because = reason
        open_calls, self._open_calls = self._open_calls, {}
        for call in open_calls.values():
            call.failure = DisconnectedError(call.method, reason)

    # --- the reader's side ----------------------------------------------------------------------------

    def _read(self) -> None:
        reason = "the reader failed"
        try:
            self._socket.shake_hands()
            self._inbox.put(WireOpened(self))
            reason = self._read_until_closed()
        except (OSError, ValueError, websocket.WebSocketException, MessageTooLargeError) as error:
            reason = str(error) or type(error).__name__
        finally:
            # Nobody receives any more: the peer, and an owner that is just sending to it, have to know.
            self._socket.abort()
            self._inbox.put(WireClosed(self, reason))

    def _read_until_closed(self) -> str:
        while (data := self._socket.receive()) is not None:
            payload = _data_to_payload(data)
            if payload is None:
                log.warning("ignored what is no message of the protocol: %.200r", data)
            else:
                self._inbox.put(WireMessage(self, payload))
        return "the debugger closed the connection"


def _data_to_payload(data: bytes) -> dict[str, Any] | None:
    """The object that a message holds, as far as it has the form of an answer or an event; else None."""
    try:
        # A message with a broken character is still the answer that somebody waits for.
        payload = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(payload, dict) or not isinstance(payload.get("method", ""), str):
        return None
    return payload if isinstance(payload.get("params") or {}, dict) else None


def _error_to_failure(method: str, error: object) -> ProtocolError:
    if not isinstance(error, dict):
        return ProtocolError(method, 0, str(error))
    code = error.get("code")
    return ProtocolError(method, code if isinstance(code, int) else 0, str(error.get("message", "")))
