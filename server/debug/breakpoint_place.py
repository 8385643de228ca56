"""Where a breakpoint is wanted: an agent names a line, a text that the line has, or a function."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import replace

from server.debug.model import SourceLine
from server.debug.session_model import FunctionSearch
from server.debug.session_requests import BreakpointRequest
from server.errors import InvalidArgumentsError

_MAX_CANDIDATES = 10
_SIMILAR = 0.5
_CANDIDATE_CHARACTERS = 100

ReadLines = Callable[[str], Sequence[str]]
FindFunction = Callable[[str, str | None], FunctionSearch]


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
    shown = [{"line": line, "text": _cut(lines[line - 1])} for line in candidates[:_MAX_CANDIDATES]]
    return InvalidArgumentsError(
        message,
        advice="Give the line, or a text that only one line has.",
        details={"candidates": shown, "candidates_total": len(candidates)},
    )


def _of_function(name: str, file: str | None, read_lines: ReadLines, find_function: FindFunction) -> SourceLine:
    found = find_function(name, file)
    search = replace(found, places=tuple(dict.fromkeys(found.places)))
    if len(search.places) == 1:
        return search.places[0]
    if file is not None and not search.places:
        read_lines(file)  # which tells of a file that nobody has
    raise _no_function(name, file, search) if not search.places else _many_functions(name, file, search, read_lines)


def _no_function(name: str, file: str | None, search: FunctionSearch) -> InvalidArgumentsError:
    where = "in what is loaded, nor in the program's folder" if file is None else f"in {file}"
    return InvalidArgumentsError(
        f"There is no function {name!r} {where}.",
        advice="Give a name that is there, or file and text: a breakpoint binds when its file loads.",
        details={"near_names": list(search.near_names)},
    )


def _many_functions(
    name: str, file: str | None, search: FunctionSearch, read_lines: ReadLines
) -> InvalidArgumentsError:
    where = "in what is loaded" if file is None else f"in {file}"
    if not search.are_loaded:
        where = "in files that are not loaded yet" if file is None else f"{where}, which is not loaded yet"
    shown = [
        {"file": place.file, "line": place.line, "text": _text_at(place, read_lines)}
        for place in search.places[:_MAX_CANDIDATES]
    ]
    return InvalidArgumentsError(
        f"There are {len(search.places)} functions {name!r} {where}.",
        advice="Give the file too, or file and line.",
        details={"candidates": shown, "candidates_total": len(search.places)},
    )


def _text_at(place: SourceLine, read_lines: ReadLines) -> str:
    try:
        return _cut(read_lines(place.file)[place.line - 1])
    except (InvalidArgumentsError, IndexError):
        return ""


def _cut(line: str) -> str:
    text = line.strip()
    return text if len(text) <= _CANDIDATE_CHARACTERS else text[: _CANDIDATE_CHARACTERS - 1] + "…"


def _with_single_spaces(text: str) -> str:
    return " ".join(text.split())


def _without_spaces(text: str) -> str:
    return "".join(text.split())
