"""The state of the chain in one line: its head, and whether it was checked, and how that goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from workbench.text import instant, number, tooltip
from workbench.theme import set_look
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.icon_label import IconLabel
from workbench.widgets.link_text import CopyButton

if TYPE_CHECKING:
    from workbench.panels.journal.items import ChainState
    from workbench.panels.journal.presenter import JournalPresenter

_DIGEST_SHOWN: Final = 8


class ChainStrip(QWidget):
    """Head number and digest, what the last check said, and the button that checks."""

    def __init__(self, presenter: JournalPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chain")
        self._presenter = presenter
        self._icon = IconLabel("shield-check", "dim", size=14)
        self._head = QLabel()
        self._head.setObjectName("chain_head")
        self._head.setTextFormat(Qt.TextFormat.PlainText)
        set_look(self._head, "mono_dim")
        self._copy = CopyButton("")
        self._copy.setObjectName("chain_copy")
        self._state = ElidedLabel()
        self._state.setObjectName("chain_state")
        set_look(self._state, "secondary")
        self._progress = QProgressBar()
        self._progress.setFixedWidth(90)
        self._progress.setTextVisible(False)
        self._button = QPushButton()
        self._button.setObjectName("chain_check")
        set_look(self._button, "low")
        self._button.clicked.connect(self._on_button_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 8, 4)
        row.setSpacing(6)
        row.addWidget(self._icon)
        row.addWidget(self._head)
        row.addWidget(self._copy)
        row.addSpacing(4)
        row.addWidget(self._state, 1)
        row.addWidget(self._progress)
        row.addWidget(self._button)
        presenter.chain_changed.connect(self._say)
        self._say()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._say()

    @Slot()
    def _say(self) -> None:
        chain = self._presenter.chain
        self._say_head(chain)
        words = self._words(chain)
        self._state.setText(words)
        self._state.setAccessibleName(words)
        is_good = chain.is_clean and not chain.is_checking
        is_bad = chain.report is not None and not chain.is_clean
        self._icon.set_icon(
            "triangle-alert" if is_bad else "shield-check",
            "danger" if is_bad else "ok" if is_good else "dim",
        )
        set_look(self._state, "danger" if is_bad else "secondary")
        self._progress.setVisible(chain.is_checking)
        self._progress.setRange(0, chain.total or 0)
        self._progress.setValue(chain.done)
        self._progress.setAccessibleName(self.tr("Progress of the check"))
        self._button.setEnabled(self._presenter.is_open)
        self._button.setText(self.tr("Cancel") if chain.is_checking else self.tr("Check"))
        hint = self.tr("Look at every row and every digest of the store")
        if chain.is_checking:
            hint = self.tr("Stop the check")
        self._button.setToolTip(tooltip(hint))
        self._button.setAccessibleDescription(hint)
        self._copy.set_name(self.tr("Copy the head, to be kept outside the store"))

    def _say_head(self, chain: ChainState) -> None:
        head = chain.head
        if head is None:
            self._head.setText("")
            self._copy.set_content("")
            return
        form = self.tr("head {number}:{digest}…")
        self._head.setText(form.format(number=head.number, digest=head.digest[:_DIGEST_SHOWN]))
        self._head.setToolTip(tooltip(str(head)))
        self._copy.set_content(str(head))

    def _words(self, chain: ChainState) -> str:
        if not self._presenter.is_open:
            return ""
        if chain.is_checking:
            if not chain.total:
                return self.tr("Checking…")
            share = 100 * chain.done // chain.total
            return self.tr("Checking… {share} %").format(share=share)
        if chain.report is None or chain.checked_at is None:
            return self.tr("Chain not checked yet")
        at = instant(chain.checked_at)
        if not chain.report.is_clean:
            return self.tr("Checked {instant}: damaged").format(instant=at)
        said = self.tr("Chain checked up to {number}, {instant}: nothing wrong")
        return said.format(number=number(chain.checked_to), instant=at)

    @Slot()
    def _on_button_clicked(self) -> None:
        if self._presenter.chain.is_checking:
            self._presenter.cancel_check()
        else:
            self._presenter.check()
