from dataclasses import FrozenInstanceError, fields

import pytest

from server.config import ENVIRONMENT_PREFIX, TOOLSETS, Settings, SettingsError, parse_toolsets

SAMPLES: dict[type, tuple[str, object]] = {int: ("7", 7), bool: ("on", True), tuple: ("script", ("script",))}
"""For each type of setting a text, and what it means."""


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Settings.from_environment({}) == Settings()


@pytest.mark.parametrize("name", [field.name for field in fields(Settings)])
def test_every_setting_can_be_set_by_its_own_variable(name: str) -> None:
    default = getattr(Settings(), name)
    text, meaning = ("off", False) if default is True else SAMPLES[type(default)]
    settings = Settings.from_environment({ENVIRONMENT_PREFIX + name.upper(): text})
    assert getattr(settings, name) == meaning
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


@pytest.mark.parametrize("text", ["", "1", "true", "yes", "ON"])
def test_what_is_neither_on_nor_off_is_refused_with_the_variables_name(text: str) -> None:
    with pytest.raises(SettingsError, match=f"DEBUG_SCRIPT_SKIP_PACKAGES has to be on or off, not '{text}'"):
        Settings.from_environment({"DEBUG_SCRIPT_SKIP_PACKAGES": text})


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().max_concurrent_runs = 1  # type: ignore[misc]


def test_one_result_always_fits_among_all_results() -> None:
    assert 2 * Settings().max_result_bytes <= Settings().max_results_bytes


@pytest.mark.parametrize(
    ("text", "toolsets"),
    [
        ("script", ("script",)),
        ("session", ("session",)),
        ("session,script", TOOLSETS),
        (" script , session ", TOOLSETS),
        ("script,script", ("script",)),
    ],
)
def test_toolsets_are_named_with_commas_between_them(text: str, toolsets: tuple[str, ...]) -> None:
    assert parse_toolsets("--tools", text) == toolsets


@pytest.mark.parametrize(
    ("text", "unknown"),
    [("", "''"), ("scripts", "'scripts'"), ("script,", "''"), ("script,b,a", "'a', 'b'"), ("SCRIPT", "'SCRIPT'")],
)
def test_an_unknown_toolset_is_refused_with_the_names_that_there_are(text: str, unknown: str) -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.from_environment({"DEBUG_SCRIPT_TOOLS": text})
    assert str(refused.value) == f"DEBUG_SCRIPT_TOOLS names no toolset with {unknown}; there are: script, session"
