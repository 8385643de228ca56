from __future__ import annotations

import pytest

from server.cdp.javascript_tokens import TokenKind, javascript_tokens


def texts(source: str) -> list[str]:
    return [token.text for token in javascript_tokens(source)]


def kinds(source: str) -> list[TokenKind]:
    return [token.kind for token in javascript_tokens(source)]


@pytest.mark.parametrize(
    ("source", "tokens"),
    [
        ("a + b", ["a", "+", "b"]),
        ("#!/usr/bin/env node\na", ["a"]),
        ("a // b\nc /* d\n e */ f", ["a", "c", "f"]),
        ("a /* never closed", ["a"]),
        ("this.#x ?? $y_1", ["this", ".", "#x", "??", "$y_1"]),
        ("é => 1.5e-3", ["é", "=>", "1.5e-3"]),
        ("'a\\'b' \"c\\\"d\"", ["'a\\'b'", '"c\\"d"']),
        ("'not closed\na", ["'not closed", "a"]),
        ("a === b => c", ["a", "===", "b", "=>", "c"]),
        ("a?.b ... c", ["a", "?.", "b", "...", "c"]),
        ("`a${b}c${d}e`", ["`a${", "b", "}c${", "d", "}e`"]),
        ("`${ {a: `${1}`} }`", ["`${", "{", "a", ":", "`${", "1", "}`", "}", "}`"]),
        ("`a\\`b\\${c}`", ["`a\\`b\\${c}`"]),
        ("`not closed", ["`not closed"]),
    ],
)
def test_tokens(source: str, tokens: list[str]) -> None:
    assert texts(source) == tokens


@pytest.mark.parametrize(
    "source",
    [
        "/a/",
        "x = /a/g",
        "f(/[/]}/)",
        "return /a\\/b/",
        "if (x) /a/.test(y)",
        "a && /b/",
        "`${/a/}`",
        "{} /a/",
        "typeof /a/",
        "[/a/, /b/]",
    ],
)
def test_slash_where_a_value_can_begin_is_a_pattern(source: str) -> None:
    assert TokenKind.PATTERN in kinds(source)


@pytest.mark.parametrize(
    "source", ["a / b / c", "f(x) / 2 / 3", "a[0] / 2 / 3", "1 / 2 / 3", "i++ / 2 / 3", "`a` / b / c"]
)
def test_slash_after_a_value_divides(source: str) -> None:
    assert TokenKind.PATTERN not in kinds(source)


def test_every_token_knows_where_it_is() -> None:
    source = "a  = `x${ b }y` /* c */ + 'd'"
    for token in javascript_tokens(source):
        assert source[token.start : token.end] == token.text


@pytest.mark.parametrize("source", ["}}}", ")))", "{{{", "`${", "'", "/", "\\", "\0", "#", "😀"])
def test_no_text_is_too_odd(source: str) -> None:
    assert "".join(texts(source)) == source
