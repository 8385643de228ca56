"""The long strings of a stop, which V8 sent whole, so that they can be read on page by page."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from server.debug.value import Page, Value, VariablePage

_MARK: Final = "text:"
_MOST_CHARACTERS: Final = 50_000_000
_SHORTEST_PAGE: Final = 2_000
"""A page of a string counts characters: as few as there are variables on a page would be of no use."""


class KeptTexts:
    """Strings under names of their own, bounded in their sum."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._characters = 0

    def keep(self, text: str) -> str | None:
        """Remember a string; None where there are too many already."""
        if self._characters + len(text) > _MOST_CHARACTERS:
            return None
        self._characters += len(text)
        name = f"{_MARK}{len(self._texts)}"
        self._texts[name] = text
        return name

    def page(self, name: str, page: Page) -> VariablePage | None:
        """A part of a string; None for what is no name of one."""
        text = self._texts.get(name)
        if text is None:
            return None
        end = page.start + max(page.count, _SHORTEST_PAGE)
        return VariablePage((), page.start, len(text), text[page.start : end])

    def whole(self, value: Value) -> Value:
        """A value that was cut, whole; every other one as it is."""
        text = None if value.handle is None else self._texts.get(value.handle)
        return value if text is None else replace(value, json=text, preview=None)

    def clear(self) -> None:
        """Forget them all."""
        self._texts.clear()
        self._characters = 0
