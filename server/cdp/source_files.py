"""The source files of a program that are on disk, loaded or not."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_ENDINGS: Final = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".jsx", ".tsx")
_MOST_FILES: Final = 2_000
_MOST_FOLDERS: Final = 5_000
_LARGEST_FILE: Final = 1_000_000
_LONGEST_LINE: Final = 1_000


def written_files_below(roots: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The files of the program's own code with their texts, but for what a tool has put on few long lines."""
    return (
        (file, text)
        for file, text in read_source_files(_source_files_below(roots))
        if all(len(line) <= _LONGEST_LINE for line in text.split("\n"))
    )


def read_source_files(files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Files with their texts, but for those that cannot be read, or are too large to be written by a person."""
    for file in files:
        with suppress(OSError):
            if Path(file).stat().st_size <= _LARGEST_FILE:
                yield file, Path(file).read_text("utf-8", errors="replace")


def _source_files_below(roots: Iterable[str]) -> Iterator[str]:
    """Packages and hidden folders are passed over, and there is an end."""
    files = folders = 0
    for root in roots:
        for folder, below, names in os.walk(root):
            below[:] = sorted(name for name in below if name != "node_modules" and not name.startswith("."))
            folders += 1
            for name in sorted(names):
                if name.endswith(_ENDINGS):
                    files += 1
                    yield str(Path(folder, name))
            if files >= _MOST_FILES or folders >= _MOST_FOLDERS:
                return
