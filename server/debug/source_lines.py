"""Lines of source to show beside a place: as the program runs them, or else as they are on disk."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path

from server.debug.backend import Debuggee
from server.debug.session_model import Position, ScriptInfo, SourceText
from server.errors import InvalidArgumentsError, ProgramGoneError

CONTEXT_LINES = 2
"""How many lines before a place, and how many after it, are shown."""

_MAX_SOURCES = 32
_MAX_FILE_BYTES = 32 * 1024 * 1024


class SourceLines:
    """The sources of one program; keeps the last few. Belongs to the session's owner."""

    def __init__(self, debuggee: Debuggee) -> None:
        self._debuggee = debuggee
        self._kept: OrderedDict[Hashable, tuple[str, ...]] = OrderedDict()

    def of_file(self, file: str) -> tuple[str, ...]:
        """All lines of a file, whether it is loaded or not. Raises `InvalidArgumentsError` where nobody has it."""
        script = self._script_of(file)
        if script is not None and script.source_map_url is None:
            return self._of_script_or_disk(script.id, file)
        lines = self._on_disk(file)  # a script with a map was made from this file; its own text has other lines
        if lines is not None:
            return lines
        if script is not None:
            return self.of_script(script.id)
        raise InvalidArgumentsError(
            f"{file} is not loaded by the program, and cannot be read either.",
            advice="list_scripts tells what is loaded.",
            details={"file": file},
        )

    def of_script(self, script_id: str) -> tuple[str, ...]:
        """All lines of a script."""
        return self._keep(("script", script_id), lambda: _split(self._debuggee.source(script_id)))

    def around(self, position: Position) -> tuple[SourceText, ...]:
        """The few lines around a place."""
        lines = self.of_file(position.file)
        return marked_lines(lines, position.line - CONTEXT_LINES, position.line + CONTEXT_LINES, position.line)

    def _of_script_or_disk(self, script_id: str, file: str) -> tuple[str, ...]:
        try:
            return self.of_script(script_id)
        except ProgramGoneError:
            lines = self._on_disk(file)
            if lines is None:
                raise
            return lines

    def _script_of(self, file: str) -> ScriptInfo | None:
        """The script of a file that was loaded last."""
        return next((script for script in reversed(self._debuggee.scripts()) if script.file == file), None)

    def _on_disk(self, file: str) -> tuple[str, ...] | None:
        try:
            state = Path(file).stat()
            if state.st_size > _MAX_FILE_BYTES:
                return None
            version = ("file", file, state.st_mtime_ns, state.st_size)
            return self._keep(version, lambda: _split(Path(file).read_text("utf-8", "replace")))
        except OSError:
            return None

    def _keep(self, key: Hashable, read: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        lines = self._kept.get(key)
        if lines is None:
            lines = self._kept[key] = read()
        self._kept.move_to_end(key)
        while len(self._kept) > _MAX_SOURCES:
            self._kept.popitem(last=False)
        return lines


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
