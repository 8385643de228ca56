"""What `debug-script` does with its arguments: each mistake is named together with a right call."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from server.config import Settings
from server.debug.model import ScriptRun, SourceLine
from server.report.answer import Answer
from server.tools.debug_script import EXAMPLE, MAX_TIMEOUT_MS, DebugScriptTool
from tests.unit.scripted_backend import ScriptedBackend

NUL = "a\0b"
HALF_A_CHARACTER = "a\ud800b"
NOT_GIVEN = object()


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in the server's working directory."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "src" / "cart.js"
    file.parent.mkdir()
    file.touch()
    return file


def right_arguments(file: Path) -> dict[str, Any]:
    return {
        "command": f"node --inspect-brk=0 {file}",
        "breakpoint": {"file": str(file), "line": 12},
        "expression": "total",
        "timeout": 30_000,
    }


def changed(arguments: Mapping[str, Any], path: str, value: object) -> dict[str, Any]:
    """The arguments with one of them changed or left out; `breakpoint.line` is one inside another."""
    outer, _, inner = path.partition(".")
    if inner:
        value = changed(arguments[outer], inner, value)
    return {
        **{key: given for key, given in arguments.items() if key != outer},
        **({outer: value} if value is not NOT_GIVEN else {}),
    }


def refusal(arguments: Mapping[str, Any]) -> str:
    """The message with which the arguments are refused, before anything was launched."""
    backend = ScriptedBackend()
    answer = DebugScriptTool(lambda: backend, Settings()).start(arguments)
    assert isinstance(answer, Answer)
    assert answer.is_error
    assert answer.structured == {"error": answer.text}
    assert answer.text is not None
    assert answer.text.endswith(f"\nA right call: {json.dumps(EXAMPLE)}")
    assert len(answer.text) < 8_000
    assert not hasattr(backend, "run")
    return answer.text


def accepted_run(arguments: Mapping[str, Any]) -> ScriptRun:
    """The request that the backend gets for arguments that are right."""
    backend = ScriptedBackend()
    job = DebugScriptTool(lambda: backend, Settings()).start(arguments)
    assert not isinstance(job, Answer), job.text
    job.run()
    return backend.run


# --- what is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["command", "breakpoint", "breakpoint.file", "breakpoint.line", "expression", "timeout"]
)
def test_a_missing_argument_is_named(file: Path, path: str) -> None:
    assert f"\n- {path}: is required\n" in refusal(changed(right_arguments(file), path, NOT_GIVEN))


def test_every_problem_is_named_at_once() -> None:
    message = refusal({})
    assert [line.split(":")[0] for line in message.splitlines()[1:-1]] == [
        "- command",
        "- breakpoint",
        "- expression",
        "- timeout",
    ]


@pytest.mark.parametrize("path", ["breakpoints", "breakpoint.column"])
def test_an_unknown_argument_is_named(file: Path, path: str) -> None:
    assert f"\n- {path}: there is no such argument\n" in refusal(changed(right_arguments(file), path, 1))


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("command", 1, "should be a valid string (it is 1)"),
        ("command", ["node", "a.js"], 'should be a valid string (it is ["node", "a.js"])'),
        ("command", None, "should be a valid string (it is null)"),
        ("breakpoint", "src/cart.js:12", 'should be an object (it is "src/cart.js:12")'),
        ("breakpoint", None, "should be an object (it is null)"),
        ("breakpoint", [], "should be an object (it is [])"),
        ("breakpoint.file", 1, "should be a valid string (it is 1)"),
        ("breakpoint.line", "12", 'should be a valid integer (it is "12")'),
        ("breakpoint.line", True, "should be a valid integer (it is true)"),
        ("breakpoint.line", 0, "should be greater than or equal to 1 (it is 0)"),
        ("breakpoint.line", 2**31, "should be less than or equal to 2147483647 (it is 2147483648)"),
        ("expression", 1, "should be a valid string (it is 1)"),
        ("timeout", 0, "should be greater than or equal to 1 (it is 0)"),
        ("timeout", -1, "should be greater than or equal to 1 (it is -1)"),
        ("timeout", MAX_TIMEOUT_MS + 1, "should be less than or equal to 86400000 (it is 86400001)"),
        ("timeout", 10**30, "should be less than or equal to 86400000"),
        ("timeout", "30000", 'should be a valid integer (it is "30000")'),
        ("timeout", True, "should be a valid integer (it is true)"),
        ("timeout", 1.5, "should be a valid integer (it is 1.5)"),
        ("timeout", float("inf"), "should be a valid integer"),
        ("timeout", float("nan"), "should be a valid integer"),
        ("timeout", None, "should be a valid integer (it is null)"),
        ("condition", 1, "should be a valid string (it is 1)"),
        ("condition", True, "should be a valid string (it is true)"),
        ("max_hits", 0, "should be greater than or equal to 1 (it is 0)"),
        ("max_hits", -1, "should be greater than or equal to 1 (it is -1)"),
        ("max_hits", 2**31, "should be less than or equal to 2147483647 (it is 2147483648)"),
        ("max_hits", "5", 'should be a valid integer (it is "5")'),
        ("max_hits", True, "should be a valid integer (it is true)"),
        ("max_hits", 1.5, "should be a valid integer (it is 1.5)"),
        ("include_stack", 1, "should be a valid boolean (it is 1)"),
        ("include_stack", "true", 'should be a valid boolean (it is "true")'),
        ("cwd", 1, "should be a valid string (it is 1)"),
        ("env", "A=1", 'should be an object (it is "A=1")'),
        ("env", ["A=1"], 'should be an object (it is ["A=1"])'),
    ],
)
def test_a_wrong_type_or_a_value_out_of_bounds_is_named(file: Path, path: str, value: object, problem: str) -> None:
    message = refusal(changed(right_arguments(file), path, value))
    assert f"\n- {path}: " in message
    assert problem in message


@pytest.mark.parametrize("path", ["command", "breakpoint.file", "expression", "condition", "cwd"])
@pytest.mark.parametrize("blank", ["", " ", "\n\t "])
def test_blank_text_is_refused(file: Path, path: str, blank: str) -> None:
    assert f"\n- {path}: " in refusal(changed(right_arguments(file), path, blank))


@pytest.mark.parametrize("path", ["command", "breakpoint.file", "cwd"])
def test_a_nul_character_is_refused_where_the_system_takes_none(file: Path, path: str) -> None:
    message = refusal(changed(right_arguments(file), path, NUL))
    assert f"\n- {path}: must not contain a NUL character" in message


@pytest.mark.parametrize(
    ("env", "problem"),
    [
        ({"A": 1}, "- env.A: input should be a valid string (it is 1)"),
        ({"A": None}, "- env.A: input should be a valid string (it is null)"),
        ({"A": NUL}, "- env.A: must not contain a NUL character"),
        ({NUL: "x"}, "must not contain a NUL character"),
        ({"": "x"}, "- env.: must not be empty or blank"),
        ({"A=B": "x"}, "- env.A=B: must not contain '='"),
        ({"A": HALF_A_CHARACTER}, "- env.A: should be text without lone surrogates"),
        ({HALF_A_CHARACTER: "x"}, "should be text without lone surrogates"),
    ],
)
def test_a_variable_that_no_process_can_have_is_refused(file: Path, env: dict[str, Any], problem: str) -> None:
    assert problem in refusal({**right_arguments(file), "env": env})


@pytest.mark.parametrize("path", ["command", "breakpoint.file", "expression", "condition", "cwd"])
def test_half_a_character_is_refused(file: Path, path: str) -> None:
    message = refusal(changed(right_arguments(file), path, HALF_A_CHARACTER))
    assert f"- {path}: should be text without lone surrogates" in message


@pytest.mark.parametrize("path", ["command", "breakpoint.file", "cwd", "unknown"])
def test_a_huge_text_is_refused_in_a_small_answer(file: Path, path: str) -> None:
    assert f"- {path}: " in refusal(changed(right_arguments(file), path, "x" * 10_000_000))


def test_a_huge_number_of_unknown_arguments_is_refused_in_a_small_answer(file: Path) -> None:
    unknown = {f"{number}" * 1000: number for number in range(1000)}
    assert "\n- and 990 more\n" in refusal({**right_arguments(file), **unknown})


@pytest.mark.parametrize("command", ["cd src && node x.js", "node 'x.js", "A=1", "node x.js>out"])
def test_a_command_that_needs_a_shell_is_refused_with_what_to_do_instead(file: Path, command: str) -> None:
    message = refusal({**right_arguments(file), "command": command})
    assert message.startswith("Bad command: the command ")
    assert "for a directory use cwd, for variables env" in message


# --- files and directories ------------------------------------------------------------------------------------


def test_a_missing_file_is_named_with_where_relative_paths_start(file: Path, tmp_path: Path) -> None:
    message = refusal(changed(right_arguments(file), "breakpoint.file", "src/missing.js"))
    assert message.startswith(f"There is no file {tmp_path}/src/missing.js to set a breakpoint in.\n")
    assert f"Relative paths start at {tmp_path}." in message


def test_a_file_missing_in_both_directories_names_both(file: Path, tmp_path: Path) -> None:
    message = refusal({**changed(right_arguments(file), "breakpoint.file", "missing.js"), "cwd": "src"})
    assert f"Relative paths start at {tmp_path} or else at {tmp_path}/src." in message


def test_a_directory_is_no_file(file: Path) -> None:
    message = refusal(changed(right_arguments(file), "breakpoint.file", str(file.parent)))
    assert message.startswith(f"{file.parent} is a directory, not a file to set a breakpoint in.")


def test_a_file_name_too_long_for_the_system_is_a_missing_file(file: Path) -> None:
    assert "There is no file" in refusal(changed(right_arguments(file), "breakpoint.file", "x" * 4000))


def test_a_file_inside_a_file_is_a_missing_file(file: Path) -> None:
    assert "There is no file" in refusal(changed(right_arguments(file), "breakpoint.file", f"{file}/x.js"))


def test_a_tilde_is_not_expanded_and_the_answer_says_so(file: Path) -> None:
    message = refusal(changed(right_arguments(file), "breakpoint.file", "~/cart.js"))
    assert "A ~ is not expanded: give the whole path." in message


@pytest.mark.parametrize("cwd", ["missing", "src/cart.js", "x" * 4000])
def test_a_working_directory_that_is_none_is_refused(file: Path, cwd: str) -> None:
    assert refusal({**right_arguments(file), "cwd": cwd}).startswith(f"cwd is no directory: {Path(cwd).absolute()}")


@pytest.mark.parametrize("url", ["file://src/cart.js", "file://server/app/cart.js"])
def test_a_file_url_of_another_machine_is_refused(file: Path, url: str) -> None:
    message = refusal(changed(right_arguments(file), "breakpoint.file", url))
    assert f"on the machine '{url.split('/')[2]}'" in message
    assert "file:///absolute/path" in message


def test_a_nul_hidden_in_a_url_is_a_missing_file(file: Path) -> None:
    assert "There is no file" in refusal(changed(right_arguments(file), "breakpoint.file", "file:///a%00b.js"))


# --- what is accepted -----------------------------------------------------------------------------------------


def test_right_arguments_become_a_request_as_they_are(file: Path) -> None:
    assert accepted_run(right_arguments(file)) == ScriptRun(
        argv=("node", "--inspect-brk=0", str(file)),
        breakpoint=SourceLine(str(file), 12),
        expression="total",
        cwd=None,
        env=None,
    )


@pytest.mark.parametrize(
    "given",
    ["src/cart.js", "./src/cart.js", "src/../src/cart.js", "file://{file}", "file://localhost{file}", "FILE:{file}"],
)
def test_every_way_to_name_a_file_leads_to_its_absolute_path(file: Path, given: str) -> None:
    run = accepted_run(changed(right_arguments(file), "breakpoint.file", given.format(file=file)))
    assert run.breakpoint.file == str(file)


@pytest.mark.parametrize(
    "name", ["my cart.js", " padded.js ", "50%.js", "a#b?c.js", "žluť😀.js", "a(b)@c.js", "'\".js"]
)
def test_odd_file_names_work_as_paths_and_as_urls(file: Path, name: str) -> None:
    odd = file.parent / name
    odd.touch()
    for given in (str(odd), odd.as_uri(), f"src/{name}"):
        assert accepted_run(changed(right_arguments(file), "breakpoint.file", given)).breakpoint.file == str(odd)


def test_a_link_keeps_its_name(file: Path) -> None:
    link = file.parent / "link.js"
    link.symlink_to(file)
    assert accepted_run(changed(right_arguments(file), "breakpoint.file", str(link))).breakpoint.file == str(link)


def test_a_file_relative_to_the_programs_directory_is_found(file: Path) -> None:
    run = accepted_run({**changed(right_arguments(file), "breakpoint.file", "cart.js"), "cwd": "src"})
    assert (run.breakpoint.file, run.cwd) == (str(file), str(file.parent))


def test_the_servers_directory_comes_before_the_programs(file: Path, tmp_path: Path) -> None:
    (tmp_path / "cart.js").touch()
    run = accepted_run({**changed(right_arguments(file), "breakpoint.file", "cart.js"), "cwd": "src"})
    assert run.breakpoint.file == str(tmp_path / "cart.js")


def test_a_directory_may_be_a_url(file: Path) -> None:
    assert accepted_run({**right_arguments(file), "cwd": file.parent.as_uri()}).cwd == str(file.parent)


def test_variables_of_the_command_and_of_env_are_put_together_and_env_wins(file: Path) -> None:
    arguments = right_arguments(file)
    run = accepted_run({**arguments, "command": f"A=1 B=2 {arguments['command']}", "env": {"B": "3", "C": ""}})
    assert run.env == {"A": "1", "B": "3", "C": ""}
    assert run.argv[0] == "node"


def test_text_keeps_its_outer_white_space(file: Path) -> None:
    run = accepted_run({**right_arguments(file), "expression": " total\n", "env": {"A": " padded "}})
    assert (run.expression, run.env) == (" total\n", {"A": " padded "})


@pytest.mark.parametrize("optional", ["condition", "max_hits", "include_stack", "cwd", "env"])
def test_null_stands_for_an_optional_argument_that_is_absent(file: Path, optional: str) -> None:
    assert accepted_run({**right_arguments(file), optional: None}) == accepted_run(right_arguments(file))


def test_condition_max_hits_and_include_stack_become_part_of_the_request(file: Path) -> None:
    run = accepted_run({**right_arguments(file), "condition": " n > 1\n", "max_hits": 3.0, "include_stack": True})
    assert (run.condition, run.max_hits, run.include_stack) == (" n > 1\n", 3, True)


def test_a_whole_number_may_be_written_with_a_point(file: Path) -> None:
    arguments = changed({**right_arguments(file), "timeout": 30_000.0}, "breakpoint.line", 12.0)
    assert accepted_run(arguments).breakpoint.line == 12


@pytest.mark.parametrize("expression", ["'\0'", "x" * 1_000_000, "'žluť 😀'", "a\nb"])
def test_any_text_of_whole_characters_is_an_expression(file: Path, expression: str) -> None:
    assert accepted_run({**right_arguments(file), "expression": expression}).expression == expression
