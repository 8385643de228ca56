"""The sources of a program: what is loaded, its text, and where functions are."""

from __future__ import annotations

import difflib
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from server.cdp.code_origin import CodeOrigin, url_to_origin
from server.cdp.function_scanner import FunctionDefinition, find_definitions, find_names
from server.cdp.script_urls import file_spellings, url_to_file
from server.cdp.source_files import read_source_files, written_files_below
from server.debug.model import SourceLine
from server.debug.session_model import FunctionSearch, ScriptInfo
from server.errors import InvalidArgumentsError, ProtocolError

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import GetScriptSourceResult, Location
    from server.cdp.connection import Call, Connection
    from server.cdp.scripts import Script, ScriptTable

log = logging.getLogger(__name__)

_MOST_CACHED_CHARACTERS: Final = 20_000_000
_MOST_SEARCHED_SCRIPTS: Final = 2_000
_MOST_FOUND: Final = 50
_MOST_SCANNED_CHARACTERS: Final = 1_000_000
"""Of texts that are looked through for names like the wanted one; it takes about a second."""
_MOST_NEAR: Final = 5
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
        known = self._scripts.get(script_id)
        text = self._texts_of([script_id]).get(script_id)
        if text is not None:
            return text
        if known is None:
            raise InvalidArgumentsError(
                f"There is no script with the id {script_id!r}.", advice="list_scripts tells the ids."
            )
        raise InvalidArgumentsError(
            f"The script {script_id!r} ({known.url}) is gone: the program does not need it any more, and V8 has let go"
            " of its text.",
            advice="list_scripts tells what is there; get_script_source with its file shows what is on disk.",
        )

    def find_function(self, name: str, file: str | None, roots: Sequence[str]) -> FunctionSearch:
        """Where functions of this name begin: the first line inside each that has code.

        The scripts of the program's own are searched, or those of one file. Only where none of them has such a function
        the files are that are not loaded yet: those below `roots`, or the one.
        """
        scripts = self._own_scripts() if file is None else self._scripts.of_file(file)
        texts = self._texts_of([script.id for script in scripts])
        there = [script for script in scripts if script.id in texts]
        loaded = dict.fromkeys(self._in_scripts(there, texts, name))
        if loaded:
            return FunctionSearch(tuple(loaded)[:_MOST_FOUND])
        files = written_files_below(roots) if file is None else read_source_files([file])
        on_disk = dict.fromkeys(_in_files(_without_loaded(files, there), name))
        if on_disk:
            return FunctionSearch(tuple(on_disk)[:_MOST_FOUND], are_loaded=False)
        looked_through = texts.values() if file is None or there else [text for _, text in read_source_files([file])]
        return FunctionSearch(near_names=_near_names(name, looked_through))

    # --- functions in scripts -----------------------------------------------------------------------------------------

    def _own_scripts(self) -> list[Script]:
        """Of several scripts of one file, the last."""
        own = (script for script in self._scripts if url_to_origin(script.url) is CodeOrigin.OWN)
        by_file = {file: script for script in own if (file := url_to_file(script.url)) is not None}
        return list(by_file.values())[-_MOST_SEARCHED_SCRIPTS:]

    def _in_scripts(self, scripts: Iterable[Script], texts: Mapping[str, str], name: str) -> Iterator[SourceLine]:
        for script in scripts:
            text = texts[script.id]
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

    def _texts_of(self, script_ids: Sequence[str]) -> dict[str, str]:
        """The texts of scripts by their ids. One that V8 has collected meanwhile is not there, and is forgotten."""
        texts = {script_id: self._texts[script_id] for script_id in script_ids if script_id in self._texts}
        calls = [(script_id, self._post(script_id)) for script_id in script_ids if script_id not in texts]
        for script_id, call in calls:
            try:
                texts[script_id] = self._take(script_id, self._connection.wait(call))
            except ProtocolError as error:
                log.debug("the script %s is gone: %s", script_id, error)
                self._scripts.remove(script_id)
        return texts

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


def _in_files(files: Iterable[tuple[str, str]], name: str) -> Iterator[SourceLine]:
    for file, text in files:
        for definition in _definitions(text, name):
            yield SourceLine(file, _line(text, definition.first_code))


def _without_loaded(files: Iterable[tuple[str, str]], scripts: Iterable[Script]) -> Iterator[tuple[str, str]]:
    loaded = {spelling for script in scripts for spelling in file_spellings(url_to_file(script.url) or "")}
    return ((file, text) for file, text in files if not file_spellings(file) & loaded)


def _definitions(text: str, name: str) -> list[FunctionDefinition]:
    # Most texts do not even have the word.
    return find_definitions(text, name) if name.rpartition(".")[2] in text else []


def _near_names(wanted: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Functions with the same last name first, then those with a name like it."""
    last = wanted.rpartition(".")[2]
    room = _MOST_SCANNED_CHARACTERS
    by_last_name: dict[str, list[str]] = {}
    for text in texts:
        room -= len(text)
        if room < 0:
            break
        for name in find_names(text):
            by_last_name.setdefault(name.rpartition(".")[2], []).append(name)
    near = difflib.get_close_matches(last, by_last_name, n=_MOST_NEAR)
    return tuple(dict.fromkeys(name for one in near for name in by_last_name[one]))[:_MOST_NEAR]


def _line(text: str, offset: int) -> int:
    return sum(1 for _ in _LINE_END.finditer(text, 0, offset)) + 1


def _location(script_id: str, text: str, offset: int) -> Location:
    """A place in V8's terms: lines and columns from 0, a column for each 16 bits."""
    from cdp_protocol.generated import debugger

    begins = max((end.end() for end in _LINE_END.finditer(text, 0, offset)), default=0)
    column = len(text[begins:offset].encode("utf-16-le", "surrogatepass")) // 2
    return debugger.Location(script_id=script_id, line_number=_line(text, offset) - 1, column_number=column)
