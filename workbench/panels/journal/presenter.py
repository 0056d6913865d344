"""What the journal holds and does: its rows, one transaction in detail, the chain, the way back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from store import AsOf, Cancelled, Revert
from store.query import TransactionQuery
from workbench.actions import Selection as SelectionKind
from workbench.messages import TRY_AGAIN, Message, MessageAction, Severity
from workbench.panels.journal.items import (
    ChainState,
    NewRows,
    RevertDraft,
    read_newer,
    read_rows,
)
from workbench.panels.journal.model import JournalModel
from workbench.session import Selection
from workbench.text import QT_TRANSLATE_NOOP, number
from workbench.turnings import utc_now
from workbench.widgets.page_reader import PageReader
from workbench.widgets.panel_presenter import PanelPresenter

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from store import ChangeNotice, Head, Plan, Receipt
    from store.model import TransactionDetail, WriteKind
    from store.query import CheckReport
    from workbench.ops import Ticket
    from workbench.session import Session

AREA: Final = "journal"
"""The area of the journal's reads, and the panel's id."""
UNDO: Final = "undo"
LIST_UNREADABLE: Final = Message(
    "journal.list_unreadable",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The journal could not be read. {reason}"),
    action=TRY_AGAIN,
)
UNREADABLE: Final = Message(
    "journal.unreadable",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The transaction could not be read. {reason}"),
    action=TRY_AGAIN,
)
REVERTED: Final = Message(
    "journal.reverted",
    Severity.DONE,
    QT_TRANSLATE_NOOP("Messages", "Transaction {number} was reverted by transaction {by}."),
    action=MessageAction(UNDO, QT_TRANSLATE_NOOP("Messages", "Undo")),
)
DAMAGED: Final = Message(
    "journal.damaged",
    Severity.ERROR,
    QT_TRANSLATE_NOOP(
        "Messages", "The check found something wrong, {count} in all. The first: {sentence}"
    ),
)
UNCHECKED: Final = Message(
    "journal.unchecked",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The store could not be checked. {reason}"),
    action=TRY_AGAIN,
)
_PREVIEW_REASON: Final = "preview"


class JournalPresenter(PanelPresenter):
    """State and intents of the journal.

    Signals:
        list_changed: the rows were read anew, or are no longer known.
        detail_changed: another transaction is shown, or it reads otherwise.
        draft_changed: a revert is considered, its preview is here, or it is over.
        chain_changed: what is known of the chain is different.
        filter_changed: which transactions are listed is different.

    Attributes:
        rows: the journal.
    """

    list_changed = Signal()
    detail_changed = Signal()
    draft_changed = Signal()
    chain_changed = Signal()
    filter_changed = Signal()

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
        self.rows = JournalModel(self)
        self.messages.action_chosen.connect(self._on_messages_action_chosen)
        self._reader = PageReader(
            session, self.rows, area=AREA, messages=self.messages, unreadable=LIST_UNREADABLE
        )
        self._reader.begun.connect(self.list_changed)
        self._kinds: frozenset[str] = frozenset()
        self._text = ""
        self._is_narrowed = False
        self._asked = TransactionQuery()
        self._detail: TransactionDetail | None = None
        self._wanted: int | None = None
        self._draft: RevertDraft | None = None
        self._chain = ChainState()
        self._check: Ticket | None = None
        session.opened.connect(self._on_session_opened)
        session.closed.connect(self._on_session_closed)
        session.scope_changed.connect(self._on_session_opened)
        session.selection_changed.connect(self._on_session_selection_changed)
        session.filter_changed.connect(self._on_subject_changed)
        session.as_of_changed.connect(self._on_session_as_of_changed)
        session.changed.connect(self._on_session_changed)
        session.operations.progressed.connect(self._on_operations_progressed)
        if session.is_open:
            self._on_session_opened()

    # -- what is shown ------------------------------------------------------------------------

    @property
    def is_listed(self) -> bool:
        """Whether the journal was read."""
        return self._reader.is_known

    @property
    def has_filter(self) -> bool:
        """Whether only some transactions are listed."""
        return self._query() != TransactionQuery()

    @property
    def subject(self) -> str | None:
        """The subject to which the journal can be narrowed: the filter's, else the selected."""
        return self._session.filter.subject or self._session.selection.subject

    @property
    def is_narrowed(self) -> bool:
        """Whether only transactions on that subject are listed."""
        return self._is_narrowed

    @property
    def detail(self) -> TransactionDetail | None:
        """The transaction that is shown in detail."""
        return self._detail

    @property
    def draft(self) -> RevertDraft | None:
        """The revert that is being considered."""
        return self._draft

    @property
    def chain(self) -> ChainState:
        """What is known of the chain."""
        return self._chain

    def _catch_up(self) -> None:
        self._refresh_list()
        self._read_head()
        self._on_session_selection_changed()

    # -- intents ------------------------------------------------------------------------------

    def set_filter(self, *, kinds: frozenset[WriteKind], text: str) -> None:
        """List only transactions of some kinds (of all if none is given), or with words in them."""
        self._kinds = frozenset(kind.value for kind in kinds)
        self._text = text.strip()
        self._list_if_other()

    def narrow(self, is_narrowed: bool) -> None:
        """List only transactions on the subject of the filter or of the selection."""
        if is_narrowed != self._is_narrowed:
            self._is_narrowed = is_narrowed
            self.filter_changed.emit()
            self._list_if_other()

    def clear_filter(self) -> None:
        """List all transactions."""
        self._kinds, self._text, self._is_narrowed = frozenset(), "", False
        self.filter_changed.emit()
        self._list_if_other()

    def select(self, transaction: int) -> None:
        """Select a transaction, for every panel."""
        self._session.select(Selection(SelectionKind.TRANSACTION, transaction=transaction))

    def open_conflict(self, conflict_id: str) -> None:
        """Select a conflict and call its panel up."""
        self._session.select(Selection(SelectionKind.CONFLICT, conflict_id=conflict_id))
        self.ask_for("panel.conflicts")

    def look_as_of_it(self) -> None:
        """Look at the record as the ledger knew it with the transaction that is shown."""
        if self._detail is not None:
            known_at = self._detail.transaction.recorded_at
            self._session.set_as_of(AsOf(self._session.as_of.valid_at, known_at))

    # -- the list -----------------------------------------------------------------------------

    def _query(self) -> TransactionQuery:
        subject = self.subject if self._is_narrowed else None
        attribute = self._session.filter.attribute if subject is not None else None
        return TransactionQuery(
            subject=subject, attribute=attribute, kinds=self._kinds, text=self._text
        )

    def _list_if_other(self) -> None:
        if self._query() != self._asked:
            self._read_list()

    def _read_list(self) -> None:
        query = self._asked = self._query()
        self._reader.begin(lambda view, after: read_rows(view, query, after=after))

    def _refresh_list(self) -> None:
        """Read what came on top since; what is there stays."""
        if not self._reader.is_known or not self.rows.rows:
            self._read_list()
            return
        query, newest = self._asked, self.rows.newest
        self._reader.look(lambda view: read_newer(view, query, newest=newest), self._take_newer)

    def _take_newer(self, new: NewRows) -> None:
        if new.is_joined:
            self.rows.prepend(new.rows)
            self.list_changed.emit()
        else:
            self._read_list()

    # -- one transaction ----------------------------------------------------------------------

    @Slot()
    def _on_session_selection_changed(self) -> None:
        self._on_subject_changed()
        selection = self._session.selection
        if selection.kind is not SelectionKind.TRANSACTION or selection.transaction is None:
            return
        if not self._may_read():
            return
        if self._draft is not None and self._draft.number != selection.transaction:
            self.cancel_revert()
        self._read_detail(selection.transaction)

    def _read_detail(self, transaction: int) -> None:
        self._wanted = transaction
        self._session.read(
            (AREA, "detail"),
            lambda view: view.store.transaction(view.scope, transaction),
            on_done=self._on_detail_read,
            on_failed=self._on_detail_failed,
            owner=self,
        )

    def _on_detail_read(self, detail: TransactionDetail) -> None:
        self.messages.withdraw(UNREADABLE)
        if detail != self._detail:
            self._detail = detail
            self.detail_changed.emit()

    def _on_detail_failed(self, error: Exception) -> None:
        self.messages.show(UNREADABLE, reason=str(error))

    # -- the way back -------------------------------------------------------------------------

    @property
    def can_revert(self) -> bool:
        """Whether the transaction that is shown can be considered for a revert."""
        detail = self._detail
        return detail is not None and detail.reverted_by is None and self.is_writable

    def begin_revert(self) -> None:
        """Consider to revert the selected transaction: ask what would follow."""
        selected = self._session.selection.transaction
        shown = self._detail.transaction.number if self._detail is not None else None
        transaction = shown if selected is None else selected
        if transaction is None or not self.is_writable:
            return
        self._draft = RevertDraft(transaction)
        self.messages.withdraw(REVERTED)
        self.draft_changed.emit()
        write = Revert(transaction=transaction, reason=_PREVIEW_REASON)
        self._session.read(
            (AREA, "preview"),
            lambda view: view.store.preview(view.scope, write),
            on_done=self._on_previewed,
            on_failed=self._on_revert_refused,
            owner=self,
        )

    def cancel_revert(self) -> None:
        """Consider it no longer; nothing was written."""
        if self._draft is not None and not self._draft.is_writing:
            self._session.operations.forget((AREA, "preview"))
            self._draft = None
            self.draft_changed.emit()

    def revert(self, reason: str) -> None:
        """Revert the transaction that was considered, for a reason."""
        draft = self._draft
        if draft is None or draft.is_writing or not reason.strip():
            return
        self._draft = replace(draft, is_writing=True, problem="")
        self.draft_changed.emit()
        label = self.tr("Revert transaction {number}").format(number=number(draft.number))
        self._session.write(
            label,
            Revert(transaction=draft.number, reason=reason.strip()),
            on_done=self._on_reverted,
            on_failed=self._on_revert_refused,
            origin=self,
        )

    def _on_previewed(self, plan: Plan) -> None:
        if self._draft is not None:
            self._draft = replace(self._draft, plan=plan)
            self.draft_changed.emit()

    def _on_revert_refused(self, error: Exception) -> None:
        if self._draft is not None:
            self._draft = replace(self._draft, problem=str(error), is_writing=False)
            self.draft_changed.emit()

    def _on_reverted(self, receipt: Receipt) -> None:
        draft, self._draft = self._draft, None
        self.draft_changed.emit()
        if draft is None:
            return
        if receipt.transaction is not None:
            by = number(receipt.transaction)
            self.messages.show(REVERTED, number=number(draft.number), by=by)
        self._read_detail(draft.number)

    # -- the chain ----------------------------------------------------------------------------

    def check(self) -> None:
        """Look at every row and every digest of the store, off the GUI thread."""
        if not self._session.is_open or self._chain.is_checking:
            return
        self.messages.withdraw(DAMAGED, UNCHECKED)
        self._set_chain(is_checking=True, done=0, total=None)
        self._check = self._session.read(
            (AREA, "check"),
            lambda view: view.store.check(
                full=True, progress=view.work.progress, cancel=view.work.cancel
            ),
            on_done=self._on_checked,
            on_failed=self._on_check_failed,
            owner=self,
            label=self.tr("Check the store"),
            is_long=True,
        )

    def cancel_check(self) -> None:
        """Stop the check."""
        if self._check is not None:
            self._session.operations.cancel(self._check)

    @Slot(object)
    def _on_operations_progressed(self, ticket: Ticket) -> None:
        if ticket is self._check:
            self._set_chain(done=ticket.done, total=ticket.total)

    def _on_checked(self, report: CheckReport) -> None:
        self._check = None
        head = self._chain.head
        self._set_chain(
            is_checking=False,
            report=report,
            checked_at=self.clock(),
            checked_to=self._checked_to(report) or (head.number if head is not None else 0),
        )
        if not report.is_clean:
            count, first = len(report.findings), report.findings[0]
            self.messages.show(DAMAGED, count=number(count), sentence=first.sentence)

    def _checked_to(self, report: CheckReport) -> int:
        """Give the newest transaction of this tenant that a report looked at, 0 if unknown."""
        scope = self._session.scope
        for line in report.heads:
            tenant, _, head = line.rpartition(": ")
            if scope is not None and tenant == scope.tenant_id:
                found = head.partition(":")[0]
                return int(found) if found.isdecimal() else 0
        return 0

    def _on_check_failed(self, error: Exception) -> None:
        self._check = None
        self._set_chain(is_checking=False)
        if not isinstance(error, Cancelled):
            self.messages.show(UNCHECKED, reason=str(error))

    def _read_head(self) -> None:
        self._session.read(
            (AREA, "head"),
            lambda view: view.store.head(view.scope),
            on_done=self._on_head_read,
            on_failed=lambda _error: None,  # the list says that the store cannot be read
            owner=self,
        )

    def _on_head_read(self, head: Head) -> None:
        self._set_chain(head=head)

    def _set_chain(self, **changes: object) -> None:
        changed = replace(self._chain, **changes)  # type: ignore[arg-type]
        if changed != self._chain:
            self._chain = changed
            self.chain_changed.emit()

    # -- following ----------------------------------------------------------------------------

    def _forget(self) -> None:
        self.messages.clear()
        self._reader.forget()
        self._kinds, self._text, self._is_narrowed = frozenset(), "", False
        self._asked = TransactionQuery()
        self._detail = self._wanted = self._draft = self._check = None
        self._chain = ChainState()
        self.rows.set_known_at(self._session.as_of.known_at)
        for signal in (
            self.filter_changed,
            self.list_changed,
            self.detail_changed,
            self.draft_changed,
            self.chain_changed,
        ):
            signal.emit()

    @Slot()
    def _on_session_opened(self) -> None:
        self._forget()
        if self._may_read():
            self._read_list()
            self._read_head()
            self._on_session_selection_changed()

    @Slot()
    def _on_session_closed(self) -> None:
        self._forget()

    @Slot()
    def _on_subject_changed(self) -> None:
        if not self._session.is_open:
            return
        self.filter_changed.emit()
        if self._is_narrowed:
            self._list_if_other()

    @Slot()
    def _on_session_as_of_changed(self) -> None:
        self.rows.set_known_at(self._session.as_of.known_at)

    @Slot(object, object)
    def _on_session_changed(self, notice: ChangeNotice, _origin: object) -> None:
        if not self._may_read():
            return
        if notice.everything:
            self._read_list()
        else:
            self._refresh_list()
        self._read_head()
        if self._wanted is not None:
            self._read_detail(self._wanted)

    @Slot(str, str)
    def _on_messages_action_chosen(self, message_id: str, action_id: str) -> None:
        self.messages.close(message_id)
        if action_id == UNDO:
            self.ask_for("edit.undo")
        elif message_id == LIST_UNREADABLE.id:
            self._read_list()
        elif message_id == UNCHECKED.id:
            self.check()
        else:
            self._on_session_selection_changed()
