"""Evaluates an expression in a paused frame and brings its whole value home in one round trip.

A serialiser is put into the program once for each of its global scopes, before the program's own code runs. It
lives in a lexical binding of the global scope, so that no property of the global object tells of it.
"""

from __future__ import annotations

import json
import re
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

from server.errors import DisconnectedError, ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import EvaluateOnCallFrameResult
    from cdp_protocol.generated.runtime import ExceptionDetails
    from server.cdp.connection import Call, Connection

_BINDING = "__debug_script_serialiser__"
_LIMITS = {"depth": 64, "items": 100_000, "properties": 100_000, "functionText": 2_000}
_UNANSWERED = "the program ended, or closed its inspector, while the expression was evaluated"
_OUR_BRACKET = "SyntaxError: Unexpected token ')'"
_AWAITS = re.compile(r"\b(await|yield)\b")
_STATEMENT = re.compile(
    r"(?:if|for|while|do|switch|try|return|throw|var|let|const|import|export|debugger)\b|.*;$", re.DOTALL
)


@cache
def _serialiser_source() -> str:
    return files("server.cdp").joinpath("injected", "serialiser.js").read_text("utf-8")


@cache
def _installation_source(max_result_bytes: int) -> str:
    limits = json.dumps({**_LIMITS, "string": max_result_bytes, "bytes": max_result_bytes})
    return (
        # `require` is the debugger's own here, and is only there in the runtime's main context.
        f"const {_BINDING} = ({_serialiser_source()}\n)"
        f"(typeof require === 'function' ? require('util') : null, {limits});"
        # A forked child would inherit the flag and wait for a debugger that never comes.
        "if (typeof process === 'object' && process !== null && Array.isArray(process.execArgv))"
        " process.execArgv.splice(0, process.execArgv.length,"
        " ...process.execArgv.filter((flag) => !/^--inspect(-brk|-wait)?(=|$)/.test(flag)));"
        "void 0"
    )


def error_to_json_text(message: str) -> str:
    """The result of a hit at which there is no value, only a reason."""
    return json.dumps({"type": "error", "value": message})


class Capture:
    """Evaluates one expression at every hit. Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, expression: str, max_result_bytes: int) -> None:
        self._connection = connection
        self._expression = expression
        self._max_result_bytes = max_result_bytes
        self._prepared_contexts: set[int | None] = set()
        # The parentheses make an object literal and a comma expression what they look like; the line break
        # ends a comment that the expression may close with.
        self._source = f"try{{{_BINDING}.value(({expression}\n))}}catch(error){{{_BINDING}.thrown(error)}}"
        # Compiled, never run: text that is an expression in both kinds of brackets closes neither of them.
        self._check_source = f"void(()=>[{expression}\n])"
        self._check: Call[EvaluateOnCallFrameResult] | None = None

    def prepare(self, context_id: int | None) -> None:
        """Put the serialiser into a global scope, once; does not wait."""
        from cdp_protocol.generated import runtime

        if context_id in self._prepared_contexts:
            return
        self._prepared_contexts.add(context_id)
        source = _installation_source(self._max_result_bytes)
        if context_id is None:
            command = runtime.Evaluate(expression=source, include_command_line_api=True, silent=True)
        else:
            command = runtime.Evaluate(
                expression=source, include_command_line_api=True, silent=True, context_id=context_id
            )
        self._connection.post(command)

    def post(self, frame_id: str) -> Call[EvaluateOnCallFrameResult]:
        """Start the evaluation at one hit, without waiting."""
        if self._check is None:
            self._check = self._evaluate(frame_id, self._check_source)
        return self._evaluate(frame_id, self._source)

    def collect(self, call: Call[EvaluateOnCallFrameResult]) -> str:
        """Wait for the value of a hit, as JSON text; whatever went wrong with it is its value."""
        try:
            answer = self._connection.wait(call)
        except DisconnectedError:
            return error_to_json_text(_UNANSWERED)
        except ProtocolError as error:
            return error_to_json_text(error.wire_message)
        if answer.exception_details is not None:
            return error_to_json_text(self._explain(_message_of(answer.exception_details)))
        if self._check_message is not None:
            return error_to_json_text(self._check_message)
        value = answer.result.value
        return value if isinstance(value, str) else error_to_json_text("the value could not be read")

    def _evaluate(self, frame_id: str, source: str) -> Call[EvaluateOnCallFrameResult]:
        from cdp_protocol.generated import debugger

        return self._connection.post(
            debugger.EvaluateOnCallFrame(call_frame_id=frame_id, expression=source, silent=True, return_by_value=True)
        )

    @cached_property
    def _check_message(self) -> str | None:
        """Why the text is no expression. V8 answers in order: this is known with the first value."""
        if self._check is None or self._check.failure is not None:
            return None
        details = self._check.result().exception_details
        return None if details is None else _message_of(details)

    def _explain(self, message: str) -> str:
        """What could not even start: the expression does not compile."""
        if not message.startswith("SyntaxError"):
            return message
        if message == _OUR_BRACKET != self._check_message:
            return "SyntaxError: Unexpected end of the expression"
        if _AWAITS.search(self._expression):
            return f"{message} (await and yield cannot be evaluated at a breakpoint)"
        if _STATEMENT.match(self._expression.strip()):
            return f"{message} (an expression is needed, not a statement)"
        return message


def _message_of(details: ExceptionDetails) -> str:
    thrown = details.exception
    return ((thrown.description if thrown else None) or details.text).partition("\n")[0]
