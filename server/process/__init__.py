"""Launch a program, carry its output, and leave nothing of it behind."""

from server.process.executable import resolve_executable
from server.process.launch_error import LaunchError, LaunchFailure
from server.process.launched_process import LaunchedProcess
from server.process.launcher import Launcher
from server.process.process_events import (
    Deliver,
    ExitStatus,
    OutputChunk,
    ProcessEvent,
    ProcessExited,
    Stream,
    StreamEnded,
)

__all__ = [
    "Deliver",
    "ExitStatus",
    "LaunchError",
    "LaunchFailure",
    "LaunchedProcess",
    "Launcher",
    "OutputChunk",
    "ProcessEvent",
    "ProcessExited",
    "Stream",
    "StreamEnded",
    "resolve_executable",
]
