"""Recording real runs: the same bytes every time, wherever and whenever it is done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.process.launcher import Launcher
from tests.nodes import NODE
from tests.record import write_recordings
from tests.recording.recording_file import RECORDINGS


@pytest.fixture
def launcher() -> Iterator[Launcher]:
    launcher = Launcher()
    yield launcher
    launcher.close()


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("ascii") for path in folder.iterdir()}


@pytest.mark.matrix
def test_recording_twice_gives_the_same_bytes_in_place_of_what_was_there(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "stale.jsonl").write_text("{}")
    write_recordings(NODE, launcher, tmp_path)
    first = contents(tmp_path)
    write_recordings(NODE, launcher, tmp_path)
    assert contents(tmp_path) == first
    assert "stale.jsonl" not in first


def test_recordings_tell_nothing_of_where_they_were_made() -> None:
    home = str(RECORDINGS.parents[1])
    for path in RECORDINGS.glob("*/*.jsonl"):
        assert home not in path.read_text("ascii"), path
    assert sum(path.stat().st_size for path in RECORDINGS.glob("*/*.jsonl")) < 1_000_000
