"""A long run has V8 collect what each hit leaves behind, and the program finds no trace of how."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import ScriptDebugger, node_command

pytestmark = pytest.mark.matrix

# More evaluations than it takes for a collection. Afterwards Node tells of those that were asked for.
PROGRAM = """
const { PerformanceObserver, constants } = require('perf_hooks');
const vm = require('vm'), fs = require('fs');
let total = 0;
const observer = new PerformanceObserver((list) => {
  observer.disconnect();
  const isAskedFor = ({ detail }) => (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
  const seen = {
    collected: list.getEntries().some(isAskedFor),
    own: typeof globalThis.gc,
    elsewhere: vm.runInNewContext('typeof gc'),
  };
  fs.writeFileSync(process.argv[2], JSON.stringify(seen));
});
observer.observe({ entryTypes: ['gc'] });
for (let i = 0; i < 2500; i += 1) {
  total += i; // @bp hit
}
setTimeout(() => {}, 1);
"""


@pytest.mark.parametrize(
    "how",
    [
        pytest.param({}, id="every hit is captured"),
        pytest.param({"condition": "i % 2000 === 0"}, id="few hits meet the condition"),
        pytest.param({"condition": "i > 0 ? nowhere : true"}, id="the condition throws"),
        pytest.param({"condition": "i % 2000 === 0", "include_stack": True}, id="few hits are stops"),
    ],
)
def test_evaluations_are_cleared_away_and_the_function_for_it_cannot_be_found(
    debug: ScriptDebugger, write: WriteProgram, tmp_path: Path, how: dict[str, Any]
) -> None:
    program, notes = write(PROGRAM), tmp_path / "notes.json"
    debug.run(program, "i", command=node_command(program.path, notes), **how)
    assert json.loads(notes.read_text()) == {"collected": True, "own": "undefined", "elsewhere": "undefined"}


def test_a_program_that_is_run_with_the_function_keeps_it(
    debug: ScriptDebugger, write: WriteProgram, tmp_path: Path
) -> None:
    program, notes = write(PROGRAM), tmp_path / "notes.json"
    debug.run(program, "i", command=node_command(program.path, notes, before=["--expose-gc"]))
    assert json.loads(notes.read_text()) == {"collected": True, "own": "function", "elsewhere": "function"}
