"""docs/resources.md says what the server offers."""

from __future__ import annotations

from pathlib import Path

from server.protocol.reference import reference

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_is_what_make_docs_would_write() -> None:
    assert (ROOT / "docs/resources.md").read_text() == reference()


def test_everything_is_on_the_page() -> None:
    page = reference()
    for name in ("debug://sessions", "debug://sessions/{id}", "debug://sessions/{id}/output"):
        assert f"| `{name}` |" in page
    for name in ("analyze_crash", "investigate_condition", "find_root_cause"):
        assert f"### {name}\n" in page
