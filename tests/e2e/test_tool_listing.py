"""What a client learns of the tools before it calls them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # its stubs would be one more dependency

from tests.e2e.server_process import ServerProcess

MAX_LISTING_BYTES = 25_000
"""Agents read all of it before they do anything."""
READING = {"readOnlyHint": True, "openWorldHint": False}


@pytest.fixture(scope="module")
def listing(shared_server: ServerProcess) -> dict[str, Any]:
    return shared_server.ask("tools/list")


@pytest.fixture(scope="module")
def tools(listing: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {tool["name"]: tool for tool in listing["tools"]}


@pytest.fixture(scope="module")
def tool(tools: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return tools["debug-script"]


# --- all tools -----------------------------------------------------------------------------------------------------


def test_the_whole_listing_is_small(listing: dict[str, Any]) -> None:
    assert len(json.dumps(listing, separators=(",", ":"), ensure_ascii=False).encode()) < MAX_LISTING_BYTES


def test_debug_script_comes_first_and_the_tools_of_sessions_follow(tools: dict[str, dict[str, Any]]) -> None:
    assert list(tools) == [
        "debug-script",
        *("start_debugging", "connect_debugger", "list_debug_sessions", "close_debug_session"),
        *("set_breakpoint", "remove_breakpoint", "list_breakpoints", "toggle_breakpoint"),
        *("continue_execution", "step_over", "step_into", "step_out", "pause_execution", "set_pause_on_exceptions"),
        *("get_call_stack", "get_variables", "set_variable", "evaluate_expression", "set_watches"),
        *("list_scripts", "get_script_source", "get_source_context", "get_output"),
    ]


def test_every_tool_has_a_title_annotations_and_both_schemas(tools: dict[str, dict[str, Any]]) -> None:
    for tool in tools.values():
        assert tool["title"]
        assert tool["description"]
        assert tool["annotations"]["title"] == tool["title"]
        assert tool["annotations"].keys() - {"title"}
        for name in ("inputSchema", "outputSchema"):
            Draft202012Validator.check_schema(tool[name])
            assert tool[name]["type"] == "object"
            assert "$ref" not in str(tool[name])


def test_tools_that_only_look_say_so(tools: dict[str, dict[str, Any]]) -> None:
    for name, tool in tools.items():
        looks = name.startswith(("get_", "list_"))
        assert (READING.items() <= tool["annotations"].items()) == looks, name


# --- debug-script --------------------------------------------------------------------------------------------------


def test_the_tool_has_a_title_and_a_description_that_begins_with_its_use(tool: dict[str, Any]) -> None:
    assert tool["name"] == "debug-script"
    assert tool["title"]
    assert "instead of adding console.log" in tool["description"].splitlines()[0]


def test_the_annotations_do_not_play_down_that_code_is_run(tool: dict[str, Any]) -> None:
    assert tool["annotations"] == {
        "title": tool["title"],
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    }


def test_the_four_arguments_of_the_contract_are_the_required_ones(tool: dict[str, Any]) -> None:
    assert sorted(tool["inputSchema"]["required"]) == ["breakpoint", "command", "expression", "timeout"]
    assert sorted(tool["inputSchema"]["properties"]["breakpoint"]["required"]) == ["file", "line"]


def test_every_argument_has_a_description_and_numbers_have_bounds(tool: dict[str, Any]) -> None:
    properties = tool["inputSchema"]["properties"]
    described = [*properties.values(), *properties["breakpoint"]["properties"].values()]
    assert all(argument["description"] for argument in described)
    numbers = [argument for argument in described if argument["type"] == "integer"]
    assert len(numbers) == 3
    assert all(number["minimum"] == 1 and "maximum" in number for number in numbers)


@pytest.mark.parametrize("answer", [{"results": [{"type": "number", "value": 42}]}, {"error": "Timeout"}])
def test_the_output_schema_admits_success_and_failure(tool: dict[str, Any], answer: dict[str, Any]) -> None:
    Draft202012Validator(tool["outputSchema"]).validate(answer)


@pytest.mark.parametrize("answer", [{}, {"results": [{"type": "number"}]}, {"results": 1}, {"error": 1}])
def test_the_output_schema_refuses_anything_else(tool: dict[str, Any], answer: dict[str, Any]) -> None:
    assert not Draft202012Validator(tool["outputSchema"]).is_valid(answer)
