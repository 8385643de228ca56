"""Breakpoints that write a line in place of stopping, in a real Node.js."""

from __future__ import annotations

import pytest

from server.debug.session_model import Logged
from server.errors import InvalidArgumentsError
from server.process.launcher import Launcher
from tests.integration.conftest import Follow, WriteProgram
from tests.integration.followed_node import FollowedNode, attach, run_unheld
from tests.integration.script_debugger import Program

pytestmark = pytest.mark.matrix

CART = """\
const items = [{ price: 2 }, { price: 3 }, { price: 5 }];
let total = 0;
for (const item of items) {
  total += item.price; // @bp add
}
console.log(total); // @bp end
"""


@pytest.fixture
def cart(write: WriteProgram) -> Program:
    return write(CART)


def lines(node: FollowedNode) -> list[str]:
    return [one.text for one in node.logged]


def test_each_pass_writes_a_line_with_values_and_the_program_goes_on(cart: Program, followed: Follow) -> None:
    node = followed(cart)
    node.set("add", log_message="total is {total} of {items.length}: {item}")
    node.set("end", "bp2")
    assert node.begin() == ("bp2",)
    assert node.logged == [
        Logged("bp1", "total is 0 of 3: { price: 2 }"),
        Logged("bp1", "total is 2 of 3: { price: 3 }"),
        Logged("bp1", "total is 5 of 3: { price: 5 }"),
    ]
    assert node.breakpoints.hit_counts() == {"bp1": 3, "bp2": 1}


def test_expression_that_throws_leaves_its_error_in_the_line(cart: Program, followed: Follow) -> None:
    node = followed(cart)
    node.set("end", log_message="{missing} and {total}")
    assert node.begin() is None
    assert lines(node) == ["<ReferenceError: missing is not defined> and 10"]


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("{{literal}} {total}", "{literal} 10"),
        ("{ {a: {b: total}} }", "{ a: { b: 10 } }"),
        ("{'}' + `{${ {n: total}.n }}`}", "}{10}"),
        ("{'text'} {null} {undefined} {-0} {2n} {Symbol('s')}", "text null undefined -0 2n Symbol(s)"),
        ("{new TypeError('bad')}", "TypeError: bad"),
        ("{items.map((i) => i.price)}", "[ 2, 3, 5 ]"),
        ("{total /* } */}", "10"),
        ("{/[}]/.test('}')}", "true"),
        ("no expression at all", "no expression at all"),
        ("quotes \" ' \\ and \n lines: {total}", "quotes \" ' \\ and \n lines: 10"),
    ],
)
def test_message_says_what_it_shows(cart: Program, followed: Follow, message: str, line: str) -> None:
    node = followed(cart)
    node.set("end", log_message=message)
    assert node.begin() is None
    assert lines(node) == [line]


def test_values_are_shown_without_running_code_of_the_program(write: WriteProgram, followed: Follow) -> None:
    program = write(
        "const seen = [];\n"
        "const o = { get x() { seen.push('getter'); return 1; }, toString() { seen.push('toString'); return ''; } };\n"
        "seen.length; // @bp hit\n"
    )
    node = followed(program)
    node.set("hit", log_message="{o} {seen.length}")
    assert node.begin() is None
    assert lines(node) == ["{ x: [Getter], toString: [Function: toString] } 0"]


def test_condition_and_hit_condition_choose_the_lines(write: WriteProgram, followed: Follow) -> None:
    node = followed(write("let n = 0;\nfor (let i = 0; i < 10; i++) {\n  n += i; // @bp hit\n}\n"))
    node.set("hit", condition="i % 2 === 0", hit_condition=">3", log_message="{i}")
    assert node.begin() is None
    assert lines(node) == ["6", "8"]
    assert node.breakpoints.hit_counts() == {"bp1": 5}


def test_long_values_are_cut(write: WriteProgram, followed: Follow) -> None:
    node = followed(write("const long = 'x'.repeat(100_000);\nlong; // @bp hit\n"))
    node.set("hit", log_message="{long}")
    assert node.begin() is None
    (line,) = lines(node)
    assert len(line) == 10_001


def test_every_line_of_a_busy_loop_arrives_in_order(write: WriteProgram, followed: Follow) -> None:
    node = followed(write("let n = 0;\nwhile (n < 12_000) {\n  n += 1; // @bp hit\n}\n"))
    node.set("hit", log_message="{n}")
    assert node.begin() is None
    assert lines(node) == [str(n) for n in range(12_000)]
    assert node.stops == 3  # the first pause, the first pass, and one to catch up


@pytest.mark.parametrize("message", ["{a +}", "{await a}", "{return}", "{total", "x {if (a) b}", "{a; b}"])
def test_message_that_does_not_compile_is_refused(cart: Program, followed: Follow, message: str) -> None:
    node = followed(cart)
    with pytest.raises(InvalidArgumentsError):
        node.set("add", log_message=message)
    assert node.begin() is None
    assert node.logged == []


def test_logpoint_and_breakpoint_share_a_line(cart: Program, followed: Follow) -> None:
    node = followed(cart)
    node.set("add", log_message="{total}")
    node.set("add", "bp2", condition="total === 2")
    assert node.begin() == ("bp2",)
    assert lines(node) == ["0", "2"]
    assert node.go_on() is None
    assert lines(node) == ["0", "2", "5"]


def test_program_that_runs_can_be_attached_to_again_and_again(write: WriteProgram, shared_launcher: Launcher) -> None:
    program = write(
        "let n = 0;\nfunction tick() {\n  n += 1; // @bp tick\n}\nsetInterval(tick, 1);\n"
        "globalThis.names = () => Object.getOwnPropertyNames(globalThis).filter((name) => name.includes('debug'));\n"
    )
    with run_unheld(shared_launcher, program) as (url, inbox):
        for _ in range(2):
            with attach(url, inbox, program) as node:
                node.set("tick", log_message="tick {n > 0 || n === 0}")
                node.set("tick", "bp2", hit_condition="5")
                assert node.serve_until_stopped() == ("bp2",)
                assert node.breakpoints.hit_counts()["bp2"] == 5
                assert set(lines(node)) == {"tick true"}
                assert node.evaluate("names()", by_value=True).json == []
                assert node.evaluate("process.execArgv.length").json == 1
                node.leave()
