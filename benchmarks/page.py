"""docs/performance.md: what was measured, how, and what it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.finding import Finding, Scenario

_HEAD = """\
# Performance

Written by `make bench`; do not edit it. Every claim of this project about speed is a row here."""

_COMPARISON = """\
## How it is measured

In each round every way is timed once, one after the other, and every second round goes backwards; the first round is
thrown away. A ratio is made within a round, where the machine was equally busy for both sides. A table shows the median
of the rounds and, in parentheses, the quartiles: half of all rounds lie between them. A target counts as reached when
the median reaches it.

All ways use the same Node.js binary and the same program, `benchmarks/programs/count_to.js`, and bring the same values,
which are checked in each sample, where results are cut the first and the last ones and the number of hits: a wrong
answer ends the run. The client is two pipes and `json` of the standard
library (`benchmarks/pipe_client.py`), so that its own time hardly counts."""

_MEANING = """\
## What it means, and what it does not

- Ratios carry over to other machines far better than times do, so most times are left out. Hits/s and the milliseconds
  of calls of a session are absolute, because the promises about them are; they are those of this machine.
- The program is small. What a stop costs grows with the depth of the stack and the number of variables, since V8
  describes them all each time. A hit that is streamed pays none of that: V8 compiles and runs the expression there, and
  the value is sent. The size of the value that is brought home adds to both.
- The first two hits of a call are stops, and so is each hit of a call that asks for the stack.
- A program that does real work between hits is slowed down less than these numbers suggest; one that waits for
  sockets or timers hardly at all.
- Starting Node.js is most of a call with one hit, and most of what is added is V8's own: when debugging is switched on,
  it lists every script of the runtime. Any debugger pays for that. With a larger program the ratio shrinks, and so it
  does with Node.js 18 and 20, which start more slowly by themselves.
- A program that is debugged takes turns with its debugger, so a machine that is busy with other things (see its load)
  slows it down more than a plain run."""


_NOT_COMPILED_IN = Path(__file__).with_name("not_compiled_in.md")
"""A study that was made once; its numbers are not measured again."""


def performance_page(scenarios: Sequence[Scenario], facts: Mapping[str, str], rounds: int) -> str:
    """The whole page."""
    machine = [f"- {name}: {value}" for name, value in facts.items()]
    parts = [
        _HEAD,
        *(part for scenario in scenarios for part in _scenario_parts(scenario)),
        _COMPARISON,
        "\n".join([*machine, f"- Rounds: {rounds}"]),
        _MEANING,
        _NOT_COMPILED_IN.read_text("utf-8").rstrip(),
    ]
    return "\n\n".join(parts) + "\n"


def findings_table(findings: Sequence[Finding]) -> str:
    """The findings as a table of Markdown."""
    rows = [f"| {one.what} | {one.measured} | {one.target or '—'} | {_verdict(one)} |" for one in findings]
    return "\n".join(["| what | measured | target | reached |", "|---|---|---|---|", *rows])


def _scenario_parts(scenario: Scenario) -> list[str]:
    return [f"## {scenario.title}", findings_table(scenario.findings), scenario.method]


def _verdict(finding: Finding) -> str:
    if finding.reached is None:
        return "—"
    return "yes" if finding.reached else "**no**"
