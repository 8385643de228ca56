"""The tree that is drawn at the top of server/errors.py is the real one."""

import inspect
import re
from collections import Counter

import pytest

from server import errors
from server.errors import DebugError, DisconnectedError, ErrorCode, InvalidArgumentsError, ProtocolError, RunInterrupted

LEAVES = [found for found in DebugError.__subclasses__() if found.__module__ == errors.__name__]


def drawn_tree() -> dict[str, str]:
    """Each class of the drawing with its parent; an unindented one has the parent Exception."""
    parents: dict[str, str] = {}
    root = ""
    for line in (errors.__doc__ or "").splitlines():
        if match := re.match(r"([├└]── )?([A-Z]\w+)  ", line):
            parents[match[2]] = root if match[1] else "Exception"
            root = root if match[1] else match[2]
    return parents


def real_tree() -> dict[str, str]:
    classes = (found for _, found in inspect.getmembers(errors, inspect.isclass))
    return {
        found.__name__: found.__base__.__name__
        for found in classes
        if found.__module__ == errors.__name__ and issubclass(found, BaseException) and found.__base__ is not None
    }


def test_the_drawn_tree_is_the_real_one() -> None:
    assert drawn_tree() == real_tree()


def test_every_failure_has_a_code_of_its_own() -> None:
    codes = Counter(error.code for error in LEAVES)
    assert codes == dict.fromkeys(ErrorCode, 1)


def test_a_code_is_spelled_as_it_is_named() -> None:
    assert [code.value for code in ErrorCode] == [code.name for code in ErrorCode]


def test_an_interruption_is_not_a_failure() -> None:
    assert not issubclass(RunInterrupted, DebugError)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (InvalidArgumentsError("no file"), "no file"),
        (InvalidArgumentsError("no file", advice="Give one."), "no file\nGive one."),
        (ProtocolError("Debugger.resume", -32000, "not paused"), "Debugger.resume failed: not paused (-32000)"),
        (DisconnectedError("Debugger.resume", "gone"), "Debugger.resume was not answered: gone"),
    ],
)
def test_the_text_of_a_failure_is_its_message_and_then_its_advice(error: DebugError, text: str) -> None:
    assert str(error) == text
