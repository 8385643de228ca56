"""However the server, its guard, the program or the client ends: in time, with a sensible code, and nothing is left.

Each test has a program under way with descendants of every kind that is hard to get rid of: in groups and sessions of
their own, double-forked, deaf to polite signals. All have the test's token among their arguments.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.process.guard import kill_quietly
from tests.e2e.programs import WAITING_AT_A_GATE, Gate, News, Program, TreeProgram
from tests.e2e.server_process import CONSOLE_SCRIPT, MODULE_COMMAND, ServerProcess
from tests.unit.process.process_probe import (
    children_of,
    exists,
    pids_with_argument,
    state_of,
    wait_for_death,
    wait_until,
)
from tests.unit.process.process_trees import lines_of_tree, tree_command

KINDS = ["child", "own_group", "detached_grandchild", "daemon", "silent_daemon", "deaf", "chain"]


class RunUnderWay:
    """A call whose program and all descendants run."""

    def __init__(self, server: ServerProcess, folder: Path, news: News, token: str) -> None:
        program = TreeProgram(folder, news)
        self._token = token
        self.request = server.start_call(program.call_with_children(token, [tree_command(token, KINDS)]))
        lines = [line.split() for line in news.lines(1 + lines_of_tree(KINDS))]
        self.pids = {int(pid) for _, pid in lines}
        self.target = next(int(pid) for name, pid in lines if name == "target" and is_node(int(pid)))
        self.guards = children_of(server.pid)
        # A process between the program and a daemon may take a moment to end.
        wait_until(lambda: self.pids == pids_with_argument(token), "just the processes that told of themselves")

    @property
    def guard(self) -> int:
        [guard] = [guard for guard in self.guards if self.target in children_of(guard)]
        return guard

    def assert_nothing_is_left(self) -> None:
        wait_for_death(self.pids | self.guards)
        wait_until(lambda: not pids_with_argument(self._token), "no process of the run is left")


def guards_of(server: ServerProcess) -> set[int]:
    """The children of a server that are guards; a zombie has no command line."""
    return {pid for pid in children_of(server.pid) if b"guard.py" in Path(f"/proc/{pid}/cmdline").read_bytes()}


def is_node(pid: int) -> bool:
    return b"--inspect-brk" in Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.fixture
def under_way(server: ServerProcess, tmp_path: Path, news: News, token: str) -> Iterator[RunUnderWay]:
    run = RunUnderWay(server, tmp_path, news, token)
    yield run
    # Reached by failed tests too: what they left must not stay on the machine.
    for pid in pids_with_argument(token):
        kill_quietly(pid)


def assert_serves(server: ServerProcess, folder: Path) -> None:
    result = server.call(Program(folder, "1; // @bp here\n", "simple.js").call("1"))
    assert result["structuredContent"] == {"results": [{"type": "number", "value": 1}]}


# --- the server ends ------------------------------------------------------------------------------------


@pytest.mark.matrix
def test_end_of_input_ends_the_run_and_the_server_with_code_0(server: ServerProcess, under_way: RunUnderWay) -> None:
    server.close_stdin()
    assert server.wait() == 0
    under_way.assert_nothing_is_left()
    assert server.stderr() == ""


def test_end_of_input_ends_every_run_and_those_that_wait_for_their_turn(
    server: ServerProcess, tmp_path: Path, news: News, gate: Gate, token: str
) -> None:
    program = Program(tmp_path, WAITING_AT_A_GATE)
    for number in range(12):  # two more than run at once
        server.start_call(program.call("name", news.path, gate.path, str(number), token))
    news.lines(10)
    server.close_stdin()
    assert server.wait() == 0
    wait_until(lambda: not pids_with_argument(token), "no program is left")
    assert news.is_empty(), "a program was started after the end of the input"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_polite_signal_ends_the_server_with_the_code_that_shells_expect(
    server: ServerProcess, under_way: RunUnderWay, number: signal.Signals
) -> None:
    server.send_signal(number)
    assert server.wait() == 128 + number
    under_way.assert_nothing_is_left()
    assert server.stderr() == ""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP, signal.SIGQUIT, signal.SIGABRT])
def test_a_signal_that_the_server_does_not_handle_leaves_nothing_behind(
    server: ServerProcess, under_way: RunUnderWay, number: signal.Signals
) -> None:
    server.send_signal(number)
    assert server.wait() == -number
    under_way.assert_nothing_is_left()


def test_a_signal_to_the_whole_process_group_is_one_to_the_server(
    server: ServerProcess, under_way: RunUnderWay
) -> None:
    os.killpg(server.pid, signal.SIGINT)
    assert server.wait() == 128 + signal.SIGINT
    under_way.assert_nothing_is_left()


def test_ctrl_c_in_a_terminal_ends_the_server_and_the_run(tmp_path: Path, news: News, token: str) -> None:
    master, terminal = os.openpty()
    # The first terminal that the leader of a session opens becomes its own: there Ctrl-C is for its process group.
    in_terminal = "import os, sys; os.open(sys.argv[1], os.O_RDWR); os.execv(sys.argv[2], sys.argv[2:])"
    command = [sys.executable, "-c", in_terminal, os.ttyname(terminal), *MODULE_COMMAND]
    try:
        with ServerProcess(command=command) as server:
            server.initialize()
            run = RunUnderWay(server, tmp_path, news, token)
            os.write(master, b"\x03")
            assert server.wait() == 128 + signal.SIGINT
            run.assert_nothing_is_left()
    finally:
        os.close(terminal)
        os.close(master)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_server_ends_on_a_signal(number: signal.Signals) -> None:
    with ServerProcess(command=[CONSOLE_SCRIPT]) as server:
        server.initialize()
        server.send_signal(number)
        assert server.wait() == 128 + number
        assert server.stderr() == ""


def test_a_second_signal_does_not_disturb_the_ending(server: ServerProcess, under_way: RunUnderWay) -> None:
    server.send_signal(signal.SIGINT)
    server.send_signal(signal.SIGTERM)
    server.send_signal(signal.SIGINT)
    assert server.wait() in (128 + signal.SIGINT, 128 + signal.SIGTERM)
    under_way.assert_nothing_is_left()


# --- the client ends ------------------------------------------------------------------------------------


def test_a_client_whose_pipes_break_takes_the_server_and_the_run_with_it(
    server: ServerProcess, under_way: RunUnderWay
) -> None:
    server.vanish()
    server.wait()
    under_way.assert_nothing_is_left()


CLIENT = """
import json, subprocess, sys
arguments, *server = map(str, sys.argv[1:])
process = subprocess.Popen(server, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}
def send(**message):
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\\n")
    process.stdin.flush()
