"""What a client learns of the tool before it calls it."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # its stubs would be one more dependency

from tests.e2e.server_process import ServerProcess


@pytest.fixture(scope="module")
def tool(shared_server: ServerProcess) -> dict[str, Any]:
    [tool] = shared_server.ask("tools/list")["tools"]
    return dict(tool)


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


@pytest.mark.parametrize("name", ["inputSchema", "outputSchema"])
def test_schemas_are_valid_objects_without_references(tool: dict[str, Any], name: str) -> None:
    Draft202012Validator.check_schema(tool[name])
    assert tool[name]["type"] == "object"
    assert "$ref" not in str(tool[name])


@pytest.mark.parametrize("answer", [{"results": [{"type": "number", "value": 42}]}, {"error": "Timeout"}])
def test_the_output_schema_admits_success_and_failure(tool: dict[str, Any], answer: dict[str, Any]) -> None:
    Draft202012Validator(tool["outputSchema"]).validate(answer)


@pytest.mark.parametrize("answer", [{}, {"results": [{"type": "number"}]}, {"results": 1}, {"error": 1}])
def test_the_output_schema_refuses_anything_else(tool: dict[str, Any], answer: dict[str, Any]) -> None:
    assert not Draft202012Validator(tool["outputSchema"]).is_valid(answer)
