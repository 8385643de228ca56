"""The stack of a pause as an agent reads it: the program's own code first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.cdp.script_urls import url_to_file

if TYPE_CHECKING:
    from server.cdp.pause import Pause
    from server.cdp.scripts import ScriptTable

_MOST_FRAMES = 50
_FOREIGN_FOLDER = "/node_modules/"
_NODE_INTERNALS = "node:internal/"


def pause_to_stack(pause: Pause, scripts: ScriptTable) -> list[dict[str, Any]]:
    """Function, file and line of each frame, innermost first; packages and Node's public modules come behind.

    What Node runs to get there is left out: it is the same for every program, and says nothing about this one.
    """
    frames = [_frame_to_json(frame, scripts) for frame in pause.frames]
    frames = [frame for frame in frames if not frame["file"].startswith(_NODE_INTERNALS)]
    own = [frame for frame in frames if _is_own(frame["file"])]
    others = [frame for frame in frames if not _is_own(frame["file"])]
    return (own + others)[:_MOST_FRAMES]


def _frame_to_json(frame: dict[str, Any], scripts: ScriptTable) -> dict[str, Any]:
    location = frame.get("location")
    place = location if isinstance(location, dict) else {}
    script = scripts.get(str(place.get("scriptId", "")))
    url = script.url if script is not None else str(frame.get("url", ""))
    return {
        "function": str(frame.get("functionName") or "(anonymous)"),
        "file": url_to_file(url) or url,
        "line": int(place.get("lineNumber", -1)) + 1,
    }


def _is_own(file: str) -> bool:
    return file.startswith("/") and _FOREIGN_FOLDER not in file
