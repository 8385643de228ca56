"""Scenario: how long one whole call takes, from request to answer, for a line that is hit once."""

from __future__ import annotations

from benchmarks.finding import Finding, Scenario
from benchmarks.samples import Samples, ratios
from benchmarks.ways import THINKING_S, VERY_DEEP, Way

MOST_TIMES_PLAIN = 2.5
_METHOD = f"""\
The program runs the line once. A time is that of the whole affair, as the one who asked sees it: start, debug, end,
answer; it is divided by that of plain `node script.js` in the same round. The warm server has answered calls before.
The first call comes {THINKING_S} s after a new server listed its tools, sooner than a model decides on one.
A line that is hit once is a stop; values are streamed from the third hit on."""


def scenario(samples: Samples) -> Scenario:
    """Compare each way of debugging with the program by itself."""
    warm = ratios(samples[Way.ONE_HIT], samples[Way.PLAIN])
    findings = [
        Finding(
            "`debug-script`, warm server",
            f"{warm.text(2)} times plain",
            target=f"at most {MOST_TIMES_PLAIN}",
            reached=warm.median <= MOST_TIMES_PLAIN,
        ),
        _times_plain(f"the same, {VERY_DEEP} calls deep", samples, Way.ONE_HIT_VERY_DEEP),
        _times_plain("`debug-script`, first call of a new server", samples, Way.FIRST_CALL),
        _times_plain("naive client", samples, Way.NAIVE_ONE_HIT),
        _times_plain("`node inspect --probe`", samples, Way.PROBE_ONE_HIT),
    ]
    return Scenario("One hit, against plain `node script.js`", _METHOD, findings)


def _times_plain(what: str, samples: Samples, way: Way) -> Finding:
    if way not in samples:
        return Finding(what, "not measured")
    return Finding(what, f"{ratios(samples[way], samples[Way.PLAIN]).text(2)} times plain")
