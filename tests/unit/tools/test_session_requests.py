"""What each session tool asks of a session, and what it refuses before it asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.debug.model import SourceLine
from server.debug.session_model import (
    AttachSpec,
    Evaluation,
    LaunchSpec,
    PauseOnExceptions,
    Position,
    ProgramState,
    StepKind,
)
from server.debug.session_requests import (
    BreakpointRequest,
    Continue,
    Evaluate,
    GetCallStack,
    GetOutput,
    GetSource,
    GetState,
    GetVariables,
    ListBreakpoints,
    ListScripts,
    Pause,
    RemoveBreakpoint,
    SessionRequest,
    SetBreakpoint,
    SetPauseOnExceptions,
    SetVariable,
    SetWatches,
    TakeStep,
    ToggleBreakpoint,
)
from server.debug.sessions import StartOptions
from server.debug.value import Page
from server.report.answer import Answer
from server.tools.session_tool import SessionJob
from server.tools.session_toolset import SESSION_TOOLS
from tests.unit.tools.recording_sessions import RecordingSessions

TOOLS = {tool.name: tool for tool in SESSION_TOOLS}
HERE = str(Path(__file__))


@pytest.fixture
def sessions() -> RecordingSessions:
    return RecordingSessions()


def start(sessions: RecordingSessions, name: str, arguments: dict[str, Any]) -> SessionJob[Any] | Answer:
    return TOOLS[name](sessions).start(arguments)


def refusal(sessions: RecordingSessions, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The error of a call that has to be refused; nothing may have been asked."""
    answer = start(sessions, name, arguments)
    assert isinstance(answer, Answer)
    assert answer.is_error
    assert answer.structured["status"] == "error"
    assert not any(session.asked for session in sessions.by_id.values())
    assert [*sessions.launched, *sessions.attached, *sessions.closed] == []
    error = answer.structured["error"]
    assert isinstance(error, dict)
    assert error["message"] in (answer.text or "")
    assert f"next: {error['next']}" in (answer.text or "")
    return error


# --- one request a call --------------------------------------------------------------------------------------------

REQUESTS: list[tuple[str, dict[str, Any], SessionRequest[Any]]] = [
    ("continue_execution", {}, Continue(20.0)),
    ("continue_execution", {"wait_ms": 0}, Continue(0.0)),
    ("continue_execution", {"to": {"file": HERE, "line": 3}}, Continue(20.0, SourceLine(HERE, 3))),
    ("step_over", {"wait_ms": 1500}, TakeStep(StepKind.OVER, 1.5)),
    ("step_into", {"include_internal": True}, TakeStep(StepKind.INTO, 20.0, into_internals=True)),
    ("step_out", {}, TakeStep(StepKind.OUT, 20.0)),
    ("pause_execution", {"wait_ms": 2000.0}, Pause(2.0)),
    ("set_pause_on_exceptions", {"mode": "all"}, SetPauseOnExceptions(PauseOnExceptions.ALL)),
    ("set_breakpoint", {"file": HERE, "line": 3}, SetBreakpoint(BreakpointRequest(file=HERE, line=3))),
    ("set_breakpoint", {"function": "Cart.total"}, SetBreakpoint(BreakpointRequest(function="Cart.total"))),
    (
        "set_breakpoint",
        {"file": HERE, "text": "x", "column": 2, "condition": "a", "hit_condition": "%2", "log_message": "{a}"},
        SetBreakpoint(
            BreakpointRequest(file=HERE, text="x", column=2, condition="a", hit_condition="%2", log_message="{a}")
        ),
    ),
    ("remove_breakpoint", {"breakpoint_id": "bp1"}, RemoveBreakpoint("bp1")),
    ("toggle_breakpoint", {"breakpoint_id": "bp1"}, ToggleBreakpoint("bp1")),
    ("toggle_breakpoint", {"breakpoint_id": "bp1", "enabled": False}, ToggleBreakpoint("bp1", enabled=False)),
    ("list_breakpoints", {}, ListBreakpoints()),
    ("get_call_stack", {}, GetCallStack()),
    (
        "get_call_stack",
        {"include_async": True, "include_internal": True},
        GetCallStack(include_async=True, include_internal=True),
    ),
    ("get_variables", {}, GetVariables()),
    (
        "get_variables",
        {"frame": 2, "scope": "closure", "depth": 2, "names": ["a"], "start": 5, "count": 7},
        GetVariables(frame=2, scope="closure", page=Page(5, 7, 2, ("a",))),
    ),
    ("get_variables", {"ref": "v7"}, GetVariables(ref="v7")),
    ("set_variable", {"name": "a", "value": "1", "frame": "f3"}, SetVariable("a", "1", "f3")),
    ("evaluate_expression", {"expression": "a"}, Evaluate(Evaluation("a"))),
    (
        "evaluate_expression",
        {"expression": "a", "frame": 0, "by_value": True, "allow_side_effects": False, "timeout": 250},
        Evaluate(Evaluation("a", allow_side_effects=False, by_value=True, timeout_s=0.25), 0),
    ),
    ("set_watches", {"expressions": ["a", "b"]}, SetWatches(("a", "b"))),
    ("set_watches", {"expressions": []}, SetWatches(())),
    ("list_scripts", {"matching": "src/", "include_internal": True}, ListScripts("src/", include_internal=True)),
    ("get_script_source", {"script": "71"}, GetSource(script_id="71")),
    (
        "get_script_source",
        {"file": HERE, "first_line": 3, "last_line": 4},
        GetSource(file=HERE, first_line=3, last_line=4, url=HERE),
    ),
    (
        "get_source_context",
        {"file": HERE, "line": 3},
        GetSource(file=HERE, first_line=1, last_line=8, current_line=3, url=HERE),
    ),
    ("get_output", {}, GetOutput()),
    ("get_output", {"since": 12, "stream": "log"}, GetOutput(12, "log")),
]


