"""The form of tests/recordings/node<major>/<case>.jsonl.

The first line tells how the program ended and what it wrote. Every other line is one thing that the inspector said,
in its order: an event, or the answer to a command, which stands beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Message = dict[str, Any]

RECORDINGS = Path(__file__).resolve().parents[1] / "recordings"
PUBLIC_PROGRAMS = "/programs"
"""The folder of the recorded programs, as the recordings call it."""
OUR_SOURCE = "(source text of the server's own)"
_LONGEST_EXPRESSION = 2_000


@dataclass(frozen=True)
class Recording:
    """One run of one program under one Node.js."""

    about: Message
    messages: list[Message]

    @staticmethod
    def read(path: Path) -> Recording:
        """Read what `write` wrote."""
        about, *messages = (json.loads(line) for line in path.read_text("ascii").splitlines())
        return Recording(about, messages)

    def write(self, path: Path) -> int:
        """Write it, one message a line; returns the size."""
        lines = [json.dumps(message) + "\n" for message in (self.about, *self.messages)]
        return path.write_text("".join(lines), "ascii")

    def events(self) -> Iterable[Message]:
        """What came unasked."""
        return (message for message in self.messages if "event" in message)

    def answers(self) -> Iterable[Message]:
        """What was asked for."""
        return (message for message in self.messages if "command" in message)


def comparable_params(params: Message) -> Message:
    """The parameters of a command without the injected source, which changes for reasons of its own."""
    if len(str(params.get("expression", ""))) <= _LONGEST_EXPRESSION:
        return params
    return {**params, "expression": OUR_SOURCE}
