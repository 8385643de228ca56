"""Make tests/recordings again from real runs: `make record`, or `python -m tests.record`.

Each case runs a small program with a tap between the server's own code and Node's inspector. Where and when it was
recorded is taken out, so that two recordings of one Node.js are the same bytes. The Node.js versions are those of
tests/node_matrix.py, which are installed where they are missing.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from server.process.launcher import Launcher
from tests import node_matrix
from tests.recording import tour
from tests.recording.cases import CASES, record_case
from tests.recording.recording_file import RECORDINGS, Recording


def recordings_of(node: str, launcher: Launcher) -> Iterator[tuple[str, Recording]]:
    """Every recording of one Node.js, with its name."""
    for case in CASES:
        yield case.name, record_case(case, node, launcher)
    yield tour.NAME, tour.record_tour(node, launcher)


def write_recordings(node: str, launcher: Launcher, folder: Path) -> str:
    """Record with one node, in place of what was there; returns a line about it."""
    recordings = dict(recordings_of(node, launcher))
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.jsonl"):
        stale.unlink()
    size = sum(recording.write(folder / f"{name}.jsonl") for name, recording in recordings.items())
    return f"{folder.name}: {len(recordings)} recordings, {size} bytes"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.record", description="Record what Node.js says.")
    parser.add_argument("--into", type=Path, default=RECORDINGS, metavar="FOLDER", help="the folder to write to")
    options = parser.parse_args()
    launcher = Launcher()
    try:
        for major in node_matrix.pinned_versions():
            node = node_matrix.installed_node(major)
            print(write_recordings(node, launcher, options.into / f"node{major}"))
    finally:
        launcher.close()


if __name__ == "__main__":
    main()
