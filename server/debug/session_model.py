"""What sessions speak about: a program that is followed step by step. No wire names, all values frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.debug.model import SourceLine
from server.debug.value import NO_VARIABLES, Value, VariablePage
from server.process.process_events import ExitStatus

# --- how a session begins ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """A program to start under its debugger."""

    argv: tuple[str, ...]
    """The whole command; the backend adds what makes the program wait for its debugger."""
    cwd: str | None = None
    env: Mapping[str, str] | None = None
    """Added to the server's own."""


@dataclass(frozen=True, slots=True)
class AttachSpec:
    """A program that runs already: by the URL of its debugger, by address, or by process id."""

    url: str | None = None
    host: str = "127.0.0.1"
    port: int | None = None
    pid: int | None = None
    target: str | None = None
    """Which of several debuggers at one address: its id, or a part of its title or URL."""


@dataclass(frozen=True, slots=True)
class ProgramInfo:
    """Which program a session is about."""

    title: str
    """The command, or what an attached debugger calls its program."""
    runtime: str
    """Such as "Node.js v24.1.0"; empty while nobody knows."""
    pid: int | None
    is_attached: bool
    cwd: str | None = None
    """The directory that a launched program was given, where it was given one; relative names may start there."""


# --- where a program stands ----------------------------------------------------------------------------------------


class ProgramState(StrEnum):
    """What a program does just now."""

    RUNNING = "running"
    PAUSED = "paused"
    EXITED = "exited"
    DISCONNECTED = "disconnected"


class StopReason(StrEnum):
    """Why a program stands still."""

    ENTRY = "entry"
    BREAKPOINT = "breakpoint"
    STEP = "step"
    PAUSE = "pause"
    EXCEPTION = "exception"
    DEBUGGER_STATEMENT = "debugger statement"


class StepKind(StrEnum):
    """How far a step goes."""

    OVER = "over"
    INTO = "into"
    OUT = "out"


class PauseOnExceptions(StrEnum):
    """At which exceptions a program stops."""

    NONE = "none"
    UNCAUGHT = "uncaught"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Position:
    """A character of a file; both numbers are 1-based."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One call that is under way."""

    id: str
    """Unique in its session, so that one of an earlier stop is never taken for another."""
    function: str
    position: Position
    is_own: bool = True
    """Whether it is the program's own code: neither the runtime's nor a package's."""
    is_internal: bool = False
    """Whether it is the runtime's own code."""
    generated: Position | None = None
    """What really runs, where `position` comes from a source map."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """One line of source around a place."""

    line: int
    text: str
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class Thrown:
    """The exception at which a program stopped."""

    name: str
    message: str
    is_caught: bool | None
    """None where the debugger does not tell."""
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class WatchReading:
    """A watched expression at a stop: its value now, and at the stop before, where there was one."""

    expression: str
    new: Value
    old: Value | None = None

    @property
    def is_changed(self) -> bool:
        """Whether it is seen to have another value than at the stop before."""
        return self.old is not None and _shown(self.old) != _shown(self.new)


def _shown(value: Value) -> tuple[object, ...]:
    return value.type, value.subtype, value.json, value.preview, value.size


@dataclass(frozen=True, slots=True)
class Stop:
    """Everything about a program that stands still which the next decision needs."""

    reason: StopReason
    frames: tuple[Frame, ...]
    """The whole stack, innermost first."""
    source: tuple[SourceText, ...] = ()
    locals: VariablePage = NO_VARIABLES
    watches: tuple[WatchReading, ...] = ()
    breakpoint_ids: tuple[str, ...] = ()
    exception: Thrown | None = None
    notes: tuple[str, ...] = ()
    """What helps to understand why it stands here, in sentences."""


@dataclass(frozen=True, slots=True)
class OutputEntry:
    """Something that the program wrote, or a logpoint said."""

    cursor: int
    """Where the entry begins in all that there was; only grows."""
    stream: str
    """stdout, stderr, log (a logpoint) or console (an attached program)."""
    text: str


@dataclass(frozen=True, slots=True)
class OutputPage:
    """Output from one cursor to the next."""

    entries: tuple[OutputEntry, ...]
    cursor: int
    """To be given as `since` for what comes after."""
    omitted_characters: int = 0
    """How much between the cursor that was given and the first entry is not there: too old, or too much."""
    since: int = 0
    """The cursor that was given."""
    remaining_characters: int = 0
    """How much there is behind the page."""


NO_OUTPUT: Final = OutputPage((), 0)


@dataclass(frozen=True, slots=True)
class StateReport:
    """What a session answers to every call that runs the program, or asks how it is."""

    session_id: str
    state: ProgramState
    stop: Stop | None = None
    output: OutputPage = NO_OUTPUT
    """What is new since the last answer that had output."""
    exit: ExitStatus | None = None
    notes: tuple[str, ...] = ()
    changed_breakpoints: tuple[Breakpoint, ...] = ()
    """Those that bound, or moved, since the last answer."""
    directory: str | None = None
    """Where the program was started, if it was given a directory; names of files may be told from there."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One line of a list of sessions."""

    session_id: str
    state: ProgramState
    program: ProgramInfo
    position: Position | None
    """Where it stands, while paused."""
    breakpoints: int
    idle_s: float


