"""Where a command line makes node listen: what we read from it is what node does."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from server.cdp.announcement import AnnouncementReader, Listening
from server.cdp.inspector_flag import (
    InspectorAddress,
    find_inspector_address,
    refuse_beyond_loopback,
    with_inspector_flag,
)
from server.errors import InvalidArgumentsError
from tests.nodes import NODE

FREE = InspectorAddress("127.0.0.1", 0)
DEFAULT = InspectorAddress("127.0.0.1", 9229)


@pytest.mark.parametrize(
    ("options", "host", "port"),
    [
        ("--inspect-brk", "127.0.0.1", 9229),
        ("--inspect-brk=0", "127.0.0.1", 0),
        ("--inspect-brk=9300", "127.0.0.1", 9300),
        ("--inspect-brk=1024", "127.0.0.1", 1024),
        ("--inspect-brk=65535", "127.0.0.1", 65535),
        ("--inspect-brk=:0", "127.0.0.1", 0),
        ("--inspect-brk=127.0.0.1", "127.0.0.1", 9229),
        ("--inspect-brk=127.0.0.1:0", "127.0.0.1", 0),
        ("--inspect-brk=127.0.0.2:9300", "127.0.0.2", 9300),
        ("--inspect-brk=localhost", "localhost", 9229),
        ("--inspect-brk=localhost:0", "localhost", 0),
        ("--inspect-brk=localhost:", "localhost", 0),
        ("--inspect-brk=[::1]", "::1", 9229),
        ("--inspect-brk=[::1]:0", "::1", 0),
        ("--inspect_brk=0", "127.0.0.1", 0),
        ("--inspect-brk=9300 --inspect-brk=0", "127.0.0.1", 0),
        ("--inspect-brk=0 --inspect-brk", "127.0.0.1", 0),
        ("--inspect-brk=localhost:0 --inspect-port=9300", "localhost", 9300),
        ("--inspect-port=9300 --inspect-brk", "127.0.0.1", 9300),
        ("--debug-port=9300 --inspect-brk", "127.0.0.1", 9300),
        ("--inspect-port 9300 --inspect-brk", "127.0.0.1", 9300),
        ("--inspect-brk --debug-port 0", "127.0.0.1", 0),
        ("--inspect=127.0.0.2:0 --inspect-brk", "127.0.0.2", 0),
    ],
)
def test_address_is_read_from_every_form_of_the_flag(options: str, host: str, port: int) -> None:
    assert find_inspector_address(("node", *options.split(), "app.js")) == InspectorAddress(host, port)


@pytest.mark.matrix
@pytest.mark.parametrize(
    "options",
    [
        "--inspect-brk=0",
        "--inspect-brk=:0",
        "--inspect_brk=0",
        "--inspect-brk=localhost:0",
        "--inspect-brk=localhost:",
        "--inspect-brk=127.0.0.2:0",
        "--inspect-brk=9300 --inspect-brk=0",
        "--inspect-brk=0 --inspect-brk",
        "--inspect=127.0.0.2:9300 --inspect-brk=0",
        "--inspect-brk --inspect-port 0",
    ],
)
def test_node_listens_at_the_host_that_was_read_and_at_a_free_port(options: str, tmp_path: Path) -> None:
    words = [*options.split(), str(tmp_path / "app.js")]
    address = find_inspector_address(("node", *words))
    assert address.port == 0
    assert announced_url([NODE, *words]).startswith(f"ws://{address.host}:")


def announced_url(command: list[str]) -> str:
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        assert process.stderr is not None
        said = AnnouncementReader().feed(process.stderr.readline())
        process.kill()
    assert isinstance(said, Listening)
    return said.url


@pytest.mark.parametrize("value", ["", "80", "1023", "65536", "::1", "localhost:x", "localhost:80", "[::1]x", "a:b:0"])
def test_address_that_node_cannot_listen_on_is_refused_with_right_ones(value: str) -> None:
    with pytest.raises(InvalidArgumentsError, match="is no address that node can listen on") as refused:
        find_inspector_address(("node", f"--inspect-brk={value}", "app.js"))
    assert "--inspect-brk=0 (any free port)" in str(refused.value)


@pytest.mark.parametrize(
    "options",
    [
        "--inspect-brk=0.0.0.0",
        "--inspect-brk=0.0.0.0:9229",
        "--inspect-brk=[::]:0",
        "--inspect-brk=192.168.0.7:0",
        "--inspect-brk=example.com:9229",
        "--inspect-brk=0x0",
        "--inspect-brk=٣٣٣٣",
        "--inspect=0.0.0.0:9229 --inspect-brk",
        "--inspect-brk=0 --inspect-port=0.0.0.0:9229",
        "--inspect-brk=0 --inspect-port 0.0.0.0:9229",
    ],
)
def test_inspector_that_others_could_reach_is_refused(options: str) -> None:
    with pytest.raises(InvalidArgumentsError, match="may listen on this machine only") as refused:
        find_inspector_address(("node", *options.split(), "app.js"))
    assert "can run any code" in str(refused.value)


@pytest.mark.parametrize(
    "url", ["ws://127.0.0.1:9229/x", "ws://localhost:1/x", "ws://LOCALHOST:1/x", "ws://[::1]:9229/x"]
)
def test_inspector_that_announces_a_loopback_address_is_fine(url: str) -> None:
    refuse_beyond_loopback(url)


@pytest.mark.parametrize(
    "url", ["ws://0.0.0.0:9229/x", "ws://[::]:1/x", "ws://example.com/x", "ws://[::1/x", "ws:///x"]
)
def test_inspector_that_announces_another_address_is_refused(url: str) -> None:
    with pytest.raises(InvalidArgumentsError, match="may listen on this machine only"):
        refuse_beyond_loopback(url)


@pytest.mark.parametrize(
    ("command", "advice"),
    [
        ("node app.js", "node --inspect-brk=0 app.js"),
        ("node --inspect app.js", "node --inspect-brk=0 app.js"),
        ("node --inspect-wait=0 app.js", "node --inspect-brk=0 app.js"),
        ("/usr/bin/node --inspect-port=0 'my app.js' x", "/usr/bin/node --inspect-brk=0 'my app.js' x"),
        ("node --inspect-port 9300 app.js", "node --inspect-brk=0 app.js"),
        ("env A=1 node20 app.js", "env A=1 node20 --inspect-brk=0 app.js"),
        ("npm test", "node --inspect-brk=0 path/to/script.js"),
        ("node --inspect-brkx app.js", "node --inspect-brk=0 --inspect-brkx app.js"),
    ],
)
def test_command_without_the_flag_is_refused_and_shown_as_it_should_be(command: str, advice: str) -> None:
    with pytest.raises(InvalidArgumentsError, match="The command has no --inspect-brk") as refused:
        find_inspector_address(shlex.split(command))
    assert str(refused.value).endswith(f"\nUse: {advice}")


@pytest.mark.parametrize(
    ("command", "advice"),
    [
        ("node app.js --inspect-brk", "node --inspect-brk=0 app.js"),
        ("node app --inspect-brk=9300 x", "node --inspect-brk=0 app x"),
        ("node -- app.js --inspect-brk", "node --inspect-brk=0 -- app.js"),
        ("node - --inspect-brk", "node --inspect-brk=0 -"),
        ("node --enable-source-maps app.mjs --inspect-brk=0", "node --inspect-brk=0 --enable-source-maps app.mjs"),
        ("node -r ./setup.js app.js --inspect-brk", "node --inspect-brk=0 -r ./setup.js app.js"),
        ("node --require=./setup.js app --inspect-brk", "node --inspect-brk=0 --require=./setup.js app"),
    ],
)
def test_flag_behind_the_script_is_the_scripts_and_does_not_count(command: str, advice: str) -> None:
    with pytest.raises(InvalidArgumentsError, match="stands behind the script's name") as refused:
        find_inspector_address(shlex.split(command))
    assert str(refused.value).endswith(f"\nUse: {advice}")


@pytest.mark.matrix
@pytest.mark.parametrize("before", [[], ["--"], ["--enable-source-maps"]])
def test_node_gives_a_flag_behind_the_script_to_the_script(before: list[str], tmp_path: Path) -> None:
    program = tmp_path / "app.js"
    program.write_text("console.log(process.argv.slice(2).join())")
    command = [NODE, *before, str(program), "--inspect-brk=0"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "--inspect-brk=0\n"


@pytest.mark.parametrize(
    "command",
    [
        "node -r ./setup.js --inspect-brk=0 app.js",
        "node --require ./setup.js --import ./more.mjs --inspect-brk=0 app.js",
        "node --conditions development --inspect-brk=0 app.js",
        "node --inspect-brk=0 app.js -- --inspect-brk=9300 --inspect-port=0.0.0.0:1",
        "node -e 'require(\"./app.js\")' --inspect-brk=0",
        "npx tsx --inspect-brk=0 app.ts",
        "npx tsx app.ts --inspect-brk=0",
        "npm exec -- node --inspect-brk=0 app.js",
        "nodemon --inspect-brk=0 --exec node app.js",
    ],
)
def test_flag_counts_wherever_a_runtime_may_read_it(command: str) -> None:
    assert find_inspector_address(shlex.split(command)) == FREE


def test_port_as_a_word_of_its_own_is_the_script_and_not_the_port() -> None:
    assert find_inspector_address(("node", "--inspect-brk", "9300")) == DEFAULT


@pytest.mark.matrix
def test_node_takes_a_port_as_a_word_of_its_own_for_the_script(tmp_path: Path) -> None:
    (tmp_path / "9300").write_text("console.log('a script with a number for a name')")
    command = [NODE, "--inspect-port=0", "--inspect", "9300"]  # as --inspect-brk, but it does not wait for us
    ran = subprocess.run(command, check=True, cwd=tmp_path, capture_output=True, text=True)
    assert ran.stdout == "a script with a number for a name\n"


@pytest.mark.parametrize(
    ("command", "completed"),
    [
        ("node app.js", "node --inspect-brk=0 app.js"),
        (
            "/opt/node-22/bin/node --import tsx app.ts -x",
            "/opt/node-22/bin/node --inspect-brk=0 --import tsx app.ts -x",
        ),
        ("env A=1 node app.js", "env A=1 node --inspect-brk=0 app.js"),
        ("node app.js --inspect-brk", "node --inspect-brk=0 app.js --inspect-brk"),
        ("node --inspect=9300 app.js", "node --inspect-brk=0 --inspect=9300 app.js"),
        ("node --inspect-brk=9300 app.js", "node --inspect-brk=9300 app.js"),
        ("node --inspect_brk app.js", "node --inspect_brk app.js"),
        ("node --inspect-port 9300 --inspect-brk app.js", "node --inspect-port 9300 --inspect-brk app.js"),
    ],
)
def test_flag_is_added_directly_behind_node_where_it_is_missing(command: str, completed: str) -> None:
    argv = with_inspector_flag(shlex.split(command))
    assert shlex.join(argv) == completed
    find_inspector_address(argv)  # which refuses a command without the flag


@pytest.mark.parametrize("command", ["npx jest", "npm test", "tsx app.ts", "./app.js", "yarn run start"])
def test_command_that_does_not_start_node_itself_cannot_be_given_the_flag(command: str) -> None:
    with pytest.raises(InvalidArgumentsError, match=r"node node_modules/\.bin/jest"):
        with_inspector_flag(shlex.split(command))
