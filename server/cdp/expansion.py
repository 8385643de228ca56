"""What is inside a value, page by page, also where there are millions of elements."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from server.cdp.remote_values import EMPTY_ELEMENT, properties_to_variables, property_to_variable
from server.debug.value import NoJson, Page, Value, Variable, VariablePage

if TYPE_CHECKING:
    from cdp_protocol.generated.runtime import GetPropertiesResult
    from server.cdp.kept_texts import KeptTexts
    from server.cdp.remote_objects import RemoteObjects

_FETCHED_WHOLE: Final = 500
"""Up to so many properties V8 tells in one go, with private ones and with what it knows beyond them."""
_MOST_NODES: Final = 500
"""How many values an answer with several levels may have."""


class Expansion:
    """Belongs to the owner of its connection."""

    def __init__(self, objects: RemoteObjects, texts: KeptTexts, injected: str) -> None:
        self._objects = objects
        self._texts = texts
        self._pager = f"{injected}.pager"

    def expand(self, handle: str, page: Page) -> VariablePage:
        """The inside of a value, `page.depth` levels of it."""
        found = self._texts.page(handle, page) or self._expand_object(handle, page)
        return self.deepen(found, page.depth, _MOST_NODES)

    def deepen(self, page: VariablePage, depth: int, most_nodes: int = _MOST_NODES) -> VariablePage:
        """Fill in what is inside the variables of a page, level by level, as long as there is room."""
        room = most_nodes - len(page.variables)
        if depth <= 1 or room <= 0:
            return page
        variables: list[Variable] = []
        for variable in page.variables:
            handle = variable.value.handle
            if handle is None or room <= 0 or variable.value.type != "object":
                variables.append(variable)
                continue
            inside = self.deepen(self._expand_object(handle, Page(count=room)), depth - 1, room)
            room -= _nodes(inside)
            variables.append(replace(variable, children=inside))
        return replace(page, variables=tuple(variables))

    def _expand_object(self, handle: str, page: Page) -> VariablePage:
        kind, total, own = self._measure(handle)
        if kind in ("map", "set"):
            return self._expand_collection(handle, kind, total, own, page)
        if total <= _FETCHED_WHOLE:
            return self._expand_whole(handle, kind, total, page)
        if page.names:
            variables = self._variables(self._taken(handle, "named", list(page.names)))
            return VariablePage(variables, 0, len(variables))
        if kind == "list":
            elements = self._variables(self._taken(handle, "elements", page.start, page.count))
            return VariablePage(
                _with_holes(elements, page.start, min(page.count, total - page.start)), page.start, total
            )
        return VariablePage(
            self._variables(self._taken(handle, "properties", page.start, page.count)), page.start, total
        )

    def _measure(self, handle: str) -> tuple[str, int, int]:
        found = self._objects.call(handle, f"function(){{'use strict';return {self._pager}.measure(this)}}")
        if found is None or not isinstance(found.value, str):
            return "object", 0, 0  # a global scope that is not prepared: V8 alone has to do
        kind, total, own = found.value.split(" ")
        return kind, int(total), int(own)

    def _expand_whole(self, handle: str, kind: str, length: int, page: Page) -> VariablePage:
        (found,) = self._objects.properties([handle])
        variables = properties_to_variables(found, self._texts.keep, is_list=kind == "list")
        if kind == "list":
            elements = [one for one in variables if one.name.isdecimal()]
            others = [one for one in variables if not one.name.isdecimal()]
            variables = (*_with_holes(elements, 0, length), *others)
        return page_of(variables, page)

    def _expand_collection(self, handle: str, kind: str, size: int, own: int, page: Page) -> VariablePage:
        """The entries, and behind them the properties that a map or a set of the program's own class may have."""
        if kind == "set":
            found = self._variables(self._taken(handle, "values", page.start, page.count))
        else:
            pairs = self._variables(self._taken(handle, "entries", page.start, page.count))
            found = tuple(
                Variable(_key_text(key.value), of.value) for key, of in zip(pairs[::2], pairs[1::2], strict=True)
            )
        room = page.count - len(found)
        if own > 0 and room > 0:
            found += self._variables(self._taken(handle, "properties", max(0, page.start - size), room))
        return page_of(found, replace(page, start=0), start=page.start, total=size + own)

    def _taken(self, handle: str, take: str, *arguments: object) -> GetPropertiesResult:
        function = f"function(first,second){{'use strict';return {self._pager}.{take}(this,first,second)}}"
        container = self._objects.call(handle, function, *arguments)
        assert container is not None, f"the pager could not give {take}"
        assert container.object_id is not None
        (found,) = self._objects.properties([container.object_id])
        return found

    def _variables(self, found: GetPropertiesResult) -> tuple[Variable, ...]:
        return tuple(property_to_variable(one, self._texts.keep) for one in found.result)


def page_of(
    variables: Sequence[Variable], page: Page, *, start: int | None = None, total: int | None = None
) -> VariablePage:
    """The part of variables that a page asks for; `start` and `total` where they are a part already."""
    if page.names:
        variables = [one for one in variables if one.name in page.names]
        return VariablePage(tuple(variables[page.start : page.start + page.count]), page.start, len(variables))
    shown = tuple(variables[page.start : page.start + page.count])
    return VariablePage(shown, page.start if start is None else start, len(variables) if total is None else total)


def _with_holes(elements: Iterable[Variable], start: int, count: int) -> tuple[Variable, ...]:
    known = {int(one.name): one for one in elements}
    return tuple(known.get(index, Variable(str(index), EMPTY_ELEMENT)) for index in range(start, start + max(0, count)))


def _key_text(key: Value) -> str:
    """What a map's entry is called: its key, as far as a line can show it."""
    return key.preview or key.type if isinstance(key.json, NoJson) else json.dumps(key.json, ensure_ascii=False)


def _nodes(page: VariablePage) -> int:
    return len(page.variables) + sum(_nodes(one.children) for one in page.variables if one.children is not None)
