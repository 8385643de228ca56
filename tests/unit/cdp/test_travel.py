"""How a step goes on from wherever it lands: no program is needed to tell."""

from __future__ import annotations

import pytest

from server.cdp.code_origin import CodeOrigin, url_to_origin
from server.cdp.travel import Move, PauseTravel, Stand, Travel
from server.debug.session_model import StepKind

OWN, PACKAGE, NODE = CodeOrigin.OWN, CodeOrigin.PACKAGE, CodeOrigin.RUNTIME
OVER, INTO, OUT = StepKind.OVER, StepKind.INTO, StepKind.OUT


def stand(*origins: CodeOrigin, line: int = 1, functions: tuple[str, ...] = ()) -> Stand:
    """A stack, innermost first; its functions are told apart by their place counted from the outermost."""
    names = functions or tuple(f"f{depth}" for depth in range(len(origins), 0, -1))
    return Stand(origins, tuple((name,) for name in names), "1", line)


def travel(kind: StepKind, start: Stand, *, into_internals: bool = False, skip_packages: bool = True) -> Travel:
    return Travel(kind, start, into_internals=into_internals, skip_packages=skip_packages)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("file:///app/src/cart.js", OWN),
        ("/app/src/cart.ts", OWN),
        ("[eval]", OWN),
        ("", OWN),
        ("file:///app/node_modules/express/index.js", PACKAGE),
        ("node:internal/timers", NODE),
        ("node:fs", NODE),
        ("[eval]-wrapper", NODE),
    ],
)
def test_origin_of_code_is_seen_in_its_url(url: str, origin: CodeOrigin) -> None:
    assert url_to_origin(url) is origin


@pytest.mark.parametrize("kind", list(StepKind))
def test_step_ends_in_own_code(kind: StepKind) -> None:
    assert travel(kind, stand(OWN)).at_pause(stand(OWN, line=2)) is None


@pytest.mark.parametrize("kind", [OVER, OUT])
def test_step_that_returns_to_node_goes_back_to_own_code_below(kind: StepKind) -> None:
    assert travel(kind, stand(OWN, NODE, OWN)).at_pause(stand(NODE, OWN)) is Move.BACK


@pytest.mark.parametrize("kind", list(StepKind))
def test_step_that_returns_to_node_alone_looks_for_the_next_own_code(kind: StepKind) -> None:
    assert travel(kind, stand(OWN, NODE)).at_pause(stand(NODE)) is Move.INTO


def test_step_into_node_looks_a_while_for_own_code_and_then_goes_back() -> None:
    step = travel(INTO, stand(OWN))
    moves = [step.at_pause(stand(NODE, OWN)) for _ in range(40)]
    assert moves[0] is Move.INTO
    assert moves[-1] is Move.BACK
    assert set(moves) == {Move.INTO, Move.BACK}


def test_program_whose_own_code_does_not_come_is_let_go_at_last() -> None:
    step = travel(OVER, stand(OWN, NODE))
    for _ in range(10_000):
        assert step.at_pause(stand(NODE)) is Move.INTO
    assert step.at_pause(stand(NODE)) is Move.ON


def test_step_ends_in_a_package_only_where_packages_are_not_skipped() -> None:
    assert travel(INTO, stand(OWN), skip_packages=False).at_pause(stand(PACKAGE, OWN)) is None
    assert travel(OVER, stand(OWN)).at_pause(stand(PACKAGE, OWN)) is Move.BACK


def test_step_into_internals_ends_anywhere() -> None:
    assert travel(INTO, stand(OWN), into_internals=True).at_pause(stand(NODE, OWN)) is None


def test_step_over_that_is_interrupted_deeper_comes_back_and_finishes_its_line() -> None:
    step = travel(OVER, stand(OWN, OWN, line=5))
    assert step.after_interruption(stand(OWN, OWN, OWN, line=9)) is Move.BACK
    assert step.landing_frames(stand(OWN, OWN, OWN, line=9)) == [1, 2]
    assert step.at_pause(stand(OWN, OWN, line=5)) is Move.OVER
    assert step.at_pause(stand(OWN, OWN, line=6)) is None


def test_step_out_that_is_interrupted_deeper_comes_back_to_the_caller() -> None:
    step = travel(OUT, stand(OWN, OWN, line=5))
    assert step.after_interruption(stand(OWN, OWN, OWN, line=9)) is Move.BACK
    assert step.landing_frames(stand(OWN, OWN, OWN, line=9)) == [2]
    assert step.at_pause(stand(OWN, line=7)) is None


def test_step_that_is_interrupted_in_its_own_frame_begins_again() -> None:
    assert travel(OVER, stand(OWN, OWN)).after_interruption(stand(OWN, OWN, line=2)) is Move.OVER
    assert travel(OUT, stand(OWN, OWN)).after_interruption(stand(OWN, OWN, line=2)) is Move.OUT


def test_step_that_is_interrupted_by_other_code_is_given_up() -> None:
    step = travel(OVER, stand(OWN, NODE, functions=("waits", "tick")))
    assert step.after_interruption(stand(OWN, OWN, NODE, functions=("a", "b", "other"))) is Move.ON


def test_frames_of_node_are_no_place_to_land() -> None:
    step = travel(OUT, stand(OWN, NODE, OWN))
    assert step.landing_frames(stand(NODE, OWN)) == [1]


def test_step_into_tells_when_it_entered_nothing() -> None:
    step = travel(INTO, stand(OWN, OWN, line=5))
    assert step.has_entered_nothing(stand(OWN, OWN, line=6))
    assert not step.has_entered_nothing(stand(OWN, OWN, OWN, line=1))
    assert not travel(OVER, stand(OWN)).has_entered_nothing(stand(OWN, line=2))
    assert not travel(INTO, stand(OWN), into_internals=True).has_entered_nothing(stand(OWN, line=2))


def test_pause_is_where_anything_but_node_is_at_work() -> None:
    assert PauseTravel().at_pause(stand(NODE)) is Move.INTO
    assert PauseTravel().at_pause(stand(NODE, OWN)) is None
    assert PauseTravel().at_pause(stand(PACKAGE)) is None
    assert PauseTravel().after_interruption(stand(OWN)) is Move.INTO
