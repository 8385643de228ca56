"""Runs jobs on worker threads while the event loop stays free.

A thread cannot be cancelled. So a cancelled call tells its job to end, stays until it has ended, and only then
lets the cancellation go on; nothing of a job outlives its call.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Awaitable, Callable

import anyio
import anyio.to_thread

from server.report.answer import Answer
from server.tools.tool import Job

ReportProgress = Callable[[float, None, str], Awaitable[None]]
log = logging.getLogger(__name__)

_PROGRESS_EVERY_S = 0.25
_CANCEL_GRACE_S = 8.0
_LOOK_AGAIN_S = 0.01


class JobRunner:
    """Runs at most so many jobs side by side; a further one waits for its turn, within its own time."""

    def __init__(self, max_concurrent: int) -> None:
        self._turns = anyio.CapacityLimiter(max_concurrent)
        # Turns are counted above. The shared limiter of anyio also carries stdin and stdout: leave it alone.
        self._threads = anyio.CapacityLimiter(math.inf)

    async def run(self, job: Job, report_progress: ReportProgress) -> Answer:
        """Run a job to its end and return its answer."""
        with anyio.move_on_after(job.deadline.remaining_s()) as waiting:
            await self._turns.acquire_on_behalf_of(job)
        if waiting.cancelled_caught:
            return job.never_ran(others=int(self._turns.borrowed_tokens))
        try:
            return await self._run_with_progress(job, report_progress)
        finally:
            self._turns.release_on_behalf_of(job)

    async def _run_with_progress(self, job: Job, report_progress: ReportProgress) -> Answer:
        answer: Answer | None = None
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_keep_reporting, job, report_progress)
            answer = await self._run_on_thread(job)
            tasks.cancel_scope.cancel()
        assert answer is not None
        return answer

    async def _run_on_thread(self, job: Job) -> Answer:
        ended = threading.Event()

        def run_and_tell() -> Answer:
            try:
                return job.run()
            finally:
                ended.set()

        try:
            return await anyio.to_thread.run_sync(run_and_tell, abandon_on_cancel=True, limiter=self._threads)
        except anyio.get_cancelled_exc_class():
            job.cancel()
            with anyio.move_on_after(_CANCEL_GRACE_S, shield=True) as grace:
                while not ended.is_set():
                    await anyio.sleep(_LOOK_AGAIN_S)
            if grace.cancelled_caught:
                log.error("a cancelled job did not end within %s s", _CANCEL_GRACE_S)
            raise


async def _keep_reporting(job: Job, report_progress: ReportProgress) -> None:
    told = 0.0
    while True:
        await anyio.sleep(_PROGRESS_EVERY_S)
        done, words = job.progress()
        if done > told:
            told = done
            await report_progress(done, None, words)
