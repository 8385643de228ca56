"""The contract's rows on the command: its port, its words, and what is wrong with it."""

from __future__ import annotations

import shlex
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.contract_rows import row
from tests.integration.script_debugger import PROGRAMS, Program, ScriptDebugger, node_command
from tests.nodes import NODE

LOOP = Program(PROGRAMS / "loop.js")
HITS = [0, 1, 2]


def free_port(host: str = "127.0.0.1") -> int:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


# --- the port ----------------------------------------------------------------------------------------------------


@row("the port")
@pytest.mark.matrix
@pytest.mark.parametrize(
    "flag",
    [
        "--inspect-brk=0",
        "--inspect-brk=127.0.0.1:0",
        "--inspect-brk=localhost:0",
        "--inspect-brk=LOCALHOST:0",
        "--inspect-brk=127.0.0.2:0",
        "--inspect-brk=[::1]:0",
    ],
)
def test_any_free_port_on_any_loopback_host(debug: ScriptDebugger, flag: str) -> None:
    assert debug.values(LOOP, "i", command=node_command(LOOP.path, flag=flag)) == HITS


@row("the port")
@pytest.mark.parametrize("host", ["", "127.0.0.1", "localhost", "[::1]"])
def test_port_that_is_named_is_the_one_used(debug: ScriptDebugger, write: WriteProgram, host: str) -> None:
    port = free_port(host.strip("[]") if host.startswith("[") else "127.0.0.1")
    flag = f"--inspect-brk={host}:{port}" if host else f"--inspect-brk={port}"
    program = write("const url = require('inspector').url();\nconsole.log(url); // @bp hit\n")
    (url,) = debug.values(program, "url", command=node_command(program.path, flag=flag))
    assert f":{port}/" in url


@row("the port")
def test_port_is_9229_where_none_is_given(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write("const url = require('inspector').url();\nconsole.log(url); // @bp hit\n")
    answer = debug.run(program, "url", command=node_command(program.path, flag="--inspect-brk")).structured
    if "error" in answer:  # somebody else on this machine debugs a program: that is the port, too
        assert answer["error"].startswith("The inspector's port is already in use: 127.0.0.1:9229\n")
    else:
        assert answer["results"][0]["value"].startswith("ws://127.0.0.1:9229/")


@row("the port")
def test_last_of_several_flags_counts(debug: ScriptDebugger, taken_port: int) -> None:
    command = shlex.join([NODE, f"--inspect-brk={taken_port}", "--inspect-brk=0", str(LOOP.path)])
    assert debug.values(LOOP, "i", command=command) == HITS


@row("the port")
def test_same_port_serves_one_run_after_another(debug: ScriptDebugger) -> None:
    command = node_command(LOOP.path, flag=f"--inspect-brk={free_port()}")
    assert [debug.values(LOOP, "i", command=command) for _ in range(3)] == [HITS] * 3


@row("the port")
def test_runs_that_name_the_same_port_take_turns(debug: ScriptDebugger) -> None:
    command = node_command(LOOP.path, flag=f"--inspect-brk={free_port()}")
    with ThreadPoolExecutor(3) as threads:
        runs = [threads.submit(debug.values, LOOP, "i", command=command) for _ in range(3)]
        assert [run.result() for run in runs] == [HITS] * 3


@row("the port")
@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "192.0.2.1", "example.com", "8.8.8.8", "0"])
def test_host_that_others_can_reach_is_refused(debug: ScriptDebugger, host: str) -> None:
    message = debug.error(LOOP, command=node_command(LOOP.path, flag=f"--inspect-brk={host}:9229"))
    assert message.startswith("The inspector may listen on this machine only")
    assert "--inspect-brk=0" in message


# --- command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def arguments(write: WriteProgram) -> Program:
    return write("const argv = process.argv.slice(2);\nconsole.log(argv); // @bp hit\n")


