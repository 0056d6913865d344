"""A snapshot as a source: what is in it is told from its manifest, before anything is restored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QWidget

from store.audit.format import Withhold
from store.audit.reading import read_manifest
from workbench.dialogs.import_forms import AREA, SourceForm, field_form
from workbench.dialogs.import_run import Job, Restoring
from workbench.dialogs.snapshot_words import point_words, scope_words
from workbench.ops import ReadOp
from workbench.snapshots import package_of
from workbench.text import number, one_line
from workbench.theme import set_look
from workbench.widgets.pair_grid import PairGrid
from workbench.widgets.path_edit import PathEdit

if TYPE_CHECKING:
    from store.audit.format import Manifest
    from workbench.ops import Operations

_NAME_PX = 128


class RecordForm(SourceForm):
    """A zip or folder, and what its manifest says of it."""

    def __init__(self, operations: Operations, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._operations = operations
        self._manifest: Manifest | None = None
        self._is_unreadable = False
        kinds = (self.tr("Snapshots (*.zip manifest.json)"), self.tr("All files (*)"))
        self.file = PathEdit(self.tr("Snapshot"), kind="package", filters=";;".join(kinds))
        self.file.setObjectName("import.snapshot.file")
        self.file.line.setPlaceholderText(self.tr("Zip file or folder"))
        self.file.path_changed.connect(self._on_file_path_changed)
        self._says = QLabel(
            self.tr(
                "It is verified first. A whole record goes into a tenant that has none, with its "
                "transactions, ids and digests; otherwise what it believes comes in as facts with "
                "their episodes, and its open conflicts are listed."
            )
        )
        self._says.setWordWrap(True)
        set_look(self._says, "secondary")
        self.holds = PairGrid(name_width=_NAME_PX)
        self.holds.hide()
        form = field_form(self)
        label = QLabel(self.tr("Snapshot"))
        label.setBuddy(self.file)
        form.addRow(label, self.file)
        form.addRow("", self.holds)
        form.addRow("", self._says)
        self.setFocusProxy(self.file)

    @Slot(str)
    def _on_file_path_changed(self, path: str) -> None:
        self._show_manifest(None)
        self._is_unreadable = False
        self.changed.emit()
        file = self.file.path
        if not path or file is None:
            self._operations.forget((AREA, "manifest"))
            return
        self._operations.read(
            ReadOp((AREA, "manifest"), lambda _work: read_manifest(package_of(file))),
            on_done=self._on_manifest,
            on_failed=self._on_unreadable,
            owner=self,
        )

    def _on_manifest(self, manifest: Manifest) -> None:
        self._show_manifest(manifest)
        self.changed.emit()

    def _on_unreadable(self, error: Exception) -> None:
        self._is_unreadable = True
        self.changed.emit()
        self.failed.emit(error)

    def _show_manifest(self, manifest: Manifest | None) -> None:
        self._manifest = manifest
        self.holds.clear()
        self.holds.setVisible(manifest is not None)
        if manifest is None:
            return
        head, counts = manifest.head, manifest.counts
        rows = (
            (self.tr("Tenant"), one_line(manifest.tenant_id, 120)),
            (self.tr("As of"), point_words(head.number, head.recorded_at)),
            (self.tr("Holds"), scope_words(manifest.arguments.model_dump())),
            (self.tr("Facts"), number(counts.facts.in_scope)),
            (self.tr("Episodes"), number(counts.episodes.total)),
            (self.tr("Open conflicts"), number(counts.conflicts.open)),
        )
        for name, words in rows:
            self.holds.add_text(name, words)

    @property
    def problem(self) -> str:
        if self.file.path is None:
            return self.tr("Choose a snapshot.")
        if self._is_unreadable:
            return self.tr("Choose another snapshot.")
        if self._manifest is None:
            return self.tr("The snapshot is being looked at.")
        if self._manifest.arguments.withhold is not Withhold.NOTHING:
            return self.tr("It keeps values or contents back, so it cannot be taken back.")
        return ""

    @property
    def tenant_id(self) -> str:
        return "" if self._manifest is None else self._manifest.tenant_id

    def job(self) -> Job:
        assert self.file.path is not None
        return Restoring(package_of(self.file.path))
