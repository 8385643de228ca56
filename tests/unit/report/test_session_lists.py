"""Sessions, breakpoints, scripts and source as an agent reads them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from server.debug.model import SourceLine
from server.debug.session_model import (
    Binding,
    Breakpoint,
    BreakpointSpec,
    PauseOnExceptions,
    Position,
    ProgramState,
    ScriptInfo,
    SessionSummary,
    SourceRange,
    SourceText,
)
from server.report.detail import MAX_BYTES, json_size, text_size
from server.report.session_lists import (
    breakpoint_answer,
    breakpoints_answer,
    pause_on_exceptions_answer,
    scripts_answer,
    sessions_answer,
    source_answer,
    source_context_answer,
)
from tests.unit.report.stopped_program import BOUND, FILE, PENDING, PROGRAM, SOURCE

ABOUT: dict[str, Any] = {"session_id": "s1", "state": "paused"}


def test_a_session_is_one_line() -> None:
    attached = replace(PROGRAM, title="/app/server.js", runtime="", pid=None, is_attached=True)
    answer = sessions_answer(
        [
            SessionSummary("s1", ProgramState.PAUSED, PROGRAM, Position(FILE, 12, 5), 2, 4.25),
            SessionSummary("s2", ProgramState.RUNNING, attached, None, 0, 0.0),
        ]
    )
    assert answer.text == (
        "s1 paused at /app/src/cart.js:12:5: node src/cart.js, Node.js v24.1.0, pid 4711, launched, 2 breakpoints,"
        " idle 4 s\n"
        "s2 running: /app/server.js, attached, 0 breakpoints, idle 0 s"
    )
    assert answer.structured["sessions"] == [
        {
            "session_id": "s1",
            "state": "paused",
            "location": {"file": FILE, "line": 12, "column": 5},
            "target_info": {
                "title": "node src/cart.js",
                "runtime": "Node.js v24.1.0",
                "pid": 4711,
                "attached": False,
            },
            "breakpoints": 2,
            "idle_ms": 4250,
        },
        {
            "session_id": "s2",
            "state": "running",
            "target_info": {"title": "/app/server.js", "runtime": "", "pid": None, "attached": True},
            "breakpoints": 0,
            "idle_ms": 0,
        },
    ]


def test_without_sessions_the_answer_names_the_call_that_begins_one() -> None:
    answer = sessions_answer([])
    assert answer.text == "There are no sessions.\nnext: start_debugging"
    assert answer.structured == {"status": "ok", "sessions": []}


def test_a_breakpoint_is_shown_with_the_lines_around_it() -> None:
    answer = breakpoint_answer(ABOUT, BOUND)
    assert answer.text == (
        "bp1 at /app/src/cart.js:12:5 (asked for line 11), condition item.count > 1, hit_condition >=2,"
        " reached 3 times with condition true\n"
        "    There is no code on line 11.\n"
        "    11 |     const price = item.price;\n"
        ">>> 12 |     sum += price * item.count;"
    )
    assert answer.structured["breakpoint"]["source"] == [
        {"line": 11, "text": "    const price = item.price;"},
        {"line": 12, "text": "    sum += price * item.count;", "current": True},
    ]
    assert "source" not in breakpoint_answer(ABOUT, PENDING).structured["breakpoint"]


@pytest.mark.parametrize(
    ("condition", "hit_condition", "words"),
    [
        (None, None, "hits 7"),
        ("i > 1", None, "condition i > 1, hits 7"),
        (None, "%3", "hit_condition %3, reached 7 times"),
        ("i > 1", "%3", "condition i > 1, hit_condition %3, reached 7 times with condition true"),
    ],
)
def test_hits_are_called_so_only_where_each_of_them_counted(
    condition: str | None, hit_condition: str | None, words: str
) -> None:
    spec = BreakpointSpec(SourceLine(FILE, 12), condition=condition, hit_condition=hit_condition)
    answer = breakpoint_answer(ABOUT, Breakpoint("bp1", spec, Binding(Position(FILE, 12, 5)), hits=7))
    assert answer.text == f"bp1 at /app/src/cart.js:12:5, {words}"


def test_a_hundred_breakpoints_come_in_parts_that_join_without_a_gap() -> None:
    points = [replace(BOUND, id=f"bp{n}") for n in range(1, 101)]
    seen: list[str] = []
    start: int | None = 0
    while start is not None:
        answer = breakpoints_answer(ABOUT, points, start)
        assert json_size(answer.structured) <= MAX_BYTES
        assert text_size(answer.text or "") <= MAX_BYTES
        assert answer.structured["total"] == 100
        seen += [point["id"] for point in answer.structured["breakpoints"]]
        start = answer.structured.get("next_start")
        assert (start is not None) == (f"more: start {start}" in (answer.text or ""))
    assert seen == [point.id for point in points]


def test_no_breakpoints_are_an_answer_too() -> None:
    answer = breakpoints_answer(ABOUT, [], 0)
    assert answer.text == "s1 0 breakpoints"
    assert answer.structured["breakpoints"] == []


def test_exceptions_to_stop_at_are_told() -> None:
    answer = pause_on_exceptions_answer(ABOUT, PauseOnExceptions.UNCAUGHT)
    assert answer.text == "s1 stops at exceptions: uncaught"
    assert answer.structured["pause_on_exceptions"] == "uncaught"


def test_a_script_is_told_with_its_file_and_its_source_map() -> None:
    answer = scripts_answer(
        ABOUT,
        [
            ScriptInfo("71", f"file://{FILE}", FILE, 40, is_own=True, source_map_url="cart.js.map"),
            ScriptInfo("5", "node:fs", None, 3000, is_own=False),
        ],
        0,
    )
    assert answer.text == (
        "s1 2 scripts\n71 /app/src/cart.js (40 lines), source map cart.js.map\n5 node:fs (3000 lines)"
    )
    assert answer.structured["scripts"] == [
        {"id": "71", "file": FILE, "url": f"file://{FILE}", "lines": 40, "source_map": "cart.js.map"},
        {"id": "5", "url": "node:fs", "lines": 3000, "own": False},
    ]


def test_a_long_source_comes_in_parts_that_join_without_a_gap() -> None:
    lines = tuple(SourceText(n, f"line {n} " + "x" * 40) for n in range(1, 1001))
    seen: list[str] = []
    first: int | None = 1
    while first is not None:
        answer = source_answer(ABOUT, SourceRange(FILE, lines[first - 1 :], 1000))
        assert json_size(answer.structured) <= MAX_BYTES
        assert text_size(answer.text or "") <= MAX_BYTES
        assert answer.structured["first_line"] == first
        seen += answer.structured["source"].split("\n")
        first = answer.structured.get("next_line")
    assert seen == [line.text for line in lines]


def test_lines_of_source_are_numbered_in_the_text() -> None:
    answer = source_answer(ABOUT, SourceRange(FILE, SOURCE, 40))
    assert (answer.text or "").splitlines() == [
        "/app/src/cart.js (40 lines)",
        "     9 |",
        "    10 |   for (const item of items) {",
        "    11 |     const price = item.price;",
        ">>> 12 |     sum += price * item.count;",
        "    13 |   }",
    ]
    assert (answer.structured["first_line"], answer.structured["last_line"]) == (9, 13)


def test_lines_beyond_the_end_of_a_source_are_an_empty_answer() -> None:
    answer = source_answer(ABOUT, SourceRange(FILE, (), 40))
    assert answer.text == "/app/src/cart.js (40 lines)"
    assert "source" not in answer.structured


def test_lines_around_a_place_mark_it() -> None:
    answer = source_context_answer(ABOUT, SourceRange(FILE, SOURCE, 40))
    assert ">>> 12 |     sum += price * item.count;" in (answer.text or "").splitlines()
    assert [line["line"] for line in answer.structured["source"] if line.get("current")] == [12]
