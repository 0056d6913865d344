"""Pieces of the inspector's pages: a source in context, the list of versions, what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QContextMenuEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from workbench import words
from workbench.panels.inspector.items import Source, VersionRow, excerpt
from workbench.panels.inspector.model import VersionModel, VersionRole
from workbench.text import exact, instant, isolate, one_line, tooltip, value_line
from workbench.theme import appearance, current, font, set_look
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.episode_text import EpisodeText
from workbench.widgets.icon_label import IconLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from store.model import Conflict

_Index = QModelIndex | QPersistentModelIndex
_LINES: Final = 14
_NUMBER_PX: Final = 66
_ROW_PX: Final = 40


def source_head(source: Source) -> str:
    """Name a source in one line: id, kind, who, when."""
    episode = source.episode
    author = episode.metadata.get("author")
    who = author if isinstance(author, str) and author else episode.agent_id
    return " · ".join(
        (
            one_line(episode.episode_id, 40),
            words.episode_kind(episode.kind),
            one_line(who, 40),
            instant(episode.occurred_at),
        )
    )


class SourceCard(QFrame):
    """A source of a fact with the evidence highlighted in context.

    Signals:
        opened: it was clicked, or Enter or Space was pressed on it.
    """

    opened = Signal()

    def __init__(self, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"source.{source.episode.episode_id}")
        set_look(self, "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        head = ElidedLabel(source_head(source))
        set_look(head, "secondary")
        head.setToolTip(tooltip(f"{source_head(source)}\n{exact(source.episode.occurred_at)}"))
        shown = excerpt(source)
        self._text = EpisodeText(max_lines=_LINES)
        self._text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._text.show_episode(shown.content, shown.spans, source.episode.kind)
        self._text.viewport().installEventFilter(self)
        self._text.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        column = QVBoxLayout(self)
        column.setContentsMargins(3, 8, 3, 3)
        column.setSpacing(0)
        head.setContentsMargins(10, 0, 8, 0)  # the text has air of its own
        column.addWidget(head)
        column.addWidget(self._text)
        self._say(source)

    def _say(self, source: Source) -> None:
        said = self.tr("Source {name}").format(name=source_head(source))
        self.setAccessibleName(said)
        quoted = "; ".join(isolate(one_line(text)) for text in self._text.evidence_texts)
        if quoted:
            self.setAccessibleDescription(self.tr("Evidence: {words}").format(words=quoted))

    @property
    def evidence_texts(self) -> list[str]:
        """The words that are highlighted."""
        return self._text.evidence_texts

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take a click on the text for a click on the card, unless it selected something."""
        is_release = event.type() == QEvent.Type.MouseButtonRelease
        if is_release and not self._text.textCursor().hasSelection():
            self.opened.emit()
        return super().eventFilter(watched, event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(current().color("accent"), current().focus_px))
            painter.drawRoundedRect(self.rect().toRectF().adjusted(1, 1, -1, -1), 6, 6)


