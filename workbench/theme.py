"""How the program looks: colours by role, type, icons, density, and the switch between themes.

A `Theme` is a set of colour roles read from ``resources/themes``. `choose_theme` dresses the
application (Fusion style, palette, ``base.qss``); widgets that paint themselves ask `current()`
while they paint and repaint on ``appearance().changed``. Icons recolour themselves.
"""

from __future__ import annotations

import atexit
import json
import re
import shutil
import tempfile
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Final, Literal, get_args

from PySide6.QtCore import QByteArray, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from workbench.resources import resource

if TYPE_CHECKING:
    from collections.abc import Iterable

ThemeName = Literal["light", "dark", "contrast"]
ThemeChoice = Literal["system", "light", "dark", "contrast"]
Role = Literal[
    "bg", "panel", "raised", "line", "text", "dim", "accent", "on_accent", "accent_bg", "lane",
    "warn", "warn_bg", "danger", "on_danger", "danger_bg", "ok", "ok_bg", "ctl", "off", "edge",
    "bart",
]  # fmt: skip
Density = Literal["compact", "normal", "roomy"]
FontRole = Literal[
    "content", "strong", "secondary", "caps", "key", "title", "value", "mono", "mono_small"
]  # fmt: skip
Row = Literal["list", "table", "lane"]

THEME_NAMES: Final[tuple[ThemeName, ...]] = get_args(ThemeName)
ROLES: Final[tuple[Role, ...]] = get_args(Role)

SANS: Final = "Inter"
MONO: Final = "JetBrains Mono"

#: Pixels and weight of each font role, from the scale in the design (13/20, 12/16, 11 capitals).
_TYPE_SCALE: Final[dict[FontRole, tuple[str, int, QFont.Weight]]] = {
    "content": (SANS, 13, QFont.Weight.Normal),
    "strong": (SANS, 13, QFont.Weight.DemiBold),
    "secondary": (SANS, 12, QFont.Weight.Normal),
    "caps": (SANS, 11, QFont.Weight.DemiBold),
    "key": (SANS, 11, QFont.Weight.Normal),
    "title": (SANS, 15, QFont.Weight.DemiBold),
    "value": (SANS, 20, QFont.Weight.DemiBold),
    "mono": (MONO, 12, QFont.Weight.Normal),
    "mono_small": (MONO, 11, QFont.Weight.Normal),
}

_ROW_HEIGHTS: Final[dict[Density, dict[Row, int]]] = {
    "compact": {"list": 24, "table": 24, "lane": 22},
    "normal": {"list": 28, "table": 30, "lane": 30},
    "roomy": {"list": 36, "table": 38, "lane": 38},
}

ICON_PX: Final = 16

MOTION_MS: Final = 120
"""The longest that anything moves, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one theme by role, as ``#RRGGBB``.

    Grounds: `bg` behind everything, `panel`, `raised` (menus, popups), `lane` (quiet areas such as
    group rows and the filter row). Text: `text`, `dim` (secondary). `line` separates; `ctl` borders
    controls and `edge` bars, 3 : 1 on their ground; `off` is what cannot be used now. `accent` is
    selection and the way forward, `warn` disputed or past, `danger` the now line and destruction,
    `ok` current and live; each has a ground ``…_bg``, and ``on_…`` is the text on the full colour.
    `bart` is the text on `bars`.

    Attributes:
        name: the file that it came from.
        is_dark: whether light text stands on dark ground.
        types: five swatches for memory types, used as dots only.
        bars: eight tints for bars, used by hash of the value.
    """

    name: ThemeName
    is_dark: bool
    bg: str
    panel: str
    raised: str
    line: str
    text: str
    dim: str
    accent: str
    on_accent: str
    accent_bg: str
    lane: str
    warn: str
    warn_bg: str
    danger: str
    on_danger: str
    danger_bg: str
    ok: str
    ok_bg: str
    ctl: str
    off: str
    edge: str
    bart: str
    types: tuple[str, ...]
    bars: tuple[str, ...]

    def color(self, role: Role) -> QColor:
        """Give the colour of a role for painting."""
        return _color(getattr(self, role))

    def type_color(self, index: int) -> QColor:
        """Give the swatch of the memory type with this index; the five repeat."""
        return _color(self.types[index % len(self.types)])

    def bar_color(self, index: int) -> QColor:
        """Give the tint of a bar with this index; the eight repeat."""
        return _color(self.bars[index % len(self.bars)])

    @property
    def focus_px(self) -> int:
        """The width of the ring around what has the keyboard, in pixels."""
        return 2

    @property
    def is_contrast(self) -> bool:
        """Whether this is the theme for high contrast."""
        return self.name == "contrast"


