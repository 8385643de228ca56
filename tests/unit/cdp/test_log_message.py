from __future__ import annotations

import pytest

from server.cdp.log_message import LogExpression, LogText, message_to_parts
from server.errors import InvalidArgumentsError


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("", ()),
        ("plain", (LogText("plain"),)),
        ("{a}", (LogExpression("a"),)),
        ("a is { a } of {b.length}!", ("a is ", LogExpression("a"), " of ", LogExpression("b.length"), "!")),
        ("{a}{b}", (LogExpression("a"), LogExpression("b"))),
        ("{{a}}", (LogText("{a}"),)),
        ("{{{a}}}", ("{", LogExpression("a"), "}")),
        ("{f({a: {b: 1}})}", (LogExpression("f({a: {b: 1}})"),)),
        ("{ {a: 1} }", (LogExpression("{a: 1}"),)),
        ("{'}'}{\"{\"}", (LogExpression("'}'"), LogExpression('"{"'))),
        ("{`${ {a}.a } }`}", (LogExpression("`${ {a}.a } }`"),)),
        ("{`a${`b${c}`}`}", (LogExpression("`a${`b${c}`}`"),)),
        ("{/[}]{2}/.test(x)}", (LogExpression("/[}]{2}/.test(x)"),)),
        ("{a / b} / {c}", (LogExpression("a / b"), " / ", LogExpression("c"))),
        ("{a /* } */}", (LogExpression("a /* } */"),)),
        ("{a // }\n} b", (LogExpression("a // }"), " b")),
        ("lone } and {} and { }", (LogText("lone } and {} and { }"),)),
        ("it's {a}", ("it's ", LogExpression("a"))),
    ],
)
def test_parts_of_a_message(message: str, parts: tuple[object, ...]) -> None:
    expected = tuple(LogText(part) if isinstance(part, str) else part for part in parts)
    assert message_to_parts(message) == expected


@pytest.mark.parametrize("message", ["{a", "x {a{b}", "{'}", "{`${a}", "{a // }"])
def test_brace_that_is_never_closed_is_refused(message: str) -> None:
    with pytest.raises(InvalidArgumentsError, match="never closed"):
        message_to_parts(message)
