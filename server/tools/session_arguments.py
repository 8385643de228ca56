"""Arguments that several session tools share."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from server.debug.model import SourceLine
from server.debug.session import Session
from server.debug.session_requests import BreakpointRequest
from server.errors import InvalidStateError
from server.tools.arguments import Count, LineNumber, PlainText, SourcePath, ToolArguments
from server.tools.paths import existing_file, source_file

WAIT_MS = 20_000

WaitMs = Annotated[Count, Field(description="How long to wait.")]
FrameArgument = Annotated[
    Annotated[int, Field(strict=True, ge=0)] | PlainText | None,
    WithJsonSchema({"type": ["string", "integer"]}),
    Field(description="An id, or calls up from the innermost."),
]
Start = Annotated[Count, Field(description="For the rest: next_start.")]


def _leave_out_additional_properties(schema: dict[str, Any]) -> None:
    schema.pop("additionalProperties", None)


class BriefArguments(ToolArguments):
    """Arguments whose schema leaves out what the answer to an unknown one says in time."""

    model_config = ConfigDict(json_schema_extra=_leave_out_additional_properties)


class SessionArguments(BriefArguments):
    """The base of the arguments of all tools that ask something of one session."""

    session_id: Annotated[PlainText | None, Field(description="If several are open.")] = None


class RunArguments(SessionArguments):
    """The base of the arguments of all tools that let the program run."""

    wait_ms: WaitMs = WAIT_MS

    @property
    def wait_s(self) -> float:
        """The same in seconds."""
        return self.wait_ms / 1000


class PlaceArgument(BriefArguments):
    """A line of a file."""

    file: Annotated[SourcePath | None, Field(description="Default: the current one.")] = None
    line: LineNumber

    def to_source_line(self, session: Session) -> SourceLine:
        """The place, with the file's absolute path."""
        file = _current_file(session) if self.file is None else _file_to_run_to(self.file, session)
        return SourceLine(file, self.line)


class BreakpointTerms(BriefArguments):
    """Where a breakpoint is to be, and when it counts."""

    file: SourcePath | None = None
    line: LineNumber | None = None
    text: Annotated[PlainText | None, Field(description="Instead of line: a text that only this line has.")] = None
    function: Annotated[
        PlainText | None,
        Field(description="Or `total`, `Cart.total`; with file where several have the name or it is not loaded yet."),
    ] = None
    column: LineNumber | None = None
    condition: Annotated[
        PlainText | None,
        Field(description="Stop only if true: `i > 9`. Side effects are kept: `fix(), false` tries a patch."),
    ] = None
    hit_condition: Annotated[PlainText | None, Field(description="Which passes count: `5`, `>=5`, `%10`.")] = None
    log_message: Annotated[
        PlainText | None, Field(description="Do not stop; log this text with its `{expressions}`.")
    ] = None

    @model_validator(mode="after")
    def _check_place(self) -> BreakpointTerms:
        if sum(place is not None for place in (self.line, self.text, self.function)) != 1:
            raise PydanticCustomError("place", "exactly one of line, text and function says where")
        if self.file is None and self.function is None:
            raise PydanticCustomError("place", "line and text need a file")
        return self

    def to_request(self, cwd: str | None, *, must_exist: bool) -> BreakpointRequest:
        """What a session is asked for; raises where there is no such file and there has to be one."""
        find = existing_file if must_exist else source_file
        return BreakpointRequest(
            file=None if self.file is None else find(self.file, cwd),
            line=self.line,
            text=self.text,
            function=self.function,
            column=self.column,
            condition=self.condition,
            hit_condition=self.hit_condition,
            log_message=self.log_message,
        )


def _terms_in_short() -> dict[str, Any]:
    """The same without what `set_breakpoint` says already."""
    kinds = {name: "integer" if name in ("line", "column") else "string" for name in BreakpointTerms.model_fields}
    return {"type": "object", "properties": {name: {"type": kind} for name, kind in kinds.items()}}


BreakpointList = Annotated[
    list[Annotated[BreakpointTerms, WithJsonSchema(_terms_in_short())]],
    Field(description="Set before anything runs; each as in set_breakpoint."),
]


def session_file(given: str, session: Session) -> str:
    """The absolute path of a source file, be it there or not: a program may have loaded what is not on disk."""
    return source_file(given, session.summary().program.cwd)


def _file_to_run_to(given: str, session: Session) -> str:
    """The same, where only an attached program may have what is not there."""
    program = session.summary().program
    return source_file(given, program.cwd) if program.is_attached else existing_file(given, program.cwd, "run to")


def _current_file(session: Session) -> str:
    position = session.summary().position
    if position is None:
        raise InvalidStateError(
            "The program does not stand in a file, so `to` has to name one.",
            advice="Call pause_execution first; where the program stands, continue_execution runs to a line.",
        )
    return position.file
