"""The shapes of answers on the wire, and what must never get onto it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.programs import Program
from tests.e2e.server_process import ServerProcess
from tests.nodes import NODE

COUNTING = """\
for (let i = 0; i < 3; i += 1) {
  globalThis.last = i; // @bp here
}
if (globalThis.last > 5) globalThis.last = 0; // @bp decision
module.exports = function never() {
  return 1; // @bp never
};
"""


@pytest.fixture
def counting(tmp_path: Path) -> Program:
    return Program(tmp_path, COUNTING)


def assert_failure(result: dict[str, Any], beginning: str) -> None:
    """The contract's failure, complete in both channels."""
    assert result["isError"] is True
    assert set(result["structuredContent"]) == {"error"}
    message = result["structuredContent"]["error"]
    assert result["content"] == [{"type": "text", "text": message}]
    assert message.startswith(beginning)


@pytest.mark.matrix
def test_success_has_empty_content_and_every_result(shared_server: ServerProcess, counting: Program) -> None:
    result = shared_server.call(counting.call("i"))
    assert result == {
        "content": [],
        "structuredContent": {"results": [{"type": "number", "value": i} for i in range(3)]},
        "isError": False,
    }


@pytest.mark.matrix
def test_failure_tells_the_same_in_text_and_structure(shared_server: ServerProcess, counting: Program) -> None:
    result = shared_server.call(counting.call("i", mark="never"))
    assert_failure(result, "Process exited before breakpoint was hit\nExit code: 0.")


def test_timeout_is_a_failure_of_the_same_shape(shared_server: ServerProcess, tmp_path: Path) -> None:
    waiting = Program(tmp_path, "setInterval(() => {}, 2 ** 30);\nmodule.exports = () =>\n  1; // @bp here\n")
    assert_failure(shared_server.call(waiting.call("1", timeout=300)), "Timeout waiting for breakpoint after 300ms\n")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"timeout": "soon"}, "timeout"),
        ({"timeout": 0}, "timeout"),
        ({"breakpoint": {"file": "x.js"}}, "breakpoint.line"),
        ({"breakpoint": None}, "breakpoint"),
        ({"expression": ""}, "expression"),
        ({"speed": "high"}, "speed"),
    ],
)
def test_bad_arguments_are_named_and_a_right_call_is_shown(
    shared_server: ServerProcess, counting: Program, change: dict[str, Any], named: str
) -> None:
    result = shared_server.call({**counting.call("i"), **change})
    assert_failure(result, f"Bad arguments for debug-script:\n- {named}: ")
    example = json.loads(result["structuredContent"]["error"].partition("A right call: ")[2])
    assert set(example) == {"command", "breakpoint", "expression", "timeout"}


def test_no_arguments_at_all_are_bad_arguments(shared_server: ServerProcess) -> None:
    result = shared_server.ask("tools/call", {"name": "debug-script"})
    assert_failure(result, "Bad arguments for debug-script:\n- command: is required")


def test_an_unknown_tool_is_answered_with_the_names_of_the_real_ones(shared_server: ServerProcess) -> None:
    result = shared_server.result(shared_server.start_call({}, name="debug-scripts"))
    assert_failure(result, "There is no tool 'debug-scripts'. The tools are: debug-script")


def test_an_unknown_method_is_a_protocol_error(shared_server: ServerProcess) -> None:
    assert shared_server.answer(shared_server.request("no/such/method"))["error"]["code"] == -32601


def test_a_missing_command_is_told_at_once_in_the_shape_of_a_failure(
    shared_server: ServerProcess, counting: Program
) -> None:
    result = shared_server.call(counting.call("i", node="no-such-command"))
    assert_failure(result, "The program could not be started: command not found")


