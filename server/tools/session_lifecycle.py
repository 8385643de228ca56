"""Session tools that begin, list and end sessions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from server.debug.session_model import AttachSpec, LaunchSpec, PauseOnExceptions, StateReport
from server.debug.sessions import Opened, StartOptions
from server.debug.watch_list import MAX_WATCHES
from server.errors import InvalidArgumentsError
from server.process.command_line import CommandLine, CommandLineError, parse_command_line
from server.report.answer import Answer
from server.report.session_lists import sessions_answer
from server.report.session_state import closed_answer, opened_answer
from server.tools.arguments import WHOLE, PlainText, SourcePath, SystemText, VariableName
from server.tools.paths import existing_directory, existing_file
from server.tools.session_arguments import WAIT_MS, BreakpointList, BriefArguments, SessionArguments, WaitMs
from server.tools.session_examples import LISTED_BREAKPOINT, PAUSED, RUNNING, STOPPED, TARGET_INFO
from server.tools.session_tool import READS, RUNS_CODE, SessionJob, SessionTool, answer_schema, only_session_id

OPENED_SCHEMA = answer_schema(
    session_id="string", stop="object", output="object", breakpoints="array", target_info="object"
)


class StartArguments(BriefArguments):
    """The arguments of `start_debugging`."""

    program: Annotated[SourcePath | None, Field(description="A script for node.")] = None
    command: Annotated[SourcePath | None, Field(description="Or a whole command: `npx mocha a.js`. No shell runs.")] = (
        None
    )
    args: Annotated[list[SystemText], Field(description="Added to the command.")] = []
    cwd: Annotated[SourcePath | None, Field(description="The program's; the server's own by default.")] = None
    env: Annotated[dict[VariableName, SystemText] | None, Field(description="Added to the server's own.")] = None
    language: Literal["node"] | None = None
    breakpoints: BreakpointList = []
    stop_on_entry: Annotated[
        bool | None, Field(strict=True, description="By default only where nothing else could stop it.")
    ] = None
    pause_on_exceptions: Literal["none", "uncaught", "all"] = "none"
    watches: Annotated[list[PlainText], Field(max_length=MAX_WATCHES, description="As in set_watches.")] = []
    wait_ms: WaitMs = WAIT_MS

    @model_validator(mode="after")
    def _check_program(self) -> StartArguments:
        if (self.program is None) == (self.command is None):
            raise PydanticCustomError("program", "either program or command says what to start")
        return self

    def to_spec(self) -> LaunchSpec:
        """What to launch; raises where it cannot be."""
        cwd = None if self.cwd is None else existing_directory(self.cwd)
        command = self._to_command(cwd)
        env: Mapping[str, str] = {**command.env, **(self.env or {})}
        return LaunchSpec(argv=(*command.argv, *self.args), cwd=cwd, env=env or None)

    def _to_command(self, cwd: str | None) -> CommandLine:
        if self.program is not None:
            return CommandLine(argv=("node", existing_file(self.program, cwd, "run")), env={})
        assert self.command is not None
        try:
            return parse_command_line(self.command)
        except CommandLineError as error:
            raise InvalidArgumentsError(
                f"Bad command: {error}",
                advice="Call start_debugging with one program and its arguments; for a directory use cwd, for variables"
                " env.",
            ) from error

    def to_options(self, cwd: str | None) -> StartOptions:
        """What to set before it runs."""
        pause_on_exceptions = PauseOnExceptions(self.pause_on_exceptions)
        could_stop = bool(self.breakpoints) or pause_on_exceptions is not PauseOnExceptions.NONE
        return StartOptions(
            breakpoints=tuple(terms.to_request(cwd, must_exist=True) for terms in self.breakpoints),
            stop_on_entry=not could_stop if self.stop_on_entry is None else self.stop_on_entry,
            wait_s=self.wait_ms / 1000,
            pause_on_exceptions=pause_on_exceptions,
            watches=tuple(self.watches),
        )


class StartDebugging(SessionTool[StartArguments]):
    """The tool as the server lists and calls it."""

    name = "start_debugging"
    title = "Start debugging"
    description = (
        "Start a Node.js program under the debugger, to follow it step by step; where values at one line suffice, use"
        " debug-script. Waits for the first stop and answers with session_id and the stop: reason, location, source,"
        " frames, locals, output. This runs the program, with all its side effects; close_debug_session ends it."
    )
    arguments = StartArguments
    output_schema = OPENED_SCHEMA
    annotations = RUNS_CODE
    example_arguments = {
        "program": "src/cart.js",
        "breakpoints": [{"file": "src/cart.js", "line": 12}],
    }
    example_answer = {
        **STOPPED,
        "breakpoints": [{**LISTED_BREAKPOINT, "hits": 1}],
        "target_info": TARGET_INFO,
    }

    def begin(self, arguments: StartArguments) -> SessionJob[Opened]:
        """Launch it."""
        spec = arguments.to_spec()
        return SessionJob(self.sessions.launch(spec, arguments.to_options(spec.cwd)), opened_answer)


class ConnectArguments(BriefArguments):
    """The arguments of `connect_debugger`."""

    websocket_url: Annotated[PlainText | None, Field(description="ws://127.0.0.1:9229/...")] = None
    host: PlainText = "127.0.0.1"
    port: Annotated[int | None, Field(strict=True, ge=1, le=65535, description="Of --inspect."), WHOLE] = None
    pid: Annotated[
        int | None,
        Field(strict=True, ge=1, le=2**31 - 1, description="Of a Node.js process; opens its inspector."),
        WHOLE,
    ] = None
    target: Annotated[PlainText | None, Field(description="Which of several: an id, a part of title or URL.")] = None

    @model_validator(mode="after")
    def _check_address(self) -> ConnectArguments:
        if sum(given is not None for given in (self.websocket_url, self.port, self.pid)) != 1:
            raise PydanticCustomError("address", "exactly one of websocket_url, port and pid says where")
        return self


class ConnectDebugger(SessionTool[ConnectArguments]):
    """The tool as the server lists and calls it."""

    name = "connect_debugger"
    title = "Attach"
    description = (
        "Attach to a Node.js program that runs already, by the address of its inspector or its pid. It runs on: set"
        " breakpoints and wait with continue_execution, or call pause_execution. close_debug_session leaves it running."
    )
    arguments = ConnectArguments
    output_schema = OPENED_SCHEMA
    annotations = {**RUNS_CODE, "openWorldHint": True}
    example_arguments = {"port": 9229}
    example_answer = {
        **RUNNING,
        "target_info": {**TARGET_INFO, "title": "/app/server.js", "attached": True},
    }

    def begin(self, arguments: ConnectArguments) -> SessionJob[Opened]:
        """Attach to it."""
        spec = AttachSpec(
            url=arguments.websocket_url,
            host=arguments.host,
            port=arguments.port,
            pid=arguments.pid,
            target=arguments.target,
        )
        return SessionJob(self.sessions.attach(spec, StartOptions(wait_s=0.0)), opened_answer)


class NoArguments(BriefArguments):
    """None at all."""


class ListDebugSessions(SessionTool[NoArguments]):
    """The tool as the server lists and calls it."""

    name = "list_debug_sessions"
    title = "List sessions"
    description = "All sessions: id, state, place, program, number of breakpoints, time without calls."
    arguments = NoArguments
    output_schema = answer_schema(sessions="array")
    annotations = READS
    example_arguments = {}
    example_answer = {
        "status": "ok",
        "sessions": [
            {
                "session_id": "s1",
                "state": "paused",
                "location": {"file": "/app/src/cart.js", "line": 12, "column": 5},
                "target_info": TARGET_INFO,
                "breakpoints": 1,
                "idle_ms": 4200,
            }
        ],
    }

    def begin(self, arguments: NoArguments) -> Answer:
        """List them; nobody has to be asked for that."""
        return sessions_answer(self.sessions.list())


class CloseArguments(SessionArguments):
    """The arguments of `close_debug_session`."""

    keep_running: Annotated[
        bool, Field(strict=True, description="Let a launched program run on, without breakpoints.")
    ] = False


class CloseDebugSession(SessionTool[CloseArguments]):
    """The tool as the server lists and calls it."""

    name = "close_debug_session"
    title = "Close session"
    description = (
        "End a session when you are done. A launched program ends with all its descendants; an attached one is left"
        " running, without breakpoints."
    )
    arguments = CloseArguments
    output_schema = answer_schema(output="object", exit="object", closed="boolean")
    annotations = RUNS_CODE
    example_arguments = {"session_id": "s1"}
    example_answer = {
        **PAUSED,
        "state": "exited",
        "output": {"stdout": "", "stderr": "", "cursor": 10},
        "exit": {"code": None, "signal": "SIGKILL"},
        "closed": True,
    }

    def begin(self, arguments: CloseArguments) -> SessionJob[StateReport]:
        """Close it."""
        session_id = arguments.session_id or only_session_id(self.sessions)
        return SessionJob(self.sessions.close(session_id, keep_running=arguments.keep_running), closed_answer)


TOOLS = (StartDebugging, ConnectDebugger, ListDebugSessions, CloseDebugSession)
