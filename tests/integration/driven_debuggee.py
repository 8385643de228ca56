"""Drives a `NodeDebuggee` as a session would, on the test's own thread, with real programs under a real Node.js."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from server.cdp.debuggee import NodeDebuggee
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.model import SourceLine
from server.debug.session_model import (
    Binding,
    BreakpointSpec,
    ConnectionLost,
    DebuggeeEvent,
    Evaluation,
    Frame,
    ProgramEnded,
    StepKind,
    Stopped,
    Wrote,
)
from server.debug.value import Value
from tests.integration.script_debugger import Program

BOUND_S = 30.0
"""Longer than anything here takes; a test that waits in vain fails after it."""
E = TypeVar("E")


@dataclass
class DrivenDebuggee:
    """A debuggee, its inbox, and everything that was told of it."""

    debuggee: NodeDebuggee
    inbox: Inbox
    program: Program
    events: list[DebuggeeEvent] = field(default_factory=list)
    _seen: int = 0

    # --- running ----------------------------------------------------------------------------------------------------

    def begin(self, *, stop_on_entry: bool = False) -> DebuggeeEvent:
        """Connect, begin, and wait for what comes of it."""
        self.connect()
        self.debuggee.begin(stop_on_entry=stop_on_entry)
        return self.outcome()

    def connect(self) -> None:
        self.extend()
        self.debuggee.connect()

    def go(self) -> DebuggeeEvent:
        self.debuggee.resume()
        return self.outcome()

    def step(self, kind: StepKind, *, into_internals: bool = False) -> DebuggeeEvent:
        self.debuggee.step(kind, into_internals=into_internals)
        return self.outcome()

    def step_to(self, kind: StepKind, *, into_internals: bool = False) -> str:
        """Where a step ends, as the mark of the line or `function:line`."""
        return self.where(self.step(kind, into_internals=into_internals))

    def steps(self, kind: StepKind, count: int) -> list[str]:
        return [self.step_to(kind) for _ in range(count)]

    # --- waiting ----------------------------------------------------------------------------------------------------

    def extend(self) -> None:
        self.inbox.deadline = Deadline.after(BOUND_S)

    def outcome(self) -> DebuggeeEvent:
        """The next stop, or the end."""
        return self.until(Stopped, ProgramEnded, ConnectionLost)

    def stop(self) -> Stopped:
        event = self.outcome()
        assert isinstance(event, Stopped), event
        return event

    def end(self) -> ProgramEnded:
        event = self.outcome()
        assert isinstance(event, ProgramEnded), event
        return event

    def until(
        self, *kinds: type[DebuggeeEvent], where: Callable[[DebuggeeEvent], bool] = lambda _: True
    ) -> DebuggeeEvent:
        """Serve messages until such an event has been told that was not returned before."""
        self.extend()
        while True:
            for index in range(self._seen, len(self.events)):
                if isinstance(self.events[index], kinds) and where(self.events[index]):
                    self._seen = index + 1
                    return self.events[index]
            self.take()

    def until_written(self, text: str) -> None:
        """Serve messages until the program has written this, whatever it is that it wrote before."""
        self.extend()
        while text not in self.written():
            self.take()

    def take(self) -> None:
        self.events.extend(self.debuggee.handle(self.inbox.next()))

    # --- looking ----------------------------------------------------------------------------------------------------

    def written(self, *streams: str) -> str:
        wanted = streams or ("stdout", "stderr", "console")
        return "".join(one.text for one in self.events if isinstance(one, Wrote) and one.stream in wanted)

    def where(self, event: DebuggeeEvent) -> str:
        """The mark of the line at which a stop is, or else its function and line; `ended` for the end."""
        if isinstance(event, ProgramEnded):
            return "ended"
        assert isinstance(event, Stopped), event
        return self.place(event.frames[0])

    def place(self, frame: Frame) -> str:
        marks = {self.program.line(mark): mark for mark in self.program.marks()}
        if frame.position.file == str(self.program.path) and frame.position.line in marks:
            return marks[frame.position.line]
        return f"{frame.function}:{frame.position.line}"

    def line(self, mark: str) -> SourceLine:
        return SourceLine(str(self.program.path), self.program.line(mark))

    def set(self, mark: str, breakpoint_id: str | None = None, **more: str | int) -> Binding:
        spec = BreakpointSpec(self.line(mark), **more)  # type: ignore[arg-type]
        return self.debuggee.set_breakpoint(breakpoint_id or mark, spec)

    def value(self, expression: str, frame: int = 0) -> Value:
        (value,) = self.debuggee.evaluate(frame, (Evaluation(expression),))
        return value
