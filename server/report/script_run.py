"""The answer to `debug-script`: every result, or one message that says what happened and what would help."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from server.debug.model import Outcome, Placement, RunReport
from server.process.process_events import ExitStatus
from server.report.answer import Answer
from server.report.clean_text import clean_json, clean_text

_STDERR_CHARACTERS = 2_000
_UNREADABLE = {"type": "error", "value": "the value could not be read"}
_UNDEFINED_NAME = re.compile(r"ReferenceError: ([\w$]+) is not defined")


def failure_answer(message: str) -> Answer:
    """The contract's error shape: the same message in both channels."""
    message = clean_text(message)
    return Answer(structured={"error": message}, text=message, is_error=True)


def report_to_answer(report: RunReport, timeout_ms: int) -> Answer:
    """What an agent gets of a finished run."""
    if report.results.hits == 0:
        return failure_answer("\n".join(_failure_lines(report, timeout_ms)))
    results = [_text_to_result(text) for text in report.results.kept]
    structured = {"results": results, **_beside_results(report, results)}
    return Answer(structured=clean_json(structured))


def _text_to_result(json_text: str) -> dict[str, Any]:
    """What the program says of itself is not trusted to be what it should be."""
    try:
        result = json.loads(json_text)
    except ValueError:
        result = None
    return result if isinstance(result, dict) and {"type", "value"} <= result.keys() else dict(_UNREADABLE)


# --- success: what stands beside the results, each only where there is something to say ---------------------


def _beside_results(report: RunReport, results: list[dict[str, Any]]) -> dict[str, Any]:
    beside: dict[str, Any] = {}
    placement = report.placement
    if placement is not None and placement.bound_line not in (None, placement.requested.line):
        beside["breakpoint"] = {
            "file": placement.requested.file,
            "line": placement.bound_line,
            "requested_line": placement.requested.line,
        }
    if report.results.omitted:
        beside["truncated"] = {
            "results": report.results.omitted,
            "bytes": report.results.omitted_bytes,
            "hits": report.results.hits,
            "kept_first": report.results.kept_first,
        }
    if placement is not None and placement.has_enough:
        beside["max_hits_reached"] = True
    if report.outcome is Outcome.TIMED_OUT:
        beside["timed_out"] = True
    if report.outcome is Outcome.CONNECTION_LOST:
        beside["connection_lost"] = report.reason
    if report.outcome is Outcome.DEBUGGER_FAILED:
        beside["debugger_failed"] = report.reason
    if report.exit is not None and report.exit != ExitStatus(code=0, signal=None):
        beside["exit"] = _exit_to_json(report)
    if notes := list(_notes(report, results)):
        beside["notes"] = notes
    return beside


def _exit_to_json(report: RunReport) -> dict[str, Any]:
    assert report.exit is not None
    told: dict[str, Any] = {"code": report.exit.code, "signal": report.exit.signal}
    if stderr := _last_characters(report.stderr_tail):
        told["stderr"] = stderr
    return told


def _notes(report: RunReport, results: list[dict[str, Any]]) -> Iterator[str]:
    if report.evaluating:
        yield "At one more hit the expression was still being evaluated when the run ended."
    if report.placement is not None:
        yield from report.placement.unseen
        yield from report.placement.remarks
        if report.placement.bound_line not in (None, report.placement.requested.line):
            yield (
                f"V8 cannot stop at line {report.placement.requested.line} (nothing there, or nothing that can run):"
                f" these are the values at line {report.placement.bound_line}."
            )
    errors = (result["value"] for result in results if result["type"] == "error")
    names = {match[1] for error in errors if (match := _UNDEFINED_NAME.match(str(error)))}
    for name in sorted(names):
        yield (
            f"{name} is not visible where this line begins. Inside a function that is written on this line, use a line"
            f" of its body. If an outer function declares {name}, V8 dropped it there, since no inner function uses"
            f" it: set the breakpoint in the function that declares it."
        )


# --- failure: one message, the contract's sentence first ----------------------------------------------------


def _failure_lines(report: RunReport, timeout_ms: int) -> Iterator[str]:
    yield _headline(report, timeout_ms)
    if not report.started:
        yield "The program was not started: another run held what it needs, such as the port of its inspector."
        return
    if report.evaluating and report.outcome is Outcome.TIMED_OUT:
        yield "The breakpoint was hit, but evaluating the expression did not end. Use a simpler expression."
        return
    if report.exit is not None:
        yield _describe_exit(report.exit)
    if report.placement is None:
        yield "Where the breakpoint is could not be found out."
    else:
        yield from _describe_placement(report.placement, report.outcome)
        if _has_syntax_error(report.placement, report.stderr_tail):
            yield "It could not be parsed: the end of stderr says why."
    if stderr := _last_characters(report.stderr_tail):
        yield f"The end of stderr:\n{stderr}"


def _headline(report: RunReport, timeout_ms: int) -> str:
    match report.outcome:
        case Outcome.PROGRAM_ENDED:
            return "Process exited before breakpoint was hit"
        case Outcome.TIMED_OUT:
            return f"Timeout waiting for breakpoint after {timeout_ms}ms"
        case Outcome.CANCELLED:
            return "The request was cancelled."
        case Outcome.CONNECTION_LOST:
            return f"The debugger was disconnected before the breakpoint was hit: {report.reason}"
        case Outcome.DEBUGGER_FAILED:
            return f"The debugger failed before the breakpoint was hit: {report.reason}"


def _describe_exit(status: ExitStatus) -> str:
    if status.signal is not None:
        return f"It was killed by {status.signal}."
    return "How it ended is not known." if status.code is None else f"Exit code: {status.code}."


def _describe_placement(placement: Placement, outcome: Outcome) -> Iterator[str]:
    place = f"{placement.requested.file}:{placement.requested.line}"
    if not placement.debugger_reached:
        if outcome is Outcome.PROGRAM_ENDED:
            yield "The program ended before its inspector was there."
        elif outcome is Outcome.TIMED_OUT:
            yield "By then no inspector was announced on the program's stderr: is --inspect-brk meant for node itself?"
    elif not placement.file_loaded:
        yield f"The file was never loaded: {placement.requested.file}"
        if placement.source_maps is not None:
            yield placement.source_maps
        if placement.loaded_namesakes:
            yield "Loaded under the same name: " + ", ".join(placement.loaded_namesakes)
        else:
            yield "Check that the program itself loads it before it ends: child processes are not debugged."
    elif placement.bound_line is None:
        yield f"The file was loaded, but there is no code at {place} or behind it."
        if placement.nearest_lines:
            yield "Lines near it that have code: " + ", ".join(map(str, placement.nearest_lines))
    elif placement.remarks:
        yield from placement.remarks
    else:
        moved = placement.bound_line != placement.requested.line
        place = f"{placement.requested.file}:{placement.bound_line}"
        why = f" (V8 cannot stop at line {placement.requested.line})" if moved else ""
        missed = "was not hit" if placement.unseen else "never ran (child processes are not debugged)"
        yield f"The breakpoint was set at {place}{why}, but that line {missed}."
    yield from placement.unseen


def _has_syntax_error(placement: Placement, stderr: str) -> bool:
    return not placement.file_loaded and f"{placement.requested.file}:" in stderr and "\nSyntaxError: " in stderr


def _last_characters(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _STDERR_CHARACTERS else "…" + text[-_STDERR_CHARACTERS:]
