"""Choose one of many by a few letters: a field over a list, worked by the keyboard alone."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from workbench.theme import Role, current, font, paint_icon, set_look

ROW_PX: Final = 34
WIDTH_PX: Final = 620
ROWS_SHOWN: Final = 10
PAD_PX: Final = 12

ENTRY_ROLE: Final = Qt.ItemDataRole.UserRole
MATCH_ROLE: Final = Qt.ItemDataRole.UserRole + 1

_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to choose.

    Attributes:
        id: what is told when it is chosen.
        title: what it is called; the letters are looked for here first.
        detail: what is said beside it; looked through too, for less.
        keys: keys that do the same, shown as caps.
        icon: lucide name, or "".
        is_enabled: whether it can be chosen; otherwise it stands at the end.
    """

    id: str
    title: str
    detail: str = ""
    keys: tuple[str, ...] = ()
    icon: str = ""
    is_enabled: bool = True


@dataclass(frozen=True, slots=True)
class Fit:
    """How well an entry fits what was typed.

    Attributes:
        score: higher fits better.
        places: the positions of the found letters in the title.
    """

    score: int
    places: tuple[int, ...] = field(default=())


def find_fit(typed: str, title: str, detail: str = "", *, is_loose: bool = False) -> Fit | None:
    """Say how well letters fit a title, or None: all must occur, in their order.

    A letter must follow the one before it or begin a word; with `is_loose` it may stand anywhere.
    Case and accents do not count. Where the title does not have them, words of the detail that
    begin so may.
    """
    wanted = [char for char in _folded(typed) if not char.isspace()]
    if not wanted:
        return Fit(0)
    places = _best_places(wanted, _folded(title), is_loose=is_loose)
    if places is not None:
        return Fit(_score(places, title), places)
    said = _folded(f"{title} {detail}").split()
    if detail and all(any(it.startswith(word) for it in said) for word in _folded(typed).split()):
        return Fit(1)
    return None


def _folded(shown: str) -> str:
    """Fold case and accents, one character for one, so that places stay true."""
    return "".join(unicodedata.normalize("NFD", char)[0].lower()[:1] or " " for char in shown)


def _best_places(wanted: list[str], title: str, *, is_loose: bool) -> tuple[int, ...] | None:
    word = "".join(wanted)
    at = title.find(word)
    while at >= 0 and not _is_start(title, at):  # a word that begins so before one that holds it
        at = title.find(word, at + 1)
    if at < 0:
        at = title.find(word)
    if at >= 0:
        return tuple(range(at, at + len(wanted)))
    return _places(wanted, title, is_loose=is_loose)


def _places(wanted: list[str], title: str, *, is_loose: bool) -> tuple[int, ...] | None:
    places: list[int] = []
    at = 0
    for char in wanted:
        spots = [spot for spot in range(at, len(title)) if title[spot] == char]
        follows = bool(places) and bool(spots) and spots[0] == at
        starts = [spot for spot in spots if _is_start(title, spot)]
        if follows:
            here = at
        elif starts:
            here = starts[0]
        elif spots and is_loose:
            here = spots[0]
        else:
            return None
        places.append(here)
        at = here + 1
    return tuple(places)


def _is_start(title: str, at: int) -> bool:
    return at == 0 or not title[at - 1].isalnum()


def _score(places: tuple[int, ...], title: str) -> int:
    folded = _folded(title)
    score = 1_000 - len(title) - 2 * places[0]
    for before, here in zip((-2, *places), places, strict=False):
        score += 30 if _is_start(folded, here) else 0
        score += 20 if here == before + 1 else -min(here - before, 10)
    return score


