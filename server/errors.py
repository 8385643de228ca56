"""Everything that this server raises on purpose.

DebugError                      has a code, a message and, often, advice on what to do next
├── InvalidArgumentsError       the request itself cannot be served as it is
├── TargetLaunchError           the program could not be started under its debugger
├── ConnectionFailedError       the program started, its debugger could not be reached
├── ProtocolError               the debugger refused a command (keeps the command's name)
└── DisconnectedError           the debugger went away while an answer was owed
RunInterrupted                  not a fault: the owner has to stop waiting
├── DeadlinePassed              the time of the request is used up
└── CancelRequested             the client does not want the answer any more
"""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """One for each kind of failure, for code that has to tell them apart; an agent reads the message."""

    INVALID_PARAMETERS = "INVALID_PARAMETERS"
    LAUNCH_FAILED = "LAUNCH_FAILED"
    CONNECTION_FAILED = "CONNECTION_FAILED"
    PROTOCOL_ERROR = "PROTOCOL_ERROR"
    DISCONNECTED = "DISCONNECTED"


class DebugError(Exception):
    """A failure with a code, told to the agent together with what would help."""

    code: ErrorCode

    def __init__(self, message: str, *, advice: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice

    def __str__(self) -> str:
        return self.message if self.advice is None else f"{self.message}\n{self.advice}"


class InvalidArgumentsError(DebugError):
    """The request cannot be served as it is."""

    code = ErrorCode.INVALID_PARAMETERS


class TargetLaunchError(DebugError):
    """The program could not be started under its debugger."""

    code = ErrorCode.LAUNCH_FAILED


class ConnectionFailedError(DebugError):
    """The program runs, but its debugger cannot be reached."""

    code = ErrorCode.CONNECTION_FAILED


class ProtocolError(DebugError):
    """The debugger answered a command with an error."""

    code = ErrorCode.PROTOCOL_ERROR

    def __init__(self, method: str, wire_code: int, wire_message: str) -> None:
        super().__init__(f"{method} failed: {wire_message} ({wire_code})")
        self.method = method
        self.wire_code = wire_code
        self.wire_message = wire_message


class DisconnectedError(DebugError):
    """The connection ended before a command was answered."""

    code = ErrorCode.DISCONNECTED

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"{method} was not answered: {reason}")
        self.method = method
        self.reason = reason


class RunInterrupted(Exception):  # noqa: N818 - not an error: it ends a wait
    """Raised wherever an owner waits, so that no wait outlives its run."""


class DeadlinePassed(RunInterrupted):
    """The time of the request is used up."""


class CancelRequested(RunInterrupted):
    """The client does not want the answer any more."""
