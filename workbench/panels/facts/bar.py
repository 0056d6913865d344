"""What stands over the facts table: which intervals, what narrows it, how many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QMenu, QPushButton, QWidget

from workbench.text import isolate
from workbench.theme import icon, set_look

if TYPE_CHECKING:
    from workbench.panels.facts.presenter import Chip, FactsPresenter

_HEIGHT_PX = 40


class FactsBar(QWidget):
    """Two exclusive chips for the intervals, one for each part of the filter, and the count.

    Attributes:
        columns: the button for choosing columns; give it a menu.
        filter: the button that calls the row of filters up; hidden while that is there.
    """

    def __init__(self, presenter: FactsPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._chips: list[QPushButton] = []
        self.setFixedHeight(_HEIGHT_PX)
        self._current = self._history_chip("facts.current", is_history=False)
        self._all = self._history_chip("facts.all", is_history=True)
        group = QButtonGroup(self)
        group.addButton(self._current)
        group.addButton(self._all)
        self._count = QLabel()
        self._count.setObjectName("facts.count")
        self._count.setTextFormat(Qt.TextFormat.PlainText)
        set_look(self._count, "secondary")
        self.columns = QPushButton()
        self.columns.setObjectName("facts.columns")
        set_look(self.columns, "chip")
        self.filter = QPushButton()
        self.filter.setObjectName("facts.filters")
        set_look(self.filter, "chip")
        self.filter.hide()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(10, 0, 10, 0)
        self._row.setSpacing(6)
        self._row.addWidget(self._current)
        self._row.addWidget(self._all)
        self._row.addSpacing(6)
        self._row.addStretch(1)
        self._row.addWidget(self._count)
        self._row.addSpacing(6)
        self._row.addWidget(self.filter)
        self._row.addWidget(self.columns)
        presenter.question_changed.connect(self._on_presenter_question_changed)
        presenter.count_changed.connect(self._on_presenter_count_changed)
        self._say()

    def set_menu(self, menu: QMenu) -> None:
        """Open a menu from the button for columns."""
        self.columns.setMenu(menu)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._say()

    def _history_chip(self, name: str, *, is_history: bool) -> QPushButton:
        chip = QPushButton()
        chip.setObjectName(name)
        chip.setCheckable(True)
        set_look(chip, "chip")
        chip.clicked.connect(lambda: self._presenter.set_history(is_history))
        return chip

    def _say(self) -> None:
        self._current.setText(self.tr("Current only"))
        self._current.setToolTip(self.tr("Show what holds at the instant from which you look"))
        self._all.setText(self.tr("All intervals"))
        self._all.setToolTip(self.tr("Show past and future intervals too"))
        self.filter.setText(self.tr("Filter"))
        self.filter.setToolTip(self.tr("Type under the titles what a column should say"))
        self.columns.setText(self.tr("Columns"))
        self.columns.setToolTip(self.tr("Choose columns, and by which to sort"))
        self._on_presenter_question_changed()
        self._on_presenter_count_changed()

    @Slot()
    def _on_presenter_question_changed(self) -> None:
        is_history = self._presenter.is_history
        (self._all if is_history else self._current).setChecked(True)
        for chip in self._chips:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [self._filter_chip(chip) for chip in self._presenter.chips]
        for place, button in enumerate(self._chips):
            self._row.insertWidget(3 + place, button)

    def _filter_chip(self, chip: Chip) -> QPushButton:
        button = QPushButton(f"{chip.caption}: {isolate(chip.value)}".replace("&", "&&"))
        button.setIcon(icon("x", "dim"))
        button.setIconSize(QSize(12, 12))
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        ahead, behind = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft
        button.setLayoutDirection(ahead if is_mirrored else behind)  # the cross after the words
        button.setObjectName(f"facts.filter.{chip.field}")
        set_look(button, "chip")
        said = self.tr("Take the filter away: {caption} {value}").format(
            caption=chip.caption, value=chip.value
        )
        button.setAccessibleName(said)
        button.setToolTip(self.tr("Take this filter away"))
        button.clicked.connect(lambda: self._presenter.clear_filter(chip.field))
        return button

    @Slot()
    def _on_presenter_count_changed(self) -> None:
        self._count.setText(self._presenter.count_text())
