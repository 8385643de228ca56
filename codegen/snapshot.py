"""One snapshot: the protocol as one publisher (npm or a running node) describes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias, cast

Json: TypeAlias = dict[str, Any]
"""A JSON object of the protocol description: a domain, a type, a command, a field."""


def load_snapshot(path: Path) -> Json:
    """Read a snapshot and write its references and types in one way."""
    snapshot: Json = json.loads(path.read_text(encoding="utf-8"))
    for domain in snapshot["domains"]:
        normalise_domain(domain)
    return snapshot


def normalise_domain(domain: Json) -> None:
    """Qualify short references and call ``binary`` what it is on the wire: a string."""
    for node in objects_in(domain):
        reference = node.get("$ref")
        if isinstance(reference, str) and "." not in reference:
            node["$ref"] = f"{domain['domain']}.{reference}"
        if node.get("type") == "binary":
            node["type"] = "string"


def objects_in(node: object) -> Iterator[Json]:
    """Every JSON object inside ``node``, outermost first."""
    if isinstance(node, dict):
        found = cast("Json", node)
        yield found
        for value in found.values():
            yield from objects_in(value)
    elif isinstance(node, list):
        for item in cast("list[object]", node):
            yield from objects_in(item)


def domains_by_name(snapshot: Json) -> dict[str, Json]:
    """The domains of a snapshot, in its order."""
    return {domain["domain"]: domain for domain in snapshot["domains"]}


def by_key(elements: list[Json] | None, key: str) -> dict[str, Json]:
    """Index a list of the protocol (types, commands, fields...) that may be absent."""
    return {element[key]: element for element in elements or []}
