"""Which scripts belong to a file."""

from __future__ import annotations

from cdp_protocol.generated.debugger import ScriptParsed
from server.cdp.scripts import Script, ScriptTable


def parsed(script_id: str, url: str, *, end_line: int = 9, source_map_url: str | None = "") -> ScriptParsed:
    return ScriptParsed(
        script_id=script_id,
        url=url,
        start_line=0,
        start_column=0,
        end_line=end_line,
        end_column=0,
        execution_context_id=1,
        hash="0",
        source_map_url=source_map_url,
    )


def table(*urls: str) -> ScriptTable:
    """Scripts with the ids 0, 1, 2."""
    scripts = ScriptTable()
    for index, url in enumerate(urls):
        scripts.add(parsed(str(index), url))
    return scripts


def test_script_is_found_by_its_id_with_one_based_lines() -> None:
    scripts = ScriptTable()
    script = scripts.add(parsed("7", "file:///app/a.js", end_line=9))
    assert script == Script("7", "file:///app/a.js", 10, line_count=9, source_map_url=None, may_run_again=False)
    assert scripts.get("7") is script
    assert scripts.get("8") is None


def test_scripts_of_a_file_are_all_that_were_loaded_from_it_in_order() -> None:
    scripts = table("file:///app/a.mjs", "file:///app/b.mjs", "file:///app/a.mjs?v=2", "/app/a.mjs", "node:fs", "")
    assert [script.id for script in scripts.of_file("/app/a.mjs")] == ["0", "2", "3"]
    assert scripts.of_file("/app/c.mjs") == []


def test_only_scripts_that_name_a_source_map_have_one() -> None:
    scripts = table("file:///app/a.js")
    mapped = scripts.add(parsed("9", "file:///app/b.js", source_map_url="b.js.map"))
    assert scripts.with_source_map() == [mapped]


def test_namesakes_are_the_other_files_of_that_name_sorted_and_few() -> None:
    others = [f"file:///app/{folder}/index.js" for folder in "gfedcba"]
    scripts = table("file:///app/index.js", "file:///app/main.js", "node:index.js", *others, "/app/a/index.js?x")
    assert scripts.namesakes("/app/index.js") == tuple(f"/app/{folder}/index.js" for folder in "abcde")


def test_file_without_namesakes_has_none() -> None:
    assert table("file:///app/index.js", "file:///app/xindex.js").namesakes("/app/index.js") == ()
