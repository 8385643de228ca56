"""Jobs on real worker threads, with an event loop of their own for each test."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator

import anyio
import anyio.lowlevel
import pytest

from server.debug.deadline import Deadline
from server.report.answer import Answer
from server.tools import offload
from server.tools.offload import JobRunner

BOUND_S = 30.0


class ScriptedJob:
    """Implements `server.tools.tool.Job`: begins, does its work, ends."""

    def __init__(self, work: Callable[[ScriptedJob], None] = lambda job: None, timeout_s: float = BOUND_S) -> None:
        self.deadline = Deadline.after(timeout_s)
        self.work = work
        self.begun = threading.Event()
        self.cancelled = threading.Event()
        self.ended = threading.Event()

    def run(self) -> Answer:
        self.begun.set()
        self.work(self)
        self.ended.set()
        return Answer(structured={"thread": threading.current_thread() is not threading.main_thread()})

    def cancel(self) -> None:
        self.cancelled.set()

    def progress(self) -> tuple[float, str]:
        return 0.0, "nothing yet"

    def never_ran(self, others: int) -> Answer:
        return Answer(structured={"others": others})


def until_cancelled(job: ScriptedJob) -> None:
    assert job.cancelled.wait(BOUND_S)


def until_set(event: threading.Event) -> None:
    assert event.wait(BOUND_S)


async def report_nothing(_done: float, _total: None, _words: str) -> None:
    raise AssertionError("there was nothing to report")


async def seen(event: threading.Event) -> None:
    with anyio.fail_after(BOUND_S):
        while not event.is_set():
            await anyio.sleep(0.001)


@pytest.fixture(autouse=True)
def no_job_is_given_up(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A job that is waited for in vain shows soon, and as a failure."""
    monkeypatch.setattr(offload, "_CANCEL_GRACE_S", 1.0)
    yield
    assert [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR] == []


def test_a_job_runs_on_a_worker_thread_and_its_answer_comes_back() -> None:
    async def main() -> Answer:
        return await JobRunner(1).run(ScriptedJob(), report_nothing)

    assert anyio.run(main).structured == {"thread": True}


def test_the_event_loop_stays_free_while_a_job_runs() -> None:
    gate = threading.Event()

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            job = ScriptedJob(lambda job: until_set(gate))
            tasks.start_soon(JobRunner(1).run, job, report_nothing)
            await seen(job.begun)
            gate.set()  # only a loop that goes on gets here

    anyio.run(main)


def test_the_eleventh_of_more_than_ten_waits_for_its_turn() -> None:
    gate = threading.Event()
    jobs = [ScriptedJob(lambda job: until_set(gate)) for _ in range(12)]

    async def main() -> None:
        runner = JobRunner(10)
        async with anyio.create_task_group() as tasks:
            for job in jobs:
                tasks.start_soon(runner.run, job, report_nothing)
            for job in jobs[:10]:
                await seen(job.begun)
            await anyio.wait_all_tasks_blocked()
            assert not any(job.begun.is_set() for job in jobs[10:])
            gate.set()

    anyio.run(main)
    assert all(job.ended.is_set() for job in jobs)


def test_a_job_that_gets_no_turn_is_answered_within_its_own_time() -> None:
    first = ScriptedJob(until_cancelled)
    second = ScriptedJob(timeout_s=0.02)

    async def main() -> Answer:
        runner = JobRunner(1)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(runner.run, first, report_nothing)
            await seen(first.begun)
            answer = await runner.run(second, report_nothing)
            first.cancel()
        return answer

    assert anyio.run(main).structured == {"others": 1}
    assert not second.begun.is_set()


def test_a_job_whose_time_is_up_still_gets_a_turn_that_is_free() -> None:
    async def main() -> Answer:
        return await JobRunner(1).run(ScriptedJob(timeout_s=0), report_nothing)

    assert anyio.run(main).structured == {"thread": True}


