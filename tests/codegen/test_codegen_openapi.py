"""The OpenAPI document that is made of a protocol, word for word."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from codegen.openapi import class_name, module_name, protocol_to_openapi, protocol_to_template_data

Json = dict[str, Any]

THING = {"$ref": "#/components/schemas/heap_thing.Thing"}


def test_a_protocol_becomes_one_document_with_dotted_component_names(snippet: Json) -> None:
    assert protocol_to_openapi(snippet) == {
        "openapi": "3.1.0",
        "info": {"title": "Chrome DevTools Protocol", "version": "1.3"},
        "paths": {},
        "components": {
            "schemas": {
                "heap_thing.ThingId": {"type": "string", "description": "Unique thing identifier."},
                "heap_thing.Thing": {
                    "type": "object",
                    "description": "A thing\nthat may have a parent.",
                    "properties": {
                        "thingId": {"$ref": "#/components/schemas/heap_thing.ThingId"},
                        "parent": THING,
                        "kind": {
                            "anyOf": [{"type": "string", "enum": ["big", "small"]}, {"type": "string"}],
                            "description": 'Its "kind"',
                        },
                    },
                    "required": ["thingId", "kind"],
                },
                "heap_thing.GetThingResult": {
                    "type": "object",
                    "description": "The answer to HeapThing.getThing.",
                    "properties": {"thing": THING},
                    "required": ["thing"],
                },
                "heap_thing.GetThing": {
                    "type": "object",
                    "description": "Finds a thing.",
                    "properties": {"sourceURL": {"type": "string"}, "maxSize": {"type": "number"}},
                    "required": ["sourceURL"],
                    "customBasePath": "cdp_protocol.base.Command",
                },
                "heap_thing.Forget": {"type": "object", "customBasePath": "cdp_protocol.base.BareCommand"},
                "heap_thing.ThingEvent": {
                    "type": "object",
                    "properties": {
                        "data": {"type": "object", "additionalProperties": True},
                        "value": {},
                        "all": {"type": "array", "items": {"type": "integer"}},
                        "either": {"anyOf": [{"type": "array", "items": THING}, THING]},
                    },
                    "required": ["all", "either"],
                    "customBasePath": "cdp_protocol.base.Event",
                },
                "other.Seen": {
                    "type": "object",
                    "properties": {"what": THING},
                    "required": ["what"],
                    "customBasePath": "cdp_protocol.base.Event",
                },
            }
        },
    }


def test_commands_and_events_get_their_method_and_commands_their_result(snippet: Json) -> None:
    assert protocol_to_template_data(snippet) == {
        "heap_thing.GetThing": {"method": "HeapThing.getThing", "result": "GetThingResult"},
        "heap_thing.Forget": {"method": "HeapThing.forget"},
        "heap_thing.ThingEvent": {"method": "HeapThing.thing"},
        "other.Seen": {"method": "Other.seen"},
    }


def domain_of(**parts: list[Json]) -> Json:
    return {"domains": [{"domain": "D", "types": [], "commands": [], "events": [], **parts}]}


def test_names_get_a_suffix_only_where_they_clash() -> None:
    clashing = domain_of(
        types=[{"id": "Go", "type": "string"}],
        commands=[{"name": "go"}, {"name": "stop"}],
        events=[{"name": "go"}, {"name": "stop"}, {"name": "stopped"}],
    )
    names = list(protocol_to_openapi(clashing)["components"]["schemas"])
    assert names == ["d.Go", "d.GoCommand", "d.Stop", "d.GoEvent", "d.StopEvent", "d.Stopped"]
    assert list(protocol_to_template_data(clashing)) == names[1:]


def test_a_clash_that_no_suffix_solves_is_an_error() -> None:
    clashing = domain_of(types=[{"id": "Go", "type": "string"}, {"id": "go", "type": "string"}])
    with pytest.raises(ValueError, match=r"two classes would be called d\.Go"):
        protocol_to_openapi(clashing)


def test_a_field_of_an_unheard_of_type_is_an_error(snippet: Json) -> None:
    strange = deepcopy(snippet)
    strange["domains"][0]["types"][0]["type"] = "tensor"
    with pytest.raises(ValueError, match="no schema for a field of type 'tensor'"):
        protocol_to_openapi(strange)


@pytest.mark.parametrize(
    ("domain", "module"),
    [("Runtime", "runtime"), ("HeapProfiler", "heap_profiler"), ("NodeWorker", "node_worker"), ("IO", "io")],
)
def test_a_domain_becomes_a_snake_case_module(domain: str, module: str) -> None:
    assert module_name(domain) == module


def test_inner_capitals_of_a_name_stay() -> None:
    assert class_name("consoleAPICalled") == "ConsoleAPICalled"
