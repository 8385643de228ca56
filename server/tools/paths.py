"""Files and directories as agents name them: paths, or `file://` URLs."""

from __future__ import annotations

import os.path
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from server.errors import InvalidArgumentsError

_FILE_URL = re.compile("file:/", re.IGNORECASE)


def existing_file(given: str, cwd: str | None, purpose: str = "set a breakpoint in") -> str:
    """The absolute path of a file; a relative one starts at the server's directory, or else at `cwd`."""
    candidates = _candidates(given, cwd)
    found = _first_file(candidates)
    if found is not None:
        return found
    if os.path.isdir(candidates[0]):  # noqa: PTH112 - as in _first_file
        raise InvalidArgumentsError(f"{candidates[0]} is a directory, not a file to {purpose}.")
    raise InvalidArgumentsError(
        f"There is no file {candidates[0]} to {purpose}.",
        advice=_advice(given, f"Relative paths start at {' or else at '.join(_starts(cwd))}."),
    )


def source_file(given: str, cwd: str | None) -> str:
    """The same for a program whose files may be elsewhere: one that is not here is taken at its word."""
    candidates = _candidates(given, cwd)
    return _first_file(candidates) or candidates[0]


def existing_directory(given: str) -> str:
    """The absolute path of a directory."""
    [start] = _starts(None)
    directory = os.path.abspath(os.path.join(start, _given_to_path(given)))  # noqa: PTH100, PTH118
    if not os.path.isdir(directory):  # noqa: PTH112 - as in _first_file
        raise InvalidArgumentsError(
            f"cwd is no directory: {directory}", advice=_advice(given, f"Relative paths start at {start}.")
        )
    return directory


def _candidates(given: str, cwd: str | None) -> list[str]:
    path = _given_to_path(given)
    # Not the real path: a link has to keep its name, for programs run with --preserve-symlinks.
    return [os.path.abspath(os.path.join(start, path)) for start in _starts(cwd)]  # noqa: PTH100, PTH118


def _first_file(candidates: list[str]) -> str | None:
    # Unlike Path, os.path takes every name, also one too long to exist.
    return next((candidate for candidate in candidates if os.path.isfile(candidate)), None)  # noqa: PTH113


def _starts(cwd: str | None) -> list[str]:
    starts = [cwd] if cwd else []
    with suppress(FileNotFoundError):  # the server's own directory may have been removed
        starts.insert(0, str(Path.cwd()))
    return starts or ["/"]


def _given_to_path(given: str) -> str:
    if not _FILE_URL.match(given):
        return given
    url = urlsplit(given)
    if url.netloc not in ("", "localhost"):
        raise InvalidArgumentsError(
            f"{given} names a file on the machine {url.netloc!r}.",
            advice="A file:// URL of this machine has three slashes: file:///absolute/path. A plain path works too.",
        )
    return unquote(url.path)


def _advice(given: str, start: str) -> str:
    return "A ~ is not expanded: give the whole path." if given.startswith("~") else start
