"""Ten sessions at once and random calls of every tool, right and wrong: nothing hangs, nothing breaks, nothing is left.

What is called follows from a seed, which a failure shows; DEBUG_SCRIPT_TEST_SEED repeats it as far as programs that run
by themselves can be repeated, DEBUG_SCRIPT_TEST_CALLS makes it longer.
"""

from __future__ import annotations

import os
import random
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import Program
from tests.integration.session_tools import Fields, SessionTools, start_arguments

SESSIONS = 10
CALLS = int(os.environ.get("DEBUG_SCRIPT_TEST_CALLS", "5000"))
"""Of all sessions together."""
WAIT_MS = 300
PROGRAM = """\
const items = [{ price: 3, count: 2 }, { price: 7, count: 1 }, { get price() { throw new Error('no'); }, count: 0 }];
const big = { list: Array.from({ length: 1000 }, (_, i) => i), map: new Map([['a', new Set([1, 2])]]) };
let rounds = 0;
function cost(item) {
  try {
    return item.price * item.count; // @bp cost
  } catch (error) {
    return 0; // @bp caught
  }
}
async function later(n) {
  await null;
  return n + rounds; // @bp later
}
async function round() {
  let sum = 0;
  for (const item of items) {
    sum += cost(item); // @bp sum
  }
  rounds += 1;
  if (rounds % 50 === 0) console.log('round', rounds, big.list.length);
  if (rounds === 2000) process.exit(sum);
  await later(sum); // @bp await
  setImmediate(round); // @bp again
}
round(); // @bp first
"""
STATES = ("running", "paused", "exited", "disconnected")
EXPECTED_ERRORS = {
    "SESSION_NOT_FOUND",
    "SESSION_INVALID_STATE",
    "INVALID_PARAMETERS",
    "EVALUATION_FAILED",
    "BREAKPOINT_NOT_FOUND",
    "TARGET_EXITED",
    "LIMIT_EXCEEDED",
}
"""What wrong calls, and right ones at the wrong moment, are answered with. Neither a defect nor a timeout is."""
MORE_ERRORS = {"connect_debugger": {"CONNECTION_FAILED"}}
RUNNING = ("continue_execution", "pause_execution", "step_over", "step_into", "step_out")
RARE = ("close_debug_session", "start_debugging", "connect_debugger")


