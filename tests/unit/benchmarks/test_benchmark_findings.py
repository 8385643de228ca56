"""From samples to findings, and from findings to the page."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import compare
from benchmarks.finding import Finding, Scenario
from benchmarks.page import findings_table, performance_page
from benchmarks.samples import Samples
from benchmarks.ways import FEW_HITS, MANY_HITS, Way

PROBES = {Way.PROBE_ONE_HIT, Way.PROBE_FEW_HITS}
WARM = "`debug-script`, warm server"
WHOLE_CALL = "`debug-script`, whole call"
AGAINST_NAIVE = "`debug-script` against the naive client"
START = "start to the answer to `initialize`"


def samples_of(**seconds: float) -> Samples:
    """One round in which everything just reaches its target, but for what is given."""
    round_: dict[str, float] = {
        Way.PLAIN: 0.1,
        Way.WARM_ONE_HIT: 0.25,
        Way.WARM_MANY_HITS: MANY_HITS / 400,
        Way.FIRST_CALL: 0.3,
        Way.NAIVE_ONE_HIT: 1.0,
        Way.NAIVE_FEW_HITS: 1.0 + (FEW_HITS - 1) / 20,
        Way.PROBE_ONE_HIT: 2.0,
        Way.PROBE_FEW_HITS: 2.0 + (FEW_HITS - 1) / 10,
        Way.OUR_START: 1.15,
        Way.BARE_START: 1.0,
    }
    return {name: [value] for name, value in {**round_, **seconds}.items()}


def findings_of(samples: Samples) -> dict[str, Finding]:
    return {finding.what: finding for scenario in compare(samples) for finding in scenario.findings}


def test_each_promise_has_its_own_target() -> None:
    judged = {what: finding.target for what, finding in findings_of(samples_of()).items() if finding.target}
    assert judged == {
        WARM: "at most 2.5",
        WHOLE_CALL: "at least 400",
        AGAINST_NAIVE: "at least 20",
        START: "at most 1.15",
    }


def test_targets_that_are_just_met_count_as_reached() -> None:
    assert [finding.what for finding in findings_of(samples_of()).values() if finding.reached is False] == []


@pytest.mark.parametrize(
    ("changed", "missed"),
    [
        ({"warm_one_hit": 0.26}, WARM),
        ({"warm_many_hits": 2.6}, WHOLE_CALL),
        ({"naive_few_hits": 1.0 + (FEW_HITS - 1) / 40}, AGAINST_NAIVE),
        ({"our_start": 1.16}, START),
    ],
)
def test_a_target_that_is_missed_is_told(changed: dict[str, float], missed: str) -> None:
    findings = findings_of(samples_of(**changed))
    assert [finding.what for finding in findings.values() if finding.reached is False] == [missed]


def test_the_rate_of_a_whole_call_includes_launch_and_answer_and_that_of_further_hits_does_not() -> None:
    findings = findings_of(samples_of(warm_one_hit=1.0, warm_many_hits=2.0))
    assert findings[WHOLE_CALL].measured == "500 (500 to 500) hits/s"
    assert findings["`debug-script`, further hits"].measured == "999 (999 to 999) hits/s"


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
    ]
    assert "- Python: 3.11.2\n- Rounds: 5\n" in page
    assert page == performance_page(scenarios, {"Python": "3.11.2"}, rounds=5)
