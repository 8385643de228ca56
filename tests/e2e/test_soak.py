"""One server, very many calls: nothing grows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.e2e.programs import WAITING_AT_A_GATE, Gate, News, Program
from tests.e2e.server_process import ServerProcess
from tests.unit.process.process_probe import children_of, wait_until

MAX_MEMORY_GROWTH_BYTES = 5 * 1024 * 1024
SIDE_BY_SIDE = 6
"""More than the guards that a launcher keeps for later launches."""

PROGRAM = """\
const [news] = process.argv.slice(2);
for (let i = 0; i < 3; i += 1) {
  globalThis.last = { i, text: 'x'.repeat(100) }; // @bp hits
}
module.exports = () =>
  1; // @bp never
if (news) {
  require('fs').appendFileSync(news, 'it waits\\n');
  setInterval(() => {}, 2 ** 30);
}
"""


class Footprint(NamedTuple):
    """What a process holds of the system's resources."""

    threads: int
    descriptors: int
    children: int

    def is_within(self, other: Footprint) -> bool:
        return all(mine <= theirs for mine, theirs in zip(self, other, strict=True))


def footprint_of(pid: int) -> Footprint:
    return Footprint(
        threads=len(os.listdir(f"/proc/{pid}/task")),  # noqa: PTH208 - only the number counts
        descriptors=len(os.listdir(f"/proc/{pid}/fd")),  # noqa: PTH208 - only the number counts
        children=len(children_of(pid)),
    )


def resident_bytes(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Calls:
    """Calls of every kind, each with its right answer."""

    def __init__(self, server: ServerProcess, folder: Path) -> None:
        self._server = server
        self._program = Program(folder, PROGRAM)
        self._gated = Program(folder, WAITING_AT_A_GATE, "gated.js")

    def succeed(self) -> None:
        result = self._server.call(self._program.call("globalThis.last", mark="hits"))
        assert len(result["structuredContent"]["results"]) == 3

    def exit_without_a_hit(self) -> None:
        self._assert_fails("Process exited before breakpoint was hit", self._program.call("1", mark="never"))

    def time_out(self) -> None:
        call = self._program.call("1", os.devnull, mark="never", timeout=150)
        self._assert_fails("Timeout waiting for breakpoint after 150ms", call)

    def name_a_missing_command(self) -> None:
        call = self._program.call("1", mark="hits", node="no-such-command")
        self._assert_fails("The program could not be started", call)

    def cancel(self, news: News) -> None:
        request = self._server.start_call(self._program.call("1", news.path, mark="hits"))
        news.lines(1)
        self._server.cancel(request)

    def fill_the_pools(self, news: News, gate: Gate) -> None:
        """Have so many calls at once that everything that is kept for later use is there."""
        call = self._gated.call("name", news.path, gate.path, "at once")
        requests = [self._server.start_call(call) for _ in range(SIDE_BY_SIDE)]
        news.lines(SIDE_BY_SIDE)
        gate.let_through(SIDE_BY_SIDE)
        for request in requests:
            assert not self._server.result(request)["isError"]

    def _assert_fails(self, beginning: str, arguments: dict[str, Any]) -> None:
        assert self._server.call(arguments)["structuredContent"]["error"].startswith(beginning)


def assert_no_growth(server: ServerProcess, before: Footprint) -> None:
    """The end of a cancelled run may still be under way, so this waits for it, within a bound."""
    wait_until(lambda: footprint_of(server.pid).is_within(before), f"no more than {before}")


def test_200_calls_of_every_kind_leave_no_thread_descriptor_or_process(
    server: ServerProcess, tmp_path: Path, news: News, gate: Gate
) -> None:
    calls = Calls(server, tmp_path)
    calls.fill_the_pools(news, gate)
    before = footprint_of(server.pid)
    for _ in range(40):
        calls.succeed()
        calls.exit_without_a_hit()
        calls.time_out()
        calls.name_a_missing_command()
        calls.cancel(news)
    assert_no_growth(server, before)
    assert server.stderr() == ""


@pytest.mark.slow
def test_500_calls_one_after_another_grow_nothing(
    server: ServerProcess, tmp_path: Path, news: News, gate: Gate
) -> None:
    calls = Calls(server, tmp_path)
    calls.fill_the_pools(news, gate)
    for _ in range(100):
        calls.succeed()
    before, memory_before = footprint_of(server.pid), resident_bytes(server.pid)
    for _ in range(400):
        calls.succeed()
    assert_no_growth(server, before)
    grown = resident_bytes(server.pid) - memory_before
    assert grown < MAX_MEMORY_GROWTH_BYTES, f"{grown} bytes more than after the first 100 calls"
