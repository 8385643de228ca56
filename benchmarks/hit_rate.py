"""Scenario: how many hits a second are evaluated, each one a pause of the program."""

from __future__ import annotations

from benchmarks.finding import Finding, Scenario
from benchmarks.samples import Samples, further_hit_rates, ratios, spread
from benchmarks.ways import FEW_HITS, MANY_HITS, Way

LEAST_HITS_A_SECOND = 400
LEAST_TIMES_NAIVE = 20
_METHOD = f"""\
The same program hits the line {MANY_HITS:,} times for `debug-script` and {FEW_HITS} times for the others, which are
too slow for more. The rate of a whole call is its hits divided by its whole time, launch and answer included. The
rate of further hits leaves those out: it is the hits after the first, divided by how much longer the call took than one
with a single hit in the same round. Ways are compared by their further hits. Every hit is a real pause of the program
in all of them, and every value is checked.

The naive client is websocket-client as it comes, waiting for the answer to each command (`benchmarks/naive_client.py`).
Node sends each answer in two small packets; where its Nagle algorithm meets the other side's delayed acknowledgement,
every command takes about 40 ms. `debug-script` acknowledges at once. The ratio is that large only on systems that delay
acknowledgements, as Linux does."""


def scenario(samples: Samples) -> Scenario:
    """Compare the rates of hits."""
    whole = spread([MANY_HITS / seconds for seconds in samples[Way.WARM_MANY_HITS]])
    ours = further_hit_rates(samples[Way.WARM_MANY_HITS], samples[Way.WARM_ONE_HIT], MANY_HITS)
    naive = further_hit_rates(samples[Way.NAIVE_FEW_HITS], samples[Way.NAIVE_ONE_HIT], FEW_HITS)
    times_naive = ratios(ours, naive)
    findings = [
        Finding(
            "`debug-script`, whole call",
            f"{whole.text(0)} hits/s",
            target=f"at least {LEAST_HITS_A_SECOND}",
            reached=whole.median >= LEAST_HITS_A_SECOND,
        ),
        Finding("`debug-script`, further hits", f"{spread(ours).text(0)} hits/s"),
        Finding("naive client, further hits", f"{spread(naive).text(0)} hits/s"),
        Finding(
            "`debug-script` against the naive client",
            f"{times_naive.text(0)} times as many",
            target=f"at least {LEAST_TIMES_NAIVE}",
            reached=times_naive.median >= LEAST_TIMES_NAIVE,
        ),
        *_against_probe(ours, samples),
    ]
    return Scenario("Many hits", _METHOD, findings)


def _against_probe(ours: list[float], samples: Samples) -> list[Finding]:
    what = "`node inspect --probe`, further hits"
    if Way.PROBE_FEW_HITS not in samples:
        return [Finding(what, "not measured")]
    probe = further_hit_rates(samples[Way.PROBE_FEW_HITS], samples[Way.PROBE_ONE_HIT], FEW_HITS)
    return [
        Finding(what, f"{spread(probe).text(0)} hits/s"),
        Finding("`debug-script` against `node inspect --probe`", f"{ratios(ours, probe).text(0)} times as many"),
    ]
