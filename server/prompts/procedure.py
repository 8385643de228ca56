"""Text of a procedure: numbered steps, each with the tool calls that it takes."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as an agent should make it. What only the agent can know stands in `<angle brackets>`."""

    tool: str
    arguments: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.tool} {json.dumps(self.arguments, ensure_ascii=False)}"


def call(tool: str, **arguments: Any) -> ToolCall:
    """A call with these arguments; those that are None are left out."""
    return ToolCall(tool, {name: value for name, value in arguments.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Step:
    """What to do, and the calls that do it."""

    text: str
    calls: tuple[ToolCall, ...] = ()


def step(text: str, *calls: ToolCall) -> Step:
    """A step of a procedure."""
    return Step(text, calls)


def numbered(steps: Iterable[Step]) -> str:
    """The steps as a list; a call has a line of its own, so that it can be copied whole."""
    return "\n".join(line for number, one in enumerate(steps, 1) for line in _lines(number, one))


def _lines(number: int, one: Step) -> list[str]:
    return [f"{number}. {one.text}", *(f"   - {call}" for call in one.calls)]


def indented(text: str) -> str:
    """Text of somebody else, set apart from ours."""
    return textwrap.indent(text, "    ")
