"""The settings of a server, read once at its start and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

ENVIRONMENT_PREFIX = "DEBUG_SCRIPT_"


class SettingsError(ValueError):
    """An environment variable holds a value that a setting cannot take."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits of a server. Each can be set as ``DEBUG_SCRIPT_<NAME>`` in its environment."""

    max_concurrent_runs: int = 10
    """Runs side by side; one more waits for its turn, within its own timeout."""
    max_result_bytes: int = 64 * 1024
    """The JSON of one result; what is larger is cut and says so."""
    max_results_bytes: int = 128 * 1024
    """The JSON of all results of one run; beyond it the first and the last are kept."""
    max_message_bytes: int = 256 * 1024 * 1024
    """One message of a debugger; a larger one ends the connection."""
    max_output_tail_bytes: int = 64 * 1024
    """How much of the end of a program's standard error is kept."""

    @staticmethod
    def from_environment(environment: Mapping[str, str]) -> Settings:
        """The defaults, with what the environment sets."""
        changes = {
            field.name: _positive_integer(name, environment[name])
            for field in fields(Settings)
            if (name := ENVIRONMENT_PREFIX + field.name.upper()) in environment
        }
        return replace(Settings(), **changes)


def _positive_integer(name: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise SettingsError(f"{name} has to be a whole number of at least 1, not {text!r}")
    return value
