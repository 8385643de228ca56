"""How much an answer may hold. What does not fit is cut and counted, so that an agent can ask for the rest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from server.report.answer import Answer

MAX_BYTES = 8 * 1024
"""Of the text and of the structured content, each."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How many of each kind an answer shows, and how many characters of each text."""

    frames: int
    variables: int
    breakpoints: int
    watches: int
    value_characters: int
    line_characters: int
    """Of a line of source."""
    note_characters: int
    """Of a sentence: a note, the message of an exception."""
    output_characters: int
    """Of each stream; its last lines."""


FULL = Detail(
    frames=10,
    variables=30,
    breakpoints=20,
    watches=20,
    value_characters=240,
    line_characters=160,
    note_characters=400,
    output_characters=2000,
)
DETAILS = (
    FULL,
    replace(FULL, value_characters=80, line_characters=120, output_characters=1200),
    replace(
        FULL,
        frames=8,
        variables=20,
        breakpoints=10,
        value_characters=50,
        line_characters=100,
        output_characters=500,
    ),
    Detail(
        frames=3,
        variables=8,
        breakpoints=3,
        watches=5,
        value_characters=30,
        line_characters=60,
        note_characters=100,
        output_characters=150,
    ),
    Detail(
        frames=2,
        variables=4,
        breakpoints=1,
        watches=2,
        value_characters=20,
        line_characters=30,
        note_characters=60,
        output_characters=50,
    ),
)
"""From the most to the least."""


def fitting_answer(build: Callable[[Detail], Answer]) -> Answer:
    """The answer with the most detail that fits; with the least where none does."""
    answer = build(DETAILS[0])
    for detail in DETAILS[1:]:
        if fits(answer):
            break
        answer = build(detail)
    return answer


def fits(answer: Answer) -> bool:
    """Whether both channels are small enough."""
    return json_size(answer.structured) <= MAX_BYTES and text_size(answer.text or "") <= MAX_BYTES


def json_size(value: Any) -> int:
    """The bytes of a value as JSON."""
    return text_size(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def text_size(text: str) -> int:
    """The bytes of a text; a lone surrogate counts as what it is replaced with."""
    return len(text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class Entry:
    """One of many things that an answer lists, in both channels."""

    structured: Any
    text: str


def fitting_count(entries: Iterable[Entry], budget: int = MAX_BYTES * 3 // 4) -> int:
    """How many of them, from the first, an answer can hold beside what else it says; at least one."""
    structured = text = count = 0
    for entry in entries:
        structured += json_size(entry.structured) + 1
        text += text_size(entry.text) + 1
        if count and max(structured, text) > budget:
            break
        count += 1
    return count


def cut_end(text: str, longest: int) -> str:
    """The beginning of a text, with a mark where something is missing."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def last_lines(text: str, longest: int) -> str:
    """The end of a text, from where a line begins; from within a line only where that alone is too long."""
    if len(text) <= longest:
        return text
    end = text[-longest:]
    return end.partition("\n")[2] or end


def more(shown: Sequence[Any], total: int) -> int:
    """How many were left out."""
    return max(0, total - len(shown))


def counted(count: int, noun: str) -> str:
    """`1 frame`, `2 frames`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
