"""Into which store: the one that is open, or another that is there or is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QLabel,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench.text import one_line
from workbench.theme import set_look
from workbench.widgets.path_edit import PathEdit

if TYPE_CHECKING:
    from pathlib import Path

    from store import Store
    from workbench.session import Session


class StoreChoice(QWidget):
    """The open store where it can be written, and a field for another one.

    Signals:
        changed: another store is meant.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.here, self.elsewhere = QRadioButton(), QRadioButton(self.tr("Another, or a new one:"))
        group = QButtonGroup(self)
        for button in (self.here, self.elsewhere):
            group.addButton(button)
            button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        kinds = (self.tr("Memory stores (*.db *.sqlite)"), self.tr("All files (*)"))
        self.file = PathEdit(self.tr("Store"), kind="store", filters=";;".join(kinds), suffix=".db")
        self.file.setObjectName("import.store")
        self.file.line.setPlaceholderText(self.tr("A store that is there, or a new file"))
        self._says = QLabel(self.tr("There is none yet; a new store is made."))
        set_look(self._says, "secondary")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widget in (self.here, self.elsewhere, self.file, self._says):
            column.addWidget(widget)
        self._can_be_here = False
        self.here.setChecked(session.is_writable)
        self.refresh()
        self.here.toggled.connect(self._on_here_toggled)
        self.file.path_changed.connect(self._on_file_path_changed)

    # -- what is meant ------------------------------------------------------------------------

    @property
    def is_here(self) -> bool:
        """Whether the open store is meant, as of the last `refresh`."""
        return self._can_be_here and self.here.isChecked()

    @property
    def target(self) -> Store | Path | None:
        """The open store, or the path of another one; None while none is named."""
        return self._session.store if self.is_here else self.file.path

    @property
    def is_new(self) -> bool:
        """Whether another store is meant that is not there yet."""
        path = None if self.is_here else self.file.path
        return path is not None and not _is_there(path)

    @property
    def problem(self) -> str:
        """What is missing, as a sentence; "" if nothing is."""
        return self.tr("Choose a store.") if self.target is None else ""

    # -- what is shown ------------------------------------------------------------------------

    def mean_another(self) -> None:
        """Let another store than the open one be meant."""
        self.elsewhere.setChecked(True)

    @Slot()
    def refresh(self) -> None:
        """Offer the store that is open now; where none was, it is not taken unasked."""
        store = self._session.store
        self._can_be_here = self._session.is_writable
        if not self._can_be_here:
            self.mean_another()
        for button in (self.here, self.elsewhere):
            button.setVisible(self._can_be_here)
        if store is not None:
            name = one_line(store.url.rstrip("/").rpartition("/")[2] or store.url, 60)
            self.here.setText(self.tr("The open store, {store}").format(store=name))
        self.file.setVisible(not self.is_here)
        self._says.setVisible(self.is_new)

    @Slot()
    def _on_here_toggled(self) -> None:
        self.refresh()
        self.changed.emit()

    @Slot()
    def _on_file_path_changed(self) -> None:
        self.refresh()
        self.changed.emit()


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a folder that may not be looked into
        return False
