"""Launches Node.js programs under their inspector."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack

from server.cdp.inspector_flag import find_inspector_address
from server.cdp.ports import PortLeases
from server.cdp.target import NodeTarget
from server.config import Settings
from server.debug.inbox import Inbox
from server.debug.model import ScriptRun
from server.errors import TargetLaunchError
from server.process.executable import resolve_executable
from server.process.launch_error import LaunchError
from server.process.launched_process import LaunchedProcess
from server.process.launcher import Launcher

_INSPECTOR_OPTION = re.compile(r"(?:^|\s)--inspect(?:-brk|-wait)?(?:=\S*)?(?=\s|$)")


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
            process = self._start(run)
            undo.callback(process.end)
            target = NodeTarget(run, process, inbox, self._settings, on_end=lambda: self._ports.give_back(address))
            undo.pop_all()
        return target

    def _start(self, run: ScriptRun) -> LaunchedProcess:
        env = _environment({**os.environ, **(run.env or {})})
        try:
            executable = resolve_executable(run.argv[0], env, run.cwd)
            return self._launcher.launch((executable, *run.argv[1:]), cwd=run.cwd, env=env)
        except LaunchError as error:
            raise TargetLaunchError(f"The program could not be started: {error}") from error


def _environment(env: dict[str, str]) -> dict[str, str]:
    """The command has the flag that counts; in NODE_OPTIONS every child process would wait for a debugger too."""
    if options := env.get("NODE_OPTIONS"):
        env["NODE_OPTIONS"] = _INSPECTOR_OPTION.sub("", options).strip()
    return env
