"""The scopes of a frame under the names that an agent knows: local, closure, module, global."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

SCOPE_NAMES: Final = ("local", "closure", "module", "global")
WRAPPER_NAMES: Final = frozenset(("exports", "require", "module", "__filename", "__dirname"))
"""What every CommonJS module is given; of interest only to one who asks for it."""


@dataclass(frozen=True, slots=True)
class FrameScope:
    """One scope of V8's."""

    name: str
    object_id: str
    is_wrapper: bool = False
    """Whether it is that of the function which Node puts around a CommonJS module."""
    hides_wrapper: bool = False
    """Whether what every such function is given is to be left out."""


def frame_to_scopes(frame: Mapping[str, Any]) -> list[FrameScope]:
    """All scopes of a frame, as it came in a pause, innermost first."""
    scopes: list[FrameScope] = []
    is_outside = False
    for scope in frame.get("scopeChain") or ():
        object_id = (scope.get("object") or {}).get("objectId")
        if not isinstance(object_id, str):
            continue
        kind = str(scope.get("type", ""))
        is_wrapper = _is_wrapper(kind, scope)
        scopes.append(FrameScope(_name(kind, is_wrapper, is_outside), object_id, is_wrapper))
        is_outside = is_outside or kind == "local"
    return scopes


def is_module_code(frame: Mapping[str, Any]) -> bool:
    """Whether it is the code of a module itself, in no function."""
    chain = frame.get("scopeChain") or ()
    functions = [scope for scope in chain if scope.get("type") in ("local", "module")]
    return bool(functions) and (functions[0].get("type") == "module" or _is_wrapper("local", functions[0]))


def _name(kind: str, is_wrapper: bool, is_outside: bool) -> str:
    if kind in ("global", "script"):
        return "global"
    if kind == "module" or is_wrapper:
        return "module"
    return "closure" if is_outside or kind == "closure" else "local"


def _is_wrapper(kind: str, scope: Mapping[str, Any]) -> bool:
    """A function that begins with the very first character of its script was made by Node, not by its text."""
    start = scope.get("startLocation")
    if kind not in ("local", "closure") or not isinstance(start, dict):
        return False
    return start.get("lineNumber") == 0 and start.get("columnNumber", 0) == 0 and not scope.get("name")
