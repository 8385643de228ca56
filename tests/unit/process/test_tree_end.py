"""Nothing is left behind, whoever ends first: the target, the guard or the server."""

import os
import signal
import subprocess
import sys

import pytest

from server.process import ExitStatus, LaunchedProcess, Launcher
from tests.unit.process.event_inbox import EventInbox
from tests.unit.process.process_probe import (
    children_of,
    exists,
    pids_with_argument,
    state_of,
    wait_for_death,
    wait_until,
)
from tests.unit.process.process_trees import lines_of_tree, tree_command

KINDS_THAT_STAY = ["child", "own_group", "detached_grandchild", "daemon", "silent_daemon", "deaf", "chain"]


def launch_tree(
    launcher: Launcher, inbox: EventInbox, token: str, kinds: list[str], *, target_stays: bool = True
) -> LaunchedProcess:
    """Launch a tree and return when all of it runs."""
    process = launcher.launch(tree_command(token, kinds, target_stays=target_stays), cwd=None, env=None)
    process.start_pumps(inbox.deliver, "test")
    inbox.wait_for_lines(lines_of_tree(kinds, target_stays=target_stays))
    return process


@pytest.mark.parametrize("kind", KINDS_THAT_STAY)
def test_end_leaves_no_descendant(launcher: Launcher, inbox: EventInbox, token: str, kind: str) -> None:
    process = launch_tree(launcher, inbox, token, [kind])
    assert len(pids_with_argument(token)) == lines_of_tree([kind])
    process.end()
    assert pids_with_argument(token) == set()
    assert children_of(process.guard_pid) == set(), "zombies are left"


@pytest.mark.parametrize("kind", KINDS_THAT_STAY)
def test_end_leaves_no_descendant_of_a_program_that_exited_before(
    launcher: Launcher, inbox: EventInbox, token: str, kind: str
) -> None:
    process = launch_tree(launcher, inbox, token, [kind], target_stays=False)
    assert inbox.wait_for_exit() == ExitStatus(7, None)
    assert len(pids_with_argument(token)) == lines_of_tree([kind], target_stays=False)
    process.end()
    assert pids_with_argument(token) == set()
    assert inbox.exits() == [ExitStatus(7, None)]
    assert children_of(process.guard_pid) == set(), "zombies are left"


def test_end_catches_a_process_that_forks_and_changes_session_all_the_time(
    launcher: Launcher, inbox: EventInbox, token: str
) -> None:
    process = launch_tree(launcher, inbox, token, ["runaway"])
    process.end(timeout_s=20)
    assert pids_with_argument(token) == set()
    assert process.exit_status == ExitStatus(None, "SIGKILL")


def test_orphans_that_end_by_themselves_leave_no_zombies(launcher: Launcher, inbox: EventInbox) -> None:
    process = launcher.launch(
        ["sh", "-c", "for i in 1 2 3; do (true &); done; echo ready; exec sleep 1000"], cwd=None, env=None
    )
    process.start_pumps(inbox.deliver, "test")
    inbox.wait_for_lines(1)
    wait_until(lambda: children_of(process.guard_pid) == {process.pid}, "orphans are reaped")
    process.end()


def test_launcher_close_ends_running_trees(inbox: EventInbox, token: str) -> None:
    launcher = Launcher()
    process = launch_tree(launcher, inbox, token, KINDS_THAT_STAY)
    launcher.close()
    assert pids_with_argument(token) == set()
    assert not exists(process.guard_pid)
    assert inbox.wait_for_everything() == ExitStatus(None, "SIGKILL")


SERVER = """
import sys
from server.process import Launcher, OutputChunk
def show(event):
    if isinstance(event, OutputChunk):
        sys.stdout.buffer.write(event.data)
        sys.stdout.buffer.flush()
process = Launcher().launch(sys.argv[1:], cwd=None, env=None)
print("guard", process.guard_pid, flush=True)
process.start_pumps(show, "x")
sys.stdin.read()
"""


def start_server_with_tree(token: str, kinds: list[str]) -> tuple[subprocess.Popen[bytes], set[int]]:
    """Start a server process that launches a tree; return it with the pids of the guard and the tree."""
    command = [sys.executable, "-c", SERVER, *tree_command(token, kinds)]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdout is not None
    lines = [server.stdout.readline().split() for _ in range(1 + lines_of_tree(kinds))]
    return server, {int(pid) for _, pid in lines}


