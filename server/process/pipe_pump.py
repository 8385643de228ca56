"""Carry what a target writes into a pipe to the target's owner.

| thread                         | owns                    | may do                                     |
|--------------------------------|-------------------------|--------------------------------------------|
| stdout:<name>, stderr:<name>   | the pipe's reading end  | deliver OutputChunk, at last StreamEnded   |
| any other                      | nothing here            | start, stop, join                          |
"""

import os
import select
import threading

from server.process.process_events import Deliver, OutputChunk, Stream, StreamEnded

_CHUNK_BYTES = 64 * 1024
# No pipe holds more by default: a stopped pump that read as much has all that the dead had written.
_LARGEST_PIPE_BYTES = 1024 * 1024


class PipePump:
    """One pipe's thread. It ends at the end of the pipe, or soon after `stop`."""

    def __init__(self, pipe: int, stream: Stream, deliver: Deliver, name: str) -> None:
        self._pipe = pipe
        self._stream: Stream = stream
        self._deliver = deliver
        self._stop_heard, self._stop_told = os.pipe()
        self._stopping = threading.Event()
        self._closing = threading.Lock()
        self._is_closed = False
        # The flag is on our end alone: the target's end stays blocking, as programs expect.
        os.set_blocking(pipe, False)
        self.thread = threading.Thread(target=self._run, name=f"{stream}:{name}", daemon=True)
        try:
            self.thread.start()
        except RuntimeError:  # there are no more threads to be had: the pipe stays the caller's
            os.close(self._stop_heard)
            os.close(self._stop_told)
            raise

    def stop(self) -> None:
        """Read what the pipe holds now and no more: every writer that matters is dead. Call it once."""
        self._stopping.set()
        os.close(self._stop_told)

    def duplicate(self) -> int | None:
        """Another descriptor of the pipe, for the caller to close; None where the pipe is at its end."""
        with self._closing:
            return None if self._is_closed else os.dup(self._pipe)

    def _run(self) -> None:
        try:
            self._pump()
        finally:
            with self._closing:
                self._is_closed = True
                os.close(self._pipe)
            os.close(self._stop_heard)
            self._deliver(StreamEnded(self._stream))

    def _pump(self) -> None:
        left_after_stop = _LARGEST_PIPE_BYTES
        while left_after_stop > 0:
            was_stopping = self._stopping.is_set()
            try:
                data = os.read(self._pipe, _CHUNK_BYTES)
            except BlockingIOError:
                if was_stopping:
                    return
                self._wait_for_data_or_stop()
                continue
            if not data:
                return
            if was_stopping:
                left_after_stop -= len(data)
            self._deliver(OutputChunk(self._stream, data))

    def _wait_for_data_or_stop(self) -> None:
        poller = select.poll()
        poller.register(self._pipe, select.POLLIN)
        poller.register(self._stop_heard, select.POLLIN)
        poller.poll()
