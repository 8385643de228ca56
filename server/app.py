"""The composition root: the one place that knows every part.

| thread | owns | may do |
|---|---|---|
| main (event loop) | the MCP SDK, signals | await a worker, put a message in an inbox |
| worker (one a call) | that call's run: its inbox, target and connection | everything else |
| worker (once, after the first listing of the tools) | nothing | import modules, start an idle guard |

Below a worker, `server/cdp/connection.py` starts a reader and `server/process/launched_process.py` the pumps.
"""

from __future__ import annotations

import logging
import os
import signal
from functools import cached_property
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, NoReturn

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from server.config import Settings
from server.process.launcher import Launcher
from server.process.orphans import adopt_orphans
from server.report.answer import Answer
from server.report.script_run import failure_answer
from server.tools.debug_script import DebugScriptTool
from server.tools.offload import JobRunner
from server.tools.tool import Tool

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from server.debug.backend import Backend

log = logging.getLogger(__name__)

_LISTING_GOES_OUT_S = 0.05
_IMPORTED_BY_A_CALL = (
    "server.cdp.backend",
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

When the answer is an error, read it to its end: it says whether the file was loaded, where code near that line is, \
how the program ended and what it wrote to stderr.

The program is really run, with all its side effects; it and its children are ended with the call.
"""


class App:
    """A server with its tools and what they share."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._launcher = Launcher()
        self._runner = JobRunner(settings.max_concurrent_runs)
        self._tools_listed = anyio.Event()
        self._tools: dict[str, Tool] = {
            tool.name: tool for tool in [DebugScriptTool(lambda: self._node_backend, settings)]
        }

    @cached_property
    def _node_backend(self) -> Backend:
        # Not imported at the start, which the protocol's models would make longer by a tenth.
        from server.cdp.backend import NodeBackend

        return NodeBackend(self._launcher, self._settings)

    def serve(self) -> None:
        """Serve on standard input and output until the client closes them, or a signal comes."""
        adopt_orphans()
        try:
            anyio.run(self._serve)
        finally:
            self._launcher.close()

    async def _serve(self) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._obey_signals)
            tasks.start_soon(self._warm_up_when_listed)
            server = self.mcp_server()
            async with stdio_server() as (read_stream, write_stream):
                try:
                    await server.run(read_stream, write_stream, server.create_initialization_options())
                except anyio.get_cancelled_exc_class():  # by the transport, which could not write
                    log.error("ends, since nobody reads its output any more")
                    self._leave(1)
            tasks.cancel_scope.cancel()

    def mcp_server(self) -> Server[Any]:
        """The server itself, for any transport."""
        return Server(
            NAME,
            version=_version(),
            title="Debug Script",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )

    async def _list_tools(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        self._tools_listed.set()
        return types.ListToolsResult(tools=[_tool_to_wire(tool) for tool in self._tools.values()])

    async def _call_tool(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            names = ", ".join(self._tools)
            return _answer_to_wire(failure_answer(f"There is no tool {params.name!r}. The tools are: {names}"))
        try:
            started = tool.start(params.arguments or {})
            if isinstance(started, Answer):
                return _answer_to_wire(started)
            return _answer_to_wire(await self._runner.run(started, context.session.report_progress))
        except Exception as error:  # a defect of ours must not cost the client its connection
            log.exception("%s failed", tool.name)
            while isinstance(error, ExceptionGroup):  # what a task group made of it
                error = error.exceptions[0]
            return _answer_to_wire(failure_answer(f"Internal error in {tool.name}: {type(error).__name__}: {error}"))

    async def _warm_up_when_listed(self) -> None:
        """Do what the first call would wait for while the agent still thinks about that call."""
        await self._tools_listed.wait()
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
        # What matters is that no program outlives the server.
        self._launcher.close()
        logging.shutdown()
        os._exit(exit_code)


def _tool_to_wire(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations.model_validate({"title": tool.title, **tool.annotations}),
    )


def _answer_to_wire(answer: Answer) -> types.CallToolResult:
    content = [] if answer.text is None else [types.TextContent(type="text", text=answer.text)]
    return types.CallToolResult(content=list(content), structured_content=answer.structured, is_error=answer.is_error)


def _version() -> str:
    try:
        return version(NAME)
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "0"
