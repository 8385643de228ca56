"""What a program wrote before a stop is told with that stop."""

from __future__ import annotations

from tests.integration.conftest import WriteProgram
from tests.integration.session_tools import SessionTools

ROUNDS = 20


def test_what_was_written_before_a_stop_comes_with_it(tools: SessionTools, write: WriteProgram) -> None:
    program = write(
        f"for (let i = 0; i < {ROUNDS}; i++) {{\n  console.log(`round ${{i}}`);\n  void i; // @bp next\n}}\n"
    )
    session = tools.start(program, "next")
    answers = [session.call("continue_execution") for _ in range(ROUNDS - 1)]
    assert [answer["output"]["stdout"] for answer in answers] == [f"round {i}\n" for i in range(1, ROUNDS)]
