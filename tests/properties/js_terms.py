"""JavaScript expressions about a row of `SCALES`, each with what it has to be."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

from tests.properties.endless import ROWS


@dataclass(frozen=True)
class Term:
    """An expression, and its value by the index of a row."""

    js: str
    of: Callable[[int], Any]

    def __repr__(self) -> str:
        return self.js


# Where Python and JavaScript agree: `==` has true equal 1 in both, `&&` and `||` give one of their operands.
_OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "&&": lambda left, right: left and right,
    "||": lambda left, right: left or right,
}
_ATOMS: Final = (
    Term("index", lambda index: index),
    Term("row.count", lambda index: ROWS[index][0]),
    Term("row.price", lambda index: ROWS[index][1]),
)


def _joined(sign: str, left: Term, right: Term) -> Term:
    return Term(f"({left.js} {sign} {right.js})", lambda index: _OPERATORS[sign](left.of(index), right.of(index)))


def _constant(number: int) -> Term:
    return Term(f"({number})", lambda _: number)


terms: Final[st.SearchStrategy[Term]] = st.recursive(
    st.sampled_from(_ATOMS) | st.integers(-3, 12).map(_constant),
    lambda inner: st.builds(_joined, st.sampled_from(sorted(_OPERATORS)), inner, inner),
    max_leaves=6,
)
