"""The tokens of JavaScript, or near enough of TypeScript: what is code, and what is a comment, a string or a pattern.

It is no parser. Where only a parser could tell a division from a regular expression, it takes what people write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, NamedTuple


class TokenKind(Enum):
    """What a token is."""

    NAME = auto()
    """An identifier, a keyword or a #private name."""
    PUNCTUATOR = auto()
    STRING = auto()
    TEMPLATE = auto()
    """A piece of a template, from a backtick or a closing brace to a backtick or `${`."""
    NUMBER = auto()
    PATTERN = auto()
    """A regular expression."""


class Token(NamedTuple):
    """One token; comments and white space are none."""

    kind: TokenKind
    text: str
    start: int
    """Where it begins in the text, counted from 0."""

    @property
    def end(self) -> int:
        """Where the next character after it is."""
        return self.start + len(self.text)


_LEXEME: Final = re.compile(
    r"""
      (?P<blank> \s+ | //[^\n\r\u2028\u2029]* | /\*.*?(?:\*/|\Z) | \A\#![^\n]* )
    | (?P<NAME> \#?(?:[^\W\d]|\$)(?:\w|\$)* )
    | (?P<NUMBER> \.?\d(?:[eE][+-]|[\w.])* )
    | (?P<STRING> "(?:[^"\\\n]|\\.)*"? | '(?:[^'\\\n]|\\.)*'? )
    | (?P<PUNCTUATOR> >>>= | \.\.\. | ===|!== | \*\*= | \?\?= | \|\|= | &&= | => | == | != | <= | >= | \+\+ | -- | \?\.
        | \?\? | \|\| | && | [-+*/%&|^]= | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_TEMPLATE: Final = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?P<end>`|\$\{|\Z)", re.DOTALL)
_PATTERN: Final = re.compile(r"/(?![*/])(?:[^\\/\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[A-Za-z]*")
_BEFORE_A_PATTERN: Final = frozenset(
    ("return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "instanceof", "do", "else", "yield")
)
_BEFORE_A_HEAD: Final = frozenset(("if", "while", "for", "with"))
_VALUE_ENDS: Final = frozenset((")", "]", "++", "--"))


def javascript_tokens(text: str, start: int = 0) -> Iterator[Token]:
    """Every token from a place on that is inside no string, template or comment."""
    return _Scanner(text, start).tokens()


class _Scanner:
    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start
        self._last: Token | None = None
        self._after_head = False
        self._heads: list[bool] = []
        """For each open parenthesis: whether a statement follows its closing one, as after `if (...)`."""
        self._braces: list[bool] = []
        """For each open brace: whether its closing one goes on with a template."""

    def tokens(self) -> Iterator[Token]:
        while self._at < len(self._text):
            token = self._next()
            if token is not None:
                self._at = token.end
                self._note(token)
                yield token

    def _next(self) -> Token | None:
        character = self._text[self._at]
        if character == "`" or (character == "}" and self._braces and self._braces[-1]):
            return self._template()
        if character == "/" and self._may_begin_a_pattern() and (found := _PATTERN.match(self._text, self._at)):
            return Token(TokenKind.PATTERN, found[0], self._at)
        lexeme = _LEXEME.match(self._text, self._at)
        assert lexeme is not None, "the last alternative matches any character"
        assert lexeme.lastgroup is not None
        if lexeme.lastgroup == "blank":
            self._at = lexeme.end()
            return None
        return Token(TokenKind[lexeme.lastgroup], lexeme[0], self._at)

    def _template(self) -> Token:
        if self._text[self._at] == "}":
            self._braces.pop()
        found = _TEMPLATE.match(self._text, self._at + 1)
        assert found is not None, "it matches nothing at all too"
        if found["end"] == "${":
            self._braces.append(True)
        return Token(TokenKind.TEMPLATE, self._text[self._at : found.end()], self._at)

    def _may_begin_a_pattern(self) -> bool:
        last = self._last
        if last is None:
            return True
        if last.kind is TokenKind.NAME:
            return last.text in _BEFORE_A_PATTERN
        if last.kind is TokenKind.TEMPLATE:
            return last.text.endswith("${")
        if last.kind is TokenKind.PUNCTUATOR:
            return last.text not in _VALUE_ENDS or (last.text == ")" and self._after_head)
        return False

    def _note(self, token: Token) -> None:
        if token.kind is TokenKind.PUNCTUATOR:
            self._note_bracket(token.text)
        self._last = token

    def _note_bracket(self, text: str) -> None:
        if text == "{":
            self._braces.append(False)
        elif text == "}" and self._braces:
            self._braces.pop()
        elif text == "(":
            last = self._last
            self._heads.append(last is not None and last.kind is TokenKind.NAME and last.text in _BEFORE_A_HEAD)
        elif text == ")":
            self._after_head = self._heads.pop() if self._heads else False
