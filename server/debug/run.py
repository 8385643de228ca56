"""One run from launch to end: the whole life of a `debug-script` request.

The calling thread becomes the owner of the run. It pulls from one inbox until one terminal outcome.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from server.debug.backend import Backend, Target
from server.debug.inbox import Inbox
from server.debug.model import Captured, Ended, Lost, Outcome, Placement, RunReport, ScriptRun
from server.debug.results import ResultStore
from server.errors import DeadlinePassed, DebugError, DisconnectedError, RunInterrupted
from server.process.process_events import ExitStatus

log = logging.getLogger(__name__)

EXPLAIN_S = 0.3
"""How long a run that is already over may go on asking its target for what explains its results, or their lack."""


def run_script(run: ScriptRun, backend: Backend, inbox: Inbox, results: ResultStore) -> RunReport:
    """Launch, connect, arm, release, collect, end; the program is gone when this returns or raises.

    Raises only while there are no results: from the first one on, whatever fails is told beside them.
    """
    try:
        target = backend.launch(run, inbox)
    except RunInterrupted as interruption:
        outcome = _interruption_to_outcome(interruption)
        return RunReport(outcome=outcome, results=results.snapshot(), placement=None, started=False)
    try:
        ending = _run_to_outcome(target, results)
        evaluating = target.evaluating
        inbox.extend(EXPLAIN_S)
        placement = _find_placement(target, search_nearby=results.hits == 0)
    finally:
        target.end()
    return RunReport(
        outcome=ending.outcome,
        results=results.snapshot(),
        placement=placement,
        exit=ending.exit,
        reason=ending.reason,
        stderr_tail=target.stderr_tail(),
        evaluating=evaluating,
    )


@dataclass(frozen=True, slots=True)
class _Ending:
    outcome: Outcome
    exit: ExitStatus | None = None
    reason: str | None = None


def _run_to_outcome(target: Target, results: ResultStore) -> _Ending:
    try:
        _start(target)
        while True:
            match target.next_event():
                case Captured(json_text):
                    results.add(json_text)
                case Ended(exit_status):
                    return _Ending(Outcome.PROGRAM_ENDED, exit=exit_status)
                case Lost(reason):
                    return _Ending(Outcome.CONNECTION_LOST, reason=reason)
    except RunInterrupted as interruption:
        return _Ending(_interruption_to_outcome(interruption))
    except Exception as error:
        if results.hits == 0:
            raise
        log.exception("the debugger failed after %d hits", results.hits)
        reason = str(error) if isinstance(error, DebugError) else f"{type(error).__name__}: {error}"
        return _Ending(Outcome.DEBUGGER_FAILED, reason=reason)


def _start(target: Target) -> None:
    try:
        target.connect()
        target.arm()
        target.release()
    except DisconnectedError:
        return  # why the program went away is the next event that it tells


def _find_placement(target: Target, *, search_nearby: bool) -> Placement | None:
    try:
        return target.describe_placement(search_nearby=search_nearby)
    except Exception:  # an explanation that cannot be had must not cost what it would explain
        log.exception("where the breakpoint is could not be found out")
        return None


def _interruption_to_outcome(interruption: RunInterrupted) -> Outcome:
    return Outcome.TIMED_OUT if isinstance(interruption, DeadlinePassed) else Outcome.CANCELLED
