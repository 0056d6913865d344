"""The field for a source: a note written on the spot, or an episode of the record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QPlainTextEdit,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from store import Page
from store.query import EpisodeQuery
from workbench import text, words
from workbench.dialogs.fact.act import Source
from workbench.theme import set_look
from workbench.widgets.pick_button import PickButton
from workbench.widgets.quick_pick import Entry, QuickPick

if TYPE_CHECKING:
    from store import Episode
    from workbench.session import Session

_OFFERED: Final = 50
_LINES: Final = 2


class SourcePicker(QWidget):
    """A note of the person's own, or one of the episodes.

    Signals:
        changed: another source, or none.
    """

    changed = Signal()

    def __init__(
        self, session: Session, key: tuple[str, ...], parent: QWidget | None = None
    ) -> None:
        """Make one.

        Args:
            session: the open store.
            key: under which it reads the episodes to choose from.
            parent: the parent.
        """
        super().__init__(parent)
        self._session = session
        self._key = key
        self._episode_id = ""
        # Made in their order from top to bottom, in which Tab goes.
        self._by_note, self._by_episode = QRadioButton(self), QRadioButton(self)
        self._by_note.setObjectName("source_is_note")
        self._by_episode.setObjectName("source_is_episode")
        self._by_note.setChecked(True)
        self._which = QButtonGroup(self)
        for button in (self._by_note, self._by_episode):
            self._which.addButton(button)
            button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.note = QPlainTextEdit(self)
        self.note.setObjectName("note")
        self.note.setTabChangesFocus(True)
        lines = _LINES * self.note.fontMetrics().lineSpacing()
        self.note.setFixedHeight(lines + 2 * int(self.note.document().documentMargin()) + 14)
        self.episode = PickButton(parent=self)
        self.episode.setObjectName("episode")
        self._pick: QuickPick | None = None
        self.episode.setVisible(False)
        set_look(self.note, "field")
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self._by_note)
        row.addWidget(self._by_episode)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.note)
        column.addWidget(self.episode, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFocusProxy(self.note)
        self._by_episode.toggled.connect(self._on_by_episode_toggled)
        self.note.textChanged.connect(self.changed)
        self.episode.clicked.connect(self._on_episode_clicked)
        self._say_names()

    @property
    def source(self) -> Source | None:
        """The source, or None while there is none."""
        if self._by_episode.isChecked():
            return Source(episode_id=self._episode_id) if self._episode_id else None
        note = self.note.toPlainText().strip()
        return Source(note=note) if note else None

    @property
    def missing(self) -> str:
        """What is still to be given, or ""."""
        if self.source is not None:
            return ""
        if self._by_episode.isChecked():
            return self.tr("Choose the episode that says so.")
        return self.tr("Write how you know it.")

    def choose_episode(self, episode_id: str) -> None:
        """Take an episode of the record."""
        self._episode_id = episode_id
        self._by_episode.setChecked(True)
        self.episode.set_value(text.one_line(episode_id, 60))
        self.changed.emit()

    def _say_names(self) -> None:
        self._by_note.setText(self.tr("A note of mine"))
        self._by_episode.setText(self.tr("An episode of the record"))
        self.note.setAccessibleName(self.tr("Note"))
        self.note.setPlaceholderText(self.tr("How you know it; kept as an operator note"))
        self.episode.set_caption(self.tr("Episode"))
        if not self._episode_id:
            self.episode.set_value(self.tr("choose…"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._say_names()

    @Slot(bool)
    def _on_by_episode_toggled(self, is_on: bool) -> None:
        self.note.setVisible(not is_on)
        self.episode.setVisible(is_on)
        self.setFocusProxy(self.episode if is_on else self.note)
        self.changed.emit()

    @Slot()
    def _on_episode_clicked(self) -> None:
        if self._pick is None:
            hint = self.tr("Find an episode by its words or id")
            self._pick = QuickPick(hint, self.window(), is_filtered=False)
            self._pick.queried.connect(self._look_for)
            self._pick.chosen.connect(self.choose_episode)
        self._pick.open_over(self.window())
        self._look_for("")

    @Slot(str)
    def _look_for(self, typed: str) -> None:
        query = EpisodeQuery(text=typed.strip())
        self._session.read(
            self._key,
            lambda view: view.store.episodes(
                view.scope, query, page=Page(_OFFERED), cancel=view.work.cancel
            ),
            on_done=lambda found: self._offer(found.items),
            on_failed=lambda _error: self._offer(()),
            owner=self,
        )

    def _offer(self, found: tuple[Episode, ...]) -> None:
        if self._pick is not None:
            self._pick.set_entries(tuple(_entry(episode) for episode in found))


def _entry(episode: Episode) -> Entry:
    kind = words.episode_kind(episode.kind)
    first = text.one_line(" ".join(episode.content.split())[:300], 80)
    when = text.instant(episode.occurred_at)
    title = text.one_line(episode.episode_id, 40)
    return Entry(episode.episode_id, title, detail=f"{when} · {kind} · {first}")
