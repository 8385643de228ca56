"""An owner's inbox for the tests: takes a process's events and waits for them with a bound."""

import queue
import time
from collections.abc import Callable

from server.process import ExitStatus, OutputChunk, ProcessEvent, ProcessExited, Stream, StreamEnded

BOUND_S = 30.0


class EventInbox:
    def __init__(self) -> None:
        self._queue: queue.Queue[ProcessEvent] = queue.Queue()
        self.events: list[ProcessEvent] = []

    def deliver(self, event: ProcessEvent) -> None:
        self._queue.put(event)

    def wait_until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + BOUND_S
        self.take_delivered()
        while not holds():
            self.events.append(self._queue.get(timeout=max(0.01, deadline - time.monotonic())))

    def take_delivered(self) -> None:
        while not self._queue.empty():
            self.events.append(self._queue.get())

    def wait_for_lines(self, count: int) -> list[str]:
        """Return the first `count` lines of standard output."""
        self.wait_until(lambda: self.output("stdout").count(b"\n") >= count)
        return self.output("stdout").decode().splitlines()[:count]

    def wait_for_exit(self) -> ExitStatus:
        self.wait_until(lambda: bool(self.exits()))
        return self.exits()[0]

    def wait_for_everything(self) -> ExitStatus:
        self.wait_until(lambda: bool(self.exits()) and self.ended_streams() == ["stderr", "stdout"])
        return self.exits()[0]

    def output(self, stream: Stream) -> bytes:
        return b"".join(e.data for e in self.events if isinstance(e, OutputChunk) and e.stream == stream)

    def exits(self) -> list[ExitStatus]:
        return [event.status for event in self.events if isinstance(event, ProcessExited)]

    def ended_streams(self) -> list[str]:
        return sorted(event.stream for event in self.events if isinstance(event, StreamEnded))
