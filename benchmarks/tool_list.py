"""Scenario: what the list of tools takes of an agent's attention."""

from __future__ import annotations

import json

from benchmarks.finding import Finding, Scenario
from benchmarks.pipe_client import OUR_SERVER, PipeClient

LESS_THAN_BYTES = 25_000
_METHOD = """\
The result of `tools/list` with every toolset, descriptions, schemas of arguments and of answers included, as compact
JSON in UTF-8. A client gives most of it to its model with every request."""


def measure() -> int:
    """The bytes of the list."""
    with PipeClient(OUR_SERVER) as client:
        client.initialize()
        listed = client.request("tools/list", {})
    return len(json.dumps(listed, separators=(",", ":"), ensure_ascii=False).encode())


def scenario(size_bytes: int) -> Scenario:
    """Hold the size against its limit."""
    finding = Finding(
        "`tools/list`",
        f"{size_bytes:,} bytes",
        target=f"less than {LESS_THAN_BYTES:,}",
        reached=size_bytes < LESS_THAN_BYTES,
    )
    return Scenario("The list of tools", _METHOD, [finding])
