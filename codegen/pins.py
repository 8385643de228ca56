"""The inputs of the generator: where each came from, and the hash that it must have."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

PIN_FILE = "PINNED.json"
INPUT_DIR = "protocol"


@dataclass(frozen=True)
class PinnedFile:
    """One vendored file. ``origin`` says which part of the npm package it was made from."""

    path: str
    package: str
    version: str
    origin: str
    sha256: str


@dataclass(frozen=True)
class Pins:
    """Everything that decides what is generated, but for our own code. Snapshots are most trusted first."""

    generator: str
    files: tuple[PinnedFile, ...]

    def snapshot_paths(self) -> list[str]:
        """The protocol descriptions among the files, in order."""
        return [file.path for file in self.files if file.path.endswith(".json")]


def load_pins(codegen_dir: Path) -> Pins:
    """Read PINNED.json."""
    raw = json.loads((codegen_dir / PIN_FILE).read_text(encoding="utf-8"))
    return Pins(raw["generator"], tuple(PinnedFile(**file) for file in raw["files"]))


def save_pins(codegen_dir: Path, pins: Pins) -> None:
    """Write PINNED.json."""
    text = json.dumps(asdict(pins), indent=2) + "\n"
    (codegen_dir / PIN_FILE).write_text(text, encoding="utf-8")


def rehash(codegen_dir: Path, pins: Pins) -> Pins:
    """The same pins with the hashes that the files have now."""
    files = (replace(file, sha256=sha256_of(codegen_dir / file.path)) for file in pins.files)
    return replace(pins, files=tuple(files))


def input_problems(codegen_dir: Path, pins: Pins) -> list[str]:
    """What is wrong with the vendored inputs, a line each; nothing when they are as pinned."""
    pinned = {file.path: file for file in pins.files}
    present = {
        path.relative_to(codegen_dir).as_posix() for path in (codegen_dir / INPUT_DIR).rglob("*") if path.is_file()
    }
    problems = [f"missing input: codegen/{path}" for path in sorted(pinned.keys() - present)]
    problems += [f"input without a pin: codegen/{path}" for path in sorted(present - pinned.keys())]
    for path in sorted(present & pinned.keys()):
        found = sha256_of(codegen_dir / path)
        if found != pinned[path].sha256:
            problems.append(f"changed input: codegen/{path} has sha256 {found}, pinned {pinned[path].sha256}")
    return problems


def sha256_of(path: Path) -> str:
    """The hash of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
