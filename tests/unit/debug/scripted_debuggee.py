"""A program in memory that does what a test tells it, and fails where the test wants it to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from server.debug.inbox import Inbox
from server.debug.model import SourceLine
from server.debug.session_model import (
    AttachSpec,
    Binding,
    BreakpointSpec,
    CallStack,
    DebuggeeEvent,
    Evaluation,
    Frame,
    FunctionSearch,
    LaunchSpec,
    PauseOnExceptions,
    Position,
    ProgramInfo,
    ScriptInfo,
    StepKind,
    Stopped,
    StopReason,
)
from server.debug.value import NO_VARIABLES, Page, Value, VariablePage

T = TypeVar("T")

FILE = "/app/cart.js"
STOPPED = Stopped(StopReason.BREAKPOINT, (Frame("0", "total", Position(FILE, 2, 1)),))
Act = Callable[[Inbox], Any]
"""What a method does in place of its answer; whatever it raises, the method raises."""


def raising(error: BaseException) -> Act:
    def act(_inbox: Inbox) -> object:
        raise error

    return act


def waiting(inbox: Inbox) -> object:
    """Wait for an answer that never comes, as a real debuggee does for its debugger's."""
    while True:
        inbox.set_aside(inbox.next_unseen())


@dataclass(frozen=True)
class Happens:
    """A message of the debuggee's own: these events."""

    events: tuple[DebuggeeEvent, ...]


@dataclass
class ScriptedDebuggee:
    """Implements `server.debug.backend.Debuggee`."""

    inbox: Inbox
    acts: dict[str, Act]
    first: tuple[DebuggeeEvent, ...] = (STOPPED,)
    """What happens as soon as the program begins."""
    is_attached: bool = False
    calls: list[str] = field(default_factory=list)

    def tell(self, *events: DebuggeeEvent) -> None:
        """Any thread: let something happen."""
        self.inbox.put(Happens(events))

    def connect(self) -> None:
        self._do("connect", None)

    def begin(self, *, stop_on_entry: bool) -> None:
        self._do("begin", None)
        self.tell(*self.first)

    def handle(self, message: object) -> Iterable[DebuggeeEvent]:
        self._do("handle", None)
        return message.events if isinstance(message, Happens) else ()

    def info(self) -> ProgramInfo:
        return ProgramInfo("node cart.js", "Node.js v24", 1, self.is_attached)

    def detach(self) -> None:
        self._do("detach", None)

    def end(self) -> None:
        self._do("end", None)

    def resume(self) -> None:
        self._do("resume", None)

    def run_to(self, place: SourceLine) -> Binding:
        return self._do("run_to", Binding(Position(place.file, place.line, 1)))

    def step(self, kind: StepKind, *, into_internals: bool) -> None:
        self._do("step", None)

    def pause(self) -> None:
        self._do("pause", None)

    def set_pause_on_exceptions(self, mode: PauseOnExceptions) -> None:
        self._do("set_pause_on_exceptions", None)

    def set_breakpoint(self, breakpoint_id: str, spec: BreakpointSpec) -> Binding:
        return self._do("set_breakpoint", Binding(Position(spec.place.file, spec.place.line, 1)))

    def remove_breakpoint(self, breakpoint_id: str) -> None:
        self._do("remove_breakpoint", None)

    def hit_counts(self) -> Mapping[str, int]:
        return {}

    def find_function(self, name: str, file: str | None) -> FunctionSearch:
        return FunctionSearch((SourceLine(FILE, 2),))

    def call_stack(self, *, include_async: bool) -> CallStack:
        return self._do("call_stack", CallStack(STOPPED.frames))

    def variables(self, frame: int, scope: str | None, page: Page) -> VariablePage:
        return self._do("variables", NO_VARIABLES)

    def expand(self, handle: str, page: Page) -> VariablePage:
        return self._do("expand", NO_VARIABLES)

    def evaluate(self, frame: int, evaluations: Iterable[Evaluation]) -> tuple[Value, ...]:
        return self._do("evaluate", tuple(Value("number", json=1) for _ in evaluations))

    def set_variable(self, frame: int, name: str, expression: str) -> Value:
        return self._do("set_variable", Value("number", json=1))

    def scripts(self) -> tuple[ScriptInfo, ...]:
        return (ScriptInfo("1", f"file://{FILE}", FILE, 3, is_own=True),)

    def source(self, script_id: str) -> str:
        return self._do("source", "one\ntwo\nthree")

    def _do(self, call: str, answer: T) -> T:
        self.calls.append(call)
        if call in self.acts:
            acted: T = self.acts[call](self.inbox)
            return acted
        return answer


class ScriptedSessionBackend:
    """Implements `server.debug.backend.SessionBackend`; keeps its last debuggee."""

    debuggee: ScriptedDebuggee

    def __init__(self, *first: DebuggeeEvent, **acts: Act) -> None:
        self.acts = acts
        self._first = first or (STOPPED,)

    def launch(self, spec: LaunchSpec, inbox: Inbox) -> ScriptedDebuggee:
        if "launch" in self.acts:
            self.acts["launch"](inbox)
        self.debuggee = ScriptedDebuggee(inbox, self.acts, self._first)
        return self.debuggee

    def attach(self, spec: AttachSpec, inbox: Inbox) -> ScriptedDebuggee:
        self.debuggee = ScriptedDebuggee(inbox, self.acts, self._first, is_attached=True)
        return self.debuggee
