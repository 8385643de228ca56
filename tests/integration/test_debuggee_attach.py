"""Programs that run already: found by URL, address or process id, looked at, and left as they were."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from server.cdp.session_backend import NodeSessionBackend
from server.config import Settings
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.session_model import (
    AttachSpec,
    BreakpointSpec,
    PauseOnExceptions,
    ProgramEnded,
    Stopped,
    StopReason,
    Wrote,
)
from server.errors import ConnectionFailedError, HostNotAllowedError, InvalidArgumentsError
from server.process.launcher import Launcher
from tests.integration.conftest import WriteProgram
from tests.integration.driven_debuggee import BOUND_S, DrivenDebuggee
from tests.integration.leftovers import Belongings, processes_with_token
from tests.integration.script_debugger import Program
from tests.nodes import NODE, NODE_MAJOR

pytestmark = pytest.mark.matrix

TICKS = """\
let turns = 0;
function tick() {
  turns += 1; // @bp tick
  if (turns % 10 === 0) console.log('turn', turns, { deep: [1] });
}
process.stdin.on('data', (text) => {
  clearInterval(timer);
  process.stdout.write(JSON.stringify({ turns, globals: Object.keys(globalThis), argv: process.execArgv }));
  process.exit(0);
});
const timer = setInterval(tick, 5);
process.stdout.write('ready\\n');
"""
ANNOUNCED = re.compile(r"ws://\S+")


@dataclass
class Running:
    """A program of somebody else's."""

    process: subprocess.Popen[str]
    program: Program

    @property
    def pid(self) -> int:
        return self.process.pid

    def announced_url(self) -> str:
        assert self.process.stderr is not None
        found = ANNOUNCED.search(self.process.stderr.readline())
        assert found is not None
        return found[0]

    def port(self) -> int:
        return int(self.announced_url().split(":")[2].partition("/")[0])

    def await_ready(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def finish(self) -> dict[str, object]:
        """Ask it how it was; it ends by itself then."""
        output, _ = self.process.communicate("done\n", timeout=BOUND_S)
        assert self.process.returncode == 0
        found: dict[str, object] = json.loads(output[output.rindex('{"turns"') :])
        return found


Run = Callable[..., Running]
Attach = Callable[..., DrivenDebuggee]


@pytest.fixture
def nothing_left(token: str) -> Iterator[None]:
    """Proves, when all else is over, that no thread, descriptor or process is left."""
    before = Belongings.now()
    yield
    assert processes_with_token(token) == {}
    assert Belongings.now() == before


@pytest.fixture
def run(write: WriteProgram, nothing_left: None) -> Iterator[Run]:
    """Starts programs as somebody else would, and ends what is left of them."""
    running: list[Running] = []

    def start(*flags: str, text: str = TICKS) -> Running:
        program = write(text)
        process = subprocess.Popen(
            [NODE, *flags, str(program.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(Running(process, program))
        return running[-1]

    yield start
    for one in running:
        one.process.kill()
        one.process.communicate()


@pytest.fixture
def attach(run: Run, shared_launcher: Launcher) -> Iterator[Attach]:
    """Attaches, and leaves afterwards."""
    attached: list[DrivenDebuggee] = []

    def attach_to(running: Running, settings: Settings | None = None, **spec: object) -> DrivenDebuggee:
        backend = NodeSessionBackend(shared_launcher, settings or Settings())
        inbox = Inbox(Deadline.after(BOUND_S))
        debuggee = backend.attach(AttachSpec(**spec), inbox)  # type: ignore[arg-type]
        attached.append(DrivenDebuggee(debuggee, inbox, running.program))
        attached[-1].connect()
        return attached[-1]

    yield attach_to
    for one in attached:
        one.extend()
        one.debuggee.end()


def stop_at_tick(program: DrivenDebuggee) -> Stopped:
    program.set("tick")
    stopped = program.stop()
    assert stopped.reason is StopReason.BREAKPOINT
    assert program.where(stopped) == "tick"
    return stopped


# --- what it wrote ---------------------------------------------------------------------------------------------------

EARLY = """\
console.log('early');
process.stdout.write('ready\\n');
setInterval(() => console.log('late'), 5);
"""


def test_what_was_written_before_is_not_told_as_new(run: Run, attach: Attach) -> None:
    running = run("--inspect=0", text=EARLY)
    url = running.announced_url()
    assert running.process.stdout is not None
    assert [running.process.stdout.readline() for _ in range(2)] == ["early\n", "ready\n"]
    program = attach(running, url=url)
    program.until_written("late")
    assert "early" not in program.written()


# --- finding it ----------------------------------------------------------------------------------------------------


def test_program_is_attached_to_by_the_url_of_its_inspector(run: Run, attach: Attach) -> None:
    running = run("--inspect=0")
    program = attach(running, url=running.announced_url())
    stop_at_tick(program)
    info = program.debuggee.info()
    assert info.is_attached
    assert info.pid == running.pid
    assert info.runtime.startswith(f"Node.js v{NODE_MAJOR}.")


def test_program_is_attached_to_by_its_port_and_described(run: Run, attach: Attach) -> None:
    running = run("--inspect=0")
    program = attach(running, port=running.port())
    assert program.debuggee.info().title.endswith("program.js")
    stop_at_tick(program)


def test_program_is_attached_to_by_its_process_id_although_it_has_no_inspector_yet(run: Run, attach: Attach) -> None:
    running = run("--inspect-port=0")
    running.await_ready()
    program = attach(running, pid=running.pid)
    stop_at_tick(program)
    assert program.debuggee.info().pid == running.pid


def test_program_is_attached_to_by_its_process_id_where_its_inspector_listens_already(run: Run, attach: Attach) -> None:
    running = run("--inspect=0")
    running.await_ready()
    program = attach(running, pid=running.pid)
    stop_at_tick(program)


def test_held_program_is_attached_to_at_its_entry(run: Run, attach: Attach) -> None:
    running = run("--inspect-brk=0")
    program = attach(running, url=running.announced_url())
    stopped = program.stop()
    assert stopped.reason is StopReason.ENTRY
    assert program.place(stopped.frames[0]) == "(module):1"
    program.debuggee.detach()
    running.await_ready()


@pytest.mark.parametrize(("scheme", "path"), [("ws", ""), ("http", ""), ("http", "/")])
def test_address_without_an_id_is_looked_up(run: Run, attach: Attach, scheme: str, path: str) -> None:
    running = run("--inspect=0")
    program = attach(running, url=f"{scheme}://127.0.0.1:{running.port()}{path}")
    stop_at_tick(program)


# --- not finding it ------------------------------------------------------------------------------------------------


def attach_only(launcher: Launcher, settings: Settings | None = None, **spec: object) -> None:
    backend = NodeSessionBackend(launcher, settings or Settings())
    backend.attach(AttachSpec(**spec), Inbox(Deadline.after(BOUND_S)))  # type: ignore[arg-type]


def test_process_that_is_not_there_is_told(shared_launcher: Launcher) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    with pytest.raises(ConnectionFailedError, match=f"no process {ended.pid}"):
        attach_only(shared_launcher, pid=ended.pid)


def test_process_that_is_not_node_is_refused_and_not_signalled(shared_launcher: Launcher) -> None:
    sleeper = subprocess.Popen(["sleep", "1000"])
    try:
        with pytest.raises(InvalidArgumentsError, match=r"not Node\.js: it runs sleep"):
            attach_only(shared_launcher, pid=sleeper.pid)
        assert sleeper.poll() is None
    finally:
        sleeper.kill()
        sleeper.wait()


def test_process_of_somebody_else_is_told(run: Run, shared_launcher: Launcher, monkeypatch: pytest.MonkeyPatch) -> None:
    running = run()
    running.await_ready()

    def refuse(_pid: int) -> tuple[tuple[str, int], ...]:
        raise PermissionError

    monkeypatch.setattr("server.cdp.attach_target.listening_addresses", refuse)
    with pytest.raises(ConnectionFailedError, match="belongs to somebody else"):
        attach_only(shared_launcher, pid=running.pid)


def test_program_that_takes_the_signal_for_itself_has_no_inspector(
    run: Run, shared_launcher: Launcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.cdp.attach_target._OPENING_S", 0.3)
    running = run(text="process.on('SIGUSR1', () => {}); setInterval(() => {}, 1000); console.log('ready');\n")
    running.await_ready()
    with pytest.raises(ConnectionFailedError, match="did not open its inspector"):
        attach_only(shared_launcher, pid=running.pid)
    assert running.process.poll() is None


def test_address_where_nobody_listens_is_told_with_how_to_start_node(shared_launcher: Launcher) -> None:
    with pytest.raises(ConnectionFailedError, match=r"No inspector answers at 127\.0\.0\.1:1(.|\n)*--inspect"):
        attach_only(shared_launcher, port=1)


@pytest.mark.parametrize("host", ["192.0.2.1", "example.com", "::ffff:192.0.2.1"])
def test_other_machines_are_refused_with_the_settings_name(shared_launcher: Launcher, host: str) -> None:
    with pytest.raises(HostNotAllowedError, match="DEBUG_SCRIPT_ALLOW_REMOTE_HOSTS=on"):
        attach_only(shared_launcher, host=host, port=9229)
    bracketed = f"[{host}]" if ":" in host else host
    with pytest.raises(HostNotAllowedError):
        attach_only(shared_launcher, url=f"ws://{bracketed}:9229/id")


@pytest.mark.parametrize("spec", [{}, {"port": 1, "pid": 1}, {"url": "ws://x", "pid": 1}])
def test_exactly_one_way_has_to_be_given(shared_launcher: Launcher, spec: dict[str, object]) -> None:
    with pytest.raises(InvalidArgumentsError, match="Give one of"):
        attach_only(shared_launcher, None, **spec)


@pytest.mark.parametrize("url", ["", "nonsense", "ws://", "ws://[::1", "ftp://127.0.0.1/x", "ws://127.0.0.1:port/x"])
def test_text_that_is_no_address_is_refused(shared_launcher: Launcher, url: str) -> None:
    with pytest.raises(InvalidArgumentsError, match="no address of an inspector"):
        attach_only(shared_launcher, url=url)


@dataclass
class FakeList:
    """An HTTP server that answers every question with the same bytes."""

    port: int


@pytest.fixture
def answering() -> Iterator[Callable[[bytes, int], FakeList]]:
    servers: list[tuple[HTTPServer, Thread]] = []

    def serve(body: bytes, status: int = 200) -> FakeList:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_args: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        servers.append((server, thread))
        return FakeList(server.server_port)

    yield serve
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


def entry(name: str) -> dict[str, str]:
    return {
        "id": f"id-{name}",
        "title": f"{name}.js",
        "url": f"file:///app/{name}.js",
        "webSocketDebuggerUrl": f"ws://elsewhere.example:1/id-{name}",
    }


def test_several_targets_are_listed_with_how_to_choose(
    shared_launcher: Launcher, answering: Callable[..., FakeList]
) -> None:
    fake = answering(json.dumps([entry("one"), entry("two")]).encode())
    with pytest.raises(InvalidArgumentsError, match=r"id-one: one\.js(.|\n)*id-two(.|\n)*as target") as raised:
        attach_only(shared_launcher, port=fake.port)
    assert [one["id"] for one in raised.value.details["targets"]] == ["id-one", "id-two"]
    with pytest.raises(InvalidArgumentsError, match="no target 'three'"):
        attach_only(shared_launcher, port=fake.port, target="three")
    for chosen in ("id-two", "two.js", "app/two"):
        attach_only(shared_launcher, port=fake.port, target=chosen)


def test_inspector_cannot_lead_to_another_machine(
    shared_launcher: Launcher, answering: Callable[..., FakeList]
) -> None:
    fake = answering(json.dumps([entry("one")]).encode())
    inbox = Inbox(Deadline.after(BOUND_S))
    debuggee = NodeSessionBackend(shared_launcher, Settings()).attach(AttachSpec(port=fake.port), inbox)
    with pytest.raises(ConnectionFailedError, match=f"ws://127.0.0.1:{fake.port}/id-one"):
        debuggee.connect()


@pytest.mark.parametrize(
    ("body", "status", "problem"),
    [
        (b"[]", 200, "has nothing to debug"),
        (b"{}", 200, "has nothing to debug"),
        (b"<html>", 200, "is no inspector"),
        (b"[]", 404, "is no inspector"),
        (b" " * (1024 * 1024 + 1), 200, "is no inspector"),
    ],
)
def test_what_is_no_inspector_is_told(
    shared_launcher: Launcher, answering: Callable[..., FakeList], body: bytes, status: int, problem: str
) -> None:
    fake = answering(body, status)
    with pytest.raises(ConnectionFailedError, match=problem):
        attach_only(shared_launcher, port=fake.port)


# --- being a guest -------------------------------------------------------------------------------------------------


def test_attaching_does_not_stop_the_program_and_leaving_leaves_nothing(run: Run, attach: Attach) -> None:
    running = run("--inspect=0")
    url = running.announced_url()
    running.await_ready()
    program = attach(running, url=url)
    program.until(Wrote)
    assert not any(isinstance(event, Stopped) for event in program.events)
    stop_at_tick(program)
    program.debuggee.set_pause_on_exceptions(PauseOnExceptions.ALL)
    assert program.value("turns").json is not None
    program.debuggee.detach()
    after = running.finish()
    assert "debug" not in str(after["globals"])
    assert after["argv"] == ["--inspect=0"]


def test_program_that_was_left_can_be_attached_to_again(run: Run, attach: Attach) -> None:
    running = run("--inspect=0")
    url = running.announced_url()
    first = attach(running, url=url)
    stop_at_tick(first)
    first.debuggee.detach()
    second = attach(running, url=url)
    stop_at_tick(second)


def test_program_goes_on_when_it_is_left_by_the_end_of_the_session(run: Run, attach: Attach) -> None:
    running = run("--inspect=0")
    program = attach(running, url=running.announced_url())
    stop_at_tick(program)
    program.debuggee.end()
    assert running.process.poll() is None
    assert int(str(running.finish()["turns"])) > 0


def test_console_of_an_attached_program_is_told(run: Run, attach: Attach) -> None:
    running = run("--inspect=0")
    program = attach(running, url=running.announced_url())
    wrote = program.until(Wrote, where=lambda event: isinstance(event, Wrote) and "turn" in event.text)
    assert isinstance(wrote, Wrote)
    assert wrote.stream == "console"
    assert re.fullmatch(r"turn \d+0 .*deep.*\n", wrote.text)


def test_attached_program_that_ends_is_told_to_have_ended(run: Run, attach: Attach) -> None:
    running = run("--inspect=0")
    program = attach(running, url=running.announced_url())
    assert running.process.stdin is not None
    running.process.stdin.write("done\n")
    running.process.stdin.flush()
    assert program.end() == ProgramEnded(None)


def test_attached_process_that_is_killed_is_told_to_have_ended(run: Run, attach: Attach) -> None:
    running = run("--inspect=0")
    running.await_ready()
    program = attach(running, pid=running.pid)
    os.kill(running.pid, signal.SIGKILL)
    assert program.end() == ProgramEnded(None)


def test_breakpoints_bind_in_code_that_runs_already(run: Run, attach: Attach) -> None:
    running = run("--inspect=0")
    running.await_ready()
    program = attach(running, pid=running.pid)
    binding = program.debuggee.set_breakpoint("bp1", BreakpointSpec(program.line("tick"), condition="turns % 3 === 0"))
    assert binding.position is not None
    for _ in range(3):
        program.stop()
        assert int(str(program.value("turns").json)) % 3 == 0
        program.debuggee.resume()
