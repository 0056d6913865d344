"""Taking an audit snapshot: what and as of when, counted before it is written, kept or nothing."""

from __future__ import annotations

import os
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from PySide6.QtCore import QSize, QStandardPaths, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from store import AsOf, Scope, StoreError
from store.audit import sign
from store.audit.snapshot import count_snapshot, take_snapshot
from workbench.dialogs.snapshot_counts import CountsCard
from workbench.dialogs.snapshot_done import DoneView, Taken
from workbench.dialogs.snapshot_form import SnapshotForm
from workbench.dialogs.snapshot_report import open_report, show_file
from workbench.dialogs.snapshot_words import point_words, suggested_name
from workbench.dialogs.verify_snapshot import VerifyDialog
from workbench.messages import Message, Severity
from workbench.ops import ReadOp
from workbench.text import QT_TRANSLATE_NOOP, one_line
from workbench.theme import set_icon, set_look
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.work_dialog import WorkDialog

if TYPE_CHECKING:
    from collections.abc import Collection

    from store import Head, Store
    from store.audit.format import Counts, Selection
    from workbench.dialogs.snapshot_form import Order
    from workbench.ops import Work
    from workbench.session import Session, View
    from workbench.snapshots import Shelf

AREA: Final = "snapshot"
FAILED: Final = Message("snapshot.failed", Severity.ERROR, "{reason}")
STOPPED: Final = Message(
    "snapshot.stopped",
    Severity.INFO,
    QT_TRANSLATE_NOOP("Messages", "Stopped on request; nothing was left behind."),
)
KEY_MADE: Final = Message(
    "snapshot.key",
    Severity.DONE,
    QT_TRANSLATE_NOOP(
        "Messages",
        "A new key is in {path}. Keep it to yourself; its public half may be given to anyone.",
    ),
)
SIZE: Final = QSize(980, 800)
COUNT_AFTER_MS: Final = 150
_CARD_PX: Final = 268
_CARD_GAP_PX: Final = 8
_MARGIN_PX: Final = 24
_FORM_GAP_PX: Final = 14


