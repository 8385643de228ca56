"""Sessions as resources: JSON that a client reads when it likes, without waiting for a session's thread."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from server.debug.session import Session
from server.debug.session_model import SessionSummary
from server.debug.sessions import Sessions
from server.errors import ResourceNotFoundError, SessionNotFoundError
from server.report.session_answer import session_fields
from server.report.session_lists import sessions_answer
from server.report.session_output import last_output_answer
from server.report.session_state import state_answer
from server.resources.session_uris import (
    OUTPUT_TEMPLATE,
    SESSION_TEMPLATE,
    SESSIONS_URI,
    output_uri,
    session_uri,
    uri_to_session_id,
)

JSON_TYPE: Final = "application/json"
_OUTPUT_CHARACTERS: Final = 4000
"""As many as get_output brings where nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Resource:
    """One that can be read now."""

    uri: str
    name: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class ResourceTemplate:
    """The form of the resources that each session brings."""

    uri_template: str
    name: str
    title: str
    description: str


SESSIONS_RESOURCE: Final = Resource(
    SESSIONS_URI,
    "sessions",
    "Debug sessions",
    "Every session: its program, whether that runs or stands still, and where. The answer of list_debug_sessions.",
)
TEMPLATES: Final = (
    ResourceTemplate(
        SESSION_TEMPLATE,
        "session",
        "State of a debug session",
        "How the program is: running, exited with a code, or paused with the reason, source lines, frames, locals and "
        "watches. As the tools that run it answer, but for the output.",
    ),
    ResourceTemplate(
        OUTPUT_TEMPLATE,
        "session-output",
        "Output of a debug session",
        "The end of what the program wrote and logpoints said. get_output has the rest.",
    ),
)


class SessionResources:
    """What there is to read. Any thread; nothing here waits."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def list(self) -> tuple[Resource, ...]:
        """The list of sessions, and two resources for each of them."""
        return SESSIONS_RESOURCE, *(
            resource for summary in self._sessions.list() for resource in _resources_of(summary)
        )

    def read(self, uri: str) -> str:
        """The JSON text of a resource; raises `ResourceNotFoundError`."""
        return json.dumps(self._content(uri), ensure_ascii=False)

    def check(self, uri: str) -> None:
        """Raise `ResourceNotFoundError` where there is no such resource."""
        if uri != SESSIONS_URI:
            self._find(uri)

    def _content(self, uri: str) -> dict[str, Any]:
        if uri == SESSIONS_URI:
            return sessions_answer(self._sessions.list()).structured
        session, is_output = self._find(uri)
        return _output_of(session) if is_output else _state_of(session)

    def _find(self, uri: str) -> tuple[Session, bool]:
        named = uri_to_session_id(uri)
        if named is None:
            raise self._not_found(uri)
        session_id, is_output = named
        try:
            return self._sessions.get(session_id), is_output
        except SessionNotFoundError:
            raise self._not_found(uri) from None

    def _not_found(self, uri: str) -> ResourceNotFoundError:
        there_are = ", ".join(resource.uri for resource in self.list())
        return ResourceNotFoundError(uri, f"There is no resource {uri!r}. There are: {there_are}")


def _state_of(session: Session) -> dict[str, Any]:
    """What the tools answer but for the output, which is a resource of its own."""
    told = state_answer(session.last_report()).structured
    return {name: value for name, value in told.items() if name != "output"}


def _output_of(session: Session) -> dict[str, Any]:
    about = session_fields(session.id, session.last_report().state)
    return last_output_answer(about, session.output_tail(_OUTPUT_CHARACTERS)).structured


def _resources_of(summary: SessionSummary) -> Iterator[Resource]:
    session_id = summary.session_id
    about = f"{session_id}: {summary.program.title}"
    state, output = TEMPLATES
    yield Resource(session_uri(session_id), f"{state.name}-{session_id}", about, state.description)
    yield Resource(output_uri(session_id), f"{output.name}-{session_id}", f"Output of {about}", output.description)
