"""``check`` passes on a clean tree and says what is wrong with any other."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.pipeline import Layout, check, generate

ROOT = Path(__file__).parents[2]


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A copy of the inputs and of the generated package that a test may spoil."""
    copy = Layout.of_project(tmp_path)
    original = Layout.of_project(ROOT)
    copy.codegen_dir.mkdir()
    shutil.copy(original.codegen_dir / "PINNED.json", copy.codegen_dir)
    shutil.copytree(original.codegen_dir / "protocol", copy.codegen_dir / "protocol")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(original.generated_dir, copy.generated_dir, ignore=ignore)
    return copy


def test_the_checked_in_models_are_what_the_pinned_inputs_generate() -> None:
    assert check(Layout.of_project(ROOT)) == []


def test_an_edited_file_is_reported_with_its_changed_lines(layout: Layout) -> None:
    edited = layout.generated_dir / "node_runtime.py"
    edited.write_text(edited.read_text().replace("NodeRuntime.enable", "NodeRuntime.enabled"))
    (problem,) = check(layout)
    assert problem.splitlines() == [
        "stale or edited: node_runtime.py, 2 lines differ",
        '    -    METHOD = "NodeRuntime.enable"',
        '    +    METHOD = "NodeRuntime.enabled"',
    ]


def test_a_missing_file_is_reported(layout: Layout) -> None:
    (layout.generated_dir / "profiler.py").unlink()
    assert check(layout) == ["missing: profiler.py"]


def test_an_extra_file_is_reported(layout: Layout) -> None:
    (layout.generated_dir / "network.py").write_text("")
    assert check(layout) == ["extra: network.py"]


def test_compiled_files_of_an_import_are_not_extra(layout: Layout) -> None:
    cache = layout.generated_dir / "__pycache__"
    cache.mkdir()
    (cache / "runtime.pyc").write_bytes(b"")
    assert check(layout) == []


def test_a_changed_input_is_reported_before_anything_is_generated(layout: Layout) -> None:
    path = layout.codegen_dir / "protocol" / "node" / "22.json"
    path.write_text(path.read_text() + " ")
    (problem,) = check(layout)
    assert problem.startswith("changed input: codegen/protocol/node/22.json has sha256 ")


def test_a_changed_hash_is_reported(layout: Layout) -> None:
    pin_file = layout.codegen_dir / "PINNED.json"
    pins = json.loads(pin_file.read_text())
    pins["files"][0]["sha256"] = "0" * 64
    pin_file.write_text(json.dumps(pins))
    (problem,) = check(layout)
    assert problem.endswith(f"pinned {'0' * 64}")


def test_missing_and_unpinned_inputs_are_reported(layout: Layout) -> None:
    node = layout.codegen_dir / "protocol" / "node"
    (node / "18.json").rename(node / "17.json")
    assert check(layout) == [
        "missing input: codegen/protocol/node/18.json",
        "input without a pin: codegen/protocol/node/17.json",
    ]


def test_generate_restores_a_spoiled_tree_and_names_what_it_touched(layout: Layout) -> None:
    (layout.generated_dir / "network.py").write_text("")
    (layout.generated_dir / "runtime.py").write_text("")
    (layout.generated_dir / "debugger.py").unlink()
    assert generate(layout) == ["debugger.py", "runtime.py", "network.py"]
    assert check(layout) == []


def test_check_exits_with_zero_on_a_clean_tree(layout: Layout, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(layout.codegen_dir.parent), "check"]) == 0
    assert capsys.readouterr().out == "cdp_protocol/generated is up to date\n"


def test_check_exits_with_one_and_says_how_to_repair(layout: Layout, capsys: pytest.CaptureFixture[str]) -> None:
    (layout.generated_dir / "profiler.py").unlink()
    assert main(["--root", str(layout.codegen_dir.parent), "check"]) == 1
    assert capsys.readouterr().err == "missing: profiler.py\nrun: make codegen\n"


def test_generate_refuses_inputs_that_are_not_the_pinned_ones(
    layout: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    (layout.codegen_dir / "protocol" / "node" / "LICENSE").unlink()
    before = (layout.generated_dir / "runtime.py").read_text()
    assert main(["--root", str(layout.codegen_dir.parent), "generate"]) == 1
    assert capsys.readouterr().err == "missing input: codegen/protocol/node/LICENSE\n"
    assert (layout.generated_dir / "runtime.py").read_text() == before
