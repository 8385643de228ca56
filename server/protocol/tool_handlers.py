"""Lists tools and calls them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import mcp_types as types

from server.report.answer import Answer
from server.report.script_run import failure_answer
from server.tools.offload import JobRunner
from server.tools.tool import Tool

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

log = logging.getLogger(__name__)


class ServedTool(NamedTuple):
    """A tool, and who runs its jobs."""

    tool: Tool
    runner: JobRunner


class ToolHandlers:
    """Tools in the words of the protocol, on the event loop."""

    def __init__(self, find_tools: Callable[[], Iterable[ServedTool]]) -> None:
        self._find_tools = find_tools
        self._listed = anyio.Event()

    @cached_property
    def _served(self) -> dict[str, ServedTool]:
        """By their names. Not looked for before somebody asks: there are many, and a handshake can do without."""
        return {each.tool.name: each for each in self._find_tools()}

    def add_to(self, server: Server[Any]) -> None:
        """Make a server answer these requests, and say so in its capabilities."""
        server.add_request_handler("tools/list", types.PaginatedRequestParams, self._list)
        server.add_request_handler("tools/call", types.CallToolRequestParams, self._call)

    async def wait_for_listing(self) -> None:
        """Wait until a client has asked which tools there are."""
        await self._listed.wait()

    async def _list(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams
    ) -> types.ListToolsResult:
        self._listed.set()
        return types.ListToolsResult(tools=[_tool_to_wire(each.tool) for each in self._served.values()])

    async def _call(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        served = self._served.get(params.name)
        if served is None:
            names = ", ".join(self._served)
            return _answer_to_wire(failure_answer(f"There is no tool {params.name!r}. The tools are: {names}"))
        tool, runner = served
        try:
            started = tool.start(params.arguments or {})
            if isinstance(started, Answer):
                return _answer_to_wire(started)
            return _answer_to_wire(await runner.run(started, context.session.report_progress))
        except Exception as error:  # a defect of ours must not cost the client its connection
            log.exception("%s failed", tool.name)
            while isinstance(error, ExceptionGroup):  # what a task group made of it
                error = error.exceptions[0]
            problem = f"Internal error in {tool.name}: {type(error).__name__}: {error}"
            return _answer_to_wire(tool.failure(problem))


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
