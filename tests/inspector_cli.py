"""Drive the server with the MCP Inspector's command line: a client that others wrote, in another language.

`python -m tests.inspector_cli` installs the Inspector, once, into `.node/inspector` of the checkout, lists the tools
and calls some in both eras of the protocol, and prints how many checks passed. It needs npm.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codegen.npm_package import NpmError
from tests.e2e.programs import Program
from tests.node_matrix import FOLDER, ROOT, installed_node

PACKAGE = "@modelcontextprotocol/inspector"
VERSION = "2.12.0"
NODE_MAJOR = 24
"""The Inspector needs Node.js 22.19; the programs that are debugged run on the one under test."""
TOOL_FAILED = 5
"""The Inspector's exit code for an answer that is an error."""
BOUND_S = 120

SOURCE = """\
let total = 0;
for (const price of [5, 10]) {
  total += price; // @bp here
}
module.exports = () =>
  total; // @bp never
"""


@dataclass(frozen=True)
class Inspected:
    """What one run of the Inspector gave."""

    exit_code: int
    result: Any
    stderr: str


class Inspector:
    """The Inspector's command line in one era of the protocol."""

    def __init__(self, entry: Path, era: str, home: Path) -> None:
        self._command = [installed_node(NODE_MAJOR), str(entry), "--cli", "--protocol-era", era, "--cwd", str(ROOT)]
        self._env = {**os.environ, "HOME": str(home)}  # it keeps catalogs and tokens at home

    def list_tools(self) -> Inspected:
        """List the tools, with the Inspector's own checks of their schemas."""
        return self._run("--method", "tools/list", "--strict")

    def call_tool(self, arguments: Mapping[str, Any], name: str = "debug-script") -> Inspected:
        """Call a tool."""
        return self._run("--method", "tools/call", "--tool-name", name, "--tool-args-json", json.dumps(arguments))

    def _run(self, *options: str) -> Inspected:
        done = subprocess.run(
            [*self._command, *options, "--", sys.executable, "-m", "server"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=BOUND_S,
            env=self._env,
        )
        return Inspected(done.returncode, json.loads(done.stdout or "null"), done.stderr)


def install() -> Path:
    """The Inspector's entry point; installs it where that version is not there yet."""
    folder = FOLDER / "inspector"
    marker = folder / f".{VERSION}"
    if not marker.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        command = ["npm", "install", "--prefix", str(folder), *quiet, f"{PACKAGE}@{VERSION}"]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        except FileNotFoundError as error:
            raise NpmError("npm is not on PATH: install Node.js with npm") from error
        if done.returncode:
            raise NpmError(f"npm install {PACKAGE}@{VERSION} failed:\n{done.stderr}")
        marker.touch()
    package = folder / "node_modules" / PACKAGE
    launcher: str = json.loads((package / "package.json").read_text())["bin"]["mcp-inspector"]
    return package / launcher


def check_tools_list(inspector: Inspector, _program: Program) -> None:
    """Every tool is listed whole, and the Inspector finds no fault in their schemas."""
    listed = inspector.list_tools()
    assert listed.exit_code == 0, listed
    tools = {tool["name"]: tool for tool in listed.result["tools"]}
    for each in tools.values():
        assert each["title"]
        assert each["description"]
        assert each["outputSchema"]
    assert "start_debugging" in tools
    tool = tools["debug-script"]
    assert sorted(tool["inputSchema"]["required"]) == ["breakpoint", "command", "expression", "timeout"]
    assert tool["outputSchema"]["anyOf"]
    assert tool["annotations"]["destructiveHint"] is True


def check_success(inspector: Inspector, program: Program) -> None:
    """Every value arrives, and the content is empty."""
    called = inspector.call_tool(program.call("total"))
    assert called.exit_code == 0, called
    assert called.result["content"] == []
    assert called.result["structuredContent"] == {
        "results": [{"type": "number", "value": 0}, {"type": "number", "value": 5}]
    }


def check_failure(inspector: Inspector, program: Program) -> None:
    """A failure is one for the Inspector too, and tells the same in both channels."""
    called = inspector.call_tool(program.call("total", mark="never"))
    assert called.exit_code == TOOL_FAILED, called
    assert called.result["isError"] is True
    [content] = called.result["content"]
    assert content["text"].startswith("Process exited before breakpoint was hit\n")
    assert called.result["structuredContent"] == {"error": content["text"]}


def check_bad_arguments(inspector: Inspector, program: Program) -> None:
    """Arguments that the schema refuses are answered in the contract's shape."""
    called = inspector.call_tool({**program.call("total"), "timeout": 0})
    assert called.exit_code == TOOL_FAILED, called
    assert called.result["structuredContent"]["error"].startswith("Bad arguments for debug-script:\n- timeout: ")


def check_session(inspector: Inspector, program: Program) -> None:
    """A session begins with a stop, in both channels; it ends with the server, so it is the only call of its kind."""
    called = inspector.call_tool({"program": str(program.path)}, "start_debugging")
    assert called.exit_code == 0, called
    assert called.result["structuredContent"]["stop"]["reason"] == "entry"
    [content] = called.result["content"]
    assert content["text"].startswith("s1 paused on entry in ")


def check_session_failure(inspector: Inspector, _program: Program) -> None:
    """A failure of a session tool has a code and names the call that helps."""
    called = inspector.call_tool({}, "step_over")
    assert called.exit_code == TOOL_FAILED, called
    assert called.result["structuredContent"]["error"]["code"] == "SESSION_NOT_FOUND"
    assert "start_debugging" in called.result["structuredContent"]["error"]["next"]


CHECKS: list[Callable[[Inspector, Program], None]] = [
    check_tools_list,
    check_success,
    check_failure,
    check_bad_arguments,
    check_session,
    check_session_failure,
]


def outcomes(folder: Path) -> Iterator[bool]:
    """Run every check in both eras; prints and yields whether each passed."""
    program = Program(folder, SOURCE)
    entry = install()
    for era in ("legacy", "modern"):
        inspector = Inspector(entry, era, folder)
        for check in CHECKS:
            name = f"{era}: {check.__name__.removeprefix('check_')}"
            try:
                check(inspector, program)
            except (AssertionError, ValueError, KeyError, subprocess.TimeoutExpired):
                traceback.print_exc()
                print(f"failed {name}")
                yield False
            else:
                print(f"passed {name}")
                yield True


def main() -> int:
    try:
        with tempfile.TemporaryDirectory() as folder:
            passed = list(outcomes(Path(folder)))
    except NpmError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"MCP Inspector {VERSION}: {passed.count(True)} passed, {passed.count(False)} failed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
