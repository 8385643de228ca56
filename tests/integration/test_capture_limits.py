"""`max_hits`, `condition` and `include_stack`, and what stays bounded however often the line runs."""

from __future__ import annotations

import json
import resource
from typing import Any

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import Program, ScriptDebugger

pytestmark = pytest.mark.matrix

TELLING = """
const counts = { evaluated: 0, tested: 0 };
for (let n = 0; n < %d; n++) {
  void n; // @bp hit
}
counts.kilobytes = process.resourceUsage().maxRSS;
console.error(JSON.stringify(counts));
process.exitCode = 9;
"""
"""A busy loop; how it ended brings its own words into the answer."""
FEW = TELLING % 8
MOST_GROWTH_KB = 40_000
"""Where memory grew with the hits, the 40,000 more of them here would take more than this."""


def values_of(answer: dict[str, Any]) -> list[Any]:
    return [result["value"] for result in answer["results"]]


def counts_of(answer: dict[str, Any]) -> dict[str, int]:
    """What the program itself counted."""
    counts: dict[str, int] = json.loads(answer["exit"]["stderr"])
    return counts


# --- max_hits -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("max_hits", [1, 2, 50])
@pytest.mark.parametrize("include_stack", [False, True])
def test_max_hits_is_exact_in_a_busy_loop(
    debug: ScriptDebugger, write: WriteProgram, max_hits: int, include_stack: bool
) -> None:
    program = write(TELLING % 200_000)
    expression = "counts.evaluated++, n"
    answer = debug.run(program, expression, max_hits=max_hits, include_stack=include_stack).structured
    assert values_of(answer) == list(range(max_hits))
    assert counts_of(answer)["evaluated"] == max_hits
    assert answer["max_hits_reached"] is True


def test_max_hits_beyond_the_hits_is_not_reached(debug: ScriptDebugger, write: WriteProgram) -> None:
    answer = debug.run(write(FEW), "n", max_hits=9).structured
    assert values_of(answer) == list(range(8))
    assert "max_hits_reached" not in answer


@pytest.mark.parametrize("include_stack", [False, True])
def test_max_hits_counts_only_where_the_condition_is_met(
    debug: ScriptDebugger, write: WriteProgram, include_stack: bool
) -> None:
    program = write(TELLING % 50_000)
    how: dict[str, Any] = {"condition": "counts.tested++, n % 10 === 3", "max_hits": 4, "include_stack": include_stack}
    answer = debug.run(program, "counts.evaluated++, n", **how).structured
    assert values_of(answer) == [3, 13, 23, 33]
    assert answer["max_hits_reached"] is True
    assert (counts_of(answer)["evaluated"], counts_of(answer)["tested"]) == (4, 34)


IN_CONTEXTS = """
if (typeof require === 'function') {
  const vm = require('vm');
  const text = require('fs').readFileSync(__filename, 'utf8');
  const contexts = ['a', 'b'].map((name) => vm.createContext({ name }));
  for (let i = 0; i < 3; i++) for (const context of contexts) vm.runInContext(text, context, __filename);
} else {
  for (var i = 0; i < 3; i++) {
    void i; // @bp hit
  }
}
"""


@pytest.mark.parametrize("max_hits", [1, 3, 4, 8, 18])
def test_max_hits_holds_for_all_global_scopes_together(
    debug: ScriptDebugger, write: WriteProgram, max_hits: int
) -> None:
    answer = debug.run(write(IN_CONTEXTS), "name + i", max_hits=max_hits).structured
    assert values_of(answer) == (["a0", "a1", "a2", "b0", "b1", "b2"] * 3)[:max_hits]
    assert answer["max_hits_reached"] is True


# --- very many, and very large ------------------------------------------------------------------------------------


