"""The owner's side runs on the test's own thread; other threads only put and cancel."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.errors import CancelRequested, DeadlinePassed

BOUND_S = 30.0


@pytest.fixture
def inbox() -> Inbox:
    return Inbox(Deadline.after(BOUND_S))


@contextmanager
def another_thread(work: Callable[[], None]) -> Iterator[None]:
    thread = threading.Thread(target=work, name="another")
    thread.start()
    yield
    thread.join(BOUND_S)
    assert not thread.is_alive()


def test_messages_come_in_the_order_in_which_they_were_put(inbox: Inbox) -> None:
    for number in range(5):
        inbox.put(number)
    assert [inbox.next() for _ in range(5)] == [0, 1, 2, 3, 4]


def test_a_message_of_another_thread_wakes_the_wait(inbox: Inbox) -> None:
    with another_thread(lambda: inbox.put("woken")):
        assert inbox.next() == "woken"


def test_what_was_set_aside_comes_first_and_in_its_order(inbox: Inbox) -> None:
    for number in range(4):
        inbox.put(number)
    inbox.set_aside(inbox.next_unseen())
    inbox.set_aside(inbox.next_unseen())
    assert [inbox.next() for _ in range(4)] == [0, 1, 2, 3]


def test_next_unseen_never_brings_back_what_was_set_aside(inbox: Inbox) -> None:
    inbox.set_aside("kept")
    inbox.put("new")
    assert inbox.next_unseen() == "new"
    assert inbox.next() == "kept"


def test_drain_brings_everything_that_is_there_and_does_not_wait(inbox: Inbox) -> None:
    inbox.set_aside(1)
    inbox.put(2)
    inbox.put(3)
    assert list(inbox.drain()) == [1, 2, 3]
    assert list(inbox.drain()) == []


def test_a_cancellation_from_another_thread_wakes_the_wait(inbox: Inbox) -> None:
    with another_thread(inbox.cancel), pytest.raises(CancelRequested):
        inbox.next()


def test_messages_before_a_cancellation_are_still_read(inbox: Inbox) -> None:
    inbox.put("before")
    inbox.cancel()
    inbox.put("after")
    assert inbox.next() == "before"
    with pytest.raises(CancelRequested):
        inbox.next()


def test_a_cancelled_inbox_refuses_every_later_wait(inbox: Inbox) -> None:
    inbox.cancel()
    with pytest.raises(CancelRequested):
        inbox.next()
    inbox.put("never read")
    for wait in (inbox.next, inbox.next_unseen):
        with pytest.raises(CancelRequested):
            wait()


def test_a_wait_ends_at_the_deadline_of_the_inbox() -> None:
    with pytest.raises(DeadlinePassed):
        Inbox(Deadline.after(0.01)).next()


def test_a_wait_ends_at_its_own_earlier_deadline_and_the_inbox_goes_on(inbox: Inbox) -> None:
    with pytest.raises(DeadlinePassed):
        inbox.next(Deadline.after(0.01))
    inbox.put("later")
    assert inbox.next() == "later"


def test_a_flood_of_messages_does_not_outlive_the_deadline() -> None:
    inbox = Inbox(Deadline.after(0.05))
    over = threading.Event()

    def flood() -> None:
        while not over.is_set():
            inbox.put("more")

    def read_on() -> None:
        bound = Deadline.after(5)
        while not bound.passed:
            inbox.next()

    with another_thread(flood):
        try:
            with pytest.raises(DeadlinePassed):
                read_on()
        finally:
            over.set()


def test_messages_that_wait_already_are_not_read_after_the_deadline() -> None:
    inbox = Inbox(Deadline.after(0))
    inbox.put("too late")
    with pytest.raises(DeadlinePassed):
        inbox.next()


def test_more_time_lets_an_owner_tidy_up_after_its_deadline() -> None:
    inbox = Inbox(Deadline.after(0))
    with pytest.raises(DeadlinePassed):
        inbox.next()
    inbox.put("tidied")
    inbox.extend(BOUND_S)
    assert inbox.next() == "tidied"


def test_more_time_lets_an_owner_tidy_up_after_a_cancellation(inbox: Inbox) -> None:
    inbox.cancel()
    inbox.put("tidied")
    with pytest.raises(CancelRequested):
        inbox.next()
    inbox.extend(BOUND_S)
    assert inbox.next() == "tidied"


def test_only_the_first_thread_that_waited_may_wait_again(inbox: Inbox) -> None:
    inbox.put(1)
    inbox.next()
    refusals: list[str] = []

    def intrude() -> None:
        for forbidden in (inbox.next, inbox.next_unseen, lambda: list(inbox.drain()), lambda: inbox.set_aside(1)):
            try:
                forbidden()
            except AssertionError as error:
                refusals.append(str(error))

    with another_thread(intrude):
        pass
    assert refusals == [f"another uses what belongs to {threading.current_thread().name}"] * 4


def test_putting_and_cancelling_do_not_make_a_thread_the_owner(inbox: Inbox) -> None:
    with another_thread(lambda: inbox.put(1)):
        pass
    assert inbox.next() == 1
    with another_thread(inbox.cancel), pytest.raises(CancelRequested):
        inbox.next()


def test_messages_of_a_kind_are_taken_out_of_turn_and_the_others_keep_their_order(inbox: Inbox) -> None:
    for message in ("a", 1, "b", 2):
        inbox.put(message)
    inbox.set_aside("kept")
    assert inbox.take_now(int) == [1, 2]
    assert [inbox.next() for _ in range(3)] == ["kept", "a", "b"]


def test_cancellation_that_is_met_on_the_way_is_not_lost(inbox: Inbox) -> None:
    inbox.cancel()
    inbox.put(1)
    assert inbox.take_now(int) == [1]
    with pytest.raises(CancelRequested):
        inbox.next()
