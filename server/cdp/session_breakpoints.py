"""The breakpoints of a session: set by name, bound as files load, counted, and quiet where they only log.

One with a condition, a hit condition or a message is a condition of V8's that decides inside the program
(injected/passes.js): where it is not met the program does not stop. Each pass that counts is reported through a
binding. The first pass in each global scope is a stop at which the same text is evaluated: there the scope is made
ready, and the program is trusted to decide by itself from then on. It is not in scripts of the module `vm`, which V8
asks several times a pass; there each pass is a stop.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from server.cdp.expression_check import refuse_what_does_not_compile
from server.cdp.line_breakpoint import LineBreakpoint
from server.cdp.mapped_scripts import may_need_a_map
from server.cdp.pass_source import UNREADY, PassSource
from server.cdp.step_anchors import StepAnchors
from server.debug.session_model import Binding, Bound, BreakpointSpec, Logged, Position
from server.errors import ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import BreakpointResolved
    from server.cdp.connection import Connection
    from server.cdp.pause import Pause
    from server.cdp.scripts import ScriptTable
    from server.cdp.session_injection import SessionInjection
    from server.debug.model import Placement, SourceLine

_EVALUATION_TIMEOUT_MS = 5_000
_PENDING = "pending: the file is not loaded yet"
_NEVER_LOADED = "the file was never loaded"
_COMPILED = "; a breakpoint in a file that is compiled binds only where that file itself runs: set it in what runs"


@dataclass(frozen=True, slots=True)
class BreakpointVerdict:
    """What a pause means for the breakpoints of a session."""

    ids: tuple[str, ...] = ()
    """The session's names of those that were hit."""
    go_on: bool = False
    """Whether the program stands still only for the debugger's own sake: nobody is to be told."""
    bound: tuple[Bound, ...] = ()
    """What is new about breakpoints that wait for a place."""


@dataclass(slots=True)
class _SessionBreakpoint:
    """One breakpoint, and what was told of it last."""

    id: str
    spec: BreakpointSpec
    line: LineBreakpoint
    source: PassSource
    told: Binding = field(default_factory=Binding)
    failure: str | None = None
    """What its condition threw first."""
    trusted_in: set[int | None] = field(default_factory=set)
    """The global scopes in which the program decides by itself."""


