"""Breakpoints of sessions, on every backend."""

from __future__ import annotations

import pytest

from server.debug.session_model import ProgramState, StopReason
from server.debug.session_requests import (
    BreakpointRequest,
    ListBreakpoints,
    RemoveBreakpoint,
    SetBreakpoint,
    ToggleBreakpoint,
)
from server.errors import BreakpointNotFoundError, InvalidArgumentsError, LimitExceededError
from tests.contract.conftest import MakeDebugger
from tests.contract.harness import Debugger, Followed, stop_of
from tests.contract.programs import CART, HELPER, LOADS, NAMESAKES


@pytest.fixture
def cart(debug: Debugger) -> Followed:
    """Stands at its entry."""
    return debug.start(CART, stop_on_entry=True)


def test_one_that_is_set_is_listed_with_its_place_and_its_hits(cart: Followed) -> None:
    first = cart.breakpoint("add")
    second = cart.breakpoint("done")
    assert first.binding.position is not None
    assert (first.binding.position.file, first.binding.position.line) == (
        str(cart.program.path),
        cart.program.line("add"),
    )
    assert [text.line for text in first.source if text.is_current] == [cart.program.line("add")]
    cart.go()
    cart.go()
    listed = cart.ask(ListBreakpoints())
    assert [(each.id, each.hits) for each in listed] == [(first.id, 2), (second.id, 0)]


def test_every_pass_stops_and_names_the_breakpoint(cart: Followed) -> None:
    wanted = cart.breakpoint("add")
    stops = cart.stops_until_the_end(cart.go())
    assert [stop.breakpoint_ids for stop in stops] == [(wanted.id,)] * 3
    assert {stop.reason for stop in stops} == {StopReason.BREAKPOINT}


def test_a_text_finds_its_line_whatever_the_white_space(cart: Followed) -> None:
    wanted = cart.ask(SetBreakpoint(BreakpointRequest(file=str(cart.program.path), text="paid   =  paid+cost")))
    assert wanted.spec.place.line == cart.program.line("add")
    assert cart.marks(cart.go(), "add")


def test_a_text_of_several_lines_is_refused_with_the_candidates(cart: Followed) -> None:
    with pytest.raises(InvalidArgumentsError) as refusal:
        cart.ask(SetBreakpoint(BreakpointRequest(file=str(cart.program.path), text="cost")))
    lines = [candidate["line"] for candidate in refusal.value.details["candidates"]]
    assert lines == [cart.program.line("call"), cart.program.line("add")]


def test_a_line_chooses_among_the_lines_of_a_text(cart: Followed) -> None:
    near = cart.program.line("done")
    wanted = cart.ask(SetBreakpoint(BreakpointRequest(file=str(cart.program.path), text="cost", line=near)))
    assert wanted.spec.place.line == cart.program.line("add")


def test_a_function_is_stopped_in_at_its_first_line(cart: Followed) -> None:
    wanted = cart.ask(SetBreakpoint(BreakpointRequest(function="price")))
    assert wanted.function == "price"
    report = cart.go()
    assert cart.marks(report, "total")
    assert stop_of(report).frames[0].function == "price"


def test_functions_of_one_name_are_told_apart_by_their_class(debug: Debugger) -> None:
    zoo = debug.start(NAMESAKES, stop_on_entry=True)
    with pytest.raises(InvalidArgumentsError) as refusal:
        zoo.ask(SetBreakpoint(BreakpointRequest(function="speak")))
    lines = [candidate["line"] for candidate in refusal.value.details["candidates"]]
    assert lines == [zoo.program.line("cat"), zoo.program.line("dog")]
    zoo.ask(SetBreakpoint(BreakpointRequest(function="Dog.speak")))
    assert zoo.marks(zoo.go(), "dog")


def test_a_function_that_is_not_there_is_refused(cart: Followed) -> None:
    with pytest.raises(InvalidArgumentsError, match="nobody_knows"):
        cart.ask(SetBreakpoint(BreakpointRequest(function="nobody_knows")))
    assert cart.ask(ListBreakpoints()) == ()


def test_a_function_with_a_name_like_it_is_told(cart: Followed) -> None:
    with pytest.raises(InvalidArgumentsError) as refusal:
        cart.ask(SetBreakpoint(BreakpointRequest(function="utils.price")))
    assert refusal.value.details["near_names"] == ["price"]


def test_a_function_of_a_file_that_nobody_has_is_refused_with_files_of_that_name(cart: Followed) -> None:
    absent = cart.program.path.parent / "absent" / cart.program.path.name
    with pytest.raises(InvalidArgumentsError, match="cannot be read") as refusal:
        cart.breakpoint(file=str(absent), function="price")
    assert refusal.value.details["loaded_files_of_that_name"] == [str(cart.program.path)]


def test_one_where_another_is_already_says_so(cart: Followed) -> None:
    first = cart.breakpoint("add")
    assert first.binding.message is None
    second = cart.breakpoint("add", condition="paid > 5")
    assert second.binding.message == f"{first.id} is there too"
    assert [each.binding.message for each in cart.ask(ListBreakpoints())] == [None, f"{first.id} is there too"]
    cart.ask(RemoveBreakpoint(first.id))
    assert [each.binding.message for each in cart.ask(ListBreakpoints())] == [None]


def test_one_whose_file_never_loads_says_so_at_the_end(cart: Followed) -> None:
    wanted = cart.breakpoint(file=str(cart.program.path.parent / "later.js"), line=1)
    report = cart.go()
    assert report.state is ProgramState.EXITED
    assert [each.id for each in report.changed_breakpoints] == [wanted.id]
    [listed] = cart.ask(ListBreakpoints())
    assert listed.binding.message == "the file was never loaded"


