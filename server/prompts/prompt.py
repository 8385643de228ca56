"""What a prompt is: arguments, and a text that is made from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol


@dataclass(frozen=True, slots=True)
class PromptArgument:
    """A required argument; the protocol knows text only."""

    name: str
    description: str


SESSION_ID: Final = PromptArgument("session_id", "Which session, such as s1; list_debug_sessions has them.")


class Prompt(Protocol):
    """A prompt as the server lists and gives it."""

    name: str
    title: str
    description: str
    arguments: tuple[PromptArgument, ...]

    def text(self, arguments: Mapping[str, str]) -> str:
        """What the agent is told. The arguments are those that are declared; raises `SessionNotFoundError`."""
        ...
