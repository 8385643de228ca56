"""From an expression to the JSON text of a result, whatever V8 answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from server.cdp.paused_capture import PausedCapture, error_to_json_text
from server.errors import DeadlinePassed, InvalidArgumentsError
from tests.fake_inspector import Peer
from tests.unit.cdp.conversation import SOON_S, answer_everything, conversation

NO_VALUE = {"result": {"type": "undefined"}}
VALUE = {"result": {"type": "string", "value": '{"type":"number","value":1}'}}


def thrown(description: str) -> dict[str, Any]:
    """As V8 reports what could not even be compiled."""
    error = {"type": "object", "subtype": "error", "className": "SyntaxError", "description": description}
    details = {"exceptionId": 1, "text": "Uncaught", "lineNumber": 0, "columnNumber": 0, "exception": error}
    return {"result": error, "exceptionDetails": details}


def answering(check: dict[str, Any], value: dict[str, Any]) -> Callable[[Peer], None]:
    """A V8 that answers the check of the expression and then its evaluation."""

    def answer(peer: Peer) -> None:
        peer.answer(peer.read_command(), check)
        peer.answer(peer.read_command(), value)

    return answer


def captured(expression: str, behave: Callable[[Peer], None]) -> Any:
    """The result of one hit."""
    with conversation(behave) as talk:
        return json.loads(PausedCapture(talk.connection, expression).capture("frame-1"))


def test_value_is_the_text_that_the_serialiser_made() -> None:
    assert captured("1", answering(NO_VALUE, VALUE)) == {"type": "number", "value": 1}


def test_expression_is_evaluated_once_in_the_frame_and_silently() -> None:
    with conversation(answer_everything) as talk:
        capture = PausedCapture(talk.connection, "a // b")
        for _ in range(3):
            capture.capture("frame-1")
    params = [command["params"] for command in talk.inspector.commands()]
    assert len(params) == 4  # the text is checked at the first hit only
    assert all(one["callFrameId"] == "frame-1" and one["silent"] and one["returnByValue"] for one in params)
    assert all("a // b\n" in one["expression"] for one in params)
    assert params[1] == params[2] == params[3] != params[0]


@pytest.mark.parametrize(
    ("expression", "check", "evaluation", "message"),
    [
        (
            "total +",
            "SyntaxError: Unexpected token ']'",
            "SyntaxError: Unexpected token ')'",
            "SyntaxError: Unexpected end of the expression",
        ),
        (
            "a b",
            "SyntaxError: Unexpected identifier 'b'\n    at x",
            "SyntaxError: missing ) after argument list\n    at y",
            "SyntaxError: missing ) after argument list",
        ),
        (
            "await f()",
            "SyntaxError: await is only valid in async functions",
            "SyntaxError: await is only valid in async functions",
            "SyntaxError: await is only valid in async functions (await and yield cannot be evaluated at a breakpoint)",
        ),
        (
            "if (a) b",
            "SyntaxError: Unexpected token 'if'",
            "SyntaxError: Unexpected token 'if'",
            "SyntaxError: Unexpected token 'if' (an expression is needed, not a statement)",
        ),
    ],
)
def test_text_that_does_not_compile_is_told_in_terms_of_the_expression(
    expression: str, check: str, evaluation: str, message: str
) -> None:
    result = captured(expression, answering(thrown(check), thrown(evaluation)))
    assert result == {"type": "error", "value": message}


def test_text_that_only_compiles_inside_our_brackets_is_refused() -> None:
    """`1)), f((2` is no expression, though it closes ours and opens them again."""
    result = captured("1)), f((2", answering(thrown("SyntaxError: Unexpected token ')'"), VALUE))
    assert result == {"type": "error", "value": "SyntaxError: Unexpected token ')'"}


def test_failure_that_is_no_syntax_error_is_told_in_its_first_line() -> None:
    result = captured("1", answering(NO_VALUE, thrown("ReferenceError: x is not defined\n    at z")))
    assert result == {"type": "error", "value": "ReferenceError: x is not defined"}


def test_refused_evaluation_is_a_result_with_the_reason() -> None:
    def refuse(peer: Peer) -> None:
        peer.answer(peer.read_command(), NO_VALUE)
        peer.send_json({"id": peer.read_command()["id"], "error": {"code": -32000, "message": "Invalid call frame id"}})

    assert captured("1", refuse) == {"type": "error", "value": "Invalid call frame id"}


def test_program_that_ends_meanwhile_is_a_result_with_the_reason() -> None:
    def leave(peer: Peer) -> None:
        peer.read_command()
        peer.tcp.close()

    result = captured("process.exit()", leave)
    assert result["type"] == "error"
    assert "the program ended" in result["value"]


@pytest.mark.parametrize("answer", [{}, NO_VALUE, {"result": {"type": "number", "value": 5}}])
def test_answer_without_the_serialisers_text_is_a_result_that_says_so(answer: dict[str, Any]) -> None:
    assert captured("1", answering(NO_VALUE, answer)) == {"type": "error", "value": "the value could not be read"}


def test_expression_that_never_ends_ends_at_the_deadline() -> None:
    with conversation(deadline_s=SOON_S) as talk:
        capture = PausedCapture(talk.connection, "(() => { for (;;); })()")
        with pytest.raises(DeadlinePassed):
            capture.capture("frame-1")


def test_condition_that_does_not_compile_ends_the_run_with_the_reason() -> None:
    def answer(peer: Peer) -> None:
        for result in (NO_VALUE, thrown("SyntaxError: Unexpected token ']'"), thrown("SyntaxError: whatever")):
            peer.answer(peer.read_command(), result)

    with conversation(answer) as talk, pytest.raises(InvalidArgumentsError) as refused:
        PausedCapture(talk.connection, "1", "i >").capture("frame-1")
    assert refused.value.message == (
        "The condition is no JavaScript expression: SyntaxError: Unexpected end of the expression"
    )


@pytest.mark.parametrize(
    ("check", "value", "compiles"),
    [
        (NO_VALUE, VALUE, True),
        (thrown("SyntaxError: x"), VALUE, False),
        (NO_VALUE, thrown("SyntaxError: Unexpected token '...'"), False),
    ],
)
def test_whether_the_texts_compile_is_known_after_the_first_hit(
    check: dict[str, Any], value: dict[str, Any], compiles: bool
) -> None:
    with conversation(answering(check, value)) as talk:
        capture = PausedCapture(talk.connection, "...")
        capture.capture("frame-1")
        assert capture.compiles is compiles


def test_reason_becomes_json_whatever_it_holds() -> None:
    assert json.loads(error_to_json_text('"\ud800\n')) == {"type": "error", "value": '"\ud800\n'}
