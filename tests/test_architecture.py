"""Imports go one way. The source is read, not run, so that an import inside a function counts like any other."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("server", "cdp_protocol")

MAY_IMPORT: Mapping[str, tuple[str, ...]] = {
    "server.__main__": ("server.app", "server.config"),
    "server.app": PACKAGES,  # the composition root: the one place that knows every part
    "server.config": (),
    "server.errors": (),
    "server.tools": (
        "server.debug",
        "server.report",
        "server.config",
        "server.errors",
        "server.process.command_line",
    ),
    "server.protocol": (
        "server.tools",
        "server.resources",
        "server.prompts",
        "server.debug",
        "server.report",
        "server.errors",
    ),
    "server.resources": ("server.debug", "server.report", "server.errors"),
    "server.prompts": ("server.debug", "server.report", "server.errors", "server.process.process_events"),
    "server.report": ("server.debug", "server.errors", "server.process.process_events"),
    "server.debug": ("server.errors", "server.process.process_events"),
    "server.cdp": (
        "server.debug",
        "server.process",
        "server.sourcemaps",
        "server.config",
        "server.errors",
        "cdp_protocol",
    ),
    "server.process": (),
    "server.sourcemaps": (),
    "cdp_protocol": (),
}
"""For each part of the house, what else of it a module there may import. Its own part always."""

THIRD_PARTIES: Mapping[str, tuple[str, ...]] = {
    "mcp": ("server.app", "server.protocol"),
    "mcp_types": ("server.app", "server.protocol"),
    "anyio": ("server.app", "server.protocol", "server.tools.offload", "server.resources.change_feed"),
    "websocket": ("server.cdp",),
    "pydantic": ("server.tools", "cdp_protocol"),
    "pydantic_core": ("server.tools", "cdp_protocol"),
}
"""Who may import what is neither ours nor Python's."""

ONLY_STANDARD_LIBRARY = ("server.process.guard",)
"""Programs of their own, which have to start fast and depend on nothing."""

IMPORT_BY_NAME = ("server.app", "server.tools.reference", "cdp_protocol.events")
"""Modules that import what a string names, where this test cannot look."""

MAX_LINES = 400
LONG_FILES = {
    "server/cdp/injected/serialiser.js": "one function, injected whole into a program that it must not import from",
    "server/process/guard.py": "a program of its own, in one file that imports nothing of ours and starts fast",
}


class Import(NamedTuple):
    module: str
    line: int


# --- reading the source ---------------------------------------------------------------------------------------


def sources() -> dict[str, str]:
    """The text of every module that was written by hand, by the module's name."""
    return {
        _path_to_module(path): path.read_text("utf-8")
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if "generated" not in path.parts
    }


def _path_to_module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(source: str, modules: Mapping[str, str]) -> Iterator[Import]:
    """Every import, wherever it stands; `from package import module` is an import of the module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = "." * node.level + (node.module or "")
            for alias in node.names:
                inner = f"{origin}.{alias.name}"
                yield Import(inner if inner in modules else origin, node.lineno)


def imports_by_name(source: str) -> Iterator[int]:
    """The lines of calls that import what a string names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__"):
            yield node.lineno


# --- the rules ------------------------------------------------------------------------------------------------


def is_in(module: str, part: str) -> bool:
    return module == part or module.startswith(part + ".")


def violations(module: str, source: str, modules: Mapping[str, str]) -> list[str]:
    """What a module imports and may not, in words."""
    found = [
        f"{module}:{imported.line} imports {imported.module}: {problem}"
        for imported in imports(source, modules)
        if (problem := _problem(module, imported.module)) is not None
    ]
    if module not in IMPORT_BY_NAME:
        found += [f"{module}:{line} imports by name: nobody sees what" for line in imports_by_name(source)]
    return found


def _problem(module: str, imported: str) -> str | None:
    if imported.startswith("."):
        return "write the whole name"
    top = imported.partition(".")[0]
    if top in sys.stdlib_module_names:
        return None
    if module in ONLY_STANDARD_LIBRARY:
        return "only the standard library is allowed here"
    if top not in PACKAGES:
        allowed = any(is_in(module, part) for part in THIRD_PARTIES.get(top, ()))
        return None if allowed else f"only {THIRD_PARTIES.get(top, 'nobody')} may use {top}"
    part = next((part for part in MAY_IMPORT if is_in(module, part)), None)
    if part is None:
        return "this part of the house has no rule yet"
    allowed_parts = (part, *MAY_IMPORT[part])
    return None if any(is_in(imported, other) for other in allowed_parts) else f"{part} may import only {allowed_parts}"


