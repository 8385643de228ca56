"""Expressions in the frames of a real Node.js program that stands still, and variables that are changed there."""

from __future__ import annotations

import pytest

from server.debug.session_model import Evaluation
from server.debug.value import NO_JSON
from server.errors import EvaluationError, InvalidArgumentsError
from tests.integration.conftest import Follow, WriteProgram
from tests.integration.followed_node import FollowedNode

pytestmark = pytest.mark.matrix

PROGRAM = """\
let moduleLet = 10;
const moduleConst = { n: 1 };
class Cart {
  #secret = 5;
  constructor() { this.total = 3; }
  add(amount, unused) {
    let sum = amount;
    const inner = (step) => {
      { let block = 1; try { throw 1; } catch (caught) {
        sum += step + block + caught + moduleLet + moduleConst.n + this.total; // @bp inner
      } }
    };
    inner(2);
    return [sum, moduleLet, this.total, unused, globalThis.shared];
  }
}
globalThis.shared = 1;
const result = new Cart().add(4);
result.length; // @bp end
"""


@pytest.fixture
def node(write: WriteProgram, followed: Follow) -> FollowedNode:
    node = followed(write(PROGRAM))
    node.stop_at("inner")
    return node


@pytest.mark.parametrize(
    ("expression", "json"),
    [
        ("sum", 4),
        ("sum + step", 6),
        ("this.total", 3),
        ("this.#secret", 5),
        ("'a' + 'b'", "ab"),
        ("null", None),
        ("sum // the sum", 4),
        ("1, 2", 2),
    ],
)
def test_value_of_an_expression_in_the_frame(node: FollowedNode, expression: str, json: object) -> None:
    assert node.evaluate(expression).json == json


def test_expression_is_evaluated_in_any_frame(node: FollowedNode) -> None:
    assert [node.evaluate("sum", frame=1).json, node.evaluate("typeof step", frame=1).json] == [4, "undefined"]


def test_braces_are_an_object(node: FollowedNode) -> None:
    value = node.evaluate("{sum, step}")
    assert (value.preview, value.size) == ("{sum: 4, step: 2}", 2)


def test_object_comes_whole_when_it_is_asked_for_by_value(node: FollowedNode) -> None:
    value = node.evaluate("{a: [1, {b: new Map([[1, 2]])}], c: undefined}", by_value=True)
    assert value.json == {"a": [1, {"b": {"$class": "Map", "entries": [[1, 2]]}}], "c": None}
    assert value.preview is None


@pytest.mark.parametrize(("expression", "json"), [("7", 7), ("'x'.repeat(3000)", "x" * 3000), ("null", None)])
def test_primitive_comes_whole_by_value(node: FollowedNode, expression: str, json: object) -> None:
    assert node.evaluate(expression, by_value=True).json == json


def test_value_that_is_too_large_by_value_says_what_was_cut(node: FollowedNode) -> None:
    value = node.evaluate("Array.from({ length: 200_000 }, (_, i) => i)", by_value=True)
    assert isinstance(value.json, list)
    assert value.preview is not None
    assert value.preview.startswith("cut: ")


@pytest.mark.parametrize(
    ("expression", "preview"),
    [
        ("missing", "ReferenceError: missing is not defined"),
        ("null.x", "TypeError: Cannot read properties of null (reading 'x')"),
        ("(() => { throw 42 })()", "Uncaught 42"),
        ("sum +", "SyntaxError: Unexpected end of the expression"),
    ],
)
def test_expression_that_throws_or_is_none_is_a_value_of_type_error(
    node: FollowedNode, expression: str, preview: str
) -> None:
    value = node.evaluate(expression)
    assert (value.type, value.preview, value.json) == ("error", preview, NO_JSON)


