"""What a session says of the program that it follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.debug.session_model import ProgramInfo
from server.errors import ConnectionFailedError

if TYPE_CHECKING:
    from cdp_protocol.generated.runtime import EvaluateResult
    from server.cdp.connection import Call, Connection

# Whether it was started to stand still before its first line is in its flags only.
_WHO_IT_IS = (
    "typeof process === 'object' && process ? [process.version, process.pid,"
    " /--inspect-brk/.test([process.execArgv, process.env.NODE_OPTIONS])] : []"
)


@dataclass(frozen=True, slots=True)
class _Answer:
    version: str = ""
    pid: int | None = None
    stops_at_start: bool = False


class ProgramFacts:
    """Belongs to the owner of the program."""

    def __init__(self, title: str, pid: int | None, cwd: str | None) -> None:
        self._title = title
        self._pid = pid
        self._cwd = cwd
        self._call: Call[EvaluateResult] | None = None
        self._answer = _Answer()

    def ask(self, connection: Connection) -> None:
        """Ask the program who it is; does not wait."""
        from cdp_protocol.generated import runtime

        self._call = connection.post(runtime.Evaluate(expression=_WHO_IT_IS, silent=True, return_by_value=True))

    def are_known(self) -> bool:
        """Whether it has answered, or never will."""
        if self._call is not None and self._call.settled:
            self._answer = _call_to_answer(self._call)
            self._call = None
        return self._call is None

    @property
    def stops_at_start(self) -> bool:
        """Whether it was started to stand still before its first line."""
        return self._answer.stops_at_start

    def info(self, *, is_attached: bool) -> ProgramInfo:
        """What is known by now."""
        runtime = f"Node.js {self._answer.version}" if self._answer.version else ""
        known_pid = self._pid if self._pid is not None else self._answer.pid
        return ProgramInfo(self._title, runtime, known_pid, is_attached, self._cwd)

    def refuse_other_process(self, wanted_pid: int | None) -> None:
        """Raise where the inspector that was found is not that of the process that was asked for."""
        pid = self._answer.pid
        if wanted_pid is not None and pid is not None and pid != wanted_pid:
            raise ConnectionFailedError(
                f"The inspector that was found belongs to the process {pid}, not to {wanted_pid}.",
                advice="Its own port is taken. Start the program with node --inspect=0, and give the port.",
            )


def _call_to_answer(call: Call[EvaluateResult]) -> _Answer:
    if call.failure is not None:
        return _Answer()
    match call.result().result.value:
        case [str(version), int(pid), bool(stops_at_start)]:
            return _Answer(version, pid, stops_at_start)
        case _:
            return _Answer()
