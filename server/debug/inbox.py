"""The one place where an owner thread waits.

Every other thread (reader, pumps, the event loop) only puts frozen messages here, so there is one order
of what happened, and a deadline or a cancellation ends any wait of the owner, however deep in a call.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from server.debug.deadline import Deadline
from server.errors import CancelRequested, DeadlinePassed

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cancel:
    """Put in an inbox to end whatever its owner waits for."""


class Inbox:
    """A queue with one reader: the first thread that waits here is its owner from then on."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self._queue: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._set_aside: deque[object] = deque()
        self._owner: threading.Thread | None = None
        self._cancelled = False

    def put(self, message: object) -> None:
        """Deliver a message; any thread, never blocks."""
        self._queue.put(message)

    def cancel(self) -> None:
        """End the owner's current and every later wait; any thread."""
        self._queue.put(Cancel())

    def next(self, until: Deadline | None = None) -> object:
        """The next message in order; raises `DeadlinePassed` or `CancelRequested`."""
        self.assert_owned()
        if self._set_aside:
            return self._set_aside.popleft()
        return self._receive(until or self.deadline)

    def next_unseen(self, until: Deadline | None = None) -> object:
        """The next message that nobody has set aside; for a wait inside another one."""
        self.assert_owned()
        return self._receive(until or self.deadline)

    def set_aside(self, message: object) -> None:
        """Keep a message for a later `next`, behind those already kept."""
        self.assert_owned()
        self._set_aside.append(message)

    def take_now(self, kind: type[T], wanted: Callable[[T], bool] = lambda _: True) -> list[T]:
        """The wanted messages of a kind that are already there, without waiting; all others keep their order."""
        self.assert_owned()
        while not self._queue.empty():
            message = self._queue.get()
            if isinstance(message, Cancel):
                self._cancelled = True
            else:
                self._set_aside.append(message)
        taken: list[T] = []
        left: deque[object] = deque()
        for message in self._set_aside:
            if isinstance(message, kind) and wanted(message):
                taken.append(message)
            else:
                left.append(message)
        self._set_aside = left
        return taken

    def drain(self) -> Iterator[object]:
        """Every message that is already there, without waiting."""
        self.assert_owned()
        while self._set_aside:
            yield self._set_aside.popleft()
        while not self._queue.empty():
            yield self._queue.get()

    def extend(self, seconds: float) -> None:
        """Let the owner tidy up after its deadline or a cancellation, for a bounded time."""
        self.assert_owned()
        self.deadline = Deadline.after(seconds)
        self._cancelled = False

    def assert_owned(self) -> None:
        """Fail loudly when a thread other than the owner touches what only the owner may."""
        thread = threading.current_thread()
        if self._owner is None:
            self._owner = thread
        assert self._owner is thread, f"{thread.name} uses what belongs to {self._owner.name}"

    def _receive(self, until: Deadline) -> object:
        if self._cancelled:
            raise CancelRequested
        if until.passed:  # a flood of messages must not outlive the deadline
            raise DeadlinePassed
        try:
            message = self._queue.get(timeout=until.remaining_s())
        except queue.Empty:
            raise DeadlinePassed from None
        if isinstance(message, Cancel):
            self._cancelled = True
            raise CancelRequested
        return message
