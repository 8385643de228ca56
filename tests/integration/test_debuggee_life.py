"""A program under a session's debuggee, from its launch to its end."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path
from typing import Any

import pytest

from server.cdp.connection import Connection
from server.debug.deadline import Deadline
from server.debug.model import SourceLine
from server.debug.session_model import (
    BreakpointSpec,
    ConnectionLost,
    Evaluation,
    PauseOnExceptions,
    ProgramEnded,
    StepKind,
    Stopped,
    StopReason,
)
from server.debug.value import FIRST_PAGE
from server.errors import DeadlinePassed, InvalidArgumentsError, InvalidStateError, ProgramGoneError, TargetLaunchError
from server.process.foreign_process import is_alive
from server.process.process_events import ExitStatus
from tests.integration.conftest import Drive, WriteProgram
from tests.integration.driven_debuggee import BOUND_S, DrivenDebuggee
from tests.nodes import NODE, NODE_MAJOR

pytestmark = pytest.mark.matrix


def entry(program: DrivenDebuggee) -> Stopped:
    stopped = program.begin(stop_on_entry=True)
    assert isinstance(stopped, Stopped), stopped
    assert stopped.reason is StopReason.ENTRY
    return stopped


# --- the start -----------------------------------------------------------------------------------------------------


def test_program_without_breakpoints_runs_to_its_end(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("console.log('out'); console.error('err'); process.exitCode = 3;"))
    assert program.begin() == ProgramEnded(ExitStatus(3, None))
    assert program.written("stdout") == "out\n"
    assert program.written("stderr") == "err\n"


def test_entry_of_a_commonjs_program_is_its_first_statement(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("// a comment\nfunction f() { return 1; }\nconst x = f(); // @bp first\n"))
    stopped = entry(program)
    assert program.where(stopped) == "first"
    assert stopped.frames[0].function == "(module)"
    assert isinstance(program.go(), ProgramEnded)


def test_entry_of_an_es_module_is_its_first_statement_with_its_variables_there(
    write: WriteProgram, drive: Drive
) -> None:
    program = drive(
        write("function f() { return 1; }\nconst x = f(); // @bp first\nconsole.log(x); // @bp log\n", "m.mjs")
    )
    stopped = entry(program)
    assert program.where(stopped) == "first"
    assert stopped.frames[0].function == "(module)"
    assert program.step_to(StepKind.OVER) == "log"
    assert program.value("x").json == 1


def test_entry_of_es_modules_is_in_the_one_that_runs_first(write: WriteProgram, drive: Drive) -> None:
    first = write("export const x = globalThis.start = 1; // @bp first\n", "first.mjs")
    write("import { x } from './first.mjs';\nconsole.log(x);\n", "main.mjs")
    program = drive(first, argv=(NODE, str(first.path.with_name("main.mjs"))))
    assert program.where(entry(program)) == "first"


def test_entry_of_es_modules_is_not_in_a_package(write: WriteProgram, drive: Drive) -> None:
    write('{"name": "part", "type": "module", "main": "index.js"}', "node_modules/part/package.json")
    write("export const y = Date.now();\n", "node_modules/part/index.js")
    program = drive(write("import { y } from 'part';\nconsole.log(y); // @bp first\n", "main.mjs"))
    assert program.where(entry(program)) == "first"


@pytest.mark.parametrize("name", ["main.cjs", "main.mjs"])
def test_entry_behind_a_preloaded_module_is_in_the_program_itself(write: WriteProgram, drive: Drive, name: str) -> None:
    preloaded = write("globalThis.preloaded = 1;\n", "preloaded.mjs")
    program = drive(write("console.log(1); // @bp first\n", name), flags=("--import", str(preloaded.path)))
    assert program.where(entry(program)) == "first"


def test_entry_of_code_on_the_command_line_is_there_too(write: WriteProgram, drive: Drive) -> None:
    program = drive(write(""), argv=(NODE, "-e", "let a = 1; console.log(a)"))
    stopped = entry(program)
    assert stopped.frames[0].is_own
    assert stopped.frames[0].position.line == 1
    assert isinstance(program.go(), ProgramEnded)


@pytest.mark.parametrize("name", ["program.js", "program.mjs"])
def test_breakpoint_on_the_first_line_is_hit_and_counted_once(write: WriteProgram, drive: Drive, name: str) -> None:
    program = drive(write("const x = Date.now(); // @bp first\nconsole.log(x);\n", name))
    program.connect()
    binding = program.set("first", "bp1")
    assert binding.position is not None
    program.debuggee.begin(stop_on_entry=False)
    stopped = program.stop()
    assert (stopped.reason, stopped.breakpoint_ids) == (StopReason.BREAKPOINT, ("bp1",))
    assert isinstance(program.go(), ProgramEnded)
    assert program.debuggee.hit_counts() == {"bp1": 1}


def test_breakpoint_on_the_first_line_whose_condition_is_false_is_passed(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("const x = Date.now(); // @bp first\nconsole.log(x);\n"))
    program.connect()
    program.set("first", "bp1", condition="1 > 2")
    program.debuggee.begin(stop_on_entry=False)
    program.end()


def test_program_is_described(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("0;\n"), "an argument")
    entry(program)
    info = program.debuggee.info()
    assert info.title.endswith("program.js 'an argument'")
    assert info.runtime.startswith(f"Node.js v{NODE_MAJOR}.")
    assert info.pid == program.value("process.pid").json
    assert not info.is_attached


def test_command_keeps_its_own_port(write: WriteProgram, drive: Drive) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = drive(write("0;\n"), flags=(f"--inspect-brk={port}",))
    entry(program)
    assert str(port) in str(program.value("require('inspector').url()").json)


def test_port_that_is_taken_is_told_at_once(write: WriteProgram, drive: Drive) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        with pytest.raises(TargetLaunchError, match="already in use"):
            drive(write("0;\n"), flags=(f"--inspect-brk={taken.getsockname()[1]}",))


@pytest.mark.parametrize("argv", [("npx", "jest"), ("npm", "test"), ("tsx", "app.ts")])
def test_command_that_is_not_node_is_refused_with_one_that_is(
    write: WriteProgram, drive: Drive, argv: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidArgumentsError, match=r"node node_modules/\.bin/jest"):
        drive(write(""), argv=argv)


def test_program_that_cannot_be_loaded_is_told_with_what_node_said(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("const = ;\n", "broken.mjs"))
    with pytest.raises(ProgramGoneError, match=r"exit code 1(.|\n)*SyntaxError"):
        program.connect()


def test_flag_that_node_does_not_know_is_told_with_what_node_said(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("0;\n"), flags=("--no-such-flag",))
    with pytest.raises(ProgramGoneError, match="bad option: --no-such-flag"):
        program.connect()


def test_program_does_not_see_that_it_is_debugged(write: WriteProgram, drive: Drive) -> None:
    program = drive(
        write(
            "console.log(JSON.stringify([process.execArgv, Object.keys(globalThis).filter((k) => /debug/.test(k))]));\n"
        )
    )
    program.begin()
    assert program.written("stdout") == "[[],[]]\n"


def test_forked_children_and_workers_run_without_waiting(write: WriteProgram, drive: Drive) -> None:
    text = (
        "const { Worker, isMainThread } = require('worker_threads');\n"
        "if (process.argv[2]) { console.log('child'); }\n"
        "else if (isMainThread) {\n"
        "  require('child_process').fork(__filename, ['child']).on('exit', () => new Worker(__filename));\n"
        "} else { console.log('worker'); }\n"
    )
    program = drive(write(text))
    assert program.begin() == ProgramEnded(ExitStatus(0, None))
    assert sorted(program.written("stdout").split()) == ["child", "worker"]


# --- output --------------------------------------------------------------------------------------------------------


def test_characters_are_not_cut_however_they_are_written(write: WriteProgram, drive: Drive) -> None:
    text = (
        "const bytes = Buffer.from('aä€😀\\n');\n"
        "for (const byte of bytes) require('fs').writeSync(1, Buffer.from([byte]));\n"
        "for (const byte of bytes) require('fs').writeSync(2, Buffer.from([byte]));\n"
    )
    program = drive(write(text))
    program.begin()
    assert program.written("stdout") == "aä€😀\n"
    assert program.written("stderr") == "aä€😀\n"


def test_standard_error_is_the_programs_own(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("process.stderr.write('Debugger? D'); process.stderr.write('ebugger attached, almost');\n"))
    program.begin()
    assert program.written("stderr") == "Debugger? Debugger attached, almost"


def test_flood_of_output_arrives_whole_and_before_the_end(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("for (let i = 0; i < 200; i++) require('fs').writeSync(1, 'x'.repeat(99999) + '\\n');\n"))
    program.begin()
    assert len(program.written("stdout")) == 200 * 100_000


# --- endings and faults --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("process.exit(7);", ExitStatus(7, None)),
        ("throw new Error('x');", ExitStatus(1, None)),
        ("process.kill(process.pid, 'SIGKILL');", ExitStatus(None, "SIGKILL")),
        ("process.abort();", ExitStatus(None, "SIGABRT")),
    ],
)
def test_every_end_is_told_as_it_is(write: WriteProgram, drive: Drive, text: str, status: ExitStatus) -> None:
    program = drive(write(text))
    assert program.begin() == ProgramEnded(status)


def pid_of(program: DrivenDebuggee) -> int:
    pid = program.debuggee.info().pid
    assert pid is not None
    return pid


def test_program_that_is_killed_while_it_stands_still_has_ended(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("0;\n"))
    entry(program)
    os.kill(pid_of(program), signal.SIGKILL)
    assert program.end() == ProgramEnded(ExitStatus(None, "SIGKILL"))
    with pytest.raises(ProgramGoneError):
        program.debuggee.set_breakpoint("bp1", BreakpointSpec(SourceLine(str(program.program.path), 1)))
    with pytest.raises(ProgramGoneError):
        program.debuggee.set_pause_on_exceptions(PauseOnExceptions.ALL)


def test_program_that_is_killed_during_an_evaluation_is_gone(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("0;\n"))
    entry(program)
    with pytest.raises(ProgramGoneError):
        program.debuggee.evaluate(0, (Evaluation("process.kill(process.pid, 'SIGKILL')"),))
    assert program.end() == ProgramEnded(ExitStatus(None, "SIGKILL"))


def test_program_that_closes_its_inspector_is_lost_and_still_ended_with_the_session(
    write: WriteProgram, drive: Drive
) -> None:
    program = drive(write("require('inspector').close(); setInterval(() => {}, 1000);\n"))
    lost = program.begin()
    assert isinstance(lost, ConnectionLost)
    with pytest.raises(ProgramGoneError):
        program.debuggee.set_pause_on_exceptions(PauseOnExceptions.ALL)


def test_program_that_closes_its_inspector_and_exits_has_ended(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("require('inspector').close(); console.log('last');\n"))
    assert program.begin() == ProgramEnded(ExitStatus(0, None))
    assert program.written("stdout") == "last\n"


def test_program_that_is_blocked_natively_keeps_nobody_waiting(write: WriteProgram, drive: Drive) -> None:
    text = "require('child_process').execSync('echo blocked; sleep 1000', { stdio: 'inherit' }); // @bp block\n"
    program = drive(write(text))
    program.connect()
    program.debuggee.begin(stop_on_entry=False)
    program.until_written("blocked")
    program.inbox.deadline = Deadline.after(0.3)
    with pytest.raises(DeadlinePassed):
        program.set("block")
    program.debuggee.pause()


def test_program_that_is_stopped_by_a_signal_keeps_nobody_waiting(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("let i = 0;\ni = 1; // @bp two\n"))
    entry(program)
    os.kill(pid_of(program), signal.SIGSTOP)
    program.inbox.deadline = Deadline.after(0.3)
    with pytest.raises(DeadlinePassed):
        program.debuggee.variables(0, None, FIRST_PAGE)
    os.kill(pid_of(program), signal.SIGCONT)
    program.extend()
    assert program.step_to(StepKind.OVER) == "two"


def test_connection_that_breaks_in_the_middle_of_an_answer_is_told(
    write: WriteProgram, drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = drive(write("setInterval(() => {}, 1000);\n"))
    entry(program)
    opened: list[Connection] = []
    post = Connection.post

    def post_and_break(connection: Connection, command: Any) -> Any:
        call: Any = post(connection, command)
        opened.append(connection)
        connection._socket.abort()  # what a peer does that goes away
        return call

    monkeypatch.setattr(Connection, "post", post_and_break)
    with pytest.raises(ProgramGoneError):
        program.debuggee.evaluate(0, (Evaluation("1"),))
    outcome = program.outcome()
    # Node 18 may crash when its debugger goes away in the middle of an evaluation.
    has_crashed = NODE_MAJOR == 18 and outcome == ProgramEnded(ExitStatus(None, "SIGSEGV"))
    assert isinstance(outcome, ConnectionLost) or has_crashed
    assert opened


def test_program_that_runs_out_of_memory_ends_without_a_stop(write: WriteProgram, drive: Drive) -> None:
    program = drive(
        write("const all = [];\nfor (;;) all.push(new Array(1e5).fill(all.length));\n"),
        flags=("--max-old-space-size=30",),
    )
    ended = program.begin()
    assert isinstance(ended, ProgramEnded)
    assert ended.exit is not None
    assert ended.exit.code != 0


def test_what_needs_a_standing_program_is_refused_while_it_runs(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("console.log('go');\nsetInterval(() => {}, 1000);\n"))
    program.connect()
    program.debuggee.begin(stop_on_entry=False)
    program.until_written("go")
    with pytest.raises(InvalidStateError):
        program.debuggee.variables(0, None, FIRST_PAGE)
    with pytest.raises(InvalidStateError):
        program.debuggee.step(StepKind.OVER, into_internals=False)


def test_end_takes_the_descendants_along_and_may_be_repeated(write: WriteProgram, drive: Drive) -> None:
    text = (
        "require('child_process').spawn('sleep', ['1000'], { detached: true });\n"
        "console.log('go');\nsetInterval(() => {}, 1000);\n"
    )
    program = drive(write(text))
    program.connect()
    program.debuggee.begin(stop_on_entry=False)
    program.until_written("go")
    program.debuggee.end()
    program.debuggee.end()


def test_end_before_the_program_is_connected_to_leaves_nothing(write: WriteProgram, drive: Drive) -> None:
    drive(write("0;\n"))


# --- a launched program that is left running -----------------------------------------------------------------------


def test_launched_program_that_is_left_lives_on_and_can_go_on_writing(
    write: WriteProgram, drive: Drive, tmp_path: Path
) -> None:
    done = tmp_path / "done"
    text = (
        "let written = 0; // @bp first\n"
        "for (; written < 300; written++) require('fs').writeSync(1, 'x'.repeat(9999) + '\\n');\n"
        f"require('fs').writeFileSync({str(done)!r}, 'done ' + written); // @bp end\n"
    )
    program = drive(write(text))
    program.connect()
    program.set("end")
    program.debuggee.begin(stop_on_entry=True)
    program.stop()
    guard_pid = parent_of(pid_of(program))
    program.debuggee.detach()
    await_end(pid_of(program))
    await_end(guard_pid)
    assert done.read_text() == "done 300"


def parent_of(pid: int) -> int:
    stat = Path(f"/proc/{pid}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])


def await_end(pid: int) -> None:
    """Wait for a process that is nobody's child here."""
    deadline = Deadline.after(BOUND_S)
    while is_alive(pid):
        assert not deadline.passed, f"{pid} does not end"
        os.sched_yield()