class _Entries(QAbstractListModel):
    """The entries that fit, best first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._shown: list[tuple[Entry, Fit]] = []

    def show(self, entries: tuple[Entry, ...], typed: str, *, is_filtered: bool) -> None:
        self.beginResetModel()
        if is_filtered:
            found = self._fitting(entries, typed, is_loose=False)
            found = found or self._fitting(entries, typed, is_loose=True)
            found.sort(key=lambda pair: (not pair[0].is_enabled, -pair[1].score))
        else:
            found = [(entry, find_fit(typed, entry.title) or Fit(0)) for entry in entries]
        self._shown = found
        self.endResetModel()

    def _fitting(
        self, entries: tuple[Entry, ...], typed: str, *, is_loose: bool
    ) -> list[tuple[Entry, Fit]]:
        pairs = (
            (entry, find_fit(typed, entry.title, entry.detail, is_loose=is_loose))
            for entry in entries
        )
        return [(entry, fit) for entry, fit in pairs if fit is not None]

    def entry(self, row: int) -> Entry:
        return self._shown[row][0]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry, fit = self._shown[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return entry.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(part for part in (entry.title, *entry.keys, entry.detail) if part)
            case _ if role == ENTRY_ROLE:
                return entry
            case _ if role == MATCH_ROLE:
                return fit
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid() or not self._shown[index.row()][0].is_enabled:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class _EntryDelegate(QStyledItemDelegate):
    """Draws an entry: icon, title with the found letters strong, detail, keys as caps."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(200, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        entry: Entry = index.data(ENTRY_ROLE)
        fit: Fit = index.data(MATCH_ROLE)
        theme = current()
        row = _Row(painter, option.rect, option.direction)
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # `_Row` mirrors by itself
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(theme.color("accent")) if theme.is_contrast else Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_bg"))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(4.5, 1.5, -4.5, -1.5), 4, 4)
        quiet: Role = "dim" if entry.is_enabled else "off"
        if entry.icon:
            spot = QRectF(row.from_start(16)).adjusted(0, 0.5, 0, 0.5)
            paint_icon(painter, spot, entry.icon, code=getattr(theme, quiet))
        else:
            row.from_start(16)
        row.skip(10)
        for keys in reversed(entry.keys):
            row.paint_cap(keys, is_enabled=entry.is_enabled)
        row.paint_title(entry, fit.places)
        row.skip(12)
        row.paint_detail(entry.detail, role=quiet)
        painter.restore()


class _Row:
    """The room of one row, given away piece by piece from both ends, mirrored where need be."""

    def __init__(self, painter: QPainter, rect: QRect, direction: Qt.LayoutDirection) -> None:
        self._painter = painter
        self._rect = rect
        self._direction = direction
        self._start = rect.left() + PAD_PX
        self._end = rect.right() - PAD_PX

    def skip(self, width: int) -> None:
        """Leave some room free at the start."""
        self._start += width

    def from_start(self, width: int) -> QRect:
        """Take room at the start."""
        piece = self._piece(self._start, width)
        self._start += width
        return piece

    def paint_cap(self, keys: str, *, is_enabled: bool) -> None:
        """Draw a key cap at the end."""
        theme, painter = current(), self._painter
        painter.setFont(font("key"))
        width = QFontMetrics(painter.font()).horizontalAdvance(keys) + 10
        piece = self._piece(self._end - width, width)
        self._end -= width + 6
        cap = QRectF(piece.x() + 0.5, piece.center().y() - 8.5, width, 18)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(theme.color("ctl" if is_enabled else "line"))
        painter.drawRoundedRect(cap, 4, 4)
        painter.setPen(theme.color("dim" if is_enabled else "off"))
        painter.drawText(cap, int(Qt.AlignmentFlag.AlignCenter), keys)

    def paint_title(self, entry: Entry, places: tuple[int, ...]) -> None:
        """Draw the title with the found letters strong."""
        strong = QTextCharFormat()
        strong.setFontWeight(QFont.Weight.DemiBold)
        if entry.is_enabled:
            strong.setForeground(current().color("accent"))
        ranges = []
        for place in places:
            piece = QTextLayout.FormatRange()
            piece.start, piece.length, piece.format = place, 1, strong
            ranges.append(piece)
        layout = QTextLayout(entry.title, font("content"))
        layout.setFormats(ranges)
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(10_000)
        layout.endLayout()
        room = max(0, self._end - self._start)
        spot = self.from_start(min(room, int(line.naturalTextWidth()) + 1))
        painter = self._painter
        painter.save()
        painter.setPen(current().color("text" if entry.is_enabled else "off"))
        painter.setClipRect(spot)
        layout.draw(painter, QPointF(spot.left(), spot.center().y() + 0.5 - line.height() / 2))
        painter.restore()

    def paint_detail(self, detail: str, *, role: Role) -> None:
        """Draw what is said beside the title in the room that is left, if there is enough."""
        width = self._end - self._start
        if not detail or width < 40:
            return
        painter = self._painter
        painter.setFont(font("secondary"))
        painter.setPen(current().color(role))
        said = painter.fontMetrics().elidedText(detail, Qt.TextElideMode.ElideRight, width)
        is_mirrored = self._direction == Qt.LayoutDirection.RightToLeft
        side = Qt.AlignmentFlag.AlignRight if is_mirrored else Qt.AlignmentFlag.AlignLeft
        painter.drawText(self.from_start(width), int(side | Qt.AlignmentFlag.AlignVCenter), said)

    def _piece(self, start: int, width: int) -> QRect:
        straight = QRect(start, self._rect.top(), width, self._rect.height())
        return QStyle.visualRect(self._direction, self._rect, straight)


