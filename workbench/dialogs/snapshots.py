"""The snapshots that were taken of a tenant: when, of what, where they went, and what is there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from store import Scope, StoreError
from store.audit.reading import read_manifest
from workbench.dialogs.snapshot_report import open_report, show_file
from workbench.dialogs.snapshot_words import scope_words, short_digest
from workbench.dialogs.verify_snapshot import VerifyDialog
from workbench.messages import Message, MessageBoard, Severity
from workbench.text import QT_TRANSLATE_NOOP, exact, instant, number, one_line, tooltip
from workbench.theme import Role, appearance, icon, set_icon, set_look
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.flow_layout import FlowLayout
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.on_screen import OnScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from store.model import Export
    from workbench.session import Session, View
    from workbench.snapshots import Shelf

_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
AREA: Final = "snapshots"
FAILED: Final = Message("snapshots.failed", Severity.ERROR, "{reason}")
SIZE: Final = QSize(980, 460)
LOOKED_AT: Final = 500
"""So many of the newest are looked for on disk."""


class Presence(StrEnum):
    """What is where a snapshot was written."""

    THERE = "there"
    CHANGED = "changed"
    GONE = "gone"
    UNKNOWN = "unknown"


_PRESENCE: Final[dict[Presence, tuple[str, Role, str]]] = {
    Presence.THERE: ("check", "ok", QT_TRANSLATE_NOOP("Snapshots", "there")),
    Presence.CHANGED: ("triangle-alert", "warn", QT_TRANSLATE_NOOP("Snapshots", "not the same")),
    Presence.GONE: ("minus", "dim", QT_TRANSLATE_NOOP("Snapshots", "not there")),
    Presence.UNKNOWN: ("minus", "dim", QT_TRANSLATE_NOOP("Snapshots", "not looked at")),
}


def presence_word(presence: Presence) -> str:
    """Give the word for what is where a snapshot was written."""
    return QCoreApplication.translate("Snapshots", _PRESENCE[presence][2])


@dataclass(frozen=True, slots=True)
class Listing:
    """A note of a snapshot, and what is at its destination now."""

    export: Export
    presence: Presence

    @property
    def path(self) -> Path:
        """Where it was written."""
        return Path(self.export.destination)

    @property
    def head(self) -> str:
        """The head of the record in it, as it is kept elsewhere: ``N:DIGEST``."""
        return f"{self.export.transaction}:{self.export.digest}"


class SnapshotsModel(QAbstractTableModel):
    """Notes of snapshots, newest first."""

    TAKEN, TRANSACTION, SCOPE, DESTINATION, PRESENCE, DIGEST = range(6)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._listed: tuple[Listing, ...] = ()

    def show(self, listed: tuple[Listing, ...]) -> None:
        """Show other notes."""
        self.beginResetModel()
        self._listed = listed
        self.endResetModel()

    def listing(self, row: int) -> Listing | None:
        """Give the note in a row."""
        return self._listed[row] if 0 <= row < len(self._listed) else None

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._listed)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else 6

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        listing, column = self._listed[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(listing, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(self._hint(listing, column))
        if role == Qt.ItemDataRole.DecorationRole and column == self.PRESENCE:
            name, color, _word = _PRESENCE[listing.presence]
            return icon(name, color)
        if role == Qt.ItemDataRole.TextAlignmentRole and column == self.TRANSACTION:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _words(self, listing: Listing, column: int) -> str:
        export = listing.export
        match column:
            case self.TAKEN:
                return instant(export.taken_at)
            case self.TRANSACTION:
                return number(export.transaction)
            case self.SCOPE:
                return scope_words(export.arguments)
            case self.DESTINATION:
                return one_line(listing.path.name, 120)
            case self.PRESENCE:
                return presence_word(listing.presence)
            case _:
                return short_digest(export.manifest)

    def _hint(self, listing: Listing, column: int) -> str:
        export = listing.export
        match column:
            case self.TAKEN:
                return exact(export.taken_at)
            case self.TRANSACTION:
                return listing.head
            case self.DESTINATION | self.PRESENCE:
                return export.destination
            case self.DIGEST:
                return export.manifest
            case _:
                return self._words(listing, column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section == self.TRANSACTION:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return (
            self.tr("Taken"),
            self.tr("Transaction"),
            self.tr("What"),
            self.tr("Destination"),
            self.tr("File"),
            self.tr("Digest"),
        )[section]


class SnapshotsDialog(QDialog):
    """Lists what was taken of the tenant that is looked at; the store keeps the notes.

    Signals:
        take_wanted: a new snapshot is to be taken.
        open_wanted: a snapshot, by its path, is to be opened at the desk.
        restore_wanted: a snapshot, by its path, is to be restored into a store.
    """

    take_wanted = Signal()
    open_wanted = Signal(object)
    restore_wanted = Signal(object)

    def __init__(self, session: Session, shelf: Shelf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("snapshot.list")
        self.setWindowTitle(self.tr("Snapshots taken"))
        OnScreen(self)
        self._session, self._shelf = session, shelf
        self._board = MessageBoard(self)
        self.model = SnapshotsModel(self)
        self.is_read = False
        self._make_table()
        self._make_buttons()
        self.empty = EmptyState(
            "archive",
            self.tr("No snapshot was taken here yet"),
            self.tr(
                "A snapshot holds what was believed on a day, why, and the proof that nobody "
                "changed the record. What is taken is listed here."
            ),
        )
        self.empty.add_button(
            "snapshot.take", self.tr("Take a snapshot…"), icon_name="camera", is_primary=True
        )
        self._nothing = QWidget()
        self.empty.action_chosen.connect(lambda _id: self.take_wanted.emit())
        self._lay_out()
        session.closed.connect(super().reject)
        session.scope_changed.connect(self.refresh)
        self.refresh()

    # -- building -----------------------------------------------------------------------------

    def _make_table(self) -> None:
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setObjectName("snapshots")
        self.table.setAccessibleName(self.tr("Snapshots taken"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        self.table.selectionModel().selectionChanged.connect(self._say)
        self.table.doubleClicked.connect(lambda _index: self._open_report())
        self._take_height()
        appearance().changed.connect(self._take_height)

    def _make_buttons(self) -> None:
        self.take = self._button(self.tr("Take a snapshot…"), "camera", self.take_wanted)
        self.copy = self._button(self.tr("Copy head"), "copy", self._copy_head)
        self.folder = self._button(self.tr("Show in folder"), "folder-open", self._show_folder)
        self.open_button = self._button(self.tr("Open"), "package-open", self._open)
        self.open_button.setToolTip(self.tr("Show the record in it, read-only"))
        self.restore = self._button(
            self.tr("Restore into a store…"), "archive-restore", self._restore
        )
        self.report = self._button(self.tr("Open report"), "external-link", self._open_report)
        self.verify = self._button(self.tr("Verify…"), "shield-check", self._verify)
        self.close_button = self._button(self.tr("Close"), "", self.reject)

    def _button(self, words: str, icon_name: str, pressed: object) -> QPushButton:
        button = QPushButton(words)
        button.setAutoDefault(False)
        if icon_name:
            set_icon(button, icon_name)
        button.clicked.connect(pressed)
        return button

    def _lay_out(self) -> None:
        self.pages = QStackedWidget()
        self.pages.addWidget(self.table)
        self.pages.addWidget(self.empty)
        self.pages.addWidget(self._nothing)
        self.pages.setCurrentWidget(self._nothing)
        busy = BusyLine()
        busy.follow(self._session.operations, AREA)
        foot = QFrame()
        set_look(foot, "footer")
        row = QHBoxLayout(foot)
        row.setContentsMargins(24, 12, 24, 12)
        row.setSpacing(8)
        acts = QWidget()
        flow = FlowLayout(acts)
        self._of_chosen = (self.verify, self.report, self.open_button, self.restore, self.folder)
        for button in (*self._of_chosen, self.copy, self.take):
            flow.addWidget(button)
        row.addWidget(acts, 1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignBottom)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(busy)
        whole.addWidget(MessageBar(self._board))
        whole.addWidget(self.pages, 1)
        whole.addWidget(foot)
        self.resize(SIZE)

    @Slot()
    def _take_height(self) -> None:
        self.table.verticalHeader().setDefaultSectionSize(appearance().row_height("table"))

    # -- reading ------------------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        """Read the notes anew, and look what is at their destinations."""
        self._session.read(
            (AREA, "list"),
            _list,
            on_done=self._show,
            on_failed=self._on_failed,
            owner=self,
            is_long=True,
        )

    def _show(self, listed: tuple[Listing, ...]) -> None:
        self.is_read = True
        self._board.clear()
        chosen = self.table.currentIndex().row()
        self.model.show(listed)
        self.pages.setCurrentWidget(self.table if listed else self.empty)
        self._fit_columns()
        if listed:
            self.table.selectRow(max(0, min(chosen, len(listed) - 1)))
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._say()

    def _fit_columns(self) -> None:
        header = self.table.horizontalHeader()
        stretched = {self.model.SCOPE, self.model.DESTINATION}
        for column in range(self.model.columnCount()):
            mode = QHeaderView.ResizeMode
            header.setSectionResizeMode(
                column, mode.Stretch if column in stretched else mode.ResizeToContents
            )

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._board.show(FAILED, reason=str(error))

    # -- doing --------------------------------------------------------------------------------

    @property
    def chosen(self) -> Listing | None:
        """The note that is selected."""
        rows = self.table.selectionModel().selectedRows()
        return self.model.listing(rows[0].row()) if rows else None

    @Slot()
    def _say(self) -> None:
        chosen = self.chosen
        is_listed = self.model.rowCount() > 0
        is_there = chosen is not None and chosen.presence is not Presence.GONE
        for button in (self.take, self.copy, *self._of_chosen):
            button.setVisible(is_listed)
        self.copy.setEnabled(chosen is not None)
        for button in self._of_chosen:
            button.setEnabled(is_there)

    def _with_chosen(self, act: Callable[[Listing], object]) -> None:
        chosen = self.chosen
        if chosen is not None and chosen.presence is not Presence.GONE:
            act(chosen)

    @Slot()
    def _copy_head(self) -> None:
        if self.chosen is not None:
            QGuiApplication.clipboard().setText(self.chosen.head)

    @Slot()
    def _show_folder(self) -> None:
        self._with_chosen(lambda it: show_file(it.path.parent))

    @Slot()
    def _open(self) -> None:
        self._with_chosen(lambda it: self.open_wanted.emit(it.path))

    @Slot()
    def _restore(self) -> None:
        self._with_chosen(lambda it: self.restore_wanted.emit(it.path))

    @Slot()
    def _open_report(self) -> None:
        self._with_chosen(
            lambda it: open_report(
                self._session, self._shelf, it.path, owner=self, on_failed=self._on_failed
            )
        )

    @Slot()
    def _verify(self) -> None:
        """Verify against the note: it stands in the store, so it is from outside the package."""
        self._with_chosen(
            lambda it: VerifyDialog.ask(
                self._session,
                self._shelf,
                it.path,
                kept=f"{it.head} {it.export.manifest}",
                parent=self.parentWidget(),
            )
        )


def _list(view: View) -> tuple[Listing, ...]:
    """Read the notes and look at their destinations; on a reader thread."""
    listed = []
    for at, export in enumerate(view.store.exports(Scope(view.scope.tenant_id))):
        view.work.cancel.check()
        presence = _presence(export) if at < LOOKED_AT else Presence.UNKNOWN
        listed.append(Listing(export, presence))
    return tuple(listed)


def _presence(export: Export) -> Presence:
    path = Path(export.destination)
    try:
        if not path.exists():
            return Presence.GONE
        same = read_manifest(path).digest == export.manifest
    except OSError:
        return Presence.GONE
    except StoreError:
        same = False
    return Presence.THERE if same else Presence.CHANGED
