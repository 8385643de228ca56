"""What can be looked at in a real Node.js program without leave to change anything, as watches do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.process.launcher import Launcher
from tests.integration.followed_node import FollowedNode, follow
from tests.integration.script_debugger import Program
from tests.nodes import NODE_MAJOR

pytestmark = pytest.mark.matrix

PROGRAM = """\
class Cart {
  #secret = 5;
  items = [{ name: 'pen', qty: 2 }, { name: 'ink', qty: 1 }];
  get total() { return this.items.reduce((sum, item) => sum + item.qty, 0); }
  has(name) { return this.items.some((item) => item.name === name); }
}
const cart = new Cart(), items = cart.items, map = new Map([['a', 1]]), set = new Set([3, 4]), date = new Date(0);
let x = 1;
const double = (n) => { const twice = n * 2; return twice; };
const typed = new Uint8Array([1, 2]), text = 'a,b', absent = undefined;
x; // @bp look
"""


@pytest.fixture(scope="module")
def node(shared_launcher: Launcher, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FollowedNode]:
    program = Program(tmp_path_factory.mktemp("watched") / "program.js")
    program.path.write_text(PROGRAM, "utf-8")
    with follow(shared_launcher, program) as node:
        node.stop_at("look")
        yield node


@pytest.mark.parametrize(
    ("expression", "json"),
    [
        ("x + 1", 2),
        ("items.length", 2),
        ("items[1]?.name", "ink"),
        ("absent?.name ?? 'none'", "none"),
        ("items.map((item) => item.name).join()", "pen,ink"),
        ("items.filter(item => item.qty > 1).length", 1),
        ("items.find((item) => item.name === 'ink').qty", 1),
        ("items.some((item) => item.qty > 1)", True),
        ("items.reduce((sum, item) => sum + item.qty, 0)", 3),
        ("[...items].length", 2),
        ("items.slice(1).length", 1),
        ("cart.total", 3),
        ("cart.has('pen')", True),
        ("double(21)", 42),
        ("`${cart.total} of ${items.length}`", "3 of 2"),
        ("map.get('a')", 1),
        ("map.size + set.size", 3),
        ("set.has(3)", True),
        ("[...set].join()", "3,4"),
        ("Object.keys(items[0]).join()", "name,qty"),
        ("Object.entries(items[0]).length", 2),
        ("JSON.stringify(items[1])", '{"name":"ink","qty":1}'),
        ("Math.max(x, 7)", 7),
        ("text.includes('b') && text.startsWith('a')", True),
        ("Number('7') + parseInt('3', 10)", 10),
        ("typeof nowhere", "undefined"),
        ("typed[1]", 2),
        ("date.getTime()", 0),
        ("Array.isArray(items)", True),
        ("cart instanceof Cart", True),
        ("'name' in items[0]", True),
    ],
)
def test_expression_that_only_looks_has_its_value(node: FollowedNode, expression: str, json: object) -> None:
    value = node.evaluate(expression, allow_side_effects=False)
    assert value.json == json, value


def test_expression_of_which_v8_cannot_tell_is_an_error(node: FollowedNode) -> None:
    value = node.evaluate("text.split(',')", allow_side_effects=False)
    told = '["a", "b"]' if NODE_MAJOR >= 24 else "or V8 cannot rule that out"  # older ones take it for a change
    assert told in (value.preview or "")


@pytest.mark.parametrize(
    "expression", ["x++", "items.push(1)", "cart.items = []", "map.set('b', 2)", "delete items[0]"]
)
def test_expression_that_would_change_the_program_is_an_error_and_changes_nothing(
    node: FollowedNode, expression: str
) -> None:
    value = node.evaluate(expression, allow_side_effects=False)
    assert value.type == "error"
    assert "would change the program" in (value.preview or "")
    assert node.evaluate("[x, items.length, map.size, cart.items === items]", by_value=True).json == [1, 2, 1, True]
