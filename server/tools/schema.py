"""Arguments as JSON schema for agents, and what is wrong with them in words for agents."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError


def published_schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """A schema without references and generated titles: some clients follow neither, and both cost tokens."""
    schema = arguments.model_json_schema()
    inlined = _inline(schema, schema.pop("$defs", {}))
    inlined.pop("description", None)
    assert isinstance(inlined, dict)
    return inlined


def described_problems(error: ValidationError) -> str:
    """One line a problem: which argument, and what it should be."""
    return "\n".join(_describe(problem) for problem in error.errors(include_url=False, include_context=False))


def _describe(problem: Any) -> str:
    name = ".".join(str(part) for part in problem["loc"]) or "arguments"
    if problem["type"] == "missing":
        return f"- {name}: is required"
    if problem["type"] == "extra_forbidden":
        return f"- {name}: there is no such argument"
    return f"- {name}: {problem['msg'][:1].lower()}{problem['msg'][1:]} (it is {problem['input']!r:.80})"


def _inline(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = definitions[node["$ref"].rsplit("/", 1)[-1]]
        return _inline({**target, **{key: value for key, value in node.items() if key != "$ref"}}, definitions)
    kept = {key: value for key, value in node.items() if not (key == "title" and isinstance(value, str))}
    if options := kept.get("anyOf"):
        # An optional argument is one that may be absent; saying null as well only invites it.
        real = [option for option in options if option.get("type") != "null"]
        if len(real) == 1:
            kept = {**{key: value for key, value in kept.items() if key not in ("anyOf", "default")}, **real[0]}
    return {key: _inline(value, definitions) for key, value in kept.items()}
