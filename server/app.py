"""The composition root: the one place that knows every part.

| thread | owns | may do |
|---|---|---|
| main (event loop) | the MCP SDK, signals | await a worker, put a message in an inbox |
| worker (one a call) | a one-shot call's run: its inbox, target and connection | everything else |
| `session:<id>` (one a session) | that session: its inbox, program and connection | everything else |
| worker (once, after the first listing of the tools) | nothing | import modules, start an idle guard |
| `closing` (once, at the end) | nothing | close all sessions |

A call of a session tool also has a worker, which only waits for the session's answer. Below a worker or a session,
`server/cdp/connection.py` starts a reader and `server/process/launched_process.py` the pumps.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, NoReturn

import anyio
import anyio.to_thread
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.stdio import stdio_server

from server.config import Settings
from server.debug.sessions import SessionLimits, Sessions
from server.process.launcher import Launcher
from server.process.orphans import adopt_orphans
from server.protocol.session_features import SessionFeatures
from server.protocol.tool_handlers import ServedTool, ToolHandlers
from server.resources.change_feed import ChangeFeed
from server.tools.offload import JobRunner

if TYPE_CHECKING:
    from server.debug.backend import Backend, SessionBackend

log = logging.getLogger(__name__)

_LISTING_GOES_OUT_S = 0.05
_CLOSING_BOUND_S = 5.0
_MAX_WAITING_CALLS = 256
"""Of session tools. They only wait, so there may be many, but each has a thread."""
_IMPORTED_BY_A_CALL = (
    "server.cdp.backend",
    "server.cdp.session_backend",
    "cdp_protocol.events",
    "cdp_protocol.generated.debugger",
    "cdp_protocol.generated.runtime",
    "cdp_protocol.generated.node_runtime",
    "cdp_protocol.generated.node_worker",
)

NAME = "debug-script-mcp"
INSTRUCTIONS = """\
Shows what a Node.js program really does, without editing it.

Use debug-script whenever you would add a console.log: name the command that starts the program (with \
--inspect-brk=0), a file and line that it reaches, and an expression. One call runs the program and returns the \
expression's value at every hit of that line, in order, with types. An object literal as expression, such as \
{i, total, state: this.state}, brings several values at once.

Use a session when one line is not enough, or the program runs already: start_debugging (or connect_debugger) with \
breakpoints, then continue_execution and step_over, step_into, step_out. Each waits for the stop and brings location, \
source, frames, locals and output, so look before you ask: get_variables expands a ref, evaluate_expression asks \
anything else. session_id is optional while there is one session. Ids of frames and refs hold until the program goes \
on. Lines are 1-based. At the end, close_debug_session.

When the answer is an error, read it to its end: it says what happened and which call helps.

The program is really run, with all its side effects; it and its children end with the call or the session.
"""


class App:
    """A server with its tools and what they share."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._launcher = Launcher()
        self._changes = ChangeFeed()
        self._sessions = Sessions(lambda: self._session_backend, _to_limits(settings), self._changes.note)
        self._tools = ToolHandlers(self.served_tools)
        self._features = SessionFeatures(self._sessions, self._changes)

    @property
    def _has_sessions(self) -> bool:
        return "session" in self._settings.tools

    def served_tools(self) -> Iterator[ServedTool]:
        """The tools of the chosen toolsets."""
        # Not imported at the start, like the backends: their schemas take longer than the rest of it.
        from server.tools.debug_script import DebugScriptTool
        from server.tools.session_toolset import SESSION_TOOLS

        if "script" in self._settings.tools:
            tool = DebugScriptTool(lambda: self._node_backend, self._settings)
            yield ServedTool(tool, JobRunner(self._settings.max_concurrent_runs))
        if self._has_sessions:
            waits = JobRunner(_MAX_WAITING_CALLS)
            yield from (ServedTool(tool(self._sessions), waits) for tool in SESSION_TOOLS)

    @cached_property
    def _node_backend(self) -> Backend:
        # Not imported at the start, which the protocol's models would make longer by a tenth.
        from server.cdp.backend import NodeBackend

        return NodeBackend(self._launcher, self._settings)

    @cached_property
    def _session_backend(self) -> SessionBackend:
        from server.cdp.session_backend import NodeSessionBackend

        return NodeSessionBackend(self._launcher, self._settings)

    def serve(self) -> None:
        """Serve on standard input and output until the client closes them, or a signal comes."""
        adopt_orphans()
        try:
            anyio.run(self._serve)
        finally:
            self._end_programs()

    async def _serve(self) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._obey_signals)
            tasks.start_soon(self._warm_up_when_listed)
            if self._has_sessions:
                tasks.start_soon(self._features.tell_changes)
            server = self.mcp_server()
            told = NotificationOptions(resources_changed=self._has_sessions)
            async with stdio_server() as (read_stream, write_stream):
                try:
                    await server.run(read_stream, write_stream, server.create_initialization_options(told))
                except anyio.get_cancelled_exc_class():  # by the transport, which could not write
                    log.error("ends, since nobody reads its output any more")
                    self._leave(1)
            tasks.cancel_scope.cancel()

    def mcp_server(self) -> Server[Any]:
        """The server itself, for any transport."""
        server: Server[Any] = Server(NAME, version=_version(), title="Debug Script", instructions=INSTRUCTIONS)
        self._tools.add_to(server)
        if self._has_sessions:
            self._features.add_to(server)
        return server

    async def _warm_up_when_listed(self) -> None:
        """Do what the first call would wait for while the agent still thinks about that call."""
        await self._tools.wait_for_listing()
        await anyio.sleep(_LISTING_GOES_OUT_S)  # an import keeps the interpreter busy: the client comes first
        await anyio.to_thread.run_sync(self._warm_up, limiter=anyio.CapacityLimiter(1))

    def _warm_up(self) -> None:
        try:
            self._launcher.warm_up()
            for module in _IMPORTED_BY_A_CALL:
                import_module(module)
        except Exception:  # the first call meets the same trouble, and can tell the agent
            log.warning("the warm-up failed", exc_info=True)

    async def _obey_signals(self) -> None:
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for number in signals:
                log.info("ends on %s", number.name)
                self._leave(128 + number)

    def _leave(self, exit_code: int) -> NoReturn:
        # A thread that reads standard input cannot be woken, so there is no orderly way out of the loop.
        # What matters is that no program outlives the server, and that those which were attached to run on.
        self._end_programs()
        logging.shutdown()
        os._exit(exit_code)

    def _end_programs(self) -> None:
        """Close every session, within bounds, and then end whatever was launched."""
        closing = threading.Thread(target=self._sessions.close_all, name="closing", daemon=True)
        closing.start()
        closing.join(_CLOSING_BOUND_S)
        if closing.is_alive():
            log.error("sessions were not closed within %s s", _CLOSING_BOUND_S)
        self._launcher.close()


def _to_limits(settings: Settings) -> SessionLimits:
    return SessionLimits(
        max_sessions=settings.max_sessions,
        idle_s=settings.session_idle_s,
        max_breakpoints=settings.max_breakpoints,
        max_output_characters=settings.max_session_output_characters,
    )


def _version() -> str:
    try:
        return version(NAME)
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "0"