class SnapshotDialog(WorkDialog):
    """One page to choose and count, one for what was written. It works beside the main window.

    A snapshot is taken whole or not at all: closing the dialog, or Esc, stops it, and nothing is
    left.

    Signals:
        taken: a snapshot was written.
    """

    stopped_message: ClassVar = STOPPED
    failed_message: ClassVar = FAILED
    taken = Signal()

    def __init__(self, session: Session, shelf: Shelf, parent: QWidget | None = None) -> None:
        super().__init__(session, "snapshot.take", parent)
        self.setWindowTitle(self.tr("Take a snapshot"))
        self._shelf = shelf
        self._place = _documents()
        self._taken_names: frozenset[str] = frozenset()
        self._head: Head | None = None
        self._taken: Taken | None = None
        self.form = SnapshotForm(session)
        self.counts = CountsCard()
        self.done_view = DoneView()
        self._count_later = QTimer(self, singleShot=True, interval=COUNT_AFTER_MS)
        self._count_later.timeout.connect(self._count)
        self._make_buttons()
        self._lay_out()
        self._connect()
        self._ask_place()
        self._count()
        self.form.subject.setFocus()

    # -- building -----------------------------------------------------------------------------

    def _make_buttons(self) -> None:
        self.another = self._button(self.tr("Take another"), self._take_another)
        self.close_button = self._button(self.tr("Close"), self.close)
        self.take_button = self._button(self.tr("Take snapshot"), self.take)
        set_icon(self.take_button, "camera", "on_accent")
        set_look(self.take_button, "primary")
        self.take_button.setObjectName("take")

    def _lay_out(self) -> None:
        self.pages = QStackedWidget()
        for page in (self.form, self.done_view):
            self.pages.addWidget(_scrolled(page, right=_FORM_GAP_PX))
        columns = QHBoxLayout()
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(0)
        columns.addWidget(self.pages, 1)
        card = _scrolled(self.counts, left=_CARD_GAP_PX)
        card.setFixedWidth(_CARD_GAP_PX + _CARD_PX + _MARGIN_PX)
        columns.addWidget(card)
        busy = BusyLine()
        busy.follow(self._session.operations, AREA)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._make_head())
        whole.addWidget(busy)
        whole.addWidget(MessageBar(self._board))
        whole.addLayout(columns, 1)
        whole.addWidget(self._foot())
        self.resize(SIZE)

    def _make_head(self) -> QFrame:
        head = QFrame()
        set_look(head, "bar")
        self._title = QLabel(self.tr("Take a snapshot"))
        set_look(self._title, "title")
        self._says = QLabel(
            self.tr(
                "Files that a stranger can check without this program: what the record said, why, "
                "and that nobody changed it since."
            )
        )
        self._says.setWordWrap(True)
        set_look(self._says, "secondary")
        column = QVBoxLayout(head)
        column.setContentsMargins(_MARGIN_PX, 12, _MARGIN_PX, 12)
        column.setSpacing(2)
        column.addWidget(self._title)
        column.addWidget(self._says)
        return head

    def _foot(self) -> QFrame:
        foot = QFrame()
        set_look(foot, "footer")
        self._problem = QLabel()
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.setWordWrap(True)
        self._problem.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._problem.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        set_look(self._problem, "secondary")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.another)
        row.addWidget(self._problem, 1)
        row.addSpacing(8)
        row.addWidget(self.close_button)
        row.addWidget(self.take_button)
        column = QVBoxLayout(foot)
        column.setContentsMargins(_MARGIN_PX, 12, _MARGIN_PX, 12)
        column.setSpacing(10)
        column.addWidget(self._destination())
        column.addWidget(self.work)
        column.addLayout(row)
        return foot

    def _destination(self) -> QWidget:
        self._where = QWidget()
        label = QLabel(self.tr("Destination"))
        label.setBuddy(self.form.out)
        set_look(label, "secondary")
        row = QHBoxLayout(self._where)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addWidget(label)
        row.addWidget(self.form.out, 1)
        return self._where

    def _connect(self) -> None:
        session, form, done = self._session, self.form, self.done_view
        form.selection_changed.connect(self._on_form_selection_changed)
        form.changed.connect(self._on_form_changed)
        form.key_wanted.connect(self._make_key)
        done.report_wanted.connect(self._open_report)
        done.verify_wanted.connect(self._verify)
        done.folder_wanted.connect(self._show_folder)
        done.head_wanted.connect(self._copy_head)
        session.changed.connect(self._on_session_changed)
        session.closed.connect(self.leave)
        session.scope_changed.connect(self.leave)

    # -- counting -----------------------------------------------------------------------------

    @Slot()
    def _on_form_selection_changed(self) -> None:
        self._board.clear()
        self._head = None
        self._count_later.start()
        self._say()

    @Slot()
    def _on_form_changed(self) -> None:
        self._board.close(FAILED.id)  # it was about what stood there before
        self._suggest()
        self._say()

    @Slot(object, object)
    def _on_session_changed(self, _notice: object, _origin: object) -> None:
        self._count_later.start()

    @Slot()
    def _count(self) -> None:
        if self.pages.currentIndex() != 0:
            return
        self.counts.setEnabled(False)  # what it says is of something else until it is counted
        problem = self.form.selection_problem
        if problem:
            self._drop_counting()
            self.form.show_point("")
            self.counts.show_nothing(problem)
            self._say()
            return
        selection = self.form.selection
        self._session.read(
            (AREA, "point"),
            partial(_point, selection),
            on_done=self._show_point,
            on_failed=self._on_count_failed,
            owner=self,
        )
        self._session.read(
            (AREA, "counts"),
            partial(_counted, selection),
            on_done=self._show_counted,
            on_failed=self._on_count_failed,
            owner=self,
            is_long=True,
        )

    def _drop_counting(self) -> None:
        for part in ("point", "counts"):
            self._session.operations.forget((AREA, part))

    def _show_point(self, head: Head) -> None:
        """Show which transaction it comes to: that is known at once, the counts may take long."""
        self._head = head
        self.form.show_point(point_words(head.number, head.recorded_at))
        self._suggest()
        self._say()

    def _show_counted(self, counted: tuple[Head, Counts | None]) -> None:
        head, counts = counted
        self._show_point(head)
        if counts is None:
            self.counts.show_nothing(self.tr("Nothing was recorded by then."))
        else:
            self._show_counts(counts, head)

    def _show_counts(self, counts: Counts, head: Head) -> None:
        point = point_words(head.number, head.recorded_at)
        self.counts.show_counts(counts, self.tr("as of {point}").format(point=_low(point)))

    def _on_count_failed(self, error: Exception) -> None:
        self.counts.show_nothing(str(error) if isinstance(error, StoreError) else "")
        self._say()

    def _ask_place(self) -> None:
        """Offer the folder into which the last snapshot went."""
        self._session.read(
            (AREA, "place"),
            partial(_place_and_names, self._place),
            on_done=self._on_place,
            on_failed=_pass_over,
            owner=self,
        )

    def _on_place(self, found: tuple[Path | None, frozenset[str]]) -> None:
        place, self._taken_names = found
        if place is not None:
            self._place = place
        self._suggest()

    def _suggest(self) -> None:
        scope = self._session.scope
        head = self._head
        if head is None or scope is None:
            return
        name = suggested_name(scope.tenant_id, head.number, head.recorded_at, self.form.form)
        self.form.suggest(self._place / _free_name(name, self._taken_names))

    # -- what is shown ------------------------------------------------------------------------

    def _say(self) -> None:
        """Enable what can be done now, and say what is missing."""
        is_form = self.pages.currentIndex() == 0
        problem = self._problem_now()
        is_working = self.work.is_working
        self._problem.setText(problem if is_form and not is_working else "")
        self.form.setEnabled(not is_working)
        self._where.setEnabled(not is_working)
        self._where.setVisible(is_form)
        self.another.setVisible(not is_form)
        self.take_button.setVisible(is_form)
        self.take_button.setEnabled(not problem and not is_working)
        self.take_button.setDefault(is_form)
        self.close_button.setDefault(not is_form)

    def _problem_now(self) -> str:
        if self.form.problem:
            return self.form.problem
        if self._head is None:
            return self.tr("Looking up the transaction.")
        if self._head.number == 0:
            return self.tr("Nothing was recorded by then.")
        return ""

    # -- doing --------------------------------------------------------------------------------

    @Slot()
    def take(self) -> None:
        """Write the snapshot."""
        store, scope = self._session.store, self._session.scope
        if store is None or scope is None or self._problem_now():
            return
        run = _Run(store, Scope(scope.tenant_id), self.form.order())
        ticket = self._session.operations.read(
            ReadOp((AREA, "take"), run, self.tr("Taking a snapshot"), is_long=True),
            on_done=self._on_taken,
            on_failed=lambda error: self._on_take_failed(run, error),
            owner=self,
        )
        self._drop_counting()
        name = one_line(run.order.out.name, 60)
        self._follow(ticket, self.tr("Writing {name}").format(name=name))

    def _on_taken(self, taken: Taken) -> None:
        self._taken = taken
        self.done_view.show_taken(taken)
        self._show_counts(taken.manifest.counts, taken.manifest.head)
        self._title.setText(
            self.tr("Snapshot of {tenant}").format(tenant=one_line(taken.manifest.tenant_id, 60))
        )
        self._says.hide()
        self.pages.setCurrentIndex(1)
        self._say()
        self.done_view.report.setFocus(Qt.FocusReason.OtherFocusReason)
        self.taken.emit()

    def _on_take_failed(self, run: _Run, error: Exception) -> None:
        if run.taken is not None:  # the request to stop came when it was written already
            self._on_taken(run.taken)
            return
        if not self.counts.isEnabled():  # the counting was dropped for it
            self._count()
        self._on_work_failed(error)

    @Slot()
    def _take_another(self) -> None:
        self._title.setText(self.tr("Take a snapshot"))
        self._says.show()
        self.pages.setCurrentIndex(0)
        self._ask_place()
        self._head = None
        self._count()
        self._say()
        self.form.subject.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _make_key(self, path: Path) -> None:
        self._session.operations.read(
            ReadOp((AREA, "key"), lambda _work: _new_key(path)),
            on_done=self._on_key_made,
            on_failed=self._on_failed,
            owner=self,
        )

    def _on_key_made(self, path: Path) -> None:
        self.form.key.set_path(str(path))
        self._board.show(KEY_MADE, path=path)

    @Slot()
    def _open_report(self) -> None:
        if self._taken is not None:
            open_report(
                self._session,
                self._shelf,
                self._taken.path,
                owner=self,
                on_failed=self._on_failed,
            )

    @Slot()
    def _verify(self) -> None:
        if self._taken is not None:
            manifest = self._taken.manifest
            VerifyDialog.ask(
                self._session,
                self._shelf,
                self._taken.path,
                kept=f"{manifest.head} {manifest.digest}",
                parent=self.parentWidget(),
            )

    @Slot()
    def _show_folder(self) -> None:
        if self._taken is not None:
            show_file(self._taken.path.parent)

    @Slot()
    def _copy_head(self) -> None:
        if self._taken is not None:
            QGuiApplication.clipboard().setText(str(self._taken.manifest.head))


