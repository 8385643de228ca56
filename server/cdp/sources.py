"""The sources of a program: what is loaded, its text, and where functions are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from server.cdp.code_origin import CodeOrigin, url_to_origin
from server.cdp.function_scanner import FunctionDefinition, find_definitions
from server.cdp.script_urls import file_spellings, url_to_file
from server.cdp.source_files import read_source_file, source_files_below
from server.debug.model import SourceLine
from server.debug.session_model import ScriptInfo
from server.errors import InvalidArgumentsError, ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import GetScriptSourceResult, Location
    from server.cdp.connection import Call, Connection
    from server.cdp.scripts import Script, ScriptTable

_MOST_CACHED_CHARACTERS: Final = 20_000_000
_MOST_SEARCHED_SCRIPTS: Final = 2_000
_MOST_FOUND: Final = 50
_LINE_END: Final = re.compile("\r\n|[\n\r\u2028\u2029]")


class Sources:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, scripts: ScriptTable) -> None:
        self._connection = connection
        self._scripts = scripts
        self._texts: dict[str, str] = {}
        self._cached_characters = 0

    def scripts(self) -> tuple[ScriptInfo, ...]:
        """Every script that was loaded so far, Node's own too."""
        return tuple(
            ScriptInfo(
                id=script.id,
                url=script.url,
                file=url_to_file(script.url),
                lines=script.last_line,
                is_own=url_to_origin(script.url) is CodeOrigin.OWN,
                source_map_url=script.source_map_url,
            )
            for script in self._scripts
        )

    def source(self, script_id: str) -> str:
        """The text of a script, as it runs."""
        if script_id in self._texts:
            return self._texts[script_id]
        try:
            return self._take(script_id, self._connection.wait(self._post(script_id)))
        except ProtocolError as error:
            raise InvalidArgumentsError(
                f"There is no script with the id {script_id!r}.", advice="list_scripts tells the ids."
            ) from error

    def find_function(self, name: str, file: str | None, roots: Sequence[str]) -> tuple[SourceLine, ...]:
        """Where functions of this name begin: the first line inside each that has code.

        Loaded scripts of the program's own are searched, and the files below `roots` that are not loaded yet; or one
        file, whichever it is.
        """
        scripts = self._own_scripts() if file is None else self._scripts.of_file(file)
        loaded = {spelling for script in scripts for spelling in file_spellings(url_to_file(script.url) or "")}
        files = source_files_below(roots) if file is None else [file]
        found = dict.fromkeys(self._in_scripts(scripts, name))
        found |= dict.fromkeys(_in_files((one for one in files if not file_spellings(one) & loaded), name))
        return tuple(found)[:_MOST_FOUND]

    # --- functions in scripts -----------------------------------------------------------------------------------------

    def _own_scripts(self) -> list[Script]:
        """Of several scripts of one file, the last."""
        own = (script for script in self._scripts if url_to_origin(script.url) is CodeOrigin.OWN)
        by_file = {file: script for script in own if (file := url_to_file(script.url)) is not None}
        return list(by_file.values())[-_MOST_SEARCHED_SCRIPTS:]

    def _in_scripts(self, scripts: Sequence[Script], name: str) -> Iterator[SourceLine]:
        unknown = [(script.id, self._post(script.id)) for script in scripts if script.id not in self._texts]
        fetched = {script_id: self._take(script_id, self._connection.wait(call)) for script_id, call in unknown}
        for script in scripts:
            text = fetched[script.id] if script.id in fetched else self._texts[script.id]
            for definition in _definitions(text, name):
                line = self._first_line(script, text, definition)
                yield SourceLine(url_to_file(script.url) or script.url, line)

    def _first_line(self, script: Script, text: str, definition: FunctionDefinition) -> int:
        """Where V8 would stop first inside the function; where it knows no such place, the first line with code."""
        from cdp_protocol.generated import debugger

        start = _location(script.id, text, definition.body)
        end = None if definition.end is None else _location(script.id, text, definition.end + 1)
        first_code = _line(text, definition.first_code)
        try:
            answer = self._connection.send(
                debugger.GetPossibleBreakpoints(start=start, end=end, restrict_to_function=True)
            )
        except ProtocolError:
            return first_code
        return min((location.line_number + 1 for location in answer.locations), default=first_code)

    # --- texts --------------------------------------------------------------------------------------------------------

    def _post(self, script_id: str) -> Call[GetScriptSourceResult]:
        from cdp_protocol.generated import debugger

        return self._connection.post(debugger.GetScriptSource(script_id=script_id))

    def _take(self, script_id: str, answer: GetScriptSourceResult) -> str:
        """Keep a text for the next time, and forget the oldest ones where all become too much."""
        text = answer.script_source
        self._texts[script_id] = text
        self._cached_characters += len(text)
        while self._cached_characters > _MOST_CACHED_CHARACTERS and len(self._texts) > 1:
            oldest = next(iter(self._texts))
            self._cached_characters -= len(self._texts.pop(oldest))
        return text


def _in_files(files: Iterable[str], name: str) -> Iterator[SourceLine]:
    for file in files:
        text = read_source_file(file) or ""
        for definition in _definitions(text, name):
            yield SourceLine(file, _line(text, definition.first_code))


def _definitions(text: str, name: str) -> list[FunctionDefinition]:
    # Most texts do not even have the word.
    return find_definitions(text, name) if name.rpartition(".")[2] in text else []


def _line(text: str, offset: int) -> int:
    return sum(1 for _ in _LINE_END.finditer(text, 0, offset)) + 1


def _location(script_id: str, text: str, offset: int) -> Location:
    """A place in V8's terms: lines and columns from 0, a column for each 16 bits."""
    from cdp_protocol.generated import debugger

    begins = max((end.end() for end in _LINE_END.finditer(text, 0, offset)), default=0)
    column = len(text[begins:offset].encode("utf-16-le", "surrogatepass")) // 2
    return debugger.Location(script_id=script_id, line_number=_line(text, offset) - 1, column_number=column)
