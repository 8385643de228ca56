"""The names of the resources: one for all sessions, and two for each of them."""

from __future__ import annotations

import re
from typing import Final

SESSIONS_URI: Final = "debug://sessions"
SESSION_TEMPLATE: Final = "debug://sessions/{id}"
OUTPUT_TEMPLATE: Final = "debug://sessions/{id}/output"
SESSION_ID_VARIABLE: Final = "id"

_SESSION = re.compile(r"debug://sessions/(?P<id>[^/?#]+)(?P<output>/output)?")


def session_uri(session_id: str) -> str:
    """The resource that tells how a session's program is."""
    return SESSION_TEMPLATE.format(id=session_id)


def output_uri(session_id: str) -> str:
    """The resource that holds what a session's program wrote."""
    return OUTPUT_TEMPLATE.format(id=session_id)


def uri_to_session_id(uri: str) -> tuple[str, bool] | None:
    """The session that a resource is about, and whether it is its output; None for any other text."""
    found = _SESSION.fullmatch(uri)
    return (found["id"], found["output"] is not None) if found else None
