"""A program that is followed step by step: the real server over stdio, a real node, every session tool."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp_types import TextContent

from tests.e2e.programs import News, Program, TreeProgram, line_of
from tests.e2e.sdk_client import connected
from tests.e2e.server_process import ServerProcess
from tests.e2e.session_client import SessionClient
from tests.nodes import NODE
from tests.unit.process.process_probe import pids_with_argument, wait_until

CART = """\
'use strict';
const items = [{ price: 3, count: 2 }, { price: 7, count: 1 }];
function total(all) {
  let sum = 0;
  for (const item of all) {
    sum += item.price * item.count; // @bp add
  }
  return sum; // @bp return
}
console.log('adding up');
const result = total(items); // @bp call
console.log(`total ${result}`); // @bp print
"""
WAITING = """\
let rounds = 0;
setInterval(() => {
  rounds += 1; // @bp round
}, 5);
require('fs').appendFileSync(process.argv[2], `runs ${process.pid}\\n`);
"""


class Cart(Program):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder, CART, "cart.js")

    def at(self, mark: str) -> dict[str, Any]:
        return {"file": str(self.path), "line": line_of(CART, mark)}

    def command(self) -> str:
        return f"{NODE} {self.path}"


@pytest.fixture
def client(shared_server: ServerProcess) -> Iterator[SessionClient]:
    """A client without sessions of others, which leaves none behind."""
    client = SessionClient(shared_server)
    yield client
    for session in client.call("list_debug_sessions")["sessions"]:
        client.call("close_debug_session", session_id=session["session_id"])


@pytest.fixture
def cart(tmp_path: Path) -> Cart:
    return Cart(tmp_path)


@pytest.fixture
def stopped(client: SessionClient, cart: Cart) -> SessionClient:
    """A client whose program stands at the first round of the loop."""
    answer = client.call("start_debugging", command=cart.command(), breakpoints=[cart.at("add")])
    assert answer["state"] == "paused"
    return client


@pytest.fixture
def waiting(client: SessionClient, tmp_path: Path, news: News) -> tuple[SessionClient, Program]:
    """A client whose program runs, and runs for ever."""
    program = Program(tmp_path, WAITING, "waiting.js")
    answer = client.call(
        "start_debugging",
        command=f"{NODE} {program.path} {news.path}",
        stop_on_entry=False,
        wait_ms=0,
    )
    assert answer["state"] == "running"
    news.lines(1)
    return client, program


def locals_of(answer: dict[str, Any]) -> dict[str, Any]:
    return {each["name"]: each.get("value", each.get("preview")) for each in answer["stop"]["locals"]}


# --- following a program -------------------------------------------------------------------------------------------


def test_a_session_from_its_first_stop_to_the_end_of_the_program(client: SessionClient, cart: Cart) -> None:
    answer = client.call("start_debugging", command=cart.command(), breakpoints=[cart.at("add")])
    assert answer["state"] == "paused"
    assert answer["session_id"] == client.call("list_debug_sessions")["sessions"][0]["session_id"]
    assert answer["stop"]["reason"] == "breakpoint"
    assert answer["stop"]["breakpoint_ids"] == ["bp1"]
    assert {**cart.at("add"), "function": "total"}.items() <= answer["stop"]["location"].items()
    assert answer["stop"]["frames"][0]["function"] == "total"
    assert all(Path(frame["file"]).is_absolute() for frame in answer["stop"]["frames"])
    assert locals_of(answer)["sum"] == 0
    assert answer["breakpoints"][0]["verified"] is True
    assert answer["target_info"]["attached"] is False
    assert answer["target_info"]["runtime"].startswith("Node.js v")

    written = answer["output"]["stdout"]
    watched = client.call("set_watches", expressions=["sum"])
    assert watched["watches"] == [{"expression": "sum", "new": {"type": "number", "value": 0}}]
    stepped = client.call("step_over")
    assert stepped["stop"]["reason"] == "step"
    [watch] = stepped["stop"]["watches"]
    assert (watch["old"]["value"], watch["new"]["value"]) == (0, 6)

    again = client.call("continue_execution")
    assert again["stop"]["location"]["line"] == cart.at("add")["line"]
    returning = client.call("continue_execution", to=cart.at("return"))
    assert returning["stop"]["location"]["line"] == cart.at("return")["line"]
    outside = client.call("step_out")
    assert outside["stop"]["location"]["line"] in (cart.at("call")["line"], cart.at("print")["line"])

    ended = client.call("continue_execution")
    assert ended["state"] == "exited"
    assert ended["exit"] == {"code": 0, "signal": None}
    for each in (stepped, again, returning, outside, ended):
        written += each["output"]["stdout"]
    assert written == "adding up\ntotal 13\n"
    assert client.error("step_over")["code"] == "TARGET_EXITED"
    assert "total 13" in client.text("get_output")
    closed, text = client.both("close_debug_session")
    assert closed["closed"] is True
    assert text == f"{closed['session_id']} closed. The program had ended before: exit code 0."
    assert client.call("list_debug_sessions")["sessions"] == []


def test_the_text_reads_like_a_debuggers_screen(client: SessionClient, cart: Cart) -> None:
    text = client.text("start_debugging", command=cart.command(), breakpoints=[cart.at("add")])
    lines = text.splitlines()
    [session] = client.call("list_debug_sessions")["sessions"]
    assert lines[0].startswith(f"{session['session_id']} paused at breakpoint bp1 in total ({cart.path}:6:")
    assert ">>> 6 |     sum += item.price * item.count; // @bp add" in lines
    [shown] = [line for line in lines if line.startswith("locals: ")]
    assert "item = {price: 3, count: 2} (v" in shown
    assert "sum = 0" in shown
    [frames] = [line for line in lines if line.startswith("frames: ")]
    assert frames.startswith("frames: f0 total cart.js:6 | f1 ")
    assert lines[-1].startswith("next: step_over")


def test_files_in_the_programs_directory_are_named_from_there(client: SessionClient, cart: Cart) -> None:
    text = client.text(
        "start_debugging", command=cart.command(), cwd=str(cart.path.parents[1]), breakpoints=[cart.at("add")]
    )
    [frames] = [line for line in text.splitlines() if line.startswith("frames: ")]
    assert frames.startswith(f"frames: f0 total {cart.path.relative_to(cart.path.parents[1])}:6 | f1 ")
    assert frames.endswith(" in the runtime")


def test_the_first_stop_brings_the_watches_that_were_asked_for(client: SessionClient, cart: Cart) -> None:
    answer = client.call(
        "start_debugging", command=cart.command(), breakpoints=[cart.at("add")], watches=["sum", "all.length"]
    )
    assert [(watch["expression"], watch["new"]["value"]) for watch in answer["stop"]["watches"]] == [
        ("sum", 0),
        ("all.length", 2),
    ]


def test_what_a_logpoint_says_is_told_however_much_the_program_writes(client: SessionClient, tmp_path: Path) -> None:
    source = "let n = 1; // @bp here\nfor (let i = 0; i < 3000; i += 1) console.log(`line ${i}`);\nn = 2; // @bp end\n"
    program = Program(tmp_path, source)
    logpoint = {"file": str(program.path), "line": line_of(source, "here"), "log_message": "begins"}
    end = {"file": str(program.path), "line": line_of(source, "end")}
    answer, text = client.both(
        "start_debugging", command=f"{NODE} {program.path}", breakpoints=[logpoint, end], stop_on_entry=False
    )
    while "line 2999\n" not in answer["output"]["stdout"]:
        answer, text = client.both("pause_execution")
    written = client.call("get_output", since=0)
    assert "begins\n" in [entry["text"] for entry in written["entries"]]
    assert written["end"] > written["cursor"]
    lines = answer["output"]["stdout"].splitlines()
    assert lines[-1] == "line 2999"
    assert all(line.startswith("line ") for line in lines)
    assert answer["output"]["since"] >= 0
    assert f"get_output since={answer['output']['since']}" in text


def test_a_program_that_nothing_else_would_stop_stands_at_its_first_line(client: SessionClient, cart: Cart) -> None:
    answer = client.call("start_debugging", command=cart.command())
    assert answer["stop"]["reason"] == "entry"
    assert answer["stop"]["location"]["file"] == str(cart.path)


def test_stepping_into_a_call_lands_in_the_function(client: SessionClient, cart: Cart) -> None:
    client.call("start_debugging", command=cart.command(), breakpoints=[cart.at("call")])
    assert client.call("step_into")["stop"]["location"]["function"] == "total"


def test_looking_into_a_stop(stopped: SessionClient, cart: Cart) -> None:
    variables = {each["name"]: each for each in stopped.call("get_variables")["variables"]}
    assert variables["sum"]["value"] == 0
    inside = stopped.call("get_variables", ref=variables["item"]["ref"])
    assert [(each["name"], each["type"], each["value"]) for each in inside["variables"]] == [
        ("price", "number", 3),
        ("count", "number", 2),
    ]
    stack = stopped.call("get_call_stack")
    outer = stopped.call("evaluate_expression", expression="typeof sum", frame=stack["frames"][1]["id"])
    assert outer["result"] == {"type": "string", "value": "undefined"}
    inner = stopped.call("evaluate_expression", expression="{sum, name: 'x'}", frame=0, by_value=True)
    assert inner["result"]["value"] == {"sum": 0, "name": "x"}
    assert stopped.call("evaluate_expression", expression="nope()")["result"]["type"] == "error"
    assert stopped.call("set_variable", name="sum", value="100")["variable"]["value"] == 100
    assert stopped.call("evaluate_expression", expression="sum")["result"]["value"] == 100
    assert str(cart.path) in [script.get("file") for script in stopped.call("list_scripts")["scripts"]]
    assert stopped.call("get_script_source", file=str(cart.path))["source"].splitlines() == CART.splitlines()
    assert "EventEmitter" in stopped.call("get_script_source", file="node:events", first_line=40)["source"]
    context = stopped.call("get_source_context", **cart.at("add"), lines=1)
    assert [line["line"] for line in context["source"] if line.get("current")] == [cart.at("add")["line"]]


def test_an_expression_that_would_change_something_is_refused_where_it_may_not(stopped: SessionClient) -> None:
    stopped.both("evaluate_expression", expression="sum = 5", allow_side_effects=False)
    assert stopped.call("evaluate_expression", expression="sum")["result"]["value"] == 0


def test_breakpoints_are_set_listed_switched_and_removed(stopped: SessionClient, cart: Cart) -> None:
    by_text = stopped.call("set_breakpoint", file=str(cart.path), text="return sum")["breakpoint"]
    assert (by_text["verified"], by_text["line"]) == (True, cart.at("return")["line"])
    logpoint = stopped.call("set_breakpoint", **cart.at("print"), log_message="result is {result}")["breakpoint"]
    assert stopped.call("toggle_breakpoint", breakpoint_id="bp1", enabled=False)["breakpoint"]["enabled"] is False
    listed = stopped.call("list_breakpoints")["breakpoints"]
    assert [(point["id"], point["enabled"]) for point in listed] == [("bp1", False), ("bp2", True), ("bp3", True)]
    assert (listed[0]["hits"], listed[2]["log_message"]) == (1, "result is {result}")
    assert stopped.call("continue_execution")["stop"]["breakpoint_ids"] == [by_text["id"]]
    assert stopped.call("remove_breakpoint", breakpoint_id=by_text["id"])["breakpoint"]["hits"] == 1
    ended = stopped.call("continue_execution")
    assert ended["state"] == "exited"
    assert ended["output"]["log"] == "result is 13\n"
    log = stopped.call("get_output", stream="log")
    assert [entry["text"] for entry in log["entries"]] == ["result is 13\n"]
    assert logpoint["id"] == "bp3"


def test_names_of_files_may_start_at_the_programs_directory(client: SessionClient, cart: Cart) -> None:
    client.call("start_debugging", command=cart.command(), cwd=str(cart.path.parent))
    point = client.call("set_breakpoint", file="cart.js", line=cart.at("add")["line"])["breakpoint"]
    assert point["file"] == str(cart.path)


def test_a_stop_at_an_exception_shows_it(client: SessionClient, tmp_path: Path) -> None:
    program = Program(tmp_path, "const user = undefined;\nuser.name; // @bp here\n")
    answer = client.call("start_debugging", command=f"{NODE} {program.path}", pause_on_exceptions="uncaught")
    assert answer["stop"]["reason"] == "exception"
    assert answer["stop"]["exception"]["name"] == "TypeError"
    assert answer["stop"]["exception"]["caught"] is False
    assert client.call("set_pause_on_exceptions", mode="none")["pause_on_exceptions"] == "none"
    assert client.call("continue_execution")["exit"]["code"] == 1


# --- while it runs -------------------------------------------------------------------------------------------------


def test_a_program_that_runs_is_waited_for_and_paused(waiting: tuple[SessionClient, Program]) -> None:
    client, program = waiting
    assert client.call("continue_execution", wait_ms=0)["state"] == "running"
    error = client.error("get_variables")
    assert error["code"] == "SESSION_INVALID_STATE"
    assert "pause_execution" in error["next"]
    client.call("set_breakpoint", file=str(program.path), line=line_of(WAITING, "round"))
    assert client.call("continue_execution")["stop"]["reason"] == "breakpoint"
    client.call("remove_breakpoint", breakpoint_id="bp1")
    assert client.call("continue_execution", wait_ms=0)["state"] == "running"
    assert client.call("pause_execution")["state"] == "paused"


def test_a_waiting_call_holds_up_no_other(waiting: tuple[SessionClient, Program]) -> None:
    client, program = waiting
    waits = [client.server.start_call({"wait_ms": 60_000}, name="continue_execution") for _ in range(15)]
    assert client.call("list_debug_sessions")["sessions"][0]["state"] == "running"
    client.call("set_breakpoint", file=str(program.path), line=line_of(WAITING, "round"))
    for request_id in waits:
        assert client.take("continue_execution", request_id)[0]["state"] == "paused"


def test_a_cancelled_wait_leaves_the_program_running(waiting: tuple[SessionClient, Program]) -> None:
    client, _ = waiting
    waits = client.server.start_call({"wait_ms": 3_600_000}, name="continue_execution")
    client.call("list_debug_sessions")
    client.server.cancel(waits)
    [session] = client.call("list_debug_sessions")["sessions"]
    assert session["state"] == "running"
    assert client.call("pause_execution")["state"] == "paused"
    assert not client.server.has_answered(waits)


def test_a_launch_that_is_cancelled_leaves_no_session_and_no_program(
    client: SessionClient, tmp_path: Path, news: News, token: str
) -> None:
    program = TreeProgram(tmp_path, news)
    command = f"{NODE} {program.path} {news.path} [] {token}"
    call = client.server.start_call(
        {"command": command, "stop_on_entry": False, "wait_ms": 3_600_000}, name="start_debugging"
    )
    news.lines(1)
    client.server.cancel(call)
    wait_until(lambda: not pids_with_argument(token), "the program is gone")
    assert client.call("list_debug_sessions")["sessions"] == []


# --- several, and attached ones ------------------------------------------------------------------------------------


def test_two_sessions_are_told_apart_by_their_ids(client: SessionClient, cart: Cart) -> None:
    first, second = [client.call("start_debugging", command=cart.command())["session_id"] for _ in range(2)]
    error = client.error("step_over")
    assert error["code"] == "INVALID_PARAMETERS"
    assert error["details"] == {"session_ids": [first, second]}
    before = client.call("list_debug_sessions")["sessions"][1]["location"]
    client.call("step_over", session_id=first)
    assert client.call("list_debug_sessions")["sessions"][1]["location"] == before
    assert client.call("close_debug_session", session_id=first)["session_id"] == first
    assert client.call("step_over")["session_id"] == second


def test_one_session_too_many_is_refused(cart: Cart) -> None:
    with ServerProcess(env={"DEBUG_SCRIPT_MAX_SESSIONS": "1"}) as server:
        server.initialize()
        client = SessionClient(server)
        client.call("start_debugging", command=cart.command())
        error = client.error("start_debugging", command=cart.command())
        assert error["code"] == "LIMIT_EXCEEDED"
        assert "close_debug_session" in error["next"]


@pytest.fixture
def inspected(tmp_path: Path, news: News) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A program that somebody else started, and the URL of its inspector."""
    program = Program(tmp_path, WAITING, "waiting.js")
    command = [NODE, "--inspect=127.0.0.1:0", str(program.path), str(news.path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            url = process.stderr.readline().split()[-1]
            news.lines(1)
            yield process, url
        finally:
            process.kill()


def test_an_attached_program_is_stopped_and_left_running(
    client: SessionClient, tmp_path: Path, inspected: tuple[subprocess.Popen[str], str]
) -> None:
    process, url = inspected
    answer = client.call("connect_debugger", websocket_url=url)
    assert answer["state"] == "running"
    assert answer["target_info"]["attached"] is True
    client.call("set_breakpoint", file=str(tmp_path / "waiting.js"), line=line_of(WAITING, "round"))
    assert client.call("continue_execution")["state"] == "paused"
    client.call("close_debug_session")
    assert process.poll() is None
    again = client.call("connect_debugger", websocket_url=url)
    assert again["state"] == "running", "it was left standing still"


@pytest.mark.parametrize("ending", ["end of input", "SIGTERM"])
def test_an_attached_program_survives_the_server(
    server: ServerProcess, tmp_path: Path, inspected: tuple[subprocess.Popen[str], str], ending: str
) -> None:
    process, url = inspected
    client = SessionClient(server)
    client.call("connect_debugger", websocket_url=url)
    client.call("set_breakpoint", file=str(tmp_path / "waiting.js"), line=line_of(WAITING, "round"))
    assert client.call("continue_execution")["state"] == "paused"
    end(server, ending)
    assert process.poll() is None
    with ServerProcess() as another:
        another.initialize()
        told = SessionClient(another).call("connect_debugger", websocket_url=url)
        assert told["state"] == "running", "it was left standing still"


# --- the end of the server -----------------------------------------------------------------------------------------


def end(server: ServerProcess, ending: str) -> None:
    if ending == "end of input":
        server.close_stdin()
    else:
        server.send_signal(signal.Signals[ending])
    assert server.wait() == {"end of input": 0, "SIGTERM": 143, "SIGINT": 130}[ending]
    assert server.stderr() == ""


@pytest.mark.parametrize("ending", ["end of input", "SIGTERM", "SIGINT"])
def test_no_program_outlives_the_server(
    server: ServerProcess, tmp_path: Path, news: News, token: str, ending: str
) -> None:
    client = SessionClient(server)
    program = TreeProgram(tmp_path, news)
    command = f"{NODE} {program.path} {news.path} [] {token}"
    client.call("start_debugging", command=command)
    client.call("start_debugging", command=command, stop_on_entry=False, wait_ms=0)
    news.lines(1)
    waits = server.start_call({"session_id": "s2", "wait_ms": 3_600_000}, name="continue_execution")
    client.call("list_debug_sessions")
    assert len(pids_with_argument(token)) >= 2
    end(server, ending)
    wait_until(lambda: not pids_with_argument(token), "the programs are gone")
    assert not server.has_answered(waits)


# --- failures ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("step_over", {}, "SESSION_NOT_FOUND"),
        ("step_over", {"session_id": "s0"}, "SESSION_NOT_FOUND"),
        ("step_over", {"wait": 1}, "INVALID_PARAMETERS"),
        ("start_debugging", {"program": "no-such-file.js"}, "INVALID_PARAMETERS"),
        ("start_debugging", {"command": "no-such-command a.js"}, "INVALID_PARAMETERS"),
        ("connect_debugger", {"port": 1}, "CONNECTION_FAILED"),
        ("connect_debugger", {"websocket_url": "ws://192.0.2.1:9229/id"}, "HOST_NOT_ALLOWED"),
        ("connect_debugger", {"pid": 2**31 - 1}, "CONNECTION_FAILED"),
    ],
)
def test_a_call_that_cannot_be_served_says_why_and_what_helps(
    shared_server: ServerProcess, name: str, arguments: dict[str, Any], code: str
) -> None:
    error = SessionClient(shared_server).error(name, **arguments)
    assert error["code"] == code
    assert error["next"]


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("remove_breakpoint", {"breakpoint_id": "bp9"}, "BREAKPOINT_NOT_FOUND"),
        ("get_variables", {"frame": "f99"}, "INVALID_PARAMETERS"),
        ("get_variables", {"ref": "v99"}, "INVALID_PARAMETERS"),
        ("set_variable", {"name": "nope", "value": "1"}, "EVALUATION_FAILED"),
        ("get_script_source", {"script": "nope"}, "INVALID_PARAMETERS"),
    ],
)
def test_a_failed_call_leaves_the_program_where_it_stands(
    stopped: SessionClient, name: str, arguments: dict[str, Any], code: str
) -> None:
    assert stopped.error(name, **arguments)["code"] == code
    assert stopped.call("step_over")["state"] == "paused"


