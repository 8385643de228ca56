import json
from typing import Any

import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.report.clean_text import REPLACEMENT, clean_json, clean_text

any_text = st.text(st.characters(codec=None, exclude_categories=()))
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | any_text,
    lambda inner: st.lists(inner) | st.dictionaries(any_text, inner),
    max_leaves=20,
)

SERIALISER_LEVELS = 200
"""The most containers inside each other that the injected serialiser writes."""
READER_LEVELS = 195
"""What the SDK's own JSON reader takes of a result's value: 200, and 5 are around it in a message."""


def nested(levels: int, innermost: Any, *, key: str = "a") -> Any:
    value = innermost
    for level in range(levels):
        value = {key: value} if level % 2 else [value]
    return value


def unnested(value: Any) -> Any:
    while isinstance(value, list | dict):
        value = value[0] if isinstance(value, list) else next(iter(value.values()))
    return value


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("plain", "plain"),
        ("a\ud800b", f"a{REPLACEMENT}b"),
        ("\udc00\ud800", REPLACEMENT * 2),
        ("naïve 😀 \0", "naïve 😀 \0"),
    ],
    ids=["plain", "one half", "halves in the wrong order", "whole characters"],
)
def test_each_lone_surrogate_is_replaced_and_nothing_else(text: str, cleaned: str) -> None:
    assert clean_text(text) == cleaned


def test_keys_and_values_at_any_level_are_cleaned() -> None:
    dirty = {"k\ud800": ["v\udfff", {"\ud800": {"inner": ["\udbff"]}}], "n": 1.5, "t": True, "none": None}
    assert clean_json(dirty) == {
        f"k{REPLACEMENT}": [f"v{REPLACEMENT}", {REPLACEMENT: {"inner": [REPLACEMENT]}}],
        "n": 1.5,
        "t": True,
        "none": None,
    }


@given(any_json)
def test_whatever_was_cleaned_can_be_written_as_utf8(value: Any) -> None:
    json.dumps(clean_json(value), ensure_ascii=False).encode("utf-8")


@given(any_json)
def test_a_clean_value_stays_as_it_is(value: Any) -> None:
    cleaned = clean_json(value)
    assert clean_json(cleaned) == cleaned


def test_the_deepest_value_that_a_program_can_send_is_read_and_cleaned() -> None:
    text = json.dumps(nested(SERIALISER_LEVELS, "deep \ud800", key="k\ud800"))
    assert unnested(clean_json(json.loads(text))) == f"deep {REPLACEMENT}"


def test_the_deepest_value_that_a_client_can_read_goes_over_the_wire() -> None:
    structured = clean_json({"results": [{"type": "object", "value": nested(READER_LEVELS, "deep")}]})
    result = types.CallToolResult(content=[], structured_content=structured)
    sent = types.JSONRPCResponse(jsonrpc="2.0", id=1, result=result.model_dump(by_alias=True, exclude_none=True))
    read = types.jsonrpc_message_adapter.validate_json(sent.model_dump_json(by_alias=True))
    assert isinstance(read, types.JSONRPCResponse)
    assert unnested(read.result["structuredContent"]["results"][0]["value"]) == "deep"
