"""Steps that several procedures have."""

from __future__ import annotations

from typing import Final

from server.debug.session_model import ProgramInfo
from server.prompts.procedure import Step, ToolCall, call, step

LOOK: Final = "Take every claim from what the debugger shows; where you suppose something, look before you go on."
NEW_SESSION: Final = "<the new session_id>"
OWN_FRAME: Final = "<id of the innermost frame of the program's own code>"
_THE_WRITE: Final = {"file": "<file>", "line": "<line>", "condition": "<the value is wrong>"}


def begin_again(program: ProgramInfo, why: str, *, stop_at_uncaught: bool = False) -> Step:
    """Get hold of the same program once more: at its beginning, or at the exception that nobody catches."""
    if program.is_attached:
        return step(
            f"{why} When it runs again, attach to it by its port or its process id.",
            call("connect_debugger", port="<port of its inspector>"),
            *(run_to_uncaught(NEW_SESSION) if stop_at_uncaught else ()),
        )
    stop = {"pause_on_exceptions": "uncaught"} if stop_at_uncaught else {"stop_on_entry": True}
    return step(
        f"{why} Start it again, with the same env.",
        call("start_debugging", command=program.title, cwd=program.cwd, **stop),
    )


def run_to_uncaught(session_id: str) -> tuple[ToolCall, ToolCall]:
    """Run to the exception that nobody catches."""
    return (
        call("set_pause_on_exceptions", session_id=session_id, mode="uncaught"),
        call("continue_execution", session_id=session_id),
    )


def trace_back(session_id: str, frame: str, run_again: tuple[ToolCall, ...]) -> tuple[Step, Step, Step]:
    """From a wrong value in a frame to the place that made it."""
    return (
        step(
            "Look at the innermost frame of the program's own code: what it sees, and the parts of its line one after "
            "the other, without changing anything, until one is not what it should be.",
            call("get_variables", session_id=session_id, frame=frame),
            call(
                "evaluate_expression",
                session_id=session_id,
                frame=frame,
                expression="<a part of the line>",
                allow_side_effects=False,
            ),
        ),
        step(
            "Ask where that value came from. An argument: look into the frame of the caller, and go on upwards. "
            "A property or a variable of longer life: find the lines that write it.",
            call("get_call_stack", session_id=session_id),
            call("get_variables", session_id=session_id, frame="<id of the caller's frame>"),
            call("get_source_context", session_id=session_id, file="<file>", line="<line>"),
        ),
        step(
            "When it was made before these calls began, stop at the lines that write it, the next time they run, and "
            "step there. A condition skips the passes at which it is right.",
            *run_again,
        ),
    )


def stop_at_the_next_write(session_id: str) -> tuple[ToolCall, ...]:
    """Be there when a value is made, in what a program does from here on."""
    return (
        call("set_breakpoint", session_id=session_id, **_THE_WRITE),
        call("continue_execution", session_id=session_id),
        call("step_over", session_id=session_id),
    )


def stop_at_the_write_of_a_new_run(command: str, cwd: str | None = None) -> tuple[ToolCall, ...]:
    """Be there when a value is made, in a run of the program for that."""
    return (
        call("start_debugging", command=command, cwd=cwd, breakpoints=[_THE_WRITE]),
        call("step_over", session_id=NEW_SESSION),
    )


def conclusion(session_id: str) -> Step:
    """What the whole was for."""
    return step(
        "Close every session that is left, and answer with: the cause, as file:line and one sentence; the values "
        "that prove it, and where you saw them; the smallest change that repairs it; what you could not see.",
        call("close_debug_session", session_id=session_id),
    )
