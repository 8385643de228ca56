"""Small programs for the server to debug, with their lines found by marks, and a pipe on which they tell news."""

from __future__ import annotations

import json
import os
import select
import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.nodes import NODE

NEWS_BOUND_S = 60.0
TIMEOUT_MS = 60_000


def line_of(source: str, name: str) -> int:
    """The 1-based number of the line with the comment `// @bp name`."""
    numbers = [number for number, line in enumerate(source.splitlines(), 1) if line.endswith(f"// @bp {name}")]
    assert len(numbers) == 1, f"the mark {name!r} is on lines {numbers}"
    return numbers[0]


class Program:
    """A JavaScript file on disk."""

    def __init__(self, folder: Path, source: str, name: str = "program.js") -> None:
        self.path = folder / name
        self.path.write_text(source)
        self._source = source

    def call(
        self,
        expression: str,
        *words: str | Path,
        mark: str = "here",
        timeout: int = TIMEOUT_MS,
        node: str = NODE,
    ) -> dict[str, Any]:
        """The arguments of a call that watches the marked line; `words` are the program's own arguments."""
        return {
            "command": shlex.join([node, "--inspect-brk=0", str(self.path), *map(str, words)]),
            "breakpoint": {"file": str(self.path), "line": line_of(self._source, mark)},
            "expression": expression,
            "timeout": timeout,
        }


class News:
    """A named pipe: programs append lines, a test waits for them. It never has to guess how long things take."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "news"
        os.mkfifo(self.path)
        # Open at both ends, so that neither side has to be there first and writers may come and go.
        self._fd = os.open(self.path, os.O_RDWR)
        self._unread = b""

    def lines(self, count: int) -> list[str]:
        """Wait for the next `count` lines."""
        deadline = time.monotonic() + NEWS_BOUND_S
        while self._unread.count(b"\n") < count:
            readable, _, _ = select.select([self._fd], [], [], max(0.0, deadline - time.monotonic()))
            assert readable, f"waited for {count} lines, got {self._unread!r}"
            self._unread += os.read(self._fd, 65536)
        *lines, self._unread = self._unread.split(b"\n", count)
        return [line.decode() for line in lines]

    def is_empty(self) -> bool:
        """Whether nothing has been told beyond the lines that were taken."""
        readable, _, _ = select.select([self._fd], [], [], 0)
        return not readable and not self._unread

    def close(self) -> None:
        os.close(self._fd)


class Gate:
    """A named pipe at which programs wait: each reads one byte, and a test lets through as many as it likes."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "gate"
        os.mkfifo(self.path)
        self._fd = os.open(self.path, os.O_RDWR)

    def let_through(self, count: int) -> None:
        os.write(self._fd, b"." * count)

    def close(self) -> None:
        os.close(self._fd)


WAITING_AT_A_GATE = """\
const fs = require('fs');
const [news, gate, name] = process.argv.slice(2);
fs.appendFileSync(news, name + '\\n');
fs.readSync(fs.openSync(gate, 'r'), Buffer.alloc(1));
name; // @bp here
"""

TREE_PROGRAM = """\
const [newsPath, commands] = process.argv.slice(2);
const fs = require('fs');
const { spawn } = require('child_process');
const news = fs.openSync(newsPath, 'a');
process.on('SIGTERM', () => {});
for (const [file, ...args] of JSON.parse(commands)) {
  spawn(file, args, { stdio: ['ignore', news, 'ignore'] });
}
setInterval(() => fs.writeSync(news, `target ${process.pid}\\n`), 2 ** 30);
fs.writeSync(news, `target ${process.pid}\\n`); // @bp here
"""


class TreeProgram(Program):
    """A node program that stays, deaf to SIGTERM, and starts other programs that report to the same news."""

    def __init__(self, folder: Path, news: News) -> None:
        super().__init__(folder, TREE_PROGRAM, "tree.js")
        self._news = news

    def call_with_children(self, token: str, commands: Sequence[Sequence[str]], **options: Any) -> dict[str, Any]:
        """A call whose target has `token` in its arguments, like the children that `commands` start."""
        return self.call("process.pid", self._news.path, json.dumps(commands), token, **options)
