"""From samples to findings, and from findings to the page."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import Measured, compare
from benchmarks.finding import Finding, Scenario
from benchmarks.long_run import LongRun
from benchmarks.page import findings_table, performance_page
from benchmarks.samples import Samples
from benchmarks.session_calls import SESSIONS, SessionWay
from benchmarks.ways import Hits, Way

PROBES = {Way.PROBE_ONE_HIT, Way.PROBE_FEW_HITS}
WARM = "`debug-script`, warm server"
STREAMED = "streamed, depth 5, further hits"
STREAMED_VERY_DEEP = "streamed, depth 500, further hits"
STOPPING = "stopping, depth 5, further hits"
AGAINST_STOPPING = "streamed against stopping, depth 5"
AGAINST_STOPPING_VERY_DEEP = "streamed against stopping, depth 500"
AGAINST_NAIVE = "streamed against the naive client"
AGAINST_PROBE = "streamed against `node inspect --probe`"
LAST_TENTH = "speed of the last tenth"
FIRST_STOP = "`start_debugging` to the first stop"
STEP = "`step_over`, in turn"
EVALUATION = "`evaluate_expression`, in turn"
TOOL_LIST = "`tools/list`"
START = "start to the answer to `initialize`"

HITS = Hits(
    streamed=101,
    streamed_more=4001,
    streamed_deep=3001,
    stopped=501,
    stopped_deep=101,
    stopped_very_deep=61,
    others=41,
)
"""One more than what fits the rates below: the first hit does not count."""
FLAT = LongRun(whole_s=10.0, tenths_ms=(50.0, *[70.0] * 8, 100.0))


def samples_of(**seconds: float) -> Samples:
    """One round in which everything just reaches its target, but for what is given."""
    round_: dict[str, float] = {
        Way.PLAIN: 0.125,
        Way.ONE_HIT: 0.3125,
        Way.ONE_HIT_DEEP: 0.5,
        Way.ONE_HIT_VERY_DEEP: 0.5,
        Way.STREAMED: 0.5,
        Way.STREAMED_MORE: 1.3125,
        Way.STREAMED_DEEP: 1.5,
        Way.STREAMED_VERY_DEEP: 1.5,
        Way.STOPPED: 1.3125,
        Way.STOPPED_DEEP: 1.5,
        Way.STOPPED_VERY_DEEP: 1.5,
        Way.FIRST_CALL: 0.5,
        Way.FIRST_STOP: 0.3125,
        Way.NAIVE_ONE_HIT: 1.0,
        Way.NAIVE_FEW_HITS: 2.0,
        Way.PROBE_ONE_HIT: 1.0,
        Way.PROBE_FEW_HITS: 2.0,
        Way.OUR_START: 1.15,
        Way.BARE_START: 1.0,
    }
    return {name: [value] for name, value in {**round_, **seconds}.items()}


def calls_of(**ms: int) -> Samples:
    """One pass over all sessions in which every call takes 15 ms, but for what is given."""
    return {way: [ms.get(way, 15) / 1000] * SESSIONS for way in SessionWay}


def findings_of(
    samples: Samples, long_run: LongRun = FLAT, session_calls: Samples | None = None, tool_list_bytes: int = 24_999
) -> dict[str, Finding]:
    scenarios = compare(Measured(samples, HITS, [long_run], session_calls or calls_of(), tool_list_bytes))
    return {finding.what: finding for scenario in scenarios for finding in scenario.findings}


def missed(findings: dict[str, Finding]) -> list[str]:
    return [finding.what for finding in findings.values() if finding.reached is False]


def test_each_promise_has_its_own_target() -> None:
    judged = {what: finding.target for what, finding in findings_of(samples_of()).items() if finding.target}
    assert judged == {
        WARM: "at most 2.5",
        STREAMED: "at least 4,000",
        STOPPING: "at least 400",
        AGAINST_STOPPING: "at least 8",
        STREAMED_VERY_DEEP: "at least 3,000",
        AGAINST_STOPPING_VERY_DEEP: "at least 50",
        AGAINST_NAIVE: "at least 100",
        AGAINST_PROBE: "at least 100",
        LAST_TENTH: "at least 0.5",
        FIRST_STOP: "at most 2.5",
        STEP: "at most 15 ms",
        EVALUATION: "at most 15 ms",
        START: "at most 1.15",
        TOOL_LIST: "less than 25,000",
    }


def test_targets_that_are_just_met_count_as_reached() -> None:
    assert missed(findings_of(samples_of())) == []


@pytest.mark.parametrize(
    ("changed", "target"),
    [
        ({"one_hit": 0.32}, WARM),
        ({"streamed_more": 1.35, "stopped": 1.4, "naive_few_hits": 2.1, "probe_few_hits": 2.1}, STREAMED),
        ({"stopped": 2.0}, STOPPING),
        ({"stopped": 1.25}, AGAINST_STOPPING),
        ({"streamed_very_deep": 1.55, "stopped_very_deep": 1.7}, STREAMED_VERY_DEEP),
        ({"stopped_very_deep": 1.4}, AGAINST_STOPPING_VERY_DEEP),
        ({"naive_few_hits": 1.9}, AGAINST_NAIVE),
        ({"probe_few_hits": 1.9}, AGAINST_PROBE),
        ({"first_stop": 0.32}, FIRST_STOP),
        ({"our_start": 1.16}, START),
    ],
)
def test_a_target_that_is_missed_is_told(changed: dict[str, float], target: str) -> None:
    assert missed(findings_of(samples_of(**changed))) == [target]


def test_a_long_run_whose_last_tenth_takes_more_than_twice_the_first_misses_its_target() -> None:
    findings = findings_of(samples_of(), LongRun(whole_s=10.0, tenths_ms=(50.0, *[70.0] * 8, 101.0)))
    assert missed(findings) == [LAST_TENTH]
    assert findings["`debug-script`, 100,000 hits, whole call"].measured == "10,000 (10,000 to 10,000) hits/s"


@pytest.mark.parametrize(
    ("way", "target"), [(SessionWay.STEP_IN_TURN, STEP), (SessionWay.EVALUATE_IN_TURN, EVALUATION)]
)
def test_calls_of_sessions_that_take_too_long_miss_their_target(way: SessionWay, target: str) -> None:
    assert missed(findings_of(samples_of(), session_calls=calls_of(**{way: 16}))) == [target]


def test_of_calls_at_once_each_has_a_share_of_the_longest_of_its_pass() -> None:
    calls = {**calls_of(), SessionWay.STEP_AT_ONCE: [*[0.02] * (SESSIONS - 1), 0.04, *[0.02] * (SESSIONS - 1), 0.06]}
    findings = findings_of(samples_of(), session_calls=calls)
    assert findings["`step_over`, 10 at once"].measured == "20.0 (20.0 to 20.0) ms"
    assert findings["`step_over`, 10 at once, each one's share"].measured == "5.0 (4.5 to 5.5) ms"


def test_a_list_of_tools_that_has_grown_to_its_limit_misses_its_target() -> None:
    findings = findings_of(samples_of(), tool_list_bytes=25_000)
    assert missed(findings) == [TOOL_LIST]
    assert findings[TOOL_LIST].measured == "25,000 bytes"


def test_the_rate_of_a_whole_call_includes_launch_and_answer_and_that_of_further_hits_does_not() -> None:
    findings = findings_of(samples_of(one_hit=1.0, streamed_more=2.0))
    assert findings["`debug-script`, 4,001 hits, whole call"].measured == "2,000 (2,000 to 2,000) hits/s"
    assert findings[STREAMED].measured == "4,000 (4,000 to 4,000) hits/s"


def test_further_hits_are_counted_from_a_single_hit_at_the_same_depth() -> None:
    findings = findings_of(samples_of(one_hit_very_deep=1.0, streamed_very_deep=4.0, stopped_very_deep=3.0))
    assert findings[STREAMED_VERY_DEEP].measured == "1,000 (1,000 to 1,000) hits/s"
    assert findings["stopping, depth 500, further hits"].measured == "30 (30 to 30) hits/s"


def test_a_probe_that_this_node_lacks_is_not_measured_and_misses_nothing() -> None:
    samples = {name: values for name, values in samples_of().items() if name not in PROBES}
    findings = findings_of(samples)
    unmeasured = [what for what, finding in findings.items() if finding.measured == "not measured"]
    assert unmeasured == ["`node inspect --probe`", "`node inspect --probe`, further hits"]
    assert all(finding.reached is not False for finding in findings.values())


def test_a_table_has_a_row_for_each_finding_with_its_verdict() -> None:
    findings = [
        Finding("a", "1 times"),
        Finding("b", "2 times", target="at most 2", reached=True),
        Finding("c", "3 times", target="at most 2", reached=False),
    ]
    assert findings_table(findings) == (
        "| what | measured | target | reached |\n"
        "|---|---|---|---|\n"
        "| a | 1 times | — | — |\n"
        "| b | 2 times | at most 2 | yes |\n"
        "| c | 3 times | at most 2 | **no** |"
    )


def test_the_page_holds_every_scenario_and_the_facts_of_the_machine_and_is_always_the_same() -> None:
    scenarios = [Scenario("First", "How one.", [Finding("a", "1")]), Scenario("Second", "How two.", [])]
    page = performance_page(scenarios, {"Python": "3.11.2"}, rounds=5)
    headings = [line for line in page.splitlines() if line.startswith("#")]
    assert headings == [
        "# Performance",
        "## First",
        "## Second",
        "## How it is measured",
        "## What it means, and what it does not",
        "## Why hits are not compiled into the program",
    ]
    assert "- Python: 3.11.2\n- Rounds: 5\n" in page
    assert page == performance_page(scenarios, {"Python": "3.11.2"}, rounds=5)
