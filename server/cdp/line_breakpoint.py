"""One breakpoint on a line of a file: set before the file loads, followed to where V8 puts it.

It can be set in several scripts: directly, in the file itself, and through the source maps of scripts that were made
from the file. Each has an id of V8's own; a hit of any of them is a hit of this breakpoint.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.cdp.script_urls import file_spellings, file_to_url_pattern
from server.debug.model import Placement, SourceLine
from server.errors import DisconnectedError, ProtocolError
from server.sourcemaps.source_map import Place, SourceMap

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import (
        BreakpointResolved,
        Location,
        SetBreakpointByUrl,
        SetBreakpointByUrlResult,
    )
    from server.cdp.connection import Call, Connection
    from server.cdp.pause import Pause
    from server.cdp.scripts import Script, ScriptTable

_SEARCH_LINES = 200
_MOST_NEAREST = 6


@dataclass(frozen=True, slots=True)
class _Mapped:
    """The map through which a breakpoint was set, and which of its sources is our file."""

    map: SourceMap
    source: int


@dataclass(frozen=True, slots=True)
class _Site:
    """One breakpoint of V8's: how it was set, so that it can be set again."""

    command: SetBreakpointByUrl
    mapped: _Mapped | None


class LineBreakpoint:
    """Belongs to the owner of its connection."""

    def __init__(
        self,
        connection: Connection,
        scripts: ScriptTable,
        place: SourceLine,
        *,
        column: int | None = None,
        condition: str | None = None,
        mark: str = "",
    ) -> None:
        """`mark` is a word that tells it from others at the same place: V8 refuses to set one that looks the same."""
        self._connection = connection
        self._scripts = scripts
        self._place = place
        self._column = column
        self._url_pattern = file_to_url_pattern(place.file) + (f"(?:{mark}){{0}}" if mark else "")
        self._spellings = file_spellings(place.file)
        self._sites: dict[str, _Site] = {}
        self._condition = condition
        self._direct_id: str | None = None
        self._bound: list[Place] = []
        self._bound_places: set[tuple[str, int, int]] = set()
        self._nearest_lines: tuple[int, ...] = ()
        self._seen_in_a_map = False

    # --- in the file itself ------------------------------------------------------------------------------

    def post(self) -> Call[SetBreakpointByUrlResult]:
        """Ask for the breakpoint, without waiting. It binds in every script of that file, now or later."""
        return self._connection.post(self._with_condition(self._direct_command()))

    def note_set(self, result: SetBreakpointByUrlResult) -> None:
        """Take V8's answer to `post`."""
        self._direct_id = result.breakpoint_id
        self._note_site(result, _Site(self._direct_command(), None))

    def _direct_command(self) -> SetBreakpointByUrl:
        from cdp_protocol.generated import debugger

        return debugger.SetBreakpointByUrl(
            line_number=self._place.line - 1,
            column_number=None if self._column is None else self._column - 1,
            url_regex=self._url_pattern,
        )

    # --- through a source map ----------------------------------------------------------------------------

    def set_through(self, source_map: SourceMap, script_file: str) -> None:
        """Set it in a script that was made from our file; the map of any other script is passed over."""
        from cdp_protocol.generated import debugger

        source = source_map.index_of(self._spellings)
        if source is None:
            return
        place = source_map.generated_place(source, self._place.line)
        self._seen_in_a_map = True
        if script_file in self._spellings:
            self._remove_direct()  # compiled in memory under the file's own name: its lines are not the file's
        if place is None:
            self._nearest_lines = _nearest(source_map.lines_with_code(source), self._place.line)
            return
        command = debugger.SetBreakpointByUrl(
            line_number=place.line - 1, column_number=place.column - 1, url_regex=file_to_url_pattern(script_file)
        )
        self._set(_Site(command, _Mapped(source_map, source)))

    def _remove_direct(self) -> None:
        from cdp_protocol.generated import debugger

        if self._direct_id is not None:
            self._connection.post(debugger.RemoveBreakpoint(breakpoint_id=self._direct_id))
            self._sites.pop(self._direct_id, None)
            self._direct_id = None
            self._bound.clear()

    # --- what happens there ------------------------------------------------------------------------------

    def set_condition(self, condition: str) -> None:
        """Let it stop only where this text is true, from now on; V8 can only set it anew for that."""
        self._condition = condition
        sites = list(self._sites.values())
        self.remove()
        self._bound.clear()
        for site in sites:
            self._set(site)

    def remove(self) -> None:
        """Take it away, for good or until it is set again; does not wait. Where it was stays known."""
        from cdp_protocol.generated import debugger

        for breakpoint_id in self._sites:
            self._connection.post(debugger.RemoveBreakpoint(breakpoint_id=breakpoint_id))
        self._sites.clear()

    def _set(self, site: _Site) -> None:
        result = self._connection.send(self._with_condition(site.command))
        if site.mapped is None:
            self._direct_id = result.breakpoint_id
        self._note_site(result, site)

    def _with_condition(self, command: SetBreakpointByUrl) -> SetBreakpointByUrl:
        return command if self._condition is None else command.model_copy(update={"condition": self._condition})

    # --- where it is -------------------------------------------------------------------------------------

    def note_resolved(self, event: BreakpointResolved) -> None:
        """Take V8's word that a breakpoint bound in a script that has just loaded."""
        if event.breakpoint_id in self._sites:
            self._note_location(event.location, self._sites[event.breakpoint_id].mapped)

    def is_among(self, breakpoint_ids: Iterable[str]) -> bool:
        """Whether one of these is this breakpoint."""
        return any(breakpoint_id in self._sites for breakpoint_id in breakpoint_ids)

    def is_at(self, pause: Pause) -> bool:
        """Whether it is bound just where the program stands."""
        return (pause.script_id, pause.line_number, pause.column_number) in self._bound_places

    @property
    def places(self) -> frozenset[tuple[str, int, int]]:
        """Where it is bound: script, line and column as V8 counts them."""
        return frozenset(self._bound_places)

    @property
    def bound_place(self) -> Place | None:
        """Where it is in its file; the first place where there are several."""
        return self._bound[0] if self._bound else None

    @property
    def is_bound(self) -> bool:
        """Whether there is code at which it stops."""
        return bool(self._bound)

    @property
    def loaded_line_count(self) -> int | None:
        """How many lines the file has, where it is loaded; the last script of it counts."""
        scripts = self._scripts.of_file(self._place.file)
        return scripts[-1].line_count if scripts else None

    def search_nearby(self) -> None:
        """Ask a live target for lines with code, where the file is loaded and the line has none."""
        scripts = self._scripts.of_file(self._place.file)
        if self.is_bound or not scripts or self._connection.closed or self._nearest_lines:
            return
        try:
            self._nearest_lines = self._lines_with_code(scripts[-1])
        except (ProtocolError, DisconnectedError):
            self._nearest_lines = ()  # a hint less, and no reason to lose the rest of the answer

    def placement(self) -> Placement:
        """What became of it."""
        return Placement(
            requested=self._place,
            file_loaded=self._seen_in_a_map or bool(self._scripts.of_file(self._place.file)),
            bound_line=self._bound[0].line if self._bound else None,
            nearest_lines=self._nearest_lines,
            loaded_namesakes=self._scripts.namesakes(self._place.file),
        )

    def _note_site(self, result: SetBreakpointByUrlResult, site: _Site) -> None:
        self._sites[result.breakpoint_id] = site
        for location in result.locations:
            self._note_location(location, site.mapped)

    def _note_location(self, location: Location, mapped: _Mapped | None) -> None:
        column_number = location.column_number or 0
        self._bound_places.add((location.script_id, location.line_number, column_number))
        if mapped is None:
            self._bound.append(Place(location.line_number + 1, column_number + 1))
            return
        generated = Place(location.line_number + 1, column_number + 1)
        line = mapped.map.original_line(mapped.source, generated)
        if line is not None:
            self._bound.append(Place(line, 1))

    def _lines_with_code(self, script: Script) -> tuple[int, ...]:
        from cdp_protocol.generated import debugger

        # A line past the end of the file has its neighbours at the end.
        centre = min(self._place.line, script.last_line)
        first, last = max(1, centre - _SEARCH_LINES), centre + _SEARCH_LINES
        answer = self._connection.send(
            debugger.GetPossibleBreakpoints(
                start=debugger.Location(script_id=script.id, line_number=first - 1, column_number=0),
                end=debugger.Location(script_id=script.id, line_number=last - 1, column_number=0),
            )
        )
        return _nearest({location.line_number + 1 for location in answer.locations}, centre)


def _nearest(lines: Iterable[int], centre: int) -> tuple[int, ...]:
    return tuple(sorted(sorted(lines, key=lambda line: abs(line - centre))[:_MOST_NEAREST]))
