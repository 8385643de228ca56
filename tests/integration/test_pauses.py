"""Pauses come where they are asked for, and are told as what they are."""

from __future__ import annotations

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.session_tools import SessionTools

pytestmark = pytest.mark.matrix

BUSY = """\
let turn = 0;
const next = (n) => (n + 1) % 1000;
while (true) {
  turn = next(turn); // @bp loop
}
"""
THROWS = "function fail() {\n  debugger;\n  throw new Error('top');\n}\nfail();\n"


def test_program_is_paused_in_a_loop_with_a_breakpoint_that_is_never_met(
    tools: SessionTools, write: WriteProgram
) -> None:
    program = write(BUSY)
    session = tools.start(program, "loop")
    session.call("remove_breakpoint", breakpoint_id="bp1")
    session.call("set_breakpoint", file=str(program.path), line=program.line("loop"), condition="turn > 1000")
    session.call("continue_execution", wait_ms=50)
    for _ in range(3):
        assert session.call("pause_execution")["state"] == "paused"
        assert session.call("continue_execution", wait_ms=1)["state"] == "running"


def test_breakpoints_are_met_again_after_a_pause(tools: SessionTools, write: WriteProgram) -> None:
    program = write(BUSY)
    session = tools.start(program, "loop")
    session.call("toggle_breakpoint", breakpoint_id="bp1", enabled=False)
    session.call("continue_execution", wait_ms=1)
    session.call("pause_execution")
    session.call("toggle_breakpoint", breakpoint_id="bp1", enabled=True)
    assert session.call("continue_execution")["stop"]["breakpoint_ids"] == ["bp1"]


@pytest.mark.parametrize("mode", ["all", "uncaught"])
def test_nothing_stops_behind_an_exception_that_a_step_ran_into(
    tools: SessionTools, write: WriteProgram, mode: str
) -> None:
    session = tools.start(write(THROWS), pause_on_exceptions=mode)
    session.call("step_over")
    assert session.call("step_over")["stop"]["reason"] == "exception"
    assert session.call("continue_execution")["state"] == "exited"
