"""What the injected serialiser makes of every kind of JavaScript value, in a real Node.js."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.nodes import NODE

pytestmark = pytest.mark.matrix

ROOT = Path(__file__).resolve().parents[2]
SERIALISER = ROOT / "server" / "cdp" / "injected" / "serialiser.js"
HOST = ROOT / "tests" / "programs" / "serialiser_host.js"

GENEROUS = {
    "depth": 200,
    "items": 10**7,
    "properties": 10**7,
    "string": 10**8,
    "functionText": 10**6,
    "bytes": 10**8,
}
ENVELOPE = 512  # bytes that a result may take beyond its budget: type, counts of what was cut, last cut marks

# Every example talks to one node process, which other examples have warmed up or not: time says nothing here.
examples = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Host:
    """A node process that serialises what it is told to make."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [NODE, "--expose-internals", "--no-warnings", str(HOST), str(SERIALISER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def ask(self, code: str, **request: Any) -> dict[str, Any]:
        """Evaluate `code` (a function body) and serialise what it returns."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"code": code, **request}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "failure" not in answer, answer["failure"]
        assert answer["globals"] == 0
        return answer

    def result(self, code: str, **request: Any) -> dict[str, Any]:
        """Return the parsed result, after a check that nothing of the program ran."""
        answer = self.ask(code, **request)
        assert answer["hits"] == []
        parsed: dict[str, Any] = json.loads(answer["text"], parse_int=float)  # JavaScript has doubles only
        return parsed

    def value(self, expression: str, **request: Any) -> Any:
        """Return only the `value` of an expression's result."""
        return self.result(f"return ({expression}\n)", **request)["value"]

    def close(self) -> None:
        """End the process by ending its input."""
        self._process.communicate()
        assert self._process.returncode == 0


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    started = Host()
    yield started
    started.close()


def instance(name: str, /, **fields: Any) -> dict[str, Any]:
    return {"$class": name, **fields}


# -------------------------------------------------------------------------------------- every kind of value

