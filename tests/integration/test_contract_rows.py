"""Every row of the contract's table for debug-script is shown by a test that names it."""

from __future__ import annotations

import pytest

from tests.integration import (
    test_contract_command,
    test_contract_endings,
    test_contract_expression,
    test_contract_values,
    test_source_maps,
)
from tests.integration.contract_rows import ROWS, SOURCE_MAPS

MODULES = (test_contract_command, test_contract_endings, test_contract_expression, test_contract_values)


def contract_tests_in(module: object) -> list[object]:
    return [value for name, value in vars(module).items() if name.startswith("test_")]


@pytest.mark.parametrize("words", [words for words in ROWS if words != SOURCE_MAPS])
def test_row_is_shown_by_a_test_that_names_it(words: str) -> None:
    named = [test for module in MODULES for test in contract_tests_in(module) if test.__doc__ == f"Row: {words}"]
    assert named


def test_row_of_source_maps_has_contract_tests_in_its_own() -> None:
    assert contract_tests_in(test_source_maps)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_contract_test_names_its_row(module: object) -> None:
    assert [test for test in contract_tests_in(module) if not str(test.__doc__).startswith("Row: ")] == []
