"""What a scenario found: one line of the table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A measured value; `reached` is None where nothing was promised, or nothing could be measured."""

    what: str
    measured: str
    target: str = ""
    reached: bool | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """The findings of one scenario, and how they came about."""

    title: str
    method: str
    findings: list[Finding]
