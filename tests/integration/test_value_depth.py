"""The deepest values that a program can have still reach a client that reads JSON with the SDK's limits."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import ScriptDebugger

NESTINGS = {
    "objects": "{inner: value}",
    "arrays": "[value]",
    "maps": "new Map([[1, value]])",
    "map keys": "new Map([[value, 1]])",
    "sets": "new Set([value])",
    "errors": "Object.assign(new AggregateError([value], 'm', {cause: value}), {stack: ''})",
    "instances": "new (class Cart { items = new Map([[1, [value]]]) })()",
}


@pytest.mark.parametrize("nesting", NESTINGS.values(), ids=NESTINGS.keys())
def test_a_value_nested_beyond_every_limit_can_be_read_by_the_sdk(
    debug: ScriptDebugger, write: WriteProgram, nesting: str
) -> None:
    program = write(f"let value = 1;\nfor (let i = 0; i < 300; i++) value = {nesting};\nvalue; // @bp hit\n")
    (result,) = debug.results(program, "value")
    assert result["truncated"]["depth"] >= 1
    assert read_by_the_sdk({"results": [result]}) == {"results": [result]}


def read_by_the_sdk(structured: dict[str, Any]) -> Any:
    """The structured content after a way over the wire, as the SDK's stdio transport writes and reads it."""
    result = types.CallToolResult(content=[], structured_content=structured).model_dump(by_alias=True, mode="json")
    sent = types.JSONRPCResponse(jsonrpc="2.0", id=1, result=result).model_dump_json(by_alias=True)
    read = types.jsonrpc_message_adapter.validate_json(sent)
    assert isinstance(read, types.JSONRPCResponse)
    return read.result["structuredContent"]
