from __future__ import annotations

import pytest

from server.debug.line_names import line_to_names


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("return limit + item.price;", ("return", "limit", "item")),
        ("total = total + rate", ("total", "rate")),
        ("show(...rest, this.#hidden)", ("show", "rest", "this")),
        ("say('limit', \"rate\") // total", ("say",)),
        ("log(`${rate} of`)", ("log", "rate", "of")),
        ("$scope._x = größe1", ("$scope", "größe1")),
        ("x = 1e5 + 0xff", ("x",)),
        ("", ()),
    ],
)
def test_names_of_a_line_are_its_variables_and_words(line: str, names: tuple[str, ...]) -> None:
    assert line_to_names(line) == names


def test_line_that_a_tool_has_made_has_no_names() -> None:
    assert line_to_names("a+" * 300) == ()


def test_names_are_bounded() -> None:
    assert len(line_to_names(" ".join(f"n{number}" for number in range(50)))) == 20
