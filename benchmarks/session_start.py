"""Scenario: how long it takes until a program stands still under an agent's hands."""

from __future__ import annotations

from benchmarks.finding import Finding, Scenario
from benchmarks.samples import Samples, ratios
from benchmarks.ways import Way

MOST_TIMES_PLAIN = 2.5
_METHOD = """\
From the call of `start_debugging`, with a breakpoint, to its answer, the stop there with source lines, frames and
locals. The server is warm. It is divided by the whole time of plain `node script.js` in the same round, from its start
to its end. Closing the session afterwards is not counted."""


def scenario(samples: Samples) -> Scenario:
    """Compare the way to the first stop with the program by itself."""
    times_plain = ratios(samples[Way.FIRST_STOP], samples[Way.PLAIN])
    finding = Finding(
        "`start_debugging` to the first stop",
        f"{times_plain.text(2)} times plain",
        target=f"at most {MOST_TIMES_PLAIN}",
        reached=times_plain.median <= MOST_TIMES_PLAIN,
    )
    return Scenario("The first stop of a session, against plain `node script.js`", _METHOD, [finding])
