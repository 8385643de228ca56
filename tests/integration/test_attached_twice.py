"""Two sessions at one program."""

from __future__ import annotations

import subprocess

from tests.integration.conftest import WriteProgram
from tests.integration.session_tools import SessionTools
from tests.nodes import NODE


def test_second_session_of_a_program_is_told_of_the_first(tools: SessionTools, write: WriteProgram) -> None:
    program = write("setInterval(() => {}, 5);\n")
    with subprocess.Popen([NODE, "--inspect=0", str(program.path)], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        url = process.stderr.readline().split()[-1]
        first = tools.call("connect_debugger", websocket_url=url)
        second = tools.call("connect_debugger", pid=process.pid)
        tools.call("close_debug_session", session_id=first["session_id"])
        tools.call("close_debug_session", session_id=second["session_id"])
        third = tools.call("connect_debugger", pid=process.pid)
        tools.call("close_debug_session", session_id=third["session_id"])
        process.kill()
    told = f"The process {process.pid} is followed by {first['session_id']} already: what one does, all others see."
    assert [opened.get("notes", []).count(told) for opened in (first, second, third)] == [0, 1, 0]