class ConflictStrip(QFrame):
    """Says that claims wait for a decision, and offers to make it.

    Signals:
        settle_requested: the button was pressed.
    """

    settle_requested = Signal()

    def __init__(self, conflict: Conflict, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "waiting")
        values = [isolate(value_line(claim.value, 60)) for claim in conflict.incoming]
        said = self.tr("Disputed, {kind}. Waiting beside it: {values}.")
        text = said.format(values="; ".join(values), kind=words.conflict_kind(conflict.kind))
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        set_look(label, "warn")
        self._button = QPushButton(self.tr("Settle…"))
        self._button.setObjectName("conflict.resolve")
        self._button.setAccessibleDescription(text)
        self._button.clicked.connect(self.settle_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 6, 6)
        row.setSpacing(8)
        row.addWidget(IconLabel("diamond", "warn", size=14), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(label, 1)
        row.addWidget(self._button, 0, Qt.AlignmentFlag.AlignTop)


class _VersionDelegate(QStyledItemDelegate):
    """Draws a version on two lines: number and value with its beginning; then its story."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(160, _ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        self.initStyleOption(option, index)
        option.text = ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        row: VersionRow = index.data(VersionRole.ROW)
        room = option.rect.adjusted(6, 4, -6, -4)
        upper = QRect(room.left(), room.top(), room.width(), room.height() // 2)
        lower = QRect(room.left(), upper.bottom() + 1, room.width(), room.height() // 2)
        painter.save()
        self._paint_head(painter, upper, index, row)
        painter.setFont(font("key"))
        lower.setLeft(lower.left() + _NUMBER_PX)
        if row.is_late:
            painter.setPen(current().color("warn"))
            used = _write(painter, lower, self.tr("arrived late"))
            lower.setLeft(lower.left() + used + 6)
        painter.setPen(current().color("dim"))
        _write(painter, lower, index.data(VersionRole.STORY))
        painter.restore()

    def _paint_head(self, painter: QPainter, room: QRect, index: _Index, row: VersionRow) -> None:
        colors = current()
        painter.setFont(font("secondary"))
        painter.setPen(colors.color("accent"))
        number = QRect(room.left(), room.top(), _NUMBER_PX - 8, room.height())
        _write(painter, number, index.data(VersionRole.NUMBER))
        room = room.adjusted(_NUMBER_PX, 0, 0, 0)
        begins = index.data(VersionRole.FROM)
        begins_px = painter.fontMetrics().horizontalAdvance(begins) + 6
        painter.setPen(colors.color("text" if row.is_believed else "dim"))
        value = QRect(room)
        value.setWidth(max(40, room.width() - begins_px))
        used = _write(painter, value, index.data(VersionRole.VALUE))
        painter.setPen(colors.color("dim"))
        _write(painter, room.adjusted(used + 6, 0, 0, 0), begins)


def _write(painter: QPainter, room: QRect, said: str) -> int:
    """Write a line, cut where it does not fit, and give how many pixels it took."""
    shown = painter.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
    return painter.fontMetrics().horizontalAdvance(shown)


class VersionList(QListView):
    """The versions of a fact. A click or Enter chooses one; its number leads to the journal.

    Signals:
        chosen: the `VersionRow` that was clicked, or on which Enter was pressed.
        transaction_requested: the number of a transaction, clicked or chosen from the menu.
    """

    chosen = Signal(object)
    transaction_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("versions")
        self.versions = VersionModel(self)
        self.setModel(self.versions)
        self.setItemDelegate(_VersionDelegate(self))
        self.setUniformItemSizes(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Versions"))
        self.clicked.connect(self._on_clicked)
        appearance().changed.connect(self.viewport().update)

    def set_rows(self, rows: Sequence[VersionRow]) -> None:
        """Show these versions."""
        self.versions.set_rows(rows)
        self.setFixedHeight(len(rows) * _ROW_PX + 2 * current().focus_px)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.chosen.emit(self.versions.row(index.row()))
            event.accept()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.currentIndex()
        if event.reason() is QContextMenuEvent.Reason.Mouse:
            index = self.indexAt(event.pos())
        if not index.isValid():
            return
        menu = self.menu_for(index.row())
        place = event.globalPos()
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            place = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft() + QPoint(8, 0))
        menu.popup(place)
        event.accept()

    def menu_for(self, row: int) -> QMenu:
        """Make the menu of a version."""
        version = self.versions.row(row)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        look = menu.addAction(self.tr("Look at this version"))
        look.triggered.connect(lambda: self.chosen.emit(version))
        began = menu.addAction(self.tr("Show the transaction that wrote it"))
        began.triggered.connect(lambda: self.transaction_requested.emit(version.version.began))
        ceased = version.version.ceased
        if ceased is not None:
            ended = menu.addAction(self.tr("Show the transaction that ended it"))
            ended.triggered.connect(lambda: self.transaction_requested.emit(ceased))
        return menu

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        index = self.indexAt(at)
        if index.isValid() and at.x() < _NUMBER_PX:
            self.transaction_requested.emit(self.versions.row(index.row()).version.began)
            event.accept()
            return
        super().mouseReleaseEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        is_link = self.indexAt(at).isValid() and at.x() < _NUMBER_PX
        shape = Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        super().mouseMoveEvent(event)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.chosen.emit(self.versions.row(index.row()))
