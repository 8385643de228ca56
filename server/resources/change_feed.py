"""Brings changes of sessions from the threads that own them to the event loop.

| thread | may do |
|---|---|
| any | `note`, which neither waits nor raises |
| event loop | `tell`, until it is cancelled |

Every event only says that something is to be read again. So a number of equal ones is told as one, and a program that
floods its output costs the client a few messages a second.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

import anyio

from server.debug.session_terms import SessionChange
from server.resources.resource_events import ResourceEvent, change_to_events

Deliver = Callable[[ResourceEvent], Awaitable[None]]

log = logging.getLogger(__name__)

_REST_S = 0.2


class ChangeFeed:
    """Changes that were noted and not told yet. While nobody tells them, they are dropped."""

    def __init__(self, rest_s: float = _REST_S) -> None:
        self._rest_s = rest_s
        self._lock = threading.Lock()
        self._untold: dict[ResourceEvent, None] = {}
        self._wake: Callable[[], object] | None = None

    def note(self, change: SessionChange) -> None:
        """Remember a change; from any thread, at any time."""
        with self._lock:
            if self._wake is None:
                return
            if not self._untold:  # else the teller has been woken already
                self._wake()
            self._untold.update(dict.fromkeys(change_to_events(change)))

    async def tell(self, deliver: Deliver) -> None:
        """Deliver every event: the first at once, those of the moment after it together."""
        with self._listening() as news:
            while True:
                await news.wait()
                news.clear()
                for event in self._take():
                    await _deliver_safely(deliver, event)
                await anyio.sleep(self._rest_s)

    @contextmanager
    def _listening(self) -> Generator[asyncio.Event]:
        loop = asyncio.get_running_loop()
        news = asyncio.Event()
        with self._lock:
            self._wake = lambda: loop.call_soon_threadsafe(news.set)
        try:
            yield news
        finally:
            with self._lock:  # nothing reaches for the loop once this is over
                self._wake = None
                self._untold.clear()

    def _take(self) -> tuple[ResourceEvent, ...]:
        with self._lock:
            taken = tuple(self._untold)
            self._untold.clear()
        return taken


async def _deliver_safely(deliver: Deliver, event: ResourceEvent) -> None:
    try:
        await deliver(event)
    except Exception:  # a notification is a courtesy: that one fails must not cost the client its server
        log.warning("%s could not be told", event, exc_info=True)
