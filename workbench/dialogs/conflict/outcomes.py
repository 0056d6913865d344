"""The six outcomes as rows with their keys, and what some of them still ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from store import Resolution
from workbench import text
from workbench.theme import appearance, current, font, set_look
from workbench.widgets.instant_edit import InstantEdit
from workbench.widgets.key_button import paint_cap
from workbench.widgets.value_edit import ValueEdit

if TYPE_CHECKING:
    from datetime import datetime

    from store import Claim, Conflict
    from workbench.dialogs.conflict.case import Choice

OUTCOMES: Final = (
    Resolution.INCOMING,
    Resolution.STANDING,
    Resolution.MOVE,
    Resolution.BOTH,
    Resolution.MERGE,
    Resolution.DEFER,
)
"""In the order of their keys, 1 to 6."""

ROW_PX: Final = 33
_PAD_PX: Final = 12
_DOT_PX: Final = 14
_CAP_PX: Final = 20
_GAP_PX: Final = 10
_INDENT_PX: Final = _PAD_PX + _DOT_PX + _GAP_PX + _CAP_PX + _GAP_PX


class OutcomeRow(QRadioButton):
    """One outcome: a dot, its key, its name, and what it means."""

    def __init__(self, key: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self._detail = ""
        self._title_px = 0
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance().changed.connect(self.update)

    def say(self, title: str, detail: str, *, title_px: int) -> None:
        """Set the words; titles of all rows take the same width."""
        self.setText(title)
        self._detail, self._title_px = detail, title_px
        self.setAccessibleName(f"{self._key} {title}")
        self.setAccessibleDescription(detail)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_INDENT_PX + self._title_px + 120, ROW_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(_INDENT_PX + self._title_px + 40, ROW_PX)

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colors = current()
        is_on, is_usable = self.isChecked(), self.isEnabled()
        ground = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if is_on or (self.underMouse() and is_usable):
            painter.setPen(colors.color("accent") if is_on and colors.is_contrast else _NO_PEN)
            painter.setBrush(colors.color("accent_bg" if is_on else "lane"))
            painter.drawRoundedRect(ground, 6, 6)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colors.color("accent"), colors.focus_px))
            painter.drawRoundedRect(ground, 6, 6)
        strong = colors.off if not is_usable else colors.accent if is_on else colors.text
        quiet = colors.off if not is_usable else colors.dim
        self._paint_dot(painter, is_on=is_on, color=strong if is_on else quiet)
        cap = self._piece(_PAD_PX + _DOT_PX + _GAP_PX, _CAP_PX)
        cap_color = strong if is_on else quiet
        edge = colors.accent if is_on else colors.ctl
        paint_cap(painter, QRectF(cap), str(self._key), color=cap_color, edge=edge)
        self._paint_words(painter, strong, quiet)

    def _paint_dot(self, painter: QPainter, *, is_on: bool, color: str) -> None:
        spot = QRectF(self._piece(_PAD_PX, _DOT_PX))
        dot = QRectF(0, 0, _DOT_PX - 1, _DOT_PX - 1)
        dot.moveCenter(spot.center())
        painter.setPen(color)
        painter.setBrush(color if is_on else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(dot)
        if is_on:
            painter.setPen(_NO_PEN)
            painter.setBrush(current().color("accent_bg"))
            painter.drawEllipse(dot.center(), 2.5, 2.5)

    def _paint_words(self, painter: QPainter, strong: str, quiet: str) -> None:
        side = QStyle.visualAlignment(
            self.layoutDirection(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        painter.setFont(font("strong"))
        painter.setPen(strong)
        painter.drawText(self._piece(_INDENT_PX, self._title_px), int(side), self.text())
        left = _INDENT_PX + self._title_px + 2 * _GAP_PX
        room = self._piece(left, max(0, self.width() - left - _PAD_PX))
        painter.setFont(font("secondary"))
        painter.setPen(quiet)
        said = painter.fontMetrics().elidedText(
            self._detail, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, int(side), said)

    def _piece(self, left: int, width: int) -> QRect:
        straight = QRect(left, 0, width, self.height())
        return QStyle.visualRect(self.layoutDirection(), self.rect(), straight)


_NO_PEN: Final = Qt.PenStyle.NoPen


class MoveInputs(QWidget):
    """Which claim really began or ended at another time, and when.

    Signals:
        changed: the parts of a `Choice` that are new.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._conflict: Conflict | None = None
        self._claim: Claim | None = None
        self._incoming, self._standing = QRadioButton(), QRadioButton()
        self._incoming.setObjectName("move_incoming")
        self._standing.setObjectName("move_standing")
        self._which = QButtonGroup(self)
        for button in (self._incoming, self._standing):
            self._which.addButton(button)
        self._incoming.toggled.connect(self._on_incoming_toggled)
        until_changed = self.tr("until changed")
        self.begins = InstantEdit(self.tr("Begins"), empty_text=self.tr("as it is"))
        self.ends = InstantEdit(self.tr("Ends"), empty_text=until_changed)
        self.begins.setObjectName("move_begins")
        self.ends.setObjectName("move_ends")
        self._begins_label = QLabel(self.tr("Begins"))
        self._ends_label = QLabel(self.tr("Ends"))
        self._says = QLabel()
        set_look(self._says, "problem")
        self._says.setTextFormat(Qt.TextFormat.PlainText)
        self._says.setVisible(False)
        for edit, label in ((self.begins, self._begins_label), (self.ends, self._ends_label)):
            label.setBuddy(edit.line_edit)
            edit.instant_changed.connect(self._on_edit_instant_changed)
            edit.problem_changed.connect(self._on_edit_problem_changed)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._incoming)
        row.addWidget(self._standing)
        row.addSpacing(12)
        row.addWidget(self._begins_label)
        row.addWidget(self.begins)
        row.addSpacing(8)
        row.addWidget(self._ends_label)
        row.addWidget(self.ends)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(_INDENT_PX, 4, _PAD_PX, 8)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._says)
        self.setFocusProxy(self.begins)

    def show_choice(self, conflict: Conflict, claim: Claim, choice: Choice) -> None:
        """Show what was chosen, or the bounds as they are."""
        moved = conflict.standing if choice.standing else claim
        self._conflict, self._claim = conflict, moved
        self._incoming.setText(self.tr("Incoming"))
        self._standing.setText(self.tr("Standing"))
        was_blocked = self._incoming.blockSignals(True)
        (self._standing if choice.standing else self._incoming).setChecked(True)
        self._incoming.blockSignals(was_blocked)
        _show_if_new(self.begins, choice.begins or moved.valid_from)
        _show_if_new(self.ends, choice.ends if choice.has_end else moved.until)

    @Slot(bool)
    def _on_incoming_toggled(self, is_on: bool) -> None:
        self.changed.emit({"standing": not is_on, "begins": None, "has_end": False, "ends": None})

    @Slot(object)
    def _on_edit_instant_changed(self, _at: datetime | None) -> None:
        claim = self._claim
        if claim is None:
            return
        begins, ends = self.begins.instant, self.ends.instant
        self.changed.emit(
            {
                "begins": None if begins in (None, claim.valid_from) else begins,
                "has_end": ends != claim.until,
                "ends": ends,
            }
        )

    @Slot(str)
    def _on_edit_problem_changed(self, _problem: str) -> None:
        said = self.begins.problem or self.ends.problem
        self._says.setText(said)
        self._says.setVisible(bool(said))


