"""What every connection to a Node's inspector needs, be the program watched once or followed step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.cdp.workers import Workers

if TYPE_CHECKING:
    from server.cdp.connection import Connection, WireMessage

_NODE_S_OWN_DOMAINS = ("NodeRuntime.", "NodeWorker.")


@dataclass(frozen=True, slots=True)
class WireEvent:
    """Something of the program's that the inspector tells."""

    method: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ReadyToPart:
    """The program has run to its end, and node waits only for its debugger to leave."""


class InspectorLink:
    """Keeps a program and its workers going wherever node itself waits for a debugger. Belongs to the owner."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.workers = Workers(connection)
        self.is_parted = False
        """Whether we left because the program was at its end."""

    def enable(self) -> None:
        """Ask for all that is to be heard; does not wait."""
        from cdp_protocol.generated import debugger, node_runtime

        self.connection.post(node_runtime.Enable())
        # V8 would keep the text of every evaluation for ever, and slow down with their number.
        self.connection.post(debugger.Enable(max_scripts_cache_size=0))
        self.connection.post(node_runtime.NotifyWhenWaitingForDisconnect(enabled=True))
        self.workers.watch()

    def release(self) -> None:
        """Let a program go that waits for its debugger; does not wait."""
        from cdp_protocol.generated import runtime

        self.connection.post(runtime.RunIfWaitingForDebugger())

    def part(self) -> None:
        """Leave a program that is at its end, so that it can exit."""
        self.is_parted = True
        self.connection.close()

    def note(self, message: WireMessage) -> WireEvent | ReadyToPart | None:
        """Take a message; what is node's own business is done here. An answer that nobody waits for is done with."""
        payload = message.payload
        if self.connection.settle(message) is not None or "method" not in payload:
            return None
        event = WireEvent(payload["method"], payload.get("params") or {})
        return self._note_node_event(event) if event.method.startswith(_NODE_S_OWN_DOMAINS) else event

    def _note_node_event(self, event: WireEvent) -> ReadyToPart | None:
        from cdp_protocol.events import decode_event
        from cdp_protocol.generated import node_runtime, node_worker

        match decode_event(event.method, event.params):
            case node_runtime.WaitingForDebugger():
                self.release()
            case node_runtime.WaitingForDisconnect():
                return ReadyToPart()
            case node_worker.AttachedToWorker() as attached:
                self.workers.note_attached(attached.session_id)
            case node_worker.ReceivedMessageFromWorker() as received:
                self.workers.note_message(received.session_id, received.message)
            case _:
                pass
        return None
