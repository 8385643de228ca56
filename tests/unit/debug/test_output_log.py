from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.debug.output_log import OutputLog
from server.debug.session_model import OutputEntry, OutputPage

PLENTY = 1_000_000


def texts(page: OutputPage) -> str:
    return "".join(entry.text for entry in page.entries)


def test_entries_have_their_stream_and_their_cursor() -> None:
    log = OutputLog(PLENTY)
    for stream, text in [("stdout", "one\n"), ("stderr", "oops\n"), ("stdout", "two\n")]:
        log.append(stream, text)
    assert log.page(0, max_characters=PLENTY) == OutputPage(
        (OutputEntry(0, "stdout", "one\n"), OutputEntry(4, "stderr", "oops\n"), OutputEntry(9, "stdout", "two\n")), 13
    )


def test_small_writes_to_one_stream_become_one_entry() -> None:
    log = OutputLog(PLENTY)
    for letter in "hello":
        log.append("stdout", letter)
    assert log.page(0, max_characters=PLENTY).entries == (OutputEntry(0, "stdout", "hello"),)


def test_nothing_is_no_entry() -> None:
    log = OutputLog(PLENTY)
    log.append("stdout", "")
    assert log.page(0, max_characters=PLENTY) == OutputPage((), 0)


def test_a_cursor_inside_an_entry_brings_the_rest_of_it() -> None:
    log = OutputLog(PLENTY)
    log.append("stdout", "hello")
    assert log.page(3, max_characters=PLENTY).entries == (OutputEntry(3, "stdout", "lo"),)


def test_a_cursor_beyond_the_end_brings_nothing_and_the_end() -> None:
    log = OutputLog(PLENTY)
    log.append("stdout", "hello")
    assert log.page(99, max_characters=PLENTY) == OutputPage((), 5, since=99)


def test_a_page_tells_how_much_is_behind_it() -> None:
    log = OutputLog(PLENTY)
    log.append("stdout", "hello")
    log.append("stderr", "you")
    assert log.page(1, max_characters=2) == OutputPage(
        (OutputEntry(1, "stdout", "el"),), 3, since=1, remaining_characters=5
    )
    assert log.page(3, max_characters=PLENTY).remaining_characters == 0


def test_one_stream_alone_can_be_read() -> None:
    log = OutputLog(PLENTY)
    log.append("stdout", "one")
    log.append("stderr", "oops")
    log.append("stdout", "two")
    assert texts(log.page(0, max_characters=PLENTY, stream="stderr")) == "oops"
    assert texts(log.tail(0, max_characters=2, stream="stdout")) == "wo"


def test_only_the_end_is_kept_and_what_is_missing_is_counted() -> None:
    log = OutputLog(10)
    log.append("stdout", "0123456789")
    log.append("stderr", "abc")
    assert log.page(0, max_characters=PLENTY) == OutputPage(
        (OutputEntry(3, "stdout", "3456789"), OutputEntry(10, "stderr", "abc")), 13, omitted_characters=3
    )
    assert log.page(5, max_characters=PLENTY).omitted_characters == 0


def test_one_write_that_is_too_large_keeps_its_end() -> None:
    log = OutputLog(10)
    log.append("stdout", "x" * 1000 + "the end")
    page = log.page(0, max_characters=PLENTY)
    assert texts(page) == "xxxthe end"
    assert page.omitted_characters == 997


def test_a_tail_keeps_the_end_and_counts_the_rest() -> None:
    log = OutputLog(PLENTY)
    log.append("stdout", "one")
    log.append("stderr", "two")
    assert log.tail(1, max_characters=4) == OutputPage(
        (OutputEntry(2, "stdout", "e"), OutputEntry(3, "stderr", "two")), 6, omitted_characters=1, since=1
    )


def test_a_tail_of_each_stream_lets_none_be_crowded_out() -> None:
    log = OutputLog(PLENTY)
    log.append("log", "here\n")
    log.append("stdout", "chatter\n" * 100)
    log.append("log", "there\n")
    page = log.tail_of_each(0, max_characters=16)
    assert page.entries == (
        OutputEntry(0, "log", "here\n"),
        OutputEntry(789, "stdout", "chatter\n" * 2),
        OutputEntry(805, "log", "there\n"),
    )
    assert (page.cursor, page.omitted_characters) == (811, 784)


@given(
    st.lists(st.tuples(st.sampled_from(["stdout", "stderr"]), st.text(max_size=9)), max_size=30),
    st.integers(1, 50),
    st.integers(1, 10),
)
def test_pages_together_are_what_is_kept(writes: list[tuple[str, str]], kept: int, page_size: int) -> None:
    """Property: read page by page from the start, the output is the end of everything that was written."""
    log = OutputLog(kept)
    for stream, text in writes:
        log.append(stream, text)
    written = "".join(text for _, text in writes)
    first = log.page(0, max_characters=page_size)
    read, cursor = texts(first), first.cursor
    while cursor < log.end:
        page = log.page(cursor, max_characters=page_size)
        assert page.omitted_characters == 0
        assert len(texts(page)) <= page_size
        read, cursor = read + texts(page), page.cursor
    assert read == written[-kept:]
    assert first.omitted_characters == len(written) - len(read)


@given(st.lists(st.text(max_size=9), max_size=30), st.integers(0, 50), st.integers(1, 60))
def test_a_tail_and_what_it_omits_are_everything(writes: list[str], since: int, room: int) -> None:
    """Property: a tail is the end of what there is, and the rest is counted."""
    log = OutputLog(PLENTY)
    for text in writes:
        log.append("stdout", text)
    wanted = "".join(writes)[since:]
    page = log.tail(since, max_characters=room)
    assert texts(page) == wanted[-room:]
    assert page.omitted_characters == len(wanted) - len(texts(page))
