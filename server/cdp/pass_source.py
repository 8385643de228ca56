"""The JavaScript that V8 evaluates where a program passes a session's breakpoint, made of the texts that an agent gave.

It follows the rules of hit_source.py: no function is wrapped around a text, and a line break ends its last comment.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from server.cdp.expression_check import AgentText
from server.cdp.log_message import LogText, message_to_parts
from server.debug.hit_condition import HitCondition
from server.debug.session_model import BreakpointSpec

UNREADY = "unready"
"""What it gives in a global scope that is not prepared, when it is evaluated at a stop."""


class PassSource:
    """What the condition, the hit condition and the message of a breakpoint become."""

    def __init__(self, injected: str, breakpoint_id: str, setting: int, spec: BreakpointSpec) -> None:
        """`setting` is a number that no other has: a breakpoint can be set again under its name."""
        self._injected = injected
        self._passes = f"{injected}.passes"
        self._id = json.dumps(breakpoint_id)
        self._setting = setting
        self._condition = spec.condition
        self._rule = None if spec.hit_condition is None else HitCondition.parse(spec.hit_condition)
        self._message = None if spec.log_message is None else message_to_parts(spec.log_message)

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to evaluate; a plain breakpoint just stops."""
        return self._condition is not None or self._rule is not None or self._message is not None

    def as_condition(self) -> str:
        """For V8, at every pass: true where the program has to stand still.

        It stands still as well where it has not been told yet that it may decide by itself: there the debugger does.
        """
        return f"if({self._unready()}||!{self._passes}.isTrusted({self._setting}))true;else {self._decision()}"

    def in_frame(self, *, trust: bool) -> str:
        """The same for a program that stands still already, or `UNREADY`; `trust` has it decide itself from now on."""
        first = f"{self._passes}.trust({self._setting});" if trust else ""
        return f"if({self._unready()}){json.dumps(UNREADY)};else{{{first}{self._passes}.hasRead();{self._decision()}}}"

    def texts(self) -> Iterator[AgentText]:
        """Everything in it that has to be an expression."""
        if self._condition is not None:
            yield AgentText("The condition", self._condition)
        for part in self._message or ():
            if not isinstance(part, LogText):
                yield AgentText(f"{{{part.source}}} in the log message", part.source)

    def _unready(self) -> str:
        return f"typeof {self._injected}==='undefined'||!{self._passes}.canSend"

    def _decision(self) -> str:
        condition = "true" if self._condition is None else f"({self._condition}\n)"
        rule = '"",0' if self._rule is None else f"{json.dumps(self._rule.operator)},{self._rule.number}"
        arguments = f"{self._id},{condition},{rule}"
        if self._message is None:
            decision = f"{self._passes}.stop({arguments})"
        else:
            decision = (
                f"if({self._passes}.startsLine({arguments})){{{self._line()}{self._passes}.logged({self._id})}}"
                f"else {self._passes}.skipped({self._id})"
            )
        return f"try{{{decision}}}catch(error){{{self._passes}.failed({self._id},error)}}"

    def _line(self) -> str:
        """Statements that put the line together; an expression that throws leaves its error there."""
        return "".join(
            f"{self._passes}.write({json.dumps(part.text)});"
            if isinstance(part, LogText)
            else f"try{{{self._passes}.writeValue(({part.source}\n))}}catch(error){{{self._passes}.writeThrown(error)}}"
            for part in self._message or ()
        )
