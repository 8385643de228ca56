"""Writes docs/resources.md from what the server offers beside tools: `python -m server.protocol.reference`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from server.debug.backend import SessionBackend
from server.debug.sessions import SessionLimits, Sessions
from server.prompts.prompt import Prompt
from server.prompts.session_prompts import SessionPrompts
from server.resources.session_resources import SESSIONS_RESOURCE, TEMPLATES

_INTRODUCTION = """\
# Resources and prompts

What the server offers beside its [tools](tools.md) while it has sessions. Written by `make docs` from the code that
serves it: edit that.
"""
_RESOURCES = """\
## Resources

All are JSON (`application/json`), and none makes the client wait for a program. The ids of sessions are completed.
"""
_NOTIFICATIONS = """\
## Notifications

`notifications/resources/list_changed` comes when a session begins or ends, and `notifications/resources/updated` when
reading a resource would bring something else: the program stops, goes on, writes or ends. What changes often is told a
few times a second; the last change always is.

| protocol version | how a client asks for them |
|---|---|
| 2025-11-25 and before | `resources/subscribe` for each resource; a changed list is told unasked |
| 2026-07-28 | `subscriptions/listen`, with `resourceSubscriptions` and `resourcesListChanged` |

A resource that does not exist is error -32002 in the former and -32602 in the latter; its message names those that do.
"""
_PROMPTS = """\
## Prompts

Each gives an agent a procedure: what to look at, in which order, with the calls to make. Those about a session begin
with how its program is at that moment, and differ for one that stands at an exception, runs, or has ended.
"""
_EXAMPLE_ARGUMENTS = {"command": "node cart.js", "symptom": "The total of an empty cart is NaN."}


def reference() -> str:
    """The whole page."""
    prompts = SessionPrompts(Sessions(_no_backend, SessionLimits(), lambda _: None))
    resources = [
        (SESSIONS_RESOURCE.uri, SESSIONS_RESOURCE.description),
        *((template.uri_template, template.description) for template in TEMPLATES),
    ]
    table = ["| resource | what it holds |", "|---|---|", *(f"| `{uri}` | {holds} |" for uri, holds in resources)]
    sections = [_INTRODUCTION, _RESOURCES, "\n".join(table) + "\n", _NOTIFICATIONS, _PROMPTS]
    return "\n".join(
        [*sections, *(line for prompt in prompts.list() for line in _described(prompt)), _example(prompts)]
    )


def _described(prompt: Prompt) -> Iterator[str]:
    yield f"### {prompt.name}\n\n{prompt.description}\n"
    yield "| argument | meaning |\n|---|---|"
    yield "\n".join(f"| `{argument.name}` | {argument.description} |" for argument in prompt.arguments) + "\n"


def _example(prompts: SessionPrompts) -> str:
    given = ", ".join(f"{name} `{value}`" for name, value in _EXAMPLE_ARGUMENTS.items())
    text = prompts.text("find_root_cause", _EXAMPLE_ARGUMENTS)
    return f"With {given}:\n\n```\n{text}\n```\n"


def _no_backend() -> SessionBackend:
    raise AssertionError("nothing is debugged to write a page")


if __name__ == "__main__":
    sys.stdout.write(reference())
