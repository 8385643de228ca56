"""What a program wrote: the last of each stream beside its state, or page by page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from server.debug.session_model import OutputEntry, OutputPage
from server.report.answer import Answer
from server.report.detail import Detail, Entry, fitting_count, last_lines
from server.report.session_answer import Fields, success_answer

_STREAMS = ("stdout", "stderr")
_PIECE = re.compile(r"[^\n]{0,499}\n|[^\n]{1,500}")
"""A line, or a part of one that is longer: where an answer is full, it is cut between two of them."""


# --- beside the state of a program ---------------------------------------------------------------------------------


def output_to_json(output: OutputPage, detail: Detail) -> dict[str, Any]:
    """The last lines of each stream, how much is missing before them, and where further output begins."""
    shown, omitted = _last_of_each(output, detail)
    told: dict[str, Any] = {**dict.fromkeys(_STREAMS, ""), **shown}
    if omitted:
        told |= {"omitted_characters": omitted, "since": output.since}
    return {**told, "cursor": output.cursor}


def output_to_lines(output: OutputPage, detail: Detail) -> Iterator[str]:
    """The same: each stream in its line, or indented below."""
    shown, omitted = _last_of_each(output, detail)
    if omitted:
        yield f"… {omitted} characters of output before: get_output since={output.since}"
    for stream, text in shown.items():
        lines = text.rstrip("\n").split("\n")
        yield f"{stream}: {lines[0]}" if len(lines) == 1 else f"{stream}:"
        if len(lines) > 1:
            yield from (f"    {line}" for line in lines)


def _last_of_each(output: OutputPage, detail: Detail) -> tuple[dict[str, str], int]:
    texts: dict[str, str] = {}
    for entry in output.entries:
        texts[entry.stream] = texts.get(entry.stream, "") + entry.text
    shown = {stream: last_lines(text, detail.output_characters) for stream, text in texts.items()}
    cut = sum(len(text) - len(shown[stream]) for stream, text in texts.items())
    return shown, output.omitted_characters + cut


# --- page by page --------------------------------------------------------------------------------------------------


def output_page_answer(about: Fields, page: OutputPage) -> Answer:
    """From a cursor on, in the order in which it came; the cursor of the answer leads to the rest."""
    pieces = [piece for entry in page.entries for piece in _pieces(entry)]
    kept = pieces[: fitting_count(_piece_sizes(pieces))]
    cursor = pieces[len(kept)].cursor if len(kept) < len(pieces) else page.cursor
    end = page.cursor + page.remaining_characters
    fields: Fields = {**about, "entries": _to_json(kept), "cursor": cursor}
    lines = [f"{about['session_id']} {_page_words(page.since, cursor, end, is_empty=not kept)}"]
    if page.omitted_characters:
        fields["omitted_characters"] = page.omitted_characters
        lines.append(f"… {page.omitted_characters} characters before are not kept any more")
    lines += _to_lines(kept)
    if cursor < end:
        fields["end"] = end
        lines.append(f"… more, up to cursor {end}: get_output since={cursor}")
    if page.since > end:
        fields["notes"] = [f"since {page.since} is beyond the end, which is {end}"]
    return success_answer(fields, lines)


def _page_words(since: int, cursor: int, end: int, *, is_empty: bool) -> str:
    if since > end:
        return f"output ends at cursor {end}; since {since} is beyond that"
    if is_empty:
        return f"has no output from cursor {since} on; the end is {end}"
    return f"output from cursor {since} to {cursor}" + (f" of {end}" if cursor < end else ", the end so far")


def last_output_answer(about: Fields, page: OutputPage) -> Answer:
    """The end of what there is, in the order in which it came."""
    pieces = [piece for entry in page.entries for piece in _pieces(entry)]
    # Where something is missing in front, the first piece is the rest of a line.
    whole = pieces[1:] if page.omitted_characters and len(pieces) > 1 else pieces
    kept = whole[len(whole) - fitting_count(_piece_sizes(reversed(whole))) :]
    omitted = page.omitted_characters + sum(len(piece.text) for piece in pieces[: len(pieces) - len(kept)])
    fields: Fields = {**about, "entries": _to_json(kept), "cursor": page.cursor}
    lines = [f"{about['session_id']} " + (f"output up to cursor {page.cursor}" if kept else "has no output so far")]
    if omitted:
        fields |= {"omitted_characters": omitted, "since": page.since}
        lines.append(f"… {omitted} characters before: get_output since={page.since}")
    return success_answer(fields, [*lines, *_to_lines(kept)])


def _pieces(entry: OutputEntry) -> Iterator[OutputEntry]:
    """Its lines, and parts of those that are very long."""
    for match in _PIECE.finditer(entry.text):
        yield OutputEntry(entry.cursor + match.start(), entry.stream, match.group())


def _piece_sizes(pieces: Iterable[OutputEntry]) -> Iterator[Entry]:
    stream: str | None = None
    for piece in pieces:
        is_joined, stream = piece.stream == stream, piece.stream
        yield Entry(piece.text if is_joined else _entry_to_json(piece), f"{piece.stream} | {piece.text}")


def _joined(pieces: Sequence[OutputEntry]) -> list[OutputEntry]:
    """Pieces of one stream that follow each other, made one."""
    joined: list[OutputEntry] = []
    for piece in pieces:
        if joined and joined[-1].stream == piece.stream:
            joined[-1] = replace(joined[-1], text=joined[-1].text + piece.text)
        else:
            joined.append(piece)
    return joined


def _to_json(pieces: Sequence[OutputEntry]) -> list[dict[str, Any]]:
    return [_entry_to_json(entry) for entry in _joined(pieces)]


def _entry_to_json(entry: OutputEntry) -> dict[str, Any]:
    return {"cursor": entry.cursor, "stream": entry.stream, "text": entry.text}


def _to_lines(pieces: Sequence[OutputEntry]) -> Iterator[str]:
    for entry in _joined(pieces):
        yield from (f"{entry.stream} | {line}" for line in entry.text.removesuffix("\n").split("\n"))