def test_an_answer_larger_than_any_pipe_arrives_whole(tmp_path: Path) -> None:
    size = 2 * 1024 * 1024
    program = Program(tmp_path, "const text = 'é'.repeat(Number(process.argv[2]));\ntext.length; // @bp here\n")
    limits = {"DEBUG_SCRIPT_MAX_RESULT_BYTES": str(4 * size), "DEBUG_SCRIPT_MAX_RESULTS_BYTES": str(8 * size)}
    with ServerProcess(env=limits) as server:
        server.initialize()
        [result] = server.call(program.call("text", str(size)))["structuredContent"]["results"]
    assert result == {"type": "string", "value": "é" * size}


def test_lone_surrogates_of_a_program_do_not_mute_the_server(shared_server: ServerProcess, tmp_path: Path) -> None:
    source = "const half = JSON.parse('\"a\\\\ud800b\"');\nconst object = { [half]: [half] };\nobject; // @bp here\n"
    program = Program(tmp_path, source)
    [result] = shared_server.call(program.call("object"))["structuredContent"]["results"]
    assert result == {"type": "object", "value": {"a\ufffdb": ["a\ufffdb"]}}
    failed = Program(
        tmp_path, source + "console.error(half);\nmodule.exports = () =>\n  half; // @bp never\n", "failed.js"
    )
    assert_failure(shared_server.call(failed.call("half", mark="never")), "Process exited before breakpoint was hit")


SPOILING = """\
const fs = require('fs');
const { spawnSync } = require('child_process');
const line = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { forged: true } }) + '\\n';
process.stdout.write(line);
console.log(line);
fs.writeSync(1, line);
fs.writeSync(2, line);
fs.appendFileSync('/dev/stdout', line);
fs.appendFileSync('/dev/stderr', line);
spawnSync('sh', ['-c', 'cat >&1', 'sh'], { input: line, stdio: ['pipe', 'inherit', 'inherit'] });
fs.writeSync(1, 'no end of line'); // @bp here
"""


def test_nothing_that_a_program_writes_reaches_the_wire(server: ServerProcess, tmp_path: Path) -> None:
    assert server.call(Program(tmp_path, SPOILING).call("line.length"))["structuredContent"]["results"]
    server.close_stdin()
    server.read_to_end()
    assert server.wait() == 0
    assert server.notifications == []
    assert "forged" not in server.stderr()


def test_a_program_reads_the_end_of_its_input_and_nothing_of_the_wire(
    shared_server: ServerProcess, tmp_path: Path
) -> None:
    program = Program(tmp_path, "const input = require('fs').readFileSync(0, 'utf8');\ninput; // @bp here\n")
    assert shared_server.call(program.call("input"))["structuredContent"]["results"] == [
        {"type": "string", "value": ""}
    ]


@pytest.mark.parametrize(
    "line",
    [
        b"garbage",
        b"",
        b"\xff\xfe\x00",
        b"{",
        b"[]",
        b"null",
        b'{"jsonrpc": "1.0"}',
        b'{"jsonrpc": "2.0", "id": 900}',
        b'{"jsonrpc": "2.0", "id": 901, "result": {}}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 902}}',
        b'{"jsonrpc": "2.0", "method": "notifications/unheard-of"}',
        b'{"jsonrpc": "2.0", "id": 903, "method": "tools/call", "params": {"name": "\\ud800"}}',
        b"[" * 100_000,
        b"x" * 10_000_000,
    ],
    ids=lambda line: repr(line[:40]),
)
def test_a_line_that_makes_no_sense_does_not_end_the_server(
    shared_server: ServerProcess, counting: Program, line: bytes
) -> None:
    shared_server.send_line(line)
    assert len(shared_server.call(counting.call("i"))["structuredContent"]["results"]) == 3


def test_the_node_under_test_is_the_one_that_runs(shared_server: ServerProcess, counting: Program) -> None:
    [result] = shared_server.call(counting.call("process.execPath", mark="decision"))["structuredContent"]["results"]
    assert Path(result["value"]).resolve() == Path(NODE).resolve()
