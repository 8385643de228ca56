"""Session tools about breakpoints."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from server.debug.session import Session
from server.debug.session_model import Breakpoint
from server.debug.session_requests import (
    ListBreakpoints,
    RemoveBreakpoint,
    SessionRequest,
    SetBreakpoint,
    ToggleBreakpoint,
)
from server.report.answer import Answer
from server.report.session_answer import Fields
from server.report.session_lists import breakpoint_answer, breakpoints_answer
from server.tools.arguments import PlainText
from server.tools.session_arguments import BreakpointTerms, SessionArguments, Start
from server.tools.session_examples import BREAKPOINT, LISTED_BREAKPOINT, PAUSED
from server.tools.session_tool import GUIDES, READS, AskingTool, S, answer_schema


class BreakpointTool(AskingTool[S, Breakpoint]):
    """A tool that answers with one breakpoint."""

    output_schema = answer_schema(breakpoint="object")
    annotations = GUIDES
    example_answer = {**PAUSED, "breakpoint": BREAKPOINT}

    def answer(self, about: Fields, arguments: S, result: Breakpoint) -> Answer:
        """The breakpoint as it is now."""
        return breakpoint_answer(about, result)


class SetBreakpointArguments(SessionArguments, BreakpointTerms):
    """The arguments of `set_breakpoint`."""


class SetBreakpointTool(BreakpointTool[SetBreakpointArguments]):
    """The tool as the server lists and calls it."""

    name = "set_breakpoint"
    title = "Set breakpoint"
    description = (
        "Stop, or with log_message only report, before a line runs. The place is a line, a text on it, or a function."
        " Works also before the file is loaded. The answer says where it is bound, or why it is pending."
    )
    arguments = SetBreakpointArguments
    example_arguments = {
        "session_id": "s1",
        "file": "src/cart.js",
        "text": "sum += item.price",
        "condition": "item.count > 1",
    }
    example_answer = {
        **PAUSED,
        "breakpoint": {**BREAKPOINT, "condition": "item.count > 1"},
    }

    def request(self, arguments: SetBreakpointArguments, session: Session) -> SessionRequest[Breakpoint]:
        """Set it."""
        program = session.summary().program
        return SetBreakpoint(arguments.to_request(program.cwd, must_exist=not program.is_attached))


class OneBreakpointArguments(SessionArguments):
    """The arguments of tools about one breakpoint."""

    breakpoint_id: PlainText


class RemoveBreakpointTool(BreakpointTool[OneBreakpointArguments]):
    """The tool as the server lists and calls it."""

    name = "remove_breakpoint"
    title = "Remove breakpoint"
    description = "Take a breakpoint away for good. Answers with how it last was, hits included."
    arguments = OneBreakpointArguments
    example_arguments = {"session_id": "s1", "breakpoint_id": "bp1"}

    def request(self, arguments: OneBreakpointArguments, session: Session) -> SessionRequest[Breakpoint]:
        """Take it away."""
        return RemoveBreakpoint(arguments.breakpoint_id)

    def answer(self, about: Fields, arguments: OneBreakpointArguments, result: Breakpoint) -> Answer:
        """How it last was."""
        return breakpoint_answer(about, result, headline=f"removed {result.id}; it was:")


class ToggleArguments(OneBreakpointArguments):
    """The arguments of `toggle_breakpoint`."""

    enabled: Annotated[bool | None, Field(strict=True, description="Default: the other way.")] = None


class ToggleBreakpointTool(BreakpointTool[ToggleArguments]):
    """The tool as the server lists and calls it."""

    name = "toggle_breakpoint"
    title = "Toggle breakpoint"
    description = "Switch a breakpoint off for a while, or on again; it keeps its id, place, terms and hits."
    arguments = ToggleArguments
    example_arguments = {"session_id": "s1", "breakpoint_id": "bp1", "enabled": False}
    example_answer = {**PAUSED, "breakpoint": {**BREAKPOINT, "enabled": False}}

    def request(self, arguments: ToggleArguments, session: Session) -> SessionRequest[Breakpoint]:
        """Switch it."""
        return ToggleBreakpoint(arguments.breakpoint_id, arguments.enabled)


class ListBreakpointsArguments(SessionArguments):
    """The arguments of `list_breakpoints`."""

    start: Start = 0


class ListBreakpointsTool(AskingTool[ListBreakpointsArguments, tuple[Breakpoint, ...]]):
    """The tool as the server lists and calls it."""

    name = "list_breakpoints"
    title = "List breakpoints"
    description = "All breakpoints of a session: where each is bound or why it is pending, and how often it was hit."
    arguments = ListBreakpointsArguments
    output_schema = answer_schema(breakpoints="array", next_start="integer")
    annotations = READS
    example_arguments = {"session_id": "s1"}
    example_answer = {
        **PAUSED,
        "breakpoints": [LISTED_BREAKPOINT],
        "total": 1,
    }

    def request(self, arguments: ListBreakpointsArguments, session: Session) -> SessionRequest[tuple[Breakpoint, ...]]:
        """List them."""
        return ListBreakpoints()

    def answer(self, about: Fields, arguments: ListBreakpointsArguments, result: tuple[Breakpoint, ...]) -> Answer:
        """As many as fit."""
        return breakpoints_answer(about, result, arguments.start)


TOOLS = (SetBreakpointTool, RemoveBreakpointTool, ListBreakpointsTool, ToggleBreakpointTool)