@row("command")
@pytest.mark.parametrize(
    ("words", "argv"),
    [
        ("plain words", ["plain", "words"]),
        ("  many \t spaces ", ["many", "spaces"]),
        ("'single quoted' \"double quoted\"", ["single quoted", "double quoted"]),
        (r"back\ slash \'quote\' \"double\"", ["back slash", "'quote'", '"double"']),
        (r'"a \"quoted\" \\ word" "not \n a newline"', ['a "quoted" \\ word', r"not \n a newline"]),
        ("par'tly'\"quo\"ted", ["partlyquoted"]),
        ("'' \"\"", ["", ""]),
        ("'$HOME' '*' ';' '|'", ["$HOME", "*", ";", "|"]),
        ("'&&' '>' '`id`' '$(id)' '~' '#'", ["&&", ">", "`id`", "$(id)", "~", "#"]),
        ("'line\nbreak'", ["line\nbreak"]),
        ("--flag=value -x", ["--flag=value", "-x"]),
        ("é 日本 😀", ["é", "日本", "😀"]),
        ("a#b", ["a#b"]),
    ],
)
def test_command_is_split_as_a_shell_splits_words_and_nothing_is_expanded(
    debug: ScriptDebugger, arguments: Program, words: str, argv: list[str]
) -> None:
    assert debug.values(arguments, "argv", command=f"{node_command(arguments.path)} {words}") == [argv]


@row("command")
@pytest.mark.parametrize("words", ["&& echo done", "; echo done", "| cat", "> out.txt", "2>&1", "< in.txt", "&"])
def test_what_only_a_shell_can_do_is_refused(debug: ScriptDebugger, arguments: Program, words: str) -> None:
    message = debug.error(arguments, command=f"{node_command(arguments.path)} {words}")
    assert "shell" in message
    assert "node --inspect-brk=0" in message


@row("command")
def test_unbalanced_quote_is_refused(debug: ScriptDebugger, arguments: Program) -> None:
    assert debug.error(arguments, command=f"{node_command(arguments.path)} 'open").startswith("Bad command: ")


@row("command")
def test_program_inherits_directory_and_environment(
    debug: ScriptDebugger, arguments: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GREETING", "hello there")
    monkeypatch.delenv("NODE_OPTIONS", raising=False)
    values = debug.values(arguments, "[process.cwd(), process.env.GREETING, 'NODE_OPTIONS' in process.env]")
    assert values == [[str(tmp_path), "hello there", False]]


@row("command")
def test_relative_script_starts_at_the_directory(
    debug: ScriptDebugger, arguments: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(arguments.path.parent)
    assert debug.values(arguments, "argv", command=node_command(f"./{arguments.path.name}", "a")) == [["a"]]


@row("command")
def test_variables_before_the_command_are_set_for_the_program(debug: ScriptDebugger, arguments: Program) -> None:
    command = f"GREETING='hello there' EMPTY= {node_command(arguments.path)}"
    assert debug.values(arguments, "[process.env.GREETING, process.env.EMPTY]", command=command) == [
        ["hello there", ""]
    ]


@row("command")
def test_optional_directory_and_environment(debug: ScriptDebugger, arguments: Program, tmp_path: Path) -> None:
    folder = tmp_path / "work here"
    folder.mkdir()
    values = debug.values(
        arguments, "[process.cwd(), process.env.GREETING]", cwd=str(folder), env={"GREETING": "hello"}
    )
    assert values == [[str(folder), "hello"]]


# --- no --inspect-brk in it ----------------------------------------------------------------------------------------


@row("no --inspect-brk in it")
@pytest.mark.parametrize(
    ("command", "right"),
    [
        ("node app.js", "node --inspect-brk=0 app.js"),
        ("node --inspect app.js", "node --inspect-brk=0 app.js"),
        ("node --inspect=9229 app.js --x", "node --inspect-brk=0 app.js --x"),
        ("/usr/bin/node 'my app.js'", "/usr/bin/node --inspect-brk=0 'my app.js'"),
        ("node22 app.js", "node22 --inspect-brk=0 app.js"),
        ("env A=1 node app.js", "env A=1 node --inspect-brk=0 app.js"),
        ("npm start", "node --inspect-brk=0 path/to/script.js"),
        ("node '--not --inspect-brk' app.js", "node --inspect-brk=0 '--not --inspect-brk' app.js"),
    ],
)
def test_missing_flag_shows_the_command_as_it_should_be(debug: ScriptDebugger, command: str, right: str) -> None:
    first, second = debug.error(LOOP, command=command).splitlines()
    assert first.startswith("The command has no --inspect-brk")
    assert second == f"Use: {right}"


@row("no --inspect-brk in it")
def test_flag_behind_the_script_is_for_the_script(debug: ScriptDebugger) -> None:
    message = debug.error(LOOP, command=f"{shlex.quote(NODE)} {shlex.quote(str(LOOP.path))} --inspect-brk=0")
    assert "--inspect-brk" in message
    assert shlex.join([NODE, "--inspect-brk=0", str(LOOP.path)]) in message


# --- clear errors at once: the timeout of these runs is far longer than any test ------------------------------------

AT_ONCE = "port in use, command not found, bad port, empty or wrong arguments"


@row(AT_ONCE)
@pytest.mark.matrix
def test_port_in_use_is_told_at_once(debug: ScriptDebugger, taken_port: int) -> None:
    message = debug.error(LOOP, command=node_command(LOOP.path, flag=f"--inspect-brk={taken_port}"))
    assert message == (
        f"The inspector's port is already in use: 127.0.0.1:{taken_port}\n"
        "Use --inspect-brk=0 for any free port, or name another one."
    )


@row(AT_ONCE)
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("no-such-command --inspect-brk=0 a.js", "command not found: 'no-such-command' is in no directory of PATH"),
        ("./missing/node --inspect-brk=0 a.js", "command not found: there is no file"),
        ("/ --inspect-brk=0", "is not an executable file"),
    ],
)
def test_command_that_cannot_be_started_is_told(debug: ScriptDebugger, command: str, words: str) -> None:
    message = debug.error(LOOP, command=command)
    assert message.startswith("The program could not be started: ")
    assert words in message


