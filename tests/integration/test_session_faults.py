"""What happens to a program while a session follows it: nothing hangs, nothing is left, and the next session works."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.cdp import evaluation
from server.debug import session_calls
from tests.e2e.programs import News
from tests.integration.conftest import WriteProgram
from tests.integration.session_tools import Fields, SessionTools, ToolSession
from tests.nodes import NODE

SPINS = """\
const news = process.argv[2];
const fs = require('fs');
let rounds = 0;
debugger; // @bp before
if (news) fs.appendFileSync(news, 'it spins\\n');
while (rounds >= 0) {
  rounds += 1; // @bp round
}
"""
BLOCKS = """\
const news = process.argv[2];
debugger;
require('child_process').execSync(`echo it blocks > ${news}; exec sleep 1000`); // @bp block
"""


@pytest.fixture
def news(tmp_path: Path) -> Iterator[News]:
    news = News(tmp_path)
    yield news
    news.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A debugger that does not answer is given up sooner, for the test to be short."""
    monkeypatch.setattr(session_calls, "CALL_S", 0.5)
    monkeypatch.setattr(evaluation, "_GRACE_S", 0.5)


@pytest.fixture
def spinning(tools: SessionTools, write: WriteProgram, news: News) -> ToolSession:
    """A program that stands before its endless loop."""
    return tools.start(write(SPINS), words=(str(news.path),), stop_on_entry=False, pause_on_exceptions="uncaught")


def is_about_the_end(answer: Fields) -> bool:
    """Whether a call tells that the program is gone: a run that ends with it, or one that cannot be done any more."""
    if answer["status"] == "ok":
        return bool(answer["state"] == "exited")
    return bool(answer["error"]["code"] == "TARGET_EXITED")


def assert_killed(session: ToolSession) -> None:
    """The session knows how its program ended, refuses what needs one, and still tells what it wrote."""
    session.await_state("exited")
    refused = session.both("step_over")
    assert refused["error"]["code"] == "TARGET_EXITED"
    assert refused["error"]["details"]["exit"] == {"code": None, "signal": "SIGKILL"}
    assert session.call("get_output")["state"] == "exited"
    closed = session.call("close_debug_session")
    assert closed["exit"] == {"code": None, "signal": "SIGKILL"}


# --- the program is killed ----------------------------------------------------------------------------------------


@pytest.mark.matrix
def test_a_program_that_is_killed_while_it_stands_still_is_told_by_the_next_call(spinning: ToolSession) -> None:
    spinning.kill()
    assert is_about_the_end(spinning.both("step_over"))
    assert_killed(spinning)


@pytest.mark.matrix
def test_a_call_that_waits_for_a_stop_is_answered_when_the_program_is_killed(spinning: ToolSession, news: News) -> None:
    waiting = spinning.begin("continue_execution", wait_ms=600_000)
    news.lines(1)
    spinning.kill()
    answer = waiting.answer()
    assert answer["state"] == "exited"
    assert answer["exit"] == {"code": None, "signal": "SIGKILL"}
    assert_killed(spinning)


@pytest.mark.matrix
def test_an_evaluation_is_answered_when_the_program_is_killed_meanwhile(spinning: ToolSession, news: News) -> None:
    endless = "fs.appendFileSync(news, 'it evaluates\\n'), (() => { for (;;); })()"
    waiting = spinning.begin("evaluate_expression", expression=endless, timeout=600_000)
    news.lines(1)
    spinning.kill()
    assert waiting.answer()["error"]["code"] == "TARGET_EXITED"
    assert_killed(spinning)


def test_calls_that_are_queued_behind_an_evaluation_are_answered_too(spinning: ToolSession, news: News) -> None:
    endless = "fs.appendFileSync(news, 'it evaluates\\n'), (() => { for (;;); })()"
    waiting = [spinning.begin("evaluate_expression", expression=endless, timeout=600_000)]
    news.lines(1)
    waiting += [spinning.begin("get_variables"), spinning.begin("set_watches", expressions=["rounds"])]
    waiting += [spinning.begin("evaluate_expression", expression="rounds"), spinning.begin("step_over")]
    spinning.kill()
    assert [one for call in waiting if not is_about_the_end(one := call.answer())] == []
    assert_killed(spinning)


