"""The sources of a program: what is loaded, its text, and where functions are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.cdp.connection import Connection
    from server.cdp.scripts import ScriptTable
    from server.debug.model import SourceLine
    from server.debug.session_model import ScriptInfo


class Sources:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, scripts: ScriptTable) -> None:
        self._connection = connection
        self._scripts = scripts

    def scripts(self) -> tuple[ScriptInfo, ...]:
        """Every script that was loaded so far, Node's own too."""
        raise NotImplementedError

    def source(self, script_id: str) -> str:
        """The text of a script, as it runs."""
        raise NotImplementedError

    def find_function(self, name: str, file: str | None, roots: Sequence[str]) -> tuple[SourceLine, ...]:
        """Where functions of this name begin: the first line inside each that has code."""
        raise NotImplementedError
