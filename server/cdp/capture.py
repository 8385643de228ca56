"""Captures the value of an expression at every hit of a breakpoint, in one of two ways.

*Stopping*: the program stands still, the expression is evaluated in its frame, the program goes on. What that costs is
V8's description of the whole stack at every stop.

*Streaming*: the breakpoint has a condition that evaluates the expression, reports it through a binding, and is false,
so that the program never stops. It costs the same whatever the stack is.

The first hit is always a stop: there it shows whether the texts are expressions at all (V8 takes a condition that does
not compile for one that is false). So is the second: most runs have one hit, and do not pay for what comes then. From
the third on the values are streamed, unless something asks for stops: the stack is wanted, the expression does not
compile, the script can run several times (V8 sets its breakpoint once more at each run, and asks each of them), the
runtime has no bindings.
"""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from server.cdp.abrupt_ends import stop_before_abrupt_ends
from server.cdp.hit_source import HitSource
from server.cdp.injection import Injection
from server.cdp.paused_capture import PausedCapture
from server.cdp.stack import pause_to_stack
from server.debug.model import Captured
from server.errors import DisconnectedError, ProtocolError

if TYPE_CHECKING:
    from server.cdp.connection import Connection
    from server.cdp.line_breakpoint import LineBreakpoint
    from server.cdp.pause import Pause
    from server.cdp.scripts import ScriptTable
    from server.debug.model import ScriptRun

log = logging.getLogger(__name__)

_STUCK = (
    "When the run ended the program answered nothing: evaluating the expression at one more hit did not end, or the"
    " program was where it cannot answer (native code, an empty loop)."
)
_STOPS_BEFORE_STREAMING = 2
_RESULT = "{"
_UNMET, _FAILED, _CATCH_UP, _ENOUGH = "unmet", "failed ", "catch up", "enough"


class Capture:
    """One for a run. Belongs to the owner of its connection."""

    def __init__(
        self,
        connection: Connection,
        line_breakpoint: LineBreakpoint,
        scripts: ScriptTable,
        run: ScriptRun,
        max_result_bytes: int,
    ) -> None:
        self._connection = connection
        self._breakpoint = line_breakpoint
        self._scripts = scripts
        self._run = run
        self._source = HitSource(run.expression, run.condition)
        self._paused = PausedCapture(connection, run.expression, run.condition)
        self._injection = Injection(connection, max_result_bytes)
        self._hits = 0
        self._stops = 0
        self._streams = False
        self._is_stuck = False
        self._announced_stop = False
        self.is_all_read = True
        """Whether the program stood still after its last report: then none can be missing."""
        self._condition_error: str | None = None
        self.evaluating = False
        """Whether the expression is being evaluated while the program stands still."""
        self._line_ran = False

    def prepare(self, pause: Pause) -> None:
        """Make the global scope in which the program stands ready for captures; does not wait."""
        left = 0 if self._run.max_hits is None else max(1, self._run.max_hits - self._hits)
        self._injection.prepare(pause.context_id, left, pause.outermost_frame_id)

    def at_stop(self, pause: Pause) -> Captured | None:
        """The program stands at the breakpoint: what that brings, before it goes on."""
        self._line_ran = True
        self.is_all_read = True
        if self._announced_stop:
            # Everything that was streamed before has been read by now, since there is one order.
            self._announced_stop = False
            return None
        self.evaluating = True
        report = self._paused.capture(pause.frame_id)
        self.evaluating = False
        captured = self._take(report)
        if captured is not None and self._run.include_stack:
            captured = _with_stack(captured, pause, self._scripts)
        self._stops += 1
        if self._stops == _STOPS_BEFORE_STREAMING:
            self._settle_on_a_way(pause)
        return captured

    def note_report(self, report: str) -> Captured | None:
        """Take what the program reported while it ran."""
        self.is_all_read = False
        return self._take(report)

    def _take(self, report: str) -> Captured | None:
        self._line_ran = True
        if report.startswith(_RESULT):
            return self._count(report)
        if report in (_CATCH_UP, _ENOUGH):
            self._announced_stop = True
        elif report.startswith(_FAILED):
            self._note_condition_error(report.removeprefix(_FAILED))
        return None

    def look_whether_stuck(self) -> None:
        """Ask a program that was given up for a sign of life: inside a condition it cannot give one."""
        from cdp_protocol.generated import runtime

        if not self._streams or self._connection.closed:
            return
        self._is_stuck = True
        with suppress(DisconnectedError, ProtocolError):
            self._connection.send(runtime.Evaluate(expression="0", silent=True, return_by_value=True))
        self._is_stuck = False

    def remarks(self) -> list[str]:
        """What of the condition helps to understand the results, or that there are none."""
        remarks: list[str] = []
        if self._is_stuck:
            remarks.append(_STUCK)
        if self._condition_error is not None:
            remarks.append(f"The condition threw at a hit, which does not count then: {self._condition_error}")
        elif self._run.condition is not None and self._line_ran and self._hits == 0:
            remarks.append("The line ran, but the condition was never true.")
        return remarks

    @property
    def has_enough(self) -> bool:
        """Whether as many hits were captured as are wanted."""
        return self._run.max_hits is not None and self._hits >= self._run.max_hits

    def _count(self, json_text: str) -> Captured | None:
        if self.has_enough:
            return None  # from a second global scope, which counts for itself
        self._hits += 1
        if self.has_enough:
            self._breakpoint.remove()
        return Captured(json_text)

    def _note_condition_error(self, json_text: str) -> None:
        """Keep the first one: each global scope of the program tells its own."""
        if self._condition_error is not None:
            return
        with suppress(ValueError, LookupError, TypeError):
            self._condition_error = str(json.loads(json_text)["value"])

    def _settle_on_a_way(self, pause: Pause) -> None:
        """How it is to be from the next hit on."""
        if self.has_enough:
            return
        script = self._scripts.get(pause.script_id)
        if not self._paused.compiles:
            log.debug("stops at every hit: the expression does not compile")
        elif script is not None and script.may_run_again:
            log.debug("stops at every hit: the script can run several times")
        elif not self._run.include_stack:
            self._breakpoint.set_condition(self._source.as_condition())
            stop_before_abrupt_ends(self._connection)
            self._streams = True
        elif (gate := self._source.as_gate()) is not None:
            self._breakpoint.set_condition(gate)
        else:
            log.debug("stops at every hit: the stack is wanted")


def _with_stack(captured: Captured, pause: Pause, scripts: ScriptTable) -> Captured:
    stack = json.dumps(pause_to_stack(pause, scripts))
    return Captured(f'{captured.json_text.removesuffix("}")},"stack":{stack}}}')
