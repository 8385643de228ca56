"""Several snapshots in, one protocol out that is true of every runtime behind them.

The first snapshot that has a domain describes it; the others only loosen what is received from a runtime
and tighten what is sent to one:

* a received field (of a type, a result or an event) is required only if every snapshot requires it;
* a parameter of a command is required if any snapshot requires it;
* an enum has the values of all snapshots; a received field whose shape differs may have either shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import TypeAlias

from codegen.snapshot import Json, by_key, domains_by_name

_MergePair: TypeAlias = Callable[[Json, Json], None]

_FIELD_KEYS = {"name", "description", "optional", "experimental", "deprecated"}
"""What a field says about itself; everything else in it is the shape of its values."""


def merge(snapshots: Sequence[Json]) -> Json:
    """Merge snapshots, the most trusted one first."""
    merged: dict[str, Json] = {}
    for snapshot in snapshots:
        for name, domain in domains_by_name(snapshot).items():
            if name in merged:
                _merge_domain(merged[name], domain)
            else:
                merged[name] = deepcopy(domain)
    return {"domains": list(merged.values())}


def _merge_domain(base: Json, other: Json) -> None:
    _for_each_pair(base, other, "types", "id", _merge_type)
    _for_each_pair(base, other, "commands", "name", _merge_command)
    _for_each_pair(base, other, "events", "name", _merge_event)


def _for_each_pair(base: Json, other: Json, key: str, name: str, merge_pair: _MergePair) -> None:
    """Merge what both have. What one lacks says nothing: that runtime never sends it."""
    others = by_key(other.get(key), name)
    for element in base.get(key, []):
        if element[name] in others:
            merge_pair(element, others[element[name]])


def _merge_type(base: Json, other: Json) -> None:
    _merge_enum(base, other)
    _loosen_fields(base, other, "properties")


def _merge_command(base: Json, other: Json) -> None:
    _tighten_fields(base, other, "parameters")
    _loosen_fields(base, other, "returns")


def _merge_event(base: Json, other: Json) -> None:
    _loosen_fields(base, other, "parameters")


def _loosen_fields(base: Json, other: Json, key: str) -> None:
    others = by_key(other.get(key), "name")
    for field in base.get(key, []):
        seen = others.get(field["name"])
        if seen is None or seen.get("optional"):
            field["optional"] = True
        if seen is not None:
            _merge_enum(field, seen)
            _add_shape(field, seen)


def _tighten_fields(base: Json, other: Json, key: str) -> None:
    others = by_key(other.get(key), "name")
    for field in base.get(key, []):
        seen = others.get(field["name"])
        if seen is not None:
            _merge_enum(field, seen)
            if not seen.get("optional"):
                field.pop("optional", None)


def _merge_enum(base: Json, other: Json) -> None:
    if "enum" in base and "enum" in other:
        base["enum"] = list(dict.fromkeys([*base["enum"], *other["enum"]]))


def _add_shape(field: Json, seen: Json) -> None:
    if "enum" in field:
        return
    shapes: list[Json] = field.get("anyOf", [_shape(field)])
    if _shape(seen) in shapes:
        return
    for key in shapes[0]:
        field.pop(key, None)
    field["anyOf"] = [*shapes, _shape(seen)]


def _shape(field: Json) -> Json:
    return {key: value for key, value in field.items() if key not in _FIELD_KEYS}
