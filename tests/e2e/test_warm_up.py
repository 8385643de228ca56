"""What a server does ahead of the first call, once a client has seen its tools."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.programs import Program
from tests.e2e.server_process import ServerProcess
from tests.nodes import NODE
from tests.unit.process.process_probe import children_of, wait_for_death, wait_until

COUNTING = "for (let i = 0; i < 2; i += 1) {\n  Math.sqrt(i); // @bp here\n}\n"
LAST_IMPORT = "cdp_protocol.generated.node_worker"
OWN_MODULES = re.compile(r"^import '((?:server|cdp_protocol|websocket)[\w.]*)'", re.MULTILINE)


@pytest.fixture
def telling_server() -> Iterator[ServerProcess]:
    """A server that logs every import."""
    with ServerProcess(command=(sys.executable, "-v", "-m", "server")) as server:
        server.initialize()
        yield server


def imported(server: ServerProcess) -> set[str]:
    return set(OWN_MODULES.findall(server.stderr()))


def test_nothing_is_warmed_up_before_the_tools_are_listed(telling_server: ServerProcess) -> None:
    telling_server.ask("ping")
    assert children_of(telling_server.pid) == set()
    assert "cdp_protocol.generated.debugger" not in imported(telling_server)


def test_the_first_call_after_a_listing_starts_no_guard_and_imports_nothing(
    telling_server: ServerProcess, tmp_path: Path
) -> None:
    telling_server.ask("tools/list")
    wait_until(lambda: LAST_IMPORT in imported(telling_server), "the end of the warm-up")
    guards = children_of(telling_server.pid)
    modules = imported(telling_server)
    assert len(guards) == 1

    program = Program(tmp_path, COUNTING)
    answer = telling_server.call(program.call("i"))

    assert [result["value"] for result in answer["structuredContent"]["results"]] == [0, 1]
    assert children_of(telling_server.pid) == guards
    assert imported(telling_server) - modules == set()

    opened = telling_server.result(
        telling_server.start_call({"command": f"{NODE} {program.path}"}, name="start_debugging")
    )
    assert opened["structuredContent"]["state"] == "paused"
    assert imported(telling_server) - modules == set()


def test_a_client_that_leaves_during_the_warm_up_leaves_nothing_running(server: ServerProcess) -> None:
    server.ask("tools/list")
    wait_until(lambda: bool(children_of(server.pid)), "a guard")
    guards = children_of(server.pid)
    server.close_stdin()
    assert server.wait() == 0
    wait_for_death(guards)
    assert server.stderr() == ""