# --- breakpoints -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BreakpointSpec:
    """Where a program is to stop, and when. The place has been found by now: a file and a line."""

    place: SourceLine
    column: int | None = None
    condition: str | None = None
    hit_condition: str | None = None
    """Such as `5`, `>=5`, `%10`, checked before: of the passes at which the condition is true, only these count."""
    log_message: str | None = None
    """With {expressions}: say this in place of stopping."""


@dataclass(frozen=True, slots=True)
class Binding:
    """What became of a breakpoint: where it is, or why it is nowhere yet."""

    position: Position | None = None
    message: str | None = None
    """Why it is nowhere, or not where it was asked for."""
    nearest_lines: tuple[int, ...] = ()
    """Lines near the wanted one that have code."""


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """A breakpoint of a session."""

    id: str
    spec: BreakpointSpec
    binding: Binding
    enabled: bool = True
    hits: int = 0
    """How often the place was reached with the condition true."""
    function: str | None = None
    """The function by whose name it was asked for."""
    source: tuple[SourceText, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionSearch:
    """What became of looking for functions by their name."""

    places: tuple[SourceLine, ...] = ()
    """Where they begin: the lines at which a breakpoint stops in them."""
    are_loaded: bool = True
    """Whether they are in what the program has loaded; only where none is, files that it may load are looked at."""
    near_names: tuple[str, ...] = ()
    """Where there are none: what functions are called that have a name like it."""


# --- scripts ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScriptInfo:
    """A script that the program has loaded."""

    id: str
    url: str
    file: str | None
    lines: int
    is_own: bool
    source_map_url: str | None = None


@dataclass(frozen=True, slots=True)
class SourceRange:
    """Some lines of a source."""

    file: str
    lines: tuple[SourceText, ...]
    total_lines: int


# --- what a backend tells of a program that it follows -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stopped:
    """The program stands still. `frames` have ids of the backend's choice: their index as text."""

    reason: StopReason
    frames: tuple[Frame, ...]
    breakpoint_ids: tuple[str, ...] = ()
    exception: Thrown | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resumed:
    """The program runs again."""


@dataclass(frozen=True, slots=True)
class Wrote:
    """The program wrote something: text, decoded; a character is never cut."""

    stream: str
    text: str


@dataclass(frozen=True, slots=True)
class Logged:
    """A logpoint was passed."""

    breakpoint_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A breakpoint found its place, or another one."""

    breakpoint_id: str
    binding: Binding


@dataclass(frozen=True, slots=True)
class ProgramEnded:
    """The program is over; everything that it wrote has been told before."""

    exit: ExitStatus | None
    """None for an attached program, of which nobody knows."""


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The debugger's connection broke while the program was alive, as far as anybody knows."""

    reason: str


DebuggeeEvent = Stopped | Resumed | Wrote | Logged | Bound | ProgramEnded | ConnectionLost


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How an expression is to be evaluated."""

    expression: str
    allow_side_effects: bool = True
    by_value: bool = False
    """The whole value as JSON, in place of a preview that can be expanded."""
    timeout_s: float = 5.0


@dataclass(frozen=True, slots=True)
class CallStack:
    """The stack of a stop."""

    frames: tuple[Frame, ...]
    async_frames: tuple[Frame, ...] = ()
    """Who scheduled what runs now, innermost first; their ids cannot be used for evaluations."""
    notes: tuple[str, ...] = ()
