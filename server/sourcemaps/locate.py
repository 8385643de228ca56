"""Find the source map of a script: inside the script itself, or in a file beside it."""

from __future__ import annotations

import base64
import binascii
import os.path
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from server.sourcemaps.source_map import SourceMap
from server.sourcemaps.source_map_error import SourceMapError

_DATA = "data:"
_MOST_BYTES = 256 * 1024 * 1024


def load_source_map(script_file: str, url: str) -> SourceMap:
    """The map that a script names in its `sourceMappingURL`, or `SourceMapError`."""
    folder = os.path.dirname(script_file)  # noqa: PTH120 - a string in, a string out
    if url.startswith(_DATA):
        return SourceMap.parse(_data_url_to_text(url), folder)
    map_file = _url_to_file(url, folder)
    return SourceMap.parse(_read(map_file), str(Path(map_file).parent))


def _data_url_to_text(url: str) -> str:
    head, comma, body = url.partition(",")
    if not comma:
        raise SourceMapError("its data: URL has no content")
    try:
        content = base64.b64decode(unquote_to_bytes(body)) if head.endswith(";base64") else unquote_to_bytes(body)
        return content.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise SourceMapError(f"its data: URL cannot be decoded: {error}") from error


def _url_to_file(url: str, folder: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("", "file"):
        raise SourceMapError(f"it is not on this machine: {url}")
    # A query is for caches. Names with a percent sign are rare enough: the literal one is tried first.
    literal = os.path.normpath(os.path.join(folder, parts.path))  # noqa: PTH118
    return literal if Path(literal).is_file() else os.path.normpath(os.path.join(folder, unquote(parts.path)))  # noqa: PTH118


def _read(file: str) -> str:
    try:
        if Path(file).stat().st_size > _MOST_BYTES:
            raise SourceMapError(f"{file} is larger than {_MOST_BYTES} bytes")
        return Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceMapError(f"{file} cannot be read: {error}") from error
