"""A tiny run of everything that the benchmarks time: each way still works, and brings the right values."""

from __future__ import annotations

import platform
from collections.abc import Iterator

import pytest

from benchmarks import counting_program, machine, node_probe
from benchmarks.ways import Timers, Way, timers
from tests.nodes import NODE

PROBES = (Way.PROBE_ONE_HIT, Way.PROBE_FEW_HITS)


@pytest.fixture(scope="module")
def tiny_timers() -> Iterator[Timers]:
    with timers(NODE, many_hits=20, few_hits=2) as ways:
        yield ways


@pytest.mark.matrix
@pytest.mark.parametrize("way", Way)
def test_a_way_runs_to_its_end_and_tells_its_seconds(tiny_timers: Timers, way: Way) -> None:
    if way in PROBES and not node_probe.is_part_of(NODE):
        pytest.skip("this Node.js has no `node inspect --probe`; make test-matrix runs it on one that has")
    assert tiny_timers[way]() > 0


def test_values_that_differ_from_what_the_program_did_are_refused() -> None:
    counting_program.check_values([{"i": 0, "total": 0}, {"i": 1, "total": 0}, {"i": 2, "total": 1}], 3)
    with pytest.raises(counting_program.WrongAnswerError, match="2 values for 3 hits"):
        counting_program.check_values([{"i": 0, "total": 0}, {"i": 1, "total": 0}], 3)


def test_the_facts_of_the_machine_name_neither_it_nor_a_path() -> None:
    facts = machine.facts(NODE, machine.load())
    assert facts["Node.js"].count(".") == 2
    text = " ".join(facts.values())
    assert platform.node() not in text
    assert "/" not in text
