"""Every tool of the package: what it publishes is valid, complete and true, and docs/tools.md is made from it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from server.config import TOOLSETS
from server.tools.reference import find_tools, reference
from server.tools.tool import Tool

ROOT = Path(__file__).resolve().parents[3]
TOOLS = find_tools()
every_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
every_script_tool = pytest.mark.parametrize(
    "tool", [tool for tool in TOOLS if tool.toolset == "script"], ids=lambda tool: tool.name
)
every_session_tool = pytest.mark.parametrize(
    "tool", [tool for tool in TOOLS if tool.toolset == "session"], ids=lambda tool: tool.name
)
FAILURES: dict[str, dict[str, Any]] = {
    "script": {"error": "what happened"},
    "session": {"status": "error", "error": {"code": "TIMEOUT", "message": "", "details": {}, "next": ""}},
}
NAMES_THAT_SAY_IT_ALL = {
    *("breakpoint_id", "expression", "file", "line", "column", "first_line", "last_line", "count", "name", "mode"),
    *("host", "language", "pause_on_exceptions"),
}


def nodes(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema inside a schema, with where it stands."""
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from nodes(item, f"{path}/{index}")
    elif isinstance(schema, dict):
        yield path, schema
        for key, value in schema.items():
            yield from nodes(value, f"{path}/{key}")


def properties(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, node in nodes(schema):
        if path.rpartition("/")[0].endswith("/properties"):
            yield path, node


def test_the_tools_are_found() -> None:
    assert "debug-script" in [tool.name for tool in TOOLS]


@every_tool
def test_both_schemas_are_valid_json_schema(tool: type[Tool]) -> None:
    for schema in (tool.input_schema, tool.output_schema):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"


@every_tool
def test_an_input_schema_has_no_references_titles_or_nulls(tool: type[Tool]) -> None:
    for path, node in nodes(tool.input_schema):
        if path.endswith("/properties"):
            continue  # names of arguments stand here, and one may be called title
        assert not {"$ref", "$defs", "title"} & node.keys(), path
        assert node.get("default", "a value") not in (None, False, 0, []), path
        assert node.get("type") != "null", path


@every_script_tool
def test_an_input_schema_refuses_unknown_arguments(tool: type[Tool]) -> None:
    for path, node in nodes(tool.input_schema):
        if "properties" in node and not path.endswith("/properties"):
            assert node["additionalProperties"] is False, path


@every_script_tool
def test_every_argument_and_every_field_is_described(tool: type[Tool]) -> None:
    for schema in (tool.input_schema, tool.output_schema):
        for path, node in properties(schema):
            assert node.get("description"), path


@every_session_tool
def test_every_argument_is_described_or_named_for_what_it_is(tool: type[Tool]) -> None:
    for name, node in tool.input_schema["properties"].items():
        assert node.get("description") or name in NAMES_THAT_SAY_IT_ALL, name


@every_tool
def test_every_number_among_the_arguments_has_bounds(tool: type[Tool]) -> None:
    for name, node in tool.input_schema["properties"].items():
        if node.get("type") in ("integer", "number"):
            assert "minimum" in node, name


@every_script_tool
def test_every_required_text_among_the_arguments_may_not_be_empty(tool: type[Tool]) -> None:
    for path, node in nodes(tool.input_schema):
        for name in node.get("required", ()) if isinstance(node.get("required"), list) else ():
            if node["properties"][name]["type"] == "string":
                assert node["properties"][name]["minLength"] >= 1, f"{path}/{name}"


@every_tool
def test_an_output_schema_admits_a_failure(tool: type[Tool]) -> None:
    """Clients check the structured content of errors too, and some throw on what does not fit."""
    jsonschema.validate(FAILURES[tool.toolset], tool.output_schema)


@every_tool
def test_the_example_fits_the_schemas(tool: type[Tool]) -> None:
    jsonschema.validate(tool.example_arguments, tool.input_schema)
    jsonschema.validate(tool.example_answer, tool.output_schema)


@every_script_tool
def test_annotations_say_everything_that_the_protocol_asks(tool: type[Tool]) -> None:
    assert set(tool.annotations) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}