# Of each kind: the expression, its type, its value.
KINDS: dict[str, tuple[str, str, Any]] = {
    "undefined": ("undefined", "undefined", None),
    "null": ("null", "object", None),
    "true": ("true", "boolean", True),
    "false": ("false", "boolean", False),
    "integer": ("42", "number", 42),
    "fraction": ("-0.5", "number", -0.5),
    "large number": ("1e300", "number", 1e300),
    "NaN": ("NaN", "number", "NaN"),
    "Infinity": ("Infinity", "number", "Infinity"),
    "negative Infinity": ("-Infinity", "number", "-Infinity"),
    "negative zero": ("-0", "number", "-0"),
    "special numbers nested": (
        "[NaN, Infinity, -Infinity, -0, 0]",
        "object",
        ["NaN", "Infinity", "-Infinity", "-0", 0],
    ),
    "string": ("'a\"b\\n\\u2028é😀'", "string", 'a"b\n\u2028é😀'),
    "empty string": ("''", "string", ""),
    "lone surrogate": ("'a\\ud800b'", "string", "a\ud800b"),
    "bigint": ("123n", "bigint", "123n"),
    "negative bigint nested": ("[-5n]", "object", ["-5n"]),
    "symbol": ("Symbol('desc')", "symbol", "Symbol(desc)"),
    "symbol without description": ("[Symbol()]", "object", ["Symbol()"]),
    "well-known symbol": ("[Symbol.iterator]", "object", ["Symbol(Symbol.iterator)"]),
    "function": ("function add(a, b) { return a + b }", "function", "function add(a, b) { return a + b }"),
    "arrow": ("(a) => a * 2", "function", "(a) => a * 2"),
    "class": ("class A { x = 1 }", "function", "class A { x = 1 }"),
    "function nested": ("[function f() {}]", "object", ["[Function: f]"]),
    "anonymous function nested": ("[() => 1]", "object", ["[Function: (anonymous)]"]),
    "async function nested": ("[async function f() {}]", "object", ["[AsyncFunction: f]"]),
    "generator function nested": ("[function* f() {}]", "object", ["[GeneratorFunction: f]"]),
    "async generator function nested": (
        "[async function* f() {}]",
        "object",
        ["[AsyncGeneratorFunction: f]"],
    ),
    "class nested": ("[class A {}]", "object", ["[class A]"]),
    "derived class nested": ("[class B extends Map {}]", "object", ["[class B]"]),
    "anonymous class nested": ("[class{}]", "object", ["[class (anonymous)]"]),
    "anonymous derived class nested": ("[class extends Map{}]", "object", ["[class (anonymous)]"]),
    "class with a static method called name": ("[class A { static name() {} }]", "object", ["[class A]"]),
    "function whose name starts with class": ("[function classy() {}]", "object", ["[Function: classy]"]),
    "bound function nested": ("[function f() {}.bind(1)]", "object", ["[Function: bound f]"]),
    "native function nested": ("[Math.max]", "object", ["[Function: max]"]),
    "object": ("{a: 1, b: {c: [true, null]}}", "object", {"a": 1, "b": {"c": [True, None]}}),
    "empty object": ("{}", "object", {}),
    "empty array": ("[]", "object", []),
    "undefined property": ("{a: undefined}", "object", {"a": None}),
    "holes": ("[1, , 3, undefined]", "object", [1, None, 3, None]),
    "key __proto__": ("JSON.parse('{\"__proto__\": 1}')", "object", {"__proto__": 1}),
    "null prototype": ("{__proto__: null, a: 1}", "object", {"a": 1}),
    "inherits from a plain object": (
        "Object.create({a: 1}, {b: {value: 2, enumerable: true}})",
        "object",
        {"b": 2},
    ),
    "hidden property": ("Object.defineProperty({a: 1}, 'b', {value: 2})", "object", {"a": 1}),
    "frozen": ("Object.freeze({a: Object.freeze([1])})", "object", {"a": [1]}),
    "symbol key": ("{a: 1, [Symbol('k')]: 2}", "object", {"a": 1, "[Symbol(k)]": 2}),
    "toJSON stays data": (
        "{a: 1, toJSON() { return 2 }}",
        "object",
        {"a": 1, "toJSON": "[Function: toJSON]"},
    ),
    "array with extra properties": ("Object.assign([1], {x: 2})", "object", [1]),
    "array subclass": ("new (class Stack extends Array {})(3)", "object", [None, None, None]),
    "getter": ("{get a() { return 1 }}", "object", {"a": "[Getter]"}),
    "setter": ("{set a(v) {}}", "object", {"a": "[Setter]"}),
    "getter and setter": ("{get a() { return 1 }, set a(v) {}}", "object", {"a": "[Getter/Setter]"}),
    "getter in an array": ("Object.defineProperty([1, 2], 1, {get() {}})", "object", [1, "[Getter]"]),
    "date": ("new Date(0)", "object", "1970-01-01T00:00:00.000Z"),
    "invalid date": ("[new Date(NaN)]", "object", ["Invalid Date"]),
    "regular expression": ("/a\\/b+/gimsuy", "object", "/a\\/b+/gimsuy"),
    "empty regular expression": ("[new RegExp('')]", "object", ["/(?:)/"]),
    "map": (
        "new Map([['k', 1], [{a: 1}, [2]]])",
        "object",
        instance("Map", entries=[["k", 1], [{"a": 1}, [2]]]),
    ),
    "empty map": ("new Map()", "object", instance("Map", entries=[])),
    "set": ("new Set([1, 'a', {}])", "object", instance("Set", values=[1, "a", {}])),
    "map subclass": (
        "new (class Cache extends Map {})([[1, 2]])",
        "object",
        instance("Cache", entries=[[1, 2]]),
    ),
    "map without prototype": (
        "Object.setPrototypeOf(new Map([[1, 2]]), null)",
        "object",
        instance("Map", entries=[[1, 2]]),
    ),
    "weak map": ("new WeakMap()", "object", instance("WeakMap")),
    "weak set": ("new WeakSet()", "object", instance("WeakSet")),
    "weak ref": ("new WeakRef({})", "object", instance("WeakRef")),
    "error without stack": (
        "(() => { const e = new TypeError('m'); delete e.stack; return e })()",
        "object",
        instance("TypeError", name="TypeError", message="m"),
    ),
    "error with a stack of its own": (
        "Object.assign(new RangeError('m'), {stack: 's'})",
        "object",
        instance("RangeError", name="RangeError", message="m", stack="s"),
    ),
    "error with cause and properties": (
        "Object.assign(new Error('m', {cause: new Map([[1, 2]])}), {stack: 's', code: 'E1', extra: {a: 1}})",
        "object",
        instance(
            "Error",
            name="Error",
            message="m",
            stack="s",
            cause=instance("Map", entries=[[1, 2]]),
            code="E1",
            extra={"a": 1},
        ),
    ),
    "aggregate error": (
        "Object.assign(new AggregateError([1, 'b'], 'm'), {stack: 's'})",
        "object",
        instance("AggregateError", name="AggregateError", message="m", stack="s", errors=[1, "b"]),
    ),
    "error subclass": (
        "Object.assign(new (class Mine extends Error {})('m'), {stack: 's', name: 'Other'})",
        "object",
        instance("Mine", name="Other", message="m", stack="s"),
    ),
    "DOMException": (
        "Object.assign(new DOMException('m', 'AbortError'), {stack: 's'})",
        "object",
        instance("DOMException", name="AbortError", message="m", stack="s"),
    ),
    "instance": ("new (class Point { x = 1; y = 2 })", "object", instance("Point", x=1, y=2)),
    "instance of a function": (
        "new (function Old() { this.a = 1 })",
        "object",
        instance("Old", a=1),
    ),
    "instance with private fields": ("new (class P { #x = 1; y = 2 })", "object", instance("P", y=2)),
    "instance of an anonymous class": ("new (class { a = 1 })", "object", instance("(anonymous)", a=1)),
    "instance with a $class": ("new (class P { $class = 1 })", "object", {"$$class": "P", "$class": 1}),
    "instance with both tags": (
        "new (class P { $class = 1; $$class = 2 })",
        "object",
        {"$$$class": "P", "$class": 1, "$$class": 2},
    ),
    "plain object with a $class": ("{$class: 'x'}", "object", {"$class": "x"}),
    "boxed number": ("Object(5)", "object", instance("Number", value=5)),
    "boxed string": ("Object('a')", "object", instance("String", value="a")),
    "boxed boolean": ("Object(false)", "object", instance("Boolean", value=False)),
    "boxed symbol": ("Object(Symbol('s'))", "object", instance("Symbol", value="Symbol(s)")),
    "boxed bigint": ("Object(5n)", "object", instance("BigInt", value="5n")),
    "typed array": ("new Uint8Array([1, 255])", "object", instance("Uint8Array", length=2, values=[1, 255])),
    "float array": (
        "new Float64Array([0.5, NaN, -0])",
        "object",
        instance("Float64Array", length=3, values=[0.5, "NaN", "-0"]),
    ),
    "bigint array": (
        "new BigInt64Array([-1n])",
        "object",
        instance("BigInt64Array", length=1, values=["-1n"]),
    ),
    "buffer": ("Buffer.from('hi')", "object", instance("Buffer", length=2, values=[104, 105])),
    "array buffer": (
        "new Uint8Array([1, 2]).buffer",
        "object",
        instance("ArrayBuffer", byteLength=2, values=[1, 2]),
    ),
    "shared array buffer": (
        "new SharedArrayBuffer(2)",
        "object",
        instance("SharedArrayBuffer", byteLength=2, values=[0, 0]),
    ),
    "data view": (
        "new DataView(new Uint8Array([1, 2, 3]).buffer, 1)",
        "object",
        instance("DataView", byteLength=2, values=[2, 3]),
    ),
    "pending promise": ("new Promise(() => {})", "object", instance("Promise", state="pending")),
    "fulfilled promise": (
        "Promise.resolve({a: 1})",
        "object",
        instance("Promise", state="fulfilled", value={"a": 1}),
    ),
    "rejected promise": ("Promise.reject('no')", "object", instance("Promise", state="rejected", value="no")),
    "proxy": (
        "new Proxy({a: 1}, {get() {}})",
        "object",
        "Proxy [ { a: 1 }, { get: [Function: get] } ]",
    ),
    "proxy of a function": ("new Proxy(function f() {}, {})", "function", "Proxy [ [Function: f], {} ]"),
    "proxy of an array": (
        "[new Proxy([1, 'x', , {}], {})]",
        "object",
        ["Proxy [ [ 1, 'x', <empty>, {} ], {} ]"],
    ),
    "proxy of a proxy": (
        "new Proxy(new Proxy({a: {}}, {}), {})",
        "object",
        "Proxy [ Proxy [ { a: [Object] }, {} ], {} ]",
    ),
    "revoked proxy": (
        "(() => { const r = Proxy.revocable({}, {}); r.revoke(); return r.proxy })()",
        "object",
        "[Revoked Proxy]",
    ),
    "generator": ("(function* () {})()", "object", instance("Generator")),
    "async generator": ("(async function* () {})()", "object", instance("AsyncGenerator")),
    "array iterator": ("[1].values()", "object", instance("Array Iterator")),
    "map iterator": ("new Map().keys()", "object", instance("Map Iterator")),
    "arguments": ("(function () { return arguments })(1, {a: 2})", "object", [1, {"a": 2}]),
    "URL": ("new URL('http://a.example/b?c')", "object", instance("URL", href="http://a.example/b?c")),
    "class called URL": ("new (class URL { a = 1 })", "object", instance("URL", a=1)),
    "made from the prototype of URL": ("Object.create(URL.prototype)", "object", instance("URL")),
    "made from the prototype of DOMException": (
        "Object.create(DOMException.prototype)",
        "object",
        instance("DOMException", name="DOMException", message=""),
    ),
    "circular": (
        "(() => { const o = {a: 1}; o.self = o; return o })()",
        "object",
        {"a": 1, "self": "[Circular]"},
    ),
    "circular below the root": (
        "(() => { const b = [0]; b.push({back: b}); return {a: {'b c': [b]}} })()",
        "object",
        {"a": {"b c": [[0, {"back": '[Circular: .a["b c"][0]]'}]]}},
    ),
    "circular through an empty key": (
        "(() => { const b = {}; b.back = b; return {'': b} })()",
        "object",
        {"": {"back": '[Circular: [""]]'}},
    ),
    "circular through a map": (
        "(() => { const v = {}; v.back = v; return {m: new Map([['k', v]])} })()",
        "object",
        {"m": instance("Map", entries=[["k", {"back": "[Circular: .m.entries[0][1]]"}]])},
    ),
    "circular through a set": (
        "(() => { const v = {}; v.back = v; return new Set([v]) })()",
        "object",
        instance("Set", values=[{"back": "[Circular: .values[0]]"}]),
    ),
    "circular through an error": (
        "(() => { const e = new Error('m'), c = {e}; e.stack = 's'; c.me = c; e.cause = c; return e })()",
        "object",
        instance(
            "Error",
            name="Error",
            message="m",
            stack="s",
            cause={"e": "[Circular]", "me": "[Circular: .cause]"},
        ),
    ),
    "shared, not circular": (
        "(() => { const s = {x: 1}; return {a: s, b: [s]} })()",
        "object",
        {"a": {"x": 1}, "b": [{"x": 1}]},
    ),
    "other realm": (
        "node.vm.runInNewContext('({a: [1, new Date(0), /x/g], m: new Map([[1, new Set([2])]]), f() {}})')",
        "object",
        {
            "a": [1, "1970-01-01T00:00:00.000Z", "/x/g"],
            "m": instance("Map", entries=[[1, instance("Set", values=[2])]]),
            "f": "[Function: f]",
        },
    ),
    "error of another realm": (
        "node.vm.runInNewContext('Object.assign(new TypeError(\"m\"), {a: 1})')",
        "object",
        instance("TypeError", name="TypeError", message="m", a=1),
    ),
    "class of another realm": (
        "node.vm.runInNewContext('new (class P { x = 1 })')",
        "object",
        instance("P", x=1),
    ),
}

