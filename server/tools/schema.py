"""Arguments as JSON schema for agents, and what is wrong with them in words for agents."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_MAX_PROBLEMS = 10
_MAX_SHOWN = 80
_PLAIN_WORDS = {"missing": "is required", "extra_forbidden": "there is no such argument"}
# pydantic speaks of Python here, agents of JSON.
_MESSAGES = {
    "model_type": "should be an object",
    "dict_type": "should be an object",
    "string_unicode": "should be text without lone surrogates",
}


def published_schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """A schema without references and generated titles: some clients follow neither, and both cost tokens."""
    schema = arguments.model_json_schema()
    inlined = _inline(schema, schema.pop("$defs", {}))
    inlined.pop("description", None)
    assert isinstance(inlined, dict)
    return inlined


def described_problems(error: ValidationError) -> str:
    """One line a problem: which argument, and what it should be."""
    problems = error.errors(include_url=False, include_context=False)
    lines = [_describe(problem) for problem in problems[:_MAX_PROBLEMS]]
    if more := len(problems) - len(lines):
        lines.append(f"- and {more} more")
    return "\n".join(lines)


def _describe(problem: ErrorDetails) -> str:
    # pydantic marks a bad key of a mapping with "[key]" behind the key itself.
    name = ".".join(str(part) for part in problem["loc"] if part != "[key]") or "arguments"
    name = _shortened(name)
    if problem["type"] in _PLAIN_WORDS:
        return f"- {name}: {_PLAIN_WORDS[problem['type']]}"
    message = _MESSAGES.get(problem["type"], problem["msg"])
    shown = _shortened(json.dumps(problem["input"], default=repr))
    return f"- {name}: {message[:1].lower()}{message[1:]} (it is {shown})"


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "…"


def _says_nothing(key: str, value: Any) -> bool:
    """A generated title repeats a name, and what is off, zero or empty by default is so for being absent."""
    return (key == "title" and isinstance(value, str)) or (key == "default" and not value)


def _inline(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = definitions[node["$ref"].rsplit("/", 1)[-1]]
        return _inline({**target, **{key: value for key, value in node.items() if key != "$ref"}}, definitions)
    kept = {key: value for key, value in node.items() if not _says_nothing(key, value)}
    if options := kept.get("anyOf"):
        # An optional argument is one that may be absent; saying null as well only invites it.
        real = [option for option in options if option.get("type") != "null"]
        if len(real) == 1:
            kept = {key: value for key, value in kept.items() if key not in ("anyOf", "default")}
            return _inline({**real[0], **kept}, definitions)
    if "enum" in kept or "const" in kept:
        kept.pop("type", None)  # the values themselves tell
    return {key: _inline(value, definitions) for key, value in kept.items()}
