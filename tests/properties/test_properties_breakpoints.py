"""What holds for every breakpoint of a session, in a real program."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.debug.session_model import BreakpointSpec
from server.debug.session_requests import (
    BreakpointRequest,
    ListBreakpoints,
    RemoveBreakpoint,
    SetBreakpoint,
    ToggleBreakpoint,
)
from tests.properties.conftest import StartEndless
from tests.properties.endless import LINE, ROWS, SCALES, STATIONS, Endless, holds
from tests.properties.js_terms import Term, terms

pytestmark = pytest.mark.matrix

LINES: Final = LINE.count("\n") + 1
places: Final[st.SearchStrategy[dict[str, Any]]] = st.builds(
    dict,
    line=st.integers(1, LINES + 3),
    condition=st.none() | st.sampled_from(["turn % 2 === 0", "stations.length"]),
    hit_condition=st.none() | st.sampled_from(["3", ">=2", "%5"]),
    log_message=st.none() | st.just("at {turn}"),
)


@pytest.fixture(scope="module")
def scales(start_endless: StartEndless) -> Endless:
    return start_endless(SCALES)


@pytest.fixture(scope="module")
def line(start_endless: StartEndless) -> Endless:
    return start_endless(LINE)


@holds
@given(wanted=st.lists(places, min_size=1, max_size=4))
def test_a_breakpoint_that_is_set_is_listed_with_its_place(line: Endless, wanted: list[dict[str, Any]]) -> None:
    """Breakpoint set -> listed with its place: all that are set are listed in order, each as its setting told."""
    followed = line.begin_turn()
    file = str(followed.program.path)
    text = LINE.split("\n")  # the end of the file is a place too: a module stops there before it is left
    placed = [followed.ask(SetBreakpoint(BreakpointRequest(file=file, **one))) for one in wanted]
    assert followed.ask(ListBreakpoints()) == tuple(placed)
    for one, breakpoint_ in zip(wanted, placed, strict=True):
        spec = breakpoint_.spec
        assert _terms_of(spec) == one
        assert spec.place.file == file
        position = breakpoint_.binding.position
        if position is None:
            assert spec.place.line > LINES
            assert breakpoint_.binding.message
            continue
        assert position.file == file
        assert (position.line == spec.place.line) or breakpoint_.binding.message
        assert position.line == LINES or re.match(r"\s*[^\s/]", text[position.line - 1])
        current = [(shown.line, shown.text) for shown in breakpoint_.source if shown.is_current]
        assert current == [(position.line, text[position.line - 1])]


def _terms_of(spec: BreakpointSpec) -> dict[str, object]:
    return {
        "line": spec.place.line,
        "condition": spec.condition,
        "hit_condition": spec.hit_condition,
        "log_message": spec.log_message,
    }


@holds
@given(condition=terms, mark=st.sampled_from(["mass", "heavy", "weighed", "add"]))
def test_a_conditional_breakpoint_stops_only_when_its_condition_is_true(
    scales: Endless, condition: Term, mark: str
) -> None:
    """Conditional breakpoints stop only when true: at each pass at which the condition is, and at no other."""
    followed = scales.begin_turn()
    wanted = followed.breakpoint(mark, condition=condition.js)
    stops = scales.stops_of_a_turn()
    true_at = [index for index in range(len(ROWS)) if condition.of(index)]
    shown = [{variable.name: variable.value.json for variable in stop.locals.variables} for stop in stops]
    assert [variables["index"] for variables in shown] == true_at
    assert all(stop.breakpoint_ids == (wanted.id,) for stop in stops)
    assert [each.hits for each in followed.ask(ListBreakpoints())] == [len(true_at)]


@holds
@given(marks=st.permutations(STATIONS), data=st.data())
def test_a_breakpoint_that_is_removed_is_never_listed_and_never_hit(
    line: Endless, marks: list[str], data: st.DataObject
) -> None:
    """Removed -> never listed, never hit: whatever the order in which breakpoints come and go."""
    followed = line.begin_turn()
    ids = {mark: followed.breakpoint(mark).id for mark in marks}
    removed = data.draw(st.lists(st.sampled_from(marks), unique=True, min_size=2))
    for mark in removed:
        assert followed.ask(RemoveBreakpoint(ids[mark])).id == ids[mark]
    kept = {mark: ids[mark] for mark in marks if mark not in removed}
    assert [each.id for each in followed.ask(ListBreakpoints())] == list(kept.values())
    stops = line.stops_of_a_turn()
    assert [stop.breakpoint_ids for stop in stops] == [(kept[mark],) for mark in STATIONS if mark in kept]


@holds
@given(switches=st.lists(st.tuples(st.sampled_from(STATIONS[:3]), st.sampled_from([True, False, None])), max_size=8))
def test_a_breakpoint_that_is_toggled_keeps_its_identity(
    line: Endless, switches: list[tuple[str, bool | None]]
) -> None:
    """Toggled keeps identity: id, place and terms stay, and it stops exactly while it is on."""
    followed = line.begin_turn()
    placed = {mark: followed.breakpoint(mark, condition="stations !== null") for mark in STATIONS[:3]}
    is_on = dict.fromkeys(placed, True)
    for mark, enabled in switches:
        is_on[mark] = not is_on[mark] if enabled is None else enabled
        toggled = followed.ask(ToggleBreakpoint(placed[mark].id, enabled))
        assert toggled.enabled is is_on[mark]
        assert (toggled.id, toggled.spec, toggled.binding.position) == (
            placed[mark].id,
            placed[mark].spec,
            placed[mark].binding.position,
        )
    listed = followed.ask(ListBreakpoints())
    assert [(each.id, each.enabled) for each in listed] == [(placed[mark].id, is_on[mark]) for mark in placed]
    stops = line.stops_of_a_turn()
    assert [stop.breakpoint_ids for stop in stops] == [(placed[mark].id,) for mark in placed if is_on[mark]]
    assert [each.hits for each in followed.ask(ListBreakpoints())] == [int(is_on[mark]) for mark in placed]
