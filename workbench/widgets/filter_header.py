"""A table header with a filter under each title, as one piece."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyleOptionHeader,
    QWidget,
)

from workbench.text import tooltip
from workbench.theme import current, set_look

if TYPE_CHECKING:
    from collections.abc import Iterable

TITLE_PX: Final = 32
FILTER_PX: Final = 28
PAUSE_MS: Final = 200
_ROOM_FOR_ARROW: Final = "\u2003"
"""Of a title that ends at the right, where the arrow of the sorting is drawn."""


class FilterHeader(QHeaderView):
    """A horizontal header whose lower part filters.

    Down or Enter in a filter goes to the table; Esc clears the filter. The filters are told by
    logical section, empty ones left out.

    Signals:
        filters_changed: a dict of section to text, once typing pauses, or at once on Enter.
        folded_changed: the row of filters was put away, or is there again.
    """

    filters_changed = Signal(object)  # a dict with whole-number keys is none to Qt
    folded_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._fields: dict[int, QLineEdit] = {}
        self._told: dict[int, str] = {}
        self._unsortable: frozenset[int] = frozenset()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._tell)
        self._is_folding = self._is_folded = False
        self._fold_soon = QTimer(self, singleShot=True, interval=0)
        self._fold_soon.timeout.connect(self._fold)
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.setSortIndicatorShown(True)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.sectionResized.connect(self._place_fields)
        self.sectionMoved.connect(self._place_fields)
        self.sectionCountChanged.connect(self._on_section_count_changed)
        self.geometriesChanged.connect(self._place_fields)
        if isinstance(parent, QAbstractScrollArea):
            parent.horizontalScrollBar().valueChanged.connect(self._place_fields)

    @property
    def filters(self) -> dict[int, str]:
        """What is typed now, by logical section, without the empty ones."""
        typed = {section: field.text().strip() for section, field in self._fields.items()}
        return {section: text for section, text in typed.items() if text}

    def set_filters(self, filters: dict[int, str]) -> None:
        """Show filters that come from elsewhere, such as a link; nothing is told."""
        for section, field in self._fields.items():
            field.blockSignals(True)
            field.setText(filters.get(section, ""))
            field.blockSignals(False)
        self._pause.stop()
        self._told = self.filters
        self._fold()

    @property
    def is_folded(self) -> bool:
        """Whether the row of filters is put away."""
        return self._is_folded

    def set_folding(self, is_on: bool) -> None:
        """Put the row of filters away while none is typed and none has the focus."""
        if is_on != self._is_folding:
            self._is_folding = is_on
            self._fold()

    def set_unsortable(self, sections: Iterable[int]) -> None:
        """Say which sections a click does not sort by; they do not light up under the mouse."""
        self._unsortable = frozenset(sections)

    def set_hint(self, section: int, hint: str) -> None:
        """Show what can be typed into a section's filter while it is empty."""
        self._field(section).setPlaceholderText(hint)

    def set_problem(self, section: int, problem: str) -> None:
        """Mark a filter as not understood and say why on hover; "" takes the mark away."""
        field = self._field(section)
        field.setProperty("invalid", bool(problem))
        field.style().unpolish(field)
        field.style().polish(field)
        field.setToolTip(tooltip(problem) if problem else self._syntax())
        field.setAccessibleDescription(problem)

    def focus_filter(self, section: int) -> None:
        """Put the cursor into a section's filter."""
        self._set_folded(is_folded=False)
        self._field(section).setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def _filter_px(self) -> int:
        return 0 if self._is_folded else FILTER_PX

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), TITLE_PX + self._filter_px)

    def updateGeometries(self) -> None:
        # The titles are drawn in the viewport, the filters stand in the margin under it.
        self.setViewportMargins(0, 0, 0, self._filter_px)
        super().updateGeometries()
        self._place_fields()

    def setModel(self, model: object) -> None:
        super().setModel(model)  # type: ignore[arg-type]
        self._on_section_count_changed()

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        super().initStyleOptionForIndex(option, section)
        if section in self._unsortable:
            lit = QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_Sunken
            option.state &= ~lit
        is_right = bool(option.textAlignment & Qt.AlignmentFlag.AlignRight)
        if is_right and section == self.sortIndicatorSection():
            option.text += _ROOM_FOR_ARROW

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            painter = QPainter(self)
            area = self.rect()
            area.setTop(area.bottom() - max(self._filter_px, 1) + 1)
            painter.fillRect(area, current().color("lane"))
            painter.setPen(current().color("line"))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
            return True
        if event.type() == QEvent.Type.LanguageChange:
            self._name_fields()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            match event.key():
                case Qt.Key.Key_Down | Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    self._tell()
                    if event.key() == Qt.Key.Key_Down:
                        self._focus_table()
                    return True
                case Qt.Key.Key_Escape if isinstance(watched, QLineEdit) and watched.text():
                    watched.clear()
                    self._tell()
                    return True
                case Qt.Key.Key_Escape:
                    self._focus_table()
                    return True
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, QLineEdit):
            self._show_field(watched)
        if event.type() == QEvent.Type.FocusOut and self._is_folding:
            self._fold_soon.start()
        return super().eventFilter(watched, event)

    # -- fields ---------------------------------------------------------------------------

    def _field(self, section: int) -> QLineEdit:
        field = self._fields.get(section)
        if field is None:
            field = QLineEdit(self)
            field.setObjectName(f"filter.{section}")
            set_look(field, "filter")
            field.installEventFilter(self)
            field.textEdited.connect(self._on_field_text_edited)
            field.setVisible(not self._is_folded)
            self._fields[section] = field
        return field

    def _name_fields(self) -> None:
        model = self.model()
        for section, field in self._fields.items():
            title = model.headerData(section, Qt.Orientation.Horizontal) if model else ""
            field.setAccessibleName(self.tr("Filter {column}").format(column=title))
            if not field.property("invalid"):
                field.setToolTip(self._syntax())

    def _syntax(self) -> str:
        return tooltip(
            self.tr(
                "Type a part of the text, or = or <> for exactly this or not this, < or > for "
                "less or more, a~b for from a to b, /…/ for a regular expression, and = alone for "
                "empty."
            )
        )

    def _place_fields(self, *_sections: int) -> None:
        top = self.height() - FILTER_PX
        for section, field in self._fields.items():
            x = self.sectionViewportPosition(section)
            field.setGeometry(x, top + 1, self.sectionSize(section), FILTER_PX - 2)
            field.setVisible(self.sectionSize(section) > 0 and not self._is_folded)

    @Slot()
    def _fold(self) -> None:
        has_focus = any(field.hasFocus() for field in self._fields.values())
        self._set_folded(is_folded=self._is_folding and not self.filters and not has_focus)

    def _set_folded(self, *, is_folded: bool) -> None:
        if is_folded != self._is_folded:
            self._is_folded = is_folded
            self.updateGeometry()
            self.geometriesChanged.emit()
            self._place_fields()
            self.folded_changed.emit(is_folded)

    def _show_field(self, field: QLineEdit) -> None:
        """Scroll the table so that a filter reached by Tab is seen."""
        table = self.parent()
        if isinstance(table, QAbstractScrollArea):
            bar = table.horizontalScrollBar()
            if field.x() < 0:
                bar.setValue(bar.value() + field.x())
            elif field.geometry().right() > self.width():
                bar.setValue(bar.value() + field.geometry().right() - self.width())

    def _focus_table(self) -> None:
        table = self.parent()
        if isinstance(table, QWidget):
            table.setFocus(Qt.FocusReason.TabFocusReason)

    def _tell(self) -> None:
        self._pause.stop()
        if self.filters != self._told:
            self._told = self.filters
            self.filters_changed.emit(self._told)

    @Slot()
    def _on_section_count_changed(self, *_counts: int) -> None:
        for section in [known for known in self._fields if known >= self.count()]:
            self._fields.pop(section).deleteLater()
        for section in range(self.count()):
            self._field(section)
        self._name_fields()
        self._place_fields()

    @Slot(str)
    def _on_field_text_edited(self, text: str) -> None:
        self._pause.start()
