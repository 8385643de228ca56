"""The scripts of a real Node.js program, their texts, and functions that are found by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.debug.model import SourceLine
from server.debug.session_model import FunctionSearch
from server.errors import InvalidArgumentsError
from tests.integration.conftest import Follow, WriteProgram
from tests.integration.followed_node import FollowedNode
from tests.integration.script_debugger import Program

pytestmark = pytest.mark.matrix

MAIN = """\
'use strict';
const { helper } = require('./lib/helper');
require('dep');
// function total() { not code }
class Cart {
  constructor() {
    this.items = []; // @bp constructor
  }
  total() {
    // a comment first

    return helper(this.items); // @bp total
  }
}
const arrow = (a) =>
  a + 1; // @bp arrow
arrow(1); // @bp hit
"""


@pytest.fixture
def program(write: WriteProgram) -> Program:
    program = write(MAIN)
    write("exports.helper = function (items) {\n  return items.length; // @bp helper\n};\n", "lib/helper.js")
    write("exports.total = function () {\n  return 1;\n};\n", "node_modules/dep/index.js")
    write("function total() {\n  return 2;\n}\n", ".hidden/part.js")
    write("export function later(): number {\n\n  // soon\n  return 1; // @bp later\n}\n", "lib/later.ts")
    return program


@pytest.fixture
def node(program: Program, followed: Follow) -> FollowedNode:
    node = followed(program)
    node.stop_at("hit")
    return node


def find(node: FollowedNode, name: str, file: str | None = None) -> tuple[SourceLine, ...]:
    return search(node, name, file).places


def search(node: FollowedNode, name: str, file: str | None = None) -> FunctionSearch:
    return node.sources.find_function(name, file, [str(node.program.path.parent)])


def test_scripts_are_told_with_files_lines_and_whose_they_are(node: FollowedNode) -> None:
    folder = node.program.path.parent
    scripts = {Path(one.file).name: one for one in node.sources.scripts() if one.file is not None}
    assert {name: one.is_own for name, one in scripts.items()} == {
        "program.js": True,
        "helper.js": True,
        "index.js": False,
    }
    assert scripts["program.js"].file == str(folder / "program.js")
    assert scripts["program.js"].lines >= node.program.line("hit")
    assert any(one.url.startswith("node:") and not one.is_own for one in node.sources.scripts())


def test_source_is_the_text_that_runs(node: FollowedNode) -> None:
    (script,) = [one for one in node.sources.scripts() if one.file == str(node.program.path)]
    for _ in range(2):
        assert node.sources.source(script.id) == node.program.path.read_text("utf-8")


def test_source_of_an_unknown_script_is_refused(node: FollowedNode) -> None:
    with pytest.raises(InvalidArgumentsError, match="no script with the id '99999'"):
        node.sources.source("99999")


@pytest.mark.parametrize(
    ("name", "mark"), [("total", "total"), ("Cart.total", "total"), ("Cart", "constructor"), ("arrow", "arrow")]
)
def test_function_of_a_loaded_script_begins_where_a_breakpoint_stops_in_it(
    node: FollowedNode, name: str, mark: str
) -> None:
    place = SourceLine(str(node.program.path), node.program.line(mark))
    assert find(node, name) == (place,)
    assert find(node, name, str(node.program.path)) == (place,)


def test_function_of_another_loaded_script_is_found(node: FollowedNode) -> None:
    helper = Program(node.program.path.parent / "lib" / "helper.js")
    assert find(node, "helper") == (SourceLine(str(helper.path), helper.line("helper")),)


def test_function_of_a_file_that_is_not_loaded_is_found_on_disk(node: FollowedNode) -> None:
    later = Program(node.program.path.parent / "lib" / "later.ts")
    assert find(node, "later") == (SourceLine(str(later.path), later.line("later")),)


def test_function_of_a_package_is_found_only_in_the_file_that_is_named(node: FollowedNode) -> None:
    package = str(node.program.path.parent / "node_modules" / "dep" / "index.js")
    assert find(node, "exports.total") == ()
    assert find(node, "exports.total", package) == (SourceLine(package, 2),)


def test_name_that_no_function_has_finds_nothing(node: FollowedNode) -> None:
    assert find(node, "absent") == ()
    assert find(node, "total", str(node.program.path.parent / "absent.js")) == ()


def test_functions_are_found_before_anything_is_loaded(program: Program, followed: Follow) -> None:
    node = followed(program)
    assert find(node, "Cart.total") == (SourceLine(str(program.path), program.line("total")),)


def test_breakpoint_at_a_found_function_stops_in_it(write: WriteProgram, followed: Follow) -> None:
    program = write(
        "const é = '💡'; function one() { return é; } function two() { return 2; }\n"
        "function empty() {\n}\ntwo(); one(); // @bp calls\nempty(); // @bp end\n"
    )
    node = followed(program)
    node.stop_at("calls")
    (place,) = find(node, "empty")
    assert node.set(place.line, "bp2").position is not None
    assert node.go_on() == ("bp2",)
    assert node.evaluate("typeof arguments").json == "object"
    assert [one.line for one in find(node, "two")] == [1]


# --- what is loaded, and what only is on disk -------------------------------------------------------------------------


def test_function_that_a_loaded_script_has_is_not_looked_for_on_disk(node: FollowedNode, write: WriteProgram) -> None:
    copy = write("exports.helper = function (items) {\n  return 0; // @bp copy\n};\n", "dist/copy.js")
    found = search(node, "helper")
    assert [Path(place.file).name for place in found.places] == ["helper.js"]
    assert found.are_loaded
    assert search(node, "helper", str(copy.path)) == FunctionSearch(
        (SourceLine(str(copy.path), copy.line("copy")),), are_loaded=False
    )


def test_function_that_is_only_on_disk_is_told_as_such(node: FollowedNode) -> None:
    assert not search(node, "later").are_loaded


def test_file_that_a_tool_has_put_on_one_line_is_passed_over(node: FollowedNode, write: WriteProgram) -> None:
    squeezed = write("function squeezed(){return 1}" + "x();" * 300 + "\n", "dist/squeezed.min.js")
    assert find(node, "squeezed") == ()
    assert find(node, "squeezed", str(squeezed.path)) == (SourceLine(str(squeezed.path), 1),)


@pytest.mark.parametrize(("wanted", "near"), [("utils.helper", "exports.helper"), ("totl", "Cart.total")])
def test_names_like_the_wanted_one_are_told(node: FollowedNode, wanted: str, near: str) -> None:
    assert search(node, wanted) == FunctionSearch(near_names=(near,))


def test_names_in_a_file_that_is_not_loaded_are_told_too(node: FollowedNode) -> None:
    assert search(node, "latr", str(node.program.path.parent / "lib" / "later.ts")).near_names == ("later",)


COLLECTED = """\
const vm = require('vm');
require('v8').setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');
function used() {
  return 2; // @bp used
}
(() => new vm.Script('function unused() { return 1; }', { filename: __dirname + '/unused.js' }).runInNewContext())();
used(); // @bp compiled
setTimeout(() => {
  collect();
  used(); // @bp collected
}, 1);
"""


def test_source_of_a_script_that_v8_has_collected_is_gone(write: WriteProgram, followed: Follow) -> None:
    program = write(COLLECTED)
    node = followed(program)
    node.stop_at("compiled")
    [unused] = [one for one in node.sources.scripts() if one.url.endswith("/unused.js")]
    node.set("collected", "bp2")
    assert node.go_on() == ("bp2",)
    with pytest.raises(InvalidArgumentsError, match=r"unused\.js\) is gone"):
        node.sources.source(unused.id)
    assert unused.id not in [one.id for one in node.sources.scripts()]


def test_functions_are_found_where_a_script_was_collected(write: WriteProgram, followed: Follow) -> None:
    program = write(COLLECTED)
    node = followed(program)
    node.stop_at("collected")
    assert find(node, "used") == (SourceLine(str(program.path), program.line("used")),)
    assert not [one for one in node.sources.scripts() if one.url.endswith("/unused.js")]
