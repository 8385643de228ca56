"""Holds every script that has a source map before its code runs, so that a breakpoint can be set through the map.

Nothing in the program is changed for it. V8 itself stops before an ES module that has a map. For CommonJS it cannot,
so a breakpoint is put on the function of Node's own loader that compiles a module: it stops there, with the module's
text as argument, when that text names a map. What was compiled before the first pause is found among the scripts.
"""

from __future__ import annotations

import json
import logging
import re
from typing import TYPE_CHECKING

from server.cdp.script_urls import url_to_file
from server.errors import DisconnectedError, ProtocolError
from server.sourcemaps.locate import load_source_map
from server.sourcemaps.source_map_error import SourceMapError

if TYPE_CHECKING:
    from server.cdp.connection import Connection
    from server.cdp.line_breakpoint import LineBreakpoint
    from server.cdp.pause import Pause
    from server.cdp.scripts import ScriptTable

log = logging.getLogger(__name__)

_RUN_AS_THEY_ARE = (".js", ".cjs", ".mjs")
_COMPILE_FUNCTION = "require('module').prototype._compile"
_FOREIGN_FOLDER = "/node_modules/"
# In the frame of that function: its first argument is the text, its second one the file.
_NAMES_A_MAP = "typeof arguments[0] === 'string' && arguments[0].includes('sourceMappingURL=')"
_IS_OUR_OWN = f"!String(arguments[1]).includes({json.dumps(_FOREIGN_FOLDER)})"
_FILE_AND_END_OF_TEXT = "[String(arguments[1]), arguments[0].slice(arguments[0].lastIndexOf('sourceMappingURL='))]"
_MAP_URL = re.compile(r"sourceMappingURL=\s*([^\s'\"]+)")


def may_need_a_map(file: str) -> bool:
    """Whether a file can only run, or runs differently, after something compiled it."""
    return not file.endswith(_RUN_AS_THEY_ARE)


class MappedScripts:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, scripts: ScriptTable, line: LineBreakpoint, file: str) -> None:
        self._connection = connection
        self._scripts = scripts
        self._breakpoint = line
        self._file = file
        self._seen_scripts: set[str] = set()
        self._used_maps: set[tuple[str, int]] = set()
        self._compile_breakpoint_id: str | None = None
        self._holds_commonjs = False
        self._problem: str | None = None

    def arm(self) -> None:
        """Have ES modules held; does not wait."""
        from cdp_protocol.generated import debugger

        self._connection.post(
            debugger.SetInstrumentationBreakpoint(instrumentation="beforeScriptWithSourceMapExecution")
        )

    def at_pause(self, pause: Pause) -> None:
        """While the program stands still: set the breakpoint through every map that has come up."""
        try:
            if not self._holds_commonjs:
                self._hold_commonjs()
            if self._compile_breakpoint_id in pause.breakpoint_ids:
                self._map_what_is_compiled(pause.frame_id)
            self._map_new_scripts()
        except (ProtocolError, DisconnectedError) as error:
            log.debug("no source map could be looked for: %s", error)

    def verdict(self) -> str:
        """Why no map led to the file, for one who wonders why nothing was hit."""
        if self._problem is not None:
            return self._problem
        return (
            f"None of the {len(self._used_maps)} source maps of loaded scripts names it. Compile it with source maps,"
            " or set the breakpoint in the compiled file."
        )

    def _hold_commonjs(self) -> None:
        from cdp_protocol.generated import debugger, runtime

        self._holds_commonjs = True
        found = self._connection.send(
            runtime.Evaluate(expression=_COMPILE_FUNCTION, include_command_line_api=True, silent=True)
        )
        if found.result.object_id is None:
            return
        # Modules of others are passed over unless the breakpoint is among them: many bring maps that nobody needs.
        condition = _NAMES_A_MAP if _FOREIGN_FOLDER in self._file else f"{_NAMES_A_MAP} && {_IS_OUR_OWN}"
        answer = self._connection.send(
            debugger.SetBreakpointOnFunctionCall(object_id=found.result.object_id, condition=condition)
        )
        self._compile_breakpoint_id = answer.breakpoint_id

    def _map_what_is_compiled(self, frame_id: str) -> None:
        from cdp_protocol.generated import debugger

        answer = self._connection.send(
            debugger.EvaluateOnCallFrame(
                call_frame_id=frame_id, expression=_FILE_AND_END_OF_TEXT, silent=True, return_by_value=True
            )
        )
        match answer.result.value:
            case [str(file), str(end_of_text)] if found := _MAP_URL.match(end_of_text):
                self._map(url_to_file(file) or file, found[1])
            case _:
                log.debug("a module is compiled whose source map cannot be told")

    def _map_new_scripts(self) -> None:
        for script in self._scripts.with_source_map():
            if script.id not in self._seen_scripts:
                self._seen_scripts.add(script.id)
                file = url_to_file(script.url)
                if file is not None and script.source_map_url is not None:
                    self._map(file, script.source_map_url)

    def _map(self, script_file: str, map_url: str) -> None:
        used = (script_file, hash(map_url))  # an inline map is its own URL, and may have megabytes
        if used in self._used_maps:
            return
        self._used_maps.add(used)
        try:
            self._breakpoint.set_through(load_source_map(script_file, map_url), script_file)
        except SourceMapError as error:
            self._problem = f"The source map of {script_file} cannot be used: {error}"
