"""The server over the SDK's in-memory transport, with the SDK's own client on the other side."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import anyio
import mcp_types as types
import pytest
from mcp.client.client import Client

from server.app import INSTRUCTIONS, App
from server.config import TOOLSETS, Settings
from server.protocol.tool_handlers import ServedTool
from server.tools.debug_script import DebugScriptTool
from server.tools.offload import JobRunner
from server.tools.reference import find_tools
from tests.unit.scripted_backend import ENDED_WELL, ScriptedBackend, captured, raising

T = TypeVar("T")

ARGUMENTS = {
    "command": "node --inspect-brk=0 cart.js",
    "breakpoint": {"file": str(Path(__file__)), "line": 1},
    "expression": "total",
    "timeout": 30_000,
}


class AppWithTool(App):
    """The real server, with a tool of the test in place of its own."""

    def __init__(self, tool: DebugScriptTool) -> None:
        self._tool = tool
        super().__init__(Settings())

    def served_tools(self) -> Iterator[ServedTool]:
        yield ServedTool(self._tool, JobRunner(1))


def app_over(backend: ScriptedBackend) -> App:
    return AppWithTool(DebugScriptTool(lambda: backend, Settings()))


def ask(app: App, question: Callable[[Client], Awaitable[T]]) -> T:
    async def main() -> T:
        async with Client(app.mcp_server()) as client:
            return await question(client)

    return anyio.run(main)


def call(app: App, arguments: Mapping[str, Any] = ARGUMENTS, name: str = "debug-script") -> types.CallToolResult:
    result = ask(app, lambda client: client.call_tool(name, dict(arguments)))
    assert isinstance(result, types.CallToolResult)
    return result


def failure(result: types.CallToolResult) -> str:
    """The message of an error, which has to have the contract's shape."""
    assert result.is_error is True
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    assert result.structured_content == {"error": content.text}
    return content.text


def test_every_tool_of_the_package_is_listed_as_it_describes_itself() -> None:
    listed = ask(App(Settings()), lambda client: client.list_tools()).tools
    assert sorted(tool.name for tool in listed) == [tool.name for tool in find_tools()]
    for wire, tool in zip(sorted(listed, key=lambda tool: tool.name), find_tools(), strict=True):
        assert (wire.title, wire.description) == (tool.title, tool.description)
        assert (wire.input_schema, wire.output_schema) == (tool.input_schema, tool.output_schema)
        assert wire.annotations is not None
        assert wire.annotations.model_dump(by_alias=True, exclude_unset=True) == {
            "title": tool.title,
            **tool.annotations,
        }


def test_a_success_has_empty_content_and_its_results_as_structured_content() -> None:
    result = call(app_over(ScriptedBackend([*captured(42), ENDED_WELL])))
    assert result.content == []
    assert result.structured_content == {"results": [{"type": "number", "value": 42}]}
    assert not result.is_error


def test_a_failure_says_the_same_in_both_channels() -> None:
    assert failure(call(app_over(ScriptedBackend()))).startswith("Process exited before breakpoint was hit\n")


def test_bad_arguments_answer_in_the_contracts_shape() -> None:
    assert failure(call(app_over(ScriptedBackend()), {})).startswith("Bad arguments for debug-script:\n")


def test_an_unknown_tool_is_answered_with_the_names_of_the_known_ones() -> None:
    app = App(Settings(tools=("script",)))
    assert failure(call(app, name="debug_script")) == "There is no tool 'debug_script'. The tools are: debug-script"


@pytest.mark.parametrize("toolsets", [("script",), ("session",), TOOLSETS])
def test_only_the_chosen_toolsets_are_listed(toolsets: tuple[str, ...]) -> None:
    listed = ask(App(Settings(tools=toolsets)), lambda client: client.list_tools()).tools
    assert {tool.name for tool in listed} == {tool.name for tool in find_tools() if tool.toolset in toolsets}


def test_without_sessions_there_are_no_resources_and_no_prompts() -> None:
    async def capabilities(client: Client) -> types.ServerCapabilities:
        return client.server_capabilities

    with_sessions = ask(App(Settings()), capabilities)
    without = ask(App(Settings(tools=("script",))), capabilities)
    assert with_sessions.resources is not None
    assert with_sessions.prompts is not None
    assert (without.resources, without.prompts, without.completions) == (None, None, None)
    assert without.tools is not None


def test_a_defect_in_a_job_is_told_and_logged_and_the_server_lives_on(caplog: pytest.LogCaptureFixture) -> None:
    app = app_over(ScriptedBackend(steps={"connect": raising(RuntimeError("a defect"))}))

    async def call_twice(client: Client) -> list[types.CallToolResult]:
        results = [await client.call_tool("debug-script", dict(ARGUMENTS)) for _ in range(2)]
        return [result for result in results if isinstance(result, types.CallToolResult)]

    messages = [failure(result) for result in ask(app, call_twice)]
    assert messages == ["Internal error in debug-script: RuntimeError: a defect"] * 2
    assert caplog.messages == ["debug-script failed"] * 2


def test_a_defect_while_arguments_are_checked_is_told_too(caplog: pytest.LogCaptureFixture) -> None:
    class BrokenTool(DebugScriptTool):
        def start(self, arguments: Mapping[str, Any]) -> Any:
            raise KeyError("a defect")

    broken = AppWithTool(BrokenTool(ScriptedBackend, Settings()))
    assert failure(call(broken)) == "Internal error in debug-script: KeyError: 'a defect'"
    assert caplog.messages == ["debug-script failed"]


def test_the_instructions_fit_into_two_kilobytes_and_reach_the_client() -> None:
    async def instructions(client: Client) -> str | None:
        return client.instructions

    assert ask(App(Settings()), instructions) == INSTRUCTIONS
    assert len(INSTRUCTIONS.encode()) < 2048
    assert "side effects" in INSTRUCTIONS