def test_a_cancelled_call_tells_its_job_and_stays_until_it_has_ended() -> None:
    gate = threading.Event()

    def end_late(job: ScriptedJob) -> None:
        until_cancelled(job)
        until_set(gate)

    job = ScriptedJob(end_late)

    async def open_gate_after_cancellation() -> None:
        await seen(job.cancelled)
        gate.set()

    async def main() -> None:
        runner = JobRunner(1)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(open_gate_after_cancellation)
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as calls:
                    calls.start_soon(runner.run, job, report_nothing)
                    await seen(job.begun)
                    scope.cancel()
            assert job.ended.is_set()
            await runner.run(ScriptedJob(), report_nothing)  # and its turn is free again

    anyio.run(main)


@pytest.mark.parametrize("steps", range(8))
def test_a_call_cancelled_while_it_begins_either_never_runs_its_job_or_sees_it_end(steps: int) -> None:
    job = ScriptedJob(until_cancelled)

    async def main() -> None:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(JobRunner(1).run, job, report_nothing)
                for _ in range(steps):
                    await anyio.lowlevel.checkpoint()
                scope.cancel()

    anyio.run(main)
    assert job.begun.is_set() == job.ended.is_set()


def test_a_call_that_is_cancelled_already_does_not_run_its_job() -> None:
    job = ScriptedJob()

    async def main() -> None:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await JobRunner(1).run(job, report_nothing)

    anyio.run(main)
    assert not job.begun.is_set()


def test_a_call_cancelled_while_it_waits_gives_its_place_to_the_next() -> None:
    first, cancelled, next_one = ScriptedJob(until_cancelled), ScriptedJob(), ScriptedJob()

    async def main() -> None:
        runner = JobRunner(1)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(runner.run, first, report_nothing)
            await seen(first.begun)
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as waiting:
                    waiting.start_soon(runner.run, cancelled, report_nothing)
                    await anyio.wait_all_tasks_blocked()
                    scope.cancel()
            tasks.start_soon(runner.run, next_one, report_nothing)
            first.cancel()

    anyio.run(main)
    assert not cancelled.begun.is_set()
    assert next_one.ended.is_set()


def test_progress_is_reported_only_when_it_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offload, "_PROGRESS_EVERY_S", 0.001)
    numbers = iter([0.0, 1.0, 1.0, 0.0, 3.0, 2.0, 3.0, 7.0])
    reported: list[tuple[float, str]] = []

    class CountingJob(ScriptedJob):
        def progress(self) -> tuple[float, str]:
            number = next(numbers, None)
            if number is None:
                self.cancel()
                return 0.0, "over"
            return number, f"{number:g} hits"

    async def report(done: float, _total: None, words: str) -> None:
        reported.append((done, words))

    async def main() -> None:
        await JobRunner(1).run(CountingJob(until_cancelled), report)

    anyio.run(main)
    assert reported == [(1.0, "1 hits"), (3.0, "3 hits"), (7.0, "7 hits")]


def test_a_job_that_raises_gives_its_turn_back_and_the_error_comes_out() -> None:
    def fail(_job: ScriptedJob) -> None:
        raise RuntimeError("a defect")

    async def main() -> None:
        runner = JobRunner(1)
        with pytest.raises(BaseExceptionGroup) as caught:
            await runner.run(ScriptedJob(fail), report_nothing)
        assert caught.group_contains(RuntimeError, match="a defect")
        await runner.run(ScriptedJob(), report_nothing)

    anyio.run(main)


def test_a_client_that_takes_no_progress_ends_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offload, "_PROGRESS_EVERY_S", 0.001)

    class BusyJob(ScriptedJob):
        def progress(self) -> tuple[float, str]:
            return 1.0, "1 hit"

    job = BusyJob(until_cancelled)

    async def broken(_done: float, _total: None, _words: str) -> None:
        raise ConnectionError("the client is gone")

    async def main() -> None:
        with pytest.raises(BaseExceptionGroup):
            await JobRunner(1).run(job, broken)

    anyio.run(main)
    assert job.ended.is_set()


def test_a_job_that_takes_no_notice_is_given_up_after_a_while(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(offload, "_CANCEL_GRACE_S", 0.01)
    gate = threading.Event()
    job = ScriptedJob(lambda job: until_set(gate))

    async def main() -> None:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(JobRunner(1).run, job, report_nothing)
                await seen(job.begun)
                scope.cancel()
        assert not job.ended.is_set()
        gate.set()
        await seen(job.ended)

    anyio.run(main)
    assert caplog.messages == ["a cancelled job did not end within 0.01 s"]
    caplog.clear()
