"""Scenario: a run of many hits, which must not become slow with their number."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from benchmarks.counting_program import EXPRESSION_WITH_TENTHS, check_kept_values
from benchmarks.finding import Finding, Scenario
from benchmarks.pipe_client import OUR_SERVER, Debugging, PipeClient
from benchmarks.samples import spread

HITS = 100_000
LEAST_LAST_TO_FIRST = 0.5
_METHOD = f"""\
One call with {HITS:,} hits. The program itself tells when each tenth of them began: the speed of the last tenth is
divided by that of the first one of the same run. The rate is that of the whole call, launch and answer included. Of so
many results the first and the last are kept; these are checked, and so is the number of hits. These runs follow the
rounds of the other scenarios."""


@dataclass(frozen=True, slots=True)
class LongRun:
    """One run: how long the whole call took, and the tenths of its hits by the program's own clock."""

    whole_s: float
    tenths_ms: tuple[float, ...]

    @property
    def last_to_first(self) -> float:
        """How fast the last tenth was, as a multiple of the first one's speed."""
        return self.tenths_ms[0] / self.tenths_ms[-1]


def measure(node: str, runs: int, hits: int = HITS) -> list[LongRun]:
    """Do so many runs with one warm server."""
    with PipeClient(OUR_SERVER) as warm:
        warm.initialize()
        warm.debug(Debugging(node, 1))
        return [_measure_once(warm, node, hits) for _ in range(runs)]


def scenario(runs: Sequence[LongRun]) -> Scenario:
    """What the runs have in common."""
    rate = spread([HITS / run.whole_s for run in runs])
    last_to_first = spread([run.last_to_first for run in runs])
    findings = [
        Finding(f"`debug-script`, {HITS:,} hits, whole call", f"{rate.text(0)} hits/s"),
        Finding(
            "speed of the last tenth",
            f"{last_to_first.text(2)} times the first",
            target=f"at least {LEAST_LAST_TO_FIRST}",
            reached=last_to_first.median >= LEAST_LAST_TO_FIRST,
        ),
    ]
    return Scenario(f"{HITS:,} hits", _METHOD, findings)


def _measure_once(warm: PipeClient, node: str, hits: int) -> LongRun:
    began = time.perf_counter()
    answer = warm.ask(Debugging(node, hits, expression=EXPRESSION_WITH_TENTHS))
    whole_s = time.perf_counter() - began
    *values, times_ms = answer.values
    check_kept_values(values, hits - 1, min(answer.kept_first, hits - 1))
    return LongRun(whole_s, tuple(end - begin for begin, end in pairwise(times_ms)))
