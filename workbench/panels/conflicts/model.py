"""Conflicts as rows of a table."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt

from store import Conflict, ConflictKind, ConflictState
from workbench import text, words
from workbench.theme import current
from workbench.turnings import utc_now
from workbench.widgets.paged_rows import Index, PagedRows

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

CONFLICT_ROLE: Final = Qt.ItemDataRole.UserRole
"""The `Conflict` of a row."""
SORT_ROLE: Final = Qt.ItemDataRole.UserRole + 1


class Column(IntEnum):
    """The columns, in their order."""

    SUBJECT = 0
    ATTRIBUTE = 1
    KIND = 2
    STANDING = 3
    INCOMING = 4
    RAISED = 5
    AGE = 6
    STATE = 7


class ConflictModel(PagedRows[Conflict]):
    """The conflicts that were read so far."""

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """Make an empty one.

        Args:
            parent: the parent.
            clock: gives the present, for the age.
        """
        super().__init__(parent, columns=len(Column))
        self._clock = clock
        self._fresh: frozenset[str] = frozenset()

    # -- rows ---------------------------------------------------------------------------------

    def row_of(self, conflict_id: str | None) -> int | None:
        """Give the row of a conflict, if it was read."""
        ids = (it.conflict_id for it in self._rows)
        return next((row for row, known in enumerate(ids) if known == conflict_id), None)

    def flash(self, conflict_ids: frozenset[str]) -> None:
        """Put rows on a ground of their own, or with none, take it away again."""
        self._fresh = conflict_ids
        self._tell(Qt.ItemDataRole.BackgroundRole)

    def say_ages(self) -> None:
        """Tell that time went on."""
        self._tell(Qt.ItemDataRole.DisplayRole, column=Column.AGE)

    # -- Qt -----------------------------------------------------------------------------------

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        conflict, column = self._rows[index.row()], Column(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._shown(conflict, column)
            case Qt.ItemDataRole.ToolTipRole:
                return text.tooltip(self._hint(conflict, column))
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{column_title(column)}: {self._shown(conflict, column)}"
            case Qt.ItemDataRole.BackgroundRole if conflict.conflict_id in self._fresh:
                return current().color("accent_bg")
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            case _ if role == CONFLICT_ROLE:
                return conflict
            case _ if role == SORT_ROLE:
                return sort_key(conflict, column)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return column_title(Column(section))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def _shown(self, conflict: Conflict, column: Column) -> str:
        match column:
            case Column.SUBJECT:
                return text.one_line(conflict.subject)
            case Column.ATTRIBUTE:
                return text.one_line(conflict.attribute)
            case Column.KIND:
                return kind_word(conflict.kind)
            case Column.STANDING:
                return text.value_line(conflict.standing.value)
            case Column.INCOMING:
                return _incoming_line(conflict)
            case Column.RAISED:
                return text.instant(conflict.raised_at)
            case Column.AGE:
                return text.relative(conflict.raised_at, self._clock())
            case Column.STATE:
                return state_line(conflict)

    def _hint(self, conflict: Conflict, column: Column) -> str:
        match column:
            case Column.RAISED | Column.AGE:
                return text.exact(conflict.raised_at)
            case Column.STATE if conflict.settled_at is not None:
                return f"{text.exact(conflict.settled_at)}\n{conflict.reason or text.DASH}"
            case Column.KIND:
                return words.conflict_kind(conflict.kind)
            case Column.INCOMING:
                return "\n".join(text.value_line(it.value) for it in conflict.incoming)
        return self._shown(conflict, column)


def column_title(column: Column) -> str:
    """Give the title of a column."""
    translate = text.translate
    titles = {
        Column.SUBJECT: translate("Conflicts", "Subject"),
        Column.ATTRIBUTE: translate("Conflicts", "Attribute"),
        Column.KIND: translate("Conflicts", "Disagreement"),
        Column.STANDING: translate("Conflicts", "Standing"),
        Column.INCOMING: translate("Conflicts", "Incoming"),
        Column.RAISED: translate("Conflicts", "Raised"),
        Column.AGE: translate("Conflicts", "Age"),
        Column.STATE: translate("Conflicts", "State"),
    }
    return titles[column]


def kind_word(kind: ConflictKind) -> str:
    """Say in two words what two claims disagree about."""
    said = {
        ConflictKind.VALUE: text.translate("Conflicts", "values differ"),
        ConflictKind.END: text.translate("Conflicts", "ends differ"),
        ConflictKind.CROSSING: text.translate("Conflicts", "periods cross"),
    }
    return said[kind]


def state_line(conflict: Conflict) -> str:
    """Say where a conflict stands, and how it was settled."""
    state = words.conflict_state(conflict.state)
    if conflict.state is ConflictState.SETTLED and conflict.resolution is not None:
        return f"{state}: {words.resolution(conflict.resolution)}"
    return state


def sort_key(conflict: Conflict, column: Column) -> tuple[str | float, ...]:
    """Give what a column sorts by; older conflicts come first among equals."""
    raised = conflict.raised_in
    match column:
        case Column.SUBJECT:
            return (conflict.subject.casefold(), conflict.attribute.casefold(), raised)
        case Column.ATTRIBUTE:
            return (conflict.attribute.casefold(), conflict.subject.casefold(), raised)
        case Column.KIND:
            return (conflict.kind.value, raised)
        case Column.STANDING:
            return (text.value_line(conflict.standing.value).casefold(), raised)
        case Column.INCOMING:
            return (_incoming_line(conflict).casefold(), raised)
        case Column.RAISED:
            return (raised,)
        case Column.AGE:
            return (-raised,)
        case Column.STATE:
            return (conflict.state.value, raised)


def _incoming_line(conflict: Conflict) -> str:
    return " | ".join(text.value_line(claim.value, 80) for claim in conflict.incoming)
