"""What a scenario found: one line of the table."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.samples import Spread


@dataclass(frozen=True, slots=True)
class Finding:
    """A measured value; `reached` is None where nothing was promised, or nothing could be measured."""

    what: str
    measured: str
    target: str = ""
    reached: bool | None = None


def finding_at_least(what: str, measured: Spread, unit: str, least: int | None) -> Finding:
    """A large number whose median has to reach another one, where one was promised."""
    text = f"{measured.text(0)} {unit}"
    if least is None:
        return Finding(what, text)
    return Finding(what, text, target=f"at least {least:,}", reached=measured.median >= least)


@dataclass(frozen=True, slots=True)
class Scenario:
    """The findings of one scenario, and how they came about."""

    title: str
    method: str
    findings: list[Finding]
