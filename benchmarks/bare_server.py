"""The least that a low-level `mcp` server on stdio can be: the reference for our server's start."""

from __future__ import annotations

from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


async def _list_tools(
    _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name="nothing", input_schema={"type": "object"})])


async def _call_tool(_context: ServerRequestContext[Any], _params: types.CallToolRequestParams) -> types.CallToolResult:
    return types.CallToolResult(content=[])


async def _serve() -> None:
    server: Server[Any] = Server("bare", on_list_tools=_list_tools, on_call_tool=_call_tool)
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(_serve)
