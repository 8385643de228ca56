from __future__ import annotations

import pytest

from server.cdp import kept_texts
from server.cdp.kept_texts import KeptTexts
from server.debug.value import Page, Value, VariablePage


def test_text_is_read_page_by_page() -> None:
    texts = KeptTexts()
    name = texts.keep("x" * 2_000 + "y" * 2_000)
    assert name is not None
    assert texts.page(name, Page(start=1_999)) == VariablePage((), 1_999, 4_000, "x" + "y" * 1_999)
    assert texts.page(name, Page(count=3_000)) == VariablePage((), 0, 4_000, "x" * 2_000 + "y" * 1_000)
    assert texts.page(name, Page(start=4_000)) == VariablePage((), 4_000, 4_000, "")


def test_name_of_something_else_is_not_a_text() -> None:
    assert KeptTexts().page("1.2.3", Page()) is None


def test_value_that_was_cut_becomes_whole_again() -> None:
    texts = KeptTexts()
    cut = Value("string", preview="ab…", handle=texts.keep("abc"), size=3)
    assert texts.whole(cut) == Value("string", json="abc", handle=cut.handle, size=3)
    other = Value("object", preview="{}", handle="1.2.3")
    assert texts.whole(other) == other


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_texts, "_MOST_CHARACTERS", 5)
    texts = KeptTexts()
    name = texts.keep("abc")
    assert texts.keep("def") is None
    texts.clear()
    assert name is not None
    assert texts.page(name, Page()) is None
    assert texts.keep("def") is not None
