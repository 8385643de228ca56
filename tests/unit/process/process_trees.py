"""A target with descendants of every kind that is hard to get rid of."""

import sys
from collections.abc import Sequence

_PROGRAM = '''
import os, signal, sys

def fork(body):
    if os.fork() == 0:
        body()
        os._exit(0)

def stay(name):
    os.write(1, f"{name} {os.getpid()}\\n".encode())
    while True:
        signal.pause()

def own_group():
    os.setpgid(0, 0)
    stay("own_group")

def detached_grandchild():
    fork(lambda: (os.setsid(), stay("detached_grandchild")))
    stay("middle")

def daemon():
    os.setsid()
    fork(lambda: stay("daemon"))

def silent_daemon():
    os.setsid()
    fork(silent_daemon_body)

def silent_daemon_body():
    os.write(1, f"silent_daemon {os.getpid()}\\n".encode())
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    while True:
        signal.pause()

def deaf():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    stay("deaf")

def chain(length=6):
    os.setsid()
    if length:
        fork(lambda: chain(length - 1))
    stay("chain")

def runaway():
    """Always on the move: a new session, a new process, and the old one ends."""
    os.write(1, f"runaway {os.getpid()}\\n".encode())
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (1, 2):
        os.dup2(null, fd)
    while os.fork() == 0:
        os.setsid()
    os._exit(0)

def child():
    stay("child")

ending, *kinds = sys.argv[2:]
for kind in kinds:
    fork(globals()[kind])
if ending == "stay":
    stay("target")
sys.exit(7)
'''
LINES_PRINTED = {
    "child": 1,
    "own_group": 1,
    "detached_grandchild": 2,
    "daemon": 1,
    "silent_daemon": 1,
    "deaf": 1,
    "chain": 7,
    "runaway": 1,
}


def tree_command(token: str, kinds: Sequence[str], *, target_stays: bool = True) -> list[str]:
    """The command of a program that starts `kinds` of descendants; all have `token` in their arguments."""
    ending = "stay" if target_stays else "exit"
    return [sys.executable, "-I", "-S", "-c", _PROGRAM, token, ending, *kinds]


def lines_of_tree(kinds: Sequence[str], *, target_stays: bool = True) -> int:
    """How many lines such a tree has printed when all of it runs."""
    return sum(LINES_PRINTED[kind] for kind in kinds) + target_stays
