"""Launches Node.js programs under their inspector."""

from __future__ import annotations

from contextlib import ExitStack

from server.cdp.inspector_flag import find_inspector_address
from server.cdp.node_start import start_node
from server.cdp.ports import PortLeases
from server.cdp.target import NodeTarget
from server.config import Settings
from server.debug.inbox import Inbox
from server.debug.model import ScriptRun
from server.process.launcher import Launcher


class NodeBackend:
    """Implements `server.debug.backend.Backend`; one for a server, used by many threads."""

    def __init__(self, launcher: Launcher, settings: Settings) -> None:
        self._launcher = launcher
        self._settings = settings
        self._ports = PortLeases()

    def launch(self, run: ScriptRun, inbox: Inbox) -> NodeTarget:
        """Start the command of a run as it is, without a shell."""
        address = find_inspector_address(run.argv)
        self._ports.take(address, inbox)
        with ExitStack() as undo:
            undo.callback(self._ports.give_back, address)
            process = start_node(self._launcher, run.argv, run.cwd, run.env)
            undo.callback(process.end)
            target = NodeTarget(run, process, inbox, self._settings, on_end=lambda: self._ports.give_back(address))
            undo.pop_all()
        return target