# Nothing public tells these apart without node's own predicates and internals.
NEEDS_NODE = {
    "arguments",
    "pending promise",
    "fulfilled promise",
    "rejected promise",
    "proxy",
    "proxy of a function",
    "proxy of an array",
    "proxy of a proxy",
    "revoked proxy",
    "error of another realm",
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_value_has_its_form(host: Host, kind: str) -> None:
    expression, js_type, expected = KINDS[kind]
    result = host.result(f"return ({expression})", limits=GENEROUS)
    assert result == {"type": js_type, "value": expected}


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - NEEDS_NODE))
def test_another_runtime_without_nodes_util_gives_the_same(host: Host, kind: str) -> None:
    expression, js_type, expected = KINDS[kind]
    result = host.result(f"return ({expression})", limits=GENEROUS, bare=True)
    assert result == {"type": js_type, "value": expected}


@pytest.mark.parametrize("kind", KINDS)
def test_the_standard_limits_cut_no_small_value(host: Host, kind: str) -> None:
    expression, js_type, expected = KINDS[kind]
    assert host.result(f"return ({expression})") == {"type": js_type, "value": expected}


def test_keys_keep_the_order_of_the_program(host: Host) -> None:
    text = host.ask("return {b: 1, a: 2, 10: 3, 9: 4, [Symbol('s')]: 5}")["text"]
    assert text == '{"type":"object","value":{"9":4,"10":3,"b":1,"a":2,"[Symbol(s)]":5}}'


def test_an_error_brings_its_stack(host: Host) -> None:
    value = host.value("new TypeError('boom')")
    assert value["stack"].startswith("TypeError: boom\n    at ")


def test_a_flag_of_newer_engines_is_shown(host: Host) -> None:
    code = "try { return new RegExp('a', 'dv') } catch { return 'too old' }"
    assert host.result(code)["value"] in {"/a/dv", "too old"}


def test_temporal_values_are_readable(host: Host) -> None:
    code = "return typeof Temporal === 'undefined' ? 'too old' : new Temporal.PlainDate(2020, 1, 2)"
    assert host.result(code)["value"] in (instance("PlainDate", value="2020-01-02"), "too old")


def test_module_namespaces_list_their_exports(host: Host) -> None:
    module = "export const a = 1; export function f() {}; export default [2];"
    value = host.result("return node.module", module=module)["value"]
    assert value == instance("Module", a=1, default=[2], f="[Function: f]")


def test_exports_in_their_dead_zone_are_told(host: Host, tmp_path: Path) -> None:
    module = tmp_path / "dead_zone.mjs"
    module.write_text(
        "import * as self from './dead_zone.mjs';"
        "export const early = 1; export const text = globalThis.serialise(self); export let late = 2;"
    )
    text = host.result("return node.module.text", module_url=module.as_uri())["value"]
    assert json.loads(text)["value"] == instance("Module", early=1, late="[uninitialized]", text="[uninitialized]")


def test_without_internals_a_promise_has_no_state(host: Host) -> None:
    assert host.value("Promise.resolve(1)", bare=True) == instance("Promise")


@pytest.mark.parametrize(
    "make",
    [
        "const b = new ArrayBuffer(8), v = new Uint8Array(b); structuredClone(b, {transfer: [b]}); return v",
        "const b = new ArrayBuffer(8); structuredClone(b, {transfer: [b]}); return b",
        "const b = new ArrayBuffer(8), v = new DataView(b, 2); structuredClone(b, {transfer: [b]}); return v",
    ],
)
def test_detached_buffers_are_empty(host: Host, make: str) -> None:
    assert host.result(make)["value"]["values"] == []


