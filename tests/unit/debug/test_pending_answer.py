from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from server.debug.pending_answer import PendingAnswer
from server.errors import CancelRequested, ProgramGoneError


def pending(on_cancel: Callable[[PendingAnswer[int]], None] = PendingAnswer.confirm_cancel) -> PendingAnswer[int]:
    return PendingAnswer(on_cancel)


def test_the_answer_comes_to_the_thread_that_waits() -> None:
    owed = pending()
    answering = threading.Thread(target=owed.answer, args=(42,))
    answering.start()
    assert owed.wait() == 42
    answering.join()


def test_an_error_is_raised_where_it_is_waited_for() -> None:
    owed = pending()
    assert owed.fail(ProgramGoneError("gone"))
    with pytest.raises(ProgramGoneError, match="gone"):
        owed.wait()


def test_a_cancelled_one_takes_no_answer() -> None:
    owed = pending()
    owed.cancel()
    assert not owed.answer(42)
    assert not owed.fail(ProgramGoneError("gone"))
    with pytest.raises(CancelRequested):
        owed.wait()


def test_an_answered_one_takes_no_notice_of_a_cancellation() -> None:
    cancelled: list[PendingAnswer[int]] = []
    owed = pending(cancelled.append)
    assert owed.answer(42)
    owed.cancel()
    assert cancelled == []
    assert owed.wait() == 42


def test_a_cancellation_is_passed_on_once() -> None:
    cancelled: list[PendingAnswer[int]] = []
    owed = pending(cancelled.append)
    owed.cancel()
    owed.cancel()
    assert cancelled == [owed]
    assert owed.is_decided


def test_what_follows_the_wait_is_done_in_the_end_of_it() -> None:
    done: list[str] = []
    owed: PendingAnswer[int] = PendingAnswer(PendingAnswer.confirm_cancel, lambda: done.append("joined"))
    owed.fail(ProgramGoneError("gone"))
    assert done == []
    with pytest.raises(ProgramGoneError):
        owed.wait()
    assert done == ["joined"]
