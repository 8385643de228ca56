"""Says of variables that were asked for by name, and are not there, where they are instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from server.debug.backend import Debuggee
from server.debug.session_model import Frame
from server.debug.value import Page, VariablePage

_MOST_FRAMES: Final = 10
"""How many calls of the program's own code are looked at, the nearest first."""


def missing_variable_notes(
    debuggee: Debuggee, frames: Sequence[Frame], frame: int, scope: str | None, missing: Iterable[str]
) -> tuple[str, ...]:
    """A sentence for each frame that has some of them, and one for those that none has."""
    left = list(missing)
    notes = []
    here = () if scope is None else (frame,)
    for index in (*here, *_nearest_own_frames(frames, frame)):
        if not left:
            break
        found = names_of(debuggee.variables(index, None, Page(names=tuple(left))))
        if found:
            there = frames[index]
            where = "another scope of this frame" if index == frame else f"{there.id} ({there.function})"
            notes.append(f"Not visible here, but in {where}: {', '.join(found)}.")
            left = [name for name in left if name not in found]
    if left:
        notes.append(f"Not visible here, nor in the program's own calls around: {', '.join(left)}.")
    return tuple(notes)


def names_of(page: VariablePage) -> list[str]:
    """What the variables of a page are called."""
    return [variable.name for variable in page.variables]


def _nearest_own_frames(frames: Sequence[Frame], frame: int) -> list[int]:
    others = [index for index, one in enumerate(frames) if one.is_own and index != frame]
    return sorted(others, key=lambda index: abs(index - frame))[:_MOST_FRAMES]
