"""The names under which an agent speaks of frames and values while a program stands still.

Numbers only grow in a session. So a name of an earlier stop is recognised and refused, and never means something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from server.debug.session_model import CallStack, Frame, Thrown
from server.debug.session_requests import FrameName
from server.debug.value import Value, Variable, VariablePage
from server.errors import DebugError, InvalidArgumentsError, InvalidStateError

_NAME = re.compile(r"([fv])(\d+)")


class StopNames:
    """Gives names to the frames and values of the present stop, and finds what they stand for."""

    def __init__(self) -> None:
        self._next_frame = 0
        self._next_value = 1
        self._frames: dict[str, int] = {}
        self._handles: dict[str, str] = {}
        self._refs: dict[str, str] = {}

    def forget(self) -> None:
        """The program goes on: no name means anything any more."""
        self._frames.clear()
        self._handles.clear()
        self._refs.clear()

    # --- giving names ---------------------------------------------------------------------------------------

    def name_frames(self, frames: Iterable[Frame]) -> tuple[Frame, ...]:
        """The frames of a stop, innermost first; each has one name, however often it is asked for."""
        named = []
        names = list(self._frames)
        for index, frame in enumerate(frames):
            if index == len(names):
                names.append(f"f{self._next_frame}")
                self._frames[names[index]] = index
                self._next_frame += 1
            named.append(replace(frame, id=names[index]))
        return tuple(named)

    def name_stack(self, stack: CallStack) -> CallStack:
        """A whole stack. Frames that only scheduled what runs now are `a0`, `a1`...: nothing can be evaluated there."""
        scheduling = tuple(replace(frame, id=f"a{index}") for index, frame in enumerate(stack.async_frames))
        return replace(stack, frames=self.name_frames(stack.frames), async_frames=scheduling)

    def name_value(self, value: Value) -> Value:
        """A value whose handle is the name for it."""
        if value.handle is None:
            return value
        ref = self._refs.get(value.handle)
        if ref is None:
            ref = f"v{self._next_value}"
            self._next_value += 1
            self._refs[value.handle] = ref
            self._handles[ref] = value.handle
        return replace(value, handle=ref)

    def name_page(self, page: VariablePage) -> VariablePage:
        """Variables, and whatever is told of what is inside them."""
        return replace(page, variables=tuple(self._name_variable(variable) for variable in page.variables))

    def name_thrown(self, thrown: Thrown) -> Thrown:
        """An exception with its value."""
        return thrown if thrown.value is None else replace(thrown, value=self.name_value(thrown.value))

    def _name_variable(self, variable: Variable) -> Variable:
        value = self.name_value(variable.value)
        children = None if variable.children is None else self.name_page(variable.children)
        return replace(variable, value=value, children=children)

    # --- finding what they stand for ------------------------------------------------------------------------

    def frame_index(self, name: FrameName) -> int:
        """Which frame of the stack is meant."""
        if name is None:
            return 0
        if isinstance(name, int) or name.isdecimal():
            return self._checked_index(int(name))
        index = self._frames.get(name)
        if index is None:
            raise self._refusal(name, "frame", "f", self._next_frame, "get_call_stack")
        return index

    def handle(self, ref: str) -> str:
        """The debugger's name for a value."""
        handle = self._handles.get(ref)
        if handle is None:
            raise self._refusal(ref, "ref", "v", self._next_value, "get_variables")
        return handle

    def _checked_index(self, index: int) -> int:
        if 0 <= index < len(self._frames):
            return index
        raise InvalidArgumentsError(
            f"There is no frame {index}: the stack has {len(self._frames)}, and the innermost is 0.",
            advice="get_call_stack lists the frames.",
        )

    def _refusal(self, name: str, what: str, letter: str, never_given: int, helpful: str) -> DebugError:
        form = _NAME.fullmatch(name)
        if form is not None and form[1] == letter and int(form[2]) < never_given:
            return InvalidStateError(
                f"The {what} {name} belongs to an earlier stop: the program has moved on since.",
                advice=f"{helpful} tells the names of this stop.",
                details={what: name},
            )
        if what == "frame" and re.fullmatch(r"a\d+", name):
            return InvalidArgumentsError(
                f"The frame {name} has ended; it only scheduled what runs now, and has no variables any more.",
                advice="Give a frame of the stack itself; get_call_stack lists them.",
            )
        return InvalidArgumentsError(f"There is no {what} {name!r}.", advice=f"{helpful} tells the names of this stop.")