class _Run:
    """Takes one snapshot, on a worker thread."""

    def __init__(self, store: Store, scope: Scope, order: Order) -> None:
        self._store, self._scope, self.order = store, scope, order
        self.taken: Taken | None = None

    def __call__(self, work: Work) -> Taken:
        """Write it; whole or not at all."""
        order = self.order
        key = None if order.key is None else sign.load_key(order.key)
        taken = take_snapshot(
            self._store,
            self._scope,
            order.out,
            order.selection,
            form=order.form,
            language=order.language,
            with_store=order.with_store,
            key=key,
            progress=work.progress,
            cancel=work.cancel,
        )
        public = "" if key is None else str(key.public)
        self.taken = Taken(order.out, taken.manifest, public, is_noted=not taken.unnoted)
        return self.taken


def _point(selection: Selection, view: View) -> Head:
    """Find the transaction that a selection comes to; on a reader thread."""
    # A snapshot is a person's, and has every owner's keys.
    return view.store.head(Scope(view.scope.tenant_id), AsOf(known_at=selection.known_at))


def _counted(selection: Selection, view: View) -> tuple[Head, Counts | None]:
    """Count what would be in it; nothing, where nothing was recorded by then."""
    head = _point(selection, view)
    if head.number == 0:
        return head, None
    scope = Scope(view.scope.tenant_id)
    return head, count_snapshot(view.store, scope, selection, cancel=view.work.cancel)