@cache
def _color(code: str) -> QColor:
    return QColor(code)


@cache
def load_theme(name: ThemeName) -> Theme:
    """Read a theme of ours by name.

    Raises:
        FileNotFoundError: there is no such theme; the installation is incomplete.
        ValueError: the file lacks a role, has one that is not known, or a colour is malformed.
    """
    raw = json.loads(resource("themes", f"{name}.json").read_text(encoding="utf-8"))
    scheme = raw.pop("scheme")
    wanted = {field.name for field in fields(Theme)} - {"name", "is_dark"}
    if set(raw) != wanted:
        odd = ", ".join(sorted(set(raw) ^ wanted))
        raise ValueError(f"The theme {name!r} does not have exactly the known roles: {odd}.")
    raw["types"], raw["bars"] = tuple(raw["types"]), tuple(raw["bars"])
    _refuse_malformed(name, raw.values())
    return Theme(name=name, is_dark=scheme == "dark", **raw)


def _refuse_malformed(name: str, values: Iterable[str | tuple[str, ...]]) -> None:
    for value in values:
        for code in (value,) if isinstance(value, str) else value:
            if re.fullmatch(r"#[0-9A-F]{6}", code) is None:
                raise ValueError(f"The theme {name!r} has {code!r} where a #RRGGBB belongs.")


def contrast_ratio(one: str, other: str) -> float:
    """Give the contrast of two ``#RRGGBB`` colours, 1 to 21, by WCAG 2.2 (relative luminance)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(code: str) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class Appearance(QObject):
    """What the program wears now: theme, row density, and whether things may move.

    Signals:
        changed: after any of them changed and the application wears it; repaint, measure again.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._theme = load_theme("light")
        self._density: Density = "normal"
        self._has_reduced_motion = False
        self._is_watching_system = False
        self.follows_system = False

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        return self._theme

    @property
    def density(self) -> Density:
        """How tall rows are."""
        return self._density

    @property
    def motion_ms(self) -> int:
        """How long a movement may take, in milliseconds: 0 under reduced motion."""
        return 0 if self._has_reduced_motion else MOTION_MS

    @property
    def has_reduced_motion(self) -> bool:
        """Whether nothing may move by itself."""
        return self._has_reduced_motion

    def row_height(self, row: Row) -> int:
        """Give the height of a row of a list, a table or the timeline, in pixels."""
        return _ROW_HEIGHTS[self._density][row]

    def set_density(self, density: Density) -> None:
        """Make rows taller or lower."""
        if density == self._density:
            return
        self._density = density
        app = QApplication.instance()
        if isinstance(app, QApplication) and app.styleSheet():
            app.setStyleSheet(style_sheet(self._theme, density))
        self.changed.emit()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Stop or allow movement."""
        if is_reduced != self._has_reduced_motion:
            self._has_reduced_motion = is_reduced
            self.changed.emit()

    def set_theme(self, theme: Theme) -> None:
        """Record the theme that the application wears; `apply_theme` calls it."""
        self._theme = theme
        self.changed.emit()

    def watch_system(self) -> None:
        """Begin to listen for changes of the system's colour scheme; needs the application."""
        if not self._is_watching_system:
            self._is_watching_system = True
            QGuiApplication.styleHints().colorSchemeChanged.connect(
                self._on_style_hints_color_scheme_changed
            )

    @Slot()
    def _on_style_hints_color_scheme_changed(self) -> None:
        app = QApplication.instance()
        if self.follows_system and isinstance(app, QApplication):
            apply_theme(app, load_theme(system_theme_name()))


@cache
def appearance() -> Appearance:
    """Give the one `Appearance` of this process."""
    return Appearance()


def current() -> Theme:
    """Give the theme in force; ask while painting, keep nothing."""
    return appearance().theme


