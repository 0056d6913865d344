"""Reads a list from the store page by page, into its rows. Knows no widget."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from store.query import Cursor, Listed
from workbench.session import View

if TYPE_CHECKING:
    from workbench.messages import Message, MessageBoard
    from workbench.session import Session
    from workbench.widgets.paged_rows import PagedRows

Row = TypeVar("Row")
T = TypeVar("T")
ReadPage = Callable[[View, Cursor | None], Listed[Row]]
"""Reads the page after a cursor, the first one for None; called on a reader thread."""


class PageReader(QObject, Generic[Row]):
    """Fills rows from their beginning, and on as a view comes near their end.

    Signals:
        begun: the list was read from its beginning.
        continued: the page that follows was read.

    Attributes:
        after: cursor of the page that follows what is there, None at the end.
        is_known: whether the list was read.
    """

    begun = Signal()
    continued = Signal()

    def __init__(
        self,
        session: Session,
        rows: PagedRows[Row],
        *,
        area: str,
        messages: MessageBoard,
        unreadable: Message,
    ) -> None:
        """Make one that waits to be asked.

        Args:
            session: what is looked at.
            rows: what to fill.
            area: of the reads, for the busy line.
            messages: where to say that the list cannot be read.
            unreadable: what to say then; it takes a ``{reason}``.
        """
        super().__init__(rows)
        self.after: Cursor | None = None
        self.is_known = False
        self._session = session
        self._rows = rows
        self._area = area
        self._messages = messages
        self._unreadable = unreadable
        self._read_page: ReadPage[Row] | None = None
        self._is_beginning = False
        rows.more_wanted.connect(self._on_rows_more_wanted)

    def forget(self) -> None:
        """Have no rows, as of a store that is no longer there."""
        self.after, self.is_known, self._is_beginning = None, False, False
        self._rows.set_rows(())

    def begin(self, read_page: ReadPage[Row]) -> None:
        """Read a list from its beginning; what is there stays until it is read."""
        self._read_page = read_page
        self.after, self._is_beginning = None, True
        self._session.operations.forget((self._area, "more"))
        self._read("list", lambda view: read_page(view, None), self._on_begun)

    def look(self, run: Callable[[View], T], take: Callable[[T], None]) -> None:
        """Read in a way of one's own what is new at the beginning.

        Where the list is being read from its beginning just now, that is done again instead.

        Args:
            run: reads it, on a reader thread.
            take: brings it into the rows.
        """
        if self._is_beginning and self._read_page is not None:
            self.begin(self._read_page)
        else:
            self._read("list", run, take)

    def _on_begun(self, page: Listed[Row]) -> None:
        self.after, self.is_known, self._is_beginning = page.after, True, False
        self._rows.set_rows(page.items, has_more=page.after is not None)
        self.begun.emit()

    @Slot()
    def _on_rows_more_wanted(self) -> None:
        read_page, after = self._read_page, self.after
        if read_page is not None and after is not None:
            self._read("more", lambda view: read_page(view, after), self._on_continued)

    def _on_continued(self, page: Listed[Row]) -> None:
        self.after = page.after
        self._rows.append(page.items, has_more=page.after is not None)
        self.continued.emit()

    def _read(self, what: str, run: Callable[[View], T], take: Callable[[T], None]) -> None:
        def done(found: T) -> None:
            self._messages.withdraw(self._unreadable)
            take(found)

        self._session.read(
            (self._area, what), run, on_done=done, on_failed=self._on_failed, owner=self
        )

    def _on_failed(self, error: Exception) -> None:
        self._is_beginning = False
        if self.after is not None:
            self._rows.offer_more()
        self._messages.show(self._unreadable, reason=str(error))
