"""However a connection ends, everybody who waits is told why."""

from __future__ import annotations

import threading

import pytest

from cdp_protocol.generated import debugger, runtime
from server.errors import CancelRequested, DisconnectedError
from tests.fake_inspector import BOUND_S, CLOSE, CONTINUATION, PING, TEXT, Behaviour, Peer, frame_to_bytes
from tests.unit.cdp.conversation import MAX_MESSAGE_BYTES, SOON_S, conversation

pytestmark = pytest.mark.usefixtures("nothing_left")


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


def test_peer_is_told_when_nobody_reads_any_more_though_the_owner_has_not_looked_yet() -> None:
    peer_was_told = threading.Event()

    def send_too_much(peer: Peer) -> None:
        send_more_than_allowed(peer)
        peer.read_to_end()
        peer_was_told.set()

    with conversation(send_too_much):
        assert peer_was_told.wait(BOUND_S)


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
        # Half a frame is out, so nothing can follow it: the reader ends as well.
        talk.inbox.extend(BOUND_S)
        talk.reason_of_end()
        may_end.set()


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