@pytest.mark.parametrize(("name", "arguments", "request_"), REQUESTS)
def test_a_call_becomes_one_request(
    sessions: RecordingSessions, name: str, arguments: dict[str, Any], request_: SessionRequest[Any]
) -> None:
    session = sessions.add()
    assert isinstance(start(sessions, name, arguments), SessionJob)
    assert session.asked == [request_]


def test_every_tool_that_asks_a_session_is_among_those_above() -> None:
    others = {"start_debugging", "connect_debugger", "list_debug_sessions", "close_debug_session"}
    assert {name for name, _, _ in REQUESTS} == TOOLS.keys() - others


def test_continuing_a_program_that_runs_waits_for_its_next_stop(sessions: RecordingSessions) -> None:
    session = sessions.add(state=ProgramState.RUNNING)
    start(sessions, "continue_execution", {"wait_ms": 300})
    assert session.asked == [GetState(0.3)]


def test_files_may_be_relative_or_urls(
    sessions: RecordingSessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "own").mkdir()
    for file in ("server/a.js", "own/b.js"):
        (tmp_path / file).touch()
    monkeypatch.chdir(tmp_path / "server")
    session = sessions.add(cwd=str(tmp_path / "own"))
    for file in ("a.js", "b.js", (tmp_path / "own" / "b.js").as_uri()):
        start(sessions, "set_breakpoint", {"file": file, "line": 1})
    asked = [request.wanted.file for request in session.asked if isinstance(request, SetBreakpoint)]
    assert asked == [str(tmp_path / "server" / "a.js"), *[str(tmp_path / "own" / "b.js")] * 2]


@pytest.mark.parametrize(
    ("name", "purpose"), [("set_breakpoint", "set a breakpoint in"), ("continue_execution", "run to")]
)
def test_a_file_that_is_not_there_is_refused_unless_the_program_may_have_it_elsewhere(
    sessions: RecordingSessions, tmp_path: Path, name: str, purpose: str
) -> None:
    missing = str(tmp_path / "missing.js")
    place: dict[str, Any] = {"file": missing, "line": 1}
    arguments = {"to": place} if name == "continue_execution" else place
    sessions.add("s1")
    attached = sessions.add("s2", is_attached=True)
    error = refusal(sessions, name, {**arguments, "session_id": "s1"})
    assert error["code"] == "INVALID_PARAMETERS"
    assert error["message"] == f"There is no file {missing} to {purpose}."
    start(sessions, name, {**arguments, "session_id": "s2"})
    assert missing in str(attached.asked)