class Caller:
    """Makes random calls of one session after another, as an agent that has lost its way might."""

    def __init__(self, tools: SessionTools, program: Program, seed: str) -> None:
        self._tools = tools
        self._program = program
        self._random = random.Random(seed)
        self._session_id = ""
        self._is_over = False
        self._breakpoints = ["bp1", "bp99"]
        self._refs = ["v1", "v999999"]
        self._frames: list[str | int] = [0, 1, 50, "f0", "f999999"]
        self.answered = 0

    def run(self, calls: int) -> None:
        for _ in range(calls):
            name, arguments = self._next_call()
            if name in RUNNING and self._random.random() < 0.1:
                self._give_up(name)
            else:
                self._check(name, arguments, self._tools.both(name, **arguments))
            self.answered += 1

    def _give_up(self, name: str) -> None:
        """Cancel a call as soon as it is made; which of both comes first is open."""
        call = self._tools.begin(name, session_id=self._session_id, wait_ms=WAIT_MS)
        call.cancel()
        call.answer()

    # --- what is called -----------------------------------------------------------------------------------------------

    def _next_call(self) -> tuple[str, Fields]:
        if not self._session_id:
            marks = self._random.sample(self._program.marks(), self._random.randrange(3))
            return "start_debugging", {**start_arguments(self._program, *marks), "wait_ms": 10_000}
        if self._is_over and self._chance():
            return "close_debug_session", {"session_id": self._session_id}
        name = self._random.choice(
            [name for name in self._tools.names if name not in RARE] + [self._random.choice(RARE)]
        )
        arguments = self._arguments(name)
        if self._random.random() < 0.05:
            arguments = self._spoil(arguments)
        return name, arguments

    def _arguments(self, name: str) -> Fields:
        makers: dict[str, Callable[[], Fields]] = {
            "start_debugging": lambda: {"program": "/no/such/program.js"},
            "connect_debugger": lambda: {"port": 1},
            "list_debug_sessions": dict,
            "close_debug_session": dict,
            "set_breakpoint": self._breakpoint,
            "remove_breakpoint": self._breakpoint_id,
            "toggle_breakpoint": self._breakpoint_id,
            "continue_execution": self._run_to,
            "pause_execution": lambda: {"wait_ms": WAIT_MS},
            "step_over": self._step,
            "step_into": self._step,
            "step_out": self._step,
            "set_pause_on_exceptions": lambda: {"mode": self._pick("none", "uncaught", "all")},
            "get_call_stack": lambda: {"include_async": self._chance(), "include_internal": self._chance()},
            "get_variables": self._variables,
            "set_variable": lambda: {"name": self._pick("sum", "rounds", "nope"), "value": self._pick("1", "(", "{}")},
            "evaluate_expression": self._evaluation,
            "set_watches": lambda: {"expressions": self._pick([], ["rounds", "sum"], ["nope", "items[2].price"])},
            "list_scripts": lambda: {"include_internal": self._chance()},
            "get_script_source": lambda: self._pick({"script": "999999"}, {"file": str(self._program.path)}),
            "get_source_context": lambda: {"file": str(self._program.path), "line": self._random.randrange(1, 60)},
        }
        arguments = makers.get(name, dict)()
        if name in ("start_debugging", "connect_debugger", "list_debug_sessions"):
            return arguments
        return {"session_id": self._session_id, **arguments}

    def _breakpoint(self) -> Fields:
        place: Fields = self._pick(
            {"file": str(self._program.path), "line": self._program.line(self._pick(*self._program.marks()))},
            {"file": str(self._program.path), "line": self._random.randrange(1, 200)},
            {"file": str(self._program.path), "text": self._pick("rounds += 1", "item", "nowhere")},
            {"function": self._pick("cost", "later", "nobody")},
        )
        terms: Fields = self._pick(
            {},
            {"condition": self._pick("rounds % 7 === 0", "nope.nope", "(")},
            {"log_message": "at {rounds} {nope}"},
            {"hit_condition": self._pick("%10", ">=3", "often")},
        )
        return {**place, **terms}

    def _breakpoint_id(self) -> Fields:
        return {"breakpoint_id": self._pick(*self._breakpoints[-6:])}

    def _run_to(self) -> Fields:
        to = {"file": str(self._program.path), "line": self._random.randrange(1, 40)}
        return {"wait_ms": WAIT_MS, **self._pick({}, {}, {"to": to})}

    def _step(self) -> Fields:
        return {"wait_ms": WAIT_MS, "include_internal": self._random.random() < 0.1}

    def _variables(self) -> Fields:
        what: Fields = self._pick(
            {}, {"frame": self._pick(*self._frames[-8:])}, {"ref": self._pick(*self._refs[-8:])}, {"scope": "closure"}
        )
        return {**what, "depth": self._random.randrange(1, 4), "start": self._pick(0, 0, 500)}

    def _evaluation(self) -> Fields:
        expression = self._pick(
            "rounds", "items", "big", "nope", "(", "throw 1", "this", "rounds += 0", "(()=>{for(;;);})()"
        )
        return {
            "expression": expression,
            "frame": self._pick(None, *self._frames[-4:]),
            "by_value": self._chance(),
            "allow_side_effects": self._chance(),
            "timeout": 100,
        }

    def _spoil(self, arguments: Fields) -> Fields:
        key = self._pick(*arguments, "no_such_argument") if arguments else "no_such_argument"
        return {**arguments, key: self._pick(None, -1, "", [], {"a": 1}, "s999", 1.5)}

    def _pick(self, *choices: Any) -> Any:
        return self._random.choice(choices)

    def _chance(self) -> bool:
        return self._random.random() < 0.3

    # --- what is answered ---------------------------------------------------------------------------------------------

    def _check(self, name: str, arguments: Fields, answer: Fields) -> None:
        if answer["status"] == "error":
            code = answer["error"]["code"]
            allowed = EXPECTED_ERRORS | MORE_ERRORS.get(name, set())
            assert code in allowed, (name, arguments, answer)
            return
        assert answer.get("state", "running") in STATES, (name, arguments, answer)
        assert ("stop" in answer) <= (answer.get("state") == "paused"), (name, arguments, answer)
        assert ("exit" in answer) <= (answer.get("state") == "exited"), (name, arguments, answer)
        if "state" in answer:
            self._is_over = answer["state"] in ("exited", "disconnected")
        self._remember(name, answer)

    def _remember(self, name: str, answer: Fields) -> None:
        if name == "start_debugging":
            self._session_id = answer["session_id"]
        elif name == "close_debug_session":
            self._session_id = ""
        elif name == "set_breakpoint":
            self._breakpoints.append(answer["breakpoint"]["id"])
        for frame in answer.get("stop", answer).get("frames", ()):
            self._frames.append(frame["id"])
        for variable in answer.get("stop", {}).get("locals", answer.get("variables", ())):
            if "ref" in variable:
                self._refs.append(variable["ref"])


@pytest.fixture
def seed() -> str:
    seed = os.environ.get("DEBUG_SCRIPT_TEST_SEED") or secrets.token_hex(4)
    print(f"DEBUG_SCRIPT_TEST_SEED={seed}")  # shown by pytest where the test fails
    return seed


@pytest.mark.slow
def test_random_calls_of_ten_sessions_at_once_are_all_answered_and_leave_nothing(
    tools: SessionTools, write: WriteProgram, seed: str
) -> None:
    program = write(PROGRAM)
    callers = [Caller(tools, program, f"{seed}-{number}") for number in range(SESSIONS)]
    threads = threading.active_count()
    with ThreadPoolExecutor(SESSIONS) as pool:
        for done in [pool.submit(caller.run, CALLS // SESSIONS) for caller in callers]:
            done.result()
    assert sum(caller.answered for caller in callers) == CALLS // SESSIONS * SESSIONS
    for summary in tools.sessions.list():
        tools.call("close_debug_session", session_id=summary.session_id)
    assert tools.sessions.list() == ()
    assert threading.active_count() == threads
