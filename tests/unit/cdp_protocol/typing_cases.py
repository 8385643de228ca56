"""Checked by type checkers, never run: see test_cdp_commands.py."""

from __future__ import annotations

from typing import TypeVar, assert_type

from cdp_protocol.base import CDPModel, Command, Empty
from cdp_protocol.events import UnknownEvent, decode_event
from cdp_protocol.generated import debugger, profiler, runtime

R = TypeVar("R", bound=CDPModel)


def send(command: Command[R]) -> R:
    return command.decode_result({})


evaluate = debugger.EvaluateOnCallFrame(call_frame_id="1", expression="x")
assert_type(send(evaluate), debugger.EvaluateOnCallFrameResult)
assert_type(send(runtime.Evaluate(expression="x")).result, runtime.RemoteObject)
assert_type(send(debugger.Resume()), Empty)
assert_type(send(profiler.Stop()).profile, profiler.Profile)
assert_type(runtime.GetProperties.decode_result({}), runtime.GetPropertiesResult)

match decode_event("Debugger.paused", {}):
    case debugger.Paused(call_frames=frames):
        assert_type(frames, list[debugger.CallFrame])
    case UnknownEvent(method=method):
        assert_type(method, str)
    case _:
        pass
