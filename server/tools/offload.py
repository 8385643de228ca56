"""Runs jobs on worker threads while the event loop stays free.

A thread cannot be cancelled. So a cancelled call tells its job to end, stays until it has ended, and only then
lets the cancellation go on; nothing of a job outlives its call.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable

import anyio
import anyio.lowlevel
import anyio.to_thread

from server.report.answer import Answer
from server.tools.tool import Job

ReportProgress = Callable[[float, None, str], Awaitable[None]]
log = logging.getLogger(__name__)

_PROGRESS_EVERY_S = 0.25
_CANCEL_GRACE_S = 8.0


class JobRunner:
    """Runs at most so many jobs side by side; a further one waits for its turn, within its own time."""

    def __init__(self, max_concurrent: int) -> None:
        self._turns = anyio.CapacityLimiter(max_concurrent)
        # Turns are counted above. The shared limiter of anyio also carries stdin and stdout: leave it alone.
        self._threads = anyio.CapacityLimiter(math.inf)

    async def run(self, job: Job, report_progress: ReportProgress) -> Answer:
        """Run a job to its end and return its answer."""
        try:
            has_turn = await self._get_turn(job)
        except anyio.get_cancelled_exc_class():
            job.cancel()  # nobody else will: its own wait has not begun
            raise
        if not has_turn:
            return job.never_ran(others=int(self._turns.borrowed_tokens))
        try:
            return await self._run_with_progress(job, report_progress)
        finally:
            self._turns.release_on_behalf_of(job)

    async def _get_turn(self, job: Job) -> bool:
        await anyio.lowlevel.checkpoint_if_cancelled()
        try:
            self._turns.acquire_on_behalf_of_nowait(job)  # a free turn costs no time, so none has to be left
        except anyio.WouldBlock:
            with anyio.move_on_after(job.deadline.remaining_s()) as waiting:
                await self._turns.acquire_on_behalf_of(job)
            return not waiting.cancelled_caught
        return True

    async def _run_with_progress(self, job: Job, report_progress: ReportProgress) -> Answer:
        answer: Answer | None = None
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_keep_reporting, job, report_progress)
            # Shielded: only the end of the job ends this wait, or, after a cancellation, the end of our patience.
            with anyio.CancelScope(shield=True) as patience:
                tasks.start_soon(_pass_on_cancellation, job, patience)
                answer = await anyio.to_thread.run_sync(job.run, abandon_on_cancel=True, limiter=self._threads)
            if patience.cancelled_caught:
                log.error("a cancelled job did not end within %s s", _CANCEL_GRACE_S)
            tasks.cancel_scope.cancel()
        await anyio.lowlevel.checkpoint_if_cancelled()  # the cancellation goes on, now that the job has ended
        assert answer is not None
        return answer


async def _pass_on_cancellation(job: Job, patience: anyio.CancelScope) -> None:
    """Tell a job that its call was cancelled. Also called off when the job has ended, which takes no notice then."""
    try:
        await anyio.sleep_forever()
    finally:
        job.cancel()
        patience.deadline = anyio.current_time() + _CANCEL_GRACE_S


async def _keep_reporting(job: Job, report_progress: ReportProgress) -> None:
    told = 0.0
    while True:
        await anyio.sleep(_PROGRESS_EVERY_S)
        done, words = job.progress()
        if done > told:
            told = done
            await report_progress(done, None, words)
