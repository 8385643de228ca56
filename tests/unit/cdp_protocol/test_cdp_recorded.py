"""What Node.js 18 to 26 really sent fits the models as it is. Re-made by record_messages.py."""

from __future__ import annotations

import importlib
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from cdp_protocol.base import Command, Event
from cdp_protocol.events import decode_event
from cdp_protocol.generated import DOMAINS, debugger

RECORDINGS = sorted((Path(__file__).parent / "recorded").glob("*.jsonl"))
VERSIONS = [path.stem for path in RECORDINGS]


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def commands_by_method() -> dict[str, type[Command[Any]]]:
    modules = [importlib.import_module(f"cdp_protocol.generated.{name}") for name in DOMAINS.values()]
    members = [one for module in modules for one in vars(module).values() if isinstance(one, type)]
    return {one.METHOD: one for one in members if issubclass(one, Command) and hasattr(one, "METHOD")}


def test_there_is_a_recording_of_every_supported_node_version() -> None:
    assert VERSIONS == ["node18", "node20", "node22", "node24", "node26"]


@pytest.mark.parametrize("path", RECORDINGS, ids=VERSIONS)
def test_recorded_events_decode_to_their_models_without_salvage(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    events = [message for message in read(path) if "params" in message]
    with caplog.at_level(logging.DEBUG, logger="cdp_protocol.salvage"):
        decoded = [decode_event(event["method"], event["params"]) for event in events]
    assert [one.METHOD for one in decoded if isinstance(one, Event)] == [event["method"] for event in events]
    assert caplog.messages == []


@pytest.mark.parametrize("path", RECORDINGS, ids=VERSIONS)
def test_recorded_answers_decode_to_their_models_without_salvage(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    commands = commands_by_method()
    answers = [message for message in read(path) if "result" in message]
    with caplog.at_level(logging.DEBUG, logger="cdp_protocol.salvage"):
        decoded = [commands[answer["method"]].decode_result(answer["result"]) for answer in answers]
    assert [type(one) for one in decoded] == [commands[answer["method"]].result_type() for answer in answers]
    assert caplog.messages == []


@pytest.mark.parametrize("path", RECORDINGS, ids=VERSIONS)
def test_the_first_pause_of_every_node_keeps_its_undocumented_reason(path: Path) -> None:
    paused = next(message for message in read(path) if message["method"] == "Debugger.paused")
    event = decode_event(paused["method"], paused["params"])
    assert isinstance(event, debugger.Paused)
    assert event.reason == "Break on start"
    assert event.call_frames[0].location.line_number == 5
