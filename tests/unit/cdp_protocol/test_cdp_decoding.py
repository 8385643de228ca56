"""Decoding keeps what a runtime sent as far as it can, and never raises."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cdp_protocol.base import Event, decode
from cdp_protocol.events import UnknownEvent, decode_event
from cdp_protocol.generated import debugger, profiler, runtime
from tests.recording.recording_file import RECORDINGS, Recording

LOCATION = {"scriptId": "12", "lineNumber": 3, "columnNumber": 2}
FRAME: dict[str, Any] = {
    "callFrameId": "f0",
    "functionName": "total",
    "location": LOCATION,
    "url": "file:///app/program.js",
    "scopeChain": [{"type": "local", "object": {"type": "object", "objectId": "1"}}],
    "this": {"type": "undefined"},
}
PAUSED: dict[str, Any] = {"callFrames": [FRAME], "reason": "other", "hitBreakpoints": ["bp"]}
SCRIPT_PARSED: dict[str, Any] = {
    "scriptId": "12",
    "url": "file:///app/program.js",
    "startLine": 0,
    "startColumn": 0,
    "endLine": 7,
    "endColumn": 0,
    "executionContextId": 1,
    "hash": "ab",
}


def test_a_pause_reason_outside_the_enum_is_kept() -> None:
    event = decode(debugger.Paused, {**PAUSED, "reason": "Break on start"})
    assert event.reason == "Break on start"


def test_script_parsed_without_build_id_decodes_plainly(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="cdp_protocol"):
        event = decode(debugger.ScriptParsed, SCRIPT_PARSED)
    assert event.build_id is None
    assert event.url == "file:///app/program.js"
    assert caplog.messages == []


@pytest.mark.parametrize("symbols", [{"type": "None"}, [{"type": "None"}]], ids=["node 22", "node 24"])
def test_debug_symbols_decode_in_the_shape_of_either_node(symbols: object) -> None:
    event = decode(debugger.ScriptParsed, {**SCRIPT_PARSED, "debugSymbols": symbols})
    expected = debugger.DebugSymbols(type="None")
    assert event.debug_symbols == ([expected] if isinstance(symbols, list) else expected)


def test_unknown_fields_are_ignored_at_every_depth() -> None:
    noisy = {**PAUSED, "future": 1, "callFrames": [{**FRAME, "future": {"deep": []}}]}
    assert decode(debugger.Paused, noisy) == decode(debugger.Paused, PAUSED)


def test_null_and_absent_values_are_told_apart() -> None:
    null = decode(runtime.RemoteObject, {"type": "object", "subtype": "null", "value": None})
    absent = decode(runtime.RemoteObject, {"type": "undefined"})
    assert ("value" in null.model_fields_set, "value" in absent.model_fields_set) == (True, False)


def test_a_bad_optional_field_is_dropped_and_the_rest_kept() -> None:
    event = decode(debugger.Paused, {**PAUSED, "hitBreakpoints": 7})
    assert event.hit_breakpoints is None
    assert "hit_breakpoints" not in event.model_fields_set
    assert event.call_frames == decode(debugger.Paused, PAUSED).call_frames


def test_a_missing_required_field_gets_the_neutral_value_of_its_type() -> None:
    assert decode(debugger.Location, {}) == debugger.Location.model_construct(script_id="", line_number=0)
    assert decode(debugger.Location, {}).model_fields_set == set()


def test_a_missing_required_model_is_made_of_neutral_values() -> None:
    result = decode(runtime.EvaluateResult, {"result": 5})
    assert isinstance(result.result, runtime.RemoteObject)
    assert (result.result.type, result.result.value) == ("", None)


def test_salvage_reaches_into_nested_models() -> None:
    broken = {
        **FRAME,
        "location": {**LOCATION, "lineNumber": "three", "columnNumber": 2},
        "functionName": None,
    }
    frame = decode(debugger.Paused, {**PAUSED, "callFrames": [broken]}).call_frames[0]
    assert (frame.location.script_id, frame.location.line_number, frame.location.column_number) == (
        "12",
        0,
        2,
    )
    assert (frame.function_name, frame.call_frame_id) == ("", "f0")


def test_an_item_that_is_no_model_is_dropped_from_its_list() -> None:
    event = decode(debugger.Paused, {**PAUSED, "callFrames": [None, FRAME, "frame"]})
    assert [frame.call_frame_id for frame in event.call_frames] == ["f0"]


def test_a_boolean_does_not_become_a_line_number_by_salvage() -> None:
    location = decode(debugger.Location, {"scriptId": 12, "lineNumber": True, "columnNumber": 4})
    assert type(location.line_number) is int
    assert (location.script_id, location.column_number) == ("", 4)


def test_strings_with_lone_surrogates_are_kept() -> None:
    result = decode(runtime.RemoteObject, {"type": "string", "value": "a\ud800b", "description": "a\ud800b"})
    assert (result.value, result.description) == ("a\ud800b", "a\ud800b")


def test_an_integer_is_kept_where_a_number_is_expected() -> None:
    profile = {"nodes": [], "startTime": 1, "endTime": 2, "samples": "none"}
    result = decode(profiler.StopResult, {"profile": profile})
    assert (result.profile.start_time, result.profile.samples) == (1, None)


def test_nesting_without_end_is_cut_off() -> None:
    trace: dict[str, Any] = {"callFrames": []}
    for _ in range(5000):
        trace = {"callFrames": [], "parent": trace}
    decoded: runtime.StackTrace | None = decode(runtime.StackTrace, trace)
    depth = 0
    while decoded is not None:
        depth, decoded = depth + 1, decoded.parent
    assert 32 < depth < 1000


def test_salvage_is_logged_with_the_fields_and_without_their_values(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="cdp_protocol.salvage"):
        decode(debugger.Location, {"scriptId": "1", "lineNumber": "secret"})
    assert caplog.messages == ["Location does not fit its model: lineNumber (int_parsing)"]


def test_a_known_event_decodes_to_its_model() -> None:
    event = decode_event("Debugger.paused", PAUSED)
    assert isinstance(event, debugger.Paused)
    assert event.call_frames[0].location.line_number == 3


@pytest.mark.parametrize(
    "method",
    [
        "Debugger.somethingNew",
        "Network.dataReceived",
        "Debugger.pause",
        "base.Event",
        "__init__.x",
        "paused",
        "",
    ],
)
def test_an_unknown_event_is_data(method: str) -> None:
    assert decode_event(method, {"a": 1}) == UnknownEvent(method, {"a": 1})


def test_importing_the_package_imports_neither_pydantic_nor_models() -> None:
    code = "import cdp_protocol, sys; print([m for m in sys.modules if 'pydantic' in m or 'generated' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_only_the_domain_of_the_event_is_imported() -> None:
    code = (
        "import sys; from cdp_protocol.events import decode_event\n"
        "def loaded(): return sorted(m for m in sys.modules if m.startswith('cdp_protocol.generated.'))\n"
        "before = loaded(); decode_event('NodeRuntime.waitingForDebugger', {}); print(before, loaded())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[] ['cdp_protocol.generated.node_runtime']\n"


RECORDED = [event for path in sorted(RECORDINGS.glob("*/tour.jsonl")) for event in Recording.read(path).events()]
ANY_SPEED = settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def containers(node: Any) -> list[Any]:
    """Every non-empty object and list in ``node``."""
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else []
    inner = [found for child in children for found in containers(child)]
    return [node, *inner] if children else inner


@st.composite
def mutated_events(draw: st.DrawFn) -> tuple[str, Any]:
    """A real event in which a few places were removed or replaced by anything."""
    event = json.loads(json.dumps(draw(st.sampled_from(RECORDED))))
    for _ in range(draw(st.integers(1, 4))):
        places = containers(event["params"])
        if not places:
            break
        place = draw(st.sampled_from(places))
        key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if draw(st.booleans()):
            del place[key]
        else:
            place[key] = draw(JSON_VALUES)
    return event["event"], event["params"]


@ANY_SPEED
@given(mutated_events())
def test_mutated_events_decode_to_their_model_and_never_raise(event: tuple[str, Any]) -> None:
    method, params = event
    decoded = decode_event(method, params)
    assert isinstance(decoded, Event)
    assert method == decoded.METHOD
    decoded.model_dump(mode="python", warnings="error")


@ANY_SPEED
@given(st.text(), JSON_VALUES)
def test_arbitrary_events_never_raise(method: str, params: Any) -> None:
    assert isinstance(decode_event(method, params), UnknownEvent)


@ANY_SPEED
@given(JSON_VALUES)
def test_arbitrary_payloads_decode_to_the_model_asked_for(payload: Any) -> None:
    assert isinstance(decode(runtime.EvaluateResult, payload), runtime.EvaluateResult)
