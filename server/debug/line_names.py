"""The names that a line of source uses, so that their values can be shown beside it. A guess: no parser is needed."""

from __future__ import annotations

import re
from typing import Final

_LONGEST_LINE: Final = 500
"""A longer one was made by a tool; its names would tell nobody anything."""
_MOST_NAMES: Final = 20
_TEXT_OR_COMMENT: Final = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|//.*""")
_NAME: Final = re.compile(r"(?:(?<![\w$.#])|(?<=\.\.\.))(?:[^\W\d]|\$(?!\{))[\w$]*")


def line_to_names(line: str) -> tuple[str, ...]:
    """Each name once, in order: variables and words of the language, but no properties, no strings, no comments."""
    if len(line) > _LONGEST_LINE:
        return ()
    return tuple(dict.fromkeys(_NAME.findall(_TEXT_OR_COMMENT.sub(" ", line))))[:_MOST_NAMES]
