"""What a session says of the program that it follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.debug.session_model import ProgramInfo
from server.errors import ConnectionFailedError

if TYPE_CHECKING:
    from cdp_protocol.generated.runtime import EvaluateResult
    from server.cdp.connection import Call, Connection

_VERSION_AND_PID = "typeof process === 'object' && process ? [process.version, process.pid] : []"


class ProgramFacts:
    """Belongs to the owner of the program."""

    def __init__(self, title: str, pid: int | None, cwd: str | None) -> None:
        self._title = title
        self._pid = pid
        self._cwd = cwd
        self._call: Call[EvaluateResult] | None = None

    def ask(self, connection: Connection) -> None:
        """Ask the program who it is; does not wait."""
        from cdp_protocol.generated import runtime

        self._call = connection.post(runtime.Evaluate(expression=_VERSION_AND_PID, silent=True, return_by_value=True))

    @property
    def are_known(self) -> bool:
        """Whether it has answered, or never will."""
        return self._call is not None and self._call.settled

    def info(self, *, is_attached: bool) -> ProgramInfo:
        """What is known by now."""
        version, pid = self._answer()
        runtime = f"Node.js {version}" if version else ""
        known_pid = self._pid if self._pid is not None else pid
        return ProgramInfo(self._title, runtime, known_pid, is_attached, self._cwd)

    def refuse_other_process(self, wanted_pid: int | None) -> None:
        """Raise where the inspector that was found is not that of the process that was asked for."""
        _, pid = self._answer()
        if wanted_pid is not None and pid is not None and pid != wanted_pid:
            raise ConnectionFailedError(
                f"The inspector that was found belongs to the process {pid}, not to {wanted_pid}.",
                advice="Its own port is taken. Start the program with node --inspect=0, and give the port.",
            )

    def _answer(self) -> tuple[str, int | None]:
        if self._call is None or self._call.answer is None:
            return "", None
        match self._call.result().result.value:
            case [str(version), int(pid)]:
                return version, pid
            case _:
                return "", None
