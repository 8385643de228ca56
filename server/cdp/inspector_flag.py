"""The `--inspect-brk` of a command line: where the program's inspector is going to listen."""

from __future__ import annotations

import ipaddress
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from server.errors import InvalidArgumentsError

FLAG = "--inspect-brk"
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 9229
_ADDRESS_FLAG = re.compile(r"(?P<name>--(?:inspect(?:-brk|-wait|-port|-brk-node)?|debug-port))(?:=(?P<value>.*))?")
_VALUE = re.compile(r"(?P<bare_port>[0-9]+)|(?P<host>\[[^\]]+\]|[^:\[\]]*)(?P<colon>:(?P<port>[0-9]*))?")
_NODE_COMMAND = re.compile(r"node(js)?(-?\d[\d.]*)?(\.exe)?")
_SCRIPT = re.compile(r".+\.[cm]?[jt]sx?")
_TAKES_CODE_OR_MODULE = frozenset(
    {"-e", "--eval", "-p", "--print", "-pe", "-r", "--require", "--import", "--loader", "--experimental-loader"}
    | {"--test-global-setup", "--watch-path"}
)


@dataclass(frozen=True, slots=True)
class InspectorAddress:
    """Where an inspector was asked to listen; port 0 means any free port."""

    host: str
    port: int


def find_inspector_address(argv: Sequence[str]) -> InspectorAddress:
    """The address at which the command's `--inspect-brk` is going to listen.

    Like node itself: each flag that names an address changes what it names, the last one counts, and what
    stands behind the script's name is for the script.
    """
    words = _with_ports_joined(argv)
    options = words[: _script_index(words)]
    flags = [flag for word in options if (flag := _ADDRESS_FLAG.fullmatch(_with_dashes(word)))]
    if not any(flag["name"] == FLAG for flag in flags):
        raise _no_flag(words)
    address = InspectorAddress(DEFAULT_HOST, DEFAULT_PORT)
    for flag in flags:
        if flag["value"] is not None:
            address = _updated_address(address, flag["name"], flag["value"])
    return address


def with_inspector_flag(argv: Sequence[str]) -> tuple[str, ...]:
    """The command with a flag that has node wait for its debugger; one that has it already stays as it is."""
    node = _node_index(argv)
    if node == len(argv):
        raise InvalidArgumentsError(
            f"The command does not start node itself, so that it cannot be debugged: {shlex.join(argv)}",
            advice="Give the node command that it comes to, such as: node node_modules/.bin/jest --runInBand,"
            " or: node --import tsx app.ts",
        )
    words = _with_ports_joined(argv)
    options = words[: _script_index(words)]
    if any(_with_dashes(word).partition("=")[0] == FLAG for word in options):
        return tuple(argv)
    return (*argv[: node + 1], f"{FLAG}=0", *argv[node + 1 :])


def is_node_name(name: str) -> bool:
    """Whether a program of this name is Node.js."""
    return _NODE_COMMAND.fullmatch(name) is not None


def refuse_beyond_loopback(url: str) -> None:
    """Raise when an inspector listens where others can reach it; an environment can make it do so as well."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:  # a bracket too few: no address of this machine either
        host = ""
    if not is_loopback(host):
        raise _not_loopback(host, url)


def _with_ports_joined(argv: Sequence[str]) -> list[str]:
    """`--inspect-port VALUE` as one word: alone among the flags of the inspector, it may be two."""
    words: list[str] = []
    for word in argv:
        if words and _with_dashes(words[-1]) in ("--inspect-port", "--debug-port"):
            words[-1] += f"={word}"
        else:
            words.append(word)
    return words


def _script_index(argv: Sequence[str]) -> int:
    """Where the words of node's script begin; behind the end, where the command shows no such place.

    Of a word behind an option it is not known whether it is that option's value: in doubt it is.
    """
    after_option = False
    for index in range(_node_index(argv) + 1, len(argv)):
        word, before = argv[index], argv[index - 1]
        if word == "--":
            return index
        is_value = after_option and (before in _TAKES_CODE_OR_MODULE or not _SCRIPT.fullmatch(word))
        if word == "-" or (not word.startswith("-") and not is_value):
            return index
        after_option = word.startswith("-") and "=" not in word and not _ADDRESS_FLAG.fullmatch(_with_dashes(word))
    return len(argv)


def _node_index(argv: Sequence[str]) -> int:
    """Where node's own name stands; behind the end, where something else is to start it."""
    names = (word.rsplit("/", 1)[-1] for word in argv)
    return next((index for index, name in enumerate(names) if is_node_name(name)), len(argv))


def _with_dashes(word: str) -> str:
    """Node reads an underscore in an option's name as a dash."""
    name, equals, value = word.partition("=")
    return name.replace("_", "-") + equals + value


def _updated_address(address: InspectorAddress, flag: str, value: str) -> InspectorAddress:
    match = _VALUE.fullmatch(value) if value else None
    if match is None:
        raise _bad_address(flag, value)
    host = (match["host"] or address.host).strip("[]")
    port = address.port
    if match["bare_port"] or match["colon"]:
        port = int(match["bare_port"] or match["port"] or 0)
    if port != 0 and not 1024 <= port <= 65535:
        raise _bad_address(flag, value)
    if not is_loopback(host):
        raise _not_loopback(host, f"{flag}={value}")
    return InspectorAddress(host, port)


def _no_flag(argv: Sequence[str]) -> InvalidArgumentsError:
    command = shlex.join(argv)
    if any(_with_dashes(word).partition("=")[0] == FLAG for word in argv):
        problem = f"The {FLAG} in the command stands behind the script's name, so node does not see it: {command}"
    else:
        problem = f"The command has no {FLAG}, so the program cannot be debugged: {command}"
    return InvalidArgumentsError(problem, advice=f"Use: {shlex.join(_with_flag(argv))}")


def _not_loopback(host: str, where: str) -> InvalidArgumentsError:
    return InvalidArgumentsError(
        f"The inspector may listen on this machine only, not on {host!r} ({where})",
        advice=f"Whoever reaches an inspector can run any code. Use {FLAG}=0 or {FLAG}={DEFAULT_HOST}:PORT.",
    )


def _bad_address(flag: str, value: str) -> InvalidArgumentsError:
    return InvalidArgumentsError(
        f"{flag}={value} is no address that node can listen on",
        advice=f"Use {FLAG} (port {DEFAULT_PORT}), {FLAG}=0 (any free port), {FLAG}=PORT with a port from 1024"
        f" to 65535, or {FLAG}=HOST:PORT with a loopback host.",
    )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, and nothing that others can reach."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _with_flag(argv: Sequence[str]) -> list[str]:
    """The command as it should be: the flag belongs directly behind the runtime's name."""
    node = _node_index(argv)
    if node == len(argv):
        return ["node", f"{FLAG}=0", "path/to/script.js"]
    others = [word for word in argv[node + 1 :] if not _ADDRESS_FLAG.fullmatch(_with_dashes(word))]
    return [*argv[: node + 1], f"{FLAG}=0", *others]
