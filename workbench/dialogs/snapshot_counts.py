"""What is, or will be, in a snapshot: counts, each beside what it is a part of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from store.temporal import Basis
from workbench.text import DASH, QT_TRANSLATE_NOOP, number
from workbench.theme import Role, appearance, current, set_look
from workbench.widgets.section_head import SectionHead

if TYPE_CHECKING:
    from store.audit.format import Counts

_BAR_PX: Final = 4

#: By what the beginning of a fact is known, as short as a column needs it.
_BASES: Final = {
    Basis.STATED: QT_TRANSLATE_NOOP("SnapshotCounts", "Start stated"),
    Basis.EPISODE: QT_TRANSLATE_NOOP("SnapshotCounts", "Start from the episode"),
    Basis.ASSUMED: QT_TRANSLATE_NOOP("SnapshotCounts", "Start assumed"),
    Basis.UNKNOWN: QT_TRANSLATE_NOOP("SnapshotCounts", "Start unknown"),
}


class CountsCard(QFrame):
    """The counts of a snapshot on a sheet of their own.

    Every part stands beside its whole, in figures; a thin bar under it repeats that as a length.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "sheet")
        self.text = ""
        self._facts, self._says = QLabel(), QLabel()
        set_look(self._facts, "value")
        set_look(self._says, "secondary")
        self._says.setWordWrap(True)
        self._says.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._lines: list[str] = []
        self._rows, self._grid = self._fresh()
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(2)
        column.addWidget(SectionHead(self.tr("In the snapshot")))
        column.addSpacing(4)
        column.addWidget(self._facts)
        column.addWidget(self._says)
        column.addSpacing(10)
        column.addWidget(self._rows)
        self.show_nothing("")

    def _fresh(self) -> tuple[QWidget, QGridLayout]:
        rows = QWidget()
        grid = QGridLayout(rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        return rows, grid

    def _clear(self) -> None:
        """Begin with an empty grid: one that was emptied keeps the heights of its rows."""
        old = self._rows
        self._rows, self._grid = self._fresh()
        self._column.replaceWidget(old, self._rows)
        old.hide()
        old.deleteLater()
        self._lines = []

    def show_nothing(self, why: str) -> None:
        """Say why there are no counts."""
        self.setEnabled(True)
        self._clear()
        self._facts.setText(DASH)
        self._say(why)

    def _say(self, words: str) -> None:
        self._says.setText(words)
        self._says.setVisible(bool(words))
        head = self.tr("In the snapshot")
        self.setAccessibleName(f"{head}: {self._facts.text()}. {words}")

    def show_counts(self, counts: Counts, says: str) -> None:
        """Show counts, and under the first one where they were taken."""
        self.setEnabled(True)
        facts, conflicts, episodes = counts.facts, counts.conflicts, counts.episodes
        whole = facts.in_scope
        self._facts.setText(self.tr("%n fact(s)", "", whole).replace(str(whole), number(whole)))
        self._say(says)
        self._clear()
        settled = (
            conflicts.settled_by_person + conflicts.settled_by_policy + conflicts.settled_by_agent
        )
        contested = conflicts.open + conflicts.stale + settled
        self._lines.append(self._facts.text())
        self._share(self.tr("With a source"), facts.with_source, whole)
        if facts.without_source:
            self._share(self.tr("Without a source"), facts.without_source, whole, "warn")
        self._share(self.tr("With a marked passage"), facts.with_span, whole)
        self._share(self.tr("Disputed"), facts.disputed, whole, "warn")
        self._share(self.tr("Imprecise"), facts.imprecise, whole)
        known = ((basis, count) for basis, count in facts.by_basis.items() if count)
        for basis, count in known:
            name = QCoreApplication.translate("SnapshotCounts", _BASES[Basis(basis)])
            self._share(name, count, whole)
        self._gap()
        self._share(self.tr("Open conflicts"), conflicts.open, contested, "warn")
        self._share(self.tr("Settled by a person"), conflicts.settled_by_person, contested)
        if settled > conflicts.settled_by_person:
            others = settled - conflicts.settled_by_person
            self._share(self.tr("Settled otherwise"), others, contested)
        self._gap()
        self._share(self.tr("Episodes cited"), episodes.total - episodes.unused, episodes.total)
        self._plain(self.tr("Versions"), counts.versions)
        self._plain(self.tr("Transactions"), counts.transactions)
        self.text = "\n".join(self._lines)

    def _share(self, name: str, part: int, whole: int, role: Role = "edge") -> None:
        if not whole:
            self._plain(name, part)
            return
        of = self.tr("{part} of {whole}").format(part=number(part), whole=number(whole))
        self._plain(name, of)
        bar = _ShareBar(part / whole if whole else 0.0, role)
        self._grid.addWidget(bar, self._grid.rowCount(), 0, 1, 2)

    def _plain(self, name: str, count: int | str) -> None:
        words = number(count) if isinstance(count, int) else count
        row = self._grid.rowCount()
        title, figure = QLabel(name), QLabel(words)
        title.setWordWrap(True)
        title.setContentsMargins(0, 4, 0, 2)
        figure.setContentsMargins(0, 4, 0, 2)
        set_look(title, "secondary")
        set_look(figure, "record")
        self._grid.addWidget(title, row, 0)
        side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        self._grid.addWidget(figure, row, 1, side)
        self._lines.append(f"{name}: {words}")

    def _gap(self) -> None:
        self._grid.setRowMinimumHeight(self._grid.rowCount(), 10)


class _ShareBar(QWidget):
    """How much of a whole a part is, as a length; the figures beside it say the same."""

    def __init__(self, share: float, role: Role) -> None:
        super().__init__()
        self._share, self._role = share, role
        self.setFixedHeight(_BAR_PX)
        appearance().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(80, _BAR_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        colors = current()
        room = QRectF(self.rect())
        radius = _BAR_PX / 2
        painter.setBrush(colors.color("line"))
        painter.drawRoundedRect(room, radius, radius)
        width = room.width() * min(1.0, self._share)
        if width <= 0:
            return
        filled = QRectF(room.left(), room.top(), max(float(_BAR_PX), width), room.height())
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            filled.moveRight(room.right())
        painter.setBrush(colors.color(self._role))
        painter.drawRoundedRect(filled, radius, radius)
