"""What a program wrote before a stop is told with that stop."""

from __future__ import annotations

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import node_command
from tests.integration.session_tools import SessionTools

ROUNDS = 20


def test_what_was_written_before_a_stop_comes_with_it(tools: SessionTools, write: WriteProgram) -> None:
    program = write(
        f"for (let i = 0; i < {ROUNDS}; i++) {{\n  console.log(`round ${{i}}`);\n  void i; // @bp next\n}}\n"
    )
    session = tools.start(program, "next")
    answers = [session.call("continue_execution") for _ in range(ROUNDS - 1)]
    assert [answer["output"]["stdout"] for answer in answers] == [f"round {i}\n" for i in range(1, ROUNDS)]


def test_logpoint_on_the_line_of_a_stop_is_told_with_it(tools: SessionTools, write: WriteProgram) -> None:
    program = write("for (let i = 0; i < 3; i++) {\n  void i; // @bp here\n}\n")
    session = tools.start(program, "here")
    session.call("set_breakpoint", file=str(program.path), line=program.line("here"), log_message="i is {i}")
    answers = [session.call("continue_execution") for _ in range(2)]
    assert [answer["output"]["log"] for answer in answers] == ["i is 1\n", "i is 2\n"]


def test_first_stop_of_a_conditional_breakpoint_is_counted_when_it_is_told(
    tools: SessionTools, write: WriteProgram
) -> None:
    program = write("for (let i = 0; i < 3; i++) {\n  void i; // @bp here\n}\n")
    place = {"file": str(program.path), "line": program.line("here"), "condition": "i >= 0"}
    started = tools.call("start_debugging", command=node_command(program.path), breakpoints=[place])
    assert [one["hits"] for one in started["breakpoints"]] == [1]
    tools.call("close_debug_session")
