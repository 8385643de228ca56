"""Make tests/recordings again from real runs: `python -m tests.record`.

Each case runs a small program through the server's own code, with a tap between it and Node's inspector. What is
written is what the inspector said, in its order; an answer stands with the command that it answers. Where and
when it was recorded is taken out, so that two recordings of one Node.js are the same bytes.

The Node.js versions to record come from --node, else from the environment variable DEBUG_SCRIPT_NODES
("18=/path/to/node;20=/path/to/node"), else it is the `node` on PATH. The version is what the binary says of itself.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from server.cdp.announcement import without_inspector_chatter
from server.cdp.backend import NodeBackend
from server.cdp.inspector_socket import InspectorSocket
from server.cdp.script_urls import file_to_url_pattern
from server.config import Settings
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.model import Outcome, ScriptRun, SourceLine
from server.debug.results import ResultStore
from server.debug.run import run_script
from server.process.launcher import Launcher
from server.process.process_events import OutputChunk

Message = dict[str, Any]

TESTS = Path(__file__).resolve().parent
PROGRAMS = TESTS / "programs" / "recorded"
RECORDINGS = TESTS / "recordings"
PUBLIC_PROGRAMS = "/programs"
NODES_VARIABLE = "DEBUG_SCRIPT_NODES"
RUN_S = 30.0
INTERNAL_SCRIPTS = 2
"""How many of Node's own scripts, which are a hundred, stay in a recording."""
MOST_FRAMES = 2
"""How much of a stack stays: the frame that counts and the one that called it."""
LONGEST_SOURCE = 2_000
"""An expression longer than this is the serialiser's, which changes for reasons of its own."""


@dataclass(frozen=True)
class Case:
    """One run that is worth a recording."""

    name: str
    program: str
    marker: str
    expression: str
    watched: str | None = None
    """The file of the breakpoint, where that is not the program."""

    def source_line(self, folder: str) -> SourceLine:
        """The breakpoint, in whichever folder the programs are said to be."""
        file = self.watched or self.program
        return SourceLine(f"{folder}/{file}", marked_line(PROGRAMS / file, self.marker))


CASES = (
    Case("loop", "loop.js", "body", "{item, total}"),
    Case("esm", "module.mjs", "short", "short"),
    Case("throwing", "throws.js", "check", "count"),
    Case("never_hit", "loop.js", "unreached", "1"),
    Case("no_code", "loop.js", "end", "1"),
    Case("not_loaded", "loop.js", "short", "1", watched="module.mjs"),
    Case("bad_expression", "loop.js", "body", "total +"),
    Case("throwing_expression", "loop.js", "body", "item.missing.name"),
)


def marked_line(file: Path, marker: str) -> int:
    """The 1-based line that says `@bp marker`."""
    lines = file.read_text("utf-8").splitlines()
    [line] = [number for number, text in enumerate(lines, 1) if re.search(rf"@bp {marker}\b", text)]
    return line


# --- the tap ------------------------------------------------------------------------------------------------


@dataclass
class Tap:
    """Everything that passed. Sending and receiving happen on two threads: each list has one writer."""

    sent: list[Message] = field(default_factory=list)
    received: list[Message] = field(default_factory=list)


class TappedSocket:
    """An inspector socket that notes what goes through it."""

    def __init__(self, socket: InspectorSocket, tap: Tap) -> None:
        self._socket = socket
        self._tap = tap
        self.abort = socket.abort
        self.close = socket.close

    def send(self, text: str) -> None:
        self._tap.sent.append(json.loads(text))
        self._socket.send(text)

    def receive(self) -> str | bytes:
        text = self._socket.receive()
        if text:
            self._tap.received.append(json.loads(text))
        return text


