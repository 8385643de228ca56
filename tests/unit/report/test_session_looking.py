"""Stacks, variables and values as an agent reads them."""

from __future__ import annotations

from typing import Any

import pytest

from server.debug.session_model import CallStack, Frame, Position, WatchReading
from server.debug.value import Value, Variable, VariablePage
from server.report.answer import Answer
from server.report.detail import MAX_BYTES, json_size, text_size
from server.report.session_looking import (
    result_answer,
    set_variable_answer,
    stack_answer,
    variables_answer,
    watches_answer,
)
from tests.unit.report.stopped_program import FILE, INTERNAL, ITEM, LOCALS, MAIN, PACKAGE, SIX, TOTAL

ABOUT: dict[str, Any] = {"session_id": "s1", "state": "paused"}


def assert_small(answer: Answer) -> None:
    assert json_size(answer.structured) <= MAX_BYTES
    assert text_size(answer.text or "") <= MAX_BYTES


# --- stacks --------------------------------------------------------------------------------------------------------


def test_a_stack_is_in_its_real_order_and_says_whose_code_each_frame_is() -> None:
    answer = stack_answer(ABOUT, CallStack((TOTAL, PACKAGE, MAIN, INTERNAL), (MAIN,), ("A note.",)), 0)
    assert answer.text == (
        "s1 stack of 4 frames\n"
        "f0 total (/app/src/cart.js:12:5)\n"
        "f1 each (/app/node_modules/each/index.js:7:9) (package)\n"
        "f2 main (/app/src/cart.js:30:17)\n"
        "f4 Module._compile (node:internal/modules/cjs/loader:1554:14) (runtime)\n"
        "scheduled by:\n"
        "f2 main (/app/src/cart.js:30:17)\n"
        "note: A note."
    )
    assert [frame["id"] for frame in answer.structured["frames"]] == ["f0", "f1", "f2", "f4"]
    assert [frame.get("own") for frame in answer.structured["frames"]] == [None, False, None, False]
    assert [frame["id"] for frame in answer.structured["async_frames"]] == ["f2"]
    assert answer.structured["total"] == 4


def test_a_deep_stack_comes_in_parts_that_join_without_a_gap() -> None:
    deep = CallStack(tuple(Frame(f"f{n}", "again", Position(FILE, 1, 1)) for n in range(300)), (MAIN,) * 300)
    seen: list[str] = []
    start: int | None = 0
    while start is not None:
        answer = stack_answer(ABOUT, deep, start)
        assert_small(answer)
        seen += [frame["id"] for frame in answer.structured["frames"]]
        start = answer.structured.get("next_start")
        assert (start is not None) == (f"more: start {start}" in (answer.text or ""))
        assert answer.structured["more_async_frames"] == 300 - len(answer.structured["async_frames"])
    assert seen == [frame.id for frame in deep.frames]


# --- variables -----------------------------------------------------------------------------------------------------


def test_variables_stand_below_their_scopes() -> None:
    answer = variables_answer(ABOUT, LOCALS)
    assert answer.text == "s1 2 variables\nblock:\n  item = {qty: 2, price: 3} (v7)\nlocal:\n  sum = 6"
    assert answer.structured == {
        "status": "ok",
        **ABOUT,
        "variables": [
            {
                "name": "item",
                "type": "object",
                "preview": "{qty: 2, price: 3}",
                "size": 2,
                "ref": "v7",
                "scope": "block",
            },
            {"name": "sum", "type": "number", "value": 6, "scope": "local"},
        ],
        "start": 0,
        "total": 2,
    }


def test_variables_without_a_value_are_named_at_the_end_of_their_scope() -> None:
    variables = (
        Variable("later", Value("undefined", "uninitialised", preview="<not initialised>"), "local"),
        Variable("a", Value("undefined"), "local"),
        Variable("sum", SIX, "local"),
        Variable("b", Value("undefined"), "local"),
        Variable("c", Value("undefined"), "closure"),
    )
    answer = variables_answer(ABOUT, VariablePage(variables, 0, 5))
    assert answer.text == (
        "s1 5 variables\nlocal:\n  sum = 6\n  undefined: a, b\n  <not initialised>: later\nclosure:\n  undefined: c"
    )
    assert [variable["name"] for variable in answer.structured["variables"]] == ["later", "a", "sum", "b", "c"]


def test_names_that_are_not_there_are_told() -> None:
    note = "Not visible here, but in f3 (main): total."
    answer = variables_answer(ABOUT, VariablePage((), 0, 0, notes=(note,)))
    assert answer.text == f"s1 0 variables\nnote: {note}"
    assert answer.structured["notes"] == [note]


def test_what_is_inside_a_value_keeps_its_order_although_it_is_undefined() -> None:
    inside = (Variable("0", Value("undefined")), Variable("1", SIX))
    assert variables_answer(ABOUT, VariablePage(inside, 0, 2)).text == "s1 2 variables\n0 = undefined\n1 = 6"