@row(AT_ONCE)
@pytest.mark.parametrize("value", ["1", "80", "1023", "65536", "99999999", "abc:x", "127.0.0.1:70000", "[::1", ""])
def test_bad_port_is_told_with_the_right_forms(debug: ScriptDebugger, value: str) -> None:
    message = debug.error(LOOP, command=node_command(LOOP.path, flag=f"--inspect-brk={value}"))
    assert message.startswith(f"--inspect-brk={value} is no address that node can listen on\n")
    assert "--inspect-brk=0 (any free port)" in message


RIGHT: dict[str, Any] = {
    "command": node_command(LOOP.path),
    "breakpoint": {"file": str(LOOP.path), "line": 1},
    "expression": "1",
    "timeout": 1000,
}


@row(AT_ONCE)
@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"command": ""}, "- command: "),
        ({"command": None}, "- command: "),
        ({"command": ["node", "--inspect-brk=0"]}, "- command: "),
        ({"expression": ""}, "- expression: "),
        ({"expression": 5}, "- expression: "),
        ({"timeout": 0}, "- timeout: "),
        ({"timeout": -5}, "- timeout: "),
        ({"timeout": "soon"}, "- timeout: "),
        ({"timeout": 10**12}, "- timeout: "),
        ({"breakpoint": "a.js:5"}, "- breakpoint: "),
        ({"breakpoint": {"file": str(LOOP.path)}}, "- breakpoint.line: is required"),
        ({"breakpoint": {"file": str(LOOP.path), "line": 0}}, "- breakpoint.line: "),
        ({"breakpoint": {"file": "", "line": 1}}, "- breakpoint.file: "),
        ({"extra": 1}, "- extra: there is no such argument"),
        ({"env": {"A": 1}}, "- env.A: "),
    ],
)
def test_wrong_argument_is_named_with_a_right_call(
    debug: ScriptDebugger, changes: dict[str, Any], problem: str
) -> None:
    answer = debug.call(**{**RIGHT, **changes})
    assert answer.is_error
    assert problem in str(answer.text)
    assert "A right call: " in str(answer.text)


@row(AT_ONCE)
@pytest.mark.parametrize("missing", sorted(RIGHT))
def test_missing_argument_is_named(debug: ScriptDebugger, missing: str) -> None:
    answer = debug.call(**{name: value for name, value in RIGHT.items() if name != missing})
    assert f"- {missing}: is required" in str(answer.text)


@row(AT_ONCE)
def test_missing_file_of_the_breakpoint_is_told(debug: ScriptDebugger) -> None:
    answer = debug.call(**{**RIGHT, "breakpoint": {"file": "src/missing.js", "line": 1}})
    assert str(answer.text).startswith(f"There is no file {Path.cwd()}/src/missing.js to set a breakpoint in.")


@row(AT_ONCE)
def test_missing_directory_is_told(debug: ScriptDebugger, tmp_path: Path) -> None:
    answer = debug.call(**RIGHT, cwd=str(tmp_path / "missing"))
    assert "cwd is no directory" in str(answer.text)


@row(AT_ONCE)
@pytest.mark.matrix
def test_option_that_node_does_not_know_is_told_in_its_own_words(debug: ScriptDebugger) -> None:
    message = debug.error(LOOP, command=node_command(LOOP.path, before=("--no-such-option",)))
    assert "Exit code: 9." in message
    assert "bad option: --no-such-option" in message
