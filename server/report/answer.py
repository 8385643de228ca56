"""What a tool answers, before it becomes a message of the protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` None means an empty content list; `structured` is always there."""

    structured: dict[str, Any]
    text: str | None = None
    is_error: bool = False
