"""The seam between the core and a runtime's debugger: a `Target` is run once, a `Debuggee` is followed step by step.

Threads: either belongs to the thread that launched it (the owner). Only that thread calls its methods;
whatever other threads learn reaches it through the inbox that its backend was given.

Every method that waits raises `DeadlinePassed` or `CancelRequested` when the inbox says so, and
`DisconnectedError` when the program went away, which `next_event` then tells of. After either,
`describe_placement` and `end` still work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from server.debug.inbox import Inbox
from server.debug.model import Placement, RunEvent, ScriptRun, SourceLine
from server.debug.session_model import (
    AttachSpec,
    Binding,
    BreakpointSpec,
    CallStack,
    DebuggeeEvent,
    Evaluation,
    FunctionSearch,
    LaunchSpec,
    PauseOnExceptions,
    ProgramInfo,
    ScriptInfo,
    StepKind,
)
from server.debug.value import Page, Value, VariablePage


class Target(Protocol):
    """A launched program. The methods stand in the order of its life."""

    def connect(self) -> None:
        """Reach the program's debugger, which holds it before its first line."""
        ...

    def arm(self) -> None:
        """Set the breakpoint of the run, so that it binds before the code there can run."""
        ...

    def release(self) -> None:
        """Let the program run."""
        ...

    def next_event(self) -> RunEvent:
        """Serve the program until there is something to tell."""
        ...

    @property
    def evaluating(self) -> bool:
        """Whether an expression is under way in the program."""
        ...

    def describe_placement(self, *, search_nearby: bool) -> Placement:
        """Where the breakpoint is; `search_nearby` asks a live target for lines that have code."""
        ...

    def stderr_tail(self) -> str:
        """The end of what the program wrote to its standard error."""
        ...

    def end(self) -> None:
        """End the program and all its descendants. Idempotent; never raises."""
        ...


class Backend(Protocol):
    """Launches programs of one kind of runtime under its debugger."""

    def launch(self, run: ScriptRun, inbox: Inbox) -> Target:
        """Start the program in such a way that it waits for its debugger."""
        ...


class Debuggee(Protocol):
    """A program that a session follows.

    Every message of the inbox that the session does not know goes to `handle`, which tells what it means. Methods that
    have to wait for the program's debugger do so within the inbox's deadline. They raise `DebugError`: among these
    `ProgramGoneError` where the program went away meanwhile, of which `handle` then tells.

    Frames are named by their index in the stack of the last `Stopped`; handles of values are good until the program
    goes on. The session sees to it that nothing of an earlier stop reaches these methods.
    """

    # --- life ---------------------------------------------------------------------------------------------------

    def connect(self) -> None:
        """Reach the debugger. A launched program stands before its first line then, an attached one is as it was."""
        ...

    def begin(self, *, stop_on_entry: bool) -> None:
        """Let a launched program run to its first stop, once the first breakpoints are set. Does not wait."""
        ...

    def handle(self, message: object) -> Iterable[DebuggeeEvent]:
        """What a message of the inbox means, in order; nothing where it is of no interest."""
        ...

    def info(self) -> ProgramInfo:
        """Which program this is; at any time, without waiting."""
        ...

    def detach(self) -> None:
        """Take all breakpoints away, let the program run and leave it to itself. Never raises."""
        ...

    def end(self) -> None:
        """End a launched program and all its descendants, or else `detach`. Idempotent; never raises."""
        ...

    # --- running --------------------------------------------------------------------------------------------------

    def resume(self) -> None:
        """Go on; does not wait."""
        ...

    def run_to(self, place: SourceLine) -> Binding:
        """Go on to a line, as if there were a breakpoint for once; it does not move where the place has no code."""
        ...

    def step(self, kind: StepKind, *, into_internals: bool) -> None:
        """Go on to the next place that a step of this kind reaches; does not wait."""
        ...

    def pause(self) -> None:
        """Stop as soon as the program does something; does not wait."""
        ...

    def set_pause_on_exceptions(self, mode: PauseOnExceptions) -> None:
        """At which exceptions to stop from now on."""
        ...

    # --- breakpoints ----------------------------------------------------------------------------------------------

    def set_breakpoint(self, breakpoint_id: str, spec: BreakpointSpec) -> Binding:
        """Set one under a name of the session's; also while the program runs, and before its file is loaded."""
        ...

    def remove_breakpoint(self, breakpoint_id: str) -> None:
        """Take one away; an unknown one is no mistake."""
        ...

    def hit_counts(self) -> Mapping[str, int]:
        """How often each breakpoint's place was reached with its condition true, those taken away too."""
        ...

    def find_function(self, name: str, file: str | None) -> FunctionSearch:
        """Look for functions of a name (`total`, `Cart.total`), everywhere or in one file."""
        ...

    # --- looking, while the program stands still --------------------------------------------------------------------

    def call_stack(self, *, include_async: bool) -> CallStack:
        """The whole stack."""
        ...

    def variables(self, frame: int, scope: str | None, page: Page) -> VariablePage:
        """What a frame sees: its locals, closures and module merged, the innermost of a name only; or one scope."""
        ...

    def expand(self, handle: str, page: Page) -> VariablePage:
        """What is inside a value."""
        ...

    def evaluate(self, frame: int, evaluations: Iterable[Evaluation]) -> tuple[Value, ...]:
        """The values of expressions in a frame. One that throws is a value of type `error`, whose preview says what."""
        ...

    def set_variable(self, frame: int, name: str, expression: str) -> Value:
        """Give a variable the value of an expression."""
        ...

    # --- sources, at any time -----------------------------------------------------------------------------------------

    def scripts(self) -> tuple[ScriptInfo, ...]:
        """Every script that was loaded so far, the runtime's own too."""
        ...

    def source(self, script_id: str) -> str:
        """The text of a script, as it runs."""
        ...


class SessionBackend(Protocol):
    """Brings programs of one kind of runtime under the hands of sessions."""

    def launch(self, spec: LaunchSpec, inbox: Inbox) -> Debuggee:
        """Start a program in such a way that it waits for its debugger; raises what can be known at once."""
        ...

    def attach(self, spec: AttachSpec, inbox: Inbox) -> Debuggee:
        """Find the debugger of a program that runs."""
        ...
