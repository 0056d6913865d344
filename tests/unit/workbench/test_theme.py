from __future__ import annotations

import json
import re
from dataclasses import fields
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontInfo, QFontMetrics, QIcon, QPixmap
from PySide6.QtWidgets import QApplication, QPushButton

from tests.support import ROOT
from workbench import theme
from workbench.actions import ACTIONS
from workbench.theme import THEME_NAMES, Theme, contrast_ratio, load_theme

TEXT_ON_GROUND = (
    *product(("text", "dim"), ("bg", "panel", "raised", "lane", "accent_bg")),
    *product(("accent",), ("bg", "panel", "raised", "accent_bg")),
    *product(("warn",), ("bg", "panel", "raised", "warn_bg")),
    *product(("danger",), ("bg", "panel", "raised", "danger_bg")),
    *product(("ok",), ("bg", "panel", "raised", "ok_bg")),
    *product(("text",), ("warn_bg", "danger_bg", "ok_bg")),
    ("on_accent", "accent"),
    ("on_danger", "danger"),
)


@pytest.fixture
def look(qapp: QApplication):
    """The appearance, put back to what it was at the end."""
    it = theme.appearance()
    yield it
    it.set_density("normal")
    it.set_reduced_motion(False)
    theme.choose_theme(qapp, "light")


@pytest.mark.parametrize("name", THEME_NAMES)
def test_text_stands_out_from_its_ground(name: theme.ThemeName) -> None:
    worn = load_theme(name)
    least = 7.0 if worn.is_contrast else 5.5
    weak = {
        (role, ground): round(ratio, 2)
        for role, ground in TEXT_ON_GROUND
        if (ratio := contrast_ratio(getattr(worn, role), getattr(worn, ground))) < least
    }
    assert weak == {}


@pytest.mark.parametrize("name", THEME_NAMES)
def test_bar_labels_and_edges_stand_out(name: theme.ThemeName) -> None:
    worn = load_theme(name)
    least = 7.0 if worn.is_contrast else 5.8
    assert [bar for bar in worn.bars if contrast_ratio(worn.bart, bar) < least] == []
    for role, ground in product(("ctl", "edge"), ("bg", "panel", "raised")):
        assert contrast_ratio(getattr(worn, role), getattr(worn, ground)) >= 3, (role, ground)
    assert [dot for dot in worn.types if contrast_ratio(dot, worn.panel) < 3] == []


def test_contrast_is_that_of_wcag() -> None:
    assert contrast_ratio("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast_ratio("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


def test_themes_keep_to_the_drawing(shared: Path) -> None:
    """A few colours are a shade off the drawing, where it misses its own contrast."""
    drawn = json.loads((shared / "design" / "mock" / "tokens.json").read_text(encoding="utf-8"))
    for name, tokens in drawn.items():
        for role, code in tokens.items():
            if role == "shadow":
                continue
            mine = getattr(load_theme(name), role)
            pairs = zip(mine, code, strict=True) if isinstance(mine, tuple) else [(mine, code)]
            assert all(distance(one, other) <= 8 for one, other in pairs), (name, role)


def distance(one: str, other: str) -> int:
    return max(abs(a - b) for a, b in zip(*map(bytes.fromhex, (one[1:], other[1:])), strict=True))


def test_a_theme_with_an_unknown_or_missing_role_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "resources" / "themes" / "light.json").read_text(encoding="utf-8")
    broken = {
        "light": text.replace('"bg":', '"ground":'),
        "dark": text.replace("#F6F7F9", "#F6F7F9; border: none"),
    }
    for name, content in broken.items():
        (tmp_path / f"{name}.json").write_text(content, encoding="utf-8")
    monkeypatch.setattr(theme, "resource", lambda *parts: tmp_path.joinpath(*parts[1:]))
    load_theme.cache_clear()
    try:
        with pytest.raises(ValueError, match="bg, ground"):
            load_theme("light")
        with pytest.raises(ValueError, match="#RRGGBB"):
            load_theme("dark")
    finally:
        load_theme.cache_clear()


def test_the_style_sheet_uses_only_colours_of_the_theme() -> None:
    source = (ROOT / "resources" / "themes" / "base.qss").read_text(encoding="utf-8")
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?!:|\s*\{)", source.replace("#qt_calendar", "")) == []
    for name in THEME_NAMES:
        sheet = theme.style_sheet(load_theme(name))
        assert "$" not in sheet
        for path in re.findall(r'url\("([^"]+)"\)', sheet):
            assert Path(path).is_file()


