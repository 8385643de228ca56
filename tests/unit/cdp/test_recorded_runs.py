"""Whole runs, replayed: what five versions of Node.js said in each case, and what the server makes of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from server.cdp.backend import NodeBackend
from server.config import Settings
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.model import Outcome, Placement, RunReport, ScriptRun, SourceLine
from server.debug.results import ResultStore
from server.debug.run import run_script
from server.process.launcher import Launcher
from server.process.process_events import ExitStatus
from tests.fake_inspector import BOUND_S
from tests.node_matrix import pinned_versions
from tests.recording.cases import CASES, PROGRAMS, Case, marked_line
from tests.recording.recording_file import PUBLIC_PROGRAMS, RECORDINGS

ROOT = Path(__file__).resolve().parents[3]
MISSING_PROPERTY = "TypeError: Cannot read properties of undefined (reading 'name')"


@dataclass(frozen=True)
class Expected:
    """What a run has to come to, on every version."""

    results: list[dict[str, Any]]
    placement: Placement
    exit_code: int = 0
    stderr: str = ""
    """A part of it."""


def requested(case_name: str) -> SourceLine:
    [case] = [case for case in CASES if case.name == case_name]
    return case.source_line(PUBLIC_PROGRAMS)


def loop_line(marker: str) -> int:
    return marked_line(PROGRAMS / "loop.js", marker)


def bound(case_name: str, at: str | None = None) -> Placement:
    """The breakpoint is where it was asked for, or at another marked line of loop.js."""
    place = requested(case_name)
    return Placement(requested=place, file_loaded=True, bound_line=loop_line(at) if at else place.line)


def result(kind: str, value: object) -> dict[str, Any]:
    return {"type": kind, "value": value}


EXPECTED = {
    "loop": Expected(
        [result("object", {"item": {"price": price}, "total": total}) for price, total in ((1, 0), (2, 1), (3, 3))],
        bound("loop"),
    ),
    "esm": Expected([result("string", "one.txt"), result("string", "two.txt")], bound("esm")),
    "throwing": Expected(
        [result("number", 1), result("number", 2)],
        bound("throwing"),
        exit_code=1,
        stderr="RangeError: too many: 3\n    at check (/programs/throws.js:4:",
    ),
    "never_hit": Expected([], bound("never_hit")),
    "moved": Expected([result("number", total) for total in (0, 1, 3)], bound("moved", at="body")),
    "past_the_end": Expected(
        [],
        Placement(
            requested=requested("past_the_end"),
            file_loaded=True,
            nearest_lines=tuple(map(loop_line, ("loop", "body", "return", "unreached", "call", "end"))),
        ),
    ),
    "not_loaded": Expected([], Placement(requested=requested("not_loaded"))),
    "bad_expression": Expected(
        [result("error", "SyntaxError: Unexpected end of the expression")] * 3, bound("bad_expression")
    ),
    "throwing_expression": Expected([result("error", MISSING_PROPERTY)] * 3, bound("throwing_expression")),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[NodeBackend]:
    launcher = Launcher()
    yield NodeBackend(launcher, Settings())
    launcher.close()


def run_recorded(case: Case, major: int, backend: NodeBackend) -> RunReport:
    """The server's own run of a recorded program; only the program is a stand-in."""
    recording = RECORDINGS / f"node{major}" / f"{case.name}.jsonl"
    run = ScriptRun(
        argv=(sys.executable, "-m", "tests.fake_node", "--inspect-brk=0", str(recording)),
        breakpoint=case.source_line(PUBLIC_PROGRAMS),
        expression=case.expression,
        cwd=str(ROOT),
    )
    return run_script(run, backend, Inbox(Deadline.after(BOUND_S)), ResultStore(1 << 20))


def test_every_case_has_an_expectation_and_a_recording_of_every_version() -> None:
    assert [case.name for case in CASES] == list(EXPECTED)
    recorded = {(path.parent.name, path.stem) for path in RECORDINGS.glob("*/*.jsonl")}
    assert recorded == {(f"node{major}", name) for major in pinned_versions() for name in (*EXPECTED, "tour")}


@pytest.mark.parametrize("major", pinned_versions())
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_recorded_run_gives_the_same_answer_on_every_version(case: Case, major: int, backend: NodeBackend) -> None:
    expected = EXPECTED[case.name]
    report = run_recorded(case, major, backend)
    assert expected.stderr in report.stderr_tail
    assert (report.outcome, report.exit) == (Outcome.PROGRAM_ENDED, ExitStatus(expected.exit_code, None)), report
    assert [json.loads(text) for text in report.results.kept] == expected.results
    assert report.placement == expected.placement
