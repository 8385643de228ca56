"""The breakpoints of a session: what was asked for, where it is, and whether it is switched on."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterable
from dataclasses import replace

from server.debug.backend import Debuggee
from server.debug.breakpoint_place import find_place
from server.debug.hit_condition import HitCondition
from server.debug.session_model import Binding, Bound, Breakpoint, BreakpointSpec, Position, SourceText
from server.debug.session_requests import BreakpointRequest
from server.debug.source_lines import SourceLines
from server.errors import BreakpointNotFoundError, DeadlinePassed, DebugError, InvalidArgumentsError, LimitExceededError

log = logging.getLogger(__name__)


class BreakpointTable:
    """Sets breakpoints in a program and remembers them, in order. Belongs to the session's owner."""

    def __init__(self, debuggee: Debuggee, sources: SourceLines, max_breakpoints: int) -> None:
        self._debuggee = debuggee
        self._sources = sources
        self._max_breakpoints = max_breakpoints
        self._breakpoints: dict[str, Breakpoint] = {}
        self._next_number = 1
        self._changed: dict[str, None] = {}

    def __len__(self) -> int:
        return len(self._breakpoints)

    def set(self, wanted: BreakpointRequest) -> Breakpoint:
        """Find the place that is meant, and set a breakpoint there."""
        self._check(wanted)
        place = find_place(wanted, self._sources.of_file, self._debuggee.find_function)
        spec = BreakpointSpec(place, wanted.column, wanted.condition, wanted.hit_condition, wanted.log_message)
        breakpoint_id = f"bp{self._next_number}"
        self._next_number += 1
        binding = self._debuggee.set_breakpoint(breakpoint_id, spec)
        return self._shown(self._keep(Breakpoint(breakpoint_id, spec, binding, function=wanted.function)))

    def remove(self, breakpoint_id: str) -> Breakpoint:
        """Take one away for good."""
        last = self._shown(self._get(breakpoint_id))
        self._debuggee.remove_breakpoint(breakpoint_id)
        del self._breakpoints[breakpoint_id]
        self._changed.pop(breakpoint_id, None)
        return last

    def toggle(self, breakpoint_id: str, *, enabled: bool | None) -> Breakpoint:
        """Switch one on or off; None means the other way."""
        old = self._get(breakpoint_id)
        wanted = not old.enabled if enabled is None else enabled
        if wanted == old.enabled:
            return self._shown(old)
        if not wanted:
            self._debuggee.remove_breakpoint(breakpoint_id)
            return self._shown(self._keep(replace(old, enabled=False)))
        binding = self._debuggee.set_breakpoint(breakpoint_id, old.spec)
        return self._shown(self._keep(replace(old, enabled=True, binding=binding)))

    def all(self) -> tuple[Breakpoint, ...]:
        """Every breakpoint, in the order in which they were set, with its hits so far."""
        return self._all_shown(self._breakpoints.values())

    def note_bound(self, event: Bound) -> None:
        """The program loaded code, and a breakpoint found its place there."""
        known = self._breakpoints.get(event.breakpoint_id)
        if known is None or not known.enabled or known.binding == event.binding:
            return
        self._keep(replace(known, binding=event.binding))
        self._changed[event.breakpoint_id] = None

    def changed(self) -> tuple[Breakpoint, ...]:
        """Those that bound or moved and were not told of since."""
        return self._all_shown(self._breakpoints[breakpoint_id] for breakpoint_id in self._changed)

    def forget_changes(self) -> None:
        """They were told."""
        self._changed.clear()

    def _check(self, wanted: BreakpointRequest) -> None:
        if len(self._breakpoints) >= self._max_breakpoints:
            raise LimitExceededError(
                f"There are {len(self._breakpoints)} breakpoints already, as many as a session may have.",
                advice="remove_breakpoint makes room; list_breakpoints tells their ids.",
                details={"limit": self._max_breakpoints},
            )
        if wanted.hit_condition is not None:
            HitCondition.parse(wanted.hit_condition)
        if wanted.column is not None and wanted.column < 1:
            raise InvalidArgumentsError(f"There is no column {wanted.column}: the first one is 1.")

    def _get(self, breakpoint_id: str) -> Breakpoint:
        found = self._breakpoints.get(breakpoint_id)
        if found is None:
            known = list(self._breakpoints)
            raise BreakpointNotFoundError(
                f"There is no breakpoint {breakpoint_id!r}; there are: {', '.join(known) or 'none'}.",
                advice="list_breakpoints tells all of them.",
                details={"breakpoint_ids": known},
            )
        return found

    def _keep(self, changed: Breakpoint) -> Breakpoint:
        kept = replace(changed, source=self._source_at(changed))
        self._breakpoints[kept.id] = kept
        return kept

    def _shown(self, one: Breakpoint) -> Breakpoint:
        return self._all_shown([one])[0]

    def _all_shown(self, some: Iterable[Breakpoint]) -> tuple[Breakpoint, ...]:
        """With what is told of them but changes with the others, or with each pass."""
        hits = self._debuggee.hit_counts()
        return tuple(replace(one, hits=hits.get(one.id, 0), binding=self._binding_among_others(one)) for one in some)

    def _binding_among_others(self, one: Breakpoint) -> Binding:
        earlier = itertools.takewhile(lambda other: other.id != one.id, self._breakpoints.values())
        same = [other.id for other in earlier if other.enabled and other.binding.position == one.binding.position]
        if one.binding.position is None or not same:
            return one.binding
        told = f"{', '.join(same)} {'is' if len(same) == 1 else 'are'} there too"
        return replace(one.binding, message=told if one.binding.message is None else f"{one.binding.message}; {told}")

    def _source_at(self, one: Breakpoint) -> tuple[SourceText, ...]:
        place = one.binding.position or Position(one.spec.place.file, one.spec.place.line, 1)
        try:
            return self._sources.around(place)
        except (DebugError, DeadlinePassed) as error:  # the breakpoint is set, whether its lines can be shown or not
            log.debug("no source for %s: %s", one.id, error)
            return ()
