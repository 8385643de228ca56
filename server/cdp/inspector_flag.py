"""The `--inspect-brk` of a command line: where the program's inspector is going to listen."""

from __future__ import annotations

import ipaddress
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from server.errors import InvalidArgumentsError

FLAG = "--inspect-brk"
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 9229
_VALUE = re.compile(r"(?P<bare_port>\d+)|(?P<host>\[[^\]]+\]|[^:\[\]]+)(?::(?P<port>\d+))?")
_NODE_COMMAND = re.compile(r"node(js)?(-?\d[\d.]*)?(\.exe)?")


@dataclass(frozen=True, slots=True)
class InspectorAddress:
    """Where an inspector was asked to listen; port 0 means any free port."""

    host: str
    port: int


def find_inspector_address(argv: Sequence[str]) -> InspectorAddress:
    """The address in the command's `--inspect-brk`; like node itself, the last one counts."""
    flags = [word for word in argv if word == FLAG or word.startswith(FLAG + "=")]
    if not flags:
        raise InvalidArgumentsError(
            f"The command has no {FLAG}, so the program cannot be debugged: {shlex.join(argv)}",
            advice=f"Use: {shlex.join(_with_flag(argv))}",
        )
    _, _, value = flags[-1].partition("=")
    if flags[-1] == FLAG:
        return InspectorAddress(DEFAULT_HOST, DEFAULT_PORT)
    return _parse_address(value)


def _parse_address(value: str) -> InspectorAddress:
    match = _VALUE.fullmatch(value)
    if match is None:
        raise _bad_address(value)
    host = (match["host"] or DEFAULT_HOST).strip("[]")
    port = int(match["bare_port"] or match["port"] or DEFAULT_PORT)
    if port != 0 and not 1024 <= port <= 65535:
        raise _bad_address(value)
    if not _is_loopback(host):
        raise InvalidArgumentsError(
            f"The inspector may listen on this machine only, not on {host!r} ({FLAG}={value})",
            advice=f"Whoever reaches an inspector can run any code. Use {FLAG}=0 or {FLAG}=127.0.0.1:{port}.",
        )
    return InspectorAddress(host, port)


def _bad_address(value: str) -> InvalidArgumentsError:
    return InvalidArgumentsError(
        f"{FLAG}={value} is no address that node can listen on",
        advice=f"Use {FLAG} (port {DEFAULT_PORT}), {FLAG}=0 (any free port), {FLAG}=PORT with a port from 1024"
        f" to 65535, or {FLAG}=HOST:PORT with a loopback host.",
    )


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _with_flag(argv: Sequence[str]) -> list[str]:
    """The command as it should be: the flag belongs directly behind the runtime's name."""
    for index, word in enumerate(argv):
        if _NODE_COMMAND.fullmatch(word.rsplit("/", 1)[-1]):
            others = [w for w in argv[index + 1 :] if not re.match(r"--inspect(-wait|-port)?(=|$)", w)]
            return [*argv[: index + 1], f"{FLAG}=0", *others]
    return ["node", f"{FLAG}=0", "path/to/script.js"]