def test_every_role_is_documented_and_painted_by_its_name() -> None:
    worn = load_theme("dark")
    assert {it.name for it in fields(Theme)} >= set(theme.ROLES)
    assert worn.color("accent").name().upper() == worn.accent
    assert worn.bar_color(9) == worn.bar_color(1)
    assert worn.type_color(5) == worn.type_color(0)


def test_every_icon_named_is_there_and_every_icon_there_is_named() -> None:
    there = {path.stem for path in (ROOT / "resources" / "icons").glob("*.svg")}
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "workbench").rglob("*.py")
    )
    named = set(re.findall(r'"([a-z][a-z0-9-]*)"', code))
    assert there - named == set()
    assert {spec.icon for spec in ACTIONS if spec.icon} - there == set()
    with pytest.raises(FileNotFoundError, match=r"no-such-icon\.svg"):
        theme.icon("no-such-icon")


def test_an_icon_follows_the_theme_and_is_sharp_at_two(qapp: QApplication, look) -> None:
    def colors(it: QIcon) -> set[str]:
        picture = it.pixmap(QSize(16, 16), 2.0)
        assert picture.size() == QSize(32, 32)
        image = picture.toImage()
        spots = product(range(32), range(32))
        return {
            image.pixelColor(x, y).name().upper()
            for x, y in spots
            if image.pixelColor(x, y).alpha() == 255
        }

    it = theme.icon("check", "danger")
    theme.choose_theme(qapp, "light")
    assert load_theme("light").danger in colors(it)
    theme.choose_theme(qapp, "dark")
    assert load_theme("dark").danger in colors(it)
    disabled = it.pixmap(QSize(16, 16), 1.0, QIcon.Mode.Disabled).toImage()
    assert load_theme("dark").off in {
        disabled.pixelColor(x, y).name().upper() for x, y in product(range(16), range(16))
    }


def test_an_icon_survives_being_copied_and_changed(qapp: QApplication) -> None:
    button = QPushButton()
    button.setIcon(theme.icon("x"))
    copy = QIcon(button.icon())
    copy.addPixmap(QPixmap(4, 4))  # makes Qt clone the engine
    button.deleteLater()
    assert not copy.pixmap(16).isNull()
    assert not theme.icon("x").pixmap(16).isNull()


def test_choosing_a_theme_dresses_the_application_and_tells(
    qapp: QApplication, look, qtbot
) -> None:
    theme.choose_theme(qapp, "light")
    with qtbot.waitSignal(look.changed):
        theme.choose_theme(qapp, "contrast")
    assert theme.current().name == "contrast"
    assert qapp.palette().window().color().name() == "#000000"
    assert load_theme("contrast").accent in qapp.styleSheet()


def test_following_the_system_takes_its_scheme(qapp: QApplication, look) -> None:
    theme.choose_theme(qapp, "dark")
    theme.choose_theme(qapp, "system")
    assert look.follows_system
    assert theme.current().name == theme.system_theme_name()


def test_rows_and_motion_follow_the_choice(qapp: QApplication, look, qtbot) -> None:
    theme.choose_theme(qapp, "light")
    assert [look.row_height(row) for row in ("list", "table", "lane")] == [28, 30, 30]
    with qtbot.waitSignal(look.changed):
        look.set_density("compact")
    assert look.row_height("lane") == 22
    look.set_density("roomy")
    assert look.row_height("lane") == 38
    assert "height: 34px" in qapp.styleSheet()
    assert look.motion_ms == 120
    with qtbot.waitSignal(look.changed):
        look.set_reduced_motion(True)
    assert look.motion_ms == 0


def test_the_bundled_faces_are_found_and_figures_are_of_one_width(qapp: QApplication) -> None:
    theme.load_fonts()
    content, mono = theme.font("content"), theme.font("mono")
    assert QFontInfo(content).family() == "Inter"
    assert QFontInfo(mono).family() == "JetBrains Mono"
    assert QFontInfo(theme.font("title")).weight() == QFont.Weight.DemiBold
    metrics = QFontMetrics(content)
    assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("0000")
