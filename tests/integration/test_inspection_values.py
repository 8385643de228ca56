"""Variables of a real Node.js program that stands still, and what is inside them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.debug.value import NO_JSON, Page, Value, Variable
from server.errors import InvalidArgumentsError, InvalidStateError
from server.process.launcher import Launcher
from tests.integration.conftest import Follow, WriteProgram
from tests.integration.followed_node import FollowedNode, follow
from tests.integration.script_debugger import Program
from tests.nodes import NODE_MAJOR

pytestmark = pytest.mark.matrix

VALUES = """\
const seen = [];
const note = (what) => { seen.push(what); };
const handler = { get: (...a) => { note('trap'); return Reflect.get(...a); },
  ownKeys: (t) => { note('trap'); return Reflect.ownKeys(t); } };
const proxied = new Proxy({ a: 1 }, handler);
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
class Cart {
  #secret = 5;
  items = [1, 2, 3];
  get total() { note('total'); return 6; }
}
class Shelf extends Map { label = 'x'; }
const text = 'plain', count = 6, nothing = null, missing = undefined, yes = true;
const nan = NaN, negativeZero = -0, infinite = Infinity, big = 10n ** 20n, symbol = Symbol('s');
const plain = { qty: 2, price: 3 }, empty = {}, nested = { a: { b: { c: { d: 1 } } }, list: [1] };
const list = [1, 2, 3], hundred = Array.from({ length: 100 }, (_, i) => i), none = [];
const holes = [1, , , 4]; holes.extra = 'x';
const map = new Map([['a', 1], [{ k: 1 }, [1]]]), set = new Set([1, 'b']), cart = new Cart(), shelf = new Shelf();
const bare = Object.assign(Object.create(null), { a: 1, [Symbol('q')]: 2, 'odd key': 3 });
const error = new TypeError('bad'), pattern = /a\\/b/gi, date = new Date(0);
const pending = new Promise(() => {}), done = Promise.resolve(42), failed = Promise.reject(new Error('no'));
failed.catch(() => {});
const getters = { get boom() { note('boom'); throw new Error('boom'); }, set only(v) {}, get both() { return 1; },
  set both(v) {} };
