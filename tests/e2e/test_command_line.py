"""The command line, the settings in the environment, and where logs go."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.e2e.programs import Program
from tests.e2e.server_process import CONSOLE_SCRIPT, MODULE_COMMAND, ROOT, ServerProcess

COMMANDS = {"module": list(MODULE_COMMAND), "console script": [CONSOLE_SCRIPT]}


def run_to_end(command: list[str], **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=ROOT,
        env={**os.environ, **env},
    )


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_help_tells_what_it_is_and_where_settings_and_logs_are(command: list[str]) -> None:
    done = run_to_end([*command, "--help"])
    assert done.returncode == 0
    assert done.stdout.startswith("usage: debug-script-mcp")
    words = " ".join(done.stdout.split())
    assert "An MCP server" in words
    assert "Logs go to standard error." in words
    assert done.stderr == ""


@pytest.mark.parametrize("arguments", [["--log-level", "LOUD"], ["--no-such-option"], ["surplus"]])
def test_a_wrong_command_line_is_refused_with_the_usage(arguments: list[str]) -> None:
    done = run_to_end([*MODULE_COMMAND, *arguments])
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("usage: debug-script-mcp")
    assert arguments[-1] in done.stderr


@pytest.mark.parametrize("value", ["many", "0", "-1", "", "1.5"])
def test_a_bad_setting_is_named_with_its_value_before_anything_is_served(value: str) -> None:
    done = run_to_end(list(MODULE_COMMAND), DEBUG_SCRIPT_MAX_CONCURRENT_RUNS=value)
    assert done.returncode == 2
    assert done.stdout == ""
    assert f"DEBUG_SCRIPT_MAX_CONCURRENT_RUNS has to be a whole number of at least 1, not {value!r}" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("by", ["option", "environment"])
def test_an_unknown_toolset_is_refused_with_the_names_that_there_are(by: str) -> None:
    if by == "option":
        done = run_to_end([*MODULE_COMMAND, "--tools", "script,all"])
    else:
        done = run_to_end(list(MODULE_COMMAND), DEBUG_SCRIPT_TOOLS="script,all")
    assert done.returncode == 2
    assert done.stdout == ""
    giver = "--tools" if by == "option" else "DEBUG_SCRIPT_TOOLS"
    assert f"{giver} names no toolset with 'all'; there are: script, session" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_empty_input_is_a_client_that_left_before_it_spoke() -> None:
    done = run_to_end(list(MODULE_COMMAND))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_debug_logs_go_to_standard_error_only(tmp_path: Path) -> None:
    program = Program(tmp_path, "1; // @bp here\n")
    with ServerProcess("--log-level", "DEBUG") as server:
        server.initialize()  # every line of the server's output is parsed: a log line there would fail
        assert server.call(program.call("1"))["structuredContent"]["results"]
        server.close_stdin()
        server.read_to_end()
        assert server.wait() == 0
        assert " DEBUG " in server.stderr()


def test_nothing_is_logged_by_default(tmp_path: Path) -> None:
    program = Program(tmp_path, "1; // @bp here\n")
    with ServerProcess() as server:
        server.initialize()
        server.call(program.call("1"))
        server.call(program.call("1", node="no-such-command"))
        server.close_stdin()
        assert server.wait() == 0
        assert server.stderr() == ""


def test_no_file_is_needed_or_written_beside_the_programs_own(tmp_path: Path) -> None:
    """HOME and TMPDIR name nothing, and the working directory is empty before and after."""
    folder = tmp_path / "programs"
    working_directory = tmp_path / "cwd"
    folder.mkdir()
    working_directory.mkdir()
    program = Program(folder, "require('fs').readFileSync(__filename); // @bp here\n")
    nowhere = str(tmp_path / "nowhere")
    env = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"), nowhere)
    with ServerProcess(command=[CONSOLE_SCRIPT], env=env, cwd=working_directory) as server:
        server.initialize()
        assert server.call(program.call("1"))["structuredContent"]["results"]
        open_files = files_open_for_writing(server.pid)
        server.close_stdin()
        assert server.wait() == 0
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["cwd", "program.js", "programs"]
    assert open_files == set()


def files_open_for_writing(pid: int) -> set[str]:
    """Regular files that a process could write to, but for its log, which is ours."""
    log = Path(f"/proc/{pid}/fd/2").stat()
    found = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        info = (Path(f"/proc/{pid}/fdinfo") / descriptor.name).read_text()
        flags = int(next(line for line in info.splitlines() if line.startswith("flags:")).split()[1], 8)
        status = descriptor.stat()
        is_log = (status.st_dev, status.st_ino) == (log.st_dev, log.st_ino)
        if flags & os.O_ACCMODE != os.O_RDONLY and descriptor.is_file() and not is_log:
            found.add(str(descriptor.readlink()))
    return found
