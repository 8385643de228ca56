"""The contract's rows on values: each kind goes through the whole path, from a paused program to the answer."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from server.config import Settings
from tests.integration.conftest import WriteProgram
from tests.integration.contract_rows import row
from tests.integration.script_debugger import PROGRAMS, Program, ScriptDebugger
from tests.nodes import NODE

pytestmark = pytest.mark.matrix

VALUES = Program(PROGRAMS / "values.js")


def instance(name: str, /, **fields: Any) -> dict[str, Any]:
    return {"$class": name, **fields}


# Of each value that is no plain data: its type, and what the answer shows.
SPECIAL: dict[str, tuple[str, Any]] = {
    "undefined": ("undefined", None),
    "function": ("function", "function add(a, b) { return a + b }"),
    "arrow": ("function", "(a) => a * 2"),
    "async": ("function", "async () => {}"),
    "symbol": ("symbol", "Symbol(token)"),
    "bigint": ("bigint", "1180591620717411303424n"),
    "NaN": ("number", "NaN"),
    "Infinity": ("number", "Infinity"),
    "-Infinity": ("number", "-Infinity"),
    "-0": ("number", "-0"),
    "Date": ("object", "1970-01-01T00:00:00.000Z"),
    "invalid Date": ("object", "Invalid Date"),
    "RegExp": ("object", "/a\\/b+/gi"),
    "Map": ("object", instance("Map", entries=[["k", instance("Map", entries=[[{"a": 1}, 2]])]])),
    "Set": ("object", instance("Set", values=[1, "a", instance("Set", values=[])])),
    "WeakMap": ("object", instance("WeakMap")),
    "Error": ("object", instance("TypeError", name="TypeError", message="boom", stack="TypeError: boom\n    at x")),
    "Error with a cause": ("object", instance("Error", name="Error", message="outer", stack="s", cause="inner")),
    "Error subclass": ("object", instance("HttpError", name="Error", message="gone", stack="s", status=410)),
    "instance": ("object", instance("Point", x=3, y=4)),
    "Uint8Array": ("object", instance("Uint8Array", length=2, values=[1, 255])),
    "Float64Array": ("object", instance("Float64Array", length=3, values=[0.5, "NaN", "-0"])),
    "BigInt64Array": ("object", instance("BigInt64Array", length=1, values=["-1n"])),
    "Buffer": ("object", instance("Buffer", length=2, values=[104, 105])),
    "ArrayBuffer": ("object", instance("ArrayBuffer", byteLength=2, values=[0, 0])),
    "circular": (
        "object",
        {"name": "circle", "self": "[Circular]", "list": ["[Circular]", {"deeper": None}]},
    ),
    "throwing getter": ("object", {"a": 1, "b": "[Getter]"}),
    "getter and setter": ("object", {"c": "[Getter/Setter]"}),
    "boxed number": ("object", instance("Number", value=1)),
    "generator": ("object", instance("Generator")),
    "arguments": ("object", [1, [2]]),
    "lone surrogate": ("string", "a\ufffdb"),
    "nested": (
        "object",
        [
            None,
            "NaN",
            "10n",
            "Symbol(s)",
            "[Function: (anonymous)]",
            "1970-01-01T00:00:00.000Z",
            "/x/",
            instance("Map", entries=[[1, 2]]),
            instance("Set", values=[3]),
        ],
    ),
}
PLAIN: dict[str, tuple[str, Any]] = {
    "null": ("object", None),
    "true": ("boolean", True),
    "string": ("string", 'a "b"\n\u2028é😀'),
    "number": ("number", -0.5),
    "null prototype": ("object", {"a": 1}),
    "holes": ("object", [1, None, 3]),
}


@pytest.fixture(scope="module")
def shown(script_debugger: ScriptDebugger) -> dict[str, dict[str, Any]]:
    """Every value of the program under its name: one run for all, which also ends as the program meant it to."""
    names = script_debugger.values(VALUES, "name")
    return dict(zip(names, script_debugger.results(VALUES, "value"), strict=True))


@row("special values")
@pytest.mark.parametrize("name", SPECIAL)
def test_special_value_has_a_faithful_form(shown: dict[str, dict[str, Any]], name: str) -> None:
    js_type, value = SPECIAL[name]
    assert shown[name] == {"type": js_type, "value": value}


@row("special values")
def test_class_is_shown_as_its_source(shown: dict[str, dict[str, Any]]) -> None:
    assert shown["class"]["type"] == "function"
    assert shown["class"]["value"].startswith("class Point {")


@row("special values")
def test_promise_shows_its_state_and_what_it_holds(shown: dict[str, dict[str, Any]]) -> None:
    assert shown["pending promise"]["value"] == {"$class": "Promise", "state": "pending"}
    assert shown["fulfilled promise"]["value"] == {"$class": "Promise", "state": "fulfilled", "value": 1}
    rejected = shown["rejected promise"]["value"]
    assert (rejected["$class"], rejected["state"], rejected["value"]["message"]) == ("Promise", "rejected", "no")


@row("special values")
def test_proxy_shows_what_it_stands_for_and_none_of_its_traps_runs(shown: dict[str, dict[str, Any]]) -> None:
    assert shown["proxy"]["type"] == "object"
    assert shown["proxy"]["value"].startswith("Proxy [ { a: 1 }, ")
    assert "Proxy" in shown["revoked proxy"]["value"]


@row("special values")
def test_no_value_of_the_program_is_left_out_here(shown: dict[str, dict[str, Any]]) -> None:
    others = {"class", "pending promise", "fulfilled promise", "rejected promise", "proxy", "revoked proxy"}
    assert shown.keys() == SPECIAL.keys() | PLAIN.keys() | others


@row("special values")
def test_error_brings_its_stack(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("const error = new TypeError('boom');\nconsole.log(1); // @bp hit\n")
    (value,) = debug.values(program, "error")
    assert value["stack"].startswith(f"TypeError: boom\n    at Object.<anonymous> ({program.path}:1:")


@row("special values")
@pytest.mark.parametrize("expression", ["globalThis", "process", "require", "module", "console", "process.stdout"])
def test_large_objects_of_node_itself_do_not_fail_the_run(
    debug: ScriptDebugger, write: WriteProgram, expression: str
) -> None:
    (result,) = debug.results(write("console.log(1); // @bp hit\n"), expression)
    assert result["type"] in ("object", "function")
    assert len(json.dumps(result, ensure_ascii=False).encode()) <= Settings().max_result_bytes + 1024


@row("special values")
def test_program_that_patched_its_built_ins_is_shown_as_it_is(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(
        "const real = { list: [1, 2], map: new Map([[1, 2]]), text: 'a', date: new Date(0) };\n"
        "JSON.stringify = Array.isArray = Object.keys = Map.prototype.entries = () => process.exit(1);\n"
        "Date.prototype.toISOString = String.prototype.slice = () => process.exit(1);\n"
        "Object.getOwnPropertyDescriptor = Reflect.ownKeys = () => process.exit(1);\n"
        "Object.prototype.toJSON = () => 'patched'; Array.prototype[Symbol.iterator] = null;\n"
        "globalThis.done = true; // @bp hit\n"
    )
    assert debug.results(program, "real") == [
        {
            "type": "object",
            "value": {
                "list": [1, 2],
                "map": instance("Map", entries=[[1, 2]]),
                "text": "a",
                "date": "1970-01-01T00:00:00.000Z",
            },
        }
    ]


# --- plain data ----------------------------------------------------------------------------------------------------

DOCUMENT = {
    "text": 'quotes " and \\ and \u2028 and é and 😀 and \x7f\u0000',
    "numbers": [0, 1, -1, 0.1, 1e21, 1e-7, 123456789012345680000, 9007199254740991],
    "nothing": [None, {}, [], ""],
    "nested": {"a": [{"b": [{"c": True}]}, False]},
    "keys": {"": 1, " ": 2, "__proto__": 3, "$class": "no class", "toJSON": 4, "length": 5, "constructor": 6},
    "deep": [[[[[[[[[["bottom"]]]]]]]]]],
}


@row("plain data")
@pytest.mark.parametrize("name", PLAIN)
def test_plain_value_comes_as_it_is(shown: dict[str, dict[str, Any]], name: str) -> None:
    js_type, value = PLAIN[name]
    assert shown[name] == {"type": js_type, "value": value}


@row("plain data")
def test_json_document_comes_whole(debug: ScriptDebugger, write: WriteProgram) -> None:
    text = json.dumps(json.dumps(DOCUMENT))
    program = write(f"const document = JSON.parse({text});\nconsole.log(1); // @bp hit\n")
    assert debug.results(program, "document") == [{"type": "object", "value": DOCUMENT}]


@row("plain data")
def test_plain_data_is_what_json_would_make_of_it(debug: ScriptDebugger, write: WriteProgram) -> None:
    data = "{a: [1, {b: 'x'}], n: 5e-324, big: 2 ** 60, list: Array.from({length: 500}, (_, i) => ({i, s: 'v' + i}))}"
    program = write("console.log(1); // @bp hit\n")
    command = [NODE, "-p", f"JSON.stringify({data})"]
    expected = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert debug.values(program, data) == [expected]


# --- very many or very large results -------------------------------------------------------------------------------

LARGE = "very many or very large results"


@row(LARGE)
def test_very_many_results_keep_the_first_and_the_last(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("for (let i = 0; i < 600; i++) {\n  String(i); // @bp hit\n}\n")
    answer = debug.run(program, "{i, text: 'x'.repeat(500)}").structured
    kept = [result["value"]["i"] for result in answer["results"]]
    truncated = answer["truncated"]
    assert truncated["hits"] == 600
    assert truncated["results"] == 600 - len(kept)
    assert truncated["bytes"] > 500 * truncated["results"]
    first = truncated["kept_first"]
    assert kept == [*range(first), *range(600 - (len(kept) - first), 600)]
    assert first > 50
    assert len(json.dumps(answer["results"])) <= Settings().max_results_bytes * 1.1


@row(LARGE)
@pytest.mark.parametrize(
    ("expression", "cut"),
    [
        ("'x'.repeat(5e6)", "characters"),
        ("Array.from({length: 1e6}, (_, i) => i)", "items"),
        ("Object.fromEntries(Array.from({length: 1e5}, (_, i) => ['key' + i, i]))", "properties"),
        ("new Map(Array.from({length: 1e5}, (_, i) => [i, i]))", "items"),
        ("new Uint8Array(1e7)", "items"),
        ("Buffer.alloc(1e6)", "items"),
    ],
    ids=["string", "array", "object", "map", "typed array", "buffer"],
)
def test_very_large_result_is_cut_and_says_so(
    debug: ScriptDebugger, write: WriteProgram, expression: str, cut: str
) -> None:
    (result,) = debug.results(write("console.log(1); // @bp hit\n"), expression)
    assert result["truncated"][cut] > 0
    size = len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode())
    assert size <= Settings().max_result_bytes + 1024


@row(LARGE)
def test_very_deep_result_is_cut_and_says_so(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("let deep = 0;\nfor (let i = 0; i < 1e5; i++) deep = [deep];\nconsole.log(1); // @bp hit\n")
    (result,) = debug.results(program, "deep")
    assert result["truncated"]["depth"] == 1


@row(LARGE)
def test_results_of_which_each_is_large_keep_at_least_the_first_and_the_last(
    debug: ScriptDebugger, write: WriteProgram
) -> None:
    program = write("for (let i = 0; i < 20; i++) {\n  String(i); // @bp hit\n}\n")
    answer = debug.run(program, "[i, 'x'.repeat(1e6)]").structured
    assert answer["results"][0]["value"][0] == 0
    assert answer["results"][-1]["value"][0] == 19
    assert answer["truncated"]["results"] == 20 - len(answer["results"])
