"""Stands in for a node that runs a program: `python -m tests.fake_node --inspect-brk=0 RECORDING`.

It announces an inspector as node does, has it replay the recording, and when its client has left, writes what the
program wrote and ends as the program ended. A conversation that was not recorded ends it at once, with the reason.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from tests.fake_inspector import FakeInspector, replay
from tests.recording.recording_file import Recording


def main(recording: Recording) -> int:
    with FakeInspector(replay(recording.messages)) as inspector:
        print(f"Debugger listening on {inspector.url}", file=sys.stderr)
        print("For help, see: https://nodejs.org/en/docs/inspector", file=sys.stderr, flush=True)
        inspector.wait_until_over()
    print(recording.about["stdout"], end="", flush=True)
    print(recording.about["stderr"], end="", file=sys.stderr, flush=True)
    if (signal_name := recording.about["exit"]["signal"]) is not None:
        os.kill(os.getpid(), signal.Signals[signal_name])
    code: int = recording.about["exit"]["code"]
    return code


if __name__ == "__main__":
    sys.exit(main(Recording.read(Path(sys.argv[-1]))))
