"""A program whose very first statement is one to stop at: Node's own first pause is there too, and V8 stops once."""

from __future__ import annotations

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.session_tools import SessionTools


@pytest.mark.matrix
@pytest.mark.parametrize("before", ["", "'use strict';\n", "#!/usr/bin/env node\n// why\n  "])
def test_a_debugger_statement_that_comes_first_is_a_stop(tools: SessionTools, write: WriteProgram, before: str) -> None:
    program = write(f"{before}debugger; // @bp statement\nconsole.log('on');\n")
    session = tools.start(program, stop_on_entry=False)
    assert session.opened["stop"]["reason"] == "debugger statement"
    assert session.opened["stop"]["location"]["line"] == program.line("statement")
    assert session.call("continue_execution")["exit"] == {"code": 0, "signal": None}


@pytest.mark.matrix
def test_a_debugger_statement_elsewhere_does_not_stop_the_program_at_its_entry(
    tools: SessionTools, write: WriteProgram
) -> None:
    program = write("let first = 1; debugger; // @bp statement\nfirst += 1;\n")
    session = tools.start(program, stop_on_entry=False)
    assert session.opened["stop"]["reason"] == "debugger statement"
    assert session.value("first") == 1
    assert session.call("continue_execution")["state"] == "exited"


@pytest.mark.matrix
def test_an_entry_stop_at_a_debugger_statement_is_the_only_one_there(tools: SessionTools, write: WriteProgram) -> None:
    session = tools.start(write("debugger;\nconsole.log('on');\n"), stop_on_entry=True)
    assert session.opened["stop"]["reason"] == "entry"
    assert session.call("continue_execution")["state"] == "exited"
