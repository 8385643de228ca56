"""One run that uses most of the protocol that has models: more than the server itself uses so far."""

from __future__ import annotations

from typing import Any

from cdp_protocol.generated import debugger, node_runtime, profiler, runtime
from server.cdp.announcement import AnnouncementReader, Listening
from server.cdp.connection import Connection, WireMessage
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.process.launcher import Launcher
from server.process.process_events import OutputChunk
from tests.recording.cases import ENVIRONMENT, PROGRAMS, RUN_S, marked_line
from tests.recording.recording_file import Recording
from tests.recording.sanitiser import Sanitiser
from tests.recording.tap import TappedInbox, tapped_sockets

NAME = "tour"
PROGRAM = "tour.js"


def record_tour(node: str, launcher: Launcher) -> Recording:
    """Take one Node.js through the program and keep what it said."""
    inbox = TappedInbox(Deadline.after(RUN_S))
    process = launcher.launch((node, "--inspect-brk=0", str(PROGRAMS / PROGRAM)), cwd=None, env=ENVIRONMENT)
    with tapped_sockets() as tap:
        try:
            process.start_pumps(inbox.put, NAME)
            connection = Connection.open(_announced_url(inbox), inbox, 1 << 26, NAME)
            try:
                _run_program(connection, inbox)
            finally:
                connection.close()
        finally:
            process.end()
    sanitiser = Sanitiser(node, str(PROGRAMS), PROGRAM)
    return Recording({"case": NAME}, sanitiser.clean(tap.in_one_order()))


def _announced_url(inbox: Inbox) -> str:
    reader = AnnouncementReader()
    while True:
        message = inbox.next()
        if isinstance(message, OutputChunk) and message.stream == "stderr":
            said = reader.feed(message.data)
            if isinstance(said, Listening):
                return said.url


def _run_program(connection: Connection, inbox: Inbox) -> None:
    connection.send(runtime.Enable())
    connection.send(debugger.Enable())
    connection.send(profiler.Enable())
    connection.send(node_runtime.NotifyWhenWaitingForDisconnect(enabled=True))
    connection.send(runtime.AddBinding(name="report"))
    connection.send(debugger.SetPauseOnExceptions(state="uncaught"))
    connection.send(debugger.SetAsyncCallStackDepth(max_depth=4))
    line = marked_line(PROGRAMS / PROGRAM, "sum")
    connection.send(debugger.SetBreakpointByUrl(line_number=line - 1, url_regex=r"tour\.js$"))
    connection.send(profiler.Start())
    connection.send(runtime.RunIfWaitingForDebugger())
    _wait_for(debugger.Paused.METHOD, inbox)
    connection.send(debugger.Resume())
    _inspect_frame(connection, _wait_for(debugger.Paused.METHOD, inbox)["callFrames"][0])
    connection.send(debugger.StepOver())
    _wait_for(debugger.Paused.METHOD, inbox)
    connection.send(debugger.Resume())
    _wait_for(debugger.Paused.METHOD, inbox)  # the error that nobody catches
    connection.send(profiler.Stop())
    connection.send(debugger.Resume())
    _wait_for(node_runtime.WaitingForDisconnect.METHOD, inbox)


def _inspect_frame(connection: Connection, frame: dict[str, Any]) -> None:
    """Ask what can be asked of a paused frame."""
    here = debugger.Location.model_validate(frame["location"])
    start = debugger.Location(script_id=here.script_id, line_number=0, column_number=0)
    connection.send(debugger.GetPossibleBreakpoints(start=start))
    connection.send(debugger.GetScriptSource(script_id=here.script_id))
    for expression in ("sum", "items", "missing", "report(String(sum))"):
        connection.send(
            debugger.EvaluateOnCallFrame(
                call_frame_id=frame["callFrameId"], expression=expression, generate_preview=True
            )
        )
    connection.send(runtime.GetProperties(object_id=frame["scopeChain"][0]["object"]["objectId"]))
    connection.send(runtime.Evaluate(expression="({ a: [1n, NaN] })", generate_preview=True))


def _wait_for(method: str, inbox: Inbox) -> dict[str, Any]:
    while True:
        message = inbox.next()
        if isinstance(message, WireMessage) and message.payload.get("method") == method:
            params: dict[str, Any] = message.payload["params"]
            return params