def cycle(modules: Mapping[str, str]) -> list[str] | None:
    """A chain of modules that import each other, if there is one."""
    graph = {
        module: {imported.module for imported in imports(source, modules) if imported.module in modules} - {module}
        for module, source in modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return None


def too_long(lines_by_file: Mapping[str, int]) -> list[str]:
    return sorted(file for file, lines in lines_by_file.items() if lines > MAX_LINES and file not in LONG_FILES)


# --- the house keeps them -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def house() -> dict[str, str]:
    return sources()


def test_every_import_goes_the_right_way(house: dict[str, str]) -> None:
    assert [problem for module, source in house.items() for problem in violations(module, source, house)] == []


def test_no_module_imports_itself_through_others(house: dict[str, str]) -> None:
    assert cycle(house) is None


def test_every_part_that_has_a_rule_exists(house: dict[str, str]) -> None:
    parts = [
        *MAY_IMPORT,
        *ONLY_STANDARD_LIBRARY,
        *IMPORT_BY_NAME,
        *(part for allowed in THIRD_PARTIES.values() for part in allowed),
    ]
    assert [part for part in parts if part not in house] == []


def test_starting_the_server_loads_no_protocol_and_no_websocket() -> None:
    program = "import json, sys, server.app; print(json.dumps(sorted(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    heavy = ("cdp_protocol", "websocket", "server.cdp")
    assert [module for module in json.loads(loaded) if any(is_in(module, part) for part in heavy)] == []


def test_a_long_file_has_a_reason() -> None:
    files = (
        path
        for folder in ("server", "cdp_protocol", "codegen", "benchmarks", "docs")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".js") and "generated" not in path.parts and "node_modules" not in path.parts
    )
    lines = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in files}
    assert too_long(lines) == []
    assert [file for file in LONG_FILES if file not in lines] == []


# --- and each rule can fail -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("server.tools.debug_script", "from server.cdp.backend import NodeBackend"),
        ("server.tools.debug_script", "from server.process.launcher import Launcher"),
        ("server.tools.debug_script", "import server.app"),
        ("server.tools.debug_script", "from cdp_protocol import base"),
        ("server.tools.debug_script", "import mcp_types"),
        ("server.tools.debug_script", "import websocket"),
        ("server.debug.run", "from server.cdp.target import NodeTarget"),
        ("server.debug.run", "import cdp_protocol.base"),
        ("server.debug.run", "import websocket"),
        ("server.debug.run", "from server.process import Launcher"),
        ("server.debug.run", "from server.report.answer import Answer"),
        ("server.debug.run", "from pydantic import BaseModel"),
        ("server.report.script_run", "from server.tools.tool import Tool"),
        ("server.report.script_run", "from server.process.launcher import Launcher"),
        ("server.resources.session_resources", "import mcp_types"),
        ("server.resources.session_resources", "from server.tools.tool import Tool"),
        ("server.prompts.prompt", "from server.resources.session_uris import session_uri"),
        ("server.prompts.prompt", "import mcp_types"),
        ("server.protocol.subscribers", "from server.cdp.backend import NodeBackend"),
        ("server.cdp.target", "from server.report.answer import Answer"),
        ("server.cdp.target", "from server.tools.tool import Job"),
        ("server.cdp.target", "from mcp.server import Server"),
        ("server.process.launcher", "from server.errors import DebugError"),
        ("server.process.launcher", "from server.debug.inbox import Inbox"),
        ("server.process.guard", "from server.process.launch_error import LaunchError"),
        ("server.process.guard", "import anyio"),
        ("server.sourcemaps.locate", "from server.errors import DebugError"),
        ("server.errors", "from server.config import Settings"),
        ("cdp_protocol.base", "import server.errors"),
        ("server.cellar.wine", "import server.errors"),
        ("server.debug.run", "import requests"),
        ("server.debug.run", "from . import model"),
        ("server.debug.run", "import importlib\nimportlib.import_module('server.cdp.target')"),
        ("server.debug.run", "__import__('server.cdp.target')"),
        ("server.debug.run", "def hidden():\n    from server.cdp.target import NodeTarget"),
        ("server.debug.run", "if TYPE_CHECKING:\n    from server.cdp.target import NodeTarget"),
    ],
)
def test_an_import_the_wrong_way_is_found(house: dict[str, str], module: str, source: str) -> None:
    assert len(violations(module, source, house)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("server.app", "import mcp_types, anyio\nfrom server.cdp.backend import NodeBackend"),
        (
            "server.tools.debug_script",
            "from server.debug.run import run_script\nfrom server.process import command_line",
        ),
        ("server.debug.run", "import queue\nfrom server.debug import model"),
        ("server.cdp.target", "import websocket\nfrom cdp_protocol.generated import debugger"),
        ("server.process.guard", "import os, ctypes"),
    ],
)
def test_an_import_the_right_way_is_left_alone(house: dict[str, str], module: str, source: str) -> None:
    assert violations(module, source, house) == []


@pytest.mark.parametrize(
    "modules",
    [
        {"a": "import b", "b": "import a"},
        {"a": "from b import thing", "b": "import c", "c": "def hidden():\n    import a"},
        {"p": "", "p.a": "from p import b", "p.b": "from p.a import thing"},
    ],
    ids=["direct", "hidden in a function", "through a package"],
)
def test_a_cycle_is_found(modules: dict[str, str]) -> None:
    assert cycle(modules) is not None


def test_modules_without_a_cycle_are_left_alone() -> None:
    assert cycle({"a": "import b, c, os", "b": "import c", "c": ""}) is None


def test_a_file_that_is_too_long_without_a_reason_is_found() -> None:
    lengths = {"server/long.py": MAX_LINES + 1, "server/short.py": MAX_LINES, next(iter(LONG_FILES)): 10_000}
    assert too_long(lengths) == ["server/long.py"]
