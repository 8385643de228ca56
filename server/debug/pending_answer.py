"""An answer that a session owes to another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

from server.errors import CancelRequested

R = TypeVar("R")


class PendingAnswer(Generic[R]):
    """Comes from a session's owner thread, unless whoever waits for it cancels before: exactly one of both wins.

    A cancelled one stays pending until `confirm_cancel`, so that a session can tidy up before the wait ends.
    """

    def __init__(
        self, on_cancel: Callable[[PendingAnswer[R]], None], after_wait: Callable[[], None] | None = None
    ) -> None:
        self._future: Future[R] = Future()
        self._decision = threading.Lock()  # taken once and for all, by the side that decides
        self._on_cancel = on_cancel
        self._after_wait = after_wait

    # --- the side that waits ------------------------------------------------------------------------------

    def wait(self) -> R:
        """Block until the answer is there; raises `DebugError`, or `CancelRequested` after `cancel`."""
        try:
            return self._future.result()
        finally:
            if self._after_wait is not None:
                self._after_wait()

    def cancel(self) -> None:
        """Give the answer up; any thread, any time. The program is left as it is, unless it was just being started."""
        if self._decision.acquire(blocking=False):
            self._on_cancel(self)

    # --- the side that answers ----------------------------------------------------------------------------

    @property
    def is_decided(self) -> bool:
        """Whether it was answered or cancelled."""
        return self._decision.locked()

    def answer(self, value: R) -> bool:
        """End the wait with a value; False where nobody wants it any more."""
        if not self._decision.acquire(blocking=False):
            return False
        self._future.set_result(value)
        return True

    def fail(self, error: Exception) -> bool:
        """End the wait with an error; False where nobody wants it any more."""
        if not self._decision.acquire(blocking=False):
            return False
        self._future.set_exception(error)
        return True

    def confirm_cancel(self) -> None:
        """End the wait of a cancelled one."""
        self._future.set_exception(CancelRequested())
