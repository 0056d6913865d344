"""One side of a conflict: a claim with its time, its source and the words that support it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench import text, words
from workbench.dialogs.conflict.case import TRUST_RANKS, trust_rank
from workbench.theme import appearance, current, set_look
from workbench.widgets.diff import DiffText, Run, diff_words
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.episode_text import EpisodeText
from workbench.widgets.link_text import INSET_PX, LinkText
from workbench.widgets.pill import Pill, Tone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store import Claim, Episode

_RADIUS: Final = 8
_NAME_PX: Final = 84
_VALUE_CUT: Final = 2_000
_LARGE_UP_TO: Final = 60
"""A value with at most so many characters stands in large letters."""
EVIDENCE_LINES: Final = 5


class Fate(NamedTuple):
    """What becomes of a claim by the chosen outcome: a word and whether the claim is preferred."""

    words: str = ""
    tone: Tone = "neutral"
    is_preferred: bool = False


def shown_value(value: object) -> str:
    """Give a value as a card shows it: whole up to some length, its lines kept."""
    if isinstance(value, str) and "\n" in value:
        shown = text.visible(value[:_VALUE_CUT], keeps_lines=True)
        return shown if len(value) <= _VALUE_CUT else shown + text.ELLIPSIS
    line = text.value_line(value, _VALUE_CUT)
    if isinstance(value, str) or len(line) <= _LARGE_UP_TO:
        return line
    pretty = text.value_pretty(value)
    return pretty if len(pretty) <= _VALUE_CUT else pretty[:_VALUE_CUT] + text.ELLIPSIS


class ClaimCard(QFrame):
    """A claim, shown so that it can be compared with the one beside it.

    Signals:
        episode_requested: the id of the source, to be looked at in the window behind.
        claim_chosen: the id of another waiting claim that is to be looked at.
    """

    episode_requested = Signal(str)
    claim_chosen = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """Make an empty card.

        Args:
            name: ``standing`` or ``incoming``; the object name.
            parent: the parent.
        """
        super().__init__(parent)
        self.setObjectName(name)
        # Both cards share the width alike, whatever stands in them.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(300)
        self._fate = Fate()
        self._episode_id = ""
        self._runs: tuple[Run, ...] = ()
        self._caption = QLabel()
        set_look(self._caption, "secondary")
        self._pick = QComboBox()
        self._pick.setObjectName(f"{name}_claims")
        self._pick.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._pick.setMinimumContentsLength(16)
        self._pick.activated.connect(self._on_pick_activated)
        self._pill = Pill()
        self._value = DiffText("title")
        self._value.setObjectName(f"{name}_value")
        self._rows = QGridLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setHorizontalSpacing(12 - INSET_PX)
        self._rows.setVerticalSpacing(3)
        self._rows.setColumnMinimumWidth(0, _NAME_PX)
        self._rows.setColumnStretch(1, 1)
        self._names: dict[str, QLabel] = {}
        self._begins, self._ends = DiffText("secondary"), DiffText("secondary")
        self._source = LinkText()
        self._source.setObjectName(f"{name}_source")
        self._source.clicked.connect(self._on_source_clicked)
        self._source_kind = QLabel()
        self._recorded, self._confidence, self._trust = QLabel(), QLabel(), QLabel()
        self._evidence = EpisodeText(max_lines=EVIDENCE_LINES)
        self._evidence.setObjectName(f"{name}_evidence")
        self._said_by = ElidedLabel()
        self._box = QFrame()
        self._lay_out()
        appearance().changed.connect(self.update)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._caption)
        head.addWidget(self._pick, 1)
        head.addStretch(1)
        head.addWidget(self._pill, 0, Qt.AlignmentFlag.AlignVCenter)
        source = QWidget()
        beside = QHBoxLayout(source)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(2)
        beside.addWidget(self._source)
        beside.addWidget(self._source_kind)
        beside.addStretch(1)
        cells: dict[str, QWidget] = {
            "begins": self._begins,
            "ends": self._ends,
            "source": source,
            "recorded": self._recorded,
            "confidence": self._confidence,
            "trust": self._trust,
        }
        for row, (name, cell) in enumerate(cells.items()):
            label = self._names[name] = QLabel()
            set_look(label, "secondary")
            middle = Qt.AlignmentFlag.AlignVCenter
            side = Qt.AlignmentFlag.AlignTop if isinstance(cell, DiffText) else middle
            self._rows.addWidget(label, row, 0, side)
            self._rows.addWidget(cell, row, 1)
        for flow in (self._begins, self._ends):
            flow.set_inset(INSET_PX)
        for value in (self._source_kind, self._recorded, self._confidence, self._trust):
            value.setTextFormat(Qt.TextFormat.PlainText)
            set_look(value, "record")
        for value in (self._recorded, self._confidence, self._trust):
            value.setContentsMargins(INSET_PX, 0, INSET_PX, 0)
        set_look(self._box, "card")
        set_look(self._said_by, "secondary")
        self._box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        inside = QVBoxLayout(self._box)
        inside.setContentsMargins(4, 8, 4, 4)
        inside.setSpacing(0)
        said = QHBoxLayout()
        said.setContentsMargins(8, 0, 8, 0)
        said.addWidget(self._said_by, 1)
        inside.addLayout(said)
        inside.addWidget(self._evidence)
        column = QVBoxLayout(self)
        column.setContentsMargins(17, 13, 17, 16)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self._value)
        column.addSpacing(2)
        column.addLayout(self._rows)
        column.addSpacing(4)
        column.addWidget(self._box)
        column.addStretch(1)

    # -- what is shown ------------------------------------------------------------------------

    def show_claim(self, claim: Claim, source: Episode | None, *, other: Claim) -> None:
        """Show a claim, with what differs from the other one marked.

        Args:
            claim: the claim.
            source: its episode.
            other: the claim on the other side.
        """
        self._say_names()
        mine, theirs = shown_value(claim.value), shown_value(other.value)
        self._runs = diff_words(mine, theirs)[0] if mine != theirs else (Run(mine, False),)
        self._show_value()
        _show_parts(self._begins, _begins_words(claim), _begins_words(other))
        has_ends = claim.until is not None or other.until is not None
        _show_parts(self._ends, _ends_words(claim), _ends_words(other))
        for widget in (self._ends, self._names["ends"]):
            widget.setVisible(has_ends)
        self._begins.setToolTip(text.tooltip(text.exact(claim.valid_from)))
        self._ends.setToolTip(text.tooltip(text.exact(claim.until)))
        self._show_source(claim, source)

    def show_choice(self, claims: Sequence[Claim], chosen: str, *, keeps_room: bool) -> None:
        """Offer the claims that wait, where there are several.

        Args:
            claims: what can be chosen.
            chosen: id of the claim that is shown.
            keeps_room: as high as if there were something to choose, for the card beside it.
        """
        self._caption.setMinimumHeight(self._pick.sizeHint().height() if keeps_room else 0)
        self._pick.clear()
        for number, claim in enumerate(claims, start=1):
            words_of = self.tr("{number} of {count}: {value}").format(
                number=number, count=len(claims), value=text.value_line(claim.value, 40)
            )
            self._pick.addItem(words_of, claim.claim_id)
        self._pick.setCurrentIndex(self._pick.findData(chosen))
        self._pick.setVisible(len(claims) > 1)
        self._pick.setAccessibleName(self.tr("Which of the waiting claims"))
        self._pick.view().setAccessibleName(self.tr("Waiting claims"))

    def set_caption(self, caption: str) -> None:
        """Say which side it is."""
        self._caption.setText(caption)
        self.setAccessibleName(caption)

    def show_fate(self, fate: Fate) -> None:
        """Say what becomes of the claim."""
        self._fate = fate
        self._pill.setText(fate.words)
        self._pill.set_tone(fate.tone)
        self._pill.setVisible(bool(fate.words))
        self.setAccessibleDescription(fate.words)
        self._show_value()
        self.update()

    @property
    def fate(self) -> Fate:
        """What is said of the claim."""
        return self._fate

    @property
    def evidence(self) -> EpisodeText:
        """The source's text."""
        return self._evidence

    @property
    def value(self) -> DiffText:
        """The value."""
        return self._value

    def _show_value(self) -> None:
        whole = "".join(run.text for run in self._runs)
        is_large = len(whole) <= _LARGE_UP_TO and "\n" not in whole
        self._value.set_runs(
            self._runs,
            role="title" if is_large else "content",
            color="accent" if self._fate.is_preferred else "text",
        )
        self._value.setAccessibleName(self.tr("Value: {value}").format(value=whole))

    def _show_source(self, claim: Claim, source: Episode | None) -> None:
        self._episode_id = claim.source_episode_id
        self._source.set_words(
            text.one_line(claim.source_episode_id, 40), hint=self.tr("Show this episode behind.")
        )
        self._recorded.setText(
            self.tr("{when} by {agent}").format(
                when=text.instant(claim.recorded_at), agent=text.one_line(claim.agent_id, 40)
            )
        )
        self._recorded.setToolTip(text.tooltip(text.exact(claim.recorded_at)))
        self._confidence.setText(text.decimal(claim.confidence))
        self._box.setVisible(source is not None)
        if source is None:
            self._source_kind.setText("")
            self._trust.setText(text.DASH)
            return
        kind = words.episode_kind(source.kind)
        self._source_kind.setText(f"· {kind}")
        rank = self.tr("{kind} ({rank} of {ranks})").format(
            kind=kind, rank=trust_rank(source.kind), ranks=TRUST_RANKS
        )
        self._trust.setText(rank)
        self._trust.setToolTip(text.tooltip(self.tr("1 is trusted most.")))
        author = str(source.metadata.get("author") or source.agent_id)
        when = text.instant(source.occurred_at)
        self._said_by.setText(f"{text.one_line(author, 60)}, {when}")
        self._said_by.setToolTip(text.tooltip(text.exact(source.occurred_at)))
        spans = [] if claim.span is None else [(claim.span.start, claim.span.end)]
        self._evidence.show_episode(source.content, spans, source.kind)
        name = self.tr("Text of {episode}").format(episode=text.one_line(source.episode_id))
        self._evidence.setAccessibleName(name)

    def _say_names(self) -> None:
        named = {
            "begins": self.tr("Begins"),
            "ends": self.tr("Ends"),
            "source": self.tr("Source"),
            "recorded": self.tr("Recorded"),
            "confidence": self.tr("Confidence"),
            "trust": self.tr("Trust"),
        }
        for name, said in named.items():
            self._names[name].setText(said)

    # -- Qt -----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = current()
        width = 2.0 if self._fate.is_preferred else 1.0
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colors.color("accent" if width == 2.0 else "line"), width))
        painter.setBrush(colors.color("panel"))
        inset = width / 2
        rect = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(rect, _RADIUS, _RADIUS)

    @Slot()
    def _on_source_clicked(self) -> None:
        self.episode_requested.emit(self._episode_id)

    @Slot(int)
    def _on_pick_activated(self, at: int) -> None:
        self.claim_chosen.emit(self._pick.itemData(at))


def _begins_words(claim: Claim) -> list[str]:
    return [
        text.instant(claim.valid_from, claim.precision),
        words.basis(claim.valid_from_basis),
        words.precision(claim.precision),
    ]


def _ends_words(claim: Claim) -> list[str]:
    if claim.until is None:
        return [text.translate("ClaimCard", "no end stated")]
    return [text.instant(claim.until)]


def _show_parts(label: DiffText, mine: list[str], theirs: list[str]) -> None:
    """Show what is said of a bound, each part that differs marked as a whole."""
    runs = []
    for place, (part, other) in enumerate(zip(mine, theirs, strict=True)):
        if place:
            runs.append(Run(" · ", False))
        runs.append(Run(part, part != other))
    label.set_runs(runs, role="secondary", marks_all=True)