def test_an_expression_that_does_not_end_is_given_up(stopped: SessionClient) -> None:
    endless = stopped.call("evaluate_expression", expression="(() => { for (;;); })()", timeout=100)
    assert endless["result"]["type"] == "error"
    assert stopped.call("step_over")["state"] == "paused"


def test_ids_of_an_earlier_stop_are_refused(stopped: SessionClient) -> None:
    [item] = [each for each in stopped.call("get_variables")["variables"] if each["name"] == "item"]
    frame = stopped.call("get_call_stack")["frames"][0]["id"]
    stopped.call("step_over")
    for arguments in ({"ref": item["ref"]}, {"frame": frame}):
        error = stopped.error("get_variables", **arguments)
        assert error["code"] == "SESSION_INVALID_STATE"
        assert "moved on" in error["message"]


# --- toolsets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["option", "environment"])
@pytest.mark.parametrize(
    ("toolset", "first", "count"), [("script", "debug-script", 1), ("session", "start_debugging", 23)]
)
def test_a_toolset_is_chosen_by_option_or_environment(by: str, toolset: str, first: str, count: int) -> None:
    arguments = ["--tools", toolset] if by == "option" else []
    env = {"DEBUG_SCRIPT_TOOLS": toolset if by == "environment" else "script,session"}
    with ServerProcess(*arguments, env=env) as server:
        told = server.initialize()
        tools = server.ask("tools/list")["tools"]
    assert (tools[0]["name"], len(tools)) == (first, count)
    assert ("resources" in told["capabilities"]) == (toolset == "session")


# --- the SDK's own client ------------------------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_sdks_client_follows_a_program_in_both_eras(mode: str, cart: Cart, tmp_path: Path) -> None:
    async with connected(mode, tmp_path / "log") as client:
        await client.list_tools()  # from then on the client checks every answer against its schema
        started = await client.call_tool(
            "start_debugging", {"command": cart.command(), "breakpoints": [cart.at("add")]}
        )
        stepped = await client.call_tool("step_over", {})
        failed = await client.call_tool("evaluate_expression", {})
        with anyio.move_on_after(0.05):  # given up: the wait ends, and the program runs on
            await client.call_tool("continue_execution", {"to": cart.at("print"), "wait_ms": 3_600_000})
        closed = await client.call_tool("close_debug_session", {})
    assert started.structured_content is not None
    assert started.structured_content["stop"]["reason"] == "breakpoint"
    assert stepped.structured_content is not None
    assert stepped.structured_content["stop"]["reason"] == "step"
    assert failed.is_error
    [content] = failed.content
    assert isinstance(content, TextContent)
    assert content.text.startswith("INVALID_PARAMETERS: Bad arguments for evaluate_expression:\n")
    assert closed.structured_content is not None
    assert closed.structured_content["closed"] is True
