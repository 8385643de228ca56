"""Starts node commands, each in an environment of which only the command's own inspector comes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from server.errors import TargetLaunchError
from server.process.executable import resolve_executable
from server.process.launch_error import LaunchError
from server.process.launched_process import LaunchedProcess
from server.process.launcher import Launcher

_INSPECTOR_OPTION = re.compile(r"(?:^|\s)--inspect(?:-brk|-wait)?(?:=\S*)?(?=\s|$)")


def start_node(
    launcher: Launcher, argv: Sequence[str], cwd: str | None, env: Mapping[str, str] | None
) -> LaunchedProcess:
    """Start a command as it is, without a shell; `env` is added to our own."""
    environment = _environment({**os.environ, **(env or {})})
    try:
        executable = resolve_executable(argv[0], environment, cwd)
        return launcher.launch((executable, *argv[1:]), cwd=cwd, env=environment)
    except LaunchError as error:
        raise TargetLaunchError(f"The program could not be started: {error}") from error


def _environment(env: dict[str, str]) -> dict[str, str]:
    """The command has the flag that counts; in NODE_OPTIONS every child process would wait for a debugger too."""
    if options := env.get("NODE_OPTIONS"):
        env["NODE_OPTIONS"] = _INSPECTOR_OPTION.sub("", options).strip()
    return env
