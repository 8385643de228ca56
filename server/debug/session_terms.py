"""On which terms sessions are opened and kept, and what is told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from server.debug.session_model import Breakpoint, PauseOnExceptions, ProgramInfo, StateReport
from server.debug.session_requests import BreakpointRequest


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What is set before the program runs, and how long to wait for its first stop."""

    breakpoints: tuple[BreakpointRequest, ...] = ()
    stop_on_entry: bool = False
    wait_s: float = 20.0
    pause_on_exceptions: PauseOnExceptions = PauseOnExceptions.NONE
    watches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """A session that has begun."""

    report: StateReport
    breakpoints: tuple[Breakpoint, ...]
    program: ProgramInfo


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """What sessions may use up."""

    max_sessions: int = 10
    """Sessions whose program lives; as many again may be kept of which it has ended."""
    idle_s: float = 1800.0
    """A session of which nobody asks anything for so long is closed."""
    max_breakpoints: int = 100
    max_output_characters: int = 1_000_000
    """How much of a program's output is kept: the end of it."""


@dataclass(frozen=True, slots=True)
class SessionChange:
    """Something about a session is not as it was."""

    session_id: str
    kind: Literal["opened", "closed", "state", "output"]
