"""The source files of a program that are on disk, loaded or not."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_ENDINGS: Final = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".jsx", ".tsx")
_MOST_FILES: Final = 2_000
_MOST_FOLDERS: Final = 5_000
_LARGEST_FILE: Final = 1_000_000


def source_files_below(roots: Iterable[str]) -> Iterator[str]:
    """The files of the program's own code: packages and hidden folders are passed over, and there is an end."""
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


def read_source_file(file: str) -> str | None:
    """The text of a file; None where it cannot be read, or is too large to be written by a person."""
    try:
        if Path(file).stat().st_size > _LARGEST_FILE:
            return None
        return Path(file).read_text("utf-8", errors="replace")
    except OSError:
        return None
