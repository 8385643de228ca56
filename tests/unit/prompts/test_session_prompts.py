"""Prompts are procedures that can be followed: every call in them is one that the server takes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from server.errors import PromptRefusedError
from server.prompts.session_prompts import SessionPrompts
from server.tools.session_toolset import SESSION_TOOLS
from tests.unit.canned_sessions import (
    ATTACHED,
    THROW,
    WROTE,
    CannedSession,
    CannedSessions,
    disconnected,
    exited,
    paused,
    running,
)

SESSIONS = CannedSessions(
    CannedSession(paused("s1")),
    CannedSession(paused("s2", THROW)),
    CannedSession(running("s3")),
    CannedSession(exited("s4"), output=WROTE),
    CannedSession(exited("s5", code=0)),
    CannedSession(exited("s6", code=None, signal="SIGKILL")),
    CannedSession(disconnected("s7"), ATTACHED),
    CannedSession(exited("s8", code=None), ATTACHED),
)
PROMPTS = SessionPrompts(SESSIONS)
EXPRESSION = 'cart.total < 0 && name !== "`${x}`"'


WRITE = {"file": "<file>", "line": "<line>", "condition": "<the value is wrong>"}


class Called(NamedTuple):
    tool: str
    arguments: dict[str, Any]


def calls_in(text: str) -> list[Called]:
    found = re.findall(r"^   - ([a-z_-]+) (\{.*\})$", text, re.MULTILINE)
    assert len(found) == len(re.findall(r"^   - ", text, re.MULTILINE))
    return [Called(tool, json.loads(arguments)) for tool, arguments in found]


def every_text() -> Iterator[tuple[str, str]]:
    for session_id in SESSIONS.sessions:
        yield f"crash-{session_id}", PROMPTS.text("analyze_crash", {"session_id": session_id})
        arguments = {"session_id": session_id, "expression": EXPRESSION}
        yield f"condition-{session_id}", PROMPTS.text("investigate_condition", arguments)
    yield "cause", PROMPTS.text("find_root_cause", {"command": "node app.js", "symptom": "It prints\nnothing."})


TEXTS = dict(every_text())
TOOLS = {tool.name: tool for tool in SESSION_TOOLS}


def filled(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments as an agent would give them, who knows what the angle brackets stand for."""
    return {name: _filled(name, value) for name, value in arguments.items()}


