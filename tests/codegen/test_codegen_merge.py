"""Several snapshots become one protocol that is true of all of them."""

from __future__ import annotations

from typing import Any

from codegen.merge import merge
from codegen.snapshot import normalise_domain

Json = dict[str, Any]


def snapshot(**parts: list[Json]) -> Json:
    return {"domains": [{"domain": "D", **parts}]}


def merged(part: str, *snapshots: Json) -> Json:
    element: Json = merge(snapshots)["domains"][0][part][0]
    return element


def event(*parameters: Json) -> Json:
    return snapshot(events=[{"name": "e", "parameters": list(parameters)}])


def command(*parameters: Json) -> Json:
    return snapshot(commands=[{"name": "c", "parameters": list(parameters)}])


def test_a_received_field_that_one_snapshot_lacks_is_optional() -> None:
    assert merged("events", event({"name": "buildId", "type": "string"}), event())["parameters"] == [
        {"name": "buildId", "type": "string", "optional": True}
    ]


def test_a_received_field_that_one_snapshot_has_as_optional_is_optional() -> None:
    optional = {"name": "a", "type": "string", "optional": True}
    assert merged("events", event({"name": "a", "type": "string"}), event(optional))["parameters"] == [optional]


def test_a_received_field_that_every_snapshot_requires_stays_required() -> None:
    required = {"name": "a", "type": "string"}
    assert merged("events", event(required), event(required))["parameters"] == [required]


def test_results_and_types_are_received_too() -> None:
    full = snapshot(
        commands=[{"name": "c", "returns": [{"name": "a", "type": "string"}]}],
        types=[{"id": "T", "type": "object", "properties": [{"name": "b", "type": "string"}]}],
    )
    bare = snapshot(commands=[{"name": "c"}], types=[{"id": "T", "type": "object"}])
    assert merged("commands", full, bare)["returns"][0]["optional"] is True
    assert merged("types", full, bare)["properties"][0]["optional"] is True


def test_a_parameter_that_one_snapshot_requires_is_required() -> None:
    optional = {"name": "a", "type": "string", "optional": True}
    assert merged("commands", command(optional), command({"name": "a", "type": "string"}))["parameters"] == [
        {"name": "a", "type": "string"}
    ]


def test_a_parameter_that_one_snapshot_lacks_keeps_its_optionality() -> None:
    required = {"name": "a", "type": "string"}
    assert merged("commands", command(required), command())["parameters"] == [required]


def test_an_event_that_one_snapshot_lacks_is_not_loosened() -> None:
    required = {"name": "a", "type": "string"}
    assert merged("events", event(required), snapshot(events=[]))["parameters"] == [required]


def test_enums_have_the_values_of_all_snapshots_in_the_order_of_first_mention() -> None:
    first = event({"name": "a", "type": "string", "enum": ["x", "y"]})
    second = event({"name": "a", "type": "string", "enum": ["None", "x"]})
    assert merged("events", first, second)["parameters"][0]["enum"] == ["x", "y", "None"]


def test_a_received_field_of_two_shapes_may_have_either() -> None:
    array = event({"name": "a", "description": "About a.", "type": "array", "items": {"$ref": "D.T"}})
    single = event({"name": "a", "$ref": "D.T"})
    assert merged("events", array, single, single)["parameters"] == [
        {
            "name": "a",
            "description": "About a.",
            "anyOf": [{"type": "array", "items": {"$ref": "D.T"}}, {"$ref": "D.T"}],
        }
    ]


def test_what_only_a_less_trusted_snapshot_has_of_a_domain_is_left_out() -> None:
    assert merge([snapshot(events=[]), event()])["domains"][0]["events"] == []


def test_a_domain_that_only_a_later_snapshot_has_is_taken_from_it() -> None:
    own = {"domains": [{"domain": "NodeRuntime", "events": [{"name": "waiting"}]}]}
    assert [one["domain"] for one in merge([snapshot(), own])["domains"]] == ["D", "NodeRuntime"]


def test_merging_does_not_change_its_inputs() -> None:
    first = event({"name": "a", "type": "string"})
    merge([first, event()])
    assert first == event({"name": "a", "type": "string"})


def test_short_references_are_qualified_and_binary_is_a_string() -> None:
    domain = {
        "domain": "D",
        "types": [{"id": "T", "items": {"$ref": "U"}}, {"id": "B", "type": "binary"}, {"$ref": "E.V"}],
    }
    normalise_domain(domain)
    assert domain["types"] == [
        {"id": "T", "items": {"$ref": "D.U"}},
        {"id": "B", "type": "string"},
        {"$ref": "E.V"},
    ]
