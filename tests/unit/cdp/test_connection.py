"""The connection, against an inspector that does what it likes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

import pytest

from cdp_protocol.generated import debugger, runtime
from server.cdp.connection import Connection
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.errors import CancelRequested, ConnectionFailedError, DeadlinePassed, DisconnectedError, ProtocolError
from tests.fake_inspector import (
    BINARY,
    BOUND_S,
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    Behaviour,
    ClientGoneError,
    FakeInspector,
    Handshake,
    Peer,
    frame_to_bytes,
)
from tests.unit.cdp.conversation import MAX_MESSAGE_BYTES, Conversation, answer_everything, conversation

pytestmark = pytest.mark.usefixtures("nothing_left")

SOON_S = 0.2
"""A deadline that a test means to pass."""


# --- commands and answers -------------------------------------------------------------------------------------


def test_answer_settles_the_command_with_its_id_whatever_the_order() -> None:
    def answer_backwards(peer: Peer) -> None:
        for command in reversed([peer.read_command() for _ in range(3)]):
            peer.answer(command, {"result": {"type": "string", "value": command["params"]["expression"]}})

    with conversation(answer_backwards) as talk:
        calls = [talk.connection.post(runtime.Evaluate(expression=text)) for text in ("a", "b", "c")]
        assert [talk.connection.wait(call).result.value for call in calls] == ["a", "b", "c"]


def test_answer_that_comes_late_still_settles_its_command() -> None:
    may_answer = threading.Event()

    def answer_late(peer: Peer) -> None:
        command = peer.read_command()
        peer.emit("Debugger.resumed")
        assert may_answer.wait(BOUND_S)
        peer.answer(command)

    with conversation(answer_late) as talk:
        call = talk.connection.post(debugger.Resume())
        assert talk.next_payload()["method"] == "Debugger.resumed"
        assert not call.settled
        may_answer.set()
        talk.connection.wait(call)


def test_events_that_come_before_an_answer_keep_their_order() -> None:
    def answer_between_events(peer: Peer) -> None:
        command = peer.read_command()
        peer.emit("Debugger.paused", {"n": 1})
        peer.emit("Debugger.paused", {"n": 2})
        peer.answer(command)
        peer.emit("Debugger.paused", {"n": 3})

    with conversation(answer_between_events) as talk:
        talk.connection.send(debugger.Resume())
        assert [talk.next_payload()["params"]["n"] for _ in range(3)] == [1, 2, 3]


def test_refused_command_raises_an_error_that_names_it() -> None:
    def refuse(peer: Peer) -> None:
        peer.send_json({"id": peer.read_command()["id"], "error": {"code": -32000, "message": "Can only step"}})

    with conversation(refuse) as talk, pytest.raises(ProtocolError, match="Can only step") as refused:
        talk.connection.send(debugger.Resume())
    assert (refused.value.method, refused.value.wire_code) == ("Debugger.resume", -32000)


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [("boom", 0, "boom"), ({}, 0, ""), ({"code": "x", "message": 5}, 0, "5"), (None, 0, "None")],
)
def test_refusal_in_an_odd_form_is_a_refusal(error: object, code: int, text: str) -> None:
    def refuse_oddly(peer: Peer) -> None:
        peer.send_json({"id": peer.read_command()["id"], "error": error})

    with conversation(refuse_oddly) as talk, pytest.raises(ProtocolError) as refused:
        talk.connection.send(debugger.Resume())
    assert (refused.value.wire_code, refused.value.wire_message) == (code, text)


def test_answer_that_is_dropped_ends_the_wait_at_the_deadline() -> None:
    with conversation() as talk, pytest.raises(DeadlinePassed):
        talk.connection.send(debugger.Resume(), until=Deadline.after(SOON_S))


def test_duplicated_answer_is_nobodys_and_changes_nothing() -> None:
    def answer_twice(peer: Peer) -> None:
        first = peer.read_command()
        peer.answer(first, {"result": {"type": "number", "value": 1}})
        peer.answer(first, {"result": {"type": "number", "value": 2}})
        peer.answer(peer.read_command(), {"result": {"type": "number", "value": 3}})

    with conversation(answer_twice) as talk:
        first = talk.connection.post(runtime.Evaluate(expression="1"))
        second = talk.connection.post(runtime.Evaluate(expression="3"))
        assert talk.connection.wait(second).result.value == 3
        assert talk.connection.wait(first).result.value == 1


@pytest.mark.parametrize("call_id", [99, -1, 0, None, True, 1.0, "1", [], {}])
def test_answer_with_an_id_that_was_never_given_settles_nothing(call_id: object) -> None:
    def answer_somebody_else(peer: Peer) -> None:
        command = peer.read_command()
        assert command["id"] == 1
        peer.send_json({"id": call_id, "result": {"result": {"type": "string", "value": "wrong"}}})
        peer.answer(command, {"result": {"type": "string", "value": "right"}})

    with conversation(answer_somebody_else) as talk:
        assert talk.connection.send(runtime.Evaluate(expression="1")).result.value == "right"


def test_answer_without_a_result_reads_as_an_empty_one() -> None:
    def answer_with_nothing(peer: Peer) -> None:
        peer.send_json({"id": peer.read_command()["id"]})
        peer.send_json({"id": peer.read_command()["id"], "result": [1]})

    with conversation(answer_with_nothing) as talk:
        talk.connection.send(debugger.Resume())
        talk.connection.send(debugger.Resume())


# --- what we send ---------------------------------------------------------------------------------------------


def test_every_command_is_one_masked_unfragmented_text_frame() -> None:
    with conversation(answer_everything) as talk:
        for length in (1, 200, 100_000):
            talk.connection.send(runtime.Evaluate(expression="x" * length))
    assert [(f.opcode, f.is_final, f.is_masked) for f in talk.inspector.frames] == [(TEXT, True, True)] * 3
    assert [len(c["params"]["expression"]) for c in talk.inspector.commands()] == [1, 200, 100_000]


def test_absent_optionals_are_absent_and_never_null() -> None:
    with conversation(answer_everything) as talk:
        talk.connection.send(runtime.Evaluate(expression="1", silent=None, return_by_value=True))
        talk.connection.send(debugger.Resume())
    assert [c["params"] for c in talk.inspector.commands()] == [{"expression": "1", "returnByValue": True}, {}]


def test_no_pong_answers_a_ping_and_no_ping_is_ever_sent() -> None:
    def ping(peer: Peer) -> None:
        peer.send_frame(PING, b"are you there")
        peer.send_frame(PONG, b"unasked")
        peer.emit("Debugger.resumed")
        peer.answer(peer.read_command())

    with conversation(ping) as talk:
        assert talk.next_payload()["method"] == "Debugger.resumed"
        talk.connection.send(debugger.Resume())
    assert [frame.opcode for frame in talk.inspector.frames] == [TEXT]


def test_reader_sends_nothing_in_answer_to_a_close_frame() -> None:
    def close_politely(peer: Peer) -> None:
        peer.send_frame(CLOSE, b"\x03\xe8")

    with conversation(close_politely) as talk:
        assert talk.reason_of_end() == "the debugger closed the connection"
    assert talk.inspector.frames == []


def test_request_for_the_websocket_names_no_origin() -> None:
    with conversation() as talk:
        pass
    assert talk.inspector.handshake is not None
    assert talk.inspector.handshake.request_line == "GET /fake HTTP/1.1"
    assert talk.inspector.handshake.headers["host"] == f"127.0.0.1:{talk.inspector.port}"
    assert "origin" not in talk.inspector.handshake.headers


# --- what we receive ------------------------------------------------------------------------------------------


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


def test_message_of_exactly_the_size_bound_is_read() -> None:
    limit = 70_000

    def send_largest(peer: Peer) -> None:
        empty = json.dumps({"method": "Debugger.paused", "params": {"text": ""}})
        peer.emit(
            "Debugger.paused", {"text": "x" * (limit - len(empty) - len(frame_to_bytes(TEXT, bytes(limit))[limit:]))}
        )

    with conversation(send_largest, max_message_bytes=limit) as talk:
        assert talk.next_payload()["method"] == "Debugger.paused"


# --- the end --------------------------------------------------------------------------------------------------


def half_a_frame(peer: Peer) -> None:
    peer.send_bytes(frame_to_bytes(TEXT, b'{"id": 1, "result": {}}')[:-3])


def close_mid_message(peer: Peer) -> None:
    half_a_frame(peer)
    peer.tcp.close()


def close_between_fragments(peer: Peer) -> None:
    peer.send_frame(TEXT, b'{"id": 1,', is_final=False)
    peer.tcp.close()


def close_without_a_close_frame(peer: Peer) -> None:
    peer.tcp.close()


def close_with_a_close_frame(peer: Peer) -> None:
    peer.send_frame(CLOSE, b"\x03\xe8bye")


def send_more_than_allowed(peer: Peer) -> None:
    peer.send_frame(TEXT, b"x" * (MAX_MESSAGE_BYTES + 1))


def send_more_than_allowed_in_fragments(peer: Peer) -> None:
    peer.send_frame(TEXT, b"x", is_final=False)
    while True:
        peer.send_frame(CONTINUATION, b"x" * 10_000, is_final=False)


def claim_an_absurd_length(peer: Peer) -> None:
    peer.send_bytes(b"\x81\x7f" + b"\x7f" * 8)
    while True:
        peer.send_bytes(bytes(65536))


def send_a_frame_with_reserved_bits(peer: Peer) -> None:
    peer.send_bytes(b"\xf1\x00")


def send_a_frame_of_no_known_kind(peer: Peer) -> None:
    peer.send_bytes(b"\x85\x00")


def continue_nothing(peer: Peer) -> None:
    peer.send_frame(CONTINUATION, b"{}")


def send_an_oversized_ping(peer: Peer) -> None:
    peer.send_frame(PING, bytes(126))


ENDS: dict[Behaviour, str] = {
    close_mid_message: "Connection to remote host was lost.",
    close_between_fragments: "Connection to remote host was lost.",
    close_without_a_close_frame: "Connection to remote host was lost.",
    close_with_a_close_frame: "the debugger closed the connection",
    send_more_than_allowed: f"a message is larger than {MAX_MESSAGE_BYTES} bytes",
    send_more_than_allowed_in_fragments: f"a message is larger than {MAX_MESSAGE_BYTES} bytes",
    claim_an_absurd_length: f"a message is larger than {MAX_MESSAGE_BYTES} bytes",
    Peer.reset: "Connection reset by peer",
    send_a_frame_with_reserved_bits: "rsv is not implemented, yet",
    send_a_frame_of_no_known_kind: "Invalid opcode",
    continue_nothing: "Illegal frame",
    send_an_oversized_ping: "Ping message is too long",
}


@pytest.mark.parametrize(("end", "reason"), ENDS.items(), ids=[end.__name__ for end in ENDS])
def test_every_open_call_fails_by_its_name_when_the_connection_ends(end: Behaviour, reason: str) -> None:
    def take_two_and_end(peer: Peer) -> None:
        peer.read_command()
        peer.read_command()
        end(peer)

    with conversation(take_two_and_end) as talk:
        resume = talk.connection.post(debugger.Resume())
        evaluate = talk.connection.post(runtime.Evaluate(expression="1"))
        with pytest.raises(DisconnectedError) as first:
            talk.connection.wait(resume)
        with pytest.raises(DisconnectedError) as second:
            talk.connection.wait(evaluate)
        assert talk.connection.closed
    assert [first.value.method, second.value.method] == ["Debugger.resume", "Runtime.evaluate"]
    assert reason in first.value.reason
    assert first.value.reason == second.value.reason


def test_end_is_told_once_and_after_everything_that_came_before_it() -> None:
    def speak_and_leave(peer: Peer) -> None:
        peer.emit("Debugger.resumed")
        peer.tcp.close()

    with conversation(speak_and_leave) as talk:
        assert talk.next_payload() == {"method": "Debugger.resumed", "params": {}}
        talk.reason_of_end()
        talk.connection.close()
        assert list(talk.inbox.drain()) == []


def test_command_after_the_end_fails_at_once_with_the_reason_of_the_end() -> None:
    with conversation(close_without_a_close_frame) as talk:
        reason = talk.reason_of_end()
        call = talk.connection.post(debugger.Resume())
        assert call.settled
        with pytest.raises(DisconnectedError, match=r"Debugger\.resume was not answered") as failed:
            call.result()
        assert failed.value.reason == reason


def test_command_that_cannot_be_sent_fails_with_every_open_call() -> None:
    def leave(peer: Peer) -> None:
        peer.read_command()
        peer.reset()

    with conversation(leave) as talk:
        first = talk.connection.post(debugger.Resume())
        reader_end = talk.inbox.next()  # the owner does not look at it yet
        second = talk.connection.post(debugger.Resume())
        assert first.settled
        assert second.settled
        with pytest.raises(DisconnectedError, match="sending failed"):
            second.result()
        talk.connection.settle(reader_end)


def test_peer_that_stops_reading_holds_nobody_past_the_deadline() -> None:
    may_end = threading.Event()

    def never_read(_: Peer) -> None:
        assert may_end.wait(BOUND_S)

    with conversation(never_read, deadline_s=SOON_S * 2) as talk:
        call = talk.connection.post(runtime.Evaluate(expression="x" * (32 << 20)))
        assert call.settled
        with pytest.raises(DisconnectedError, match="takes no more data"):
            call.result()
        may_end.set()
    assert talk.connection.closed


@pytest.mark.parametrize("behave", [half_a_frame, lambda _: None], ids=["in the middle of a frame", "between frames"])
def test_close_wakes_the_blocked_reader_and_joins_it(behave: Behaviour) -> None:
    with conversation(behave) as talk:
        call = talk.connection.post(debugger.Resume())
        talk.connection.close()
        assert [thread.name for thread in threading.enumerate() if thread.name.startswith("reader")] == []
        with pytest.raises(DisconnectedError, match="the connection was closed"):
            call.result()


def test_close_twice_is_the_same_as_once() -> None:
    with conversation() as talk:
        talk.connection.close()
        talk.connection.close()
        with pytest.raises(DisconnectedError):
            talk.connection.send(debugger.Resume())


def test_cancellation_ends_a_wait_for_an_answer() -> None:
    with conversation() as talk:
        call = talk.connection.post(debugger.Resume())
        talk.inbox.cancel()
        with pytest.raises(CancelRequested):
            talk.connection.wait(call)


# --- who may do what ------------------------------------------------------------------------------------------


OWNERS_METHODS: dict[str, Callable[[Conversation], object]] = {
    "post": lambda talk: talk.connection.post(debugger.Resume()),
    "send": lambda talk: talk.connection.send(debugger.Resume()),
    "settle": lambda talk: talk.connection.settle(object()),
    "close": lambda talk: talk.connection.close(),
    "wait": lambda talk: talk.connection.wait(talk.connection.post(debugger.Resume())),
    "next": lambda talk: talk.inbox.next(),
}


@pytest.mark.parametrize("use", OWNERS_METHODS.values(), ids=OWNERS_METHODS)
def test_second_thread_fails_loudly_where_only_the_owner_may_go(use: Callable[[Conversation], object]) -> None:
    failures: list[str] = []

    def intrude(talk: Conversation) -> None:
        try:
            use(talk)
        except AssertionError as error:
            failures.append(str(error))

    with conversation(answer_everything) as talk:
        intruder = threading.Thread(target=intrude, args=(talk,), name="intruder")
        intruder.start()
        intruder.join(BOUND_S)
        talk.connection.send(debugger.Resume())
    assert failures == [f"intruder uses what belongs to {threading.current_thread().name}"]


def test_only_the_readers_own_thread_ever_receives(monkeypatch: pytest.MonkeyPatch) -> None:
    from server.cdp.inspector_socket import InspectorSocket

    receivers: list[str] = []
    receive = InspectorSocket.receive

    def note_thread(self: InspectorSocket) -> bytes | None:
        receivers.append(threading.current_thread().name)
        return receive(self)

    monkeypatch.setattr(InspectorSocket, "receive", note_thread)
    with conversation(answer_everything) as talk:
        talk.connection.send(debugger.Resume())
    assert set(receivers) == {"reader:test"}


# --- opening --------------------------------------------------------------------------------------------------


def open_with(shake_hands: Callable[[Peer, Handshake], None], inbox: Inbox) -> None:
    with FakeInspector(shake_hands=shake_hands) as inspector:
        Connection.open(inspector.url, inbox, MAX_MESSAGE_BYTES, "test")


def hang(peer: Peer, _: Handshake) -> None:
    peer.read_to_end()


def dribble(peer: Peer, handshake: Handshake) -> None:
    """A byte now and then, of an answer that never ends: each one is progress."""
    peer.send_bytes(handshake.acceptance()[:-2] + b"X-Padding: ")
    peer.tcp.settimeout(0.01)
    while True:
        try:
            peer.tcp.recv(1)
            raise ClientGoneError
        except TimeoutError:
            peer.send_bytes(b".")


@pytest.mark.parametrize("shake_hands", [hang, dribble])
def test_deadline_ends_a_handshake_that_hangs(shake_hands: Callable[[Peer, Handshake], None]) -> None:
    with pytest.raises(DeadlinePassed):
        open_with(shake_hands, Inbox(Deadline.after(SOON_S)))


@pytest.mark.parametrize("shake_hands", [hang, dribble])
def test_cancellation_ends_a_handshake_that_hangs(shake_hands: Callable[[Peer, Handshake], None]) -> None:
    inbox = Inbox(Deadline.after(BOUND_S))

    def cancel_first(peer: Peer, handshake: Handshake) -> None:
        inbox.cancel()
        shake_hands(peer, handshake)

    with pytest.raises(CancelRequested):
        open_with(cancel_first, inbox)


def test_what_comes_during_the_handshake_is_kept_for_later() -> None:
    inbox = Inbox(Deadline.after(BOUND_S))

    def deliver_first(peer: Peer, handshake: Handshake) -> None:
        inbox.put("output of the program")
        peer.send_bytes(handshake.acceptance())

    with FakeInspector(shake_hands=deliver_first) as inspector:
        connection = Connection.open(inspector.url, inbox, MAX_MESSAGE_BYTES, "test")
        assert inbox.next() == "output of the program"
        connection.close()


def refusal(answer: bytes) -> Callable[[Peer, Handshake], None]:
    def refuse(peer: Peer, _: Handshake) -> None:
        peer.send_bytes(answer)
        peer.tcp.close()

    return refuse


def accept_another_key(peer: Peer, handshake: Handshake) -> None:
    other = Handshake(handshake.request_line, {"sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA=="})
    peer.send_bytes(other.acceptance())


def endless_headers(peer: Peer, _: Handshake) -> None:
    peer.send_bytes(b"HTTP/1.1 101 Switching Protocols\r\n")
    while True:
        peer.send_bytes(b"X-Padding: " + b"." * 1000 + b"\r\n")


BROKEN_HANDSHAKES: dict[str, tuple[Callable[[Peer, Handshake], None], str]] = {
    "refused": (refusal(b"HTTP/1.0 400 Bad Request\r\nContent-Type: text/html\r\n\r\n"), "400 Bad Request"),
    "refused with a cut body": (refusal(b"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nabc"), "lost"),
    "refused with an absurd body": (
        refusal(b"HTTP/1.1 404 Not Found\r\nContent-Length: 999999999\r\n\r\n" + b"x" * 200_000),
        "larger than",
    ),
    "no answer": (refusal(b""), "lost"),
    "a cut answer": (refusal(b"HTTP/1.1 101 Switching Protocols\r\nUpgr"), "lost"),
    "not HTTP": (refusal(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), ""),
    "not text": (refusal(b"\xff\xfe\x00\x01\r\n\r\n"), ""),
    "a status that is no number": (refusal(b"HTTP/1.1 abc OK\r\n\r\n"), ""),
    "a header without a colon": (refusal(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade\r\n\r\n"), ""),
    "not a websocket": (refusal(b"HTTP/1.1 101 Switching Protocols\r\n\r\n"), "Invalid WebSocket Header"),
    "another key": (accept_another_key, "Invalid WebSocket Header"),
    "endless headers": (endless_headers, "larger than"),
}


@pytest.mark.parametrize(("shake_hands", "reason"), BROKEN_HANDSHAKES.values(), ids=BROKEN_HANDSHAKES)
def test_broken_handshake_is_told_with_the_reason(shake_hands: Callable[[Peer, Handshake], None], reason: str) -> None:
    with pytest.raises(
        ConnectionFailedError, match=r"ws://127\.0\.0\.1:\d+/fake did not open a websocket: ."
    ) as failed:
        open_with(shake_hands, Inbox(Deadline.after(BOUND_S)))
    assert reason in str(failed.value)


def test_redirection_is_not_followed() -> None:
    with FakeInspector() as elsewhere:
        location = f"HTTP/1.1 302 Found\r\nLocation: {elsewhere.url}\r\n\r\n".encode()
        with pytest.raises(ConnectionFailedError, match="Redirect"):
            open_with(refusal(location), Inbox(Deadline.after(BOUND_S)))
    assert elsewhere.handshake is None
