from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.sourcemaps.mappings import Mappings, Segment
from server.sourcemaps.source_map_error import SourceMapError
from tests.unit.sourcemaps.map_writer import Row, encode_mappings

SOURCES = 3
places = st.tuples(st.integers(0, 50), st.integers(0, 2**31 - 1))
origins = st.tuples(st.integers(0, SOURCES - 1), st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
rows = st.dictionaries(places, st.none() | origins, max_size=30).map(
    lambda found: [(*place, *(origin or ())) for place, origin in sorted(found.items())]
)


def to_segment(row: Row) -> Segment:
    return Segment(*row) if len(row) == 5 else Segment(row[0], row[1], Mappings.NO_SOURCE, 0, 0)


@given(rows)
def test_what_was_written_is_read(written: list[Row]) -> None:
    assert list(Mappings.decode(encode_mappings(written), SOURCES)) == [to_segment(row) for row in written]


@given(rows)
def test_every_place_that_was_written_leads_back_to_its_origin(written: list[Row]) -> None:
    decoded = Mappings.decode(encode_mappings(written), SOURCES)
    for row in written:
        assert decoded.at(row[0], row[1]) == (to_segment(row) if len(row) == 5 else None)


@given(st.text("ABCabc019+/,;*g", max_size=60))
def test_any_text_is_decoded_or_refused(text: str) -> None:
    try:
        decoded = Mappings.decode(text, SOURCES)
    except SourceMapError:
        return
    assert all(segment.source < SOURCES for segment in decoded)


def test_a_column_between_two_segments_belongs_to_the_first() -> None:
    decoded = Mappings.decode(encode_mappings([(0, 2, 0, 7, 0), (0, 9, 0, 8, 0)]), 1)
    assert decoded.at(0, 1) is None
    assert decoded.at(0, 8) == Segment(0, 2, 0, 7, 0)
    assert decoded.at(0, 99) == Segment(0, 9, 0, 8, 0)


def test_a_segment_does_not_reach_into_the_next_line() -> None:
    assert Mappings.decode(encode_mappings([(0, 0, 0, 7, 0)]), 1).at(1, 0) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("AA*A", "not in base 64"),
        ("AAAé", "not in base 64"),
        ("g", "ends too early"),
        (",", "ends too early"),
        ("AA", "has 2 fields"),
        ("AAAAAA", "has 6 fields"),
        ("ACAA", "names source 1 of 1"),
        ("ADAA", "names source -1 of 1"),
        ("D", "out of range"),
        ("AADA", "out of range"),
        ("ggggggggggggggggB", "not in base 64"),
    ],
)
def test_malformed_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(SourceMapError, match=reason):
        Mappings.decode(text, 1)


def test_segments_out_of_order_are_sorted() -> None:
    decoded = Mappings.decode("UAAA,LACA", 1)
    assert [segment.generated_column for segment in decoded] == [5, 10]
