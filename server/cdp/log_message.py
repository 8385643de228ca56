"""The message of a logpoint: text with {expressions} in it. `{{` and `}}` stand for a brace."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from server.cdp.javascript_tokens import TokenKind, javascript_tokens
from server.errors import InvalidArgumentsError

_TEXT: Final = re.compile(r"(?:[^{}]|\{\{|\}\}|\}|\{\s*\})*")
_ADVICE: Final = 'Write "total is {total} of {items.length}", and {{ for a brace that is meant as one.'


@dataclass(frozen=True, slots=True)
class LogText:
    """What is said as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class LogExpression:
    """What is said with the value of an expression."""

    source: str


def message_to_parts(message: str) -> tuple[LogText | LogExpression, ...]:
    """Read a message; raises `InvalidArgumentsError` where a brace is never closed."""
    parts: list[LogText | LogExpression] = []
    at = 0
    while at < len(message):
        if message[at] == "{" and message[at : at + 2] != "{{" and (end := _expression_end(message, at)) is not None:
            parts.append(LogExpression(message[at + 1 : end].strip()))
            at = end + 1
            continue
        found = _TEXT.match(message, at)
        assert found is not None, "it matches nothing at all too"
        parts.append(LogText(found[0].replace("{{", "{").replace("}}", "}")))
        at = found.end()
    return tuple(parts)


def _expression_end(message: str, brace: int) -> int | None:
    """Where the brace that closes this one is; None for empty braces, which are text."""
    depth = 0
    for token in javascript_tokens(message, brace):
        if token.kind is TokenKind.PUNCTUATOR and token.text in "{}":
            depth += 1 if token.text == "{" else -1
            if depth == 0:
                return token.start if message[brace + 1 : token.start].strip() else None
    raise InvalidArgumentsError(f"A brace of the log message is never closed: {message[brace:]}", advice=_ADVICE)