def test_memory_does_not_grow_with_the_number_of_hits(debug: ScriptDebugger, write: WriteProgram) -> None:
    growth = {}
    for hits in (20_000, 60_000):
        answer = debug.run(write(TELLING % hits), "({ n, text: 'x'.repeat(100) })").structured
        first, last = answer["results"][0]["value"], answer["results"][-1]["value"]
        assert answer["truncated"]["hits"] == hits
        assert answer["truncated"]["results"] == hits - len(answer["results"])
        assert (first["n"], last["n"]) == (0, hits - 1)
        growth[hits] = counts_of(answer)["kilobytes"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    (target_before, own_before), (target, own) = growth.values()
    assert target - target_before < MOST_GROWTH_KB
    assert own - own_before < MOST_GROWTH_KB


def test_large_values_are_all_counted_and_come_in_order(debug: ScriptDebugger, write: WriteProgram) -> None:
    answer = debug.run(write(TELLING % 400), "n + 'x'.repeat(60_000)").structured
    values = values_of(answer)
    assert answer["truncated"]["hits"] == 400
    assert [value.rstrip("x") for value in values] == ["0", "399"]
    assert {len(value.lstrip("0123456789")) for value in values} == {60_000}


# --- condition ----------------------------------------------------------------------------------------------------

WAYS = pytest.mark.parametrize("include_stack", [False, True], ids=["streaming", "stopping"])


@WAYS
@pytest.mark.parametrize(
    ("condition", "met"),
    [
        ("true", list(range(8))),
        ("n === 0", [0]),
        ("n === 7", [7]),
        ("n % 3 === 1", [1, 4, 7]),
        ("n", [1, 2, 3, 4, 5, 6, 7]),
        ("n > 5 && 'text'", [6, 7]),
        ("n === 2 ? {} : ''", [2]),
        ("n === 2 ? 1n : 0n", [2]),
        ("NaN, n === 3 // a comment", [3]),
        ("n === 1 || n === 5", [1, 5]),
    ],
)
def test_condition_chooses_the_hits(
    debug: ScriptDebugger, write: WriteProgram, include_stack: bool, condition: str, met: list[int]
) -> None:
    answer = debug.run(write(FEW), "n", condition=condition, include_stack=include_stack).structured
    assert values_of(answer) == met
    assert "notes" not in answer


@WAYS
def test_condition_is_evaluated_once_a_pass_and_the_expression_once_a_hit(
    debug: ScriptDebugger, write: WriteProgram, include_stack: bool
) -> None:
    how: dict[str, Any] = {"condition": "++counts.tested % 2 === 0", "include_stack": include_stack}
    answer = debug.run(write(FEW), "++counts.evaluated", **how).structured
    assert values_of(answer) == [1, 2, 3, 4]
    assert (counts_of(answer)["evaluated"], counts_of(answer)["tested"]) == (4, 8)


THROWING = {
    "n < 3 ? nowhere : true": ([3, 4, 5, 6, 7], "ReferenceError: nowhere is not defined"),
    "n === 4 ? null.x : n > 5": ([6, 7], "TypeError: Cannot read properties of null (reading 'x')"),
    "n % 2 ? (() => { throw 'odd ' + n })() : true": ([0, 2, 4, 6], "odd 1"),
}


@WAYS
@pytest.mark.parametrize("condition", THROWING)
def test_condition_that_throws_is_not_met_and_told_once(
    debug: ScriptDebugger, write: WriteProgram, include_stack: bool, condition: str
) -> None:
    met, message = THROWING[condition]
    answer = debug.run(write(FEW), "n", condition=condition, include_stack=include_stack).structured
    assert values_of(answer) == met
    (note,) = answer["notes"]
    assert note.startswith("The condition threw at a hit, which does not count then: ")
    assert message in note


@WAYS
def test_condition_that_always_throws_is_an_error_that_says_so(
    debug: ScriptDebugger, write: WriteProgram, include_stack: bool
) -> None:
    message = debug.error(write(FEW), "n", condition="nowhere", include_stack=include_stack)
    assert "The condition threw at a hit, which does not count then: ReferenceError: nowhere is not defined" in message


@WAYS
def test_condition_that_is_never_true_is_an_error_that_says_so(
    debug: ScriptDebugger, write: WriteProgram, include_stack: bool
) -> None:
    message = debug.error(write(FEW), "n", condition="n > 100", include_stack=include_stack)
    assert message.splitlines()[:3] == [
        "Process exited before breakpoint was hit",
        "Exit code: 9.",
        "The line ran, but the condition was never true.",
    ]


@WAYS
@pytest.mark.parametrize("condition", ["n >", "if (n) 1", "n) || (1", "await n"])
def test_condition_that_is_no_expression_is_refused_at_the_first_pass(
    debug: ScriptDebugger, write: WriteProgram, include_stack: bool, condition: str
) -> None:
    message = debug.error(write(FEW), "n", condition=condition, include_stack=include_stack)
    assert message.startswith("The condition is no JavaScript expression: SyntaxError: ")


@WAYS
def test_expression_that_throws_where_the_condition_is_met_is_a_result(
    debug: ScriptDebugger, write: WriteProgram, include_stack: bool
) -> None:
    answer = debug.run(write(FEW), "nowhere", condition="n > 5", include_stack=include_stack).structured
    assert values_of(answer) == ["ReferenceError: nowhere is not defined"] * 2
    assert not any("condition" in note for note in answer["notes"])


# --- include_stack ------------------------------------------------------------------------------------------------

STACK = """
function inner(n) {
  return n; // @bp hit
}
const outer = (n) => inner(n); // @bp outer
[1, 2, 3].forEach((n) => library.each(n, outer)); // @bp callback
"""
LIBRARY = """
exports.each = function each(n, use) {
  return use(n); // @bp library
};
"""


def test_stack_has_function_file_and_line_and_own_code_comes_first(debug: ScriptDebugger, write: WriteProgram) -> None:
    library = write(LIBRARY, "node_modules/library/index.js")
    program = write("const library = require('library');" + STACK)
    results = debug.results(program, "n", include_stack=True)
    assert [result["value"] for result in results] == [1, 2, 3]

    def frame(function: str, of: Program, mark: str) -> dict[str, Any]:
        return {"function": function, "file": str(of.path), "line": of.line(mark)}

    expected = [
        frame("inner", program, "hit"),
        frame("outer", program, "outer"),
        frame("(anonymous)", program, "callback"),
        frame("(anonymous)", program, "callback"),
        frame("each", library, "library"),
    ]
    assert [result["stack"] for result in results] == [expected] * 3


def test_stack_is_bounded(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("(function down(n) {\n  if (n > 0) down(n - 1);\n  else void n; // @bp hit\n})(300);\n")
    (result,) = debug.results(program, "n", include_stack=True)
    assert [frame["function"] for frame in result["stack"]] == ["down"] * 50
