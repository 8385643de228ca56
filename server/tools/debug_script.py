"""`debug-script`: run a Node.js program once, and see an expression's value at every hit of a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Field, ValidationError

from server.config import Settings
from server.debug.backend import Backend
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.model import ScriptRun, SourceLine
from server.debug.results import ResultStore
from server.debug.run import run_script
from server.errors import DebugError, InvalidArgumentsError
from server.process.command_line import CommandLineError, parse_command_line
from server.report.answer import Answer
from server.report.script_run import failure_answer, report_to_answer
from server.tools.arguments import WHOLE, CommandText, NonBlank, PathText, SystemText, ToolArguments, VariableName
from server.tools.paths import existing_directory, existing_file
from server.tools.schema import described_problems, published_schema

MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000

EXAMPLE: dict[str, Any] = {
    "command": "node --inspect-brk=0 src/cart.js",
    "breakpoint": {"file": "src/cart.js", "line": 12},
    "expression": "{item, total}",
    "timeout": 30000,
}


class BreakpointArgument(ToolArguments):
    """The line to watch."""

    file: Annotated[
        PathText,
        Field(
            description="An absolute path, one relative to the server's directory, or a file:// URL.",
        ),
    ]
    line: Annotated[
        int,
        Field(
            strict=True,
            ge=1,
            le=2**31 - 1,
            description="1-based. The expression is evaluated just before this line runs.",
        ),
        WHOLE,
    ]


class DebugScriptArguments(ToolArguments):
    """The arguments of `debug-script`."""

    command: Annotated[
        CommandText,
        Field(
            description="What starts the program, with --inspect-brk: `node --inspect-brk=0 app.js --flag`. =0 takes"
            " any free port; without a value it is 9229. Words are split as in a shell, but no shell runs: no pipes,"
            " globs or variables.",
        ),
    ]
    breakpoint: Annotated[BreakpointArgument, Field(description="The line to watch.")]
    expression: Annotated[
        NonBlank,
        Field(
            description="A JavaScript expression, evaluated at every hit with all that is in scope there. An object"
            " literal brings several values at once: `{i, total, user: this.user}`.",
        ),
    ]
    timeout: Annotated[
        int,
        Field(
            strict=True,
            ge=1,
            le=MAX_TIMEOUT_MS,
            description="Milliseconds for the whole run; what was collected by then is returned. 30000 suits most.",
        ),
        WHOLE,
    ]
    condition: Annotated[
        NonBlank | None,
        Field(description="Only hits at which this JavaScript expression is true count: `i > 100 && !user`."),
    ] = None
    max_hits: Annotated[
        int | None,
        Field(
            strict=True,
            ge=1,
            le=2**31 - 1,
            description="Stop watching after so many hits; the program runs on.",
        ),
        WHOLE,
    ] = None
    include_stack: Annotated[
        bool | None,
        Field(strict=True, description="Give each result the stack of its hit. Slower."),
    ] = None
    cwd: Annotated[
        PathText | None,
        Field(description="The program's working directory; the server's own by default."),
    ] = None
    env: Annotated[
        dict[VariableName, SystemText] | None,
        Field(description="Environment variables, added to the server's own."),
    ] = None


class ScriptJob:
    """One call of `debug-script`."""

    def __init__(self, run: ScriptRun, timeout_ms: int, backend: Backend, settings: Settings) -> None:
        self.deadline = Deadline.after(timeout_ms / 1000)
        self._run = run
        self._timeout_ms = timeout_ms
        self._backend = backend
        self._inbox = Inbox(self.deadline)
        self._results = ResultStore(settings.max_results_bytes)

    def run(self) -> Answer:
        """Debug the program from launch to end, on the calling thread."""
        try:
            return report_to_answer(run_script(self._run, self._backend, self._inbox, self._results), self._timeout_ms)
        except DebugError as error:
            return failure_answer(str(error))

    def cancel(self) -> None:
        """End the run; what it started goes with it."""
        self._inbox.cancel()

    def progress(self) -> tuple[float, str]:
        """Hits so far."""
        hits = self._results.hits
        return float(hits), f"{hits} hits"

    def never_ran(self, others: int) -> Answer:
        """The answer when no turn came in time."""
        return failure_answer(
            f"Timeout waiting for breakpoint after {self._timeout_ms}ms\n"
            f"The program was not started: {others} other runs were under way all that time. Try again."
        )


class DebugScriptTool:
    """The tool as the server lists and calls it."""

    toolset = "script"
    name = "debug-script"
    title = "Debug a script: values at a line"
    description = (
        "See what a Node.js program really does: use this instead of adding console.log and running it again."
        " One call runs the command under the debugger, evaluates your expression each time a line is reached, and"
        " returns every value with its type, in order. No file is changed.\n"
        "Returns {results: [{type, value}, ...]}, one entry a hit. An expression that throws gives an entry of type"
        ' "error" and the run goes on. Beside results, where it applies: breakpoint (it moved), timed_out, exit (it'
        " failed), truncated (first and last are kept).\n"
        "This runs the program, with all its side effects."
    )
    input_schema = published_schema(DebugScriptArguments)
    output_schema: dict[str, Any] = {
        "type": "object",
        "anyOf": [
            {
                "title": "Success",
                "properties": {
                    "results": {
                        "type": "array",
                        "description": "One entry a hit, in order.",
                        "items": {
                            "type": "object",
                            "properties": {
                                "type": {
                                    "type": "string",
                                    "description": "typeof the value; error when it threw.",
                                },
                                "value": {"description": "The value; text for what JSON has no form for."},
                                "truncated": {"type": "object", "description": "What was cut from this value."},
                                "stack": {
                                    "type": "array",
                                    "description": "Innermost first, the program's own code first.",
                                    "items": {
                                        "type": "object",
                                        "properties": {
                                            "function": {"type": "string", "description": "Its name."},
                                            "file": {
                                                "type": "string",
                                                "description": "Absolute; what runs, not its source.",
                                            },
                                            "line": {"type": "integer", "description": "Where it is."},
                                        },
                                        "required": ["function", "file", "line"],
                                    },
                                },
                            },
                            "required": ["type", "value"],
                        },
                    },
                    "breakpoint": {
                        "type": "object",
                        "description": "Where it really is, when it moved.",
                        "properties": {
                            "file": {"type": "string", "description": "Absolute."},
                            "line": {"type": "integer", "description": "Where it moved to."},
                            "requested_line": {"type": "integer", "description": "As asked."},
                        },
                        "required": ["file", "line", "requested_line"],
                    },
                    "max_hits_reached": {
                        "type": "boolean",
                        "description": "Further hits were not looked at.",
                    },
                    "timed_out": {"type": "boolean", "description": "Before the program ended."},
                    "exit": {
                        "type": "object",
                        "description": "How it ended, unless with code 0.",
                        "properties": {
                            "code": {"type": ["integer", "null"], "description": "Unless killed."},
                            "signal": {"type": ["string", "null"], "description": "What killed it."},
                            "stderr": {"type": "string", "description": "The end of its standard error."},
                        },
                        "required": ["code", "signal"],
                    },
                    "truncated": {
                        "type": "object",
                        "description": "What was left out between the first and the last.",
                        "properties": {
                            "results": {"type": "integer", "description": "How many."},
                            "bytes": {"type": "integer", "description": "Their size as JSON."},
                            "hits": {"type": "integer", "description": "All that there were."},
                            "kept_first": {"type": "integer", "description": "Entries before the gap."},
                        },
                        "required": ["results", "bytes", "hits", "kept_first"],
                    },
                    "connection_lost": {"type": "string", "description": "Why."},
                    "debugger_failed": {"type": "string", "description": "Why."},
                    "notes": {
                        "type": "array",
                        "description": "What helps to read this.",
                        "items": {"type": "string"},
                    },
                },
                "required": ["results"],
            },
            {
                "title": "Failure",
                "properties": {"error": {"type": "string", "description": "What happened, and what would help."}},
                "required": ["error"],
            },
        ],
    }
    annotations = {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    }
    example_arguments = EXAMPLE
    example_answer: dict[str, Any] = {
        "results": [
            {"type": "object", "value": {"item": {"name": "pen", "price": 3, "count": 2}, "total": 0}},
            {"type": "object", "value": {"item": {"name": "ink", "price": 7, "count": 1}, "total": 6}},
        ]
    }

    def __init__(self, backend: Callable[[], Backend], settings: Settings) -> None:
        self._backend = backend
        self._settings = settings

    def start(self, arguments: Mapping[str, Any]) -> ScriptJob | Answer:
        """Check the arguments; no program has been touched when they are refused."""
        try:
            checked = DebugScriptArguments.model_validate(arguments)
            return ScriptJob(_to_run(checked), checked.timeout, self._backend(), self._settings)
        except ValidationError as error:
            return _refusal(f"Bad arguments for debug-script:\n{described_problems(error)}")
        except InvalidArgumentsError as error:
            return _refusal(str(error))

    def failure(self, message: str) -> Answer:
        """The contract's error shape."""
        return failure_answer(message)


def _refusal(problem: str) -> Answer:
    return failure_answer(f"{problem}\nA right call: {json.dumps(EXAMPLE)}")


def _to_run(arguments: DebugScriptArguments) -> ScriptRun:
    try:
        command = parse_command_line(arguments.command)
    except CommandLineError as error:
        raise InvalidArgumentsError(
            f"Bad command: {error}",
            advice="Give one program with its arguments; for a directory use cwd, for variables env.",
        ) from error
    cwd = None if arguments.cwd is None else existing_directory(arguments.cwd)
    return ScriptRun(
        argv=command.argv,
        breakpoint=SourceLine(existing_file(arguments.breakpoint.file, cwd), arguments.breakpoint.line),
        expression=arguments.expression,
        condition=arguments.condition,
        max_hits=arguments.max_hits,
        include_stack=bool(arguments.include_stack),
        cwd=cwd,
        env={**command.env, **(arguments.env or {})} or None,
    )
