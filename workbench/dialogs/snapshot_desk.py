"""What the window offers on snapshots: take, list, verify, open, restore; the head of a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog

from store import AsOf, Scope
from workbench.snapshots import package_of
from workbench.text import number, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from store import Head
    from workbench.session import Session, View
    from workbench.snapshots import Shelf

AREA: Final = "snapshots"


class SnapshotDialogs(QObject):
    """Opens the dialogs beside the window, each once; they are loaded when first wanted.

    Signals:
        open_wanted: the path of a snapshot that is to be shown.
        store_wanted: the path of a store, and a tenant in it, that are to be shown.
        said: a sentence on what was just done.
        failed: an error that no dialog is there for.
    """

    open_wanted = Signal(object)
    store_wanted = Signal(object, str)
    said = Signal(str)
    failed = Signal(object)

    def __init__(self, session: Session, shelf: Shelf, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._shelf, self._window = session, shelf, window

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what is done for the ids of actions."""
        return {
            "snapshot.take": self.take,
            "snapshot.list": self.show_list,
            "snapshot.verify": self.verify,
            "snapshot.open": self.ask_open,
            "import.snapshot": self.restore,
            "store.copy_head": self.copy_head,
            "store.sign_head": self.sign_head,
        }

    @Slot()
    def take(self) -> None:
        """Let a person take a snapshot of what the session is narrowed to."""
        from workbench.dialogs.snapshot import SnapshotDialog

        if self._raise("snapshot.take"):
            return
        dialog = SnapshotDialog(self._session, self._shelf, self._window)
        dialog.taken.connect(self._on_taken)
        self._show(dialog)

    @Slot()
    def show_list(self) -> None:
        """List what was taken."""
        from workbench.dialogs.snapshots import SnapshotsDialog

        if self._raise("snapshot.list"):
            return
        dialog = SnapshotsDialog(self._session, self._shelf, self._window)
        dialog.take_wanted.connect(self.take)
        dialog.open_wanted.connect(self.open_wanted)
        dialog.restore_wanted.connect(self.restore_path)
        self._show(dialog)

    @Slot()
    def verify(self) -> None:
        """Verify the snapshot that is looked at, or let a person choose one."""
        shown = self._session.snapshot
        self.verify_path(None if shown is None else shown.path)

    def verify_path(self, path: Path | None) -> None:
        """Verify a snapshot; None lets a person choose."""
        from workbench.dialogs.verify_snapshot import VerifyDialog

        VerifyDialog.ask(self._session, self._shelf, path, parent=self._window)

    @Slot()
    def restore(self) -> None:
        """Restore the snapshot that is looked at into a store, or let a person choose one."""
        shown = self._session.snapshot
        self.restore_path(None if shown is None else shown.path)

    @Slot(object)
    def restore_path(self, path: Path | None) -> None:
        """Restore a snapshot into a store that a person chooses; None lets choose both."""
        from workbench.dialogs.import_store import ImportDialog

        there = self._raise("import.snapshot")
        dialog = there or ImportDialog(self._session, "snapshot", self._window)
        assert isinstance(dialog, ImportDialog)
        if path is not None:
            dialog.choose_snapshot(path)
        if there is None:
            dialog.store_wanted.connect(self.store_wanted)
            self._show(dialog)

    @Slot()
    def ask_open(self) -> None:
        """Let a person choose a snapshot to be shown."""
        kinds = (self.tr("Snapshots (*.zip manifest.json)"), self.tr("All files (*)"))
        chosen, _kind = QFileDialog.getOpenFileName(
            self._window, self.tr("Open snapshot"), "", ";;".join(kinds)
        )
        if chosen:
            self.open_wanted.emit(package_of(Path(chosen)))

    def open_report(self, path: Path) -> None:
        """Open the report of a snapshot in the browser."""
        from workbench.dialogs.snapshot_report import open_report

        open_report(self._session, self._shelf, path, owner=self, on_failed=self.failed.emit)

    @Slot()
    def copy_head(self) -> None:
        """Put the head of the record, as of the known-at, into the clipboard: ``N:DIGEST``."""
        self._session.read((AREA, "head"), _head, on_done=self._on_head, owner=self)

    @Slot()
    def sign_head(self) -> None:
        """Put the head into the clipboard with its tenant and a signature, by a key on file."""
        chosen, _kind = QFileDialog.getOpenFileName(self._window, self.tr("Key to sign with"))
        if not chosen:
            return
        self._session.read(
            (AREA, "head"),
            lambda view: _signed_head(view, Path(chosen)),
            on_done=self._on_head_signed,
            owner=self,
        )

    def _on_head(self, head: Head) -> None:
        words = self.tr("The head of {tenant}, transaction {number}, is in the clipboard.")
        self._keep(str(head), words, head)

    def _on_head_signed(self, signed: tuple[Head, str]) -> None:
        head, line = signed
        words = self.tr("The signed head of {tenant}, transaction {number}, is in the clipboard.")
        self._keep(line, words, head)

    def _keep(self, line: str, words: str, head: Head) -> None:
        QGuiApplication.clipboard().setText(line)
        tenant = one_line(head.tenant_id, 60)
        self.said.emit(words.format(tenant=tenant, number=number(head.number)))

    @Slot()
    def _on_taken(self) -> None:
        shown = self._window.findChild(QDialog, "snapshot.list")
        refresh = getattr(shown, "refresh", None)
        if refresh is not None:
            refresh()

    def _raise(self, name: str) -> QDialog | None:
        """Bring the dialog of that name to the front, if it is open."""
        for there in self._window.findChildren(QDialog, name):
            if there.isVisible():
                there.raise_()
                there.activateWindow()
                return there
        return None

    def _show(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()


def _head(view: View) -> Head:
    return view.store.head(Scope(view.scope.tenant_id), AsOf(known_at=view.as_of.known_at))


def _signed_head(view: View, key: Path) -> tuple[Head, str]:
    """Return a head, and the line that `verify --head` takes: tenant, head, signature."""
    from store.audit.sign import load_key

    head = _head(view)
    return head, f"{head.tenant_id}  {head}  {load_key(key).sign_head(head)}"
