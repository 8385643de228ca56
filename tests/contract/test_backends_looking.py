"""Stacks, variables, values, expressions, watches and sources, on every backend."""

from __future__ import annotations

import pytest

from server.debug.session_requests import (
    GetCallStack,
    GetSource,
    GetVariables,
    ListScripts,
    SetVariable,
    SetWatches,
)
from server.debug.value import Page
from server.errors import DebugError, InvalidArgumentsError, InvalidStateError
from tests.contract.harness import Debugger, Followed, stop_of, values, variable
from tests.contract.programs import CART, HELPER, SPIN, VALUES


@pytest.fixture
def look(debug: Debugger) -> Followed:
    """Stands in an inner function with values of all kinds."""
    return debug.start(VALUES, "look")


@pytest.fixture
def total(debug: Debugger) -> Followed:
    """Stands two calls deep."""
    return debug.start(CART, "return")


def test_the_stack_has_a_place_for_each_call(total: Followed) -> None:
    frames = total.ask(GetCallStack()).frames
    assert [frame.function for frame in frames[:2]] == ["price", "checkout"]
    lines = [frame.position.line for frame in frames[:3]]
    assert lines == [total.program.line(mark) for mark in ("return", "call", "checkout")]
    assert {frame.position.file for frame in frames[:3]} == {str(total.program.path)}
    assert [frame.id for frame in frames[:3]] == [frame.id for frame in stop_of(total.report).frames[:3]]


def test_a_stop_shows_the_locals(look: Followed) -> None:
    shown = stop_of(look.report).locals
    assert {"number": 1, "text": "hi", "flag": True, "nothing": None}.items() <= values(shown).items()
    assert variable(shown, "nested").value.handle is not None


def test_a_stop_shows_what_its_line_uses_from_outside(look: Followed) -> None:
    shown = stop_of(look.report).locals
    assert (variable(shown, "secret").value.json, variable(shown, "secret").scope) == (7, "closure")
    assert shown.total == len(shown.variables)


def test_all_that_a_frame_sees_is_merged(look: Followed) -> None:
    everything = look.ask(GetVariables())
    assert variable(everything, "number").scope == "local"
    assert variable(everything, "secret").value.json == 7
    assert variable(everything, "secret").scope == "closure"


def test_one_scope_alone_can_be_read(look: Followed) -> None:
    closure = look.ask(GetVariables(scope="closure"))
    assert variable(closure, "secret").value.json == 7
    assert "number" not in values(closure)


def test_a_scope_that_is_not_there_is_refused(look: Followed) -> None:
    with pytest.raises(InvalidArgumentsError, match="attic"):
        look.ask(GetVariables(scope="attic"))


def test_only_the_wanted_names_are_read(look: Followed) -> None:
    page = look.ask(GetVariables(page=Page(names=("flag", "text"))))
    assert values(page) == {"flag": True, "text": "hi"}


def test_names_that_are_not_visible_are_told_with_where_they_are(total: Followed) -> None:
    page = total.ask(GetVariables(page=Page(names=("paid", "total", "nobody"))))
    assert [each.name for each in page.variables] == ["total"]
    caller = stop_of(total.report).frames[1].id
    assert page.notes == (
        f"Not visible here, but in {caller} (checkout): paid.",
        "Not visible here, nor in the program's own calls around: nobody.",
    )
    assert total.ask(GetVariables(page=Page(names=("total",)))).notes == ()


def test_a_name_in_another_scope_is_told(look: Followed) -> None:
    page = look.ask(GetVariables(scope="local", page=Page(names=("secret",))))
    assert page.notes == ("Not visible here, but in another scope of this frame: secret.",)


def test_names_that_are_not_inside_a_value_are_told(look: Followed) -> None:
    nested = variable(stop_of(look.report).locals, "nested").value.handle
    assert look.ask(GetVariables(ref=nested, page=Page(names=("inner", "outer")))).notes == ("Not inside: outer.",)


def test_a_value_is_expanded_by_its_ref(look: Followed) -> None:
    nested = variable(stop_of(look.report).locals, "nested").value
    assert nested.handle is not None
    assert nested.handle.startswith("v")
    inner = variable(look.ask(GetVariables(ref=nested.handle)), "inner").value
    assert variable(look.ask(GetVariables(ref=inner.handle)), "deep").value.json == 1


