"""Why a program could not be started."""

from enum import StrEnum


class LaunchFailure(StrEnum):
    """The kinds of failed launch that call for different advice."""

    COMMAND_NOT_FOUND = "command_not_found"
    NOT_EXECUTABLE = "not_executable"
    DIRECTORY_MISSING = "directory_missing"
    OTHER = "other"


class LaunchError(Exception):
    """The program was not started; `reason` says which kind of failure, `message` says it to a person."""

    def __init__(self, reason: LaunchFailure, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
