"""What V8's descriptions of values become, without a V8."""

from __future__ import annotations

from typing import Any

import pytest

from cdp_protocol.base import decode
from cdp_protocol.generated.runtime import GetPropertiesResult, RemoteObject
from server.cdp.remote_values import (
    EMPTY_ELEMENT,
    UNINITIALISED,
    is_large,
    properties_to_variables,
    remote_to_value,
    wants_preview,
)
from server.debug.value import Value

OBJECT_ID = "1.2.3"


def keep_nothing(_text: str) -> str | None:
    return None


def remote(**fields: Any) -> RemoteObject:
    return decode(RemoteObject, fields)


def an_object(
    *properties: tuple[str, str, str], description: str = "Object", overflow: bool = False, **fields: Any
) -> dict[str, Any]:
    """An object as V8 describes it; a property is a name, a type and a value."""
    subtype = {"subtype": fields["subtype"]} if "subtype" in fields else {}
    preview = {
        "type": "object",
        "description": description,
        "overflow": overflow,
        "properties": [{"name": name, "type": kind, "value": value} for name, kind, value in properties],
        **subtype,
        **({"entries": fields.pop("entries")} if "entries" in fields else {}),
    }
    return {"type": "object", "description": description, "objectId": OBJECT_ID, "preview": preview, **fields}


@pytest.mark.parametrize(
    ("fields", "value"),
    [
        ({"type": "number", "value": 6}, Value("number", json=6)),
        ({"type": "number", "value": 0.5}, Value("number", json=0.5)),
        ({"type": "number", "unserializableValue": "NaN"}, Value("number", preview="NaN")),
        ({"type": "number", "unserializableValue": "-0", "description": "-0"}, Value("number", preview="-0")),
        ({"type": "bigint", "unserializableValue": "2n", "description": "2n"}, Value("bigint", preview="2n")),
        ({"type": "boolean", "value": False}, Value("boolean", json=False)),
        ({"type": "string", "value": ""}, Value("string", json="")),
        ({"type": "undefined"}, Value("undefined", preview="undefined")),
        ({"type": "object", "subtype": "null", "value": None}, Value("object", "null", json=None)),
        ({"type": "symbol", "description": "Symbol(s)", "objectId": "9"}, Value("symbol", preview="Symbol(s)")),
    ],
)
def test_primitives_are_exact(fields: dict[str, Any], value: Value) -> None:
    assert remote_to_value(remote(**fields), keep_nothing) == value


@pytest.mark.parametrize(
    ("fields", "subtype", "preview", "size"),
    [
        (an_object(), None, "{}", 0),
        (an_object(("qty", "number", "2"), ("name", "string", 'a"b')), None, '{qty: 2, name: "a\\"b"}', 2),
        (an_object(("a", "number", "1"), overflow=True), None, "{a: 1, …}", None),
        (an_object(("x y", "object", "Object"), ("Symbol(q)", "undefined", "undefined")), None, None, 2),
        (an_object(("get", "accessor", ""), ("f", "function", "")), None, "{get: [Getter], f: [Function]}", 2),
        (an_object(("#x", "number", "1"), description="Cart", className="Cart"), "Cart", "Cart {#x: 1}", 1),
        (an_object(("0", "number", "1"), description="Array(1)", subtype="array"), "array", "[1]", 1),
        (
            an_object(("0", "number", "1"), overflow=True, description="Array(98)", subtype="array"),
            "array",
            "[1, …97 more]",
            98,
        ),
        (
            an_object(("1", "number", "1"), description="Array(3)", subtype="array"),
            "array",
            "[<empty>, 1, <empty>]",
            3,
        ),
        (
            an_object(("0", "number", "1"), ("length", "number", "1"), description="Buffer(1)", subtype="typedarray"),
            "typedarray",
            "Buffer(1) [1]",
            1,
        ),
        (
            an_object(description="Proxy(Object)", subtype="proxy", className="Object"),
            "proxy",
            "Proxy(Object) {}",
            None,
        ),
        (an_object(description="/a/g", subtype="regexp", className="RegExp"), "regexp", "/a/g", None),
    ],
)
def test_objects_read_like_code(
    fields: dict[str, Any], subtype: str | None, preview: str | None, size: int | None
) -> None:
    value = remote_to_value(remote(**fields), keep_nothing)
    assert (value.type, value.subtype, value.handle, value.size) == ("object", subtype, OBJECT_ID, size)
    assert value.preview == (preview or '{"x y": {…}, [Symbol(q)]: undefined}')


def test_entries_of_a_map_and_a_set_are_shown() -> None:
    def entry(kind: str, text: str) -> dict[str, Any]:
        return {"type": kind, "description": text, "overflow": False, "properties": []}

    pairs = [{"key": entry("string", "a"), "value": entry("number", "1")}]
    value = remote_to_value(remote(**an_object(description="Map(3)", subtype="map", entries=pairs)), keep_nothing)
    assert (value.preview, value.size) == ('Map(3) {"a" => 1, …2 more}', 3)
    values = [{"value": entry("number", "1")}]
    value = remote_to_value(remote(**an_object(description="Set(1)", subtype="set", entries=values)), keep_nothing)
    assert (value.preview, value.size) == ("Set(1) {1}", 1)


@pytest.mark.parametrize(
    ("state", "preview"),
    [("pending", "Promise {<pending>}"), ("fulfilled", "Promise {<fulfilled>: 42}")],
)
def test_promise_shows_its_state(state: str, preview: str) -> None:
    inner = (("[[PromiseState]]", "string", state), ("[[PromiseResult]]", "number", "42"))
    fields = an_object(*inner, description="Promise", subtype="promise", className="Promise")
    assert remote_to_value(remote(**fields), keep_nothing).preview == preview


