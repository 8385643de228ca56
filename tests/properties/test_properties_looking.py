"""What holds for all that is seen of a program that stands still, in a real program."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.debug.session_model import WatchReading
from server.debug.session_requests import GetCallStack, GetVariables, SetVariable, SetWatches
from server.debug.value import Page, Value, VariablePage
from tests.contract.harness import Debugger, Followed, stop_of, variable
from tests.properties.conftest import StartEndless
from tests.properties.endless import ROWS, SCALES, Endless, holds, plain
from tests.properties.js_expressions import expressions
from tests.properties.js_terms import Term, terms
from tests.properties.made_values import CLASSES, Made, containers

pytestmark = pytest.mark.matrix

HOLDER: Final = f"""\
{CLASSES}
let held = null;
for (;;) {{
  held = [held, Point, Basket].length; // @bp turn
}}
"""

COMPUTER: Final = """\
function compute(text, scale, numbers, person) {
  let result;
  try {
    result = eval(text); // @bp eval
  } catch (error) {
    result = error;
  }
  return result; // @bp computed
}

for (;;) {
  const person = { name: "Ada", age: 36, address: { city: "London" } }; // @bp turn
  compute("0", 3, [3, 1, 2], person);
}
"""

STAIRS: Final = """\
function climb(step, height) {
  const mine = { step, left: height - step };
  const name = `step ${step}`;
  if (step < height) {
    climb(step + 1, height);
  }
  return [mine, name]; // @bp top
}

let height = 3;
for (;;) {
  const height = 9; // @bp turn
  climb(0, height);
}
"""

WALK: Final = """\
const { EventEmitter } = require("node:events");
const helper = require("./helper.js");
const library = require("library");

class Walker {
  walk(rest) {
    return descend(rest);
  }
}

const WAYS = {
  call: (rest) => descend(rest),
  method: (rest) => new Walker().walk(rest),
  callback: (rest) => [0].map(() => descend(rest)),
  sorted: (rest) => [1, 2].sort(() => descend(rest)),
  revived: (rest) => JSON.parse("1", () => descend(rest)),
  replaced: (rest) => "a".replace("a", () => descend(rest)),
  emitted: (rest) => new EventEmitter().once("walk", descend).emit("walk", rest),
  evaluated: (rest) => eval("descend(rest)"),
  made: (rest) => new Function("descend", "rest", "return descend(rest);")(descend, rest),
  generated: (rest) => [...(function* () { yield descend(rest); })()],
  getter: (rest) => ({ get walk() { return descend(rest); } }).walk,
  helped: (rest) => helper.walk(descend, rest),
  packaged: (rest) => library.walk(descend, rest),
};

function descend([way, ...rest]) {
  if (way === undefined) {
    return 0; // @bp bottom
  }
  WAYS[way](rest);
  return 0;
}

