"""The socket: what it does so that Node's inspector is fast, and what keeps others out."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable, Iterator

import pytest

from cdp_protocol.generated import debugger
from server.cdp.connection import Connection
from server.cdp.inspector_socket import InspectorSocket
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.errors import ConnectionFailedError, DeadlinePassed
from tests.fake_inspector import BOUND_S, TEXT, FakeInspector, Peer, frame_to_bytes
from tests.unit.cdp.conversation import MAX_MESSAGE_BYTES, answer_everything, conversation

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def client_calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Every `recv` and `setsockopt` of the client's socket, in order; the fake's sockets are plain ones."""
    calls: list[tuple[object, ...]] = []

    def note(name: str) -> None:
        original: Callable[..., object] = getattr(socket.socket, name)

        def noted(self: socket.socket, *arguments: object) -> object:
            if type(self) is not socket.socket:
                calls.append((name, *arguments))
            return original(self, *arguments)

        monkeypatch.setattr(socket.socket, name, noted)

    note("recv")
    note("setsockopt")
    return calls


@pytest.mark.skipif(not hasattr(socket, "TCP_QUICKACK"), reason="only Linux has TCP_QUICKACK")
def test_quick_acknowledgement_is_armed_before_every_single_read(client_calls: list[tuple[object, ...]]) -> None:
    with conversation(answer_everything) as talk:
        for _ in range(5):
            talk.connection.send(debugger.Resume())
    arm = ("setsockopt", socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
    reads = [index for index, call in enumerate(client_calls) if call[0] == "recv"]
    assert len(reads) >= 5
    assert [client_calls[index - 1] for index in reads] == [arm] * len(reads)


def test_messages_that_arrive_together_are_read_together_and_come_one_by_one(
    client_calls: list[tuple[object, ...]],
) -> None:
    methods = [f"Some.event{number}" for number in range(400)]

    def send_all_at_once(peer: Peer) -> None:
        peer.send_bytes(b"".join(frame_to_bytes(TEXT, json.dumps({"method": one}).encode()) for one in methods))
        peer.read_to_end()

    with conversation(send_all_at_once) as talk:
        assert [talk.next_payload()["method"] for _ in methods] == methods
    assert len([call for call in client_calls if call[0] == "recv"]) < len(methods)


def test_small_commands_leave_at_once(client_calls: list[tuple[object, ...]]) -> None:
    with conversation():
        pass
    assert ("setsockopt", socket.IPPROTO_TCP, socket.TCP_NODELAY, 1) in client_calls


def test_proxies_of_the_environment_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeInspector() as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
            monkeypatch.setenv(name.upper(), f"http://127.0.0.1:{proxy.port}")
        # Without this, the loopback addresses would be excepted.
        monkeypatch.setenv("no_proxy", "example.invalid")
        monkeypatch.setenv("NO_PROXY", "example.invalid")
        with conversation(answer_everything) as talk:
            talk.connection.send(debugger.Resume())
    assert proxy.handshake is None


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def test_port_on_which_nobody_listens_is_told_as_such() -> None:
    with pytest.raises(ConnectionFailedError, match=r"cannot be reached: .*refused"):
        InspectorSocket.connect(f"ws://127.0.0.1:{free_port()}/x", Deadline.after(BOUND_S), MAX_MESSAGE_BYTES)


@pytest.mark.parametrize("url", ["ws://127.0.0.1:99999/x", "ws://[::1/x"])
def test_url_that_leads_nowhere_is_told_as_such(url: str) -> None:
    with pytest.raises(ConnectionFailedError, match="cannot be reached"):
        InspectorSocket.connect(url, Deadline.after(BOUND_S), MAX_MESSAGE_BYTES)


def test_every_address_of_a_host_name_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for `localhost`: IPv6 first, where the inspector does not listen or the kernel has no such thing."""
    with FakeInspector(answer_everything) as inspector:

        def resolve(*_: object, **__: object) -> list[tuple[object, ...]]:
            return [
                (-1, socket.SOCK_STREAM, 6, "", ("::1", inspector.port)),
                (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", free_port())),
                (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", inspector.port)),
            ]

        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        inbox = Inbox(Deadline.after(BOUND_S))
        connection = Connection.open(f"ws://localhost:{inspector.port}/x", inbox, MAX_MESSAGE_BYTES, "test")
        connection.send(debugger.Resume())
        connection.close()


@contextlib.contextmanager
def listener_that_takes_no_more() -> Iterator[int]:
    """A port whose queue is full: the kernel leaves the next one to wait."""
    with contextlib.ExitStack() as sockets:
        listener = sockets.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(3):
            waiting = sockets.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


def test_deadline_ends_a_connection_attempt_that_nobody_takes() -> None:
    with listener_that_takes_no_more() as port, pytest.raises(DeadlinePassed):
        InspectorSocket.connect(f"ws://127.0.0.1:{port}/x", Deadline.after(0.1), MAX_MESSAGE_BYTES)


def test_deadline_that_has_passed_connects_nowhere() -> None:
    with listener_that_takes_no_more() as port, pytest.raises(DeadlinePassed):
        InspectorSocket.connect(f"ws://127.0.0.1:{port}/x", Deadline.after(-1), MAX_MESSAGE_BYTES)
