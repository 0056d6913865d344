"""What stays in view while a snapshot is looked at: of what it is, and that it is a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from workbench.text import instant, number, one_line, tooltip
from workbench.theme import set_icon, set_look
from workbench.widgets.flow_layout import FlowLayout
from workbench.widgets.icon_label import IconLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from workbench.session import Session

_SENTENCE_PX: Final = 300
"""With less room beside the buttons the sentence stands over them."""
_FRAME_PX: Final = 48
"""What the sign and the margins take."""
_NAME_CHARS: Final = 28


class SnapshotBanner(QFrame):
    """A strip over the panels; hidden while a store is open, or nothing.

    Signals:
        action_chosen: the id of the action of a button.
    """

    action_chosen = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("snapshot_banner")
        self._session = session
        self.setProperty("severity", "info")
        set_look(self, "message")
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._words: dict[QPushButton, str] = {}
        self._words_px = 0
        self.report = self._button(self.tr("Open report"), "external-link", "snapshot.report")
        self.verify = self._button(self.tr("Verify…"), "shield-check", "snapshot.verify")
        self.restore = self._button(
            self.tr("Restore into a store…"), "archive-restore", "import.snapshot"
        )
        self.close_button = self._button("", "x", "store.close")
        self._acts = QWidget()
        acts = FlowLayout(self._acts)
        for button in (self.report, self.verify, self.restore, self.close_button):
            acts.addWidget(button)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._parts.setSpacing(8)
        self._parts.addWidget(self._text, 1)
        self._parts.addWidget(self._acts, 0, Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(IconLabel("lock", "accent"))
        row.addLayout(self._parts, 1)
        session.opened.connect(self.say)
        session.closed.connect(self.say)
        self.set_way_back("")
        self.say()

    def _button(self, words: str, icon_name: str, action_id: str) -> QPushButton:
        button = QPushButton(words)
        button.setAccessibleName(words)
        set_icon(button, icon_name)
        button.clicked.connect(lambda: self.action_chosen.emit(action_id))
        self._words[button] = words
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._words_px = 0

    def _arrange(self) -> None:
        """Put the buttons beside the sentence or under it, and without words if they must."""
        if not self._words_px:
            self._show_words(are_shown=True)
            self._words_px = self._acts.sizeHint().width()
        room = self.width() - _FRAME_PX
        is_narrow = room - self._words_px < _SENTENCE_PX
        direction = QBoxLayout.Direction
        self._parts.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        self._show_words(are_shown=self._words_px <= room)

    def _show_words(self, *, are_shown: bool) -> None:
        for button, words in self._words.items():
            shown = words.replace("&", "&&") if are_shown else ""
            if button.text() != shown:
                button.setText(shown)
            hint = self._way_back_hint if button is self.close_button else ""
            button.setToolTip(tooltip(hint or ("" if are_shown else words)))

    def set_way_back(self, store_name: str) -> None:
        """Name the store to which closing the snapshot leads; "" where it leads to none."""
        if store_name:
            words = self.tr("Back to {store}").format(store=one_line(store_name, _NAME_CHARS))
            hint = self.tr("Close the snapshot, and open {store} again as it was looked at.")
            self._way_back_hint = hint.format(store=one_line(store_name, 200))
        else:
            words = self.tr("Close snapshot")
            self._way_back_hint = self.tr("Close the snapshot; no store was open before.")
        set_icon(self.close_button, "arrow-left" if store_name else "x")
        self.close_button.setAccessibleName(words)
        self._words[self.close_button] = words
        self._words_px = 0
        self._arrange()

    @property
    def sentence(self) -> str:
        """What it says now; "" while it is hidden."""
        return self._text.text()

    @Slot()
    def say(self) -> None:
        """Say of what the copy is, or hide."""
        shown = self._session.snapshot
        self.setVisible(shown is not None)
        if shown is None:
            self._text.clear()
            return
        said = self.tr("Snapshot of {tenant} as of transaction {number}, {date}; read-only copy.")
        words = said.format(
            tenant=one_line(shown.tenant_id, 60),
            number=number(shown.number),
            date=instant(shown.recorded_at),
        )
        if not shown.is_whole:
            words += " " + self.tr("It is a part of the record, taken in as facts.")
        if shown.conflicts_left:
            left = self.tr(
                "%n open conflict(s) of it stand in the report only; what is disputed is not "
                "marked.",
                "",
                shown.conflicts_left,
            )
            words += " " + left
        self._text.setText(words)
        hint = self.tr("Transactions have other numbers and times here than in the record.")
        self._text.setToolTip("" if shown.is_whole else tooltip(hint))
        self.setAccessibleName(words)
        for button in (self.report, self.verify, self.restore, self.close_button):
            button.setAccessibleDescription(words)
