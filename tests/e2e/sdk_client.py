"""The SDK's own client of the real server, over stdio."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from mcp.client.client import Client
from mcp.client.session import MessageHandlerFnT
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.e2e.server_process import BOUND_S, ROOT


@asynccontextmanager
async def connected(
    mode: str, log: Path, *arguments: str, on_message: MessageHandlerFnT | None = None
) -> AsyncIterator[Client]:
    """A client in one of the protocol's eras; `arguments` are for the server."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "server", *arguments],
        cwd=ROOT,
        env=dict(os.environ),
        encoding_error_handler="strict",
    )
    with log.open("w") as errors, anyio.fail_after(BOUND_S):
        async with Client(stdio_client(parameters, errlog=errors), mode=mode, message_handler=on_message) as client:
            yield client
