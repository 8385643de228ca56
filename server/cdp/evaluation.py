"""Evaluates expressions in a frame of a program that stands still."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from server.cdp.expression_check import message_of
from server.cdp.hit_source import explain_check, explain_evaluation
from server.cdp.previews import description_to_text
from server.cdp.remote_objects import OBJECT_GROUP
from server.cdp.remote_values import remote_to_value
from server.debug.deadline import Deadline
from server.debug.session_model import Evaluation
from server.debug.value import Value
from server.errors import CallTimeoutError, DeadlinePassed, EvaluationError, ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import EvaluateOnCallFrameResult
    from cdp_protocol.generated.runtime import CallFunctionOnResult, ExceptionDetails, RemoteObject
    from server.cdp.connection import Call, Connection
    from server.cdp.kept_texts import KeptTexts
    from server.cdp.remote_objects import RemoteObjects

_GRACE_S: Final = 5.0
"""How much longer than all timeouts together the answers may take, before the debugger counts as stuck."""
_TERMINATED: Final = "Execution was terminated"
_SIDE_EFFECT: Final = "Possible side-effect in debug-evaluate"
_ASSIGNMENT_TIMEOUT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class _Asked:
    """An expression that was sent, with the question whether it is one by itself."""

    how: Evaluation
    check: Call[EvaluateOnCallFrameResult]
    value: Call[EvaluateOnCallFrameResult]


class FrameEvaluator:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, objects: RemoteObjects, texts: KeptTexts, injected: str) -> None:
        self._connection = connection
        self._objects = objects
        self._texts = texts
        self._whole_value = f"function(){{'use strict';return {injected}.serialiser.value(this)}}"

    def evaluate(self, frame_id: str, evaluations: Iterable[Evaluation]) -> tuple[Value, ...]:
        """All at once; a value each, also for what throws or is no expression."""
        asked = [self._ask(frame_id, how) for how in evaluations]
        until = Deadline.after(sum(one.how.timeout_s for one in asked) + _GRACE_S)
        results = [self._result(one, until) for one in asked]
        remotes = iter(self._objects.previews([one for one in results if not isinstance(one, Value)]))
        values = [
            one if isinstance(one, Value) else remote_to_value(next(remotes), self._texts.keep) for one in results
        ]
        return self._whole_values([one.how for one in asked], values)

    def assign(self, frame_id: str, name: str, expression: str) -> Value:
        """Assign to what a name or a member expression names; raises `EvaluationError` where that fails."""
        how = Evaluation(expression, timeout_s=_ASSIGNMENT_TIMEOUT_S)
        check = self._post(frame_id, how, _check_source(how))
        # Not posted at once: what closes our brackets would change something before it fails.
        failure = self._connection.wait(check).exception_details
        if failure is not None:
            raise EvaluationError(f"{name} was not changed: {explain_check(expression, message_of(failure))}")
        asked = _Asked(how, check, self._post(frame_id, how, f"{name} = ({expression}\n)"))
        result = self._result(asked, Deadline.after(how.timeout_s + _GRACE_S))
        if isinstance(result, Value):
            raise EvaluationError(f"{name} was not changed: {result.preview}")
        (remote,) = self._objects.previews([result])
        return remote_to_value(remote, self._texts.keep)

    def current_values(self, frame_id: str, names: Iterable[str]) -> dict[str, Value]:
        """What variables are now; those that cannot be read, as before their declaration, are not among them."""
        how = Evaluation("", allow_side_effects=False)
        calls = {name: self._post(frame_id, how, name) for name in names}
        known = {name: remote for name, call in calls.items() if (remote := self._read(call)) is not None}
        previews = self._objects.previews(known.values())
        return {name: remote_to_value(one, self._texts.keep) for name, one in zip(known, previews, strict=True)}

    def is_defined(self, frame_id: str, name: str) -> bool:
        """Whether a name means anything in a frame: a global variable, or one that V8 does not list."""
        (value,) = self.evaluate(frame_id, [Evaluation(f"typeof {name}", allow_side_effects=False)])
        return value.json not in ("undefined", None) and value.type == "string"

    def _ask(self, frame_id: str, how: Evaluation) -> _Asked:
        check = self._post(frame_id, how, _check_source(how))
        return _Asked(how, check, self._post(frame_id, how, f"({how.expression}\n)"))

    def _post(self, frame_id: str, how: Evaluation, source: str) -> Call[EvaluateOnCallFrameResult]:
        from cdp_protocol.generated import debugger

        return self._connection.post(
            debugger.EvaluateOnCallFrame(
                call_frame_id=frame_id,
                expression=source,
                object_group=OBJECT_GROUP,
                silent=True,
                throw_on_side_effect=not how.allow_side_effects,
                timeout=how.timeout_s * 1000,
            )
        )

    def _read(self, call: Call[EvaluateOnCallFrameResult]) -> RemoteObject | None:
        try:
            answer = self._connection.wait(call)
        except ProtocolError:
            return None  # V8 cannot evaluate private symbols, which variables of Node's own frames hold
        return answer.result if answer.exception_details is None else None

    # --- answers ------------------------------------------------------------------------------------------------------

    def _result(self, asked: _Asked, until: Deadline) -> RemoteObject | Value:
        """What V8 answered, or the value that says why there is none."""
        try:
            check = self._connection.wait(asked.check, until)
            answer = self._connection.wait(asked.value, until)
        except ProtocolError as error:
            return Value("error", preview=_refusal(error, asked.how))
        except DeadlinePassed:
            if until.passed:
                raise CallTimeoutError(f"The debugger did not evaluate {asked.how.expression!r} in time.") from None
            raise
        text = asked.how.expression
        check_message = None if check.exception_details is None else message_of(check.exception_details)
        if answer.exception_details is not None:
            return Value("error", preview=_explain(text, answer.exception_details, check_message))
        if check_message is not None:
            return Value("error", preview=explain_check(text, check_message))
        return answer.result

    def _whole_values(self, hows: list[Evaluation], values: list[Value]) -> tuple[Value, ...]:
        """The values, those that were asked for as a whole with all their JSON."""
        calls = [
            self._objects.post_call(value.handle, self._whole_value)
            if how.by_value and value.handle is not None and value.type != "string"
            else None
            for how, value in zip(hows, values, strict=True)
        ]
        return tuple(
            self._texts.whole(value) if call is None and how.by_value else self._whole(value, call)
            for how, value, call in zip(hows, values, calls, strict=True)
        )

    def _whole(self, value: Value, call: Call[CallFunctionOnResult] | None) -> Value:
        if call is None:
            return value
        text = self._connection.wait(call).result.value
        if not isinstance(text, str):
            return value  # a global scope that is not prepared
        return _with_envelope(value, json.loads(text))


def _check_source(how: Evaluation) -> str:
    """Text that is an expression in two kinds of brackets closes neither of them."""
    return f"void(()=>[{how.expression}\n])"


def _with_envelope(value: Value, envelope: dict[str, Any]) -> Value:
    cut = ", ".join(f"{number} {what}" for what, number in envelope.get("truncated", {}).items())
    return replace(value, json=envelope["value"], preview=f"cut: {cut}" if cut else None)


def _refusal(error: ProtocolError, how: Evaluation) -> str:
    if error.wire_message == _TERMINATED:
        return f"Timeout: the expression did not end within {how.timeout_s * 1000:g} ms."
    return error.wire_message


def _explain(text: str, details: ExceptionDetails, check_message: str | None) -> str:
    thrown = details.exception
    if thrown is None:
        return details.text
    if thrown.subtype != "error":
        return f"Uncaught {thrown.description or thrown.value}"
    message = description_to_text("error", thrown.description)
    if _SIDE_EFFECT in message:
        return f"EvalError: the expression would change the program, or V8 cannot rule that out ({_SIDE_EFFECT})"
    return explain_evaluation(text, message, check_message) if message.startswith("SyntaxError") else message
