"""The program that every scenario debugs, and what is asked of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("programs") / "count_to.js"
EXPRESSION = "{i, total: state.total}"
_MARK = "// @bp hit"


class WrongAnswerError(Exception):
    """A way of debugging did not bring what the program really did, so its time means nothing."""


def marked_line() -> int:
    """The 1-based line that is hit."""
    lines = FILE.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, start=1) if _MARK in line)


def command(node: str, hits: int) -> list[str]:
    """The program as it runs by itself."""
    return [node, str(FILE), str(hits)]


def check_values(values: list[Any], hits: int) -> None:
    """Raise unless these are the values of the expression at so many hits, in order."""
    expected = [{"i": i, "total": i * (i - 1) // 2} for i in range(hits)]
    if values != expected:
        raise WrongAnswerError(f"{len(values)} values for {hits} hits, beginning with {values[:3]}")
