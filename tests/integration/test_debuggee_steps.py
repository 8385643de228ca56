"""Where steps, pauses and exceptions stop a real program."""

from __future__ import annotations

import pytest

from server.config import Settings
from server.debug.session_model import (
    PauseOnExceptions,
    ProgramEnded,
    StepKind,
    Stopped,
    StopReason,
)
from tests.integration.conftest import Drive, WriteProgram
from tests.integration.driven_debuggee import DrivenDebuggee
from tests.nodes import NODE, NODE_MAJOR

pytestmark = pytest.mark.matrix

OVER, INTO, OUT = StepKind.OVER, StepKind.INTO, StepKind.OUT


def stopped_at(program: DrivenDebuggee, mark: str) -> Stopped:
    """Begin with one breakpoint, and run to it."""
    program.connect()
    program.set(mark)
    program.debuggee.begin(stop_on_entry=False)
    stopped = program.stop()
    assert program.where(stopped) == mark
    assert stopped.reason is StopReason.BREAKPOINT
    assert stopped.breakpoint_ids == (mark,)
    return stopped


# --- steps among the program's own functions -----------------------------------------------------------------------

CALLS = """\
function add(a, b) {
  const sum = a + b; // @bp sum
  return sum; // @bp return
} // @bp add-end
const one = add(1, 2); // @bp one
const two = add(3, 4); // @bp two
console.log(one + two); // @bp log
"""


def test_step_over_passes_over_a_call(write: WriteProgram, drive: Drive) -> None:
    program = drive(write(CALLS))
    stopped_at(program, "one")
    assert program.steps(OVER, 2) == ["two", "log"]


def test_step_into_enters_a_function_and_step_out_leaves_it(write: WriteProgram, drive: Drive) -> None:
    program = drive(write(CALLS))
    stopped_at(program, "one")
    stopped = program.step(INTO)
    assert isinstance(stopped, Stopped)
    assert program.where(stopped) == "sum"
    assert stopped.reason is StopReason.STEP
    assert stopped.notes == ()
    assert [frame.function for frame in stopped.frames[:2]] == ["add", "(module)"]
    assert program.step_to(OUT) in ("one", "two")
    assert program.value("one").json == 3


def test_step_that_ends_the_program_is_its_end(write: WriteProgram, drive: Drive) -> None:
    program = drive(write(CALLS))
    stopped_at(program, "log")
    events = [program.step(OVER) for _ in range(2)]
    assert isinstance(events[-1], ProgramEnded)
    assert program.written("stdout") == "10\n"


def test_breakpoint_on_the_way_ends_a_step(write: WriteProgram, drive: Drive) -> None:
    program = drive(write(CALLS))
    stopped_at(program, "one")
    program.set("return")
    stopped = program.step(OVER)
    assert isinstance(stopped, Stopped)
    assert stopped.reason is StopReason.BREAKPOINT
    assert program.where(stopped) == "return"


def test_run_to_a_line_stops_there_once(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("for (let i = 0; i < 3; i++) { // @bp loop\n  f(i); // @bp body\n}\nfunction f(i) {}\n"))
    stopped_at(program, "loop")
    binding = program.debuggee.run_to(program.line("body"))
    assert binding.position is not None
    stopped = program.stop()
    assert program.where(stopped) == "body"
    assert stopped.breakpoint_ids == ()
    program.debuggee.remove_breakpoint("loop")
    assert isinstance(program.go(), ProgramEnded)


def test_run_to_a_line_without_code_leaves_the_program_where_it_is(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("let a = 1; // @bp here\n\n// nothing @bp nothing\na = 2; // @bp there\n"))
    stopped_at(program, "here")
    assert program.debuggee.run_to(program.line("nothing")).position is None
    (frame, *_) = program.debuggee.call_stack(include_async=False).frames
    assert program.place(frame) == "here"
    assert program.step_to(OVER) == "there"


# --- code that is not the program's own ----------------------------------------------------------------------------


def test_step_into_code_of_node_lands_behind_it_and_says_so(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("const os = require('os');\nconsole.log('x'); // @bp log\nos.cpus(); // @bp next\n"))
    stopped_at(program, "log")
    stopped = program.step(INTO)
    assert isinstance(stopped, Stopped)
    assert program.where(stopped) == "next"
    assert "include_internal" in " ".join(stopped.notes)


def test_step_into_a_line_without_calls_says_nothing(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("let a = 1; // @bp one\na = 2; // @bp two\n"))
    stopped_at(program, "one")
    stopped = program.step(INTO)
    assert isinstance(stopped, Stopped)
    assert program.where(stopped) == "two"
    assert stopped.notes == ()


