"""Puts what captures values into the program, once for each of its global scopes, before its own code runs there.

It lives in a lexical binding of the global scope, so that no property of the global object tells of it. The debugger's
binding, through which values leave the program, begins as such a property: it is taken and deleted in the same breath.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.cdp.connection import Connection

REPORTER = "__debug_script_reporter__"
"""The name, in the program, of what serialises and reports."""
BINDING = "__debug_script_report__"
"""The name of the debugger's binding, in the events that it makes."""
_INTERNALS = "__debug_script_internals__"
# Only a frame of Node's own code can name its internals. They tell the state of a promise and what a proxy stands for,
# which nothing public does without running code of the program.
STASH_INTERNALS = f"void(globalThis.{_INTERNALS} = require('internal/bootstrap/realm').internalBinding('util'))"
FORGET_INTERNALS = f"delete globalThis.{_INTERNALS};"
_LIMITS = {"depth": 64, "items": 100_000, "properties": 100_000, "functionText": 2_000}
ALLOWANCE = {"hits": 10_000, "characters": 2_000_000}
# A forked child would inherit the flag and wait for a debugger that never comes.
HIDE_FLAGS = (
    "if (typeof process === 'object' && process !== null && Array.isArray(process.execArgv))"
    " process.execArgv.splice(0, process.execArgv.length,"
    " ...process.execArgv.filter((flag) => !/^--inspect(-brk|-wait)?(=|$)/.test(flag)));"
)


@cache
def injected_file(name: str) -> str:
    """The text of one of the files that are made for the program."""
    return files("server.cdp").joinpath("injected", name).read_text("utf-8")


def _installation_source(max_result_bytes: int, hits_left: int) -> str:
    allowance = json.dumps({**ALLOWANCE, "left": hits_left})
    return (
        f"const {REPORTER} = ({injected_file('reporter.js')}\n)({serialiser_source(max_result_bytes)},"
        f" globalThis.{BINDING}, {collector_source()}, {allowance});"
        f" delete globalThis.{BINDING}; {FORGET_INTERNALS}"
        f"{HIDE_FLAGS}void 0"
    )


def serialiser_source(max_result_bytes: int) -> str:
    """An expression for a serialiser. It uses what `STASH_INTERNALS` left, which is to be forgotten after that."""
    limits = json.dumps({**_LIMITS, "string": max_result_bytes, "bytes": max_result_bytes})
    # `require` is the debugger's own here: Node has it in every global scope, `process` only in the main one.
    return (
        f"({injected_file('serialiser.js')}\n)"
        f"(typeof require === 'function' ? require('util') : null, {limits}, globalThis.{_INTERNALS})"
    )


def collector_source() -> str:
    """An expression for a function that is to be called at every evaluation of a condition."""
    # The first of the two passes by whatever a program puts in place of `require`; Node 18 has only the second.
    # Requiring `process` would not do: on Node 18 that reads all its properties, and so opens the standard streams.
    builtin_module = "typeof process === 'object' && process && process.getBuiltinModule || require"
    return f"typeof require === 'function' ? ({injected_file('collector.js')}\n)({builtin_module}) : () => {{}}"


class Injection:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, max_result_bytes: int) -> None:
        self._connection = connection
        self._max_result_bytes = max_result_bytes
        self._prepared: set[int | None] = set()

    def prepare(self, context_id: int | None, hits_left: int, outermost_frame_id: str) -> None:
        """Make a global scope ready, once; does not wait. None is the scope that the runtime prefers."""
        from cdp_protocol.generated import debugger, runtime

        if context_id in self._prepared:
            return
        if not self._prepared:
            # Before the first line of the program the outermost frame is Node's own.
            self._connection.post(
                debugger.EvaluateOnCallFrame(call_frame_id=outermost_frame_id, expression=STASH_INTERNALS, silent=True)
            )
        self._prepared.add(context_id)
        source = _installation_source(self._max_result_bytes, hits_left)
        command = runtime.Evaluate(expression=source, include_command_line_api=True, silent=True)
        if context_id is not None:
            # For this scope alone: in all others, and in those to come, the program would find it.
            self._connection.post(runtime.AddBinding(name=BINDING, execution_context_id=context_id))
            command = runtime.Evaluate(
                expression=source, include_command_line_api=True, silent=True, context_id=context_id
            )
        self._connection.post(command)
