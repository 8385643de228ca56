"""A program under a session's debuggee, from its launch to its end."""

from __future__ import annotations

import pytest

from server.debug.session_model import ProgramEnded, Stopped, StopReason
from server.process.process_events import ExitStatus
from tests.integration.conftest import Drive, WriteProgram

pytestmark = pytest.mark.matrix


def test_program_without_breakpoints_runs_to_its_end(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("console.log('out'); console.error('err'); process.exitCode = 3;"))
    assert program.begin() == ProgramEnded(ExitStatus(3, None))
    assert program.written("stdout") == "out\n"
    assert program.written("stderr") == "err\n"


def test_entry_of_a_commonjs_program_is_its_first_statement(write: WriteProgram, drive: Drive) -> None:
    program = drive(write("// a comment\nfunction f() { return 1; }\nconst x = f(); // @bp first\n"))
    stopped = program.begin(stop_on_entry=True)
    assert isinstance(stopped, Stopped)
    assert stopped.reason is StopReason.ENTRY
    assert program.where(stopped) == "first"
    assert isinstance(program.go(), ProgramEnded)
