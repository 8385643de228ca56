"""Session tools that let the program run: go on, step, stop."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from server.debug.session import Session
from server.debug.session_model import PauseOnExceptions, ProgramState, StateReport, StepKind
from server.debug.session_requests import (
    Continue,
    GetState,
    Pause,
    SessionRequest,
    SetPauseOnExceptions,
    TakeStep,
)
from server.report.answer import Answer
from server.report.session_answer import Fields
from server.report.session_lists import pause_on_exceptions_answer
from server.report.session_state import state_answer
from server.tools.session_arguments import PlaceArgument, RunArguments, SessionArguments
from server.tools.session_examples import RUNNING, STOP, STOPPED
from server.tools.session_tool import GUIDES, AskingTool, S, answer_schema

STATE_SCHEMA = answer_schema(stop="object", output="object", exit="object")


class RunningTool(AskingTool[S, StateReport]):
    """A tool that answers with where the program stands then."""

    output_schema = STATE_SCHEMA
    annotations = GUIDES
    example_answer = STOPPED

    def answer(self, about: Fields, arguments: S, result: StateReport) -> Answer:
        """The whole stop, or how the program is instead."""
        return state_answer(result)


class ContinueArguments(RunArguments):
    """The arguments of `continue_execution`."""

    to: Annotated[PlaceArgument | None, Field(description="Run to this line, or to a stop before it.")] = None


class ContinueExecution(RunningTool[ContinueArguments]):
    """The tool as the server lists and calls it."""

    name = "continue_execution"
    title = "Continue"
    description = (
        "Let a paused program run to its next stop (breakpoint, exception, end), or to a line; with one that runs"
        " already, wait for that. Answers with the stop: reason, location, source, frames, locals, watches, new output,"
        " exit. Prefer it, with breakpoints, to many steps."
    )
    arguments = ContinueArguments
    example_arguments = {"session_id": "s1", "to": {"file": "src/cart.js", "line": 12}}

    def request(self, arguments: ContinueArguments, session: Session) -> SessionRequest[StateReport]:
        """Go on; one that runs needs no telling, and there the wait is what is wanted."""
        if arguments.to is not None:
            return Continue(arguments.wait_s, arguments.to.to_source_line(session))
        if session.summary().state is ProgramState.RUNNING:
            return GetState(arguments.wait_s)
        return Continue(arguments.wait_s)


class StepArguments(RunArguments):
    """The arguments of all steps."""

    include_internal: Annotated[
        bool, Field(strict=True, description="Also stop in packages (node_modules) and Node's code.")
    ] = False


class StepOver(RunningTool[StepArguments]):
    """The tool as the server lists and calls it."""

    name = "step_over"
    title = "Step over"
    description = "Run the current line, calls included, to the next one. Answers with the stop, as continue_execution."
    arguments = StepArguments
    example_arguments = {"session_id": "s1"}

    def request(self, arguments: StepArguments, session: Session) -> SessionRequest[StateReport]:
        """Step over."""
        return TakeStep(StepKind.OVER, arguments.wait_s, arguments.include_internal)


class StepInto(RunningTool[StepArguments]):
    """The tool as the server lists and calls it."""

    name = "step_into"
    title = "Step into"
    description = (
        "Go into the next call of the current line, or to the next line where there is none. Packages and"
        " Node's own code are skipped unless include_internal; the answer says so. Answers with the stop."
    )
    arguments = StepArguments
    example_arguments = {"session_id": "s1"}

    def request(self, arguments: StepArguments, session: Session) -> SessionRequest[StateReport]:
        """Step into."""
        return TakeStep(StepKind.INTO, arguments.wait_s, arguments.include_internal)


class StepOut(RunningTool[StepArguments]):
    """The tool as the server lists and calls it."""

    name = "step_out"
    title = "Step out"
    description = "Run the current function to its end and stop in its caller. Answers with the stop."
    arguments = StepArguments
    example_arguments = {"session_id": "s1"}

    def request(self, arguments: StepArguments, session: Session) -> SessionRequest[StateReport]:
        """Step out."""
        return TakeStep(StepKind.OUT, arguments.wait_s, arguments.include_internal)


class PauseExecution(RunningTool[RunArguments]):
    """The tool as the server lists and calls it."""

    name = "pause_execution"
    title = "Pause"
    description = (
        "Stop a running program where it is, to see what it is busy with. An idle one stops when it next runs code."
        " Answers with the stop; with a paused program, once more where it stands."
    )
    arguments = RunArguments
    example_arguments = {"session_id": "s1", "wait_ms": 2000}
    example_answer = {**RUNNING, "stop": {**STOP, "reason": "pause"}, "state": "paused"}

    def request(self, arguments: RunArguments, session: Session) -> SessionRequest[StateReport]:
        """Pause."""
        return Pause(arguments.wait_s)


class PauseOnExceptionsArguments(SessionArguments):
    """The arguments of `set_pause_on_exceptions`."""

    mode: Literal["none", "uncaught", "all"]


class SetPauseOnExceptionsTool(AskingTool[PauseOnExceptionsArguments, PauseOnExceptions]):
    """The tool as the server lists and calls it."""

    name = "set_pause_on_exceptions"
    title = "Pause on exceptions"
    description = (
        "Choose at which exceptions the program stops, where they are thrown, with all variables there. Use uncaught to"
        " see why it crashes, all for errors that are swallowed."
    )
    arguments = PauseOnExceptionsArguments
    output_schema = answer_schema(pause_on_exceptions="string")
    annotations = GUIDES
    example_arguments = {"session_id": "s1", "mode": "uncaught"}
    example_answer = {
        "status": "ok",
        "session_id": "s1",
        "state": "paused",
        "pause_on_exceptions": "uncaught",
    }

    def request(self, arguments: PauseOnExceptionsArguments, session: Session) -> SessionRequest[PauseOnExceptions]:
        """Choose them."""
        return SetPauseOnExceptions(PauseOnExceptions(arguments.mode))

    def answer(self, about: Fields, arguments: PauseOnExceptionsArguments, result: PauseOnExceptions) -> Answer:
        """The mode from now on."""
        return pause_on_exceptions_answer(about, result)


TOOLS = (ContinueExecution, StepOver, StepInto, StepOut, PauseExecution, SetPauseOnExceptionsTool)
