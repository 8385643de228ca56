"""The places of a function at which V8 can stop.

V8 takes the innermost function that begins at a position. A module that begins with a function is therefore not to be
had by its own beginning: only by a place that is known to be its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.errors import ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import GetPossibleBreakpointsResult, Location
    from server.cdp.connection import Call, Connection

_MOST_FUNCTIONS = 300
_FIRST_PLACES = 3


class BreakPlaces:
    """Asks V8. Belongs to the owner of its connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of_function(self, start: Location, inside: Location) -> list[Location]:
        """Every place of the function that has a place and begins where it is said to; in doubt, those behind."""
        whole, rest = self._post(start, in_function=True), self._post(inside, in_function=True)
        all_places, places_behind = self._found(whole), self._found(rest)
        is_same = bool(places_behind) and places_behind[-1] in all_places
        return all_places if is_same else places_behind

    def first_of_module(self, script_id: str) -> list[Location]:
        """The first places of a script that are in no function.

        Several, since the very first one may be that at which Node 18 has stopped already, while it linked the module.
        """
        from cdp_protocol.generated import debugger

        start = debugger.Location(script_id=script_id, line_number=0, column_number=0)
        places = self._found(self._post(start, in_function=False))
        of_functions: list[Location] = []
        for _ in range(_MOST_FUNCTIONS):
            place = next((place for place in places if place not in of_functions), None)
            if place is None:
                break
            same_function = self._found(self._post(place, in_function=True))
            if places[-1] in same_function:  # the end of the script is the module's own
                return same_function[:_FIRST_PLACES]
            of_functions += [place, *same_function]
        return []

    def is_debugger_statement(self, place: Location) -> bool:
        """Whether a `debugger` statement begins at a place."""
        from cdp_protocol.generated import debugger

        behind = debugger.Location(
            script_id=place.script_id, line_number=place.line_number, column_number=(place.column_number or 0) + 1
        )
        try:
            found = self._connection.send(debugger.GetPossibleBreakpoints(start=place, end=behind))
        except ProtocolError:
            return False
        return any(one.type == "debuggerStatement" for one in found.locations)

    def _post(self, start: Location, *, in_function: bool) -> Call[GetPossibleBreakpointsResult]:
        from cdp_protocol.generated import debugger

        return self._connection.post(debugger.GetPossibleBreakpoints(start=start, restrict_to_function=in_function))

    def _found(self, call: Call[GetPossibleBreakpointsResult]) -> list[Location]:
        from cdp_protocol.generated import debugger

        try:
            found = self._connection.wait(call).locations
        except ProtocolError:
            return []
        return [
            debugger.Location(script_id=one.script_id, line_number=one.line_number, column_number=one.column_number)
            for one in found
        ]
