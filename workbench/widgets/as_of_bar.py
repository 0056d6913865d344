"""The two as-of controls, always in sight: valid at and known at.

Each is a button that says where one looks from; it steps by keys while it has the focus, and opens
a popup with entry, slider over the store's own history, steps and play. Away from now it wears the
colours of the past and says the instant.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from store.temporal import NOW, AsOf
from workbench import text
from workbench.theme import icon, set_look
from workbench.widgets.instant_edit import DAY, STEPS, WEEK, InstantEdit, stepped
from workbench.widgets.pick_button import PickButton
from workbench.widgets.pill import KeyCap

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QKeyEvent

SLIDER_STEPS: Final = 1_000
PLAY_EVERY_MS: Final = 200
PLAY_FRAMES: Final = 100
MICROSECOND: Final = timedelta(microseconds=1)


class Axis(StrEnum):
    """One of the two axes of time."""

    VALID = "valid_at"
    KNOWN = "known_at"


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when a store has something to tell on an axis, in UTC."""

    begins: datetime
    ends: datetime

    def at(self, step: int) -> datetime:
        """Give the instant at a step of the slider."""
        return self.begins + (self.ends - self.begins) * step / SLIDER_STEPS

    def step(self, at: datetime) -> int:
        """Give the step of the slider nearest to an instant."""
        length = (self.ends - self.begins) // MICROSECOND
        if length <= 0:
            return SLIDER_STEPS
        return min(
            max(round((at - self.begins) // MICROSECOND * SLIDER_STEPS / length), 0), SLIDER_STEPS
        )


class AsOfBar(QWidget):
    """Valid at, known at, and the way back to now.

    Signals:
        as_of_changed: the new `AsOf`, whenever a person changed it.
    """

    as_of_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._as_of = NOW
        self._controls = {axis: _AsOfButton(axis) for axis in Axis}
        self._now = _NowButton()
        self._now.setObjectName("view.now")
        self._now.clicked.connect(self.go_to_now)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for axis, control in self._controls.items():
            control.setObjectName(f"view.{axis}")
            control.instant_chosen.connect(self._on_control_instant_chosen)
            row.addWidget(control)
        row.addWidget(self._now)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._show()

    @property
    def as_of(self) -> AsOf:
        """The point from which one looks."""
        return self._as_of

    def set_as_of(self, as_of: AsOf) -> None:
        """Show a point; nothing is told."""
        self._as_of = as_of
        self._show()

    def set_history(self, *, valid: Span | None, known: Span | None) -> None:
        """Say what the sliders run over; None where the store is empty."""
        self._controls[Axis.VALID].set_span(valid)
        self._controls[Axis.KNOWN].set_span(known)

    def open_axis(self, axis: Axis) -> None:
        """Open the popup of an axis, as for its key."""
        self._controls[axis].open_popup()

    @Slot()
    def go_to_now(self) -> None:
        """Set both axes to now."""
        self._choose(NOW)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            for control in self._controls.values():
                control.drop_popup()
            self._show()

    def _choose(self, as_of: AsOf) -> None:
        if as_of != self._as_of:
            self._as_of = as_of
            self._show()
            self.as_of_changed.emit(as_of)

    def _show(self) -> None:
        self._controls[Axis.VALID].show_instant(self._as_of.valid_at)
        self._controls[Axis.KNOWN].show_instant(self._as_of.known_at)
        self._now.setEnabled(not self._as_of.is_now)
        self._now.say()

    @Slot(str, object)
    def _on_control_instant_chosen(self, axis: str, at: datetime | None) -> None:
        valid_at = at if axis == Axis.VALID else self._as_of.valid_at
        known_at = at if axis == Axis.KNOWN else self._as_of.known_at
        self._choose(AsOf(valid_at, known_at))


_INSTANT_PX: Final = 120
"""Room for an instant to the minute: from where one looks is always to be read."""


class _NowButton(QPushButton):
    """``Now`` with its key."""

    def __init__(self) -> None:
        super().__init__()
        self._key = KeyCap("N", self)
        self._key.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.addStretch(1)
        row.addWidget(self._key, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setFixedHeight(30)
        set_look(self, "now")

    def say(self) -> None:
        """Write its words in the language in force."""
        self.setText(self.tr("Now"))
        self.setAccessibleName(self.tr("Back to now"))
        self.setToolTip(self.tr("Set both times back to now"))
        room = self.fontMetrics().horizontalAdvance(self.text()) + self._key.sizeHint().width()
        self.setFixedWidth(room + 34)


class _AsOfButton(PickButton):
    """One axis: says its instant, steps by keys, opens the popup."""

    instant_chosen = Signal(str, object)

    def __init__(self, axis: Axis) -> None:
        super().__init__()
        self.uncut_px = _INSTANT_PX
        self._axis = axis
        self._at: datetime | None = None
        self._span: Span | None = None
        self._popup: _AsOfPopup | None = None
        self.clicked.connect(self.open_popup)

    def show_instant(self, at: datetime | None) -> None:
        """Show an instant, or now."""
        self._at = at
        is_valid = self._axis is Axis.VALID
        self.set_caption(self.tr("Valid at") if is_valid else self.tr("Known at"))
        self.set_value(
            self.tr("now") if at is None else text.instant(at),
            hint=self._hint() if at is None else f"{text.exact(at)}\n{self._hint()}",
        )
        self.set_past(at is not None)
        if self._popup is not None:
            self._popup.show_instant(at)

    def set_span(self, span: Span | None) -> None:
        """Say from when to when the store has something to tell."""
        self._span = span
        if self._popup is not None:
            self._popup.set_span(span)

    def drop_popup(self) -> None:
        """Let the popup be made anew when it is opened next, as in another language."""
        if self._popup is not None:
            self._popup.hide()
            self._popup.deleteLater()
            self._popup = None

    @Slot()
    def open_popup(self) -> None:
        """Open entry, slider and steps under the button."""
        if self._popup is None:
            self._popup = _AsOfPopup(self._axis, self)
            self._popup.instant_chosen.connect(self._on_popup_instant_chosen)
        self._popup.set_span(self._span)
        self._popup.show_instant(self._at)
        self._popup.open_at(self.mapToGlobal(QPoint(0, self.height() + 4)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.instant_chosen.emit(self._axis, stepped(self._at, STEPS[key]))
        elif key == Qt.Key.Key_Home and self._span is not None:
            self.instant_chosen.emit(self._axis, self._span.begins)
        elif key == Qt.Key.Key_End:
            self.instant_chosen.emit(self._axis, None)
        elif key == Qt.Key.Key_Down:
            self.open_popup()
        else:
            super().keyPressEvent(event)

    def _hint(self) -> str:
        if self._axis is Axis.VALID:
            return self.tr("The instant in the world that is looked at.")
        return self.tr("The instant with whose knowledge one looks.")

    @Slot(object)
    def _on_popup_instant_chosen(self, at: datetime | None) -> None:
        self.instant_chosen.emit(self._axis, at)


class _AsOfPopup(QFrame):
    """Everything to choose an instant with."""

    instant_chosen = Signal(object)

    def __init__(self, axis: Axis, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        set_look(self, "popup")
        is_valid = axis is Axis.VALID
        title = QLabel(self.tr("Valid at") if is_valid else self.tr("Known at"))
        set_look(title, "strong")
        says = QLabel(
            self.tr("What was true in the world at that instant.")
            if is_valid
            else self.tr("What the ledger had recorded by that instant.")
        )
        set_look(says, "secondary")
        self._span: Span | None = None
        self._at: datetime | None = None
        self._edit = InstantEdit(title.text())
        self._edit.instant_changed.connect(self._choose)
        self._edit.entered.connect(self.hide)
        self._problem = QLabel()
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.setWordWrap(True)
        self._problem.hide()
        set_look(self._problem, "danger")
        self._edit.problem_changed.connect(self._on_edit_problem_changed)
        self._slider = _HistorySlider(title.text())
        self._slider.valueChanged.connect(self._on_slider_value_changed)
        self._slider.step_asked.connect(self._on_slider_step_asked)
        self._begins, self._ends = QLabel(), QLabel()
        for label in (self._begins, self._ends):
            set_look(label, "secondary")
        self._play = QTimer(self, interval=PLAY_EVERY_MS)
        self._play.timeout.connect(self._on_play_timeout)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(4)
        column.addWidget(title)
        column.addWidget(says)
        column.addSpacing(4)
        column.addWidget(self._edit)
        column.addWidget(self._problem)
        column.addSpacing(8)
        column.addWidget(self._slider)
        ends = QHBoxLayout()
        ends.addWidget(self._begins)
        ends.addStretch(1)
        ends.addWidget(self._ends)
        column.addLayout(ends)
        column.addSpacing(4)
        column.addLayout(self._step_row())
        self.setMinimumWidth(340)

    def open_at(self, corner: QPoint) -> None:
        """Show the popup with its upper left corner there, inside the screen."""
        self.adjustSize()
        screen = self.screen().availableGeometry()
        x = max(screen.left(), min(corner.x(), screen.right() - self.width()))
        self.move(QPoint(x, min(corner.y(), screen.bottom() - self.height())))
        self.show()
        self._edit.setFocus(Qt.FocusReason.PopupFocusReason)
        self._edit.line_edit.selectAll()

    def show_instant(self, at: datetime | None) -> None:
        """Show an instant in the field and on the slider."""
        self._at = at
        self._edit.set_instant(at)
        with QSignalBlocker(self._slider):
            span = self._span
            self._slider.setValue(
                SLIDER_STEPS if span is None else span.step(at or datetime.now(UTC))
            )

    def set_span(self, span: Span | None) -> None:
        """Say what the slider runs over."""
        self._span = span
        self._slider.setEnabled(span is not None)
        self._play_button.setEnabled(span is not None)
        self._begins.setText(text.instant(span.begins) if span else "")
        self._ends.setText(text.instant(span.ends) if span else "")
        self._edit.set_earliest(span.begins if span else None)
        self.show_instant(self._at)

    def hideEvent(self, event: QHideEvent) -> None:
        self._stop_playing()
        super().hideEvent(event)

    def _step_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        steps = (
            ("chevron-first", self.tr("To the beginning"), self._to_beginning),
            ("chevrons-left", self.tr("A week back"), lambda: self._step(-WEEK)),
            ("chevron-left", self.tr("A day back"), lambda: self._step(-DAY)),
            ("chevron-right", self.tr("A day on"), lambda: self._step(DAY)),
            ("chevrons-right", self.tr("A week on"), lambda: self._step(WEEK)),
        )
        for icon_name, words, act in steps:
            row.addWidget(_tool(icon_name, words, act))
        self._play_button = _tool("play", self.tr("Play"), self._toggle_playing)
        row.addWidget(self._play_button)
        row.addStretch(1)
        now = QPushButton(self.tr("Now"))
        now.clicked.connect(lambda: self._choose(None))
        row.addWidget(now)
        return row

    @Slot(object)
    def _choose(self, at: datetime | None) -> None:
        self.show_instant(at)
        self.instant_chosen.emit(at)

    def _step(self, step: timedelta) -> None:
        self._choose(stepped(self._at, step))

    def _to_beginning(self) -> None:
        if self._span is not None:
            self._choose(self._span.begins)

    def _toggle_playing(self) -> None:
        if self._play.isActive():
            self._stop_playing()
            return
        if self._span is not None and (self._at is None or self._at >= self._span.ends):
            self._choose(self._span.begins)
        self._play.start()
        self._play_button.setIcon(icon("pause"))
        self._play_button.setAccessibleName(self.tr("Pause"))
        self._play_button.setToolTip(self.tr("Pause"))

    def _stop_playing(self) -> None:
        self._play.stop()
        self._play_button.setIcon(icon("play"))
        self._play_button.setAccessibleName(self.tr("Play"))
        self._play_button.setToolTip(self.tr("Play"))

    @Slot()
    def _on_play_timeout(self) -> None:
        span = self._span
        if span is None or self._at is None:
            self._stop_playing()
            return
        following = self._at + (span.ends - span.begins) / PLAY_FRAMES
        if following >= span.ends:
            self._stop_playing()
            following = span.ends
        self._choose(following)

    @Slot(int)
    def _on_slider_value_changed(self, step: int) -> None:
        if self._span is not None:
            self._choose(self._span.at(step))

    @Slot(object)
    def _on_slider_step_asked(self, step: timedelta | None) -> None:
        if step is None:
            self._choose(None)
        elif step == timedelta(0):
            self._to_beginning()
        else:
            self._step(step)

    @Slot(str)
    def _on_edit_problem_changed(self, problem: str) -> None:
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self.adjustSize()


class _HistorySlider(QSlider):
    """A slider whose keys step by days and weeks instead of its own steps."""

    step_asked = Signal(object)
    """A timedelta to step by; zero for the beginning; None for now."""

    def __init__(self, name: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, SLIDER_STEPS)
        self.setAccessibleName(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in STEPS:
            self.step_asked.emit(STEPS[key])
        elif key == Qt.Key.Key_Home:
            self.step_asked.emit(timedelta(0))
        elif key == Qt.Key.Key_End:
            self.step_asked.emit(None)
        else:
            super().keyPressEvent(event)


def _tool(icon_name: str, words: str, act: Callable[[], None]) -> QToolButton:
    button = QToolButton()
    button.setIcon(icon(icon_name))
    button.setAccessibleName(words)
    button.setToolTip(words)
    button.clicked.connect(lambda: act())
    return button
