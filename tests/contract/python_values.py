"""Values of a Python program as the core sees them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from server.debug.value import NO_JSON, Json, Page, Value, Variable, VariablePage

_LONGEST_TEXT = 200
_PREVIEW = 80


@dataclass
class ValueTable:
    """Names the objects of one stop, so that they can be asked for again."""

    _objects: dict[str, object] = field(default_factory=dict)

    def forget(self) -> None:
        self._objects.clear()

    def find(self, handle: str) -> object:
        return self._objects[handle]

    def show(self, value: object) -> Value:
        if value is None or isinstance(value, bool | int | float):
            return Value(type(value).__name__, json=value)
        if isinstance(value, str) and len(value) <= _LONGEST_TEXT:
            return Value("str", json=value, size=len(value))
        handle = f"object-{len(self._objects)}"
        self._objects[handle] = value
        size = len(value) if isinstance(value, str | list | tuple | dict | set) else None
        return Value(type(value).__name__, preview=_cut(repr(value)), handle=handle, size=size)

    def show_whole(self, value: object) -> Value:
        return Value(type(value).__name__, json=to_json(value))

    def page(self, named: Iterable[tuple[str, object, str | None]], page: Page) -> VariablePage:
        wanted = [entry for entry in named if not page.names or entry[0] in page.names]
        shown = wanted[page.start : page.start + page.count]
        return VariablePage(tuple(self._variable(entry, page.depth) for entry in shown), page.start, len(wanted))

    def expand(self, handle: str, page: Page) -> VariablePage:
        value = self.find(handle)
        if isinstance(value, str):
            text = value[page.start : page.start + page.count]
            return VariablePage((), page.start, len(value), text=text)
        return self.page(((name, inner, None) for name, inner in inside(value)), page)

    def _variable(self, entry: tuple[str, object, str | None], depth: int) -> Variable:
        name, value, scope = entry
        shown = self.show(value)
        children = None
        if depth > 1 and shown.handle is not None and not isinstance(value, str):
            children = self.expand(shown.handle, Page(depth=depth - 1))
        return Variable(name, shown, scope, children)


def inside(value: object) -> list[tuple[str, object]]:
    if isinstance(value, Mapping):
        return [(str(key), inner) for key, inner in value.items()]
    if isinstance(value, list | tuple):
        return [(str(index), inner) for index, inner in enumerate(value)]
    return list(getattr(value, "__dict__", {}).items())


def to_json(value: object) -> Json:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return {str(key): to_json(inner) for key, inner in value.items()}
        case list() | tuple():
            return [to_json(inner) for inner in value]
        case _:
            return repr(value)


def error_value(error: BaseException) -> Value:
    return Value("error", subtype=type(error).__name__, json=NO_JSON, preview=f"{type(error).__name__}: {error}")


def may_change_something(expression: str) -> bool:
    """Whether an expression does anything but read: a careful guess, as V8's is."""
    changing = (ast.Call, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
    return any(isinstance(node, changing) for node in ast.walk(ast.parse(expression, mode="eval")))


def _cut(text: str) -> str:
    return text if len(text) <= _PREVIEW else text[: _PREVIEW - 1] + "…"
