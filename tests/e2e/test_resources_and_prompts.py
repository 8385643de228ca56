"""Resources, prompts and notifications while a real program is followed, over stdio, in both eras of the protocol."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated, ServerEvent, event_from_wire

from tests.e2e.programs import line_of
from tests.e2e.sdk_client import connected
from tests.e2e.server_process import BOUND_S
from tests.nodes import NODE

pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("ignore:resources/.*subscribe is removed")]

ERAS = ("legacy", "2026-07-28")
BOUND_MS = int(BOUND_S * 1000)
NOT_FOUND = {"legacy": -32002, "2026-07-28": types.INVALID_PARAMS}
COUNTING = """\
let total = 5; // @bp first
console.log('counted', total); // @bp second
total += 1; // @bp third
"""
FLOODING = """\
for (let number = 0; number < 20000; number += 1) {
  require('fs').writeSync(1, `line ${number}\\n`);
}
"""
FAILING = """\
function price(item) {
  return item.price.amount; // @bp here
}
console.error('about to fail');
price({ name: 'pear' });
"""


class Ears:
    """Everything that a client was told of resources, whatever its era."""

    def __init__(self) -> None:
        self.count = 0
        self._told: list[ServerEvent] = []
        self._news = anyio.Event()

    async def hear(self, message: Any) -> None:
        if isinstance(message, types.ResourceListChangedNotification | types.ResourceUpdatedNotification):
            wire = message.model_dump(by_alias=True, mode="json")
            event = event_from_wire(wire["method"], wire.get("params"))
            assert event is not None
            self.count += 1
            self._told.append(event)
            self._news.set()

    async def wait_for(self, event: ServerEvent) -> None:
        """Wait until it is told, unless it was; what was told up to there is forgotten."""
        while event not in self._told:
            self._news = anyio.Event()
            await self._news.wait()
        del self._told[: self._told.index(event) + 1]


@asynccontextmanager
async def subscribed(client: Client, mode: str, *uris: str) -> AsyncIterator[None]:
    """Have changes of the list and of these resources told, in the way of the era."""
    if mode != "legacy":
        # The client hands whatever a stream brings to its message handler too.
        async with client.listen(resources_list_changed=True, resource_subscriptions=uris):
            yield
        return
    for uri in uris:
        await client.subscribe_resource(uri)
    yield
    for uri in uris:
        await client.unsubscribe_resource(uri)


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    answer: dict[str, Any] | None = result.structured_content
    assert answer is not None
    assert not result.is_error, answer
    return answer


async def read(client: Client, uri: str) -> Any:
    [content] = (await client.read_resource(uri)).contents
    assert isinstance(content, types.TextResourceContents)
    return json.loads(content.text)


async def prompt(client: Client, name: str, **arguments: str) -> str:
    [message] = (await client.get_prompt(name, arguments)).messages
    assert isinstance(message.content, types.TextContent)
    return message.content.text


async def uris(client: Client) -> list[str]:
    return [resource.uri for resource in (await client.list_resources()).resources]


async def refused(request: Callable[[], Awaitable[Any]]) -> MCPError:
    with pytest.raises(MCPError) as error:
        await request()
    return error.value


def start(folder: Path, source: str, **arguments: Any) -> dict[str, Any]:
    program = folder / "program.js"
    program.write_text(source)
    return {"command": f"{NODE} {program}", **arguments}


@pytest.mark.parametrize("mode", ERAS)
async def test_a_session_is_seen_coming_stepping_writing_and_going(mode: str, tmp_path: Path) -> None:
    ears = Ears()
    async with connected(mode, tmp_path / "log", on_message=ears.hear) as client:
        assert await uris(client) == ["debug://sessions"]
        assert await read(client, "debug://sessions") == {"status": "ok", "sessions": []}
        async with subscribed(client, mode, "debug://sessions"):
            started = await call(client, "start_debugging", **start(tmp_path, COUNTING, stop_on_entry=True))
            await ears.wait_for(ResourcesListChanged())
            await ears.wait_for(ResourceUpdated("debug://sessions"))
        session_id = started["session_id"]
        state, output = f"debug://sessions/{session_id}", f"debug://sessions/{session_id}/output"
        assert await uris(client) == ["debug://sessions", state, output]
        [summary] = (await read(client, "debug://sessions"))["sessions"]
        assert (summary["session_id"], summary["state"]) == (session_id, "paused")
        assert (await read(client, state))["stop"] == started["stop"]

        async with subscribed(client, mode, state, output):
            await call(client, "step_over", session_id=session_id)
            await ears.wait_for(ResourceUpdated(state))
            stepped = await call(client, "step_over", session_id=session_id)
            await ears.wait_for(ResourceUpdated(output))
            assert (await read(client, state))["stop"] == stepped["stop"]
            assert stepped["stop"]["location"]["line"] == line_of(COUNTING, "third")
            told = await read(client, output)
            assert [(entry["stream"], entry["text"]) for entry in told["entries"]] == [("stdout", "counted 5\n")]

            await call(client, "close_debug_session", session_id=session_id)
            await ears.wait_for(ResourcesListChanged())
            await ears.wait_for(ResourceUpdated(state))
        assert await uris(client) == ["debug://sessions"]
        error = await refused(lambda: client.read_resource(state))
    assert (error.code, error.data) == (NOT_FOUND[mode], {"uri": state})
    assert (tmp_path / "log").read_text() == ""


@pytest.mark.parametrize("mode", ERAS)
async def test_a_flood_of_output_costs_the_client_few_messages(mode: str, tmp_path: Path) -> None:
    ears = Ears()
    async with connected(mode, tmp_path / "log", on_message=ears.hear) as client:
        started = await call(client, "start_debugging", **start(tmp_path, FLOODING, stop_on_entry=True))
        output = f"debug://sessions/{started['session_id']}/output"
        async with subscribed(client, mode, output):
            ended = await call(client, "continue_execution", wait_ms=BOUND_MS)
            await ears.wait_for(ResourceUpdated(output))
            told = await read(client, output)
    assert ended["state"] == "exited"
    assert told["entries"][-1]["text"].endswith("line 19999\n")
    assert ears.count < 400  # of 20,000 lines: fewer than the bound of this test has fifths of a second, and some


@pytest.mark.parametrize("mode", ERAS)
async def test_a_prompt_begins_with_the_facts_of_a_crash(mode: str, tmp_path: Path) -> None:
    async with connected(mode, tmp_path / "log") as client:
        started = await call(client, "start_debugging", **start(tmp_path, FAILING, pause_on_exceptions="uncaught"))
        session_id = started["session_id"]
        completed = await client.complete(
            types.PromptReference(name="analyze_crash"), {"name": "session_id", "value": "s"}
        )
        at_the_throw = await prompt(client, "analyze_crash", session_id=session_id)
        condition = await prompt(
            client, "investigate_condition", session_id=session_id, expression="item.price == null"
        )
        ended = await call(client, "continue_execution", session_id=session_id)
        after_the_end = await prompt(client, "analyze_crash", session_id=session_id)
        await call(client, "close_debug_session", session_id=session_id)
        error = await refused(lambda: client.get_prompt("analyze_crash", {"session_id": session_id}))
    assert completed.completion.values == [session_id]
    assert "exception: TypeError" in at_the_throw
    assert f">>> {line_of(FAILING, 'here')} |   return item.price.amount;" in at_the_throw
    frame = started["stop"]["frames"][0]["id"]
    assert f'get_variables {{"session_id": "{session_id}", "frame": "{frame}"}}' in at_the_throw
    assert '"expression": "item.price == null"' in condition
    assert ended["state"] == "exited"
    assert "exited with code 1" in after_the_end
    assert "about to fail" in after_the_end
    again = {"command": started["target_info"]["title"], "cwd": str(Path.cwd()), "pause_on_exceptions": "uncaught"}
    assert f"start_debugging {json.dumps(again)}" in after_the_end
    assert error.code == types.INVALID_PARAMS
    assert f"There is no session {session_id!r}" in error.message


@pytest.mark.parametrize("mode", ERAS)
async def test_without_session_tools_there_are_neither_resources_nor_prompts(mode: str, tmp_path: Path) -> None:
    async with connected(mode, tmp_path / "log", "--tools", "script") as client:
        for request in (client.list_resources, client.list_prompts):
            assert (await refused(request)).code == types.METHOD_NOT_FOUND


async def test_a_handshake_client_is_promised_what_it_gets(tmp_path: Path) -> None:
    async with connected("legacy", tmp_path / "log") as client:
        promised = client.server_capabilities
    assert promised.resources == types.ResourcesCapability(subscribe=True, list_changed=True)
    assert promised.prompts == types.PromptsCapability(list_changed=False)
    assert promised.completions is not None
