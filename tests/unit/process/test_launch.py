"""One program from its launch to its end."""

import os
import signal
import sys
from pathlib import Path

import pytest

from server.process import ExitStatus, Launcher, LaunchError, LaunchFailure
from tests.unit.process.event_inbox import EventInbox
from tests.unit.process.process_probe import exists

MEGABYTES = 5 * 1024 * 1024


def run_to_end(launcher: Launcher, inbox: EventInbox, *argv: str, cwd: str | None = None) -> ExitStatus:
    process = launcher.launch(argv, cwd=cwd, env=None)
    process.start_pumps(inbox.deliver, "test")
    status = inbox.wait_for_everything()
    process.end()
    assert process.exit_status == status
    return status


@pytest.mark.parametrize("code", [0, 3, 255])
def test_exit_code_is_reported(launcher: Launcher, inbox: EventInbox, code: int) -> None:
    assert run_to_end(launcher, inbox, "sh", "-c", f"exit {code}") == ExitStatus(code, None)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL", "SIGSEGV", "SIGPIPE"])
def test_signal_that_ended_the_program_is_named(launcher: Launcher, inbox: EventInbox, name: str) -> None:
    number = signal.Signals[name].value
    assert run_to_end(launcher, inbox, "sh", "-c", f"kill -{number} $$") == ExitStatus(None, name)


def test_real_time_signal_has_a_name_too(launcher: Launcher, inbox: EventInbox) -> None:
    assert run_to_end(launcher, inbox, "sh", "-c", "kill -40 $$") == ExitStatus(None, "SIG40")


def test_program_killed_by_end_is_reported_as_killed(launcher: Launcher, inbox: EventInbox) -> None:
    process = launcher.launch(["sleep", "1000"], cwd=None, env=None)
    process.start_pumps(inbox.deliver, "test")
    process.end()
    inbox.take_delivered()
    assert inbox.exits() == [ExitStatus(None, "SIGKILL")]
    assert inbox.ended_streams() == ["stderr", "stdout"]
    assert not exists(process.pid)


def test_end_without_pumps_still_learns_the_exit_status(launcher: Launcher) -> None:
    process = launcher.launch(["sleep", "1000"], cwd=None, env=None)
    assert process.exit_status is None
    process.end()
    assert process.exit_status == ExitStatus(None, "SIGKILL")
    assert not exists(process.pid)


def test_end_twice_is_the_same_as_once(launcher: Launcher, inbox: EventInbox) -> None:
    process = launcher.launch(["sleep", "1000"], cwd=None, env=None)
    process.start_pumps(inbox.deliver, "test")
    process.end()
    process.end()
    inbox.take_delivered()
    assert len(inbox.exits()) == 1


