"""Why something is done: a field that offers the reasons given last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

if TYPE_CHECKING:
    from collections.abc import Iterable

KEPT: Final = 8
"""So many reasons are offered."""
LONGEST: Final = 1_000


class RecentReasons(QObject):
    """The reasons that a person gave last, newest first.

    Signals:
        remembered: a reason that was given just now, to be kept in the settings.
        changed: other reasons are offered.
    """

    remembered = Signal(str)
    changed = Signal()

    def __init__(self, offered: Iterable[str] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._offered = tuple(offered)[:KEPT]

    @property
    def offered(self) -> tuple[str, ...]:
        """The reasons, newest first."""
        return self._offered

    def set_offered(self, offered: Iterable[str]) -> None:
        """Offer other reasons, as after the settings changed; nothing is told to be kept."""
        chosen = tuple(offered)[:KEPT]
        if chosen != self._offered:
            self._offered = chosen
            self.changed.emit()

    def remember(self, reason: str) -> None:
        """Put a reason that was given first."""
        others = tuple(known for known in self._offered if known != reason)
        self.set_offered((reason, *others))
        self.remembered.emit(reason)


class ReasonEdit(QComboBox):
    """A line for a reason; its arrow, or Alt+Down, offers the last ones.

    Signals:
        reason_changed: the reason, without blanks around it.
    """

    reason_changed = Signal(str)

    def __init__(self, reasons: RecentReasons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reasons = reasons
        self.setObjectName("reason")
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumContentsLength(20)
        line = self.lineEdit()
        assert line is not None
        self._line = line
        line.setMaxLength(LONGEST)
        self.setCompleter(None)  # type: ignore[arg-type]  # no reason is put into one's mouth
        self.editTextChanged.connect(self._on_edit_text_changed)
        reasons.changed.connect(self._on_reasons_changed)
        self._on_reasons_changed()
        self.set_hint(self.tr("Reason"))

    @property
    def reason(self) -> str:
        """The reason, without blanks around it."""
        return self.currentText().strip()

    def set_reason(self, reason: str) -> None:
        """Show a reason to begin with."""
        self.setEditText(reason)

    def set_hint(self, hint: str) -> None:
        """Say what stands in the empty field and what a screen reader says."""
        self._line.setPlaceholderText(hint)
        self._line.setAccessibleName(hint)
        self.setAccessibleName(hint)
        self.view().setAccessibleName(hint)

    @Slot(str)
    def _on_edit_text_changed(self, typed: str) -> None:
        self.reason_changed.emit(typed.strip())

    @Slot()
    def _on_reasons_changed(self) -> None:
        typed = self.currentText()
        was_blocked = self.blockSignals(True)
        self.clear()
        self.addItems(list(self._reasons.offered))
        self.setCurrentIndex(-1)
        self.setEditText(typed)
        self.blockSignals(was_blocked)
