"""How a guard finds processes; the way through `ps`, meant for macOS, works on Linux as well."""

import os
import subprocess
import sys
from pathlib import Path

from server.process.guard import (
    ProcessEntry,
    descendants_of,
    kill_by_ps_walk,
    processes_from_ps,
    read_process_table,
)
from tests.unit.process.process_probe import pids_with_argument, wait_until
from tests.unit.process.process_trees import lines_of_tree, tree_command


def entry(pid: int, parent: int) -> ProcessEntry:
    return ProcessEntry(pid, parent, pid, pid, False)


def test_descendants_are_found_at_every_depth() -> None:
    table = [entry(5, 4), entry(2, 1), entry(4, 2), entry(9, 8), entry(3, 2)]
    assert {found.pid for found in descendants_of(2, table)} == {3, 4, 5}


def test_table_holds_ourselves() -> None:
    me = ProcessEntry(os.getpid(), os.getppid(), os.getpgrp(), os.getsid(0), False)
    assert me in read_process_table()
    assert (me.pid, me.parent, me.group) in [found[:3] for found in processes_from_ps()]


def test_program_with_parentheses_and_spaces_in_its_name_is_read_right(tmp_path: Path) -> None:
    program = tmp_path / "a) S 1 (b"
    program.symlink_to(sys.executable)
    code = "print('ready', flush=True); input()"
    with subprocess.Popen(
        [str(program), "-I", "-S", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        parents = {found.pid: found.parent for found in read_process_table()}
        process.kill()
    assert parents[process.pid] == os.getpid()


def test_walk_through_ps_kills_detached_descendants(token: str) -> None:
    kinds = ["child", "detached_grandchild", "deaf", "chain"]
    with subprocess.Popen(tree_command(token, kinds), stdout=subprocess.DEVNULL, start_new_session=True) as target:
        wait_until(lambda: len(pids_with_argument(token)) == lines_of_tree(kinds), "the tree is complete")
        assert kill_by_ps_walk(target.pid) == 0
        target.wait(30)
    wait_until(lambda: not pids_with_argument(token), "no process of the tree is left")
