from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from server.debug.backend import Debuggee
from server.debug.session_model import Position, ScriptInfo
from server.debug.source_lines import SourceLines, marked_lines
from server.errors import InvalidArgumentsError, ProgramGoneError


@dataclass
class Scripts:
    """The part of a debuggee that has sources; counts how often it is asked."""

    loaded: list[tuple[ScriptInfo, str]] = field(default_factory=list)
    listings: int = 0
    is_gone: bool = False

    def load(self, file: Path, text: str, *, source_map_url: str | None = None) -> None:
        number = str(len(self.loaded) + 1)
        script = ScriptInfo(number, file.as_uri(), str(file), 1, is_own=True, source_map_url=source_map_url)
        self.loaded.append((script, text))

    def scripts(self) -> tuple[ScriptInfo, ...]:
        self.listings += 1
        return tuple(script for script, _ in self.loaded)

    def source(self, script_id: str) -> str:
        if self.is_gone:
            raise ProgramGoneError("gone")
        return next(text for script, text in self.loaded if script.id == script_id)


@pytest.fixture
def scripts() -> Scripts:
    return Scripts()


@pytest.fixture
def sources(scripts: Scripts) -> SourceLines:
    return SourceLines(cast("Debuggee", scripts))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cart.ts"
    path.write_text("on disk", "utf-8")
    return path


def test_a_script_without_a_file_is_found_by_its_url(scripts: Scripts, sources: SourceLines) -> None:
    scripts.loaded.append((ScriptInfo("1", "[eval]", None, 1, is_own=True), "null.x"))
    assert sources.around(Position("[eval]", 1, 1))[0].text == "null.x"


def test_a_loaded_file_is_shown_as_it_runs(scripts: Scripts, sources: SourceLines, file: Path) -> None:
    scripts.load(file, "as it runs")
    assert sources.of_file(str(file)) == ("as it runs",)


def test_a_file_that_is_not_loaded_is_shown_as_it_is_on_disk(sources: SourceLines, file: Path) -> None:
    assert sources.of_file(str(file)) == ("on disk",)


def test_a_file_that_a_script_was_made_from_is_shown_as_it_is_on_disk(
    scripts: Scripts, sources: SourceLines, file: Path
) -> None:
    scripts.load(file, "generated", source_map_url="data:...")
    assert sources.of_file(str(file)) == ("on disk",)


def test_a_script_with_a_map_whose_file_is_nowhere_is_shown_itself(
    scripts: Scripts, sources: SourceLines, tmp_path: Path
) -> None:
    gone = tmp_path / "gone.js"
    scripts.load(gone, "generated", source_map_url="data:...")
    assert sources.of_file(str(gone)) == ("generated",)


@pytest.mark.parametrize("name", ["missing.js", "", "a\0b"])
def test_a_file_that_nobody_has_is_refused(sources: SourceLines, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidArgumentsError):
        sources.of_file(str(tmp_path / name))


def test_scripts_are_not_gone_through_again_while_the_file_is_as_it_was(
    scripts: Scripts, sources: SourceLines, file: Path
) -> None:
    scripts.load(file, "as it runs")
    for _ in range(3):
        sources.of_file(str(file))
    assert scripts.listings == 1


def test_a_file_that_loads_later_is_shown_as_it_runs_then(scripts: Scripts, sources: SourceLines, file: Path) -> None:
    assert sources.of_file(str(file)) == ("on disk",)
    scripts.load(file, "as it runs")
    assert sources.of_file(str(file)) == ("as it runs",)


def test_a_file_that_is_changed_and_loaded_again_is_shown_as_it_runs_now(
    scripts: Scripts, sources: SourceLines, file: Path
) -> None:
    scripts.load(file, "first")
    assert sources.of_file(str(file)) == ("first",)
    os.utime(file, (1, 1))
    scripts.load(file, "second")
    assert sources.of_file(str(file)) == ("second",)


def test_what_ran_can_be_read_on_disk_when_the_program_is_gone(
    scripts: Scripts, sources: SourceLines, file: Path
) -> None:
    scripts.load(file, "as it ran")
    scripts.is_gone = True
    assert sources.of_file(str(file)) == ("on disk",)


def test_a_program_that_is_gone_with_its_file_is_told(scripts: Scripts, sources: SourceLines, tmp_path: Path) -> None:
    scripts.load(tmp_path / "gone.js", "as it ran")
    scripts.is_gone = True
    with pytest.raises(ProgramGoneError):
        sources.of_file(str(tmp_path / "gone.js"))


def test_only_the_last_few_sources_are_kept(scripts: Scripts, sources: SourceLines, tmp_path: Path) -> None:
    for number in range(200):
        scripts.load(tmp_path / f"{number}.js", f"text {number}")
        assert sources.of_file(str(tmp_path / f"{number}.js")) == (f"text {number}",)
    assert len(sources._kept) == 32


def test_lines_are_counted_as_a_debugger_counts_them(scripts: Scripts, sources: SourceLines, file: Path) -> None:
    scripts.load(file, "one\r\ntwo\x0cstill two\nthree")
    around = sources.around(Position(str(file), 2, 1))
    assert [(text.line, text.text, text.is_current) for text in around] == [
        (1, "one", False),
        (2, "two\x0cstill two", True),
        (3, "three", False),
    ]


@pytest.mark.parametrize(
    ("first", "last", "numbers"), [(1, 2, [1, 2]), (-5, 1, [1]), (2, 99, [2, 3]), (4, 9, []), (3, 2, []), (1, -1, [])]
)
def test_only_lines_that_there_are_are_shown(first: int, last: int, numbers: list[int]) -> None:
    assert [text.line for text in marked_lines(("a", "b", "c"), first, last, None)] == numbers
