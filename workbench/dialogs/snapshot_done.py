"""A snapshot that was just taken: where it is, and what names it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from workbench.dialogs.snapshot_words import point_words, scope_words
from workbench.messages import Severity
from workbench.text import byte_size, number, visible
from workbench.theme import set_icon, set_look
from workbench.widgets.flow_layout import FlowLayout
from workbench.widgets.pair_grid import PairGrid
from workbench.widgets.verdict_band import VerdictBand

if TYPE_CHECKING:
    from pathlib import Path

    from store.audit.format import Manifest

_NAME_PX: Final = 96


@dataclass(frozen=True, slots=True)
class Taken:
    """A snapshot and where it was written.

    Attributes:
        public_key: of the key that signed it; "" if none did.
        is_noted: the store keeps a note of it.
    """

    path: Path
    manifest: Manifest
    public_key: str = ""
    is_noted: bool = True


class DoneView(QWidget):
    """What was written and where, with the head and the digest to be kept elsewhere.

    Signals:
        report_wanted, verify_wanted, folder_wanted: the button of that name was pressed.
        head_wanted: the head is to be copied.
    """

    report_wanted = Signal()
    verify_wanted = Signal()
    folder_wanted = Signal()
    head_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._verdict = VerdictBand()
        self._grid = PairGrid(name_width=_NAME_PX)
        sheet = QFrame()
        set_look(sheet, "sheet")
        inside = QVBoxLayout(sheet)
        inside.setContentsMargins(20, 16, 20, 16)
        inside.setSpacing(14)
        inside.addWidget(self._grid)
        advice = QLabel(
            self.tr(
                "Keep head and digest somewhere else too, in a notebook or a ticket. By the head "
                "anyone can tell later that the record was not cut off, nor written anew; by the "
                "digest, that no file of the snapshot was, its report included."
            )
        )
        self._unnoted = QLabel(
            self.tr("The store could not be written, so it keeps no note of this snapshot.")
        )
        self._unnoted.setWordWrap(True)
        set_look(self._unnoted, "secondary")
        advice.setWordWrap(True)
        set_look(advice, "secondary")
        inside.addWidget(advice)
        inside.addWidget(self._unnoted)
        inside.addLayout(self._buttons())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addWidget(self._verdict)
        column.addWidget(sheet)
        column.addStretch(1)

    def _buttons(self) -> FlowLayout:
        self.report = _button(self.tr("Open report"), "external-link", self.report_wanted)
        self.copy_head = _button(self.tr("Copy head"), "copy", self.head_wanted)
        self.verify = _button(self.tr("Verify now"), "shield-check", self.verify_wanted)
        self.folder = _button(self.tr("Show in folder"), "folder-open", self.folder_wanted)
        row = FlowLayout(spacing=8)
        for button in (self.report, self.copy_head, self.verify, self.folder):
            row.addWidget(button)
        return row

    def show_taken(self, taken: Taken) -> None:
        """Show what was taken, in the language in force."""
        manifest, head = taken.manifest, taken.manifest.head
        self._verdict.say(Severity.DONE, self.tr("The snapshot is written."))
        self._unnoted.setVisible(not taken.is_noted)
        grid = self._grid
        grid.clear()
        path = visible(str(taken.path))
        grid.add_text(self.tr("What"), scope_words(manifest.arguments.model_dump()))
        grid.add_text(self.tr("As of"), point_words(head.number, head.recorded_at))
        size = byte_size(sum(file.bytes for file in manifest.files.values()))
        count = len(manifest.files) + (2 if taken.public_key else 1)  # manifest and signature
        files = self.tr("{count} files, {size}")
        grid.add_text(self.tr("Contents"), files.format(count=number(count), size=size))
        grid.add_mono(self.tr("Where"), path, copies=self.tr("Copy the path"))
        grid.add_mono(self.tr("Head"), str(head), copies=self.tr("Copy the head"))
        grid.add_mono(
            self.tr("Digest"), manifest.digest, copies=self.tr("Copy the digest of the manifest")
        )
        if taken.public_key:
            grid.add_mono(
                self.tr("Signed with"), taken.public_key, copies=self.tr("Copy the public key")
            )


def _button(words: str, icon_name: str, pressed: object) -> QPushButton:
    button = QPushButton(words)
    button.setAutoDefault(False)
    set_icon(button, icon_name)
    button.clicked.connect(pressed)
    return button