class SessionBreakpoints:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, scripts: ScriptTable, injection: SessionInjection) -> None:
        self._connection = connection
        self._scripts = scripts
        self._injection = injection
        self._all: dict[str, _SessionBreakpoint] = {}
        self._hits: Counter[str] = Counter()
        self._once: LineBreakpoint | None = None
        self._once_place: SourceLine | None = None
        self._anchors = StepAnchors(connection)
        self._stands_still = False
        self._settings = 0
        self._scripts_looked_at = 0
        self._only_to_catch_up: set[str] = set()
        """Where the program has announced that it stops next, so that its reports can be read."""

    # --- setting and taking away ------------------------------------------------------------------------------------

    def set(self, breakpoint_id: str, spec: BreakpointSpec) -> Binding:
        """Set one, also before its file is loaded; raises `InvalidArgumentsError` for text that does not compile."""
        self._settings += 1
        source = PassSource(self._injection.name, breakpoint_id, self._settings, spec)
        line = LineBreakpoint(
            self._connection,
            self._scripts,
            spec.place,
            column=spec.column,
            condition=source.as_condition() if source.is_needed else None,
            mark=breakpoint_id,
        )
        refuse_what_does_not_compile(self._connection, source.texts())
        self.remove(breakpoint_id)
        line.note_set(self._connection.wait(line.post()))
        one = self._all[breakpoint_id] = _SessionBreakpoint(breakpoint_id, spec, line, source)
        self._hits.setdefault(breakpoint_id, 0)
        one.told = self._binding(one)
        return one.told

    def set_once(self, place: SourceLine) -> Binding:
        """Have the program stop at a line, if it comes there before the next stop. It does not move."""
        self.remove_once()
        self._settings += 1
        line = LineBreakpoint(self._connection, self._scripts, place, mark=f"once{self._settings}")
        line.note_set(self._connection.wait(line.post()))
        self._once, self._once_place = line, place
        binding = _line_to_binding(line, place)
        if binding.position is None or binding.position.line == place.line:
            return binding
        self.remove_once()
        return Binding(message=f"line {place.line} has no code", nearest_lines=(binding.position.line,))

    def remove(self, breakpoint_id: str) -> None:
        """Take one away; an unknown one is no mistake. Does not wait."""
        one = self._all.pop(breakpoint_id, None)
        if one is not None:
            self._take_away(one.line)

    def remove_all(self) -> None:
        """Take all away, for a program that is to be left alone."""
        self._stands_still = False
        self.remove_once()
        for breakpoint_id in list(self._all):
            self.remove(breakpoint_id)
        self._anchors.let_go()

    def hit_counts(self) -> Mapping[str, int]:
        """How often each was hit, those taken away too; does not wait."""
        return dict(self._hits)

    def remove_once(self) -> None:
        """Take away what `set_once` set; does not wait."""
        if self._once is not None:
            self._take_away(self._once)
            self._once = self._once_place = None

    def note_stop(self) -> None:
        """A pause is told as a stop: what was there only until the next one is taken away."""
        self._stands_still = True
        self.remove_once()

    def before_going_on(self, *, is_step: bool) -> None:
        """The program is about to move on from a stop."""
        self._stands_still = False
        if not is_step:
            self._anchors.let_go()

    def _take_away(self, line: LineBreakpoint) -> None:
        if self._stands_still:
            self._anchors.hold(line.places)
        line.remove()

    # --- what the program tells --------------------------------------------------------------------------------------

    def note_resolved(self, event: BreakpointResolved) -> Bound | None:
        """Take V8's word that a breakpoint bound in a script that has just loaded."""
        self._note_once_resolved(event)
        for one in self._all.values():
            if one.line.is_among((event.breakpoint_id,)):
                one.line.note_resolved(event)
                return self._news(one)
        return None

    def note_report(self, payload: str) -> Logged | Bound | None:
        """Take what the injected code sent through its binding; passes.js says what there is."""
        word, _, rest = payload.partition(" ")
        if word == "catch":
            _, _, rest = rest.partition(" ")
        breakpoint_id, _, content = rest.partition(" ")
        one = self._all.get(breakpoint_id)
        match word:
            case "hit":
                self._hits[breakpoint_id] += 1
            case "log":
                self._hits[breakpoint_id] += 1
                return Logged(breakpoint_id, content)
            case "catch":
                self._only_to_catch_up.add(breakpoint_id)
            case "failed" if one is not None:
                one.failure = _thrown_text(content)
                return self._news(one)
            case _:
                pass  # of one that was taken away meanwhile
        return None

    def at_pause(self, pause: Pause) -> BreakpointVerdict:
        """To be asked at every pause, the very first one too: it makes new global scopes ready."""
        if not pause.frames:
            return BreakpointVerdict()
        self._injection.prepare(pause)
        hit = [one for one in self._all.values() if one.line.is_among(pause.breakpoint_ids)]
        ids = tuple(one.id for one in hit if self._is_met(one, pause))
        self._only_to_catch_up.clear()
        is_at_once = self._once is not None and self._once.is_among(pause.breakpoint_ids)
        go_on = bool(hit) and not ids and not is_at_once
        return BreakpointVerdict(ids, go_on, self._news_of_loaded_files())

    def at_first_pause(self, pause: Pause) -> BreakpointVerdict:
        """For a program that was held before the breakpoints were set: V8 does not stop a second time where it is."""
        here = [one for one in self._all.values() if one.line.is_at(pause)]
        return BreakpointVerdict(tuple(one.id for one in here if self._is_met(one, pause)))

    def _is_met(self, one: _SessionBreakpoint, pause: Pause) -> bool:
        if not one.source.is_needed:
            self._hits[one.id] += 1
            return True
        if pause.context_id not in one.trusted_in:
            return self._decide(one, pause)
        return one.id not in self._only_to_catch_up

    def _decide(self, one: _SessionBreakpoint, pause: Pause) -> bool:
        """What the program would have said, were it trusted; the reports of it come as always."""
        from cdp_protocol.generated import debugger

        script = self._scripts.get(pause.script_id)
        trust = script is None or not script.may_run_again
        if trust:
            one.trusted_in.add(pause.context_id)
        command = debugger.EvaluateOnCallFrame(
            call_frame_id=pause.frame_id,
            expression=one.source.in_frame(trust=trust),
            silent=True,
            return_by_value=True,
            timeout=_EVALUATION_TIMEOUT_MS,
        )
        try:
            decision = self._connection.send(command).result.value
        except ProtocolError:
            return True  # it did not end in time: better to stop where one should not than not at all
        return decision is True or decision == UNREADY

    def _note_once_resolved(self, event: BreakpointResolved) -> None:
        if self._once is None or self._once_place is None or not self._once.is_among((event.breakpoint_id,)):
            return
        self._once.note_resolved(event)
        place = self._once.bound_place
        if place is not None and place.line != self._once_place.line:
            self.remove_once()

    def news_at_end(self) -> tuple[Bound, ...]:
        """What became of those that still wait for their file when the program ends; does not wait."""
        unbound = [(one, one.line.placement()) for one in self._all.values() if not one.line.is_bound]
        return tuple(
            Bound(one.id, _not_loaded(placement, _NEVER_LOADED))
            for one, placement in unbound
            if not placement.file_loaded
        )

    # --- where they are ----------------------------------------------------------------------------------------------

    def _news_of_loaded_files(self) -> tuple[Bound, ...]:
        """A file that has loaded without binding the breakpoints in it has no code there: V8 does not tell."""
        if self._scripts_looked_at == self._scripts.added:
            return ()
        self._scripts_looked_at = self._scripts.added
        waiting = [one for one in self._all.values() if not one.line.is_bound and not one.told.nearest_lines]
        return tuple(news for one in waiting if (news := self._news(one)) is not None)

    def _news(self, one: _SessionBreakpoint) -> Bound | None:
        binding = self._binding(one)
        if binding == one.told:
            return None
        one.told = binding
        return Bound(one.id, binding)

    def _binding(self, one: _SessionBreakpoint) -> Binding:
        binding = _line_to_binding(one.line, one.spec.place)
        if one.failure is None:
            return binding
        threw = f"the condition threw, and does not count then: {one.failure}"
        message = threw if binding.message is None else f"{binding.message}; {threw}"
        return Binding(binding.position, message, binding.nearest_lines)


