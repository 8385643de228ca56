"""Places in a program's source: frames, lines, breakpoints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from server.debug.session_model import Breakpoint, Frame, Position, SourceText
from server.report.detail import Detail, counted, cut_end

_ANONYMOUS = "(anonymous)"


def position_to_json(position: Position) -> dict[str, Any]:
    """File, line and column."""
    return {"file": position.file, "line": position.line, "column": position.column}


def position_to_text(position: Position) -> str:
    """`file:line:column`, as editors and terminals take it."""
    return f"{position.file}:{position.line}:{position.column}"


def location_to_json(frame: Frame) -> dict[str, Any]:
    """Where a frame is, as the place of a stop."""
    told = {**position_to_json(frame.position), "function": frame_function(frame)}
    if frame.generated is not None:
        told["generated"] = position_to_json(frame.generated)
    return told


def frame_to_json(frame: Frame) -> dict[str, Any]:
    """One line of a stack; what is not the program's own code says so."""
    told: dict[str, Any] = {"id": frame.id, "function": frame_function(frame), **position_to_json(frame.position)}
    if frame.generated is not None:
        told["generated"] = position_to_json(frame.generated)
    if not frame.is_own:
        told["own"] = False
    return told


def frame_to_text(frame: Frame) -> str:
    """One line of a stack."""
    origin = "" if frame.is_own else " (runtime)" if frame.is_internal else " (package)"
    return f"{frame.id} {frame_place(frame)}{origin}"


def frame_place(frame: Frame) -> str:
    """`function (file:line:column)`."""
    return f"{frame_function(frame)} ({position_to_text(frame.position)})"


def frame_function(frame: Frame) -> str:
    """The name of its function, or a word for one that has none."""
    return frame.function or _ANONYMOUS


# --- source lines --------------------------------------------------------------------------------------------------


def source_to_json(lines: Sequence[SourceText], longest: int) -> list[dict[str, Any]]:
    """Numbered lines, the current one marked."""
    return [
        {"line": line.line, "text": cut_end(line.text, longest), **({"current": True} if line.is_current else {})}
        for line in lines
    ]


def source_to_lines(lines: Sequence[SourceText], longest: int) -> Iterator[str]:
    """The same with `>>>` at the current one."""
    width = max((len(str(line.line)) for line in lines), default=0)
    for line in lines:
        mark = ">>>" if line.is_current else "   "
        yield f"{mark} {line.line:>{width}} | {cut_end(line.text, longest)}".rstrip()


# --- breakpoints ---------------------------------------------------------------------------------------------------


def breakpoint_to_json(point: Breakpoint, detail: Detail) -> dict[str, Any]:
    """Where it is, or why it is nowhere yet, and everything that it was asked for with."""
    bound = point.binding.position
    told: dict[str, Any] = {
        "id": point.id,
        "verified": bound is not None,
        "file": point.spec.place.file if bound is None else bound.file,
        "line": point.spec.place.line if bound is None else bound.line,
        "requested_line": point.spec.place.line,
        "enabled": point.enabled,
        "hits": point.hits,
    }
    if bound is not None:
        told["column"] = bound.column
    told.update(_terms(point, detail))
    if point.binding.nearest_lines:
        told["nearest_lines"] = list(point.binding.nearest_lines)
    if point.binding.message is not None:
        told["message"] = point.binding.message
    return told


def breakpoint_to_lines(point: Breakpoint, detail: Detail) -> Iterator[str]:
    """The same as a debugger lists it."""
    yield ", ".join(_breakpoint_words(point, detail))
    if point.binding.message is not None:
        yield f"    {point.binding.message}"
    if point.binding.nearest_lines:
        yield f"    lines with code near it: {', '.join(map(str, point.binding.nearest_lines))}"


def _breakpoint_words(point: Breakpoint, detail: Detail) -> Iterator[str]:
    bound, wanted = point.binding.position, point.spec.place
    if bound is None:
        yield f"{point.id} unbound at {wanted.file}:{wanted.line}"
    else:
        moved = f" (asked for line {wanted.line})" if bound.line != wanted.line else ""
        yield f"{point.id} at {position_to_text(bound)}{moved}"
    yield from (f"{name} {text}" for name, text in _terms(point, detail).items())
    yield _hits_to_text(point)
    if not point.enabled:
        yield "disabled"


def _hits_to_text(point: Breakpoint) -> str:
    """Where a hit_condition chooses among them, not every hit was a stop or a message."""
    if point.spec.hit_condition is None:
        return f"hits {point.hits}"
    condition = "" if point.spec.condition is None else " with condition true"
    return f"reached {counted(point.hits, 'time')}{condition}"


def _terms(point: Breakpoint, detail: Detail) -> dict[str, str]:
    given = {
        "function": point.function,
        "condition": point.spec.condition,
        "hit_condition": point.spec.hit_condition,
        "log_message": point.spec.log_message,
    }
    return {name: cut_end(text, detail.value_characters) for name, text in given.items() if text is not None}
