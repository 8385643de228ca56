from __future__ import annotations

import pytest

from server.debug.session_model import CallStack, Frame, Position
from server.debug.stop_names import StopNames
from server.debug.value import Value, Variable, VariablePage
from server.errors import InvalidArgumentsError, InvalidStateError


def frames(count: int) -> tuple[Frame, ...]:
    return tuple(Frame(str(index), f"call{index}", Position("/app/a.js", index + 1, 1)) for index in range(count))


def test_frames_have_new_names_at_every_stop() -> None:
    names = StopNames()
    first = [frame.id for frame in names.name_frames(frames(2))]
    names.forget()
    second = [frame.id for frame in names.name_frames(frames(2))]
    assert (first, second) == (["f0", "f1"], ["f2", "f3"])
    assert [names.frame_index(name) for name in second] == [0, 1]


def test_a_longer_look_at_the_same_stop_keeps_the_names() -> None:
    names = StopNames()
    names.name_frames(frames(1))
    stack = names.name_stack(CallStack(frames(3), async_frames=frames(2)))
    assert [frame.id for frame in stack.frames] == ["f0", "f1", "f2"]
    assert [frame.id for frame in stack.async_frames] == ["a0", "a1"]


def test_a_frame_is_the_innermost_one_unless_named() -> None:
    names = StopNames()
    names.name_frames(frames(3))
    assert [names.frame_index(name) for name in (None, 0, 2, "f2")] == [0, 0, 2, 2]


@pytest.mark.parametrize("name", [3, -1, "f3", "v1", "x", "", "a0"])
def test_a_frame_that_there_never_was_is_refused(name: str | int) -> None:
    names = StopNames()
    names.name_frames(frames(3))
    with pytest.raises(InvalidArgumentsError):
        names.frame_index(name)


def test_names_of_an_earlier_stop_are_recognised() -> None:
    names = StopNames()
    names.name_frames(frames(1))
    ref = names.name_value(Value("object", handle="h1")).handle
    assert ref is not None
    names.forget()
    names.name_frames(frames(1))
    with pytest.raises(InvalidStateError, match="moved on"):
        names.frame_index("f0")
    with pytest.raises(InvalidStateError, match="moved on"):
        names.handle(ref)


def test_a_value_has_one_ref_and_the_ref_leads_back() -> None:
    names = StopNames()
    first, again = (names.name_value(Value("object", handle="h1")) for _ in range(2))
    other = names.name_value(Value("object", handle="h2"))
    assert (first.handle, again.handle, other.handle) == ("v1", "v1", "v2")
    assert [names.handle(ref) for ref in ("v1", "v2")] == ["h1", "h2"]


def test_a_value_that_cannot_be_expanded_has_no_ref() -> None:
    assert StopNames().name_value(Value("number", json=1)).handle is None


def test_what_is_inside_is_named_too() -> None:
    names = StopNames()
    inner = VariablePage((Variable("inner", Value("object", handle="h2")),), 0, 1)
    page = VariablePage((Variable("outer", Value("object", handle="h1"), children=inner),), 0, 1)
    outer = names.name_page(page).variables[0]
    assert outer.value.handle == "v1"
    assert outer.children is not None
    assert outer.children.variables[0].value.handle == "v2"


def test_a_ref_that_there_never_was_is_refused() -> None:
    with pytest.raises(InvalidArgumentsError):
        StopNames().handle("v1")
