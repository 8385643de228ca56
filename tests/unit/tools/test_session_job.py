"""A call of a session tool from the request to the answer."""

from __future__ import annotations

import threading
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from server.debug.session_model import (
    CallStack,
    OutputPage,
    PauseOnExceptions,
    SourceRange,
)
from server.debug.value import Value
from server.errors import DebugError, EvaluationError, InvalidStateError
from server.report.answer import Answer
from server.tools.session_tool import SessionJob
from server.tools.session_toolset import SESSION_TOOLS
from tests.unit.report.stopped_program import BOUND, FILE, LOCALS, PAUSED, SOURCE, WATCHES
from tests.unit.tools.recording_sessions import RecordingSession, RecordingSessions

TOOLS = {tool.name: tool for tool in SESSION_TOOLS}
BOUND_S = 30.0
WITHOUT_FILE: dict[str, dict[str, Any]] = {
    "continue_execution": {},
    "set_breakpoint": {"function": "total"},
    "get_source_context": {"file": __file__, "line": 12},
    "start_debugging": {"program": __file__},
}
"""Arguments for tools whose example names a file that is only in the example."""
RESULTS: dict[str, Any] = {
    **dict.fromkeys(["continue_execution", "step_over", "step_into", "step_out", "pause_execution"], PAUSED),
    **dict.fromkeys(["set_breakpoint", "remove_breakpoint", "toggle_breakpoint"], BOUND),
    "list_breakpoints": (BOUND,),
    "set_pause_on_exceptions": PauseOnExceptions.ALL,
    "get_call_stack": CallStack(()),
    "get_variables": LOCALS,
    "set_variable": Value("number", json=6),
    "evaluate_expression": Value("number", json=6),
    "set_watches": WATCHES,
    "list_scripts": (),
    "get_script_source": SourceRange(FILE, SOURCE, 40),
    "get_source_context": SourceRange(FILE, SOURCE, 40),
    "get_output": OutputPage((), 0),
}


@pytest.fixture
def sessions() -> RecordingSessions:
    return RecordingSessions()


@pytest.fixture
def session(sessions: RecordingSessions) -> RecordingSession:
    return sessions.add()


def begin(sessions: RecordingSessions, name: str) -> SessionJob[Any] | Answer:
    return TOOLS[name](sessions).start(WITHOUT_FILE.get(name, TOOLS[name].example_arguments))


@pytest.mark.parametrize("name", TOOLS)
def test_every_answer_fits_the_published_schema(
    sessions: RecordingSessions, session: RecordingSession, name: str
) -> None:
    session.result = RESULTS.get(name)
    begun = begin(sessions, name)
    answer = begun if isinstance(begun, Answer) else begun.run()
    assert answer.structured["status"] == "ok"
    assert answer.text
    assert not answer.is_error
    jsonschema.validate(answer.structured, TOOLS[name].output_schema)
    own = TOOLS[name].output_schema["properties"].keys() & answer.structured.keys() - {"status"}
    assert own, "none of what the schema names is in the answer"


@pytest.mark.parametrize("name", [name for name in TOOLS if name not in ("start_debugging", "connect_debugger")])
def test_every_answer_about_a_session_names_it_and_its_state(
    sessions: RecordingSessions, session: RecordingSession, name: str
) -> None:
    session.result = RESULTS.get(name)
    begun = begin(sessions, name)
    if isinstance(begun, SessionJob):
        structured = begun.run().structured
        assert list(structured)[:3] == ["status", "session_id", "state"]
        assert structured["session_id"] == "s1"


@pytest.mark.parametrize(
    "error", [EvaluationError("no"), InvalidStateError("runs", advice="pause_execution stops it.")]
)
def test_what_a_session_refuses_is_the_answer(
    sessions: RecordingSessions, session: RecordingSession, error: DebugError
) -> None:
    session.result = error
    job = begin(sessions, "evaluate_expression")
    assert isinstance(job, SessionJob)
    answer = job.run()
    assert answer.is_error
    assert answer.structured["error"]["code"] == error.code.value
    jsonschema.validate(answer.structured, TOOLS["evaluate_expression"].output_schema)


def test_a_cancelled_call_ends_its_wait(sessions: RecordingSessions, session: RecordingSession) -> None:
    job = begin(sessions, "continue_execution")
    assert isinstance(job, SessionJob)
    answers: list[Answer] = []
    waiting = threading.Thread(target=lambda: answers.append(job.run()))
    waiting.start()
    job.cancel()
    waiting.join(BOUND_S)
    assert not waiting.is_alive()
    assert [answer.is_error for answer in answers] == [True]
    assert len(session.asked) == 1


def test_a_call_that_gets_no_turn_gives_its_request_up(sessions: RecordingSessions, session: RecordingSession) -> None:
    job = begin(sessions, "continue_execution")
    assert isinstance(job, SessionJob)
    answer = job.never_ran(others=256)
    assert answer.structured["error"]["code"] == "LIMIT_EXCEEDED"
    assert "256 other calls" in answer.structured["error"]["message"]
    assert job.run().is_error, "the request was not withdrawn"


def test_progress_counts_whole_seconds(
    sessions: RecordingSessions, session: RecordingSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("server.tools.session_tool.time.monotonic", lambda: now)
    job = begin(sessions, "continue_execution")
    assert isinstance(job, SessionJob)
    assert job.progress() == (0.0, "waiting for 0 s")
    now = 102.5
    assert job.progress() == (2.0, "waiting for 2 s")


def test_a_defect_is_told_in_the_shape_of_session_answers(sessions: RecordingSessions) -> None:
    answer = TOOLS["step_over"](sessions).failure("Internal error in step_over: KeyError: 'a defect'")
    assert answer.is_error
    assert answer.structured["error"]["code"] == "PROTOCOL_ERROR"
    assert "a defect" in answer.structured["error"]["message"]
