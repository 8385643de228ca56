"""What the numbers depend on, without telling whose machine it was."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version

_PACKAGES = ("mcp", "pydantic", "websocket-client")


def load() -> float:
    """How many processes ran or wanted to, on average over the last minute."""
    return os.getloadavg()[0]


def facts(node: str, load_before: float) -> dict[str, str]:
    """Names and values, always in the same order; taken after the run that began with this load."""
    return {
        "Processor": f"{platform.machine()}, {os.cpu_count()} cores",
        "Operating system": f"{platform.system()} {_major_and_minor(platform.release())}",
        "Load": f"{load_before:.1f} before, {load():.1f} after; the run itself makes 1 to 2",
        "Python": platform.python_version(),
        "Node.js": node_version(node),
        **{package: version(package) for package in _PACKAGES},
    }


def _major_and_minor(release: str) -> str:
    """The part of a kernel's release that is no vendor's."""
    return ".".join(release.partition("-")[0].split(".")[:2])


def node_version(node: str) -> str:
    """As `24.21.0`."""
    completed = subprocess.run([node, "--version"], check=True, capture_output=True, text=True)
    return completed.stdout.strip().removeprefix("v")
