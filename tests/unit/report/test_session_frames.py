"""The stack of a stop: which frames are told first, and how they read in one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.debug.session_model import Frame, Position
from server.report.session_frames import own_frames_first, stack_to_text
from tests.unit.report.stopped_program import FILE, INTERNAL, MAIN, PACKAGE, TOP_LEVEL, TOTAL


def in_package(file: str) -> Frame:
    return replace(PACKAGE, position=Position(file, 1, 1))


def test_frames_are_in_the_order_of_the_stack_and_what_is_between_own_ones_is_counted() -> None:
    assert stack_to_text((TOTAL, PACKAGE, PACKAGE, MAIN, TOP_LEVEL, INTERNAL), 8, "/app") == (
        "f0 total src/cart.js:12 | … 2 in node_modules/each | f2 main src/cart.js:30 | f3 (anonymous) index.js:3"
        " | … 1 in the runtime"
    )


def test_the_innermost_frame_comes_first_whosever_it_is() -> None:
    assert stack_to_text((PACKAGE, MAIN), 8, "/app") == "f1 each node_modules/each/index.js:7 | f2 main src/cart.js:30"
    assert stack_to_text((INTERNAL, INTERNAL, MAIN), 8, "/app") == (
        "f4 Module._compile node:internal/modules/cjs/loader:1554 | … 1 in the runtime | f2 main src/cart.js:30"
    )


def test_of_many_own_frames_the_nearest_are_told_and_the_rest_counted() -> None:
    frames = tuple(Frame(f"f{n}", f"call{n}", Position(FILE, n, 1)) for n in range(50))
    text = stack_to_text(frames, 8, "/app")
    assert text.count(" | ") == 8
    assert text.endswith("f7 call7 src/cart.js:7 | … 42 more: get_call_stack")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (["/app/node_modules/tape/lib/test.js"], "… 1 in node_modules/tape"),
        (["/app/node_modules/@scope/name/a.js"], "… 1 in node_modules/@scope/name"),
        (["/app/node_modules/.pnpm/a@1/node_modules/a/i.js"], "… 1 in node_modules/a"),
        (["/usr/lib/other.py"], "… 1 in packages"),
        (["/app/node_modules/a/1.js", "/app/node_modules/b/1.js"], "… 2 in node_modules/a, node_modules/b"),
        (
            [f"/app/node_modules/{name}/1.js" for name in "abcd"],
            "… 4 in node_modules/a, node_modules/b, node_modules/c and others",
        ),
    ],
)
def test_frames_that_are_left_out_are_told_by_whose_they_are(files: list[str], words: str) -> None:
    assert stack_to_text((TOTAL, *map(in_package, files)), 8, None).split(" | ")[1] == words


def test_files_outside_of_the_directory_are_named_whole_unless_they_are_beside_the_innermost() -> None:
    for directory in ("/elsewhere", None):
        assert stack_to_text((TOTAL, MAIN, TOP_LEVEL), 8, directory) == (
            "f0 total cart.js:12 | f2 main cart.js:30 | f3 (anonymous) /app/index.js:3"
        )


def test_own_code_comes_first_in_the_structure_and_the_runtime_is_left_out() -> None:
    assert own_frames_first((TOTAL, PACKAGE, INTERNAL, MAIN)) == [TOTAL, MAIN, PACKAGE]
    assert own_frames_first((INTERNAL, PACKAGE, MAIN, INTERNAL)) == [MAIN, INTERNAL, PACKAGE]