def test_one_in_a_file_that_loads_later_binds_then(debug: Debugger) -> None:
    program = debug.write(LOADS)
    helper = debug.write(HELPER, "helper")
    wanted = BreakpointRequest(file=str(helper.path), line=helper.line("twice"))
    started = debug.start(program, "load", also=(wanted,))
    pending = started.ask(ListBreakpoints())[1]
    assert pending.binding.position is None
    assert pending.binding.message
    report = started.go()
    stop = stop_of(report)
    assert stop.frames[0].position.file == str(helper.path)
    assert stop.breakpoint_ids == (pending.id,)
    (changed,) = report.changed_breakpoints
    assert changed.id == pending.id
    assert changed.binding.position is not None
    assert changed.binding.position.line == helper.line("twice")
    assert started.go().changed_breakpoints == ()


def test_a_condition_stops_only_where_it_is_true(cart: Followed) -> None:
    cart.breakpoint("add", condition="paid > 5")
    report = cart.go()
    sums = []
    while report.state is ProgramState.PAUSED:
        sums.append(cart.evaluate("paid").json)
        report = cart.go()
    assert sums == [6, 16]


def test_a_condition_that_is_no_expression_is_refused(cart: Followed) -> None:
    with pytest.raises(InvalidArgumentsError):
        cart.breakpoint("add", condition="paid >")
    assert cart.ask(ListBreakpoints()) == ()


@pytest.mark.parametrize(
    ("hit_condition", "sums"),
    [("2", [6]), ("==3", [16]), (">=2", [6, 16]), (">2", [16]), ("<3", [0, 6]), ("<=1", [0]), ("%2", [6])],
)
def test_a_hit_condition_counts_passes(cart: Followed, hit_condition: str, sums: list[int]) -> None:
    cart.breakpoint("add", hit_condition=hit_condition)
    report = cart.go()
    seen = []
    while report.state is ProgramState.PAUSED:
        seen.append(cart.evaluate("paid").json)
        report = cart.go()
    assert seen == sums
    assert cart.ask(ListBreakpoints())[0].hits == 3


def test_a_hit_condition_counts_the_passes_at_which_the_condition_is_true(cart: Followed) -> None:
    cart.breakpoint("add", condition="paid > 0", hit_condition="2")
    stops = cart.stops_until_the_end(cart.go())
    assert len(stops) == 1
    assert cart.ask(ListBreakpoints())[0].hits == 2


def test_a_hit_condition_that_is_none_is_refused(cart: Followed) -> None:
    with pytest.raises(InvalidArgumentsError, match="often"):
        cart.breakpoint("add", hit_condition="often")


def test_a_log_message_is_said_and_nothing_stops(cart: Followed) -> None:
    cart.breakpoint("add", log_message="paid {paid} and {cost}")
    report = cart.go()
    assert report.state is ProgramState.EXITED
    assert cart.output("log") == "paid 0 and 6\npaid 6 and 10\npaid 16 and 20\n"
    assert cart.ask(ListBreakpoints())[0].hits == 3


def test_a_condition_decides_over_a_log_message(cart: Followed) -> None:
    cart.breakpoint("add", log_message="at {paid}", condition="paid == 6")
    assert cart.go().state is ProgramState.EXITED
    assert cart.output("log") == "at 6\n"


def test_one_that_is_removed_never_stops_again(cart: Followed) -> None:
    wanted = cart.breakpoint("add")
    cart.go()
    removed = cart.ask(RemoveBreakpoint(wanted.id))
    assert (removed.id, removed.hits) == (wanted.id, 1)
    assert cart.ask(ListBreakpoints()) == ()
    assert cart.go().state is ProgramState.EXITED


def test_one_that_is_switched_off_and_on_keeps_its_id_and_place(cart: Followed) -> None:
    wanted = cart.breakpoint("add")
    cart.go()
    off = cart.ask(ToggleBreakpoint(wanted.id))
    assert (off.id, off.enabled, off.binding) == (wanted.id, False, wanted.binding)
    cart.breakpoint("done")
    assert cart.marks(cart.go(), "done")
    on = cart.ask(ToggleBreakpoint(wanted.id, enabled=True))
    assert (on.id, on.enabled, on.binding.position) == (wanted.id, True, wanted.binding.position)


def test_one_that_is_switched_on_again_stops_again(cart: Followed) -> None:
    wanted = cart.breakpoint("add")
    cart.ask(ToggleBreakpoint(wanted.id, enabled=False))
    cart.ask(ToggleBreakpoint(wanted.id, enabled=True))
    stops = cart.stops_until_the_end(cart.go())
    assert [stop.breakpoint_ids for stop in stops] == [(wanted.id,)] * 3


def test_ids_are_never_used_twice(cart: Followed) -> None:
    first = cart.breakpoint("add")
    cart.ask(RemoveBreakpoint(first.id))
    assert cart.breakpoint("add").id != first.id


def test_an_unknown_id_is_told_with_the_known_ones(cart: Followed) -> None:
    known = cart.breakpoint("add")
    for request in (RemoveBreakpoint("bp99"), ToggleBreakpoint("bp99")):
        with pytest.raises(BreakpointNotFoundError) as refusal:
            cart.ask(request)
        assert refusal.value.details["breakpoint_ids"] == [known.id]


def test_there_are_only_so_many(make_debugger: MakeDebugger) -> None:
    cart = make_debugger(max_breakpoints=1).start(CART, "begin")
    with pytest.raises(LimitExceededError):
        cart.breakpoint("add")
    assert len(cart.ask(ListBreakpoints())) == 1
