from dataclasses import FrozenInstanceError, fields

import pytest

from server.config import ENVIRONMENT_PREFIX, Settings, SettingsError


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Settings.from_environment({}) == Settings()


@pytest.mark.parametrize("name", [field.name for field in fields(Settings)])
def test_every_setting_can_be_set_by_its_own_variable(name: str) -> None:
    settings = Settings.from_environment({ENVIRONMENT_PREFIX + name.upper(): "7"})
    assert getattr(settings, name) == 7
    changed = [
        field.name for field in fields(Settings) if getattr(settings, field.name) != getattr(Settings(), field.name)
    ]
    assert changed == [name]


def test_variables_of_others_are_no_settings() -> None:
    assert Settings.from_environment({"DEBUG_SCRIPT_TEST_NODE": "node", "MAX_CONCURRENT_RUNS": "3"}) == Settings()


@pytest.mark.parametrize("text", ["", "0", "-1", "many", "1.5", "1e3", "0x10"])
def test_what_is_no_positive_whole_number_is_refused_with_the_variables_name(text: str) -> None:
    with pytest.raises(SettingsError, match=f"DEBUG_SCRIPT_MAX_CONCURRENT_RUNS .* not '{text}'"):
        Settings.from_environment({"DEBUG_SCRIPT_MAX_CONCURRENT_RUNS": text})


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().max_concurrent_runs = 1  # type: ignore[misc]


def test_one_result_always_fits_among_all_results() -> None:
    assert 2 * Settings().max_result_bytes <= Settings().max_results_bytes
