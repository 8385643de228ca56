"""Parts that the example answers of several session tools share."""

from __future__ import annotations

from typing import Any, Final

PAUSED: Final[dict[str, Any]] = {"status": "ok", "session_id": "s1", "state": "paused"}
RUNNING: Final[dict[str, Any]] = {
    "status": "ok",
    "session_id": "s1",
    "state": "running",
    "output": {"stdout": "", "stderr": "", "cursor": 0},
}
SOURCE: Final[list[dict[str, Any]]] = [
    {"line": 11, "text": "  for (const item of items) {"},
    {"line": 12, "text": "    sum += item.price * item.count;", "current": True},
    {"line": 13, "text": "  }"},
]
STOP: Final[dict[str, Any]] = {
    "reason": "breakpoint",
    "breakpoint_ids": ["bp1"],
    "target": "main",
    "location": {"file": "/app/src/cart.js", "line": 12, "column": 5, "function": "total"},
    "source": SOURCE,
    "frames": [
        {"id": "f0", "function": "total", "file": "/app/src/cart.js", "line": 12, "column": 5},
        {"id": "f1", "function": "main", "file": "/app/src/cart.js", "line": 30, "column": 17},
    ],
    "frames_total": 10,
    "locals": [
        {"name": "item", "type": "object", "preview": "{price: 3, count: 2}", "ref": "v1", "scope": "block"},
        {"name": "sum", "type": "number", "value": 6, "scope": "local"},
    ],
    "watches": [
        {"expression": "sum", "old": {"type": "number", "value": 0}, "new": {"type": "number", "value": 6}},
    ],
}
STOPPED: Final[dict[str, Any]] = {
    **PAUSED,
    "stop": STOP,
    "output": {"stdout": "adding up\n", "stderr": "", "cursor": 10},
}
LISTED_BREAKPOINT: Final[dict[str, Any]] = {
    "id": "bp1",
    "verified": True,
    "file": "/app/src/cart.js",
    "line": 12,
    "requested_line": 12,
    "enabled": True,
    "hits": 0,
    "column": 5,
}
BREAKPOINT: Final[dict[str, Any]] = {**LISTED_BREAKPOINT, "source": SOURCE}
TARGET_INFO: Final[dict[str, Any]] = {
    "title": "node src/cart.js",
    "runtime": "Node.js v24.1.0",
    "pid": 4711,
    "attached": False,
}
