"""The texts that are evaluated at a hit; what they do is shown by the tests that run them in a real program."""

from __future__ import annotations

import pytest

from server.cdp.hit_source import HitSource, explain_check


@pytest.mark.parametrize("text", ["n", "n // a comment", "a,\nb"])
def test_each_text_is_in_brackets_that_its_comment_cannot_close(text: str) -> None:
    source = HitSource(text, text)
    for made in (source.in_frame(), source.as_condition()):
        assert made.count(f"({text}\n)") == 2
    assert (source.as_gate() or "").count(f"({text}\n)") == 1
    assert all(f"[{text}\n]" in check for check in source.checks())


def test_without_a_condition_there_is_no_gate_and_one_check() -> None:
    source = HitSource("n")
    assert source.as_gate() is None
    assert len(source.checks()) == 1


def test_condition_of_a_breakpoint_begins_with_whether_the_scope_is_ready() -> None:
    for made in (HitSource("n").as_condition(), HitSource("n", "c").as_condition(), HitSource("n", "c").as_gate()):
        assert made is not None
        assert made.startswith("if(typeof __debug_script_reporter__==='undefined'||")


@pytest.mark.parametrize(
    ("text", "message", "told"),
    [
        ("n >", "SyntaxError: Unexpected token ']'", "SyntaxError: Unexpected end of the expression"),
        ("n]", "SyntaxError: Unexpected token ']'", "SyntaxError: Unexpected token ']'"),
        (
            "n = 1;",
            "SyntaxError: Unexpected token ';'",
            "SyntaxError: Unexpected token ';' (an expression is needed, not a statement)",
        ),
    ],
)
def test_message_about_a_check_is_told_as_if_the_text_stood_alone(text: str, message: str, told: str) -> None:
    assert explain_check(text, message) == told
