"""Node's own one-shot debugger, `node inspect --probe`, asked the same as we are."""

from __future__ import annotations

import json
import subprocess

from benchmarks import counting_program
from benchmarks.machine import node_version

_FIRST_VERSION = (24, 16)
_TIMEOUT_MS = 120_000


def is_part_of(node: str) -> bool:
    """Whether this node has it. By its version: an older one takes the option for a program to debug."""
    major, minor, _ = node_version(node).split(".", 2)
    return (int(major), int(minor)) >= _FIRST_VERSION


def debug(node: str, hits: int) -> None:
    """Debug the counting program from launch to end, and check every value."""
    completed = subprocess.run(_command(node, hits), check=True, capture_output=True)
    events = json.loads(completed.stdout)["results"]
    values = [json.loads(event["result"]["value"]) for event in events if event["event"] == "hit"]
    counting_program.check_values(values, hits)


def _command(node: str, hits: int) -> list[str]:
    # The file is matched as the end of a URL, where a folder above it could be spelt differently.
    place = f"{counting_program.FILE.name}:{counting_program.marked_line()}"
    # Of an object it would tell only that it is one; text comes whole.
    expression = f"JSON.stringify({counting_program.EXPRESSION})"
    probe = [node, "inspect", "--probe", place, "--expr", expression, "--json", f"--timeout={_TIMEOUT_MS}"]
    return [*probe, "--", *counting_program.command(node, hits)[1:]]