def _line_to_binding(line: LineBreakpoint, wanted: SourceLine) -> Binding:
    bound = line.bound_place
    if bound is not None:
        moved = None if bound.line == wanted.line else f"line {wanted.line} has no code: it is at {bound.line}"
        return Binding(Position(wanted.file, bound.line, bound.column), moved)
    line.search_nearby()
    placement = line.placement()
    if placement.file_loaded:
        return Binding(message=_why_no_code(line, wanted), nearest_lines=placement.nearest_lines)
    return _not_loaded(placement, _PENDING)


def _not_loaded(placement: Placement, why: str) -> Binding:
    namesakes = ", ".join(placement.loaded_namesakes)
    hint = f"; loaded files of that name: {namesakes}" if namesakes else ""
    return Binding(message=why + hint + (_COMPILED if may_need_a_map(placement.requested.file) else ""))


def _why_no_code(line: LineBreakpoint, wanted: SourceLine) -> str:
    lines = line.loaded_line_count
    if lines is not None and wanted.line > lines:
        return f"there is no line {wanted.line}: the file has {lines} lines"
    return f"line {wanted.line} has no code"


def _thrown_text(json_text: str) -> str:
    with suppress(ValueError, LookupError, TypeError):
        return str(json.loads(json_text)["value"])
    return json_text