@pytest.mark.parametrize(("name", "arguments"), [("get_script_source", {}), ("get_source_context", {"line": 1})])
def test_a_source_may_have_a_name_of_which_there_is_no_file(
    sessions: RecordingSessions, name: str, arguments: dict[str, Any]
) -> None:
    session = sessions.add()
    start(sessions, name, {**arguments, "file": "node:events"})
    [request] = session.asked
    assert isinstance(request, GetSource)
    assert request.url == "node:events"


def test_running_to_a_line_means_the_file_in_which_the_program_stands(sessions: RecordingSessions) -> None:
    session = sessions.add(position=Position("/app/cart.js", 3, 1))
    start(sessions, "continue_execution", {"to": {"line": 9}})
    assert session.asked == [Continue(20.0, SourceLine("/app/cart.js", 9))]


def test_running_to_a_line_of_no_file_is_refused_where_the_program_stands_in_none(sessions: RecordingSessions) -> None:
    sessions.add(state=ProgramState.RUNNING)
    error = refusal(sessions, "continue_execution", {"to": {"line": 9}})
    assert error["code"] == "SESSION_INVALID_STATE"
    assert "pause_execution" in error["next"]


# --- which session -------------------------------------------------------------------------------------------------


def test_the_only_session_need_not_be_named(sessions: RecordingSessions) -> None:
    session = sessions.add("s4")
    start(sessions, "step_over", {})
    assert len(session.asked) == 1


def test_the_only_live_session_is_meant_where_others_are_over(sessions: RecordingSessions) -> None:
    sessions.add("s1", ProgramState.EXITED)
    live = sessions.add("s2", ProgramState.RUNNING)
    sessions.add("s3", ProgramState.DISCONNECTED)
    start(sessions, "get_output", {})
    assert len(live.asked) == 1


def test_the_last_session_left_is_meant_although_it_is_over(sessions: RecordingSessions) -> None:
    over = sessions.add("s1", ProgramState.EXITED)
    start(sessions, "get_output", {})
    assert len(over.asked) == 1


def test_one_of_several_sessions_has_to_be_named(sessions: RecordingSessions) -> None:
    sessions.add("s1")
    sessions.add("s2")
    error = refusal(sessions, "step_over", {})
    assert error["code"] == "INVALID_PARAMETERS"
    assert error["details"] == {"session_ids": ["s1", "s2"]}
    assert "session_id" in error["next"]


def test_without_a_session_the_answer_names_the_calls_that_begin_one(sessions: RecordingSessions) -> None:
    error = refusal(sessions, "step_over", {})
    assert error["code"] == "SESSION_NOT_FOUND"
    assert "start_debugging" in error["next"]


def test_an_unknown_session_is_refused(sessions: RecordingSessions) -> None:
    sessions.add("s1")
    assert refusal(sessions, "step_over", {"session_id": "s9"})["code"] == "SESSION_NOT_FOUND"
    assert refusal(sessions, "close_debug_session", {"session_id": "s9"})["code"] == "SESSION_NOT_FOUND"


