"""Whose code a script is: the program's own, a package's, or Node's."""

from __future__ import annotations

from enum import Enum

_PACKAGE_FOLDER = "/node_modules/"
_RUNTIME_PREFIX = "node:"
_WRAPPER_OF_EVAL = "[eval]-wrapper"


class CodeOrigin(Enum):
    """Whose code it is."""

    OWN = "own"
    PACKAGE = "package"
    RUNTIME = "runtime"


def url_to_origin(url: str) -> CodeOrigin:
    """Whose code a script is, by its URL. What has none was made by the program itself, with `eval`."""
    if url.startswith(_RUNTIME_PREFIX) or url == _WRAPPER_OF_EVAL:
        return CodeOrigin.RUNTIME
    return CodeOrigin.PACKAGE if _PACKAGE_FOLDER in url else CodeOrigin.OWN
