"""Values and variables of a program: as JSON, and as a debugger shows them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from server.debug.session_model import WatchReading
from server.debug.value import NO_JSON, Value, Variable, VariablePage
from server.report.detail import cut_end

_INDENT = "  "


def value_to_json(value: Value, longest: int) -> dict[str, Any]:
    """The type, then the value itself or what it looks like, then how to see more of it."""
    told: dict[str, Any] = {"type": value.type}
    if value.subtype is not None:
        told["subtype"] = value.subtype
    if value.json is not NO_JSON and not _is_long(value, longest):
        told["value"] = value.json
    else:
        told["preview"] = cut_end(_shown(value), longest)
    if value.size is not None:
        told["size"] = value.size
    if value.handle is not None:
        told["ref"] = value.handle
    return told


def value_to_text(value: Value, longest: int) -> str:
    """What it looks like, in one line, and in brackets how to see more of it."""
    shown = _shown(value).replace("\n", "\\n")
    notes = [value.handle] if value.handle is not None else []
    if value.type == "string" and (value.json is NO_JSON or len(shown) > longest):
        notes.insert(0, f"{_length(value)} characters")
    brackets = f" ({', '.join(notes)})" if notes else ""
    return cut_end(shown, longest) + brackets


def _shown(value: Value) -> str:
    if value.json is not NO_JSON:
        return json.dumps(value.json, ensure_ascii=False)
    return value.type if value.preview is None else value.preview


def _length(value: Value) -> int:
    return len(_shown(value)) if value.size is None else value.size


def _is_long(value: Value, longest: int) -> bool:
    return isinstance(value.json, str | list | dict) and len(_shown(value)) > longest


def variable_to_json(variable: Variable, longest: int) -> dict[str, Any]:
    """A value with its name, and what is inside as far as that was asked for."""
    told = {"name": variable.name, **value_to_json(variable.value, longest)}
    if variable.scope is not None:
        told["scope"] = variable.scope
    if variable.children is not None:
        told["children"] = [variable_to_json(child, longest) for child in variable.children.variables]
        if missing := variable.children.total - len(told["children"]):
            told["more_children"] = missing
    return told


def variable_to_text(variable: Variable, longest: int) -> str:
    """`name = value`."""
    return f"{variable.name} = {value_to_text(variable.value, longest)}"


def variable_to_lines(variable: Variable, longest: int, indent: str = "") -> Iterator[str]:
    """The same with what is inside, indented."""
    yield indent + variable_to_text(variable, longest)
    if variable.children is not None:
        yield from _children_to_lines(variable.children, longest, indent + _INDENT)


def _children_to_lines(page: VariablePage, longest: int, indent: str) -> Iterator[str]:
    for child in page.variables:
        yield from variable_to_lines(child, longest, indent)
    if missing := page.total - len(page.variables):
        yield f"{indent}… {missing} more"


def without_children(variable: Variable) -> Variable:
    """The variable alone."""
    return Variable(variable.name, variable.value, variable.scope)


def locals_to_text(variables: Sequence[Variable], missing: int, longest: int) -> str:
    """All in one line, those without a value last."""
    shown = ", ".join(variable_to_text(variable, longest) for variable in without_unset(variables))
    rest = f"{missing} more: get_variables" if missing else ""
    return "; ".join(part for part in (shown, *unset_to_lines(variables), rest) if part)


def without_unset(variables: Iterable[Variable]) -> list[Variable]:
    """Those that `unset_to_lines` leaves."""
    return [variable for variable in variables if not _is_unset(variable)]


def unset_to_lines(variables: Iterable[Variable]) -> Iterator[str]:
    """The names of variables without a value: `undefined: a, b`, and those whose declaration has not run yet."""
    names: dict[str, list[str]] = {}
    for variable in variables:
        if _is_unset(variable):
            names.setdefault(_shown(variable.value), []).append(variable.name)
    return (f"{value}: {', '.join(unset)}" for value, unset in sorted(names.items(), reverse=True))


def _is_unset(variable: Variable) -> bool:
    """Names in brackets are not variables: what a function is about to return is told even if it is nothing."""
    return variable.value.type == "undefined" and not variable.name.startswith("(")


def watch_to_json(watch: WatchReading, longest: int) -> dict[str, Any]:
    """The value now, and the one before where there was one."""
    told: dict[str, Any] = {"expression": watch.expression}
    if watch.old is not None:
        told["old"] = value_to_json(watch.old, longest)
    told["new"] = value_to_json(watch.new, longest)
    return told


def watch_to_text(watch: WatchReading, longest: int) -> str:
    """`sum: 0 -> 6`, or only the value where it is as before."""
    new = value_to_text(watch.new, longest)
    if watch.old is None or not watch.is_changed:
        return f"{watch.expression}: {new}"
    return f"{watch.expression}: {value_to_text(watch.old, longest)} -> {new}"
