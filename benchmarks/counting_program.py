"""The program that every scenario debugs, and what is asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("programs") / "count_to.js"
EXPRESSION = "{i, total: state.total}"
EXPRESSION_WITH_TENTHS = "i < hits - 1 ? {i, total: state.total} : [...tenths, performance.now()]"
"""The same, but for the last hit: there it is when each tenth of the hits began, and the time now, in milliseconds."""
SHALLOW = 5
"""How many functions of the program are on the stack, where nothing else is said."""
_MARK = "// @bp hit"


class WrongAnswerError(Exception):
    """A way of debugging did not bring what the program really did, so its time means nothing."""


def marked_line() -> int:
    """The 1-based line that is hit."""
    lines = FILE.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, start=1) if _MARK in line)


def command(node: str, hits: int, depth: int = SHALLOW) -> list[str]:
    """The program as it runs by itself."""
    return [node, str(FILE), str(hits), str(depth)]


def check_values(values: Sequence[Any], hits: int) -> None:
    """Raise unless these are the values of the expression at so many hits, in order."""
    check_kept_values(values, hits, kept_first=hits)


def check_kept_values(values: Sequence[Any], hits: int, kept_first: int) -> None:
    """The same where only so many of the first values were kept, and for the rest of them the last ones."""
    last_ones = range(hits - (len(values) - kept_first), hits)
    if values != [_expected_value(i) for i in (*range(kept_first), *last_ones)]:
        raise WrongAnswerError(f"{len(values)} values for {hits} hits: {values[:3]} and so on to {values[-3:]}")


def _expected_value(i: int) -> dict[str, int]:
    return {"i": i, "total": i * (i - 1) // 2}
