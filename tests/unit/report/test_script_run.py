"""The texts and structures that an agent gets, word for word, for every outcome of a run."""

from dataclasses import replace
from typing import Any

import pytest

from server.debug.model import Outcome, Placement, Results, RunReport, SourceLine
from server.process.process_events import ExitStatus
from server.report.script_run import failure_answer, report_to_answer

FILE = "/app/src/cart.js"
NEVER_RAN = "never ran (child processes are not debugged)"
BOUND = Placement(requested=SourceLine(FILE, 12), file_loaded=True, bound_line=12)
NO_RESULTS = Results(kept=(), hits=0)
TWO_RESULTS = Results(kept=('{"type":"number","value":1}', '{"type":"string","value":"a"}'), hits=2)
TWO_RESULTS_JSON = [{"type": "number", "value": 1}, {"type": "string", "value": "a"}]
ENDED_WELL = ExitStatus(code=0, signal=None)
MISSED = RunReport(outcome=Outcome.PROGRAM_ENDED, results=NO_RESULTS, placement=BOUND, exit=ENDED_WELL)
HIT = replace(MISSED, results=TWO_RESULTS)


def told(report: RunReport, timeout_ms: int = 30_000) -> str:
    """The message of a failed run, which has to be the same in both channels."""
    answer = report_to_answer(report, timeout_ms)
    assert answer.is_error
    assert answer.structured == {"error": answer.text}
    assert answer.text is not None
    return answer.text


def beside_results(report: RunReport) -> dict[str, Any]:
    """What a successful answer has beside its results; its text is empty."""
    answer = report_to_answer(report, 30_000)
    assert (answer.is_error, answer.text) == (False, None)
    return {key: value for key, value in answer.structured.items() if key != "results"}


# --- success --------------------------------------------------------------------------------------------------


def test_results_come_parsed_and_alone_when_there_is_nothing_to_add() -> None:
    answer = report_to_answer(HIT, 30_000)
    assert answer.structured == {"results": TWO_RESULTS_JSON}
    assert (answer.is_error, answer.text) == (False, None)


@pytest.mark.parametrize("text", ["{", "{}", "[]", "1", '{"type":"number"}', "{nonsense}"])
def test_a_result_that_is_none_says_so_and_spoils_no_other(text: str) -> None:
    answer = report_to_answer(replace(HIT, results=Results(kept=(*TWO_RESULTS.kept, text), hits=3)), 30_000)
    unreadable = {"type": "error", "value": "the value could not be read"}
    assert answer.structured == {"results": [*TWO_RESULTS_JSON, unreadable]}


def test_a_breakpoint_that_moved_says_where_it_is() -> None:
    moved = replace(HIT, placement=replace(BOUND, bound_line=14))
    assert beside_results(moved) == {
        "breakpoint": {"file": FILE, "line": 14, "requested_line": 12},
        "notes": [
            "V8 cannot stop at line 12 (nothing there, or nothing that can run): these are the values at line 14."
        ],
    }


def test_what_ran_unseen_is_noted_beside_results() -> None:
    unseen = "Worker threads started by the program: 1. Breakpoints do not stop in them."
    assert beside_results(replace(HIT, placement=replace(BOUND, unseen=(unseen,)))) == {"notes": [unseen]}


def test_a_placement_that_is_not_known_says_nothing_beside_results() -> None:
    assert beside_results(replace(HIT, placement=None)) == {}


def test_results_that_were_left_out_are_counted() -> None:
    cut = replace(TWO_RESULTS, hits=10, omitted=8, omitted_bytes=216, kept_first=1)
    assert beside_results(replace(HIT, results=cut)) == {
        "truncated": {"results": 8, "bytes": 216, "hits": 10, "kept_first": 1}
    }


def test_a_timeout_after_hits_is_a_success_that_says_so() -> None:
    assert beside_results(replace(HIT, outcome=Outcome.TIMED_OUT, exit=None)) == {"timed_out": True}


def test_an_evaluation_that_never_ended_after_hits_is_told_beside_them() -> None:
    stuck = replace(HIT, outcome=Outcome.TIMED_OUT, exit=None, evaluating=True)
    assert beside_results(stuck) == {
        "timed_out": True,
        "notes": ["At one more hit the expression was still being evaluated when the run ended."],
    }


def test_a_connection_lost_after_hits_is_a_success_that_says_why() -> None:
    lost = replace(HIT, outcome=Outcome.CONNECTION_LOST, exit=None, reason="reset by peer")
    assert beside_results(lost) == {"connection_lost": "reset by peer"}


