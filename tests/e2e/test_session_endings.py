"""However the server or its client ends while programs stand still under sessions, and what a flood does to it."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.process.guard import kill_quietly
from tests.e2e.programs import News, Program, line_of
from tests.e2e.server_process import ServerProcess
from tests.e2e.session_client import SessionClient
from tests.nodes import NODE
from tests.unit.process.process_probe import exists, pids_with_argument, state_of, wait_for_death, wait_until

TREE = """\
const [news] = process.argv.slice(2);
const { spawn } = require('child_process');
spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
process.pid; // @bp here
require('fs').appendFileSync(news, 'it ran on\\n');
"""
ATTACHED = """\
let rounds = 0;
setInterval(() => {
  rounds += 1; // @bp round
  if (rounds % 10 === 0) require('fs').appendFileSync(process.argv[2], 'it runs\\n');
}, 5);
"""
PASSES = int(os.environ.get("DEBUG_SCRIPT_TEST_PASSES", "40000"))
"""Of a logpoint in a hot loop: a million take two minutes."""
FLOOD_MB = 100
MAX_GROWTH_BYTES = 64 * 1024 * 1024


@pytest.fixture
def client(server: ServerProcess) -> SessionClient:
    return SessionClient(server)


class PausedSessions:
    """Two programs that were launched, with a child each, and one that was attached to; all of them stand still."""

    def __init__(self, client: SessionClient, folder: Path, news: News, token: str) -> None:
        self.launched: set[int] = set()
        tree = Program(folder, TREE, "tree.js")
        for _ in range(2):
            opened = client.call(
                "start_debugging",
                command=shlex.join([NODE, str(tree.path), str(news.path), token]),
                breakpoints=[{"file": str(tree.path), "line": line_of(TREE, "here")}],
            )
            assert opened["state"] == "paused"
            self.launched.add(opened["target_info"]["pid"])
        self.launched |= {child for pid in self.launched for child in descendants_of(pid)}
        attached = Program(folder, ATTACHED, "attached.js")
        self.attached = subprocess.Popen(
            [NODE, "--inspect=0", str(attached.path), str(news.path)], stderr=-1, text=True
        )
        assert self.attached.stderr is not None
        opened = client.call("connect_debugger", websocket_url=self.attached.stderr.readline().split()[-1])
        session_id = opened["session_id"]
        place = {"file": str(attached.path), "line": line_of(ATTACHED, "round")}
        client.call("set_breakpoint", session_id=session_id, **place)
        assert client.call("continue_execution", session_id=session_id)["state"] == "paused"
        while not news.is_empty():  # what it told before it was paused
            news.lines(1)
        self._news = news

    def assert_launched_are_gone_and_attached_runs_on(self) -> None:
        assert self.await_the_end() == ["it runs", "it runs"]

    def await_the_end(self) -> list[str]:
        """What is told until the attached program has run for more than ten rounds, each of which had a breakpoint."""
        wait_for_death(self.launched)
        told: list[str] = []
        while told.count("it runs") < 2:
            told += self._news.lines(1)
        assert self.attached.poll() is None
        return told

    def close(self) -> None:
        self.attached.kill()
        self.attached.communicate()


def descendants_of(pid: int) -> set[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return {int(word) for word in text.split()}


@pytest.fixture
def paused(client: SessionClient, tmp_path: Path, news: News, token: str) -> Iterator[PausedSessions]:
    sessions = PausedSessions(client, tmp_path, news, token)
    yield sessions
    sessions.close()
    # Reached by failed tests too: what they left must not stay on the machine.
    for pid in sessions.launched | pids_with_argument(token):
        kill_quietly(pid)


# --- the server ends ----------------------------------------------------------------------------------------------


def test_end_of_input_ends_launched_programs_and_lets_attached_ones_run(
    server: ServerProcess, paused: PausedSessions
) -> None:
    server.close_stdin()
    assert server.wait() == 0
    paused.assert_launched_are_gone_and_attached_runs_on()
    assert server.stderr() == ""


def test_a_polite_signal_ends_launched_programs_and_lets_attached_ones_run(
    server: ServerProcess, paused: PausedSessions
) -> None:
    server.send_signal(signal.SIGTERM)
    assert server.wait() == 128 + signal.SIGTERM
    paused.assert_launched_are_gone_and_attached_runs_on()
    assert server.stderr() == ""


def test_a_server_that_is_killed_leaves_no_launched_program_and_no_attached_one_paused(
    server: ServerProcess, paused: PausedSessions
) -> None:
    server.send_signal(signal.SIGKILL)
    assert server.wait() == -signal.SIGKILL
    # Node lets a program run when its debugger vanishes, and the guard may be a moment later than that.
    assert set(paused.await_the_end()) <= {"it runs", "it ran on"}


def test_a_program_that_a_signal_has_stopped_does_not_hold_up_the_end_of_the_server(
    server: ServerProcess, paused: PausedSessions
) -> None:
    for pid in paused.launched:
        os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: all(state_of(pid) == "T" for pid in paused.launched), "all are stopped")
    server.close_stdin()
    assert server.wait() == 0
    paused.assert_launched_are_gone_and_attached_runs_on()


def test_a_wait_that_is_cancelled_over_the_wire_leaves_the_session_as_it_is(
    client: SessionClient, tmp_path: Path, news: News
) -> None:
    source = "require('fs').appendFileSync(process.argv[2], 'it spins\\n');\nfor (;;);\n"
    program = Program(tmp_path, source)
    opened = client.call("start_debugging", command=shlex.join([NODE, str(program.path), str(news.path)]))
    assert opened["state"] == "paused"
    request = client.server.start_call({"wait_ms": 600_000}, name="continue_execution")
    news.lines(1)
    client.server.cancel(request)
    assert client.call("list_debug_sessions")["sessions"][0]["state"] == "running"
    assert client.call("pause_execution")["state"] == "paused"
    assert not client.server.has_answered(request)
    client.call("close_debug_session")
    wait_until(lambda: not exists(opened["target_info"]["pid"]), "the program is gone")


# --- floods ---------------------------------------------------------------------------------------------------------


def peak_bytes(pid: int) -> int:
    """The most memory that a process ever had."""
    status = Path(f"/proc/{pid}/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024


FLOOD = f"""\
const fs = require('fs');
const block = Buffer.alloc(1 << 20, 'a line of a flood, one of very many\\n');
debugger;
for (let written = 0; written < {FLOOD_MB} * block.length;) {{
  try {{
    written += fs.writeSync(1, block);
  }} catch (error) {{
    if (error.code !== 'EAGAIN') throw error;
  }}
}}
fs.appendFileSync(process.argv[2], 'it has written\\n');
globalThis.done = true; // @bp done
"""


@pytest.mark.slow
@pytest.mark.parametrize("wait_ms", [60_000, 0])
def test_a_flood_of_output_is_kept_at_its_end_only_whether_somebody_waits_or_not(
    client: SessionClient, tmp_path: Path, news: News, wait_ms: int
) -> None:
    program = Program(tmp_path, FLOOD)
    opened = client.call(
        "start_debugging",
        command=shlex.join([NODE, str(program.path), str(news.path)]),
        breakpoints=[{"file": str(program.path), "line": line_of(FLOOD, "done")}],
    )
    assert opened["stop"]["reason"] != "breakpoint"
    before = peak_bytes(client.server.pid)
    answer = client.call("continue_execution", wait_ms=wait_ms)
    news.lines(1)
    if wait_ms == 0:
        assert answer["state"] == "running"
        answer = client.call("continue_execution")
    assert answer["stop"]["breakpoint_ids"] == ["bp1"]
    assert client.call("get_output")["cursor"] == FLOOD_MB << 20
    assert peak_bytes(client.server.pid) - before < MAX_GROWTH_BYTES
    assert client.call("evaluate_expression", expression="typeof fs")["result"]["value"] == "object"


LOOP = f"""\
let sum = 0;
debugger;
for (let i = 0; i < {PASSES}; i += 1) {{
  sum += i; // @bp pass
}}
globalThis.sum = sum; // @bp done
"""


@pytest.mark.slow
def test_a_logpoint_in_a_hot_loop_grows_neither_the_server_nor_the_program(
    client: SessionClient, tmp_path: Path
) -> None:
    program = Program(tmp_path, LOOP)
    file = str(program.path)
    opened = client.call(
        "start_debugging",
        command=shlex.join([NODE, file]),
        breakpoints=[
            {"file": file, "line": line_of(LOOP, "pass"), "log_message": "pass {i} of many, sum {sum}"},
            {"file": file, "line": line_of(LOOP, "done")},
        ],
    )
    pid = opened["target_info"]["pid"]
    before, program_before = peak_bytes(client.server.pid), peak_bytes(pid)
    while (answer := client.call("continue_execution"))["state"] == "running":
        pass  # a million passes take longer than one wait
    assert answer["stop"]["breakpoint_ids"] == ["bp2"]
    hits = {one["id"]: one["hits"] for one in client.call("list_breakpoints")["breakpoints"]}
    assert hits == {"bp1": PASSES, "bp2": 1}
    last = client.call("get_output", stream="log")["entries"][-1]["text"]
    assert last.endswith(f"pass {PASSES - 1} of many, sum {(PASSES - 1) * (PASSES - 2) // 2}\n")
    assert peak_bytes(client.server.pid) - before < MAX_GROWTH_BYTES
    assert peak_bytes(pid) - program_before < MAX_GROWTH_BYTES
