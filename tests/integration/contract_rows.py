"""The rows of the contract's table for debug-script, and the mark by which a test says which one it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., None])

SOURCE_MAPS = "a source file with a source map (.ts)"
ROWS = (
    "the port",
    "command",
    "no --inspect-brk in it",
    "port in use, command not found, bad port, empty or wrong arguments",
    "the expression",
    "plain data",
    "special values",
    "the expression throws, or has a syntax error",
    "timeout or crash after hits",
    "breakpoint moved to the next line with code",
    SOURCE_MAPS,
    "very many or very large results",
    "cancelled by the client",
)


def row(words: str) -> Callable[[Test], Test]:
    """Mark a test as one that shows this row."""
    assert words in ROWS, f"the contract has no row {words!r}"

    def marked(test: Test) -> Test:
        test.__doc__ = f"Row: {words}"
        return test

    return marked
