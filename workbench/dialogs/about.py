"""What this program is, its version and licences, and where it keeps its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from workbench import __version__
from workbench.crash import environment
from workbench.theme import set_icon, set_look
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.on_screen import OnScreen
from workbench.widgets.section_head import SectionHead

if TYPE_CHECKING:
    from workbench.folders import Folders


class AboutDialog(QDialog):
    """Name, version, licences, folders; the versions can be copied for a report."""

    def __init__(self, folders: Folders, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("help.about")
        OnScreen(self)
        self.setWindowTitle(self.tr("About Memory Workbench"))
        self.setMinimumWidth(480)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 12)
        column.setSpacing(8)
        name = QLabel("Memory Workbench")
        set_look(name, "value")
        column.addWidget(name)
        column.addWidget(QLabel(self.tr("Version {version}").format(version=__version__)))
        purpose = QLabel(
            self.tr(
                "See what an agent believes, why, and since when; set it right where it is wrong."
            )
        )
        purpose.setWordWrap(True)
        set_look(purpose, "secondary")
        column.addWidget(purpose)
        column.addSpacing(8)
        column.addWidget(SectionHead(self.tr("Versions")))
        self._versions = QLabel(environment())
        self._versions.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._versions.setAccessibleName(self.tr("Versions"))
        set_look(self._versions, "mono")
        column.addWidget(self._versions)
        column.addSpacing(8)
        column.addWidget(SectionHead(self.tr("Licences")))
        column.addLayout(self._licences())
        column.addSpacing(8)
        column.addWidget(SectionHead(self.tr("Folders")))
        column.addLayout(self._folders(folders))
        column.addSpacing(8)
        buttons = self._buttons()
        column.addWidget(buttons)
        buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()

    def _licences(self) -> QFormLayout:
        return _form(
            (
                ("Memory Workbench", "Apache-2.0"),
                ("Qt, PySide6", "LGPL-3.0"),
                ("Inter, JetBrains Mono", "SIL OFL-1.1"),
                ("Lucide", "ISC"),
            )
        )

    def _folders(self, folders: Folders) -> QFormLayout:
        return _form(
            (
                (self.tr("Settings"), str(folders.config)),
                (self.tr("Log"), str(folders.log)),
                (self.tr("Demo store"), str(folders.data)),
            )
        )

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        copy = QPushButton(self.tr("Copy versions"))
        copy.setAutoDefault(False)
        set_icon(copy, "copy")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._versions.text()))
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        return buttons


def _form(pairs: tuple[tuple[str, str], ...]) -> QFormLayout:
    form = QFormLayout()
    form.setHorizontalSpacing(16)
    form.setVerticalSpacing(4)
    for left, right in pairs:
        title = QLabel(left)
        set_look(title, "secondary")
        form.addRow(title, ElidedLabel(right, mode=Qt.TextElideMode.ElideMiddle))
    return form
