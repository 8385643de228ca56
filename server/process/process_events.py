"""What a launched process tells its owner: frozen values that cross from its threads to the owner's inbox."""

import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Stream: TypeAlias = Literal["stdout", "stderr"]
STREAMS: tuple[Stream, ...] = ("stdout", "stderr")


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How the program ended: an exit code, or the name of the signal that killed it.

    Both are None when nobody can know: the guard that waits for the program was itself killed.
    """

    code: int | None
    signal: str | None


@dataclass(frozen=True, slots=True)
class OutputChunk:
    """Bytes that the program, or a descendant of it, wrote; cut anywhere, even inside a character."""

    stream: Stream
    data: bytes


@dataclass(frozen=True, slots=True)
class StreamEnded:
    """No more output comes from this stream."""

    stream: Stream


@dataclass(frozen=True, slots=True)
class ProcessExited:
    """The program itself ended. Descendants may live on, and output may still follow."""

    status: ExitStatus


ProcessEvent: TypeAlias = OutputChunk | StreamEnded | ProcessExited
Deliver: TypeAlias = Callable[[ProcessEvent], None]


def signal_number_to_name(number: int) -> str:
    """Return "SIGKILL" for 9; real-time signals, which Python does not name, become "SIG<number>"."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"
