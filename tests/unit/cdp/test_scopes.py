from __future__ import annotations

from typing import Any

import pytest

from server.cdp.scopes import frame_to_scopes, is_module_code


def a_scope(kind: str, line: int = 5, name: str | None = None) -> dict[str, Any]:
    scope = {
        "type": kind,
        "object": {"type": "object", "objectId": f"{kind}@{line}"},
        "startLocation": {"scriptId": "1", "lineNumber": line, "columnNumber": 0},
    }
    return scope if name is None else {**scope, "name": name}


def a_frame(*scopes: dict[str, Any]) -> dict[str, Any]:
    return {"scopeChain": [*scopes, {"type": "global", "object": {"type": "object", "objectId": "global"}}]}


@pytest.mark.parametrize(
    ("frame", "names"),
    [
        (a_frame(a_scope("local", name="f"), a_scope("closure", 0)), ["local", "module", "global"]),
        (a_frame(a_scope("block", 9), a_scope("catch"), a_scope("local")), ["local", "local", "local", "global"]),
        (
            a_frame(a_scope("local"), a_scope("block", 2), a_scope("closure", 1)),
            ["local", "closure", "closure", "global"],
        ),
        (a_frame(a_scope("block"), a_scope("local", 0)), ["local", "module", "global"]),
        (a_frame(a_scope("block"), a_scope("module", 0)), ["local", "module", "global"]),
        (a_frame(a_scope("local", 0, name="f"), a_scope("script", 0)), ["local", "global", "global"]),
        (a_frame(a_scope("with"), a_scope("eval"), a_scope("local")), ["local", "local", "local", "global"]),
    ],
)
def test_scopes_have_the_names_that_people_know(frame: dict[str, Any], names: list[str]) -> None:
    assert [scope.name for scope in frame_to_scopes(frame)] == names


@pytest.mark.parametrize(
    ("frame", "is_module"),
    [
        (a_frame(a_scope("local", 0)), True),
        (a_frame(a_scope("block"), a_scope("module", 0)), True),
        (a_frame(a_scope("local"), a_scope("closure", 0)), False),
        (a_frame(a_scope("local"), a_scope("module", 0)), False),
        (a_frame(), False),
    ],
)
def test_code_of_a_module_itself_is_told_from_a_function(frame: dict[str, Any], is_module: bool) -> None:
    assert is_module_code(frame) is is_module


def test_frame_without_scopes_has_none() -> None:
    assert frame_to_scopes({}) == []
    assert frame_to_scopes({"scopeChain": [{"type": "local"}]}) == []
