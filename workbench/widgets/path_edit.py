"""A field for a file or folder: typed, or chosen in the system's own dialog."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from workbench.theme import set_icon

_REST_MS: Final = 250


class PathEdit(QWidget):
    """A line edit for a path with a button that lets one choose.

    Signals:
        path_changed: the path as text, "" for none: when one was chosen, typing ended, or what is
            typed so far is there.
    """

    path_changed = Signal(str)

    def __init__(
        self,
        name: str,
        parent: QWidget | None = None,
        *,
        kind: Literal["file", "folder", "package", "new", "store"] = "file",
        filters: str = "",
        suffix: str = "",
    ) -> None:
        """Make a field.

        Args:
            name: what the path is, for a screen reader and as the title of the system's dialog.
            parent: the parent.
            kind: a file or folder that exists, or a package, which is either; a new file, in the
                place of one that is there; or a store, which stays if it is there.
            filters: which files are offered, as Qt writes them.
            suffix: what a new file's name gets that was chosen without one, such as ``.db``.
        """
        super().__init__(parent)
        self._name, self._kind = name, kind
        self._filters, self._suffix = filters, suffix
        self._told = ""
        self._line = QLineEdit()
        self._line.setAccessibleName(name)
        self._line.editingFinished.connect(self._tell)
        self._line.textChanged.connect(self._on_line_text_changed)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._on_rest_timeout)
        self._choose = QPushButton(self.tr("Choose…"))
        self._choose.setAccessibleName(self.tr("Choose: {name}").format(name=name))
        self._choose.setAutoDefault(False)
        set_icon(self._choose, "folder-open")
        self._choose.clicked.connect(self.choose)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._line, 1)
        row.addWidget(self._choose)
        self.setFocusProxy(self._line)

    @property
    def path(self) -> Path | None:
        """What is typed now; None for nothing."""
        typed = self._line.text().strip()
        return Path(typed).expanduser() if typed else None

    @property
    def line(self) -> QLineEdit:
        """The field itself."""
        return self._line

    def set_path(self, path: str) -> None:
        """Show a path and tell it."""
        self._line.setText(path)
        self._tell()

    @Slot()
    def choose(self) -> None:
        """Let a person choose in the system's dialog, beginning where they were."""
        at = str(self.path or "")
        if self._kind == "folder":
            chosen = QFileDialog.getExistingDirectory(self, self._name, at)
        elif self._kind == "new":
            chosen = QFileDialog.getSaveFileName(self, self._name, at, self._filters)[0]
        elif self._kind == "store":
            stays = QFileDialog.Option.DontConfirmOverwrite  # nothing is written over
            chosen = QFileDialog.getSaveFileName(
                self, self._name, at, self._filters, options=stays
            )[0]
        else:
            chosen = QFileDialog.getOpenFileName(self, self._name, at, self._filters)[0]
        if chosen:
            is_named = Path(chosen).suffix or Path(chosen).exists()
            self.set_path(chosen if is_named else chosen + self._suffix)

    @Slot(str)
    def _on_line_text_changed(self, text: str) -> None:
        if not text:
            self._tell()
        self._rest.start()

    @Slot()
    def _on_rest_timeout(self) -> None:
        """Tell a path before the field is left: a button that waits for it cannot be clicked."""
        path = self.path
        if self._kind in ("new", "store"):
            self._tell()
            return
        with suppress(OSError):  # a name that is too long, a folder that may not be looked into
            if path is None or not path.exists():
                return
            if self._kind == "package" or path.is_dir() == (self._kind == "folder"):
                self._tell()

    @Slot()
    def _tell(self) -> None:
        typed = str(self.path or "")
        if typed != self._told:
            self._told = typed
            self.path_changed.emit(typed)
