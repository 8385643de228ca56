"""What node says of its inspector on standard error: where it listens, or why it does not."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LISTENING = re.compile(rb"^Debugger listening on (ws://\S+)\r?$", re.MULTILINE)
_FAILED = re.compile(rb"^Starting inspector on (\S+) failed: (.+?)\r?$", re.MULTILINE)
# The lines with which node speaks of the inspector and not of the program.
_INSPECTOR_CHATTER = re.compile(
    r"^(?:Debugger listening on ws://\S+"
    r"|For help, see: https://nodejs\.org/\S*"
    r"|Debugger attached\."
    r"|Debugger ending on ws://\S+"
    r"|Waiting for the debugger to disconnect\.\.\.)\r?(?:\n|\Z)",
    re.MULTILINE,
)
_CHATTER_BEGINNINGS = (
    "Debugger listening on ws://",
    "For help, see: https://nodejs.org/",
    "Debugger attached.",
    "Debugger ending on ws://",
    "Waiting for the debugger to disconnect...",
)
_LONGEST_CHATTER = 1024
# Said when the program is at its end, also behind a last line that has no end.
_LAST_WORDS = re.compile(
    r"(?:Waiting for the debugger to disconnect\.\.\.|Debugger ending on ws://\S+|For help, see: https://nodejs\.org/\S*)"
    r"\r?\n"
)


@dataclass(frozen=True, slots=True)
class Listening:
    """The inspector is ready at this websocket URL."""

    url: str


@dataclass(frozen=True, slots=True)
class NotListening:
    """The inspector could not start. Node runs the program all the same, undebugged."""

    address: str
    reason: str


class AnnouncementReader:
    """Finds the announcement in standard error, however the bytes are cut."""

    _LONGEST_LINE = 64 * 1024

    def __init__(self) -> None:
        self._unread = b""

    def feed(self, data: bytes) -> Listening | NotListening | None:
        """Look at the next bytes; only whole lines count."""
        head, newline, self._unread = (self._unread + data).rpartition(b"\n")
        self._unread = self._unread[-self._LONGEST_LINE :]
        if not newline:
            return None
        if match := _LISTENING.search(head):
            return Listening(match[1].decode("latin-1"))
        if match := _FAILED.search(head):
            return NotListening(match[1].decode("latin-1"), match[2].decode("utf-8", "replace"))
        return None


def without_inspector_chatter(stderr: str) -> str:
    """Standard error as the program itself wrote it."""
    return _INSPECTOR_CHATTER.sub("", stderr)


class ChatterFilter:
    """The same for a stream that comes in pieces: only the beginning of a line that may be node's is held back."""

    def __init__(self) -> None:
        self._held = ""
        self._is_inside_line = False

    def feed(self, text: str) -> str:
        """What of the stream is the program's, up to here."""
        text = _LAST_WORDS.sub("", text)
        if not self._is_inside_line:
            return self._feed_lines(text)
        rest, newline, text = text.partition("\n")
        return rest + newline + self._feed_lines(text) if newline else rest

    def flush(self) -> str:
        """What was held back, when nothing more comes."""
        held, self._held = self._held, ""
        return without_inspector_chatter(held)

    def _feed_lines(self, text: str) -> str:
        lines, newline, last = (self._held + text).rpartition("\n")
        self._held = last if _may_be_chatter(last) else ""
        self._is_inside_line = bool(last) and not self._held
        return without_inspector_chatter(lines + newline) + last.removeprefix(self._held)


def _may_be_chatter(beginning: str) -> bool:
    if not beginning or len(beginning) > _LONGEST_CHATTER:
        return False
    return any(one.startswith(beginning) or beginning.startswith(one) for one in _CHATTER_BEGINNINGS)
