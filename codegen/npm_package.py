"""Unpack one package of npm, without installing it."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path


class NpmError(Exception):
    """npm is missing, or could not bring a package."""


def unpack_npm_package(package: str, version: str, directory: Path) -> Path:
    """Put `package@version` into an empty directory; returns the folder of its files."""
    # npm checks the archive against the registry's own hash.
    command = ["npm", "pack", "--silent", f"{package}@{version}"]
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise NpmError("npm is not on PATH: install Node.js with npm") from error
    archives = list(directory.glob("*.tgz"))
    if done.returncode or len(archives) != 1:
        raise NpmError(f"npm pack {package}@{version} failed:\n{done.stderr}")
    with tarfile.open(archives[0]) as archive:
        archive.extractall(directory, filter="data")
    archives[0].unlink()
    return directory / "package"
