"""A field for an instant: typed in ISO 8601 or as the locale writes dates, stepped, or picked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from PySide6.QtCore import QDate, QEvent, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QTextCharFormat
from PySide6.QtWidgets import (
    QCalendarWidget,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from store.errors import Invalid
from store.temporal import Precision, StatedInstant
from workbench import text
from workbench.theme import current, icon, set_look

DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(days=7)

STEPS: Final[dict[int, timedelta]] = {
    Qt.Key.Key_Left: -DAY,
    Qt.Key.Key_Right: DAY,
    Qt.Key.Key_Down: -DAY,
    Qt.Key.Key_Up: DAY,
    Qt.Key.Key_PageUp: -WEEK,
    Qt.Key.Key_PageDown: WEEK,
}
"""What a key adds to an instant wherever instants are stepped; Home and End go to the ends."""


def stepped(at: datetime | None, step: timedelta) -> datetime:
    """Give the instant a step away, from now where there is none; the calendar has an end."""
    base = datetime.now(UTC).replace(microsecond=0) if at is None else at
    try:
        return base + step
    except OverflowError:
        return base


class InstantEdit(QWidget):
    """A line edit for an instant with a calendar.

    Up and Down step by a day, Page Up and Page Down by a week; Ctrl+Home goes to the beginning of
    the range and Ctrl+End to now. What is typed counts when Enter is pressed or the field is left.

    Signals:
        instant_changed: the instant in UTC, or None for now (or for nothing, where now is no
            choice).
        problem_changed: a sentence about what was typed and cannot be read, or "".
        entered: Enter was pressed on what can be read.
    """

    instant_changed = Signal(object)
    problem_changed = Signal(str)
    entered = Signal()

    def __init__(
        self, name: str, parent: QWidget | None = None, *, empty_text: str | None = None
    ) -> None:
        """Make a field.

        Args:
            name: what the instant is, for a screen reader.
            parent: the parent.
            empty_text: what an empty field stands for; "now" if not given.
        """
        super().__init__(parent)
        self._stated: StatedInstant | None = None
        self._earliest: datetime | None = None
        self._problem = ""
        self._empty_text = empty_text
        self._edit = QLineEdit()
        self._edit.setObjectName("instant")
        self._edit.setMinimumWidth(170)
        self._edit.installEventFilter(self)
        self._edit.returnPressed.connect(self._on_edit_return_pressed)
        self._edit.editingFinished.connect(self._on_edit_editing_finished)
        self._edit.textEdited.connect(self._on_edit_text_edited)
        self._pick = QToolButton()
        self._pick.setIcon(icon("calendar", "dim"))
        self._pick.clicked.connect(self._on_pick_clicked)
        self.setFocusProxy(self._edit)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._edit, 1)
        row.addWidget(self._pick)
        self._calendar: _CalendarPopup | None = None
        self._is_typed = False
        self.set_name(name)

    # -- the instant ----------------------------------------------------------------------

    @property
    def instant(self) -> datetime | None:
        """The instant in UTC; None for now, or for nothing."""
        return self._stated.instant if self._stated else None

    @property
    def stated(self) -> StatedInstant | None:
        """The instant with its precision and the text as typed."""
        return self._stated

    @property
    def problem(self) -> str:
        """Why what is typed cannot be read, or ""."""
        return self._problem

    @property
    def line_edit(self) -> QLineEdit:
        """The field itself, as for a form's label."""
        return self._edit

    def set_instant(self, at: datetime | None) -> None:
        """Show an instant; nothing is told."""
        self._stated = None if at is None else StatedInstant(at, Precision.INSTANT, text.exact(at))
        self._show()

    def set_earliest(self, at: datetime | None) -> None:
        """Say where Ctrl+Home goes."""
        self._earliest = at

    def set_name(self, name: str) -> None:
        """Say what the instant is."""
        self._edit.setAccessibleName(name)
        self.setAccessibleName(name)
        self._pick.setAccessibleName(self.tr("Pick a day: {name}").format(name=name))
        self._pick.setToolTip(self.tr("Pick a day"))
        self._show()

    # -- events ---------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self._edit
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and self._step_by_key(event)
        ):
            return True
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.set_name(self.accessibleName())

    def _step_by_key(self, event: QKeyEvent) -> bool:
        key = event.key()
        has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if has_control and key == Qt.Key.Key_Home and self._earliest is not None:
            self._choose(self._earliest)
        elif has_control and key == Qt.Key.Key_End:
            self._choose(None)
        elif key in STEPS and key not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._read_typed()
            self._choose(stepped(self.instant, STEPS[key]))
        else:
            return False
        return True

    def _choose(self, at: datetime | None) -> None:
        before = self.instant
        self.set_instant(at)
        if at != before:
            self.instant_changed.emit(at)

    def _show(self) -> None:
        self._is_typed = False
        self._set_problem("")
        stands_for = self.tr("now") if self._empty_text is None else self._empty_text
        self._edit.setPlaceholderText(stands_for)
        at = self.instant
        self._edit.setText("" if at is None else text.instant(at, _precision_shown(at)))
        hint = self.tr("A date or a time such as {example}; empty means {empty}.").format(
            example="2026-06-01T09:00Z", empty=stands_for
        )
        self._edit.setToolTip(text.tooltip(hint if at is None else f"{text.exact(at)}\n{hint}"))

    def _set_problem(self, problem: str) -> None:
        if problem == self._problem:
            return
        self._problem = problem
        self._edit.setProperty("invalid", bool(problem))
        self._edit.style().unpolish(self._edit)
        self._edit.style().polish(self._edit)
        self._edit.setAccessibleDescription(problem)
        self.problem_changed.emit(problem)

    def _read_typed(self) -> None:
        if not self._is_typed:
            return
        before = self.instant
        try:
            self._stated = text.read_stated(self._edit.text())
        except Invalid as error:
            self._set_problem(str(error))
            return
        self._show()
        if self.instant != before:
            self.instant_changed.emit(self.instant)

    @Slot()
    def _on_edit_return_pressed(self) -> None:
        self._read_typed()
        if not self._problem:
            self.entered.emit()

    @Slot()
    def _on_edit_editing_finished(self) -> None:
        self._read_typed()

    @Slot(str)
    def _on_edit_text_edited(self, _typed: str) -> None:
        self._is_typed = True

    @Slot()
    def _on_pick_clicked(self) -> None:
        if self._calendar is None:
            self._calendar = _CalendarPopup(self)
            self._calendar.day_chosen.connect(self._on_calendar_day_chosen)
        self._calendar.open_at(
            self._pick.mapToGlobal(QPoint(0, self._pick.height() + 2)),
            self.instant or datetime.now(UTC),
        )

    @Slot(QDate)
    def _on_calendar_day_chosen(self, chosen: QDate) -> None:
        old = text.local(self.instant) if self.instant else None
        there = datetime(  # noqa: DTZ001 - the zone comes next
            chosen.year(),
            chosen.month(),
            chosen.day(),
            old.hour if old else 0,
            old.minute if old else 0,
            old.second if old else 0,
        )
        self._choose(text.from_local(there))


