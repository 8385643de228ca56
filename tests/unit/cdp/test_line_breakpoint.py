"""A breakpoint from the request to where V8 put it, with V8's part played by the fake inspector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cdp_protocol.generated import debugger
from server.cdp.line_breakpoint import LineBreakpoint
from server.cdp.pause import params_to_pause
from server.cdp.script_urls import file_to_url_pattern
from server.cdp.scripts import ScriptTable
from server.debug.model import Placement, SourceLine
from tests.fake_inspector import Peer
from tests.unit.cdp.conversation import Conversation, conversation

PLACE = SourceLine("/app/a.js", 3)
SCRIPT = {
    "scriptId": "7",
    "url": "file:///app/a.js",
    "startLine": 0,
    "startColumn": 0,
    "endLine": 19,
    "endColumn": 0,
    "executionContextId": 1,
    "hash": "0",
}


def location(line: int, column: int = 1, script_id: str = "7") -> dict[str, Any]:
    """A place as V8 tells it: its lines and columns begin at 0, ours at 1."""
    return {"scriptId": script_id, "lineNumber": line - 1, "columnNumber": column - 1}


def set_at(*locations: dict[str, Any], breakpoint_id: str = "bp:1") -> dict[str, Any]:
    return {"breakpointId": breakpoint_id, "locations": list(locations)}


class V8:
    """Answers with these results, one a command; None is a refusal."""

    def __init__(self, *results: dict[str, Any] | None) -> None:
        self._results = results

    def __call__(self, peer: Peer) -> None:
        for result in self._results:
            command = peer.read_command()
            if result is None:
                peer.send_json({"id": command["id"], "error": {"code": -32000, "message": "no"}})
            else:
                peer.answer(command, result)


def loaded(*scripts: dict[str, Any]) -> ScriptTable:
    table = ScriptTable()
    for script in scripts:
        table.add(debugger.ScriptParsed.model_validate(script))
    return table


def set_breakpoint(talk: Conversation, scripts: ScriptTable, place: SourceLine = PLACE) -> LineBreakpoint:
    line_breakpoint = LineBreakpoint(talk.connection, scripts, place)
    line_breakpoint.note_set(talk.connection.wait(line_breakpoint.post()))
    return line_breakpoint


def resolved(breakpoint_id: str, at: dict[str, Any]) -> debugger.BreakpointResolved:
    return debugger.BreakpointResolved.model_validate({"breakpointId": breakpoint_id, "location": at})


def pause_at(at: dict[str, Any]) -> Any:
    return params_to_pause({"callFrames": [{"callFrameId": "f", "location": at}]})


def test_breakpoint_is_asked_for_by_url_with_a_line_that_begins_at_zero() -> None:
    with conversation(V8(set_at())) as talk:
        set_breakpoint(talk, ScriptTable())
    assert [(command["method"], command["params"]) for command in talk.inspector.commands()] == [
        ("Debugger.setBreakpointByUrl", {"lineNumber": 2, "urlRegex": file_to_url_pattern("/app/a.js")})
    ]


def test_file_that_never_loads_is_told_with_its_namesakes() -> None:
    with conversation(V8(set_at())) as talk:
        line_breakpoint = set_breakpoint(talk, loaded({**SCRIPT, "url": "file:///app/lib/a.js"}))
        line_breakpoint.search_nearby()
        assert line_breakpoint.placement() == Placement(requested=PLACE, loaded_namesakes=("/app/lib/a.js",))
        assert not line_breakpoint.is_bound


def test_breakpoint_that_binds_at_once_is_where_the_answer_says() -> None:
    with conversation(V8(set_at(location(5, 3)))) as talk:
        line_breakpoint = set_breakpoint(talk, loaded(SCRIPT))
    assert line_breakpoint.placement() == Placement(requested=PLACE, file_loaded=True, bound_line=5)
    assert line_breakpoint.is_at(pause_at(location(5, 3)))
    assert not line_breakpoint.is_at(pause_at(location(5, 4)))
    assert not line_breakpoint.is_at(pause_at(location(5, 3, script_id="8")))


def test_breakpoint_that_binds_later_is_where_the_event_says() -> None:
    with conversation(V8(set_at())) as talk:
        line_breakpoint = set_breakpoint(talk, loaded(SCRIPT))
        line_breakpoint.note_resolved(resolved("somebody else's", location(1)))
        assert not line_breakpoint.is_bound
        line_breakpoint.note_resolved(resolved("bp:1", location(4)))
    assert line_breakpoint.placement().bound_line == 4


def test_file_loaded_twice_has_the_line_where_it_bound_first() -> None:
    with conversation(V8(set_at())) as talk:
        line_breakpoint = set_breakpoint(talk, loaded(SCRIPT, {**SCRIPT, "scriptId": "8"}))
        line_breakpoint.note_resolved(resolved("bp:1", location(3)))
        line_breakpoint.note_resolved(resolved("bp:1", location(3, script_id="8")))
    assert line_breakpoint.placement().bound_line == 3
    assert line_breakpoint.is_at(pause_at(location(3, script_id="8")))


@pytest.mark.parametrize(("hit", "is_ours"), [((), False), (("x",), False), (("x", "bp:1"), True)])
def test_hit_is_ours_when_our_id_is_among_those_hit(hit: Sequence[str], is_ours: bool) -> None:
    with conversation(V8(set_at())) as talk:
        assert set_breakpoint(talk, ScriptTable()).is_among(hit) == is_ours


def test_line_without_code_is_told_with_the_nearest_lines_that_have_some() -> None:
    possible = {"locations": [location(line) for line in (1, 2, 2, 5, 9, 12, 13, 14, 19)]}
    with conversation(V8(set_at(), possible)) as talk:
        line_breakpoint = set_breakpoint(talk, loaded(SCRIPT), SourceLine("/app/a.js", 11))
        line_breakpoint.search_nearby()
        line_breakpoint.search_nearby()  # asks once
    assert line_breakpoint.placement().nearest_lines == (5, 9, 12, 13, 14, 19)
    assert talk.inspector.commands()[1]["params"]["start"] == location(1)


def test_line_past_the_end_has_its_neighbours_at_the_end() -> None:
    with conversation(V8(set_at(), {"locations": [location(2), location(19)]})) as talk:
        line_breakpoint = set_breakpoint(talk, loaded(SCRIPT), SourceLine("/app/a.js", 5000))
        line_breakpoint.search_nearby()
    assert line_breakpoint.placement().nearest_lines == (2, 19)
    assert talk.inspector.commands()[1]["params"]["end"] == location(220)


def test_bound_breakpoint_needs_no_neighbours() -> None:
    with conversation(V8(set_at(location(3)))) as talk:
        set_breakpoint(talk, loaded(SCRIPT)).search_nearby()
    assert len(talk.inspector.commands()) == 1


def test_target_that_refuses_to_search_costs_only_the_hint() -> None:
    with conversation(V8(set_at(), None)) as talk:
        line_breakpoint = set_breakpoint(talk, loaded(SCRIPT))
        line_breakpoint.search_nearby()
    assert line_breakpoint.placement() == Placement(requested=PLACE, file_loaded=True)


def test_target_that_vanishes_during_the_search_costs_only_the_hint() -> None:
    def vanish(peer: Peer) -> None:
        peer.answer(peer.read_command(), set_at())
        peer.read_command()
        peer.tcp.close()

    with conversation(vanish) as talk:
        line_breakpoint = set_breakpoint(talk, loaded(SCRIPT))
        line_breakpoint.search_nearby()
        assert talk.connection.closed
        line_breakpoint.search_nearby()
    assert line_breakpoint.placement() == Placement(requested=PLACE, file_loaded=True)