def test_depth_brings_what_is_inside_at_once(look: Followed) -> None:
    nested = variable(look.ask(GetVariables(page=Page(names=("nested",), depth=3))), "nested")
    assert nested.children is not None
    inner = variable(nested.children, "inner")
    assert inner.children is not None
    assert variable(inner.children, "deep").value.json == 1


def test_a_long_list_comes_in_pages(look: Followed) -> None:
    ref = variable(look.ask(GetVariables(page=Page(names=("long",)))), "long").value.handle
    seen: list[object] = []
    while len(seen) < 250:
        page = look.ask(GetVariables(ref=ref, page=Page(start=len(seen), count=100)))
        elements = [each.value.json for each in page.variables if each.name.isdigit()]
        assert page.total >= 250
        assert elements
        seen += elements
    assert seen == list(range(250))


def test_a_long_text_comes_in_pages(look: Followed) -> None:
    letters = variable(look.ask(GetVariables(page=Page(names=("letters",)))), "letters").value
    assert letters.handle is not None
    page = look.ask(GetVariables(ref=letters.handle, page=Page(start=9995, count=100)))
    assert (page.text, page.total) == ("fghij", 10_000)


def test_frames_are_chosen_by_id_or_by_number(total: Followed) -> None:
    caller = stop_of(total.report).frames[1]
    for frame in (caller.id, 1, "1"):
        assert variable(total.ask(GetVariables(frame=frame)), "paid").value.json == 0
        assert total.evaluate("paid + 1", frame).json == 1
    assert total.evaluate("paid").type == "error"


def test_a_frame_that_is_not_there_is_refused(total: Followed) -> None:
    for frame in ("f99", "nonsense", 99, -1, "99"):
        with pytest.raises(InvalidArgumentsError):
            total.ask(GetVariables(frame=frame))


def test_names_of_an_earlier_stop_are_refused(debug: Debugger) -> None:
    cart = debug.start(CART, "add")
    frame = stop_of(cart.report).frames[0].id
    ref = variable(stop_of(cart.report).locals, "item").value.handle
    report = cart.go()
    assert stop_of(report).frames[0].id != frame
    assert variable(stop_of(report).locals, "item").value.handle != ref
    for request in (GetVariables(frame=frame), GetVariables(ref=ref)):
        with pytest.raises(InvalidStateError, match="moved on"):
            cart.ask(request)
    with pytest.raises(InvalidStateError, match="moved on"):
        cart.evaluate("paid", frame)


def test_an_expression_is_computed_in_the_frame(look: Followed) -> None:
    assert look.evaluate("secret * 6 + number").json == 43
    assert look.evaluate("text + '!'").json == "hi!"


def test_a_result_can_be_expanded(look: Followed) -> None:
    result = look.evaluate("nested")
    assert result.handle is not None
    assert [each.name for each in look.ask(GetVariables(ref=result.handle)).variables][:1] == ["inner"]


def test_a_whole_value_can_be_had(look: Followed) -> None:
    assert look.evaluate("nested", by_value=True).json == {"inner": {"deep": 1}}


def test_an_expression_that_throws_is_a_value(look: Followed) -> None:
    thrown = look.evaluate("nobody_knows + 1")
    assert thrown.type == "error"
    assert "nobody_knows" in (thrown.preview or "")
    assert look.evaluate("number").json == 1


def test_text_that_is_no_expression_is_told(look: Followed) -> None:
    try:
        assert look.evaluate("number +").type == "error"
    except DebugError as error:
        assert "number +" in error.message or "Syntax" in error.message  # noqa: PT017 - either is an answer
    assert look.evaluate("number").json == 1


def test_nothing_is_changed_where_that_is_not_allowed(look: Followed) -> None:
    change = "long.pop()"
    assert look.evaluate(change, allow_side_effects=False).type == "error"
    assert look.evaluate("long[249]").json == 249
    assert look.evaluate("number + 1", allow_side_effects=False).json == 2


def test_a_variable_takes_a_new_value(debug: Debugger) -> None:
    cart = debug.start(CART, "done")
    assert cart.ask(SetVariable("paid", "paid + 100")).json == 136
    assert cart.evaluate("paid").json == 136
    assert variable(stop_of(cart.state()).locals, "paid").value.json == 136
    cart.go()
    assert "paid 136" in cart.output("stdout")


