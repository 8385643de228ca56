"""A debugger that breaks off, talks nonsense or says nothing: sessions are refused or lost, and nothing hangs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from server.debug import session_calls
from tests.fake_inspector import BINARY, CLOSE, CONTINUATION, TEXT, Behaviour, FakeInspector, Peer, frame_to_bytes, hang
from tests.integration.session_tools import SessionTools, ToolSession

WHO_IT_IS = {"result": {"type": "object", "value": ["v20.0.0", 1]}}
OWN_SCRIPT = {
    "scriptId": "7",
    "url": "file:///fake/program.js",
    "startLine": 0,
    "startColumn": 0,
    "endLine": 9,
    "endColumn": 0,
    "executionContextId": 1,
    "hash": "",
}
PAUSED = {
    "callFrames": [
        {
            "callFrameId": "1.1.0",
            "functionName": "work",
            "location": {"scriptId": "7", "lineNumber": 2, "columnNumber": 0},
            "url": OWN_SCRIPT["url"],
            "scopeChain": [{"type": "local", "object": {"type": "object", "objectId": "1.1.1"}}],
            "this": {"type": "undefined"},
        }
    ],
    "reason": "other",
    "hitBreakpoints": [],
}
Answer = Callable[[Peer, dict[str, Any]], None]


def answer_plainly(peer: Peer, command: dict[str, Any]) -> None:
    """Answer a command well enough for a session to begin."""
    if command["method"] == "Debugger.enable":
        peer.emit("Debugger.scriptParsed", OWN_SCRIPT)
    peer.answer(command, WHO_IT_IS if command["method"] == "Runtime.evaluate" else {})


def behave_until(method: str, then: Answer) -> Behaviour:
    """Behave well up to a command; each one like it is answered in another way."""

    def behave(peer: Peer) -> None:
        while peer.tcp.fileno() != -1:
            command = peer.read_command()
            (then if command["method"] == method else answer_plainly)(peer, command)

    return behave


def break_off_inside_the_answer(peer: Peer, command: dict[str, Any]) -> None:
    whole = frame_to_bytes(TEXT, b'{"id": %d, "result": {}}' % command["id"])
    peer.send_bytes(whole[:7])
    peer.reset()


def close_inside_the_answer(peer: Peer, command: dict[str, Any]) -> None:
    peer.send_frame(TEXT, b'{"id": %d, ' % command["id"], is_final=False)
    peer.send_frame(CLOSE, b"\x03\xe8")


def send_a_frame_that_continues_nothing(peer: Peer, _: dict[str, Any]) -> None:
    peer.send_frame(CONTINUATION, b"more")


def send_no_websocket_at_all(peer: Peer, _: dict[str, Any]) -> None:
    peer.send_bytes(b"HTTP/1.1 500 Internal Server Error\r\n\r\n" * 10)


BREAKS = [
    break_off_inside_the_answer,
    close_inside_the_answer,
    send_a_frame_that_continues_nothing,
    send_no_websocket_at_all,
]


def send_nonsense(peer: Peer, command: dict[str, Any]) -> None:
    """Whatever has the form of a frame, and not that of a message; then the answer."""
    peer.send_frame(TEXT, b"not json")
    peer.send_frame(TEXT, b"[1, 2, 3]")
    peer.send_frame(TEXT, b"\xff\xfe{}")
    peer.send_frame(BINARY, b"\x00\x01")
    peer.send_frame(TEXT, b"")
    peer.send_json({"id": 123_456, "result": {}})
    peer.send_json({"id": None, "error": "what?"})
    peer.send_json({"method": "Debugger.scriptParsed", "params": {"scriptId": {}, "url": 5}})
    peer.send_json({"method": "Debugger.breakpointResolved", "params": {"breakpointId": [], "location": "here"}})
    peer.send_json({"method": "Runtime.bindingCalled", "params": {"name": 1, "payload": {}}})
    peer.send_json({"method": "Runtime.consoleAPICalled", "params": {"type": None, "args": 3}})
    peer.send_json({"method": "No.suchEvent", "params": {}})
    answer_plainly(peer, command)


def say_nothing(_: Peer, __: dict[str, Any]) -> None:
    """Leave a command without an answer."""


def attach(tools: SessionTools, inspector: FakeInspector) -> ToolSession:
    opened = tools.call("connect_debugger", websocket_url=inspector.url)
    return ToolSession(tools, opened["session_id"], 0, opened)


@pytest.mark.parametrize("broken", BREAKS)
@pytest.mark.parametrize("method", ["Debugger.enable", "Runtime.evaluate"])
def test_a_connection_that_breaks_while_it_is_made_is_an_error_and_no_session(
    tools: SessionTools, broken: Answer, method: str
) -> None:
    with FakeInspector(behave_until(method, broken)) as inspector:
        assert tools.error_code("connect_debugger", websocket_url=inspector.url) == "CONNECTION_FAILED"
    assert tools.sessions.list() == ()


@pytest.mark.parametrize("broken", BREAKS)
def test_a_connection_that_breaks_inside_an_answer_loses_the_session_and_says_so(
    tools: SessionTools, broken: Answer
) -> None:
    with FakeInspector(behave_until("Debugger.setPauseOnExceptions", broken)) as inspector:
        session = attach(tools, inspector)
        assert session.error_code("set_pause_on_exceptions", mode="all") == "TARGET_EXITED"
        session.await_state("disconnected")
        assert session.error_code("pause_execution") == "TARGET_EXITED"
        assert session.call("get_output")["state"] == "disconnected"
        assert session.call("close_debug_session")["closed"]


def test_a_connection_that_breaks_answers_a_call_that_waits_for_a_stop(tools: SessionTools) -> None:
    with FakeInspector(behave_until("Debugger.pause", break_off_inside_the_answer)) as inspector:
        session = attach(tools, inspector)
        assert session.call("pause_execution", wait_ms=600_000)["state"] == "disconnected"


@pytest.mark.parametrize("method", ["Debugger.enable", "Runtime.evaluate", "Debugger.setPauseOnExceptions"])
def test_nonsense_between_answers_is_passed_over(tools: SessionTools, method: str) -> None:
    with FakeInspector(behave_until(method, send_nonsense)) as inspector:
        session = attach(tools, inspector)
        assert session.call("set_pause_on_exceptions", mode="all")["pause_on_exceptions"] == "all"
        assert session.call("close_debug_session")["closed"]


@pytest.mark.parametrize(
    "params",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"callFrames": []}, id="no frames"),
        pytest.param({"callFrames": [{}], "reason": 5}, id="an empty frame"),
        pytest.param({"callFrames": "all", "hitBreakpoints": {"a": 1}}, id="no list of frames"),
        pytest.param({**PAUSED, "hitBreakpoints": ["another's"]}, id="a breakpoint of somebody else"),
        pytest.param({**PAUSED, "reason": "exception", "data": 7}, id="an exception that is none"),
    ],
)
def test_a_pause_that_cannot_be_understood_neither_hangs_nor_ends_the_session(
    tools: SessionTools, params: dict[str, Any]
) -> None:
    def pause(peer: Peer, command: dict[str, Any]) -> None:
        peer.answer(command)
        peer.emit("Debugger.paused", params)

    with FakeInspector(behave_until("Debugger.pause", pause)) as inspector:
        session = attach(tools, inspector)
        answer = session.call("pause_execution", wait_ms=300)
        assert answer["state"] in ("running", "paused")
        session.both("get_variables")  # is answered, in one way or another
        assert session.call("list_breakpoints")["breakpoints"] == []
        assert session.call("close_debug_session")["closed"]


def test_a_debugger_that_never_answers_times_calls_out_and_can_be_left(
    tools: SessionTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_calls, "CALL_S", 0.3)
    with FakeInspector(behave_until("Debugger.setPauseOnExceptions", say_nothing)) as inspector:
        session = attach(tools, inspector)
        assert session.error_code("set_pause_on_exceptions", mode="all") == "TIMEOUT"
        assert session.call("list_breakpoints")["breakpoints"] == []
        assert session.call("close_debug_session")["closed"]


def test_a_debugger_that_does_not_shake_hands_is_given_up_when_the_client_cancels(tools: SessionTools) -> None:
    with FakeInspector(shake_hands=hang) as inspector:
        connecting = tools.begin("connect_debugger", websocket_url=inspector.url)
        connecting.cancel()
        assert connecting.answer()["status"] == "error"
    assert tools.sessions.list() == ()
