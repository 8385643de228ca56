"""Commands on their way to the wire, and the types of their answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from cdp_protocol.base import Empty
from cdp_protocol.generated import debugger, node_runtime, runtime

TYPING_CASES = Path(__file__).parent / "typing_cases.py"


def test_params_use_wire_names_and_leave_out_what_was_not_set() -> None:
    command = debugger.SetBreakpointByUrl(line_number=3, url_regex="^file")
    assert command.to_params() == {"lineNumber": 3, "urlRegex": "^file"}


def test_a_command_without_arguments_has_empty_params() -> None:
    assert debugger.Resume().to_params() == {}


def test_none_for_an_optional_is_absent_from_params_since_v8_rejects_null() -> None:
    command = debugger.SetBreakpointByUrl(line_number=3, url="file:///a.js", condition=None)
    assert command.to_params() == {"lineNumber": 3, "url": "file:///a.js"}


def test_null_as_a_javascript_value_is_sent() -> None:
    arguments = [
        runtime.CallArgument(value=None),
        runtime.CallArgument(),
        runtime.CallArgument(object_id="7"),
    ]
    command = runtime.CallFunctionOn(function_declaration="f", arguments=arguments)
    assert command.to_params()["arguments"] == [{"value": None}, {}, {"objectId": "7"}]


def test_nested_models_are_sent_in_wire_names() -> None:
    command = debugger.SetBreakpoint(location=debugger.Location(script_id="9", line_number=0), condition="x > 1")
    assert command.to_params() == {"location": {"scriptId": "9", "lineNumber": 0}, "condition": "x > 1"}


def test_false_and_zero_and_empty_are_sent_when_set() -> None:
    command = runtime.Evaluate(expression="", silent=False, timeout=0)
    assert command.to_params() == {"expression": "", "silent": False, "timeout": 0}


def test_a_command_without_a_required_argument_is_refused() -> None:
    with pytest.raises(ValidationError, match="expression"):
        runtime.Evaluate()  # type: ignore[call-arg]


def test_a_command_cannot_be_changed_after_it_was_made() -> None:
    command = runtime.Evaluate(expression="1")
    with pytest.raises(ValidationError, match="frozen"):
        command.expression = "2"  # type: ignore[misc]


def test_commands_know_their_methods() -> None:
    commands = (debugger.StepOver, runtime.Evaluate, node_runtime.NotifyWhenWaitingForDisconnect)
    assert [command.METHOD for command in commands] == [
        "Debugger.stepOver",
        "Runtime.evaluate",
        "NodeRuntime.notifyWhenWaitingForDisconnect",
    ]


def test_results_decode_to_the_class_that_belongs_to_the_command() -> None:
    result = runtime.Evaluate.decode_result({"result": {"type": "number", "value": 4}})
    assert isinstance(result, runtime.EvaluateResult)
    assert result.result.value == 4


def test_a_bare_acknowledgement_decodes_to_empty() -> None:
    assert debugger.Resume.decode_result({}) == Empty()


def check_types(tool: list[str], file: Path) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-m", *tool, str(file)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("tool", [["mypy", "--strict"], ["pyright"]], ids=["mypy", "pyright"])
def test_send_infers_the_exact_result_type(tool: list[str]) -> None:
    done = check_types(tool, TYPING_CASES)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("tool", [["mypy", "--strict"], ["pyright"]], ids=["mypy", "pyright"])
def test_a_wrong_result_type_is_an_error(tool: list[str], tmp_path: Path) -> None:
    wrong = tmp_path / "wrong_result.py"
    text = TYPING_CASES.read_text(encoding="utf-8")
    wrong.write_text(text.replace("debugger.EvaluateOnCallFrameResult", "Empty"), encoding="utf-8")
    done = check_types(tool, wrong)
    assert done.returncode == 1
    assert "EvaluateOnCallFrameResult" in done.stdout
