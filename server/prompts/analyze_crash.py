"""The prompt that leads from a failure to its cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from server.debug.session_model import ProgramState
from server.debug.sessions import Sessions
from server.process.process_events import ExitStatus
from server.prompts.common_steps import (
    LOOK,
    NEW_SESSION,
    OWN_FRAME,
    begin_again,
    conclusion,
    run_to_uncaught,
    stop_at_the_next_write,
    stop_at_the_write_of_a_new_run,
    trace_back,
)
from server.prompts.procedure import Step, call, numbered, step
from server.prompts.prompt import SESSION_ID, PromptArgument
from server.prompts.session_facts import SessionFacts


class AnalyzeCrash:
    """Why did this program fail?"""

    name = "analyze_crash"
    title = "Analyze a crash"
    description = "Find out why the program of a session failed, beginning with what the debugger shows of it now."
    arguments: tuple[PromptArgument, ...] = (SESSION_ID,)

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def text(self, arguments: Mapping[str, str]) -> str:
        """The state of the session, and what to do from there."""
        facts = SessionFacts.of(self._sessions, arguments[SESSION_ID.name])
        task = f"Find out why the program of debug session {facts.session_id} failed. {LOOK}"
        return f"{task}\n\n{facts.described()}\n\n{numbered(_steps(facts))}"


def _steps(facts: SessionFacts) -> Iterator[Step]:
    session_id = facts.session_id
    frame = OWN_FRAME
    if facts.is_at_exception and facts.own_frame is not None:
        frame = facts.own_frame.id
        yield _read_the_error()
    elif facts.report.state in (ProgramState.PAUSED, ProgramState.RUNNING):
        yield from _run_into_it(facts)
    else:
        yield _read_what_is_left(facts)
        session_id = NEW_SESSION
        yield begin_again(facts.program, "Its values are gone with it.", stop_at_uncaught=True)
    stop_at_the_write = (
        stop_at_the_next_write(session_id)
        if facts.program.is_attached
        else stop_at_the_write_of_a_new_run(facts.program.title, facts.program.cwd)
    )
    yield from trace_back(session_id, frame, stop_at_the_write)
    yield conclusion(session_id)


def _read_the_error() -> Step:
    return step(
        "The program stands at the throw, with everything still there. Read the error above and the marked line: what "
        "on that line can raise it? If a library raised it, look at the innermost line of the program's own code."
    )


def _run_into_it(facts: SessionFacts) -> Iterator[Step]:
    stands = facts.report.state is ProgramState.PAUSED
    yield step(
        "It has not failed yet. Let it run to the exception that nobody catches."
        if stands
        else "It runs. Have it stop at the exception that nobody catches, wait for that, and bring the failure about.",
        *run_to_uncaught(facts.session_id),
    )
    yield step(
        "If it hangs in place of failing, stop it where it is; go on from there.",
        call("pause_execution", session_id=facts.session_id),
    )


def _read_what_is_left(facts: SessionFacts) -> Step:
    return step(
        f"{_how_it_ended(facts.report.state, facts.report.exit)} Read all that it wrote: an error's stack names the "
        "file and the line.",
        call("get_output", session_id=facts.session_id),
    )


def _how_it_ended(state: ProgramState, status: ExitStatus | None) -> str:
    if state is ProgramState.DISCONNECTED:
        return "The connection to it is lost; it may still run."
    if status is not None and status.signal is not None:
        return (
            f"It was ended by {status.signal}, which is no exception: it was killed from outside, ran out of memory, "
            "or crashed in native code."
        )
    if status is not None and status.code == 0:
        return "It ended with code 0, so nothing was thrown that nobody caught: the failure is in what it did."
    return "It has ended."
