"""Keeps the results of a run within a size, whatever their number: the first ones and the last ones."""

from __future__ import annotations

from collections import deque

from server.debug.model import Results


class ResultStore:
    """Half of the room is for the first results, half for the last; memory stays bounded."""

    def __init__(self, max_bytes: int) -> None:
        self._room_first = max_bytes // 2
        self._room_last = max_bytes - max_bytes // 2
        self._first: list[str] = []
        self._last: deque[str] = deque()
        self._last_bytes = 0
        self._first_is_full = False
        self._omitted = 0
        self._omitted_bytes = 0
        self.hits = 0

    def add(self, json_text: str) -> None:
        """Take the next result, in program order."""
        self.hits += 1
        size = len(json_text)
        if not self._first_is_full and size <= self._room_first:
            self._room_first -= size
            self._first.append(json_text)
            return
        self._first_is_full = True
        self._last.append(json_text)
        self._last_bytes += size
        while self._last_bytes > self._room_last and len(self._last) > 1:
            dropped = len(self._last.popleft())
            self._last_bytes -= dropped
            self._omitted += 1
            self._omitted_bytes += dropped

    def snapshot(self) -> Results:
        """What has been kept so far."""
        return Results(
            kept=(*self._first, *self._last),
            hits=self.hits,
            omitted=self._omitted,
            omitted_bytes=self._omitted_bytes,
            kept_first=len(self._first),
        )
