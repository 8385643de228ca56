"""The arithmetic of the benchmarks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.samples import Spread, further_hit_rates, interleave, ratios, spread


def test_spread_of_five_samples_is_the_second_third_and_fourth_of_them_in_order() -> None:
    assert spread([5.0, 1.0, 4.0, 2.0, 3.0]) == Spread(p25=2.0, median=3.0, p75=4.0)


def test_spread_of_one_sample_is_that_sample() -> None:
    assert spread([7.0]) == Spread(p25=7.0, median=7.0, p75=7.0)


def test_spread_lies_between_two_samples_where_they_are_even_in_number() -> None:
    assert spread([1.0, 3.0]) == Spread(p25=1.5, median=2.0, p75=2.5)


def test_text_of_a_spread_shows_the_median_before_the_quartiles() -> None:
    assert Spread(1.754, 1.823, 1.899).text(2) == "1.82 (1.75 to 1.90)"
    assert Spread(1225.4, 1451.0, 1462.2).text(0, " hits/s") == "1,451 hits/s (1,225 to 1,462)"


def test_ratios_compare_within_a_round_and_not_the_medians() -> None:
    # The second round was ten times as slow for both: their ratio is the same.
    assert ratios([2.0, 20.0, 2.0], [1.0, 10.0, 1.0]) == Spread(2.0, 2.0, 2.0)
    assert ratios([1.0, 9.0, 2.0], [1.0, 3.0, 1.0]).median == 2.0


def test_ratios_of_unequal_numbers_of_rounds_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        ratios([1.0, 2.0], [1.0])


def test_further_hit_rates_leave_out_the_first_hit_and_what_surrounds_it() -> None:
    assert further_hit_rates([3.0, 2.0], [1.0, 1.0], hits=101) == [50.0, 100.0]


def test_further_hit_rates_survive_a_longer_run_that_noise_made_the_shorter_one() -> None:
    [rate] = further_hit_rates([0.9], [1.0], hits=2)
    assert rate > 0


def test_interleave_takes_turns_goes_backwards_every_second_time_and_drops_the_first_round() -> None:
    order: list[str] = []

    def way(name: str) -> Callable[[], float]:
        def take() -> float:
            order.append(name)
            return float(len(order))

        return take

    samples = interleave({"a": way("a"), "b": way("b")}, rounds=3)

    assert order == ["b", "a", "a", "b", "b", "a", "a", "b"]
    assert samples == {"a": [3.0, 6.0, 7.0], "b": [4.0, 5.0, 8.0]}
