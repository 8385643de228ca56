"""A connection in use: commands out, answers and events in, by the one thread that may."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from cdp_protocol.generated import debugger, runtime
from server.debug.deadline import Deadline
from server.errors import DeadlinePassed, ProtocolError
from tests.fake_inspector import BOUND_S, CLOSE, PING, PONG, TEXT, Peer
from tests.unit.cdp.conversation import SOON_S, Conversation, answer_everything, conversation

pytestmark = pytest.mark.usefixtures("nothing_left")


# --- commands and answers ---------------------------------------------------------------------------------------------


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


# --- what we send -----------------------------------------------------------------------------------------------------


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


# --- who may do what --------------------------------------------------------------------------------------------------


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
