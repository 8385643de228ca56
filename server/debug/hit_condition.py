"""At which of many passes a breakpoint counts: `5`, `==5`, `>=5`, `>5`, `<5`, `<=5`, `%10`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, cast, get_args

from server.errors import InvalidArgumentsError

Operator = Literal["==", ">=", ">", "<", "<=", "%"]

_FORM: Final = re.compile(rf"\s*({'|'.join(sorted(get_args(Operator), key=len, reverse=True))})?\s*(\d{{1,15}})\s*")
_ADMITS: Final[Mapping[Operator, Callable[[int, int], bool]]] = {
    "==": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
    "<": operator.lt,
    "<=": operator.le,
    "%": lambda passes, number: passes % number == 0,
}


@dataclass(frozen=True, slots=True)
class HitCondition:
    """A comparison of how often a place was passed, the present pass included, with a number."""

    operator: Operator
    number: int

    @staticmethod
    def parse(text: str) -> HitCondition:
        """Read one; a plain number means that pass alone. Raises `InvalidArgumentsError`."""
        form = _FORM.fullmatch(text)
        if form is None:
            raise InvalidArgumentsError(
                f"{text!r} is no hit condition.",
                advice="Write 5 (the fifth pass alone), >=5, >5, <5, <=5 or %10 (every tenth pass).",
            )
        condition = HitCondition(cast("Operator", form[1] or "=="), int(form[2]))
        if not condition._can_be_met:
            raise InvalidArgumentsError(f"No pass meets the hit condition {text!r}: the first pass is number 1.")
        return condition

    def admits(self, passes: int) -> bool:
        """Whether the pass with this number counts; the first one has number 1."""
        return _ADMITS[self.operator](passes, self.number)

    @property
    def _can_be_met(self) -> bool:
        if self.operator == "<":
            return self.number > 1
        return self.number > 0 or self.operator in (">", ">=")
