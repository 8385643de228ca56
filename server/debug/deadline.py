"""One point in time that a whole request has to keep."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on the monotonic clock. Immutable, so it can cross threads."""

    at: float

    @staticmethod
    def after(seconds: float) -> Deadline:
        """The deadline that many seconds from now."""
        return Deadline(time.monotonic() + seconds)

    def remaining_s(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - time.monotonic())

    @property
    def passed(self) -> bool:
        """Whether there is no time left."""
        return time.monotonic() >= self.at

    def earlier(self, seconds: float) -> Deadline:
        """This deadline, or the one that many seconds from now where that comes first."""
        return min(self, Deadline.after(seconds), key=lambda deadline: deadline.at)