def test_step_into_internals_enters_code_of_node(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("console.log('x'); // @bp log\n"))
    stopped_at(program, "log")
    stopped = program.step(INTO, into_internals=True)
    assert isinstance(stopped, Stopped)
    assert stopped.frames[0].is_internal
    assert not stopped.frames[0].is_own
    assert stopped.notes == ()


LISTENER = """\
const emitter = new (require('events'))();
emitter.on('x', function listener(value) {
  return value; // @bp listener
}); // @bp registered
emitter.emit('x', 1); // @bp emit
console.log('after'); // @bp after
"""


def test_step_into_code_of_node_stops_in_what_it_calls_of_the_programs_own(write: WriteProgram, drive: Drive) -> None:
    program = drive(write(LISTENER))
    stopped_at(program, "emit")
    assert program.step_to(INTO) == "listener"


@pytest.mark.parametrize("kind", [OVER, OUT])
def test_step_out_of_what_node_calls_lands_in_the_programs_own_caller(
    write: WriteProgram, drive: Drive, kind: StepKind
) -> None:
    program = drive(write(LISTENER))
    stopped_at(program, "listener")
    places = program.steps(kind, 2)
    assert "after" in places
    assert not any(
        frame.is_internal for stop in program.events if isinstance(stop, Stopped) for frame in stop.frames[:1]
    )


PACKAGE = """\
const package = require('helper');
const result = package.twice(function back() {
  return 1; // @bp back
}); // @bp back-end
package.twice(() => 2); // @bp again
console.log(result); // @bp after
"""
HELPER = "exports.twice = function twice(f) {\n  f();\n  return f();\n};\n"


def test_step_into_a_package_stops_only_in_what_it_calls_of_the_programs_own(write: WriteProgram, drive: Drive) -> None:
    write(HELPER, "node_modules/helper/index.js")
    program = drive(write("require('helper').twice(function back() {\n  return 1; // @bp back\n});\n", "p.js"))
    program.begin(stop_on_entry=True)
    places = program.steps(INTO, 3)
    assert "back" in places
    assert not any(place.startswith("twice") for place in places)


def test_step_over_a_package_lands_behind_it(write: WriteProgram, drive: Drive) -> None:
    write(HELPER, "node_modules/helper/index.js")
    program = drive(write(PACKAGE))
    stopped_at(program, "again")
    assert program.step_to(OVER) == "after"


def test_step_into_a_package_enters_it_where_the_setting_says_so(write: WriteProgram, drive: Drive) -> None:
    write(HELPER, "node_modules/helper/index.js")
    program = drive(write(PACKAGE), settings=Settings(skip_packages=False))
    stopped_at(program, "again")
    stopped = program.step(INTO)
    assert isinstance(stopped, Stopped)
    assert stopped.frames[0].function == "twice"
    assert not stopped.frames[0].is_own
    assert not stopped.frames[0].is_internal


def test_breakpoint_in_a_package_stops_although_steps_pass_over_it(write: WriteProgram, drive: Drive) -> None:
    helper = write(
        "exports.twice = function twice(f) {\n  return f(); // @bp inside\n};\n", "node_modules/helper/index.js"
    )
    write("require('helper').twice(() => 1);\n", "main.js")
    program = drive(helper, argv=(NODE, str(helper.path.parents[2] / "main.js")))
    stopped_at(program, "inside")


# --- time ----------------------------------------------------------------------------------------------------------


def test_step_over_the_end_of_a_callback_goes_on_to_the_next_own_code(write: WriteProgram, drive: Drive) -> None:
    program = drive(
        write(
            "function first() {\n  return 1; // @bp first\n}\nfunction second() {\n  return 2; // @bp second\n}\n"
            "setTimeout(first, 1);\nsetTimeout(second, 50);\n"
        )
    )
    stopped_at(program, "first")
    assert "second" in program.steps(OVER, 2)


def test_step_over_the_end_of_the_last_callback_is_the_end(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("setTimeout(() => {\n  return 1; // @bp last\n}, 1);\n"))
    stopped_at(program, "last")
    assert "ended" in program.steps(OVER, 1) + program.steps(OVER, 1)


def test_step_over_await_lands_on_the_next_line(write: WriteProgram, drive: Drive) -> None:
    program = drive(
        write(
            "async function run() {\n"
            "  await null; // @bp one\n"
            "  await new Promise((resolve) => setTimeout(resolve, 20)); // @bp two\n"
            "  return 3; // @bp three\n"
            "}\nrun();\n"
        )
    )
    stopped_at(program, "one")
    assert program.steps(OVER, 2) == ["two", "three"]


def test_step_out_of_an_async_function_lands_in_the_one_that_awaits_it_or_goes_on(
    write: WriteProgram, drive: Drive
) -> None:
    program = drive(
        write(
            "async function inner() {\n  await null;\n  return 1; // @bp inner\n}\n"
            "async function outer() {\n  const got = await inner();\n  return got; // @bp outer\n}\nouter();\n"
        )
    )
    stopped_at(program, "inner")
    assert "outer" in program.steps(OUT, 1) + program.steps(OVER, 1)