@pytest.mark.parametrize(
    ("expression", "hint"),
    [
        ("await sum", "await and yield cannot be evaluated at a breakpoint"),
        ("let x = 1", "an expression is needed, not a statement"),
        ("1);(2", "SyntaxError"),
    ],
)
def test_text_that_is_no_expression_says_why(node: FollowedNode, expression: str, hint: str) -> None:
    value = node.evaluate(expression)
    assert value.type == "error"
    assert hint in (value.preview or "")


def test_several_expressions_are_evaluated_at_once_and_none_spoils_another(node: FollowedNode) -> None:
    texts = ["sum", "missing", "{step}", "sum +", "[1, 2]"]
    values = node.inspection.evaluate(node.pause, 0, [Evaluation(text) for text in texts])
    assert [value.json for value in values if value.json is not NO_JSON] == [4]
    assert [value.type for value in values] == ["number", "error", "object", "error", "object"]
    assert values[4].preview == "[1, 2]"


def test_endless_expression_is_ended_and_the_program_still_stands_where_it_stood(node: FollowedNode) -> None:
    value = node.evaluate("(() => { for (;;); })()", timeout_s=0.2)
    assert (value.type, value.preview) == ("error", "Timeout: the expression did not end within 200 ms.")
    assert node.evaluate("sum").json == 4
    node.set("end", "bp2")
    assert node.go_on() == ("bp2",)
    assert node.evaluate("result", by_value=True).json == [22, 10, 3, None, 1]


def test_endless_expression_does_not_spoil_the_next_one(node: FollowedNode) -> None:
    endless = Evaluation("(() => { for (;;); })()", timeout_s=0.2)
    values = node.inspection.evaluate(node.pause, 0, [endless, Evaluation("sum")])
    assert [values[0].type, values[1].json] == ["error", 4]


@pytest.mark.parametrize("expression", ["sum = 9", "this.total++", "globalThis.shared = 2", "moduleConst.n = 2"])
def test_expression_that_would_change_something_is_refused_where_that_is_not_allowed(
    node: FollowedNode, expression: str
) -> None:
    value = node.evaluate(expression, allow_side_effects=False)
    assert value.type == "error"
    assert "would change the program" in (value.preview or "")
    now = node.evaluate("[sum, this.total, globalThis.shared, moduleConst.n]", by_value=True)
    assert now.json == [4, 3, 1, 1]


def test_expression_without_side_effects_is_allowed_then(node: FollowedNode) -> None:
    value = node.evaluate("[sum, this.total].map((n) => n * 2)", allow_side_effects=False, by_value=True)
    assert value.json == [8, 6]


def test_thrown_error_does_not_stop_the_program_that_stops_at_errors(node: FollowedNode) -> None:
    from cdp_protocol.generated import debugger

    node.connection.send(debugger.SetPauseOnExceptions(state="all"))
    stops = node.stops
    assert node.evaluate("null.x").type == "error"
    assert node.evaluate("sum").json == 4
    assert node.stops == stops


# --- changing variables -------------------------------------------------------------------------------------------


def test_variables_of_every_scope_can_be_changed(node: FollowedNode) -> None:
    for name in ("step", "block", "caught", "sum", "moduleLet", "this.total"):
        assert node.inspection.set_variable(node.pause, 0, name, "50 + 50").json == 100
    node.inspection.set_variable(node.pause, 0, "shared", "'seen'")
    assert node.evaluate("[step, block, caught, sum, moduleLet, this.total]", by_value=True).json == [100] * 6
    node.inspection.set_variable(node.pause, 1, "unused", "'p'")
    node.set("end", "bp2")
    assert node.go_on() == ("bp2",)
    assert node.evaluate("result", by_value=True).json == [601, 100, 100, "p", "seen"]


