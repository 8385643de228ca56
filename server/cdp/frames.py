"""The stack of a pause as the core knows it: files, 1-based positions, and whose code each frame is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from server.cdp.code_origin import CodeOrigin, url_to_origin
from server.cdp.scopes import is_module_code
from server.cdp.script_urls import url_to_file
from server.debug.session_model import Frame, Position

if TYPE_CHECKING:
    from server.cdp.pause import Pause
    from server.cdp.scripts import ScriptTable

_NO_FILE = "<anonymous>"
"""Where code is that no file has, as V8 itself writes it in stacks."""
_MOST_ASYNC_PARENTS = 100


def frame_url(frame: Mapping[str, Any], scripts: ScriptTable) -> str:
    """The URL of a frame's script. A frame often has none, where its script does."""
    script = scripts.get(str(_location(frame).get("scriptId", "")))
    return script.url if script is not None else str(frame.get("url", ""))


def pause_to_frames(pause: Pause, scripts: ScriptTable) -> tuple[Frame, ...]:
    """The whole stack, innermost first; the id of a frame is its index."""
    return tuple(
        _to_frame(index, _function_name(frame), frame_url(frame, scripts), _location(frame))
        for index, frame in enumerate(pause.frames)
    )


def async_trace_to_frames(trace: object, scripts: ScriptTable) -> tuple[Frame, ...]:
    """Who scheduled what runs now, from the `asyncStackTrace` of a pause; empty where V8 recorded nothing."""
    frames = list(_async_call_frames(trace))
    return tuple(
        _to_frame(index, str(frame.get("functionName") or "(anonymous)"), frame_url(frame, scripts), frame)
        for index, frame in enumerate(frames)
    )


def _async_call_frames(trace: object) -> Iterator[Mapping[str, Any]]:
    for _ in range(_MOST_ASYNC_PARENTS):
        if not isinstance(trace, dict):
            return
        yield from (frame for frame in trace.get("callFrames") or () if isinstance(frame, dict))
        trace = trace.get("parent")


def _to_frame(index: int, function: str, url: str, place: Mapping[str, Any]) -> Frame:
    origin = url_to_origin(url)
    position = Position(
        url_to_file(url) or url or _NO_FILE, _one_based(place, "lineNumber"), _one_based(place, "columnNumber")
    )
    return Frame(
        id=str(index),
        function=function,
        position=position,
        is_own=origin is CodeOrigin.OWN,
        is_internal=origin is CodeOrigin.RUNTIME,
    )


def _function_name(frame: Mapping[str, Any]) -> str:
    if name := frame.get("functionName"):
        return str(name)
    return "(module)" if is_module_code(frame) or _is_script_code(frame) else "(anonymous)"


def _is_script_code(frame: Mapping[str, Any]) -> bool:
    """Whether it is in no function at all: then it has no scope of its own, only global ones."""
    kinds = {scope.get("type") for scope in frame.get("scopeChain") or () if isinstance(scope, dict)}
    return bool(kinds) and "local" not in kinds


def _location(frame: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of a frame that stands still its place; one of an asynchronous stack is its own place."""
    location = frame.get("location")
    return location if isinstance(location, dict) else frame


def _one_based(place: Mapping[str, Any], key: str) -> int:
    number = place.get(key)
    return number + 1 if isinstance(number, int) else 1
