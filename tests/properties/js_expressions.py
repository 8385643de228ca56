"""JavaScript expressions as a person might ask for them, some of which throw."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

_atoms: Final = st.sampled_from(
    [
        "0",
        "-1",
        "2.5",
        "1e21",
        "NaN",
        "7n",
        "'a'",
        "''",
        "'17'",
        "null",
        "undefined",
        "true",
        "scale",
        "numbers",
        "person",
        "person.name",
        "person.age",
        "person.address.city",
        "missing",
        "this",
    ]
)
_SIGNS: Final = ("+", "-", "*", "/", "%", "<", ">=", "==", "===", "!=", "&&", "||", "??", "&", "|", "^", ",")
_WORDS: Final = ("in", "instanceof")
_signs: Final = st.sampled_from(_SIGNS + _WORDS)
_prefixes: Final = st.sampled_from(["-", "!", "~", "typeof ", "void "])
_forms: Final = st.sampled_from(
    [
        "[{0}, {1}]",
        "({{left: {0}, right: {1}}})",
        "({0} ? {1} : {0})",
        "numbers.map((each) => [each, {0}])",
        "numbers.find((each) => each > {0})",
        "numbers[{0}]",
        "person[{0}]",
        "({0})?.length",
        "({0}).length",
        "String({0})",
        "JSON.stringify([{0}, {1}])",
        "Math.max({0}, {1})",
        "`<${{{0}}}>`",
        "new Map([[{0}, {1}]])",
        "[...numbers, {0}].length",
        "({0})()",
        "((value) => [value, {1}])({0})",
    ]
)


def _joined(sign: str, left: str, right: str) -> str:
    return f"(({left}) {sign} ({right}))"


def _prefixed(sign: str, operand: str) -> str:
    return f"{sign}({operand})"


def _formed(form: str, first: str, second: str) -> str:
    return form.format(first, second)


expressions: Final[st.SearchStrategy[str]] = st.recursive(
    _atoms,
    lambda inner: (
        st.builds(_joined, _signs, inner, inner)
        | st.builds(_prefixed, _prefixes, inner)
        | st.builds(_formed, _forms, inner, inner)
    ),
    max_leaves=6,
)
