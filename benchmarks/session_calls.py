"""Scenario: how soon a step or an evaluation is answered while many sessions are open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum, auto

from benchmarks.finding import Finding, Scenario
from benchmarks.pipe_client import OUR_SERVER, PipeClient
from benchmarks.samples import Samples, Spread, spread
from benchmarks.session_client import SessionClient

SESSIONS = 10
MOST_MS = 15
_ENDLESS = 10**9
"""So many hits that no program comes to its end while it is stepped through."""
_METHOD = f"""\
{SESSIONS} sessions are open in one server, each stopped in a loop of its own program. In each pass every one of them is
stepped (`step_over`) and asked for a value (`evaluate_expression`), first in turn, each call after the answer to the
one before, then all {SESSIONS} at once. A time is that of the client, from the request to the whole answer: location,
source lines, frames and locals, in the case of a step. The program's own part, one line of a loop, is in it.
The median and the quartiles are those of all calls. These passes follow the rounds of the other scenarios.

All at once, the calls share the processors with each other and with {SESSIONS} programs, and one Python interpreter
serves them: each answer waits for work that is done for the others. The last rows divide the time from the first
request to the last answer by {SESSIONS}. That is what one of the calls costs then."""


class SessionWay(StrEnum):
    """A name for each thing that is timed."""

    STEP_IN_TURN = auto()
    EVALUATE_IN_TURN = auto()
    STEP_AT_ONCE = auto()
    EVALUATE_AT_ONCE = auto()


Act = Callable[[Sequence[str]], list[float]]


def measure(node: str, passes: int, sessions: int = SESSIONS) -> Samples:
    """The seconds of every call, pass by pass; one more pass, the first, is thrown away."""
    samples: Samples = {way: [] for way in SessionWay}
    with PipeClient(OUR_SERVER) as pipe:
        pipe.initialize()
        client = SessionClient(pipe, node)
        session_ids = [client.start(_ENDLESS) for _ in range(sessions)]
        _pass_once(client, session_ids)
        for _ in range(passes):
            for way, seconds in _pass_once(client, session_ids).items():
                samples[way].extend(seconds)
    return samples


def scenario(samples: Samples) -> Scenario:
    """What is typical of each kind of call."""
    findings = [
        _answered_within("`step_over`, in turn", samples[SessionWay.STEP_IN_TURN], MOST_MS),
        _answered_within("`evaluate_expression`, in turn", samples[SessionWay.EVALUATE_IN_TURN], MOST_MS),
        _answered_within(f"`step_over`, {SESSIONS} at once", samples[SessionWay.STEP_AT_ONCE]),
        _answered_within(f"`evaluate_expression`, {SESSIONS} at once", samples[SessionWay.EVALUATE_AT_ONCE]),
        _share("`step_over`", samples[SessionWay.STEP_AT_ONCE]),
        _share("`evaluate_expression`", samples[SessionWay.EVALUATE_AT_ONCE]),
    ]
    return Scenario(f"{SESSIONS} sessions side by side", _METHOD, findings)


def _pass_once(client: SessionClient, session_ids: Sequence[str]) -> Samples:
    return {
        SessionWay.STEP_IN_TURN: _in_turn(client.step, session_ids),
        SessionWay.EVALUATE_IN_TURN: _in_turn(client.evaluate, session_ids),
        SessionWay.STEP_AT_ONCE: client.step(session_ids),
        SessionWay.EVALUATE_AT_ONCE: client.evaluate(session_ids),
    }


def _in_turn(act: Act, session_ids: Sequence[str]) -> list[float]:
    return [seconds for session_id in session_ids for seconds in act([session_id])]


def _answered_within(what: str, seconds: Sequence[float], most_ms: int | None = None) -> Finding:
    times = _in_ms(seconds)
    if most_ms is None:
        return Finding(what, f"{times.text(1)} ms")
    return Finding(what, f"{times.text(1)} ms", target=f"at most {most_ms} ms", reached=times.median <= most_ms)


def _share(what: str, seconds: Sequence[float]) -> Finding:
    """Of the time from the first request to the last answer, which is the longest of a pass."""
    batches = [max(seconds[start : start + SESSIONS]) / SESSIONS for start in range(0, len(seconds), SESSIONS)]
    return Finding(f"{what}, {SESSIONS} at once, each one's share", f"{_in_ms(batches).text(1)} ms")


def _in_ms(seconds: Sequence[float]) -> Spread:
    return spread([one * 1000 for one in seconds])
