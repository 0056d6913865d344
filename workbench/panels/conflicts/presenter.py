"""What the list of conflicts holds and does; no widget in sight.

Pages are read by cursor. What the store cannot narrow or sort by is done here, over the pages
that were read; to sort by anything but age all are read, up to `SORTED_MOST`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from store import Cancelled, Conflict, ConflictState, Page, StoreError
from store.query import Listed
from workbench.actions import Selection as SelectionKind
from workbench.messages import RETRY, TRY_AGAIN, Message, MessageBoard, Severity
from workbench.panels.conflicts.model import Column, ConflictModel, sort_key
from workbench.session import Selection
from workbench.text import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from store import ChangeNotice
    from workbench.session import Filter, Session, View

AREA: Final = "conflicts"
PAGE: Final = 256
SORTED_MOST: Final = 5_000

UNREADABLE: Final = Message(
    "conflicts.unreadable",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The conflicts could not be read. {reason}"),
    action=TRY_AGAIN,
)
AS_THEY_STAND: Final = Message(
    "conflicts.as_they_stand",
    Severity.INFO,
    QT_TRANSLATE_NOOP("Messages", "You look from another instant; conflicts are shown as of now."),
)
SORTED_IN_PART: Final = Message(
    "conflicts.sorted_in_part",
    Severity.INFO,
    QT_TRANSLATE_NOOP("Messages", "The oldest {count} are sorted; narrow the list to see others."),
)


@dataclass(frozen=True)
class _Wish:
    """What the list is to show."""

    shows_all: bool
    filter: Filter
    rows: int
    after: str | None = None


class ConflictsPresenter(QObject):
    """The conflicts of the tenant, the open ones unless all are asked for.

    Signals:
        rows_changed: other rows, or more.
        selection_changed: another row is selected, or none.
        shows_all_changed: whether settled and stale ones are shown.
        opening: the id of a conflict that a person wants to decide.
        flashed: ids of conflicts that came or changed just now.
    """

    rows_changed = Signal()
    selection_changed = Signal()
    shows_all_changed = Signal()
    opening = Signal(str)
    flashed = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.messages = MessageBoard(self)
        self.model = ConflictModel(self)
        self.shows_all = False
        self.order = Column.RAISED
        self.is_descending = False
        self.is_loaded = False
        self._after: str | None = None
        self._opens_next = False
        self.messages.action_chosen.connect(self._on_messages_action_chosen)
        self.model.more_wanted.connect(self._on_model_more_wanted)
        for signal in (session.opened, session.scope_changed, session.filter_changed):
            signal.connect(self.reload)
        session.closed.connect(self._on_session_closed)
        session.changed.connect(self._on_session_changed)
        session.as_of_changed.connect(self._on_session_as_of_changed)
        session.selection_changed.connect(self.selection_changed)
        if session.is_open:
            self.reload()

    # -- what is shown ------------------------------------------------------------------------

    @property
    def open_count(self) -> int:
        """How many conflicts wait in this tenant."""
        summary = self._session.summary
        return 0 if summary is None else summary.conflicts_open

    @property
    def has_filter(self) -> bool:
        """Whether the session's filter narrows the list."""
        it = self._session.filter
        return bool(it.subject or it.attribute or it.memory_type or it.text)

    def show_all(self, is_on: bool) -> None:
        """Show conflicts of every state, or the open ones only."""
        if is_on != self.shows_all:
            self.shows_all = is_on
            self.shows_all_changed.emit()
            self.reload()

    def sort(self, column: Column, *, is_descending: bool) -> None:
        """Sort by a column."""
        self.order, self.is_descending = column, is_descending
        self.reload()

    @Slot()
    def reload(self) -> None:
        """Read the list anew from its beginning, as many rows as there are."""
        if self._session.is_open:
            self._read(max(PAGE, len(self.model.rows)), self._on_rows)

    def _read(self, rows: int, done: object, after: str | None = None) -> None:
        wanted = rows if self._is_in_store_order else SORTED_MOST
        wish = _Wish(self.shows_all, self._session.filter, wanted, after)
        self._session.read(
            (AREA, "page"),
            lambda view: _find(view, wish),
            on_done=done,  # type: ignore[arg-type]
            on_failed=self._on_failed,
            owner=self,
            label=self.tr("Reading conflicts"),
        )

    @property
    def _is_in_store_order(self) -> bool:
        """Whether the order is the one in which the store gives pages: the oldest first."""
        is_by_age = self.order in (Column.RAISED, Column.AGE)
        return is_by_age and self.is_descending == (self.order is Column.AGE)

    def _on_rows(self, found: Listed[Conflict]) -> None:
        known = {it.conflict_id: it.version for it in self.model.rows}
        rows = list(found.items)
        if not self._is_in_store_order:
            rows.sort(key=lambda it: sort_key(it, self.order), reverse=self.is_descending)
        self._after = found.after
        self.messages.withdraw(UNREADABLE)
        self._say_if_in_part(len(rows))
        was_loaded, self.is_loaded = self.is_loaded, True
        is_paged = self._is_in_store_order and found.after is not None
        self.model.set_rows(rows, has_more=is_paged)
        self.rows_changed.emit()
        self.selection_changed.emit()
        if was_loaded and known:
            self._flash(known)
        if self._opens_next:
            self._opens_next = False
            self.open_next()

    def _flash(self, known: dict[str, int]) -> None:
        fresh = frozenset(
            it.conflict_id for it in self.model.rows if known.get(it.conflict_id, -1) != it.version
        )
        if 0 < len(fresh) < len(self.model.rows):
            self.flashed.emit(fresh)

    def _say_if_in_part(self, count: int) -> None:
        if count >= SORTED_MOST and self._after is not None:
            self.messages.show(SORTED_IN_PART, count=count)
        else:
            self.messages.withdraw(SORTED_IN_PART)

    @Slot()
    def _on_model_more_wanted(self) -> None:
        if self._after is not None:
            self._read(PAGE, self._on_more, self._after)

    def _on_more(self, found: Listed[Conflict]) -> None:
        self._after = found.after
        self.model.append(found.items, has_more=found.after is not None)
        self.rows_changed.emit()

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, StoreError) and not isinstance(error, Cancelled):
            self.messages.show(UNREADABLE, reason=error)

    # -- what a person does -------------------------------------------------------------------

    @property
    def selected(self) -> str | None:
        """The id of the conflict that is selected, here or elsewhere."""
        return self._session.selection.conflict_id

    def select(self, conflict: Conflict) -> None:
        """Select a conflict, and with it the lane that it contests."""
        if conflict.conflict_id == self.selected:
            return
        self._session.select(
            Selection(
                SelectionKind.CONFLICT,
                subject=conflict.subject,
                attribute=conflict.attribute,
                owner=conflict.owner,
                slot=conflict.slot,
                memory_id=conflict.standing.claim_id,
                row_from=conflict.standing.valid_from,
                conflict_id=conflict.conflict_id,
            )
        )

    def open_selected(self) -> None:
        """Decide the conflict that is selected, wherever it was selected."""
        if self.selected is not None:
            self.opening.emit(self.selected)

    def open_next(self) -> None:
        """Select the open conflict after the selected one, or the first, and decide it."""
        if not self.is_loaded:
            self._opens_next = True
            return
        rows = self.model.rows
        at = self.model.row_of(self.selected)
        start = 0 if at is None else at + 1
        turned = [*rows[start:], *rows[:start]]
        found = next((it for it in turned if it.state is ConflictState.OPEN), None)
        if found is not None:
            self.select(found)
            self.opening.emit(found.conflict_id)
        elif self.open_count:
            self._read_any_open()

    def _read_any_open(self) -> None:
        """Find an open conflict that the list does not show, since it is narrowed."""
        self._session.read(
            (AREA, "next"),
            lambda view: view.store.conflicts(view.scope, page=Page(1)).items,
            on_done=self._on_any_open,
            on_failed=self._on_failed,
            owner=self,
        )

    def _on_any_open(self, found: tuple[Conflict, ...]) -> None:
        if found:
            self.select(found[0])
            self.opening.emit(found[0].conflict_id)

    # -- following ----------------------------------------------------------------------------

    @Slot()
    def _on_session_closed(self) -> None:
        self.is_loaded = False
        self._after = None
        self.model.set_rows(())
        self.messages.clear()
        self.rows_changed.emit()

    @Slot(object, object)
    def _on_session_changed(self, notice: ChangeNotice, _origin: object) -> None:
        if notice.everything or notice.conflicts or self._touches(notice):
            self.reload()

    def _touches(self, notice: ChangeNotice) -> bool:
        """Whether a key of a row that is shown was written to, so that its version is new."""
        return any(it.subject in notice.subjects for it in self.model.rows)

    @Slot()
    def _on_session_as_of_changed(self) -> None:
        if self._session.as_of.is_now:
            self.messages.withdraw(AS_THEY_STAND)
        else:
            self.messages.show(AS_THEY_STAND)

    @Slot(str, str)
    def _on_messages_action_chosen(self, _message_id: str, action_id: str) -> None:
        if action_id == RETRY:
            self.reload()


def _find(view: View, wish: _Wish) -> Listed[Conflict]:
    """Read pages until so many rows fit, or there are no more."""
    state = None if wish.shows_all else ConflictState.OPEN
    after = wish.after
    rows: list[Conflict] = []
    while True:
        view.work.cancel.check()
        page = Page(min(1000, max(PAGE, wish.rows - len(rows))), after)
        found = view.store.conflicts(view.scope, state, subject=wish.filter.subject, page=page)
        rows += [it for it in found.items if _fits(it, wish.filter)]
        after = found.after
        if after is None or len(rows) >= wish.rows:
            return Listed(tuple(rows), after)


def _fits(conflict: Conflict, narrowed: Filter) -> bool:
    if narrowed.attribute is not None and conflict.attribute != narrowed.attribute:
        return False
    if narrowed.memory_type is not None and conflict.memory_type != narrowed.memory_type:
        return False
    said = f"{conflict.subject} {conflict.attribute}".casefold()
    return all(word in said for word in narrowed.text.casefold().split())
