"""Only what is allowed, and what that reaches, is generated."""

from __future__ import annotations

from typing import Any

import pytest

from codegen.allowlist import Allowed, AllowListError, select

PROTOCOL: dict[str, Any] = {
    "domains": [
        {
            "domain": "A",
            "types": [
                {"id": "Used", "type": "object", "properties": [{"name": "next", "$ref": "B.Far"}]},
                {"id": "Unused", "type": "string"},
            ],
            "commands": [
                {"name": "go", "returns": [{"name": "all", "type": "array", "items": {"$ref": "A.Used"}}]},
                {"name": "stay"},
            ],
            "events": [{"name": "gone"}],
        },
        {
            "domain": "B",
            "types": [
                {"id": "Far", "type": "object", "properties": [{"name": "self", "$ref": "B.Far"}]},
                {"id": "Near", "type": "string"},
            ],
        },
        {"domain": "C", "events": [{"name": "lost", "parameters": [{"name": "x", "$ref": "C.Nowhere"}]}]},
    ]
}


def names(domain: dict[str, Any]) -> tuple[str, list[str], list[str], list[str]]:
    types, commands, events = domain["types"], domain["commands"], domain["events"]
    return (
        domain["domain"],
        [one["id"] for one in types],
        [one["name"] for one in commands],
        [one["name"] for one in events],
    )


def test_types_are_reached_through_results_other_types_and_other_domains() -> None:
    selected = select(PROTOCOL, {"A": Allowed(commands=("go",))})
    assert [names(domain) for domain in selected["domains"]] == [
        ("A", ["Used"], ["go"], []),
        ("B", ["Far"], [], []),
    ]


def test_events_are_selected_by_name() -> None:
    selected = select(PROTOCOL, {"A": Allowed(events=("gone",))})
    assert [names(domain) for domain in selected["domains"]] == [("A", [], [], ["gone"])]


@pytest.mark.parametrize(
    ("allowed", "message"),
    [
        ({"A": Allowed(commands=("go", "fly"))}, "not in the protocol: A commands fly"),
        ({"A": Allowed(events=("going",))}, "not in the protocol: A events going"),
        ({"Z": Allowed()}, "not in the protocol: Z commands"),
        ({"C": Allowed(events=("lost",))}, "not in the protocol: type C.Nowhere"),
    ],
)
def test_a_name_that_the_protocol_lacks_is_an_error(allowed: dict[str, Allowed], message: str) -> None:
    with pytest.raises(AllowListError) as caught:
        select(PROTOCOL, allowed)
    assert str(caught.value) == message
