"""Looking at a program that stands still: its variables, what is inside them, and the values of expressions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.cdp.connection import Connection
    from server.cdp.pause import Pause
    from server.cdp.scripts import ScriptTable
    from server.cdp.session_injection import SessionInjection
    from server.debug.session_model import Evaluation
    from server.debug.value import Page, Value, VariablePage


class Inspection:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, scripts: ScriptTable, injection: SessionInjection) -> None:
        self._connection = connection
        self._scripts = scripts
        self._injection = injection

    def variables(self, pause: Pause, frame: int, scope: str | None, page: Page) -> VariablePage:
        """What a frame sees: all its scopes merged, the innermost of a name only; or one scope, by its name."""
        raise NotImplementedError

    def expand(self, handle: str, page: Page) -> VariablePage:
        """What is inside a value."""
        raise NotImplementedError

    def evaluate(self, pause: Pause, frame: int, evaluations: Iterable[Evaluation]) -> tuple[Value, ...]:
        """The values of expressions in a frame; one that throws, or is none, is a value of type `error`."""
        raise NotImplementedError

    def set_variable(self, pause: Pause, frame: int, name: str, expression: str) -> Value:
        """Give a variable the value of an expression; the answer is its new value."""
        raise NotImplementedError

    def forget_values(self) -> None:
        """Let go of every value of this stop, before the program goes on; does not wait."""
        raise NotImplementedError
