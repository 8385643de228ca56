"""How programs end, and how they misbehave: the answer says what happened, and keeps what was seen until then."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import NEVER_RAN, ScriptDebugger, node_command
from tests.nodes import NODE_MAJOR

pytestmark = pytest.mark.matrix

HIT = "let n = 5;\nn += 1; // @bp hit\n"
FIVE = [{"type": "number", "value": 5}]
NEVER = "exports.never = () => {\n  return 1; // @bp hit\n};\n"


def shown(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without the text of stderr, which has tests of its own."""
    exit_told = {key: value for key, value in answer.get("exit", {}).items() if key != "stderr"}
    return {**answer, **({"exit": exit_told} if exit_told else {})}


ENDS = {
    "process.exit": ("process.exit(4);", {"code": 4, "signal": None}),
    "process.exitCode": ("process.exitCode = 5;", {"code": 5, "signal": None}),
    "process.exit later": ("setTimeout(() => process.exit(6), 5);", {"code": 6, "signal": None}),
    "process.exit in an exit handler": ("process.on('exit', () => process.exit(7));", {"code": 7, "signal": None}),
    "uncaught throw": ("throw new TypeError('boom');", {"code": 1, "signal": None}),
    "throw of a string": ("throw 'text';", {"code": 1, "signal": None}),
    "unhandled rejection": ("Promise.reject(new Error('rejected'));", {"code": 1, "signal": None}),
    "process.abort": ("process.abort();", {"code": None, "signal": "SIGABRT"}),
    "own SIGKILL": ("process.kill(process.pid, 'SIGKILL'); for (;;);", {"code": None, "signal": "SIGKILL"}),
    "own SIGTERM": (
        "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);",
        {"code": None, "signal": "SIGTERM"},
    ),
}


@pytest.mark.parametrize(("code", "ending"), ENDS.values(), ids=ENDS.keys())
def test_end_after_a_hit_stands_beside_the_result(
    debug: ScriptDebugger, write: WriteProgram, code: str, ending: dict[str, Any]
) -> None:
    assert shown(debug.run(write(HIT + code), "n").structured) == {"results": FIVE, "exit": ending}


def test_value_of_the_last_hit_before_a_crash_is_never_lost(debug: ScriptDebugger, write: WriteProgram) -> None:
    # The inspector sends from a thread of its own, so a value that is still on its way would die in some of the runs.
    program = write(HIT + "process.abort();")
    assert [debug.run(program, "n").structured["results"] for _ in range(20)] == [FIVE] * 20


@pytest.mark.parametrize(("code", "ending"), ENDS.values(), ids=ENDS.keys())
def test_end_before_any_hit_is_an_error_that_tells_it(
    debug: ScriptDebugger, write: WriteProgram, code: str, ending: dict[str, Any]
) -> None:
    program = write(NEVER + code)
    assert debug.error(program).splitlines()[:3] == [
        "Process exited before breakpoint was hit",
        f"It was killed by {ending['signal']}." if ending["signal"] else f"Exit code: {ending['code']}.",
        f"The breakpoint was set at {program.path}:{program.line('hit')}, but that line {NEVER_RAN}",
    ]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("throw new TypeError('boom');", "TypeError: boom"),
        ("Promise.reject(new Error('rejected'));", "Error: rejected"),
        ("console.error('out of stock'); process.exit(1);", "out of stock"),
        ("process.abort();", ""),
    ],
    ids=["throw", "rejection", "own words", "abort"],
)
def test_stderr_of_a_crash_is_told(debug: ScriptDebugger, write: WriteProgram, code: str, message: str) -> None:
    stderr = debug.run(write(HIT + code), "n").structured["exit"].get("stderr", "")
    assert message in stderr
    assert "Debugger" not in stderr  # what node says of its inspector is not the program's


