"""What Node.js 18 to 26 really sent fits the models as it is. `make record` records it again."""

from __future__ import annotations

import importlib
import logging
from pathlib import Path
from typing import Any

import pytest

from cdp_protocol.base import Command, Event
from cdp_protocol.events import decode_event
from cdp_protocol.generated import DOMAINS, debugger
from tests.recording.recording_file import RECORDINGS, Recording

PATHS = sorted(RECORDINGS.glob("*/*.jsonl"))
each_recording = pytest.mark.parametrize("path", PATHS, ids=[f"{path.parent.name}-{path.stem}" for path in PATHS])


def commands_by_method() -> dict[str, type[Command[Any]]]:
    modules = [importlib.import_module(f"cdp_protocol.generated.{name}") for name in DOMAINS.values()]
    members = [one for module in modules for one in vars(module).values() if isinstance(one, type)]
    return {one.METHOD: one for one in members if issubclass(one, Command) and hasattr(one, "METHOD")}


def test_there_is_a_recording_of_every_supported_node_version() -> None:
    assert sorted({path.parent.name for path in PATHS}) == ["node18", "node20", "node22", "node24", "node26"]


@each_recording
def test_recorded_events_decode_to_their_models_without_salvage(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    events = list(Recording.read(path).events())
    with caplog.at_level(logging.DEBUG, logger="cdp_protocol.salvage"):
        decoded = [decode_event(event["event"], event["params"]) for event in events]
    assert [one.METHOD for one in decoded if isinstance(one, Event)] == [event["event"] for event in events]
    assert caplog.messages == []


@each_recording
def test_recorded_answers_decode_to_their_models_without_salvage(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    commands = commands_by_method()
    answers = [answer for answer in Recording.read(path).answers() if "result" in answer]
    with caplog.at_level(logging.DEBUG, logger="cdp_protocol.salvage"):
        decoded = [commands[answer["command"]].decode_result(answer["result"]) for answer in answers]
    assert [type(one) for one in decoded] == [commands[answer["command"]].result_type() for answer in answers]
    assert caplog.messages == []


@each_recording
def test_the_first_pause_of_every_node_keeps_its_undocumented_reason(path: Path) -> None:
    paused = next(event for event in Recording.read(path).events() if event["event"] == debugger.Paused.METHOD)
    event = decode_event(paused["event"], paused["params"])
    assert isinstance(event, debugger.Paused)
    assert event.reason == "Break on start"


def test_recordings_hold_most_of_what_has_a_model() -> None:
    """Otherwise the tests above would say little."""
    messages = [message for path in PATHS for message in Recording.read(path).messages]
    assert {message["event"] for message in messages if "event" in message} >= {
        "Debugger.breakpointResolved",
        "Debugger.paused",
        "Debugger.resumed",
        "Debugger.scriptParsed",
        "NodeRuntime.waitingForDebugger",
        "NodeRuntime.waitingForDisconnect",
        "Runtime.bindingCalled",
        "Runtime.consoleAPICalled",
        "Runtime.exceptionThrown",
        "Runtime.executionContextCreated",
    }
    assert {message["command"] for message in messages if "result" in message} >= {
        "Debugger.evaluateOnCallFrame",
        "Debugger.getPossibleBreakpoints",
        "Debugger.getScriptSource",
        "Debugger.setBreakpointByUrl",
        "Debugger.stepOver",
        "Profiler.stop",
        "Runtime.evaluate",
        "Runtime.getProperties",
    }
