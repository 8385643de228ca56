"""What the tests of the generator share."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

SNIPPET: dict[str, Any] = {
    "domains": [
        {
            "domain": "HeapThing",
            "types": [
                {"id": "ThingId", "type": "string", "description": "Unique thing identifier."},
                {
                    "id": "Thing",
                    "type": "object",
                    "description": "A thing\nthat may have a parent.",
                    "properties": [
                        {"name": "thingId", "$ref": "HeapThing.ThingId"},
                        {"name": "parent", "$ref": "HeapThing.Thing", "optional": True},
                        {
                            "name": "kind",
                            "type": "string",
                            "enum": ["big", "small"],
                            "description": 'Its "kind"',
                        },
                    ],
                },
            ],
            "commands": [
                {
                    "name": "getThing",
                    "description": "Finds a thing.",
                    "parameters": [
                        {"name": "sourceURL", "type": "string"},
                        {"name": "maxSize", "type": "number", "optional": True},
                    ],
                    "returns": [{"name": "thing", "$ref": "HeapThing.Thing"}],
                },
                {"name": "forget"},
            ],
            "events": [
                {
                    "name": "thing",
                    "parameters": [
                        {"name": "data", "type": "object", "optional": True},
                        {"name": "value", "type": "any", "optional": True},
                        {"name": "all", "type": "array", "items": {"type": "integer"}},
                        {
                            "name": "either",
                            "anyOf": [
                                {"type": "array", "items": {"$ref": "HeapThing.Thing"}},
                                {"$ref": "HeapThing.Thing"},
                            ],
                        },
                    ],
                }
            ],
        },
        {
            "domain": "Other",
            "types": [],
            "commands": [],
            "events": [{"name": "seen", "parameters": [{"name": "what", "$ref": "HeapThing.Thing"}]}],
        },
    ]
}


@pytest.fixture(scope="session")
def snippet() -> dict[str, Any]:
    """A protocol in small that has one of everything that the real one has."""
    return deepcopy(SNIPPET)