def system_theme_name() -> ThemeName:
    """Name the theme that suits the system's colour scheme and its wish for contrast."""
    hints = QGuiApplication.styleHints()
    if hasattr(hints, "accessibility"):  # since Qt 6.10
        wish = hints.accessibility().contrastPreference()
        if wish == Qt.ContrastPreference.HighContrast:
            return "contrast"
    return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"


def choose_theme(app: QApplication, choice: ThemeChoice) -> None:
    """Dress the application in one theme, or let it follow the system from now on."""
    look = appearance()
    look.watch_system()
    hints = app.styleHints()
    look.follows_system = choice == "system"
    if choice == "system":
        hints.unsetColorScheme()
        apply_theme(app, load_theme(system_theme_name()))
        return
    theme = load_theme(choice)
    # So that what the system draws itself, such as title bars, matches.
    hints.setColorScheme(Qt.ColorScheme.Dark if theme.is_dark else Qt.ColorScheme.Light)
    apply_theme(app, theme)


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Dress the application: fonts, Fusion, palette and style sheet, then tell `appearance()`."""
    load_fonts()
    if app.property("workbench_style") is None:
        app.setStyle("Fusion")
        app.setProperty("workbench_style", "Fusion")
    app.setFont(font("content"))
    app.setPalette(palette(theme))
    app.setStyleSheet(style_sheet(theme, appearance().density))
    appearance().set_theme(theme)


def palette(theme: Theme) -> QPalette:
    """Give the Qt palette of a theme, for whatever the style sheet leaves to Fusion."""
    result = QPalette()
    roles: dict[QPalette.ColorRole, Role] = {
        QPalette.ColorRole.Window: "bg",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "panel",
        QPalette.ColorRole.AlternateBase: "lane",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.PlaceholderText: "dim",
        QPalette.ColorRole.Button: "panel",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.BrightText: "danger",
        QPalette.ColorRole.ToolTipBase: "raised",
        QPalette.ColorRole.ToolTipText: "text",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "on_accent",
        QPalette.ColorRole.Accent: "accent",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.LinkVisited: "accent",
        QPalette.ColorRole.Light: "panel",
        QPalette.ColorRole.Midlight: "lane",
        QPalette.ColorRole.Mid: "line",
        QPalette.ColorRole.Dark: "ctl",
        QPalette.ColorRole.Shadow: "edge",
    }
    for qt_role, role in roles.items():
        result.setColor(qt_role, theme.color(role))
    disabled = QPalette.ColorGroup.Disabled
    for qt_role in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
    ):
        result.setColor(disabled, qt_role, theme.color("off"))
    return result


def style_sheet(theme: Theme, density: Density = "normal") -> str:
    """Give ``base.qss`` with the roles of a theme and the height of rows filled in."""
    words: dict[str, str] = {role: getattr(theme, role) for role in ROLES}
    words |= _glyph_paths(theme)
    words |= {"mono": MONO, "focus_px": str(theme.focus_px)}
    words["list_row"] = str(_ROW_HEIGHTS[density]["list"] - 2)  # less the border
    # Under high contrast a ground of its own colour is not enough to tell a selected row.
    words["selected_edge"] = theme.accent if theme.is_contrast else theme.accent_bg
    return Template(resource("themes", "base.qss").read_text(encoding="utf-8")).substitute(words)


#: What the style sheet needs as pictures: word in base.qss -> (icon, role).
_GLYPHS: Final[dict[str, tuple[str, Role]]] = {
    "glyph_down": ("chevron-down", "dim"),
    "glyph_up": ("chevron-up", "dim"),
    "glyph_right": ("chevron-right", "dim"),
    "glyph_left": ("chevron-left", "dim"),
    "glyph_check": ("check", "on_accent"),
    "glyph_minus": ("minus", "on_accent"),
    "glyph_menu_check": ("check", "accent"),
    "glyph_close": ("x", "dim"),
}


@cache
def _glyph_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="memory-workbench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def _glyph_paths(theme: Theme) -> dict[str, str]:
    # A style sheet takes pictures from files only and cannot recolour them.
    paths = {}
    for word, (name, role) in _GLYPHS.items():
        path = _glyph_folder() / f"{theme.name}-{word}.svg"
        path.write_bytes(_recoloured(name, getattr(theme, role)))
        paths[word] = path.as_posix()
    return paths


# --- type -----------------------------------------------------------------------------------


@cache
def load_fonts() -> None:
    """Make the bundled faces known to Qt, once; Qt then finds them by family name."""
    for path in sorted(resource("fonts").glob("*.?tf")):
        QFontDatabase.addApplicationFont(str(path))


def font(role: FontRole) -> QFont:
    """Give the font of a role of the type scale, with figures of equal width."""
    family, pixels, weight = _TYPE_SCALE[role]
    result = QFont(family)
    result.setStyleHint(QFont.StyleHint.Monospace if family == MONO else QFont.StyleHint.SansSerif)
    result.setPixelSize(pixels)
    result.setWeight(weight)
    if role == "caps":
        result.setCapitalization(QFont.Capitalization.AllUppercase)
        result.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 104)
    if hasattr(result, "setFeature"):  # since Qt 6.7
        result.setFeature(QFont.Tag("tnum"), 1)
    if family == MONO and hasattr(result, "setFeature"):
        result.setFeature(QFont.Tag("calt"), 0)  # no ligatures: raw text is shown as it is
    return result


def set_look(widget: QWidget, look: str) -> None:
    """Give a widget a named look of ``base.qss``.

    Labels: ``secondary``, ``strong``, ``caps``, ``title``, ``value``, ``mono``, ``warn``,
    ``danger``, ``ok``. Buttons: ``primary``, ``danger``, ``quiet``. Frames: ``card``, ``bar``.
    """
    if widget.property("look") == look:
        return
    widget.setProperty("look", look)
    if look == "caps":
        widget.setFont(font("caps"))
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)


# --- icons ----------------------------------------------------------------------------------


@cache
def _svg(name: str) -> str:
    return resource("icons", f"{name}.svg").read_text(encoding="utf-8")


def _recoloured(name: str, code: str) -> bytes:
    return _svg(name).replace("currentColor", code).encode()


@cache
def _renderer(name: str, code: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_recoloured(name, code)))


def paint_icon(painter: QPainter, rect: QRectF, name: str, *, code: str) -> None:
    """Draw an icon into a rectangle in the colour ``code``, sharp at every scale."""
    side = min(rect.width(), rect.height())
    square = QRectF(0, 0, side, side)
    square.moveCenter(rect.center())
    _renderer(name, code).render(painter, square)


class _IconEngine(QIconEngine):
    """Draws an icon in the colours of the theme in force at the moment of painting."""

    # Qt deletes a clone, and Python must not do so before: hold what Qt was given.
    _clones: Final[list[_IconEngine]] = []

    def __init__(self, name: str, role: Role) -> None:
        super().__init__()
        self._name = name
        self._role: Role = role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        theme = current()
        code: str = theme.off if mode == QIcon.Mode.Disabled else getattr(theme, self._role)
        spot = QRectF(rect)
        if spot.width() > spot.height():  # room beside the icon, see `set_icon`
            is_mirrored = QGuiApplication.isRightToLeft()
            spot.setWidth(spot.height())
            if is_mirrored:
                spot.moveRight(QRectF(rect).right())
        paint_icon(painter, spot, self._name, code=code)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        result = QPixmap(size)
        result.fill(Qt.GlobalColor.transparent)
        painter = QPainter(result)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return result

    def clone(self) -> QIconEngine:
        copy = _IconEngine(self._name, self._role)
        self._clones.append(copy)
        return copy


@cache
def icon(name: str, role: Role = "text") -> QIcon:
    """Give an icon by its lucide name; it follows the theme by itself and is sharp at any scale.

    Raises:
        FileNotFoundError: no such icon is in ``resources/icons``.
    """
    _svg(name)
    return QIcon(_IconEngine(name, role))


def set_icon(button: QAbstractButton, name: str, role: Role = "text") -> None:
    """Put an icon before the words of a button, with air between them."""
    button.setIcon(icon(name, role))
    # Qt leaves 2 px between the two and offers no way to ask for more.
    button.setIconSize(QSize(ICON_PX + 4, ICON_PX))
