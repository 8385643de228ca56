from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from server.cdp.backend import NodeBackend
from server.cdp.session_backend import NodeSessionBackend
from server.config import Settings
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.session_model import LaunchSpec
from server.process.launcher import Launcher
from server.tools.debug_script import DebugScriptTool
from tests.integration.driven_debuggee import BOUND_S, DrivenDebuggee
from tests.integration.followed_node import FollowedNode, follow
from tests.integration.leftovers import TOKEN_VARIABLE, Belongings, processes_with_token
from tests.integration.script_debugger import PROGRAMS, Program, ScriptDebugger
from tests.integration.session_tools import SessionTools
from tests.nodes import NODE

WriteProgram = Callable[..., Program]
Drive = Callable[..., DrivenDebuggee]
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


@pytest.fixture(scope="session")
def session_backend(shared_launcher: Launcher) -> NodeSessionBackend:
    """Warmed up, as above."""
    backend = NodeSessionBackend(shared_launcher, Settings())
    warm = backend.launch(LaunchSpec((NODE, "-e", "0")), Inbox(Deadline.after(BOUND_S)))
    warm.connect()
    warm.end()
    return backend


@pytest.fixture
def drive(session_backend: NodeSessionBackend, shared_launcher: Launcher, token: str) -> Iterator[Drive]:
    """Launches programs to be driven, ends them afterwards, and proves that nothing of them is left."""
    before = Belongings.now()
    driven: list[DrivenDebuggee] = []

    def launch(
        program: Program, *words: str, flags: tuple[str, ...] = (), settings: Settings | None = None, **spec: Any
    ) -> DrivenDebuggee:
        backend = session_backend if settings is None else NodeSessionBackend(shared_launcher, settings)
        inbox = Inbox(Deadline.after(BOUND_S))
        argv = spec.pop("argv", (NODE, *flags, str(program.path), *words))
        debuggee = backend.launch(LaunchSpec(argv, **spec), inbox)
        driven.append(DrivenDebuggee(debuggee, inbox, program))
        return driven[-1]

    yield launch
    for one in driven:
        one.extend()
        one.debuggee.end()
    assert processes_with_token(token) == {}
    assert Belongings.now() == before


@pytest.fixture
def tools(session_backend: NodeSessionBackend, token: str, tmp_path: Path) -> Iterator[SessionTools]:
    """The session tools, and the proof afterwards that the next session works and that nothing of any is left."""
    before = Belongings.now()
    tools = SessionTools(session_backend)
    yield tools
    next_program = tmp_path / "next.js"
    next_program.write_text("const answer = 42;\nanswer; // @bp here\n", "utf-8")
    session = tools.start(Program(next_program), "here")
    assert session.value("answer") == 42
    session.call("close_debug_session")
    tools.sessions.close_all()
    assert tools.sessions.list() == ()
    assert processes_with_token(token) == {}
    assert Belongings.now() == before
