"""The end of a stream of bytes, in bounded memory."""

from __future__ import annotations


class OutputTail:
    """Keeps at least the last `max_bytes` bytes, and never more than twice as many."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = bytearray()

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        self._bytes += data
        if len(self._bytes) > 2 * self._max_bytes:
            del self._bytes[: -self._max_bytes]

    def text(self) -> str:
        """What was kept, decoded; a character that was cut becomes a replacement mark."""
        return bytes(self._bytes[-self._max_bytes :]).decode("utf-8", "replace")
