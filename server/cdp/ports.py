"""Fixed inspector ports: runs that name the same one take turns, and a foreign user is told at once."""

from __future__ import annotations

import errno
import socket
import threading

from server.cdp.inspector_flag import FLAG, InspectorAddress
from server.debug.inbox import Inbox
from server.errors import DeadlinePassed, TargetLaunchError

_LOOK_AGAIN_S = 0.05


class PortLeases:
    """Which fixed ports runs of this server hold. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: set[int] = set()

    def take(self, address: InspectorAddress, inbox: Inbox) -> None:
        """Wait for our own runs on this port; raise when somebody else listens there.

        Node itself would only print that the port is taken, and then run the program undebugged.
        """
        if address.port == 0:
            return
        while not self._try_take(address.port):
            _wait_a_moment(inbox)
        try:
            _assert_free(address)
        except TargetLaunchError:
            self.give_back(address)
            raise

    def give_back(self, address: InspectorAddress) -> None:
        """End a lease; idempotent."""
        with self._lock:
            self._held.discard(address.port)

    def _try_take(self, port: int) -> bool:
        with self._lock:
            if port in self._held:
                return False
            self._held.add(port)
            return True


def port_in_use_error(address: str) -> TargetLaunchError:
    """What an agent is told when the port belongs to somebody else."""
    return TargetLaunchError(
        f"The inspector's port is already in use: {address}",
        advice=f"Use {FLAG}=0 for any free port, or name another one.",
    )


def _wait_a_moment(inbox: Inbox) -> None:
    try:
        inbox.set_aside(inbox.next_unseen(inbox.deadline.earlier(_LOOK_AGAIN_S)))
    except DeadlinePassed:
        if inbox.deadline.passed:
            raise


def _assert_free(address: InspectorAddress) -> None:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As node does: a port whose last connections are only waiting to be forgotten is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address.host, address.port))
            probe.listen(1)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise port_in_use_error(f"{address.host}:{address.port}") from error
            # Anything else (a host without an address, no IPv6) is node's to report in its own words.