def test_a_debugger_that_failed_after_hits_is_a_success_that_says_why() -> None:
    failed = replace(HIT, outcome=Outcome.DEBUGGER_FAILED, exit=None, reason="Debugger.resume failed")
    assert beside_results(failed) == {"debugger_failed": "Debugger.resume failed"}


@pytest.mark.parametrize(
    ("status", "exit_json"),
    [
        (ExitStatus(code=3, signal=None), {"code": 3, "signal": None}),
        (ExitStatus(code=None, signal="SIGKILL"), {"code": None, "signal": "SIGKILL"}),
        (ExitStatus(code=None, signal=None), {"code": None, "signal": None}),
    ],
)
def test_an_end_other_than_a_good_one_is_told(status: ExitStatus, exit_json: dict[str, Any]) -> None:
    assert beside_results(replace(HIT, exit=status)) == {"exit": exit_json}


def test_a_failed_program_brings_the_end_of_its_stderr() -> None:
    failed = replace(HIT, exit=ExitStatus(code=1, signal=None), stderr_tail="\nError: out of stock\n")
    assert beside_results(failed) == {"exit": {"code": 1, "signal": None, "stderr": "Error: out of stock"}}


def test_stderr_of_a_program_that_ended_well_is_not_told() -> None:
    assert beside_results(replace(HIT, stderr_tail="a warning")) == {}


def test_a_name_that_is_not_visible_gets_one_note() -> None:
    unseen = '{"type":"error","value":"ReferenceError: total is not defined"}'
    (note,) = beside_results(replace(HIT, results=Results(kept=(unseen, unseen), hits=2)))["notes"]
    assert note.startswith("total is not visible where this line begins.")


def test_other_errors_and_values_that_look_like_one_get_no_note() -> None:
    kept = (
        '{"type":"error","value":"TypeError: x is not a function"}',
        '{"type":"string","value":"ReferenceError: total is not defined"}',
    )
    assert beside_results(replace(HIT, results=Results(kept=kept, hits=2))) == {}


def test_lone_surrogates_in_results_are_replaced() -> None:
    dirty = Results(kept=(r'{"type":"object","value":{"k\ud800":["v\udc00"]}}',), hits=1)
    answer = report_to_answer(replace(HIT, results=dirty), 30_000)
    assert answer.structured["results"][0]["value"] == {"k\ufffd": ["v\ufffd"]}


# --- failure: the contract's sentence, then what helps --------------------------------------------------------


def test_a_line_that_never_ran_says_so_after_the_contracts_sentence() -> None:
    assert told(MISSED) == (
        "Process exited before breakpoint was hit\n"
        "Exit code: 0.\n"
        f"The breakpoint was set at /app/src/cart.js:12, but that line {NEVER_RAN}."
    )


def test_a_timeout_begins_with_the_contracts_sentence_and_its_own_time() -> None:
    report = replace(MISSED, outcome=Outcome.TIMED_OUT, exit=None)
    assert told(report).splitlines()[0] == "Timeout waiting for breakpoint after 30000ms"
    assert told(report, timeout_ms=250).splitlines()[0] == "Timeout waiting for breakpoint after 250ms"


def test_an_evaluation_that_never_ends_is_named_as_the_cause_of_the_timeout() -> None:
    stuck = replace(MISSED, outcome=Outcome.TIMED_OUT, exit=None, evaluating=True)
    assert told(stuck) == (
        "Timeout waiting for breakpoint after 30000ms\n"
        "The breakpoint was hit, but evaluating the expression did not end. Use a simpler expression."
    )


def test_a_run_that_never_got_its_turn_says_that_nothing_was_started() -> None:
    waiting = RunReport(outcome=Outcome.TIMED_OUT, results=NO_RESULTS, placement=None, started=False)
    assert told(waiting) == (
        "Timeout waiting for breakpoint after 30000ms\n"
        "The program was not started: another run held what it needs, such as the port of its inspector."
    )


def test_a_cancelled_run_says_that_it_was_cancelled() -> None:
    assert told(replace(MISSED, outcome=Outcome.CANCELLED, exit=None)).startswith("The request was cancelled.\n")


def test_a_lost_connection_says_why() -> None:
    lost = replace(MISSED, outcome=Outcome.CONNECTION_LOST, exit=None, reason="reset by peer")
    first_line = "The debugger was disconnected before the breakpoint was hit: reset by peer"
    assert told(lost).splitlines()[0] == first_line


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (ExitStatus(code=7, signal=None), "Exit code: 7."),
        (ExitStatus(code=None, signal="SIGSEGV"), "It was killed by SIGSEGV."),
        (ExitStatus(code=None, signal=None), "How it ended is not known."),
    ],
)
def test_how_the_program_ended_stands_on_the_second_line(status: ExitStatus, sentence: str) -> None:
    assert told(replace(MISSED, exit=status)).splitlines()[1] == sentence