def test_what_is_inside_is_indented_with_its_types_and_the_number_of_what_is_missing() -> None:
    inner = VariablePage((Variable("qty", Value("number", json=2)),), 0, 2)
    answer = variables_answer(ABOUT, VariablePage((Variable("0", ITEM, children=inner),), 0, 1))
    assert answer.text == "s1 1 variable\n0 = {qty: 2, price: 3} (v7)\n  qty = 2\n  … 1 more"
    [variable] = answer.structured["variables"]
    assert variable["children"] == [{"name": "qty", "type": "number", "value": 2}]
    assert variable["more_children"] == 1


def test_many_variables_come_in_parts_that_join_without_a_gap() -> None:
    variables = [Variable(str(n), Value("string", json="x" * 100)) for n in range(500)]
    seen: list[str] = []
    start: int | None = 0
    while start is not None:
        page = VariablePage(tuple(variables[start : start + 100]), start, len(variables))
        answer = variables_answer(ABOUT, page)
        assert_small(answer)
        seen += [variable["name"] for variable in answer.structured["variables"]]
        start = answer.structured.get("next_start")
    assert seen == [variable.name for variable in variables]


def test_a_variable_that_would_fill_the_answer_is_shown_without_what_is_inside() -> None:
    children = VariablePage(tuple(Variable(str(n), SIX) for n in range(1000)), 0, 1000)
    page = VariablePage((Variable("big", ITEM, "local", children), Variable("small", SIX, "local")), 0, 2)
    answer = variables_answer(ABOUT, page)
    assert_small(answer)
    big, small = answer.structured["variables"]
    assert "children" not in big
    assert big["ref"] == "v7"
    assert small["name"] == "small"


def test_a_long_text_comes_in_parts_that_join_without_a_gap() -> None:
    text = "".join(chr(97 + n % 26) for n in range(10_000))
    seen = ""
    start: int | None = 0
    while start is not None:
        answer = variables_answer(ABOUT, VariablePage((), start, len(text), text[start:]))
        assert_small(answer)
        seen += answer.structured["text"]
        start = answer.structured.get("next_start")
    assert seen == text


# --- values --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text", "structured"),
    [
        (SIX, "6\ntype: number", {"type": "number", "value": 6}),
        (Value("undefined"), "undefined\ntype: undefined", {"type": "undefined", "preview": "undefined"}),
        (
            Value("string", preview="abc…", handle="v9", size=20_000),
            "abc… (20000 characters, v9)\ntype: string",
            {"type": "string", "preview": "abc…", "size": 20_000, "ref": "v9"},
        ),
        (
            Value("object", "null", json=None),
            "null\ntype: object (null)",
            {"type": "object", "subtype": "null", "value": None},
        ),
        (
            Value("object", "array", preview="[1, 2]", handle="v9", size=2),
            "[1, 2] (v9)\ntype: object (array)",
            {"type": "object", "subtype": "array", "preview": "[1, 2]", "size": 2, "ref": "v9"},
        ),
        (
            Value("error", preview="Error: two\nlines"),
            "Error: two\\nlines\ntype: error",
            {"type": "error", "preview": "Error: two\nlines"},
        ),
        (
            Value("error", preview="ReferenceError: x is not defined"),
            "ReferenceError: x is not defined\ntype: error",
            {"type": "error", "preview": "ReferenceError: x is not defined"},
        ),
    ],
)
def test_a_result_has_its_type_and_its_value_or_preview(value: Value, text: str, structured: dict[str, Any]) -> None:
    answer = result_answer(ABOUT, "x + 1", value, whole=False)
    assert answer.text == f"x + 1 = {text}"
    assert answer.structured == {"status": "ok", **ABOUT, "result": structured}


@pytest.mark.parametrize("whole", [False, True])
def test_only_a_result_that_was_asked_for_as_a_whole_may_be_large(whole: bool) -> None:
    value = Value("object", "array", json=["x" * 100] * 200)
    answer = result_answer(ABOUT, "x", value, whole=whole)
    assert ("value" in answer.structured["result"]) == whole
    if not whole:
        assert_small(answer)


def test_a_variable_that_was_set_is_told_with_its_new_value() -> None:
    answer = set_variable_answer(ABOUT, "sum", SIX)
    assert answer.text == "sum = 6"
    assert answer.structured["variable"] == {"name": "sum", "type": "number", "value": 6}


def test_watches_are_told_with_values_where_the_program_stands_still() -> None:
    answer = watches_answer(ABOUT, ["sum"], [WatchReading("sum", SIX, SIX)])
    assert answer.text == "s1 watches 1 expression\nsum: 6"
    assert answer.structured["watches"] == [
        {"expression": "sum", "old": {"type": "number", "value": 6}, "new": {"type": "number", "value": 6}}
    ]


def test_watches_of_a_program_that_runs_are_told_without_values() -> None:
    answer = watches_answer(ABOUT, ["sum", "i"], [])
    assert answer.text == "s1 watches 2 expressions\nsum\ni"
    assert answer.structured["watches"] == [{"expression": "sum"}, {"expression": "i"}]
