"""What goes wrong around the server: broken pipes, too few descriptors, a directory that is gone."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.programs import News, Program, TreeProgram
from tests.e2e.server_process import CONSOLE_SCRIPT, MODULE_COMMAND, ROOT, ServerProcess
from tests.unit.process.process_probe import pids_with_argument, wait_until

SIMPLE = "const answer = 42;\nanswer; // @bp here\n"
ANSWER = {"results": [{"type": "number", "value": 42}]}


@pytest.fixture
def simple(tmp_path: Path) -> Program:
    return Program(tmp_path, SIMPLE, "simple.js")


def open_descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 - only the number counts


def test_a_server_that_nobody_hears_any_more_ends_although_its_input_is_open(
    server: ServerProcess, tmp_path: Path, news: News, token: str
) -> None:
    server.start_call(TreeProgram(tmp_path, news).call_with_children(token, []))
    news.lines(1)
    server.stop_reading()
    server.request("tools/list")
    assert server.wait() == 1
    wait_until(lambda: not pids_with_argument(token), "the program is gone")
    assert "Traceback" not in server.stderr()


def test_a_server_without_descriptors_fails_in_words_leaves_no_program_and_recovers(
    server: ServerProcess, simple: Program, token: str
) -> None:
    assert server.call(simple.call("answer"))["structuredContent"] == ANSWER
    limit = open_descriptors(server.pid) + 24  # enough for one run, not for ten
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (limit, limit))
    requests = [server.start_call(simple.call("answer", token)) for _ in range(10)]
    told = [server.result(request)["structuredContent"] for request in requests]
    assert any("Too many open files" in answer.get("error", "") for answer in told)
    wait_until(lambda: not pids_with_argument(token), "no program is left")
    assert server.call(simple.call("answer"))["structuredContent"] == ANSWER


def test_a_server_whose_directory_was_removed_still_runs_what_is_named_in_full(tmp_path: Path, simple: Program) -> None:
    directory = tmp_path / "directory"
    directory.mkdir()
    with ServerProcess(command=[CONSOLE_SCRIPT], cwd=directory) as server:
        server.initialize()
        directory.rmdir()
        call = simple.call("answer")
        assert server.call({**call, "cwd": str(tmp_path)})["structuredContent"] == ANSWER
        error = server.call(call)["structuredContent"]["error"]
        assert "the server's own directory was removed" in error


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_server_without_standard_streams_says_so(closed: str) -> None:
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", *MODULE_COMMAND]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False, timeout=60, cwd=ROOT)
    assert done.returncode == 2
    assert "standard input and output" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_log_that_nobody_reads_does_not_disturb(tmp_path: Path) -> None:
    # The only reader of the pipe has ended before the server starts to log into it.
    deaf = "import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, 2); os.execv(sys.argv[1], sys.argv[1:])"
    command = [sys.executable, "-c", deaf, *MODULE_COMMAND, "--log-level", "DEBUG"]
    with ServerProcess(command=command) as server:
        server.initialize()
        assert server.call(Program(tmp_path, SIMPLE).call("answer"))["structuredContent"] == ANSWER
        server.close_stdin()
        assert server.wait() == 0
