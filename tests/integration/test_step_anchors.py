"""Steps are whole where the breakpoint at which a program stands is taken away."""

from __future__ import annotations

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.session_tools import SessionTools

pytestmark = pytest.mark.matrix

# V8 forgets how to step here only in a function that has run before.
AGAIN_AND_AGAIN = """\
function pass(rows) {
  let total = 0; // @bp start
  for (let index = 0; index < rows.length; index++) { // @bp loop
    total += rows[index]; // @bp add
  }
  return total;
}
for (let turn = 0; ; turn++) pass([1, 2, 3]);
"""


@pytest.mark.parametrize("way", ["run to the line", "breakpoint removed", "breakpoint switched off"])
def test_step_from_where_a_breakpoint_was_passes_over_no_line(
    tools: SessionTools, write: WriteProgram, way: str
) -> None:
    program = write(AGAIN_AND_AGAIN)
    session = tools.start(program, "add")
    start = {"file": str(program.path), "line": program.line("start")}
    if way == "run to the line":
        session.call("remove_breakpoint", breakpoint_id="bp1")
        session.call("continue_execution", to=start)
    else:
        session.call("set_breakpoint", **start)
        session.call("remove_breakpoint", breakpoint_id="bp1")
        session.call("continue_execution")
        if way == "breakpoint removed":
            session.call("remove_breakpoint", breakpoint_id="bp2")
        else:
            session.call("toggle_breakpoint", breakpoint_id="bp2", enabled=False)
    stops = [session.call("step_over")["stop"]["location"]["line"] for _ in range(3)]
    assert stops == [program.line("loop"), program.line("loop"), program.line("add")]
    assert session.call("continue_execution", wait_ms=1)["state"] == "running"


def test_line_to_run_to_survives_what_the_debugger_passes_over(tools: SessionTools, write: WriteProgram) -> None:
    program = write("void 0; // @bp start\nvoid 1; // @bp between\nvoid 2; // @bp end\n")
    session = tools.start(program, "start")
    session.call("set_breakpoint", file=str(program.path), line=program.line("between"), condition="false")
    answer = session.call("continue_execution", to={"line": program.line("end")})
    assert answer["stop"]["location"]["line"] == program.line("end")
