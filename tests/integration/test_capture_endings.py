"""No hit is lost, however the program ends: the results are exactly the hits that the program counted itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import ScriptDebugger, node_command

pytestmark = pytest.mark.matrix

HITS = 500
REPEATS = 10
"""For ends in which a report that is still under way would be lost in some of the runs only."""

TIGHT_LOOP = f"""
let n = 0;
function hit() {{
  n += 1; // @bp hit
}}
for (let i = 0; i < {HITS}; i++) hit();
"""
ENDS: dict[str, tuple[str, dict[str, Any] | None]] = {
    "normal end": ("", None),
    "process.exit": ("process.exit(3);", {"code": 3, "signal": None}),
    "process.reallyExit": ("process.reallyExit(4);", {"code": 4, "signal": None}),
    "throw": ("throw new Error('boom');", {"code": 1, "signal": None}),
    "unhandled rejection": ("Promise.reject(new Error('boom'));", {"code": 1, "signal": None}),
    "exit handler": ("process.on('exit', () => process.exit(5));", {"code": 5, "signal": None}),
}
KILLS: dict[str, tuple[str, str]] = {
    "abort": ("process.abort();", "SIGABRT"),
    "SIGTERM": ("process.kill(process.pid, 'SIGTERM'); for (;;);", "SIGTERM"),
    "SIGSEGV": ("process.kill(process.pid, 'SIGSEGV'); for (;;);", "SIGSEGV"),
    "SIGKILL": ("process.kill(process.pid, 'SIGKILL'); for (;;);", "SIGKILL"),
}


def values_of(answer: dict[str, Any]) -> list[Any]:
    assert "truncated" not in answer
    return [result["value"] for result in answer["results"]]


def without_stderr(answer: dict[str, Any]) -> dict[str, Any] | None:
    """The exit, which is told where it is not the normal one."""
    told = answer.get("exit")
    return None if told is None else {key: value for key, value in told.items() if key != "stderr"}


@pytest.mark.parametrize(("code", "ending"), ENDS.values(), ids=ENDS.keys())
def test_no_hit_is_lost_where_the_program_ends_itself(
    debug: ScriptDebugger, write: WriteProgram, code: str, ending: dict[str, Any] | None
) -> None:
    answer = debug.run(write(TIGHT_LOOP + code), "n").structured
    assert values_of(answer) == list(range(HITS))
    assert without_stderr(answer) == ending


@pytest.mark.parametrize(("code", "name"), KILLS.values(), ids=KILLS.keys())
def test_no_hit_is_lost_where_the_program_kills_itself(
    debug: ScriptDebugger, write: WriteProgram, code: str, name: str
) -> None:
    program = write(TIGHT_LOOP + code)
    for _ in range(REPEATS):
        answer = debug.run(program, "n").structured
        assert values_of(answer) == list(range(HITS))
        assert answer["exit"]["signal"] == name


# --- ends that come from outside ----------------------------------------------------------------------------------

KILLED = """
const { openSync, writeSync } = require('fs');
const count = openSync(process.argv[2], 'w');
writeSync(count, '0');
const enough = `until [ $(cat ${process.argv[2]}) -gt 300 ]; do :; done`;
require('child_process').spawn('sh', ['-c', `${enough}; kill -KILL ${process.pid}`]);
for (let n = 0; ; n++) {
  void n; // @bp hit
  writeSync(count, `${n}`, 0);
}
"""


def test_sigkill_from_outside_loses_nothing_but_the_end(
    debug: ScriptDebugger, write: WriteProgram, tmp_path: Path
) -> None:
    """How much of the end depends on how far behind Node's inspector, a thread of its own, was at that moment."""
    program, count = write(KILLED), tmp_path / "count"
    for _ in range(REPEATS):
        answer = debug.run(program, "n", command=node_command(program.path, count)).structured
        values = values_of(answer)
        assert values == list(range(len(values)))
        assert 0 < len(values) <= int(count.read_text()) + 2  # it is written after the hit
        assert answer["exit"]["signal"] == "SIGKILL"
