"""Brings a program back to functions that are under way, where V8's own step out of a function would miss them.

V8 has no place to stop behind a `finally` that a `return` goes through, and forgets a step that ends there. Node's
`require` is such a function. So each place of the calling functions at which V8 can stop gets a breakpoint, until the
program has arrived at one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.cdp.break_places import BreakPlaces

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cdp_protocol.generated.debugger import Location, SetBreakpointResult
    from server.cdp.connection import Call, Connection
    from server.cdp.pause import Pause

_MOST_FUNCTIONS = 8
_MOST_PLACES = 400


class ReturnBreakpoints:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._places = BreakPlaces(connection)
        self._posted: list[Call[SetBreakpointResult]] = []
        self._depth = 0

    def arm(self, pause: Pause, frames: Sequence[int]) -> None:
        """Stop when the program comes back to one of these frames, innermost first, or to one that called them."""
        from cdp_protocol.generated import debugger

        self.remove()
        if not frames:
            return
        self._depth = len(pause.frames) - frames[0]
        for place in self._places_in([pause.frames[index] for index in frames]):
            self._posted.append(self._connection.post(debugger.SetBreakpoint(location=place)))

    def are_among(self, pause: Pause) -> bool:
        """Whether the program stands at one of these, be it in another call of the same function."""
        return not self._ids().isdisjoint(pause.breakpoint_ids)

    def are_only_ones_at(self, pause: Pause) -> bool:
        """Whether it stands at nothing else."""
        return self.are_among(pause) and self._ids().issuperset(pause.breakpoint_ids)

    def has_come_back(self, pause: Pause) -> bool:
        """Whether the program is back in one of the frames themselves."""
        return self.are_among(pause) and len(pause.frames) <= self._depth

    def remove(self) -> None:
        """Take them away; does not wait."""
        from cdp_protocol.generated import debugger

        for breakpoint_id in self._ids():
            self._connection.post(debugger.RemoveBreakpoint(breakpoint_id=breakpoint_id))
        self._posted.clear()

    def _ids(self) -> set[str]:
        # Asked at a pause or before the program goes on: V8 has answered everything by then, in order.
        return {call.result().breakpoint_id for call in self._posted if call.settled and call.failure is None}

    def _places_in(self, frames: Sequence[Mapping[str, Any]]) -> list[Location]:
        from cdp_protocol.base import decode
        from cdp_protocol.generated import debugger

        functions = {_function_key(frame): frame for frame in frames if frame.get("functionLocation")}
        places: list[Location] = []
        for frame in list(functions.values())[:_MOST_FUNCTIONS]:
            start, inside = (decode(debugger.Location, frame[key]) for key in ("functionLocation", "location"))
            places += self._places.of_function(start, inside)
        return places[:_MOST_PLACES]


def _function_key(frame: Mapping[str, Any]) -> tuple[Any, ...]:
    place = frame["functionLocation"]
    return place.get("scriptId"), place.get("lineNumber"), place.get("columnNumber")
