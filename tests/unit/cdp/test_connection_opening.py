"""Opening a connection, with an inspector that hangs, refuses or says something else."""

from __future__ import annotations

import threading

import pytest

from server.cdp.connection import Connection
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.errors import CancelRequested, ConnectionFailedError, DeadlinePassed
from tests.fake_inspector import BOUND_S, FakeInspector, Handshake, Peer, ShakeHands, dribble, hang
from tests.unit.cdp.conversation import MAX_MESSAGE_BYTES, SOON_S

pytestmark = pytest.mark.usefixtures("nothing_left")


def open_with(shake_hands: ShakeHands, inbox: Inbox) -> None:
    with FakeInspector(shake_hands=shake_hands) as inspector:
        Connection.open(inspector.url, inbox, MAX_MESSAGE_BYTES, "test")


@pytest.mark.parametrize("shake_hands", [hang, dribble])
def test_deadline_ends_a_handshake_that_hangs(shake_hands: ShakeHands) -> None:
    with pytest.raises(DeadlinePassed):
        open_with(shake_hands, Inbox(Deadline.after(SOON_S)))


@pytest.mark.parametrize("shake_hands", [hang, dribble])
def test_cancellation_ends_a_handshake_that_hangs(shake_hands: ShakeHands) -> None:
    inbox = Inbox(Deadline.after(BOUND_S))

    def cancel_first(peer: Peer, handshake: Handshake) -> None:
        inbox.cancel()
        shake_hands(peer, handshake)

    with pytest.raises(CancelRequested):
        open_with(cancel_first, inbox)


def test_no_socket_is_left_when_there_is_no_thread_for_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with FakeInspector() as inspector:
        monkeypatch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError, match="can't start new thread"):
            Connection.open(inspector.url, Inbox(Deadline.after(BOUND_S)), MAX_MESSAGE_BYTES, "test")
        monkeypatch.undo()


def test_what_comes_during_the_handshake_is_kept_for_later() -> None:
    inbox = Inbox(Deadline.after(BOUND_S))

    def deliver_first(peer: Peer, handshake: Handshake) -> None:
        inbox.put("output of the program")
        peer.send_bytes(handshake.acceptance())

    with FakeInspector(shake_hands=deliver_first) as inspector:
        connection = Connection.open(inspector.url, inbox, MAX_MESSAGE_BYTES, "test")
        assert inbox.next() == "output of the program"
        connection.close()


def refusal(answer: bytes) -> ShakeHands:
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


BROKEN_HANDSHAKES: dict[str, tuple[ShakeHands, str]] = {
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
def test_broken_handshake_is_told_with_the_reason(shake_hands: ShakeHands, reason: str) -> None:
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
