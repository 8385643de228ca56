"""The seam between the core and a runtime's debugger.

Threads: a target belongs to the thread that launched it (the owner). Only that thread calls its methods;
whatever other threads learn reaches it through the inbox that `launch` was given.

Every method that waits raises `DeadlinePassed` or `CancelRequested` when the inbox says so, and
`DisconnectedError` when the program went away, which `next_event` then tells of. After either,
`describe_placement` and `end` still work.
"""

from __future__ import annotations

from typing import Protocol

from server.debug.inbox import Inbox
from server.debug.model import Placement, RunEvent, ScriptRun


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