# ------------------------------------------------------------------------------------------- what is thrown


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("new TypeError('bad')", "TypeError: bad"),
        ("new Error('')", "Error"),
        ("Object.assign(new Error('m'), {name: ''})", "m"),
        ("Object.assign(new Error('m'), {name: 'Mine'})", "Mine: m"),
        ("new (class Mine extends Error {})('m')", "Error: m"),
        ("new (class Mine extends Error { get name() { hit('name'); return 'G' } })('m')", "Mine: m"),
        ("Object.defineProperty(new Error('m'), 'message', {get() { hit('message') }})", "Error"),
        ("new DOMException('gone', 'AbortError')", "AbortError: gone"),
        ("node.vm.runInNewContext('new RangeError(\"m\")')", "RangeError: m"),
        ("Object.assign(new Error('m'), {message: {a: 1}})", "Error: { a: 1 }"),
        ("5", "Uncaught 5"),
        ("-0", "Uncaught -0"),
        ("'text'", "Uncaught 'text'"),
        ('"it\'s"', 'Uncaught "it\'s"'),
        ("undefined", "Uncaught undefined"),
        ("null", "Uncaught null"),
        ("10n", "Uncaught 10n"),
        ("Symbol('s')", "Uncaught Symbol(s)"),
        ("function f() {}", "Uncaught [Function: f]"),
        (
            "{code: 1, 'a-b': [1, 2], get g() { hit('g') }}",
            "Uncaught { code: 1, 'a-b': [ 1, 2 ], g: [Getter] }",
        ),
        ("new (class P { x = {y: {z: 1}} })", "Uncaught P { x: { y: [Object] } }"),
        ("{e: new RangeError('m')}", "Uncaught { e: [RangeError: m] }"),
        ("Array(12).fill(0)", "Uncaught [ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, … 2 more items ]"),
        ("new Map([[1, 2]])", "Uncaught [Map]"),
        ("new Uint8Array(3)", "Uncaught [Uint8Array(3)]"),
        (
            "new Proxy(new Error('m'), {get() { hit('get') }})",
            "Uncaught Proxy [ [Error: m], { get: [Function: get] } ]",
        ),
    ],
)
def test_what_was_thrown_is_told_in_one_line(host: Host, expression: str, expected: str) -> None:
    result = host.result(f"return ({expression})", call="thrown")
    assert result == {"type": "error", "value": expected}


def test_a_long_message_is_cut(host: Host) -> None:
    result = host.result("return new Error('x'.repeat(100))", call="thrown", limits={"string": 10})
    assert result == {
        "type": "error",
        "value": "Error: xxx… (97 more characters)",
        "truncated": {"characters": 97},
    }


# -------------------------------------------------------------------------------------- plain data is exact

strings = st.text(st.characters(exclude_categories=[]), max_size=20)  # lone surrogates too
numbers = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False).map(lambda f: f + 0.0)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | strings,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(strings | st.just("__proto__"), inner, max_size=6),
    max_leaves=40,
)


@examples
@given(data=json_values)
def test_plain_data_is_exactly_what_json_makes_of_it(host: Host, data: Any) -> None:
    code = f"return JSON.parse({json.dumps(json.dumps(data))})"
    answer = host.ask(code, limits=GENEROUS, json=True)
    js_type = json.loads(answer["text"])["type"]
    assert answer["text"] == f'{{"type":"{js_type}","value":{answer["json"]}}}'


# --------------------------------------------------------------------------- special values against a model


class Made(NamedTuple):
    """A JavaScript expression, and what a model in Python says that the serialiser makes of it."""

    code: str
    expected: Any


def made_number(number: float) -> Made:
    if math.isnan(number):
        return Made("NaN", "NaN")
    if math.isinf(number):
        text = "Infinity" if number > 0 else "-Infinity"
        return Made(text, text)
    if number == 0 and math.copysign(1, number) < 0:
        return Made("-0", "-0")
    return Made(repr(number), number)


def made_array(items: list[Made | None]) -> Made:
    code = "".join(("" if item is None else item.code) + "," for item in items)
    return Made(f"[{code}]", [None if item is None else item.expected for item in items])


def fields_code(fields: dict[str, Made]) -> str:
    return "{" + ",".join(f"[{json.dumps(key)}]: {field.code}" for key, field in fields.items()) + "}"


def fields_expected(fields: dict[str, Made]) -> dict[str, Any]:
    return {key: field.expected for key, field in fields.items()}


def made_instance(pair: tuple[str, dict[str, Made]]) -> Made:
    name, fields = pair
    tag = "$class"
    while tag in fields:
        tag = "$" + tag
    code = f"Object.assign(new (class {name} {{}}), {fields_code(fields)})"
    return Made(code, {tag: name, **fields_expected(fields)})


def made_map(entries: dict[int, Made]) -> Made:
    code = ",".join(f"[{key}, {entry.code}]" for key, entry in entries.items())
    expected = [[key, entry.expected] for key, entry in entries.items()]
    return Made(f"new Map([{code}])", instance("Map", entries=expected))


def made_set(members: list[Made]) -> Made:
    wrapped = [Made(f"[{member.code}]", [member.expected]) for member in members]  # arrays are never equal
    code = ",".join(member.code for member in wrapped)
    return Made(f"new Set([{code}])", instance("Set", values=[member.expected for member in wrapped]))


def made_error(parts: tuple[str, Made]) -> Made:
    message, cause = parts
    code = f"Object.assign(new RangeError({json.dumps(message)}, {{cause: {cause.code}}}), {{stack: 'at'}})"
    fields = {"name": "RangeError", "message": message, "stack": "at", "cause": cause.expected}
    return Made(code, instance("RangeError", **fields))


def made_bytes(data: bytes) -> Made:
    values = list(data)
    return Made(f"new Uint8Array({values})", instance("Uint8Array", length=len(values), values=values))


def made_date(moment: datetime) -> Made:
    text = moment.isoformat(timespec="milliseconds") + "Z"
    return Made(f"new Date('{text}')", text)


def made_promise(held: Made) -> Made:
    # In an array, because a value with a `then` would not be held but followed.
    return Made(f"Promise.resolve([{held.code}])", instance("Promise", state="fulfilled", value=[held.expected]))