def test_megabytes_on_both_streams_arrive_complete(launcher: Launcher, inbox: EventInbox) -> None:
    program = f"""
import os, threading
def fill(fd, word):
    data = word * ({MEGABYTES} // len(word))
    while data:
        data = data[os.write(fd, data):]
threads = [threading.Thread(target=fill, args=a) for a in ((1, b"out-"), (2, b"err-"))]
[t.start() for t in threads]; [t.join() for t in threads]
"""
    run_to_end(launcher, inbox, sys.executable, "-I", "-c", program)
    assert inbox.output("stdout") == b"out-" * (MEGABYTES // 4)
    assert inbox.output("stderr") == b"err-" * (MEGABYTES // 4)


def test_output_written_just_before_end_is_delivered(launcher: Launcher, inbox: EventInbox) -> None:
    process = launcher.launch(["sh", "-c", "echo first; echo ready; exec sleep 1000"], cwd=None, env=None)
    process.start_pumps(inbox.deliver, "test")
    inbox.wait_for_lines(2)
    process.end()
    inbox.take_delivered()
    assert inbox.output("stdout") == b"first\nready\n"


def test_standard_input_is_at_its_end(launcher: Launcher, inbox: EventInbox) -> None:
    run_to_end(launcher, inbox, "sh", "-c", "cat; echo done")
    assert inbox.output("stdout") == b"done\n"


def test_arguments_arrive_byte_for_byte(launcher: Launcher, inbox: EventInbox) -> None:
    not_utf8 = os.fsdecode(b"\xff\xfe")
    run_to_end(launcher, inbox, "printf", "%s|", "a b", "$HOME", "", "é€", not_utf8)
    assert inbox.output("stdout") == b"a b|$HOME||" + "é€|".encode() + b"\xff\xfe|"


def test_environment_is_exactly_the_one_given(launcher: Launcher, inbox: EventInbox) -> None:
    process = launcher.launch(["/usr/bin/env"], cwd=None, env={"ONLY": "this"})
    process.start_pumps(inbox.deliver, "test")
    inbox.wait_for_everything()
    process.end()
    assert inbox.output("stdout") == b"ONLY=this\n"


def test_environment_none_means_ours_at_the_time_of_the_launch(
    launcher: Launcher, inbox: EventInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher.warm_up()
    monkeypatch.setenv("SET_AFTER_THE_GUARD_STARTED", "yes")
    run_to_end(launcher, inbox, "sh", "-c", "echo $SET_AFTER_THE_GUARD_STARTED")
    assert inbox.output("stdout") == b"yes\n"


def test_program_runs_in_the_directory_given(launcher: Launcher, inbox: EventInbox, tmp_path: Path) -> None:
    run_to_end(launcher, inbox, "pwd", cwd=str(tmp_path))
    assert inbox.output("stdout").decode().strip() == str(tmp_path)


def test_relative_command_starts_at_the_directory_given(launcher: Launcher, inbox: EventInbox, tmp_path: Path) -> None:
    script = tmp_path / "hello.sh"
    script.write_text("#!/bin/sh\necho $0\n")
    script.chmod(0o755)
    run_to_end(launcher, inbox, "./hello.sh", cwd=str(tmp_path))
    assert inbox.output("stdout") == b"./hello.sh\n"


def test_signals_are_at_their_defaults_though_the_guard_ignores_some(launcher: Launcher, inbox: EventInbox) -> None:
    run_to_end(launcher, inbox, "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status")
    masks = [int(line.split()[1], 16) for line in inbox.output("stdout").splitlines()]
    # The C library keeps 32 and 33 to itself: no program can set them, and what make starts has them ignored.
    settable = sum(1 << (number - 1) for number in signal.valid_signals())
    assert [mask & settable for mask in masks] == [0, 0]


def test_program_has_no_descriptor_but_the_standard_ones(launcher: Launcher, inbox: EventInbox) -> None:
    # Two others run, so that their sockets and pipes exist and could leak.
    others = [launcher.launch(["sleep", "1000"], cwd=None, env=None) for _ in range(2)]
    program = "import os; print(sorted(os.listdir('/proc/self/fd')))"  # the fourth one is the listing itself
    run_to_end(launcher, inbox, sys.executable, "-I", "-S", "-c", program)
    for other in others:
        other.end()
    assert inbox.output("stdout") == b"['0', '1', '2', '3']\n"


def failure_of(launcher: Launcher, *argv: str, cwd: str | None = None) -> LaunchError:
    with pytest.raises(LaunchError) as caught:
        launcher.launch(argv, cwd=cwd, env=None)
    return caught.value


def test_unknown_command_is_not_found(launcher: Launcher) -> None:
    error = failure_of(launcher, "no-such-command-anywhere")
    assert error.reason is LaunchFailure.COMMAND_NOT_FOUND
    assert "no-such-command-anywhere" in error.message


def test_empty_command_is_not_found(launcher: Launcher) -> None:
    assert failure_of(launcher).reason is LaunchFailure.COMMAND_NOT_FOUND
    assert failure_of(launcher, "").reason is LaunchFailure.COMMAND_NOT_FOUND


def test_file_without_permission_is_not_executable(launcher: Launcher, tmp_path: Path) -> None:
    script = tmp_path / "script.sh"
    script.write_text("#!/bin/sh\n")
    assert failure_of(launcher, str(script)).reason is LaunchFailure.NOT_EXECUTABLE


def test_file_of_no_known_format_is_not_executable(launcher: Launcher, tmp_path: Path) -> None:
    script = tmp_path / "data"
    script.write_text("neither a binary nor a #! line")
    script.chmod(0o755)
    assert failure_of(launcher, str(script)).reason is LaunchFailure.NOT_EXECUTABLE


def test_missing_interpreter_is_told_apart_from_a_missing_file(launcher: Launcher, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    error = failure_of(launcher, str(script))
    assert error.reason is LaunchFailure.COMMAND_NOT_FOUND
    assert "interpreter" in error.message


def test_missing_directory_is_told_apart_from_a_missing_command(launcher: Launcher, tmp_path: Path) -> None:
    error = failure_of(launcher, "true", cwd=str(tmp_path / "missing"))
    assert error.reason is LaunchFailure.DIRECTORY_MISSING
    assert "missing" in error.message


def test_file_as_directory_is_a_missing_directory(launcher: Launcher, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert failure_of(launcher, "true", cwd=str(file)).reason is LaunchFailure.DIRECTORY_MISSING


def test_argument_with_a_null_byte_is_refused(launcher: Launcher) -> None:
    error = failure_of(launcher, "true", "a\0b")
    assert error.reason is LaunchFailure.OTHER
    assert "null" in error.message


def test_failed_launch_does_not_spoil_the_next(launcher: Launcher, inbox: EventInbox, tmp_path: Path) -> None:
    script = tmp_path / "data"
    script.write_text("not a program")
    script.chmod(0o755)
    failure_of(launcher, str(script))
    assert run_to_end(launcher, inbox, "sh", "-c", "exit 5") == ExitStatus(5, None)
