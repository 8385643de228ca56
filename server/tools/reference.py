"""Writes docs/tools.md from the tools themselves: `python -m server.tools.reference`.

A tool is found by being in this package, and everything that is said of it comes from its own attributes.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

import server.tools
from server.tools.tool import Tool

_INTRODUCTION = """\
# Tools

What an agent sees of this server, word for word. Written by `make docs` from the tools themselves: edit those.

Lines and columns are 1-based, times are milliseconds. Files may be absolute paths, paths relative to the server's
working directory, or `file://` URLs; in answers they are absolute paths. A failed call has `isError` set and says
the same in its text and in its structured content.

## What session tools share

All but `debug-script` are about sessions. `session_id` may be left out while there is one session that can be meant.
Each answers in two ways, and either is complete: a text that reads like a debugger's screen, and structured content.
What would make one of them longer than 8 KB is cut, with the number of what is missing (`more_locals`,
`frames_total`, `omitted_characters`) or where to go on (`next_start`, `next_line`, `since`).

| field | meaning |
|---|---|
| `status` | `"ok"` or `"error"` |
| `session_id`, `state` | which session, and how its program is: running, paused, exited, disconnected |
| `stop` | while it is paused, in answers of all tools that run it: `reason` (entry, breakpoint, step, pause, \
exception, debugger statement), `breakpoint_ids`, `location`, `source`, `frames` (the program's own code first; at \
most 10, and `frames_total` where there are more), `locals`, `watches` with `old` and `new`, `exception`, `notes` |
| `output` | what it wrote since the last such answer: `stdout`, `stderr`, `log` (logpoints), `console` (of attached \
programs), and `cursor` for `get_output` |
| `exit` | once it is over: `code` or `signal` |
| `breakpoints` | those that were bound, or moved, since the last answer; in the first answer all. `hits` is how often \
the place was reached with the condition true; a hit_condition chooses among these |
| `error` | `code`, `message`, `details`, and `next`: the call that would help |

A value has a `type`, often a `subtype`, the `value` itself where JSON can say it or a `preview`, a `size` where it has
one, and a `ref` for `get_variables` where there is more inside. Ids of frames and values are good until the program
goes on, and are never used again: an old one is refused.

Codes of errors: SESSION_NOT_FOUND, SESSION_INVALID_STATE, CONNECTION_FAILED, PROTOCOL_ERROR, INVALID_PARAMETERS,
TIMEOUT, EVALUATION_FAILED, BREAKPOINT_NOT_FOUND, LIMIT_EXCEEDED, HOST_NOT_ALLOWED, TARGET_EXITED.

## All tools
"""


class _Field(NamedTuple):
    path: str
    schema: dict[str, Any]
    required: bool


def find_tools() -> list[type[Tool]]:
    """Every tool of this package, in the order of their names."""
    found = [tool for module in pkgutil.iter_modules(server.tools.__path__) for tool in _tools_in(module.name)]
    return sorted(found, key=lambda tool: tool.name)


def _tools_in(module_name: str) -> Iterator[type[Tool]]:
    module = importlib.import_module(f"{server.tools.__name__}.{module_name}")
    for _, found in inspect.getmembers(module, inspect.isclass):
        if found.__module__ == module.__name__ and all(hasattr(found, name) for name in Tool.__annotations__):
            yield cast("type[Tool]", found)


def reference(tools: Sequence[type[Tool]]) -> str:
    """The whole page."""
    contents = "\n".join(f"- [{tool.name}](#{tool.name}): {tool.title}" for tool in tools)
    return "\n".join([_INTRODUCTION, contents, *("\n" + _section(tool) for tool in tools)])


def _section(tool: type[Tool]) -> str:
    annotations = ", ".join(f"`{name}`: {json.dumps(value)}" for name, value in tool.annotations.items())
    parts = [
        f"## {tool.name}",
        f"**{tool.title}**",
        *tool.description.split("\n"),
        "### Arguments",
        _arguments_table(tool.input_schema),
        "### Answer",
        *_answer_tables(tool.output_schema),
        "### Annotations",
        annotations,
        "### Example",
        "Arguments:",
        _json_block(tool.example_arguments),
        "Structured content of the answer:",
        _json_block(tool.example_answer),
    ]
    return "\n\n".join(parts) + "\n"


def _arguments_table(schema: dict[str, Any]) -> str:
    rows = [
        [f"`{field.path}`", _type_words(field.schema), "yes" if field.required else "no", _bounds(field.schema),
         _meaning(field.schema)]
        for field in _fields(schema)
    ]  # fmt: skip
    return _table(["argument", "type", "required", "bounds", "meaning"], rows)


def _meaning(schema: dict[str, Any]) -> str:
    default = f"{json.dumps(schema['default'])} by default." if "default" in schema else ""
    return " ".join(filter(None, [schema.get("description", ""), default]))


def _answer_tables(schema: dict[str, Any]) -> Iterator[str]:
    for shape in schema.get("anyOf", [schema]):
        if "title" in shape:
            yield f"{shape['title']}:"
        rows = [
            [f"`{field.path}`", _type_words(field.schema), "always" if field.required else "where it applies",
             field.schema.get("description", "")]
            for field in _fields(shape)
        ]  # fmt: skip
        yield _table(["field", "type", "there", "meaning"], rows)


def _fields(schema: dict[str, Any], prefix: str = "") -> Iterator[_Field]:
    """The properties of an object, each followed by those inside it."""
    for name, inner in schema.get("properties", {}).items():
        path = prefix + name
        yield _Field(path, inner, name in schema.get("required", ()))
        yield from _fields(inner, f"{path}.")
        yield from _fields(inner.get("items", {}), f"{path}[].")


def _type_words(schema: dict[str, Any]) -> str:
    if values := [schema["const"]] if "const" in schema else schema.get("enum"):
        return " or ".join(f"`{json.dumps(value)}`" for value in values)
    if "anyOf" in schema:
        return " or ".join(_type_words(option) for option in schema["anyOf"])
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"array of {_type_words(schema.get('items', {}))}"
    if kind == "object" and isinstance(values := schema.get("additionalProperties"), dict):
        return f"object of {_type_words(values)}"
    return str(kind)


def _bounds(schema: dict[str, Any]) -> str:
    bounds = [
        _range(schema.get("minimum"), schema.get("maximum"), ""),
        _range(schema.get("minLength"), schema.get("maxLength"), " characters"),
        _range(schema.get("minItems"), schema.get("maxItems"), " items"),
    ]
    return ", ".join(filter(None, bounds))


def _range(least: float | None, most: float | None, unit: str) -> str:
    if least is None and most is None:
        return ""
    if least is None:
        return f"at most {most}{unit}"
    if unit and least == 1 and most is None:
        return "not empty"
    return f"at least {least}{unit}" if most is None else f"{least} to {most}{unit}"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(text) for text in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _json_block(value: Any) -> str:
    return f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```"


if __name__ == "__main__":
    sys.stdout.write(reference(find_tools()))
