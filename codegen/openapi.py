"""A protocol in, one OpenAPI document out, in the words that datamodel-code-generator reads.

A component is named ``module.Class``: the dot makes the generator write one module a domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.snapshot import Json

_BASE = "cdp_protocol.base"
_SCALARS = {"string", "integer", "number", "boolean"}


def module_name(domain: str) -> str:
    """``HeapProfiler`` to ``heap_profiler``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", domain).lower()


def class_name(name: str) -> str:
    """``setBreakpointByUrl`` to ``SetBreakpointByUrl``; inner capitals stay."""
    return name[:1].upper() + name[1:]


def protocol_to_openapi(protocol: Json) -> Json:
    """One component for each type, command, result and event."""
    schemas: Json = {}
    for domain in protocol["domains"]:
        for name, schema in _domain_components(domain):
            key = f"{module_name(domain['domain'])}.{name}"
            if key in schemas:
                raise ValueError(f"two classes would be called {key}")
            schemas[key] = schema
    return {
        "openapi": "3.1.0",
        "info": {"title": "Chrome DevTools Protocol", "version": "1.3"},
        "paths": {},
        "components": {"schemas": schemas},
    }


def protocol_to_template_data(protocol: Json) -> Json:
    """What the template writes into a class and no schema can say: its method and its result's class."""
    data: Json = {}
    for domain in protocol["domains"]:
        prefix = f"{module_name(domain['domain'])}."
        for command in domain["commands"]:
            entry = {"method": f"{domain['domain']}.{command['name']}"}
            if command.get("returns"):
                entry["result"] = f"{_command_class(domain, command)}Result"
            data[prefix + _command_class(domain, command)] = entry
        for event in domain["events"]:
            data[prefix + _event_class(domain, event)] = {"method": f"{domain['domain']}.{event['name']}"}
    return data


def _domain_components(domain: Json) -> Iterator[tuple[str, Json]]:
    for one in domain["types"]:
        yield class_name(one["id"]), _type_schema(one)
    # A command names its result in its class body, so the results come first.
    for command in domain["commands"]:
        if command.get("returns"):
            name = _command_class(domain, command)
            about = f"The answer to {domain['domain']}.{command['name']}."
            yield f"{name}Result", _object_schema(command["returns"], about)
    for command in domain["commands"]:
        base = "Command" if command.get("returns") else "BareCommand"
        schema = _object_schema(command.get("parameters", []), command.get("description"))
        yield _command_class(domain, command), {**schema, "customBasePath": f"{_BASE}.{base}"}
    for event in domain["events"]:
        schema = _object_schema(event.get("parameters", []), event.get("description"))
        yield _event_class(domain, event), {**schema, "customBasePath": f"{_BASE}.Event"}


def _command_class(domain: Json, command: Json) -> str:
    name = class_name(command["name"])
    return f"{name}Command" if name in _type_classes(domain) else name


def _event_class(domain: Json, event: Json) -> str:
    name = class_name(event["name"])
    taken = _type_classes(domain) | {_command_class(domain, command) for command in domain["commands"]}
    return f"{name}Event" if name in taken else name


def _type_classes(domain: Json) -> set[str]:
    return {class_name(one["id"]) for one in domain["types"]}


def _type_schema(one: Json) -> Json:
    if one.get("type") == "object" and "properties" in one:
        return _object_schema(one["properties"], one.get("description"))
    return _described(_shape_schema(one), one.get("description"))


def _object_schema(fields: list[Json], description: str | None) -> Json:
    schema: Json = {"type": "object"}
    if fields:
        schema["properties"] = {field["name"]: _field_schema(field) for field in fields}
    required = [field["name"] for field in fields if not field.get("optional")]
    if required:
        schema["required"] = required
    return _described(schema, description)


def _field_schema(field: Json) -> Json:
    return _described(_shape_schema(field), field.get("description"))


def _shape_schema(shape: Json) -> Json:
    if "anyOf" in shape:
        return {"anyOf": [_shape_schema(one) for one in shape["anyOf"]]}
    if "$ref" in shape:
        domain, name = shape["$ref"].split(".")
        return {"$ref": f"#/components/schemas/{module_name(domain)}.{class_name(name)}"}
    if "enum" in shape:
        # Runtimes send values that no description lists; the plain string lets those through.
        return {"anyOf": [{"type": "string", "enum": shape["enum"]}, {"type": "string"}]}
    return _plain_schema(shape)


def _plain_schema(shape: Json) -> Json:
    kind = shape.get("type")
    if kind == "array":
        return {"type": "array", "items": _shape_schema(shape.get("items", {"type": "any"}))}
    if kind == "object":
        return {"type": "object", "additionalProperties": True}
    if kind in _SCALARS:
        return {"type": kind}
    if kind == "any":
        return {}
    raise ValueError(f"no schema for a field of type {kind!r}")


def _described(schema: Json, description: str | None) -> Json:
    return {**schema, "description": description} if description else schema
