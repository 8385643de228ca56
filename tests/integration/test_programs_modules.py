"""Ways in which a file becomes running code: the breakpoint is there before the code runs, in every one of them."""

from __future__ import annotations

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import ScriptDebugger, node_command
from tests.nodes import NODE_MAJOR

pytestmark = pytest.mark.matrix

TEXT = "const x = 41;\nconsole.log(x); // @bp hit\n"


@pytest.mark.parametrize("name", ["a.js", "a.cjs", "a.mjs", "no-extension"])
def test_main_program_of_each_kind(debug: ScriptDebugger, write: WriteProgram, name: str) -> None:
    assert debug.values(write(TEXT, name), "x") == [41]


def test_package_of_type_module(debug: ScriptDebugger, write: WriteProgram) -> None:
    write('{"type": "module"}', "package.json")
    program = write("import 'node:fs';\nconst x = 41;\nconsole.log(x); // @bp hit\n", "a.js")
    assert debug.values(program, "x") == [41]


@pytest.mark.parametrize("name", ["a.js", "a.mjs"])
def test_first_line_stops_before_anything_has_run(debug: ScriptDebugger, write: WriteProgram, name: str) -> None:
    program = write("globalThis.ran = true; // @bp hit\n", name)
    assert debug.values(program, "typeof ran") == ["undefined"]


def test_first_line_of_a_required_module(debug: ScriptDebugger, write: WriteProgram) -> None:
    module = write("exports.a = 1; // @bp hit\n", "module.js")
    main = write("require('./module.js');\n", "main.js")
    assert debug.values(module, "Object.keys(exports)", command=node_command(main.path)) == [[]]


def test_late_require(debug: ScriptDebugger, write: WriteProgram) -> None:
    late = write("exports.increment = (a) => {\n  return a + 1; // @bp hit\n};\n", "late.js")
    main = write("setImmediate(() => require('./late.js').increment(6));", "main.js")
    assert debug.values(late, "a", command=node_command(main.path)) == [6]


def test_dynamic_import_with_and_without_a_query(debug: ScriptDebugger, write: WriteProgram) -> None:
    module = write("const url = import.meta.url;\nglobalThis.url = url; // @bp hit\n", "module.mjs")
    main = write(
        "await import('./module.mjs?x=1'); await import('./module.mjs?x=2#part'); await import('./module.mjs');",
        "main.mjs",
    )
    urls = debug.values(module, "url.slice(url.lastIndexOf('/'))", command=node_command(main.path))
    assert urls == ["/module.mjs?x=1", "/module.mjs?x=2#part", "/module.mjs"]


def test_import_of_commonjs_from_a_module(debug: ScriptDebugger, write: WriteProgram) -> None:
    module = write("module.exports = 5;\nconsole.log(module.exports); // @bp hit\n", "module.cjs")
    main = write("import five from './module.cjs';\nconsole.log(five);\n", "main.mjs")
    assert debug.values(module, "module.exports", command=node_command(main.path)) == [5]


def test_file_that_is_loaded_several_times_is_hit_each_time(debug: ScriptDebugger, write: WriteProgram) -> None:
    module = write("globalThis.times = (globalThis.times ?? 0) + 1; // @bp hit\n", "module.js")
    main = write(
        "for (let i = 0; i < 3; i++) {\n"
        "  require('./module.js');\n"
        "  delete require.cache[require.resolve('./module.js')];\n"
        "}\n",
        "main.js",
    )
    assert debug.values(module, "globalThis.times ?? 0", command=node_command(main.path)) == [0, 1, 2]


@pytest.mark.parametrize(("option", "name"), [("--require", "preload.cjs"), ("--import", "preload.mjs")])
def test_preload_runs_before_the_program_and_can_be_watched(
    debug: ScriptDebugger, write: WriteProgram, option: str, name: str
) -> None:
    preload = write("globalThis.preloaded = 7;\nconsole.log(preloaded); // @bp hit\n", name)
    program = write(TEXT)
    command = node_command(program.path, before=(option, str(preload.path)))
    assert debug.values(preload, "preloaded", command=command) == [7]
    assert debug.values(program, "preloaded + x", command=command) == [48]


# --- code that is made at run time, under the name of a file ----------------------------------------------------

RUNTIME_CODE = {
    "vm.runInThisContext": "vm.runInThisContext(code, {filename})",
    "vm.runInNewContext": "vm.runInNewContext(code, {}, {filename})",
    "vm.Script in a new context": "new vm.Script(code, {filename}).runInContext(vm.createContext({}))",
    "vm.compileFunction": "vm.compileFunction(code, [], {filename})()",
    "vm.Script with a file URL": "new vm.Script(code, {filename: url.pathToFileURL(filename).href}).runInThisContext()",
    "eval": "(0, eval)(code + '\\n//# sourceURL=' + filename)",
    "direct eval": "eval(code + '\\n//# sourceURL=' + filename)",
}


