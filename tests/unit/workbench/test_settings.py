from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from pydantic import ValidationError
from PySide6.QtCore import QByteArray

from workbench.settings import (
    KEPT_RECENT,
    Settings,
    SettingsFile,
    WindowState,
    setting_fields,
)


def test_without_a_file_there_are_defaults_and_no_complaint(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "nowhere")
    assert file.load() == Settings()
    assert file.problem == ""


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path)
    chosen = Settings().changed(theme="dark", language="es").with_recent_store("sqlite:///a.db")
    file.save(chosen)
    assert file.load() == chosen
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]


def test_keys_of_another_version_are_kept(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path)
    file.path.write_text('{"theme": "dark", "hologram": {"depth": 3}}', encoding="utf-8")
    file.save(file.load().changed(theme="light"))
    kept = json.loads(file.path.read_text(encoding="utf-8"))
    assert kept["hologram"] == {"depth": 3}
    assert kept["theme"] == "light"
    assert file.problem == ""


@pytest.mark.parametrize("broken", ["{", "[]", "\x00\x01", '"theme"'])
def test_a_broken_file_is_kept_aside_and_said_once(tmp_path: Path, broken: str) -> None:
    file = SettingsFile(tmp_path)
    file.path.write_text(broken, encoding="utf-8")
    assert file.load() == Settings()
    aside = tmp_path / "settings.broken.json"
    assert str(aside) in file.problem
    assert aside.read_text(encoding="utf-8") == broken


def test_a_bad_value_costs_that_value_only(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path)
    file.path.write_text('{"theme": "pink", "row_density": "roomy"}', encoding="utf-8")
    loaded = file.load()
    assert loaded.theme == "system"
    assert loaded.row_density == "roomy"
    assert "theme" in file.problem


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SettingsFile(tmp_path)
    file.save(Settings().changed(theme="dark"))

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        file.save(Settings())
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]
    assert file.load().theme == "dark"


def test_settings_are_frozen_and_limited() -> None:
    with pytest.raises(ValidationError):
        Settings().theme = "dark"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Settings().changed(actor="x" * 121)


def test_recent_things_come_first_once_and_are_not_endless() -> None:
    settings = Settings()
    for number in range(KEPT_RECENT + 5):
        settings = settings.with_recent_store(f"sqlite:///{number}.db")
    settings = settings.with_recent_store("sqlite:///10.db")
    assert settings.recent_stores[0] == "sqlite:///10.db"
    assert len(settings.recent_stores) == KEPT_RECENT == len(set(settings.recent_stores))
    assert settings.without_recent_store("sqlite:///10.db").recent_stores[0] != "sqlite:///10.db"
    assert settings.with_recent_reason("typo").with_recent_reason("typo").recent_reasons == (
        "typo",
    )


def test_a_recent_store_is_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Settings().with_recent_store("a.db").recent_stores == (str(tmp_path / "a.db"),)
    assert Settings().with_recent_store("memory:").recent_stores == ("memory:",)


def test_every_choice_shown_has_words_for_each_value() -> None:
    shown = setting_fields()
    assert {field.name for field in shown} == set(Settings.model_fields) - {
        "recent_stores",
        "recent_reasons",
    }
    for field in shown:
        assert field.title
        assert field.page
        if field.kind == "choice":
            for value, words in field.choices:
                assert words
                assert Settings().changed(**{field.name: value})
    assert next(field for field in shown if field.name == "actor").max_length == 120


def test_window_state_keeps_bytes_and_forgets_on_request(tmp_path: Path) -> None:
    state = WindowState(tmp_path)
    assert state.load("geometry") is None
    state.keep("geometry", QByteArray(b"\x00\x01\xff"))
    state.flush()
    assert WindowState(tmp_path).load("geometry") == QByteArray(b"\x00\x01\xff")
    state.forget()
    assert state.load("geometry") is None
