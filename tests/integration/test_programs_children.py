"""Programs of several threads and processes, and commands that start node on a detour."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import Program, ScriptDebugger, node_command
from tests.nodes import NODE, NODE_MAJOR

pytestmark = pytest.mark.matrix

# --- worker threads: under --inspect-brk each waits for a debugger, and has to be let go ---------------------------

IN_MAIN_AND_WORKER = """
const { Worker, isMainThread, threadId } = require("worker_threads");
function report() {
  return threadId; // @bp both
}
report();
if (isMainThread) {
  new Worker(__filename).on("exit", (code) => {
    console.log(code); // @bp hit
  });
} else {
  console.log("in the worker"); // @bp worker
}
"""
ONE_WORKER = "Worker threads started by the program: 1. Breakpoints do not stop in them."


def test_worker_runs_to_its_end_while_main_code_is_watched(debug: ScriptDebugger, write: WriteProgram) -> None:
    answer = debug.run(write(IN_MAIN_AND_WORKER), "code").structured
    assert answer == {"results": [{"type": "number", "value": 0}], "notes": [ONE_WORKER]}


def test_code_that_only_a_worker_runs_is_told_to_be_out_of_sight(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(IN_MAIN_AND_WORKER)
    assert debug.error(program, at="worker").splitlines() == [
        "Process exited before breakpoint was hit",
        "Exit code: 0.",
        f"The breakpoint was set at {program.path}:{program.line('worker')}, but that line was not hit.",
        ONE_WORKER,
    ]


def test_file_that_only_a_worker_loads_is_told_to_be_out_of_sight(debug: ScriptDebugger, write: WriteProgram) -> None:
    module = write("console.log(1); // @bp hit\n", "worker.js")
    main = write("new (require('worker_threads').Worker)(__dirname + '/worker.js');", "main.js")
    lines = debug.error(module, command=node_command(main.path)).splitlines()
    assert f"The file was never loaded: {module.path}" in lines
    assert ONE_WORKER in lines


def test_hits_of_the_main_thread_come_with_the_word_that_workers_are_not_seen(
    debug: ScriptDebugger, write: WriteProgram
) -> None:
    answer = debug.run(write(IN_MAIN_AND_WORKER), "threadId", at="both").structured
    assert answer == {"results": [{"type": "number", "value": 0}], "notes": [ONE_WORKER]}


def test_workers_of_workers_run_too(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "const { Worker, isMainThread, workerData } = require('worker_threads');\n"
        "const depth = isMainThread ? 0 : workerData;\n"
        "if (depth < 3) new Worker(__filename, { workerData: depth + 1 }).on('exit', (code) => {\n"
        "  console.log(depth, code); // @bp hit\n"
        "});\n"
    )
    answer = debug.run(program, "[depth, code]").structured
    assert answer["results"] == [{"type": "object", "value": [0, 0]}]
    assert answer["notes"] == ["Worker threads started by the program: 3. Breakpoints do not stop in them."]


def test_main_thread_that_blocks_on_its_worker_goes_on(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "const { Worker, isMainThread, workerData } = require('worker_threads');\n"
        "if (isMainThread) {\n"
        "  const flag = new Int32Array(new SharedArrayBuffer(4));\n"
        "  new Worker(__filename, { workerData: flag });\n"
        "  Atomics.wait(flag, 0, 0);\n"
        "  console.log(flag[0]); // @bp hit\n"
        "} else {\n"
        "  workerData[0] = 42;\n"
        "  Atomics.notify(workerData, 0);\n"
        "}\n"
    )
    assert debug.run(program, "flag[0]").structured["results"] == [{"type": "number", "value": 42}]


def test_worker_that_never_ends_goes_with_the_run(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "const { Worker } = require('worker_threads');\n"
        "const code = 'require(\"worker_threads\").parentPort.postMessage(1); for (;;);';\n"
        "const worker = new Worker(code, { eval: true });\n"
        "worker.on('message', (message) => {\n"
        "  console.log(message); // @bp hit\n"
        "  process.exit(3);\n"
        "});\n"
    )
    answer = debug.run(program, "message").structured
    assert answer["results"] == [{"type": "number", "value": 1}]
    assert answer["exit"] == {"code": 3, "signal": None}


# --- child processes: they must not wait for a debugger, and are not debugged --------------------------------------

CHILDREN = {
    "fork": "fork(child)",
    "fork with execArgv": "fork(child, [], { execArgv: process.execArgv })",
    "spawn": "spawn(process.execPath, [child], { stdio: 'inherit' })",
    "spawn with execArgv": "spawn(process.execPath, [...process.execArgv, child], { stdio: 'inherit' })",
    "exec": "exec(JSON.stringify(process.execPath) + ' ' + JSON.stringify(child))",
}


def parent_of(write: WriteProgram, start: str) -> Program:
    return write(
        "const { exec, fork, spawn } = require('child_process');\n"
        "const child = require('path').join(__dirname, 'child.js');\n"
        f"{start}.on('exit', (code) => {{\n"
        "  console.log(code); // @bp hit\n"
        "});\n",
        "parent.js",
    )


@pytest.fixture
def child(write: WriteProgram) -> Program:
    return write("process.exitCode = 7; // @bp hit\n", "child.js")


@pytest.mark.parametrize("start", CHILDREN.values(), ids=CHILDREN.keys())
@pytest.mark.usefixtures("child")
def test_child_runs_without_a_debugger(debug: ScriptDebugger, write: WriteProgram, start: str) -> None:
    assert debug.values(parent_of(write, start), "code") == [7]


def test_child_of_a_module_runs_without_a_debugger(debug: ScriptDebugger, write: WriteProgram, child: Program) -> None:
    parent = write(
        "import { fork } from 'node:child_process';\n"
        f"fork({str(child.path)!r}).on('exit', (code) => {{\n"
        "  console.log(code); // @bp hit\n"
        "});\n",
        "parent.mjs",
    )
    assert debug.values(parent, "code") == [7]


@pytest.mark.parametrize(
    "options", ["--no-warnings", "--inspect-brk=0", "--no-warnings --inspect=0 --stack-trace-limit=5"]
)
@pytest.mark.parametrize("start", ["fork", "spawn"])
@pytest.mark.usefixtures("child")
def test_child_runs_whatever_node_options_hold(
    debug: ScriptDebugger, write: WriteProgram, start: str, options: str
) -> None:
    assert debug.values(parent_of(write, CHILDREN[start]), "code", env={"NODE_OPTIONS": options}) == [7]


def test_node_options_keep_what_is_not_the_inspectors(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("console.log(1); // @bp hit\n")
    values = debug.values(
        program,
        "[process.env.NODE_OPTIONS, Error.stackTraceLimit]",
        env={"NODE_OPTIONS": "--no-warnings --inspect-brk=127.0.0.1:0 --stack-trace-limit=5"},
    )
    assert values == [["--no-warnings --stack-trace-limit=5", 5]]


def test_file_that_only_a_child_loads_is_told_not_to_be_the_programs(
    debug: ScriptDebugger, write: WriteProgram, child: Program
) -> None:
    message = debug.error(child, command=node_command(parent_of(write, CHILDREN["fork"]).path))
    assert f"The file was never loaded: {child.path}" in message
    assert "child processes are not debugged" in message


def test_cluster(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "const cluster = require('cluster');\n"
        "if (cluster.isPrimary) {\n"
        "  cluster.fork();\n"
        "  cluster.on('exit', (worker, code) => {\n"
        "    console.log(code); // @bp hit\n"
        "  });\n"
        "} else {\n"
        "  process.exit(3); // @bp child\n"
        "}\n"
    )
    assert debug.values(program, "code") == [3]
    assert "but that line never ran (child processes are not debugged)." in debug.error(program, at="child")


def test_daemon_that_holds_the_pipes_ends_with_the_program(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "const { spawn } = require('child_process');\n"
        "const daemon = spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' });\n"
        "daemon.unref(); // @bp hit\n"
    )
    (pid,) = debug.values(program, "daemon.pid")
    assert not Path(f"/proc/{pid}").exists()


# --- commands that reach node on a detour ----------------------------------------------------------------------------


@pytest.fixture
def program(write: WriteProgram) -> Program:
    return write("const x = 41;\nconsole.log(x); // @bp hit\n")


def executable(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    "line", ['exec "$NODE" "$@"', '"$NODE" -e 1; "$NODE" "$@"'], ids=["replaced by node", "waits for node"]
)
def test_shell_script_that_starts_node(
    debug: ScriptDebugger, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setenv("NODE", NODE)
    wrapper = executable(tmp_path / "my wrapper.sh", f"#!/bin/sh\n{line}\n")
    command = shlex.join([wrapper, "--inspect-brk=0", str(program.path)])
    assert debug.values(program, "x", command=command) == [41]


def test_exit_code_is_that_of_the_command_and_not_of_node(
    debug: ScriptDebugger, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NODE", NODE)
    wrapper = executable(tmp_path / "wrapper.sh", '#!/bin/sh\n"$NODE" "$@"\nexit 5\n')
    answer = debug.run(program, "x", command=shlex.join([wrapper, "--inspect-brk=0", str(program.path)])).structured
    assert answer == {"results": [{"type": "number", "value": 41}], "exit": {"code": 5, "signal": None}}


def test_env_starts_node(debug: ScriptDebugger, program: Program) -> None:
    command = f"env GREETING=hello {node_command(program.path)}"
    assert debug.values(program, "process.env.GREETING", command=command) == ["hello"]


def test_hashbang_with_the_flag_is_no_flag_of_the_command(debug: ScriptDebugger, tmp_path: Path) -> None:
    script = tmp_path / "tool.js"
    executable(script, f"#!{NODE} --inspect-brk=0\nconsole.log(1); // @bp hit\n")
    message = debug.error(Program(script), command=str(script))
    assert message.startswith("The command has no --inspect-brk")


def test_node_as_a_name_is_looked_up_on_the_path(debug: ScriptDebugger, program: Program) -> None:
    command = f"node --inspect-brk=0 {shlex.quote(str(program.path))}"
    path = f"{Path(NODE).parent}{os.pathsep}{os.environ['PATH']}"
    assert debug.values(program, "process.execPath", command=command, env={"PATH": path}) == [os.path.realpath(NODE)]


def test_node_test_runner_with_a_test_file(debug: ScriptDebugger, write: WriteProgram) -> None:
    test = write(
        "const test = require('node:test');\ntest('sum', () => {\n  const sum = 2 + 3;\n"
        "  require('assert').equal(sum, 5); // @bp hit\n});\n",
        "sum.test.js",
    )
    assert debug.values(test, "sum") == [5]
    if NODE_MAJOR >= 20:  # with --test, Node 18 runs each file in a process of its own
        assert debug.run(test, "sum", command=node_command(test.path, before=("--test",))).structured["results"] == [
            {"type": "number", "value": 5}
        ]


def test_package_script_that_passes_the_flag_on(
    debug: ScriptDebugger, program: Program, write: WriteProgram, tmp_path: Path
) -> None:
    npm = next((Path(d, "npm") for d in os.environ["PATH"].split(os.pathsep) if Path(d, "npm").exists()), None)
    if npm is None:
        pytest.skip("no npm on PATH: a Node.js from PyPI or the matrix comes without it")
    write(json.dumps({"scripts": {"start": shlex.quote(NODE)}}), "package.json")
    command = shlex.join([str(npm), "run", "start", "--", "--inspect-brk=0", str(program.path)])
    assert debug.values(program, "x", command=command, cwd=str(tmp_path)) == [41]
