"""One breakpoint on a line of a file: set before the file loads, followed to where V8 puts it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from server.cdp.script_urls import file_to_url_pattern
from server.debug.model import Placement, SourceLine
from server.errors import DisconnectedError, ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import BreakpointResolved, Location, SetBreakpointByUrlResult
    from server.cdp.connection import Call, Connection
    from server.cdp.scripts import Script, ScriptTable

_SEARCH_LINES = 200
_MOST_NEAREST = 6


class LineBreakpoint:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, scripts: ScriptTable, place: SourceLine) -> None:
        self._connection = connection
        self._scripts = scripts
        self._place = place
        self._ids: set[str] = set()
        self._bound_lines: list[int] = []
        self._nearest_lines: tuple[int, ...] = ()

    def post(self) -> Call[SetBreakpointByUrlResult]:
        """Ask for the breakpoint, without waiting. It binds in every script of that file, now or later."""
        from cdp_protocol.generated import debugger

        return self._connection.post(
            debugger.SetBreakpointByUrl(
                line_number=self._place.line - 1, url_regex=file_to_url_pattern(self._place.file)
            )
        )

    def note_set(self, result: SetBreakpointByUrlResult) -> None:
        """Take V8's answer to `post`."""
        self._ids.add(result.breakpoint_id)
        for location in result.locations:
            self._note_location(location)

    def note_resolved(self, event: BreakpointResolved) -> None:
        """Take V8's word that a breakpoint bound in a script that has just loaded."""
        if event.breakpoint_id in self._ids:
            self._note_location(event.location)

    def is_among(self, breakpoint_ids: Iterable[str]) -> bool:
        """Whether one of these is this breakpoint."""
        return not self._ids.isdisjoint(breakpoint_ids)

    @property
    def is_bound(self) -> bool:
        """Whether there is code at which it stops."""
        return bool(self._bound_lines)

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
            file_loaded=bool(self._scripts.of_file(self._place.file)),
            bound_line=self._bound_lines[0] if self._bound_lines else None,
            nearest_lines=self._nearest_lines,
            loaded_namesakes=self._scripts.namesakes(self._place.file),
        )

    def _note_location(self, location: Location) -> None:
        self._bound_lines.append(location.line_number + 1)

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
        lines = {location.line_number + 1 for location in answer.locations}
        nearest = sorted(lines, key=lambda line: abs(line - centre))[:_MOST_NEAREST]
        return tuple(sorted(nearest))
