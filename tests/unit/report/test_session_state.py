"""What an agent reads after a call that ran the program: golden texts, their structure, and what is cut."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from server.debug.followed_program import REPORTED_OUTPUT_CHARACTERS
from server.debug.session_model import (
    Frame,
    OutputEntry,
    OutputPage,
    Position,
    ProgramState,
    SourceText,
    StateReport,
    Stop,
    StopReason,
    Thrown,
    WatchReading,
)
from server.debug.session_terms import Opened
from server.debug.value import Value, Variable, VariablePage
from server.process.process_events import ExitStatus
from server.report.answer import Answer
from server.report.detail import FULL, MAX_BYTES, json_size, text_size
from server.report.session_state import closed_answer, opened_answer, state_answer
from tests.unit.report.stopped_program import (
    BOUND,
    FILE,
    INTERNAL,
    LOCALS,
    MAIN,
    OUTPUT,
    PACKAGE,
    PAUSED,
    PENDING,
    PROGRAM,
    RUNNING,
    SOURCE,
    STOP,
    TOTAL,
)

PAUSED_TEXT = """\
s1 paused at breakpoint bp1 in total (/app/src/cart.js:12:5)
     9 |
    10 |   for (const item of items) {
    11 |     const price = item.price;
>>> 12 |     sum += price * item.count;
    13 |   }
locals: item = {qty: 2, price: 3} (v7), sum = 6
watches: sum: 0 -> 6, items.length: 2
frames: f0 total src/cart.js:12 | … 1 in node_modules/each | f2 main src/cart.js:30 | f3 (anonymous) index.js:3 | \
… 1 in the runtime
stdout:
    adding up
    item 1
stderr: careful
log: sum is 6
next: step_over, step_into, step_out, continue_execution, evaluate_expression, get_variables"""

BREAKPOINTS_TEXT = """\
bp1 at /app/src/cart.js:12:5 (asked for line 11), condition item.count > 1, hit_condition >=2, \
reached 3 times with condition true
    There is no code on line 11.
