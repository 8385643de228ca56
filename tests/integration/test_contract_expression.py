"""The contract's rows on the expression: what it sees, that it runs once a hit, and what happens when it fails."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.contract_rows import row
from tests.integration.script_debugger import PROGRAMS, Program, ScriptDebugger
from tests.nodes import NODE_MAJOR

pytestmark = pytest.mark.matrix

LOOP = Program(PROGRAMS / "loop.js")
SCOPES = Program(PROGRAMS / "scopes.mjs")

# --- the expression ----------------------------------------------------------------------------------------------

FORMS: dict[str, tuple[str, list[Any]]] = {
    "a name": ("i", [0, 1, 2]),
    "an object literal": ("{i, total}", [{"i": 0, "total": 0}, {"i": 1, "total": 0}, {"i": 2, "total": 1}]),
    "an empty object literal": ("{}", [{}] * 3),
    "a property of an object literal": ("{a: i}.a", [0, 1, 2]),
    "an array literal": ("[i, [total]]", [[0, [0]], [1, [0]], [2, [1]]]),
    "a comma": ("i, total", [0, 0, 1]),
    "a trailing comment": ("i // the index", [0, 1, 2]),
    "a leading comment": ("/* the index */ i", [0, 1, 2]),
    "an HTML-like comment": ("i <!-- the index", [0, 1, 2]),
    "several lines": ("i +\n  // one more\n  1", [1, 2, 3]),
    "a line separator": ("i\u2028+ 1", [1, 2, 3]),
    "a template": ("`i is ${i}`", ["i is 0", "i is 1", "i is 2"]),
    "a template in a template": ("`${`${i})`}`", ["0)", "1)", "2)"]),
    "brackets in strings": ("'})]' + \"({[\" + i", ["})]({[0", "})]({[1", "})]({[2"]),
    "a regular expression": ("/[)}]/.test(')')", [True] * 3),
    "a conditional": ("i > 1 ? 'big' : 'small'", ["small", "small", "big"]),
    "a call of an arrow function": ("((a) => a + i)(10)", [10, 11, 12]),
    "statements in a called function": ("(() => { let s = 0; for (;;) if (s++ >= i) return s })()", [1, 2, 3]),
    "an optional chain": ("null?.x ?? i", [0, 1, 2]),
    "direct eval": ("eval('i + total')", [0, 1, 3]),
    "a string that looks like a directive": ("'use strict'", ["use strict"] * 3),
    "surrounding space": ("  \n i \n ", [0, 1, 2]),
}


@row("the expression")
@pytest.mark.parametrize(("expression", "values"), FORMS.values(), ids=FORMS.keys())
def test_any_form_of_expression(debug: ScriptDebugger, expression: str, values: list[Any]) -> None:
    assert debug.values(LOOP, expression) == values


SIGHTS: dict[str, tuple[str, str, list[Any]]] = {
    "this": ("method", "this.owner", ["Ada"]),
    "#private": ("method", "this.#balance", [10]),
    "#private in": ("method", "#balance in this", [True]),
    "parameters and locals": ("method", "[amount, before]", [[5, 10]]),
    "closures": ("closure", "[captured, local, rest]", [[1, 3, ["a", "b"]]]),
    "block scopes": ("block", "[i, inBlock, local, captured]", [[0, 0, 3, 1], [1, 10, 3, 1]]),
    "arguments": ("arguments", "[...arguments]", [[1, 2, 3]]),
    "async functions": ("async", "[ms, waited]", [[7, 7]]),
    "generators": ("generator", "[n, limit]", [[0, 3], [1, 3], [2, 3]]),
    "catch variables": ("catch", "problem.name", ["RangeError"]),
    "arrow functions": ("arrow", "[item, moduleConstant]", [[1, "module"], [2, "module"]]),
    "shadowing": ("shadow", "shadowed", ["inside"]),
    "the module": ("end", "[moduleConstant, counter, shadowed]", [["module", 10, "outside"]]),
    "globals": ("end", "[shared, typeof process, typeof Buffer]", [["global", "object", "function"]]),
}


@row("the expression")
@pytest.mark.parametrize(("at", "expression", "values"), SIGHTS.values(), ids=SIGHTS.keys())
def test_everything_in_scope_is_seen(debug: ScriptDebugger, at: str, expression: str, values: list[Any]) -> None:
    assert debug.values(SCOPES, expression, at=at) == values


@row("the expression")
def test_static_block_of_a_class_is_seen(debug: ScriptDebugger) -> None:
    if NODE_MAJOR < 22:
        pytest.skip("V8 of Node 18 and 20 hides the scope of a static block from debuggers")
    assert debug.values(SCOPES, "[inBlock, Account.#made]", at="static block") == [[1, 1]]


@row("the expression")
def test_commonjs_scope_is_seen(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("exports.a = 1;\nconsole.log(__filename); // @bp hit\n")
    expression = "[exports, module.exports === exports, __filename, typeof require, this === exports, arguments.length]"
    assert debug.values(program, expression) == [[{"a": 1}, True, str(program.path), "function", True, 5]]


@row("the expression")
def test_expression_is_evaluated_exactly_once_a_hit(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "let evaluations = 0;\nfor (let i = 0; i < 5; i++) {\n  console.log(i); // @bp hit\n}\n"
        "process.exitCode = evaluations;\n"
    )
    answer = debug.run(program, "++evaluations").structured
    assert [result["value"] for result in answer["results"]] == [1, 2, 3, 4, 5]
    assert answer["exit"]["code"] == 5


@row("the expression")
def test_expression_that_is_cut_or_thrown_is_evaluated_once_too(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("let n = 0;\nfor (let i = 0; i < 3; i++) {\n  n += 0; // @bp hit\n}\nprocess.exitCode = n;\n")
    thrown = debug.run(program, "(() => { n++; throw new Error('after') })()").structured
    assert thrown["exit"]["code"] == 3
    cut = debug.run(program, "(n++, 'x'.repeat(1e6))").structured
    assert cut["exit"]["code"] == 3


@row("the expression")
def test_assignment_changes_the_program(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("let code = 1;\nconsole.log(code); // @bp hit\nprocess.exitCode = code;\n")
    answer = debug.run(program, "code = 9").structured
    assert (answer["results"], answer["exit"]["code"]) == ([{"type": "number", "value": 9}], 9)


@row("the expression")
def test_program_finds_no_trace_of_the_debugger_in_its_globals(debug: ScriptDebugger, write: WriteProgram) -> None:
    names = "Reflect.ownKeys(globalThis).map(String).join()"
    program = write(
        f"const first = {names};\nfor (let i = 0; i < 2; i++) {{\n  console.log(i); // @bp hit\n}}\n"
        f"if ({names} !== first || process.execArgv.length) process.exit(1);\n"
    )
    assert debug.values(program, "i") == [0, 1]


# --- the expression throws, or has a syntax error ------------------------------------------------------------------

FAILS = "the expression throws, or has a syntax error"
THROWN = {
    "an error": ("null.x", "TypeError: Cannot read properties of null (reading 'x')"),
    "an unknown name": ("nope", "ReferenceError: nope is not defined"),
    "a name not there yet": ("later", "ReferenceError: "),
    "an own error": ("(() => { throw new RangeError('too far') })()", "RangeError: too far"),
    "a string": ("(() => { throw 'text' })()", "Uncaught 'text'"),
    "an object": ("(() => { throw { a: 1 } })()", "Uncaught { a: 1 }"),
    "undefined": ("(() => { throw undefined })()", "Uncaught undefined"),
    "an error of eval": ("eval('1 +')", "SyntaxError: "),
    "endless recursion": ("(function f() { f() })()", "RangeError: Maximum call stack size exceeded"),
}


@row(FAILS)
@pytest.mark.parametrize(("expression", "message"), THROWN.values(), ids=THROWN.keys())
def test_expression_that_throws_is_a_result_and_the_run_goes_on(
    debug: ScriptDebugger, write: WriteProgram, expression: str, message: str
) -> None:
    program = write("for (let i = 0; i < 3; i++) {\n  console.log(i); // @bp hit\n}\nlet later = 1;\nlater++;\n")
    results = debug.run(program, expression).structured["results"]
    if expression == "later" and results[0]["type"] == "undefined":
        return  # some versions of V8 show a name in its dead zone as undefined
    assert [result["type"] for result in results] == ["error"] * 3
    assert all(result["value"].startswith(message) for result in results)


@row(FAILS)
def test_expression_that_throws_at_some_hits_keeps_the_values_of_the_others(debug: ScriptDebugger) -> None:
    results = debug.results(LOOP, "i === 1 ? null.x : i")
    assert [result["type"] for result in results] == ["number", "error", "number"]


STATEMENT = " (an expression is needed, not a statement)"
AWAIT = " (await and yield cannot be evaluated at a breakpoint)"
END = "SyntaxError: Unexpected end of the expression"
NO_EXPRESSIONS = {
    "declaration": ("let x = 1", STATEMENT),
    "semicolon": ("i;", STATEMENT),
    "two statements": ("i; total", ""),
    "if": ("if (i) total", STATEMENT),
    "return": ("return i", STATEMENT),
    "throw": ("throw i", STATEMENT),
    "debugger": ("debugger", STATEMENT),
    "label": ("label: i", ""),
    "spread": ("...[i]", "SyntaxError: Unexpected token '...'"),
    "await": ("await i", AWAIT),
    "yield": ("yield i", AWAIT),
    "super": ("super.x", "SyntaxError: 'super' keyword unexpected here"),
    "hashbang": ("#!/usr/bin/env node", "SyntaxError: Invalid or unexpected token"),
    "only a comment": ("// nothing", END),
    "only a block comment": ("/* nothing */", END),
    "open parenthesis": ("(i", ""),
    "open brace": ("{i", ""),
    "open function": ("() => {", END),
    "operator without an operand": ("i +", END),
    "open string": ("'i", "SyntaxError: Invalid or unexpected token"),
    "open template": ("`i", ""),
    "open comment": ("/* i", "SyntaxError: Invalid or unexpected token"),
    "open regular expression": ("/i", ""),
    # Text that would close the brackets around the expression, and open others.
    "one more parenthesis": (")", "SyntaxError: Unexpected token ')'"),
    "one more brace": ("}", "SyntaxError: Unexpected token '}'"),
    "one more bracket": ("]", "SyntaxError: Unexpected token ']'"),
    "two arguments": ("1), (2", "SyntaxError: Unexpected token ')'"),
    "two elements": ("1], [2", "SyntaxError: Unexpected token ']'"),
    "the rest as a comment": ("1})//", "SyntaxError: Unexpected token '}'"),
    "a try of its own": ("1)))}catch(e){}try{f(g((2", "SyntaxError: Unexpected token ')'"),
    "a template over it all": ("`];try{((1", ""),
    "a comment over it all": ("1)) /*", "SyntaxError: "),
    "a function over it all": ("1)),(() => {", "SyntaxError: "),
}


@row(FAILS)
@pytest.mark.parametrize(("expression", "words"), NO_EXPRESSIONS.values(), ids=NO_EXPRESSIONS.keys())
def test_text_that_is_no_expression_is_a_syntax_error_at_every_hit(
    debug: ScriptDebugger, expression: str, words: str
) -> None:
    results = debug.results(LOOP, expression)
    assert [result["type"] for result in results] == ["error"] * 3
    assert all(result["value"].startswith("SyntaxError: ") and words in result["value"] for result in results), results


@row(FAILS)
def test_name_that_v8_dropped_is_explained(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "function outer() {\n  const dropped = 1;\n  return function inner() {\n    return 2; // @bp hit\n  };\n}\n"
        "outer()();\n"
    )
    answer = debug.run(program, "dropped").structured
    assert answer["results"] == [{"type": "error", "value": "ReferenceError: dropped is not defined"}]
    (note,) = answer["notes"]
    assert "set the breakpoint in the function that declares it" in note
