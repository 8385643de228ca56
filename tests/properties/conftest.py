from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.process.launcher import Launcher
from tests.contract.conftest import NodeRuntime
from tests.contract.harness import Debugger
from tests.contract.programs import MarkedFile
from tests.properties.endless import Endless

StartEndless = Callable[..., Endless]


@pytest.fixture(scope="session")
def launcher() -> Iterator[Launcher]:
    launcher = Launcher()
    yield launcher
    launcher.close()


@pytest.fixture(scope="module")
def node(launcher: Launcher, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debugger]:
    """Sessions of real programs for all examples of a module, and the proof afterwards that no thread is left."""
    before = set(threading.enumerate())
    debugger = Debugger(NodeRuntime(launcher), tmp_path_factory.mktemp("programs"))
    yield debugger
    debugger.sessions.close_all()
    assert [thread.name for thread in set(threading.enumerate()) - before] == []


@pytest.fixture(scope="module")
def start_endless(node: Debugger) -> StartEndless:
    """Starts a program that never ends, up to its first turn; it is put into a folder of its own."""

    def start(text: str, folder: Path | None = None) -> Endless:
        path = (folder or Path(tempfile.mkdtemp(dir=node.folder))) / "program.js"
        path.write_text(text, "utf-8")
        endless = Endless(node, node.start(MarkedFile(path), stop_on_entry=True))
        endless.begin_turn()
        return endless

    return start