# --- pausing -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(NODE_MAJOR == 22, reason="V8 of Node 22 never interrupts an optimised loop that calls nothing")
def test_pause_stops_a_busy_loop_where_it_is(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("let turns = 0;\nconsole.log('go');\nfor (;;) {\n  turns += 1;\n}\n"))
    program.connect()
    program.debuggee.begin(stop_on_entry=False)
    program.until_written("go")
    program.debuggee.pause()
    stopped = program.stop()
    assert stopped.reason is StopReason.PAUSE
    assert any(frame.is_own for frame in stopped.frames)
    program.debuggee.resume()
    program.debuggee.pause()
    assert program.stop().reason is StopReason.PAUSE


def test_pause_stops_an_idle_program_at_the_next_of_its_own_code(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("console.log('idle');\nsetInterval(() => {\n  let now = Date.now(); // @bp tick\n}, 100);\n"))
    program.connect()
    program.debuggee.begin(stop_on_entry=False)
    program.until_written("idle")
    program.debuggee.pause()
    stopped = program.stop()
    assert stopped.reason is StopReason.PAUSE
    assert any(frame.is_own for frame in stopped.frames)


def test_pause_stops_a_program_that_is_busy_in_a_package(write: WriteProgram, drive: Drive) -> None:
    busy = "module.exports = () => { console.log('go'); for (;;) Math.random(); };\n"
    write(busy, "node_modules/busy/index.js")
    program = drive(write("setImmediate(require('busy'));\n"))
    program.connect()
    program.debuggee.begin(stop_on_entry=False)
    program.until_written("go")
    program.debuggee.pause()
    stopped = program.stop()
    assert stopped.reason is StopReason.PAUSE
    assert "busy/index.js" in " ".join(frame.position.file for frame in stopped.frames)
    assert not any(frame.is_own for frame in stopped.frames)


def test_debugger_statement_stops_with_its_own_reason(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("function f() {\n  debugger; // @bp statement\n}\nf(); // @bp call\nlet end; // @bp end\n"))
    stopped = program.begin()
    assert isinstance(stopped, Stopped)
    assert stopped.reason is StopReason.DEBUGGER_STATEMENT
    assert program.where(stopped) == "statement"


def test_debugger_statement_inside_a_call_that_is_stepped_over_stops_there(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("function f() {\n  debugger; // @bp statement\n}\nf(); // @bp call\nlet end; // @bp end\n"))
    stopped_at(program, "call")
    stopped = program.step(OVER)
    assert isinstance(stopped, Stopped)
    assert stopped.reason is StopReason.DEBUGGER_STATEMENT
    assert program.where(stopped) == "statement"


# --- exceptions ----------------------------------------------------------------------------------------------------

THROWS = """\
class Broken extends Error {}
function risky(kind) {
  throw new Broken('no ' + kind); // @bp throw
}
try {
  risky('caught');
} catch {}
try {
  null.x; // @bp null
} catch {}
risky('uncaught');
"""


def exceptions(program: DrivenDebuggee, mode: PauseOnExceptions) -> list[tuple[str, str, bool | None]]:
    program.connect()
    program.debuggee.set_pause_on_exceptions(mode)
    program.debuggee.begin(stop_on_entry=False)
    seen = []
    event = program.outcome()
    while isinstance(event, Stopped):
        assert event.reason is StopReason.EXCEPTION
        assert event.exception is not None
        assert event.exception.value is not None
        seen.append((event.exception.name, event.exception.message, event.exception.is_caught))
        event = program.go()
    assert isinstance(event, ProgramEnded)
    return seen


def test_no_exception_stops_unless_it_is_asked_for(write: WriteProgram, drive: Drive) -> None:
    assert exceptions(drive(write(THROWS)), PauseOnExceptions.NONE) == []


def test_uncaught_exceptions_stop_where_they_are_thrown(write: WriteProgram, drive: Drive) -> None:
    assert exceptions(drive(write(THROWS)), PauseOnExceptions.UNCAUGHT) == [("Broken", "no uncaught", False)]


def test_all_exceptions_stop_and_tell_whether_they_are_caught(write: WriteProgram, drive: Drive) -> None:
    seen = exceptions(drive(write(THROWS)), PauseOnExceptions.ALL)
    assert [(name, caught) for name, _, caught in seen] == [("Broken", True), ("TypeError", True), ("Broken", False)]
    assert seen[0][1] == "no caught"
    assert "null" in seen[1][1]


def test_thrown_value_that_is_no_error_is_told_as_it_is(write: WriteProgram, drive: Drive) -> None:
    assert exceptions(drive(write("throw 'plain';\n")), PauseOnExceptions.UNCAUGHT) == [("string", "plain", False)]


