"""What a program wrote, as an agent reads it: beside a state, and page by page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from server.debug.output_log import OutputLog
from server.debug.session_model import OutputEntry, OutputPage
from server.report.answer import Answer
from server.report.detail import FULL, MAX_BYTES, json_size, text_size
from server.report.session_output import last_output_answer, output_page_answer, output_to_json, output_to_lines
from tests.unit.report.stopped_program import OUTPUT

ABOUT: dict[str, Any] = {"session_id": "s1", "state": "paused"}
SMALL = replace(FULL, output_characters=20)
CHATTER = OutputPage((OutputEntry(100, "stdout", "first line\nsecond line\nthird line\n"),), 134, since=100)


def assert_small(answer: Answer) -> None:
    assert json_size(answer.structured) <= MAX_BYTES
    assert text_size(answer.text or "") <= MAX_BYTES


def written(answer: Answer) -> str:
    return "".join(entry["text"] for entry in answer.structured["entries"])


# --- beside a state ------------------------------------------------------------------------------------------------


def test_new_output_is_cut_where_a_line_begins_and_says_first_what_is_missing() -> None:
    assert list(output_to_lines(CHATTER, SMALL)) == [
        "… 23 characters of output before: get_output since=100",
        "stdout: third line",
    ]
    assert output_to_json(CHATTER, SMALL) == {
        "stdout": "third line\n",
        "stderr": "",
        "omitted_characters": 23,
        "since": 100,
        "cursor": 134,
    }


def test_what_the_session_left_out_is_counted_with_what_the_answer_cuts() -> None:
    assert output_to_json(replace(CHATTER, omitted_characters=500), SMALL)["omitted_characters"] == 523


def test_a_line_that_alone_is_too_long_is_cut_within() -> None:
    page = OutputPage((OutputEntry(0, "stdout", "x" * 50 + "the end\n"),), 58)
    assert output_to_json(page, SMALL)["stdout"] == "x" * 12 + "the end\n"


def test_no_stream_is_crowded_out_by_another() -> None:
    page = OutputPage((OutputEntry(0, "log", "sum is 6\n"), *replace(CHATTER).entries), 134)
    assert "log: sum is 6" in output_to_lines(page, SMALL)
    assert output_to_json(page, SMALL)["log"] == "sum is 6\n"


def test_output_that_is_whole_has_no_mark() -> None:
    assert list(output_to_lines(OUTPUT, FULL)) == [
        "stdout:",
        "    adding up",
        "    item 1",
        "stderr: careful",
        "log: sum is 6",
    ]
    assert "omitted_characters" not in output_to_json(OUTPUT, FULL)


# --- the end of it -------------------------------------------------------------------------------------------------


def test_output_is_told_in_its_order() -> None:
    answer = last_output_answer(ABOUT, OUTPUT)
    assert answer.text == (
        "s1 output up to cursor 34\nstdout | adding up\nstderr | careful\nstdout | item 1\nlog | sum is 6"
    )
    assert answer.structured["entries"] == [
        {"cursor": 0, "stream": "stdout", "text": "adding up\n"},
        {"cursor": 10, "stream": "stderr", "text": "careful\n"},
        {"cursor": 18, "stream": "stdout", "text": "item 1\n"},
        {"cursor": 25, "stream": "log", "text": "sum is 6\n"},
    ]
    assert answer.structured["cursor"] == 34
    assert "omitted_characters" not in answer.structured


def test_pieces_of_one_stream_are_joined() -> None:
    page = OutputPage((OutputEntry(0, "stdout", "one "), OutputEntry(4, "stdout", "line\nand\n")), 13)
    assert last_output_answer(ABOUT, page).structured["entries"] == [
        {"cursor": 0, "stream": "stdout", "text": "one line\nand\n"}
    ]


def test_a_program_that_wrote_nothing_is_told_so() -> None:
    assert last_output_answer(ABOUT, OutputPage((), 0)).text == "s1 has no output so far"


def test_the_end_of_much_output_begins_with_a_whole_line_and_says_how_to_read_the_rest() -> None:
    page = OutputPage((OutputEntry(7, "stdout", "of a line\nnext\nlast\n"),), 27, omitted_characters=7)
    answer = last_output_answer(ABOUT, page)
    assert answer.text == (
        "s1 output up to cursor 27\n… 17 characters before: get_output since=0\nstdout | next\nstdout | last"
    )
    assert written(answer) == "next\nlast\n"
    assert answer.structured["omitted_characters"] == 17


def test_of_much_output_in_many_pieces_the_end_is_kept_and_the_rest_counted() -> None:
    pieces = tuple(OutputEntry(2 * n, ("stdout", "stderr")[n % 2], f"{n % 10}\n") for n in range(2000))
    answer = last_output_answer(ABOUT, OutputPage(pieces, 4000, omitted_characters=7))
    assert_small(answer)
    kept = answer.structured["entries"]
    assert kept[-1]["cursor"] == 3998
    assert answer.structured["omitted_characters"] == 7 + kept[0]["cursor"]


# --- from a cursor on ----------------------------------------------------------------------------------------------


def test_a_page_that_reaches_the_end_says_so() -> None:
    answer = output_page_answer(ABOUT, replace(OUTPUT, entries=OUTPUT.entries[2:], since=18))
    assert answer.text == "s1 output from cursor 18 to 34, the end so far\nstdout | item 1\nlog | sum is 6"
    assert answer.structured["cursor"] == 34
    assert "end" not in answer.structured


def test_a_page_with_more_behind_it_says_where_to_go_on_and_where_the_end_is() -> None:
    answer = output_page_answer(ABOUT, replace(CHATTER, remaining_characters=66))
    lines = (answer.text or "").splitlines()
    assert lines[0] == "s1 output from cursor 100 to 134 of 200"
    assert lines[-1] == "… more, up to cursor 200: get_output since=134"
    assert (answer.structured["cursor"], answer.structured["end"]) == (134, 200)


def test_a_cursor_beyond_the_end_is_told_with_the_end() -> None:
    answer = output_page_answer(ABOUT, OutputPage((), 34, since=99))
    assert answer.text == "s1 output ends at cursor 34; since 99 is beyond that"
    assert answer.structured["notes"] == ["since 99 is beyond the end, which is 34"]
    assert answer.structured["cursor"] == 34


def test_a_cursor_at_the_end_brings_nothing() -> None:
    answer = output_page_answer(ABOUT, OutputPage((), 34, since=34))
    assert answer.text == "s1 has no output from cursor 34 on; the end is 34"
    assert "notes" not in answer.structured


def test_output_that_is_too_old_is_counted() -> None:
    answer = output_page_answer(ABOUT, replace(OUTPUT, omitted_characters=12))
    assert "… 12 characters before are not kept any more" in (answer.text or "").splitlines()
    assert answer.structured["omitted_characters"] == 12


@pytest.mark.parametrize("line", ["a line\n", "\n", "é" * 30 + "\n", "\x01" * 3000 + "\n", "no end"])
def test_much_output_comes_in_pages_that_join_without_a_gap(line: str) -> None:
    log = OutputLog(1_000_000)
    for count in range(2000 if len(line) < 100 else 10):
        log.append(("stdout", "stderr")[count // 7 % 2], line)
    whole = log.page(0, max_characters=1_000_000)
    seen, since = "", 0
    while since < log.end:
        answer = output_page_answer(ABOUT, log.page(since, max_characters=4000))
        assert_small(answer)
        assert answer.structured["cursor"] > since
        seen, since = seen + written(answer), answer.structured["cursor"]
    assert seen == "".join(entry.text for entry in whole.entries)
