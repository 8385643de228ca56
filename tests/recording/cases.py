"""The runs that are worth a recording, each by the server's own code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from server.cdp.announcement import without_inspector_chatter
from server.cdp.backend import NodeBackend
from server.config import Settings
from server.debug.deadline import Deadline
from server.debug.model import Outcome, ScriptRun, SourceLine
from server.debug.results import ResultStore
from server.debug.run import run_script
from server.process.launcher import Launcher
from tests.recording.recording_file import Recording
from tests.recording.sanitiser import Sanitiser
from tests.recording.tap import TappedInbox, tapped_sockets

PROGRAMS = Path(__file__).resolve().parents[1] / "programs" / "recorded"
ENVIRONMENT = {"NODE_OPTIONS": "", "NO_COLOR": "1", "FORCE_COLOR": "0"}
RUN_S = 60.0


@dataclass(frozen=True)
class Case:
    """One run that is worth a recording."""

    name: str
    program: str
    marker: str
    expression: str
    watched: str | None = None
    """The file of the breakpoint, where that is not the program."""
    lines_below: int = 0
    """How far below the marked line the breakpoint is."""

    @property
    def watched_file(self) -> str:
        """The name of the file of the breakpoint."""
        return self.watched or self.program

    def source_line(self, folder: str) -> SourceLine:
        """The breakpoint, in whichever folder the programs are said to be."""
        line = marked_line(PROGRAMS / self.watched_file, self.marker) + self.lines_below
        return SourceLine(f"{folder}/{self.watched_file}", line)


CASES = (
    Case("loop", "loop.js", "body", "{item, total}"),
    Case("esm", "module.mjs", "short", "short"),
    Case("throwing", "throws.js", "check", "count"),
    Case("never_hit", "loop.js", "unreached", "1"),
    Case("moved", "loop.js", "comment", "total"),
    Case("past_the_end", "loop.js", "end", "1", lines_below=100),
    Case("not_loaded", "loop.js", "short", "1", watched="module.mjs"),
    Case("bad_expression", "loop.js", "body", "total +"),
    Case("throwing_expression", "loop.js", "body", "item.missing.name"),
)


def marked_line(file: Path, marker: str) -> int:
    """The 1-based line that says `@bp marker`."""
    lines = file.read_text("utf-8").splitlines()
    [line] = [number for number, text in enumerate(lines, 1) if re.search(rf"@bp {marker}\b", text)]
    return line


def record_case(case: Case, node: str, launcher: Launcher) -> Recording:
    """Run one case under one Node.js and keep what was said."""
    inbox = TappedInbox(Deadline.after(RUN_S))
    run = ScriptRun(
        argv=(node, "--inspect-brk=0", str(PROGRAMS / case.program)),
        breakpoint=case.source_line(str(PROGRAMS)),
        expression=case.expression,
        env=ENVIRONMENT,
    )
    with tapped_sockets() as tap:
        report = run_script(run, NodeBackend(launcher, Settings()), inbox, ResultStore(1 << 20))
    if report.outcome is not Outcome.PROGRAM_ENDED or report.exit is None:
        raise RuntimeError(f"{case.name} with {node}: {report}")
    about = {
        "case": case.name,
        "stdout": inbox.output["stdout"].decode(),
        "stderr": without_inspector_chatter(inbox.output["stderr"].decode()),
        "exit": {"code": report.exit.code, "signal": report.exit.signal},
    }
    about, *messages = Sanitiser(node, str(PROGRAMS), case.watched_file).clean([about, *tap.in_one_order()])
    return Recording(about, messages)
