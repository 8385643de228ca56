"""Why V8 says that a program stands still."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.cdp.remote_values import remote_to_value
from server.debug.session_model import Thrown

_EXCEPTION = ("exception", "promiseRejection")
_ERROR_NAME = re.compile(r"[\w$.]+")


@dataclass(frozen=True, slots=True)
class PauseCause:
    """The reasons of one pause; there can be several at once."""

    reasons: frozenset[str]
    thrown: Mapping[str, Any] | None = None
    """V8's description of what was thrown."""

    @property
    def is_start(self) -> bool:
        """Whether node holds the program because it was started that way."""
        return "Break on start" in self.reasons

    @property
    def is_out_of_memory(self) -> bool:
        """Whether V8 stops once more because memory runs out, inside whatever allocates."""
        return "OOM" in self.reasons

    @property
    def is_step(self) -> bool:
        """Whether V8 says that a step has come to its end; Node up to 20 never does."""
        return "step" in self.reasons


def params_to_cause(params: Mapping[str, Any]) -> PauseCause:
    """Read the parameters of a `Debugger.paused` event."""
    details = dict(_details(params))
    thrown = next((details[reason] for reason in _EXCEPTION if reason in details), None)
    return PauseCause(frozenset(details), thrown)


def thrown_to_model(thrown: Mapping[str, Any]) -> Thrown:
    """What was thrown, and whether something is going to catch it as far as V8 can tell."""
    from cdp_protocol.base import decode
    from cdp_protocol.generated import runtime

    value = remote_to_value(decode(runtime.RemoteObject, thrown), lambda _text: None)
    uncaught = thrown.get("uncaught")
    is_caught = not uncaught if isinstance(uncaught, bool) else None
    if thrown.get("subtype") != "error":
        shown = value.preview if value.preview is not None else str(value.json)
        return Thrown(value.type, shown, is_caught, value)
    name, message = _name_and_message(str(thrown.get("description", "")), str(thrown.get("className", "Error")))
    return Thrown(name, message, is_caught, value)


def _details(params: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Each reason with what belongs to it."""
    reason, data = str(params.get("reason", "")), params.get("data")
    data = data if isinstance(data, dict) else {}
    reasons = data.get("reasons")
    if reason != "ambiguous" or not isinstance(reasons, list):
        return [(reason, data)]
    return [
        (str(one.get("reason", "")), auxiliary if isinstance(auxiliary := one.get("auxData"), dict) else {})
        for one in reasons
        if isinstance(one, dict)
    ]


def _name_and_message(description: str, class_name: str) -> tuple[str, str]:
    """The two halves of the first lines of an error's stack. A class without a name of its own says `Error` there."""
    header = description.partition("\n    at ")[0]
    name, colon, message = header.partition(": ")
    if not colon or not _ERROR_NAME.fullmatch(name):
        return class_name, "" if header in (class_name, "Error") else header
    return (class_name if name == "Error" else name), message