class QuickPick(QFrame):
    """A popup with a field and the entries that fit what is typed.

    Up, Down, Page Up and Page Down move, Enter chooses, Esc leaves.

    Signals:
        chosen: the id of the chosen entry; the popup is closed already.
        queried: what is typed, for entries that come from elsewhere (see `set_entries`).
    """

    chosen = Signal(str)
    queried = Signal(str)

    def __init__(self, hint: str, parent: QWidget, *, is_filtered: bool = True) -> None:
        """Make a popup.

        Args:
            hint: what can be chosen, in the empty field and to a screen reader.
            parent: the window over which it opens.
            is_filtered: whether the entries are all there are and typing chooses among them;
                otherwise whoever listens to `queried` brings those that fit.
        """
        super().__init__(parent, Qt.WindowType.Popup)
        set_look(self, "popup")
        self._is_filtered = is_filtered
        self._entries: tuple[Entry, ...] = ()
        self._field = QLineEdit()
        self._field.setPlaceholderText(hint)
        self._field.setAccessibleName(hint)
        self._field.installEventFilter(self)
        self._field.textChanged.connect(self._on_field_text_changed)
        set_look(self._field, "pick")
        self._model = _Entries(self)
        self._list = QListView()
        self._list.setModel(self._model)
        self._list.setItemDelegate(_EntryDelegate(self._list))
        self._list.setUniformItemSizes(True)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName(hint)
        self._list.clicked.connect(self._on_list_clicked)
        set_look(self._list, "pick")
        self._nothing = QLabel(self.tr("Nothing fits."))
        self._nothing.setMargin(PAD_PX)
        set_look(self._nothing, "secondary")
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 5)
        column.setSpacing(4)
        column.addWidget(self._field)
        column.addWidget(self._list)
        column.addWidget(self._nothing)
        self.setFocusProxy(self._field)
        self.setAccessibleName(hint)

    def set_entries(self, entries: tuple[Entry, ...]) -> None:
        """Offer these entries; with `is_filtered` off, shown as they come."""
        self._entries = entries
        self._show_fitting()

    def open_over(self, window: QWidget) -> None:
        """Open near the top of a window, empty."""
        self._field.clear()
        self._show_fitting()
        width = min(WIDTH_PX, max(320, window.width() - 32))
        self.setFixedWidth(width)
        top = window.mapToGlobal(QPoint((window.width() - width) // 2, 64))
        self.move(top)
        self.show()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            match event.key():
                case Qt.Key.Key_Down:
                    self._move(1)
                case Qt.Key.Key_Up:
                    self._move(-1)
                case Qt.Key.Key_PageDown:
                    self._move(ROWS_SHOWN - 1)
                case Qt.Key.Key_PageUp:
                    self._move(1 - ROWS_SHOWN)
                case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    self._choose(self._list.currentIndex())
                case Qt.Key.Key_Escape:
                    self.hide()
                case _:
                    return False
            return True
        return super().eventFilter(watched, event)

    def _show_fitting(self) -> None:
        self._model.show(self._entries, self._field.text(), is_filtered=self._is_filtered)
        count = self._model.rowCount()
        self._list.setVisible(count > 0)
        self._nothing.setVisible(count == 0 and bool(self._field.text()))
        self._list.setFixedHeight(min(count, ROWS_SHOWN) * ROW_PX + 2)
        self._move(0)
        self.adjustSize()

    def _move(self, step: int) -> None:
        """Move to the nearest entry that can be chosen, in the direction of the step."""
        count = self._model.rowCount()
        at = min(max(max(self._list.currentIndex().row(), 0) + step, 0), count - 1)
        direction = -1 if step < 0 else 1
        for way in (direction, -direction):
            row = at
            while 0 <= row < count:
                index = self._model.index(row, 0)
                if index.flags() & Qt.ItemFlag.ItemIsEnabled:
                    self._list.setCurrentIndex(index)
                    self._list.scrollTo(index)
                    return
                row += way

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsEnabled:
            entry = self._model.entry(index.row())
            self.hide()
            self.chosen.emit(entry.id)

    @Slot(str)
    def _on_field_text_changed(self, typed: str) -> None:
        if self._is_filtered:
            self._show_fitting()
        else:
            self.queried.emit(typed)

    @Slot(QModelIndex)
    def _on_list_clicked(self, index: QModelIndex) -> None:
        self._choose(index)
