"""A debugger's end of a websocket that does exactly what a test tells it, right or wrong.

A `FakeInspector` serves one client on a loopback port. What it does is a function of the test's own, called with the
`Peer` once the client has connected; what a well-behaved library would never send is written here byte by byte. All
that the client sent is kept in `frames`.

| thread | owns | may do |
|---|---|---|
| fake-inspector | the listening socket and the client's | run the behaviour, then read until the client is gone |
| the test's | nothing here | wait for it with a bound |
"""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from tests.recording.recording_file import Message, comparable_params

BOUND_S = 30.0
"""Longer than anything here takes; a test that waits in vain fails after it."""
TEXT, BINARY, CLOSE, PING, PONG = 0x1, 0x2, 0x8, 0x9, 0xA
CONTINUATION = 0x0
_RELEASE = "Runtime.runIfWaitingForDebugger"
_KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


@dataclass(frozen=True)
class Frame:
    """One frame as the client sent it, unmasked."""

    opcode: int
    payload: bytes
    is_final: bool
    is_masked: bool


@dataclass(frozen=True)
class Handshake:
    """The client's request for a websocket."""

    request_line: str
    headers: Mapping[str, str]

    def acceptance(self) -> bytes:
        """The bytes with which a websocket begins."""
        key = self.headers["sec-websocket-key"] + _KEY_SUFFIX
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        return (
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accept}\r\n\r\n"
        ).encode()


class ClientGoneError(Exception):
    """The client closed, where the behaviour expected more of it."""


