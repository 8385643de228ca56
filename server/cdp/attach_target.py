"""Finds the debugger of a program that runs: by its URL, by an address, or by the id of its process."""

from __future__ import annotations

import os
import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from server.cdp.discovery import InspectorTarget, choose_target, list_targets
from server.cdp.inspector_flag import DEFAULT_HOST, DEFAULT_PORT, is_loopback, is_node_name
from server.errors import ConnectionFailedError, DeadlinePassed, HostNotAllowedError, InvalidArgumentsError
from server.process.foreign_process import catches_signal, is_alive, listening_addresses, program_name

if TYPE_CHECKING:
    from server.debug.inbox import Inbox
    from server.debug.session_model import AttachSpec

_LOOK_AGAIN_S = 0.03
_OPENING_S = 5.0
"""How long a process may take to open its inspector after it was asked to."""
_LARGEST_PORT = 65535
_HOSTS_OF_ALL_INTERFACES = {"0.0.0.0": DEFAULT_HOST, "::": "::1"}
_GENERIC_TITLE = re.compile(r"node\[\d+\]")


@dataclass(frozen=True, slots=True)
class AttachTarget:
    """Where to connect, and what is known of the program before."""

    websocket_url: str
    title: str
    pid: int | None = None
    """Of the process that was asked for."""


def find_attach_target(spec: AttachSpec, inbox: Inbox, *, allow_remote_hosts: bool) -> AttachTarget:
    """The debugger that a request means; waits, within the inbox's deadline, for one that has to be opened first."""
    if sum(given is not None for given in (spec.url, spec.port, spec.pid)) != 1:
        raise InvalidArgumentsError("Give one of websocket_url, port (with host) and pid.")
    if spec.pid is not None:
        return _find_by_pid(spec.pid, spec.target, inbox)
    host, port, websocket_url = _spec_to_address(spec)
    if not is_loopback(host) and not allow_remote_hosts:
        raise HostNotAllowedError(
            f"{host!r} is not this machine, and whoever reaches an inspector can run any code there.",
            advice="Forward the port to this machine (ssh -L), or start the server with"
            " DEBUG_SCRIPT_ALLOW_REMOTE_HOSTS=on.",
        )
    if websocket_url is not None:
        return AttachTarget(websocket_url, websocket_url)
    return _to_attach_target(choose_target(list_targets(host, port, inbox.deadline), spec.target, f"{host}:{port}"))


def _spec_to_address(spec: AttachSpec) -> tuple[str, int, str | None]:
    """Host, port and, where it is known already, the URL to connect to."""
    if spec.url is None:
        assert spec.port is not None
        if not 1 <= spec.port <= _LARGEST_PORT:
            raise InvalidArgumentsError(f"{spec.port} is no port.")
        return spec.host.strip("[]"), spec.port, None
    try:
        url = urlsplit(spec.url)
        host, port = url.hostname, url.port or DEFAULT_PORT
    except ValueError as error:
        raise _no_inspector_address(spec.url) from error
    if not host or url.scheme not in ("ws", "http"):
        raise _no_inspector_address(spec.url)
    is_whole = url.scheme == "ws" and url.path.strip("/")
    return host, port, spec.url if is_whole else None


def _no_inspector_address(url: str) -> InvalidArgumentsError:
    return InvalidArgumentsError(
        f"{url!r} is no address of an inspector.",
        advice=f"It looks like ws://{DEFAULT_HOST}:{DEFAULT_PORT}/0f2c…: node prints it, and /json/list has it.",
    )


# --- by process id -----------------------------------------------------------------------------------------------


def _find_by_pid(pid: int, wanted: str | None, inbox: Inbox) -> AttachTarget:
    _refuse_what_is_not_node(pid)
    found = _find_inspector(pid, wanted, inbox)
    if found is None:
        _ask_for_inspector(pid)
        found = _await_inspector(pid, wanted, inbox)
    return found


def _refuse_what_is_not_node(pid: int) -> None:
    if pid < 1 or not is_alive(pid):
        raise ConnectionFailedError(f"There is no process {pid}.")
    name = program_name(pid)
    if not is_node_name(name):
        raise InvalidArgumentsError(
            f"The process {pid} is not Node.js: it runs {name or 'something that cannot be seen'}.",
            advice="Give the id of the node process itself, not of the shell or the npm that started it.",
        )


def _ask_for_inspector(pid: int) -> None:
    """Node opens its inspector on this signal. A process that does not expect it would be killed by it."""
    if catches_signal(pid, signal.SIGUSR1) is False:
        raise ConnectionFailedError(
            f"The process {pid} does not open its inspector when asked to (--disable-sigusr1).",
            advice="Start it with node --inspect.",
        )
    try:
        os.kill(pid, signal.SIGUSR1)
    except PermissionError as error:
        raise _not_permitted(pid) from error
    except ProcessLookupError as error:
        raise ConnectionFailedError(f"The process {pid} has just ended.") from error


def _await_inspector(pid: int, wanted: str | None, inbox: Inbox) -> AttachTarget:
    until = inbox.deadline.earlier(_OPENING_S)
    while is_alive(pid) and not until.passed:
        if (found := _find_inspector(pid, wanted, inbox)) is not None:
            return found
        try:
            inbox.set_aside(inbox.next_unseen(until.earlier(_LOOK_AGAIN_S)))
        except DeadlinePassed:
            continue  # a moment has passed: look again
    raise ConnectionFailedError(
        f"The process {pid} did not open its inspector within {_OPENING_S:g} seconds.",
        advice="It may be blocked in native code, handle SIGUSR1 itself, or find its port (9229) taken."
        " Start it with node --inspect=0.",
    )


def _find_inspector(pid: int, wanted: str | None, inbox: Inbox) -> AttachTarget | None:
    for host, port in _candidates(pid):
        try:
            targets = list_targets(host, port, inbox.deadline)
        except ConnectionFailedError:
            continue  # it listens there for something else
        if targets:
            return _to_attach_target(choose_target(targets, wanted, f"{host}:{port}"), pid)
    return None


def _candidates(pid: int) -> list[tuple[str, int]]:
    """Where a process may have its inspector: where it listens, on this machine; the usual port first."""
    try:
        listening = listening_addresses(pid)
    except PermissionError as error:
        raise _not_permitted(pid) from error
    hosts = [(_HOSTS_OF_ALL_INTERFACES.get(host, host), port) for host, port in listening]
    reachable = [(host, port) for host, port in hosts if is_loopback(host)]
    if not listening and catches_signal(pid, signal.SIGUSR1) is None:
        return [(DEFAULT_HOST, DEFAULT_PORT)]  # nobody tells where it listens; who it is shows when it is connected to
    return sorted(reachable, key=lambda address: address[1] != DEFAULT_PORT)


def _not_permitted(pid: int) -> ConnectionFailedError:
    return ConnectionFailedError(
        f"The process {pid} belongs to somebody else: this server may not look at it or signal it.",
        advice="Run the server as the same user, or start the program with node --inspect and give the port.",
    )


def _to_attach_target(target: InspectorTarget, pid: int | None = None) -> AttachTarget:
    title = target.url if _GENERIC_TITLE.fullmatch(target.title) and target.url else target.title
    return AttachTarget(target.websocket_url, title or target.websocket_url, pid)
