from hypothesis import given
from hypothesis import strategies as st

from server.process.output_tail import OutputTail


def tail_of(max_bytes: int, chunks: list[bytes]) -> str:
    tail = OutputTail(max_bytes)
    for chunk in chunks:
        tail.add(chunk)
    return tail.text()


@given(st.integers(1, 50), st.lists(st.text(st.characters(codec="ascii"), max_size=30).map(str.encode)))
def test_the_text_is_the_end_of_everything_however_it_was_cut(max_bytes: int, chunks: list[bytes]) -> None:
    assert tail_of(max_bytes, chunks) == b"".join(chunks)[-max_bytes:].decode()


def test_nothing_written_is_an_empty_text() -> None:
    assert tail_of(10, []) == ""


def test_a_character_that_came_in_two_chunks_is_whole() -> None:
    first, second = "é".encode()[:1], "é".encode()[1:]
    assert tail_of(10, [b"caf" + first, second]) == "café"


def test_a_character_cut_at_the_beginning_becomes_a_mark() -> None:
    assert tail_of(3, ["éab".encode()]) == "\ufffdab"
    assert tail_of(3, ["aéb".encode()]) == "éb"


def test_bytes_that_are_no_text_become_marks() -> None:
    assert tail_of(10, [b"\xff\xfe!"]) == "\ufffd\ufffd!"


def test_memory_stays_bounded_while_megabytes_pass() -> None:
    tail = OutputTail(1000)
    for _ in range(10_000):
        tail.add(b"x" * 999)
        assert len(tail._bytes) <= 2000