@pytest.mark.parametrize(
    ("placement", "explanation"),
    [
        (
            replace(BOUND, debugger_reached=False),
            ["The program ended before its inspector was there."],
        ),
        (
            replace(BOUND, file_loaded=False, bound_line=None),
            [
                "The file was never loaded: /app/src/cart.js",
                "Check that the program itself loads it before it ends: child processes are not debugged.",
            ],
        ),
        (
            replace(BOUND, file_loaded=False, bound_line=None, loaded_namesakes=("/app/dist/cart.js", "/b/cart.js")),
            [
                "The file was never loaded: /app/src/cart.js",
                "Loaded under the same name: /app/dist/cart.js, /b/cart.js",
            ],
        ),
        (
            replace(BOUND, bound_line=None),
            ["The file was loaded, but there is no code at /app/src/cart.js:12 or behind it."],
        ),
        (
            replace(BOUND, bound_line=None, nearest_lines=(8, 9)),
            [
                "The file was loaded, but there is no code at /app/src/cart.js:12 or behind it.",
                "Lines near it that have code: 8, 9",
            ],
        ),
        (
            replace(BOUND, bound_line=14),
            [f"The breakpoint was set at {FILE}:14 (V8 cannot stop at line 12), but that line {NEVER_RAN}."],
        ),
        (
            replace(BOUND, unseen=("Worker threads started by the program: 1. Breakpoints do not stop in them.",)),
            [
                "The breakpoint was set at /app/src/cart.js:12, but that line was not hit.",
                "Worker threads started by the program: 1. Breakpoints do not stop in them.",
            ],
        ),
        (None, ["Where the breakpoint is could not be found out."]),
    ],
    ids=["no inspector", "never loaded", "namesakes", "no code", "code nearby", "moved", "unseen", "not known"],
)
def test_each_placement_explains_why_nothing_was_hit(placement: Placement | None, explanation: list[str]) -> None:
    lines = told(replace(MISSED, placement=placement)).splitlines()
    assert lines == ["Process exited before breakpoint was hit", "Exit code: 0.", *explanation]


def test_a_program_that_runs_without_an_inspector_is_asked_about_its_flag() -> None:
    unseen = replace(MISSED, outcome=Outcome.TIMED_OUT, exit=None, placement=replace(BOUND, debugger_reached=False))
    assert told(unseen).splitlines()[1:] == [
        "By then no inspector was announced on the program's stderr: is --inspect-brk meant for node itself?"
    ]


def test_an_inspector_that_could_not_be_reached_is_not_said_to_be_missing() -> None:
    lost = replace(MISSED, outcome=Outcome.CONNECTION_LOST, exit=None, reason="refused")
    unreached = replace(lost, placement=replace(BOUND, debugger_reached=False))
    assert told(unreached) == "The debugger was disconnected before the breakpoint was hit: refused"


def test_a_file_that_could_not_be_parsed_says_so() -> None:
    stderr = f"{FILE}:3\nlet let = 1;\n    ^^^\n\nSyntaxError: let is disallowed as a lexically bound name\n"
    failed = replace(MISSED, placement=replace(BOUND, file_loaded=False, bound_line=None), stderr_tail=stderr)
    assert "It could not be parsed: the end of stderr says why." in told(failed).splitlines()


def test_the_end_of_stderr_comes_last() -> None:
    crashed = replace(MISSED, exit=ExitStatus(code=1, signal=None), stderr_tail="Error: no database\n    at x.js:1\n")
    assert told(crashed).endswith("\nThe end of stderr:\nError: no database\n    at x.js:1")


def test_a_long_stderr_is_cut_at_its_beginning_and_shows_it() -> None:
    noisy = replace(MISSED, stderr_tail="noise\n" * 10_000 + "the cause")
    shown = told(noisy).partition("The end of stderr:\n")[2]
    assert shown.startswith("…")
    assert shown.endswith("the cause")
    assert len(shown) == 2_001


def test_a_failure_says_the_same_in_both_channels_without_lone_surrogates() -> None:
    answer = failure_answer("no file a\ud800b")
    assert answer.text == "no file a\ufffdb"
    assert (answer.structured, answer.is_error) == ({"error": answer.text}, True)
