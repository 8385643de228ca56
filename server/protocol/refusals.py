"""Requests that cannot be served, as errors of the protocol."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from server.errors import PromptRefusedError, ResourceNotFoundError
from server.report.clean_text import clean_text

RESOURCE_NOT_FOUND: Final = -32002
"""The code that versions with a handshake ask for; later ones call it an invalid parameter."""


@contextmanager
def refusals_as_protocol_errors(protocol_version: str) -> Generator[None]:
    """Turn what the code below raises into what the client of this version expects."""
    try:
        yield
    except ResourceNotFoundError as error:
        code = types.INVALID_PARAMS if protocol_version in MODERN_PROTOCOL_VERSIONS else RESOURCE_NOT_FOUND
        raise MCPError(code, clean_text(str(error)), {"uri": clean_text(error.uri)}) from None
    except PromptRefusedError as error:
        raise MCPError(types.INVALID_PARAMS, clean_text(str(error))) from None
