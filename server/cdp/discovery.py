"""Asks an inspector over HTTP what it debugs."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.errors import ConnectionFailedError, InvalidArgumentsError

if TYPE_CHECKING:
    from server.debug.deadline import Deadline

_MOST_BYTES = 1024 * 1024
_MOST_TIME_S = 3.0
_HOW_TO_START = "Start the program with node --inspect, or give connect_debugger its pid: that opens its inspector."


@dataclass(frozen=True, slots=True)
class InspectorTarget:
    """One debugger that can be connected to."""

    id: str
    title: str
    url: str
    """Of what is debugged."""
    websocket_url: str


def list_targets(host: str, port: int, deadline: Deadline) -> list[InspectorTarget]:
    """Everything that the inspector at an address debugs; raises ConnectionFailedError where there is none."""
    address = _join(host, port)
    try:
        answer = json.loads(_get(host, port, "/json/list", deadline))
    except (OSError, http.client.HTTPException) as error:
        raise ConnectionFailedError(
            f"No inspector answers at {address}: {str(error) or type(error).__name__}", advice=_HOW_TO_START
        ) from error
    except ValueError as error:
        raise ConnectionFailedError(
            f"What answers at {address} is no inspector: {error}", advice=_HOW_TO_START
        ) from error
    entries = [entry for entry in answer if isinstance(entry, dict)] if isinstance(answer, list) else []
    return [target for entry in entries if (target := _entry_to_target(entry, address)) is not None]


def choose_target(targets: list[InspectorTarget], wanted: str | None, address: str) -> InspectorTarget:
    """The one that was meant: by its id, or by a part of its title or URL."""
    matching = targets if wanted is None else [target for target in targets if _is_meant(target, wanted)]
    if len(matching) == 1:
        return matching[0]
    if not targets:
        raise ConnectionFailedError(f"The inspector at {address} has nothing to debug.", advice=_HOW_TO_START)
    shown = "\n".join(f"{target.id}: {target.title} ({target.url})" for target in targets)
    problem = "has several targets" if len(matching) > 1 else f"has no target {wanted!r}"
    raise InvalidArgumentsError(
        f"The inspector at {address} {problem}:\n{shown}",
        advice="Give one of these ids, or a part of a title or URL that only one of them has, as target.",
        details={"targets": [{"id": one.id, "title": one.title, "url": one.url} for one in targets]},
    )


def _get(host: str, port: int, path: str, deadline: Deadline) -> bytes:
    connection = http.client.HTTPConnection(
        host, port, timeout=max(0.001, deadline.earlier(_MOST_TIME_S).remaining_s())
    )
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read(_MOST_BYTES + 1)
        if response.status != http.HTTPStatus.OK:
            raise ValueError(f"it answered with status {response.status}")
        if len(body) > _MOST_BYTES:
            raise ValueError("it answered with too much")
        return body
    finally:
        connection.close()


def _entry_to_target(entry: dict[str, Any], address: str) -> InspectorTarget | None:
    # The answer repeats the host that it was asked by. Only the path counts, so that nobody is led to another machine.
    websocket_url = entry.get("webSocketDebuggerUrl")
    if not isinstance(websocket_url, str) or "://" not in websocket_url:
        return None
    path = websocket_url.partition("://")[2].partition("/")[2]
    return InspectorTarget(
        id=str(entry.get("id", "")),
        title=str(entry.get("title", "")),
        url=str(entry.get("url", "")),
        websocket_url=f"ws://{address}/{path}",
    )


def _is_meant(target: InspectorTarget, wanted: str) -> bool:
    return wanted == target.id or (bool(wanted) and (wanted in target.title or wanted in target.url))


def _join(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
