"""Everything that is timed. One round of a run takes one sample of each; scenarios compare them."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum, auto

from benchmarks import counting_program, naive_client, node_probe
from benchmarks.pipe_client import BARE_SERVER, OUR_SERVER, PipeClient

MANY_HITS = 1_000
FEW_HITS = 30
"""For the ways that may take a tenth of a second for each hit."""
THINKING_S = 0.5
"""From a server's list of tools to its first call; a model takes longer to decide on one."""


class Way(StrEnum):
    """A name for each thing that is timed."""

    PLAIN = auto()
    WARM_ONE_HIT = auto()
    WARM_MANY_HITS = auto()
    FIRST_CALL = auto()
    NAIVE_ONE_HIT = auto()
    NAIVE_FEW_HITS = auto()
    PROBE_ONE_HIT = auto()
    PROBE_FEW_HITS = auto()
    OUR_START = auto()
    BARE_START = auto()


Timers = dict[str, Callable[[], float]]


@contextmanager
def timers(node: str, *, many_hits: int = MANY_HITS, few_hits: int = FEW_HITS) -> Iterator[Timers]:
    """Functions that do each thing once and return its seconds; a warm server runs as long as they are used."""
    with PipeClient(OUR_SERVER) as warm:
        warm.initialize()
        ways: Timers = {
            Way.PLAIN: lambda: _seconds(lambda: _run_plainly(node)),
            Way.WARM_ONE_HIT: lambda: _seconds(lambda: warm.debug(node, 1)),
            Way.WARM_MANY_HITS: lambda: _seconds(lambda: warm.debug(node, many_hits)),
            Way.FIRST_CALL: lambda: _time_first_call(node),
            Way.NAIVE_ONE_HIT: lambda: _seconds(lambda: naive_client.debug(node, 1)),
            Way.NAIVE_FEW_HITS: lambda: _seconds(lambda: naive_client.debug(node, few_hits)),
            Way.OUR_START: lambda: _time_start(OUR_SERVER),
            Way.BARE_START: lambda: _time_start(BARE_SERVER),
        }
        if node_probe.is_part_of(node):
            ways[Way.PROBE_ONE_HIT] = lambda: _seconds(lambda: node_probe.debug(node, 1))
            ways[Way.PROBE_FEW_HITS] = lambda: _seconds(lambda: node_probe.debug(node, few_hits))
        yield ways


def _seconds(act: Callable[[], None]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def _run_plainly(node: str) -> None:
    subprocess.run(counting_program.command(node, 1), check=True, capture_output=True)


def _time_start(server: Sequence[str]) -> float:
    began = time.perf_counter()
    with PipeClient(server) as client:
        client.initialize()
        return time.perf_counter() - began


def _time_first_call(node: str) -> float:
    with PipeClient(OUR_SERVER) as client:
        client.initialize()
        client.request("tools/list", {})
        time.sleep(THINKING_S)
        return _seconds(lambda: client.debug(node, 1))
