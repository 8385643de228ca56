"""Answers that list what a session has: breakpoints, scripts, source; and the sessions themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from server.debug.session_model import (
    Breakpoint,
    PauseOnExceptions,
    ScriptInfo,
    SessionSummary,
    SourceRange,
    SourceText,
)
from server.report.answer import Answer
from server.report.detail import FULL, Entry, counted, cut_end, fitting_count
from server.report.session_answer import Fields, success_answer
from server.report.session_places import (
    breakpoint_to_json,
    breakpoint_to_lines,
    position_to_json,
    position_to_text,
    source_to_json,
    source_to_lines,
)
from server.report.session_state import program_to_json, program_to_text

_LINE_CHARACTERS = 1000
"""Of one line of a source that was asked for by itself."""


def sessions_answer(sessions: Sequence[SessionSummary]) -> Answer:
    """One line a session."""
    lines = [_summary_to_text(summary) for summary in sessions] or ["There are no sessions.", "next: start_debugging"]
    return success_answer({"sessions": [_summary_to_json(summary) for summary in sessions]}, lines)


def _summary_to_json(summary: SessionSummary) -> dict[str, Any]:
    told: dict[str, Any] = {"session_id": summary.session_id, "state": summary.state.value}
    if summary.position is not None:
        told["location"] = position_to_json(summary.position)
    told["target_info"] = program_to_json(summary.program)
    return {**told, "breakpoints": summary.breakpoints, "idle_ms": int(summary.idle_s * 1000)}


def _summary_to_text(summary: SessionSummary) -> str:
    place = "" if summary.position is None else f" at {position_to_text(summary.position)}"
    program = program_to_text(summary.program)
    points = counted(summary.breakpoints, "breakpoint")
    idle = f"idle {int(summary.idle_s)} s"
    return f"{summary.session_id} {summary.state.value}{place}: {program}, {points}, {idle}"


# --- breakpoints ---------------------------------------------------------------------------------------------------


def breakpoint_answer(about: Fields, point: Breakpoint, headline: str | None = None) -> Answer:
    """One breakpoint, with the lines around it."""
    told = breakpoint_to_json(point, FULL)
    if point.source:
        told["source"] = source_to_json(point.source, FULL.line_characters)
    lines = [*breakpoint_to_lines(point, FULL), *source_to_lines(point.source, FULL.line_characters)]
    return success_answer({**about, "breakpoint": told}, lines if headline is None else [headline, *lines])


def breakpoints_answer(about: Fields, points: Sequence[Breakpoint], start: int) -> Answer:
    """All breakpoints, as far as they fit."""
    return _list_answer(
        about,
        "breakpoints",
        [Entry(breakpoint_to_json(point, FULL), "\n".join(breakpoint_to_lines(point, FULL))) for point in points],
        start,
    )


def pause_on_exceptions_answer(about: Fields, mode: PauseOnExceptions) -> Answer:
    """At which exceptions the program stops from now on."""
    return success_answer(
        {**about, "pause_on_exceptions": mode.value}, [f"{about['session_id']} stops at exceptions: {mode.value}"]
    )


# --- scripts and source --------------------------------------------------------------------------------------------


def scripts_answer(about: Fields, scripts: Sequence[ScriptInfo], start: int) -> Answer:
    """The scripts that are loaded, as far as they fit."""
    return _list_answer(about, "scripts", [_script_to_entry(script) for script in scripts], start)


def _script_to_entry(script: ScriptInfo) -> Entry:
    place = script.file or script.url
    told: dict[str, Any] = {"id": script.id, "file": script.file} if script.file else {"id": script.id}
    if script.url != script.file:
        told["url"] = cut_end(script.url, FULL.line_characters)
    told["lines"] = script.lines
    if not script.is_own:
        told["own"] = False
    text = f"{script.id} {place} ({counted(script.lines, 'line')})"
    if script.source_map_url is not None:
        told["source_map"] = cut_end(script.source_map_url, FULL.line_characters)
        text += f", source map {told['source_map']}"
    return Entry(told, text)


def source_answer(about: Fields, source: SourceRange) -> Answer:
    """The text of some lines, as far as it fits."""
    shown = source.lines[: fitting_count(map(_line_to_entry, source.lines))]
    fields: Fields = {**about, "file": source.file, "total_lines": source.total_lines}
    if shown:
        fields |= {
            "first_line": shown[0].line,
            "last_line": shown[-1].line,
            "source": "\n".join(cut_end(line.text, _LINE_CHARACTERS) for line in shown),
        }
    lines = [f"{source.file} ({counted(source.total_lines, 'line')})", *source_to_lines(shown, _LINE_CHARACTERS)]
    if len(shown) < len(source.lines):
        following = source.lines[len(shown)].line
        fields["next_line"] = following
        lines.append(f"… {len(source.lines) - len(shown)} more: first_line {following}")
    return success_answer(fields, lines)


def source_context_answer(about: Fields, source: SourceRange) -> Answer:
    """Some lines around one that is marked."""
    return success_answer(
        {
            **about,
            "file": source.file,
            "total_lines": source.total_lines,
            "source": source_to_json(source.lines, FULL.line_characters),
        },
        [source.file, *source_to_lines(source.lines, FULL.line_characters)],
    )


def _line_to_entry(line: SourceText) -> Entry:
    text = cut_end(line.text, _LINE_CHARACTERS)
    return Entry(text, f"          {text}")


# --- any list ------------------------------------------------------------------------------------------------------


def _list_answer(about: Fields, name: str, entries: Sequence[Entry], start: int) -> Answer:
    wanted = entries[start:]
    shown = wanted[: fitting_count(wanted)]
    fields: Fields = {**about, name: [entry.structured for entry in shown], "total": len(entries)}
    lines = [f"{about['session_id']} {counted(len(entries), name.removesuffix('s'))}", *(entry.text for entry in shown)]
    if len(shown) < len(wanted):
        fields["next_start"] = start + len(shown)
        lines.append(f"… {len(wanted) - len(shown)} more: start {start + len(shown)}")
    return success_answer(fields, lines)
