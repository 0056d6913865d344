"""What the inspector shows and does: it follows the selection, the as-of and the changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from store import NOW
from workbench.actions import Selection as SelectionKind
from workbench.messages import RETRY, TRY_AGAIN, Message, Severity
from workbench.panels.inspector.items import (
    ConflictSheet,
    EpisodeSheet,
    FactSheet,
    Sheet,
    SubjectSheet,
    TransactionSheet,
    read_sheet,
)
from workbench.session import NOTHING, Selection
from workbench.text import QT_TRANSLATE_NOOP
from workbench.turnings import utc_now
from workbench.widgets.panel_presenter import PanelPresenter

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from store import ChangeNotice, Fact
    from workbench.panels.inspector.items import Source
    from workbench.session import Session

AREA: Final = "inspector"
"""The area of the inspector's reads, and the panel's id."""
UNREADABLE: Final = Message(
    "inspector.unreadable",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "What is selected could not be read. {reason}"),
    action=TRY_AGAIN,
)


class InspectorPresenter(PanelPresenter):
    """State and intents of the inspector.

    Signals:
        changed: `sheet` is new, or None because nothing is selected.
        links_changed: whether a supersedes link can be followed either way.
    """

    changed = Signal()
    links_changed = Signal()

    def __init__(
        self,
        session: Session,
        parent: QObject | None = None,
        *,
        clock: Callable[[], datetime] = utc_now,
        is_shown: bool = True,
    ) -> None:
        super().__init__(session, parent, is_shown=is_shown)
        self.clock = clock
        self.messages.action_chosen.connect(self._on_messages_action_chosen)
        self._sheet: Sheet | None = None
        session.opened.connect(self._on_session_opened)
        session.closed.connect(self._on_session_closed)
        session.scope_changed.connect(self._on_session_opened)
        session.selection_changed.connect(self._ask)
        session.as_of_changed.connect(self._ask)
        session.changed.connect(self._on_session_changed)
        if session.is_open:
            self._ask()

    # -- what is shown ------------------------------------------------------------------------

    @property
    def sheet(self) -> Sheet | None:
        """What is shown; None while nothing is selected."""
        return self._sheet

    @property
    def valid_at(self) -> datetime:
        """The instant in the world at which one looks."""
        chosen = self._session.as_of.valid_at
        return self.clock() if chosen is None else chosen

    # -- intents ------------------------------------------------------------------------------

    def select_fact(self, fact: Fact) -> None:
        """Select another fact, for every panel."""
        self._session.select(Selection.of_fact(fact))

    def select_subject(self, subject: str) -> None:
        """Select a subject, for every panel."""
        self._session.select(Selection(SelectionKind.SUBJECT, subject=subject))

    def show_in_table(self, subject: str) -> None:
        """Narrow all panels to a subject and call the facts table up."""
        self._session.set_filter(subject=subject, attribute=None)
        self.ask_for("panel.facts")

    def select_memory(self, memory_id: str) -> None:
        """Select another fact of the key that is shown."""
        sheet = self._sheet
        if isinstance(sheet, FactSheet):
            found = [it for it in sheet.versions if it.memory_id == memory_id]
            if found:
                self.select_version(found[0])

    def open_source(self, source: Source) -> None:
        """Show a source of the fact in the episodes panel, with the evidence in it."""
        episode_id = source.episode.episode_id
        sheet = self._sheet
        if isinstance(sheet, FactSheet):
            chosen = replace(Selection.of_fact(sheet.fact), episode_id=episode_id)
            kept = self._session.selection
            if kept.memory_id == chosen.memory_id:
                chosen = replace(kept, episode_id=episode_id)
            self._session.select(chosen)
        self.ask_for("panel.episodes")

    def open_conflict(self, conflict_id: str, *, settles: bool = False) -> None:
        """Select a conflict, and with `settles` ask for the dialog that settles it."""
        self._session.select(Selection(SelectionKind.CONFLICT, conflict_id=conflict_id))
        if settles:
            # The window enables the action in the next turn, once it has seen the selection.
            QTimer.singleShot(0, self, lambda: self.ask_for("conflict.resolve"))

    def look_from_now(self) -> None:
        """Set both as-of controls back to now."""
        self._session.set_as_of(NOW)

    # -- links --------------------------------------------------------------------------------

    @property
    def can_follow_back(self) -> bool:
        """Whether the fact that is shown displaced another."""
        return isinstance(self._sheet, FactSheet) and self._sheet.supersedes is not None

    @property
    def can_follow_forward(self) -> bool:
        """Whether another fact displaced the one that is shown."""
        return isinstance(self._sheet, FactSheet) and bool(self._sheet.superseded_by)

    def follow_back(self) -> bool:
        """Select the fact that the shown one displaced; say whether there is one."""
        sheet = self._sheet
        if not isinstance(sheet, FactSheet) or sheet.supersedes is None:
            return False
        self.select_fact(sheet.supersedes)
        return True

    def follow_forward(self) -> bool:
        """Select the fact that displaced the shown one, the latest of several; say if so."""
        sheet = self._sheet
        if not isinstance(sheet, FactSheet) or not sheet.superseded_by:
            return False
        self.select_fact(sheet.superseded_by[-1])
        return True

    # -- reading ------------------------------------------------------------------------------

    def _catch_up(self) -> None:
        self._ask()

    @Slot()
    def _ask(self) -> None:
        selection = self._session.selection
        if not self._session.is_open or selection == NOTHING:
            self._session.operations.forget_area(AREA)
            self._is_outdated = False
            self.messages.withdraw(UNREADABLE)
            self._show(None)
            return
        if not self._may_read():
            return
        self._is_outdated = False
        self._session.read(
            (AREA, "sheet"),
            lambda view: read_sheet(view, selection),
            on_done=self._on_read,
            on_failed=self._on_read_failed,
            owner=self,
        )

    def _on_read(self, sheet: Sheet | None) -> None:
        self.messages.withdraw(UNREADABLE)
        self._show(sheet)

    def _on_read_failed(self, error: Exception) -> None:
        self.messages.show(UNREADABLE, reason=str(error))

    def _show(self, sheet: Sheet | None) -> None:
        if sheet == self._sheet:
            return
        self._sheet = sheet
        self.changed.emit()
        self.links_changed.emit()

    @Slot()
    def _on_session_opened(self) -> None:
        self._show(None)
        self._ask()
        self.changed.emit()

    @Slot()
    def _on_session_closed(self) -> None:
        self.messages.clear()
        self._show(None)
        self.changed.emit()

    @Slot(object, object)
    def _on_session_changed(self, notice: ChangeNotice, _origin: object) -> None:
        if self._concerns(notice):
            self._ask()

    def _concerns(self, notice: ChangeNotice) -> bool:
        """Say whether what is shown may read otherwise after a change."""
        if notice.everything:
            return True
        match self._sheet:
            case FactSheet(fact=fact):
                return fact.subject in notice.subjects or fact.memory_id in notice.memory_ids
            case SubjectSheet(subject=subject):
                return subject in notice.subjects
            case ConflictSheet():
                return notice.conflicts
            case EpisodeSheet() | TransactionSheet():
                return bool(notice.subjects)  # facts are born, transactions reverted
        return True

    @Slot(str, str)
    def _on_messages_action_chosen(self, _message_id: str, action_id: str) -> None:
        if action_id == RETRY:
            self.messages.withdraw(UNREADABLE)
            self._ask()
