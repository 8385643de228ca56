"""V8's descriptions of values and properties as an agent's `Value` and `Variable`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from server.cdp.previews import (
    TOLD_BY_DESCRIPTION,
    description_to_text,
    function_to_text,
    preview_to_text,
    size_of,
)
from server.debug.value import Value, Variable

if TYPE_CHECKING:
    from cdp_protocol.generated.runtime import (
        GetPropertiesResult,
        InternalPropertyDescriptor,
        PrivatePropertyDescriptor,
        PropertyDescriptor,
        RemoteObject,
    )

LONGEST_STRING: Final = 500
"""Characters of a string that are shown at once."""
_LARGE_COLLECTION: Final = 10_000
"""V8 copies all entries of a map for the preview of the first five."""
_OF_EVERY_FUNCTION: Final = frozenset(("length", "name", "prototype", "arguments", "caller"))
_NOT_SHOWN: Final = frozenset(
    ("[[Prototype]]", "[[Scopes]]", "[[FunctionLocation]]", "[[GeneratorLocation]]", "[[ArrayBufferData]]")
)

KeepText = Callable[[str], str | None]
"""Remembers a long string, and gives a name under which it can be read on."""

UNINITIALISED: Final = Value("undefined", "uninitialised", preview="<not initialised>")
"""A variable whose declaration has not run yet, or that V8 has optimised away."""
EMPTY_ELEMENT: Final = Value("undefined", "empty", preview="<empty>")
"""A hole in an array."""


def remote_to_value(remote: RemoteObject, keep_text: KeepText) -> Value:
    """One value. Objects have a preview where V8 gave one, else what V8 calls them."""
    match remote.type:
        case "string":
            return _string_to_value(str(remote.value), keep_text)
        case "object" if remote.subtype == "null":
            return Value("object", "null", json=None)
        case "object":
            return _object_to_value(remote)
        case "function":
            return _function_to_value(remote)
        case "number" | "boolean" if remote.unserializable_value is None:
            return Value(remote.type, json=remote.value)
        case _:
            text = remote.unserializable_value or remote.description or remote.type
            return Value(remote.type, preview=text)


def wants_preview(remote: RemoteObject) -> bool:
    """Whether V8 has more to say about a value than its description, at a cost that is worth it."""
    if remote.type != "object" or remote.object_id is None or remote.subtype in TOLD_BY_DESCRIPTION:
        return False
    return not is_large(remote)


def is_large(remote: RemoteObject) -> bool:
    """Whether even a preview would take V8 long."""
    size = size_of(remote.subtype, remote.description)
    return remote.subtype in ("map", "set") and size is not None and size > _LARGE_COLLECTION


def _string_to_value(text: str, keep_text: KeepText) -> Value:
    if len(text) <= LONGEST_STRING:
        return Value("string", json=text)
    return Value("string", preview=text[:LONGEST_STRING] + "…", handle=keep_text(text), size=len(text))


def _object_to_value(remote: RemoteObject) -> Value:
    size = size_of(remote.subtype, remote.description)
    if remote.preview is None:
        text = description_to_text(remote.subtype, remote.description)
        if is_large(remote):
            text += " {…}"
    else:
        text = preview_to_text(remote.preview)
        if size is None and not remote.preview.overflow and remote.subtype is None:
            size = sum(not one.name.startswith("[[") for one in remote.preview.properties)
    name = remote.class_name if remote.class_name not in (None, "Object") else None
    return Value("object", remote.subtype or name, preview=text, handle=remote.object_id, size=size)


def _function_to_value(remote: RemoteObject) -> Value:
    source = remote.description or "function"
    is_class = source.startswith("class") and not source[5:6].isidentifier()
    kind = "class" if is_class else remote.class_name if remote.class_name != "Function" else None
    return Value("function", kind, preview=function_to_text(source), handle=remote.object_id)


# --- properties ----------------------------------------------------------------------------------------------------


def properties_to_variables(
    found: GetPropertiesResult, keep_text: KeepText, *, is_list: bool = False
) -> tuple[Variable, ...]:
    """What is inside an object: its own properties, its private ones, and what V8 itself knows of it."""
    internal = found.internal_properties or []
    is_function = {"length", "name"} <= {one.name for one in found.result if not one.enumerable}
    hidden = _OF_EVERY_FUNCTION if is_function else frozenset(("length",) if is_list else ())
    own = (property_to_variable(one, keep_text) for one in found.result if one.enumerable or one.name not in hidden)
    private = (_private_to_variable(one, keep_text) for one in found.private_properties or ())
    return (*own, *private, *_internal_to_variables(internal, keep_text))


def property_to_variable(one: PropertyDescriptor, keep_text: KeepText, scope: str | None = None) -> Variable:
    """A property, or a variable where there is a scope. A getter is named, never run."""
    name = one.name if one.symbol is None else f"[{one.name}]"
    if one.value is not None:
        value = remote_to_value(one.value, keep_text)
    elif one.get is None and one.set is None:
        value = UNINITIALISED
    else:
        value = _accessor(one.get, one.set)
    return Variable(name, value, scope)


def _private_to_variable(one: PrivatePropertyDescriptor, keep_text: KeepText) -> Variable:
    value = _accessor(one.get, one.set) if one.value is None else remote_to_value(one.value, keep_text)
    return Variable(one.name, value)


def _internal_to_variables(found: Iterable[InternalPropertyDescriptor], keep_text: KeepText) -> Iterator[Variable]:
    for one in found:
        if one.value is not None and is_shown(one):
            yield Variable(one.name, remote_to_value(one.value, keep_text))


def is_shown(one: InternalPropertyDescriptor) -> bool:
    """Whether something that V8 itself knows of an object is of interest."""
    return one.name not in _NOT_SHOWN


def _accessor(getter: RemoteObject | None, setter: RemoteObject | None) -> Value:
    has_getter = getter is not None and getter.type != "undefined"
    has_setter = setter is not None and setter.type != "undefined"
    text = "[Getter/Setter]" if has_getter and has_setter else "[Setter]" if has_setter else "[Getter]"
    return Value("accessor", preview=text)
