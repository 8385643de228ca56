"""Puts what serves a session into the program, once for each of its global scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.cdp.connection import Connection
    from server.cdp.pause import Pause


class SessionInjection:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, max_result_bytes: int, *, is_launched: bool) -> None:
        self._connection = connection
        self._max_result_bytes = max_result_bytes
        self._is_launched = is_launched

    def prepare(self, pause: Pause) -> bool:
        """Make the global scope in which the program stands ready; does not wait. Whether it was not ready before."""
        raise NotImplementedError
