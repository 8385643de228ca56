"""The settings of a server, read once at its start and never changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

ENVIRONMENT_PREFIX = "DEBUG_SCRIPT_"
TOOLSETS = ("script", "session")
"""What can be left out of a server: the tool that runs a program once, and those that follow one step by step."""


class SettingsError(ValueError):
    """The environment or the command line holds a value that a setting cannot take."""


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
    max_sessions: int = 10
    """Sessions side by side; one more is refused."""
    session_idle_s: int = 1800
    """A session of which nobody asks anything for so long is closed."""
    max_breakpoints: int = 100
    """Breakpoints of one session."""
    max_session_output_characters: int = 1_000_000
    """How much of the end of a program's output a session keeps."""
    skip_packages: bool = True
    """Whether steps pass over the code of packages (node_modules), as they do over Node's own."""
    allow_remote_hosts: bool = False
    """Whether sessions may attach to debuggers on other machines."""
    tools: tuple[str, ...] = TOOLSETS
    """Which toolsets there are; the names with commas between them."""

    @staticmethod
    def from_environment(environment: Mapping[str, str]) -> Settings:
        """The defaults, with what the environment sets."""
        defaults = Settings()
        changes = {
            field.name: _READERS[type(getattr(defaults, field.name))](name, environment[name])
            for field in fields(Settings)
            if (name := ENVIRONMENT_PREFIX + field.name.upper()) in environment
        }
        return replace(defaults, **changes)


def parse_toolsets(name: str, text: str) -> tuple[str, ...]:
    """Names of toolsets with commas between them; `name` is of whoever gave them."""
    wanted = {word.strip() for word in text.split(",")}
    if unknown := sorted(wanted - set(TOOLSETS)):
        shown = ", ".join(map(repr, unknown))
        raise SettingsError(f"{name} names no toolset with {shown}; there are: {', '.join(TOOLSETS)}")
    return tuple(toolset for toolset in TOOLSETS if toolset in wanted)


def _positive_integer(name: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise SettingsError(f"{name} has to be a whole number of at least 1, not {text!r}")
    return value


def _on_or_off(name: str, text: str) -> bool:
    if text not in ("on", "off"):
        raise SettingsError(f"{name} has to be on or off, not {text!r}")
    return text == "on"


_READERS: Mapping[type, Callable[[str, str], Any]] = {
    int: _positive_integer,
    bool: _on_or_off,
    tuple: parse_toolsets,
}
