"""A pump delivers everything and always comes to its end."""

import os
import threading

from server.process.pipe_pump import PipePump
from server.process.process_events import OutputChunk, ProcessEvent
from tests.unit.process.event_inbox import BOUND_S, EventInbox


def test_pump_ends_at_the_end_of_the_pipe(inbox: EventInbox) -> None:
    reading, writing = os.pipe()
    pump = PipePump(reading, "stdout", inbox.deliver, "test")
    os.write(writing, b"one")
    os.close(writing)
    inbox.wait_until(lambda: inbox.ended_streams() == ["stdout"])
    pump.stop()
    pump.thread.join(BOUND_S)
    assert inbox.output("stdout") == b"one"


def test_stopped_pump_delivers_what_is_in_the_pipe_though_a_writer_lives(inbox: EventInbox) -> None:
    reading, writing = os.pipe()
    may_continue = threading.Event()

    def deliver_slowly(event: ProcessEvent) -> None:
        inbox.deliver(event)
        assert may_continue.wait(BOUND_S)

    pump = PipePump(reading, "stderr", deliver_slowly, "test")
    os.write(writing, b"one")
    inbox.wait_until(lambda: inbox.output("stderr") == b"one")
    os.write(writing, b"two")
    pump.stop()
    may_continue.set()
    pump.thread.join(BOUND_S)
    assert not pump.thread.is_alive()
    inbox.take_delivered()
    assert inbox.output("stderr") == b"onetwo"
    assert inbox.ended_streams() == ["stderr"]
    os.close(writing)


def test_stopped_pump_ends_though_the_pipe_is_never_empty() -> None:
    reading, writing = os.pipe()
    is_stopped = threading.Event()

    def refill(event: ProcessEvent) -> None:
        assert is_stopped.wait(BOUND_S)
        if isinstance(event, OutputChunk):
            os.write(writing, event.data)

    os.write(writing, b"x" * 4096)
    pump = PipePump(reading, "stdout", refill, "test")
    pump.stop()
    is_stopped.set()
    pump.thread.join(BOUND_S)
    assert not pump.thread.is_alive()
    os.close(writing)
