"""Progress, cancellation, and several calls at once, seen on the wire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.programs import WAITING_AT_A_GATE, Gate, News, Program, TreeProgram
from tests.e2e.server_process import ServerProcess
from tests.unit.process.process_probe import pids_with_argument, wait_until
from tests.unit.process.process_trees import lines_of_tree, tree_command

KINDS = ["child", "own_group", "detached_grandchild", "daemon", "silent_daemon", "deaf", "chain"]
DEFAULT_RUNS_AT_ONCE = 10

SIMPLE = "const answer = 42;\nanswer; // @bp here\n"
UNTIL_STOPPED = """\
const fs = require('fs');
for (let hits = 0; !fs.existsSync(process.argv[2]); hits += 1) {
  globalThis.hits = hits; // @bp here
}
"""


def assert_serves(server: ServerProcess, folder: Path) -> None:
    result = server.call(Program(folder, SIMPLE, "simple.js").call("answer"))
    assert result["structuredContent"] == {"results": [{"type": "number", "value": 42}]}


def values(result: dict[str, Any]) -> list[Any]:
    return [entry["value"] for entry in result["structuredContent"]["results"]]


# --- progress -------------------------------------------------------------------------------------------


def test_progress_goes_only_to_the_call_that_asked_and_only_grows(server: ServerProcess, tmp_path: Path) -> None:
    program = Program(tmp_path, UNTIL_STOPPED)
    stop = tmp_path / "stop"
    silent = server.start_call(program.call("hits", stop))
    asking = server.start_call(program.call("hits", stop), progressToken="mine")
    while len(server.notifications) < 3:
        server.read_message()
    stop.touch()
    for request in (silent, asking):
        assert server.result(request)["isError"] is False
    assert {note["method"] for note in server.notifications} == {"notifications/progress"}
    told = [note["params"] for note in server.notifications]
    assert {note["progressToken"] for note in told} == {"mine"}
    progress = [note["progress"] for note in told]
    assert progress == sorted(set(progress))
    assert all(note["message"] == f"{int(note['progress'])} hits" for note in told)


# --- cancellation ---------------------------------------------------------------------------------------


@pytest.mark.matrix
def test_a_cancelled_call_ends_its_program_with_all_descendants_and_is_not_answered(
    server: ServerProcess, tmp_path: Path, news: News, token: str
) -> None:
    program = TreeProgram(tmp_path, news)
    request = server.start_call(program.call_with_children(token, [tree_command(token, KINDS)]))
    news.lines(1 + lines_of_tree(KINDS))
    wait_until(lambda: len(pids_with_argument(token)) == 1 + lines_of_tree(KINDS), "the tree is complete")
    server.cancel(request)
    wait_until(lambda: not pids_with_argument(token), "no process of the tree is left")
    assert_serves(server, tmp_path)
    assert not server.has_answered(request)


def test_a_call_is_cancelled_while_its_expression_never_ends(
    server: ServerProcess, tmp_path: Path, news: News, token: str
) -> None:
    program = Program(tmp_path, "const fs = require('fs');\nfs.F_OK; // @bp here\n")
    endless = f"fs.appendFileSync('{news.path}', 'evaluating\\n'), (() => {{ for (;;); }})()"
    request = server.start_call(program.call(endless, token))
    news.lines(1)
    server.cancel(request)
    wait_until(lambda: not pids_with_argument(token), "the program is gone")
    assert_serves(server, tmp_path)
    assert not server.has_answered(request)


def test_a_call_cancelled_while_it_waits_for_its_turn_never_starts(tmp_path: Path, news: News, gate: Gate) -> None:
    program = Program(tmp_path, WAITING_AT_A_GATE)
    with ServerProcess(env={"DEBUG_SCRIPT_MAX_CONCURRENT_RUNS": "1"}) as server:
        server.initialize()
        running = server.start_call(program.call("name", news.path, gate.path, "running"))
        assert news.lines(1) == ["running"]
        waiting = server.start_call(program.call("name", news.path, gate.path, "waiting"))
        server.cancel(waiting)
        server.ask("ping")  # messages are taken in order, so the server knows by now
        gate.let_through(1)
        assert values(server.result(running)) == ["running"]
        assert_serves(server, tmp_path)
        assert news.is_empty(), "the cancelled call was run"
        assert not server.has_answered(waiting)


@pytest.mark.parametrize("request_id", [10**9, "no such id", None])
def test_cancelling_what_is_not_under_way_changes_nothing(
    shared_server: ServerProcess, tmp_path: Path, request_id: object
) -> None:
    shared_server.notify("notifications/cancelled", {"requestId": request_id})
    assert_serves(shared_server, tmp_path)


def test_a_call_cancelled_at_once_leaves_a_server_that_serves(
    shared_server: ServerProcess, tmp_path: Path, token: str
) -> None:
    program = Program(tmp_path, "setInterval(() => {}, 2 ** 30); // @bp here\n")
    for _ in range(5):
        shared_server.cancel(shared_server.start_call(program.call("1", token)))
    assert_serves(shared_server, tmp_path)
    wait_until(lambda: not pids_with_argument(token), "no cancelled program is left")


# --- several at once ------------------------------------------------------------------------------------


def test_as_many_calls_as_allowed_run_side_by_side_and_one_more_waits_for_its_turn(
    server: ServerProcess, tmp_path: Path, news: News, gate: Gate
) -> None:
    program = Program(tmp_path, WAITING_AT_A_GATE)

    def start(name: str, timeout: int = 60_000) -> int:
        return server.start_call(program.call("name", news.path, gate.path, name, timeout=timeout))

    names = [f"run {number}" for number in range(DEFAULT_RUNS_AT_ONCE)]
    requests = [start(name) for name in names]
    # All are there although none may pass the gate: they run at the same time.
    assert sorted(news.lines(len(names))) == names
    patient = start("patient")
    hasty = start("hasty", timeout=400)
    message = server.result(hasty)["structuredContent"]["error"]
    assert message.startswith("Timeout waiting for breakpoint after 400ms\n")
    assert f"not started: {DEFAULT_RUNS_AT_ONCE} other runs" in message
    assert news.is_empty(), "an eleventh program was started"

    gate.let_through(len(requests))
    assert [values(server.result(request)) for request in requests] == [[name] for name in names]
    assert news.lines(1) == ["patient"]
    gate.let_through(1)
    assert values(server.result(patient)) == ["patient"]
    assert news.is_empty(), "a call that had timed out was run afterwards"


def test_a_quick_call_is_answered_while_a_slow_one_runs(
    server: ServerProcess, tmp_path: Path, news: News, gate: Gate
) -> None:
    slow = server.start_call(Program(tmp_path, WAITING_AT_A_GATE).call("name", news.path, gate.path, "slow"))
    news.lines(1)
    assert_serves(server, tmp_path)
    assert "debug-script" in [tool["name"] for tool in server.ask("tools/list")["tools"]]
    assert not server.has_answered(slow)
    gate.let_through(1)
    assert values(server.result(slow)) == ["slow"]
