"""A program cannot tell that it is watched: what it sees of itself is the same with and without the debugger."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import Program, ScriptDebugger, node_command
from tests.nodes import NODE

pytestmark = pytest.mark.matrix

HITS = 6
# Globals of the debugger's own would be found by name, by symbol, or by the name that the protocol's binding has.
LOOK = """
const vm = require('vm'), fs = require('fs');
const seen = {};
const keysOf = (scope) => [
  Object.getOwnPropertyNames(scope), Reflect.ownKeys(scope).map(String), Object.keys(scope),
  (() => { const names = []; for (const name in scope) names.push(name); return names; })(),
];
const early = vm.createContext({ total: 0 });
const inContext = 'Reflect.ownKeys(globalThis).map(String)';
const lookAround = () => ({
  main: keysOf(globalThis),
  early: [keysOf(early), vm.runInContext(inContext, early)],
  late: vm.runInNewContext(inContext, {}),
  execArgv: process.execArgv,
  nodeOptions: process.env.NODE_OPTIONS ?? null,
  argv: process.argv.length,
  resources: process.getActiveResourcesInfo?.() ?? null,
  stack: new Error('here').stack,
  counts: [process.listenerCount('exit'), process.eventNames().map(String)],
  properties: [Object.getOwnPropertyNames(Object.prototype), Object.getOwnPropertyNames(Function.prototype)],
});
seen.before = lookAround();
function watched(n) {
  const during = n === 3 ? lookAround() : undefined;
  if (during) seen.during = during;
  return new Error('watched ' + n).stack; // @bp hit
}
seen.stacks = [];
for (let n = 0; n < 6; n++) seen.stacks.push(watched(n));
seen.after = lookAround();
fs.writeFileSync(process.argv[2], JSON.stringify(seen));
console.log('to stdout'); console.error('to stderr');
process.exitCode = 9;
"""


def seen_plain(program: Program, notes: Path) -> Any:
    """What the program notes when nobody watches."""
    ended = subprocess.run([NODE, program.path, notes], check=False, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (9, "to stdout\n", "to stderr\n")
    return read_and_remove(notes)


def read_and_remove(notes: Path) -> Any:
    """What the program noted; `--inspect-brk` alone has Node's own loader go through other lines of it."""
    text = re.sub(r"(node:[\w/]+):\d+:\d+", r"\1", notes.read_text("utf-8"))
    notes.unlink()
    return json.loads(text)


@pytest.mark.parametrize(
    ("optional", "hits"),
    [
        ({}, HITS),
        ({"include_stack": True}, HITS),
        ({"condition": "n > 1"}, HITS - 2),
        ({"max_hits": 2}, 2),
    ],
    ids=["streaming", "stopping", "condition", "max_hits"],
)
def test_program_sees_the_same_as_without_a_debugger(
    debug: ScriptDebugger, write: WriteProgram, tmp_path: Path, optional: dict[str, Any], hits: int
) -> None:
    program, notes = write(LOOK), tmp_path / "notes.json"
    expected = seen_plain(program, notes)
    answer = debug.run(program, "n", command=node_command(program.path, notes), **optional).structured
    assert len(answer["results"]) == hits
    assert answer["exit"] == {"code": 9, "signal": None, "stderr": "to stderr"}
    assert read_and_remove(notes) == expected


# The file runs itself again in a global scope of its own, which is looked at from inside and from outside.
LOOK_IN_CONTEXT = """
if (typeof require === 'function') {
  const vm = require('vm'), fs = require('fs');
  const text = fs.readFileSync(__filename, 'utf8');
  const notes = [];
  const early = vm.createContext({ notes });
  vm.runInContext(text, early, __filename);
  vm.runInNewContext(text, { notes }, __filename);
  notes.push(Reflect.ownKeys(early).map(String), Reflect.ownKeys(globalThis).map(String));
  fs.writeFileSync(process.argv[2], JSON.stringify(notes));
  process.exitCode = 9;
  console.log('to stdout'); console.error('to stderr');
} else {
  for (var i = 0; i < 4; i++) {
    notes.push(Reflect.ownKeys(globalThis).map(String)); // @bp hit
  }
}
"""


def test_global_scope_of_a_context_is_the_same_as_without_a_debugger(
    debug: ScriptDebugger, write: WriteProgram, tmp_path: Path
) -> None:
    program, notes = write(LOOK_IN_CONTEXT), tmp_path / "notes.json"
    expected = seen_plain(program, notes)
    answer = debug.run(program, "i", command=node_command(program.path, notes)).structured
    assert [result["value"] for result in answer["results"]] == [0, 1, 2, 3] * 2
    assert read_and_remove(notes) == expected


CHILD = """
const { fork } = require('child_process');
if (process.send) {
  process.send(process.execArgv);
} else {
  for (let i = 0; i < 5; i++) {
    void i; // @bp hit
  }
  const child = fork(__filename);
  child.on('message', (flags) => {
    console.error(JSON.stringify([process.execArgv, flags]));
    child.on('exit', (code) => process.exit(code + 9));
  });
}
"""


def test_forked_child_inherits_every_flag_but_the_debuggers(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(CHILD)
    command = node_command(program.path, before=("--stack-trace-limit=7", "--no-warnings"))
    answer = debug.run(program, "i", command=command).structured
    assert [result["value"] for result in answer["results"]] == [0, 1, 2, 3, 4]
    flags = ["--stack-trace-limit=7", "--no-warnings"]
    assert answer["exit"]["code"] == 9
    assert json.loads(answer["exit"]["stderr"]) == [flags, flags]
