"""JavaScript values of all kinds: the expression that makes one, and what has to be seen of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

CLASSES: Final = """\
class Point { constructor(x, y) { this.x = x; this.y = y; } }
class Basket extends Map {}
"""
"""To stand in the program in which they are made."""


@dataclass(frozen=True)
class Made:
    """A value, its type, and what is inside it by name; nothing is told of the inside of some."""

    js: str
    type: str
    subtype: str | None = None
    inside: Mapping[str, Made] | None = None

    def __repr__(self) -> str:
        return self.js


_leaves: Final = st.sampled_from(
    [
        Made("17", "number"),
        Made("NaN", "number"),
        Made("'text'", "string"),
        Made("true", "boolean"),
        Made("null", "object", "null"),
        Made("undefined", "undefined"),
        Made("12n", "bigint"),
        Made("Symbol('mark')", "symbol"),
        Made("(a) => a", "function"),
        Made("class Local {}", "function", "class"),
        Made("new Date(0)", "object", "date"),
        Made("/a+/g", "object", "regexp"),
        Made("new RangeError('far')", "object", "error"),
        Made("new WeakMap()", "object", "weakmap"),
        Made("Promise.resolve(1)", "object", "promise"),
    ]
)
_names: Final = st.text("abcxyz_", min_size=1, max_size=4)


def _array(elements: list[Made]) -> Made:
    inside = {str(index): one for index, one in enumerate(elements)}
    return Made(f"[{', '.join(one.js for one in elements)}]", "object", "array", inside)


def _object(properties: dict[str, Made]) -> Made:
    text = ", ".join(f"{json.dumps(name)}: {one.js}" for name, one in properties.items())
    return Made(f"({{{text}}})", "object", None, properties)


def _point(x: Made, y: Made) -> Made:
    return Made(f"new Point({x.js}, {y.js})", "object", "Point", {"x": x, "y": y})


def _map(maker: str, entries: dict[str, Made]) -> Made:
    text = ", ".join(f"[{json.dumps(key)}, {one.js}]" for key, one in entries.items())
    inside = {json.dumps(key): one for key, one in entries.items()}
    return Made(f"new {maker}([{text}])", "object", "map", inside)


def _set(numbers: list[int]) -> Made:
    inside = {str(index): Made(str(number), "number") for index, number in enumerate(numbers)}
    return Made(f"new Set({numbers})", "object", "set", inside)


def _bytes(numbers: list[int]) -> Made:
    inside = {str(index): Made(str(number), "number") for index, number in enumerate(numbers)}
    return Made(f"new Uint8Array({numbers})", "object", "typedarray", inside)


_few_numbers: Final = st.lists(st.integers(0, 255), unique=True, max_size=4)

containers: Final[st.SearchStrategy[Made]] = st.recursive(
    _leaves | _few_numbers.map(_set) | _few_numbers.map(_bytes),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=4).map(_array)
        | st.dictionaries(_names, inner, min_size=1, max_size=4).map(_object)
        | st.builds(_point, inner, inner)
        | st.builds(_map, st.sampled_from(["Map", "Basket"]), st.dictionaries(_names, inner, min_size=1, max_size=3))
    ),
    max_leaves=10,
).filter(lambda made: made.inside is not None)
"""Values that have others inside."""
