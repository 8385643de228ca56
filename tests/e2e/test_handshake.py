"""What the server says of itself, to clients of every protocol version that it knows."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

from tests.e2e.server_process import CONSOLE_SCRIPT, ServerProcess

DISCOVER_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def test_initialize_tells_name_title_version_and_that_there_are_tools() -> None:
    with ServerProcess() as server:
        told = server.initialize()
    assert told["serverInfo"] == {
        "name": "debug-script-mcp",
        "title": "Debug Script",
        "version": version("debug-script-mcp"),
    }
    assert "tools" in told["capabilities"]


def test_instructions_name_the_tool_and_stay_small() -> None:
    with ServerProcess() as server:
        instructions = server.initialize()["instructions"]
    assert "debug-script" in instructions
    assert len(instructions.encode()) < 2048


def test_the_console_script_is_the_same_server() -> None:
    with ServerProcess() as by_module, ServerProcess(command=[CONSOLE_SCRIPT]) as by_script:
        assert by_script.initialize() == by_module.initialize()
        assert by_script.ask("tools/list") == by_module.ask("tools/list")


@pytest.mark.parametrize("protocol_version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_every_handshake_version_is_agreed_to_and_lists_the_tool(protocol_version: str) -> None:
    with ServerProcess() as server:
        assert server.initialize(protocol_version)["protocolVersion"] == protocol_version
        assert "debug-script" in [tool["name"] for tool in server.ask("tools/list")["tools"]]


def test_an_unknown_version_is_answered_with_the_newest_that_has_a_handshake() -> None:
    with ServerProcess() as server:
        assert server.initialize("1999-01-01")["protocolVersion"] == LATEST_HANDSHAKE_VERSION


def test_a_client_without_handshake_discovers_the_same_facts() -> None:
    with ServerProcess() as server:
        told = server.ask("server/discover", {"_meta": DISCOVER_META})
        listed = server.ask("tools/list", {"_meta": DISCOVER_META})
    assert "2026-07-28" in told["supportedVersions"]
    assert "debug-script" in told["instructions"]
    assert "debug-script" in [tool["name"] for tool in listed["tools"]]