def test_exit_handlers_run_and_can_be_watched(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("process.on('exit', (code) => {\n  console.log(code); // @bp hit\n});\n")
    assert debug.values(program, "code") == [0]


def test_work_that_is_added_before_the_exit_is_seen(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "let rounds = 0;\nprocess.on('beforeExit', () => {\n"
        "  if (rounds++ < 2) setImmediate(() => {}); // @bp hit\n});\n"
    )
    assert debug.values(program, "rounds") == [0, 1, 2]


def test_top_level_await_that_never_settles_ends_with_code_13(debug: ScriptDebugger, write: WriteProgram) -> None:
    answer = debug.run(write(HIT + "await new Promise(() => {});\n", "program.mjs"), "n").structured
    assert shown(answer) == {"results": FIVE, "exit": {"code": 13, "signal": None}}


# --- out of memory -----------------------------------------------------------------------------------------------

OUT_OF_MEMORY = """
const kept = [];
for (;;) {
  kept.push(new Array(1e5).fill(kept.length)); // @bp hit
}
"""


def test_out_of_memory_keeps_every_hit(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(OUT_OF_MEMORY)
    command = node_command(program.path, before=("--max-old-space-size=16",))
    answer = debug.run(program, "kept.length", command=command).structured
    lengths = [result["value"] for result in answer["results"] if result["type"] == "number"]
    # V8 of Node 20 and 22 asks the breakpoint once more, in the statement in which it runs out of memory.
    once_more = 1 if NODE_MAJOR in (20, 22) else 0
    assert lengths == sorted(lengths)
    assert len(lengths) - len(set(lengths)) <= once_more
    assert set(lengths) == set(range(len(set(lengths))))
    # The last evaluation may be what takes the last memory.
    assert len(answer["results"]) - len(lengths) <= 1
    assert answer["exit"]["signal"] == "SIGABRT"
    assert "stderr" in answer["exit"]


def test_out_of_memory_before_a_hit_is_the_end_of_the_program(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(NEVER + OUT_OF_MEMORY.replace("// @bp hit", ""))
    command = node_command(program.path, before=("--max-old-space-size=16",))
    assert "It was killed by SIGABRT." in debug.error(program, command=command)


# --- programs that meddle with the inspector -------------------------------------------------------------------

CLOSED = "The program's inspector was closed before the program ended: what ran after that was not seen."


def test_inspector_closed_by_the_program_after_a_hit(debug: ScriptDebugger, write: WriteProgram) -> None:
    answer = debug.run(write(HIT + "require('inspector').close();\n"), "n").structured
    assert answer == {"results": FIVE, "notes": [CLOSED]}


def test_inspector_closed_by_the_program_before_the_line(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("require('inspector').close();\n" + HIT)
    assert debug.error(program).splitlines() == [
        "Process exited before breakpoint was hit",
        "Exit code: 0.",
        f"The breakpoint was set at {program.path}:{program.line('hit')}, but that line was not hit.",
        CLOSED,
    ]


def test_inspector_closed_by_a_program_that_lives_on(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(HIT + "require('inspector').close();\nsetInterval(() => {}, 1000);\n")
    answer = debug.run(program, "n").structured
    assert answer == {"results": FIVE, "connection_lost": "the debugger closed the connection"}


def test_program_that_waits_for_a_debugger_has_one(debug: ScriptDebugger, write: WriteProgram) -> None:
    if NODE_MAJOR == 18:
        pytest.skip("Node 18 does not tell that it waits, so a program that does so in its middle is not released")
    assert debug.results(write(f"require('inspector').waitForDebugger();\n{HIT}"), "n") == FIVE


@pytest.mark.parametrize(
    "code",
    [
        "try { require('inspector').open(0) } catch {}",
        "const s = new (require('inspector').Session)(); s.connect(); s.post('Debugger.enable', () => {});",
    ],
    ids=["opens it again", "debugs itself"],
)
def test_program_that_uses_the_inspector_itself_goes_on(debug: ScriptDebugger, write: WriteProgram, code: str) -> None:
    assert debug.results(write(f"{code}\n{HIT}"), "n") == FIVE


def test_program_that_speaks_like_node_of_its_inspector_is_not_believed(
    debug: ScriptDebugger, write: WriteProgram
) -> None:
    program = write("console.error('Debugger listening on ws://127.0.0.1:1/nobody');\n" + HIT)
    assert debug.results(program, "n") == FIVE


# --- input and output ----------------------------------------------------------------------------------------------


def test_megabytes_on_both_streams_do_not_stop_a_program(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "const block = 'x'.repeat(65536);\nlet written = 0;\n"
        "for (let i = 0; i < 64; i++) {\n"
        "  process.stdout.write(block);\n  process.stderr.write(block);\n"
        "  written += block.length;\n"
        "}\n"
        "console.log(written); // @bp hit\n"
    )
    assert debug.values(program, "written") == [64 * 65536]


def test_standard_input_is_at_its_end(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "let text = 'nothing but ';\n"
        "process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {\n"
        "  console.log(text); // @bp hit\n"
        "});\n"
    )
    assert debug.values(program, "text") == ["nothing but "]


def test_standard_input_read_at_once_is_empty(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("const text = require('fs').readFileSync(0, 'utf8');\nconsole.log(text); // @bp hit\n")
    assert debug.values(program, "text") == [""]


# --- programs that do not end ---------------------------------------------------------------------------------------

ENDLESS_MS = 2000
"""Time enough to start node and reach the first lines, on a busy machine too."""

NO_ANSWER = (
    "When the run ended the program answered nothing: evaluating the expression at one more hit did not end, or the"
    " program was where it cannot answer (native code, an empty loop)."
)
ENDLESS = {
    "loop": "for (;;);",
    "timer": "setInterval(() => {}, 1000);",
    "server": "require('net').createServer().listen(0, '127.0.0.1');",
    "ignores signals": "for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(s, () => {});"
    " setInterval(() => {}, 1000);",
    "blocked in native code": "require('child_process').execSync('sleep 1000');",
    "regular expression": "/^(a+)+$/.test('a'.repeat(60) + 'b');",
}


@pytest.mark.parametrize("code", ENDLESS.values(), ids=ENDLESS.keys())
def test_program_that_never_ends_keeps_its_hits_at_the_timeout(
    debug: ScriptDebugger, write: WriteProgram, code: str
) -> None:
    answer = debug.run(write(HIT + code), "n", timeout=ENDLESS_MS).structured
    assert answer == {"results": FIVE, "timed_out": True}


@pytest.mark.parametrize("way", ["loop", "timer"])
def test_program_that_never_reaches_the_line_is_a_timeout(debug: ScriptDebugger, write: WriteProgram, way: str) -> None:
    program = write(NEVER + ENDLESS[way])
    assert debug.error(program, timeout=ENDLESS_MS).splitlines() == [
        f"Timeout waiting for breakpoint after {ENDLESS_MS}ms",
        f"The breakpoint was set at {program.path}:{program.line('hit')}, but that line {NEVER_RAN}",
    ]


def test_hits_of_a_timer_are_collected_until_the_timeout(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("let n = 0;\nsetInterval(() => {\n  n += 1; // @bp hit\n}, 10);\n")
    answer = debug.run(program, "n", timeout=ENDLESS_MS).structured
    assert answer["timed_out"] is True
    assert [result["value"] for result in answer["results"]] == list(range(len(answer["results"])))


def test_expression_that_never_ends_is_named_as_the_cause(debug: ScriptDebugger, write: WriteProgram) -> None:
    message = debug.error(write(HIT), "(() => { while (true) {} })()", timeout=ENDLESS_MS)
    assert message.splitlines() == [
        f"Timeout waiting for breakpoint after {ENDLESS_MS}ms",
        "The breakpoint was hit, but evaluating the expression did not end. Use a simpler expression.",
    ]


def test_expression_that_never_ends_at_a_later_hit_keeps_the_earlier_ones(
    debug: ScriptDebugger, write: WriteProgram
) -> None:
    program = write("for (let i = 0; i < 5; i++) {\n  console.log(i); // @bp hit\n}\n")
    answer = debug.run(program, "i < 2 ? i : (() => { for (;;); })()", timeout=ENDLESS_MS).structured
    assert answer["results"] == [{"type": "number", "value": 0}, {"type": "number", "value": 1}]
    assert answer["timed_out"] is True
    assert answer["notes"] == [NO_ANSWER]


@pytest.mark.parametrize("timeout", [1, 10])
def test_time_too_short_to_start_anything_is_a_timeout(
    debug: ScriptDebugger, write: WriteProgram, timeout: int
) -> None:
    assert debug.error(write(HIT), timeout=timeout).startswith(f"Timeout waiting for breakpoint after {timeout}ms\n")


# --- expressions that end the program -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "ending"),
    [
        ("process.exit(7)", {"code": 7, "signal": None}),
        ("process.kill(process.pid, 'SIGKILL')", {"code": None, "signal": "SIGKILL"}),
        ("process.abort()", {"code": None, "signal": "SIGABRT"}),
    ],
)
def test_expression_that_ends_the_program_is_told(
    debug: ScriptDebugger, write: WriteProgram, expression: str, ending: dict[str, Any]
) -> None:
    answer = shown(debug.run(write(HIT), expression).structured)
    (result,) = answer["results"]
    assert result["type"] == "error"
    assert result["value"].startswith("the program ended")
    assert answer["exit"] == ending


def test_expression_that_closes_the_inspector_is_told(debug: ScriptDebugger, write: WriteProgram) -> None:
    answer = debug.run(write(HIT), "process.mainModule.require('inspector').close()").structured
    assert answer["results"] == [
        {
            "type": "error",
            "value": "the program ended, or closed its inspector, while the expression was evaluated",
        }
    ]
    assert answer["notes"] == [CLOSED]
