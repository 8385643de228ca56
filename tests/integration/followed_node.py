"""A real node that a test follows stop by stop, with the parts of a session that look at it and hold it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from server.cdp.announcement import AnnouncementReader, Listening
from server.cdp.connection import Connection, WireClosed, WireMessage
from server.cdp.inspection import Inspection
from server.cdp.pause import Pause, params_to_pause
from server.cdp.scripts import ScriptTable
from server.cdp.session_breakpoints import BreakpointVerdict, SessionBreakpoints
from server.cdp.session_injection import SessionInjection
from server.cdp.sources import Sources
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.model import SourceLine
from server.debug.session_model import Binding, Bound, BreakpointSpec, Evaluation, Logged
from server.debug.value import FIRST_PAGE, Page, Value, Variable, VariablePage
from server.process.launcher import Launcher
from server.process.process_events import OutputChunk
from tests.integration.script_debugger import Program
from tests.nodes import NODE

_PATIENCE_S = 60.0
_MAX_RESULT_BYTES = 64 * 1024


@dataclass
class FollowedNode:
    """Stands before its first line when it is made."""

    connection: Connection
    inbox: Inbox
    program: Program
    is_launched: bool
    scripts: ScriptTable = field(default_factory=ScriptTable)
    logged: list[Logged] = field(default_factory=list)
    bound: list[Bound] = field(default_factory=list)
    paused: tuple[Pause, BreakpointVerdict] | None = None
    stops: int = 0
    """How often it stood still, for whatever reason."""

    def __post_init__(self) -> None:
        injection = SessionInjection(self.connection, _MAX_RESULT_BYTES, is_launched=self.is_launched)
        self.breakpoints = SessionBreakpoints(self.connection, self.scripts, injection)
        self.inspection = Inspection(self.connection, injection)
        self.sources = Sources(self.connection, self.scripts)

    # --- running ------------------------------------------------------------------------------------------------

    def set(self, mark: str | int, breakpoint_id: str = "bp1", **how: Any) -> Binding:
        """Set a breakpoint at a marked line."""
        line = self.program.line(mark) if isinstance(mark, str) else mark
        return self.breakpoints.set(breakpoint_id, BreakpointSpec(SourceLine(str(self.program.path), line), **how))

    def begin(self) -> tuple[str, ...] | None:
        """Run to the first breakpoint, which may be where node stops by itself, before the first statement."""
        from cdp_protocol.generated import runtime

        self.connection.post(runtime.RunIfWaitingForDebugger())
        return self._serve() or self.go_on()

    def go_on(self) -> tuple[str, ...] | None:
        """Run to the next stop: the breakpoints that were hit there; None at the end of the program."""
        from cdp_protocol.generated import debugger

        self.inspection.forget_values()
        self.connection.post(debugger.Resume())
        return self._serve()

    def serve_until_stopped(self) -> tuple[str, ...] | None:
        """Let it run as it does to the next stop."""
        return self._serve()

    def leave(self) -> None:
        """Have it run as if nobody had been there."""
        from cdp_protocol.generated import debugger

        self.breakpoints.remove_all()
        self.connection.send(debugger.Resume())

    def stop_at(self, mark: str) -> None:
        """Begin, and stand at a marked line."""
        self.set(mark)
        assert self.begin() == ("bp1",)

    def _serve(self) -> tuple[str, ...] | None:
        """Handle messages until the program stands still for somebody's sake, or is over."""
        self.paused = None
        while True:
            message = self.inbox.next()
            if isinstance(message, WireClosed) and message.connection is self.connection:
                return None
            if not isinstance(message, WireMessage) or message.connection is not self.connection:
                continue
            if self.connection.settle(message) is not None:
                continue
            if self._handle(message.payload.get("method", ""), message.payload.get("params") or {}):
                return self.paused[1].ids if self.paused is not None else None

    def _handle(self, method: str, params: dict[str, Any]) -> bool:
        from cdp_protocol.events import decode_event
        from cdp_protocol.generated import debugger, node_runtime, runtime

        if method == debugger.Paused.METHOD:
            return self._handle_pause(params_to_pause(params))
        match decode_event(method, params):
            case debugger.ScriptParsed() as parsed:
                self.scripts.add(parsed)
            case debugger.BreakpointResolved() as resolved:
                self._note(self.breakpoints.note_resolved(resolved))
            case runtime.BindingCalled() as called:
                self._note(self.breakpoints.note_report(called.payload))
            case node_runtime.WaitingForDebugger():
                self.connection.post(runtime.RunIfWaitingForDebugger())
            case node_runtime.WaitingForDisconnect():
                return True
            case _:
                pass
        return False

    def _handle_pause(self, pause: Pause) -> bool:
        from cdp_protocol.generated import debugger

        self.stops += 1
        verdict = self.breakpoints.at_pause(pause)
        if not verdict.go_on:
            self.breakpoints.note_stop()
        self.bound.extend(verdict.bound)
        if verdict.go_on:
            self.connection.post(debugger.Resume())
            return False
        self.paused = (pause, verdict)
        return True

    def _note(self, told: Logged | Bound | None) -> None:
        if isinstance(told, Logged):
            self.logged.append(told)
        elif told is not None:
            self.bound.append(told)

    # --- looking --------------------------------------------------------------------------------------------------

    @property
    def pause(self) -> Pause:
        """Where it stands."""
        assert self.paused is not None, "the program runs"
        return self.paused[0]

    def evaluate(self, expression: str, frame: int = 0, **how: Any) -> Value:
        """The value of one expression."""
        (value,) = self.inspection.evaluate(self.pause, frame, [Evaluation(expression, **how)])
        return value

    def variables(self, frame: int = 0, scope: str | None = None, page: Page = FIRST_PAGE) -> VariablePage:
        """What a frame sees."""
        return self.inspection.variables(self.pause, frame, scope, page)

    def variable(self, name: str, frame: int = 0) -> Variable:
        """One of them."""
        (found,) = [one for one in self.variables(frame).variables if one.name == name]
        return found

    def inside(self, expression: str, **page: Any) -> VariablePage:
        """What is inside the value of an expression."""
        handle = self.evaluate(expression).handle
        assert handle is not None, f"{expression} has nothing inside"
        return self.inspection.expand(handle, Page(**page))


