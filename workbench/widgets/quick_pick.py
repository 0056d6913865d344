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
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(theme.color("accent")) if theme.is_contrast else Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_bg"))
            painter.drawRoundedRect(QRectF(rect).adjusted(4.5, 1.5, -4.5, -1.5), 4, 4)
        quiet: Role = "dim" if entry.is_enabled else "off"
        room = rect.adjusted(PAD_PX, 0, -PAD_PX, 0)
        spot = QRectF(room.left(), room.center().y() - 7.5, 16, 16)
        if entry.icon:
            paint_icon(painter, spot, entry.icon, code=getattr(theme, quiet))
        room.setLeft(room.left() + 16 + 10)
        room.setRight(self._paint_keys(painter, room, entry) - 10)
        painter.setPen(theme.color("text" if entry.is_enabled else "off"))
        width = self._paint_title(painter, room, entry, fit.places)
        room.setLeft(room.left() + width + 12)
        if entry.detail and room.width() > 40:
            painter.setFont(font("secondary"))
            painter.setPen(theme.color(quiet))
            said = painter.fontMetrics().elidedText(
                entry.detail, Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), said)
        painter.restore()

    def _paint_title(
        self, painter: QPainter, room: QRect, entry: Entry, places: tuple[int, ...]
    ) -> int:
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
        painter.save()
        painter.setClipRect(room)
        top = room.top() + (room.height() - line.height()) / 2
        layout.draw(painter, QRectF(room.left(), top, 0, 0).topLeft())
        painter.restore()
        return min(room.width(), int(line.naturalTextWidth()) + 1)

    def _paint_keys(self, painter: QPainter, room: QRect, entry: Entry) -> int:
        """Draw the caps from the right and return where they begin."""
        theme = current()
        painter.setFont(font("key"))
        metrics = QFontMetrics(painter.font())
        right = room.right()
        for keys in reversed(entry.keys):
            width = metrics.horizontalAdvance(keys) + 10
            cap = QRectF(right - width + 0.5, room.center().y() - 8.5, width, 18)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(theme.color("ctl" if entry.is_enabled else "line"))
            painter.drawRoundedRect(cap, 4, 4)
            painter.setPen(theme.color("dim" if entry.is_enabled else "off"))
            painter.drawText(cap, int(Qt.AlignmentFlag.AlignCenter), keys)
            right -= width + 6
        return right


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
