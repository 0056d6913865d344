"""What the episodes panel holds and does: the list, the episode that is shown, the pinned one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from store import NotFound
from store.query import EpisodeQuery
from workbench.actions import Selection as SelectionKind
from workbench.messages import RETRY, TRY_AGAIN, Message, Severity
from workbench.panels.episodes.items import (
    PAGE,
    REFRESHED,
    Reading,
    count_born,
    read_episode,
    read_rows,
    read_source,
)
from workbench.panels.episodes.model import EpisodeListModel
from workbench.session import Selection
from workbench.text import QT_TRANSLATE_NOOP
from workbench.widgets.page_reader import PageReader
from workbench.widgets.panel_presenter import PanelPresenter

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from store import ChangeNotice, Fact
    from store.model import EpisodeKind
    from store.query import Listed
    from workbench.panels.episodes.items import EpisodeRow
    from workbench.session import Session, View

AREA: Final = "episodes"
"""The area of the panel's reads, and the panel's id."""
LIST_UNREADABLE: Final = Message(
    "episodes.list_unreadable",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The list of episodes could not be read. {reason}"),
    action=TRY_AGAIN,
)
UNREADABLE: Final = Message(
    "episodes.unreadable",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The episode could not be read. {reason}"),
    action=TRY_AGAIN,
)


class EpisodesPresenter(PanelPresenter):
    """State and intents of the episodes panel.

    Signals:
        list_changed: the list was read, or is no longer known.
        shown_changed: another episode is shown, or its facts or the highlighted one are different.
        pinned_changed: another episode is pinned beside it, or its facts are different.

    Attributes:
        rows: the list.
    """

    list_changed = Signal()
    shown_changed = Signal()
    pinned_changed = Signal()

    def __init__(
        self, session: Session, parent: QObject | None = None, *, is_shown: bool = True
    ) -> None:
        super().__init__(session, parent, is_shown=is_shown)
        self.rows = EpisodeListModel(self)
        self.messages.action_chosen.connect(self._on_messages_action_chosen)
        self._reader = PageReader(
            session, self.rows, area=AREA, messages=self.messages, unreadable=LIST_UNREADABLE
        )
        self._reader.begun.connect(self._on_reader_begun)
        self._reader.continued.connect(self._count)
        self._query = EpisodeQuery()
        self._shown: Reading | None = None
        self._pinned: Reading | None = None
        self._fact_id: str | None = None
        self._run_shown: Callable[[View], Reading | None] | None = None
        self._in_view = (0, -1)
        session.opened.connect(self._on_session_opened)
        session.closed.connect(self._on_session_closed)
        session.scope_changed.connect(self._on_session_opened)
        session.selection_changed.connect(self._on_session_selection_changed)
        session.as_of_changed.connect(self._on_session_as_of_changed)
        session.changed.connect(self._on_session_changed)
        if session.is_open:
            self._on_session_opened()

    # -- what is shown ------------------------------------------------------------------------

    @property
    def shown(self) -> Reading | None:
        """The episode that is shown."""
        return self._shown

    @property
    def pinned(self) -> Reading | None:
        """The episode that is kept beside it."""
        return self._pinned

    @property
    def fact_id(self) -> str | None:
        """The fact whose evidence is highlighted, if it is one of the episode's."""
        return self._fact_id

    @property
    def is_listed(self) -> bool:
        """Whether the list was read."""
        return self._reader.is_known

    @property
    def has_filter(self) -> bool:
        """Whether only some episodes are listed."""
        return self._query != EpisodeQuery()

    @property
    def valid_at(self) -> datetime | None:
        """The instant in the world at which one looks; None for now."""
        return self._session.as_of.valid_at

    def _catch_up(self) -> None:
        self._refresh_list()
        self._read_again()
        self._on_session_selection_changed()

    # -- intents ------------------------------------------------------------------------------

    def set_filter(self, *, kind: EpisodeKind | None, text: str) -> None:
        """List only episodes of a kind, or with words in them."""
        query = EpisodeQuery(kind=kind, text=text.strip())
        if query != self._query:
            self._query = query
            self._read_list()

    def select(self, episode_id: str) -> None:
        """Select an episode, for every panel."""
        self._session.select(Selection(SelectionKind.EPISODE, episode_id=episode_id))

    def select_fact(self, fact: Fact, reading: Reading) -> None:
        """Select a fact that rests on an episode; the episode stays in sight."""
        self._session.select(Selection.of_fact(fact, episode_id=reading.episode.episode_id))

    def pin(self) -> None:
        """Keep the episode that is shown in a second pane, whatever is selected next."""
        if self._shown is not None:
            self._pinned = self._shown
            self.pinned_changed.emit()

    def unpin(self) -> None:
        """Close the second pane."""
        if self._pinned is not None:
            self._session.operations.forget((AREA, "pinned"))
            self._pinned = None
            self.pinned_changed.emit()

    # -- the list -----------------------------------------------------------------------------

    def _read_list(self) -> None:
        query = self._query
        self._session.operations.forget((AREA, "counts"))
        self._reader.begin(lambda view, after: read_rows(view, query, after=after, limit=PAGE))

    def _refresh_list(self) -> None:
        """Read the beginning of the list again; what was there stays where it is."""
        if not self._reader.is_known:
            self._read_list()
            return
        query = self._query
        limit = min(max(len(self.rows.rows), PAGE), REFRESHED)
        self._reader.look(
            lambda view: read_rows(view, query, after=None, limit=limit), self._take_beginning
        )

    def _take_beginning(self, page: Listed[EpisodeRow]) -> None:
        before = len(self.rows.rows)
        self.rows.merge(page.items, has_more=page.after is not None)
        if before == 0 or len(self.rows.rows) <= len(page.items):
            self._reader.after = page.after  # all that is here was read anew
        self._on_reader_begun()

    @Slot()
    def _on_reader_begun(self) -> None:
        self.list_changed.emit()
        self._count()

    def count_rows(self, first: int, last: int) -> None:
        """Count the facts of the episodes in view, after the list is in sight."""
        self._in_view = first, last
        wanted = self.rows.uncounted(first, last)
        if not wanted or not self._session.is_open:
            return
        self._session.read(
            (AREA, "counts"),
            lambda view: count_born(view, wanted),
            on_done=self.rows.set_counts,
            on_failed=lambda _error: None,  # the list is whole without them
            owner=self,
        )

    @Slot()
    def _count(self) -> None:
        self.count_rows(*self._in_view)

    # -- the episode --------------------------------------------------------------------------

    @Slot()
    def _on_session_selection_changed(self) -> None:
        if not self._session.is_open:
            return
        if not self._may_read():
            return
        match self._session.selection:
            case Selection(kind=SelectionKind.EPISODE, episode_id=str(episode_id)):
                self._show_episode(episode_id, fact_id=None)
            case Selection(
                kind=SelectionKind.FACT, memory_id=str(memory_id), episode_id=str(episode_id)
            ):
                self._show_episode(episode_id, fact_id=memory_id)
            case Selection(kind=SelectionKind.FACT, memory_id=str(memory_id)):
                self._show_source(memory_id)

    def _show_episode(self, episode_id: str, *, fact_id: str | None) -> None:
        self._fact_id = fact_id
        if self._shown is not None and self._shown.episode.episode_id == episode_id:
            self.shown_changed.emit()
            return
        self._read_shown(lambda view: read_episode(view, episode_id))

    def _show_source(self, memory_id: str) -> None:
        self._fact_id = memory_id
        row_from = self._session.selection.row_from
        shown = None if self._shown is None else self._shown.episode.episode_id
        if self._shown is not None and self._shown.supports(memory_id):
            self.shown_changed.emit()
        self._read_shown(lambda view: read_source(view, memory_id, row_from=row_from, shown=shown))

    def _read_shown(self, run: Callable[[View], Reading | None]) -> None:
        self._run_shown = run
        self._session.read(
            (AREA, "shown"),
            run,
            on_done=self._on_shown_read,
            on_failed=self._on_shown_failed,
            owner=self,
        )

    def _on_shown_read(self, reading: Reading | None) -> None:
        self.messages.withdraw(UNREADABLE)
        self._shown = reading
        self.shown_changed.emit()

    def _on_shown_failed(self, error: Exception) -> None:
        if isinstance(error, NotFound):  # as a fact that was not known yet at the known-at
            self._on_shown_read(None)
            return
        self.messages.show(UNREADABLE, reason=str(error))

    def _read_again(self) -> None:
        """Read what is shown again: its facts may be others."""
        pinned = self._pinned
        if self._run_shown is not None:
            self._read_shown(self._run_shown)
        if pinned is not None:
            pinned_id = pinned.episode.episode_id
            self._session.read(
                (AREA, "pinned"),
                lambda view: read_episode(view, pinned_id),
                on_done=self._on_pinned_read,
                on_failed=self._on_shown_failed,
                owner=self,
            )

    def _on_pinned_read(self, reading: Reading) -> None:
        self._pinned = reading
        self.pinned_changed.emit()

    # -- following ----------------------------------------------------------------------------

    def _forget(self) -> None:
        self.messages.clear()
        self._reader.forget()
        self._query = EpisodeQuery()
        self._shown = self._pinned = self._fact_id = self._run_shown = None
        self.rows.set_known_at(self._session.as_of.known_at)
        self.list_changed.emit()
        self.shown_changed.emit()
        self.pinned_changed.emit()

    @Slot()
    def _on_session_opened(self) -> None:
        self._forget()
        if self._may_read():
            self._read_list()
            self._on_session_selection_changed()

    @Slot()
    def _on_session_closed(self) -> None:
        self._forget()

    @Slot()
    def _on_session_as_of_changed(self) -> None:
        self.rows.set_known_at(self._session.as_of.known_at)
        self.rows.forget_counts()
        if not self._may_read():
            return
        self._count()
        self._read_again()
        if self._shown is None:
            self._on_session_selection_changed()

    @Slot(object, object)
    def _on_session_changed(self, notice: ChangeNotice, _origin: object) -> None:
        if not self._may_read():
            return
        if notice.subjects or notice.memory_ids or notice.everything:
            self.rows.forget_counts()
            self._read_again()
        if notice.episodes or notice.everything:
            self._refresh_list()
        else:
            self._count()

    @Slot(str, str)
    def _on_messages_action_chosen(self, message_id: str, action_id: str) -> None:
        if action_id != RETRY:
            return
        self.messages.close(message_id)
        if message_id == LIST_UNREADABLE.id:
            self._read_list()
        else:
            self._on_session_selection_changed()
