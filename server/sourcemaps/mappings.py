"""The `mappings` of a source map: text in base 64, decoded into columns of numbers."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from server.sourcemaps.source_map_error import SourceMapError

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_DIGITS = {byte: value for value, byte in enumerate(_ALPHABET)}
_CONTINUES, _PAYLOAD, _PAYLOAD_BITS = 0b100000, 0b011111, 5
_LARGEST = 2**31 - 1
_MOST_SHIFT = 30  # a number of 31 bits and its sign
_FIELDS_WITH_A_SOURCE = (4, 5)


class Segment(NamedTuple):
    """One mapping. Lines and columns are counted from 0 here, as in the text."""

    generated_line: int
    generated_column: int
    source: int
    line: int
    column: int


class Mappings:
    """Segments in the order of the generated code. Those without a source end the one before them."""

    NO_SOURCE = -1

    def __init__(self) -> None:
        # Arrays take a tenth of the memory of tuples, and a bundle has a million segments.
        self._generated = array("q")
        self._source = array("i")
        self._line = array("i")
        self._column = array("i")

    @staticmethod
    def decode(text: str, source_count: int) -> Mappings:
        """Decode the whole text, or raise `SourceMapError`."""
        decoded = Mappings()
        decoded._decode(text, source_count)
        return decoded

    def extend(self, other: Mappings, line: int, column: int, first_source: int) -> None:
        """Append the mappings of a section, whose generated code begins at this place."""
        for segment in other:
            shift = column if segment.generated_line == 0 else 0
            source = segment.source if segment.source == self.NO_SOURCE else segment.source + first_source
            self._append(
                segment.generated_line + line, segment.generated_column + shift, source, segment.line, segment.column
            )

    def __iter__(self) -> Iterator[Segment]:
        for index in range(len(self._generated)):
            yield self._segment(index)

    def of_source(self, source: int) -> Iterator[Segment]:
        """The segments that come from one source, in the order of the generated code."""
        for index, found in enumerate(self._source):
            if found == source:
                yield self._segment(index)

    def at(self, generated_line: int, generated_column: int) -> Segment | None:
        """The segment that covers a place of the generated code; None where nobody wrote that code."""
        index = bisect_right(self._generated, _place(generated_line, generated_column)) - 1
        if index < 0:
            return None
        segment = self._segment(index)
        if segment.generated_line != generated_line or segment.source == self.NO_SOURCE:
            return None
        return segment

    def _segment(self, index: int) -> Segment:
        place = self._generated[index]
        return Segment(place >> 32, place & 0xFFFFFFFF, self._source[index], self._line[index], self._column[index])

    def _append(self, generated_line: int, generated_column: int, source: int, line: int, column: int) -> None:
        self._generated.append(_place(generated_line, generated_column))
        self._source.append(source)
        self._line.append(line)
        self._column.append(column)

    def _decode(self, text: str, source_count: int) -> None:
        source = line = column = 0
        for generated_line, group in enumerate(text.split(";")):
            generated_column = 0
            rows: list[tuple[int, int, int, int]] = []
            for piece in group.split(",") if group else ():
                fields = _decode_numbers(piece)
                generated_column += fields[0]
                if len(fields) == 1:
                    rows.append((generated_column, self.NO_SOURCE, 0, 0))
                    continue
                if len(fields) not in _FIELDS_WITH_A_SOURCE:
                    raise SourceMapError(f"a mapping has {len(fields)} fields: {piece!r}")
                source, line, column = source + fields[1], line + fields[2], column + fields[3]
                if not 0 <= source < source_count:
                    raise SourceMapError(f"a mapping names source {source} of {source_count}")
                rows.append((generated_column, source, line, column))
            self._append_line(generated_line, rows)

    def _append_line(self, generated_line: int, rows: list[tuple[int, int, int, int]]) -> None:
        for row in sorted(rows):  # most writers sort them already; look-ups rely on it
            if min(row[0], row[2], row[3]) < 0 or max(row) > _LARGEST:
                raise SourceMapError(f"a mapping in line {generated_line + 1} is out of range")
            self._append(generated_line, *row)


def _place(line: int, column: int) -> int:
    return line << 32 | column


def _decode_numbers(piece: str) -> list[int]:
    """Variable-length numbers, the sign in the lowest bit."""
    numbers: list[int] = []
    value = shift = 0
    for byte in piece.encode("ascii", "replace"):
        digit = _DIGITS.get(byte)
        if digit is None or shift > _MOST_SHIFT:
            raise SourceMapError(f"a mapping is not in base 64: {piece[:40]!r}")
        value |= (digit & _PAYLOAD) << shift
        if digit & _CONTINUES:
            shift += _PAYLOAD_BITS
            continue
        numbers.append(-(value >> 1) if value & 1 else value >> 1)
        value = shift = 0
    if shift or not numbers:
        raise SourceMapError(f"a mapping ends too early: {piece[:40]!r}")
    return numbers
