"""Keeps steps whole where a breakpoint is taken away under the feet of a program that stands still.

With the last breakpoint of a function V8 drops the copy of its code that can be stepped through. A call that is under
way goes on in the old one, and the next step runs past lines. So a breakpoint that never stops takes the place of one
that is taken away, until the program runs on without stepping.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from server.errors import ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import SetBreakpointResult
    from server.cdp.connection import Call, Connection

_NEVER = "false"


class StepAnchors:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._calls: list[Call[SetBreakpointResult]] = []

    def hold(self, places: Iterable[tuple[str, int, int]]) -> None:
        """Anchor these places: script, line and column as V8 counts them. Does not wait."""
        from cdp_protocol.generated import debugger

        for script_id, line, column in places:
            place = debugger.Location(script_id=script_id, line_number=line, column_number=column)
            self._calls.append(self._connection.post(debugger.SetBreakpoint(location=place, condition=_NEVER)))

    def let_go(self) -> None:
        """Take all anchors away."""
        from cdp_protocol.generated import debugger

        calls, self._calls = self._calls, []
        for call in calls:
            try:
                breakpoint_id = self._connection.wait(call).breakpoint_id
            except ProtocolError:
                continue  # there is one at this place already
            self._connection.post(debugger.RemoveBreakpoint(breakpoint_id=breakpoint_id))
