"""Who waits for a program to stop, and until when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from server.debug.deadline import Deadline
from server.debug.pending_answer import PendingAnswer
from server.debug.session_model import StateReport


@dataclass(frozen=True, slots=True)
class Waiter:
    """One that is told of the next stop, or at its deadline that there was none."""

    pending: PendingAnswer[Any]
    deadline: Deadline
    note_when_late: str
    answer: Callable[[StateReport], bool]
    """Gives the report to the one who waits; False where nobody wants it any more."""


class Waiters:
    """All of one session. Belongs to its owner."""

    def __init__(self) -> None:
        self._waiting: list[Waiter] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, waiter: Waiter) -> None:
        """Remember one."""
        self._waiting.append(waiter)

    def withdraw(self, pending: PendingAnswer[Any]) -> None:
        """Forget the one that was cancelled, if it waits at all."""
        self._waiting = [waiter for waiter in self._waiting if waiter.pending is not pending]

    def nearest_deadline(self) -> Deadline:
        """When the first of them has to be answered; there has to be one."""
        return min((waiter.deadline for waiter in self._waiting), key=lambda deadline: deadline.at)

    def take_all(self) -> tuple[Waiter, ...]:
        """Everybody; nobody waits then."""
        taken, self._waiting = tuple(self._waiting), []
        return taken

    def take_late(self) -> tuple[Waiter, ...]:
        """Those whose time is up."""
        late = tuple(waiter for waiter in self._waiting if waiter.deadline.passed)
        self._waiting = [waiter for waiter in self._waiting if waiter not in late]
        return late
