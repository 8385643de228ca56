from __future__ import annotations

import pytest

from server.debug.hit_condition import HitCondition
from server.errors import InvalidArgumentsError


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("5", [5]),
        ("==5", [5]),
        (" == 5 ", [5]),
        (">=10", [10, 11, 12]),
        (">10", [11, 12]),
        (">0", list(range(1, 13))),
        (">=0", list(range(1, 13))),
        ("<3", [1, 2]),
        ("<=3", [1, 2, 3]),
        ("%5", [5, 10]),
        ("%1", list(range(1, 13))),
    ],
)
def test_the_passes_that_count(text: str, passes: list[int]) -> None:
    condition = HitCondition.parse(text)
    assert [number for number in range(1, 13) if condition.admits(number)] == passes


@pytest.mark.parametrize("text", ["", "often", "5 times", "=5", "!=5", "-5", "1.5", ">=", "%", "5%", "9" * 16])
def test_text_that_is_none_is_refused_with_the_forms(text: str) -> None:
    with pytest.raises(InvalidArgumentsError) as refusal:
        HitCondition.parse(text)
    assert "%10" in (refusal.value.advice or "")


@pytest.mark.parametrize("text", ["0", "==0", "<1", "<=0", "%0", "<0"])
def test_one_that_no_pass_meets_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgumentsError, match="No pass"):
        HitCondition.parse(text)
