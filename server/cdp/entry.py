"""The first line of a program's own code, where node's own first pause is not quite there.

For an ES module node stops earlier, while the modules are linked: the variables do not exist yet, and V8 cannot step
from there. But all modules are loaded by then, so that a breakpoint can be put before the first statement of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cdp.break_places import BreakPlaces
from server.cdp.code_origin import CodeOrigin, url_to_origin
from server.cdp.frames import frame_url
from server.errors import ProtocolError

if TYPE_CHECKING:
    from server.cdp.connection import Connection
    from server.cdp.pause import Pause
    from server.cdp.scripts import ScriptTable

_LINKING = "instantiate"
_MOST_MODULES = 500


def is_while_linking(pause: Pause, scripts: ScriptTable) -> bool:
    """Whether modules are being linked: no code of theirs has run yet."""
    if len(pause.frames) < 2:
        return False
    caller = pause.frames[1]
    is_node = url_to_origin(frame_url(caller, scripts)) is CodeOrigin.RUNTIME
    return is_node and _LINKING in str(caller.get("functionName", "")).lower()


class EntryBreakpoints:
    """Breakpoints before the first statements of modules. Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, scripts: ScriptTable) -> None:
        self._connection = connection
        self._scripts = scripts
        self._places = BreakPlaces(connection)
        self._ids: set[str] = set()

    def arm(self, pause: Pause) -> None:
        """While modules are linked: stop at the first statement of the program's own that runs.

        The module that is linked first runs first. Where that is a package's, any of the others may be next.
        """
        from cdp_protocol.generated import debugger

        first = self._scripts.get(pause.script_id)
        own = [script.id for script in self._scripts if url_to_origin(script.url) is CodeOrigin.OWN]
        is_own_first = first is not None and url_to_origin(first.url) is CodeOrigin.OWN
        script_ids = [pause.script_id] if is_own_first else own[:_MOST_MODULES]
        places = [place for script_id in script_ids for place in self._places.first_of_module(script_id)]
        posted = [self._connection.post(debugger.SetBreakpoint(location=place)) for place in places]
        for call in posted:
            try:
                self._ids.add(self._connection.wait(call).breakpoint_id)
            except ProtocolError:
                continue  # one is there already: the session's own stops there as well

    def is_debugger_statement(self, pause: Pause) -> bool:
        """Whether node's first pause is at a `debugger` statement, at which V8 does not stop once more."""
        from cdp_protocol.generated import debugger

        place = debugger.Location(
            script_id=pause.script_id, line_number=pause.line_number, column_number=pause.column_number
        )
        return self._places.is_debugger_statement(place)

    def is_hit(self, pause: Pause) -> bool:
        """Whether the program stands at one of them."""
        return not self._ids.isdisjoint(pause.breakpoint_ids)

    def remove(self) -> None:
        """Take them away; does not wait."""
        from cdp_protocol.generated import debugger

        for breakpoint_id in self._ids:
            self._connection.post(debugger.RemoveBreakpoint(breakpoint_id=breakpoint_id))
        self._ids.clear()
