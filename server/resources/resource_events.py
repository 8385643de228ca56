"""What a change of a session means to those who watch resources."""

from __future__ import annotations

from dataclasses import dataclass

from server.debug.session_terms import SessionChange
from server.resources.session_uris import SESSIONS_URI, output_uri, session_uri


@dataclass(frozen=True, slots=True)
class ResourceListChanged:
    """There are other resources than before."""


@dataclass(frozen=True, slots=True)
class ResourceUpdated:
    """Reading a resource would bring something else than before; of one that is gone, an error."""

    uri: str


ResourceEvent = ResourceListChanged | ResourceUpdated


def change_to_events(change: SessionChange) -> tuple[ResourceEvent, ...]:
    """Everything that there is to tell, in the order in which it is best told."""
    sessions = ResourceUpdated(SESSIONS_URI)
    state = ResourceUpdated(session_uri(change.session_id))
    output = ResourceUpdated(output_uri(change.session_id))
    match change.kind:
        case "opened":
            return ResourceListChanged(), sessions
        case "state":
            return state, sessions
        case "output":
            return (output,)
        case "closed":
            return ResourceListChanged(), state, output, sessions
