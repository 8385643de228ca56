"""Strings that can leave this process: JSON readers and the transport reject lone surrogates."""

from __future__ import annotations

import re
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def clean_text(text: str) -> str:
    """The text with each lone surrogate replaced; Python keeps a proper pair as one character."""
    return _SURROGATE.sub(REPLACEMENT, text)


def clean_json(value: Any) -> Any:
    """The same for every string in a JSON value, keys included."""
    match value:
        case str():
            return clean_text(value)
        case list():
            return [clean_json(item) for item in value]
        case dict():
            return {clean_text(key): clean_json(item) for key, item in value.items()}
        case _:
            return value