def _place_and_names(otherwise: Path, view: View) -> tuple[Path | None, frozenset[str]]:
    """Return the folder of the last snapshot, and what is in it or else in another one."""
    exports = view.store.exports(Scope(view.scope.tenant_id))
    places = (Path(export.destination).parent for export in exports)
    place = next((place for place in places if place.is_absolute() and place.is_dir()), None)
    try:
        return place, frozenset(os.listdir(place or otherwise))
    except OSError:
        return place, frozenset()


def _free_name(name: str, taken: Collection[str]) -> str:
    """Return a file name, with a number if there is such a file."""
    stem, suffix = (name[:-4], ".zip") if name.endswith(".zip") else (name, "")
    numbered = (f"{stem}-{n}{suffix}" for n in count(2))
    return name if name not in taken else next(n for n in numbered if n not in taken)


def _new_key(path: Path) -> Path:
    sign.new_key(path)
    return path


def _pass_over(_error: Exception) -> None:
    """Do without an answer that is only a convenience."""


def _documents() -> Path:
    place = QStandardPaths.StandardLocation.DocumentsLocation
    found = Path(QStandardPaths.writableLocation(place) or Path.home())
    return found if found.is_dir() else Path.home()


def _low(words: str) -> str:
    return words[:1].lower() + words[1:]


def _scrolled(content: QWidget, *, left: int = _MARGIN_PX, right: int = _MARGIN_PX) -> QScrollArea:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(left, 16, right, 16)
    column.addWidget(content)
    column.addStretch(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    set_look(area, "page")
    area.setWidget(page)
    return area
