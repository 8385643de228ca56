"""What a stop of a real Node.js program shows beside its locals."""

from __future__ import annotations

import pytest

from server.debug.session_model import StepKind
from server.debug.value import Page, Variable
from tests.integration.conftest import Drive, WriteProgram
from tests.integration.driven_debuggee import DrivenDebuggee

pytestmark = pytest.mark.matrix

PROGRAM = """\
function make(n) {
  const made = { n };
  return made; // @bp return
}
function nothing() {
  make(1); // @bp call
} // @bp end
nothing();
"""


def locals_of(program: DrivenDebuggee, frame: int = 0, scope: str | None = "local") -> tuple[Variable, ...]:
    return program.debuggee.variables(frame, scope, Page()).variables


def begin_at(program: DrivenDebuggee, mark: str) -> None:
    program.connect()
    program.set(mark)
    program.debuggee.begin(stop_on_entry=False)
    assert program.where(program.outcome()) == mark


def step_to_the_end(program: DrivenDebuggee) -> None:
    """A step over `return` ends behind it, where the value is known, or in the caller."""
    begin_at(program, "return")
    program.step(StepKind.OVER)


def test_what_a_call_gives_back_is_first_among_its_locals(write: WriteProgram, drive: Drive) -> None:
    program = drive(write(PROGRAM))
    step_to_the_end(program)
    assert program.debuggee.call_stack(include_async=False).frames[0].function == "make"
    for scope in ("local", None):
        first = locals_of(program, scope=scope)[0]
        assert (first.name, first.value.preview) == ("(return value)", "{n: 1}")
    assert [one.name for one in locals_of(program)] == ["(return value)", "n", "made"]
    assert "(return value)" not in [one.name for one in locals_of(program, 1)]


def test_nothing_is_given_back_before_the_end(write: WriteProgram, drive: Drive) -> None:
    program = drive(write(PROGRAM))
    begin_at(program, "call")
    assert "(return value)" not in [one.name for one in locals_of(program)]
