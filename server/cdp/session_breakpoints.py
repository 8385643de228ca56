"""The breakpoints of a session: set by name, bound as files load, counted, and quiet where they only log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import BreakpointResolved
    from server.cdp.connection import Connection
    from server.cdp.pause import Pause
    from server.cdp.scripts import ScriptTable
    from server.cdp.session_injection import SessionInjection
    from server.debug.model import SourceLine
    from server.debug.session_model import Binding, Bound, BreakpointSpec, Logged


@dataclass(frozen=True, slots=True)
class BreakpointVerdict:
    """What a pause means for the breakpoints of a session."""

    ids: tuple[str, ...] = ()
    """The session's names of those that were hit."""
    go_on: bool = False
    """Whether the program stands still only for the debugger's own sake: nobody is to be told."""


class SessionBreakpoints:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, scripts: ScriptTable, injection: SessionInjection) -> None:
        self._connection = connection
        self._scripts = scripts
        self._injection = injection

    def set(self, breakpoint_id: str, spec: BreakpointSpec) -> Binding:
        """Set one, also before its file is loaded; raises `InvalidArgumentsError` for text that does not compile."""
        raise NotImplementedError

    def set_once(self, place: SourceLine) -> Binding:
        """Have the program stop at a line, if it comes there before the next stop."""
        raise NotImplementedError

    def remove(self, breakpoint_id: str) -> None:
        """Take one away; an unknown one is no mistake. Does not wait."""
        raise NotImplementedError

    def remove_all(self) -> None:
        """Take all away; does not wait."""
        raise NotImplementedError

    def note_resolved(self, event: BreakpointResolved) -> Bound | None:
        """Take V8's word that a breakpoint bound in a script that has just loaded."""
        raise NotImplementedError

    def at_pause(self, pause: Pause) -> BreakpointVerdict:
        """To be asked at every pause, the very first one too: it makes new global scopes ready."""
        raise NotImplementedError

    def note_report(self, payload: str) -> Logged | None:
        """Take what the injected code sent through its binding."""
        raise NotImplementedError

    def hit_counts(self) -> Mapping[str, int]:
        """How often each was hit, those taken away too; does not wait."""
        raise NotImplementedError