names = st.sampled_from(["Point", "Cart", "$Odd", "Ünder_score"])
keys = st.sampled_from(["a", "b c", "$class", "$$class", "0", "stack", "name", "constructor", ""]) | strings
assignable_keys = keys.filter(lambda key: key != "__proto__")  # Object.assign would set the prototype
leaves = st.one_of(
    st.floats().map(made_number),
    strings.map(lambda s: Made(json.dumps(s), s)),
    st.integers().map(lambda n: Made(f"({n}n)", f"{n}n")),
    st.just(Made("undefined", None)),
    st.just(Made("null", None)),
    st.text("abc ", max_size=5).map(lambda s: Made(f"Symbol({json.dumps(s)})", f"Symbol({s})")),
    st.just(Made("(function f() {})", "[Function: f]")),
    st.datetimes().map(made_date),
    st.binary(max_size=8).map(made_bytes),
    st.just(Made("Object(true)", instance("Boolean", value=True))),
    st.just(Made("({get a() { hit('a') }})", {"a": "[Getter]"})),
)
special_values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner | st.none(), max_size=5).map(made_array),
        st.dictionaries(keys, inner, max_size=5).map(lambda f: Made(f"({fields_code(f)})", fields_expected(f))),
        st.tuples(names, st.dictionaries(assignable_keys, inner, max_size=4)).map(made_instance),
        st.dictionaries(st.integers(0, 100), inner, max_size=4).map(made_map),
        st.lists(inner, max_size=4).map(made_set),
        st.tuples(strings, inner).map(made_error),
        inner.map(made_promise),
    ),
    max_leaves=25,
)


@examples
@given(made=special_values)
def test_special_values_at_any_nesting_match_the_model(host: Host, made: Made) -> None:
    assert host.value(f"[{made.code}]", limits=GENEROUS) == [made.expected]


# ------------------------------------------------------------------------------ no code of the program runs

# A handler whose every trap goes off.
TRAPS = """
    const traps = {};
    for (const name of Reflect.ownKeys(Reflect)) {
      if (typeof Reflect[name] !== 'function') continue;
      traps[name] = (...args) => { hit('trap ' + name); return Reflect[name](...args) };
    }
"""

# Puts Error.prepareStackTrace back: Node 20 and later have one of their own.
HOOK = """
    const standard = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
    after(() => {
      delete Error.prepareStackTrace;
      if (standard) Object.defineProperty(Error, 'prepareStackTrace', standard);
    });
"""

BOOBY_TRAPPED = {
    "getters": "return {get a() { hit('a') }, b: [{get c() { hit('c') }}]}",
    "conversions": """
        return {toJSON() { hit('toJSON') }, toString() { hit('toString') }, valueOf() { hit('valueOf') },
                [Symbol.toPrimitive]() { hit('toPrimitive') },
                [node.util.inspect.custom]() { hit('custom') }}""",
    "tag getter": "return {get [Symbol.toStringTag]() { hit('tag') }}",
    "tag getter of a class": "return new (class A { get [Symbol.toStringTag]() { hit('tag') } })",
    "constructor getter": "return Object.create({get constructor() { hit('constructor') }})",
    "static name getter": "return new (class { static get name() { hit('name') } })",
    "static hasInstance": "return new (class { static [Symbol.hasInstance]() { hit('hasInstance') } })",
    "proxy": TRAPS + "return new Proxy({a: 1}, traps)",
    "proxy of a function": TRAPS + "return new Proxy(function () {}, traps)",
    "proxy of an array": TRAPS + "return [new Proxy([1], traps)]",
    "proxy with a proxy for a handler": TRAPS + "return new Proxy({}, new Proxy({}, traps))",
    "proxy for a prototype": TRAPS + "return Object.create(new Proxy({}, traps))",
    "proxy in a class's chain": TRAPS + "return new (class A extends new Proxy(class {}, traps) {})",
    "proxy for a constructor": TRAPS + "return Object.create({constructor: new Proxy(class A {}, traps)})",
    "proxy target with traps": """
        return new Proxy({get a() { hit('a') }, get [Symbol.toStringTag]() { hit('t') }}, {})""",
    "promise of a trapped object": """
        return Promise.resolve(new (class { static get name() { hit('name') }
                                            get [Symbol.toStringTag]() { hit('tag') } }))""",
    "promise of a proxy": TRAPS + "delete traps.get; const p = new Proxy({}, traps); return Promise.resolve([p])",
    "promise subclass": """
        class P extends Promise { get [Symbol.toStringTag]() { hit('t') } }; return P.resolve(1)""",
    "map subclass": """
        return new (class extends Map { get size() { hit('size') } entries() { hit('entries') }
                                        forEach() { hit('each') }
                                        [Symbol.iterator]() { hit('iterator') } })([[1, 2]])""",
    "set subclass": "class S extends Set { get size() { hit('s') } values() { hit('v') } }; return new S()",
    "regular expression": """
        const trap = (key) => Object.defineProperty(expression, key, {get() { hit(key) }});
        const expression = /a/; ['flags', 'source', 'global', 'exec'].forEach(trap); return expression""",
    "date": "return Object.assign(new Date(0), {toISOString() { hit('iso') }, getTime() { hit('time') }})",
    "typed array": """
        return Object.defineProperties(new Uint8Array(2), {length: {get() { hit('length') }},
                                                           constructor: {get() { hit('constructor') }}})""",
    "array subclass": "class A extends Array { get [Symbol.iterator]() { hit('i') } }; return A.of(1)",
    "arguments": """
        return (function () { Object.defineProperty(arguments, 'length', {get() { hit('length') }});
                              return arguments })(1)""",
    "function": """
        return [Object.defineProperties(function () {}, {name: {get() { hit('name') }},
                                                         toString: {get() { hit('toString') }}})]""",
    "error with getters": """
        return new (class extends Error { get name() { hit('name') } get message() { hit('message') }
                                          get stack() { hit('stack') } get cause() { hit('cause') } })""",
    "error with a stack getter of its own": """
        return Object.defineProperty(new Error, 'stack', {get() { hit('s') }})""",
    "error with a message that converts": """
        const e = new Error('m'); e.message = {toString() { hit('toString') }}; return e""",
    "error whose name is a proxy's": TRAPS
    + "return Object.setPrototypeOf(new Error('m'), new Proxy(Error.prototype, traps))",
    "error with a hook for its stack": HOOK
    + """
        Error.prepareStackTrace = () => hit('prepare');
        return new Error('m')""",
    "enumerable stack with a hook": HOOK
    + """
        Error.prepareStackTrace = () => hit('prepare');
        return Object.defineProperty(new Error('m'), 'stack', {enumerable: true})""",
    "hook behind a getter": HOOK
    + """
        Object.defineProperty(Error, 'prepareStackTrace', {get() { hit('get') }, configurable: true});
        return new Error('m')""",
    "inherited hook": HOOK
    + """
        delete Error.prepareStackTrace;
        Function.prototype.prepareStackTrace = () => hit('prepare');
        after(() => delete Function.prototype.prepareStackTrace); return new Error('m')""",
    "hook of another realm": """
        const context = node.vm.createContext({hit});
        return node.vm.runInContext('Error.prepareStackTrace = () => hit("p"); new Error("m")', context)""",
    "error behind a getter of the global object": """
        const own = Object.getOwnPropertyDescriptor(globalThis, 'Error');
        const get = () => { hit('Error'); return own.value };
        Object.defineProperty(globalThis, 'Error', {get, configurable: true});
        after(() => Object.defineProperty(globalThis, 'Error', own)); return new own.value('m')""",
    "captured stack": HOOK
    + """
        Error.prepareStackTrace = () => hit('prepare');
        const o = {a: 1}; Error.captureStackTrace(o); return o""",
    "class called URL": "return new (class URL { get href() { hit('href') } })",
    "URL": "return Object.defineProperty(new URL('http://a'), 'href', {get() { hit('href') }})",
    "DOMException": "return Object.defineProperty(new DOMException('m'), 'name', {get() { hit('name') }})",
    "symbol": "return Object.assign(Object(Symbol('a')), {toString() { hit('s') }, valueOf() { hit('v') }})",
    "legacy members of RegExp": "/(x)/.exec('x'); return /y/",
}