def _precision_shown(at: datetime) -> Precision | None:
    """Show the time of day unless it is midnight, and seconds only in the exact form."""
    return None if text.is_midnight(at) else Precision.MINUTE


class _CalendarPopup(QFrame):
    """A month to pick a day from."""

    day_chosen = Signal(QDate)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        set_look(self, "popup")
        self._month = QCalendarWidget()
        self._month.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self._month.setHorizontalHeaderFormat(QCalendarWidget.HorizontalHeaderFormat.ShortDayNames)
        self._month.setGridVisible(False)
        self._month.clicked.connect(self._on_month_chosen)
        self._month.activated.connect(self._on_month_chosen)
        self._month.setAccessibleName(self.tr("Calendar"))
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self._month)

    def open_at(self, corner: QPoint, at: datetime) -> None:
        """Show the month of an instant."""
        there = text.local(at)
        self._month.setLocale(text.current_format().locale)
        plain = QTextCharFormat()
        plain.setForeground(current().color("text"))
        for weekday in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self._month.setWeekdayTextFormat(weekday, plain)
        heading = QTextCharFormat()
        heading.setForeground(current().color("dim"))
        self._month.setHeaderTextFormat(heading)
        self._month.setSelectedDate(QDate(there.year, there.month, there.day))
        self.move(corner)
        self.show()
        self._month.setFocus()

    @Slot(QDate)
    def _on_month_chosen(self, chosen: QDate) -> None:
        self.hide()
        self.day_chosen.emit(chosen)
