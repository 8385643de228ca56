"""Session tools that look into a program that stands still, and change what is found there."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from server.debug.session import Session
from server.debug.session_model import CallStack, Evaluation, WatchReading
from server.debug.session_requests import (
    Evaluate,
    GetCallStack,
    GetVariables,
    SessionRequest,
    SetVariable,
    SetWatches,
)
from server.debug.value import Page, Value, VariablePage
from server.debug.watch_list import MAX_WATCHES
from server.report.answer import Answer
from server.report.session_answer import Fields
from server.report.session_looking import (
    result_answer,
    set_variable_answer,
    stack_answer,
    variables_answer,
    watches_answer,
)
from server.tools.arguments import WHOLE, PlainText
from server.tools.session_arguments import FrameArgument, SessionArguments, Start
from server.tools.session_examples import PAUSED, STOP
from server.tools.session_tool import GUIDES, READS, RUNS_CODE, AskingTool, answer_schema

MAX_EVALUATION_MS = 10 * 60 * 1000


class CallStackArguments(SessionArguments):
    """The arguments of `get_call_stack`."""

    include_async: Annotated[bool, Field(strict=True, description="Also who scheduled what runs now.")] = False
    include_internal: Annotated[bool, Field(strict=True, description="Also frames of Node's own code.")] = False
    start: Start = 0


class GetCallStackTool(AskingTool[CallStackArguments, CallStack]):
    """The tool as the server lists and calls it."""

    name = "get_call_stack"
    title = "Call stack"
    description = "All frames of a paused program, innermost first. Every stop brings the nearest ones already."
    arguments = CallStackArguments
    output_schema = answer_schema(frames="array", async_frames="array", next_start="integer")
    annotations = READS
    example_arguments = {"session_id": "s1", "include_async": True}
    example_answer = {**PAUSED, "frames": STOP["frames"], "total": 2}

    def request(self, arguments: CallStackArguments, session: Session) -> SessionRequest[CallStack]:
        """Get it."""
        return GetCallStack(arguments.include_async, arguments.include_internal)

    def answer(self, about: Fields, arguments: CallStackArguments, result: CallStack) -> Answer:
        """As many frames as fit."""
        return stack_answer(about, result, arguments.start)


class VariablesArguments(SessionArguments):
    """The arguments of `get_variables`."""

    frame: FrameArgument = None
    scope: Annotated[PlainText | None, Field(description="Only this one: local, closure, module, global...")] = None
    ref: Annotated[PlainText | None, Field(description="What is inside this value, in place of a frame.")] = None
    depth: Annotated[int, Field(strict=True, ge=1, le=5, description="Levels of what is inside."), WHOLE] = 1
    names: Annotated[list[PlainText], Field(description="Only these.")] = []
    start: Start = 0
    count: Annotated[int, Field(strict=True, ge=1, le=1000), WHOLE] = 100


class GetVariablesTool(AskingTool[VariablesArguments, VariablePage]):
    """The tool as the server lists and calls it."""

    name = "get_variables"
    title = "Variables"
    description = (
        "Variables of a frame: locals, closures and module merged, the innermost of a name. Or,"
        " with the ref of a value from this stop, what is inside it: properties, elements, entries, characters. Getters"
        " are shown, not run."
    )
    arguments = VariablesArguments
    output_schema = answer_schema(variables="array", text="string", total="integer", next_start="integer")
    annotations = READS
    example_arguments = {"session_id": "s1", "frame": "f1", "names": ["item", "sum"]}
    example_answer = {**PAUSED, "variables": STOP["locals"], "start": 0, "total": 2}

    def request(self, arguments: VariablesArguments, session: Session) -> SessionRequest[VariablePage]:
        """Get them."""
        page = Page(arguments.start, arguments.count, arguments.depth, tuple(arguments.names))
        return GetVariables(arguments.frame, arguments.scope, arguments.ref, page)

    def answer(self, about: Fields, arguments: VariablesArguments, result: VariablePage) -> Answer:
        """As many as fit."""
        return variables_answer(about, result)


class SetVariableArguments(SessionArguments):
    """The arguments of `set_variable`."""

    name: Annotated[PlainText, Field(description="Also `a.b`, `list[0]`, outer and module variables.")]
    value: Annotated[PlainText, Field(description="An expression, evaluated in the frame: `{...item, count: 2}`.")]
    frame: FrameArgument = None


class SetVariableTool(AskingTool[SetVariableArguments, Value]):
    """The tool as the server lists and calls it."""

    name = "set_variable"
    title = "Set variable"
    description = "Give a variable of a paused program another value, to try a fix or reach a branch without editing."
    arguments = SetVariableArguments
    output_schema = answer_schema(variable="object")
    annotations = RUNS_CODE
    example_arguments = {"session_id": "s1", "name": "sum", "value": "sum + 1"}
    example_answer = {
        **PAUSED,
        "variable": {"name": "sum", "type": "number", "value": 7},
    }

    def request(self, arguments: SetVariableArguments, session: Session) -> SessionRequest[Value]:
        """Set it."""
        return SetVariable(arguments.name, arguments.value, arguments.frame)

    def answer(self, about: Fields, arguments: SetVariableArguments, result: Value) -> Answer:
        """What it is now."""
        return set_variable_answer(about, arguments.name, result)


class EvaluateArguments(SessionArguments):
    """The arguments of `evaluate_expression`."""

    expression: PlainText
    frame: FrameArgument = None
    by_value: Annotated[
        bool, Field(strict=True, description="The whole value as JSON; holes and undefined become null.")
    ] = False
    allow_side_effects: Annotated[
        bool, Field(strict=True, description="false refuses whatever would change something.")
    ] = True
    timeout: Annotated[int, Field(strict=True, ge=1, le=MAX_EVALUATION_MS, description="Milliseconds."), WHOLE] = 5000


class EvaluateExpressionTool(AskingTool[EvaluateArguments, Value]):
    """The tool as the server lists and calls it."""

    name = "evaluate_expression"
    title = "Evaluate"
    description = (
        "Evaluate JavaScript in a frame of a paused program, with all that is in scope there. The result has a type and"
        " a value or preview; one that throws has the type error. Runs code of the program, with its side effects."
    )
    arguments = EvaluateArguments
    output_schema = answer_schema(result="object")
    annotations = RUNS_CODE
    example_arguments = {
        "session_id": "s1",
        "expression": "items.filter(item => item.count > 1)",
    }
    example_answer = {
        **PAUSED,
        "result": {
            "type": "object",
            "subtype": "array",
            "preview": "[{price: 3, count: 2}]",
            "size": 1,
            "ref": "v9",
        },
    }

    def request(self, arguments: EvaluateArguments, session: Session) -> SessionRequest[Value]:
        """Evaluate it."""
        evaluation = Evaluation(
            arguments.expression,
            allow_side_effects=arguments.allow_side_effects,
            by_value=arguments.by_value,
            timeout_s=arguments.timeout / 1000,
        )
        return Evaluate(evaluation, arguments.frame)

    def answer(self, about: Fields, arguments: EvaluateArguments, result: Value) -> Answer:
        """The value."""
        return result_answer(about, arguments.expression, result, whole=arguments.by_value)


class WatchesArguments(SessionArguments):
    """The arguments of `set_watches`."""

    expressions: Annotated[list[PlainText], Field(max_length=MAX_WATCHES, description="[] watches nothing any more.")]


class SetWatchesTool(AskingTool[WatchesArguments, tuple[WatchReading, ...]]):
    """The tool as the server lists and calls it."""

    name = "set_watches"
    title = "Set watches"
    description = (
        "Have every stop bring the values of these expressions, old and new, evaluated without side effects. Replaces"
        " the watches that there were."
    )
    arguments = WatchesArguments
    output_schema = answer_schema(watches="array")
    annotations = GUIDES
    example_arguments = {"session_id": "s1", "expressions": ["sum", "items.length"]}
    example_answer = {
        **PAUSED,
        "watches": [
            {"expression": "sum", "new": {"type": "number", "value": 6}},
            {"expression": "items.length", "new": {"type": "number", "value": 3}},
        ],
    }

    def request(self, arguments: WatchesArguments, session: Session) -> SessionRequest[tuple[WatchReading, ...]]:
        """Watch them."""
        return SetWatches(tuple(arguments.expressions))

    def answer(self, about: Fields, arguments: WatchesArguments, result: tuple[WatchReading, ...]) -> Answer:
        """What they are now."""
        return watches_answer(about, arguments.expressions, result)


TOOLS = (GetCallStackTool, GetVariablesTool, SetVariableTool, EvaluateExpressionTool, SetWatchesTool)
