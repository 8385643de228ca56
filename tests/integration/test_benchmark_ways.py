"""A tiny run of everything that the benchmarks time: each way still works, and brings the right values."""

from __future__ import annotations

import platform
from collections.abc import Iterator

import pytest

from benchmarks import counting_program, long_run, machine, node_probe, session_calls, tool_list
from benchmarks.ways import Hits, Timers, Way, timers
from tests.nodes import NODE

TINY = Hits(streamed=20, streamed_more=30, streamed_deep=20, stopped=5, stopped_deep=3, stopped_very_deep=2, others=2)
PROBES = (Way.PROBE_ONE_HIT, Way.PROBE_FEW_HITS)


@pytest.fixture(scope="module")
def tiny_timers() -> Iterator[Timers]:
    with timers(NODE, TINY) as ways:
        yield ways


@pytest.mark.matrix
@pytest.mark.parametrize("way", Way)
def test_a_way_runs_to_its_end_and_tells_its_seconds(tiny_timers: Timers, way: Way) -> None:
    if way in PROBES and not node_probe.is_part_of(NODE):
        pytest.skip("this Node.js has no `node inspect --probe`; make test-matrix runs it on one that has")
    assert tiny_timers[way]() > 0


@pytest.mark.matrix
def test_a_long_run_tells_all_its_tenths_by_the_clock_of_the_program() -> None:
    # So many that not all results are kept.
    [run] = long_run.measure(NODE, runs=1, hits=4_000)
    assert len(run.tenths_ms) == 10
    assert all(tenth > 0 for tenth in run.tenths_ms)
    assert sum(run.tenths_ms) < run.whole_s * 1000


@pytest.mark.matrix
def test_every_call_of_every_open_session_is_timed() -> None:
    samples = session_calls.measure(NODE, passes=2, sessions=2)
    assert {way: len(seconds) for way, seconds in samples.items()} == dict.fromkeys(session_calls.SessionWay, 4)
    assert all(one > 0 for seconds in samples.values() for one in seconds)


def test_the_list_of_tools_is_measured_as_it_is_sent() -> None:
    assert 20_000 < tool_list.measure() < 50_000


def test_values_that_differ_from_what_the_program_did_are_refused() -> None:
    counting_program.check_values([{"i": 0, "total": 0}, {"i": 1, "total": 0}, {"i": 2, "total": 1}], 3)
    with pytest.raises(counting_program.WrongAnswerError, match="2 values for 3 hits"):
        counting_program.check_values([{"i": 0, "total": 0}, {"i": 1, "total": 0}], 3)


def test_of_values_that_were_cut_the_first_and_the_last_are_expected() -> None:
    first, second, last = {"i": 0, "total": 0}, {"i": 1, "total": 0}, {"i": 9, "total": 36}
    counting_program.check_kept_values([first, second, last], hits=10, kept_first=2)
    with pytest.raises(counting_program.WrongAnswerError, match="3 values for 11 hits"):
        counting_program.check_kept_values([first, second, last], hits=11, kept_first=2)
    with pytest.raises(counting_program.WrongAnswerError, match="3 values for 10 hits"):
        counting_program.check_kept_values([first, second, last], hits=10, kept_first=1)


def test_the_facts_of_the_machine_name_neither_it_nor_a_path() -> None:
    facts = machine.facts(NODE, machine.load())
    assert facts["Node.js"].count(".") == 2
    text = " ".join(facts.values())
    assert platform.node() not in text
    assert "/" not in text
