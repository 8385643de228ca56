"""What a program wrote, as far as it is kept.

The owner of the session writes here, any thread may read: resources show the output while the owner is busy. So this
is one of the few places with a lock; nobody holds it for longer than it takes to copy a list.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator

from server.debug.session_model import OutputEntry, OutputPage

_ENTRY_CHARACTERS = 4096
"""Small writes are put together up to this size: a program that writes one character at a time needs no more memory."""


class OutputLog:
    """The end of all output, in order. A cursor is the number of characters that came before it."""

    def __init__(self, max_characters: int) -> None:
        self._max_characters = max_characters
        self._lock = threading.Lock()
        self._entries: deque[OutputEntry] = deque()
        self._end = 0

    @property
    def end(self) -> int:
        """The cursor behind everything that there is so far."""
        return self._end

    def append(self, stream: str, text: str) -> None:
        """Add what was written."""
        if not text:
            return
        with self._lock:
            last = self._entries[-1] if self._entries else None
            if last is not None and last.stream == stream and len(last.text) + len(text) <= _ENTRY_CHARACTERS:
                self._entries[-1] = OutputEntry(last.cursor, stream, last.text + text)
            else:
                self._entries.append(OutputEntry(self._end, stream, text))
            self._end += len(text)
            self._drop_the_oldest()

    def page(self, since: int, *, max_characters: int, stream: str | None = None) -> OutputPage:
        """From a cursor on, as much as there may be; the page's own cursor leads to the next one."""
        entries, end = self._snapshot()
        first_kept = entries[0].cursor if entries else end
        omitted = max(0, min(first_kept, end) - max(0, since))
        taken: list[OutputEntry] = []
        room = max_characters
        for entry in _from_cursor(entries, since, stream):
            if len(entry.text) > room:
                taken += [OutputEntry(entry.cursor, entry.stream, entry.text[:room])] if room else []
                cursor = entry.cursor + room
                return OutputPage(tuple(taken), cursor, omitted, since, remaining_characters=end - cursor)
            taken.append(entry)
            room -= len(entry.text)
        return OutputPage(tuple(taken), end, omitted, since)

    def tail(self, since: int, *, max_characters: int, stream: str | None = None) -> OutputPage:
        """The last of what there is from a cursor on."""
        return self._tail(since, stream, lambda entry: "", max_characters)

    def tail_of_each(self, since: int, *, max_characters: int) -> OutputPage:
        """The last of each stream from a cursor on, so that none is crowded out by another."""
        return self._tail(since, None, lambda entry: entry.stream, max_characters)

    def _tail(
        self, since: int, stream: str | None, room_of: Callable[[OutputEntry], str], max_characters: int
    ) -> OutputPage:
        entries, end = self._snapshot()
        first_kept = entries[0].cursor if entries else end
        omitted = max(0, min(first_kept, end) - max(0, since))
        taken: deque[OutputEntry] = deque()
        rooms: defaultdict[str, int] = defaultdict(lambda: max_characters)
        for entry in reversed([*_from_cursor(entries, since, stream)]):
            cut = max(0, len(entry.text) - rooms[room_of(entry)])
            omitted += cut
            if cut < len(entry.text):
                taken.appendleft(OutputEntry(entry.cursor + cut, entry.stream, entry.text[cut:]))
            rooms[room_of(entry)] -= len(entry.text) - cut
        return OutputPage(tuple(taken), end, omitted, since)

    def _snapshot(self) -> tuple[tuple[OutputEntry, ...], int]:
        with self._lock:
            return tuple(self._entries), self._end

    def _drop_the_oldest(self) -> None:
        excess = self._end - self._entries[0].cursor - self._max_characters
        while excess > 0:
            oldest = self._entries.popleft()
            if len(oldest.text) > excess:
                self._entries.appendleft(OutputEntry(oldest.cursor + excess, oldest.stream, oldest.text[excess:]))
            excess -= len(oldest.text)


def _from_cursor(entries: Iterable[OutputEntry], since: int, stream: str | None) -> Iterator[OutputEntry]:
    for entry in entries:
        if stream is not None and entry.stream != stream:
            continue
        seen = max(0, since - entry.cursor)
        if seen == 0:
            yield entry
        elif seen < len(entry.text):
            yield OutputEntry(since, entry.stream, entry.text[seen:])
