"""Values of a program as an agent sees them: typed, short, and to be expanded step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True)
class NoJson:
    """Stands where a value has no JSON form of its own, since None is one."""


NO_JSON: Final = NoJson()


@dataclass(frozen=True, slots=True)
class Value:
    """One value. What JSON can say exactly is in `json`; everything else has a `preview`."""

    type: str
    """As the language calls it: number, string, object, function... `accessor` where reading would run code."""
    subtype: str | None = None
    """What kind of that type: array, map, error, the name of a class..."""
    json: Json | NoJson = NO_JSON
    preview: str | None = None
    handle: str | None = None
    """What names it where there is more inside: the backend's name for it or, in a session's answers, the `ref` that an
    agent gives back. Good until the program goes on."""
    size: int | None = None
    """How many elements, entries, properties or characters there are inside, where that is known."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A value with its name: a variable, a property, an element."""

    name: str
    value: Value
    scope: str | None = None
    """Of a variable: local, closure, module...; None for what is inside a value."""
    children: VariablePage | None = None
    """What is inside, as far as it was asked for."""


@dataclass(frozen=True, slots=True)
class VariablePage:
    """Some of the variables of a scope, or of what is inside a value."""

    variables: tuple[Variable, ...]
    start: int
    total: int
    text: str | None = None
    """Of a string: the characters from `start` on, in place of variables; `total` is its length then."""
    notes: tuple[str, ...] = ()
    """What became of names that were asked for and are not there, in sentences."""


NO_VARIABLES: Final = VariablePage((), 0, 0)


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of many variables is wanted, and how many levels of what is inside them."""

    start: int = 0
    count: int = 100
    depth: int = 1
    names: tuple[str, ...] = ()
    """Only these, where there are any."""


FIRST_PAGE: Final = Page()
