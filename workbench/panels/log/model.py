"""The newest log lines as rows, narrowed by level and words."""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Slot,
)

from workbench.log import RING_LINES
from workbench.text import QT_TRANSLATE_NOOP, exact, local, one_line, tooltip, visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.log import LogLine, LogRing

Index = QModelIndex | QPersistentModelIndex

LINE_ROLE: Final = Qt.ItemDataRole.UserRole
"""The `LogLine` of a row."""
TIME, LEVEL, LOGGER, TEXT = range(4)
_TITLES: Final = (
    QT_TRANSLATE_NOOP("LogLines", "Time"),
    QT_TRANSLATE_NOOP("LogLines", "Level"),
    QT_TRANSLATE_NOOP("LogLines", "Part"),
    QT_TRANSLATE_NOOP("LogLines", "Message"),
)
_LEVELS: Final = {
    logging.DEBUG: QT_TRANSLATE_NOOP("LogLines", "detail"),
    logging.INFO: QT_TRANSLATE_NOOP("LogLines", "note"),
    logging.WARNING: QT_TRANSLATE_NOOP("LogLines", "warning"),
    logging.ERROR: QT_TRANSLATE_NOOP("LogLines", "error"),
    logging.CRITICAL: QT_TRANSLATE_NOOP("LogLines", "failure"),
}
_TAKEN_EVERY_MS: Final = 100
_LONGEST_TEXT: Final = 500


def level_word(level: int) -> str:
    """Give the word for a level of `logging`, or for the nearest one below."""
    known = max((it for it in _LEVELS if it <= level), default=logging.DEBUG)
    return QCoreApplication.translate("LogLines", _LEVELS[known])


def whole_text(line: LogLine) -> str:
    """Give a line as text of one or more lines, with nothing hidden in it."""
    return visible(line.text, keeps_lines=True)


def copied_text(lines: Iterable[LogLine]) -> str:
    """Give lines as text for a note: exact time, level, part, message."""
    return "\n".join(
        f"{exact(line.at)} {logging.getLevelName(line.level)} {visible(line.logger)}: "
        f"{whole_text(line)}"
        for line in lines
    )


class LogLines(QAbstractTableModel):
    """Follows a `LogRing`. Lines that come close together are taken in at once.

    The ring may be appended to from any thread.
    """

    def __init__(self, ring: LogRing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ring = ring
        self._level = logging.DEBUG
        self._words: list[str] = []
        self._kept: deque[LogLine] = deque(ring.lines, maxlen=RING_LINES)
        self._shown: list[LogLine] = list(self._kept)
        self._waiting: list[LogLine] = []
        self._take_soon = QTimer(self, singleShot=True, interval=_TAKEN_EVERY_MS)
        self._take_soon.timeout.connect(self._take)
        ring.appended.connect(self._on_ring_appended)

    @property
    def level(self) -> int:
        """The least level that is shown."""
        return self._level

    @property
    def has_lines(self) -> bool:
        """Whether anything was logged, shown or not."""
        return bool(self._kept)

    def line(self, row: int) -> LogLine:
        """Return a line by row."""
        return self._shown[row]

    def narrow(self, *, level: int | None = None, words: str | None = None) -> None:
        """Show only lines of a level and above, in which all the words occur."""
        self.beginResetModel()
        if level is not None:
            self._level = level
        if words is not None:
            self._words = words.casefold().split()
        self._shown = [line for line in self._kept if self._fits(line)]
        self.endResetModel()

    def _fits(self, line: LogLine) -> bool:
        if line.level < self._level:
            return False
        said = f"{line.logger} {line.text}".casefold() if self._words else ""
        return all(word in said for word in self._words)

    @Slot(object)
    def _on_ring_appended(self, line: LogLine) -> None:
        self._waiting.append(line)
        if not self._take_soon.isActive():
            self._take_soon.start()

    @Slot()
    def _take(self) -> None:
        """Take in what came since, and let go of what is too old."""
        new, self._waiting = self._waiting[-RING_LINES:], []
        self._kept.extend(new)
        fitting = [line for line in new if self._fits(line)]
        surplus = max(0, len(self._shown) + len(fitting) - RING_LINES)
        if surplus:
            self.beginRemoveRows(QModelIndex(), 0, surplus - 1)
            del self._shown[:surplus]
            self.endRemoveRows()
        if fitting:
            first = len(self._shown)
            self.beginInsertRows(QModelIndex(), first, first + len(fitting) - 1)
            self._shown += fitting
            self.endInsertRows()

    def tell_texts_changed(self) -> None:
        """Say that every cell reads otherwise, as in another language."""
        if self._shown:
            last = self.index(len(self._shown) - 1, TEXT)
            self.dataChanged.emit(self.index(0, 0), last)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, TEXT)

    # -- Qt's questions -----------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(_TITLES)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        line = self._shown[index.row()]
        if role == LINE_ROLE:
            return line
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == TIME:
            return tooltip(exact(line.at))
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        match index.column():
            case 0:
                return f"{local(line.at):%H:%M:%S}"
            case 1:
                return level_word(line.level)
            case 2:
                return one_line(line.logger, 60)
            case _:
                first, more, _ = line.text.partition("\n")
                return one_line(first, _LONGEST_TEXT) + (" ⏎" if more else "")

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        is_title = role == Qt.ItemDataRole.DisplayRole
        if orientation == Qt.Orientation.Horizontal and is_title and section < len(_TITLES):
            return QCoreApplication.translate("LogLines", _TITLES[section])
        return None
