"""A launched program that is let go: it lives on, without us, with nobody to write to."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from server.process.foreign_process import is_alive
from server.process.launcher import Launcher
from server.process.process_events import OutputChunk

BOUND_S = 30.0
# Says that it is there, waits to be let go, and then writes more than a pipe holds.
WRITES_ON = """
import os, pathlib, sys, time
go, done = map(pathlib.Path, sys.argv[1:])
print("here", flush=True)
while not go.exists():
    time.sleep(0.01)
for _ in range(100):
    print("x" * 9999, flush=True)
    print("y" * 9999, file=sys.stderr, flush=True)
done.write_text("done")
"""
SERVER = """
import pathlib, sys
from server.process.launcher import Launcher
launcher = Launcher()
events = []
process = launcher.launch([sys.executable, "-c", sys.argv[1], *sys.argv[2:]], cwd=None, env=None)
process.start_pumps(events.append, "target")
while not events:
    pass
process.release()
launcher.close()
print(process.pid, process.guard_pid)
"""


def command(folder: Path) -> list[str]:
    return [sys.executable, "-c", WRITES_ON, str(folder / "go"), str(folder / "done")]


def await_end(*pids: int) -> None:
    give_up_at = time.monotonic() + BOUND_S
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < give_up_at, pids
        os.sched_yield()


def test_released_program_goes_on_writing_and_ends_by_itself(tmp_path: Path) -> None:
    launcher = Launcher()
    events: list[object] = []
    process = launcher.launch(command(tmp_path), cwd=None, env=None)
    process.start_pumps(events.append, "target")
    while not any(isinstance(event, OutputChunk) for event in events):
        os.sched_yield()
    process.release()
    process.release()
    process.end()
    launcher.close()
    assert is_alive(process.pid)
    (tmp_path / "go").touch()
    await_end(process.pid, process.guard_pid)
    assert (tmp_path / "done").read_text() == "done"
    launcher.close()  # reaps the guard


def test_released_program_outlives_the_server(tmp_path: Path) -> None:
    server = subprocess.run(
        [sys.executable, "-c", SERVER, WRITES_ON, str(tmp_path / "go"), str(tmp_path / "done")],
        cwd=Path(__file__).resolve().parents[3],
        check=True,
        capture_output=True,
        text=True,
        timeout=BOUND_S,
    )
    target, guard = map(int, server.stdout.split())
    assert is_alive(target)
    (tmp_path / "go").touch()
    await_end(target, guard)
    assert (tmp_path / "done").read_text() == "done"


def test_program_that_is_over_already_can_be_released(tmp_path: Path) -> None:
    launcher = Launcher()
    process = launcher.launch([sys.executable, "-c", "0"], cwd=str(tmp_path), env=None)
    await_end(process.pid)
    process.release()
    await_end(process.guard_pid)
    launcher.close()


def test_guard_of_a_released_program_is_not_used_again(tmp_path: Path) -> None:
    launcher = Launcher()
    first = launcher.launch(command(tmp_path), cwd=None, env=None)
    first.release()
    second = launcher.launch([sys.executable, "-c", "0"], cwd=None, env=None)
    assert second.guard_pid != first.guard_pid
    second.end()
    (tmp_path / "go").touch()
    await_end(first.pid, first.guard_pid)
    launcher.close()