const named = function named(a, b) {
  return a + b;
};
const arrow = async (x) => x, bytes = new Uint8Array([1, 2]), boxed = Object('s');
const long = 'ab'.repeat(2_000);
const million = new Array(1e6).fill(7), bigMap = new Map(million.map((_, i) => [i, { i }]));
const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => ['k' + i, i]));
let deep = {}; for (let i = 0; i < 1_000; i++) deep = { deep };
const circle = { name: 'c' }; circle.self = circle;
seen.length; // @bp hit
"""


@pytest.fixture(scope="module")
def standing_node(shared_launcher: Launcher, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FollowedNode]:
    program = Program(tmp_path_factory.mktemp("values") / "program.js")
    program.path.write_text(VALUES, "utf-8")
    with follow(shared_launcher, program) as node:
        node.stop_at("hit")
        yield node


@pytest.fixture
def node(standing_node: FollowedNode) -> FollowedNode:
    """One for all tests that only look; each has time of its own."""
    standing_node.inbox.extend(60)
    return standing_node


def test_every_kind_of_value_is_shown_for_what_it_is(node: FollowedNode) -> None:
    found = {one.name: one.value for one in node.variables().variables}
    plain = {name: value.json for name, value in found.items() if value.json is not NO_JSON}
    assert plain == {"text": "plain", "count": 6, "nothing": None, "yes": True}
    shown = {name: (value.type, value.subtype, value.preview, value.size) for name, value in found.items()}
    expected = {
        "missing": ("undefined", None, "undefined", None),
        "nan": ("number", None, "NaN", None),
        "negativeZero": ("number", None, "-0", None),
        "infinite": ("number", None, "Infinity", None),
        "big": ("bigint", None, "100000000000000000000n", None),
        "symbol": ("symbol", None, "Symbol(s)", None),
        "plain": ("object", None, "{qty: 2, price: 3}", 2),
        "empty": ("object", None, "{}", 0),
        "nested": ("object", None, "{a: {…}, list: Array(1)}", 2),
        "list": ("object", "array", "[1, 2, 3]", 3),
        "none": ("object", "array", "[]", 0),
        "holes": ("object", "array", '[1, <empty>, <empty>, 4, extra: "x"]', 4),
        "map": ("object", "map", 'Map(2) {"a" => 1, {k: 1} => [1]}', 2),
        "set": ("object", "set", 'Set(2) {1, "b"}', 2),
        "cart": ("object", "Cart", "Cart {items: Array(3), #secret: 5}", 2),
        "bare": ("object", None, '{a: 1, "odd key": 3, [Symbol(q)]: 2}', 3),
        "error": ("object", "error", "TypeError: bad", None),
        "pattern": ("object", "regexp", "/a\\/b/gi", None),
        "pending": ("object", "promise", "Promise {<pending>}", None),
        "done": ("object", "promise", "Promise {<fulfilled>: 42}", None),
        "failed": ("object", "promise", "Promise {<rejected>: Error: no}", None),
        "getters": ("object", None, None, None),
        "named": ("function", None, "function named(a, b)", None),
        "arrow": ("function", "AsyncFunction", "async (x) => x", None),
        "Cart": ("function", "class", "class Cart", None),
        "bytes": ("object", "typedarray", "Uint8Array(2) [1, 2]", 2),
        "boxed": ("object", "String", 'String {"s"}', 0),
        "bigMap": ("object", "map", "Map(1000000) {…}", 1_000_000),
        "circle": ("object", None, '{name: "c", self: {…}}', 2),
    }
    for name in ("cart", "getters"):  # the order in the preview depends on the version
        assert shown[name][:2] == expected[name][:2]
        del expected[name]
    assert {name: shown[name] for name in expected} == expected
    assert found["hundred"].preview is not None
    assert found["hundred"].preview.endswith("more]")
    assert found["date"].preview is not None
    assert found["date"].preview.startswith("Thu Jan 01 1970")


def test_looking_runs_no_code_of_the_program(node: FollowedNode) -> None:
    node.variables(page=Page(depth=3))
    for name in ("proxied", "revoked", "getters", "cart", "error", "circle"):
        node.inside(name)
    assert node.evaluate("seen", by_value=True).json == []


def names_and_previews(variables: tuple[Variable, ...]) -> list[tuple[str, object]]:
    return [(one.name, one.value.preview if one.value.json is NO_JSON else one.value.json) for one in variables]


@pytest.mark.parametrize(
    ("expression", "inside"),
    [
        ("plain", [("qty", 2), ("price", 3)]),
        ("holes", [("0", 1), ("1", "<empty>"), ("2", "<empty>"), ("3", 4), ("extra", "x")]),
        ("none", []),
        ("map", [('"a"', 1), ("{k: 1}", "[1]")]),
        ("set", [("0", 1), ("1", "b")]),
        ("shelf.set(1, 2)", [("1", 2), ("label", "x")]),
        ("cart", [("items", "[1, 2, 3]"), ("#secret", 5)]),
        ("bare", [("a", 1), ("odd key", 3), ("[Symbol(q)]", 2)]),
        ("getters", [("boom", "[Getter]"), ("only", "[Setter]"), ("both", "[Getter/Setter]")]),
        ("done", [("[[PromiseState]]", "fulfilled"), ("[[PromiseResult]]", 42)]),
        ("named", []),
        ("revoked", [("[[Handler]]", None), ("[[Target]]", None), ("[[IsRevoked]]", True)]),
        ("bytes", [("0", 1), ("1", 2)]),
    ],
)
def test_inside_of_a_value(node: FollowedNode, expression: str, inside: list[tuple[str, object]]) -> None:
    page = node.inside(expression)
    assert names_and_previews(page.variables) == inside
    assert page.total == len(inside)


def test_inside_of_a_proxy_is_its_target_and_handler(node: FollowedNode) -> None:
    found = dict(names_and_previews(node.inside("proxied").variables))
    assert found["[[Target]]"] == "{a: 1}"


def test_inside_of_an_error_has_its_message_and_stack(node: FollowedNode) -> None:
    found = dict(names_and_previews(node.inside("error").variables))
    assert found["message"] == "bad"
    assert str(found["stack"]).startswith("TypeError: bad\n    at ")


@pytest.mark.parametrize(
    ("expression", "start", "total", "inside"),
    [
        ("million", 999_998, 1_000_000, [("999998", 7), ("999999", 7)]),
        ("bigMap", 999_999, 1_000_000, [("999999", "{i: 999999}")]),
        ("new Set(million.keys())", 999_999, 1_000_000, [("999999", 999_999)]),
        ("wide", 9_998, 10_000, [("k9998", 9998), ("k9999", 9999)]),
        ("hundred", 98, 100, [("98", 98), ("99", 99)]),
        ("map", 1, 2, [("{k: 1}", "[1]")]),
        ("set", 2, 2, []),
    ],
)
def test_large_values_are_read_page_by_page(
    node: FollowedNode, expression: str, start: int, total: int, inside: list[tuple[str, object]]
) -> None:
    page = node.inside(expression, start=start)
    assert (page.start, page.total) == (start, total)
    assert names_and_previews(page.variables) == inside


def test_page_has_as_many_as_were_asked_for(node: FollowedNode) -> None:
    assert [one.name for one in node.inside("wide", start=10, count=2).variables] == ["k10", "k11"]
    assert [one.name for one in node.inside("hundred", count=3).variables] == ["0", "1", "2"]


def test_sparse_array_shows_its_holes(node: FollowedNode) -> None:
    page = node.inside("Object.assign(new Array(4e9), { 5: 'x' })", start=4, count=3)
    assert names_and_previews(page.variables) == [("4", "<empty>"), ("5", "x"), ("6", "<empty>")]
    assert page.total == 4_000_000_000


@pytest.mark.parametrize("expression", ["wide", "({ k5: 5, k77: 77, other: 0 })"])
def test_inside_can_be_asked_for_by_name(node: FollowedNode, expression: str) -> None:
    found = node.inside(expression, names=("k77", "k5", "absent"))
    assert dict(names_and_previews(found.variables)) == {"k5": 5, "k77": 77}


def test_long_string_is_cut_and_read_on_page_by_page(node: FollowedNode) -> None:
    value = node.variable("long").value
    assert value.preview == "ab" * 250 + "…"
    assert value.size == 4_000
    assert value.handle is not None
    page = node.inspection.expand(value.handle, Page(start=3_990))
    assert (page.text, page.start, page.total) == ("ab" * 5, 3_990, 4_000)


def test_depth_fills_in_what_is_inside(node: FollowedNode) -> None:
    (nested,) = node.variables(page=Page(names=("nested",), depth=3)).variables
    assert nested.children is not None
    a, items = nested.children.variables
    assert a.children is not None
    assert names_and_previews(a.children.variables) == [("b", "{c: {…}}")]
    assert items.children is not None
    assert names_and_previews(items.children.variables) == [("0", 1)]


def test_depth_is_bounded_for_deep_wide_and_circular_values(node: FollowedNode) -> None:
    def nodes(variables: tuple[Variable, ...]) -> int:
        return sum(1 + (nodes(one.children.variables) if one.children else 0) for one in variables)

    page = node.variables(page=Page(names=("deep", "wide", "circle", "bigMap", "million"), depth=50))
    assert len(page.variables) <= nodes(page.variables) <= 500


# --- scopes --------------------------------------------------------------------------------------------------------

SCOPES = """\
const moduleLevel = 1, hidden = 'module';
class Account {
  constructor() { this.balance = 7; }
  report(amount, hidden) {
    let sum = amount;
    const inner = (step) => {
      try { throw new Error('x'); } catch (caught) {
        for (const item of [step]) {
          sum += item + moduleLevel + this.balance; // @bp inner
        }
      }
    };
    inner(2);
    return [sum, hidden];
  }
}
new Account().report(3, 'parameter');
{ let inBlock = 1; moduleLevel + inBlock; // @bp block
}
"""


def test_receiver_of_a_method_is_among_its_locals(write: WriteProgram, followed: Follow) -> None:
    node = followed(write(SCOPES))
    node.stop_at("inner")
    first = node.variables(scope="local").variables[0]
    assert (first.name, first.value.subtype) == ("this", "Account")


def test_scopes_are_merged_innermost_first(write: WriteProgram, followed: Follow) -> None:
    node = followed(write(SCOPES))
    node.stop_at("inner")
    found = [(one.scope, one.name) for one in node.variables().variables]
    assert found[0] == ("local", "this")
    assert found[1:] == [
        ("local", "item"),
        ("local", "caught"),
        ("local", "step"),
        ("closure", "sum"),
        ("module", "moduleLevel"),
    ]


def test_one_scope_can_be_asked_for(write: WriteProgram, followed: Follow) -> None:
    node = followed(write(SCOPES))
    node.stop_at("inner")
    assert [one.name for one in node.variables(scope="closure").variables] == ["sum"]
    assert [one.name for one in node.variables(scope="module").variables] == ["moduleLevel"]
    outermost = node.variables(2, "module").variables
    assert {"exports", "require", "module", "__filename", "__dirname", "Account"} <= {one.name for one in outermost}
    merged = {one.name for one in node.variables(2).variables}
    assert "Account" in merged
    assert not merged & {"exports", "require", "module", "__filename", "__dirname", "this"}


def test_global_scope_is_there_when_it_is_asked_for_and_shows_nothing_of_the_debugger(
    write: WriteProgram, followed: Follow
) -> None:
    node = followed(write(SCOPES))
    node.stop_at("inner")
    found = node.variables(scope="global", page=Page(count=1_000)).variables
    assert "process" in {one.name for one in found}
    assert not [one.name for one in found if "debug" in one.name]


def test_unknown_scope_is_refused_with_those_that_there_are(write: WriteProgram, followed: Follow) -> None:
    node = followed(write(SCOPES))
    node.stop_at("inner")
    with pytest.raises(InvalidArgumentsError) as refused:
        node.variables(scope="block")
    assert "local, closure, module, global" in (refused.value.advice or "")


def test_variables_of_a_module_s_own_code(write: WriteProgram, followed: Follow) -> None:
    node = followed(write(SCOPES))
    node.stop_at("block")
    found = [(one.scope, one.name) for one in node.variables().variables]
    assert found == [("local", "inBlock"), ("module", "moduleLevel"), ("module", "hidden"), ("module", "Account")]


def test_variables_of_an_es_module(write: WriteProgram, followed: Follow) -> None:
    program = write(
        "import { sep } from 'path';\nexport const top = 1;\n"
        "function f(a) {\n  return a + top + sep; // @bp hit\n}\nf(2);\nlet later = 3;\n",
        "program.mjs",
    )
    node = followed(program)
    node.stop_at("hit")
    found = {one.name: one.scope for one in node.variables().variables}
    assert found == {"a": "local", "top": "module", "sep": "module"}
    (later,) = [one for one in node.variables(1).variables if one.name == "later"]
    if NODE_MAJOR >= 22:  # before, V8 tells an uninitialised variable as undefined
        assert later.value == Value("undefined", "uninitialised", preview="<not initialised>")


def test_names_choose_variables(write: WriteProgram, followed: Follow) -> None:
    node = followed(write(SCOPES))
    node.stop_at("inner")
    page = node.variables(page=Page(names=("sum", "item", "absent")))
    assert [one.name for one in page.variables] == ["item", "sum"]


def test_handle_of_an_earlier_stop_is_refused(write: WriteProgram, followed: Follow) -> None:
    node = followed(write(SCOPES))
    node.stop_at("inner")
    handle = node.evaluate("({ a: 1 })").handle
    local = node.variable("caught").value.handle
    node.set("block", "bp2")
    node.go_on()
    for one in (handle, local):
        assert one is not None
        with pytest.raises(InvalidStateError, match="moved on"):
            node.inspection.expand(one, Page())


def test_values_are_shown_truly_after_the_program_patched_its_builtins(write: WriteProgram, followed: Follow) -> None:
    program = write(
        "const big = new Map([[1, 'one']]), list = Array.from({ length: 600 }, (_, i) => i);\n"
        "const wrong = () => { throw new Error('patched'); };\n"
        "for (const holder of [Object, Reflect, Array, Map.prototype]) {\n"
        "  const keys = Object.getOwnPropertyNames(holder);\n"
        "  for (let i = 0; i < keys.length; i++) {\n"
        "    if (['constructor', 'size', 'getOwnPropertyNames'].indexOf(keys[i]) >= 0) continue;\n"
        "    if (typeof holder[keys[i]] === 'function') holder[keys[i]] = wrong;\n"
        "  }\n"
        "}\n"
        "Object.prototype.get = wrong;\n"
        "big.size; // @bp end\n"
    )
    node = followed(program)
    node.set("end")
    assert node.begin() == ("bp1",)
    assert names_and_previews(node.inside("big").variables) == [("1", "one")]
    assert names_and_previews(node.inside("list", start=598).variables) == [("598", 598), ("599", 599)]
    assert node.evaluate("list", by_value=True).json == list(range(600))
