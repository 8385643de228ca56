"""Drives sessions as the tools do, on whichever backend a test runs."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypedDict, TypeVar, Unpack

from server.debug.backend import SessionBackend
from server.debug.deadline import Deadline
from server.debug.model import SourceLine
from server.debug.session import PendingAnswer, Session
from server.debug.session_model import (
    AttachSpec,
    Breakpoint,
    Evaluation,
    LaunchSpec,
    PauseOnExceptions,
    ProgramState,
    StateReport,
    StepKind,
    Stop,
)
from server.debug.session_requests import (
    BreakpointRequest,
    Continue,
    Evaluate,
    GetOutput,
    GetState,
    Pause,
    SessionRequest,
    SetBreakpoint,
    TakeStep,
)
from server.debug.sessions import Opened, SessionChange, SessionLimits, Sessions, StartOptions
from server.debug.value import Value, Variable, VariablePage
from tests.contract.programs import InBoth, Language, MarkedFile

R = TypeVar("R")

WAIT_S = 30.0
"""Long enough for any stop here on a busy machine; a test whose point is the time names its own."""


class Runtime(Protocol):
    """What a test needs of one language beside its backend."""

    @property
    def language(self) -> Language: ...

    @property
    def backend(self) -> SessionBackend: ...

    def launch_spec(self, program: MarkedFile) -> LaunchSpec: ...

    def run_undebugged(self, program: MarkedFile) -> AttachSpec:
        """Start a program that can be attached to; it is awaited at the end of the test."""
        ...


class HowToStart(TypedDict, total=False):
    """What a start may be given beside its marks."""

    also: tuple[BreakpointRequest, ...]
    stop_on_entry: bool
    wait_s: float
    pause_on_exceptions: PauseOnExceptions
    watches: tuple[str, ...]


@dataclass
class Followed:
    """A session under test."""

    session: Session
    opened: Opened
    program: MarkedFile

    @property
    def report(self) -> StateReport:
        return self.opened.report

    def ask(self, request: SessionRequest[R]) -> R:
        return self.session.post(request).wait()

    def go(self, to: SourceLine | None = None) -> StateReport:
        return self.ask(Continue(WAIT_S, to))

    def step(self, kind: StepKind) -> StateReport:
        return self.ask(TakeStep(kind, WAIT_S))

    def pause(self) -> StateReport:
        return self.ask(Pause(WAIT_S))

    def state(self, wait_s: float = 0.0) -> StateReport:
        return self.ask(GetState(wait_s))

    def breakpoint(self, mark: str | None = None, **more: str | int) -> Breakpoint:
        return self.ask(SetBreakpoint(self.wanted(mark, **more)))

    def wanted(self, mark: str | None = None, **more: str | int) -> BreakpointRequest:
        if mark is not None:
            more["line"] = self.program.line(mark)
        return BreakpointRequest(**{"file": str(self.program.path), **more})  # type: ignore[arg-type]

    def evaluate(self, expression: str, frame: str | int | None = None, **how: bool | float) -> Value:
        return self.ask(Evaluate(Evaluation(expression, **how), frame))  # type: ignore[arg-type]

    def whole_number(self, expression: str) -> int:
        value = self.evaluate(expression)
        assert isinstance(value.json, int), value
        return value.json

    def output(self, stream: str | None = None) -> str:
        page = self.ask(GetOutput(stream=stream, max_characters=100_000))
        return "".join(entry.text for entry in page.entries)

    def marks(self, report: StateReport, *marks: str) -> bool:
        """Whether the program stands at one of these marks."""
        return stop_of(report).frames[0].position.line in [self.program.line(mark) for mark in marks]

    def stops_until_the_end(self, report: StateReport) -> list[Stop]:
        stops = []
        while report.state is ProgramState.PAUSED:
            stops.append(stop_of(report))
            report = self.go()
        assert report.state is ProgramState.EXITED, report
        return stops


@dataclass
class Debugger:
    """All sessions of a test, on one backend."""

    runtime: Runtime
    folder: Path
    limits: SessionLimits = field(default_factory=SessionLimits)
    changes: queue.SimpleQueue[SessionChange] = field(default_factory=queue.SimpleQueue)

    def __post_init__(self) -> None:
        self.sessions = Sessions(lambda: self.runtime.backend, self.limits, self.changes.put)

    def write(self, program: InBoth, name: str = "program") -> MarkedFile:
        return program.write(self.folder, self.runtime.language, name)

    def launch(self, program: MarkedFile, *marks: str, **how: Unpack[HowToStart]) -> PendingAnswer[Opened]:
        """Begin to start a program with breakpoints at marks."""
        at_marks = tuple(BreakpointRequest(file=str(program.path), line=program.line(mark)) for mark in marks)
        options = StartOptions(
            breakpoints=(*at_marks, *how.get("also", ())),
            stop_on_entry=how.get("stop_on_entry", False),
            wait_s=how.get("wait_s", WAIT_S),
            pause_on_exceptions=how.get("pause_on_exceptions", PauseOnExceptions.NONE),
            watches=how.get("watches", ()),
        )
        return self.sessions.launch(self.runtime.launch_spec(program), options)

    def start(self, program: InBoth | MarkedFile, *marks: str, **how: Unpack[HowToStart]) -> Followed:
        """Start a program, up to its first stop."""
        file = self.write(program) if isinstance(program, InBoth) else program
        return self.followed(self.launch(file, *marks, **how).wait(), file)

    def attach(self, program: MarkedFile, spec: AttachSpec) -> Followed:
        return self.followed(self.sessions.attach(spec, StartOptions()).wait(), program)

    def followed(self, opened: Opened, program: MarkedFile) -> Followed:
        return Followed(self.sessions.get(opened.report.session_id), opened, program)

    def await_change(self, wanted: Callable[[SessionChange], bool]) -> None:
        """Wait until a session has told of such a change."""
        while not wanted(self.changes.get(timeout=WAIT_S)):
            pass

    def await_state(self, followed: Followed, state: ProgramState) -> None:
        while followed.session.summary().state is not state:
            self.await_change(lambda change: change.kind == "state")


def await_file(path: Path) -> None:
    """Wait until a program has written a file."""
    until = Deadline.after(WAIT_S)
    while not path.exists():
        assert not until.passed, f"{path} was never written"
        time.sleep(0.01)


def stop_of(report: StateReport) -> Stop:
    assert report.stop is not None, report
    return report.stop


def variable(page: VariablePage, name: str) -> Variable:
    found = [each for each in page.variables if each.name == name]
    assert len(found) == 1, [each.name for each in page.variables]
    return found[0]


def values(page: VariablePage) -> dict[str, object]:
    """What JSON can say of each variable."""
    return {each.name: each.value.json for each in page.variables}
