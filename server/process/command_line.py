"""A command line as people type it, split into words without a shell."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

_SHELL_OPERATORS = frozenset({"&&", "||", "|", ";", "&", ">", ">>", "<", "<<", "2>", "2>&1", "&>", "(", ")"})
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


class CommandLineError(ValueError):
    """The text cannot be run without a shell, or at all."""


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The words of a command, and the variables that it sets for itself (`NAME=value command`)."""

    argv: tuple[str, ...]
    env: dict[str, str]


def parse_command_line(text: str) -> CommandLine:
    """Split `text` into words as a POSIX shell would. Nothing is expanded and no shell is run."""
    if "\0" in text:
        raise CommandLineError("the command contains a NUL character")
    try:
        words = shlex.split(text)
        raw_words = shlex.split(text, posix=False)
    except ValueError as error:
        raise CommandLineError(f"the command cannot be split into words: {error}") from error
    # The raw words still have their quotes, so that a quoted operator is an argument like any other.
    operator = next((word for word in raw_words if word in _SHELL_OPERATORS), None)
    if operator is not None:
        raise CommandLineError(f"the command uses the shell operator {operator!r}, but no shell runs it")
    count = 0
    while count < len(words) and _ASSIGNMENT.match(words[count]):
        count += 1
    env = dict(word.split("=", 1) for word in words[:count])
    if not words[count:]:
        raise CommandLineError("the command is empty")
    return CommandLine(argv=tuple(words[count:]), env=env)
