"""Puts what serves a session into the program, once for each of its global scopes.

It lives in a lexical binding of the global scope, as what captures values does (injection.py). The name is the
session's own: a program that is left to itself can be attached to again, also by two sessions at a time.
"""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

from server.cdp.injection import (
    ALLOWANCE,
    FORGET_INTERNALS,
    HIDE_FLAGS,
    STASH_INTERNALS,
    collector_source,
    injected_file,
    serialiser_source,
)
from server.cdp.pause import frame_context_id

if TYPE_CHECKING:
    from server.cdp.connection import Connection
    from server.cdp.pause import Pause

_NODE_S_OWN = "node:"


class SessionInjection:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, max_result_bytes: int, *, is_launched: bool) -> None:
        self._connection = connection
        self._max_result_bytes = max_result_bytes
        self._is_launched = is_launched
        token = secrets.token_hex(6)
        self.name = f"__debug_session_{token}__"
        """What it is called in the program: an object with a `serialiser`, `passes` and a `pager`."""
        self._binding = f"__debug_session_report_{token}__"
        self._prepared: set[int | None] = set()

    def prepare(self, pause: Pause, frame: int = 0) -> None:
        """Make the global scope of a frame ready, once; does not wait."""
        from cdp_protocol.generated import runtime

        context_id = frame_context_id(pause.frame_ids[frame])
        if context_id in self._prepared:
            return
        if not self._prepared:
            self._stash_internals(pause)
        self._prepared.add(context_id)
        # For this scope alone: in all others, and in those to come, the program would find it.
        self._connection.post(runtime.AddBinding(name=self._binding, execution_context_id=context_id))
        self._connection.post(
            runtime.Evaluate(
                expression=self._source(), include_command_line_api=True, silent=True, context_id=context_id
            )
        )

    def _stash_internals(self, pause: Pause) -> None:
        """Fetch what only a frame of Node's own can name; the outermost one is, but for rare cases."""
        from cdp_protocol.generated import debugger

        outermost = pause.frames[-1]
        if self._is_launched or str(outermost.get("url", "")).startswith(_NODE_S_OWN):
            self._connection.post(
                debugger.EvaluateOnCallFrame(
                    call_frame_id=pause.outermost_frame_id, expression=STASH_INTERNALS, silent=True
                )
            )

    def _source(self) -> str:
        # A program that was attached to may have flags that it wants its children to have.
        hide_flags = HIDE_FLAGS if self._is_launched else ""
        allowance = json.dumps(ALLOWANCE)
        return (
            f"const {self.name} = ((serialiser, send, util) => Object.freeze({{ __proto__: null, serialiser,"
            f" passes: ({injected_file('passes.js')}\n)(serialiser, send, {collector_source()}, {allowance}),"
            f" pager: ({injected_file('pager.js')}\n)(util) }}))"
            f"({serialiser_source(self._max_result_bytes)}, globalThis.{self._binding},"
            " typeof require === 'function' ? require('util') : null);"
            f" delete globalThis.{self._binding}; {FORGET_INTERNALS}{hide_flags}void 0"
        )
