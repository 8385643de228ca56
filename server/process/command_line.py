"""A command line as people type it, split into words without a shell.

Quotes, escapes and variables in front of the program mean what they mean in a POSIX shell. Whatever else a shell
would do (run several programs, redirect, substitute) is refused, since passing it on as an argument would run
something that nobody meant. Patterns such as `*.js` are passed on: a shell does so too where nothing matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

_PIECE = re.compile(
    r"""
      (?P<blank> [ \t\r]+ | \A[ \t\r\n]+ | [ \t\r\n]+\Z )
    | (?P<continuation> \\\n )
    | \\ (?P<escaped> . )
    | ' (?P<single> [^']* ) '
    | " (?P<double> (?: [^"\\] | \\. )* ) "
    | (?P<shell> \n | [|&;<>]+ | ` | \$ [A-Za-z0-9_{(@*\#?!$'"-] )
    | (?P<shell_before_a_word> [\#(] | ~ (?= / | \s | \Z ) )  # inside a word they are plain characters
    | (?P<plain> [^ \t\r\n\\'"|&;<>`$\#(~]+ | [$~] )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE_IN_DOUBLE_QUOTES = re.compile(r'\\(?:([$`"\\])|\n)')
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
    words = list(_split(text))
    if not words:
        raise CommandLineError("the command is empty")
    assignments = list(takewhile(lambda word: word.is_assignment, words))
    argv = tuple(word.text for word in words[len(assignments) :])
    if not argv or not argv[0]:
        raise CommandLineError("the command names no program")
    return CommandLine(argv=argv, env=dict(word.text.split("=", 1) for word in assignments))


@dataclass(slots=True)
class _Word:
    is_assignment: bool
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)


def _split(text: str) -> Iterator[_Word]:
    word: _Word | None = None
    for piece in _pieces(text):
        kind = piece.lastgroup
        if kind == "blank":
            if word is not None:
                yield word
            word = None
        elif kind == "shell" or (kind == "shell_before_a_word" and word is None):
            raise _only_a_shell(piece[0])
        elif kind != "continuation":
            # Only a name without quotes, which the piece still has, makes a word an assignment.
            word = word or _Word(is_assignment=_ASSIGNMENT.match(piece[0]) is not None)
            word.parts.append(_literal(piece))
    if word is not None:
        yield word


def _pieces(text: str) -> Iterator[re.Match[str]]:
    position = 0
    while position < len(text):
        piece = _PIECE.match(text, position)
        if piece is None:
            problem = "it ends with a backslash" if text[position] == "\\" else f"no closing quotation {text[position]}"
            raise CommandLineError(f"the command cannot be split into words: {problem}")
        yield piece
        position = piece.end()


def _literal(piece: re.Match[str]) -> str:
    assert piece.lastgroup is not None
    found = piece[piece.lastgroup]
    return _ESCAPE_IN_DOUBLE_QUOTES.sub(r"\1", found) if piece.lastgroup == "double" else found


def _only_a_shell(found: str) -> CommandLineError:
    shown = "a line break" if found == "\n" else repr(found)
    return CommandLineError(
        f"the command uses {shown}, which only a shell understands, and no shell runs it;"
        " put it in quotes if it is meant as it stands"
    )
