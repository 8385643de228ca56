"""Session tools about what the program is made of, and what it wrote."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from server.debug.session import Session
from server.debug.session_model import OutputPage, ScriptInfo, SourceRange
from server.debug.session_requests import GetOutput, GetSource, ListScripts, SessionRequest
from server.report.answer import Answer
from server.report.session_answer import Fields
from server.report.session_lists import scripts_answer, source_answer, source_context_answer
from server.report.session_output import last_output_answer, output_page_answer
from server.tools.arguments import WHOLE, Count, LineNumber, PlainText, SourcePath
from server.tools.session_arguments import SessionArguments, Start, session_file
from server.tools.session_examples import PAUSED, SOURCE
from server.tools.session_tool import READS, AskingTool, answer_schema


class ListScriptsArguments(SessionArguments):
    """The arguments of `list_scripts`."""

    matching: Annotated[PlainText | None, Field(description="A part of the URL.")] = None
    include_internal: Annotated[bool, Field(strict=True, description="Also Node's own.")] = False
    start: Start = 0


class ListScriptsTool(AskingTool[ListScriptsArguments, tuple[ScriptInfo, ...]]):
    """The tool as the server lists and calls it."""

    name = "list_scripts"
    title = "List scripts"
    description = "The scripts that the program has loaded so far: id, file, number of lines, source map."
    arguments = ListScriptsArguments
    output_schema = answer_schema(scripts="array", next_start="integer")
    annotations = READS
    example_arguments = {"session_id": "s1", "matching": "src/"}
    example_answer = {
        **PAUSED,
        "scripts": [{"id": "71", "file": "/app/src/cart.js", "url": "file:///app/src/cart.js", "lines": 40}],
        "total": 1,
    }

    def request(self, arguments: ListScriptsArguments, session: Session) -> SessionRequest[tuple[ScriptInfo, ...]]:
        """List them."""
        return ListScripts(arguments.matching, arguments.include_internal)

    def answer(self, about: Fields, arguments: ListScriptsArguments, result: tuple[ScriptInfo, ...]) -> Answer:
        """As many as fit."""
        return scripts_answer(about, result, arguments.start)


class ScriptSourceArguments(SessionArguments):
    """The arguments of `get_script_source`."""

    script: Annotated[PlainText | None, Field(description="An id of list_scripts.")] = None
    file: Annotated[SourcePath | None, Field(description="Or a name such as node:events.")] = None
    first_line: LineNumber = 1
    last_line: LineNumber | None = None

    @model_validator(mode="after")
    def _check_source(self) -> ScriptSourceArguments:
        if (self.script is None) == (self.file is None):
            raise PydanticCustomError("source", "either script or file says which source")
        return self


class GetScriptSourceTool(AskingTool[ScriptSourceArguments, SourceRange]):
    """The tool as the server lists and calls it."""

    name = "get_script_source"
    title = "Script source"
    description = (
        "The text of a script as it runs, also where no file has it (generated code, Node's own), or of a file."
    )
    arguments = ScriptSourceArguments
    output_schema = answer_schema(file="string", source="string", first_line="integer", next_line="integer")
    annotations = READS
    example_arguments = {"session_id": "s1", "script": "71", "first_line": 11, "last_line": 13}
    example_answer = {
        **PAUSED,
        "file": "/app/src/cart.js",
        "total_lines": 40,
        "first_line": 11,
        "last_line": 13,
        "source": "\n".join(line["text"] for line in SOURCE),
    }

    def request(self, arguments: ScriptSourceArguments, session: Session) -> SessionRequest[SourceRange]:
        """Get it."""
        file = None if arguments.file is None else session_file(arguments.file, session)
        return GetSource(arguments.script, file, arguments.first_line, arguments.last_line, url=arguments.file)

    def answer(self, about: Fields, arguments: ScriptSourceArguments, result: SourceRange) -> Answer:
        """As many lines as fit."""
        return source_answer(about, result)


class SourceContextArguments(SessionArguments):
    """The arguments of `get_source_context`."""

    file: SourcePath
    line: LineNumber
    lines: Annotated[int, Field(strict=True, ge=0, le=50, description="How many before and after."), WHOLE] = 5


class GetSourceContextTool(AskingTool[SourceContextArguments, SourceRange]):
    """The tool as the server lists and calls it."""

    name = "get_source_context"
    title = "Source context"
    description = "Some lines of a file around one, such as a frame's or a breakpoint's."
    arguments = SourceContextArguments
    output_schema = answer_schema(file="string", source="array")
    annotations = READS
    example_arguments = {"session_id": "s1", "file": "src/cart.js", "line": 12, "lines": 1}
    example_answer = {
        **PAUSED,
        "file": "/app/src/cart.js",
        "total_lines": 40,
        "source": SOURCE,
    }

    def request(self, arguments: SourceContextArguments, session: Session) -> SessionRequest[SourceRange]:
        """Get them."""
        first = max(1, arguments.line - arguments.lines)
        last = arguments.line + arguments.lines
        return GetSource(None, session_file(arguments.file, session), first, last, arguments.line, url=arguments.file)

    def answer(self, about: Fields, arguments: SourceContextArguments, result: SourceRange) -> Answer:
        """The lines."""
        return source_context_answer(about, result)


class OutputArguments(SessionArguments):
    """The arguments of `get_output`."""

    since: Annotated[
        Count | None, Field(description="0 is the beginning; go on with the answer's cursor. Default: the last output.")
    ] = None
    stream: Annotated[
        Literal["stdout", "stderr", "log", "console"] | None, Field(description="log is what logpoints say.")
    ] = None


class GetOutputTool(AskingTool[OutputArguments, OutputPage]):
    """The tool as the server lists and calls it."""

    name = "get_output"
    title = "Output"
    description = (
        "What the program wrote and logpoints said, in order, 4000 characters an answer; also while it runs and after"
        " its end. Every stop brings what is new already."
    )
    arguments = OutputArguments
    output_schema = answer_schema(entries="array", cursor="integer", end="integer")
    annotations = READS
    example_arguments = {"session_id": "s1", "since": 10, "stream": "stdout"}
    example_answer = {
        **PAUSED,
        "entries": [{"cursor": 10, "stream": "stdout", "text": "6\n"}],
        "cursor": 12,
    }

    def request(self, arguments: OutputArguments, session: Session) -> SessionRequest[OutputPage]:
        """Get it."""
        return GetOutput(arguments.since, arguments.stream)

    def answer(self, about: Fields, arguments: OutputArguments, result: OutputPage) -> Answer:
        """From the cursor on, or the end of it."""
        return last_output_answer(about, result) if arguments.since is None else output_page_answer(about, result)


TOOLS = (ListScriptsTool, GetScriptSourceTool, GetSourceContextTool, GetOutputTool)
