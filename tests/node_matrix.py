"""Install every Node.js that we promise to work with, for `make test-matrix` and the benchmarks.

`python -m tests.node_matrix` puts each version into `.node/<major>` of the checkout, once, and prints a line for each:
its major version and the path of its binary. The versions are those whose protocol codegen/PINNED.json pins.
"""

from __future__ import annotations

import platform
import shutil
import sys
import tempfile
from pathlib import Path

from codegen.npm_package import NpmError, unpack_npm_package
from codegen.pins import load_pins

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".node"
_ARCHITECTURES = {"x86_64": "x64", "aarch64": "arm64"}


def pinned_versions() -> dict[int, str]:
    """The exact version of each major one, oldest first."""
    files = load_pins(ROOT / "codegen").files
    versions = {file.version for file in files if file.path.startswith("protocol/node/")}
    return {int(version.partition(".")[0]): version for version in sorted(versions)}


def installed_node(major: int) -> str:
    """The path of a node of this major version; installs it where it is not there yet."""
    version = pinned_versions()[major]
    folder = FOLDER / str(major)
    marker = folder / f".{version}"
    if not marker.exists():
        _install(version, folder)
        marker.touch()
    return str(folder / "bin" / "node")


def _install(version: str, folder: Path) -> None:
    machine = platform.machine()
    package = f"node-{sys.platform}-{_ARCHITECTURES.get(machine, machine)}"
    FOLDER.mkdir(exist_ok=True)
    # Beside its final place, so that the last step is one rename and no half of an installation is ever seen.
    with tempfile.TemporaryDirectory(dir=FOLDER) as directory:
        unpacked = unpack_npm_package(package, version, Path(directory))
        shutil.rmtree(folder, ignore_errors=True)
        unpacked.rename(folder)


def main() -> int:
    try:
        for major in pinned_versions():
            print(major, installed_node(major))
    except NpmError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