# --- bad arguments -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("step_over", {"wait_ms": "20000"}, "- wait_ms: input should be a valid integer"),
        ("step_over", {"wait_ms": -1}, "- wait_ms: input should be greater than or equal to 0"),
        ("step_over", {"wait_ms": 2**31}, "- wait_ms: should be less than 2147483648"),
        ("step_over", {"session_id": " "}, "- session_id: must not be empty or blank"),
        ("set_breakpoint", {"file": HERE}, "exactly one of line, text and function says where"),
        ("set_breakpoint", {"file": HERE, "line": 1, "text": "a"}, "exactly one of line, text and function"),
        ("set_breakpoint", {"line": 1}, "line and text need a file"),
        ("set_breakpoint", {"file": HERE, "line": 0}, "- line: input should be greater than or equal to 1"),
        ("set_breakpoint", {"file": "a\0b", "line": 1}, "- file: must not contain a NUL character"),
        ("get_script_source", {}, "either script or file says which source"),
        ("get_script_source", {"script": "1", "file": HERE}, "either script or file says which source"),
        ("get_variables", {"depth": 6}, "- depth: input should be less than or equal to 5"),
        ("get_variables", {"count": 0}, "- count: input should be greater than or equal to 1"),
        ("get_variables", {"frame": -1}, "- frame"),
        ("get_variables", {"frame": True}, "- frame"),
        ("get_output", {"stream": "stdin"}, "- stream: input should be 'stdout', 'stderr', 'log' or 'console'"),
        ("set_pause_on_exceptions", {}, "- mode: is required"),
        ("set_watches", {"expressions": ["a"] * 21}, "- expressions: list should have at most 20 items"),
        ("start_debugging", {"program": HERE, "watches": ["a"] * 21}, "- watches: list should have at most 20 items"),
        ("evaluate_expression", {"expression": ""}, "- expression: must not be empty or blank"),
        ("start_debugging", {}, "either program or command says what to start"),
        ("start_debugging", {"program": HERE, "command": "node a.js"}, "either program or command"),
        ("start_debugging", {"program": HERE, "language": "python"}, "- language: input should be 'node'"),
        ("start_debugging", {"program": HERE, "breakpoints": [{"line": 1}]}, "line and text need a file"),
        ("connect_debugger", {}, "exactly one of websocket_url, port and pid says where"),
        ("connect_debugger", {"port": 9229, "pid": 1}, "exactly one of websocket_url, port and pid says where"),
        ("connect_debugger", {"port": 65536}, "- port: input should be less than or equal to 65535"),
    ],
)
def test_bad_arguments_are_refused_in_the_shape_of_session_answers(
    sessions: RecordingSessions, name: str, arguments: dict[str, Any], problem: str
) -> None:
    sessions.add()
    error = refusal(sessions, name, arguments)
    assert error["code"] == "INVALID_PARAMETERS"
    assert error["message"].startswith(f"Bad arguments for {name}:\n")
    assert problem in error["message"]
    example = {each: value for each, value in TOOLS[name].example_arguments.items() if each != "session_id"}
    given = {each: value for each, value in arguments.items() if each == "session_id"}
    assert error["details"] == {"example": {**given, **example}}


def test_the_example_for_bad_arguments_has_the_session_of_the_caller(sessions: RecordingSessions) -> None:
    sessions.add("s7")
    error = refusal(sessions, "set_variable", {"session_id": "s7", "name": "sum"})
    assert error["details"]["example"] == {"session_id": "s7", "name": "sum", "value": "sum + 1"}


@pytest.mark.parametrize("name", TOOLS)
def test_an_unknown_argument_is_refused(sessions: RecordingSessions, name: str) -> None:
    sessions.add()
    error = refusal(sessions, name, {**TOOLS[name].example_arguments, "surplus": 1})
    assert "- surplus: there is no such argument" in error["message"]


# --- beginning and ending ------------------------------------------------------------------------------------------


def test_a_program_is_run_with_node(sessions: RecordingSessions, tmp_path: Path) -> None:
    arguments = {"program": HERE, "args": ["--flag", ""], "cwd": str(tmp_path), "env": {"A": "1"}}
    start(sessions, "start_debugging", arguments)
    [(spec, _)] = sessions.launched
    assert spec == LaunchSpec(("node", HERE, "--flag", ""), str(tmp_path), {"A": "1"})


def test_a_command_is_split_into_words_and_may_set_variables(sessions: RecordingSessions) -> None:
    start(sessions, "start_debugging", {"command": "A=0 B=1 npx mocha 'a b.js'", "args": ["-x"], "env": {"A": "2"}})
    [(spec, _)] = sessions.launched
    assert spec == LaunchSpec(("npx", "mocha", "a b.js", "-x"), None, {"A": "2", "B": "1"})