@pytest.mark.parametrize("call", ["value", "thrown"])
@pytest.mark.parametrize("trap", BOOBY_TRAPPED)
def test_no_trap_goes_off(host: Host, trap: str, call: str) -> None:
    host.result(BOOBY_TRAPPED[trap], call=call)


# Replaces every function and getter of the built-ins by one that goes off, then returns VALUES, made before.
PATCH_EVERYTHING = """
    const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
    const { ownKeys } = Reflect;
    const values = VALUES;
    const iterators = [[].values(), new Map().values(), new Set().values()].map(getPrototypeOf);
    const classes = [Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Date, RegExp, Map, Set,
      WeakMap, Error, TypeError, Promise, ArrayBuffer, SharedArrayBuffer, DataView, Uint8Array,
      getPrototypeOf(Uint8Array), URL];
    const holders = [...classes, ...classes.map((c) => c.prototype), ...iterators, Reflect, JSON, Math,
      node.util, node.util.types];
    const patches = [];
    for (const holder of holders) {
      for (const key of ownKeys(holder)) {
        const was = getOwnPropertyDescriptor(holder, key);
        // A patched prepareStackTrace is a hook, with which the stack is rightly left out.
        if (!was.configurable || ['constructor', 'prototype', 'prepareStackTrace'].includes(key)) continue;
        const trap = function () { hit(typeof key === 'string' ? key : 'symbol') };
        if (was.get) patches.push([holder, key, {...was, get: trap}, was]);
        else if (typeof was.value === 'function') patches.push([holder, key, {...was, value: trap}, was]);
      }
    }
    const polluted = ['value', 'get', 'set', 'writable', 'name', 'stack', 'cause', 'errors', '0', '1', 'state'];
    for (const key of polluted) {
      const trap = { get() { hit('polluted ' + key) }, set() { hit('polluted ' + key) }, configurable: true };
      patches.push([Object.prototype, key, trap, undefined]);
      if (key < 'a') patches.push([Array.prototype, key, trap, undefined]);
    }
    const { length } = patches;
    const remove = Reflect.deleteProperty;
    const each = patches.map((p) => ({__proto__: null, holder: p[0], key: p[1], now: p[2], was: p[3]}));
    for (const patch of each) {
      Object.setPrototypeOf(patch.now, null);
      if (patch.was) Object.setPrototypeOf(patch.was, null);
    }
    after(() => {
      for (let i = length - 1; i >= 0; i--) {
        const { holder, key, was } = each[i];
        if (was === undefined) remove(holder, key); else defineProperty(holder, key, was);
      }
    });
    for (let i = 0; i < length; i++) defineProperty(each[i].holder, each[i].key, each[i].now);
    return values;
"""


def without_hits(host: Host, expression: str, **request: Any) -> Any:
    return host.result(PATCH_EVERYTHING.replace("VALUES", f"({expression})"), **request)


@pytest.mark.parametrize("kind", KINDS)
def test_patched_built_ins_are_neither_called_nor_trusted(host: Host, kind: str) -> None:
    expression, js_type, expected = KINDS[kind]
    result = without_hits(host, expression, limits=GENEROUS)
    assert result == {"type": js_type, "value": expected}


def test_patched_built_ins_do_not_change_what_is_thrown(host: Host) -> None:
    assert without_hits(host, "new TypeError('m')", call="thrown")["value"] == "TypeError: m"
    assert without_hits(host, "{a: [1, 'x']}", call="thrown")["value"] == "Uncaught { a: [ 1, 'x' ] }"


def test_the_legacy_members_of_regexp_stay(host: Host) -> None:
    code = "/(q)/.exec('q'); node.value([/a/g, 'x y', class A {}, new Proxy({'a b': 1}, {})]); return RegExp.$1"
    assert host.result(code)["value"] == "q"


def test_creating_a_serialiser_leaves_the_globals_as_they_were(host: Host) -> None:
    code = """
        // Not all of them: to look at a lazy global such as WebSocket loads it.
        const shape = () => ['DOMException', 'URL', 'Error', 'Temporal'].map((key) =>
          key + Object.keys(Object.getOwnPropertyDescriptor(globalThis, key) || {}));
        const before = shape();
        node.create();
        return [before, shape()];
    """
    before, after = host.result(code)["value"]
    assert before == after


# --------------------------------------------------------------------------------------------------- limits


def cut(host: Host, expression: str, **limits: int) -> tuple[Any, Any]:
    result = host.result(f"return ({expression})", limits={**GENEROUS, **limits})
    return result["value"], result.get("truncated")


def test_depth_is_cut_with_the_kind_of_what_is_below(host: Host) -> None:
    nested = "{a: {}, b: [1, 2], c: new (class P {}), d: new Map(), e: new Uint8Array(3), f: new Date(0), g: 1}"
    value, truncated = cut(host, nested, depth=1)
    assert value == {
        "a": "[Object]",
        "b": "[Array(2)]",
        "c": "[P]",
        "d": "[Map]",
        "e": "[Uint8Array(3)]",
        "f": "1970-01-01T00:00:00.000Z",
        "g": 1,
    }
    assert truncated == {"depth": 5}


def test_depth_zero_shows_no_object(host: Host) -> None:
    assert cut(host, "{a: 1}", depth=0) == ("[Object]", {"depth": 1})
    assert cut(host, "5", depth=0) == (5, None)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("[1, 2, 3, 4, 5]", [1, 2, "… 3 more items"]),
        ("new Array(1e9)", [None, None, "… 999999998 more items"]),
        ("new Array(1e6).fill(7)", [7, 7, "… 999998 more items"]),
        ("new Set([1, 2, 3])", instance("Set", values=[1, 2, "… 1 more items"])),
        (
            "new Map([[1, 1], [2, 2], [3, 3]])",
            instance("Map", entries=[[1, 1], [2, 2], "… 1 more items"]),
        ),
        ("new Uint8Array(1e7)", instance("Uint8Array", length=10**7, values=[0, 0, "… 9999998 more items"])),
        ("new ArrayBuffer(4)", instance("ArrayBuffer", byteLength=4, values=[0, 0, "… 2 more items"])),
    ],
)
def test_items_are_cut_with_their_number(host: Host, expression: str, expected: Any) -> None:
    value, truncated = cut(host, expression, items=2)
    assert value == expected
    assert list(truncated) == ["items"]


