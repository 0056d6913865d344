"""One episode: who, when and what, its text with the evidence in it, the facts born from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench import words
from workbench.panels.episodes.items import author_of
from workbench.text import exact, instant, number, one_line, tooltip, value_line, visible
from workbench.theme import icon, set_look
from workbench.turnings import utc_now
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.episode_text import EpisodeText
from workbench.widgets.fact_list import FactList
from workbench.widgets.link_text import LinkText
from workbench.widgets.pair_grid import PairGrid, record_label

if TYPE_CHECKING:
    from datetime import datetime

    from PySide6.QtGui import QResizeEvent

    from workbench.panels.episodes.items import Reading

_BESIDE_FROM_PX: Final = 560
"""From this width on the facts stand beside the text, else under it."""
_MOST_METADATA: Final = 40


class EpisodePane(QWidget):
    """Shows one episode.

    Signals:
        fact_chosen: a `Fact` of the list was chosen.
        transaction_requested: the number of the transaction that captured it.
        pin_requested: the pin was pressed.
        close_requested: the cross of a pinned pane was pressed.
    """

    fact_chosen = Signal(object)
    transaction_requested = Signal(int)
    pin_requested = Signal()
    close_requested = Signal()

    def __init__(self, name: str, parent: QWidget | None = None, *, is_pinned: bool) -> None:
        """Make an empty one.

        Args:
            name: its object name.
            parent: the parent.
            is_pinned: whether it stays where it is, so that it can be closed instead of pinned.
        """
        super().__init__(parent)
        self.setObjectName(name)
        self._is_pinned = is_pinned
        self._reading: Reading | None = None
        self._title = ElidedLabel()
        set_look(self._title, "title")
        self._detail = ElidedLabel()
        set_look(self._detail, "secondary")
        self.text = EpisodeText()
        self.facts = FactList("", has_subject=True)
        self.facts.setObjectName(f"{name}.facts")
        self.facts.chosen.connect(self.fact_chosen)
        self._facts_head = QLabel()
        self._facts_head.setTextFormat(Qt.TextFormat.PlainText)
        set_look(self._facts_head, "strong")
        self._no_facts = QLabel()
        self._no_facts.setTextFormat(Qt.TextFormat.PlainText)
        self._no_facts.setWordWrap(True)
        set_look(self._no_facts, "secondary")
        self._record = PairGrid()
        self._record_area = QScrollArea()
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._make_buttons()
        self._lay_out()
        self._name()

    def _make_buttons(self) -> None:
        self._info = QToolButton()
        self._info.setObjectName("episode.record")
        self._info.setIcon(icon("info"))
        self._info.setCheckable(True)
        self._info.toggled.connect(self._record_area.setVisible)
        self._source = QToolButton()
        self._source.setObjectName("episode.source")
        self._source.setIcon(icon("terminal"))
        self._source.setCheckable(True)
        self._source.toggled.connect(self.text.show_source)
        self._last = QToolButton()
        if self._is_pinned:
            self._last.setObjectName("episode.unpin")
            self._last.setIcon(icon("x"))
            self._last.clicked.connect(self.close_requested)
        else:
            self._last.setObjectName("episode.pin")
            self._last.setIcon(icon("panel-right"))
            self._last.clicked.connect(self.pin_requested)

    def _lay_out(self) -> None:
        titles = QVBoxLayout()
        titles.setSpacing(0)
        titles.addWidget(self._title)
        titles.addWidget(self._detail)
        head = QHBoxLayout()
        head.setContentsMargins(12, 8, 8, 4)
        head.setSpacing(2)
        head.addLayout(titles, 1)
        for button in (self._info, self._source, self._last):
            head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._record.setContentsMargins(12, 2, 12, 8)
        self._record_area.setWidget(self._record)
        self._record.setAutoFillBackground(False)
        self._record_area.setWidgetResizable(True)
        self._record_area.setFrameShape(QFrame.Shape.NoFrame)
        self._record_area.setMaximumHeight(140)
        self._record_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._record_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._record_area.hide()
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(12, 6, 4, 4)
        column.setSpacing(2)
        column.addWidget(self._facts_head)
        column.addWidget(self._no_facts)
        column.addWidget(self.facts, 1)
        column.addStretch(0)
        self._no_facts.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        text_box = QWidget()
        box = QVBoxLayout(text_box)
        box.setContentsMargins(4, 0, 0, 4)  # the text has air of its own
        box.addWidget(self.text)
        self._split.addWidget(text_box)
        self._split.addWidget(below)
        self._split.setChildrenCollapsible(False)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(head)
        outer.addWidget(self._record_area)
        outer.addWidget(self._split, 1)

    # -- what is shown ------------------------------------------------------------------------

    def show_reading(self, reading: Reading, *, fact_id: str | None, at: datetime | None) -> None:
        """Show an episode; where it is the same one, the place in its text stays.

        Args:
            reading: the episode with its facts.
            fact_id: the fact whose evidence is highlighted; that of all if it rests on none here.
            at: the instant at which the facts are looked at; None for now.
        """
        before, self._reading = self._reading, reading
        episode = reading.episode
        is_same = before is not None and before.episode == episode
        spans = reading.spans(fact_id)
        if not is_same or spans != self._spans:
            self._spans = spans
            self.text.show_episode(episode.content, spans, episode.kind)
        self._title.setText(one_line(episode.episode_id, 200))
        self._say_detail(reading)
        if not is_same:
            self._fill_record(reading)
        self.facts.set_facts(reading.facts, at=at or utc_now())
        self.facts.mark(fact_id)
        self._name()

    _spans: tuple[tuple[int, int], ...] = ()

    def clear(self) -> None:
        """Forget the episode."""
        self._reading = None
        self._spans = ()
        self.text.show_episode("")
        self.facts.set_facts((), at=utc_now())
        self._record.clear()
        self._title.setText("")
        self._detail.setText("")

    def _say_detail(self, reading: Reading) -> None:
        episode = reading.episode
        parts = [
            words.capitalised(words.episode_kind(episode.kind)),
            one_line(author_of(episode), 60),
            instant(episode.occurred_at),
        ]
        self._detail.setText(" · ".join(parts))
        self._detail.setToolTip(tooltip(exact(episode.occurred_at)))

    def _fill_record(self, reading: Reading) -> None:
        grid, episode = self._record, reading.episode
        grid.clear()
        occurred = exact(episode.occurred_at)
        grid.add_text(self.tr("Occurred"), instant(episode.occurred_at), hint=occurred)
        recorded = record_label(
            instant(episode.recorded_at, has_seconds=True), exact(episode.recorded_at)
        )
        link = LinkText(self.tr("tx {number}").format(number=number(episode.transaction)))
        link.setObjectName(f"transaction.{episode.transaction}")
        link.clicked.connect(lambda: self.transaction_requested.emit(episode.transaction))
        grid.add_widgets(self.tr("Recorded"), recorded, link)
        grid.add_text(self.tr("Agent"), one_line(episode.agent_id, 120))
        if episode.session_id:
            grid.add_text(self.tr("Session"), one_line(episode.session_id, 200))
        for name, value in list(episode.metadata.items())[:_MOST_METADATA]:
            grid.add_text(one_line(name, 24), value_line(value, 400))
        grid.add_mono(
            self.tr("Id"), visible(episode.episode_id), copies=self.tr("Copy the id of the episode")
        )

    # -- Qt -----------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= _BESIDE_FROM_PX
        wanted = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self._split.orientation() != wanted:
            self._split.setOrientation(wanted)
            room = self.width() if is_wide else self.height()
            self._split.setSizes([room * 3 // 5, room * 2 // 5])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._name()
            if self._reading is not None:
                self._say_detail(self._reading)
                self._fill_record(self._reading)

    @Slot()
    def _name(self) -> None:
        count = len(self._reading.facts) if self._reading is not None else 0
        head = self.tr("%n fact(s) born from it", "", count)
        self._facts_head.setText(head)
        self.facts.setAccessibleName(head)
        self.facts.setVisible(count > 0)
        self._no_facts.setText(self.tr("No fact rests on this episode, from where you look."))
        self._no_facts.setVisible(count == 0)
        last = self.tr("Keep this episode beside the next one")
        if self._is_pinned:
            last = self.tr("Close this pane")
        names = {
            self._info: self.tr("Show the record of the episode"),
            self._source: self.tr("Show the text as it was written"),
            self._last: last,
        }
        for button, name in names.items():
            button.setToolTip(tooltip(name))
            button.setAccessibleName(name)
