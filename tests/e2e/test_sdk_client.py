"""The SDK's own client against the real server, in both eras of the protocol."""

from __future__ import annotations

import os
from pathlib import Path

import anyio
import pytest
from mcp_types import TextContent

from tests.e2e.programs import News, Program, TreeProgram
from tests.e2e.sdk_client import connected
from tests.unit.process.process_probe import pids_with_argument, wait_until

pytestmark = pytest.mark.anyio

ERAS = {"legacy": "2025-11-25", "2026-07-28": "2026-07-28", "auto": "2026-07-28"}
"""The client's mode, and the version that it ends up with."""

COUNTING = """\
let total = 0;
for (const price of [5, 10]) {
  total += price; // @bp here
}
module.exports = () =>
  total; // @bp never
"""
UNTIL_STOPPED = """\
const fs = require('fs');
for (let hits = 0; !fs.existsSync(process.argv[2]); hits += 1) {
  globalThis.hits = hits; // @bp here
}
"""


@pytest.mark.parametrize("mode", ERAS)
async def test_the_client_lists_the_tool_and_gets_success_and_failure(mode: str, tmp_path: Path) -> None:
    program = Program(tmp_path, COUNTING)
    async with connected(mode, tmp_path / "log") as client:
        assert client.protocol_version == ERAS[mode]
        [tool] = [tool for tool in (await client.list_tools()).tools if tool.name == "debug-script"]
        # The client validates structured content against the listed schema, in success and in failure.
        success = await client.call_tool(tool.name, program.call("total"))
        failure = await client.call_tool(tool.name, program.call("total", mark="never"))
    assert success.content == []
    assert success.structured_content == {
        "results": [{"type": "number", "value": 0}, {"type": "number", "value": 5}],
    }
    assert not success.is_error
    assert failure.is_error
    [content] = failure.content
    assert isinstance(content, TextContent)
    assert failure.structured_content == {"error": content.text}
    assert content.text.startswith("Process exited before breakpoint was hit\n")


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_progress_grows_until_the_program_is_stopped(mode: str, tmp_path: Path) -> None:
    stop = tmp_path / "stop"
    program = Program(tmp_path, UNTIL_STOPPED)
    told: list[float] = []

    async def note_progress(progress: float, total: float | None, message: str | None) -> None:
        assert total is None
        assert message == f"{int(progress)} hits"
        told.append(progress)
        if len(told) == 2:
            stop.touch()

    async with connected(mode, tmp_path / "log") as client:
        result = await client.call_tool("debug-script", program.call("hits", stop), progress_callback=note_progress)
    assert not result.is_error
    assert len(told) >= 2
    assert told == sorted(set(told))


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_call_given_up_by_the_client_ends_the_program(
    mode: str, tmp_path: Path, news: News, token: str
) -> None:
    program = TreeProgram(tmp_path, news)
    async with connected(mode, tmp_path / "log") as client, anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "debug-script", program.call_with_children(token, []))
        await anyio.to_thread.run_sync(news.lines, 1)
        assert pids_with_argument(token)
        tasks.cancel_scope.cancel()
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(wait_until, lambda: not pids_with_argument(token), "the program is gone")
            again = await client.call_tool("debug-script", Program(tmp_path, COUNTING).call("total"))
            assert not again.is_error


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_two_calls_of_one_client_meet_while_both_run(mode: str, tmp_path: Path) -> None:
    meeting = tmp_path / "meeting"
    os.mkfifo(meeting)
    # Opening either end waits for the other: neither program gets on before both run.
    teller = Program(
        tmp_path, f"require('fs').writeFileSync('{meeting}', 'hello');\n'told'; // @bp here\n", "teller.js"
    )
    hearer = Program(
        tmp_path, f"const heard = require('fs').readFileSync('{meeting}', 'utf8');\nheard; // @bp here\n", "hearer.js"
    )
    answers: dict[str, object] = {}

    async with connected(mode, tmp_path / "log") as client:

        async def call(program: Program, expression: str) -> None:
            answers[program.path.name] = (
                await client.call_tool("debug-script", program.call(expression))
            ).structured_content

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, hearer, "heard")
            tasks.start_soon(call, teller, "'told'")
    assert answers == {
        "teller.js": {"results": [{"type": "string", "value": "told"}]},
        "hearer.js": {"results": [{"type": "string", "value": "hello"}]},
    }