class TappedInbox(Inbox):
    """An inbox that notes what the program wrote."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__(deadline)
        self.output: dict[str, bytes] = {"stdout": b"", "stderr": b""}

    def put(self, message: object) -> None:
        if isinstance(message, OutputChunk):
            self.output[message.stream] += message.data
        super().put(message)


def record(case: Case, node: str, launcher: Launcher) -> list[Message]:
    """Run one case under one Node.js: a line about the run, then what the inspector said."""
    tap, inbox = Tap(), TappedInbox(Deadline.after(RUN_S))
    run = ScriptRun(
        argv=(node, "--inspect-brk=0", str(PROGRAMS / case.program)),
        breakpoint=case.source_line(str(PROGRAMS)),
        expression=case.expression,
        env={"NODE_OPTIONS": "", "NO_COLOR": "1", "FORCE_COLOR": "0"},
    )

    def connect(url: str, deadline: Deadline, max_message_bytes: int) -> TappedSocket:
        return TappedSocket(InspectorSocket.connect(url, deadline, max_message_bytes), tap)

    with mock.patch("server.cdp.target.InspectorSocket") as tapped:
        tapped.connect = connect
        report = run_script(run, NodeBackend(launcher, Settings()), inbox, ResultStore(1 << 20))
    if report.outcome is not Outcome.PROGRAM_ENDED or report.exit is None:
        raise RuntimeError(f"{case.name} with {node}: {report}")
    about = {
        "case": case.name,
        "stdout": inbox.output["stdout"].decode(),
        "stderr": without_inspector_chatter(inbox.output["stderr"].decode()),
        "exit": {"code": report.exit.code, "signal": report.exit.signal},
    }
    return Sanitiser(case).clean([about, *in_one_order(tap)])


# --- one order ----------------------------------------------------------------------------------------------


def in_one_order(tap: Tap) -> Iterator[Message]:
    """What the inspector said, each answer beside its command, without what depends on the moment."""
    commands = {command["id"]: command for command in tap.sent}
    for message in _reduced(tap.received):
        if "id" not in message:
            yield {"event": message["method"], "params": message.get("params", {})}
            continue
        command = commands[message["id"]]
        answer: Message = {key: message[key] for key in ("result", "error") if key in message}
        yield {"command": command["method"], "params": command["params"], **answer}
        if command["method"] == "NodeRuntime.enable" and _tells_when_it_waits(tap.received):
            yield {"event": "NodeRuntime.waitingForDebugger", "params": {}}


def _reduced(received: list[Message]) -> Iterator[Message]:
    internal_scripts = 0
    for message in received:
        if message.get("method") == "NodeRuntime.waitingForDebugger":
            continue  # comes just before or just after the answer to NodeRuntime.enable: told there
        if message.get("method") == "Debugger.scriptParsed" and message["params"]["url"].startswith("node:"):
            internal_scripts += 1
            if internal_scripts > INTERNAL_SCRIPTS:
                continue
        yield message


def _tells_when_it_waits(received: list[Message]) -> bool:
    return any(message.get("method") == "NodeRuntime.waitingForDebugger" for message in received)


def without_repeated_releases(messages: Iterable[Message]) -> Iterator[Message]:
    """One `runIfWaitingForDebugger` is enough: how often it was sent depends on the moment."""
    released = False
    for message in messages:
        if message.get("command") == "Runtime.runIfWaitingForDebugger":
            if released:
                continue
            released = True
        yield message


# --- nothing of where and when ------------------------------------------------------------------------------


class Sanitiser:
    """Takes out what differs from machine to machine and from run to run."""

    def __init__(self, case: Case) -> None:
        watched = case.watched or case.program
        self._replacements = [
            (file_to_url_pattern(f"{PROGRAMS}/{watched}"), file_to_url_pattern(f"{PUBLIC_PROGRAMS}/{watched}")),
            (str(PROGRAMS), PUBLIC_PROGRAMS),
        ]
        self._script_ids: dict[str, str] = {}

    def clean(self, messages: Iterable[Message]) -> list[Message]:
        """The messages as they are written."""
        return [self._value("", message) for message in without_repeated_releases(messages)]

    def _value(self, key: str, value: Any) -> Any:
        match value:
            case dict():
                return {name: self._value(name, item) for name, item in _without_noise(value).items()}
            case list() if key == "callFrames":
                return [self._value("", frame) for frame in value[:MOST_FRAMES]]
            case list():
                return [self._value("", item) for item in value]
            case str():
                return self._text(key, value)
            case _:
                return value

    def _text(self, key: str, text: str) -> str:
        match key:
            case "scriptId":
                return self._script_ids.setdefault(text, str(len(self._script_ids) + 1))
            case "callFrameId" | "objectId":
                return re.sub(r"^-?\d+\.", "1.", text)  # the isolate has a random number
            case "hash" | "uniqueId" | "debuggerId":
                return "0"
            case "expression" if len(text) > LONGEST_SOURCE:
                return "(the serialiser)"
        for secret, public in self._replacements:
            text = text.replace(secret, public)
        return text


def _without_noise(value: Message) -> Message:
    """A description of a script without what Node's and our own source text decide."""
    if value.get("url", "").startswith("node:"):
        return {key: item for key, item in value.items() if key != "stackTrace"}
    if value.get("url") == "" and value.get("length", 0) > LONGEST_SOURCE:
        return {**value, "endLine": 0, "endColumn": 0, "length": 0}
    return value


# --- the command line ---------------------------------------------------------------------------------------


def nodes_from_environment(text: str) -> list[str]:
    """The paths in a value of DEBUG_SCRIPT_NODES."""
    return [entry.partition("=")[2] for entry in text.split(";") if entry.strip()]


def version_folder(node: str) -> str:
    """`node20` for a node that says that it is v20.11.1."""
    version = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout
    return "node" + version.strip().removeprefix("v").partition(".")[0]


def write_recordings(node: str, launcher: Launcher, folder: Path) -> int:
    """Record every case with one node, in place of what was there; returns the bytes written."""
    size = 0
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.jsonl"):
        stale.unlink()
    for case in CASES:
        lines = [json.dumps(message, ensure_ascii=True) + "\n" for message in record(case, node, launcher)]
        size += (folder / f"{case.name}.jsonl").write_text("".join(lines), "ascii")
    return size


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.record", description="Record what Node.js says.")
    parser.add_argument("--node", action="append", metavar="PATH", help="a node binary; may be repeated")
    parser.add_argument("--into", type=Path, default=RECORDINGS, help="the folder to write to")
    options = parser.parse_args()
    nodes = options.node or nodes_from_environment(os.environ.get(NODES_VARIABLE, "")) or [shutil.which("node")]
    if None in nodes:
        parser.error(f"there is no node on PATH: give --node or set {NODES_VARIABLE}")
    launcher = Launcher()
    try:
        for node in nodes:
            name = version_folder(node)
            print(f"{name}: {len(CASES)} cases, {write_recordings(node, launcher, options.into / name)} bytes")
    finally:
        launcher.close()


if __name__ == "__main__":
    main()
