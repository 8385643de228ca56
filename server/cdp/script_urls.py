"""Between the files that people name and the URLs under which V8 knows its scripts."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

_PLAIN = re.compile(r"[A-Za-z0-9_/-]")
_LOST = "\t\n\r"
"""Node up to 20 makes URLs of CommonJS paths as browsers do: these vanish, and a backslash becomes a slash."""

_MEAN_SOMETHING_IN_URLS = "%?#"
"""Everybody encodes these: as they are, they would make the URL of another file."""


def file_to_url_pattern(file: str) -> str:
    """A JavaScript regular expression for every URL under which V8 may know this file.

    The real path and the path as given (a link, kept by --preserve-symlinks), with and without `file://`
    (type stripping reports plain paths), any character percent-encoded or not (nobody agrees on which
    ones), and an ES module's query string.
    """
    paths = sorted(file_spellings(file))
    in_urls = "|".join(_path_to_pattern(path, _MEAN_SOMETHING_IN_URLS) for path in paths)
    plain = "|".join(_path_to_pattern(path, "") for path in paths)
    return rf"^(?:file://(?:{in_urls})|{plain})(?:[?#].*)?$"


def file_spellings(file: str) -> set[str]:
    """The absolute path as given and the real one behind its links."""
    return {file, str(Path(file).resolve())}


def url_to_file(url: str) -> str | None:
    """The absolute path that a script's URL stands for; None for what is no file."""
    if url.startswith("file://"):
        return unquote(urlsplit(url).path)
    if url.startswith("/"):
        return url
    return None


def _path_to_pattern(path: str, always_encoded: str) -> str:
    return "".join(_character_to_pattern(character, always_encoded) for character in path)


def _character_to_pattern(character: str, always_encoded: str) -> str:
    if _PLAIN.match(character):
        return character
    encoded = "".join(_byte_to_pattern(byte) for byte in character.encode("utf-8", "surrogateescape"))
    if character in always_encoded:
        return encoded
    literal = re.escape(character) if character.isascii() else character
    if character in _LOST:
        return f"(?:{literal}|{encoded})?"
    return f"(?:{literal}|{encoded}|/)" if character == "\\" else f"(?:{literal}|{encoded})"


def _byte_to_pattern(byte: int) -> str:
    digits = (digit if digit.isdigit() else f"[{digit}{digit.lower()}]" for digit in f"{byte:02X}")
    return "%" + "".join(digits)
