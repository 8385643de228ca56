"""The fake inspector replays what was recorded, and a client that departs from it fails the test."""

from __future__ import annotations

import pytest

from cdp_protocol.base import CDPModel, Command
from cdp_protocol.generated import debugger, runtime
from server.errors import DisconnectedError
from tests.fake_inspector import replay
from tests.recording.recording_file import OUR_SOURCE, Message
from tests.unit.cdp.conversation import conversation

pytestmark = pytest.mark.usefixtures("nothing_left")

PAUSED: Message = {"event": "Debugger.paused", "params": {"reason": "other"}}
RESUME: Message = {"command": "Debugger.resume", "params": {}, "result": {}}


def evaluate(expression: str) -> Message:
    result = {"result": {"type": "number", "value": 1}}
    return {"command": "Runtime.evaluate", "params": {"expression": expression}, "result": result}


def test_events_and_answers_come_in_their_recorded_order() -> None:
    with conversation(replay([PAUSED, RESUME, PAUSED, evaluate("1")])) as talk:
        assert talk.next_payload()["method"] == "Debugger.paused"
        talk.connection.send(debugger.Resume())
        assert talk.connection.send(runtime.Evaluate(expression="1")).result.value == 1
        assert talk.next_payload()["method"] == "Debugger.paused"


def test_releases_may_come_as_often_as_they_like() -> None:
    with conversation(replay([RESUME])) as talk:
        talk.connection.send(runtime.RunIfWaitingForDebugger())
        talk.connection.send(debugger.Resume())
        talk.connection.send(runtime.RunIfWaitingForDebugger())


def test_long_source_of_our_own_stands_for_any_other() -> None:
    with conversation(replay([evaluate(OUR_SOURCE)])) as talk:
        talk.connection.send(runtime.Evaluate(expression="x" * 10_000))


def depart_from(recorded: list[Message], *commands: Command[CDPModel]) -> None:
    """Send commands of which the last one was not recorded, and wait until the inspector has had enough."""
    with conversation(replay(recorded)) as talk:
        *_, last = [talk.connection.post(command) for command in commands]
        with pytest.raises(DisconnectedError):
            talk.connection.wait(last)


def test_other_command_than_the_recorded_one_fails() -> None:
    with pytest.raises(AssertionError, match="make record"):
        depart_from([RESUME], debugger.StepOver())


def test_other_parameters_than_the_recorded_ones_fail() -> None:
    with pytest.raises(AssertionError, match="make record"):
        depart_from([evaluate("1")], runtime.Evaluate(expression="2"))


def test_command_behind_the_end_of_the_recording_fails() -> None:
    with pytest.raises(AssertionError, match="which was not recorded"):
        depart_from([RESUME], debugger.Resume(), debugger.Resume())


def test_client_that_leaves_before_the_end_of_the_recording_fails() -> None:
    with pytest.raises(AssertionError, match="the client left before"), conversation(replay([RESUME])):
        pass
