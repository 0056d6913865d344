"""What the facts table shows and does: question, pages, selection, copies; no widget in sight."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from store.query import Order
from workbench.actions import Selection as SelectionKind
from workbench.messages import RETRY, TRY_AGAIN, Message, MessageBoard, Severity
from workbench.panels.facts import copying
from workbench.panels.facts.columns import SPECS, Column, FactRow, title
from workbench.panels.facts.model import FactTable
from workbench.panels.facts.question import FIRST_ORDER, Question, Typed, query_of, read_typed
from workbench.panels.facts.reading import (
    PAGE,
    Window,
    read_anchors,
    read_pages,
    read_place,
)
from workbench.session import NOTHING, Filter, Selection
from workbench.text import QT_TRANSLATE_NOOP, number, one_line
from workbench.turnings import utc_now

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from store.contract import ChangeNotice
    from store.model import EpisodeKind
    from store.query import Anchors, Cursor
    from workbench.session import Session, View

T = TypeVar("T")

AREA: Final = "facts"
COPY_AREA: Final = "facts.copy"
PAGES_KEPT: Final = 24
COPY_MOST: Final = 10_000
_AT_ONCE: Final = 2  # page requests on their way; more would only delay the one that is wanted
_REST_MS: Final = 30
_LONGEST_UNREST_MS: Final = 150
_COPY_HERE: Final = 400  # so many rows are turned into text at once, more on a reader thread
_KINDS_KEPT: Final = 20_000

UNREADABLE: Final = Message(
    "facts.unreadable",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The facts could not be read. {reason}"),
    action=TRY_AGAIN,
)
BAD_FILTER: Final = Message(
    "facts.bad_filter",
    Severity.WARNING,
    QT_TRANSLATE_NOOP("Messages", "The filter under “{column}” is left out. {reason}"),
)
NOT_COPIED: Final = Message(
    "facts.not_copied",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The rows could not be copied. {reason}"),
)
COPIED_PART: Final = Message(
    "facts.copied_part",
    Severity.INFO,
    QT_TRANSLATE_NOOP("Messages", "The first {count} of {total} selected rows were copied."),
)


class Chip(NamedTuple):
    """A part of the session's filter that narrows the table: its field, and what it is."""

    field: str
    caption: str
    value: str


class _Wish(NamedTuple):
    """How to read anew: whether the view stays where it is, and what changed flashes."""

    keeps_place: bool = True
    flashes: bool = True


