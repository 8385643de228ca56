"""Brings Node.js programs under the hands of sessions."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from pathlib import Path

from server.cdp.attach_target import find_attach_target
from server.cdp.attached_node import AttachedNode
from server.cdp.debuggee import NodeDebuggee
from server.cdp.inspector_flag import find_inspector_address, with_inspector_flag
from server.cdp.launched_node import LaunchedNode
from server.cdp.node_start import start_node
from server.cdp.ports import PortLeases
from server.config import Settings
from server.debug.inbox import Inbox
from server.debug.session_model import AttachSpec, LaunchSpec
from server.process.launcher import Launcher


class NodeSessionBackend:
    """Implements `server.debug.backend.SessionBackend`; one for a server, used by many threads."""

    def __init__(self, launcher: Launcher, settings: Settings) -> None:
        self._launcher = launcher
        self._settings = settings
        self._ports = PortLeases()

    def launch(self, spec: LaunchSpec, inbox: Inbox) -> NodeDebuggee:
        """Start a command, without a shell, in such a way that it waits for its debugger."""
        argv = with_inspector_flag(spec.argv)
        address = find_inspector_address(argv)
        self._ports.take(address, inbox)
        with ExitStack() as undo:
            undo.callback(self._ports.give_back, address)
            process = start_node(self._launcher, argv, spec.cwd, spec.env)
            undo.callback(process.end)
            debuggee = NodeDebuggee(
                LaunchedNode(process, inbox, self._settings.max_message_bytes),
                inbox,
                self._settings,
                title=shlex.join(spec.argv),
                roots=(str(Path(spec.cwd or "").absolute()),),
                on_end=lambda: self._ports.give_back(address),
            )
            undo.pop_all()
        return debuggee

    def attach(self, spec: AttachSpec, inbox: Inbox) -> NodeDebuggee:
        """Find the inspector of a program that runs; it is connected to afterwards."""
        target = find_attach_target(spec, inbox, allow_remote_hosts=self._settings.allow_remote_hosts)
        node = AttachedNode(target, inbox, self._settings.max_message_bytes)
        return NodeDebuggee(node, inbox, self._settings, title=target.title, roots=(), on_end=lambda: None)
