"""Where a breakpoint is wanted: an agent names a line, a text that the line has, or a function."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence

from server.debug.model import SourceLine
from server.debug.session_requests import BreakpointRequest
from server.errors import InvalidArgumentsError

_MAX_CANDIDATES = 10
_SIMILAR = 0.5

ReadLines = Callable[[str], Sequence[str]]
FindFunction = Callable[[str, str | None], Sequence[SourceLine]]


def find_place(wanted: BreakpointRequest, read_lines: ReadLines, find_function: FindFunction) -> SourceLine:
    """The one line that is meant. Raises `InvalidArgumentsError`, which lists the candidates where it is not one."""
    if wanted.function is not None:
        return _of_function(wanted.function, wanted.file, read_lines, find_function)
    if wanted.file is None:
        raise InvalidArgumentsError("A breakpoint needs a file, or a function.", advice=_WAYS)
    if wanted.text is not None:
        return SourceLine(wanted.file, _line_with_text(wanted, wanted.file, wanted.text, read_lines))
    if wanted.line is None:
        raise InvalidArgumentsError("A breakpoint in a file needs a line, or a text that the line has.", advice=_WAYS)
    if wanted.line < 1:
        raise InvalidArgumentsError(f"There is no line {wanted.line}: the first one is 1.")
    return SourceLine(wanted.file, wanted.line)


_WAYS = "Give file and line, file and text, or function (with file, where several have that name)."


def _line_with_text(wanted: BreakpointRequest, file: str, text: str, read_lines: ReadLines) -> int:
    if not text.strip():
        raise InvalidArgumentsError("The text of a breakpoint is empty.", advice=_WAYS)
    lines = read_lines(file)
    found = lines_with(text, lines)
    if not found:
        raise _not_one_line(f"No line of {file} has the text {text!r}.", _similar_lines(text, lines), lines)
    if wanted.line is not None:
        near = wanted.line
        return min(found, key=lambda line: (abs(line - near), line))
    if len(found) > 1:
        raise _not_one_line(f"{len(found)} lines of {file} have the text {text!r}.", found, lines)
    return found[0]


def lines_with(text: str, lines: Sequence[str]) -> list[int]:
    """The 1-based numbers of the lines that have a text, whatever white space is in either."""
    for normalised in (_with_single_spaces, _without_spaces):
        needle = normalised(text)
        found = [number for number, line in enumerate(lines, 1) if needle in normalised(line)]
        if found:
            return found
    return []


def _similar_lines(text: str, lines: Sequence[str]) -> list[int]:
    stripped = [_with_single_spaces(line) for line in lines]
    similar = set(difflib.get_close_matches(_with_single_spaces(text), stripped, _MAX_CANDIDATES, _SIMILAR))
    return [number for number, line in enumerate(stripped, 1) if line in similar]


def _not_one_line(message: str, candidates: Sequence[int], lines: Sequence[str]) -> InvalidArgumentsError:
    shown = [{"line": line, "text": lines[line - 1].strip()} for line in candidates[:_MAX_CANDIDATES]]
    told = "".join(f"\n  {candidate['line']}: {candidate['text']}" for candidate in shown)
    return InvalidArgumentsError(
        message + (f" Candidates:{told}" if told else ""),
        advice="Give the line, or a text that only one line has.",
        details={"candidates": shown, "candidates_total": len(candidates)},
    )


def _of_function(name: str, file: str | None, read_lines: ReadLines, find_function: FindFunction) -> SourceLine:
    found = list(dict.fromkeys(find_function(name, file)))
    if len(found) == 1:
        return found[0]
    where = "that is loaded" if file is None else f"in {file}"
    if not found:
        raise InvalidArgumentsError(
            f"There is no function {name!r} {where}.",
            advice="Where its file is not loaded yet, give file and text: the breakpoint binds when the file loads.",
            details={"candidates": []},
        )
    shown = [
        {"file": place.file, "line": place.line, "text": _text_at(place, read_lines)}
        for place in found[:_MAX_CANDIDATES]
    ]
    told = "".join(f"\n  {candidate['file']}:{candidate['line']}: {candidate['text']}" for candidate in shown)
    raise InvalidArgumentsError(
        f"There are {len(found)} functions {name!r} {where}. Candidates:{told}",
        advice="Give the file too, or file and line.",
        details={"candidates": shown, "candidates_total": len(found)},
    )


def _text_at(place: SourceLine, read_lines: ReadLines) -> str:
    try:
        return read_lines(place.file)[place.line - 1].strip()
    except (InvalidArgumentsError, IndexError):
        return ""


def _with_single_spaces(text: str) -> str:
    return " ".join(text.split())


def _without_spaces(text: str) -> str:
    return "".join(text.split())
