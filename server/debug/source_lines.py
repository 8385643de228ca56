"""Lines of source to show beside a place: as the program runs them, or else as they are on disk."""

from __future__ import annotations

import stat
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path, PurePath

from server.debug.backend import Debuggee
from server.debug.session_model import Position, ScriptInfo, SourceText
from server.errors import InvalidArgumentsError, ProgramGoneError

CONTEXT_LINES = 2
"""How many lines before a place, and how many after it, are shown."""

_MAX_SOURCES = 32
_MAX_NAMESAKES = 5
_MAX_FILE_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Version:
    """A file as it is on disk just now."""

    file: str
    changed_ns: int
    size: int


class SourceLines:
    """The sources of one program; keeps the last few. Belongs to the session's owner."""

    def __init__(self, debuggee: Debuggee) -> None:
        self._debuggee = debuggee
        self._kept: OrderedDict[Hashable, tuple[str, ...]] = OrderedDict()

    def of_file(self, file: str) -> tuple[str, ...]:
        """All lines of a file, whether it is loaded or not. Raises `InvalidArgumentsError` where nobody has it."""
        version = _version_on_disk(file)
        # To go through all scripts takes a while. A file that is as it was is not loaded with another text.
        known = None if version is None else self._find(("loaded", version))
        if known is not None:
            return known
        script = self._script_of(file)
        if script is not None:
            lines = self._of_loaded(script, file, version)
            return lines if version is None else self._keep(("loaded", version), lines)
        on_disk = self._on_disk(file, version)
        if on_disk is None:
            raise self._nobody_has(file)
        return on_disk

    def of_script(self, script_id: str) -> tuple[str, ...]:
        """All lines of a script."""
        key = ("script", script_id)
        return self._find(key) or self._keep(key, _split(self._debuggee.source(script_id)))

    def around(self, position: Position) -> tuple[SourceText, ...]:
        """The few lines around a place."""
        lines = self.of_file(position.file)
        return marked_lines(lines, position.line - CONTEXT_LINES, position.line + CONTEXT_LINES, position.line)

    def _script_of(self, file: str) -> ScriptInfo | None:
        """The script of a file that was loaded last; one that comes from no file goes by its URL."""
        loaded_last_first = reversed(self._debuggee.scripts())
        return next((script for script in loaded_last_first if file in (script.file, script.url)), None)

    def _of_loaded(self, script: ScriptInfo, file: str, version: _Version | None) -> tuple[str, ...]:
        # A script with a map was made from this file; its own text has other lines.
        on_disk = None if script.source_map_url is None else self._on_disk(file, version)
        if on_disk is not None:
            return on_disk
        try:
            return self.of_script(script.id)
        except (ProgramGoneError, InvalidArgumentsError):  # there is no program any more, or no such script
            on_disk = self._on_disk(file, version)
            if on_disk is None:
                raise
            return on_disk

    def _nobody_has(self, file: str) -> InvalidArgumentsError:
        loaded = {script.file for script in self._debuggee.scripts() if script.file is not None}
        namesakes = sorted(one for one in loaded if PurePath(one).name == PurePath(file).name)[:_MAX_NAMESAKES]
        return InvalidArgumentsError(
            f"{file} is not loaded by the program, and cannot be read either.",
            advice="Give the file that is meant." if namesakes else "list_scripts tells what is loaded.",
            details={"file": file, "loaded_files_of_that_name": namesakes},
        )

    def _on_disk(self, file: str, version: _Version | None) -> tuple[str, ...] | None:
        if version is None or version.size > _MAX_FILE_BYTES:
            return None
        key = ("disk", version)
        try:
            return self._find(key) or self._keep(key, _split(Path(file).read_text("utf-8", "replace")))
        except OSError:
            return None

    def _find(self, key: Hashable) -> tuple[str, ...] | None:
        lines = self._kept.get(key)
        if lines is not None:
            self._kept.move_to_end(key)
        return lines

    def _keep(self, key: Hashable, lines: tuple[str, ...]) -> tuple[str, ...]:
        self._kept[key] = lines
        while len(self._kept) > _MAX_SOURCES:
            self._kept.popitem(last=False)
        return lines


def _version_on_disk(file: str) -> _Version | None:
    try:
        state = Path(file).stat()
    except (OSError, ValueError):  # no path at all, such as one with a null character
        return None
    return _Version(file, state.st_mtime_ns, state.st_size) if stat.S_ISREG(state.st_mode) else None


def marked_lines(lines: tuple[str, ...], first: int, last: int, current: int | None) -> tuple[SourceText, ...]:
    """The lines from `first` to `last`, as far as there are any; all numbers are 1-based."""
    first = max(1, first)
    return tuple(
        SourceText(line=number, text=text, is_current=number == current)
        for number, text in enumerate(lines[first - 1 : max(0, last)], first)
    )


def _split(text: str) -> tuple[str, ...]:
    """Lines as every debugger counts them: `str.splitlines` would also split at form feeds and the like."""
    return tuple(line.removesuffix("\r") for line in text.split("\n"))
