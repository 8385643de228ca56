"""Whatever an inspector sends, a connection reads what can be read."""

from __future__ import annotations

import json

import pytest

from cdp_protocol.generated import debugger, runtime
from tests.fake_inspector import BINARY, CONTINUATION, PING, TEXT, Behaviour, Peer, frame_to_bytes
from tests.unit.cdp.conversation import conversation

pytestmark = pytest.mark.usefixtures("nothing_left")


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"not JSON",
        b'{"id": 1, "result": {',
        b"[1, 2]",
        b'"text"',
        b"null",
        b'{"method": 5, "params": {}}',
        b'{"method": "Debugger.paused", "params": [1]}',
        b"\xff\xfe\x00",
        nested(200_000),
    ],
    ids=lambda garbage: repr(garbage[:20]),
)
@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_garbage_is_passed_over_and_the_next_message_read(garbage: bytes, opcode: int) -> None:
    def send_garbage(peer: Peer) -> None:
        peer.send_frame(opcode, garbage)
        peer.answer(peer.read_command())

    with conversation(send_garbage) as talk:
        talk.connection.send(debugger.Resume())


def test_binary_frame_is_read_like_text() -> None:
    def answer_in_binary(peer: Peer) -> None:
        peer.send_frame(BINARY, json.dumps({"id": peer.read_command()["id"], "result": {}}).encode())

    with conversation(answer_in_binary) as talk:
        talk.connection.send(debugger.Resume())


def test_fragmented_message_is_put_together() -> None:
    def answer_in_pieces(peer: Peer) -> None:
        text = json.dumps({"id": peer.read_command()["id"], "result": {"result": {"type": "string", "value": "é"}}})
        data = text.encode()
        peer.send_frame(TEXT, data[:5], is_final=False)
        peer.send_frame(PING, b"in between")
        for byte in data[5:-1]:
            peer.send_frame(CONTINUATION, bytes([byte]), is_final=False)
        peer.send_frame(CONTINUATION, data[-1:])

    with conversation(answer_in_pieces) as talk:
        assert talk.connection.send(runtime.Evaluate(expression="1")).result.value == "é"


def test_message_whose_frame_dribbles_in_is_whole() -> None:
    def answer_byte_by_byte(peer: Peer) -> None:
        data = json.dumps({"id": peer.read_command()["id"], "result": {}}).encode()
        for byte in frame_to_bytes(TEXT, data):
            peer.send_bytes(bytes([byte]))

    with conversation(answer_byte_by_byte) as talk:
        talk.connection.send(debugger.Resume())


@pytest.mark.parametrize(
    ("on_the_wire", "value"),
    [
        (b'"a\\ud800b"', "a\ud800b"),  # as V8 escapes half of a pair
        (b'"a\xed\xa0\x80b"', "a\ufffd\ufffd\ufffdb"),  # the same, encoded as if it were a character
        (b'"a\xffb"', "a\ufffdb"),
    ],
)
def test_text_that_is_not_utf8_gets_through(on_the_wire: bytes, value: str) -> None:
    def answer_with_it(peer: Peer) -> None:
        call_id = str(peer.read_command()["id"]).encode()
        peer.send_frame(TEXT, b'{"id":%s,"result":{"result":{"type":"string","value":%s}}}' % (call_id, on_the_wire))

    with conversation(answer_with_it) as talk:
        assert talk.connection.send(runtime.Evaluate(expression="1")).result.value == value


LIMIT = 70_000


def send_message_of(size: int) -> Behaviour:
    """A message that takes exactly so many bytes on the wire."""

    def send(peer: Peer) -> None:
        frame_without_text = frame_to_bytes(TEXT, bytes(size))[:-size] + b'{"method": "Debugger.paused", "text": ""}'
        payload = json.dumps({"method": "Debugger.paused", "text": "x" * (size - len(frame_without_text))})
        assert len(frame_to_bytes(TEXT, payload.encode())) == size
        peer.send_frame(TEXT, payload.encode())

    return send


def test_message_of_exactly_the_size_bound_is_read() -> None:
    with conversation(send_message_of(LIMIT), max_message_bytes=LIMIT) as talk:
        assert talk.next_payload()["method"] == "Debugger.paused"


def test_message_of_one_byte_more_than_the_size_bound_ends_the_connection() -> None:
    with conversation(send_message_of(LIMIT + 1), max_message_bytes=LIMIT) as talk:
        assert talk.reason_of_end() == f"a message is larger than {LIMIT} bytes"
