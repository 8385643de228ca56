"""V8's previews of objects as one line of text that reads like code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cdp_protocol.generated.runtime import EntryPreview, ObjectPreview, PropertyPreview

_LONGEST: Final = 200
"""Characters of the parts inside a preview; what comes after is only counted."""
_LONGEST_FUNCTION: Final = 100
_IDENTIFIER: Final = re.compile(r"[^\W\d][\w$]*|\$[\w$]*|#[\w$]+")
_SIZE: Final = re.compile(r"\((\d+)\)$")
_STACK: Final = re.compile(r"\n {4}at ")
_LISTS: Final = ("array", "typedarray")
_COLLECTIONS: Final = ("map", "set", "weakmap", "weakset", "iterator")
TOLD_BY_DESCRIPTION: Final = ("date", "regexp", "error", "arraybuffer", "dataview", "null")
"""Kinds of object whose description says more than their properties."""


def preview_to_text(preview: ObjectPreview) -> str:
    """The whole object, cut where it gets long."""
    match preview.subtype:
        case "array" | "typedarray":
            return _list_text(preview)
        case subtype if subtype in _COLLECTIONS:
            return _collection_text(preview)
        case "promise":
            return _promise_text(preview)
        case subtype if subtype in TOLD_BY_DESCRIPTION:
            return description_to_text(preview.subtype, preview.description)
        case _ if preview.type != "object":
            return primitive_to_text(preview.type, preview.description)
        case _:
            return _object_text(preview)


def description_to_text(subtype: str | None, description: str | None) -> str:
    """An object of which only V8's description is known."""
    text = description or "Object"
    if subtype == "error":
        return _STACK.split(text, maxsplit=1)[0]
    return text


def function_to_text(source: str) -> str:
    """The head of a function, as far as its first line has it."""
    first_line = source.partition("\n")[0].rstrip()
    head = first_line.removesuffix("{").rstrip()
    return head if len(head) <= _LONGEST_FUNCTION else head[:_LONGEST_FUNCTION] + "…"


def primitive_to_text(type_name: str, text: str | None) -> str:
    """A value that is no object; V8 has cut long strings by now."""
    if type_name == "string":
        return json.dumps(text or "", ensure_ascii=False)
    if type_name == "function":
        return "[Function]"
    if type_name == "accessor":
        return "[Getter]"
    return text or type_name


def size_of(subtype: str | None, description: str | None) -> int | None:
    """How many elements or entries there are, where V8 says so behind the name of the class."""
    found = _SIZE.search(description or "") if subtype in (*_LISTS, *_COLLECTIONS, "arraybuffer", "dataview") else None
    return None if found is None else int(found[1])


# --- kinds of objects ----------------------------------------------------------------------------------------------


def _object_text(preview: ObjectPreview) -> str:
    pairs = (_pair_text(one) for one in preview.properties)
    content = _joined(pairs, "…" if preview.overflow else "")
    name = preview.description or ""
    return f"{{{content}}}" if name in ("", "Object") else f"{name} {{{content}}}"


def _list_text(preview: ObjectPreview) -> str:
    size = size_of(preview.subtype, preview.description) or 0
    named = () if preview.subtype == "typedarray" else _named(preview.properties)
    content = _counted(_elements(preview.properties, size if not preview.overflow else 0), size, named)
    name = preview.description or ""
    return f"[{content}]" if name.startswith("Array(") else f"{name} [{content}]"


def _elements(properties: Iterable[PropertyPreview], size: int) -> Iterator[str]:
    """Each element, and each hole between them or, up to `size`, behind the last one."""
    at = 0
    for one in properties:
        if one.name.isdecimal():
            yield from repeat("<empty>", int(one.name) - at)
            yield _inner_text(one)
            at = int(one.name) + 1
    yield from repeat("<empty>", size - at)


def _named(properties: Iterable[PropertyPreview]) -> Iterator[str]:
    return (_pair_text(one) for one in properties if not one.name.isdecimal() and one.type != "function")


def _collection_text(preview: ObjectPreview) -> str:
    entries = preview.entries or []
    size = size_of(preview.subtype, preview.description)
    content = _counted((_entry_text(one) for one in entries), len(entries) if size is None else size, ())
    return f"{preview.description} {{{content}}}"


def _entry_text(entry: EntryPreview) -> str:
    value = preview_to_text(entry.value)
    return value if entry.key is None else f"{preview_to_text(entry.key)} => {value}"


def _promise_text(preview: ObjectPreview) -> str:
    inner = {one.name: one for one in preview.properties}
    state = inner.get("[[PromiseState]]")
    result = inner.get("[[PromiseResult]]")
    text = "<unknown>" if state is None else f"<{state.value}>"
    if state is not None and state.value != "pending" and result is not None:
        text += f": {_inner_text(result)}"
    return f"{preview.description or 'Promise'} {{{text}}}"


# --- what is inside them ---------------------------------------------------------------------------------------------


def _pair_text(one: PropertyPreview) -> str:
    if one.name == "[[PrimitiveValue]]":
        return _inner_text(one)
    return f"{_key_text(one.name)}: {_inner_text(one)}"


def _key_text(name: str) -> str:
    if _IDENTIFIER.fullmatch(name) or name.startswith("[["):
        return name
    return f"[{name}]" if name.startswith("Symbol(") else json.dumps(name, ensure_ascii=False)


def _inner_text(one: PropertyPreview) -> str:
    if one.value_preview is not None:
        return preview_to_text(one.value_preview)
    if one.type != "object":
        return primitive_to_text(one.type, one.value)
    if one.subtype == "error":
        return description_to_text("error", one.value).partition("\n")[0]
    return "{…}" if one.value == "Object" else one.value or "null"


def _joined(parts: Iterable[str], end: str) -> str:
    """As many parts as there is room for; `end` stands for those that V8 left out."""
    shown: list[str] = []
    room = _LONGEST
    for part in parts:
        if room < 0:
            end = "…"
            break
        shown.append(part)
        room -= len(part) + 2
    return ", ".join([*shown, end] if end else shown)


def _counted(parts: Iterable[str], size: int, named: Iterable[str]) -> str:
    """The same where it is known how many there are."""
    shown: list[str] = []
    room = _LONGEST
    for part in parts:
        if room < 0:
            break
        shown.append(part)
        room -= len(part) + 2
    left = size - len(shown)
    return ", ".join([*shown, f"…{left} more"] if left > 0 else [*shown, *named])
