"""The JavaScript that is evaluated at a hit, made of the texts that an agent gave.

Parentheses make an object literal and a comma expression what they look like; a line break ends a comment that the text
may close with. Nothing is declared, and no function is wrapped around the text: in the frame of the program it has to
mean what it would mean there (`this`, `arguments`, `#private`).
"""

from __future__ import annotations

import re

from server.cdp.injection import REPORTER

_BRACKET_OF_EVALUATION = "SyntaxError: Unexpected token ')'"
_BRACKET_OF_CHECK = "SyntaxError: Unexpected token ']'"
_UNEXPECTED_END = "SyntaxError: Unexpected end of the expression"
_AWAITS = re.compile(r"\b(await|yield)\b")
_STATEMENT = re.compile(
    r"(?:if|for|while|do|switch|try|return|throw|var|let|const|import|export|debugger)\b|.*;$", re.DOTALL
)


class HitSource:
    """What an expression, and the condition for it, become."""

    def __init__(self, expression: str, condition: str | None = None) -> None:
        self._expression = expression
        self._condition = condition

    def in_frame(self) -> str:
        """For a program that stands still: its value is a report."""
        value = self._value_for("kept")
        if self._condition is None:
            return value
        return (
            f"try{{if({REPORTER}.takeMet()||({self._condition}\n)){value}else'unmet'}}"
            f"catch(error){{{REPORTER}.failed(error)}}"
        )

    def as_condition(self) -> str:
        """For a breakpoint that does not stop: true where the program has to stand still after all."""
        capture = self._value_for("captured")
        if self._condition is not None:
            capture = (
                f"try{{if(({self._condition}\n)){capture}else {REPORTER}.unmet()}}"
                f"catch(error){{{REPORTER}.reportFailed(error)}}"
            )
        return _stop_unless_ready(capture)

    def as_gate(self) -> str | None:
        """For a breakpoint that stops wherever the condition is met."""
        if self._condition is None:
            return None
        test = f"try{{{REPORTER}.met(({self._condition}\n))}}catch(error){{{REPORTER}.reportFailed(error)}}"
        return _stop_unless_ready(test)

    def _value_for(self, receiver: str) -> str:
        """A statement that gives the value, or what was thrown instead, to a function of the reporter's."""
        return (
            f"try{{{REPORTER}.{receiver}({REPORTER}.value(({self._expression}\n)))}}"
            f"catch(error){{{REPORTER}.{receiver}({REPORTER}.thrown(error))}}"
        )

    def checks(self) -> list[str]:
        """For each text, a source that is only compiled: it fails where the text is no expression by itself.

        Text that is an expression in two kinds of brackets closes neither of them.
        """
        return [f"void(()=>[{text}\n])" for text in (self._expression, self._condition) if text is not None]


def _stop_unless_ready(statement: str) -> str:
    """A global scope that appeared later is not prepared: there the program stops, and the debugger sees to it."""
    return f"if(typeof {REPORTER}==='undefined'||!{REPORTER}.canSend)true;else {statement}"


def explain_check(text: str, message: str) -> str:
    """V8's message about the text inside a check, told as if the text stood alone."""
    if message == _BRACKET_OF_CHECK and text.count("]") <= text.count("["):
        return _UNEXPECTED_END
    return message + _hint(text)


def explain_evaluation(text: str, message: str, check_message: str | None) -> str:
    """The same for the text inside an evaluation."""
    if message == _BRACKET_OF_EVALUATION != check_message:
        return _UNEXPECTED_END
    return message + _hint(text)


def _hint(text: str) -> str:
    if _AWAITS.search(text):
        return " (await and yield cannot be evaluated at a breakpoint)"
    if _STATEMENT.match(text.strip()):
        return " (an expression is needed, not a statement)"
    return ""
