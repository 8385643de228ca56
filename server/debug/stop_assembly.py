"""Puts together what is told of a stop: names for its frames, source, locals, watches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from server.debug.backend import Debuggee
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.line_names import line_to_names
from server.debug.session_model import SourceText, Stop, Stopped, WatchReading
from server.debug.source_lines import SourceLines
from server.debug.stop_names import StopNames
from server.debug.value import NO_VARIABLES, Page, VariablePage
from server.debug.watch_list import WATCH_TIMEOUT_S, WatchList
from server.errors import DeadlinePassed, DebugError, ProgramGoneError

T = TypeVar("T")

MAX_LOCALS = 30
_NO_SOURCE: Final[tuple[SourceText, ...]] = ()
_NO_WATCHES: Final[tuple[WatchReading, ...]] = ()
_PART_S = 3.0
"""How long a part of the answer may take, beyond what its expressions may."""


class StopAssembly:
    """Reads a program that has just stopped. Belongs to the session's owner."""

    def __init__(
        self, debuggee: Debuggee, inbox: Inbox, names: StopNames, sources: SourceLines, watches: WatchList
    ) -> None:
        self._debuggee = debuggee
        self._inbox = inbox
        self._names = names
        self._sources = sources
        self._watches = watches

    def assemble(self, stopped: Stopped) -> Stop:
        """Everything about a new stop. What cannot be had is noted; only a program that is gone fails it all."""
        self._names.forget()
        self._watches.begin_stop()
        stop = Stop(
            reason=stopped.reason,
            frames=self._names.name_frames(stopped.frames),
            breakpoint_ids=stopped.breakpoint_ids,
            exception=None if stopped.exception is None else self._names.name_thrown(stopped.exception),
            notes=stopped.notes,
        )
        notes: list[str] = []
        position = stopped.frames[0].position if stopped.frames else None
        if position is not None:
            source = self._read("The source", lambda: self._sources.around(position), _NO_SOURCE, notes)
            stop = replace(stop, source=source)
        return self.refresh(replace(stop, notes=(*stop.notes, *notes)))

    def refresh(self, stop: Stop) -> Stop:
        """Read anew what may change while the program stands still, since expressions have effects."""
        if not stop.frames:
            return stop
        notes: list[str] = []
        line = next((text.text for text in stop.source if text.is_current), "")
        variables = self._read("The variables", lambda: self._locals(line), NO_VARIABLES, notes)
        watches = self._read("The watches", self.read_watches, _NO_WATCHES, notes)
        kept = tuple(note for note in stop.notes if note not in notes)
        return replace(stop, locals=variables, watches=watches, notes=(*kept, *notes))

    def read_watches(self) -> tuple[WatchReading, ...]:
        """The watched expressions in the innermost frame."""
        evaluations = self._watches.evaluations()
        if not evaluations:
            return ()
        self._inbox.deadline = Deadline.after(_PART_S + WATCH_TIMEOUT_S * len(evaluations))
        values = self._debuggee.evaluate(0, evaluations)
        return self._watches.readings([self._names.name_value(value) for value in values])

    def _locals(self, line: str) -> VariablePage:
        page = Page(count=MAX_LOCALS)
        scope: str | None = "local"
        variables = self._debuggee.variables(0, scope, page)
        if variables.total == 0:  # code outside of functions has none of its own; then whatever it sees is shown
            scope = None
            variables = self._debuggee.variables(0, scope, page)
        return self._names.name_page(self._with_names_of(line, variables, scope))

    def _with_names_of(self, line: str, shown: VariablePage, scope: str | None) -> VariablePage:
        """The variables that the current line uses, from wherever it sees them. A function says enough by its name."""
        known = {variable.name for variable in shown.variables}
        wanted = tuple(name for name in line_to_names(line) if name not in known)
        if not wanted:
            return shown
        found = self._debuggee.variables(0, None, Page(names=wanted)).variables
        used = tuple(one for one in found if one.value.type != "function")
        uncounted = 0 if scope is None else sum(one.scope != scope for one in used)
        return replace(shown, variables=(*shown.variables, *used), total=shown.total + uncounted)

    def _read(self, what: str, read: Callable[[], T], otherwise: T, notes: list[str]) -> T:
        self._inbox.deadline = Deadline.after(_PART_S)
        try:
            return read()
        except ProgramGoneError:
            raise
        except DebugError as error:
            notes.append(f"{what} could not be read: {error.message}")
        except DeadlinePassed:
            notes.append(f"{what} could not be read in time.")
        return otherwise
