"""The text that V8 evaluates at each pass, as far as it can be judged without a V8."""

from __future__ import annotations

from typing import Any

import pytest

from server.cdp.pass_source import PassSource
from server.debug.model import SourceLine
from server.debug.session_model import BreakpointSpec
from server.errors import InvalidArgumentsError


def a_source(**how: Any) -> PassSource:
    return PassSource("injected", "bp1", 7, BreakpointSpec(SourceLine("/a.js", 1), **how))


def test_plain_breakpoint_needs_nothing_evaluated() -> None:
    assert not a_source().is_needed
    assert all(a_source(**how).is_needed for how in ({"condition": "a"}, {"hit_condition": "2"}, {"log_message": ""}))


def test_condition_is_followed_by_a_line_break_that_ends_its_comment() -> None:
    text = a_source(condition="a // b", hit_condition="%3").as_condition()
    assert 'injected.passes.stop("bp1",(a // b\n),"%",3)' in text
    assert text.startswith(
        "if(typeof injected==='undefined'||!injected.passes.canSend||!injected.passes.isTrusted(7))true;"
    )


def test_program_is_trusted_only_where_that_is_said() -> None:
    source = a_source(condition="a")
    assert "injected.passes.trust(7)" in source.in_frame(trust=True)
    assert "injected.passes.trust(7)" not in source.in_frame(trust=False)


def test_message_becomes_statements_that_catch_what_each_expression_throws() -> None:
    text = a_source(log_message='say "{a}"').as_condition()
    assert 'injected.passes.write("say \\"");' in text
    assert "try{injected.passes.writeValue((a\n))}catch(error){injected.passes.writeThrown(error)}" in text
    assert text.count('injected.passes.logged("bp1")') == 1


def test_every_text_of_the_agent_is_named_for_what_it_is() -> None:
    texts = list(a_source(condition="a > 1", log_message="{b} and {c}").texts())
    assert [(text.what, text.source) for text in texts] == [
        ("The condition", "a > 1"),
        ("{b} in the log message", "b"),
        ("{c} in the log message", "c"),
    ]


def test_hit_condition_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidArgumentsError):
        a_source(hit_condition="often")
