"""Resources, prompts and notifications over the SDK's in-memory transports, in both eras of the protocol."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import anyio
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated, ServerEvent, event_from_wire

from server.debug.session_terms import SessionChange
from server.protocol.session_features import SessionFeatures
from server.resources.change_feed import ChangeFeed
from tests.unit.canned_sessions import WROTE, CannedSession, CannedSessions, paused, running

pytestmark = pytest.mark.anyio

BOUND_S = 30.0
ERAS = ("legacy", "2026-07-28")
SUBSCRIBING_IS_OLD = "ignore:resources/.*subscribe is removed"
Kind = Literal["opened", "closed", "state", "output"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Heard:
    """The notifications that a client of the older versions got."""

    def __init__(self) -> None:
        self.events: list[ServerEvent] = []
        self._news = anyio.Event()

    async def __call__(self, message: Any) -> None:
        if isinstance(message, types.ServerNotification):
            wire = message.model_dump(by_alias=True, mode="json")
            event = event_from_wire(wire["method"], wire.get("params"))
            assert event is not None
            self.events.append(event)
            self._news.set()

    async def wait_for(self, event: ServerEvent) -> None:
        while event not in self.events:
            self._news = anyio.Event()
            await self._news.wait()


class Scene:
    """A server with two sessions, and a client of it."""

    def __init__(self) -> None:
        self.sessions = CannedSessions(CannedSession(paused("s1"), output=WROTE), CannedSession(running("s2")))
        self.heard = Heard()
        self.feed = ChangeFeed(rest_s=0)
        self.client: Client

    def change(self, session_id: str, kind: Kind) -> None:
        thread = threading.Thread(target=self.feed.note, args=[SessionChange(session_id, kind)])
        thread.start()
        thread.join()


@asynccontextmanager
async def scene(mode: str) -> AsyncIterator[Scene]:
    scene = Scene()
    features = SessionFeatures(scene.sessions, scene.feed)
    server: Server[Any] = Server("scene")
    features.add_to(server)
    with anyio.fail_after(BOUND_S):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(features.tell_changes)
            async with Client(server, mode=mode, message_handler=scene.heard) as scene.client:
                yield scene
            tasks.cancel_scope.cancel()


def text_of(read: types.ReadResourceResult) -> str:
    [content] = read.contents
    assert isinstance(content, types.TextResourceContents)
    assert content.mime_type == "application/json"
    return content.text


# --- what can be asked ------------------------------------------------------------------------------------------


async def test_the_capabilities_tell_of_all_features() -> None:
    async with scene("auto") as at:
        told = at.client.server_capabilities
    assert told.resources == types.ResourcesCapability(subscribe=True, list_changed=True)
    assert told.prompts is not None
    assert told.completions is not None


@pytest.mark.parametrize("mode", ERAS)
async def test_what_is_listed_can_be_read(mode: str) -> None:
    async with scene(mode) as at:
        listed = (await at.client.list_resources()).resources
        read = {resource.uri: json.loads(text_of(await at.client.read_resource(resource.uri))) for resource in listed}
    assert {resource.mime_type for resource in listed} == {"application/json"}
    assert sorted(read) == [
        "debug://sessions",
        "debug://sessions/s1",
        "debug://sessions/s1/output",
        "debug://sessions/s2",
        "debug://sessions/s2/output",
    ]
    assert [session["session_id"] for session in read["debug://sessions"]["sessions"]] == ["s1", "s2"]
    assert read["debug://sessions/s1"]["stop"]["breakpoint_ids"] == ["bp1"]
    assert read["debug://sessions/s2"]["state"] == "running"
    assert read["debug://sessions/s1/output"]["cursor"] == WROTE.cursor


@pytest.mark.parametrize("mode", ERAS)
async def test_templates_give_the_form_of_a_session_s_resources(mode: str) -> None:
    async with scene(mode) as at:
        templates = (await at.client.list_resource_templates()).resource_templates
    assert [template.uri_template for template in templates] == [
        "debug://sessions/{id}",
        "debug://sessions/{id}/output",
    ]
    assert all(template.mime_type == "application/json" and template.description for template in templates)


@pytest.mark.parametrize(("mode", "code"), [("legacy", -32002), ("2026-07-28", -32602)])
async def test_an_unknown_resource_is_the_error_of_its_era(mode: str, code: int) -> None:
    async with scene(mode) as at:
        with pytest.raises(MCPError) as refused:
            await at.client.read_resource("debug://sessions/s9")
    assert refused.value.code == code
    assert refused.value.data == {"uri": "debug://sessions/s9"}
    assert "debug://sessions/s1, debug://sessions/s1/output" in refused.value.message


@pytest.mark.parametrize("mode", ERAS)
async def test_prompts_are_listed_with_their_arguments_and_given_as_one_message(mode: str) -> None:
    async with scene(mode) as at:
        prompts = (await at.client.list_prompts()).prompts
        given = await at.client.get_prompt("analyze_crash", {"session_id": "s1"})
    arguments = {prompt.name: [argument.name for argument in prompt.arguments or []] for prompt in prompts}
    assert arguments == {
        "analyze_crash": ["session_id"],
        "investigate_condition": ["session_id", "expression"],
        "find_root_cause": ["command", "symptom"],
    }
    assert all(argument.required for prompt in prompts for argument in prompt.arguments or [])
    [message] = given.messages
    assert message.role == "user"
    assert isinstance(message.content, types.TextContent)
    assert ">>> 12 |   return sum(items);" in message.content.text


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        ("no_such", {}, "There is no prompt 'no_such'"),
        ("analyze_crash", None, "session_id is missing"),
        ("analyze_crash", {"session_id": "s9"}, "There is no session 's9'"),
    ],
)
async def test_a_prompt_that_cannot_be_given_is_an_invalid_parameter(
    mode: str, name: str, arguments: dict[str, str] | None, problem: str
) -> None:
    async with scene(mode) as at:
        with pytest.raises(MCPError) as refused:
            await at.client.get_prompt(name, arguments)
    assert refused.value.code == types.INVALID_PARAMS
    assert problem in refused.value.message


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("ref", "argument"),
    [
        (types.PromptReference(name="analyze_crash"), "session_id"),
        (types.ResourceTemplateReference(uri="debug://sessions/{id}"), "id"),
        (types.ResourceTemplateReference(uri="debug://sessions/{id}/output"), "id"),
    ],
    ids=["prompt", "state", "output"],
)
async def test_session_ids_are_completed(
    mode: str, ref: types.PromptReference | types.ResourceTemplateReference, argument: str
) -> None:
    async with scene(mode) as at:
        both = (await at.client.complete(ref, {"name": argument, "value": "s"})).completion
        one = (await at.client.complete(ref, {"name": argument, "value": "s2"})).completion
    assert (both.values, both.total, both.has_more) == (["s1", "s2"], 2, False)
    assert one.values == ["s2"]


@pytest.mark.parametrize(
    "ref",
    [types.PromptReference(name="no_such"), types.ResourceTemplateReference(uri="debug://other/{id}")],
    ids=["prompt", "template"],
)
async def test_completing_what_there_is_not_is_refused(
    ref: types.PromptReference | types.ResourceTemplateReference,
) -> None:
    async with scene("2026-07-28") as at:
        with pytest.raises(MCPError, match="There are: ") as refused:
            await at.client.complete(ref, {"name": "id", "value": ""})
    assert refused.value.code == types.INVALID_PARAMS


# --- what is told -----------------------------------------------------------------------------------------------


async def test_a_listener_is_told_of_what_it_named_and_of_nothing_else() -> None:
    output = "debug://sessions/s1/output"
    async with scene("2026-07-28") as at, at.client.listen(resource_subscriptions=[output]) as events:
        at.change("s1", "state")
        at.change("s2", "output")
        at.change("s1", "output")
        assert await anext(events) == ResourceUpdated(output)
        at.change("s3", "opened")
        at.change("s1", "output")
        assert await anext(events) == ResourceUpdated(output)


async def test_a_listener_to_the_list_hears_sessions_come_and_go() -> None:
    async with scene("2026-07-28") as at, at.client.listen(resources_list_changed=True) as events:
        at.change("s3", "opened")
        assert await anext(events) == ResourcesListChanged()
        at.change("s3", "state")
        at.change("s3", "closed")
        assert await anext(events) == ResourcesListChanged()


async def test_two_listeners_each_hear_their_own() -> None:
    async with (
        scene("2026-07-28") as at,
        at.client.listen(resource_subscriptions=["debug://sessions"]) as of_sessions,
        at.client.listen(resource_subscriptions=["debug://sessions/s1"]) as of_one,
    ):
        at.change("s1", "state")
        assert await anext(of_sessions) == ResourceUpdated("debug://sessions")
        assert await anext(of_one) == ResourceUpdated("debug://sessions/s1")


@pytest.mark.filterwarnings(SUBSCRIBING_IS_OLD)
async def test_a_handshake_client_is_told_of_the_list_unasked_and_of_resources_on_request() -> None:
    async with scene("legacy") as at:
        await at.client.subscribe_resource("debug://sessions/s1/output")
        at.change("s1", "state")
        at.change("s1", "output")
        await at.heard.wait_for(ResourceUpdated("debug://sessions/s1/output"))
        at.change("s3", "opened")
        await at.heard.wait_for(ResourcesListChanged())
    assert at.heard.events == [ResourceUpdated("debug://sessions/s1/output"), ResourcesListChanged()]


@pytest.mark.filterwarnings(SUBSCRIBING_IS_OLD)
async def test_nothing_is_told_of_what_is_not_subscribed_to_any_more() -> None:
    async with scene("legacy") as at:
        await at.client.subscribe_resource("debug://sessions/s1")
        await at.client.subscribe_resource("debug://sessions/s2")
        await at.client.unsubscribe_resource("debug://sessions/s1")
        await at.client.unsubscribe_resource("debug://sessions/s9")  # nobody's mistake
        at.change("s1", "state")
        at.change("s2", "state")
        await at.heard.wait_for(ResourceUpdated("debug://sessions/s2"))
    assert at.heard.events == [ResourceUpdated("debug://sessions/s2")]


@pytest.mark.filterwarnings(SUBSCRIBING_IS_OLD)
async def test_a_subscription_to_what_there_is_not_is_refused() -> None:
    async with scene("legacy") as at:
        with pytest.raises(MCPError, match="There is no resource 'debug://sessions/s9'") as refused:
            await at.client.subscribe_resource("debug://sessions/s9")
    assert refused.value.code == -32002
