"""The stack of a pause, as an agent reads it."""

from __future__ import annotations

from typing import Any

from cdp_protocol.generated import debugger
from server.cdp.pause import params_to_pause
from server.cdp.scripts import ScriptTable
from server.cdp.stack import pause_to_stack

URLS = {
    "1": "file:///app/a%20b.js",
    "2": "file:///app/node_modules/lib/index.js",
    "3": "node:internal/modules/run_main",
    "4": "node:events",
}


def table() -> ScriptTable:
    scripts = ScriptTable()
    for script_id, url in URLS.items():
        place = {"startLine": 0, "startColumn": 0, "endLine": 9, "endColumn": 0}
        about = {"scriptId": script_id, "url": url, "executionContextId": 1, "hash": "0", **place}
        scripts.add(debugger.ScriptParsed.model_validate(about))
    return scripts


def frame(script_id: str, line: int, name: str = "f") -> dict[str, Any]:
    place = {"scriptId": script_id, "lineNumber": line - 1, "columnNumber": 0}
    return {"callFrameId": "0", "functionName": name, "url": "", "location": place}


def stack_of(*frames: object) -> list[dict[str, Any]]:
    return pause_to_stack(params_to_pause({"callFrames": list(frames)}), table())


def test_own_code_comes_first_then_packages_and_public_modules_and_no_internals() -> None:
    frames = (frame("2", 5, "each"), frame("1", 3, ""), frame("4", 7, "emit"), frame("1", 9, "main"), frame("3", 1))
    assert stack_of(*frames) == [
        {"function": "(anonymous)", "file": "/app/a b.js", "line": 3},
        {"function": "main", "file": "/app/a b.js", "line": 9},
        {"function": "each", "file": "/app/node_modules/lib/index.js", "line": 5},
        {"function": "emit", "file": "node:events", "line": 7},
    ]


def test_a_deep_stack_is_cut() -> None:
    assert len(stack_of(*[frame("1", 1)] * 1000)) == 50


def test_frames_that_say_nothing_are_no_failure() -> None:
    assert stack_of({}, None, {"location": 5, "functionName": None}) == [
        {"function": "(anonymous)", "file": "", "line": 0},
        {"function": "(anonymous)", "file": "", "line": 0},
    ]