bp2 unbound at /app/src/later.js:5, function later, log_message at {i}, hits 0, disabled
    The file is not loaded yet.
    lines with code near it: 4, 7"""


def text_of(answer: Answer) -> str:
    assert answer.text is not None
    return answer.text


def stop_of(answer: Answer) -> dict[str, Any]:
    stop = answer.structured["stop"]
    assert isinstance(stop, dict)
    return stop


def paused(stop: Stop, **changes: Any) -> StateReport:
    return replace(PAUSED, stop=stop, **changes)


# --- a stop --------------------------------------------------------------------------------------------------------


def test_the_text_of_a_stop_reads_like_a_debuggers_screen() -> None:
    assert text_of(state_answer(PAUSED)) == PAUSED_TEXT


def test_the_structure_of_a_stop_has_the_shape_of_the_contract() -> None:
    assert state_answer(PAUSED).structured == {
        "status": "ok",
        "session_id": "s1",
        "state": "paused",
        "stop": {
            "reason": "breakpoint",
            "breakpoint_ids": ["bp1"],
            "target": "main",
            "location": {"file": FILE, "line": 12, "column": 5, "function": "total"},
            "source": [
                {"line": 9, "text": ""},
                {"line": 10, "text": "  for (const item of items) {"},
                {"line": 11, "text": "    const price = item.price;"},
                {"line": 12, "text": "    sum += price * item.count;", "current": True},
                {"line": 13, "text": "  }"},
            ],
            "frames": [
                {"id": "f0", "function": "total", "file": FILE, "line": 12, "column": 5},
                {"id": "f2", "function": "main", "file": FILE, "line": 30, "column": 17},
                {"id": "f3", "function": "(anonymous)", "file": "/app/index.js", "line": 3, "column": 1},
                {
                    "id": "f1",
                    "function": "each",
                    "file": "/app/node_modules/each/index.js",
                    "line": 7,
                    "column": 9,
                    "own": False,
                },
            ],
            "frames_total": 5,
            "locals": [
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
            "watches": [
                {"expression": "sum", "old": {"type": "number", "value": 0}, "new": {"type": "number", "value": 6}},
                {"expression": "items.length", "new": {"type": "number", "value": 2}},
            ],
        },
        "output": {"stdout": "adding up\nitem 1\n", "stderr": "careful\n", "log": "sum is 6\n", "cursor": 34},
    }
    assert not state_answer(PAUSED).is_error


@pytest.mark.parametrize(
    ("reason", "ids", "headline"),
    [
        (StopReason.ENTRY, (), "s1 paused on entry in total (/app/src/cart.js:12:5)"),
        (StopReason.BREAKPOINT, ("bp1", "bp4"), "s1 paused at breakpoints bp1, bp4 in total (/app/src/cart.js:12:5)"),
        (StopReason.BREAKPOINT, (), "s1 paused in total (/app/src/cart.js:12:5)"),
        (StopReason.STEP, (), "s1 paused after a step in total (/app/src/cart.js:12:5)"),
        (StopReason.PAUSE, (), "s1 paused in total (/app/src/cart.js:12:5)"),
        (StopReason.EXCEPTION, (), "s1 paused at an exception in total (/app/src/cart.js:12:5)"),
        (StopReason.DEBUGGER_STATEMENT, (), "s1 paused at a debugger statement in total (/app/src/cart.js:12:5)"),
    ],
)
def test_the_first_line_says_why_and_where(reason: StopReason, ids: tuple[str, ...], headline: str) -> None:
    answer = state_answer(paused(replace(STOP, reason=reason, breakpoint_ids=ids)))
    assert text_of(answer).splitlines()[0] == headline
    assert stop_of(answer)["reason"] == reason.value
    assert stop_of(answer).get("breakpoint_ids", []) == list(ids)


@pytest.mark.parametrize(("caught", "words"), [(True, " (caught) (v9)"), (False, " (uncaught) (v9)"), (None, " (v9)")])
def test_an_exception_is_shown_with_whether_it_is_caught(caught: bool | None, words: str) -> None:
    error = Value("object", "error", preview="TypeError: no price", handle="v9")
    thrown = Thrown("TypeError", "no price", caught, error)
    answer = state_answer(paused(replace(STOP, reason=StopReason.EXCEPTION, exception=thrown)))
    assert f"exception: TypeError: no price{words}" in text_of(answer).splitlines()
    assert stop_of(answer)["exception"] == {
        "name": "TypeError",
        "message": "no price",
        "caught": caught,
        "value": {"type": "object", "subtype": "error", "preview": "TypeError: no price", "ref": "v9"},
    }


def test_a_place_from_a_source_map_comes_with_what_really_runs() -> None:
    mapped = Frame("f0", "total", Position("/app/cart.ts", 12, 5), generated=Position("/app/dist/cart.js", 40, 9))
    stop = stop_of(state_answer(paused(replace(STOP, frames=(mapped,)))))
    generated = {"file": "/app/dist/cart.js", "line": 40, "column": 9}
    assert stop["location"]["generated"] == generated
    assert stop["frames"][0]["generated"] == generated
    assert "generated" not in stop_of(state_answer(PAUSED))["location"]


def test_frames_of_the_runtime_are_left_out_unless_the_program_stands_there() -> None:
    outside = stop_of(state_answer(paused(replace(STOP, frames=(TOTAL, INTERNAL, MAIN)))))
    assert [frame["id"] for frame in outside["frames"]] == ["f0", "f2"]
    assert outside["frames_total"] == 3
    assert "frames_total" not in stop_of(state_answer(paused(replace(STOP, frames=(TOTAL, PACKAGE)))))
    inside = stop_of(state_answer(paused(replace(STOP, frames=(INTERNAL, PACKAGE, MAIN, INTERNAL)))))
    assert [frame["id"] for frame in inside["frames"]] == ["f2", "f4", "f1"]
    assert inside["location"]["function"] == "Module._compile"


def test_notes_and_breakpoints_that_changed_are_told() -> None:
    report = replace(PAUSED, notes=("One.",), changed_breakpoints=(BOUND, PENDING), stop=replace(STOP, notes=("Two.",)))
    answer = state_answer(report)
    assert {"note: One.", "note: Two."} <= set(text_of(answer).splitlines())
    assert BREAKPOINTS_TEXT in text_of(answer)
    assert answer.structured["notes"] == ["One."]
    assert stop_of(answer)["notes"] == ["Two."]
    assert [point["id"] for point in answer.structured["breakpoints"]] == ["bp1", "bp2"]


def test_what_leaves_has_no_lone_surrogates() -> None:
    broken = "a\ud800b"
    locals_ = VariablePage((Variable(broken, Value("string", json=broken)),), 0, 1)
    report = paused(replace(STOP, locals=locals_, source=(SourceText(1, broken),), frames=(TOTAL,)))
    answer = state_answer(replace(report, output=OutputPage((OutputEntry(0, "stdout", broken),), 3)))
    text_of(answer).encode()
    assert stop_of(answer)["locals"][0] == {"name": "a\ufffdb", "type": "string", "value": "a\ufffdb"}
    assert answer.structured["output"]["stdout"] == "a\ufffdb"


# --- other states --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "status", "headline"),
    [
        (ProgramState.EXITED, ExitStatus(0, None), "s1 exited with code 0"),
        (ProgramState.EXITED, ExitStatus(None, "SIGSEGV"), "s1 exited: killed by SIGSEGV"),
        (ProgramState.EXITED, ExitStatus(None, None), "s1 exited"),
        (ProgramState.EXITED, None, "s1 exited"),
        (ProgramState.RUNNING, None, "s1 running"),
        (ProgramState.DISCONNECTED, None, "s1 is disconnected"),
    ],
)
def test_a_program_that_does_not_stand_still_has_no_stop(
    state: ProgramState, status: ExitStatus | None, headline: str
) -> None:
    answer = state_answer(StateReport("s1", state, output=OUTPUT, exit=status))
    lines = text_of(answer).splitlines()
    assert lines[0] == headline
    assert lines[-1].startswith("next: ")
    assert "stop" not in answer.structured
    expected = None if status is None else {"code": status.code, "signal": status.signal}
    assert answer.structured.get("exit") == expected
    assert answer.structured["output"]["cursor"] == 34


def test_a_program_that_wrote_nothing_has_empty_output() -> None:
    assert state_answer(RUNNING).structured["output"] == {"stdout": "", "stderr": "", "cursor": 0}
    assert text_of(state_answer(RUNNING)) == (
        "s1 running\nnext: continue_execution (waits for the next stop), pause_execution, get_output"
    )


def test_output_that_was_left_out_is_counted_before_what_is_there() -> None:
    answer = state_answer(replace(RUNNING, output=replace(OUTPUT, omitted_characters=500, since=40)))
    assert answer.structured["output"]["omitted_characters"] == 500
    assert text_of(answer).splitlines()[1] == "… 500 characters of output before: get_output since=40"


def test_a_session_that_begins_tells_its_program_and_all_its_breakpoints() -> None:
    answer = opened_answer(Opened(PAUSED, (BOUND, PENDING), PROGRAM))
    assert answer.structured["target_info"] == {
        "title": "node src/cart.js",
        "runtime": "Node.js v24.1.0",
        "pid": 4711,
        "attached": False,
    }
    assert answer.structured["breakpoints"] == [
        {
            "id": "bp1",
            "verified": True,
            "file": FILE,
            "line": 12,
            "requested_line": 11,
            "enabled": True,
            "hits": 3,
            "column": 5,
            "condition": "item.count > 1",
            "hit_condition": ">=2",
            "message": "There is no code on line 11.",
        },
        {
            "id": "bp2",
            "verified": False,
            "file": "/app/src/later.js",
            "line": 5,
            "requested_line": 5,
            "enabled": False,
            "hits": 0,
            "function": "later",
            "log_message": "at {i}",
            "nearest_lines": [4, 7],
            "message": "The file is not loaded yet.",
        },
    ]
    head, _, next_line = PAUSED_TEXT.rpartition("\n")
    program = "program: node src/cart.js, Node.js v24.1.0, pid 4711, launched"
    assert text_of(answer) == f"{head}\n{BREAKPOINTS_TEXT}\n{program}\n{next_line}"


def test_a_session_that_was_closed_says_so_and_what_became_of_its_program() -> None:
    killed = ExitStatus(None, "SIGKILL")
    answer = closed_answer(StateReport("s1", ProgramState.EXITED, exit=killed, notes=("The program was ended.",)))
    assert text_of(answer) == "s1 closed. The program was ended."
    assert answer.structured["closed"] is True
    assert answer.structured["exit"] == {"code": None, "signal": "SIGKILL"}


def test_a_session_that_was_closed_brings_the_output_that_nobody_has_seen() -> None:
    report = StateReport("s1", ProgramState.RUNNING, output=OUTPUT, notes=("The program runs on without a debugger.",))
    assert text_of(closed_answer(report)).splitlines()[:2] == [
        "s1 closed. The program runs on without a debugger.",
        "stdout:",
    ]


# --- what is too much ----------------------------------------------------------------------------------------------


def many_frames(count: int) -> tuple[Frame, ...]:
    return tuple(Frame(f"f{n}", f"call{n}", Position(FILE, n + 1, 1)) for n in range(count))


def many_variables(count: int, characters: int) -> VariablePage:
    value = Value("object", preview="x" * characters, handle="v1")
    return VariablePage(tuple(Variable(f"name{n}", value, "local") for n in range(count)), 0, count)


def test_frames_beyond_ten_and_locals_beyond_thirty_are_counted() -> None:
    answer = state_answer(paused(replace(STOP, frames=many_frames(50), locals=many_variables(40, 5))))
    assert len(stop_of(answer)["frames"]) == 10
    assert stop_of(answer)["frames_total"] == 50
    assert len(stop_of(answer)["locals"]) == 30
    assert stop_of(answer)["more_locals"] == 10
    assert "… 42 more: get_call_stack" in text_of(answer)
    assert "; 10 more: get_variables" in text_of(answer)


def test_locals_without_a_value_are_named_at_the_end() -> None:
    variables = (
        Variable("(return value)", Value("undefined"), "local"),
        Variable("a", Value("undefined"), "local"),
        Variable("sum", Value("number", json=6), "local"),
        Variable("later", Value("undefined", "uninitialised", preview="<not initialised>"), "local"),
        Variable("b", Value("undefined"), "local"),
    )
    answer = state_answer(paused(replace(STOP, locals=VariablePage(variables, 0, 7))))
    shown = "(return value) = undefined, sum = 6; undefined: a, b; <not initialised>: later; 2 more: get_variables"
    assert f"locals: {shown}" in text_of(answer).splitlines()


def test_locals_that_the_session_left_out_are_counted_too() -> None:
    answer = state_answer(paused(replace(STOP, locals=replace(LOCALS, total=500))))
    assert stop_of(answer)["more_locals"] == 498


def test_long_values_are_cut_and_say_how_long_they_are() -> None:
    text = "y" * 5000
    locals_ = VariablePage((Variable("text", Value("string", json=text, handle="v3", size=5000)),), 0, 1)
    answer = state_answer(paused(replace(STOP, locals=locals_)))
    [shown] = stop_of(answer)["locals"]
    assert shown == {"name": "text", "type": "string", "preview": f'"{"y" * 238}…', "size": 5000, "ref": "v3"}
    assert f'text = "{"y" * 238}… (5000 characters, v3)' in text_of(answer)


def test_of_long_output_the_last_lines_are_kept() -> None:
    report = replace(RUNNING, output=OutputPage((OutputEntry(0, "stdout", "a line\n" * 500 + "the end\n"),), 3508))
    output = state_answer(report).structured["output"]
    assert output["stdout"] == "a line\n" * 284 + "the end\n"
    assert output["omitted_characters"] == 3508 - len(output["stdout"])


def test_more_of_each_stream_is_reported_than_an_answer_shows() -> None:
    assert FULL.output_characters < REPORTED_OUTPUT_CHARACTERS


@pytest.mark.parametrize("letter", ["x", "é", "🙂", '"', "\\", "\n", "\x01"])
def test_the_most_crowded_stop_fits_into_eight_kilobytes_in_both_channels(letter: str) -> None:
    text = letter * 3000
    value = Value("object", preview=text, handle="v1", size=3000)
    stop = Stop(
        StopReason.EXCEPTION,
        many_frames(1000),
        tuple(SourceText(n, text, is_current=n == 3) for n in range(1, 6)),
        VariablePage(tuple(Variable(f"name{n}", value, "local") for n in range(100)), 0, 5000),
        tuple(WatchReading(f"expression{n}", value, Value("string", json=text)) for n in range(20)),
        exception=Thrown("Error", text, is_caught=False, value=value),
        notes=("A note.",) * 3,
    )
    entries = tuple(OutputEntry(n, stream, text) for n, stream in enumerate(["stdout", "stderr", "log"]))
    report = StateReport("s1", ProgramState.PAUSED, stop, OutputPage(entries, 9000), changed_breakpoints=(BOUND,) * 100)
    answer = state_answer(report)
    assert json_size(answer.structured) <= MAX_BYTES
    assert text_size(text_of(answer)) <= MAX_BYTES
    assert stop_of(answer)["frames_total"] == 1000
    assert answer.structured["more_breakpoints"] > 90
    assert len(SOURCE) == len(stop_of(answer)["source"])
