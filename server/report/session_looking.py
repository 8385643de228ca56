"""Answers about a program that stands still: its stack, its variables, the values of expressions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from server.debug.session_model import CallStack, Frame, WatchReading
from server.debug.value import Value, Variable, VariablePage
from server.report.answer import Answer
from server.report.detail import FULL, MAX_BYTES, Entry, counted, cut_end, fitting_count, json_size
from server.report.session_answer import Fields, success_answer
from server.report.session_places import frame_to_json, frame_to_text
from server.report.session_values import (
    unset_to_lines,
    value_to_json,
    value_to_text,
    variable_to_json,
    variable_to_lines,
    watch_to_json,
    watch_to_text,
    without_children,
    without_unset,
)

_RESULT_CHARACTERS = 4000
"""Of the value of an expression that was asked for by itself."""
_WHOLE_RESULT_CHARACTERS = 64 * 1024
"""Of one that was asked for as a whole."""
_EXPRESSION_CHARACTERS = 200
_HALF = MAX_BYTES * 3 // 8
"""Of what a list may take: for one of two."""


def stack_answer(about: Fields, stack: CallStack, start: int) -> Answer:
    """Frames in the order of the stack, from the given one on."""
    wanted = stack.frames[start:]
    count = fitting_count(map(_frame_to_entry, wanted), _HALF)
    later = stack.async_frames[: fitting_count(map(_frame_to_entry, stack.async_frames), _HALF)]
    fields: Fields = {**about, "frames": [frame_to_json(frame) for frame in wanted[:count]], "total": len(stack.frames)}
    lines = [
        f"{about['session_id']} stack of {counted(len(stack.frames), 'frame')}",
        *map(frame_to_text, wanted[:count]),
    ]
    if count < len(wanted):
        fields["next_start"] = start + count
        lines.append(f"… {len(wanted) - count} more: start {start + count}")
    if later:
        fields["async_frames"] = [frame_to_json(frame) for frame in later]
        lines += ["scheduled by:", *map(frame_to_text, later)]
    if missing := len(stack.async_frames) - len(later):
        fields["more_async_frames"] = missing
        lines.append(f"… {missing} more")
    if stack.notes:
        fields["notes"] = list(stack.notes)
        lines += [f"note: {note}" for note in stack.notes]
    return success_answer(fields, lines)


def _frame_to_entry(frame: Frame) -> Entry:
    return Entry(frame_to_json(frame), frame_to_text(frame))


# --- variables -----------------------------------------------------------------------------------------------------


def variables_answer(about: Fields, page: VariablePage) -> Answer:
    """What a frame sees, or what is inside a value, as far as it fits."""
    return _text_answer(about, page, page.text) if page.text is not None else _page_answer(about, page)


def _page_answer(about: Fields, page: VariablePage) -> Answer:
    variables = _of_bearable_size(page.variables)
    shown = variables[: fitting_count(map(_variable_to_entry, variables))]
    fields: Fields = {
        **about,
        "variables": [variable_to_json(variable, FULL.value_characters) for variable in shown],
        "start": page.start,
        "total": page.total,
    }
    end = page.start + len(shown)
    lines = [f"{about['session_id']} {_range_words(page.start, end, page.total)}", *_grouped_lines(shown)]
    if end < page.total:
        fields["next_start"] = end
        lines.append(f"… {page.total - end} more: start {end}")
    if page.notes:
        notes = [cut_end(note, FULL.note_characters) for note in page.notes]
        fields["notes"] = notes
        lines += [f"note: {note}" for note in notes]
    return success_answer(fields, lines)


def _of_bearable_size(variables: Sequence[Variable]) -> list[Variable]:
    """One that would fill the answer by itself is shown without what is inside; its `ref` expands it."""
    return [
        variable
        if json_size(variable_to_json(variable, FULL.value_characters)) <= _HALF
        else without_children(variable)
        for variable in variables
    ]


def _variable_to_entry(variable: Variable) -> Entry:
    structured = variable_to_json(variable, FULL.value_characters)
    return Entry(structured, "\n".join(variable_to_lines(variable, FULL.value_characters, "  ")))


def _grouped_lines(variables: Sequence[Variable]) -> Iterator[str]:
    for scope, group in groupby(variables, key=lambda variable: variable.scope):
        if scope is None:
            yield from _lines(group)
        else:
            yield from (f"{scope}:", *_scope_lines(tuple(group)))


def _scope_lines(variables: Sequence[Variable]) -> Iterator[str]:
    yield from _lines(without_unset(variables), "  ")
    yield from (f"  {line}" for line in unset_to_lines(variables))


def _lines(variables: Iterable[Variable], indent: str = "") -> Iterator[str]:
    for variable in variables:
        yield from variable_to_lines(variable, FULL.value_characters, indent)


def _range_words(start: int, end: int, total: int) -> str:
    return f"variables {start} to {end} of {total}" if (start, end) != (0, total) else counted(total, "variable")


def _text_answer(about: Fields, page: VariablePage, text: str) -> Answer:
    shown = text[:_RESULT_CHARACTERS]
    end = page.start + len(shown)
    fields: Fields = {**about, "variables": [], "text": shown, "start": page.start, "total": page.total}
    lines = [f"{about['session_id']} characters {page.start} to {end} of {page.total}", shown]
    if end < page.total:
        fields["next_start"] = end
        lines.append(f"… {page.total - end} more: start {end}")
    return success_answer(fields, lines)


# --- values --------------------------------------------------------------------------------------------------------


def result_answer(about: Fields, expression: str, value: Value, *, whole: bool) -> Answer:
    """The value of an expression."""
    longest = _WHOLE_RESULT_CHARACTERS if whole else _RESULT_CHARACTERS
    shown = value_to_text(value, longest)
    return success_answer(
        {**about, "result": value_to_json(value, longest)},
        [f"{cut_end(expression, _EXPRESSION_CHARACTERS)} = {shown}", f"type: {_type_words(value)}"],
    )


def set_variable_answer(about: Fields, name: str, value: Value) -> Answer:
    """The value that a variable has now."""
    variable = Variable(name, value)
    return success_answer(
        {**about, "variable": variable_to_json(variable, _RESULT_CHARACTERS)},
        variable_to_lines(variable, _RESULT_CHARACTERS),
    )


def watches_answer(about: Fields, expressions: Sequence[str], readings: Sequence[WatchReading]) -> Answer:
    """What is watched from now on, with values where the program stands still."""
    longest = FULL.value_characters
    watches = [watch_to_json(reading, longest) for reading in readings]
    lines = [watch_to_text(reading, longest) for reading in readings]
    if not readings:
        watches = [{"expression": expression} for expression in expressions]
        lines = list(expressions)
    return success_answer(
        {**about, "watches": watches},
        [f"{about['session_id']} watches {counted(len(expressions), 'expression')}", *lines],
    )


def _type_words(value: Value) -> str:
    return value.type if value.subtype is None else f"{value.type} ({value.subtype})"
