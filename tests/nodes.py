"""The Node.js under test.

`DEBUG_SCRIPT_TEST_NODE` names a binary; without it, it is the one that the server itself would take. `make
test-matrix` runs the tests that are marked `matrix` once for each version that it installed (tests/node_matrix.py).
"""

from __future__ import annotations

import os
import subprocess

from server.process.executable import resolve_executable

NODE = os.environ.get("DEBUG_SCRIPT_TEST_NODE") or resolve_executable("node", None, None)
"""The absolute path of the binary."""


def _major_version(node: str) -> int:
    version = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout
    return int(version.strip().removeprefix("v").partition(".")[0])


NODE_MAJOR = _major_version(NODE)
"""Its major version: 20 for v20.11.1."""
