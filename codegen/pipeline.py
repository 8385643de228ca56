"""The whole way from vendored inputs to generated files, and the check that they belong together."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from codegen.allowlist import select
from codegen.merge import merge
from codegen.pins import input_problems, load_pins
from codegen.render import render, require_generator
from codegen.snapshot import load_snapshot


class InputError(Exception):
    """A vendored input is not the one that was pinned."""


@dataclass(frozen=True)
class Layout:
    """Where the inputs are and where the models go."""

    codegen_dir: Path
    generated_dir: Path

    @classmethod
    def of_project(cls, root: Path) -> Layout:
        """The layout of a checkout."""
        return cls(root / "codegen", root / "cdp_protocol" / "generated")


def generate(layout: Layout) -> list[str]:
    """Write the generated package, remove what does not belong there, and name what changed."""
    wanted = _generated_files(layout)
    changed = [name for name in sorted(wanted) if _read(layout.generated_dir / name) != wanted[name]]
    stray = sorted(_present(layout) - wanted.keys())
    layout.generated_dir.mkdir(parents=True, exist_ok=True)
    for name in changed:
        (layout.generated_dir / name).write_text(wanted[name], encoding="utf-8")
    for name in stray:
        (layout.generated_dir / name).unlink()
    return [*changed, *stray]


def check(layout: Layout) -> list[str]:
    """What is wrong with the inputs or the generated package; nothing when all is as generated."""
    try:
        wanted = _generated_files(layout)
    except InputError as error:
        return str(error).splitlines()
    present = _present(layout)
    problems = [f"missing: {name}" for name in sorted(wanted.keys() - present)]
    problems += [f"extra: {name}" for name in sorted(present - wanted.keys())]
    for name in sorted(wanted.keys() & present):
        found = _read(layout.generated_dir / name) or ""
        if found != wanted[name]:
            problems.append(_describe_change(name, wanted[name], found))
    return problems


def _generated_files(layout: Layout) -> dict[str, str]:
    pins = load_pins(layout.codegen_dir)
    problems = input_problems(layout.codegen_dir, pins)
    if problems:
        raise InputError("\n".join(problems))
    require_generator(pins.generator)
    snapshots = [load_snapshot(layout.codegen_dir / path) for path in pins.snapshot_paths()]
    return render(select(merge(snapshots)))


def _present(layout: Layout) -> set[str]:
    files = (path for path in layout.generated_dir.rglob("*") if path.is_file())
    names = {path.relative_to(layout.generated_dir) for path in files if "__pycache__" not in path.parts}
    return {name.as_posix() for name in names}


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _describe_change(name: str, wanted: str, found: str) -> str:
    diff = list(difflib.unified_diff(wanted.splitlines(), found.splitlines(), n=0, lineterm=""))
    changed = [line for line in diff[2:] if line[:1] in "+-"]
    summary = "\n".join(f"    {line}" for line in changed[:10])
    return f"stale or edited: {name}, {len(changed)} lines differ\n{summary}"
