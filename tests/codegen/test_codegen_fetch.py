"""What is kept of the protocol that a node serves. (Fetching itself needs the network.)"""

from __future__ import annotations

from typing import Any

from codegen.fetch import trim_served

SHARED = ("Debugger", "HeapProfiler", "Profiler", "Runtime")


def domain(name: str) -> dict[str, Any]:
    field = {"name": "description", "type": "string", "description": "About a field."}
    return {"domain": name, "description": f"About {name}.", "events": [{"name": "e", "parameters": [field]}]}


def test_only_the_domains_that_are_used_are_kept() -> None:
    served = {"domains": [domain(name) for name in (*SHARED, "NodeTracing", "NodeWorker", "NodeRuntime")]}
    kept = [one["domain"] for one in trim_served(served)["domains"]]
    assert kept == ["NodeRuntime", "NodeWorker", *SHARED]


def test_descriptions_are_kept_only_of_nodes_own_domains() -> None:
    served = {"domains": [domain(name) for name in (*SHARED, "NodeWorker", "NodeRuntime")]}
    by_name = {one["domain"]: one for one in trim_served(served)["domains"]}
    assert by_name["NodeWorker"] == domain("NodeWorker")
    assert by_name["Runtime"] == {
        "domain": "Runtime",
        "events": [{"name": "e", "parameters": [{"name": "description", "type": "string"}]}],
    }
