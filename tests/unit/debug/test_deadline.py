import time

from server.debug.deadline import Deadline


def test_a_deadline_in_the_past_has_passed_and_has_no_time_left() -> None:
    deadline = Deadline(time.monotonic() - 1)
    assert deadline.passed
    assert deadline.remaining_s() == 0.0


def test_a_deadline_in_the_future_has_not_passed_and_knows_what_is_left() -> None:
    deadline = Deadline.after(1000)
    assert not deadline.passed
    assert 0 < deadline.remaining_s() <= 1000


def test_zero_seconds_from_now_has_passed_at_once() -> None:
    assert Deadline.after(0).passed


def test_earlier_takes_the_shorter_of_the_two_times() -> None:
    now = time.monotonic()
    deadline = Deadline.after(1000)
    assert now + 10 <= deadline.earlier(10).at < deadline.at


def test_earlier_never_puts_a_deadline_off() -> None:
    deadline = Deadline.after(10)
    assert deadline.earlier(1000) == deadline
