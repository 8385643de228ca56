"""Evaluates in the frame of a program that stands still, and brings the whole value home in one round trip."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from server.cdp.hit_source import HitSource, explain_check, explain_evaluation
from server.errors import DisconnectedError, InvalidArgumentsError, ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import EvaluateOnCallFrameResult
    from cdp_protocol.generated.runtime import ExceptionDetails
    from server.cdp.connection import Call, Connection

_UNANSWERED = "the program ended, or closed its inspector, while the expression was evaluated"


def error_to_json_text(message: str) -> str:
    """The result of a hit at which there is no value, only a reason."""
    return json.dumps({"type": "error", "value": message})


class PausedCapture:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, expression: str, condition: str | None = None) -> None:
        self._connection = connection
        self._expression = expression
        self._condition = condition
        self._source = HitSource(expression, condition)
        self._in_frame = self._source.in_frame()
        self._is_checked = False
        self._own_error: str | None = None
        self.compiles = False
        """Whether the texts turned out to be expressions, at the last hit."""

    def capture(self, frame_id: str) -> str:
        """The report of one hit; whatever went wrong with the expression is its value."""
        checks = [] if self._is_checked else [self._post(frame_id, source) for source in self._source.checks()]
        # Posted at once: V8 answers in order, so the checks are known when the value is.
        call = self._post(frame_id, self._in_frame)
        try:
            answer = self._connection.wait(call)
        except DisconnectedError:
            return error_to_json_text(_UNANSWERED)
        except ProtocolError as error:
            return error_to_json_text(error.wire_message)
        finally:
            if checks:
                self._note_checks(checks)
        return self._to_report(answer)

    def _to_report(self, answer: EvaluateOnCallFrameResult) -> str:
        self.compiles = self._own_error is None and answer.exception_details is None
        if answer.exception_details is not None:
            return error_to_json_text(self._explain(_message_of(answer.exception_details)))
        if self._own_error is not None:
            return error_to_json_text(self._own_error)
        value = answer.result.value
        return value if isinstance(value, str) else error_to_json_text("the value could not be read")

    def _post(self, frame_id: str, source: str) -> Call[EvaluateOnCallFrameResult]:
        from cdp_protocol.generated import debugger

        return self._connection.post(
            debugger.EvaluateOnCallFrame(call_frame_id=frame_id, expression=source, silent=True, return_by_value=True)
        )

    def _note_checks(self, checks: list[Call[EvaluateOnCallFrameResult]]) -> None:
        self._is_checked = True
        expression, *condition = [_failure_of(check) for check in checks]
        self._own_error = expression
        if condition and condition[0] is not None:
            assert self._condition is not None
            raise InvalidArgumentsError(
                f"The condition is no JavaScript expression: {explain_check(self._condition, condition[0])}",
                advice='Give an expression that is true at the hits you want, such as "i > 10 && user.id === 7".',
            )

    def _explain(self, message: str) -> str:
        """What could not even start: the expression does not compile."""
        if not message.startswith("SyntaxError"):
            return message
        return explain_evaluation(self._expression, message, self._own_error)


def _failure_of(check: Call[EvaluateOnCallFrameResult]) -> str | None:
    """Why the text is no expression. A check that was never answered says nothing against it."""
    if not check.settled or check.failure is not None:
        return None
    details = check.result().exception_details
    return None if details is None else _message_of(details)


def _message_of(details: ExceptionDetails) -> str:
    thrown = details.exception
    return ((thrown.description if thrown else None) or details.text).partition("\n")[0]
