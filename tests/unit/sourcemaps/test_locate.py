from __future__ import annotations

import base64
from pathlib import Path
from urllib.parse import quote

import pytest

from server.sourcemaps.locate import load_source_map
from server.sourcemaps.source_map_error import SourceMapError

TEXT = '{"version": 3, "sources": ["é.ts"], "mappings": ""}'
BASE_64 = base64.b64encode(TEXT.encode()).decode()


@pytest.mark.parametrize(
    "url",
    [
        f"data:application/json;base64,{BASE_64}",
        f"data:application/json;charset=utf-8;base64,{BASE_64}",
        f"data:application/json;base64,{quote(BASE_64, safe='')}",
        f"data:application/json;charset=utf-8,{quote(TEXT)}",
    ],
)
def test_a_map_inside_the_script_is_read(url: str) -> None:
    assert load_source_map("/app/dist/a.js", url).sources == ("/app/dist/é.ts",)


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("a.js.map", "a.js.map"),
        ("a.js.map", "./a.js.map?v=2"),
        ("maps/a.js.map", "maps/a.js.map"),
        ("a b.map", "a%20b.map"),
        ("a%20b.map", "a%20b.map"),
    ],
)
def test_a_map_in_a_file_is_found_beside_the_script(tmp_path: Path, name: str, url: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(TEXT, "utf-8")
    found = load_source_map(str(tmp_path / "a.js"), url)
    assert found.sources == (str((tmp_path / name).parent / "é.ts"),)


def test_a_map_is_found_by_its_file_url(tmp_path: Path) -> None:
    (tmp_path / "a.map").write_text(TEXT, "utf-8")
    assert load_source_map("/elsewhere/a.js", (tmp_path / "a.map").as_uri()).sources == (str(tmp_path / "é.ts"),)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("data:application/json", "has no content"),
        ("data:application/json;base64,A", "cannot be decoded"),
        ("data:application/json;base64,/w==", "cannot be decoded"),
        ("https://cdn.example/a.js.map", "not on this machine"),
        ("missing.map", "cannot be read"),
        (".", "cannot be read"),
    ],
)
def test_a_map_that_cannot_be_had_is_refused_with_the_reason(tmp_path: Path, url: str, reason: str) -> None:
    with pytest.raises(SourceMapError, match=reason):
        load_source_map(str(tmp_path / "a.js"), url)
