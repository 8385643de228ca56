"""Fixed ports: our own runs take turns, somebody else's port is told at once."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from server.cdp.inspector_flag import InspectorAddress
from server.cdp.ports import PortLeases
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.errors import CancelRequested, DeadlinePassed, TargetLaunchError
from tests.fake_inspector import BOUND_S


@pytest.fixture
def inbox() -> Inbox:
    return Inbox(Deadline.after(BOUND_S))


@pytest.fixture
def free() -> InspectorAddress:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return InspectorAddress("127.0.0.1", listener.getsockname()[1])


@pytest.fixture
def taken() -> Iterator[InspectorAddress]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield InspectorAddress("127.0.0.1", listener.getsockname()[1])


def test_free_port_can_be_taken_given_back_and_taken_again(free: InspectorAddress, inbox: Inbox) -> None:
    leases = PortLeases()
    leases.take(free, inbox)
    leases.give_back(free)
    leases.give_back(free)
    leases.take(free, inbox)


def test_taken_port_stays_free_for_the_program_to_listen_on(free: InspectorAddress, inbox: Inbox) -> None:
    PortLeases().take(free, inbox)
    socket.create_server((free.host, free.port)).close()


def test_port_of_somebody_else_is_told_at_once_with_advice(taken: InspectorAddress, inbox: Inbox) -> None:
    with pytest.raises(TargetLaunchError, match=f"already in use: 127.0.0.1:{taken.port}") as refused:
        PortLeases().take(taken, inbox)
    assert "--inspect-brk=0" in str(refused.value)


def test_port_of_somebody_else_is_not_held_after_the_refusal(inbox: Inbox) -> None:
    leases = PortLeases()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = InspectorAddress("127.0.0.1", listener.getsockname()[1])
        with pytest.raises(TargetLaunchError):
            leases.take(address, inbox)
    leases.take(address, inbox)


def test_second_run_on_a_port_waits_for_the_first(free: InspectorAddress, inbox: Inbox) -> None:
    leases = PortLeases()
    leases.take(free, inbox)
    second_is_waiting, second_has_it = threading.Event(), threading.Event()

    def take_second() -> None:
        waiting_inbox = Inbox(Deadline.after(BOUND_S))
        second_is_waiting.set()
        leases.take(free, waiting_inbox)
        second_has_it.set()

    second = threading.Thread(target=take_second)
    second.start()
    assert second_is_waiting.wait(BOUND_S)
    assert not second_has_it.is_set()
    leases.give_back(free)
    assert second_has_it.wait(BOUND_S)
    second.join(BOUND_S)


def test_deadline_ends_the_wait_for_a_turn(free: InspectorAddress, inbox: Inbox) -> None:
    leases = PortLeases()
    leases.take(free, inbox)
    with pytest.raises(DeadlinePassed):
        leases.take(free, Inbox(Deadline.after(0.1)))


def test_cancellation_ends_the_wait_for_a_turn(free: InspectorAddress, inbox: Inbox) -> None:
    leases = PortLeases()
    leases.take(free, inbox)
    inbox.cancel()
    with pytest.raises(CancelRequested):
        leases.take(free, inbox)


def test_messages_that_come_while_waiting_for_a_turn_are_kept(free: InspectorAddress, inbox: Inbox) -> None:
    leases = PortLeases()
    leases.take(free, inbox)
    impatient = Inbox(Deadline.after(0.1))
    impatient.put("kept")
    with pytest.raises(DeadlinePassed):
        leases.take(free, impatient)
    assert list(impatient.drain()) == ["kept"]


def test_any_free_port_is_nobodys_to_hold(inbox: Inbox) -> None:
    leases = PortLeases()
    leases.take(InspectorAddress("127.0.0.1", 0), inbox)
    leases.take(InspectorAddress("127.0.0.1", 0), inbox)


def test_host_that_has_no_address_is_left_to_node_to_report(inbox: Inbox) -> None:
    PortLeases().take(InspectorAddress("127.0.0.999", 9229), inbox)
