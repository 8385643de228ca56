"""The scripts that a target has loaded, as far as a breakpoint cares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from server.cdp.script_urls import file_spellings, file_to_url_pattern, url_to_file

if TYPE_CHECKING:
    from cdp_protocol.generated.debugger import ScriptParsed

_MOST_NAMESAKES = 5


@dataclass(frozen=True, slots=True)
class Script:
    """One loaded script. V8 counts its lines from 0, `last_line` is 1-based."""

    id: str
    url: str
    last_line: int
    line_count: int
    """As people count: nothing behind the last line end is no line."""
    source_map_url: str | None
    may_run_again: bool
    """Whether the module `vm` compiled it, which can run one script several times."""


class ScriptTable:
    """Scripts by id. Node's own are counted out: they are many, and no breakpoint is meant for them."""

    def __init__(self) -> None:
        self._scripts: dict[str, Script] = {}
        self.added = 0
        """How many there were so far; only grows."""

    def add(self, parsed: ScriptParsed) -> Script:
        """Remember a script that V8 reported."""
        script = Script(
            id=parsed.script_id,
            url=parsed.url,
            last_line=parsed.end_line + 1,
            line_count=parsed.end_line + (parsed.end_column > 0),
            source_map_url=parsed.source_map_url or None,
            may_run_again=_is_compiled_by_vm(parsed),
        )
        self._scripts[script.id] = script
        self.added += 1
        return script

    def remove(self, script_id: str) -> Script | None:
        """Forget a script that V8 does not have any more; it is the answer, if it was known."""
        return self._scripts.pop(script_id, None)

    def get(self, script_id: str) -> Script | None:
        """The script with this id, if it has been reported."""
        return self._scripts.get(script_id)

    def __iter__(self) -> Iterator[Script]:
        """Every script, in the order in which they were loaded."""
        return iter(self._scripts.values())

    def with_source_map(self) -> list[Script]:
        """Every script that names a source map."""
        return [script for script in self._scripts.values() if script.source_map_url is not None]

    def of_file(self, file: str) -> list[Script]:
        """Every script that was loaded from this file."""
        is_of_file = re.compile(file_to_url_pattern(file)).fullmatch
        return [script for script in self._scripts.values() if is_of_file(script.url)]

    def namesakes(self, file: str) -> tuple[str, ...]:
        """Other loaded files that have the same name: a wrong folder is the usual mistake."""
        name, spellings = PurePath(file).name, file_spellings(file)
        files = {url_to_file(script.url) for script in self._scripts.values()}
        others = sorted(f for f in files if f and PurePath(f).name == name and f not in spellings)
        return tuple(others[:_MOST_NAMESAKES])


def _is_compiled_by_vm(parsed: ScriptParsed) -> bool:
    frames = parsed.stack_trace.call_frames if parsed.stack_trace is not None else []
    return any(frame.url == "node:vm" for frame in frames)
