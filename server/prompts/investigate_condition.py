"""The prompt that finds out when an expression becomes true, and who makes it so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from server.debug.session_model import ProgramState
from server.debug.sessions import Sessions
from server.prompts.common_steps import LOOK, NEW_SESSION, begin_again, conclusion
from server.prompts.procedure import Step, call, indented, numbered, step
from server.prompts.prompt import SESSION_ID, PromptArgument
from server.prompts.session_facts import SessionFacts

EXPRESSION = PromptArgument("expression", "The condition, in the program's language, such as cart.total < 0.")


class InvestigateCondition:
    """When does this become true, and why?"""

    name = "investigate_condition"
    title = "Investigate a condition"
    description = (
        "Find the first moment at which an expression is true in the program of a session, and what made it so."
    )
    arguments: tuple[PromptArgument, ...] = (SESSION_ID, EXPRESSION)

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def text(self, arguments: Mapping[str, str]) -> str:
        """The state of the session, and what to do from there."""
        facts = SessionFacts.of(self._sessions, arguments[SESSION_ID.name])
        expression = arguments[EXPRESSION.name]
        task = f"Find the first moment at which this is true in debug session {facts.session_id}, and what makes it so."
        return (
            f"{task} {LOOK}\n\n{indented(expression)}\n\n{facts.described()}\n\n{numbered(_steps(facts, expression))}"
        )


def _steps(facts: SessionFacts, expression: str) -> Iterator[Step]:
    session_id = facts.session_id
    match facts.report.state:
        case ProgramState.PAUSED:
            yield _look_now(facts, expression)
        case ProgramState.RUNNING:
            yield step("It runs. Stop it, to see where it is.", call("pause_execution", session_id=session_id))
            yield _look_now(facts, expression)
        case _:
            session_id = NEW_SESSION
            yield begin_again(facts.program, "The program is gone, and its values with it.")
    yield step(
        "Find the lines that write what the expression reads: assignments, and calls that change it in place.",
        call("list_scripts", session_id=session_id),
        call("get_script_source", session_id=session_id, file="<file>"),
    )
    yield step(
        "Stop behind each of these lines, but only when the expression is true there. Names have to be those of that "
        "scope: what is `cart.total` here may be `this.total` there.",
        call(
            "set_breakpoint", session_id=session_id, file="<file>", line="<line after the write>", condition=expression
        ),
    )
    yield step(
        "If it should be seen how the value gets there, log it at every pass; the program is not stopped for that.",
        call("set_breakpoint", session_id=session_id, file="<file>", line="<line>", log_message="<name> = {<name>}"),
    )
    yield step(
        "Watch the expression, and run. Each stop shows its old and its new value. Read the log when it has stopped.",
        call("set_watches", session_id=session_id, expressions=[expression]),
        call("continue_execution", session_id=session_id),
        call("get_output", session_id=session_id),
    )
    yield step(
        "At the first stop at which it is true, the line before has made it so. See with which values, and who called. "
        "If it never stops, a write was missed or the condition is never true: look at the hits of each breakpoint.",
        call("get_variables", session_id=session_id),
        call("get_call_stack", session_id=session_id),
        call("list_breakpoints", session_id=session_id),
    )
    yield conclusion(session_id)


def _look_now(facts: SessionFacts, expression: str) -> Step:
    return step(
        "Is it true now? A ReferenceError means that this frame does not see those names: try the frames above it.",
        call(
            "evaluate_expression",
            session_id=facts.session_id,
            frame=facts.own_frame.id if facts.own_frame else None,
            expression=expression,
            allow_side_effects=False,
        ),
    )
