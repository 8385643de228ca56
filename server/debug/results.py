"""Keeps the results of a run within a size, whatever their number: the first ones and the last ones."""

from __future__ import annotations

from collections import deque

from server.debug.model import Results


class ResultStore:
    """The first results fill up to half of the room, the last ones what is left; memory stays bounded.

    The very first and the very last result are kept whatever their size, which is bounded where they are made.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._first: list[str] = []
        self._first_bytes = 0
        self._last: deque[str] = deque()
        self._last_bytes = 0
        self._omitted = 0
        self._omitted_bytes = 0
        self.hits = 0

    def add(self, json_text: str) -> None:
        """Take the next result, in program order."""
        self.hits += 1
        size = _utf8_length(json_text)
        if not self._first or (not self._last and self._first_bytes + size <= self._max_bytes // 2):
            self._first.append(json_text)
            self._first_bytes += size
            return
        self._last.append(json_text)
        self._last_bytes += size
        self._make_room()

    def snapshot(self) -> Results:
        """What has been kept so far."""
        return Results(
            kept=(*self._first, *self._last),
            hits=self.hits,
            omitted=self._omitted,
            omitted_bytes=self._omitted_bytes,
            kept_first=len(self._first),
        )

    def _make_room(self) -> None:
        """Widen the gap between first and last: at its far end, and only then, for a huge last result, at its near."""
        while self._first_bytes + self._last_bytes > self._max_bytes:
            if len(self._last) > 1:
                self._last_bytes -= self._omit(self._last.popleft())
            elif len(self._first) > 1:
                self._first_bytes -= self._omit(self._first.pop())
            else:
                return

    def _omit(self, json_text: str) -> int:
        size = _utf8_length(json_text)
        self._omitted += 1
        self._omitted_bytes += size
        return size


def _utf8_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
