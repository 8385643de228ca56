"""The contract's rows on how a run ends, where its breakpoint went, and its cancellation."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from server.report.answer import Answer
from server.tools.debug_script import ScriptJob
from tests.integration.conftest import WriteProgram
from tests.integration.contract_rows import row
from tests.integration.leftovers import processes_with_token
from tests.integration.script_debugger import PROGRAMS, Program, ScriptDebugger, node_command

pytestmark = pytest.mark.matrix

LOOP = Program(PROGRAMS / "loop.js")
AFTER_HITS = "timeout or crash after hits"
THREE_HITS = "for (let i = 0; i < 3; i++) {\n  console.log(i); // @bp hit\n}\n"
THREE = [{"type": "number", "value": i} for i in range(3)]
BOUND_S = 30.0
TIME_ENOUGH_MS = 2000
"""To start node and reach the first lines, on a busy machine too."""


@row(AFTER_HITS)
def test_timeout_after_hits_is_a_success_with_what_was_collected(debug: ScriptDebugger, write: WriteProgram) -> None:
    answer = debug.run(write(THREE_HITS + "setInterval(() => {}, 1000);\n"), "i", timeout=TIME_ENOUGH_MS)
    assert answer == Answer(structured={"results": THREE, "timed_out": True})


@row(AFTER_HITS)
@pytest.mark.parametrize(
    ("code", "ending"),
    [
        ("process.exit(3);", {"code": 3, "signal": None}),
        ("console.error('gone'); process.exit(3);", {"code": 3, "signal": None, "stderr": "gone"}),
        ("process.kill(process.pid, 'SIGSEGV'); for (;;);", {"code": None, "signal": "SIGSEGV"}),
    ],
    ids=["exit code", "exit code and stderr", "signal"],
)
def test_crash_after_hits_is_a_success_with_the_exit(
    debug: ScriptDebugger, write: WriteProgram, code: str, ending: dict[str, Any]
) -> None:
    assert debug.run(write(THREE_HITS + code), "i") == Answer(structured={"results": THREE, "exit": ending})


@row(AFTER_HITS)
def test_uncaught_exception_after_hits_brings_its_stack(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(THREE_HITS + "throw new TypeError('out of stock'); // @bp throw\n")
    answer = debug.run(program, "i").structured
    assert answer["results"] == THREE
    assert (answer["exit"]["code"], answer["exit"]["signal"]) == (1, None)
    assert answer["exit"]["stderr"].startswith(f"{program.path}:{program.line('throw')}\n")
    assert "TypeError: out of stock\n    at " in answer["exit"]["stderr"]


@row(AFTER_HITS)
def test_good_end_needs_no_word(debug: ScriptDebugger) -> None:
    assert debug.run(LOOP, "i") == Answer(structured={"results": THREE})


@row(AFTER_HITS)
def test_contracts_sentences_for_runs_without_a_hit(debug: ScriptDebugger, write: WriteProgram) -> None:
    never = "exports.never = () => {\n  return 1; // @bp hit\n};\n"
    exited = debug.error(write(never))
    assert exited.startswith("Process exited before breakpoint was hit\nExit code: 0.\n")
    timed_out = debug.error(write(never + "setInterval(() => {}, 1000);\n"), timeout=TIME_ENOUGH_MS)
    assert timed_out.startswith(f"Timeout waiting for breakpoint after {TIME_ENOUGH_MS}ms\n")


# --- breakpoint moved to the next line with code ---------------------------------------------------------------------


@row("breakpoint moved to the next line with code")
@pytest.mark.parametrize("gap", ["", "// a comment", "/* a\n   comment */", "\n\n\n", "function unused() {}"])
def test_line_without_code_moves_on_and_the_answer_says_where(
    debug: ScriptDebugger, write: WriteProgram, gap: str
) -> None:
    program = write(f"const x = 1;\n{gap}\nconsole.log(x); // @bp next\n")
    answer = debug.run(program, "x", at=2).structured
    assert answer["results"] == [{"type": "number", "value": 1}]
    assert answer["breakpoint"] == {"file": str(program.path), "line": program.line("next"), "requested_line": 2}


@row("breakpoint moved to the next line with code")
def test_line_with_code_says_nothing_of_its_place(debug: ScriptDebugger) -> None:
    assert "breakpoint" not in debug.run(LOOP, "i").structured


@row("breakpoint moved to the next line with code")
def test_line_behind_all_code_is_an_error_with_the_nearest_lines(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("console.log(1); // @bp only\n" + "\n" * 20)
    message = debug.error(program, at=500)
    assert f"there is no code at {program.path}:500 or behind it" in message
    assert "Lines near it that have code: 1" in message


# --- cancelled by the client -----------------------------------------------------------------------------------------


class Running:
    """A job on a thread of its own, as the server runs it."""

    def __init__(self, job: ScriptJob) -> None:
        self.answers: list[Answer] = []
        self._job = job
        self._thread = threading.Thread(target=lambda: self.answers.append(job.run()), name="test:job")
        self._thread.start()

    def cancel(self) -> Answer:
        """Cancel and wait for the end."""
        self._job.cancel()
        self._thread.join(BOUND_S)
        assert not self._thread.is_alive(), "the cancelled run did not end"
        return self.answers[0]


def wait_for_file(path: Path) -> None:
    deadline = time.monotonic() + BOUND_S
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} did not appear"
        time.sleep(0.005)


FAMILY = """
const { spawn } = require("child_process");
const sleeper = ["-e", "setInterval(() => {}, 1000)"];
spawn(process.execPath, sleeper, { stdio: "inherit" });
spawn(process.execPath, sleeper, { detached: true, stdio: "ignore" }).unref();
process.on("SIGTERM", () => {});
"""
ENDINGS_TO_CANCEL = {
    "idle": "setInterval(() => {}, 1000);",
    "busy": "for (;;);",
    "hit after hit": "for (let i = 0; ; i++) {\n  String(i); // @bp hot\n}",
}


@row("cancelled by the client")
@pytest.mark.parametrize("way", ENDINGS_TO_CANCEL)
def test_cancellation_ends_the_program_and_its_descendants(
    debug: ScriptDebugger, write: WriteProgram, token: str, tmp_path: Path, way: str
) -> None:
    ready = tmp_path / "ready"
    program = write(
        f"{FAMILY}require('fs').writeFileSync({str(ready)!r}, ''); // @bp ready\n{ENDINGS_TO_CANCEL[way]}\n"
    )
    at = "hot" if way == "hit after hit" else "ready"
    run = Running(
        debug.start(
            command=node_command(program.path),
            breakpoint={"file": str(program.path), "line": program.line(at)},
            expression="1",
            timeout=600_000,
        )
    )
    wait_for_file(ready)
    assert len(processes_with_token(token)) >= 3
    run.cancel()
    assert processes_with_token(token) == {}


@row("cancelled by the client")
def test_cancellation_ends_an_evaluation_that_never_would(
    debug: ScriptDebugger, write: WriteProgram, tmp_path: Path
) -> None:
    ready = tmp_path / "ready"
    program = write("console.log(1); // @bp hit\n")
    expression = f"(() => {{ process.mainModule.require('fs').writeFileSync({str(ready)!r}, ''); for (;;); }})()"
    run = Running(
        debug.start(
            command=node_command(program.path),
            breakpoint={"file": str(program.path), "line": 1},
            expression=expression,
            timeout=600_000,
        )
    )
    wait_for_file(ready)
    assert str(run.cancel().text).startswith("The request was cancelled.")


@row("cancelled by the client")
def test_cancellation_before_the_run_starts_nothing_that_stays(debug: ScriptDebugger) -> None:
    job = debug.start(
        command=node_command(LOOP.path),
        breakpoint={"file": str(LOOP.path), "line": 1},
        expression="1",
        timeout=600_000,
    )
    job.cancel()
    assert str(job.run().text).startswith("The request was cancelled.")
