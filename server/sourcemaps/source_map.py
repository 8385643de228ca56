"""A source map: which place of the generated code comes from which place of the files that people wrote."""

from __future__ import annotations

import json
import os.path
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from server.sourcemaps.mappings import Mappings, Segment
from server.sourcemaps.source_map_error import SourceMapError

_SCHEMES_OF_FILES = ("", "file")


class Place(NamedTuple):
    """A line and a column, both counted from 1."""

    line: int
    column: int


class SourceMap:
    """Reads the list of sources at once, the mappings only when somebody asks for them."""

    def __init__(self, sources: tuple[str | None, ...], content: dict[str, Any]) -> None:
        self.sources = sources
        """The absolute path of each source; None for what is no file."""
        self._content = content

    @staticmethod
    def parse(text: str, folder: str) -> SourceMap:
        """Read a map whose relative sources start at this folder, or raise `SourceMapError`."""
        try:
            content = json.loads(_without_guard(text))
        except (ValueError, RecursionError) as error:
            raise SourceMapError(f"it is not JSON: {error}") from error
        if not isinstance(content, dict):
            raise SourceMapError("it is no JSON object")
        if content.get("version") != 3:
            raise SourceMapError(f"its version is {content.get('version')!r}, not 3")
        return SourceMap(tuple(_sources_of(content, folder)), content)

    def index_of(self, files: set[str]) -> int | None:
        """Which source is one of these absolute paths, which are the spellings of one file."""
        names = {os.path.basename(file) for file in files}  # noqa: PTH119 - maps have thousands of sources
        for index, source in enumerate(self.sources):
            # Sources are URLs, but many writers put in plain paths: a percent sign can mean either.
            for spelling in (source, unquote(source)) if source is not None else ():
                if os.path.basename(spelling) in names and (  # noqa: PTH119
                    spelling in files or str(Path(spelling).resolve()) in files
                ):
                    return index
        return None

    def generated_place(self, source: int, line: int) -> Place | None:
        """Where the code of a line of a source begins; of the next line that has code where this one has none."""
        later = [segment for segment in self._mappings.of_source(source) if segment.line >= line - 1]
        if not later:
            return None
        nearest = min(segment.line for segment in later)
        # Segments come in the order of the generated code: the first one is where the line begins to run.
        first = next(segment for segment in later if segment.line == nearest)
        return Place(first.generated_line + 1, first.generated_column + 1)

    def original_line(self, source: int, generated: Place) -> int | None:
        """The line of a source from which a place of the generated code comes."""
        segment: Segment | None = self._mappings.at(generated.line - 1, generated.column - 1)
        return segment.line + 1 if segment is not None and segment.source == source else None

    def lines_with_code(self, source: int) -> list[int]:
        """Every line of a source from which some code comes."""
        return sorted({segment.line + 1 for segment in self._mappings.of_source(source)})

    @cached_property
    def _mappings(self) -> Mappings:
        return _decode(self._content)


def _decode(content: dict[str, Any]) -> Mappings:
    if "sections" not in content:
        mappings = content.get("mappings")
        if not isinstance(mappings, str):
            raise SourceMapError("it has no mappings")
        return Mappings.decode(mappings, len(content.get("sources", [])))
    whole, first_source = Mappings(), 0
    for section, line, column in _sections_of(content):
        whole.extend(_decode(section), line, column, first_source)
        first_source += len(section.get("sources", []))
    return whole


def _sources_of(content: dict[str, Any], folder: str) -> list[str | None]:
    if "sections" in content:
        return [source for section, _, _ in _sections_of(content) for source in _sources_of(section, folder)]
    sources, root = content.get("sources"), content.get("sourceRoot") or ""
    if not isinstance(sources, list) or not isinstance(root, str):
        raise SourceMapError("it has no list of sources")
    return [_source_to_file(source, root, folder) for source in sources]


def _sections_of(content: dict[str, Any]) -> list[tuple[dict[str, Any], int, int]]:
    try:
        return [
            (dict(section["map"]), int(section["offset"]["line"]), int(section["offset"]["column"]))
            for section in content["sections"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise SourceMapError(f"its sections are malformed: {error!r}") from error


def _source_to_file(source: object, root: str, folder: str) -> str | None:
    if not isinstance(source, str):
        return None
    # The root is only ever put in front: `src` and `src/` mean the same.
    spelled = f"{root.rstrip('/')}/{source}" if root and not source.startswith(("/", "file:")) else source
    try:
        url = urlsplit(spelled)
    except ValueError:
        return None
    if url.scheme not in _SCHEMES_OF_FILES:
        return None
    path = url.path if url.scheme == "file" else spelled
    return os.path.normpath(os.path.join(folder, path))  # noqa: PTH118 - maps have thousands of sources


def _without_guard(text: str) -> str:
    """A map may begin with a line that keeps browsers from running it as a script."""
    return text.partition("\n")[2] if text.startswith(")]}'") else text
