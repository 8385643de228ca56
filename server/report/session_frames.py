"""The stack of a stop: which frames of it are told, and how they read in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from server.debug.session_model import Frame, Position
from server.report.session_places import frame_function

_PACKAGES = "/node_modules/"
_NAMED_OWNERS = 3


def own_frames_first(frames: Sequence[Frame]) -> list[Frame]:
    """The program's own code, then that of packages; the runtime's only where that is where the program stands."""
    told = [frame for index, frame in enumerate(frames) if index == 0 or not frame.is_internal]
    return sorted(told, key=lambda frame: not frame.is_own)


def stack_to_text(frames: Sequence[Frame], most: int, directory: str | None) -> str:
    """The innermost frame and the program's own, in the order of the stack; what is between them is counted."""
    told = [index for index, frame in enumerate(frames) if index == 0 or frame.is_own][:most]
    return " | ".join(_parts(frames, told, directory))


def _parts(frames: Sequence[Frame], told: Sequence[int], directory: str | None) -> Iterator[str]:
    beside = PurePath(frames[0].position.file).parent
    for index, following in zip(told, [*told[1:], len(frames)], strict=True):
        frame = frames[index]
        yield f"{frame.id} {frame_function(frame)} {_short_place(frame.position, directory, beside)}"
        if skipped := frames[index + 1 : following]:
            yield _skipped_to_text(skipped)


def _skipped_to_text(frames: Sequence[Frame]) -> str:
    if any(frame.is_own for frame in frames):
        return f"… {len(frames)} more: get_call_stack"
    owners = list(dict.fromkeys(map(_owner, frames)))
    others = " and others" if len(owners) > _NAMED_OWNERS else ""
    return f"… {len(frames)} in {', '.join(owners[:_NAMED_OWNERS])}{others}"


def _owner(frame: Frame) -> str:
    """`node_modules/tape`, `node_modules/@scope/name`, or what is not installed like that."""
    if frame.is_internal:
        return "the runtime"
    _, folder, inside = frame.position.file.rpartition(_PACKAGES)
    words = inside.split("/")[: 2 if inside.startswith("@") else 1]
    return folder.removeprefix("/") + "/".join(words) if folder else "packages"


def _short_place(position: Position, directory: str | None, beside: PurePath) -> str:
    """From the directory where names may start; files beside the innermost frame's, which is told whole, by name."""
    file = PurePath(position.file)
    if directory is not None and file.is_relative_to(directory):
        return f"{file.relative_to(directory)}:{position.line}"
    is_beside = file.is_absolute() and file.parent == beside
    return f"{file.name if is_beside else position.file}:{position.line}"
