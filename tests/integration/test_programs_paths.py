"""Files with names that URLs, regular expressions and shells read differently: the breakpoint binds in all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import Program, ScriptDebugger, node_command
from tests.nodes import NODE_MAJOR

pytestmark = pytest.mark.matrix

TEXT = "const x = 41;\nconsole.log(x); // @bp hit\n"

FOLDERS_AND_NAMES = {
    "spaces": "with space/a b",
    "quotes": "it's \"quoted\"/a'b",
    "number sign": "ha#sh/a#b",
    "percent": "per%cent/a%41b%20",
    "at": "@scope/a@b",
    "parentheses": "par(en)/a(b)",
    "dollar": "dol$lar/a$HOME",
    "brackets": "br[ack]et/a[b-z]",
    "braces": "cur{ly}/a{1,2}",
    "plus": "pl+us/a+b",
    "question mark": "ques?tion/a?b=c",
    "regular expression": "pi|pe^/a.*b",
    "shell": "semi;colon & <x>/a`b`",
    "latin": "é/ü",
    "decomposed": "e\u0301/combining",
    "japanese": "日本/語",
    "emoji": "😀/🎉",
    "tab": "ta\tb/a\tb",
    "newline": "new\nline/a\nb",
}


@pytest.mark.parametrize("extension", [".js", ".mjs"])
@pytest.mark.parametrize("name", FOLDERS_AND_NAMES.values(), ids=FOLDERS_AND_NAMES.keys())
def test_breakpoint_binds_whatever_the_path_holds(
    debug: ScriptDebugger, write: WriteProgram, name: str, extension: str
) -> None:
    assert debug.values(write(TEXT, name + extension), "x") == [41]


def test_backslash_in_a_path_binds_in_commonjs(debug: ScriptDebugger, write: WriteProgram) -> None:
    # An ES module of such a name cannot be loaded by node at all.
    assert debug.values(write(TEXT, "back\\slash/a\\b.js"), "x") == [41]


def test_name_that_is_a_pattern_matches_no_other_file(debug: ScriptDebugger, write: WriteProgram) -> None:
    watched, other = write(TEXT, "a.js"), write(TEXT, "abjs")
    message = debug.error(watched, command=node_command(other.path))
    assert f"The file was never loaded: {watched.path}" in message


def test_file_url_names_the_same_file(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(TEXT, "with space/é#.js")
    answer = debug.call(
        command=node_command(program.path),
        breakpoint={"file": program.path.as_uri(), "line": program.line("hit")},
        expression="x",
        timeout=60_000,
    )
    assert answer.structured == {"results": [{"type": "number", "value": 41}]}


def test_relative_path_starts_at_the_directory_of_the_server(
    debug: ScriptDebugger, write: WriteProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = write(TEXT, "src/a.js")
    monkeypatch.chdir(program.path.parent)
    assert debug.values(Program(Path("a.js")), "x", command=node_command("./a.js")) == [41]


# --- links: node runs a file under its real path, unless it is told to keep the link's name ------------------------

KEEP_LINKS = ("--preserve-symlinks-main", "--preserve-symlinks")


@pytest.fixture
def linked(write: WriteProgram, tmp_path: Path) -> dict[str, Program]:
    """One file under three names."""
    real = write(TEXT, "real/app.js")
    (tmp_path / "link.js").symlink_to(real.path)
    (tmp_path / "folder").symlink_to(real.path.parent)
    return {
        "real": real,
        "linked file": Program(tmp_path / "link.js"),
        "in a linked folder": Program(tmp_path / "folder" / "app.js"),
    }


@pytest.mark.parametrize("watched", ["real", "linked file", "in a linked folder"])
@pytest.mark.parametrize("run", ["real", "linked file", "in a linked folder"])
def test_any_name_of_a_linked_file_is_the_same_file(
    debug: ScriptDebugger, linked: dict[str, Program], run: str, watched: str
) -> None:
    assert debug.values(linked[watched], "x", command=node_command(linked[run].path)) == [41]


@pytest.mark.parametrize("name", ["linked file", "in a linked folder"])
def test_link_that_node_is_told_to_keep_is_found_by_its_own_name(
    debug: ScriptDebugger, linked: dict[str, Program], name: str
) -> None:
    command = node_command(linked[name].path, before=KEEP_LINKS)
    assert debug.values(linked[name], "x", command=command) == [41]


def test_kept_link_to_a_module_is_found_by_its_own_name(
    debug: ScriptDebugger, write: WriteProgram, tmp_path: Path
) -> None:
    main = write("require('./folder/module.js');", "main.js")
    write("exports.x = 41; // @bp hit\n", "real/module.js")
    (tmp_path / "folder").symlink_to(tmp_path / "real")
    watched = Program(tmp_path / "folder" / "module.js")
    assert debug.values(watched, "1", command=node_command(main.path, before=KEEP_LINKS)) == [1]


def test_link_kept_under_another_name_is_named_in_the_answer(debug: ScriptDebugger, linked: dict[str, Program]) -> None:
    run, watched = linked["in a linked folder"], linked["real"]
    message = debug.error(watched, command=node_command(run.path, before=KEEP_LINKS))
    assert f"Loaded under the same name: {run.path}" in message


def test_type_stripping_reports_its_own_kind_of_url(debug: ScriptDebugger, write: WriteProgram) -> None:
    if NODE_MAJOR < 22:
        pytest.skip("no type stripping before Node 22")
    program = write("const x: number = 41;\nconsole.log(x); // @bp hit\n", "with space/é.ts")
    assert debug.values(program, "x", command=node_command(program.path, before=("--no-warnings",))) == [41]