@pytest.mark.parametrize(
    ("arguments", "stops"),
    [
        ({}, True),
        ({"pause_on_exceptions": "none"}, True),
        ({"pause_on_exceptions": "uncaught"}, False),
        ({"breakpoints": [{"file": HERE, "line": 1}]}, False),
        ({"breakpoints": [{"file": HERE, "line": 1}], "stop_on_entry": True}, True),
        ({"stop_on_entry": False}, False),
    ],
)
def test_a_program_that_nothing_else_would_stop_is_stopped_on_entry(
    sessions: RecordingSessions, arguments: dict[str, Any], stops: bool
) -> None:
    start(sessions, "start_debugging", {"program": HERE, **arguments})
    [(_, options)] = sessions.launched
    assert options.stop_on_entry is stops


def test_breakpoints_are_handed_over_before_anything_runs(sessions: RecordingSessions, tmp_path: Path) -> None:
    (tmp_path / "cart.js").touch()
    start(
        sessions,
        "start_debugging",
        {
            "program": "cart.js",
            "cwd": str(tmp_path),
            "breakpoints": [{"file": "cart.js", "text": "sum"}, {"function": "total", "condition": "a"}],
            "pause_on_exceptions": "all",
            "watches": ["sum", "item"],
            "wait_ms": 100,
        },
    )
    [(spec, options)] = sessions.launched
    assert spec.argv == ("node", str(tmp_path / "cart.js"))
    assert options == StartOptions(
        (
            BreakpointRequest(file=str(tmp_path / "cart.js"), text="sum"),
            BreakpointRequest(function="total", condition="a"),
        ),
        wait_s=0.1,
        pause_on_exceptions=PauseOnExceptions.ALL,
        watches=("sum", "item"),
    )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"program": "no-such-file.js"}, "There is no file "),
        ({"program": str(Path(__file__).parent)}, " is a directory, not a file to run."),
        ({"program": HERE, "cwd": "/no/such/directory"}, "cwd is no directory: /no/such/directory"),
        ({"program": HERE, "breakpoints": [{"file": "no-such.js", "line": 1}]}, " to set a breakpoint in."),
        ({"command": "node a.js | cat"}, "Bad command: the command uses '|'"),
        ({"command": "'"}, "Bad command: "),
    ],
)
def test_what_cannot_be_started_is_refused_before_anything_runs(
    sessions: RecordingSessions, arguments: dict[str, Any], problem: str
) -> None:
    error = refusal(sessions, "start_debugging", arguments)
    assert error["code"] == "INVALID_PARAMETERS"
    assert problem in error["message"]


@pytest.mark.parametrize(
    ("arguments", "spec"),
    [
        ({"websocket_url": "ws://127.0.0.1:9229/id"}, AttachSpec(url="ws://127.0.0.1:9229/id")),
        ({"port": 9229}, AttachSpec(port=9229)),
        ({"host": "::1", "port": 9229, "target": "main"}, AttachSpec(host="::1", port=9229, target="main")),
        ({"pid": 4711}, AttachSpec(pid=4711)),
    ],
)
def test_attaching_takes_one_address(sessions: RecordingSessions, arguments: dict[str, Any], spec: AttachSpec) -> None:
    start(sessions, "connect_debugger", arguments)
    assert [attached for attached, _ in sessions.attached] == [spec]


@pytest.mark.parametrize("keep_running", [False, True])
def test_closing_needs_no_name_where_there_is_one_session(sessions: RecordingSessions, keep_running: bool) -> None:
    sessions.add("s3")
    start(sessions, "close_debug_session", {"keep_running": keep_running})
    assert sessions.closed == [("s3", keep_running)]


def test_listing_asks_nobody(sessions: RecordingSessions) -> None:
    session = sessions.add("s3")
    answer = start(sessions, "list_debug_sessions", {})
    assert isinstance(answer, Answer)
    assert [summary["session_id"] for summary in answer.structured["sessions"]] == ["s3"]
    assert session.asked == []