def _filled(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return [filled(item) if isinstance(item, dict) else item for item in value]
    return 1 if name in ("line", "port") and value.startswith("<") else value


@pytest.mark.parametrize("case", TEXTS)
def test_steps_are_numbered_and_end_with_closing_the_session_and_a_conclusion(case: str) -> None:
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", TEXTS[case], re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 4
    assert calls_in(TEXTS[case])[-1].tool == "close_debug_session"
    assert "the cause, as file:line" in TEXTS[case]


@pytest.mark.parametrize("case", TEXTS)
def test_every_call_is_one_that_its_tool_accepts(case: str) -> None:
    for called in calls_in(TEXTS[case]):
        TOOLS[called.tool].arguments.model_validate(filled(called.arguments))


@pytest.mark.parametrize("case", TEXTS)
def test_a_prompt_stays_small(case: str) -> None:
    assert len(TEXTS[case].encode()) < 8 * 1024


def test_a_program_at_its_throw_is_looked_at_where_it_stands() -> None:
    text = TEXTS["crash-s2"]
    assert "TypeError: items is not iterable" in text
    assert "return sum(items);" in text
    first = calls_in(text)[0]
    # f3 is the runtime's own code; f4 is the innermost frame of the program's.
    assert first == Called("get_variables", {"session_id": "s2", "frame": "f4"})


@pytest.mark.parametrize("session_id", ["s1", "s3"])
def test_a_program_that_lives_is_run_into_its_failure(session_id: str) -> None:
    calls = calls_in(TEXTS[f"crash-{session_id}"])
    assert calls[0] == Called("set_pause_on_exceptions", {"session_id": session_id, "mode": "uncaught"})
    assert Called("continue_execution", {"session_id": session_id}) in calls
    # Only to see the value being made is it started again.
    assert [call for call in calls if call.tool == "start_debugging"] == [
        Called("start_debugging", {"command": "node /app/cart.js", "cwd": "/app", "breakpoints": [WRITE]})
    ]


@pytest.mark.parametrize("session_id", ["s4", "s5", "s6"])
def test_a_program_that_ended_is_read_and_started_again(session_id: str) -> None:
    calls = calls_in(TEXTS[f"crash-{session_id}"])
    assert calls[0] == Called("get_output", {"session_id": session_id})
    again = {"command": "node /app/cart.js", "cwd": "/app", "pause_on_exceptions": "uncaught"}
    assert calls[1] == Called("start_debugging", again)


def test_what_a_program_wrote_before_it_ended_is_among_the_facts() -> None:
    assert "exited with code 1" in TEXTS["crash-s4"]
    assert "Error: no items" in TEXTS["crash-s4"]


@pytest.mark.parametrize(
    ("session_id", "words"),
    [("s5", "It ended with code 0"), ("s6", "It was ended by SIGKILL"), ("s7", "The connection to it is lost")],
)
def test_each_kind_of_end_is_explained(session_id: str, words: str) -> None:
    assert words in TEXTS[f"crash-{session_id}"]


@pytest.mark.parametrize("case", ["crash-s7", "crash-s8", "condition-s7", "condition-s8"])
def test_an_attached_program_is_attached_to_again(case: str) -> None:
    tools = [call.tool for call in calls_in(TEXTS[case])]
    assert "connect_debugger" in tools
    assert "start_debugging" not in tools


def test_a_condition_is_evaluated_at_once_where_the_program_stands() -> None:
    assert calls_in(TEXTS["condition-s1"])[0] == Called(
        "evaluate_expression",
        {"session_id": "s1", "frame": "f4", "expression": EXPRESSION, "allow_side_effects": False},
    )


def test_a_running_program_is_stopped_before_its_condition_is_evaluated() -> None:
    calls = calls_in(TEXTS["condition-s3"])
    assert calls[0] == Called("pause_execution", {"session_id": "s3"})
    assert calls[1].tool == "evaluate_expression"
    assert "frame" not in calls[1].arguments  # nobody knows its frames yet


@pytest.mark.parametrize("case", [case for case in TEXTS if case.startswith("condition")])
def test_the_condition_goes_into_breakpoints_and_watches_as_it_is(case: str) -> None:
    calls = calls_in(TEXTS[case])
    assert EXPRESSION in [call.arguments.get("condition") for call in calls]
    assert [EXPRESSION] in [call.arguments.get("expressions") for call in calls]


def test_a_root_cause_is_looked_for_from_the_command_on() -> None:
    text = TEXTS["cause"]
    assert "    It prints\n    nothing." in text
    starts = [call.arguments for call in calls_in(text) if call.tool == "start_debugging"]
    assert {"command": "node app.js", "pause_on_exceptions": "uncaught"} in starts
    assert {start["command"] for start in starts} == {"node app.js"}


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("analyse_crash", {"session_id": "s1"}, "There is no prompt 'analyse_crash'. There are: analyze_crash, "),
        ("analyze_crash", {}, "session_id is missing"),
        ("analyze_crash", {"session_id": " "}, "session_id is missing"),
        ("analyze_crash", {"session_id": "s99"}, "There is no session 's99'"),
        ("analyze_crash", {"session_id": "s1", "verbose": "yes"}, "there is no argument 'verbose'"),
        ("investigate_condition", {"session_id": "s1"}, "expression is missing"),
        ("investigate_condition", {"session_id": "s1", "expression": "x" * 10_001}, "expression is too long"),
        ("find_root_cause", {}, "command is missing, symptom is missing. It takes: command ("),
    ],
)
def test_a_prompt_that_cannot_be_made_says_why(name: str, arguments: dict[str, str], problem: str) -> None:
    with pytest.raises(PromptRefusedError) as refused:
        PROMPTS.text(name, arguments)
    assert problem in str(refused.value)


def test_session_ids_are_completed_from_what_was_typed() -> None:
    sessions = CannedSessions(*(CannedSession(running(session_id)) for session_id in ("s1", "s2", "s10")))
    prompts = SessionPrompts(sessions)
    assert prompts.complete("analyze_crash", "session_id", "") == ("s1", "s2", "s10")
    assert prompts.complete("investigate_condition", "session_id", "s1") == ("s1", "s10")
    assert prompts.complete("analyze_crash", "session_id", "x") == ()


def test_what_only_the_user_can_know_is_not_completed() -> None:
    assert PROMPTS.complete("investigate_condition", "expression", "") == ()
    assert PROMPTS.complete("find_root_cause", "command", "s") == ()


@pytest.mark.parametrize(("name", "argument"), [("nothing", "session_id"), ("analyze_crash", "expression")])
def test_completing_what_there_is_not_is_refused(name: str, argument: str) -> None:
    with pytest.raises(PromptRefusedError):
        PROMPTS.complete(name, argument, "")
