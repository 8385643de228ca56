"""How a step gets to where it may end: over Node's own code, which V8 cannot be told to skip.

V8 passes over the scripts that match a pattern, so that packages cost nothing. Node's own scripts come from a snapshot
and are exempt from that. A step that lands there goes on, in one of two ways:

- *Back*, to the program's own code on the stack below. What Node calls on the way is not seen.
- *In*, statement by statement, until something of the program's own is entered: a listener, a callback, the next timer.
  It takes about a millisecond a statement. For a step into a function it is tried for a while; where nothing of the
  program's own is on the stack, there is no other way.

Nothing here talks to the program: stands go in, moves come out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from server.cdp.code_origin import CodeOrigin, url_to_origin
from server.cdp.frames import frame_url
from server.debug.session_model import StepKind, StopReason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.cdp.pause import Pause
    from server.cdp.scripts import ScriptTable

_LOOKS_INSIDE_NODE = 30
"""How many statements of Node's a step into a function looks at for a call of the program's own code."""
_MOST_STATEMENTS = 10_000
"""After so many the program is let go: its own code does not seem to run any more."""


class Move(Enum):
    """What V8 can be told to do next."""

    INTO = "stepInto"
    OVER = "stepOver"
    OUT = "stepOut"
    BACK = "resume, up to a function that is under way"
    ON = "resume"


_FIRST_MOVES = {StepKind.INTO: Move.INTO, StepKind.OVER: Move.OVER, StepKind.OUT: Move.OUT}


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a program stands, as far as a step cares."""

    origins: tuple[CodeOrigin, ...]
    """Whose code each frame is, innermost first."""
    functions: tuple[tuple[Any, ...], ...]
    """Something that tells the functions of the frames apart."""
    script_id: str
    line_number: int

    @property
    def depth(self) -> int:
        """How many calls are under way."""
        return len(self.functions)

    @property
    def depth_without_node(self) -> int:
        """The same without Node's own, which differ where a function goes on after it waited."""
        return sum(origin is not CodeOrigin.RUNTIME for origin in self.origins)

    def is_at_line_of(self, other: Stand) -> bool:
        """Whether both are at the same line."""
        return (self.script_id, self.line_number) == (other.script_id, other.line_number)

    def is_below(self, other: Stand) -> bool:
        """Whether the function in which the other one stands is still under way here."""
        return self.depth >= other.depth and self.functions[-other.depth] == other.functions[0]


def pause_to_stand(pause: Pause, scripts: ScriptTable) -> Stand:
    """What of a pause matters for a step."""
    return Stand(
        origins=tuple(url_to_origin(frame_url(frame, scripts)) for frame in pause.frames),
        functions=tuple(_function_key(frame) for frame in pause.frames),
        script_id=pause.script_id,
        line_number=pause.line_number,
    )


def _function_key(frame: Mapping[str, Any]) -> tuple[Any, ...]:
    place = frame.get("functionLocation") or {}
    return place.get("scriptId"), place.get("lineNumber"), place.get("columnNumber")


class Travel:
    """One step under way, from where it began; or the way to the first line of the program's own code."""

    def __init__(
        self,
        kind: StepKind,
        start: Stand,
        *,
        into_internals: bool,
        skip_packages: bool,
        reason: StopReason = StopReason.STEP,
    ) -> None:
        self.kind = kind
        self.start = start
        self.into_internals = into_internals
        self.reason = reason
        """Of the stop with which it ends."""
        self._skips = () if into_internals else _skipped_origins(skip_packages)
        self._statements_of_node = 0
        self._was_interrupted = False

    @property
    def passes_over_packages(self) -> bool:
        """Whether V8 is to skip what the packages do."""
        return not self.into_internals

    @property
    def first_move(self) -> Move:
        """How the step begins."""
        return _FIRST_MOVES[self.kind]

    def at_pause(self, stand: Stand) -> Move | None:
        """How the step goes on from where it landed; None where it may end."""
        if not stand.origins or stand.origins[0] not in self._skips:
            return self.first_move if self._is_still_on_its_line(stand) else None
        own_is_below = any(origin not in self._skips for origin in stand.origins)
        if own_is_below and (self.kind is not StepKind.INTO or self._statements_of_node >= _LOOKS_INSIDE_NODE):
            return Move.BACK
        if self._statements_of_node >= _MOST_STATEMENTS:
            return Move.ON
        self._statements_of_node += 1
        return Move.INTO

    def after_interruption(self, stand: Stand) -> Move:
        """How the step goes on after a pause that nobody is to be told of: V8 has forgotten the step by then."""
        if self.kind is StepKind.INTO or stand.depth == self.start.depth:
            return self.first_move
        if not stand.is_below(self.start):
            return Move.ON  # other code ran while the step waited; where it was to end cannot be told any more
        self._was_interrupted = True
        return Move.BACK

    def landing_frames(self, stand: Stand) -> list[int]:
        """The frames, innermost first, in which the step may end when the program comes back to them."""
        calls_since = max(0, stand.depth - self.start.depth) if stand.is_below(self.start) else 0
        first = calls_since + (self.kind is StepKind.OUT)
        return [index for index in range(first, stand.depth) if stand.origins[index] not in self._skips]

    def has_gone_deeper(self, stand: Stand) -> bool:
        """Whether the program stands in something that the step was to pass over."""
        return self.kind is not StepKind.INTO and stand.depth_without_node > self.start.depth_without_node

    def has_entered_nothing(self, stand: Stand) -> bool:
        """Whether a step into a function ended in the one where it began."""
        if self.kind is not StepKind.INTO or self.into_internals or self.reason is not StopReason.STEP:
            return False
        return stand.depth == self.start.depth and stand.functions[:1] == self.start.functions[:1]

    def _is_still_on_its_line(self, stand: Stand) -> bool:
        """Whether a step over a line came back to it after an interruption, and has the rest of it before it."""
        is_back = self._was_interrupted and stand.depth == self.start.depth
        return is_back and self.kind is StepKind.OVER and stand.is_at_line_of(self.start)


class PauseTravel:
    """A pause that was asked for: at once, wherever the program is, unless only Node itself is at work."""

    reason = StopReason.PAUSE
    passes_over_packages = False

    def __init__(self) -> None:
        self.is_asked_for = False
        """Whether V8 has been told."""
        self._statements_of_node = 0

    def at_pause(self, stand: Stand) -> Move | None:
        """How to go on from there; None where the program may be told to stand still."""
        is_only_node = all(origin is CodeOrigin.RUNTIME for origin in stand.origins)
        if not is_only_node or self._statements_of_node >= _MOST_STATEMENTS:
            return None
        self._statements_of_node += 1
        return Move.INTO

    def after_interruption(self, _stand: Stand) -> Move:
        """The next thing that runs will do as well."""
        return Move.INTO


def _skipped_origins(skip_packages: bool) -> tuple[CodeOrigin, ...]:
    return (CodeOrigin.RUNTIME, CodeOrigin.PACKAGE) if skip_packages else (CodeOrigin.RUNTIME,)