def test_exactly_as_many_items_as_the_limit_are_not_cut(host: Host) -> None:
    assert cut(host, "[1, 2]", items=2) == ([1, 2], None)


def test_properties_are_cut_with_their_number(host: Host) -> None:
    value, truncated = cut(host, "{a: 1, b: 2, c: 3, [Symbol('s')]: 4}", properties=2)
    assert value == {"a": 1, "b": 2, "…": "2 more properties"}
    assert truncated == {"properties": 2}


def test_properties_of_instances_and_errors_are_cut_too(host: Host) -> None:
    assert cut(host, "new (class P { a = 1; b = 2 })", properties=1) == (
        {"$class": "P", "a": 1, "…": "1 more properties"},
        {"properties": 1},
    )
    value, truncated = cut(host, "Object.assign(new Error('m'), {stack: 's', name: 'N', a: 1, b: 2})", properties=1)
    assert value == instance("Error", name="N", message="m", stack="s", a=1, **{"…": "1 more properties"})
    assert truncated == {"properties": 1}


def test_a_million_properties_are_cut(host: Host) -> None:
    code = "const o = {}; for (let i = 0; i < 1e6; i++) o['k' + i] = i; return o"
    result = host.result(code, limits={"properties": 3})
    assert result["value"] == {"k0": 0, "k1": 1, "k2": 2, "…": "999997 more properties"}


def test_exports_of_a_module_are_cut(host: Host) -> None:
    module = "export const a = 1, b = 2, c = 3;"
    result = host.result("return node.module", module=module, limits={"properties": 1})
    assert result["value"] == {"$class": "Module", "a": 1, "…": "2 more properties"}


def test_strings_are_cut_with_their_number(host: Host) -> None:
    assert cut(host, "'abcdef'", string=4) == ("abcd… (2 more characters)", {"characters": 2})
    assert cut(host, "'abcd'", string=4) == ("abcd", None)


def test_a_cut_never_halves_a_pair_of_surrogates(host: Host) -> None:
    assert cut(host, "'ab😀cd'", string=3) == ("ab… (4 more characters)", {"characters": 4})


def test_a_ten_megabyte_string_is_cut(host: Host) -> None:
    value, truncated = cut(host, "'x'.repeat(1e7)", string=100)
    assert value == "x" * 100 + "… (9999900 more characters)"
    assert truncated == {"characters": 9999900}


def test_long_keys_are_cut(host: Host) -> None:
    value, truncated = cut(host, "{['k'.repeat(50)]: 1, ['m'.repeat(150)]: 2}", string=10)
    assert value == {"k" * 50: 1, "m" * 100 + "… (50 more characters)": 2}
    assert truncated == {"characters": 50}


def test_source_text_has_its_own_limit(host: Host) -> None:
    value, truncated = cut(host, "function f() { return 12345 }", functionText=12)
    assert value == "function f()… (17 more characters)"
    assert truncated == {"characters": 17}


def test_several_cuts_are_all_counted(host: Host) -> None:
    value, truncated = cut(
        host, "{a: 'abcdef', b: [1, 2, 3], c: {d: {}}, e: 1}", string=3, items=1, depth=2, properties=3
    )
    assert value == {
        "a": "abc… (3 more characters)",
        "b": [1, "… 2 more items"],
        "c": {"d": "[Object]"},
        "…": "1 more properties",
    }
    assert truncated == {"depth": 1, "items": 2, "properties": 1, "characters": 3}


@pytest.mark.parametrize(
    "expression",
    [
        "Array.from({length: 5000}, (_, i) => ({id: i, name: 'item ' + i}))",
        "Object.fromEntries(Array.from({length: 5000}, (_, i) => ['key' + i, [i]]))",
        "new Map(Array.from({length: 5000}, (_, i) => [{i}, 'v'.repeat(50)]))",
        "new Set(Array.from({length: 5000}, (_, i) => i))",
        "'x'.repeat(1e6)",
        "'é'.repeat(1e5)",
        "'\\u4e2d'.repeat(1e5)",
        "'😀'.repeat(1e5)",
        "'\\0'.repeat(1e5)",
        "'\\ud800'.repeat(1e5)",
        "Array(3000).fill('\\u4e2d\\u4e2d')",
        "{['\\0'.repeat(1e5)]: {['\\u4e2d'.repeat(1e5)]: 1}}",
        "new Error('m'.repeat(1e5), {cause: Array(5000).fill({})})",
        "new Uint8Array(1e6)",
        "new (class { constructor() { for (let i = 0; i < 5000; i++) this['p' + i] = {} } })",
        "10n ** 50000n",
        "Symbol('s'.repeat(1e5))",
        "Array(3000).fill(Symbol('\\u4e2d'.repeat(3)))",
        "(() => { let o = {}; for (let i = 0; i < 1e5; i++) o = {o, p: [i]}; return o })()",
        "(() => { let o = []; for (let i = 0; i < 1e5; i++) o = [o, o]; return o })()",
        "function f() { /* " + "x" * 30000 + " */ }",
    ],
)
@pytest.mark.parametrize("size", [0, 100, 1000, 20_000])
def test_a_result_keeps_to_its_budget_and_tells(host: Host, expression: str, size: int) -> None:
    answer = host.ask(f"return ({expression})", limits={**GENEROUS, "bytes": size})
    assert len(answer["text"].encode()) <= size + ENVELOPE
    assert json.loads(answer["text"])["truncated"]


small = st.integers(0, 6)
any_limits = st.fixed_dictionaries(
    {
        "depth": small,
        "items": small,
        "properties": small,
        "string": st.integers(0, 30),
        "bytes": st.integers(0, 2000),
    }
)


@examples
@given(made=special_values, limits=any_limits)
def test_whatever_the_limits_a_result_is_valid_and_tells_what_it_lacks(
    host: Host, made: Made, limits: dict[str, int]
) -> None:
    answer = host.ask(f"return ([{made.code}])", limits=limits)
    result = json.loads(answer["text"], parse_int=float)  # JavaScript has doubles only
    assert len(answer["text"].encode("utf-8")) <= limits["bytes"] + ENVELOPE
    assert answer["hits"] == []
    assert ("truncated" in result) == (result["value"] != [made.expected])