def _show_if_new(edit: InstantEdit, at: datetime | None) -> None:
    if edit.instant != at:
        edit.set_instant(at)


class BothInputs(QWidget):
    """How both claims hold: as several values, or one of them under a qualifier.

    Signals:
        changed: the parts of a `Choice` that are new.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._several, self._qualified = QRadioButton(), QRadioButton()
        self._several.setObjectName("both_several")
        self._qualified.setObjectName("both_qualified")
        self._how = QButtonGroup(self)
        for button in (self._several, self._qualified):
            self._how.addButton(button)
            button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._qualifier = QLineEdit()
        self._qualifier.setObjectName("qualifier")
        self._qualifier.setMaxLength(120)
        self._qualifier.setMinimumWidth(160)
        self._becomes = QLabel()
        self._becomes.setTextFormat(Qt.TextFormat.PlainText)
        set_look(self._becomes, "secondary")
        self._attribute = ""
        self._qualified.toggled.connect(self._on_toggled)
        self._qualifier.textChanged.connect(self._on_toggled)
        grid = QGridLayout(self)
        grid.setContentsMargins(_INDENT_PX, 4, _PAD_PX, 8)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.addWidget(self._several, 0, 0, 1, 3, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self._qualified, 1, 0)
        grid.addWidget(self._qualifier, 1, 1)
        grid.addWidget(self._becomes, 1, 2)
        grid.setColumnStretch(2, 1)
        self.setFocusProxy(self._several)

    def show_choice(self, conflict: Conflict, choice: Choice) -> None:
        """Show what was chosen."""
        self._attribute = conflict.attribute
        name = text.one_line(conflict.attribute, 40)
        self._several.setText(
            self.tr("{attribute} has several values at once from now on").format(attribute=name)
        )
        self._qualified.setText(self.tr("the incoming claim is about something narrower:"))
        self._qualifier.setAccessibleName(self.tr("Qualifier"))
        self._qualifier.setPlaceholderText(self.tr("such as work or home"))
        blocked = [(it, it.blockSignals(True)) for it in (self._qualified, self._qualifier)]
        (self._qualified if choice.is_qualified else self._several).setChecked(True)
        if self._qualifier.text().strip() != choice.qualifier:
            self._qualifier.setText(choice.qualifier)
        for widget, was in blocked:
            widget.blockSignals(was)
        self._show_name()

    def _show_name(self) -> None:
        is_on = self._qualified.isChecked()
        self._qualifier.setEnabled(is_on)
        typed = self._qualifier.text().strip()
        name = text.one_line(f"{self._attribute} ({typed})", 80) if is_on and typed else ""
        self._becomes.setText(self.tr("becomes {name}").format(name=name) if name else "")

    @Slot()
    def _on_toggled(self) -> None:
        self._show_name()
        if self.sender() is self._qualified and self._qualified.isChecked():
            self._qualifier.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit(
            {
                "is_qualified": self._qualified.isChecked(),
                "qualifier": self._qualifier.text().strip(),
            }
        )


class MergeInputs(QWidget):
    """The value that is true, typed in.

    Signals:
        changed: the parts of a `Choice` that are new.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: tuple[object, object] = (None, None)
        self.value = ValueEdit(self.tr("The value that is true"))
        self.value.setObjectName("merged_value")
        self.value.value_changed.connect(self._on_value_changed)
        self._from_standing, self._from_incoming = QPushButton(), QPushButton()
        for place, button in enumerate((self._from_standing, self._from_incoming)):
            set_look(button, "link")
            button.setAutoDefault(False)
            button.clicked.connect(lambda _on=False, at=place: self._begin_with(at))
        beside = QVBoxLayout()
        beside.setSpacing(2)
        beside.addWidget(self._from_standing, 0, Qt.AlignmentFlag.AlignLeft)
        beside.addWidget(self._from_incoming, 0, Qt.AlignmentFlag.AlignLeft)
        beside.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(_INDENT_PX, 4, _PAD_PX, 8)
        row.setSpacing(12)
        row.addWidget(self.value, 1)
        row.addLayout(beside)
        self.setFocusProxy(self.value)

    def show_choice(self, conflict: Conflict, claim: Claim, choice: Choice) -> None:
        """Show what was typed."""
        self._values = conflict.standing.value, claim.value
        self._from_standing.setText(self.tr("Begin with the standing value"))
        self._from_incoming.setText(self.tr("Begin with the incoming value"))
        if choice.typed == self.value.found:
            return
        was_blocked = self.value.blockSignals(True)
        if choice.typed is None:
            self.value.clear()
        else:
            self.value.set_value(choice.typed.value)
        self.value.blockSignals(was_blocked)

    def _begin_with(self, place: int) -> None:
        self.value.set_value(self._values[place])
        self.value.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_value_changed(self) -> None:
        self.changed.emit({"typed": self.value.found})