send(id=1, method="initialize", params=hello)
process.stdout.readline()
send(method="notifications/initialized")
send(id=2, method="tools/call", params={"name": "debug-script", "arguments": json.loads(arguments)})
print(process.pid, flush=True)
process.stdout.readline()
"""


def test_a_killed_client_takes_the_server_and_the_run_with_it(tmp_path: Path, news: News, token: str) -> None:
    call = TreeProgram(tmp_path, news).call_with_children(token, [tree_command(token, KINDS)])
    command = [sys.executable, "-c", CLIENT, json.dumps(call), *MODULE_COMMAND]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as client:
        assert client.stdout is not None
        server_pid = int(client.stdout.readline())
        pids = {int(line.split()[1]) for line in news.lines(1 + lines_of_tree(KINDS))}
        guards = children_of(server_pid)
        client.kill()
    wait_for_death({server_pid} | guards | pids)
    wait_until(lambda: not pids_with_argument(token), "no process of the run is left")


def test_a_client_that_stops_reading_can_still_end_the_server(server: ServerProcess, tmp_path: Path) -> None:
    """Answers fill the pipe until the server cannot write any more; the end of its input reaches it all the same."""
    large = Program(tmp_path, "const text = 'x'.repeat(60_000);\ntext; // @bp here\n")
    for _ in range(5):
        server.start_call(large.call("text"))
    server.read_message()
    server.vanish()
    server.wait()


# --- the program, or its guard, ends --------------------------------------------------------------------


def test_a_killed_program_is_told_and_its_descendants_go_with_it(
    server: ServerProcess, under_way: RunUnderWay, tmp_path: Path
) -> None:
    os.kill(under_way.target, signal.SIGKILL)
    told = server.result(under_way.request)["structuredContent"]
    assert told["results"] == [{"type": "number", "value": under_way.target}]
    assert told["exit"]["signal"] == "SIGKILL"
    wait_for_death(under_way.pids)
    assert_serves(server, tmp_path)


def test_a_killed_guard_costs_its_run_but_neither_the_results_nor_the_server(
    server: ServerProcess, under_way: RunUnderWay, tmp_path: Path
) -> None:
    os.kill(under_way.guard, signal.SIGKILL)
    told = server.result(under_way.request)["structuredContent"]
    assert told["results"] == [{"type": "number", "value": under_way.target}]
    under_way.assert_nothing_is_left()
    assert_serves(server, tmp_path)


def test_a_killed_guard_does_not_touch_what_runs_under_another(
    server: ServerProcess, under_way: RunUnderWay, tmp_path: Path, news: News, gate: Gate
) -> None:
    call = Program(tmp_path, WAITING_AT_A_GATE).call("name", news.path, gate.path, "untouched")
    other = server.start_call(call)
    assert news.lines(1) == ["untouched"]
    os.kill(under_way.guard, signal.SIGKILL)
    wait_for_death(under_way.pids)
    assert "results" in server.result(under_way.request)["structuredContent"]
    gate.let_through(1)
    assert server.result(other)["structuredContent"] == {"results": [{"type": "string", "value": "untouched"}]}
    wait_until(lambda: children_of(server.pid) == guards_of(server), "no zombie of the killed tree is left")


def test_a_killed_guard_does_not_cost_the_life_of_a_child_that_the_server_was_started_with(
    tmp_path: Path, token: str
) -> None:
    stay = "import signal; signal.pause()"
    with_child = f"import os, subprocess, sys; subprocess.Popen([sys.executable, '-c', {stay!r}, sys.argv[1]]);"
    command = [sys.executable, "-c", with_child + "os.execv(sys.argv[2], sys.argv[2:])", token, *MODULE_COMMAND]
    with ServerProcess(command=command) as server:
        server.initialize()
        assert_serves(server, tmp_path)
        innocent = children_of(server.pid) - guards_of(server)
        [guard] = guards_of(server)
        os.kill(guard, signal.SIGKILL)
        assert_serves(server, tmp_path)
        assert innocent <= children_of(server.pid)
        [child] = innocent
        assert state_of(child) == "S"
        os.kill(child, signal.SIGKILL)


def test_a_guard_killed_while_idle_is_replaced(server: ServerProcess, tmp_path: Path) -> None:
    assert_serves(server, tmp_path)
    [guard] = children_of(server.pid)
    os.kill(guard, signal.SIGKILL)
    wait_for_death([guard])
    assert_serves(server, tmp_path)
    assert guard not in children_of(server.pid)
    assert not exists(guard)