def test_a_program_that_was_attached_to_and_dies_ends_its_session(tools: SessionTools, write: WriteProgram) -> None:
    program = write("setInterval(() => {}, 5);\n")
    with subprocess.Popen([NODE, "--inspect=0", str(program.path)], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        url = process.stderr.readline().split()[-1]
        opened = tools.call("connect_debugger", websocket_url=url)
        session = ToolSession(tools, opened["session_id"], process.pid, opened)
        assert session.call("pause_execution")["state"] == "paused"
        waiting = session.begin("continue_execution", wait_ms=600_000)
        process.kill()
        process.wait()
        assert waiting.answer()["state"] in ("exited", "disconnected")
    assert session.error_code("step_over") == "TARGET_EXITED"
    assert session.call("close_debug_session")["closed"]


# --- the program does not answer ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("impatient")
def test_a_program_that_is_stopped_by_a_signal_times_calls_out_and_works_on_when_it_is_continued(
    spinning: ToolSession,
) -> None:
    spinning.signal(signal.SIGSTOP)
    assert spinning.error_code("evaluate_expression", expression="rounds", timeout=100) == "TIMEOUT"
    assert spinning.error_code("get_variables") == "TIMEOUT"
    assert spinning.error_code("set_variable", name="rounds", value="5") == "TIMEOUT"
    assert spinning.call("step_over", wait_ms=100)["state"] == "running"
    spinning.signal(signal.SIGCONT)
    spinning.await_state("paused")
    assert spinning.value("typeof news") == "string"


@pytest.mark.usefixtures("impatient")
def test_a_program_that_is_stopped_by_a_signal_can_be_closed(spinning: ToolSession) -> None:
    spinning.signal(signal.SIGSTOP)
    assert spinning.error_code("get_variables") == "TIMEOUT"
    assert spinning.call("close_debug_session")["closed"]


@pytest.mark.usefixtures("impatient")
def test_a_program_that_is_stopped_by_a_signal_while_it_runs_answers_within_the_wait(
    spinning: ToolSession, news: News
) -> None:
    spinning.call("continue_execution", wait_ms=0)
    news.lines(1)
    spinning.signal(signal.SIGSTOP)
    assert spinning.call("pause_execution", wait_ms=100)["state"] == "running"
    file = spinning.opened["stop"]["location"]["file"]
    assert spinning.error_code("set_breakpoint", file=file, text="rounds += 1") == "TIMEOUT"
    assert spinning.call("close_debug_session")["closed"]


@pytest.mark.usefixtures("impatient")
def test_a_program_that_blocks_in_native_code_cannot_be_paused_but_closed_with_its_child(
    tools: SessionTools, write: WriteProgram, news: News
) -> None:
    program = write(BLOCKS)
    session = tools.start(program, words=(str(news.path),), stop_on_entry=False, pause_on_exceptions="uncaught")
    waiting = session.begin("continue_execution", wait_ms=600_000)
    news.lines(1)
    assert session.call("pause_execution", wait_ms=100)["state"] == "running"
    place = {"file": str(program.path), "line": program.line("block")}
    assert session.error_code("set_breakpoint", **place) == "TIMEOUT"
    assert session.error_code("evaluate_expression", expression="1") == "SESSION_INVALID_STATE"
    assert session.call("close_debug_session")["closed"]
    assert waiting.answer()["error"]["code"] == "TARGET_EXITED"


@pytest.mark.matrix
def test_an_evaluation_that_never_ends_is_given_up_and_the_program_stands_where_it_stood(spinning: ToolSession) -> None:
    result = spinning.call("evaluate_expression", expression="(() => { for (;;); })()", timeout=200)["result"]
    assert result == {"type": "error", "preview": "Timeout: the expression did not end within 200 ms."}
    assert spinning.value("rounds + 1") == 1
    assert spinning.call("step_over")["state"] == "paused"


@pytest.mark.usefixtures("impatient")
def test_an_evaluation_that_blocks_in_native_code_times_out_and_the_session_can_be_closed(
    spinning: ToolSession,
) -> None:
    blocked = "require('child_process').execSync('sleep 1000')"
    assert spinning.error_code("evaluate_expression", expression=blocked, timeout=200) == "TIMEOUT"
    assert spinning.call("close_debug_session")["closed"]


def test_a_watch_that_never_ends_does_not_keep_the_stop_from_being_told(spinning: ToolSession) -> None:
    spinning.call("set_watches", expressions=["rounds", "(() => { for (;;); })()"])
    stop = spinning.call("step_over")["stop"]
    readings = {watch["expression"]: watch["new"] for watch in stop["watches"]}
    assert readings["rounds"] == {"type": "number", "value": 0}
    assert stop["location"]["file"].endswith("program.js")


# --- what the program does to itself ------------------------------------------------------------------------------


@pytest.mark.matrix
def test_a_program_that_closes_its_own_inspector_is_told_as_lost_and_ended_by_closing(
    tools: SessionTools, write: WriteProgram, news: News
) -> None:
    program = write(
        "let before;\n"
        "debugger;\n"
        "require('inspector').close();\n"
        "require('fs').appendFileSync(process.argv[2], 'it runs on\\n');\n"
        "setInterval(() => {}, 2 ** 30);\n"
    )
    session = tools.start(program, words=(str(news.path),), stop_on_entry=False, pause_on_exceptions="uncaught")
    waiting = session.begin("continue_execution", wait_ms=600_000)
    news.lines(1)
    assert waiting.answer()["state"] == "disconnected"
    assert session.error_code("pause_execution") == "TARGET_EXITED"
    assert session.call("close_debug_session")["closed"]


@pytest.mark.matrix
def test_a_child_that_the_program_forks_runs_to_its_end_without_waiting_for_a_debugger(
    tools: SessionTools, write: WriteProgram
) -> None:
    write("console.log('the child ran'); // @bp child\n", "child.js")
    program = write(
        "const { fork } = require('child_process');\n"
        "const child = fork(__dirname + '/child.js'); // @bp fork\n"
        "child.on('exit', (code) => console.log('it ended with', code));\n"
    )
    session = tools.start(program, "fork")
    ended = session.call("continue_execution")
    assert ended["state"] == "exited"
    assert ended["exit"] == {"code": 0, "signal": None}
    written = session.call("get_output", stream="stdout")["entries"]
    assert "".join(entry["text"] for entry in written) == "the child ran\nit ended with 0\n"


@pytest.mark.matrix
def test_getters_and_proxies_that_throw_are_shown_and_not_run(tools: SessionTools, write: WriteProgram) -> None:
    program = write(
        "let runs = 0;\n"
        "const bad = { get value() { runs += 1; throw new Error('not for you'); } };\n"
        "const proxy = new Proxy({}, { get() { runs += 1; throw new Error('no'); },\n"
        "  ownKeys() { runs += 1; throw new Error('no keys'); } });\n"
        "runs; // @bp here\n"
    )
    session = tools.start(program, "here")
    variables = {one["name"]: one for one in session.call("get_variables")["variables"]}
    assert {"bad", "proxy", "runs"} <= variables.keys()
    for name in ("bad", "proxy"):
        session.call("get_variables", ref=variables[name]["ref"], depth=3)
        session.call("evaluate_expression", expression=name)
        session.call("evaluate_expression", expression=name, by_value=True)
    assert session.value("runs") == 0
    thrown = session.call("evaluate_expression", expression="bad.value")["result"]
    assert thrown["type"] == "error"
    assert session.value("runs") == 1


@pytest.mark.matrix
def test_variables_of_node_s_own_frames_can_be_read_after_an_evaluation(spinning: ToolSession) -> None:
    # Some of them hold private symbols, which V8 cannot evaluate.
    spinning.call("evaluate_expression", expression="rounds += 0")
    frames = spinning.call("get_call_stack", include_internal=True)["frames"]
    assert len(frames) > 3
    for index in range(len(frames)):
        assert spinning.call("get_variables", frame=index)["variables"]


def test_a_folder_that_vanishes_takes_only_what_was_not_loaded_with_it(
    tools: SessionTools, write: WriteProgram
) -> None:
    program = write("function twice(n) {\n  return n * 2; // @bp twice\n}\ntwice(2);\ntwice(3);\n", "gone/program.js")
    line = program.line("twice")
    session = tools.start(program, "twice")
    shutil.rmtree(program.path.parent)
    stop = session.call("continue_execution")["stop"]
    assert [one["text"] for one in stop["source"] if one.get("current")] == ["  return n * 2; // @bp twice"]
    assert session.value("n") == 3
    assert session.error_code("set_breakpoint", file=str(program.path), line=line) == "INVALID_PARAMETERS"
    context = session.call("get_source_context", file=str(program.path), line=line, lines=0)["source"]
    assert [one["text"] for one in context] == ["  return n * 2; // @bp twice"]
    [script] = session.call("list_scripts", matching="gone/program.js")["scripts"]
    assert "n * 2" in session.call("get_script_source", script=script["id"])["source"]
    assert session.call("continue_execution")["exit"] == {"code": 0, "signal": None}