def test_a_variable_of_a_caller_takes_a_new_value(total: Followed) -> None:
    total.ask(SetVariable("paid", "1000", frame=1))
    assert total.evaluate("paid", frame=1).json == 1000


def test_a_variable_that_is_not_there_is_refused(total: Followed) -> None:
    with pytest.raises(DebugError, match="nobody_knows"):
        total.ask(SetVariable("nobody_knows", "1"))


def test_watches_tell_the_old_value_and_the_new_one(debug: Debugger) -> None:
    cart = debug.start(CART, "add")
    first = cart.ask(SetWatches(("paid", "paid + cost")))
    assert [(each.new.json, each.old) for each in first] == [(0, None), (6, None)]
    told = stop_of(cart.go()).watches
    assert [(each.expression, each.new.json) for each in told] == [("paid", 6), ("paid + cost", 16)]
    assert [each.old.json for each in told if each.old is not None] == [0, 6]
    assert all(each.is_changed for each in told)


def test_the_first_stop_has_the_watches_that_a_program_was_started_with(debug: Debugger) -> None:
    cart = debug.start(CART, "add", watches=("paid", "paid + cost"))
    told = stop_of(cart.report).watches
    assert [(each.expression, each.new.json, each.old) for each in told] == [
        ("paid", 0, None),
        ("paid + cost", 6, None),
    ]


def test_a_watch_that_throws_has_an_error_as_its_value(debug: Debugger) -> None:
    cart = debug.start(CART, "call", "return")
    cart.ask(SetWatches(("paid",)))
    inner = stop_of(cart.go()).watches[0]
    assert inner.new.type == "error"
    assert inner.old is not None
    assert inner.old.json == 0


def test_watches_that_are_set_while_the_program_runs_are_told_at_the_next_stop(debug: Debugger) -> None:
    spin = debug.start(SPIN, wait_s=0.0)
    assert spin.ask(SetWatches(("6 * 7",))) == ()
    assert stop_of(spin.pause()).watches[0].new.json == 42


def test_a_watch_changes_nothing(debug: Debugger) -> None:
    cart = debug.start(CART, "add")
    changing = "(paid := 100)" if debug.runtime.language == "python" else "paid = 100"
    [reading] = cart.ask(SetWatches((changing,)))
    assert reading.new.type == "error"
    assert cart.evaluate("paid").json == 0


def test_watches_are_replaced_as_a_whole(debug: Debugger) -> None:
    cart = debug.start(CART, "add")
    cart.ask(SetWatches(("paid", "cost")))
    cart.ask(SetWatches(("cost",)))
    assert [each.expression for each in stop_of(cart.go()).watches] == ["cost"]
    cart.ask(SetWatches(()))
    assert stop_of(cart.go()).watches == ()


def test_the_program_is_among_the_scripts(total: Followed) -> None:
    (script,) = [script for script in total.ask(ListScripts()) if script.file == str(total.program.path)]
    assert script.is_own
    source = total.ask(GetSource(script_id=script.id))
    assert source.file == str(total.program.path)
    assert source.lines[total.program.line("add") - 1].text.endswith("@bp add")


def test_scripts_are_found_by_a_part_of_their_url(total: Followed) -> None:
    assert [script.file for script in total.ask(ListScripts(matching="program."))] == [str(total.program.path)]
    assert total.ask(ListScripts(matching="nobody-has-this")) == ()


def test_some_lines_of_a_file_are_shown(total: Followed) -> None:
    line = total.program.line("call")
    shown = total.ask(
        GetSource(file=str(total.program.path), first_line=line - 1, last_line=line + 1, current_line=line)
    )
    assert [(text.line, text.is_current) for text in shown.lines] == [
        (line - 1, False),
        (line, True),
        (line + 1, False),
    ]
    assert shown.total_lines >= total.program.line("end")


def test_a_file_that_is_not_loaded_is_read_from_disk(debug: Debugger, total: Followed) -> None:
    helper = debug.write(HELPER, "helper")
    shown = total.ask(GetSource(file=str(helper.path)))
    assert shown.lines[helper.line("twice") - 1].text.endswith("@bp twice")


def test_a_source_that_is_nowhere_is_refused(debug: Debugger, total: Followed) -> None:
    for request in (GetSource(file=str(debug.folder / "missing")), GetSource(script_id="nonsense"), GetSource()):
        with pytest.raises(InvalidArgumentsError):
            total.ask(request)