def test_error_shows_its_message_without_the_stack() -> None:
    fields = {"type": "object", "subtype": "error", "description": "TypeError: a\nb\n    at f (/x.js:1:1)"}
    assert remote_to_value(remote(**fields), keep_nothing).preview == "TypeError: a\nb"


@pytest.mark.parametrize(
    ("source", "class_name", "subtype", "preview"),
    [
        ("function f(a, b) {\n  return 1;\n}", "Function", None, "function f(a, b)"),
        ("class Cart extends Base {\n}", "Function", "class", "class Cart extends Base"),
        ("classify() {}", "Function", None, "classify() {}"),
        ("async (x) => x", "AsyncFunction", "AsyncFunction", "async (x) => x"),
        ("(a) => " + "a" * 200, "Function", None, "(a) => " + "a" * 93 + "…"),
    ],
)
def test_function_shows_its_head(source: str, class_name: str, subtype: str | None, preview: str) -> None:
    fields = {"type": "function", "className": class_name, "description": source, "objectId": OBJECT_ID}
    expected = Value("function", subtype, preview=preview, handle=OBJECT_ID)
    assert remote_to_value(remote(**fields), keep_nothing) == expected


def test_long_string_is_cut_and_kept() -> None:
    kept: list[str] = []

    def keep(text: str) -> str:
        kept.append(text)
        return "text:0"

    value = remote_to_value(remote(type="string", value="x" * 501), keep)
    assert value == Value("string", preview="x" * 500 + "…", handle="text:0", size=501)
    assert kept == ["x" * 501]
    assert remote_to_value(remote(type="string", value="x" * 500), keep).json == "x" * 500


def test_preview_of_many_elements_is_cut_by_its_length() -> None:
    elements = [(str(index), "number", "7") for index in range(100)]
    fields = an_object(*elements, description="Array(100)", subtype="array")
    preview = remote_to_value(remote(**fields), keep_nothing).preview
    assert preview is not None
    assert preview.endswith("more]")
    assert len(preview) < 250


def test_preview_of_an_array_with_a_billion_holes_is_short() -> None:
    fields = an_object(("999999999", "number", "7"), description="Array(1000000000)", subtype="array")
    preview = remote_to_value(remote(**fields), keep_nothing).preview
    assert preview is not None
    assert len(preview) < 400


def test_large_collections_are_not_previewed() -> None:
    large = remote(type="object", subtype="map", description="Map(1000000)", objectId=OBJECT_ID)
    small = remote(type="object", subtype="map", description="Map(3)", objectId=OBJECT_ID)
    assert (is_large(large), wants_preview(large)) == (True, False)
    assert (is_large(small), wants_preview(small)) == (False, True)
    assert remote_to_value(large, keep_nothing).preview == "Map(1000000) {…}"


@pytest.mark.parametrize("subtype", ["date", "regexp", "error", "arraybuffer"])
def test_what_its_description_tells_wants_no_preview(subtype: str) -> None:
    assert not wants_preview(remote(type="object", subtype=subtype, description="x", objectId=OBJECT_ID))


# --- properties ----------------------------------------------------------------------------------------------------


def a_property(name: str, *, enumerable: bool = True, **fields: Any) -> dict[str, Any]:
    return {"name": name, "configurable": True, "enumerable": enumerable, **fields}


def test_properties_private_and_internal_ones_are_listed() -> None:
    number = {"type": "number", "value": 1}
    nothing = {"type": "undefined"}
    function = {"type": "function", "description": "get x() {}"}
    found = decode(
        GetPropertiesResult,
        {
            "result": [
                a_property("a", value=number),
                a_property("g", get=function, set=nothing),
                a_property("s", get=nothing, set=function),
                a_property("b", get=function, set=function),
                a_property("Symbol(q)", value=number, symbol={"type": "symbol"}),
                a_property("later"),
                a_property("quiet", enumerable=False, value=number),
            ],
            "privateProperties": [{"name": "#p", "value": number}, {"name": "#g", "get": function}],
            "internalProperties": [
                {"name": "[[Prototype]]", "value": number},
                {"name": "[[PromiseState]]", "value": {"type": "string", "value": "pending"}},
            ],
        },
    )
    listed = {one.name: one.value for one in properties_to_variables(found, keep_nothing)}
    one = Value("number", json=1)
    assert listed == {
        "a": one,
        "g": Value("accessor", preview="[Getter]"),
        "s": Value("accessor", preview="[Setter]"),
        "b": Value("accessor", preview="[Getter/Setter]"),
        "[Symbol(q)]": one,
        "later": UNINITIALISED,
        "quiet": one,
        "#p": one,
        "#g": Value("accessor", preview="[Getter]"),
        "[[PromiseState]]": Value("string", json="pending"),
    }


def test_length_is_listed_unless_it_is_that_of_a_list() -> None:
    found = decode(
        GetPropertiesResult, {"result": [a_property("length", enumerable=False, value={"type": "number", "value": 0})]}
    )
    assert [one.name for one in properties_to_variables(found, keep_nothing)] == ["length"]
    assert properties_to_variables(found, keep_nothing, is_list=True) == ()


def test_hole_is_told_from_undefined() -> None:
    assert remote_to_value(remote(type="undefined"), keep_nothing) != EMPTY_ELEMENT
