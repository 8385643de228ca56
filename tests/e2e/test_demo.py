"""The example of the README: the bug that it shows is there, and the demo notices when it is not."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.server_process import ROOT
from tests.nodes import NODE

EXAMPLE = ROOT / "docs" / "example"


def run_demo(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(folder / "demo.py")]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, cwd=folder)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "docs" / "example"))


def test_the_receipt_has_the_bug_that_the_demo_tells_of() -> None:
    printed = subprocess.run([NODE, str(EXAMPLE / "cart.js")], capture_output=True, text=True, check=True).stdout
    *lines, total = [float(line.split()[-1]) for line in printed.splitlines()]
    assert (sum(lines), total) == (78.0, 58.5)


def test_the_demo_shows_request_answer_and_times_from_any_directory(copied: Path) -> None:
    done = run_demo(copied)
    assert done.returncode == 0, done.stderr
    request, _ = json.JSONDecoder().raw_decode(done.stdout, done.stdout.index("{"))
    assert set(request) == {"command", "breakpoint", "expression", "timeout"}
    assert '{"type": "object", "value": {"name": "Kettle", "price": 22.5, "total": 0}}' in done.stdout
    assert "second call" in done.stdout
    assert done.stderr == ""


def test_the_demo_fails_when_the_answer_is_another(copied: Path) -> None:
    cart = copied / "cart.js"
    buggy = cart.read_text()
    fixed = buggy.replace("item.price -= (", "return { ...item, price: item.price - (").replace("/ 100;", "/ 100 };")
    assert fixed != buggy
    cart.write_text(fixed)
    done = run_demo(copied)
    assert done.returncode == 1
    assert '"price": 30' in done.stdout
    assert "should have been" in done.stderr
