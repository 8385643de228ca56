"""A backend in memory that does what a test tells it: the core and the tools are tested without a runtime."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from server.debug.inbox import Inbox
from server.debug.model import Captured, Ended, Placement, RunEvent, ScriptRun, SourceLine
from server.process.process_events import ExitStatus

Step = Callable[[Inbox], object]
"""Something that a phase of a target does; whatever it raises, the phase raises."""

ENDED_WELL = Ended(ExitStatus(code=0, signal=None))
BREAKPOINT = SourceLine("/app/src/cart.js", 12)
PLACEMENT = Placement(requested=BREAKPOINT, file_loaded=True, bound_line=12)
RUN = ScriptRun(argv=("node", "--inspect-brk=0", "cart.js"), breakpoint=BREAKPOINT, expression="total")


def captured(*numbers: int) -> list[Captured]:
    return [Captured(f'{{"type":"number","value":{number}}}') for number in numbers]


def raising(error: BaseException) -> Step:
    def step(_inbox: Inbox) -> object:
        raise error

    return step


def wait(inbox: Inbox) -> object:
    """Wait for a message as a real target does: until the deadline, a cancellation or an event."""
    return inbox.next()


@dataclass
class ScriptedTarget:
    """Implements `server.debug.backend.Target`. `events` holds what it tells, or steps to take instead."""

    inbox: Inbox
    events: list[RunEvent | Step]
    steps: dict[str, Step]
    placement: Placement = PLACEMENT
    stderr: str = ""
    is_evaluating: bool = False
    calls: list[str] = field(default_factory=list)

    def connect(self) -> None:
        self._do("connect")

    def arm(self) -> None:
        self._do("arm")

    def release(self) -> None:
        self._do("release")

    def next_event(self) -> RunEvent:
        event = self.events.pop(0)
        if callable(event):
            event = event(self.inbox)  # type: ignore[assignment]
        assert not callable(event)
        return event

    @property
    def evaluating(self) -> bool:
        return self.is_evaluating

    def describe_placement(self, *, search_nearby: bool) -> Placement:
        self._do("describe nearby" if search_nearby else "describe")
        return self.placement

    def stderr_tail(self) -> str:
        assert "end" in self.calls, "the last output is only there at the end"
        return self.stderr

    def end(self) -> None:
        self._do("end")

    def _do(self, phase: str) -> None:
        self.calls.append(phase)
        if phase in self.steps:
            self.steps[phase](self.inbox)


class ScriptedBackend:
    """Implements `server.debug.backend.Backend`; every launch tells the same story. Keeps its last target."""

    target: ScriptedTarget

    def __init__(
        self,
        events: Iterable[RunEvent | Step] = (ENDED_WELL,),
        steps: dict[str, Step] | None = None,
        **target: object,
    ) -> None:
        self._events = list(events)
        self._steps = steps or {}
        self._target = target

    def launch(self, run: ScriptRun, inbox: Inbox) -> ScriptedTarget:
        if "launch" in self._steps:
            self._steps["launch"](inbox)
        self.run = run
        self.target = ScriptedTarget(inbox, list(self._events), self._steps, **self._target)  # type: ignore[arg-type]
        return self.target
