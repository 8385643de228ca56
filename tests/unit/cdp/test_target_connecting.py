"""A run whose inspector is announced and then does not do what an inspector does.

The program is a real process that writes the announcement of a fake inspector and then waits to be ended.
"""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator

import pytest

from server.cdp.backend import NodeBackend
from server.config import Settings
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.model import Outcome, Placement, RunReport, ScriptRun, SourceLine
from server.debug.results import ResultStore
from server.debug.run import run_script
from server.errors import InvalidArgumentsError
from server.process.launcher import Launcher
from server.process.process_events import ExitStatus
from tests.fake_inspector import BOUND_S, FakeInspector, Handshake, Peer, ShakeHands, accept, dribble, hang

PLACE = SourceLine("/app/a.js", 1)
ANNOUNCE_AND_WAIT = "import sys, time; print('Debugger listening on ' + sys.argv[2], file=sys.stderr); time.sleep(1000)"
SOON_S = 1.5
"""Long enough for the stand-in to start and to be connected to; what follows hangs until this has passed."""


@pytest.fixture(scope="module")
def backend() -> Iterator[NodeBackend]:
    launcher = Launcher()
    yield NodeBackend(launcher, Settings())
    launcher.close()


@pytest.fixture(autouse=True)
def no_reader_left() -> Iterator[None]:
    yield
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("reader:")] == []


def run_with_url(url: str, backend: NodeBackend, inbox: Inbox) -> RunReport:
    argv = (sys.executable, "-S", "-c", ANNOUNCE_AND_WAIT, "--inspect-brk=0", url)
    return run_script(ScriptRun(argv, PLACE, "1"), backend, inbox, ResultStore(1000))


def answer_only_duplicates(peer: Peer) -> None:
    first = peer.read_command()
    while True:
        peer.answer(first)
        peer.read_command()


@pytest.mark.parametrize("shake_hands", [hang, dribble])
def test_run_ends_by_its_deadline_though_the_handshake_hangs(shake_hands: ShakeHands, backend: NodeBackend) -> None:
    with FakeInspector(shake_hands=shake_hands) as inspector:
        report = run_with_url(inspector.url, backend, Inbox(Deadline.after(SOON_S)))
    assert inspector.handshake is not None
    assert report.outcome is Outcome.TIMED_OUT
    assert report.placement == Placement(requested=PLACE, debugger_reached=False)


def test_run_ends_by_its_deadline_though_answers_are_missing(backend: NodeBackend) -> None:
    with FakeInspector(answer_only_duplicates) as inspector:
        report = run_with_url(inspector.url, backend, Inbox(Deadline.after(SOON_S)))
    assert inspector.frames
    assert report.outcome is Outcome.TIMED_OUT


@pytest.mark.parametrize("shake_hands", [hang, dribble, accept])
def test_cancellation_ends_a_run_that_is_connecting(shake_hands: ShakeHands, backend: NodeBackend) -> None:
    inbox = Inbox(Deadline.after(BOUND_S * 2))

    def cancel_first(peer: Peer, handshake: Handshake) -> None:
        inbox.cancel()
        shake_hands(peer, handshake)

    with FakeInspector(shake_hands=cancel_first) as inspector:
        report = run_with_url(inspector.url, backend, inbox)
    assert report.outcome is Outcome.CANCELLED


def test_refused_handshake_ends_the_run_with_the_reason(backend: NodeBackend) -> None:
    def refuse(peer: Peer, _: Handshake) -> None:
        peer.send_bytes(b"HTTP/1.0 400 Bad Request\r\n\r\n")

    with FakeInspector(shake_hands=refuse) as inspector:
        report = run_with_url(inspector.url, backend, Inbox(Deadline.after(BOUND_S)))
    assert report.outcome is Outcome.CONNECTION_LOST
    assert "did not open a websocket: Handshake status 400 Bad Request" in (report.reason or "")


def test_program_that_dies_before_it_can_be_connected_to_has_exited(backend: NodeBackend) -> None:
    announce_and_die = "import sys; sys.stderr.write(f'Debugger listening on {sys.argv[2]}\\n'); sys.exit(3)"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"ws://127.0.0.1:{listener.getsockname()[1]}/x"
    argv = (sys.executable, "-S", "-c", announce_and_die, "--inspect-brk=0", url)
    report = run_script(ScriptRun(argv, PLACE, "1"), backend, Inbox(Deadline.after(BOUND_S)), ResultStore(1000))
    assert (report.outcome, report.exit) == (Outcome.PROGRAM_ENDED, ExitStatus(3, None))
    assert report.placement == Placement(requested=PLACE, debugger_reached=False)


def test_inspector_that_leaves_while_the_program_lives_ends_the_run_as_lost(backend: NodeBackend) -> None:
    def leave(peer: Peer) -> None:
        peer.read_command()
        peer.reset()

    with FakeInspector(leave) as inspector:
        report = run_with_url(inspector.url, backend, Inbox(Deadline.after(BOUND_S)))
    assert report.outcome is Outcome.CONNECTION_LOST
    assert report.reason


def test_inspector_beyond_this_machine_is_never_asked(backend: NodeBackend) -> None:
    with pytest.raises(InvalidArgumentsError, match=r"this machine only, not on '0\.0\.0\.0'"):
        run_with_url("ws://0.0.0.0:9229/x", backend, Inbox(Deadline.after(BOUND_S)))