let ways = [];
for (;;) {
  descend(ways); // @bp turn
}
"""
STEPS_BETWEEN: Final = "exports.walk = (descend, rest) => descend(rest);\n"
WAYS: Final = tuple(re.findall(r"^  (\w+): \(rest\)", WALK, re.MULTILINE))
WITHOUT_A_FILE: Final = ("evaluated", "made")
"""Code that the program makes while it runs is nowhere."""


# --- properties and types ------------------------------------------------------------------------------------------

json_values: Final[st.SearchStrategy[Any]] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def holder(start_endless: StartEndless) -> Followed:
    return start_endless(HOLDER).followed


@holds
@given(
    content=st.dictionaries(st.text(max_size=8), json_values, min_size=1) | st.lists(json_values, min_size=1),
    depth=st.integers(1, 4),
)
def test_every_enumerable_property_is_shown_with_its_value(holder: Followed, content: Any, depth: int) -> None:
    """Every enumerable property shown with its value: of all that is inside a variable, at every depth."""
    text = json.dumps(json.dumps(content))
    holder.ask(SetVariable("held", f"JSON.parse({text})"))
    held = variable(holder.ask(GetVariables(page=Page(names=("held",), depth=depth))), "held")
    _check_content(holder, held.value, held.children, content)


def _check_content(holder: Followed, value: Value, children: VariablePage | None, content: Any) -> None:
    if not isinstance(content, list | dict):
        assert plain(value) == content
        assert value.type == _type_of(content)
        return
    assert (value.type, value.subtype) == ("object", "array" if isinstance(content, list) else None)
    expected = content if isinstance(content, dict) else {str(index): one for index, one in enumerate(content)}
    found = children or holder.ask(GetVariables(ref=value.handle))
    assert found.total == len(expected)
    assert sorted(each.name for each in found.variables) == sorted(expected)
    for each in found.variables:
        _check_content(holder, each.value, each.children, expected[each.name])


def _type_of(content: Any) -> str:
    match content:
        case None:
            return "object"
        case bool():
            return "boolean"
        case str():
            return "string"
        case _:
            return "number"


@holds
@given(made=containers, depth=st.integers(1, 5))
def test_complex_values_carry_their_types_all_through(holder: Followed, made: Made, depth: int) -> None:
    """Complex values carry types all through: each value inside another one, however deep, tells its own."""
    result = holder.evaluate(made.js)
    children = holder.ask(GetVariables(ref=result.handle, page=Page(depth=depth)))
    _check_types(holder, result, children, made)


def _check_types(holder: Followed, value: Value, children: VariablePage | None, made: Made) -> None:
    assert (value.type, value.subtype) == (made.type, made.subtype), made
    if made.inside is None:
        return
    found = children or holder.ask(GetVariables(ref=value.handle))
    inside = {each.name: each for each in found.variables}
    assert made.inside.keys() <= inside.keys(), made
    for name, inner in made.inside.items():
        _check_types(holder, inside[name].value, inside[name].children, inner)


# --- evaluation ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def computer(start_endless: StartEndless) -> Endless:
    return start_endless(COMPUTER)


@holds
@given(expression=expressions)
def test_an_evaluation_is_what_the_program_would_compute(computer: Endless, expression: str) -> None:
    """Evaluation equals what the program would compute: by `eval` on the line where it stands."""
    computer.run_to("eval")
    followed = computer.followed
    evaluated = followed.evaluate(expression, by_value=True)
    followed.ask(SetVariable("text", json.dumps(f"({expression}\n)")))
    computer.run_to("computed")
    if evaluated.type == "error":
        assert evaluated.preview == followed.evaluate("String(result)").json
    else:
        assert _without_handle(evaluated) == _without_handle(followed.evaluate("result", by_value=True))


def _without_handle(value: Value) -> Value:
    return replace(value, handle=None)


# --- watches -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scales(start_endless: StartEndless) -> Endless:
    return start_endless(SCALES)


@holds
@given(
    watched=st.lists(terms, min_size=1, max_size=4, unique_by=lambda term: term.js),
    stops=st.integers(1, len(ROWS) - 1),
)
def test_watches_report_their_old_and_new_values(scales: Endless, watched: list[Term], stops: int) -> None:
    """Watches report old and new: the value at this stop, and the value at the one before."""
    followed = scales.begin_turn()
    followed.breakpoint("add")
    followed.go()
    first = followed.ask(SetWatches(tuple(term.js for term in watched)))
    assert [reading.old for reading in first] == [None] * len(watched)
    _check_new(first, watched, 0)
    for index in range(1, stops + 1):
        readings = stop_of(followed.go()).watches
        _check_new(readings, watched, index)
        for term, reading in zip(watched, readings, strict=True):
            assert reading.old is not None
            assert plain(reading.old) == term.of(index - 1)
            assert reading.is_changed or plain(reading.old) == plain(reading.new)


def _check_new(readings: tuple[WatchReading, ...], watched: list[Term], index: int) -> None:
    assert [reading.expression for reading in readings] == [term.js for term in watched]
    assert [plain(reading.new) for reading in readings] == [term.of(index) for term in watched]


# --- frames --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stairs(start_endless: StartEndless) -> Endless:
    return start_endless(STAIRS)


@holds
@given(step=st.integers(0, 9), ups=st.lists(st.integers(0, 9), min_size=1, max_size=4), by_id=st.booleans())
def test_switching_frames_reads_the_frame_that_is_meant(
    stairs: Endless, step: int, ups: list[int], by_id: bool
) -> None:
    """Frame switching reads that frame: its variables and expressions, in whatever order frames are looked at."""
    followed = stairs.begin_turn()
    followed.breakpoint("top", condition=f"step === {step}")
    frames = stop_of(followed.go()).frames
    for up in [up for up in ups if up <= step]:
        frame = frames[up].id if by_id else up
        assert followed.evaluate("[mine.step, mine.left, name]", frame, by_value=True).json == [
            step - up,
            9 - (step - up),
            f"step {step - up}",
        ]
        shown = followed.ask(GetVariables(frame=frame, page=Page(names=("step", "name"))))
        assert variable(shown, "step").value.json == step - up
        assert variable(shown, "name").value.json == f"step {step - up}"


@pytest.fixture(scope="module")
def walk(node: Debugger, start_endless: StartEndless) -> Endless:
    """In a folder whose name has to be escaped in URLs, with a file and a package beside it."""
    folder = node.folder / "a folder of 100% [odd] #names, ü"
    library = folder / "node_modules" / "library"
    library.mkdir(parents=True)
    (library / "index.js").write_text(STEPS_BETWEEN, "utf-8")
    (folder / "helper.js").write_text(STEPS_BETWEEN, "utf-8")
    return start_endless(WALK, folder)


@holds
@given(ways=st.lists(st.sampled_from(WAYS), max_size=6))
def test_every_frame_has_an_absolute_path(walk: Endless, ways: list[str]) -> None:
    """Every frame has an absolute path: of a file that is there, however the program came to be where it stands."""
    followed = walk.begin_turn()
    followed.ask(SetVariable("ways", json.dumps(ways)))
    stop = stop_of(walk.run_to("bottom"))
    stack = followed.ask(GetCallStack())
    assert stack.frames == tuple(frame for frame in stop.frames if not frame.is_internal)
    of_files = [frame for frame in stack.frames if frame.position.file != "<anonymous>"]
    assert len(stack.frames) - len(of_files) == len([way for way in ways if way in WITHOUT_A_FILE])
    for frame in of_files:
        assert Path(frame.position.file).is_absolute(), frame
        assert Path(frame.position.file).is_file(), frame
    assert len([frame for frame in stack.frames if frame.function == "descend"]) == len(ways) + 1
