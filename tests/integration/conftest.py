from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest

from server.cdp.backend import NodeBackend
from server.config import Settings
from server.process.launcher import Launcher
from server.tools.debug_script import DebugScriptTool
from tests.integration.followed_node import FollowedNode, follow
from tests.integration.leftovers import TOKEN_VARIABLE, Belongings, processes_with_token
from tests.integration.script_debugger import PROGRAMS, Program, ScriptDebugger

WriteProgram = Callable[..., Program]
Follow = Callable[..., FollowedNode]


@pytest.fixture(scope="session")
def shared_launcher() -> Iterator[Launcher]:
    """One for all tests, as in a server: each has the guard of the one before."""
    launcher = Launcher()
    yield launcher
    launcher.close()


@pytest.fixture(scope="session")
def script_debugger(shared_launcher: Launcher) -> ScriptDebugger:
    """Warmed up: whatever a first run opens for good is open."""
    settings = Settings()
    backend = NodeBackend(shared_launcher, settings)
    debugger = ScriptDebugger(DebugScriptTool(lambda: backend, settings))
    debugger.results(Program(PROGRAMS / "loop.js"), "i")
    return debugger


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> str:
    """Marks every process that this test starts."""
    token = uuid4().hex
    monkeypatch.setenv(TOKEN_VARIABLE, token)
    return token


@pytest.fixture
def debug(script_debugger: ScriptDebugger, token: str) -> Iterator[ScriptDebugger]:
    """The tool, and the proof afterwards that no thread, descriptor or process of its runs is left."""
    before = Belongings.now()
    yield script_debugger
    assert processes_with_token(token) == {}
    assert Belongings.now() == before


@pytest.fixture
def write(tmp_path: Path) -> WriteProgram:
    """Writes a program; `name` may hold folders."""

    def write_program(text: str, name: str = "program.js") -> Program:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return Program(path)

    return write_program


@pytest.fixture
def followed(shared_launcher: Launcher, token: str) -> Iterator[Follow]:
    """Launches programs that the test follows stop by stop, and the proof afterwards that none of them is left."""
    with ExitStack() as programs:

        def follow_program(program: Program, *words: str) -> FollowedNode:
            return programs.enter_context(follow(shared_launcher, program, *words))

        yield follow_program
    assert processes_with_token(token) == {}