class FactsPresenter(QObject):
    """State and intents of the facts table.

    Signals:
        question_changed: filter, order or history are different.
        count_changed: the number of rows is different, or known at last.
        problems_changed: other filters than before cannot be read; see `typed`.
        restarted: another question was answered; show the first rows.
        selected_row_changed: the row of the session's selection, -1 if it is not here.
        row_revealed: another panel selected this row; bring it into view.
        copied: text for the clipboard.
        empty_changed: whether there is nothing to show, or why, is different.

    Attributes:
        model: the rows.
        messages: what went wrong, in place.
    """

    question_changed = Signal()
    count_changed = Signal()
    problems_changed = Signal()
    restarted = Signal()
    selected_row_changed = Signal(int)
    row_revealed = Signal(int)
    copied = Signal(str)
    empty_changed = Signal()

    def __init__(
        self,
        session: Session,
        parent: QObject | None = None,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        super().__init__(parent)
        self.session = session
        self.model = FactTable(self)
        self.messages = MessageBoard(self)
        self._clock = clock
        self.model.clock = self.instant
        self._texts: dict[Column, str] = {}
        self._typed = Typed()
        self._order = FIRST_ORDER
        self._question = Question()
        self._cursors: dict[int, Cursor | None] = {}
        self._pages: OrderedDict[int, None] = OrderedDict()
        self._asked: set[int] = set()
        self._in_view = (0, 0)
        self._kinds: dict[str, EpisodeKind] = {}
        self._is_exact = False
        self._is_shown = True
        self._is_stale = False
        self._is_reading = False
        self._is_selecting = False
        self._has_answer = False
        self._wish: _Wish | None = None
        self._awaited_row = -1
        self._step_awaited = 0
        self._selected_row = -1
        self._since_rest = QElapsedTimer()
        self._at_rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._at_rest.timeout.connect(self._want_pages)
        self._reload_soon = QTimer(self, singleShot=True, interval=0)
        self._reload_soon.timeout.connect(self._reload)
        self.messages.action_chosen.connect(self._on_messages_action_chosen)
        session.opened.connect(self._on_session_opened)
        session.scope_changed.connect(self._on_session_opened)
        session.closed.connect(self._on_session_closed)
        session.as_of_changed.connect(self._on_session_as_of_changed)
        session.filter_changed.connect(self._on_session_filter_changed)
        session.selection_changed.connect(self._on_session_selection_changed)
        session.changed.connect(self._on_session_changed)
        if session.is_open:
            self._on_session_opened()

    # -- asking -------------------------------------------------------------------------------

    def instant(self) -> datetime:
        """Return the instant to which the status of facts is relative."""
        return self.session.as_of.valid_at or self._clock()

    @property
    def count(self) -> int:
        """How many rows are known to be there."""
        return self.model.count

    @property
    def is_exact(self) -> bool:
        """Whether `count` is all of them; otherwise there are at least so many."""
        return self._is_exact

    @property
    def is_empty(self) -> bool:
        """Whether a store was asked and had nothing to show."""
        return self._has_answer and self._is_exact and self.model.count == 0

    @property
    def has_filter(self) -> bool:
        """Whether something narrows the table."""
        return replace(self.session.filter, history=False) != Filter() or bool(self._texts)

    @property
    def is_history(self) -> bool:
        """Whether every interval is asked for, past and future ones too."""
        return self.session.filter.history

    @property
    def order(self) -> Order:
        """How the rows are sorted."""
        return self._order

    @property
    def texts(self) -> Mapping[Column, str]:
        """What is typed under the headers."""
        return self._texts

    @property
    def problems(self) -> Mapping[Column, str]:
        """What of it could not be read, and why."""
        return self._typed.problems or {}

    @property
    def selected_row(self) -> int:
        """The row of the session's selection, -1 if it is not among those that are here."""
        return self._selected_row

    @property
    def chips(self) -> tuple[Chip, ...]:
        """What of the session's filter narrows the table."""
        chosen = self.session.filter
        found = (
            ("subject", self.tr("Subject"), chosen.subject),
            ("attribute", self.tr("Attribute"), chosen.attribute),
            ("memory_type", self.tr("Type"), chosen.memory_type),
            ("text", self.tr("Search"), chosen.text),
        )
        chips = [Chip(field, said, one_line(value, 28)) for field, said, value in found if value]
        if chosen.disputed is not None:
            said = self.tr("disputed") if chosen.disputed else self.tr("not disputed")
            chips.append(Chip("disputed", self.tr("Status"), said))
        return tuple(chips)

    def count_text(self) -> str:
        """Say how many rows there are."""
        count = self.model.count
        if not self._has_answer:
            return ""
        if self._question.query.history:
            said = self.tr("{count} interval(s)", "", count)
        else:
            said = self.tr("{count} fact(s)", "", count)
        said = said.format(count=number(count))
        return said if self._is_exact else self.tr("at least {rows}").format(rows=said)

    # -- what is asked ------------------------------------------------------------------------

    def set_shown(self, is_shown: bool) -> None:
        """Say whether anyone looks; a table out of sight reads nothing."""
        self._is_shown = is_shown
        if is_shown and self._wish is not None:
            self._reload_soon.start()

    def set_filters(self, texts: Mapping[Column, str]) -> None:
        """Take what is typed under the headers."""
        wanted = {column: text for column, text in texts.items() if text.strip()}
        if wanted == self._texts:
            return
        self._texts = wanted
        self._read_texts()
        self._ask(keeps_place=False)

    def set_order(self, column: Column, *, descending: bool) -> bool:
        """Sort by a column; False if the store does not sort by it."""
        spec = SPECS[column]
        if spec.field is None or not spec.can_sort:
            return False
        order = Order(spec.field, descending)
        if order != self._order:
            self._order = order
            self.question_changed.emit()
            self._ask(keeps_place=False)
        return True

    def set_history(self, is_history: bool) -> None:
        """Show every interval, or only what holds."""
        self.session.set_filter(history=is_history)

    def clear_filter(self, field: str) -> None:
        """Take one part of the session's filter away."""
        self.session.set_filter(**{field: "" if field == "text" else None})

    def clear_filters(self) -> None:
        """Take everything away that narrows the table."""
        self.set_filters({})
        self.question_changed.emit()
        self.session.set_filter(
            subject=None, attribute=None, memory_type=None, text="", disputed=None
        )

    @Slot()
    def refresh(self) -> None:
        """Read again what is shown, in its place."""
        self._ask(keeps_place=True)

    # -- rows ---------------------------------------------------------------------------------

    def show_rows(self, first: int, last: int) -> None:
        """Say which rows are in view; what is missing of them is read once they stay there.

        While one scrolls fast, reading every page that flies by would only slow the scrolling.
        """
        self._in_view = max(0, first), max(0, first, last)
        if not self._at_rest.isActive():
            self._since_rest.start()
        if self._since_rest.hasExpired(_LONGEST_UNREST_MS):
            self._at_rest.stop()
            self._want_pages()
        else:
            self._at_rest.start()

    def select_row(self, row: int) -> None:
        """Select the fact of a row, at once or as soon as it has been read."""
        found = self.model.row(row)
        self._awaited_row = row if found is None else -1
        if found is None:
            return
        self._selected_row = row
        self._is_selecting = True
        self.session.select(Selection.of_fact(found.fact))
        self._is_selecting = False

    def step(self, by: int) -> None:
        """Select the row so far below (or, below 0, above) the selected one, round the ends.

        While the rows are being read it waits for them; from nowhere it goes to the first or last.
        """
        if self._wish is not None or self._is_reading:
            self._step_awaited = by
            return
        count = self.model.count
        if count == 0:
            return
        at = self._selected_row
        row = (at + by) % count if at >= 0 else (0 if by > 0 else count - 1)
        self.row_revealed.emit(row)
        self.select_row(row)
        self.selected_row_changed.emit(self._selected_row)

    def activate_row(self, row: int) -> None:
        """Select the fact of a row and look into it."""
        self.select_row(row)
        self.session.attention_wanted.emit("panel.inspector")

    def clear_selection(self) -> None:
        """Select nothing."""
        self.session.select(NOTHING)

    def copy_rows(self, ranges: Sequence[tuple[int, int]], columns: Sequence[Column]) -> None:
        """Copy rows as text for a table; `copied` carries it when it is there.

        Args:
            ranges: first and last rows of what is selected, in order.
            columns: the columns, in order.
        """
        total = sum(last - first + 1 for first, last in ranges)
        self.messages.withdraw(COPIED_PART, NOT_COPIED)
        if not total:
            return
        wanted = copying.cut(ranges, COPY_MOST)
        count = min(total, COPY_MOST)
        at, loaded = self.instant(), dict(self.model.rows())
        is_here = all(self.model.are_loaded(first, last) for first, last in wanted)
        if is_here and count <= _COPY_HERE:
            rows = [loaded[row] for first, last in wanted for row in range(first, last + 1)]
            self.copied.emit(copying.as_table(rows, columns, at))
            return
        ways = dict(self._cursors)
        question, known = self._question, self._kinds

        def run(view: View) -> str:
            rows = list(
                copying.gather(view, question, wanted, loaded=loaded, ways=ways, known=known)
            )
            return copying.as_table(rows, columns, at)

        def done(copied: str) -> None:
            self.copied.emit(copied)
            if count < total:
                self.messages.show(COPIED_PART, count=number(count), total=number(total))

        self.session.read(
            (COPY_AREA,),
            run,
            on_done=done,
            on_failed=lambda error: self.messages.show(NOT_COPIED, reason=str(error)),
            owner=self,
            label=self.tr("Copy rows"),
        )

    # -- reading ------------------------------------------------------------------------------

    def _ask(self, *, keeps_place: bool, flashes: bool = False) -> None:
        """Read everything anew in the next turn; several wishes of one turn are one."""
        earlier = self._wish or _Wish()
        self._wish = _Wish(
            keeps_place=earlier.keeps_place and keeps_place, flashes=earlier.flashes and flashes
        )
        if self._is_shown:
            self._reload_soon.start()

    @Slot()
    def _reload(self) -> None:
        wish = self._wish
        if wish is None or not self.session.is_open or not self._is_shown:
            return
        self._wish = None
        self._is_stale = False
        self._is_reading = True
        self.session.operations.forget_area(AREA)
        self._asked.clear()
        query = query_of(self.session.filter, self._typed, self.instant())
        self._question = question = Question(query, self._order)
        first, last = self._in_view if wish.keeps_place and self._has_answer else (0, 0)
        page = first // PAGE
        pages = min(last // PAGE - page + 1, 3)
        known = self._kinds

        def run(view: View) -> Window:
            if page:
                return read_place(view, question, page=page, pages=pages, known=known)
            return read_pages(view, question, first=0, cursor=None, pages=pages, known=known)

        self._read("rows", run, partial(self._take_window, wish), label=self.tr("Read facts"))

    def _read(
        self, what: str, run: Callable[[View], T], done: Callable[[T], None], *, label: str = ""
    ) -> None:
        self.session.read(
            (AREA, what),
            run,
            on_done=done,
            on_failed=self._on_read_failed,
            owner=self,
            label=label,
        )

    def _take_window(self, wish: _Wish, window: Window) -> None:
        self._learn_kinds(window)
        self.messages.withdraw(UNREADABLE)
        end = window.first + len(window.rows)
        count = end if window.after is None else None
        page = window.first // PAGE
        self._cursors = {0: None}
        if window.anchors is not None:
            self._cursors = dict(enumerate(window.anchors.cursors))
            count = max(window.anchors.count, end)
        elif window.after is not None:
            self._cursors[page + -(-len(window.rows) // PAGE)] = window.after
        self._pages = OrderedDict.fromkeys(range(page, page + -(-len(window.rows) // PAGE)))
        self._is_exact = count is not None
        self._has_answer = True
        self.model.is_history = self._question.query.history
        self.model.merge(window.first, window.rows, count=count, flashes=wish.flashes)
        if count is None:
            self.model.set_count(max(self.model.count, end + 1))
        if not wish.keeps_place:
            self._in_view = (0, 0)
            self.restarted.emit()
        self._tell_count()
        self._follow_selection()
        if self._is_exact:
            self._end_reading()
        else:
            question = self._question
            self._read("anchors", lambda view: read_anchors(view, question), self._take_anchors)
        self._want_pages()

    def _take_anchors(self, anchors: Anchors) -> None:
        self._cursors = dict(enumerate(anchors.cursors))
        self._is_exact = True
        loaded_end = max((at + 1 for at, _ in self.model.rows()), default=0)
        # Less than what is here means that the list became shorter: a change that is told soon.
        self.model.set_count(max(anchors.count, loaded_end))
        self._tell_count()
        self._end_reading()
        self._want_pages()

    def _end_reading(self) -> None:
        self._is_reading = False
        if self._is_stale:
            self._ask(keeps_place=True, flashes=True)
        elif self._step_awaited:
            by, self._step_awaited = self._step_awaited, 0
            self.step(by)

    @Slot()
    def _want_pages(self) -> None:
        """Read what is in view and missing, then what lies next to it; drop other requests."""
        if not self._has_answer or not self.session.is_open:
            return
        first, last = self._in_view[0] // PAGE, self._in_view[1] // PAGE
        last_page = max(0, self.model.count - 1) // PAGE
        wanted = [
            page
            for page in (*range(first, last + 1), last + 1, first - 1)
            if 0 <= page <= last_page and page in self._cursors
        ]
        for page in range(first, last + 1):
            if page in self._pages:
                self._pages.move_to_end(page)
        for page in self._asked - set(wanted):
            self.session.operations.forget((AREA, f"page {page}"))
        self._asked &= set(wanted)
        for page in wanted:
            if len(self._asked) >= _AT_ONCE:
                return
            if page not in self._pages and page not in self._asked:
                self._read_page(page)

    def _read_page(self, page: int) -> None:
        self._asked.add(page)
        question, known, cursor = self._question, self._kinds, self._cursors[page]

        def run(view: View) -> Window:
            return read_pages(
                view, question, first=page * PAGE, cursor=cursor, pages=1, known=known
            )

        self._read(f"page {page}", run, partial(self._take_page, page))

    def _take_page(self, page: int, window: Window) -> None:
        self._asked.discard(page)
        self._learn_kinds(window)
        self._pages[page] = None
        self.model.load(window.first, window.rows)
        end = window.first + len(window.rows)
        if window.after is not None:
            self._cursors.setdefault(page + 1, window.after)
        if not self._is_exact:
            is_last = window.after is None
            self.model.set_count(end if is_last else max(self.model.count, end + 1))
            self._tell_count()
        self._drop_far_pages()
        if window.first <= self._awaited_row < end:
            self.select_row(self._awaited_row)
        self._follow_selection()
        self._want_pages()

    def _drop_far_pages(self) -> None:
        while len(self._pages) > PAGES_KEPT:
            page, _ = self._pages.popitem(last=False)
            self.model.unload(page * PAGE, (page + 1) * PAGE - 1)

    def _learn_kinds(self, window: Window) -> None:
        if len(self._kinds) + len(window.kinds) > _KINDS_KEPT:
            self._kinds = {}
        self._kinds.update(window.kinds)

    def _tell_count(self) -> None:
        self.count_changed.emit()
        self.empty_changed.emit()

    def _on_read_failed(self, error: Exception) -> None:
        self._is_reading = False
        self._asked.clear()
        self.messages.show(UNREADABLE, reason=str(error))

    # -- selection ----------------------------------------------------------------------------

    def _follow_selection(self) -> None:
        self._selected_row = self._find_row(self.session.selection)
        self.selected_row_changed.emit(self._selected_row)

    def _find_row(self, chosen: Selection) -> int:
        """Return the row of a fact; of its key, where another fact took its place there."""
        if chosen.kind is not SelectionKind.FACT or chosen.memory_id is None:
            return -1
        best, best_rank = -1, 0
        for at, row in self.model.rows():
            rank = _fit(row, chosen, is_history=self.model.is_history)
            if rank > best_rank:
                best, best_rank = at, rank
        return best

    # -- following ----------------------------------------------------------------------------

    def _read_texts(self) -> None:
        self._typed = read_typed(self._texts)
        self.messages.withdraw(BAD_FILTER)
        for column, problem in self.problems.items():
            self.messages.show(BAD_FILTER, column=title(column), reason=problem)
        self.problems_changed.emit()
        self.question_changed.emit()

    @Slot()
    def _on_session_opened(self) -> None:
        self._forget()
        self._texts = {}
        self._read_texts()
        self._ask(keeps_place=False)

    @Slot()
    def _on_session_closed(self) -> None:
        self._reload_soon.stop()
        self._wish = None
        self._forget()
        self._texts = {}
        self._read_texts()

    def _forget(self) -> None:
        self.session.operations.forget_area(AREA)
        self._asked.clear()
        self._pages.clear()
        self._cursors = {}
        self._kinds = {}
        self._in_view = (0, 0)
        self._has_answer = self._is_exact = self._is_reading = False
        self._awaited_row = self._selected_row = -1
        self._step_awaited = 0
        self.model.clear()
        self.messages.clear()
        self.selected_row_changed.emit(-1)
        self._tell_count()

    @Slot()
    def _on_session_as_of_changed(self) -> None:
        self._ask(keeps_place=True)

    @Slot()
    def _on_session_filter_changed(self) -> None:
        self.question_changed.emit()
        self._ask(keeps_place=False)

    @Slot()
    def _on_session_selection_changed(self) -> None:
        if self._is_selecting:
            return
        self._awaited_row = -1
        self._follow_selection()
        self.row_revealed.emit(self._selected_row)

    @Slot(object, object)
    def _on_session_changed(self, notice: ChangeNotice, _origin: object) -> None:
        if not _touches(notice, self.session.filter.subject):
            return
        if self._is_reading:
            self._is_stale = True  # the reading under way comes to its end first
        else:
            self._ask(keeps_place=True, flashes=True)

    @Slot(str, str)
    def _on_messages_action_chosen(self, _message_id: str, action_id: str) -> None:
        if action_id == RETRY:
            self.messages.withdraw(UNREADABLE)
            self._ask(keeps_place=True)


def _touches(notice: ChangeNotice, subject: str | None) -> bool:
    if notice.everything or (subject is None and (notice.memory_ids or notice.conflicts)):
        return True
    return bool(notice.subjects) if subject is None else subject in notice.subjects


def _fit(row: FactRow, chosen: Selection, *, is_history: bool) -> int:
    """Say how well a row fits a selection: 3 the interval, 2 the fact, 1 its key, 0 not at all."""
    fact = row.fact
    if fact.memory_id == chosen.memory_id:
        return 3 if chosen.row_from in (fact.valid_from, fact.row_from) else 2
    key = fact.subject, fact.attribute, fact.owner, fact.slot
    wanted = chosen.subject, chosen.attribute, chosen.owner, chosen.slot
    return 1 if not is_history and key == wanted else 0
