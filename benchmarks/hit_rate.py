"""Scenario: how many hits a second are evaluated, streamed out of the running program or by stopping it."""

from __future__ import annotations

from benchmarks.counting_program import SHALLOW
from benchmarks.finding import Finding, Scenario, finding_at_least
from benchmarks.samples import Samples, further_hit_rates, ratios, spread
from benchmarks.ways import DEEP, VERY_DEEP, Hits, Way

LEAST_SHALLOW = 4_000
LEAST_VERY_DEEP = 3_000
LEAST_STOPPING = 400
LEAST_TIMES_STOPPING = 8
LEAST_TIMES_STOPPING_VERY_DEEP = 50
LEAST_TIMES_OTHERS = 100
_METHOD = """\
The depth is how many functions of the program are on the stack; Node's own, a few more, come on top. Streamed are the
hits of a usual call: the first one stops the program, at all others it runs on. With `include_stack` every hit is a
stop, as it is for the naive client and `node inspect --probe`, which get the shallow program.

The rate of a whole call is its hits divided by its whole time, launch and answer included. The rate of further hits
leaves those out: it is the hits after the first, divided by how much longer the call took than one with a single hit at
the same depth in the same round. Ways are compared by their further hits. Streamed rates are those of {streamed_more:,}
hits on the shallow stack and {streamed_deep:,} on the others; of stops there are {stopped:,}, {stopped_deep} and
{stopped_very_deep}, from shallow to deep, and {others} for the other clients, which are too slow for more.

A call that stops tells the stack as well, which adds less than a tenth to it: most of a stop is V8's own work, which
describes every frame and its scopes before anybody asks.

The naive client is websocket-client as it comes, waiting for the answer to each command (`benchmarks/naive_client.py`).
Node sends each answer in two small packets; where its Nagle algorithm meets the other side's delayed acknowledgement,
every command takes about 40 ms. `debug-script` acknowledges at once. The ratio is that large only on systems that delay
acknowledgements, as Linux does."""


def scenario(samples: Samples, hits: Hits) -> Scenario:
    """Compare the rates of hits."""
    one, streamed_more = samples[Way.ONE_HIT], samples[Way.STREAMED_MORE]
    shallow = further_hit_rates(streamed_more, one, hits.streamed_more)
    findings = [
        _whole_call(hits.streamed, samples[Way.STREAMED]),
        _whole_call(hits.streamed_more, streamed_more),
        *_at_depth(
            SHALLOW,
            streamed=shallow,
            stopped=further_hit_rates(samples[Way.STOPPED], one, hits.stopped),
            least_streamed=LEAST_SHALLOW,
            least_stopped=LEAST_STOPPING,
            least_times=LEAST_TIMES_STOPPING,
        ),
        *_at_depth(
            DEEP,
            streamed=further_hit_rates(samples[Way.STREAMED_DEEP], samples[Way.ONE_HIT_DEEP], hits.streamed_deep),
            stopped=further_hit_rates(samples[Way.STOPPED_DEEP], samples[Way.ONE_HIT_DEEP], hits.stopped_deep),
        ),
        *_at_depth(
            VERY_DEEP,
            streamed=further_hit_rates(
                samples[Way.STREAMED_VERY_DEEP], samples[Way.ONE_HIT_VERY_DEEP], hits.streamed_deep
            ),
            stopped=further_hit_rates(
                samples[Way.STOPPED_VERY_DEEP], samples[Way.ONE_HIT_VERY_DEEP], hits.stopped_very_deep
            ),
            least_streamed=LEAST_VERY_DEEP,
            least_times=LEAST_TIMES_STOPPING_VERY_DEEP,
        ),
        *_against("the naive client", shallow, samples, (Way.NAIVE_FEW_HITS, Way.NAIVE_ONE_HIT), hits.others),
        *_against("`node inspect --probe`", shallow, samples, (Way.PROBE_FEW_HITS, Way.PROBE_ONE_HIT), hits.others),
    ]
    method = _METHOD.format(
        streamed_more=hits.streamed_more,
        streamed_deep=hits.streamed_deep,
        stopped=hits.stopped,
        stopped_deep=hits.stopped_deep,
        stopped_very_deep=hits.stopped_very_deep,
        others=hits.others,
    )
    return Scenario("Many hits", method, findings)


def _whole_call(hits: int, seconds: list[float]) -> Finding:
    rate = spread([hits / one for one in seconds])
    return Finding(f"`debug-script`, {hits:,} hits, whole call", f"{rate.text(0)} hits/s")


def _at_depth(
    depth: int,
    *,
    streamed: list[float],
    stopped: list[float],
    least_streamed: int | None = None,
    least_stopped: int | None = None,
    least_times: int | None = None,
) -> list[Finding]:
    times = ratios(streamed, stopped)
    return [
        finding_at_least(f"streamed, depth {depth}, further hits", spread(streamed), "hits/s", least_streamed),
        finding_at_least(f"stopping, depth {depth}, further hits", spread(stopped), "hits/s", least_stopped),
        finding_at_least(f"streamed against stopping, depth {depth}", times, "times as many", least_times),
    ]


def _against(other: str, ours: list[float], samples: Samples, ways: tuple[Way, Way], hits: int) -> list[Finding]:
    few, one = ways
    if few not in samples:
        return [Finding(f"{other}, further hits", "not measured")]
    theirs = further_hit_rates(samples[few], samples[one], hits)
    return [
        Finding(f"{other}, further hits", f"{spread(theirs).text(0)} hits/s"),
        finding_at_least(f"streamed against {other}", ratios(ours, theirs), "times as many", LEAST_TIMES_OTHERS),
    ]
