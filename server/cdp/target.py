"""A program under Node's inspector, from its launch to its end."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from server.cdp.announcement import AnnouncementReader, Listening, NotListening, without_inspector_chatter
from server.cdp.capture import Capture
from server.cdp.connection import Connection, WireClosed, WireMessage
from server.cdp.inspector_flag import refuse_beyond_loopback
from server.cdp.line_breakpoint import LineBreakpoint
from server.cdp.mapped_scripts import MappedScripts, may_need_a_map
from server.cdp.pause import Pause, params_to_pause
from server.cdp.ports import port_in_use_error
from server.cdp.scripts import ScriptTable
from server.cdp.workers import Workers
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.model import Captured, Ended, Lost, Placement, RunEvent, ScriptRun
from server.errors import ConnectionFailedError, DeadlinePassed, DisconnectedError, RunInterrupted, TargetLaunchError
from server.process.output_tail import OutputTail
from server.process.process_events import ExitStatus, OutputChunk, ProcessExited, StreamEnded

if TYPE_CHECKING:
    from server.config import Settings
    from server.process.launched_process import LaunchedProcess

log = logging.getLogger(__name__)

_RELEASE_AGAIN_S = 0.05
"""Node 18 does not tell when it is ready to be released; a release that came too early is repeated."""
_EXIT_AFTER_LOSS_S = 2.0
"""How long a program may take to end after its inspector went away, before the connection counts as lost."""


class NodeTarget:
    """Implements `server.debug.backend.Target`. Belongs to the owner of its inbox."""

    def __init__(
        self,
        run: ScriptRun,
        process: LaunchedProcess,
        inbox: Inbox,
        settings: Settings,
        on_end: Callable[[], None],
    ) -> None:
        self._run = run
        self._process = process
        self._inbox = inbox
        self._settings = settings
        self._scripts = ScriptTable()
        self._stderr = OutputTail(settings.max_output_tail_bytes)
        self._on_end = on_end
        self._ready: deque[RunEvent] = deque()
        self._connection: Connection | None = None
        self._mapped: MappedScripts | None = None
        self._wire_is_open = True
        self._open_streams: set[str] = {"stdout", "stderr"}
        self._exit: ExitStatus | None = None
        self._parted = False
        self._lost_because = ""
        self._patience: Deadline | None = None
        self._has_paused = False
        process.start_pumps(inbox.put, name=str(process.pid))

    # --- the story of a run, in the order of the calls -------------------------------------------------

    def connect(self) -> None:
        """Wait for the inspector's address on standard error, and connect there."""
        url = self._await_announcement()
        refuse_beyond_loopback(url)
        self._connection = connection = self._open_connection(url)
        self._workers = Workers(connection)
        self._breakpoint = LineBreakpoint(connection, self._scripts, self._run.breakpoint)
        if may_need_a_map(self._run.breakpoint.file):
            self._mapped = MappedScripts(connection, self._scripts, self._breakpoint, self._run.breakpoint.file)
        self._capture = Capture(connection, self._breakpoint, self._scripts, self._run, self._settings.max_result_bytes)

    def arm(self) -> None:
        """Set the breakpoint by URL: it binds when the file loads, before its code runs."""
        from cdp_protocol.generated import debugger, node_runtime

        connection = self._connected()
        # All in one go: each answer that nobody waits for is a round trip saved.
        connection.post(node_runtime.Enable())
        # V8 would keep the text of every evaluation for ever, and slow down with their number.
        connection.post(debugger.Enable(max_scripts_cache_size=0))
        connection.post(node_runtime.NotifyWhenWaitingForDisconnect(enabled=True))
        self._workers.watch()
        if self._mapped is not None:
            self._mapped.arm()
        self._breakpoint.note_set(connection.wait(self._breakpoint.post()))

    def release(self) -> None:
        """Let the program go; returns at its first pause, or when it is over."""
        self._post_release()
        while not self._has_paused and not self._ready:
            try:
                self._handle(self._inbox.next(self._inbox.deadline.earlier(_RELEASE_AGAIN_S)))
            except DeadlinePassed:
                if self._inbox.deadline.passed:
                    raise
                self._post_release()

    def next_event(self) -> RunEvent:
        """Serve pauses until there is something to tell."""
        while not self._ready:
            try:
                self._handle(self._inbox.next(self._patience))
            except DeadlinePassed:
                if self._patience is None or self._inbox.deadline.passed:
                    raise
                self._ready.append(Lost(self._lost_because))
        return self._ready.popleft()

    @property
    def evaluating(self) -> bool:
        """Whether the expression is being evaluated in the program."""
        return self._connection is not None and self._capture.evaluating

    def describe_placement(self, *, search_nearby: bool) -> Placement:
        """Where the breakpoint is, or why it is nowhere."""
        if self._connection is None:
            return Placement(requested=self._run.breakpoint, debugger_reached=False)
        try:
            self._capture.look_whether_stuck()
            if search_nearby and not self._capture.evaluating:
                self._breakpoint.search_nearby()
        except RunInterrupted:
            log.debug("the target did not tell in time where code near the breakpoint is")
        placement = replace(
            self._breakpoint.placement(),
            unseen=tuple(self._unseen()),
            remarks=tuple(self._capture.remarks()),
            has_enough=self._capture.has_enough,
        )
        return placement if self._mapped is None else replace(placement, source_maps=self._mapped.verdict())

    def stderr_tail(self) -> str:
        """The end of standard error, without what node says of its inspector."""
        return without_inspector_chatter(self._stderr.text())

    def end(self) -> None:
        """Kill what still runs, close the connection, take in the last output."""
        self._process.end()
        if self._connection is not None:
            self._connection.close()
        for message in self._inbox.drain():
            if isinstance(message, OutputChunk):
                self._note_output(message)
        self._on_end()

    # --- how messages are handled: each either changes this state or makes an event ready ----------------

    def _await_announcement(self) -> str:
        reader = AnnouncementReader()
        while not self._ready:
            message = self._inbox.next()
            self._handle(message)
            if not isinstance(message, OutputChunk) or message.stream != "stderr":
                continue
            match reader.feed(message.data):
                case Listening(url):
                    return url
                case NotListening(address, reason):
                    raise _not_listening(address, reason)
                case None:
                    continue
        raise DisconnectedError("connect", "the program ended before its inspector was there")

    def _open_connection(self, url: str) -> Connection:
        try:
            return Connection.open(url, self._inbox, self._settings.max_message_bytes, name=str(self._process.pid))
        except ConnectionFailedError as error:
            # Whether that is because the program has just ended is known in a moment.
            self._note_wire_closed(error.message)
            raise DisconnectedError("connect", error.message) from error

    def _handle(self, message: object) -> None:
        match message:
            case WireMessage(connection, payload):
                # An answer that nobody waits for settles its call and is done with.
                if connection.settle(message) is None and "method" in payload:
                    self._handle_wire_event(payload["method"], payload.get("params") or {})
            case OutputChunk():
                self._note_output(message)
            case StreamEnded(stream):
                self._open_streams.discard(stream)
            case ProcessExited(status):
                self._exit = status
            case WireClosed(connection, reason):
                connection.settle(message)
                self._note_wire_closed(reason)
            case _:
                raise AssertionError(f"an unknown message: {message!r}")
        self._look_whether_over()

    def _handle_wire_event(self, method: str, params: dict[str, Any]) -> None:
        from cdp_protocol.events import decode_event
        from cdp_protocol.generated import debugger, node_runtime, node_worker, runtime

        if method == debugger.Paused.METHOD:
            self._handle_pause(params_to_pause(params))
            return
        if method == runtime.BindingCalled.METHOD:
            self._note(self._capture.note_report(str(params.get("payload", ""))))
            return
        if method == debugger.ScriptParsed.METHOD and not params.get("url"):
            return  # V8 reports what each evaluation compiles: one at every hit, of no interest to anybody
        match decode_event(method, params):
            case debugger.ScriptParsed() as parsed:
                self._scripts.add(parsed)
            case debugger.BreakpointResolved() as resolved:
                self._breakpoint.note_resolved(resolved)
            case node_runtime.WaitingForDebugger():
                self._post_release()
            case node_runtime.WaitingForDisconnect():
                self._part()
            case node_worker.AttachedToWorker() as attached:
                self._workers.note_attached(attached.session_id)
            case node_worker.ReceivedMessageFromWorker() as received:
                self._workers.note_message(received.session_id, received.message)
            case _:
                pass

    def _handle_pause(self, pause: Pause) -> None:
        """Capture at a hit, and go on from every pause: the program's own `debugger` statements too."""
        from cdp_protocol.generated import debugger

        self._has_paused = True
        connection = self._connected()
        self._capture.prepare(pause)
        if not self._breakpoint.is_among(pause.breakpoint_ids) and not self._bound_just_here(pause):
            self._capture.is_all_read = True
            connection.post(debugger.Resume())
            return
        # Not resumed before the value is here: what runs next may kill the program, and the value with it.
        self._note(self._capture.at_stop(pause))
        connection.post(debugger.Resume())

    def _note(self, captured: Captured | None) -> None:
        if captured is not None:
            self._ready.append(captured)

    def _bound_just_here(self, pause: Pause) -> bool:
        """Set the breakpoint through new source maps; whether that put it where the program stands already.

        V8 does not stop a second time there. That is the first statement of the program: ES modules are held
        before their first statement, other modules before they are compiled.
        """
        if self._mapped is None:
            return False
        was_here = self._breakpoint.is_at(pause)
        self._mapped.at_pause(pause)
        return not was_here and not pause.before_module and self._breakpoint.is_at(pause)

    def _post_release(self) -> None:
        from cdp_protocol.generated import runtime

        self._connected().post(runtime.RunIfWaitingForDebugger())

    def _part(self) -> None:
        """The program has run to its end, and node waits only for us to leave."""
        try:
            self._breakpoint.search_nearby()
        finally:
            self._parted = True
            self._connected().close()

    def _unseen(self) -> Iterator[str]:
        if self._workers.started:
            yield f"Worker threads started by the program: {self._workers.started}. Breakpoints do not stop in them."
        if self._exit is not None and self._exit.signal is not None and not self._capture.is_all_read:
            yield f"The program was killed by {self._exit.signal}: hits of its last moments may be missing."
        # A program that is killed takes its inspector along; one that ends by itself lets us part first.
        if self._exit is not None and self._exit.code is not None and not self._parted:
            yield "The program's inspector was closed before the program ended: what ran after that was not seen."

    def _note_output(self, chunk: OutputChunk) -> None:
        if chunk.stream == "stderr":
            self._stderr.add(chunk.data)

    def _note_wire_closed(self, reason: str) -> None:
        self._wire_is_open = False
        if not self._parted and self._exit is None:
            self._lost_because = reason
            self._patience = self._inbox.deadline.earlier(_EXIT_AFTER_LOSS_S)

    def _look_whether_over(self) -> None:
        """A program is over when it exited, its inspector is gone, and all its output has been read."""
        if self._exit is None or (self._connection is not None and self._wire_is_open):
            return
        # Descendants that still run hold the pipes open; they end with the program, like its last output.
        self._process.end()
        if not self._open_streams:
            self._ready.append(Ended(self._exit))

    def _connected(self) -> Connection:
        assert self._connection is not None, "not connected"
        return self._connection


def _not_listening(address: str, reason: str) -> TargetLaunchError:
    # Node goes on without its inspector, so the program would run unseen: the caller ends it.
    if "in use" in reason:
        return port_in_use_error(address)
    return TargetLaunchError(f"The inspector could not start on {address}: {reason}")
