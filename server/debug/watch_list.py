"""Expressions whose values are told at every stop, together with what they were at the stop before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from server.debug.session_model import Evaluation, WatchReading
from server.debug.value import Value
from server.errors import LimitExceededError

MAX_WATCHES = 20
WATCH_TIMEOUT_S = 1.0
"""How long one expression may take; the answer to a step waits for all of them."""


class WatchList:
    """What is watched, and the values at this stop and at the one before."""

    def __init__(self) -> None:
        self._expressions: tuple[str, ...] = ()
        self._before: dict[str, Value] = {}
        self._now: dict[str, Value] = {}

    def replace(self, expressions: Sequence[str]) -> None:
        """Watch these and no others; what is known of those that stay is kept."""
        wanted = tuple(dict.fromkeys(expressions))
        if len(wanted) > MAX_WATCHES:
            raise LimitExceededError(
                f"{len(wanted)} watches are too many; there may be {MAX_WATCHES}.",
                advice="Watch an object literal such as {a, b, c} to see several values at once.",
                details={"limit": MAX_WATCHES},
            )
        self._expressions = wanted

    def evaluations(self) -> tuple[Evaluation, ...]:
        """What has to be evaluated for `readings`; to look at a program must not change it."""
        return tuple(
            Evaluation(expression, allow_side_effects=False, timeout_s=WATCH_TIMEOUT_S)
            for expression in self._expressions
        )

    def begin_stop(self) -> None:
        """The values so far belong to an earlier stop from now on."""
        self._before = self._now
        self._now = {}

    def readings(self, values: Sequence[Value]) -> tuple[WatchReading, ...]:
        """Note the values of all evaluations at this stop, and compare."""
        # What is inside an earlier value cannot be looked at any more, so its handle is not kept.
        self._now = {
            expression: replace(value, handle=None) for expression, value in zip(self._expressions, values, strict=True)
        }
        return tuple(
            WatchReading(expression, new=value, old=self._before.get(expression))
            for expression, value in zip(self._expressions, values, strict=True)
        )
