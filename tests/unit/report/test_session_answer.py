"""The form that every answer of a session tool has."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from server import errors
from server.debug.session_model import ProgramState
from server.errors import (
    DebugError,
    DebuggerFailedError,
    DisconnectedError,
    ErrorCode,
    InvalidArgumentsError,
    InvalidStateError,
    LimitExceededError,
    ProtocolError,
    SessionNotFoundError,
    TargetLaunchError,
)
from server.report.session_answer import error_answer, session_fields, success_answer

CONTRACT_CODES = {
    *("SESSION_NOT_FOUND", "SESSION_INVALID_STATE", "CONNECTION_FAILED", "PROTOCOL_ERROR", "INVALID_PARAMETERS"),
    *("TIMEOUT", "EVALUATION_FAILED", "BREAKPOINT_NOT_FOUND", "LIMIT_EXCEEDED", "HOST_NOT_ALLOWED", "TARGET_EXITED"),
}
KINDS = [found for found in DebugError.__subclasses__() if found.__module__ == errors.__name__]


def error_of(kind: type[DebugError]) -> DebugError:
    parameters = [name for name in inspect.signature(kind).parameters if name not in ("advice", "details")]
    arguments: tuple[Any, ...] = ("what", 1, "happened")
    return kind(*arguments[: len(parameters)])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_failure_has_a_code_of_the_contract_and_names_what_helps(kind: type[DebugError]) -> None:
    answer = error_answer(error_of(kind))
    assert answer.is_error
    assert set(answer.structured) == {"status", "error"}
    error = answer.structured["error"]
    assert set(error) == {"code", "message", "details", "next"}
    assert error["code"] in CONTRACT_CODES
    assert error["next"]


def test_every_code_of_the_contract_can_be_met() -> None:
    assert {error_answer(error_of(kind)).structured["error"]["code"] for kind in KINDS} == CONTRACT_CODES


def test_a_failure_says_the_same_in_both_channels() -> None:
    error = SessionNotFoundError(
        "There is no session 's7'; there are: s1, s2.",
        advice="list_debug_sessions tells all of them.",
        details={"candidates": [], "session_ids": ["s1", "s2"], "exit": {"code": 0, "signal": None}},
    )
    answer = error_answer(error)
    assert answer.structured == {
        "status": "error",
        "error": {
            "code": "SESSION_NOT_FOUND",
            "message": "There is no session 's7'; there are: s1, s2.",
            "details": {"candidates": [], "session_ids": ["s1", "s2"], "exit": {"code": 0, "signal": None}},
            "next": "list_debug_sessions tells all of them.",
        },
    }
    assert answer.text == (
        "SESSION_NOT_FOUND: There is no session 's7'; there are: s1, s2.\n"
        "session_ids: s1, s2\n"
        'exit: {"code": 0, "signal": null}\n'
        "next: list_debug_sessions tells all of them."
    )


def test_details_that_say_nothing_are_left_out_of_the_text_and_objects_have_their_lines() -> None:
    details = {"near": [], "candidates": [{"line": 3, "text": "a b"}, {"line": 9, "text": "c"}], "total": 2}
    answer = error_answer(InvalidArgumentsError("Which?", advice="Give one.", details=details))
    assert answer.text == (
        "INVALID_PARAMETERS: Which?\ncandidates:\n  line 3, text a b\n  line 9, text c\ntotal: 2\nnext: Give one."
    )
    assert answer.structured["error"]["details"] == details


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TargetLaunchError("command not found"), ErrorCode.INVALID_PARAMETERS),
        (DisconnectedError("Debugger.resume", "gone"), ErrorCode.TARGET_EXITED),
        (DebuggerFailedError("a defect"), ErrorCode.PROTOCOL_ERROR),
        (ProtocolError("Debugger.resume", -32000, "no"), ErrorCode.PROTOCOL_ERROR),
        (LimitExceededError("ten"), ErrorCode.LIMIT_EXCEEDED),
    ],
)
def test_kinds_that_an_agent_treats_alike_have_one_code(error: DebugError, code: ErrorCode) -> None:
    assert error_answer(error).structured["error"]["code"] == code.value


def test_lone_surrogates_do_not_leave_in_a_failure() -> None:
    answer = error_answer(InvalidStateError("a\ud800", details={"b\udfff": ["c\ud801"]}))
    assert answer.structured["error"]["message"] == "a\ufffd"
    assert answer.structured["error"]["details"] == {"b\ufffd": ["c\ufffd"]}
    (answer.text or "").encode()


def test_a_success_begins_with_its_status_and_session() -> None:
    answer = success_answer({**session_fields("s1", ProgramState.RUNNING), "more": 1}, ["a", "b"])
    assert list(answer.structured.items()) == [
        ("status", "ok"),
        ("session_id", "s1"),
        ("state", "running"),
        ("more", 1),
    ]
    assert answer.text == "a\nb"
    assert not answer.is_error
