from __future__ import annotations

from collections.abc import Sequence

import pytest

from server.debug.breakpoint_place import find_place, lines_with
from server.debug.model import SourceLine
from server.debug.session_model import FunctionSearch
from server.debug.session_requests import BreakpointRequest
from server.errors import InvalidArgumentsError

FILE = "/app/cart.js"
LINES = (
    "function total(items) {",
    "  let sum = 0;",
    "  for (const item of items) {",
    "\tsum  +=  item.price;",
    "  }",
    "  return sum;",
    "}",
)


def read_lines(file: str) -> Sequence[str]:
    if file != FILE:
        raise InvalidArgumentsError(f"{file} cannot be read.")
    return LINES


def place(*functions: SourceLine, **wanted: str | int) -> SourceLine:
    request = BreakpointRequest(**wanted)  # type: ignore[arg-type]
    return find_place(request, read_lines, lambda _name, _file: FunctionSearch(functions))


def refusal(*functions: SourceLine, **wanted: str | int) -> InvalidArgumentsError:
    with pytest.raises(InvalidArgumentsError) as refused:
        place(*functions, **wanted)
    return refused.value


def test_a_line_is_taken_as_it_is() -> None:
    assert place(file=FILE, line=3) == SourceLine(FILE, 3)


def test_a_line_of_a_file_that_nobody_has_is_taken_too() -> None:
    assert place(file="/app/later.js", line=3) == SourceLine("/app/later.js", 3)


@pytest.mark.parametrize("text", ["sum += item.price", "sum\t+=   item.price;", "sum+=item.price"])
def test_white_space_does_not_matter(text: str) -> None:
    assert place(file=FILE, text=text) == SourceLine(FILE, 4)


def test_white_space_that_fits_is_preferred() -> None:
    assert lines_with("a b", ["ab", "a b", "a  b"]) == [2, 3]


def test_a_text_of_several_lines_lists_them() -> None:
    refused = refusal(file=FILE, text="sum")
    assert [candidate["line"] for candidate in refused.details["candidates"]] == [2, 4, 6]
    assert "return sum;" not in refused.message


def test_the_nearest_line_with_the_text_is_taken() -> None:
    assert place(file=FILE, text="sum", line=5) == SourceLine(FILE, 4)
    assert place(file=FILE, text="sum", line=1) == SourceLine(FILE, 2)


def test_a_text_of_no_line_lists_those_that_are_like_it() -> None:
    refused = refusal(file=FILE, text="sum += items.price;")
    assert refused.details["candidates"] == [{"line": 4, "text": "sum  +=  item.price;"}]


def test_a_text_of_no_line_and_like_none_lists_nothing() -> None:
    refused = refusal(file=FILE, text="zzzzzzzzzzzzzzzzzzzzzzz")
    assert refused.details["candidates"] == []


def test_very_many_lines_are_counted_and_the_first_told() -> None:
    lines = ["x = 1"] * 50
    with pytest.raises(InvalidArgumentsError) as refused:
        find_place(BreakpointRequest(file=FILE, text="x"), lambda _file: lines, lambda _name, _file: FunctionSearch())
    assert len(refused.value.details["candidates"]) == 10
    assert refused.value.details["candidates_total"] == 50


def test_a_function_is_where_it_begins() -> None:
    assert place(SourceLine(FILE, 2), function="total") == SourceLine(FILE, 2)


def test_several_functions_are_listed() -> None:
    refused = refusal(SourceLine(FILE, 2), SourceLine("/app/gone.js", 7), function="total")
    assert refused.details["candidates"] == [
        {"file": FILE, "line": 2, "text": "let sum = 0;"},
        {"file": "/app/gone.js", "line": 7, "text": ""},
    ]


def test_a_function_that_two_scripts_of_one_file_have_is_one() -> None:
    assert place(SourceLine(FILE, 2), SourceLine(FILE, 2), function="total") == SourceLine(FILE, 2)


@pytest.mark.parametrize(
    "wanted",
    [{}, {"line": 3}, {"text": "sum"}, {"file": FILE}, {"file": FILE, "line": 0}, {"file": FILE, "text": "  "}],
    ids=str,
)
def test_what_names_no_place_is_refused(wanted: dict[str, str | int]) -> None:
    refusal(**wanted)


def test_a_function_that_is_nowhere_is_refused_with_another_way() -> None:
    assert "text" in (refusal(function="total").advice or "")
