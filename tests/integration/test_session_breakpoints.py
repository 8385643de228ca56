"""Breakpoints of a session in a real Node.js: where they bind, when they stop the program, what they count."""

from __future__ import annotations

import pytest

from server.debug.model import SourceLine
from server.debug.session_model import Binding, Bound, Position
from server.errors import InvalidArgumentsError
from tests.integration.conftest import Follow, WriteProgram
from tests.integration.script_debugger import Program

pytestmark = pytest.mark.matrix

LOOP = """\
let total = 0;

// nothing here
function add(i) {
  total += i; // @bp add
}
for (let i = 0; i < 12; i++) add(i); // @bp loop
console.log(total); // @bp end
"""


@pytest.fixture
def loop(write: WriteProgram) -> Program:
    return write(LOOP)


# --- where they bind -----------------------------------------------------------------------------------------------


def test_breakpoint_in_a_file_that_is_not_loaded_is_pending_and_binds_when_it_loads(
    loop: Program, followed: Follow
) -> None:
    node = followed(loop)
    assert node.set("add") == Binding(message="pending: the file is not loaded yet")
    assert node.begin() == ("bp1",)
    position = Position(str(loop.path), loop.line("add"), 3)
    assert node.bound == [Bound("bp1", Binding(position))]


def test_breakpoint_on_a_line_without_code_says_where_it_moved(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.stop_at("loop")
    binding = node.set(3, "bp2")
    assert binding.position is not None
    assert binding.position.line == loop.line("add")
    assert binding.message == f"line 3 has no code: it is at {loop.line('add')}"


def test_breakpoint_beyond_the_end_of_a_loaded_file_names_lines_that_have_code(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.stop_at("loop")
    binding = node.set(100, "bp2")
    assert binding.position is None
    assert binding.message == "there is no line 100: the file has 8 lines"
    assert loop.line("end") in binding.nearest_lines


def test_pending_breakpoint_says_when_its_file_loaded_without_code_there(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.set(100, "bp2")
    node.stop_at("add")
    (told,) = [one.binding for one in node.bound if one.breakpoint_id == "bp2"]
    assert told.message == "there is no line 100: the file has 8 lines"
    assert told.nearest_lines


def test_pending_breakpoint_names_loaded_files_of_the_same_name(write: WriteProgram, followed: Follow) -> None:
    node = followed(write("require('./lib/part'); // @bp hit"))
    other = write("let a = 1; // @bp there", "lib/part.js")
    elsewhere = write("let a = 1; // @bp there", "other/part.js")
    node.stop_at("hit")
    node.breakpoints.set_once(SourceLine(str(other.path), 1))
    node.go_on()
    node.program = elsewhere
    assert str(other.path) in (node.set("there", "bp2").message or "")


def test_breakpoint_in_a_file_that_is_compiled_says_that_it_binds_in_what_runs(
    write: WriteProgram, followed: Follow
) -> None:
    node = followed(write("0"))
    node.program = write("let a: number = 1; // @bp hit", "never.ts")
    message = node.set("hit").message
    assert message is not None
    assert message.startswith("pending: the file is not loaded yet; a breakpoint in a file that is compiled")


def test_column_chooses_the_break_location_at_or_after_it(write: WriteProgram, followed: Follow) -> None:
    program = write("function f(x) { return x; }\nf(1); f(2); f(3); // @bp hit\n")
    node = followed(program)
    node.set("hit", column=4)
    assert node.begin() == ("bp1",)
    assert node.evaluate("1").json == 1
    assert (node.pause.line_number + 1, node.pause.column_number + 1) == (2, 7)


def test_breakpoints_at_the_same_place_are_hit_together(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.set("add", "bp1")
    node.set("add", "bp2", condition="i === 1")
    node.set("add", "bp3", hit_condition="2")
    assert [node.begin(), node.go_on(), node.go_on()] == [("bp1",), ("bp1", "bp2", "bp3"), ("bp1",)]


# --- life ------------------------------------------------------------------------------------------------------------


def test_breakpoint_that_was_removed_stops_nothing_and_keeps_its_count(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.stop_at("add")
    node.breakpoints.remove("bp1")
    node.breakpoints.remove("never there")
    assert node.go_on() is None
    assert node.breakpoints.hit_counts() == {"bp1": 1}


def test_breakpoint_can_be_set_again_under_its_name_and_counts_on(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.stop_at("add")
    node.breakpoints.remove("bp1")
    assert node.set("add").position is not None
    assert node.go_on() == ("bp1",)
    assert node.breakpoints.hit_counts() == {"bp1": 2}


def test_no_breakpoint_stops_after_all_were_removed(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.stop_at("add")
    node.set("end", "bp2")
    node.breakpoints.set_once(SourceLine(str(loop.path), loop.line("end")))
    node.breakpoints.remove_all()
    assert node.go_on() is None


def test_stop_for_once_is_taken_away_when_it_is_reached(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.stop_at("loop")
    binding = node.breakpoints.set_once(SourceLine(str(loop.path), loop.line("add")))
    assert binding.position is not None
    assert node.go_on() == ()
    assert node.pause.line_number + 1 == loop.line("add")
    assert node.go_on() is None


def test_stop_for_once_is_taken_away_when_the_program_stops_elsewhere(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.stop_at("loop")
    node.set("add", "bp2", hit_condition="1")
    node.breakpoints.set_once(SourceLine(str(loop.path), loop.line("end")))
    assert node.go_on() == ("bp2",)
    assert node.go_on() is None


def test_stop_for_once_does_not_move(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.stop_at("loop")
    binding = node.breakpoints.set_once(SourceLine(str(loop.path), 3))
    assert binding.position is None
    assert binding.nearest_lines == (loop.line("add"),)
    assert node.go_on() is None


def test_stop_for_once_works_where_there_is_a_breakpoint_already(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.stop_at("loop")
    node.set("add", "bp2", condition="false")
    node.breakpoints.set_once(SourceLine(str(loop.path), loop.line("add")))
    assert node.go_on() == ()


# --- conditions ------------------------------------------------------------------------------------------------------


def test_program_stops_only_where_the_condition_is_true(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.set("add", condition="i % 5 === 4")
    assert node.begin() == ("bp1",)
    assert node.evaluate("i").json == 4
    assert node.go_on() == ("bp1",)
    assert node.evaluate("i").json == 9
    assert node.go_on() is None
    assert node.breakpoints.hit_counts() == {"bp1": 2}
    assert node.stops == 4  # the first pause, the first pass, and the two


def test_condition_can_use_private_names_this_and_a_comment(write: WriteProgram, followed: Follow) -> None:
    program = write(
        "class Counter {\n  #n = 0;\n  step() {\n    this.#n++; // @bp hit\n  }\n}\n"
        "const c = new Counter(); c.step(); c.step(); c.step();"
    )
    node = followed(program)
    node.set("hit", condition="this.#n === 2 // the second")
    assert node.begin() == ("bp1",)
    assert node.evaluate("this.#n").json == 2
    assert node.go_on() is None


def test_condition_that_throws_is_not_met_and_says_so_once(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.set("add", condition="missing > 3")
    assert node.begin() is None
    told = [one.binding.message for one in node.bound if one.breakpoint_id == "bp1"]
    assert told == [None, "the condition threw, and does not count then: ReferenceError: missing is not defined"]
    assert node.breakpoints.hit_counts() == {"bp1": 0}


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("i >", "Unexpected end of the expression"),
        ("await i", "await and yield cannot be evaluated at a breakpoint"),
        ("if (i) {}", "an expression is needed, not a statement"),
        ("i) || (true", "Unexpected token"),
        ("i] || [true", "SyntaxError"),
        ("this.#x +", "Unexpected end of the expression"),
    ],
)
def test_condition_that_does_not_compile_is_refused(
    loop: Program, followed: Follow, condition: str, reason: str
) -> None:
    node = followed(loop)
    with pytest.raises(InvalidArgumentsError, match="The condition is no JavaScript expression") as refused:
        node.set("add", condition=condition)
    assert reason in refused.value.message
    assert node.begin() is None


def test_refused_change_leaves_the_breakpoint_as_it_was(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.set("add", condition="i === 7")
    with pytest.raises(InvalidArgumentsError):
        node.set("add", condition="i ===")
    assert node.begin() == ("bp1",)
    assert node.evaluate("i").json == 7


@pytest.mark.parametrize(
    ("hit_condition", "stops"),
    [("3", [2]), (">=11", [10, 11]), (">10", [10, 11]), ("<3", [0, 1]), ("<=2", [0, 1]), ("%5", [4, 9])],
)
def test_hit_condition_chooses_among_the_passes(
    loop: Program, followed: Follow, hit_condition: str, stops: list[int]
) -> None:
    node = followed(loop)
    node.set("add", hit_condition=hit_condition)
    seen = []
    hit = node.begin()
    while hit is not None:
        seen.append(node.evaluate("i").json)
        hit = node.go_on()
    assert seen == stops
    assert node.breakpoints.hit_counts() == {"bp1": 12}


def test_hit_condition_counts_only_passes_with_a_true_condition(loop: Program, followed: Follow) -> None:
    node = followed(loop)
    node.set("add", condition="i % 2 === 1", hit_condition="3")
    assert node.begin() == ("bp1",)
    assert node.evaluate("i").json == 5
    assert node.go_on() is None
    assert node.breakpoints.hit_counts() == {"bp1": 6}


# --- other global scopes, and many passes ---------------------------------------------------------------------------


def test_conditions_hold_in_a_global_scope_that_was_made_later(write: WriteProgram, followed: Follow) -> None:
    program = write(
        "const vm = require('vm'), fs = require('fs'), path = require('path');\n"
        "const file = path.join(__dirname, 'part.js');\n"
        "for (const n of [1, 2]) vm.runInNewContext(fs.readFileSync(file, 'utf8'), { n }, { filename: file });\n"
    )
    part = write("var seen = n * 10;\nseen += 1; // @bp hit\n", "part.js")
    node = followed(program)
    node.program = part
    node.set("hit", condition="n === 2")
    assert node.begin() == ("bp1",)
    assert node.evaluate("seen").json == 20
    assert node.go_on() is None
    assert node.breakpoints.hit_counts() == {"bp1": 1}


def test_script_that_runs_several_times_counts_each_pass_once(write: WriteProgram, followed: Follow) -> None:
    program = write(
        "const vm = require('vm'), path = require('path'), fs = require('fs');\n"
        "const file = path.join(__dirname, 'part.js');\n"
        "const script = new vm.Script(fs.readFileSync(file, 'utf8'), { filename: file });\n"
        "globalThis.n = 0;\n"
        "for (let i = 0; i < 5; i++) script.runInThisContext();\n"
    )
    part = write("n += 1;\nn; // @bp hit\n", "part.js")
    node = followed(program)
    node.program = part
    node.set("hit", hit_condition=">=4")
    assert node.begin() == ("bp1",)
    assert node.evaluate("n").json == 4
    assert node.go_on() == ("bp1",)
    assert node.go_on() is None
    assert node.breakpoints.hit_counts() == {"bp1": 5}


def test_many_passes_are_all_counted_and_the_stops_to_catch_up_are_told_to_nobody(
    write: WriteProgram, followed: Follow
) -> None:
    node = followed(write("let sum = 0;\nfor (let i = 0; i < 25000; i++) {\n  sum += i; // @bp hit\n}\n"))
    node.set("hit", hit_condition="24000")
    assert node.begin() == ("bp1",)
    assert node.evaluate("i").json == 23999
    assert node.go_on() is None
    assert node.breakpoints.hit_counts() == {"bp1": 25000}
    assert node.stops >= 4  # the first pause, the hit, and at least two to catch up


def test_program_finds_nothing_of_the_debugger_in_its_globals(write: WriteProgram, followed: Follow) -> None:
    program = write(
        "const before = Reflect.ownKeys(globalThis).map(String);\n"
        "function f(i) { return i; } // @bp hit\n"
        "f(1); f(2);\n"
        "const odd = Reflect.ownKeys(globalThis).map(String).filter((key) => key.includes('debug'));\n"
        "f([before.length === Reflect.ownKeys(globalThis).length, odd, process.execArgv]);\n"
    )
    node = followed(program)
    node.set("hit", condition="Array.isArray(i)")
    assert node.begin() == ("bp1",)
    assert node.evaluate("i", by_value=True).json == [True, [], []]
