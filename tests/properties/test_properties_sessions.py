"""What holds for every answer to an agent, and between sessions, with real programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.debug.session_model import ProgramState, StateReport, StepKind
from server.debug.session_requests import ListBreakpoints, SetVariable, SetWatches, ToggleBreakpoint
from server.errors import ErrorCode
from server.report.answer import Answer
from server.tools.session_toolset import SESSION_TOOLS
from tests.contract.harness import Followed, stop_of
from tests.properties.conftest import StartEndless
from tests.properties.endless import SCALES, Endless, holds

pytestmark = pytest.mark.matrix

TOOLS: Final = {tool.name: tool for tool in SESSION_TOOLS}
MARKS: Final = ("turn", "call", "total", "row", "add", "passed", "mass", "heavy", "weighed")
Arguments = dict[str, Any]


@pytest.fixture(scope="module")
def scales(start_endless: StartEndless) -> Endless:
    return start_endless(SCALES)


def call(endless: Endless, name: str, arguments: Arguments) -> Answer:
    """Call a tool as the server does."""
    begun = TOOLS[name](endless.debugger.sessions).start(arguments)
    return begun if isinstance(begun, Answer) else begun.run()


def check_answer(name: str, answer: Answer) -> None:
    """Both channels say the same, in the form that was published."""
    structured = answer.structured
    jsonschema.validate(structured, TOOLS[name].output_schema)
    json.dumps(structured).encode("utf-8")
    assert answer.text
    assert answer.is_error is (structured["status"] == "error")
    if structured["status"] == "ok":
        assert "error" not in structured
        assert structured.keys() - {"status"}, "there is no result"
        return
    error = structured["error"]
    assert error["code"] in {code.value for code in ErrorCode}
    assert error["message"]
    assert isinstance(error["details"], dict)
    assert error["message"].splitlines()[0] in answer.text


# --- calls of all kinds --------------------------------------------------------------------------------------------

nonsense: Final[st.SearchStrategy[Any]] = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just([{}])
)
texts: Final = st.text(max_size=8) | st.sampled_from(["turn", "rows", "row.count +", "no_such_name", "f0", "v1", "bp1"])
frames: Final = st.integers(-1, 4) | st.sampled_from(["f0", "f999999", "nothing"])
LIKELY: Final[dict[str, st.SearchStrategy[Any]]] = {
    "session_id": st.sampled_from([*["SESSION"] * 9, "s99"]),
    "file": st.sampled_from(["PROGRAM", "PROGRAM", "/no/such/file.js", "relative.js", ""]),
    "line": st.integers(0, 30),
    "lines": st.integers(0, 10),
    "first_line": st.integers(0, 40),
    "last_line": st.integers(0, 40),
    "column": st.integers(-1, 20),
    "text": texts,
    "function": texts | st.sampled_from(["weigh", "pass"]),
    "condition": texts,
    "hit_condition": st.sampled_from(["1", ">=2", "%3", "often", "%0"]),
    "log_message": st.sampled_from(["at {turn}", "{", "{}", "plain"]),
    "breakpoint_id": st.sampled_from(["bp1", "bp2", "bp99"]),
    "enabled": st.booleans(),
    "wait_ms": st.integers(0, 30),
    "frame": frames,
    "ref": st.sampled_from(["v1", "v999999", "nothing"]),
    "scope": st.sampled_from(["local", "closure", "module", "attic"]),
    "depth": st.integers(1, 6),
    "names": st.lists(texts, max_size=3),
    "start": st.integers(0, 30),
    "count": st.integers(1, 200),
    "name": texts,
    "value": texts,
    "expression": texts,
    "expressions": st.lists(texts, max_size=3),
    "timeout": st.integers(1, 200),
    "mode": st.sampled_from(["none", "uncaught", "all"]),
    "since": st.integers(-1, 100),
    "stream": st.sampled_from(["stdout", "stderr", "log", "nothing"]),
    "script": st.sampled_from(["0", "999999", "nothing"]),
    "to": st.fixed_dictionaries({"file": st.just("PROGRAM"), "line": st.integers(0, 30)}),
    "port": st.sampled_from([0, -1, 70000]),
    "pid": st.sampled_from([0, -1]),
    "websocket_url": st.sampled_from(["", "nothing", "http://127.0.0.1/"]),
    "program": st.sampled_from(["/no/such/file.js", ""]),
    "command": st.sampled_from(["", "'unclosed", "no-such-command-anywhere"]),
    "cwd": st.just("/no/such/folder"),
}
"""What an agent may give: right, nearly right, or wrong. Nothing of it starts, finds or signals another program."""
ALWAYS_GIVEN: Final = ("session_id", "cwd", "wait_ms")
"""Without these another session could be meant, something be started, or be waited for too long."""


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, Arguments]:
    """A tool with some of its arguments, now and then with one that is not of its kind."""
    name = draw(st.sampled_from(sorted(TOOLS)))
    properties = TOOLS[name].input_schema["properties"]
    known = sorted(properties.keys() & LIKELY.keys())
    chosen = draw(st.lists(st.sampled_from(known), unique=True, max_size=2)) if known else []
    required = TOOLS[name].input_schema.get("required", ())
    keys = dict.fromkeys(key for key in known if key in chosen or key in required or key in ALWAYS_GIVEN)
    arguments: Arguments = {key: draw(LIKELY[key]) for key in keys}
    if draw(st.integers(0, 9)) == 9:
        spoilt = draw(st.sampled_from([*(key for key in keys if key not in ALWAYS_GIVEN), "surprise"]))
        arguments[spoilt] = draw(nonsense)
    if name == "close_debug_session":
        arguments["session_id"] = draw(st.sampled_from(["s99", "", 7]))
    return name, arguments


def _filled_in(arguments: Arguments, followed: Followed) -> Arguments:
    text = json.dumps(arguments).replace('"PROGRAM"', json.dumps(str(followed.program.path)))
    filled: Arguments = json.loads(text.replace('"SESSION"', json.dumps(followed.session.id)))
    return filled


@holds
@given(made=st.lists(calls(), min_size=3, max_size=8))
def test_every_answer_has_a_status_and_a_result_or_an_error(scales: Endless, made: list[tuple[str, Arguments]]) -> None:
    """Every answer has status and result or error with code, message, details: whatever is called, in both channels."""
    for name, arguments in made:
        check_answer(name, call(scales, name, _filled_in(arguments, scales.followed)))
    _bring_back(scales)


def _bring_back(endless: Endless) -> None:
    """The program is there and does its work, whatever was asked of it."""
    call(endless, "set_pause_on_exceptions", {"session_id": endless.followed.session.id, "mode": "none"})
    assert endless.followed.pause().state is ProgramState.PAUSED
    endless.begin_turn()
    assert endless.followed.evaluate("rows.length").json == 5


# --- calls that cannot be served -----------------------------------------------------------------------------------


def _invalid(tool: str, /, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, Arguments]]:
    return st.tuples(st.just(tool), st.fixed_dictionaries(arguments))


_no_text: Final = st.text("()[]{}.,;+*", min_size=1, max_size=6).filter(lambda text: text not in ("[]", "{}"))
_no_id: Final = st.from_regex(r"\A(f|v|bp)?[5-9]\d{5}\Z") | st.just("nothing")
_program: Final = st.just("PROGRAM")
impossible: Final = st.one_of(
    _invalid("evaluate_expression", expression=st.just("turn"), frame=_no_id | st.integers(50, 999)),
    _invalid("get_variables", ref=_no_id),
    _invalid("get_variables", scope=st.text("xyz", min_size=1, max_size=4)),
    _invalid("set_variable", name=st.sampled_from(["nobody", "1", "turn +", "rows = 0; turn"]), value=st.just("1")),
    _invalid("set_variable", name=st.just("turn"), value=_no_text | st.just("nobody.knows")),
    _invalid("set_breakpoint", file=_program, line=st.integers(max_value=0)),
    _invalid("set_breakpoint", file=_program, line=st.just(9), condition=_no_text),
    _invalid("set_breakpoint", file=_program, line=st.just(9), hit_condition=_no_text),
    _invalid("set_breakpoint", file=_program, text=st.text("xyz", min_size=5, max_size=6)),
    _invalid("set_breakpoint", function=st.text("xyz", min_size=5, max_size=6)),
    _invalid("remove_breakpoint", breakpoint_id=_no_id),
    _invalid("toggle_breakpoint", breakpoint_id=_no_id),
    _invalid("continue_execution", to=st.fixed_dictionaries({"file": _program, "line": st.integers(min_value=60)})),
    _invalid("get_script_source", script=_no_id),
    _invalid("get_source_context", file=st.just("/no/such/file.js"), line=st.integers(1, 9)),
    _invalid("set_pause_on_exceptions", mode=st.text("xyz", min_size=1, max_size=4)),
    _invalid("set_watches", expressions=st.lists(st.just("turn"), min_size=21, max_size=22)),
)


@holds
@given(wrong=impossible)
def test_an_invalid_operation_never_harms_the_target(scales: Endless, wrong: tuple[str, Arguments]) -> None:
    """Invalid operations never crash the target: it is refused, and the program stands where it stood and goes on."""
    followed = scales.begin_turn()
    turn = followed.evaluate("turn").json
    where = stop_of(followed.state()).frames
    name, arguments = wrong
    answer = call(scales, name, _filled_in({**arguments, "session_id": "SESSION"}, followed))
    assert answer.is_error, answer.text
    check_answer(name, answer)
    assert stop_of(followed.state()).frames == where
    assert followed.ask(ListBreakpoints()) == ()
    assert followed.evaluate("[turn, rows.length]", by_value=True).json == [turn, 5]
    scales.run_to("turn")
    assert followed.evaluate("turn").json == (turn + 1) % 1000  # type: ignore[operator]


# --- two sessions --------------------------------------------------------------------------------------------------

Deed = Callable[[Endless], object]
deeds: Final[st.SearchStrategy[Deed]] = st.one_of(
    st.sampled_from(MARKS).map(lambda mark: lambda it: it.followed.breakpoint(mark)),
    st.just(lambda it: [it.followed.ask(ToggleBreakpoint(each.id)) for each in it.followed.ask(ListBreakpoints())]),
    st.sampled_from([StepKind.OVER, StepKind.INTO]).map(lambda kind: lambda it: it.followed.step(kind)),
    st.integers(0, 500).map(lambda number: lambda it: it.followed.ask(SetVariable("turn", str(number)))),
    st.just(lambda it: it.followed.ask(SetWatches(("turn", "sum")))),
    st.just(lambda it: it.followed.evaluate("no_such_name")),
    st.just(lambda it: it.begin_turn()),
)


@pytest.fixture(scope="module")
def pair(scales: Endless, start_endless: StartEndless) -> tuple[Endless, Endless]:
    """Two sessions of one file."""
    return scales, start_endless(SCALES, scales.followed.program.path.parent)


@holds
@given(done=st.lists(st.tuples(st.booleans(), deeds), min_size=2, max_size=6))
def test_two_sessions_never_affect_each_other(pair: tuple[Endless, Endless], done: list[tuple[bool, Deed]]) -> None:
    """Two sessions never affect each other: what is done in one changes nothing that can be seen in the other."""
    for endless in pair:
        endless.begin_turn()
    for is_first, deed in done:
        here, other = pair if is_first else (pair[1], pair[0])
        before = _all_of(other.followed)
        deed(here)
        assert _all_of(other.followed) == before


def _all_of(followed: Followed) -> tuple[StateReport, object, object]:
    return followed.session.last_report(), followed.ask(ListBreakpoints()), followed.evaluate("turn", frame=0).json