# --- the stack -----------------------------------------------------------------------------------------------------


def test_frames_have_absolute_files_and_say_whose_they_are(write: WriteProgram, drive: Drive) -> None:
    write("exports.call = function call(f) { return f(); };\n", "node_modules/helper/index.js")
    program = drive(write("require('helper').call(function inner() {\n  return (() => 1)(); // @bp inner\n});\n"))
    stopped = stopped_at(program, "inner")
    shown = [(frame.function, frame.is_own, frame.is_internal) for frame in stopped.frames[:3]]
    assert shown == [("inner", True, False), ("call", False, False), ("(module)", True, False)]
    assert all(frame.position.file.startswith("/") for frame in stopped.frames[:3])
    assert stopped.frames[0].position.column > 1
    assert all(frame.is_internal for frame in stopped.frames[3:])
    assert [frame.id for frame in stopped.frames] == [str(index) for index in range(len(stopped.frames))]


def test_async_frames_are_there_from_the_next_stop_on(write: WriteProgram, drive: Drive) -> None:
    program = drive(
        write(
            "async function waits() {\n  await null;\n  return 1; // @bp inner\n}\n"
            "async function asks() {\n  for (let i = 0; i < 2; i++) await waits();\n}\nasks();\n"
        )
    )
    stopped_at(program, "inner")
    first = program.debuggee.call_stack(include_async=True)
    assert first.async_frames == ()
    assert "next stop" in " ".join(first.notes)
    program.go()
    second = program.debuggee.call_stack(include_async=True)
    assert second.notes == ()
    assert "asks" in [frame.function for frame in second.async_frames]


# --- functions that V8 itself cannot step out of -------------------------------------------------------------------

FINALLY = """\
function guarded() {
  try {
    return 1;
  } finally {
    cleanUp(); // @bp clean
  }
}
function cleanUp() {}
function caller() {
  return guarded(); // @bp caller
}
const got = caller(); // @bp got
console.log(got); // @bp after
"""


@pytest.mark.parametrize("kind", [OVER, OUT])
def test_step_over_the_end_of_a_finally_lands_in_the_caller(write: WriteProgram, drive: Drive, kind: StepKind) -> None:
    program = drive(write(FINALLY))
    stopped_at(program, "clean")
    assert program.step_to(kind) == "caller"
    assert "after" in program.steps(kind, 2)


def test_step_out_of_a_module_lands_in_the_one_that_requires_it(write: WriteProgram, drive: Drive) -> None:
    part = write("exports.value = 1; // @bp part\n", "part.js")
    write("const part = require('./part.js');\nconsole.log(part.value);\n", "main.js")
    program = drive(part, argv=(NODE, str(part.path.with_name("main.js"))))
    stopped_at(program, "part")
    stopped = program.step(OUT)
    assert isinstance(stopped, Stopped)
    assert stopped.frames[0].position.file.endswith("main.js")


def test_step_over_require_lands_on_the_next_line(write: WriteProgram, drive: Drive) -> None:
    write("exports.value = 1;\n", "part.js")
    program = drive(write("require('./part.js'); // @bp require\nconsole.log(1); // @bp after\n"))
    stopped_at(program, "require")
    assert program.step_to(OVER) == "after"


# --- pauses on the way that nobody is told of ----------------------------------------------------------------------

PASSED = """\
function inner(i) {
  return i; // @bp inner
}
function outer() {
  inner(1); // @bp call
  return 2; // @bp after
}
outer(); // @bp outer
console.log('end'); // @bp end
"""


def test_step_over_a_call_goes_on_after_a_condition_that_is_not_met(write: WriteProgram, drive: Drive) -> None:
    program = drive(write(PASSED))
    program.connect()
    program.set("inner", condition="i > 5")
    program.set("call")
    program.debuggee.begin(stop_on_entry=False)
    assert program.where(program.stop()) == "call"
    assert program.step_to(OVER) == "after"


def test_step_out_goes_on_after_a_condition_that_is_not_met(write: WriteProgram, drive: Drive) -> None:
    program = drive(write(PASSED))
    program.connect()
    program.set("inner", condition="i > 5")
    program.set("call")
    program.debuggee.begin(stop_on_entry=False)
    assert program.where(program.stop()) == "call"
    assert program.step_to(OUT) in ("outer", "end")


def test_step_goes_on_after_the_pause_of_a_logpoint(write: WriteProgram, drive: Drive) -> None:
    program = drive(write(PASSED))
    program.connect()
    program.set("inner", log_message="i is {i}")
    program.set("call")
    program.debuggee.begin(stop_on_entry=False)
    program.stop()
    assert program.step_to(OVER) == "after"
    assert program.debuggee.hit_counts()["inner"] == 1