def test_wrong_limits_fall_back_to_the_standard_ones(host: Host) -> None:
    assert host.value("[1, [2]]", limits={"depth": "x", "items": -1, "string": None}) == [1, [2]]


# ------------------------------------------------------------------------------------------- hostile inputs

HOSTILE = {
    "deep nesting": "let o = {}; for (let i = 0; i < 1e5; i++) o = {o}; return o",
    "long prototype chain": "let o = null; for (let i = 0; i < 1e5; i++) o = Object.create(o); return o",
    "an error with a long prototype chain": """
        let p = Error.prototype; for (let i = 0; i < 1e4; i++) p = Object.create(p);
        return Object.setPrototypeOf(new Error('m'), p)""",
    "prototypes of built-ins": """
        return [Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Date, RegExp, Map, Set,
                WeakMap, WeakRef, Error, Promise, ArrayBuffer, SharedArrayBuffer, DataView, Uint8Array, URL,
                DOMException].map((c) => c.prototype)""",
    "objects made from prototypes of built-ins": """
        return [Date, RegExp, Map, Set, Error, Promise, ArrayBuffer, DataView, Uint8Array, URL, DOMException]
               .map((c) => Object.create(c.prototype))""",
    "built-ins without a prototype": """
        return [new Date(0), /a/, new Map, new Set, new Error('m'), Promise.resolve(1), new ArrayBuffer(1),
                new Uint8Array(1), new DataView(new ArrayBuffer(1)), Object(1), [1], () => 1, class A {},
                (function () { return arguments })()].map((o) => Object.setPrototypeOf(o, null))""",
    "built-ins disguised as other ones": """
        return [Object.setPrototypeOf(new Map, Date.prototype), Object.setPrototypeOf([], Map.prototype),
                Object.setPrototypeOf({}, Uint8Array.prototype),
                Object.setPrototypeOf(new Date, RegExp.prototype)]""",
    "global object": "return globalThis",
    "global object of another realm": "return node.vm.runInNewContext('globalThis', {a: 1})",
    "process": "return process",
    "intrinsics": "return [Reflect, Math, JSON, Atomics, Intl, WebAssembly]",
    "revoked proxies": """
        const r = Proxy.revocable(function () {}, {}), s = Proxy.revocable([], {}); r.revoke(); s.revoke();
        return [r.proxy, s.proxy, Object.create(s.proxy), Promise.resolve([r.proxy]),
                new Map([[s.proxy, r.proxy]])]""",
    "circular proxies": "const h = {}; const p = new Proxy(h, h); h.p = p; return p",
    "array with a huge index": "const a = []; a[4294967294] = 1; return a",
    "frozen array with accessors": "return Object.freeze(Object.defineProperty([], 3, {get() { throw 1 }}))",
    "arguments with an odd length": """
        return [1.5, -1, NaN, Infinity, 'x', {}, 5e9].map((n) =>
          (function () { arguments.length = n; return arguments })(1))""",
    "errors with odd parts": """
        return [{}, null, undefined, Symbol('s'), 5n, () => 1].map((v) =>
          Object.assign(new Error('m'), {name: v, message: v, stack: v, cause: v, code: v}))""",
    "error without anything": "const e = Object.setPrototypeOf(new Error, null); delete e.stack; return e",
    "a stack trace limit of zero": """
        const was = Error.stackTraceLimit; after(() => { Error.stackTraceLimit = was });
        Error.stackTraceLimit = 0; return new Error('m')""",
    "Error gone": """
        const was = Error; delete globalThis.Error; after(() => { globalThis.Error = was;
          Object.defineProperty(globalThis, 'Error', {enumerable: false}) }); return new TypeError('m')""",
    "class with odd statics": """
        return [class { static name = 5 }, class { static name = null },
                class { static get name() { throw 1 } },
                class { static prototype_ = 1; static toString() { throw 1 } }].flatMap((c) => [c, new c])""",
    "null and undefined everywhere": """
        return new Map([[undefined, null], [null, undefined], [NaN, new Set([undefined])]])""",
    "strings of every code unit": """
        return Array.from({length: 65536}, (_, i) => String.fromCharCode(i)).join('')""",
    "resizable buffers": """
        try { const b = new ArrayBuffer(8, {maxByteLength: 16});
              const v = new DataView(b, 4), t = new Uint8Array(b, 6); b.resize(2);
              return [b, v, t] } catch { return [] }""",
    "events and signals": "return [new AbortController(), AbortSignal.abort(), new Event('e')]",
    "timers": "const t = setTimeout(() => {}, 1e6); clearTimeout(t); return t",
    "wasm": "return new WebAssembly.Memory({initial: 1})",
    "finalizers": "return new FinalizationRegistry(() => {})",
    "intl": "return [new Intl.NumberFormat('en'), new Intl.Collator()]",
}


@pytest.mark.parametrize("call", ["value", "thrown"])
@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_values_neither_throw_nor_break_the_json(host: Host, name: str, bare: bool, call: str) -> None:
    if bare and "prox" in name:
        pytest.skip("without node's util a proxy cannot be told from its target")
    answer = host.ask(HOSTILE[name], call=call, bare=bare)
    assert json.loads(answer["text"])["type"] in {"object", "error", "function", "string"}


def test_a_full_stack_gets_less_depth_not_a_failure(host: Host) -> None:
    code = """
        let nested = {end: 1};
        for (let i = 0; i < 150; i++) nested = {nested};
        const texts = new Set();
        const dive = () => {
          try { dive() } catch {}
          if (texts.size === 500) return;
          try { texts.add(node.value(nested)) } catch { texts.add('no stack at all') }
        };
        dive();
        return [...texts].filter((t) => t !== 'no stack at all').map((t) => JSON.parse(t).type);
    """
    types = host.result(code)["value"]
    assert types
    assert set(types) == {"object"}


def test_a_failure_leaves_nothing_for_the_next_call(host: Host) -> None:
    code = """
        let nested = {}; for (let i = 0; i < 150; i++) nested = {nested};
        const dive = () => { try { dive() } catch {} try { node.value(nested) } catch {} };
        dive();
        return node.value({a: 1});
    """
    assert host.result(code)["value"] == '{"type":"object","value":{"a":1}}'


def test_the_value_itself_is_not_changed(host: Host) -> None:
    code = """
        const o = Object.freeze({a: [1], m: new Map([[1, 2]]), r: /a/g, e: new Error('m')});
        o.r.lastIndex = 3;
        const it = o.m.entries();
        node.value([o, it]);
        return [Reflect.ownKeys(o), o.r.lastIndex, it.next().value, o.m.size, Object.keys(o.e)];
    """
    assert host.result(code)["value"] == [["a", "m", "r", "e"], 3, [1, 2], 1, []]
