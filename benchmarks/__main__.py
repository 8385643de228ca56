"""Measure everything in one interleaved run, write docs/performance.md, and fail when a target is missed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import call_time, hit_rate, long_run, machine, server_start, session_calls, session_start, tool_list
from benchmarks.finding import Scenario
from benchmarks.long_run import LongRun
from benchmarks.page import findings_table, performance_page
from benchmarks.samples import Samples, interleave
from benchmarks.ways import Hits, timers
from codegen.npm_package import NpmError
from server.process.executable import resolve_executable
from tests.node_matrix import installed_node

_ROUNDS = 11
_QUICK_ROUNDS = 3
_LONG_RUNS = 3
_QUICK_LONG_RUNS = 1
_SESSION_PASSES = 30
_QUICK_SESSION_PASSES = 5
_NODE_WITH_PROBE = 24
_PAGE = Path(__file__).parent.parent / "docs" / "performance.md"


@dataclass(frozen=True, slots=True)
class Measured:
    """All that scenarios are made of."""

    samples: Samples
    """Of the rounds, with so many hits."""
    hits: Hits
    long_runs: Sequence[LongRun]
    session_calls: Samples
    tool_list_bytes: int


def main() -> int:
    """Exit code 1 says that a target was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{_QUICK_ROUNDS} rounds instead of {_ROUNDS}")
    parser.add_argument("--output", type=Path, default=_PAGE, help="the page to write; docs/performance.md by default")
    options = parser.parse_args()
    rounds = _QUICK_ROUNDS if options.quick else _ROUNDS
    long_runs = _QUICK_LONG_RUNS if options.quick else _LONG_RUNS
    session_passes = _QUICK_SESSION_PASSES if options.quick else _SESSION_PASSES

    node = _choose_node()
    load_before = machine.load()
    hits = Hits()
    with timers(node, hits) as ways:
        samples = interleave(ways, rounds)
    scenarios = compare(
        Measured(
            samples,
            hits,
            long_run.measure(node, long_runs),
            session_calls.measure(node, session_passes),
            tool_list.measure(),
        )
    )
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(performance_page(scenarios, machine.facts(node, load_before), rounds), "utf-8")

    findings = [finding for scenario in scenarios for finding in scenario.findings]
    print(findings_table(findings))
    missed = [finding.what for finding in findings if finding.reached is False]
    if missed:
        print(f"Missed: {'; '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


def compare(measured: Measured) -> list[Scenario]:
    """Every scenario, in the order of the page."""
    return [
        call_time.scenario(measured.samples),
        hit_rate.scenario(measured.samples, measured.hits),
        long_run.scenario(measured.long_runs),
        session_start.scenario(measured.samples),
        session_calls.scenario(measured.session_calls),
        server_start.scenario(measured.samples),
        tool_list.scenario(measured.tool_list_bytes),
    ]


def _choose_node() -> str:
    """One binary for every way: one that has a probe of its own, or any where that cannot be had."""
    try:
        return installed_node(_NODE_WITH_PROBE)
    except NpmError as error:
        print(f"Node.js {_NODE_WITH_PROBE} could not be installed, so the usual one is taken: {error}", file=sys.stderr)
        return resolve_executable("node", None, None)


if __name__ == "__main__":
    sys.exit(main())
