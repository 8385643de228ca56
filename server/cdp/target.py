"""A program under Node's inspector, from its launch to its end."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from server.cdp.announcement import without_inspector_chatter
from server.cdp.capture import Capture
from server.cdp.inspector_link import ReadyToPart, WireEvent
from server.cdp.launched_node import InspectorLost, LaunchedNode, NodeEnded
from server.cdp.line_breakpoint import LineBreakpoint
from server.cdp.mapped_scripts import MappedScripts, may_need_a_map
from server.cdp.pause import Pause, params_to_pause
from server.cdp.scripts import ScriptTable
from server.debug.inbox import Inbox
from server.debug.model import Captured, Ended, Lost, Placement, RunEvent, ScriptRun
from server.errors import RunInterrupted
from server.process.output_tail import OutputTail
from server.process.process_events import OutputChunk

if TYPE_CHECKING:
    from server.cdp.connection import Connection
    from server.cdp.inspector_link import InspectorLink
    from server.config import Settings
    from server.process.launched_process import LaunchedProcess

log = logging.getLogger(__name__)


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
        self._node = LaunchedNode(process, inbox, settings.max_message_bytes)
        self._inbox = inbox
        self._settings = settings
        self._scripts = ScriptTable()
        self._stderr = OutputTail(settings.max_output_tail_bytes)
        self._on_end = on_end
        self._ready: deque[RunEvent] = deque()
        self._mapped: MappedScripts | None = None
        self._has_paused = False

    # --- the story of a run, in the order of the calls -------------------------------------------------

    def connect(self) -> None:
        """Wait for the inspector's address on standard error, and connect there."""
        connection = self._node.connect(self._handle).connection
        self._breakpoint = LineBreakpoint(connection, self._scripts, self._run.breakpoint)
        if may_need_a_map(self._run.breakpoint.file):
            self._mapped = MappedScripts(connection, self._scripts, self._breakpoint, self._run.breakpoint.file)
        self._capture = Capture(connection, self._breakpoint, self._scripts, self._run, self._settings.max_result_bytes)

    def arm(self) -> None:
        """Set the breakpoint by URL: it binds when the file loads, before its code runs."""
        # All in one go: each answer that nobody waits for is a round trip saved.
        self._link.enable()
        if self._mapped is not None:
            self._mapped.arm()
        self._breakpoint.note_set(self._connection.wait(self._breakpoint.post()))

    def release(self) -> None:
        """Let the program go; returns at its first pause, or when it is over."""
        self._node.release(self._handle, lambda: self._has_paused)

    def next_event(self) -> RunEvent:
        """Serve pauses until there is something to tell."""
        while not self._ready:
            self._handle(self._inbox.next())
        return self._ready.popleft()

    @property
    def evaluating(self) -> bool:
        """Whether the expression is being evaluated in the program."""
        return self._node.link is not None and self._capture.evaluating

    def describe_placement(self, *, search_nearby: bool) -> Placement:
        """Where the breakpoint is, or why it is nowhere."""
        if self._node.link is None:
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
        self._node.end()
        for message in self._inbox.drain():
            if isinstance(message, OutputChunk):
                self._note_output(message)
        self._on_end()

    # --- how messages are handled: each either changes this state or makes an event ready ----------------

    def _handle(self, message: object) -> None:
        match self._node.note(message):
            case WireEvent(method, params):
                self._handle_wire_event(method, params)
            case OutputChunk() as chunk:
                self._note_output(chunk)
            case ReadyToPart():
                self._part()
            case NodeEnded(exit_status) if exit_status is not None:
                self._ready.append(Ended(exit_status))
            case InspectorLost(reason):
                self._ready.append(Lost(reason))
            case _:
                pass

    def _handle_wire_event(self, method: str, params: dict[str, Any]) -> None:
        from cdp_protocol.events import decode_event
        from cdp_protocol.generated import debugger, runtime

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
            case _:
                pass

    def _handle_pause(self, pause: Pause) -> None:
        """Capture at a hit, and go on from every pause: the program's own `debugger` statements too."""
        from cdp_protocol.generated import debugger

        self._has_paused = True
        connection = self._connection
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

    def _part(self) -> None:
        """The program has run to its end, and node waits only for us to leave."""
        try:
            self._breakpoint.search_nearby()
        finally:
            self._link.part()

    def _unseen(self) -> Iterator[str]:
        if workers := self._link.workers.started:
            yield f"Worker threads started by the program: {workers}. Breakpoints do not stop in them."
        ended = self._node.exit
        if ended is not None and ended.signal is not None and not self._capture.is_all_read:
            yield f"The program was killed by {ended.signal}: hits of its last moments may be missing."
        # A program that is killed takes its inspector along; one that ends by itself lets us part first.
        if ended is not None and ended.code is not None and not self._node.is_parted:
            yield "The program's inspector was closed before the program ended: what ran after that was not seen."

    def _note_output(self, chunk: OutputChunk) -> None:
        if chunk.stream == "stderr":
            self._stderr.add(chunk.data)

    @property
    def _link(self) -> InspectorLink:
        assert self._node.link is not None, "not connected"
        return self._node.link

    @property
    def _connection(self) -> Connection:
        return self._link.connection
