"""Finds where functions of a name are defined in a text: no parser, but it knows code from comments and strings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from server.cdp.javascript_tokens import Token, TokenKind, javascript_tokens

_ASSIGNMENTS: Final = ("=", "??=", "||=", "&&=")
_BEFORE_AN_OBJECT: Final = frozenset(("(", ",", "=", ":", "[", "?", "??", "||", "&&", "return", "default", "yield"))
_STATEMENTS: Final = frozenset(("if", "for", "while", "switch", "with", "catch", "function"))
_DECLARATIONS: Final = ("const", "let", "var")
_LONGEST_TYPE: Final = 40
"""How many tokens a type of TypeScript may have between a name or its parameters and what is looked for."""
_OPENING: Final = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class FunctionDefinition:
    """A function that has a name."""

    name: str
    owner: str | None
    """The class or the object that it belongs to."""
    body: int
    """Where its body begins: the first character inside, counted from 0."""
    first_code: int
    """Where the first code inside it is."""
    end: int | None
    """Where its closing brace is; None for an arrow function that is just an expression."""

    @property
    def full_name(self) -> str:
        """What names it most exactly: `Cart.total`, `total`; a constructor has the name of its class."""
        if self.owner is None:
            return self.name
        return self.owner if self.name == "constructor" else f"{self.owner}.{self.name}"

    def is_called(self, wanted: str) -> bool:
        """Whether it is meant by `total`, `Cart.total`, `Cart.prototype.total` or, for a constructor, `Cart`."""
        *path, name = [part for part in wanted.split(".") if part not in ("prototype", "this")]
        if self.name == "constructor" and self.owner == name:
            return True
        return self.name == name and (not path or self.owner == path[-1])


def find_definitions(text: str, wanted: str) -> list[FunctionDefinition]:
    """Every definition in a text of a function of that name, in order."""
    return [one for one in _Definitions(text).all() if one.is_called(wanted)]


def find_names(text: str) -> list[str]:
    """What the functions in a text are called, each once."""
    return list(dict.fromkeys(one.full_name for one in _Definitions(text).all()))


@dataclass(frozen=True, slots=True)
class _Braces:
    """What a pair of braces is: the body of a class, an object, or code."""

    is_class: bool = False
    is_object: bool = False
    owner: str | None = None

    @property
    def has_members(self) -> bool:
        return self.is_class or self.is_object


_CODE: Final = _Braces()


class _Definitions:
    def __init__(self, text: str) -> None:
        self._tokens = list(javascript_tokens(text))
        self._partner = _match_brackets(self._tokens)
        self._class_bodies: dict[int, str | None] = {}
        self._open: list[_Braces] = []

    def all(self) -> Iterator[FunctionDefinition]:
        """One pass over the tokens; `self._open` says what the present one is inside of."""
        for at, token in enumerate(self._tokens):
            if token.kind is TokenKind.PUNCTUATOR:
                if token.text == "=>":
                    yield from self._arrow(at)
                self._note_bracket(at, token.text)
            elif token.kind is TokenKind.NAME and token.text == "function" and not self._is(at - 1, "."):
                yield from self._function(at)
            elif token.kind is TokenKind.NAME and token.text == "class" and not self._is(at - 1, "."):
                self._note_class(at)
            elif self._braces.has_members:
                yield from self._method(at)

    # --- where we are -----------------------------------------------------------------------------------------------

    @property
    def _braces(self) -> _Braces:
        return self._open[-1] if self._open else _CODE

    def _note_bracket(self, at: int, text: str) -> None:
        if text == "{":
            self._open.append(self._kind_of_braces(at))
        elif text in ("(", "["):
            self._open.append(_CODE)
        elif text in (")", "]", "}") and self._open:
            self._open.pop()

    def _kind_of_braces(self, at: int) -> _Braces:
        if at in self._class_bodies:
            return _Braces(is_class=True, owner=self._class_bodies[at])
        if at == 0 or self._text(at - 1) not in _BEFORE_AN_OBJECT:
            return _CODE
        found = self._name_before(at)
        return _Braces(is_object=True, owner=None if found is None else found[0])

    def _note_class(self, at: int) -> None:
        """Remember which brace begins the body of a class, and whose it is."""
        named = self._is_name(at + 1) and self._text(at + 1) != "extends"
        found = (self._text(at + 1), None) if named else self._name_before(at)
        body = self._next_brace(at + 1)
        if body is not None:
            self._class_bodies[body] = None if found is None else found[0]

    # --- kinds of definitions -----------------------------------------------------------------------------------------

    def _function(self, at: int) -> Iterator[FunctionDefinition]:
        """`function name() {}`, and `name = function () {}` in all its forms; one can have both names."""
        after = at + 2 if self._is(at + 1, "*") else at + 1
        body = self._body_after_parameters(after)
        if body is None:
            return
        given = self._name_before(self._start_of_function(at))
        if given is not None:
            yield self._definition(given, body)
        if self._is_name(after) and (given is None or given[0] != self._text(after)):
            yield self._definition((self._text(after), None), body)

    def _arrow(self, at: int) -> Iterator[FunctionDefinition]:
        """`name = () => ...` and `name: x => ...`."""
        start = self._start_of_parameters(at)
        found = None if start is None else self._name_before(self._start_of_function(start))
        if found is not None and at + 1 < len(self._tokens):
            yield self._definition(found, at + 1 if self._is(at + 1, "{") else at)

    def _method(self, at: int) -> Iterator[FunctionDefinition]:
        """`name() {}` in a class or an object, with whatever stands before the name."""
        token = self._tokens[at]
        if not self._is(at + 1, "(") or self._is(at - 1, "function") or self._is(at - 1, "."):
            return
        if token.kind is TokenKind.STRING:
            name = token.text[1:-1]
        elif token.kind is TokenKind.NAME and (self._braces.is_class or token.text not in _STATEMENTS):
            name = token.text
        else:
            return
        body = self._body_after_parameters(at + 1)
        if body is not None and not (self._is(at - 1, "*") and self._is(at - 2, "function")):
            yield self._definition((name, self._braces.owner), body)

    def _definition(self, found: tuple[str, str | None], before_body: int) -> FunctionDefinition:
        name, owner = found
        first = min(before_body + 1, len(self._tokens) - 1)
        end = self._partner.get(before_body)
        return FunctionDefinition(
            name,
            owner,
            body=self._tokens[before_body].end,
            first_code=self._tokens[first].start,
            end=None if end is None else self._tokens[end].start,
        )

    # --- names on the left --------------------------------------------------------------------------------------------

    def _name_before(self, at: int) -> tuple[str, str | None] | None:
        """The name, and whose it is, that the value at a token is given: `a.name = VALUE`, `name: VALUE`."""
        if self._text(at - 1) in _ASSIGNMENTS:
            return self._assigned_name(at - 2)
        if self._is(at - 1, ":") and self._braces.is_object:
            return self._key(at - 2)
        return ("default", None) if self._is(at - 1, "default") else None

    def _assigned_name(self, at: int) -> tuple[str, str | None] | None:
        declared = self._declared_name(at)
        if declared is not None:
            return declared, None
        if not self._is_name(at):
            return None
        if not self._is(at - 1, "."):
            return self._text(at), self._braces.owner if self._braces.is_class else None
        owner = at - 2 if not self._is(at - 2, "prototype") else at - 4
        return self._text(at), self._text(owner) if self._is_name(owner) else None

    def _declared_name(self, at: int) -> str | None:
        """The name of a declaration with a type: `const name: Type = VALUE`."""
        for back in range(at, max(at - _LONGEST_TYPE, 0), -1):
            if self._text(back) in (";", "}", "=") or self._text(back) in _DECLARATIONS:
                return None
            if self._is(back, ":") and self._text(back - 2) in _DECLARATIONS:
                return self._text(back - 1)
        return None

    def _key(self, at: int) -> tuple[str, str | None] | None:
        if self._is_name(at):
            return self._text(at), self._braces.owner
        if 0 <= at < len(self._tokens) and self._tokens[at].kind is TokenKind.STRING:
            return self._text(at)[1:-1], self._braces.owner
        return None

    def _start_of_function(self, at: int) -> int:
        """Where a function begins whose keyword or parameters are at a token: before `async` and type parameters."""
        if self._is(at - 1, ">"):
            before = range(at - 1, max(at - _LONGEST_TYPE, 0), -1)
            at = next((back for back in before if self._is(back, "<")), at)
        return at - 1 if self._is(at - 1, "async") else at

    # --- parameters and bodies ----------------------------------------------------------------------------------------

    def _body_after_parameters(self, at: int) -> int | None:
        """The brace that begins the body of a function whose parameters, or type parameters, begin at a token."""
        while at < len(self._tokens) and not self._is(at, "("):
            if not self._is(at, "<") and not self._is_name(at) and not self._is(at, ">") and not self._is(at, ","):
                return None
            at += 1
        end = self._partner.get(at)
        if end is None:
            return None
        if self._is(end + 1, "{"):
            return end + 1
        return self._body_after_type(end + 2) if self._is(end + 1, ":") else None

    def _body_after_type(self, at: int) -> int | None:
        """The brace behind the type that a function of TypeScript returns; a type can have braces too."""
        depth = 0
        for ahead in range(at, min(at + _LONGEST_TYPE, len(self._tokens))):
            depth += (self._text(ahead) == "<") - (self._text(ahead) == ">")
            if depth == 0 and self._is(ahead, "{") and ahead > at and self._text(ahead - 1) not in ("|", "&"):
                return ahead
        return None

    def _start_of_parameters(self, arrow: int) -> int | None:
        """Where the parameters of an arrow function begin; a type may stand between them and the arrow."""
        if self._is(arrow - 1, ")"):
            return self._partner.get(arrow - 1)
        for back in range(arrow - 1, max(arrow - _LONGEST_TYPE, 0), -1):
            if self._is(back, ")") and self._is(back + 1, ":"):
                return self._partner.get(back)
            if self._text(back) in (";", "{", "}", "="):
                break
        return arrow - 1 if self._is_name(arrow - 1) else None

    def _next_brace(self, at: int) -> int | None:
        """The next opening brace that is in no other bracket."""
        while at < len(self._tokens):
            if self._is(at, "{"):
                return at
            if self._text(at) in (";", "}", ")", "]", "=", "=>"):
                return None
            at = self._partner.get(at, at) + 1 if self._text(at) in _OPENING else at + 1
        return None

    # --- tokens ------------------------------------------------------------------------------------------------------

    def _text(self, at: int) -> str:
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

    def _is(self, at: int, text: str) -> bool:
        return self._text(at) == text

    def _is_name(self, at: int) -> bool:
        return 0 <= at < len(self._tokens) and self._tokens[at].kind is TokenKind.NAME


def _match_brackets(tokens: list[Token]) -> Mapping[int, int]:
    """For each bracket the index of its other half; one that has none is not there."""
    partner: dict[int, int] = {}
    waiting: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind is not TokenKind.PUNCTUATOR:
            continue
        if token.text in _OPENING:
            waiting.append(at)
        elif token.text in _OPENING.values() and waiting and _OPENING[tokens[waiting[-1]].text] == token.text:
            opening = waiting.pop()
            partner[opening], partner[at] = at, opening
    return partner