@every_session_tool
def test_annotations_tell_looking_from_guiding_and_from_running_code(tool: type[Tool]) -> None:
    running = {"start_debugging", "connect_debugger", "close_debug_session", "evaluate_expression", "set_variable"}
    if tool.name.startswith(("get_", "list_")):
        assert tool.annotations == {"readOnlyHint": True, "openWorldHint": False}
    else:
        assert tool.annotations["destructiveHint"] is (tool.name in running)
        assert tool.annotations.get("openWorldHint") is (True if tool.name == "connect_debugger" else None)


@every_tool
def test_a_description_is_short_enough_to_be_read(tool: type[Tool]) -> None:
    assert 60 < len(tool.description) < 2_000
    assert 0 < len(tool.title) < 60


@every_tool
def test_a_tool_belongs_to_a_toolset_that_can_be_chosen(tool: type[Tool]) -> None:
    assert tool.toolset in TOOLSETS


@every_session_tool
def test_every_answer_of_a_session_tool_has_a_status(tool: type[Tool]) -> None:
    assert tool.example_answer["status"] == "ok"
    assert not jsonschema.Draft202012Validator(tool.output_schema).is_valid({"error": {}})


def test_debug_script_says_that_it_runs_code() -> None:
    (tool,) = (tool for tool in TOOLS if tool.name == "debug-script")
    assert tool.annotations["destructiveHint"] is True
    assert tool.annotations["readOnlyHint"] is False
    assert "side effects" in tool.description
    assert "instead of adding console.log" in tool.description[:120], "an agent reads the beginning first"


def test_docs_tools_md_is_what_the_tools_say() -> None:
    written = subprocess.run(
        [sys.executable, "-m", "server.tools.reference"], cwd=ROOT, check=True, capture_output=True, encoding="utf-8"
    ).stdout
    assert (ROOT / "docs" / "tools.md").read_text("utf-8") == written, "run `make docs`"


class InventedTool:
    """A tool with everything that a later one may have in its schemas."""

    toolset = "script"
    name = "invented_tool"
    title = "Invented"
    description = "First paragraph.\nSecond."
    input_schema = {  # noqa: RUF012 - a constant
        "type": "object",
        "properties": {
            "mode": {"enum": ["a", "b"], "description": "Either | or."},
            "points": {
                "type": "array",
                "maxItems": 20,
                "items": {"type": "object", "properties": {"line": {"type": "integer", "minimum": 1}}},
            },
            "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "kind": {"const": "node"},
            "wait_ms": {"type": "integer", "description": "How long.", "default": 20000},
        },
        "required": ["mode"],
    }
    output_schema = {"type": "object", "properties": {"status": {"type": ["string", "null"]}}}  # noqa: RUF012
    annotations = {"readOnlyHint": True}  # noqa: RUF012
    example_arguments = {"mode": "a"}  # noqa: RUF012
    example_answer = {"status": "žluť"}  # noqa: RUF012

    def start(self, arguments: object) -> Any:
        raise NotImplementedError

    def failure(self, message: str) -> Any:
        raise NotImplementedError


def test_the_reference_shows_everything_that_a_schema_can_say() -> None:
    page = reference([InventedTool])
    for line in [
        "- [invented_tool](#invented_tool): Invented",
        "## invented_tool",
        '| `mode` | `"a"` or `"b"` | yes |  | Either \\| or. |',
        "| `points` | array of object | no | at most 20 items |  |",
        "| `points[].line` | integer | no | at least 1 |  |",
        "| `either` | string or integer | no |  |  |",
        '| `kind` | `"node"` | no |  |  |',
        "| `wait_ms` | integer | no |  | How long. 20000 by default. |",
        "| `status` | string or null | where it applies |  |",
        "`readOnlyHint`: true",
        '  "status": "žluť"',
    ]:
        assert line in page.splitlines()
