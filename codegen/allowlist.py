"""The part of the protocol that we model: named commands and events, and every type they reach.

The whole protocol would cost every start-up its import time, and most of it is about browsers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from codegen.snapshot import Json, by_key, domains_by_name, objects_in


@dataclass(frozen=True)
class Allowed:
    """What is generated of one domain."""

    commands: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


class AllowListError(Exception):
    """The allow-list names something that the protocol does not have."""


ALLOWED: Mapping[str, Allowed] = {
    "Runtime": Allowed(
        commands=(
            "enable",
            "disable",
            "runIfWaitingForDebugger",
            "evaluate",
            "callFunctionOn",
            "getProperties",
            "releaseObject",
            "releaseObjectGroup",
            "addBinding",
            "removeBinding",
            "compileScript",
            "globalLexicalScopeNames",
        ),
        events=(
            "executionContextCreated",
            "executionContextDestroyed",
            "executionContextsCleared",
            "exceptionThrown",
            "consoleAPICalled",
            "bindingCalled",
        ),
    ),
    "Debugger": Allowed(
        commands=(
            "enable",
            "disable",
            "setBreakpointByUrl",
            "setBreakpoint",
            "setBreakpointOnFunctionCall",
            "removeBreakpoint",
            "setBreakpointsActive",
            "getPossibleBreakpoints",
            "setInstrumentationBreakpoint",
            "evaluateOnCallFrame",
            "setVariableValue",
            "resume",
            "pause",
            "stepInto",
            "stepOver",
            "stepOut",
            "continueToLocation",
            "setPauseOnExceptions",
            "setBlackboxPatterns",
            "setSkipAllPauses",
            "setAsyncCallStackDepth",
            "getScriptSource",
            "getStackTrace",
            "restartFrame",
        ),
        events=("paused", "resumed", "scriptParsed", "scriptFailedToParse", "breakpointResolved"),
    ),
    "Profiler": Allowed(commands=("enable", "disable", "start", "stop", "setSamplingInterval")),
    "HeapProfiler": Allowed(commands=("collectGarbage",)),
    "NodeRuntime": Allowed(
        commands=("enable", "disable", "notifyWhenWaitingForDisconnect"),
        events=("waitingForDisconnect", "waitingForDebugger"),
    ),
    "NodeWorker": Allowed(
        commands=("enable", "disable", "sendMessageToWorker", "detach"),
        events=("attachedToWorker", "detachedFromWorker", "receivedMessageFromWorker"),
    ),
}


def select(protocol: Json, allowed: Mapping[str, Allowed] = ALLOWED) -> Json:
    """Cut a protocol down to what is allowed and what that reaches, in the protocol's own order."""
    domains = domains_by_name(protocol)
    commands = {name: _pick(domains, name, "commands", want.commands) for name, want in allowed.items()}
    events = {name: _pick(domains, name, "events", want.events) for name, want in allowed.items()}
    reached = _reach(domains, [commands, events])
    selected = [
        {
            "domain": name,
            "description": domain.get("description", ""),
            "types": [one for one in domain.get("types", []) if f"{name}.{one['id']}" in reached],
            "commands": commands.get(name, []),
            "events": events.get(name, []),
        }
        for name, domain in domains.items()
        if name in allowed or any(reference.startswith(f"{name}.") for reference in reached)
    ]
    return {"domains": selected}


def _pick(domains: Mapping[str, Json], domain: str, key: str, names: tuple[str, ...]) -> list[Json]:
    known = by_key(domains.get(domain, {}).get(key), "name")
    unknown = [name for name in names if name not in known]
    if unknown or domain not in domains:
        raise AllowListError(f"not in the protocol: {domain} {key} {', '.join(unknown)}".rstrip())
    return [element for name, element in known.items() if name in names]


def _reach(domains: Mapping[str, Json], roots: object) -> set[str]:
    """The qualified names of all types that ``roots`` refer to, directly or through other types."""
    types = {f"{name}.{one['id']}": one for name in domains for one in domains[name].get("types", [])}
    reached: set[str] = set()
    waiting = _references(roots)
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        if name not in types:
            raise AllowListError(f"not in the protocol: type {name}")
        reached.add(name)
        waiting |= _references(types[name])
    return reached


def _references(node: object) -> set[str]:
    return {one["$ref"] for one in objects_in(node) if "$ref" in one}