def test_variables_show_what_was_changed(node: FollowedNode) -> None:
    node.inspection.set_variable(node.pause, 0, "step", "{ a: 1 }")
    node.inspection.set_variable(node.pause, 0, "moduleLet", "11")
    node.evaluate("sum = block = 'changed'")
    shown = {one.name: one.value for one in node.variables().variables}
    assert shown["step"].preview == "{a: 1}"
    assert [shown[name].json for name in ("moduleLet", "sum", "block", "caught")] == [11, "changed", "changed", 1]
    assert [one.value.json for one in node.variables(scope="closure").variables] == ["changed"]
    assert [one.value.json for one in node.variables(1).variables if one.name == "sum"] == ["changed"]


def test_hidden_variable_keeps_its_own_value_after_a_change(write: WriteProgram, followed: Follow) -> None:
    program = write(
        "let x = 'module';\nfunction f(x) {\n  return x; // @bp hit\n}\nf('own'); x.length;\n"
        "globalThis.keep = () => x;\n"
    )
    node = followed(program)
    node.stop_at("hit")
    node.inspection.set_variable(node.pause, 0, "x", "'changed'")
    assert [one.value.json for one in node.variables().variables if one.name == "x"] == ["changed"]
    assert [one.value.json for one in node.variables(scope="module").variables if one.name == "x"] == ["module"]


def test_value_of_the_assigned_expression_comes_back(node: FollowedNode) -> None:
    value = node.inspection.set_variable(node.pause, 0, "sum", "{ a: step }")
    assert (value.preview, value.handle is not None) == ("{a: 2}", True)


def test_variables_of_an_es_module_can_be_changed(write: WriteProgram, followed: Follow) -> None:
    program = write(
        "export let top = 1;\nlet own = 2;\nfunction f() {\n  return [top, own]; // @bp hit\n}\n"
        "const got = f();\ngot.length; // @bp end\n",
        "program.mjs",
    )
    node = followed(program)
    node.stop_at("hit")
    node.inspection.set_variable(node.pause, 0, "top", "7")
    node.inspection.set_variable(node.pause, 0, "own", "8")
    node.set("end", "bp2")
    assert node.go_on() == ("bp2",)
    assert node.evaluate("got", by_value=True).json == [7, 8]


def test_constant_is_not_changed(node: FollowedNode) -> None:
    with pytest.raises(EvaluationError, match="Assignment to constant variable"):
        node.inspection.set_variable(node.pause, 0, "moduleConst", "1")
    assert node.evaluate("moduleConst.n").json == 1


def test_unknown_variable_is_refused_with_near_names_and_makes_no_global(node: FollowedNode) -> None:
    with pytest.raises(EvaluationError, match="There is no variable sun in this frame") as refused:
        node.inspection.set_variable(node.pause, 0, "sun", "1")
    assert "sum" in refused.value.details["near_names"]
    assert node.evaluate("typeof sun").json == "undefined"


@pytest.mark.parametrize("name", ["1x", "a b", "f()", "sum; x", "", "[sum]"])
def test_what_is_no_name_is_refused(node: FollowedNode, name: str) -> None:
    with pytest.raises(InvalidArgumentsError):
        node.inspection.set_variable(node.pause, 0, name, "1")


@pytest.mark.parametrize("expression", ["missing", "1 +", "1); (2", "await 1"])
def test_value_that_cannot_be_had_changes_nothing(node: FollowedNode, expression: str) -> None:
    with pytest.raises(EvaluationError, match="sum was not changed"):
        node.inspection.set_variable(node.pause, 0, "sum", expression)
    assert node.evaluate("sum").json == 4


def test_values_of_another_global_scope_come_whole_too(write: WriteProgram, followed: Follow) -> None:
    node = followed(
        write(
            "const vm = require('vm');\nvm.runInNewContext('f({ a: [1] })', { f }); // @bp call\n"
            "function f(given) {\n  return given; // @bp hit\n}\n"
        )
    )
    node.stop_at("hit")
    assert node.evaluate("given", by_value=True).json == {"a": [1]}
    outer = node.evaluate("[typeof f, typeof process]", frame=1, by_value=True)
    assert outer.json == ["function", "undefined"]
