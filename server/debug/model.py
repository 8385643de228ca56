"""What the core speaks about: places, requests, what was seen. No wire names, all values frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from server.process.process_events import ExitStatus


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a file as a person sees it: absolute path, 1-based line."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """A request to run a program once and evaluate an expression at each hit of a line."""

    argv: tuple[str, ...]
    breakpoint: SourceLine
    expression: str
    cwd: str | None = None
    env: Mapping[str, str] | None = None
    condition: str | None = None
    """An expression that has to be true for a hit to count."""
    max_hits: int | None = None
    """After so many the breakpoint is taken away and the program runs on."""
    include_stack: bool = False
    """Whether each result has the stack of its hit."""


@dataclass(frozen=True, slots=True)
class Captured:
    """The value of the expression at one hit, as the JSON text of one result."""

    json_text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The program is over; everything that it wrote has been read."""

    exit: ExitStatus


@dataclass(frozen=True, slots=True)
class Lost:
    """The debugger's connection broke while the program was alive."""

    reason: str


RunEvent = Captured | Ended | Lost


@dataclass(frozen=True, slots=True)
class Placement:
    """What became of a breakpoint: where it bound, or why it did not."""

    requested: SourceLine
    debugger_reached: bool = True
    """Whether the program got as far as a debugger that answered."""
    file_loaded: bool = False
    bound_line: int | None = None
    nearest_lines: tuple[int, ...] = ()
    """Lines near the requested one that have code, where the breakpoint bound nowhere."""
    source_maps: str | None = None
    """What source maps said of a file that does not run as it is, where that helps."""
    loaded_namesakes: tuple[str, ...] = ()
    """Loaded files of the same name in other folders, where the file itself was never loaded."""
    unseen: tuple[str, ...] = ()
    """What of the program ran where the debugger does not look, in sentences."""
    remarks: tuple[str, ...] = ()
    """What is to be said of the condition, in sentences."""
    has_enough: bool = False
    """Whether as many hits came as were wanted, so that there may have been more."""


class Outcome(Enum):
    """How a run ended. Every run ends in exactly one of these; the first terminal event decides."""

    PROGRAM_ENDED = "program ended"
    TIMED_OUT = "timed out"
    CANCELLED = "cancelled"
    CONNECTION_LOST = "connection lost"
    DEBUGGER_FAILED = "debugger failed"


@dataclass(frozen=True, slots=True)
class Results:
    """The JSON texts of the results that were kept, and how many were not."""

    kept: tuple[str, ...]
    hits: int
    omitted: int = 0
    omitted_bytes: int = 0
    kept_first: int = 0
    """How many of `kept` stand before the gap, where there is one."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """Everything that is known when a run is over."""

    outcome: Outcome
    results: Results
    placement: Placement | None
    """None where that could not be found out."""
    started: bool = True
    """Whether the program was launched at all."""
    exit: ExitStatus | None = None
    reason: str | None = None
    """Why the connection was lost or the debugger failed."""
    stderr_tail: str = ""
    evaluating: bool = False
    """Whether the run was interrupted while the expression was being evaluated."""
