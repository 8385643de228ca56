"""Finding what node says of its inspector among what the program writes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.cdp.announcement import AnnouncementReader, Listening, NotListening, without_inspector_chatter
from tests.fake_inspector import FakeInspector
from tests.nodes import NODE

URL = "ws://127.0.0.1:40001/5f0c8d6e-0000-4000-8000-000000000000"
LISTENING = f"Debugger listening on {URL}\nFor help, see: https://nodejs.org/en/docs/inspector\n".encode()


def read(*chunks: bytes) -> Listening | NotListening | None:
    """What a reader finds first."""
    reader = AnnouncementReader()
    return next((found for chunk in chunks if (found := reader.feed(chunk)) is not None), None)


def test_url_is_found() -> None:
    assert read(LISTENING) == Listening(URL)


@given(st.lists(st.integers(0, len(LISTENING) + 9), max_size=10).map(sorted))
def test_url_is_found_however_the_bytes_are_cut(cuts: list[int]) -> None:
    data = b"warning:\n" + LISTENING
    chunks = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    assert read(*chunks) == Listening(URL)


def test_line_that_is_not_whole_yet_is_not_believed() -> None:
    assert read(b"Debugger listening on ws://127.0.0.1:40001/5f0c") is None


@pytest.mark.parametrize(
    "before",
    [b"(node:12) ExperimentalWarning: x\n", b"\xff\xfe not UTF-8\n", b"\n\n", b"x" * 200_000 + b"\n", "é\n".encode()],
)
def test_other_output_before_it_does_no_harm(before: bytes) -> None:
    assert read(before, LISTENING) == Listening(URL)
    assert read(before + LISTENING) == Listening(URL)


def test_line_ends_of_windows_are_line_ends() -> None:
    assert read(LISTENING.replace(b"\n", b"\r\n")) == Listening(URL)


@pytest.mark.parametrize(
    "text",
    [
        b"the Debugger listening on ws://127.0.0.1:1/x\n",
        b"Debugger listening on ws://127.0.0.1:1/x, so they say\n",
        b"Debugger listening on http://127.0.0.1:1/x\n",
        b"Debugger listening on \n",
    ],
)
def test_line_that_only_speaks_of_it_is_no_announcement(text: bytes) -> None:
    assert read(text) is None


def test_endless_line_takes_bounded_memory() -> None:
    reader = AnnouncementReader()
    for _ in range(100):
        assert reader.feed(b"x" * 100_000) is None
    assert reader.feed(b"\n" + LISTENING) == Listening(URL)


def test_reason_why_there_is_no_inspector_is_found() -> None:
    said = b"Starting inspector on 127.0.0.1:9229 failed: address already in use\n"
    assert read(said) == NotListening("127.0.0.1:9229", "address already in use")


@pytest.mark.matrix
def test_node_whose_port_is_taken_says_so_and_runs_undebugged(tmp_path: Path) -> None:
    program = tmp_path / "app.js"
    program.write_text("console.log('ran')")
    with FakeInspector() as somebody_else:
        command = [NODE, f"--inspect-brk={somebody_else.port}", str(program)]
        ran = subprocess.run(command, check=True, capture_output=True)
    assert ran.stdout == b"ran\n"
    assert read(ran.stderr) == NotListening(f"127.0.0.1:{somebody_else.port}", "address already in use")


def test_what_node_says_of_the_inspector_is_taken_out_and_nothing_else() -> None:
    stderr = (
        f"before\nDebugger listening on {URL}\nFor help, see: https://nodejs.org/en/docs/inspector\n"
        "Debugger attached.\nthe program's own\nDebugger attached. Or so it writes.\n"
        f"Waiting for the debugger to disconnect...\nDebugger ending on {URL}\n"
        "For help, see: https://nodejs.org/learn/getting-started/debugging\r\nafter"
    )
    assert without_inspector_chatter(stderr) == "before\nthe program's own\nDebugger attached. Or so it writes.\nafter"


def test_last_line_without_a_line_end_is_taken_out_too() -> None:
    assert without_inspector_chatter("own\nWaiting for the debugger to disconnect...") == "own\n"
