"""Worker threads of a program: each is let go as soon as it starts, and is not debugged.

Under `--inspect-brk` a worker waits for a debugger like the main thread, so one that nobody releases never runs.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cdp_protocol.base import CDPModel, Command
    from server.cdp.connection import Connection


class Workers:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.started = 0

    def watch(self) -> None:
        """Ask to be told of every worker; does not wait."""
        from cdp_protocol.generated import node_worker

        self._connection.post(node_worker.Enable(wait_for_debugger_on_start=False))

    def note_attached(self, session_id: str) -> None:
        """A worker has started: let it go. If it does not wait yet, it will tell when it does (but on Node 18)."""
        from cdp_protocol.generated import node_runtime

        self.started += 1
        self._tell(session_id, node_runtime.Enable())
        self._release(session_id)

    def note_message(self, session_id: str, message: str) -> None:
        """A worker says something; all that matters is whether it waits."""
        from cdp_protocol.generated import node_runtime

        if node_runtime.WaitingForDebugger.METHOD in message:
            self._release(session_id)

    def _release(self, session_id: str) -> None:
        from cdp_protocol.generated import runtime

        self._tell(session_id, runtime.RunIfWaitingForDebugger())

    def _tell(self, session_id: str, command: Command[CDPModel]) -> None:
        from cdp_protocol.generated import node_worker

        # Nobody reads the answers, so all messages may have the same number.
        message = json.dumps({"id": 1, "method": command.METHOD, "params": command.to_params()})
        self._connection.post(node_worker.SendMessageToWorker(message=message, session_id=session_id))
