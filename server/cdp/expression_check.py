"""Whether texts are JavaScript expressions, asked of V8 without running them.

V8 takes a breakpoint's condition that does not compile for one that is false, so it has to be known before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from server.cdp.hit_source import explain_check
from server.errors import InvalidArgumentsError

if TYPE_CHECKING:
    from cdp_protocol.generated.runtime import EvaluateResult, ExceptionDetails
    from server.cdp.connection import Call, Connection

_PRIVATE_NAME: Final = re.compile(r"#[\w$]+")


@dataclass(frozen=True, slots=True)
class AgentText:
    """A text that has to be an expression."""

    what: str
    """What an agent calls it, as the beginning of a sentence."""
    source: str


def refuse_what_does_not_compile(connection: Connection, texts: Iterable[AgentText]) -> None:
    """Raise `InvalidArgumentsError` for the first text that is no expression by itself; at any time."""
    # Text that is an expression in two kinds of brackets closes neither of them.
    asked = [(text, _post(connection, text, "[", "]"), _post(connection, text, "(", ")")) for text in texts]
    for text, *calls in asked:
        for call in calls:
            message = _failure(connection.wait(call).exception_details)
            if message is not None:
                raise InvalidArgumentsError(
                    f"{text.what} is no JavaScript expression: {explain_check(text.source, message)}",
                    advice="Give one expression, such as items.length > 10 && user.id === 7.",
                )


def _post(connection: Connection, text: AgentText, opening: str, closing: str) -> Call[EvaluateResult]:
    from cdp_protocol.generated import runtime

    inside = f"{opening}{text.source}\n{closing}"
    privates = "".join(f"{name};" for name in dict.fromkeys(_PRIVATE_NAME.findall(text.source)))
    source = f"void(class{{{privates}m(){{{inside}}}}})" if privates else f"void(()=>{inside})"
    return connection.post(runtime.Evaluate(expression=source, silent=True, return_by_value=True))


def _failure(details: ExceptionDetails | None) -> str | None:
    return None if details is None else message_of(details)


def message_of(details: ExceptionDetails) -> str:
    """The first line of what was thrown."""
    thrown = details.exception
    return ((thrown.description if thrown else None) or details.text).partition("\n")[0]
