"""What a fact is now, as a shape and a word; the colour only adds to them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from store.encoding import State
from workbench.text import QT_TRANSLATE_NOOP
from workbench.theme import Role, appearance, current, font

SIGN_PX: Final = 9
GAP_PX: Final = 5

_ROLES: Final[dict[State, Role]] = {
    State.CURRENT: "ok",
    State.DISPUTED: "warn",
    State.FUTURE: "accent",
    State.ENDED: "dim",
}
_WORDS: Final = {
    State.CURRENT: QT_TRANSLATE_NOOP("State", "current"),
    State.DISPUTED: QT_TRANSLATE_NOOP("State", "disputed"),
    State.FUTURE: QT_TRANSLATE_NOOP("State", "future"),
    State.ENDED: QT_TRANSLATE_NOOP("State", "ended"),
}


def state_word(state: State) -> str:
    """Give the word for a state in the language in force."""
    return QCoreApplication.translate("State", _WORDS[state])


def state_role(state: State) -> Role:
    """Give the colour role of a state."""
    return _ROLES[state]


def paint_state(painter: QPainter, rect: QRectF, state: State, *, words: str = "") -> None:
    """Draw the shape of a state and its word into a rectangle, left-aligned and centred.

    Args:
        painter: its font is used for the word.
        rect: where; the word is cut where it does not fit.
        state: the state.
        words: what to write instead of the word of the state.
    """
    color = current().color(_ROLES[state])
    is_mirrored = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
    sign = QRectF(0, 0, SIGN_PX, SIGN_PX)
    sign.moveCenter(
        QPointF(
            rect.right() - SIGN_PX / 2 if is_mirrored else rect.left() + SIGN_PX / 2,
            rect.center().y(),
        )
    )
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_sign(painter, sign, state, color=color)
    painter.setPen(color)
    reach = SIGN_PX + GAP_PX
    room = rect.adjusted(0, 0, -reach, 0) if is_mirrored else rect.adjusted(reach, 0, 0, 0)
    said = painter.fontMetrics().elidedText(
        words or state_word(state), Qt.TextElideMode.ElideRight, int(room.width())
    )
    side = Qt.AlignmentFlag.AlignRight if is_mirrored else Qt.AlignmentFlag.AlignLeft
    absolute = Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(room, int(side | absolute), said)
    painter.restore()


def _paint_sign(painter: QPainter, sign: QRectF, state: State, *, color: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    match state:
        case State.CURRENT:
            painter.drawEllipse(sign.adjusted(0.5, 0.5, -0.5, -0.5))
        case State.DISPUTED:
            wide = sign.adjusted(-0.5, -0.5, 0.5, 0.5)
            middle = wide.center()
            painter.drawPolygon(
                QPolygonF(
                    [
                        QPointF(middle.x(), wide.top()),
                        QPointF(wide.right(), middle.y()),
                        QPointF(middle.x(), wide.bottom()),
                        QPointF(wide.left(), middle.y()),
                    ]
                )
            )
        case State.FUTURE:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            pen = QPen(color, 1.5)
            pen.setDashPattern([2.0, 1.2])
            painter.setPen(pen)
            painter.drawEllipse(sign.adjusted(1, 1, -1, -1))
        case State.ENDED:
            painter.drawRect(sign.adjusted(1, 1, -1, -1))


class StatusDot(QWidget):
    """The shape and the word of a fact's state, with a note after it."""

    def __init__(self, state: State = State.CURRENT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._note = ""
        self._word = ""
        self.setFont(font("secondary"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        appearance().changed.connect(self.update)
        self._say()

    def set_state(self, state: State, note: str = "", *, word: str = "") -> None:
        """Show a state, and beside it a note such as ``confirmed 2 days ago``.

        Args:
            state: the state.
            note: what stands behind it.
            word: what to say instead of the word of the state, such as ``no longer believed``.
        """
        self._state, self._note, self._word = state, note, word
        self._say()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        width = metrics.horizontalAdvance(self._words()) + SIGN_PX + GAP_PX + 2
        return QSize(width, metrics.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(SIGN_PX * 4, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        paint_state(painter, QRectF(self.rect()), self._state, words=self._words())

    def _words(self) -> str:
        word = self._word or state_word(self._state)
        return f"{word} · {self._note}" if self._note else word

    def _say(self) -> None:
        self.setAccessibleName(self._words())
        self.updateGeometry()
        self.update()
