"""What a capture makes of reports and stops that no real program can be made to give."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from server.cdp.capture import Capture
from server.cdp.line_breakpoint import LineBreakpoint
from server.cdp.pause import Pause, params_to_pause
from server.cdp.scripts import ScriptTable
from server.debug.model import Captured, ScriptRun, SourceLine
from tests.fake_inspector import FakeInspector, Peer
from tests.unit.cdp.conversation import conversation

PLACE = SourceLine("/app/cart.js", 12)
RESULT = '{"type":"number","value":1}'
EVALUATED = {"result": {"type": "string", "value": RESULT}}
BREAKPOINT_ID = "1:11:0:file:///app/cart.js"
MAX_BYTES = 1000


def behave_like_v8(peer: Peer) -> None:
    """Answer every command, but have no bindings."""
    while True:
        command = peer.read_command()
        match command["method"]:
            case "Runtime.addBinding":
                peer.send_json({"id": command["id"], "error": {"code": -32601, "message": "wasn't found"}})
            case "Debugger.evaluateOnCallFrame" if command["params"]["expression"].startswith("try"):
                peer.answer(command, EVALUATED)
            case "Debugger.setBreakpointByUrl":
                peer.answer(command, {"breakpointId": BREAKPOINT_ID, "locations": []})
            case _:
                peer.answer(command, {"result": {"type": "undefined"}})


@contextmanager
def capturing(**options: Any) -> Iterator[tuple[Capture, FakeInspector]]:
    """A capture whose breakpoint is set."""
    with conversation(behave_like_v8) as talk:
        scripts = ScriptTable()
        line = LineBreakpoint(talk.connection, scripts, PLACE)
        line.note_set(talk.connection.wait(line.post()))
        run = ScriptRun(argv=("node",), breakpoint=PLACE, expression="n", **options)
        yield Capture(talk.connection, line, scripts, run, MAX_BYTES), talk.inspector


def stop() -> Pause:
    frame = {"callFrameId": "frame-1", "location": {"scriptId": "1", "lineNumber": 11, "columnNumber": 0}}
    return params_to_pause({"callFrames": [frame], "reason": "other", "hitBreakpoints": [BREAKPOINT_ID]})


def methods_of(inspector: FakeInspector) -> list[str]:
    return [command["method"] for command in inspector.commands()]


def test_runtime_without_bindings_goes_on_to_be_captured_at_its_stops() -> None:
    with capturing() as (capture, _):
        for _hit in range(3):
            capture.prepare(stop())
            assert capture.at_stop(stop()) == Captured(RESULT)


@pytest.mark.parametrize("report", ["", "nonsense", "failed", "failed ", "failed nonsense", "failed {}", "failed []"])
def test_report_that_means_nothing_is_no_hit(report: str) -> None:
    with capturing(condition="n > 1") as (capture, _):
        assert capture.note_report(report) is None
        assert capture.note_report(RESULT) == Captured(RESULT)


@pytest.mark.parametrize("word", ["catch up", "enough"])
def test_stop_that_was_announced_is_no_hit_and_evaluates_nothing(word: str) -> None:
    with capturing() as (capture, inspector):
        assert capture.note_report(word) is None
        assert capture.at_stop(stop()) is None
        assert capture.at_stop(stop()) == Captured(RESULT)
    # The text is checked and evaluated, at the second stop alone.
    assert methods_of(inspector).count("Debugger.evaluateOnCallFrame") == 2


def test_hits_beyond_the_wanted_ones_are_dropped_and_the_breakpoint_is_taken_away_once() -> None:
    with capturing(max_hits=2) as (capture, inspector):
        assert [capture.note_report(RESULT) for _ in range(4)] == [Captured(RESULT)] * 2 + [None] * 2
        assert capture.has_enough
    assert methods_of(inspector).count("Debugger.removeBreakpoint") == 1


def test_first_error_of_a_condition_is_what_is_told() -> None:
    with capturing(condition="x") as (capture, _):
        for name in ("first", "second"):
            capture.note_report(f'failed {{"type":"error","value":"{name}"}}')
        assert capture.remarks() == ["The condition threw at a hit, which does not count then: first"]
