"""Where in a file: the breakpoint stops where V8 can stop, and the answer says where that is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import NEVER_RAN, PROGRAMS, Program, ScriptDebugger
from tests.nodes import NODE_MAJOR

pytestmark = pytest.mark.matrix

PLACES = Program(PROGRAMS / "places.js")

HITS: dict[str, tuple[str, list[Any]]] = {
    "return": ("b", [2, 4, 6]),
    "arrow body": ("a", [7, 8]),
    "after comment": ("triple(2)", [6]),
    "static field": ("1", [1]),  # the `this` that V8 shows here differs by version
    "static block": ("this.ready", [None]),
    "getter": ("this.#count", [1]),
    "generator": ("this.#count", [1]),
    "property": ("typeof double", ["function"]),
    "case": ("options.a", [1]),
    "loop": ("[key, other]", [["a", 1], ["a", 2], ["b", 1], ["b", 2]]),
    "throws": ("1", [1]),
    "catch": ("error.name", ["TypeError"]),
    "finally": ("last", [4]),
}


@pytest.mark.parametrize("place", HITS)
def test_line_with_code_is_hit_once_for_each_time_it_runs(debug: ScriptDebugger, place: str) -> None:
    expression, values = HITS[place]
    assert debug.values(PLACES, expression, at=place) == values


def test_field_of_an_instance_is_hit_before_it_is_there(debug: ScriptDebugger) -> None:
    if NODE_MAJOR == 22:
        pytest.skip("V8 of Node 22 crashes on any evaluation here, in a class that has static members too")
    assert debug.values(PLACES, "'step' in this", at="field") == [False]


@pytest.mark.parametrize(
    ("place", "bound"), [("comment", 1), ("block comment", 2)], ids=["line comment", "inside a block comment"]
)
def test_line_without_code_moves_to_the_next_line_with_code(debug: ScriptDebugger, place: str, bound: int) -> None:
    answer = debug.run(PLACES, "typeof double", at=place).structured
    requested = PLACES.line(place)
    assert answer["breakpoint"] == {"file": str(PLACES.path), "line": requested + bound, "requested_line": requested}
    assert answer["results"] == [{"type": "string", "value": "function"}]
    (note,) = answer["notes"]
    assert note.startswith(f"V8 cannot stop at line {requested} ")
    assert note.endswith(f"these are the values at line {requested + bound}.")


def test_line_of_an_arrow_function_stops_where_the_line_begins(debug: ScriptDebugger) -> None:
    answer = debug.run(PLACES, "a", at="arrow").structured
    assert answer["results"] == [{"type": "error", "value": "ReferenceError: a is not defined"}]
    (note,) = answer["notes"]
    assert note.startswith("a is not visible where this line begins. Inside a function that is written on this line,")


@pytest.mark.parametrize("place", ["never", "never called"])
def test_code_that_is_not_reached_says_that_the_line_never_ran(debug: ScriptDebugger, place: str) -> None:
    message = debug.error(PLACES, at=place)
    assert message == (
        "Process exited before breakpoint was hit\n"
        "Exit code: 0.\n"
        f"The breakpoint was set at {PLACES.path}:{PLACES.line(place)}, but that line {NEVER_RAN}"
    )


def test_line_past_the_end_names_the_last_lines_with_code(debug: ScriptDebugger) -> None:
    message = debug.error(PLACES, at=5000)
    assert f"The file was loaded, but there is no code at {PLACES.path}:5000 or behind it." in message
    nearest = message.partition("Lines near it that have code: ")[2].partition("\n")[0].split(", ")
    assert str(PLACES.line("never called")) in nearest


def test_closing_brace_of_a_function_is_in_that_function(debug: ScriptDebugger) -> None:
    answer = debug.run(PLACES, "b", at="function end").structured
    assert [result["value"] for result in answer["results"]] == [2, 4, 6]
    assert answer["breakpoint"]["line"] in (PLACES.line("return"), PLACES.line("function end"))


def test_unused_function_that_v8_dropped_is_told_apart_from_one_that_ran(
    debug: ScriptDebugger, write: WriteProgram
) -> None:
    program = write("function unused() {\n  return 1; // @bp hit\n}\nconsole.log(2); // @bp after\n")
    answer = debug.run(program, "1").structured
    assert answer["breakpoint"]["line"] == program.line("after")
    assert answer["notes"][0].startswith(f"V8 cannot stop at line {program.line('hit')} ")


def test_hashbang_line_moves_to_the_first_statement(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("#!/usr/bin/env node\nconsole.log(1); // @bp first\n")
    answer = debug.run(program, "typeof process", at=1).structured
    assert answer["breakpoint"] == {"file": str(program.path), "line": program.line("first"), "requested_line": 1}


def test_own_debugger_statements_are_passed_over(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "debugger;\nfor (let i = 0; i < 3; i++) {\n  debugger;\n  console.log(i); // @bp hit\n}\ndebugger;\n"
    )
    assert debug.values(program, "i") == [0, 1, 2]


def test_breakpoint_on_a_debugger_statement_is_hit_once(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("const n = 1;\ndebugger; // @bp hit\nconsole.log(n);\n")
    assert debug.values(program, "n") == [1]


def test_debugger_statement_that_the_expression_runs_is_passed_over(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("function f(n) { debugger; return n + 1; }\nconsole.log(f(1)); // @bp hit\n")
    assert debug.values(program, "f(5)") == [6]


def test_breakpoint_that_the_expression_runs_into_is_no_hit_of_the_program(
    debug: ScriptDebugger, write: WriteProgram
) -> None:
    program = write("globalThis.calls = 0;\nglobalThis.f = () => {\n  calls++; // @bp hit\n  return calls;\n};\nf();\n")
    assert debug.values(program, "calls === 0 ? f() : calls") == [1]


def test_windows_line_endings_and_a_byte_order_mark_count_as_editors_count(
    debug: ScriptDebugger, write: WriteProgram
) -> None:
    program = write("\ufeffconst x = 1;\r\nconst y = 2;\r\nconsole.log(x + y); // @bp hit\r\n")
    assert debug.values(program, "[x, y]") == [[1, 2]]
