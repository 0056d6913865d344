"""The key list, generated from the action table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from workbench.actions import ACTIONS, GESTURES, translated
from workbench.theme import set_look
from workbench.widgets.command_palette import key_text, menu_title
from workbench.widgets.on_screen import OnScreen
from workbench.widgets.pill import KeyCap
from workbench.widgets.search_field import SearchField
from workbench.widgets.section_head import SectionHead

WIDTH_PX: Final = 640
HEIGHT_PX: Final = 620


@dataclass(frozen=True, slots=True)
class KeyLine:
    """One line of the list: what it does, in words, and the keys for it."""

    section: str
    title: str
    help: str
    keys: tuple[str, ...]


def key_lines() -> tuple[KeyLine, ...]:
    """List every action that has keys, and every gesture, in the language in force."""
    return (
        *(
            KeyLine(
                menu_title(spec, depth=1),
                spec.plain_label(),
                spec.help_line(),
                tuple(key_text(keys) for keys in spec.keys),
            )
            for spec in ACTIONS
            if spec.keys
        ),
        *(
            KeyLine(
                translated(gesture.where),
                translated(gesture.help).removesuffix("."),
                "",
                (translated(gesture.keys),),
            )
            for gesture in GESTURES
        ),
    )


class ShortcutsDialog(QDialog):
    """Every command with its keys, by menu, with a field that narrows the list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("help.keys")
        OnScreen(self)
        self.setWindowTitle(self.tr("Keys"))
        self.resize(WIDTH_PX, HEIGHT_PX)
        self._search = SearchField(self.tr("Find a command or a key"))
        self._search.searched.connect(self._on_search_searched)
        self._search.left.connect(self.reject)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(self.tr("Keys"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(12)
        column.addWidget(self._search)
        column.addWidget(self._area, 1)
        column.addWidget(buttons)
        self._fill("")
        self._search.setFocus()

    @property
    def lines_shown(self) -> int:
        """How many lines fit what is typed."""
        return self._shown

    @Slot(str)
    def _on_search_searched(self, typed: str) -> None:
        self._fill(typed)

    def _fill(self, typed: str) -> None:
        words = typed.casefold().split()
        fitting = [
            line
            for line in key_lines()
            if all(
                word in f"{line.section} {line.title} {line.help} {' '.join(line.keys)}".casefold()
                for word in words
            )
        ]
        self._shown = len(fitting)
        content = QFrame()
        set_look(content, "panel")
        grid = QGridLayout(content)
        grid.setContentsMargins(16, 12, 16, 16)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        section = None
        for line in fitting:
            if line.section != section:
                section = line.section
                if grid.rowCount() > 1:
                    grid.setRowMinimumHeight(grid.rowCount(), 8)
                grid.addWidget(SectionHead(section), grid.rowCount(), 0, 1, 2)
            self._add_line(grid, line)
        if not fitting:
            nothing = QLabel(self.tr("No command or key fits."))
            set_look(nothing, "secondary")
            grid.addWidget(nothing, 0, 0)
        grid.setRowStretch(grid.rowCount(), 1)
        self._area.setWidget(content)

    def _add_line(self, grid: QGridLayout, line: KeyLine) -> None:
        row = grid.rowCount()
        title = QLabel(line.title)
        title.setTextFormat(Qt.TextFormat.PlainText)
        title.setToolTip(line.help)
        caps = QHBoxLayout()
        caps.setSpacing(4)
        caps.addStretch(1)
        for number, keys in enumerate(line.keys):
            if number:
                between = QLabel(QCoreApplication.translate("ShortcutsDialog", "or"))
                set_look(between, "secondary")
                caps.addWidget(between)
            caps.addWidget(KeyCap(keys))
        grid.addWidget(title, row, 0)
        grid.addLayout(caps, row, 1)
