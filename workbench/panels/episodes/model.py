"""The list of episodes: read page by page as one scrolls, refreshed without losing one's place."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt

from workbench import words
from workbench.panels.episodes.items import EpisodeRow
from workbench.text import exact, instant, one_line, tooltip
from workbench.widgets.paged_rows import Index, PagedRows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class EpisodeRole(IntEnum):
    """What the model gives besides text."""

    ROW = Qt.ItemDataRole.UserRole + 1
    DETAIL = Qt.ItemDataRole.UserRole + 2
    COUNT = Qt.ItemDataRole.UserRole + 3
    IS_LATER = Qt.ItemDataRole.UserRole + 4


class EpisodeListModel(PagedRows[EpisodeRow]):
    """Episodes, latest first, as far as they have been read."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places: dict[str, int] = {}
        self._counts: dict[str, int] = {}

    # -- what is there ------------------------------------------------------------------------

    def place_of(self, episode_id: str | None) -> int:
        """Give the place of an episode, or -1 while it was not read."""
        return -1 if episode_id is None else self._places.get(episode_id, -1)

    def set_rows(self, rows: Sequence[EpisodeRow], *, has_more: bool = False) -> None:
        """Show other rows, of which no facts were counted yet."""
        self._counts.clear()
        super().set_rows(rows, has_more=has_more)
        self._number()

    def append(self, rows: Sequence[EpisodeRow], *, has_more: bool) -> None:
        """Show further rows after those that are there."""
        new = [row for row in rows if row.episode_id not in self._places]
        super().append(new, has_more=has_more)

    def merge(self, rows: Sequence[EpisodeRow], *, has_more: bool) -> None:
        """Take the beginning of the list as it is now; rows that stay keep their place in a view.

        Args:
            rows: the first rows, which may be fewer than there are here.
            has_more: whether there are more after those that were read here, if all were.
        """
        if not self._is_grown(rows):
            self.set_rows(rows, has_more=has_more)
            return
        place = 0
        while place < len(rows):
            last = place
            while last < len(rows) and rows[last].episode_id not in self._places:
                last += 1
            self._insert(place, rows[place:last])
            place = last + 1

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Say how many facts rest on some of the episodes."""
        self._counts.update(counts)
        for episode_id in counts:
            place = self.place_of(episode_id)
            if place >= 0:
                index = self.index(place, 0)
                self.dataChanged.emit(index, index, [EpisodeRole.COUNT])

    def forget_counts(self) -> None:
        """Show no counts until they are counted again."""
        self._counts.clear()
        self._tell()

    def uncounted(self, first: int, last: int) -> list[str]:
        """Give the ids of the episodes in a range of places that were not counted."""
        rows = self._rows[max(0, first) : last + 1]
        return [row.episode_id for row in rows if row.episode_id not in self._counts]

    def retranslate(self) -> None:
        """Say everything anew, in another language."""
        self._tell()

    def _insert(self, place: int, rows: Sequence[EpisodeRow]) -> None:
        super()._insert(place, rows)
        self._number()

    def _number(self) -> None:
        self._places = {row.episode_id: place for place, row in enumerate(self._rows)}

    def _is_grown(self, rows: Sequence[EpisodeRow]) -> bool:
        """Say whether the first rows are those that were there, with new ones among them."""
        known = [row.episode_id for row in rows if row.episode_id in self._places]
        here = [row.episode_id for row in self._rows[: len(known)]]
        return known == here and (len(rows) > len(known) or len(rows) <= len(self._rows))

    # -- Qt -----------------------------------------------------------------------------------

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.first_line or self.tr("(no text)")
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._in_words(row)
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip(f"{self._detail(row)}\n{exact(row.occurred_at)}")
            case EpisodeRole.ROW:
                return row
            case EpisodeRole.DETAIL:
                return self._detail(row)
            case EpisodeRole.COUNT:
                return self._counts.get(row.episode_id)
            case EpisodeRole.IS_LATER:
                return self._is_later(row.recorded_at)
        return None

    def _detail(self, row: EpisodeRow) -> str:
        parts = [
            instant(row.occurred_at),
            words.episode_kind(row.kind),
            one_line(row.episode_id, 40),
            one_line(row.author, 40),
        ]
        if self._is_later(row.recorded_at):
            parts.append(self.tr("not recorded yet then"))
        return " · ".join(parts)

    def _in_words(self, row: EpisodeRow) -> str:
        said = f"{row.first_line}, {self._detail(row)}"
        count = self._counts.get(row.episode_id)
        if count is None:
            return said
        facts = self.tr("%n fact(s)", "", count)
        return f"{said}, {facts}"