@contextmanager
def follow(launcher: Launcher, program: Program, *words: str) -> Generator[FollowedNode, None, None]:
    """Launch a program under node's inspector, up to before its first line; end it in every case."""
    inbox = Inbox(Deadline.after(_PATIENCE_S))
    with _launched(launcher, program, inbox, "--inspect-brk=0", *words) as url, _connected(url, inbox) as connection:
        yield FollowedNode(connection, inbox, program, is_launched=True)


@contextmanager
def run_unheld(launcher: Launcher, program: Program) -> Generator[tuple[str, Inbox], None, None]:
    """Let a program run, with an inspector to which `attach` can connect."""
    inbox = Inbox(Deadline.after(_PATIENCE_S))
    with _launched(launcher, program, inbox, "--inspect=0") as url:
        yield url, inbox


@contextmanager
def attach(url: str, inbox: Inbox, program: Program) -> Generator[FollowedNode, None, None]:
    """Connect to a program that runs, and leave it again."""
    with _connected(url, inbox) as connection:
        yield FollowedNode(connection, inbox, program, is_launched=False)


@contextmanager
def _launched(launcher: Launcher, program: Program, inbox: Inbox, flag: str, *words: str) -> Generator[str, None, None]:
    process = launcher.launch((NODE, flag, str(program.path), *words), cwd=None, env=None)
    try:
        process.start_pumps(inbox.put, name=str(process.pid))
        yield _announced_url(inbox)
    finally:
        process.end()


@contextmanager
def _connected(url: str, inbox: Inbox) -> Generator[Connection, None, None]:
    from cdp_protocol.generated import debugger, node_runtime

    connection = Connection.open(url, inbox, 256 * 1024 * 1024, name="followed")
    try:
        connection.post(node_runtime.Enable())
        connection.post(node_runtime.NotifyWhenWaitingForDisconnect(enabled=True))
        connection.send(debugger.Enable(max_scripts_cache_size=0))
        yield connection
    finally:
        connection.close()


def _announced_url(inbox: Inbox) -> str:
    reader = AnnouncementReader()
    while True:
        message = inbox.next()
        if isinstance(message, OutputChunk) and message.stream == "stderr":
            match reader.feed(message.data):
                case Listening(url):
                    return url
                case _:
                    continue
