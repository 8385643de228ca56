"""A call of `debug-script` over a scripted target: every answer fits the schema that the tool publishes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from server.config import Settings
from server.debug.model import Captured, Ended, Lost
from server.errors import ProtocolError, TargetLaunchError
from server.process.process_events import ExitStatus
from server.report.answer import Answer
from server.tools.debug_script import DebugScriptTool, ScriptJob
from tests.unit.scripted_backend import ENDED_WELL, PLACEMENT, ScriptedBackend, captured, raising, wait

CRASHED = Ended(ExitStatus(code=None, signal="SIGKILL"))
REFUSED = ProtocolError("Debugger.resume", -32000, "not paused")


def start(backend: ScriptedBackend, timeout: int = 30_000, **settings: Any) -> ScriptJob:
    arguments = {
        "command": "node --inspect-brk=0 cart.js",
        "breakpoint": {"file": str(Path(__file__)), "line": 1},
        "expression": "total",
        "timeout": timeout,
    }
    job = DebugScriptTool(lambda: backend, Settings(**settings)).start(arguments)
    assert isinstance(job, ScriptJob)
    return job


def run(backend: ScriptedBackend, timeout: int = 30_000, **settings: Any) -> Answer:
    answer = start(backend, timeout, **settings).run()
    jsonschema.validate(answer.structured, DebugScriptTool.output_schema)
    return answer


@pytest.mark.parametrize(
    ("backend", "keys"),
    [
        (ScriptedBackend([*captured(1), ENDED_WELL]), {"results"}),
        (ScriptedBackend([*captured(1), CRASHED], stderr="killed"), {"results", "exit"}),
        (ScriptedBackend([*captured(1), Lost("reset")]), {"results", "connection_lost"}),
        (ScriptedBackend([*captured(1), raising(REFUSED)]), {"results", "debugger_failed"}),
        (ScriptedBackend([*captured(1), wait]), {"results", "timed_out"}),
        (ScriptedBackend([*captured(1), wait], is_evaluating=True), {"results", "timed_out", "notes"}),
        (
            ScriptedBackend([*captured(1), ENDED_WELL], placement=replace(PLACEMENT, bound_line=14)),
            {"results", "breakpoint"},
        ),
        (ScriptedBackend([*captured(*range(100)), ENDED_WELL]), {"results", "truncated"}),
        (
            ScriptedBackend([Captured('{"type":"object","value":{},"truncated":{"depth":1}}'), ENDED_WELL]),
            {"results"},
        ),
        (ScriptedBackend([ENDED_WELL]), {"error"}),
        (ScriptedBackend([wait]), {"error"}),
        (ScriptedBackend([Lost("reset")]), {"error"}),
        (
            ScriptedBackend(steps={"launch": raising(TargetLaunchError("no such program", advice="Install it."))}),
            {"error"},
        ),
        (ScriptedBackend(steps={"launch": wait}), {"error"}),
    ],
    ids=[
        "hits",
        "crash",
        "lost",
        "failed",
        "timed out",
        "timed out while evaluating",
        "moved",
        "too many results",
        "a large value",
        "no hit",
        "timed out without a hit",
        "lost without a hit",
        "not launched",
        "timed out before the launch",
    ],
)
def test_every_answer_fits_the_published_schema(backend: ScriptedBackend, keys: set[str]) -> None:
    answer = run(backend, timeout=100, max_results_bytes=1000)
    assert keys <= set(answer.structured)
    assert answer.is_error == ("error" in keys)


@pytest.mark.parametrize("wrong", [{}, {"results": [{"type": "number"}]}, {"results": 1}, {"error": 1}])
def test_the_published_schema_refuses_what_is_no_answer(wrong: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, DebugScriptTool.output_schema)


def test_a_program_that_cannot_be_launched_is_told_with_its_advice() -> None:
    error = TargetLaunchError("no such program", advice="Install it.")
    assert run(ScriptedBackend(steps={"launch": raising(error)})).text == "no such program\nInstall it."


def test_progress_counts_the_hits() -> None:
    job = start(ScriptedBackend([*captured(1, 2, 3), ENDED_WELL]))
    assert job.progress() == (0.0, "0 hits")
    job.run()
    assert job.progress() == (3.0, "3 hits")


def test_a_job_cancelled_before_it_began_ends_at_its_first_wait() -> None:
    backend = ScriptedBackend([wait])
    job = start(backend)
    job.cancel()
    assert job.run().text is not None
    assert backend.target.calls[-1] == "end"


def test_a_job_that_never_ran_says_so_after_the_contracts_sentence() -> None:
    answer = start(ScriptedBackend()).never_ran(others=10)
    assert answer.text == (
        "Timeout waiting for breakpoint after 30000ms\n"
        "The program was not started: 10 other runs were under way all that time. Try again."
    )
    assert answer.structured == {"error": answer.text}


def test_the_runtime_is_not_touched_before_a_right_call() -> None:
    def no_backend() -> ScriptedBackend:
        raise AssertionError("the protocol's models would be loaded for nothing")

    assert isinstance(DebugScriptTool(no_backend, Settings()).start({}), Answer)
