"""The prompt that begins with a command and a symptom, and no session yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from server.prompts.common_steps import (
    LOOK,
    NEW_SESSION,
    OWN_FRAME,
    conclusion,
    stop_at_the_write_of_a_new_run,
    trace_back,
)
from server.prompts.procedure import Step, call, indented, numbered, step
from server.prompts.prompt import PromptArgument

COMMAND = PromptArgument("command", "The command that starts the program, such as node app.js --port 0.")
SYMPTOM = PromptArgument("symptom", "What is wrong, as it is seen from outside.")


class FindRootCause:
    """From what is seen outside to the line that is wrong."""

    name = "find_root_cause"
    title = "Find a root cause"
    description = "Run a program under the debugger and lead what is wrong with it back to the line that causes it."
    arguments: tuple[PromptArgument, ...] = (COMMAND, SYMPTOM)

    def text(self, arguments: Mapping[str, str]) -> str:
        """The whole way, from the start of the program on."""
        task = f"Lead this symptom back to the line that causes it. {LOOK} Change no file of the program meanwhile."
        command, symptom = arguments[COMMAND.name], arguments[SYMPTOM.name]
        given = f"Command:\n\n{indented(command)}\n\nSymptom:\n\n{indented(symptom)}"
        return f"{task}\n\n{given}\n\n{numbered(_steps(command))}"


def _steps(command: str) -> Iterator[Step]:
    yield step(
        "Say in one sentence what should happen and what happens. Find the line at which the difference first shows: "
        "the output that is wrong, the error, the call that does not come back. Begin there, not where you suspect it.",
    )
    yield step("Start the program so that it stops there: in that one of the next four ways that fits.")
    yield step(
        "An error, or a wrong exit: run to the exception that nobody catches.",
        call("start_debugging", command=command, pause_on_exceptions="uncaught"),
    )
    yield step(
        "A wrong value: stop where it shows. By line, by a text that only one line has, or by function; a condition or "
        "a hit_condition picks the pass that is wrong.",
        call("start_debugging", command=command, breakpoints=[{"file": "<file>", "text": "<a part of the line>"}]),
    )
    yield step(
        "A wrong order, or a wrong number of times: log each pass, without a stop. The log is in the output.",
        call("start_debugging", command=command, breakpoints=[{"function": "<name>", "log_message": "x is {<x>}"}]),
        call("get_output", session_id=NEW_SESSION),
    )
    yield step(
        "It hangs: let it run into that, stop it, and see where it is and what it waits for.",
        call("start_debugging", command=command, stop_on_entry=False, wait_ms=5000),
        call("pause_execution", session_id=NEW_SESSION),
    )
    again = stop_at_the_write_of_a_new_run(command)
    yield from trace_back(NEW_SESSION, OWN_FRAME, again)
    yield step(
        "Prove it: give the variable the right value just before it is used, go on, and see the symptom gone.",
        call("set_variable", session_id=NEW_SESSION, name="<name>", value="<expression>"),
        call("continue_execution", session_id=NEW_SESSION),
    )
    yield conclusion(NEW_SESSION)
