"""A Node program that a session follows: one that was launched for it, or one that it attached to."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from server.cdp.attached_node import AttachedNode
from server.cdp.connection import WireMessage
from server.cdp.followed_node import FollowedNode
from server.cdp.inspector_link import ReadyToPart, WireEvent
from server.cdp.launched_node import InspectorLost, LaunchedNode, NodeEnded
from server.cdp.program_facts import ProgramFacts
from server.cdp.program_output import ProgramOutput
from server.debug.session_model import (
    Binding,
    BreakpointSpec,
    CallStack,
    ConnectionLost,
    DebuggeeEvent,
    Evaluation,
    FunctionSearch,
    PauseOnExceptions,
    ProgramEnded,
    ProgramInfo,
    ScriptInfo,
    StepKind,
    Stopped,
    Wrote,
)
from server.errors import (
    ConnectionFailedError,
    DeadlinePassed,
    DebugError,
    DisconnectedError,
    ProgramGoneError,
    RunInterrupted,
)
from server.process.process_events import OutputChunk

if TYPE_CHECKING:
    from server.cdp.inspector_link import InspectorLink
    from server.config import Settings
    from server.debug.inbox import Inbox
    from server.debug.model import SourceLine
    from server.debug.value import Page, Value, VariablePage

P = ParamSpec("P")
R = TypeVar("R")
log = logging.getLogger(__name__)

_FIRST_PAUSE_S = 2.0
"""How long a program that was started to wait for a debugger may take from there to its first line."""
_STDERR_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class _Begin:
    """Set aside in the inbox by `begin`, for `handle` to tell what comes of it."""

    stop_on_entry: bool


@dataclass(frozen=True, slots=True)
class _ReadyNews:
    """Set aside in the inbox where something is to be told that no other message brings up."""


def _at_the_seam(
    method: Callable[Concatenate[NodeDebuggee, P], R],
) -> Callable[Concatenate[NodeDebuggee, P], R]:
    """Beyond the seam nobody knows connections: one that broke means that the program is gone."""

    @wraps(method)
    def call(self: NodeDebuggee, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(self, *args, **kwargs)
        except DisconnectedError as error:
            raise ProgramGoneError(f"The program is gone, or its debugger: {error.reason}.") from error

    return call


def _is_report(message: WireMessage) -> bool:
    from cdp_protocol.generated import runtime

    return message.payload.get("method") == runtime.BindingCalled.METHOD


class NodeDebuggee:
    """Implements `server.debug.backend.Debuggee`. Belongs to the owner of its inbox."""

    def __init__(
        self,
        node: LaunchedNode | AttachedNode,
        inbox: Inbox,
        settings: Settings,
        *,
        title: str,
        roots: tuple[str, ...],
        on_end: Callable[[], None],
    ) -> None:
        self._node = node
        self._inbox = inbox
        self._settings = settings
        self._facts = ProgramFacts(title, node.pid, cwd=roots[0] if roots else None)
        self._roots = roots
        """The folders in which functions are looked for that are not loaded yet."""
        self._on_end = on_end
        self._output = ProgramOutput()
        self._followed: FollowedNode | None = None
        self._ready: deque[DebuggeeEvent] = deque()

    # --- life -----------------------------------------------------------------------------------------------------

    @_at_the_seam
    def connect(self) -> None:
        """Reach the debugger. A launched program is brought to its first pause, an attached one is not disturbed."""
        if isinstance(self._node, LaunchedNode):
            self._connect_launched(self._node)
        else:
            self._connect_attached(self._node)

    def begin(self, *, stop_on_entry: bool) -> None:
        """Let a launched program run; what comes of it is told by `handle`."""
        self._inbox.set_aside(_Begin(stop_on_entry))

    def handle(self, message: object) -> Iterable[DebuggeeEvent]:
        """What a message of the inbox means, in order."""
        try:
            self._take(message)
            self._take_reports_before_stop()
        except DisconnectedError as error:
            log.debug("the connection ended meanwhile, of which its own message tells: %s", error)
        events = tuple(self._ready)
        self._ready.clear()
        return events

    def info(self) -> ProgramInfo:
        """Which program this is, as far as that is known by now."""
        return self._facts.info(is_attached=isinstance(self._node, AttachedNode))

    def detach(self) -> None:
        """Leave the program running, with nothing of ours that would stop it."""
        try:
            if self._followed is not None:
                self._followed.leave()
        except (DebugError, RunInterrupted) as error:
            log.debug("the program did not confirm that it is left alone: %s", error)
        self._node.leave()
        self._on_end()

    def end(self) -> None:
        """End what was launched; leave what was not."""
        if isinstance(self._node, AttachedNode):
            self.detach()
            return
        self._node.end()
        self._on_end()

    def _connect_launched(self, node: LaunchedNode) -> None:
        link = self._bring_to_first_pause(node)
        if link is None:
            raise self._ended_early(node)
        self._facts.ask(link.connection)
        while not self._facts.are_known():
            self._take(self._inbox.next())

    def _bring_to_first_pause(self, node: LaunchedNode) -> InspectorLink | None:
        """None where the program ended on the way there."""
        try:
            link = node.connect(self._take)
            followed = self._follow(link, is_launched=True)
            link.enable()
            node.release(self._take, lambda: followed.is_paused)
        except DisconnectedError:
            node.await_gone(self._take)
            return None
        return link if followed.is_paused else None

    def _connect_attached(self, node: AttachedNode) -> None:
        from cdp_protocol.generated import runtime

        link = node.connect()
        followed = self._follow(link, is_launched=False)
        link.enable()
        enabled = link.connection.post(runtime.Enable())
        self._facts.ask(link.connection)
        while not enabled.settled:
            self._take(self._inbox.next())
        self._forget_earlier_output()
        while not self._facts.are_known():
            self._take(self._inbox.next())
        if link.connection.closed:
            raise ConnectionFailedError("The inspector broke the connection off before it said whose it is.")
        self._facts.refuse_other_process(node.pid)
        if not followed.has_run:
            link.release()  # nothing happens unless it waits for a debugger
            if self._facts.stops_at_start:
                self._await_entry()
        self._inbox.set_aside(_ReadyNews())

    def _forget_earlier_output(self) -> None:
        """V8 tells what was written to the console before anybody listened, and only then that it listens for us."""
        self._ready = deque(event for event in self._ready if not isinstance(event, Wrote))

    def _await_entry(self) -> None:
        """Wait until a program that was held stands at its first line, so that whoever attached is told so."""
        until = self._inbox.deadline.earlier(_FIRST_PAUSE_S)
        try:
            while not any(isinstance(event, Stopped) for event in self._ready):
                self._take(self._inbox.next(until))
        except DeadlinePassed:
            log.debug("the first line takes long to come; its stop is told when it does")

    def _follow(self, link: InspectorLink, *, is_launched: bool) -> FollowedNode:
        self._followed = FollowedNode(link.connection, self._settings, is_launched=is_launched)
        return self._followed

    def _ended_early(self, node: LaunchedNode) -> ProgramGoneError:
        written = "".join(one.text for one in self._ready if isinstance(one, Wrote) and one.stream == "stderr")
        how = "" if node.exit is None else f" (exit code {node.exit.code})"
        if node.exit is not None and node.exit.signal is not None:
            how = f" (killed by {node.exit.signal})"
        return ProgramGoneError(
            f"The program ended before its first line{how}.",
            advice=written[-_STDERR_CHARACTERS:].strip() or None,
        )

    # --- what the inbox brings -------------------------------------------------------------------------------------

    def _take(self, message: object) -> None:
        match message:
            case _Begin(stop_on_entry):
                self._ready.extend(self._connected().begin(stop_on_entry=stop_on_entry))
            case _ReadyNews():
                pass
            case _:
                self._take_news(message)

    def _take_reports_before_stop(self) -> None:
        """What breakpoints reported at a stop, while it was decided whether it is one, is told before it."""
        if not any(isinstance(event, Stopped) for event in self._ready):
            return
        told_last, self._ready = self._ready, deque()
        for report in self._inbox.take_now(WireMessage, _is_report):
            self._take(report)
        self._ready.extend(told_last)

    def _take_news(self, message: object) -> None:
        match self._node.note(message):
            case WireEvent() as event:
                # One by one: what was made of an event before its connection broke is told.
                for one in self._connected().take(event):
                    self._ready.append(one)
            case OutputChunk() as chunk:
                self._ready.extend(self._output.take(chunk))
            case ReadyToPart() if self._node.link is not None:
                self._node.link.part()
            case NodeEnded(exit_status):
                never_bound = () if self._followed is None else self._followed.breakpoints.news_at_end()
                self._ready.extend((*self._output.end(), *never_bound, ProgramEnded(exit_status)))
            case InspectorLost(reason):
                self._ready.append(ConnectionLost(reason))
            case _:
                pass

    def _connected(self) -> FollowedNode:
        assert self._followed is not None, "not connected"
        return self._followed

    # --- running --------------------------------------------------------------------------------------------------

    @_at_the_seam
    def resume(self) -> None:
        """Go on."""
        self._connected().resume()

    @_at_the_seam
    def run_to(self, place: SourceLine) -> Binding:
        """Go on to a line, where it has code; else stay."""
        return self._connected().run_to(place)

    @_at_the_seam
    def step(self, kind: StepKind, *, into_internals: bool) -> None:
        """Go one step."""
        self._connected().step(kind, into_internals=into_internals)

    @_at_the_seam
    def pause(self) -> None:
        """Stop as soon as the program does something."""
        self._connected().motion.pause()

    @_at_the_seam
    def set_pause_on_exceptions(self, mode: PauseOnExceptions) -> None:
        """At which exceptions to stop from now on."""
        self._connected().motion.set_pause_on_exceptions(mode)

    # --- breakpoints ----------------------------------------------------------------------------------------------

    @_at_the_seam
    def set_breakpoint(self, breakpoint_id: str, spec: BreakpointSpec) -> Binding:
        """Set one under a name of the session's."""
        return self._connected().breakpoints.set(breakpoint_id, spec)

    @_at_the_seam
    def remove_breakpoint(self, breakpoint_id: str) -> None:
        """Take one away; an unknown one is no mistake."""
        self._connected().breakpoints.remove(breakpoint_id)

    def hit_counts(self) -> Mapping[str, int]:
        """How often each breakpoint was hit."""
        return {} if self._followed is None else self._followed.breakpoints.hit_counts()

    @_at_the_seam
    def find_function(self, name: str, file: str | None) -> FunctionSearch:
        """Look for functions of a name."""
        return self._connected().sources.find_function(name, file, self._roots)

    # --- looking --------------------------------------------------------------------------------------------------

    @_at_the_seam
    def call_stack(self, *, include_async: bool) -> CallStack:
        """The whole stack."""
        return self._connected().call_stack(include_async=include_async)

    @_at_the_seam
    def variables(self, frame: int, scope: str | None, page: Page) -> VariablePage:
        """What a frame sees."""
        return self._connected().variables(frame, scope, page)

    @_at_the_seam
    def expand(self, handle: str, page: Page) -> VariablePage:
        """What is inside a value."""
        return self._connected().expand(handle, page)

    @_at_the_seam
    def evaluate(self, frame: int, evaluations: Iterable[Evaluation]) -> tuple[Value, ...]:
        """The values of expressions in a frame."""
        return self._connected().evaluate(frame, evaluations)

    @_at_the_seam
    def set_variable(self, frame: int, name: str, expression: str) -> Value:
        """Give a variable the value of an expression."""
        return self._connected().set_variable(frame, name, expression)

    @_at_the_seam
    def scripts(self) -> tuple[ScriptInfo, ...]:
        """Every script that was loaded so far."""
        return () if self._followed is None else self._followed.sources.scripts()

    @_at_the_seam
    def source(self, script_id: str) -> str:
        """The text of a script, as it runs."""
        return self._connected().sources.source(script_id)