@pytest.mark.parametrize("way", RUNTIME_CODE.values(), ids=RUNTIME_CODE.keys())
def test_code_made_at_run_time_is_that_of_the_file_it_names(
    debug: ScriptDebugger, write: WriteProgram, way: str
) -> None:
    code = write("var seen = [1, {map: new Map([[1, /x/g]])}];\nvar last = seen; // @bp hit\n", "code.js")
    main = write(
        "const vm = require('vm'), fs = require('fs'), url = require('url');\n"
        "const filename = require('path').join(__dirname, 'code.js');\n"
        f"const code = fs.readFileSync(filename, 'utf8');\n{way};\n",
        "main.js",
    )
    values = debug.values(code, "seen", command=node_command(main.path))
    assert values == [[1, {"map": {"$class": "Map", "entries": [[1, "/x/g"]]}}]]


def test_function_constructor_has_its_own_first_lines(debug: ScriptDebugger, write: WriteProgram) -> None:
    # V8 puts two lines of its own before the body, so the breakpoint is two lines later in the file's count.
    code = write("\n\nvar n = 5;\nvar m = n; // @bp hit\n", "code.js")
    main = write(
        "const filename = require('path').join(__dirname, 'code.js');\n"
        "new Function('var n = 5;\\nvar m = n;\\n//# sourceURL=' + filename)();\n",
        "main.js",
    )
    assert debug.values(code, "n", command=node_command(main.path)) == [5]


# --- programs that are no files: the answer says that the file was never loaded ---------------------------------


@pytest.mark.parametrize(
    "words",
    [("-e", "console.log(1)"), ("--eval", "console.log(1)"), ("-p", "1"), ("-",), ()],
    ids=["-e", "--eval", "-p", "standard input", "no script"],
)
def test_program_that_is_no_file_never_loads_the_file(
    debug: ScriptDebugger, write: WriteProgram, words: tuple[str, ...]
) -> None:
    program = write(TEXT)
    lines = debug.error(program, command=node_command(*words)).splitlines()
    assert lines[:3] == [
        "Process exited before breakpoint was hit",
        "Exit code: 0.",
        f"The file was never loaded: {program.path}",
    ]


def test_file_that_evaluated_code_requires_is_hit(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(TEXT)
    assert debug.values(program, "x", command=node_command("-e", f"require({str(program.path)!r})")) == [41]


def test_missing_script_is_told_in_nodes_own_words(debug: ScriptDebugger, write: WriteProgram) -> None:
    program = write(TEXT)
    message = debug.error(program, command=node_command(program.path.parent / "missing.js"))
    assert "Exit code: 1." in message
    assert "Cannot find module" in message


def test_file_with_a_syntax_error_says_that_it_could_not_be_parsed(debug: ScriptDebugger, write: WriteProgram) -> None:
    message = debug.error(write("let a = 1; // @bp hit\nlet let = 2;\n"))
    assert "It could not be parsed: the end of stderr says why." in message
    assert "SyntaxError: let is disallowed as a lexically bound name" in message


def test_file_of_the_same_name_elsewhere_is_named(debug: ScriptDebugger, write: WriteProgram) -> None:
    run, watched = write(TEXT, "dist/app.js"), write(TEXT, "src/app.js")
    message = debug.error(watched, command=node_command(run.path))
    assert f"The file was never loaded: {watched.path}" in message
    assert f"Loaded under the same name: {run.path}" in message


@pytest.mark.parametrize("name", ["types.ts", "types.mts", "types.cts"])
def test_typescript_by_type_stripping_keeps_its_lines(debug: ScriptDebugger, write: WriteProgram, name: str) -> None:
    if NODE_MAJOR < 22:
        pytest.skip("no type stripping before Node 22")
    program = write(
        "interface Item { price: number }\n"
        "function total(items: Item[]): number {\n"
        "  const sum: number = items.reduce((a, b) => a + b.price, 0);\n"
        "  return sum; // @bp hit\n"
        "}\n"
        "total([{ price: 2 }, { price: 3 }] as Item[]);\n",
        name,
    )
    command = node_command(program.path, before=("--no-warnings",))
    assert debug.values(program, "{sum, prices: items.map((item) => item.price)}", command=command) == [
        {"sum": 5, "prices": [2, 3]}
    ]
