"""Changes that threads note arrive on the event loop, once and in time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Awaitable, Callable

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest

from server.debug.session_terms import SessionChange
from server.resources.change_feed import ChangeFeed
from server.resources.resource_events import ResourceEvent, ResourceListChanged, ResourceUpdated

BOUND_S = 30.0
OUTPUT = SessionChange("s1", "output")
OUTPUT_UPDATED = ResourceUpdated("debug://sessions/s1/output")


class Listener:
    """Keeps what it was told; takes the next one only when it is let go."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.told: list[ResourceEvent] = []
        self.gate = anyio.Event()
        self._news = anyio.Event()
        if is_open:
            self.gate.set()

    async def hear(self, event: ResourceEvent) -> None:
        self.told.append(event)
        self._news.set()
        await self.gate.wait()

    async def wait_for(self, event: ResourceEvent) -> None:
        while event not in self.told:
            self._news = anyio.Event()
            await self._news.wait()


def with_teller(
    feed: ChangeFeed, hear: Callable[[ResourceEvent], Awaitable[None]], story: Callable[[], Awaitable[None]]
) -> None:
    async def main() -> None:
        with anyio.fail_after(BOUND_S):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(feed.tell, hear)
                await anyio.lowlevel.checkpoint()  # the teller has begun to listen
                await story()
                tasks.cancel_scope.cancel()

    anyio.run(main)


def note_in_thread(feed: ChangeFeed, *changes: SessionChange) -> None:
    def note() -> None:
        for change in changes:
            feed.note(change)

    thread = threading.Thread(target=note)
    thread.start()
    thread.join()


def test_a_change_of_another_thread_is_told_on_the_event_loop() -> None:
    feed = ChangeFeed()
    listener = Listener()

    async def story() -> None:
        note_in_thread(feed, OUTPUT)
        await listener.wait_for(OUTPUT_UPDATED)

    with_teller(feed, listener.hear, story)
    assert listener.told == [OUTPUT_UPDATED]


def test_a_flood_is_told_as_one_change_at_a_time() -> None:
    feed = ChangeFeed(rest_s=0)
    listener = Listener(is_open=False)
    end = SessionChange("s1", "closed")

    async def story() -> None:
        note_in_thread(feed, OUTPUT)
        await listener.wait_for(OUTPUT_UPDATED)
        note_in_thread(feed, *[OUTPUT] * 10_000, end)  # while the client is slow to take the first
        listener.gate.set()
        await listener.wait_for(ResourceListChanged())
        await listener.wait_for(ResourceUpdated("debug://sessions"))

    with_teller(feed, listener.hear, story)
    assert listener.told == [
        OUTPUT_UPDATED,
        OUTPUT_UPDATED,
        ResourceListChanged(),
        ResourceUpdated("debug://sessions/s1"),
        ResourceUpdated("debug://sessions"),
    ]


def test_a_change_during_the_rest_is_told_after_it() -> None:
    feed = ChangeFeed()
    listener = Listener()

    async def story() -> None:
        note_in_thread(feed, OUTPUT)
        await listener.wait_for(OUTPUT_UPDATED)
        note_in_thread(feed, SessionChange("s2", "output"))
        await listener.wait_for(ResourceUpdated("debug://sessions/s2/output"))

    with_teller(feed, listener.hear, story)


def test_nothing_is_lost_between_many_threads() -> None:
    feed = ChangeFeed(rest_s=0)
    listener = Listener()
    ids = [f"s{number}" for number in range(20)]

    async def story() -> None:
        async with anyio.create_task_group() as threads:
            for session_id in ids:
                changes = [SessionChange(session_id, "state")] * 100 + [SessionChange(session_id, "output")]
                threads.start_soon(anyio.to_thread.run_sync, note_in_thread, feed, *changes)
        for session_id in ids:
            await listener.wait_for(ResourceUpdated(f"debug://sessions/{session_id}"))
            await listener.wait_for(ResourceUpdated(f"debug://sessions/{session_id}/output"))

    with_teller(feed, listener.hear, story)


def test_one_that_cannot_be_told_does_not_keep_back_the_next(caplog: pytest.LogCaptureFixture) -> None:
    feed = ChangeFeed()
    listener = Listener()

    async def hear(event: ResourceEvent) -> None:
        if event == ResourceListChanged():
            raise anyio.BrokenResourceError
        await listener.hear(event)

    async def story() -> None:
        note_in_thread(feed, SessionChange("s1", "opened"))
        await listener.wait_for(ResourceUpdated("debug://sessions"))

    with caplog.at_level(logging.WARNING):
        with_teller(feed, hear, story)
    assert "ResourceListChanged() could not be told" in caplog.text


def test_what_is_noted_before_and_after_the_teller_is_dropped() -> None:
    feed = ChangeFeed()
    listener = Listener()
    note_in_thread(feed, SessionChange("s1", "opened"))

    async def story() -> None:
        note_in_thread(feed, OUTPUT)
        await listener.wait_for(OUTPUT_UPDATED)

    with_teller(feed, listener.hear, story)
    note_in_thread(feed, SessionChange("s1", "closed"))  # the event loop is closed by now
    assert listener.told == [OUTPUT_UPDATED]
