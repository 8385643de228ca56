"""The form that every answer of a session tool has, success or failure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from server.debug.session_model import ProgramState
from server.errors import DebugError, ErrorCode
from server.report.answer import Answer
from server.report.clean_text import clean_json, clean_text

Fields = dict[str, Any]
"""Named parts of a structured answer."""

_ADVICE: Mapping[ErrorCode, str] = {
    ErrorCode.INVALID_PARAMETERS: "Call again with the arguments corrected.",
    ErrorCode.LAUNCH_FAILED: "Call start_debugging again with the command corrected.",
    ErrorCode.CONNECTION_FAILED: "Call connect_debugger with an inspector that listens, or start_debugging.",
    ErrorCode.PROTOCOL_ERROR: "Call list_debug_sessions to see how the session is.",
    ErrorCode.DISCONNECTED: "Call get_output for what the program wrote, then start_debugging again.",
    ErrorCode.DEBUGGER_FAILED: "Call list_debug_sessions to see how the session is.",
    ErrorCode.SESSION_NOT_FOUND: "Call list_debug_sessions for the sessions that there are.",
    ErrorCode.SESSION_INVALID_STATE: "Call list_debug_sessions to see how the session is.",
    ErrorCode.TIMEOUT: "Call list_debug_sessions to see how the session is, or pause_execution.",
    ErrorCode.EVALUATION_FAILED: "Call get_variables for what is visible there.",
    ErrorCode.BREAKPOINT_NOT_FOUND: "Call list_breakpoints for the breakpoints that there are.",
    ErrorCode.LIMIT_EXCEEDED: "Call close_debug_session for a session that is not needed any more.",
    ErrorCode.HOST_NOT_ALLOWED: "Debug on this machine with connect_debugger, or have the server's settings changed.",
    ErrorCode.TARGET_EXITED: "Call get_output for what the program wrote, then start_debugging again.",
}
"""What helps where the error itself does not say."""

_PUBLISHED_CODES: Mapping[ErrorCode, ErrorCode] = {
    ErrorCode.LAUNCH_FAILED: ErrorCode.INVALID_PARAMETERS,
    ErrorCode.DISCONNECTED: ErrorCode.TARGET_EXITED,
    ErrorCode.DEBUGGER_FAILED: ErrorCode.PROTOCOL_ERROR,
}
"""Agents are told fewer kinds of failure than there are: those that they would act on differently."""


def success_answer(fields: Mapping[str, Any], lines: Iterable[str]) -> Answer:
    """The tool's own fields behind a status; the lines are the whole text."""
    return Answer(structured=clean_json({"status": "ok", **fields}), text=clean_text("\n".join(lines)))


def session_fields(session_id: str, state: ProgramState) -> Fields:
    """Which session an answer is about, and how its program is."""
    return {"session_id": session_id, "state": state.value}


def error_answer(error: DebugError) -> Answer:
    """What went wrong and the call that would help, the same in both channels."""
    code = _PUBLISHED_CODES.get(error.code, error.code)
    advice = error.advice or _ADVICE[error.code]
    told = {"code": code.value, "message": error.message, "details": error.details, "next": advice}
    text = "\n".join([f"{code.value}: {error.message}", *_details_to_lines(error.details), f"next: {advice}"])
    return Answer(structured=clean_json({"status": "error", "error": told}), text=clean_text(text), is_error=True)


def _details_to_lines(details: Mapping[str, Any]) -> Iterable[str]:
    told = {name: value for name, value in details.items() if value not in ([], (), {}, None)}
    for name, value in told.items():
        if not isinstance(value, list | tuple):
            yield f"{name}: {_shown(value)}"
        elif isinstance(value[0], dict):
            yield f"{name}:"
            yield from (f"  {_object_to_text(each)}" for each in value)
        else:
            yield f"{name}: {', '.join(map(_shown, value))}"


def _object_to_text(fields: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_shown(value)}" for name, value in fields.items())


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