class OutcomeList(QFrame):
    """The six outcomes, none of them chosen at first; under the chosen one, what it asks for.

    Signals:
        chosen: a `Resolution`.
        changed: the parts of a `Choice` that are new.
    """

    chosen = Signal(object)
    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("outcomes")
        # It takes the focus when the dialog opens, so that no outcome has it, and gives it on.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        set_look(self, "sheet")
        self._group = QButtonGroup(self)
        self._rows: dict[Resolution, OutcomeRow] = {}
        self.move_inputs = MoveInputs()
        self.both_inputs = BothInputs()
        self.merge_inputs = MergeInputs()
        self._inputs: dict[Resolution, QWidget] = {
            Resolution.MOVE: self.move_inputs,
            Resolution.BOTH: self.both_inputs,
            Resolution.MERGE: self.merge_inputs,
        }
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.setSpacing(0)
        for key, resolution in enumerate(OUTCOMES, start=1):
            row = self._rows[resolution] = OutcomeRow(key)
            row.setObjectName(f"outcome_{resolution.value}")
            row.clicked.connect(lambda _on=False, it=resolution: self.chosen.emit(it))
            self._group.addButton(row)
            column.addWidget(row)
            inputs = self._inputs.get(resolution)
            if inputs is not None:
                inputs.setVisible(False)
                column.addWidget(inputs)
        for asks in (self.move_inputs, self.both_inputs, self.merge_inputs):
            asks.changed.connect(self.changed)
        self.say()

    def say(self) -> None:
        """Set the words in the language in force."""
        titles = {
            Resolution.INCOMING: self.tr("Incoming wins"),
            Resolution.STANDING: self.tr("Standing stays"),
            Resolution.MOVE: self.tr("Another time"),
            Resolution.BOTH: self.tr("Both hold"),
            Resolution.MERGE: self.tr("Merged value"),
            Resolution.DEFER: self.tr("Defer"),
        }
        details = {
            Resolution.INCOMING: self.tr("a correction: the old claim was wrong from the start"),
            Resolution.STANDING: self.tr("the incoming claim is recorded as rejected"),
            Resolution.MOVE: self.tr("one of them really began or ended at another time"),
            Resolution.BOTH: self.tr("make the attribute multi-valued, or qualify one of them"),
            Resolution.MERGE: self.tr("neither is quite right: type what is true"),
            Resolution.DEFER: self.tr("nothing is written; it stays here and reads as disputed"),
        }
        metrics = QFontMetrics(font("strong"))
        width = max(metrics.horizontalAdvance(title) for title in titles.values()) + 2
        for resolution, row in self._rows.items():
            row.say(titles[resolution], details[resolution], title_px=width)
        self.setAccessibleName(self.tr("Outcome"))

    def row(self, resolution: Resolution) -> OutcomeRow:
        """Give the row of an outcome."""
        return self._rows[resolution]

    def show_choice(self, conflict: Conflict, claim: Claim, choice: Choice) -> None:
        """Show what was chosen for a conflict."""
        self._group.setExclusive(False)
        for resolution, row in self._rows.items():
            row.setChecked(resolution is choice.resolution)
        self._group.setExclusive(True)
        for resolution, inputs in self._inputs.items():
            inputs.setVisible(resolution is choice.resolution)
        if choice.resolution is Resolution.MOVE:
            self.move_inputs.show_choice(conflict, claim, choice)
        elif choice.resolution is Resolution.BOTH:
            self.both_inputs.show_choice(conflict, choice)
        elif choice.resolution is Resolution.MERGE:
            self.merge_inputs.show_choice(conflict, claim, choice)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.hasFocus() and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            down = event.key() == Qt.Key.Key_Down
            self._rows[OUTCOMES[0 if down else -1]].setFocus(Qt.FocusReason.OtherFocusReason)
            return
        super().keyPressEvent(event)

    def inputs(self, resolution: Resolution) -> QWidget:
        """Give what asks for the rest of an outcome; its row if it asks for nothing."""
        return self._inputs.get(resolution, self._rows[resolution])

    def focus_inputs(self, resolution: Resolution) -> None:
        """Put the keyboard where the chosen outcome asks for something, else on its row."""
        self.inputs(resolution).setFocus(Qt.FocusReason.ShortcutFocusReason)