def close_server(server: subprocess.Popen[bytes]) -> None:
    for pipe in (server.stdin, server.stdout):
        assert pipe is not None
        pipe.close()
    server.wait(30)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_server_killed_by_a_signal_leaves_nothing(token: str, number: signal.Signals) -> None:
    server, pids = start_server_with_tree(token, KINDS_THAT_STAY)
    try:
        assert all(exists(pid) for pid in pids)
        server.send_signal(number)
        wait_for_death(pids)
        wait_until(lambda: not pids_with_argument(token), "no process of the tree is left")
    finally:
        server.kill()
        close_server(server)


def test_server_killed_leaves_no_process_that_is_always_on_the_move(token: str) -> None:
    server, pids = start_server_with_tree(token, ["runaway"])
    try:
        server.kill()
        wait_for_death(pids)
        wait_until(lambda: not pids_with_argument(token), "no process of the tree is left")
    finally:
        close_server(server)


def test_server_that_just_exits_leaves_nothing(token: str) -> None:
    server, pids = start_server_with_tree(token, KINDS_THAT_STAY)
    close_server(server)
    wait_for_death(pids)
    wait_until(lambda: not pids_with_argument(token), "no process of the tree is left")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_guard_shrugs_off_polite_signals(launcher: Launcher, inbox: EventInbox, number: signal.Signals) -> None:
    process = launcher.launch(["sh", "-c", "echo ready; exec sleep 1000"], cwd=None, env=None)
    process.start_pumps(inbox.deliver, "test")
    inbox.wait_for_lines(1)
    os.kill(process.guard_pid, number)
    process.end()
    assert process.exit_status == ExitStatus(None, "SIGKILL")  # known only because the guard lived to tell


def test_target_dies_with_its_guard(launcher: Launcher, inbox: EventInbox, token: str) -> None:
    process = launch_tree(launcher, inbox, token, ["child", "own_group", "deaf"])
    os.kill(process.guard_pid, signal.SIGKILL)
    wait_for_death([process.pid])
    assert inbox.wait_for_exit() == ExitStatus(None, None)
    process.end()
    wait_until(lambda: not pids_with_argument(token), "the target's session is gone")
    assert not exists(process.guard_pid), "the guard is left as a zombie"
    assert len(inbox.exits()) == 1


def test_end_returns_when_the_guard_is_dead_and_a_daemon_holds_the_output(
    launcher: Launcher, inbox: EventInbox, token: str
) -> None:
    process = launch_tree(launcher, inbox, token, ["daemon"])
    os.kill(process.guard_pid, signal.SIGKILL)
    process.end()
    try:
        inbox.take_delivered()
        assert inbox.ended_streams() == ["stderr", "stdout"]
    finally:
        # A daemon in its own session is out of reach once the guard is killed: the known limit.
        for pid in pids_with_argument(token):
            os.kill(pid, signal.SIGKILL)


def test_kernel_kills_the_target_of_a_killed_guard_before_the_server_notices(launcher: Launcher) -> None:
    process = launcher.launch(["sleep", "1000"], cwd=None, env=None)  # without pumps nobody listens
    os.kill(process.guard_pid, signal.SIGKILL)
    wait_for_death([process.pid])
    process.end()
    assert process.exit_status == ExitStatus(None, None)


@pytest.mark.parametrize("with_pumps", [True, False])
def test_guard_that_does_not_answer_is_replaced_by_force(
    launcher: Launcher, inbox: EventInbox, token: str, with_pumps: bool
) -> None:
    kinds = ["child", "daemon", "silent_daemon", "chain"]
    process = launcher.launch(tree_command(token, kinds), cwd=None, env=None)
    if with_pumps:
        process.start_pumps(inbox.deliver, "test")
    wait_until(lambda: len(pids_with_argument(token)) == lines_of_tree(kinds), "the tree is complete")
    os.kill(process.guard_pid, signal.SIGSTOP)
    wait_until(lambda: state_of(process.guard_pid) == "T", "the guard is stopped")
    process.end(timeout_s=0.2)
    wait_until(lambda: not pids_with_argument(token), "no process of the tree is left")
    assert not exists(process.guard_pid)
    # The next launch gets a new guard.
    following = launcher.launch(["sleep", "1000"], cwd=None, env=None)
    assert following.guard_pid != process.guard_pid
    following.end()
