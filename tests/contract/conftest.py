from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.cdp.session_backend import NodeSessionBackend
from server.config import Settings
from server.debug.session_model import AttachSpec, LaunchSpec
from server.debug.session_terms import SessionLimits
from server.process.launcher import Launcher
from tests.contract.harness import WAIT_S, Debugger, Runtime
from tests.contract.programs import Language, MarkedFile
from tests.contract.python_backend import PythonBackend
from tests.contract.python_program import PythonProgram
from tests.nodes import NODE

MakeDebugger = Callable[..., Debugger]
_PORT = re.compile(r"ws://127\.0\.0\.1:(\d+)/")


class PythonRuntime:
    """Implements `Runtime`: programs on threads of this process."""

    language: Language = "python"

    def __init__(self) -> None:
        self.backend = PythonBackend()

    def launch_spec(self, program: MarkedFile) -> LaunchSpec:
        return LaunchSpec(("python", str(program.path)))

    def run_undebugged(self, program: MarkedFile) -> AttachSpec:
        running = PythonProgram(program.path, None)
        running.start(stop_on_entry=False)
        port = 1 + len(self.backend.running)
        self.backend.running[port] = running
        return AttachSpec(port=port)

    def await_undebugged(self) -> None:
        for program in self.backend.running.values():
            program.thread.join(WAIT_S)
            assert not program.thread.is_alive()


class NodeRuntime:
    """Implements `Runtime`: real processes."""

    language: Language = "node"

    def __init__(self, launcher: Launcher) -> None:
        self.backend = NodeSessionBackend(launcher, Settings())
        self._running: list[subprocess.Popen[str]] = []

    def launch_spec(self, program: MarkedFile) -> LaunchSpec:
        return LaunchSpec((NODE, str(program.path)))

    def run_undebugged(self, program: MarkedFile) -> AttachSpec:
        process = subprocess.Popen([NODE, "--inspect=0", str(program.path)], stderr=subprocess.PIPE, text=True)
        self._running.append(process)
        assert process.stderr is not None
        announced = _PORT.search(process.stderr.readline())
        assert announced is not None
        return AttachSpec(port=int(announced[1]))

    def await_undebugged(self) -> None:
        for process in self._running:
            process.communicate(timeout=WAIT_S)


@pytest.fixture(scope="session")
def launcher() -> Iterator[Launcher]:
    launcher = Launcher()
    yield launcher
    launcher.close()


@pytest.fixture(params=["python", "node"])
def runtime(request: pytest.FixtureRequest) -> Iterator[Runtime]:
    """Each test of this folder runs once for each backend."""
    runtime = PythonRuntime() if request.param == "python" else NodeRuntime(request.getfixturevalue("launcher"))
    yield runtime
    runtime.await_undebugged()


@pytest.fixture
def make_debugger(runtime: Runtime, tmp_path: Path) -> Iterator[MakeDebugger]:
    """Makes the sessions of a test, and proves afterwards that no thread of theirs is left."""
    before = set(threading.enumerate())
    made: list[Debugger] = []

    def make(**limits: float) -> Debugger:
        debugger = Debugger(runtime, tmp_path, SessionLimits(**limits))  # type: ignore[arg-type]
        made.append(debugger)
        return debugger

    yield make
    for debugger in made:
        debugger.sessions.close_all()
        assert debugger.sessions.list() == ()
    undebugged = "program:"  # of a program that runs on; it is awaited after this
    left = [thread.name for thread in set(threading.enumerate()) - before if not thread.name.startswith(undebugged)]
    assert left == []


@pytest.fixture
def debug(make_debugger: MakeDebugger) -> Debugger:
    """Sessions with the usual limits."""
    return make_debugger()
