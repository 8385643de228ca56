"""Calls `debug-script` as the server would, in this process, with real programs under a real Node.js."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.report.answer import Answer
from server.tools.debug_script import DebugScriptTool, ScriptJob
from tests.nodes import NODE

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
NEVER_RAN = "never ran (child processes are not debugged)."
"""The end of the sentence about a line with code that was not reached."""
TIMEOUT_MS = 60_000
"""Long enough for any run here on a busy machine; a test whose point is the timeout names its own."""


@dataclass(frozen=True)
class Program:
    """A file with marked lines."""

    path: Path

    def line(self, mark: str) -> int:
        """The 1-based line that ends in `@bp mark`."""
        lines = self.path.read_text("utf-8").splitlines()
        found = [number for number, line in enumerate(lines, 1) if line.rstrip().endswith(f"@bp {mark}")]
        assert len(found) == 1, f"{self.path} has the mark {mark!r} {len(found)} times"
        return found[0]

    def marks(self) -> list[str]:
        """All of them, in the order of their lines."""
        lines = self.path.read_text("utf-8").splitlines()
        return [line.rpartition("@bp ")[2].rstrip() for line in lines if "@bp " in line]


def node_command(*words: str | Path, flag: str = "--inspect-brk=0", before: Sequence[str] = ()) -> str:
    """`node FLAG WORDS`, quoted; `before` are more options of node."""
    return shlex.join([NODE, flag, *before, *map(str, words)])


class ScriptDebugger:
    """One call of the tool for each method call; `run` and `results` differ in what they promise."""

    def __init__(self, tool: DebugScriptTool) -> None:
        self._tool = tool

    def start(self, **arguments: Any) -> ScriptJob:
        """Check the arguments, which have to be right; the job is the caller's to run."""
        started = self._tool.start(arguments)
        assert isinstance(started, ScriptJob), started
        return started

    def call(self, **arguments: Any) -> Answer:
        """The whole tool: exactly these arguments in, whatever the answer is out."""
        started = self._tool.start(arguments)
        return started if isinstance(started, Answer) else started.run()

    def run(
        self,
        program: Program,
        expression: str,
        *,
        at: str | int = "hit",
        command: str | None = None,
        timeout: int = TIMEOUT_MS,
        **optional: Any,
    ) -> Answer:
        """Run a program by its own path, unless a command is given, and watch a marked line."""
        answer = self.call(
            command=command or node_command(program.path),
            breakpoint={"file": str(program.path), "line": program.line(at) if isinstance(at, str) else at},
            expression=expression,
            timeout=timeout,
            **optional,
        )
        assert_contract_shape(answer)
        return answer

    def results(self, program: Program, expression: str, **how: Any) -> list[dict[str, Any]]:
        """The results of a run to which there is nothing to add: it hit, ended well, nothing was cut."""
        answer = self.run(program, expression, **how)
        assert list(answer.structured) == ["results"], answer.structured
        results: list[dict[str, Any]] = answer.structured["results"]
        return results

    def values(self, program: Program, expression: str, **how: Any) -> list[Any]:
        """Only the values of such a run."""
        results = self.results(program, expression, **how)
        assert all(result["type"] != "error" for result in results), results
        return [result["value"] for result in results]

    def error(self, program: Program, expression: str = "0", **how: Any) -> str:
        """The message of a run that failed."""
        answer = self.run(program, expression, **how)
        assert answer.is_error, answer.structured
        message: str = answer.structured["error"]
        return message


def assert_contract_shape(answer: Answer) -> None:
    """What the contract fixes for every answer: a success has no text, a failure says the same in both channels."""
    if answer.is_error:
        assert answer.structured == {"error": answer.text}
        assert answer.text
        return
    assert answer.text is None
    assert answer.structured["results"]
    assert all({"type", "value"} <= result.keys() for result in answer.structured["results"])