@dataclass
class Peer:
    """The client, as the behaviour sees it."""

    tcp: socket.socket
    frames: list[Frame] = field(default_factory=list)

    # --- what the client says ---------------------------------------------------------------------------

    def read_command(self) -> dict[str, Any]:
        """The next command; anything else is the client's mistake."""
        frame = self.read_frame()
        assert frame.opcode == TEXT, f"not a text frame: {frame}"
        command: dict[str, Any] = json.loads(frame.payload)
        return command

    def read_frame(self) -> Frame:
        """The next frame of any kind, noted in `frames`."""
        first, second = self._read(2)
        length = second & 0x7F
        if length == 126:
            [length] = struct.unpack("!H", self._read(2))
        elif length == 127:
            [length] = struct.unpack("!Q", self._read(8))
        is_masked = bool(second & 0x80)
        mask = self._read(4) if is_masked else bytes(4)
        payload = bytes(byte ^ mask[i % 4] for i, byte in enumerate(self._read(length)))
        frame = Frame(first & 0x0F, payload, is_final=bool(first & 0x80), is_masked=is_masked)
        self.frames.append(frame)
        return frame

    def read_to_end(self) -> None:
        """Note everything that the client still sends."""
        try:
            while True:
                self.read_frame()
        except ClientGoneError:
            return

    def read_handshake(self) -> Handshake:
        """The client's first words."""
        text = b""
        while not text.endswith(b"\r\n\r\n"):
            text += self._read(1)
        request_line, *lines = text.decode().strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        return Handshake(request_line, headers)

    # --- what a debugger says -----------------------------------------------------------------------------

    def answer(self, command: Mapping[str, Any], result: Mapping[str, Any] | None = None) -> None:
        """Answer a command as V8 would."""
        self.send_json({"id": command["id"], "result": result or {}})

    def emit(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send an event."""
        self.send_json({"method": method, "params": params or {}})

    def send_json(self, value: object) -> None:
        """Send any JSON in one text frame."""
        self.send_frame(TEXT, json.dumps(value).encode())

    def send_frame(self, opcode: int, payload: bytes, *, is_final: bool = True) -> None:
        """Send one frame of any kind."""
        self.send_bytes(frame_to_bytes(opcode, payload, is_final=is_final))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are: half a frame, or none."""
        try:
            self.tcp.sendall(data)
        except OSError as error:
            raise ClientGoneError from error

    def reset(self) -> None:
        """Break the connection without a word: the client sees a reset, and not the end of a stream."""
        self.tcp.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.tcp.close()

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            try:
                more = self.tcp.recv(count - len(data))
            except TimeoutError:
                raise AssertionError(f"the client neither spoke nor left within {BOUND_S} s") from None
            except OSError as error:
                raise ClientGoneError from error
            if not more:
                raise ClientGoneError
            data += more
        return data


Behaviour = Callable[[Peer], None]
ShakeHands = Callable[[Peer, Handshake], None]


def accept(peer: Peer, handshake: Handshake) -> None:
    """Open the websocket, as node does."""
    peer.send_bytes(handshake.acceptance())


def hang(peer: Peer, _: Handshake) -> None:
    """Never answer the request for a websocket."""
    peer.read_to_end()


def dribble(peer: Peer, handshake: Handshake) -> None:
    """Answer it a byte now and then, without end: each one is progress."""
    peer.send_bytes(handshake.acceptance()[:-2] + b"X-Padding: ")
    peer.tcp.settimeout(0.01)
    while True:
        try:
            peer.tcp.recv(1)
        except TimeoutError:
            peer.send_bytes(b".")
        else:
            raise ClientGoneError


def say_nothing(peer: Peer) -> None:
    """Read what comes and answer none of it."""
    peer.read_to_end()


def replay(messages: Sequence[Message]) -> Behaviour:
    """Say what was recorded, in its order; each answer waits for the command that it was the answer to."""

    def behave(peer: Peer) -> None:
        try:
            for message in messages:
                if "event" in message:
                    peer.emit(message["event"], message["params"])
                else:
                    _answer_as_recorded(peer, message)
        except ClientGoneError:
            raise AssertionError(f"the client left before {message}") from None
        command = _read_command_but_releases(peer)
        raise AssertionError(f"asked for {command}, which was not recorded: is it time for `make record`?")

    return behave


def _answer_as_recorded(peer: Peer, message: Message) -> None:
    recorded = message["command"], message["params"]
    command = peer.read_command() if message["command"] == _RELEASE else _read_command_but_releases(peer)
    asked = command["method"], comparable_params(command["params"])
    assert asked == recorded, f"asked for {asked}, recorded is {recorded}: is it time for `make record`?"
    answer: Message = {key: message[key] for key in ("result", "error") if key in message}
    peer.send_json({"id": command["id"], **answer})


def _read_command_but_releases(peer: Peer) -> Message:
    """The next command that counts: a release is sent as often as the moment asks for it."""
    while (command := peer.read_command())["method"] == _RELEASE:
        peer.answer(command)
    return command


class FakeInspector:
    """Serves one client, in a thread of its own; a failed assertion in there fails the test at the end."""

    def __init__(self, behave: Behaviour = say_nothing, shake_hands: ShakeHands = accept) -> None:
        self._behave = behave
        self._shake_hands = shake_hands
        self._failure: BaseException | None = None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(BOUND_S)
        self.port: int = self._listener.getsockname()[1]
        self.url = f"ws://127.0.0.1:{self.port}/fake"
        self.handshake: Handshake | None = None
        self.frames: list[Frame] = []
        self._thread = threading.Thread(target=self._run, name="fake-inspector", daemon=True)
        self._thread.start()

    def __enter__(self) -> FakeInspector:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.handshake is None:
            self._wake_from_accept()
        self.wait_until_over()
        if self._failure is not None and error is None:
            raise self._failure

    def wait_until_over(self) -> None:
        """Wait until the client has come and gone, and everything that it sent was read."""
        self._thread.join(BOUND_S * 2)
        assert not self._thread.is_alive(), "the fake inspector did not end"

    def commands(self) -> list[dict[str, Any]]:
        """The commands that came, in their order."""
        return [json.loads(frame.payload) for frame in self.frames if frame.opcode == TEXT]

    def _run(self) -> None:
        try:
            with self._listener:
                tcp, _ = self._listener.accept()
            with tcp:
                tcp.settimeout(BOUND_S)
                self._serve(Peer(tcp, self.frames))
        except ClientGoneError:
            pass
        except BaseException as error:
            self._failure = error

    def _serve(self, peer: Peer) -> None:
        self.handshake = peer.read_handshake()
        self._shake_hands(peer, self.handshake)
        self._behave(peer)
        if peer.tcp.fileno() != -1:
            peer.read_to_end()

    def _wake_from_accept(self) -> None:
        """A client that never came is not waited for."""
        try:
            socket.create_connection(("127.0.0.1", self.port), BOUND_S).close()
        except OSError:
            return  # it has been accepted, and the listener is closed


def frame_to_bytes(opcode: int, payload: bytes, *, is_final: bool = True) -> bytes:
    """A frame as a server sends it: not masked."""
    first = (0x80 if is_final else 0) | opcode
    if len(payload) < 126:
        return struct.pack("!BB", first, len(payload)) + payload
    if len(payload) < 1 << 16:
        return struct.pack("!BBH", first, 126, len(payload)) + payload
    return struct.pack("!BBQ", first, 127, len(payload)) + payload
