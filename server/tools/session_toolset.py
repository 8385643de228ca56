"""All session tools, in the order in which an agent meets them."""

from __future__ import annotations

from typing import Any, Final

from server.tools import session_breakpoints, session_lifecycle, session_looking, session_running, session_sources
from server.tools.session_tool import SessionTool

SESSION_TOOLS: Final[tuple[type[SessionTool[Any]], ...]] = (
    *session_lifecycle.TOOLS,
    *session_breakpoints.TOOLS,
    *session_running.TOOLS,
    *session_looking.TOOLS,
    *session_sources.TOOLS,
)
