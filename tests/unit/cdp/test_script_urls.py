"""The pattern by which V8 finds a file's scripts: all spellings of the file's URL, and no other file's."""

from __future__ import annotations

import json
import random
import re
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.cdp.script_urls import file_spellings, file_to_url_pattern, url_to_file
from tests.nodes import NODE

ODD_CHARACTERS = " !\"#$%&'()*+,-.;<=>?@[]^_`{|}~éß水🙂\u2028"
NAMES = st.text(st.sampled_from("aAbB01" + ODD_CHARACTERS), min_size=1, max_size=8).filter(lambda name: name.strip("."))
FILES = st.lists(NAMES, min_size=1, max_size=3).map(lambda names: "/" + "/".join(names))
SEEDS = st.integers(0, 2**32)


def spelled_url(file: str, seed: int) -> str:
    """A URL of the file as some tool may write it: what has to be encoded is, the rest is or is not."""
    choose = random.Random(seed)
    return "file://" + "".join(_spelled(character, choose) for character in file)


def _spelled(character: str, choose: random.Random) -> str:
    if re.fullmatch(r"[A-Za-z0-9_/-]", character) or (character not in "%?#" and choose.random() < 0.5):
        return character
    encoded = "".join(f"%{byte:02X}" for byte in character.encode())
    return encoded if choose.random() < 0.5 else encoded.lower()


def matches(file: str, url: str) -> bool:
    return re.fullmatch(file_to_url_pattern(file), url) is not None


@given(FILES, SEEDS)
def test_pattern_matches_every_spelling_of_the_files_own_url(file: str, seed: int) -> None:
    url = spelled_url(file, seed)
    assert matches(file, url)
    assert matches(file, f"{url}?v=1")
    assert matches(file, f"{url}#part")
    assert matches(file, f"file://{quote(file, safe='/')}")
    assert matches(file, file)


@given(FILES, FILES, SEEDS)
@example("/app/a.js", "/app/aXjs", 0)
@example("/app/a", "/app/a#b", 0)
@example("/app/a", "/app/a?b", 0)
@example("/a|/b", "/b", 0)
def test_pattern_matches_no_url_of_another_file(file: str, other: str, seed: int) -> None:
    assert matches(file, spelled_url(other, seed)) == (file == other)


@pytest.mark.parametrize(
    ("file", "url", "whose"),
    [
        ("/app/100%41.js", "file:///app/100%41.js", "/app/100A.js"),
        ("/app/a#b.js", "file:///app/a#b.js", "/app/a"),
        ("/app/a?b.js", "file:///app/a?b.js", "/app/a"),
    ],
)
def test_name_that_looks_like_the_url_of_another_file_is_not_taken_for_it(file: str, url: str, whose: str) -> None:
    assert url_to_file(url) == whose
    assert not matches(file, url)


@pytest.mark.parametrize(
    "url",
    [
        "file:///app/a.jsx",
        "file:///app/a.js/b",
        "file:///other/app/a.js",
        "file:///app/A.js",
        "file:///app/",
        "file://app/a.js",
        "http://host/app/a.js",
        "node:fs",
        "evalmachine.<anonymous>",
        "",
    ],
)
def test_pattern_matches_nothing_that_only_looks_like_the_file(url: str) -> None:
    assert not matches("/app/a.js", url)


def test_link_and_the_file_behind_it_are_one(tmp_path: Path) -> None:
    real = tmp_path / "real.js"
    real.touch()
    link = tmp_path / "link.js"
    link.symlink_to(real)
    assert file_spellings(str(link)) == {str(link), str(real.resolve())}
    assert matches(str(link), link.as_uri())
    assert matches(str(link), real.as_uri())
    assert not matches(str(real), link.as_uri())


@pytest.mark.matrix
def test_javascript_reads_the_pattern_as_python_does() -> None:
    """V8 is who uses it; and its own URL of a file is one of the spellings."""
    choose = random.Random(2026)
    files = ["/app/" + "".join(choose.choices("ab1" + ODD_CHARACTERS + "\\\t", k=6)) + ".js" for _ in range(300)]
    cases = [(file_to_url_pattern(file), file) for file in files]
    program = (
        "const {pathToFileURL} = require('url'); const cases = JSON.parse(require('fs').readFileSync(0));"
        "console.log(JSON.stringify(cases.map(([pattern, file]) =>"
        " [pathToFileURL(file).href, file, pathToFileURL(file + 'x').href]"
        ".map((url) => new RegExp(pattern).test(url)))))"
    )
    ran = subprocess.run([NODE, "-e", program], check=True, input=json.dumps(cases), capture_output=True, text=True)
    answers = zip(files, json.loads(ran.stdout), strict=True)
    assert [(file, found) for file, found in answers if found != [True, True, False]] == []


@given(FILES, SEEDS)
def test_url_leads_back_to_the_file(file: str, seed: int) -> None:
    url = spelled_url(file, seed)
    assert url_to_file(url) == file
    assert url_to_file(f"{url}?v=1#part") == file


@pytest.mark.parametrize("url", ["", "node:fs", "wasm://wasm/0098dfc6", "http://host/a.js", "evalmachine.<anonymous>"])
def test_url_that_is_no_file_leads_nowhere(url: str) -> None:
    assert url_to_file(url) is None


def test_plain_path_is_its_own_file() -> None:
    assert url_to_file("/app/100%41.cts") == "/app/100%41.cts"
