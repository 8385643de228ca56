"""What holds for every start, step and end of a program."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.debug.session_model import ProgramState, StepKind, Stop, StopReason
from server.debug.session_requests import Continue, GetCallStack, GetVariables, ListBreakpoints
from server.errors import ProgramGoneError
from tests.contract.conftest import PythonRuntime
from tests.contract.harness import Debugger, Followed, stop_of
from tests.contract.programs import CART, InBoth, MarkedFile
from tests.properties.conftest import StartEndless
from tests.properties.endless import SCALES, Endless, holds

a_few = settings(holds, max_examples=8)
"""For what starts a real program each time; the many examples run on the backend in memory."""
_numbers = count()


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debugger]:
    """Sessions on the backend in memory."""
    before = set(threading.enumerate())
    debugger = Debugger(PythonRuntime(), tmp_path_factory.mktemp("programs"))
    yield debugger
    debugger.sessions.close_all()
    assert [thread.name for thread in set(threading.enumerate()) - before] == []


# --- starting ------------------------------------------------------------------------------------------------------

REACHED: Final = ("begin", "checkout", "paid", "for", "call", "total", "return", "add", "done", "end")
"""The marks of `CART`, in the order in which the program comes by them first."""
chosen_marks: Final = st.lists(st.sampled_from(REACHED), unique=True, min_size=1)


def _check_start(debugger: Debugger, marks: list[str], *, stop_on_entry: bool) -> None:
    started = debugger.start(CART, *marks, stop_on_entry=stop_on_entry)
    stop = stop_of(started.report)
    listed = started.ask(ListBreakpoints())
    try:
        assert [summary.session_id for summary in debugger.sessions.list()] == [started.session.id]
        assert started.session.summary().state is ProgramState.PAUSED
        assert started.evaluate("20 + 22").json == 42
        assert [each.spec.place.line for each in listed] == [started.program.line(mark) for mark in marks]
        if stop_on_entry:
            assert stop.reason is StopReason.ENTRY
        else:
            first = min(marks, key=REACHED.index)
            assert stop.reason is StopReason.BREAKPOINT
            assert started.marks(started.report, first)
            assert stop.breakpoint_ids == (listed[marks.index(first)].id,)
    finally:
        debugger.sessions.close(started.session.id, keep_running=False).wait()
    assert debugger.sessions.list() == ()


@holds
@given(marks=chosen_marks, stop_on_entry=st.booleans())
def test_a_program_that_is_started_is_attached_and_paused(
    python: Debugger, marks: list[str], stop_on_entry: bool
) -> None:
    """Started -> attached and paused: at its entry, or at the first of its breakpoints that it comes by."""
    _check_start(python, marks, stop_on_entry=stop_on_entry)


@pytest.mark.matrix
@a_few
@given(marks=chosen_marks, stop_on_entry=st.booleans())
def test_a_node_program_that_is_started_is_attached_and_paused(
    own_node: Debugger, marks: list[str], stop_on_entry: bool
) -> None:
    """Started -> attached and paused: the same in a real program."""
    _check_start(own_node, marks, stop_on_entry=stop_on_entry)


@pytest.fixture(scope="module")
def own_node(node: Debugger) -> Debugger:
    """Where the sessions of other tests are not listed."""
    return Debugger(node.runtime, node.folder)


# --- stepping ------------------------------------------------------------------------------------------------------

NEXT: Final = {
    "while": {"turn"},
    "turn": {"call"},
    "call": {"while", "turn"},
    "total": {"for"},
    "for": {"for", "row", "passed"},
    "row": {"add"},
    "add": {"for"},
    "passed": set[str](),
    "mass": {"heavy"},
    "heavy": {"weighed"},
    "weighed": set[str](),
}
"""Which lines of `SCALES` can follow one in the same call; each may also be stopped at twice, in two columns."""
CALLED: Final = {"call": "total", "add": "mass"}
"""The first line of what a line calls."""


@dataclass(frozen=True)
class Place:
    """Where a program stands: how deep, at which mark, in which column, and at which marks its callers are."""

    marks: tuple[str, ...]
    depth: int
    column: int

    @property
    def mark(self) -> str:
        return self.marks[0]


def _place(program: MarkedFile, stop: Stop) -> Place:
    by_line = {program.line(mark): mark for mark in NEXT}
    own = [frame.position for frame in stop.frames if frame.position.file == str(program.path)]
    return Place(tuple(by_line[position.line] for position in own), len(own), own[0].column)


def _is_reachable(kind: StepKind, begin: Place, end: Place) -> bool:
    if end.depth == begin.depth + 1:
        return kind is StepKind.INTO and end.mark == CALLED.get(begin.mark) and end.marks[1:] == begin.marks
    if end.depth == begin.depth:
        moved = end.mark in NEXT[begin.mark] or (end.mark == begin.mark and end.column != begin.column)
        return kind is not StepKind.OUT and moved and end.marks[1:] == begin.marks[1:]
    caller = begin.marks[1]
    is_at_end = kind is StepKind.OUT or not NEXT[begin.mark]
    return is_at_end and end.depth == begin.depth - 1 and end.mark in {caller, *NEXT[caller]}


@pytest.fixture(scope="module")
def scales(start_endless: StartEndless) -> Endless:
    return start_endless(SCALES)


@pytest.mark.matrix
@holds
@given(
    mark=st.sampled_from([mark for mark in NEXT if mark != "while"]),
    kinds=st.lists(st.sampled_from([*StepKind]), min_size=1, max_size=6),
)
def test_a_step_lands_on_a_line_that_its_kind_reaches(scales: Endless, mark: str, kinds: list[StepKind]) -> None:
    """A step lands on a line reachable by its kind: the next line, the callee's first one, or the caller's."""
    followed = scales.begin_turn()
    followed.breakpoint(mark, hit_condition="1")
    place = _place(followed.program, stop_of(followed.go()))
    assert place.mark == mark
    for kind in kinds:
        if kind is StepKind.OUT and place.depth == 1:
            continue  # out of the module, whose loop has no end
        report = followed.step(kind)
        landed = _place(followed.program, stop_of(report))
        assert stop_of(report).reason is StopReason.STEP
        assert _is_reachable(kind, place, landed), (place, kind, landed)
        place = landed


# --- ending --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Crash:
    """How a program ends, and how deep in its calls."""

    message: str | None
    """Of the error that it throws; else it exits with a code."""
    code: int
    depth: int
    is_stopped_first: bool

    def program(self) -> InBoth:
        python = ["import sys", "print('begin')  # @bp begin"]
        javascript = ["console.log('begin'); // @bp begin"]
        for level in range(self.depth):
            python.append(f"def call{level}():\n    call{level + 1}()")
            javascript.append(f"function call{level}() {{\n  call{level + 1}();\n}}")
        fails = f"throw new Error({self.message!r})" if self.message else f"process.exit({self.code})"
        raises = f"raise RuntimeError({self.message!r})" if self.message else f"sys.exit({self.code})"
        python.append(f"def call{self.depth}():\n    {raises}\ncall0()\nprint('never')")
        javascript.append(f"function call{self.depth}() {{\n  {fails};\n}}\ncall0();\nconsole.log('never');")
        return InBoth("\n".join(python), "\n".join(javascript))


crashes: Final = st.builds(
    Crash,
    message=st.none() | st.text("abcdefgh ", min_size=3, max_size=20).map(str.strip).filter(bool),
    code=st.integers(0, 255),
    depth=st.integers(0, 4),
    is_stopped_first=st.booleans(),
)


def _check_crash(debugger: Debugger, crash: Crash) -> None:
    program = debugger.write(crash.program(), f"crash{next(_numbers)}")
    followed = debugger.start(program, *(["begin"] if crash.is_stopped_first else []))
    report = followed.go() if crash.is_stopped_first else followed.report
    assert report.state is ProgramState.EXITED
    assert report.exit is not None
    assert report.exit.code == (1 if crash.message else crash.code)
    assert followed.output("stdout") == "begin\n"
    assert (crash.message or "") in followed.output("stderr")
    assert followed.session.summary().state is ProgramState.EXITED
    _check_refusals(followed)
    last = debugger.sessions.close(followed.session.id, keep_running=False).wait()
    assert last.exit == report.exit
    assert debugger.sessions.list() == ()
    assert not [thread for thread in threading.enumerate() if thread.name == f"program:{program.path.name}"]
    _check_process_is_gone(followed.opened.program.pid)


def _check_refusals(followed: Followed) -> None:
    for request in (Continue(wait_s=0.0), GetCallStack(), GetVariables()):
        with pytest.raises(ProgramGoneError):
            followed.ask(request)


def _check_process_is_gone(pid: int | None) -> None:
    if pid is not None:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@holds
@given(crash=crashes)
def test_a_crash_is_detected_cleaned_up_and_reported(python: Debugger, crash: Crash) -> None:
    """Crash -> detected, cleaned, reported: its exit and last words are told, and nothing of it stays."""
    _check_crash(python, crash)


@pytest.mark.matrix
@a_few
@given(crash=crashes)
def test_a_crash_of_node_is_detected_cleaned_up_and_reported(own_node: Debugger, crash: Crash) -> None:
    """Crash -> detected, cleaned, reported: the same with a real program."""
    _check_crash(own_node, crash)
