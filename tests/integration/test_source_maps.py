"""The contract's row "a source file with a source map (`.ts`): the breakpoint binds through the map"."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.script_debugger import PROGRAMS, Program, ScriptDebugger, node_command

pytestmark = pytest.mark.matrix

TYPESCRIPT = PROGRAMS / "typescript"
CART = Program(TYPESCRIPT / "src" / "cart.ts")
MAIN = Program(TYPESCRIPT / "src" / "main.ts")
ALONE = Program(TYPESCRIPT / "src" / "alone.ts")
IN_MEMORY = ("--require", str(TYPESCRIPT / "register.cjs"))

COMMANDS = {
    "CommonJS, maps in files": node_command(TYPESCRIPT / "commonjs" / "main.js"),
    "CommonJS, maps inside": node_command(TYPESCRIPT / "inline" / "main.js"),
    "ES modules": node_command(TYPESCRIPT / "esm" / "main.js"),
    "a bundle in one line": node_command(TYPESCRIPT / "bundle.js"),
    "compiled in memory": node_command(MAIN.path, before=IN_MEMORY),
}


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest) -> str:
    return COMMANDS[request.param]


def test_the_breakpoint_binds_through_the_map(debug: ScriptDebugger, command: str) -> None:
    assert debug.values(CART, "[item.price, sum]", at="body", command=command) == [[2, 0], [4, 6]]


def test_a_line_without_code_slides_to_the_next_line_of_the_source(debug: ScriptDebugger, command: str) -> None:
    answer = debug.run(MAIN, "started", at="type", command=command)
    assert answer.structured["results"] == [{"type": "string", "value": "yes"}]
    assert answer.structured["breakpoint"] == {
        "file": str(MAIN.path),
        "line": MAIN.line("names"),
        "requested_line": MAIN.line("type"),
    }


def test_a_line_behind_all_code_is_told_with_its_neighbours(debug: ScriptDebugger, command: str) -> None:
    behind = CART.path.read_text().count("\n") + 2
    error = debug.error(CART, at=behind, command=command)
    assert f"no code at {CART.path}:{behind} or behind it" in error
    assert str(CART.line("body")) in error.rpartition("have code: ")[2]


@pytest.mark.parametrize(
    "command",
    [
        node_command(TYPESCRIPT / "commonjs" / "alone.js"),
        node_command(TYPESCRIPT / "esm" / "alone.js"),
        node_command(ALONE.path, before=IN_MEMORY),
    ],
    ids=["CommonJS", "ES module", "in memory"],
)
@pytest.mark.parametrize("mark", ["first", "second"])
def test_each_of_the_first_statements_is_hit_once(debug: ScriptDebugger, command: str, mark: str) -> None:
    assert debug.values(ALONE, "1", at=mark, command=command) == [1]


def test_a_module_that_loads_late_is_held_as_well(debug: ScriptDebugger, tmp_path: Path) -> None:
    late = tmp_path / "late.js"
    late.write_text(f"setTimeout(() => require({str(TYPESCRIPT / 'commonjs' / 'main.js')!r}), 1);")
    assert debug.values(CART, "sum", at="body", command=node_command(late)) == [0, 6]


def test_a_map_that_leads_elsewhere_is_told(debug: ScriptDebugger) -> None:
    error = debug.error(CART, at="body", command=node_command(TYPESCRIPT / "commonjs" / "alone.js"))
    assert f"The file was never loaded: {CART.path}" in error
    assert "None of the 1 source maps of loaded scripts names it." in error


@pytest.mark.parametrize(
    ("spoiled", "reason"),
    [
        ("{", "it is not JSON"),
        ('{"version": 2}', "its version is 2, not 3"),
        ('{"version": 3, "sources": ["../src/cart.ts"], "mappings": "*"}', "a mapping is not in base 64"),
        (None, "cannot be read"),
    ],
)
def test_a_map_that_cannot_be_used_is_told_with_the_reason(
    debug: ScriptDebugger, tmp_path: Path, spoiled: str | None, reason: str
) -> None:
    copy = shutil.copytree(TYPESCRIPT, tmp_path / "typescript")
    map_file = copy / "commonjs" / "cart.js.map"
    map_file.unlink() if spoiled is None else map_file.write_text(spoiled)
    program = Program(copy / "src" / "cart.ts")
    error = debug.error(program, at="body", command=node_command(copy / "commonjs" / "main.js"))
    assert f"The source map of {copy / 'commonjs' / 'cart.js'} cannot be used: " in error
    assert reason in error


def test_the_program_notices_nothing_of_it(debug: ScriptDebugger, tmp_path: Path) -> None:
    """Neither Node's loader nor a stack trace looks different from a run without a debugger."""
    witness = tmp_path / "witness.js"
    witness.write_text(
        "const Module = require('node:module');"
        "globalThis.seen = [String(Module.prototype._compile).includes('filename'), new Error().stack];"
        f"require({str(TYPESCRIPT / 'commonjs' / 'main.js')!r});"
    )
    [[is_nodes_own, stack], _] = debug.values(CART, "seen", at="body", command=node_command(witness))
    assert is_nodes_own
    assert stack.splitlines()[1].strip().startswith("at Object.<anonymous> (")
    assert "debug" not in stack.lower().replace(str(tmp_path).lower(), "")
