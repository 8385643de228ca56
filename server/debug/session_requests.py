"""Everything that can be asked of a session: one frozen request a tool call, which names the type of its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from server.debug.model import SourceLine
from server.debug.session_model import (
    Breakpoint,
    CallStack,
    Evaluation,
    OutputPage,
    PauseOnExceptions,
    ScriptInfo,
    SourceRange,
    StateReport,
    StepKind,
    WatchReading,
)
from server.debug.value import FIRST_PAGE, Page, Value, VariablePage

R_co = TypeVar("R_co", covariant=True)


class SessionRequest(Generic[R_co]):
    """The base of all requests; `R_co` is what the session answers with."""


FrameName = str | int | None
"""Which frame is meant: an id of this stop's, how many calls up from the innermost, or the innermost one."""

# --- running -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GetState(SessionRequest[StateReport]):
    """How the program is; `wait_s` for a stop where it runs."""

    wait_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Continue(SessionRequest[StateReport]):
    """Go on to the next stop, or to a line."""

    wait_s: float
    to: SourceLine | None = None


@dataclass(frozen=True, slots=True)
class TakeStep(SessionRequest[StateReport]):
    """Go one step."""

    kind: StepKind
    wait_s: float
    into_internals: bool = False


@dataclass(frozen=True, slots=True)
class Pause(SessionRequest[StateReport]):
    """Stop a program that runs; one that stands still already just tells where."""

    wait_s: float


@dataclass(frozen=True, slots=True)
class SetPauseOnExceptions(SessionRequest[PauseOnExceptions]):
    """Choose the exceptions at which to stop."""

    mode: PauseOnExceptions


# --- breakpoints ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BreakpointRequest:
    """A breakpoint as an agent asks for it: by line, by a text that the line has, or by function."""

    file: str | None = None
    """An absolute path; only a function can do without."""
    line: int | None = None
    text: str | None = None
    function: str | None = None
    column: int | None = None
    condition: str | None = None
    hit_condition: str | None = None
    log_message: str | None = None


@dataclass(frozen=True, slots=True)
class SetBreakpoint(SessionRequest[Breakpoint]):
    """Set a breakpoint."""

    wanted: BreakpointRequest


@dataclass(frozen=True, slots=True)
class RemoveBreakpoint(SessionRequest[Breakpoint]):
    """Take a breakpoint away; the answer is how it last was."""

    breakpoint_id: str


@dataclass(frozen=True, slots=True)
class ToggleBreakpoint(SessionRequest[Breakpoint]):
    """Switch a breakpoint on or off; it keeps its id and place. None means the other way."""

    breakpoint_id: str
    enabled: bool | None = None


@dataclass(frozen=True, slots=True)
class ListBreakpoints(SessionRequest[tuple[Breakpoint, ...]]):
    """All breakpoints, in the order in which they were set."""


# --- looking -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GetCallStack(SessionRequest[CallStack]):
    """The whole stack; the runtime's own frames only where they are asked for."""

    include_async: bool = False
    include_internal: bool = False


@dataclass(frozen=True, slots=True)
class GetVariables(SessionRequest[VariablePage]):
    """What a frame sees, or what is inside the value that a `ref` names."""

    frame: FrameName = None
    scope: str | None = None
    ref: str | None = None
    page: Page = FIRST_PAGE


@dataclass(frozen=True, slots=True)
class SetVariable(SessionRequest[Value]):
    """Give a variable the value of an expression."""

    name: str
    expression: str
    frame: FrameName = None


@dataclass(frozen=True, slots=True)
class Evaluate(SessionRequest[Value]):
    """Evaluate an expression in a frame; one that throws is a value of type `error`."""

    evaluation: Evaluation
    frame: FrameName = None


@dataclass(frozen=True, slots=True)
class SetWatches(SessionRequest[tuple[WatchReading, ...]]):
    """Watch these expressions, and no others, from now on. The answer has their values where the program stands."""

    expressions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListScripts(SessionRequest[tuple[ScriptInfo, ...]]):
    """The scripts that were loaded so far; `matching` is a part of the URL."""

    matching: str | None = None
    include_internal: bool = False


@dataclass(frozen=True, slots=True)
class GetSource(SessionRequest[SourceRange]):
    """Lines of a script (by its id) or of a file, whether it is loaded or not."""

    script_id: str | None = None
    file: str | None = None
    first_line: int = 1
    last_line: int | None = None
    current_line: int | None = None
    """To be marked."""
    url: str | None = None
    """Of the script that is meant where nobody has such a file: not every script comes from one."""


@dataclass(frozen=True, slots=True)
class GetOutput(SessionRequest[OutputPage]):
    """Output from a cursor on; None: all that is kept."""

    since: int | None = None
    stream: str | None = None
    max_characters: int = 4000
