"""Get the pinned inputs again, from npm. Nothing else in here uses the network.

The npm package ``devtools-protocol`` carries the protocol as a file. Node's own description is only to be
had from a running node, so its package is unpacked and started with its inspector on a free loopback port.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import urllib.request
from itertools import groupby
from pathlib import Path

from codegen.npm_package import unpack_npm_package
from codegen.pins import PinnedFile, input_problems, load_pins, rehash, save_pins
from codegen.snapshot import Json, objects_in

_SERVED = "/json/protocol"
_OWN_DOMAINS = ("NodeRuntime", "NodeWorker")
_SHARED_DOMAINS = ("Debugger", "HeapProfiler", "Profiler", "Runtime")
_LICENSE_END = "The externally maintained libraries"
_TIMEOUT_S = 30


class FetchError(Exception):
    """An input is not what was pinned, or node did not serve it."""


def fetch(codegen_dir: Path, *, repin: bool) -> list[str]:
    """Write every pinned input and name them. With ``repin`` their hashes become the pinned ones."""
    pins = load_pins(codegen_dir)
    by_package = sorted(pins.files, key=lambda file: (file.package, file.version))
    for (package, version), files in groupby(by_package, key=lambda file: (file.package, file.version)):
        with tempfile.TemporaryDirectory(prefix="codegen-") as directory:
            unpacked = unpack_npm_package(package, version, Path(directory))
            for file in files:
                _write_input(codegen_dir / file.path, _make_input(file, unpacked))
    if repin:
        save_pins(codegen_dir, rehash(codegen_dir, pins))
    elif problems := input_problems(codegen_dir, pins):
        raise FetchError("\n".join([*problems, "to accept: python -m codegen fetch --repin"]))
    return [file.path for file in pins.files]


def _make_input(file: PinnedFile, unpacked: Path) -> str:
    if file.origin == _SERVED:
        return _to_text(trim_served(_ask_node(unpacked / "bin" / "node")))
    text = (unpacked / file.origin).read_text(encoding="utf-8")
    # Node's licence goes on for thousands of lines about libraries of which nothing is taken.
    return text.partition(_LICENSE_END)[0].rstrip() + "\n" if file.path.endswith("LICENSE") else text


def _write_input(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _to_text(snapshot: Json) -> str:
    return json.dumps(snapshot, indent=1) + "\n"


def _ask_node(node: Path) -> Json:
    """The protocol as a running node describes it."""
    command = [str(node), "--inspect-brk=0", "--eval", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            announced = re.search(r"ws://(127\.0\.0\.1:\d+)/", process.stderr.readline())
            if announced is None:
                raise FetchError(f"{node.name} did not announce its inspector")
            with urllib.request.urlopen(f"http://{announced[1]}{_SERVED}", timeout=_TIMEOUT_S) as answer:
                served: Json = json.load(answer)
        finally:
            process.kill()
    return served


def trim_served(served: Json) -> Json:
    """Keep Node's own domains whole, and of those that V8 describes better what decides optionality."""
    domains = {domain["domain"]: domain for domain in served["domains"]}
    for name in _SHARED_DOMAINS:
        for node in objects_in(domains[name]):
            if isinstance(node.get("description"), str):
                del node["description"]
    return {"domains": [domains[name] for name in (*_OWN_DOMAINS, *_SHARED_DOMAINS)]}
