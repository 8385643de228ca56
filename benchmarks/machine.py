"""What the numbers depend on, without telling whose machine it was."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version

_PACKAGES = ("mcp", "pydantic", "websocket-client")


def facts(node: str) -> dict[str, str]:
    """Names and values, always in the same order."""
    return {
        "Processor": f"{platform.machine()}, {os.cpu_count()} cores",
        "Operating system": f"{platform.system()} {_major_and_minor(platform.release())}",
        "Load when it began": f"{os.getloadavg()[0]:.1f} processes that run or want to",
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
