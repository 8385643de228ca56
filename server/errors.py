"""Everything that this server raises on purpose.

DebugError                      has a code, a message and, often, advice on what to do next
├── InvalidArgumentsError       the request itself cannot be served as it is
├── TargetLaunchError           the program could not be started under its debugger
├── ConnectionFailedError       the program started, its debugger could not be reached
├── ProtocolError               the debugger refused a command (keeps the command's name)
├── DisconnectedError           the debugger went away while an answer was owed
├── DebuggerFailedError         something that nobody foresaw, of which the log has more
├── SessionNotFoundError        no session has that id
├── InvalidStateError           the program is not in a state in which that can be done
├── CallTimeoutError            the debugger did not answer in time
├── EvaluationError             the expression cannot be evaluated there
├── BreakpointNotFoundError     no breakpoint has that id
├── LimitExceededError          as many as there may be are there already
├── HostNotAllowedError         a debugger on another machine, which has to be allowed first
└── ProgramGoneError            the program ended, or its connection did
RequestRefusedError             a request of the protocol other than a tool call, which has no place for a code of ours
├── ResourceNotFoundError       no resource has that URI
└── PromptRefusedError          no such prompt, or not with these arguments
RunInterrupted                  not a fault: the owner has to stop waiting
├── DeadlinePassed              the time of the request is used up
└── CancelRequested             the client does not want the answer any more
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class ErrorCode(StrEnum):
    """One for each kind of failure, for code that has to tell them apart; an agent reads the message."""

    INVALID_PARAMETERS = "INVALID_PARAMETERS"
    LAUNCH_FAILED = "LAUNCH_FAILED"
    CONNECTION_FAILED = "CONNECTION_FAILED"
    PROTOCOL_ERROR = "PROTOCOL_ERROR"
    DISCONNECTED = "DISCONNECTED"
    DEBUGGER_FAILED = "DEBUGGER_FAILED"
    SESSION_NOT_FOUND = "SESSION_NOT_FOUND"
    SESSION_INVALID_STATE = "SESSION_INVALID_STATE"
    TIMEOUT = "TIMEOUT"
    EVALUATION_FAILED = "EVALUATION_FAILED"
    BREAKPOINT_NOT_FOUND = "BREAKPOINT_NOT_FOUND"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    HOST_NOT_ALLOWED = "HOST_NOT_ALLOWED"
    TARGET_EXITED = "TARGET_EXITED"


class DebugError(Exception):
    """A failure with a code, told to the agent together with what would help."""

    code: ErrorCode

    def __init__(self, message: str, *, advice: str | None = None, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.details = dict(details or {})
        """JSON for code that wants to go on from here: candidates, limits, states."""

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


class DebuggerFailedError(DebugError):
    """The debugger did something that nobody foresaw."""

    code = ErrorCode.DEBUGGER_FAILED


class SessionNotFoundError(DebugError):
    """No session has that id."""

    code = ErrorCode.SESSION_NOT_FOUND


class InvalidStateError(DebugError):
    """The program is not in a state in which that can be done."""

    code = ErrorCode.SESSION_INVALID_STATE


class CallTimeoutError(DebugError):
    """The debugger did not answer in time."""

    code = ErrorCode.TIMEOUT


class EvaluationError(DebugError):
    """The expression cannot be evaluated there."""

    code = ErrorCode.EVALUATION_FAILED


class BreakpointNotFoundError(DebugError):
    """No breakpoint has that id."""

    code = ErrorCode.BREAKPOINT_NOT_FOUND


class LimitExceededError(DebugError):
    """As many as there may be are there already."""

    code = ErrorCode.LIMIT_EXCEEDED


class HostNotAllowedError(DebugError):
    """A debugger on another machine, which has to be allowed first."""

    code = ErrorCode.HOST_NOT_ALLOWED


class ProgramGoneError(DebugError):
    """The program ended, or its connection did."""

    code = ErrorCode.TARGET_EXITED


class RequestRefusedError(Exception):
    """A resource or a prompt that there is not; the message says which there are."""


class ResourceNotFoundError(RequestRefusedError):
    """No resource has that URI."""

    def __init__(self, uri: str, message: str) -> None:
        super().__init__(message)
        self.uri = uri


class PromptRefusedError(RequestRefusedError):
    """There is no such prompt, or it cannot be made from these arguments."""


class RunInterrupted(Exception):  # noqa: N818 - not an error: it ends a wait
    """Raised wherever an owner waits, so that no wait outlives its run."""


class DeadlinePassed(RunInterrupted):
    """The time of the request is used up."""


class CancelRequested(RunInterrupted):
    """The client does not want the answer any more."""
