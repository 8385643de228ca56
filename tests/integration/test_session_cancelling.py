"""A client gives a call up, whatever it waits for: the call ends at once, and the session goes on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.programs import News
from tests.integration.conftest import WriteProgram
from tests.integration.leftovers import processes_with_token
from tests.integration.script_debugger import Program
from tests.integration.session_tools import CallUnderWay, SessionTools, ToolSession, start_arguments
from tests.unit.process.process_probe import wait_until

LONG_MS = 600_000
WORKS_LONG = """\
const news = process.argv[2];
const fs = require('fs');
let stop = false;
function work() {
  fs.appendFileSync(news, `works ${process.pid}\\n`);
  while (!stop) {
    stop = false; // @bp round
  }
  return 1;
}
let result = 0; // @bp before
result = work(); // @bp call
result += 1; // @bp never
"""


@pytest.fixture
def news(tmp_path: Path) -> Iterator[News]:
    news = News(tmp_path)
    yield news
    news.close()


@pytest.fixture
def program(write: WriteProgram) -> Program:
    return write(WORKS_LONG)


@pytest.fixture
def before(tools: SessionTools, program: Program, news: News) -> ToolSession:
    """The program stands before its long work."""
    return tools.start(program, "before", words=(str(news.path),))


def assert_cancelled(call: CallUnderWay) -> None:
    """It has ended, and nobody is told that anything was done."""
    answer = call.answer()
    assert answer["error"]["message"] == "The call was cancelled."


@pytest.mark.parametrize("running", ["continue_execution", "step_over"])
def test_a_wait_for_a_stop_can_be_given_up_while_the_program_runs_on(
    before: ToolSession, news: News, running: str
) -> None:
    if running == "step_over":
        before.call("step_over")  # to the call, over which the next step goes
    waiting = before.begin(running, wait_ms=LONG_MS)
    news.lines(1)
    waiting.cancel()
    assert_cancelled(waiting)
    assert before.state == "running"
    assert before.call("pause_execution")["stop"]["location"]["function"] == "work"
    before.value("stop = true")
    assert before.call("step_out")["state"] == "paused"


def test_a_run_to_a_line_and_a_step_out_can_be_given_up(before: ToolSession, program: Program, news: News) -> None:
    never = {"file": str(program.path), "line": program.line("never")}
    waiting = before.begin("continue_execution", to=never, wait_ms=LONG_MS)
    news.lines(1)
    waiting.cancel()
    assert_cancelled(waiting)
    before.call("pause_execution")
    waiting = before.begin("step_out", wait_ms=LONG_MS)
    before.await_state("running")
    waiting.cancel()
    assert_cancelled(waiting)
    assert before.call("pause_execution")["state"] == "paused"


def test_a_pause_that_an_idle_program_does_not_obey_can_be_given_up(
    tools: SessionTools, write: WriteProgram, news: News
) -> None:
    idle = write(
        "require('fs').appendFileSync(process.argv[2], 'idle\\n');\nsetTimeout(() => {}, 2 ** 30); // @bp last\n"
    )
    session = tools.start(idle, words=(str(news.path),))
    session.call("continue_execution", wait_ms=0)
    news.lines(1)
    waiting = session.begin("pause_execution", wait_ms=LONG_MS)
    waiting.cancel()
    assert_cancelled(waiting)
    assert session.call("list_breakpoints")["state"] == "running"


def test_an_evaluation_can_be_given_up_and_the_session_serves_on_when_it_is_over(
    before: ToolSession, news: News
) -> None:
    endless = "fs.appendFileSync(news, 'it evaluates\\n'), (() => { for (;;); })()"
    waiting = before.begin("evaluate_expression", expression=endless, timeout=500)
    queued = before.begin("get_variables")
    news.lines(1)
    waiting.cancel()
    queued.cancel()
    assert_cancelled(waiting)
    assert_cancelled(queued)
    assert before.value("typeof news") == "string"


def test_a_start_that_is_given_up_leaves_no_session_and_no_program(
    tools: SessionTools, program: Program, news: News, token: str
) -> None:
    arguments = start_arguments(program, "never", words=(str(news.path),))
    starting = tools.begin("start_debugging", **arguments, wait_ms=LONG_MS)
    [told] = news.lines(1)
    assert int(told.split()[1]) in processes_with_token(token)
    starting.cancel()
    assert_cancelled(starting)
    assert tools.sessions.list() == ()
    wait_until(lambda: processes_with_token(token) == {}, "the program is gone")


def test_a_start_that_is_given_up_at_once_leaves_nothing_either(
    tools: SessionTools, program: Program, token: str
) -> None:
    starting = [tools.begin("start_debugging", **start_arguments(program, words=(os.devnull,))) for _ in range(3)]
    for call in starting:
        call.cancel()
    for call in starting:
        assert_cancelled(call)
    assert tools.sessions.list() == ()
    wait_until(lambda: processes_with_token(token) == {}, "no program is left")


def test_closing_goes_on_when_whoever_asked_for_it_does_not_wait(before: ToolSession, tools: SessionTools) -> None:
    closing = before.begin("close_debug_session")
    closing.cancel()
    closing.answer()
    wait_until(lambda: tools.sessions.list() == (), "the session is closed")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("set_breakpoint", {"function": "work"}),
        ("set_variable", {"name": "result", "value": "7"}),
        ("get_variables", {}),
        ("get_call_stack", {}),
        ("set_watches", {"expressions": ["result"]}),
        ("set_pause_on_exceptions", {"mode": "all"}),
        ("list_scripts", {}),
        ("get_output", {}),
        ("list_breakpoints", {}),
    ],
)
def test_a_short_call_that_is_given_up_is_answered_or_cancelled(
    before: ToolSession, name: str, arguments: dict[str, Any]
) -> None:
    call = before.begin(name, **arguments)
    call.cancel()
    answer = call.answer()
    assert answer["status"] == "ok" or answer["error"]["message"] == "The call was cancelled."
    assert before.value("1 + 1") == 2
