"""Writes source maps, for the tests of what reads them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
Row = tuple[int, ...]
"""Generated line and column; with a source also its number, line and column; all from 0."""


def encode_number(number: int) -> str:
    left = -number * 2 + 1 if number < 0 else number * 2
    text = ""
    while True:
        left, digit = divmod(left, 32)
        text += _ALPHABET[digit + 32 if left else digit]
        if not left:
            return text


def encode_mappings(rows: Iterable[Row]) -> str:
    """The text for rows in the order of their generated places."""
    lines: list[str] = []
    previous = (0, 0, 0)
    for line, group in groupby(rows, key=lambda row: row[0]):
        lines += [""] * (line - len(lines))
        column, pieces = 0, []
        for row in group:
            deltas = [row[1] - column]
            column = row[1]
            if len(row) > 2:
                source, source_line, source_column = row[2:]
                deltas += [source - previous[0], source_line - previous[1], source_column - previous[2]]
                previous = (source, source_line, source_column)
            pieces.append("".join(map(encode_number, deltas)))
        lines.append(",".join(pieces))
    return ";".join(lines)
