"""The text of a program's streams, however its bytes are cut."""

from __future__ import annotations

import pytest

from server.cdp.program_output import ProgramOutput
from server.process.process_events import OutputChunk, Stream

LISTENING = "Debugger listening on ws://127.0.0.1:34567/0f2c7d6e-1111-2222-3333-444455556666\n"
HELP = "For help, see: https://nodejs.org/en/docs/inspector\n"
ATTACHED = "Debugger attached.\n"
WAITING = "Waiting for the debugger to disconnect...\n"


def text_of(stream: Stream, *pieces: bytes) -> str:
    output = ProgramOutput()
    wrote = [one for piece in pieces for one in output.take(OutputChunk(stream, piece))]
    wrote += list(output.end())
    assert all(one.stream == stream and one.text for one in wrote)
    return "".join(one.text for one in wrote)


def cut(text: str, size: int) -> list[bytes]:
    data = text.encode()
    return [data[at : at + size] for at in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_characters_are_whole_however_the_bytes_are_cut(size: int) -> None:
    text = "aä€😀\nlast"
    assert text_of("stdout", *cut(text, size)) == text
    assert text_of("stderr", *cut(text, size)) == text


def test_character_that_never_comes_whole_is_marked() -> None:
    assert text_of("stdout", "ä".encode()[:1]) == "\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize("size", [1, 5, 64, 1000])
def test_what_node_says_of_its_inspector_is_left_out(size: int) -> None:
    said = LISTENING + HELP + ATTACHED + "own\n" + WAITING
    assert text_of("stderr", *cut(said, size)) == "own\n"


def test_standard_output_may_say_what_it_likes() -> None:
    assert text_of("stdout", ATTACHED.encode()) == ATTACHED


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_lines_that_only_begin_like_nodes_are_the_programs(size: int) -> None:
    text = "Debugger attached, almost\nFor help, ask\nDebug"
    assert text_of("stderr", *cut(text, size)) == text


def test_text_that_cannot_be_nodes_is_not_held_back() -> None:
    output = ProgramOutput()
    assert [one.text for one in output.take(OutputChunk("stderr", b"prompt> "))] == ["prompt> "]
    assert [one.text for one in output.take(OutputChunk("stderr", b"Debugger attached.\n"))] == ["Debugger attached.\n"]


def test_nodes_last_words_are_left_out_behind_a_line_without_an_end() -> None:
    assert text_of("stderr", b"no end", WAITING.encode()) == "no end"
