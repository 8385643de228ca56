"""Guards are reused, launches do not disturb each other, and nothing piles up."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from server.process import ExitStatus, Launcher, LaunchError, LaunchFailure
from server.process.guard_client import Failed, GuardClient, LaunchRequest, Started
from tests.unit.process.event_inbox import BOUND_S, EventInbox
from tests.unit.process.process_probe import children_of, exists, pids_with_argument, wait_for_death


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def socket_inodes(pid: int | str) -> set[str]:
    links: set[str] = set()
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        try:
            links.add(str(fd.readlink()))
        except FileNotFoundError:  # the listing's own descriptor
            continue
    return {link for link in links if link.startswith("socket:")}


def run_once(launcher: Launcher, *argv: str) -> tuple[int, EventInbox]:
    inbox = EventInbox()
    process = launcher.launch(argv, cwd=None, env=None)
    process.start_pumps(inbox.deliver, "test")
    inbox.wait_for_everything()
    process.end()
    return process.guard_pid, inbox


def test_one_guard_serves_twenty_launches(launcher: Launcher) -> None:
    assert len({run_once(launcher, "true")[0] for _ in range(20)}) == 1


def test_warm_up_starts_the_guard_that_the_first_launch_uses(launcher: Launcher) -> None:
    before = children_of(os.getpid())
    launcher.warm_up()
    launcher.warm_up()
    started = children_of(os.getpid()) - before
    assert len(started) == 1
    assert {run_once(launcher, "true")[0]} == started


def test_warm_up_starts_no_second_guard_while_a_program_runs(launcher: Launcher) -> None:
    process = launcher.launch(["sleep", "60"], cwd=None, env=None)
    try:
        before = children_of(os.getpid())
        launcher.warm_up()
        assert children_of(os.getpid()) == before
    finally:
        process.end()


def test_guard_is_reused_after_a_failed_launch(launcher: Launcher, tmp_path: Path) -> None:
    first, _ = run_once(launcher, "true")
    (tmp_path / "data").write_text("not a program")
    (tmp_path / "data").chmod(0o755)
    with pytest.raises(LaunchError):
        launcher.launch([str(tmp_path / "data")], cwd=None, env=None)
    assert run_once(launcher, "true")[0] == first


def test_idle_guard_that_was_killed_is_replaced(launcher: Launcher) -> None:
    first, _ = run_once(launcher, "true")
    os.kill(first, signal.SIGKILL)
    wait_for_death([first])
    second, inbox = run_once(launcher, "sh", "-c", "exit 4")
    assert second != first
    assert inbox.exits() == [ExitStatus(4, None)]
    assert not exists(first), "the killed guard is left as a zombie"


def test_launches_side_by_side_get_their_own_output_and_status(launcher: Launcher) -> None:
    all_run = threading.Barrier(10)

    def run(number: int) -> None:
        for turn in range(5):
            inbox = EventInbox()
            script = f"echo out {number} {turn}; echo err {number} {turn} >&2; exit {number}"
            process = launcher.launch(["sh", "-c", script], cwd=None, env=None)
            all_run.wait(BOUND_S)
            process.start_pumps(inbox.deliver, f"{number}")
            assert inbox.wait_for_everything() == ExitStatus(number, None)
            process.end()
            assert inbox.output("stdout") == f"out {number} {turn}\n".encode()
            assert inbox.output("stderr") == f"err {number} {turn}\n".encode()

    with ThreadPoolExecutor(10) as threads:
        for done in [threads.submit(run, number) for number in range(10)]:
            done.result(BOUND_S)


def test_ending_one_program_leaves_the_others_alone(launcher: Launcher) -> None:
    first, second = (launcher.launch(["sleep", "1000"], cwd=None, env=None) for _ in range(2))
    first.end()
    assert not exists(first.pid)
    assert exists(second.pid)
    second.end()
    assert not exists(second.pid)


def test_only_a_few_idle_guards_are_kept(launcher: Launcher) -> None:
    before = children_of(os.getpid())
    processes = [launcher.launch(["sleep", "1000"], cwd=None, env=None) for _ in range(8)]
    assert len(children_of(os.getpid()) - before) == 8
    for process in processes:
        process.end()
    assert len(children_of(os.getpid()) - before) == 4


def test_hundred_launches_leave_no_descriptor_thread_or_process(launcher: Launcher) -> None:
    run_once(launcher, "true")
    before = (open_descriptors(), threading.active_count(), children_of(os.getpid()))
    for number in range(100):
        guard, _ = run_once(launcher, "sh", "-c", f"exit {number}")
        assert children_of(guard) == set()
    assert (open_descriptors(), threading.active_count(), children_of(os.getpid())) == before


def test_failed_launches_leave_no_descriptor(launcher: Launcher, tmp_path: Path) -> None:
    run_once(launcher, "true")
    (tmp_path / "data").write_text("not a program")
    (tmp_path / "data").chmod(0o755)
    before = open_descriptors()
    for _ in range(20):
        with pytest.raises(LaunchError):
            launcher.launch([str(tmp_path / "data")], cwd=None, env=None)
    assert open_descriptors() == before


def test_no_guard_holds_the_server_end_of_a_socket(launcher: Launcher) -> None:
    processes = [launcher.launch(["sleep", "1000"], cwd=None, env=None) for _ in range(3)]
    ours = socket_inodes("self")
    assert len(ours) >= 3
    for process in processes:
        assert len(socket_inodes(process.guard_pid)) == 1
        assert not socket_inodes(process.guard_pid) & ours
        process.end()


def test_server_end_of_a_socket_is_closed_in_any_program_started_otherwise(launcher: Launcher) -> None:
    process = launcher.launch(["sleep", "1000"], cwd=None, env=None)
    command = [sys.executable, "-I", "-S", "-c", "print('ready', flush=True); input()"]
    # Somebody who starts a program carelessly must not keep our guards alive.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, close_fds=False) as careless:
        assert careless.stdout is not None
        assert careless.stdout.readline() == b"ready\n"
        assert not socket_inodes(careless.pid) & socket_inodes("self")
        careless.kill()
    process.end()


def test_threads_carry_the_name_given(launcher: Launcher, inbox: EventInbox) -> None:
    process = launcher.launch(["sleep", "1000"], cwd=None, env=None)
    process.start_pumps(inbox.deliver, "run-1")
    names = {thread.name for thread in threading.enumerate()}
    assert {"stdout:run-1", "stderr:run-1", "exit:run-1"} <= names
    process.end()
    assert not [thread.name for thread in threading.enumerate() if thread.name.endswith(":run-1")]


def test_close_leaves_no_guard_and_may_be_repeated() -> None:
    before = children_of(os.getpid())
    descriptors = open_descriptors()
    launcher = Launcher()
    process = launcher.launch(["sleep", "1000"], cwd=None, env=None)
    run_once(launcher, "true")
    launcher.close()
    launcher.close()
    assert children_of(os.getpid()) == before
    assert open_descriptors() == descriptors
    assert not exists(process.pid)


def test_launch_after_close_is_refused() -> None:
    launcher = Launcher()
    launcher.close()
    with pytest.raises(LaunchError) as caught:
        launcher.launch(["true"], cwd=None, env=None)
    assert caught.value.reason is LaunchFailure.OTHER


def test_owner_that_starts_pumps_after_close_is_told_the_end(inbox: EventInbox) -> None:
    launcher = Launcher()
    process = launcher.launch(["sleep", "1000"], cwd=None, env=None)
    launcher.close()
    process.start_pumps(inbox.deliver, "late")
    assert inbox.wait_for_everything() == ExitStatus(None, "SIGKILL")


def test_program_that_starts_while_the_launcher_closes_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    launcher = Launcher()
    started_pids: list[int] = []
    launch_under_guard = GuardClient.launch

    def launch_then_close(guard: GuardClient, request: LaunchRequest, stdout: int, stderr: int) -> Started | Failed:
        answer = launch_under_guard(guard, request, stdout, stderr)
        assert isinstance(answer, Started)
        started_pids.append(answer.pid)
        launcher.close()
        return answer

    monkeypatch.setattr(GuardClient, "launch", launch_then_close)
    before = children_of(os.getpid())
    with pytest.raises(LaunchError):
        launcher.launch(["sleep", "1000"], cwd=None, env=None)
    assert children_of(os.getpid()) == before
    wait_for_death(started_pids)


def test_close_during_launches_ends_them_all(token: str) -> None:
    before = children_of(os.getpid())
    launcher = Launcher()
    first_launched = threading.Event()

    def launch_for_ever() -> None:
        while True:
            launcher.launch(["sh", "-c", "sleep 1000; true", token], cwd=None, env=None)
            first_launched.set()

    with ThreadPoolExecutor(4) as threads:
        launching = [threads.submit(launch_for_ever) for _ in range(4)]
        assert first_launched.wait(BOUND_S)
        launcher.close()
        for thread in launching:
            with pytest.raises(LaunchError):
                thread.result(BOUND_S)
    assert children_of(os.getpid()) == before
    assert pids_with_argument(token) == set()
