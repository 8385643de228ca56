from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from server.sourcemaps.source_map import Place, SourceMap
from server.sourcemaps.source_map_error import SourceMapError
from tests.unit.sourcemaps.map_writer import Row, encode_mappings


def parse(content: Any, folder: str = "/app/dist") -> SourceMap:
    return SourceMap.parse(json.dumps(content), folder)


def one_source(*rows: Row) -> SourceMap:
    return parse({"version": 3, "sources": ["../src/a.ts"], "mappings": encode_mappings(rows)})


@pytest.mark.parametrize(
    ("source", "root", "file"),
    [
        ("../src/a.ts", "", "/app/src/a.ts"),
        ("a.ts", "../src", "/app/src/a.ts"),
        ("a.ts", "../src/", "/app/src/a.ts"),
        ("a.ts", "/elsewhere", "/elsewhere/a.ts"),
        ("/abs/a.ts", "../src", "/abs/a.ts"),
        ("file:///abs/a.ts", "", "/abs/a.ts"),
        ("a.ts", "file:///abs/", "/abs/a.ts"),
        ("webpack://app/./a.ts", "", None),
        (None, "", None),
        (5, "", None),
    ],
)
def test_sources_are_resolved_from_the_folder_of_the_map(source: object, root: str, file: str | None) -> None:
    assert parse({"version": 3, "sources": [source], "sourceRoot": root, "mappings": ""}).sources == (file,)


def test_a_source_is_found_by_any_spelling_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a b.ts").touch()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    linked = parse({"version": 3, "sources": ["x.ts", "../link/a%20b.ts"], "mappings": ""}, str(tmp_path / "dist"))
    assert linked.index_of({str(tmp_path / "real" / "a b.ts")}) == 1
    assert linked.index_of({str(tmp_path / "real" / "b.ts")}) is None


def test_a_line_leads_to_the_first_code_that_came_from_it() -> None:
    found = one_source((0, 4, 0, 9, 0), (1, 0, 0, 2, 4), (1, 8, 0, 2, 0), (2, 0, 0, 5, 0))
    assert found.generated_place(0, 3) == Place(2, 1)
    assert found.original_line(0, Place(2, 20)) == 3


def test_a_line_without_code_leads_to_the_next_one_that_has_some() -> None:
    found = one_source((0, 4, 0, 9, 0), (1, 0, 0, 2, 0))
    assert found.generated_place(0, 4) == Place(1, 5)
    assert found.generated_place(0, 11) is None
    assert found.lines_with_code(0) == [3, 10]


def test_sections_are_joined() -> None:
    section = {"version": 3, "sources": ["b.ts"], "mappings": encode_mappings([(0, 1, 0, 4, 0), (1, 1, 0, 6, 0)])}
    joined = parse(
        {
            "version": 3,
            "sections": [
                {"offset": {"line": 0, "column": 0}, "map": {**section, "sources": ["a.ts"]}},
                {"offset": {"line": 3, "column": 10}, "map": section},
            ],
        }
    )
    assert joined.sources == ("/app/dist/a.ts", "/app/dist/b.ts")
    assert joined.generated_place(1, 5) == Place(4, 12)
    assert joined.generated_place(1, 7) == Place(5, 2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "no JSON object"),
        ('{"sources": []}', "its version is None"),
        ('{"version": 3}', "no list of sources"),
        ('{"version": 3, "sources": [], "sourceRoot": 1}', "no list of sources"),
        ('{"version": 3, "sections": [{}]}', "sections are malformed"),
        ('{"version": 3, "sections": 5}', "sections are malformed"),
    ],
)
def test_what_is_no_map_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(SourceMapError, match=reason):
        SourceMap.parse(text, "/app")


def test_mappings_are_only_read_when_they_are_needed() -> None:
    broken = parse({"version": 3, "sources": ["a.ts"], "mappings": 5})
    assert broken.index_of({"/app/dist/a.ts"}) == 0
    with pytest.raises(SourceMapError, match="no mappings"):
        broken.lines_with_code(0)


def test_a_guard_against_being_run_as_a_script_is_passed_over() -> None:
    guarded = SourceMap.parse(')]}\'\n{"version": 3, "sources": ["a.ts"], "mappings": ""}', "/app")
    assert guarded.sources == ("/app/a.ts",)
