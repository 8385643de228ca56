"""Measure several ways side by side, and say what is typical of them."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Samples = dict[str, list[float]]
_LEAST_DIFFERENCE_S = 1e-6
"""What a difference of two noisy times counts as at least: it may come out as nothing, or less."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The middle of some samples, and the range of their middle half."""

    p25: float
    median: float
    p75: float

    def text(self, decimals: int, unit: str = "") -> str:
        """As `1.82 (1.75 to 1.90)`."""
        return f"{self.median:,.{decimals}f}{unit} ({self.p25:,.{decimals}f} to {self.p75:,.{decimals}f})"


def spread(samples: Sequence[float]) -> Spread:
    """The quartiles of one sample or more."""
    if len(samples) == 1:
        return Spread(samples[0], samples[0], samples[0])
    p25, median, p75 = statistics.quantiles(samples, n=4, method="inclusive")
    return Spread(p25, median, p75)


def ratios(samples: Sequence[float], references: Sequence[float]) -> Spread:
    """How many times the reference, compared within each round, where the machine was equally busy."""
    return spread([one / other for one, other in zip(samples, references, strict=True)])


def further_hit_rates(many: Sequence[float], one: Sequence[float], hits: int) -> list[float]:
    """Hits a second after the first one, in each round: what `hits` of them took longer than one did."""
    differences = [max(longer - shorter, _LEAST_DIFFERENCE_S) for longer, shorter in zip(many, one, strict=True)]
    return [(hits - 1) / seconds for seconds in differences]


def interleave(ways: Mapping[str, Callable[[], float]], rounds: int) -> Samples:
    """Take one sample of each way in every round. A way returns its own seconds; a first round is thrown away.

    Every second round goes backwards, so that no way always follows the same other one.
    """
    samples: Samples = {name: [] for name in ways}
    for number in range(rounds + 1):
        names = list(ways) if number % 2 else list(ways)[::-1]
        for name in names:
            seconds = ways[name]()
            if number > 0:
                samples[name].append(seconds)
        _show_progress(number, rounds)
    return samples


def _show_progress(number: int, rounds: int) -> None:
    end = "\n" if number == rounds else ""
    print(f"\r  round {number} of {rounds}", end=end, file=sys.stderr, flush=True)
