"""Everything that is timed in rounds. One round takes one sample of each; scenarios compare them."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum, auto

from benchmarks import counting_program, naive_client, node_probe
from benchmarks.pipe_client import BARE_SERVER, OUR_SERVER, Debugging, PipeClient
from benchmarks.session_client import SessionClient

DEEP = 50
VERY_DEEP = 500
THINKING_S = 0.5
"""From a server's list of tools to its first call; a model takes longer to decide on one."""


@dataclass(frozen=True, slots=True)
class Hits:
    """How many hits each way gets: enough for its rate, and not too many for its speed."""

    streamed: int = 1_000
    streamed_more: int = 10_000
    streamed_deep: int = 3_000
    stopped: int = 1_000
    stopped_deep: int = 100
    stopped_very_deep: int = 20
    others: int = 15


class Way(StrEnum):
    """A name for each thing that is timed. Where no depth is named the stack is shallow."""

    PLAIN = auto()
    ONE_HIT = auto()
    ONE_HIT_DEEP = auto()
    ONE_HIT_VERY_DEEP = auto()
    STREAMED = auto()
    STREAMED_MORE = auto()
    STREAMED_DEEP = auto()
    STREAMED_VERY_DEEP = auto()
    STOPPED = auto()
    STOPPED_DEEP = auto()
    STOPPED_VERY_DEEP = auto()
    FIRST_CALL = auto()
    FIRST_STOP = auto()
    NAIVE_ONE_HIT = auto()
    NAIVE_FEW_HITS = auto()
    PROBE_ONE_HIT = auto()
    PROBE_FEW_HITS = auto()
    OUR_START = auto()
    BARE_START = auto()


Timers = dict[str, Callable[[], float]]


@contextmanager
def timers(node: str, hits: Hits) -> Generator[Timers, None, None]:
    """Functions that do each thing once and return its seconds; a warm server runs as long as they are used."""
    with PipeClient(OUR_SERVER) as warm:
        warm.initialize()
        yield {**_our_timers(warm, node, hits), **_other_timers(node, hits)}


def _our_timers(warm: PipeClient, node: str, hits: Hits) -> Timers:
    calls = {
        Way.ONE_HIT: Debugging(node, 1),
        Way.ONE_HIT_DEEP: Debugging(node, 1, DEEP),
        Way.ONE_HIT_VERY_DEEP: Debugging(node, 1, VERY_DEEP),
        Way.STREAMED: Debugging(node, hits.streamed),
        Way.STREAMED_MORE: Debugging(node, hits.streamed_more),
        Way.STREAMED_DEEP: Debugging(node, hits.streamed_deep, DEEP),
        Way.STREAMED_VERY_DEEP: Debugging(node, hits.streamed_deep, VERY_DEEP),
        Way.STOPPED: Debugging(node, hits.stopped, include_stack=True),
        Way.STOPPED_DEEP: Debugging(node, hits.stopped_deep, DEEP, include_stack=True),
        Way.STOPPED_VERY_DEEP: Debugging(node, hits.stopped_very_deep, VERY_DEEP, include_stack=True),
    }
    return {
        **{way: _timer(warm, debugging) for way, debugging in calls.items()},
        Way.FIRST_CALL: lambda: _time_first_call(node),
        Way.FIRST_STOP: lambda: _time_first_stop(warm, node),
        Way.OUR_START: lambda: _time_start(OUR_SERVER),
    }


def _other_timers(node: str, hits: Hits) -> Timers:
    ways: Timers = {
        Way.PLAIN: lambda: _seconds(lambda: _run_plainly(node)),
        Way.NAIVE_ONE_HIT: lambda: _seconds(lambda: naive_client.debug(node, 1)),
        Way.NAIVE_FEW_HITS: lambda: _seconds(lambda: naive_client.debug(node, hits.others)),
        Way.BARE_START: lambda: _time_start(BARE_SERVER),
    }
    if node_probe.is_part_of(node):
        ways[Way.PROBE_ONE_HIT] = lambda: _seconds(lambda: node_probe.debug(node, 1))
        ways[Way.PROBE_FEW_HITS] = lambda: _seconds(lambda: node_probe.debug(node, hits.others))
    return ways


def _timer(client: PipeClient, debugging: Debugging) -> Callable[[], float]:
    return lambda: _seconds(lambda: client.debug(debugging))


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
        return _seconds(lambda: client.debug(Debugging(node, 1)))


def _time_first_stop(warm: PipeClient, node: str) -> float:
    client = SessionClient(warm, node)
    began = time.perf_counter()
    session_id = client.start(hits=1)
    seconds = time.perf_counter() - began
    client.close(session_id)
    return seconds
