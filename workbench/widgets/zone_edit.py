"""A field for the time zone in which times without an offset are read."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt, QTimeZone
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QWidget

if TYPE_CHECKING:
    from datetime import tzinfo

_UTC: Final = "UTC"


class ZoneEdit(QComboBox):
    """A list of zones by their IANA names, to be typed or picked; UTC first, then one's own."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        line = QLineEdit()
        line.setAccessibleName(name)
        self.setLineEdit(line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMaxVisibleItems(16)
        own = bytes(QTimeZone.systemTimeZoneId().data()).decode("ascii", "replace")
        known = sorted(
            bytes(zone.data()).decode("ascii", "replace")
            for zone in QTimeZone.availableTimeZoneIds()
        )
        names = dict.fromkeys([_UTC, own, *(it for it in known if "/" in it)])
        self.addItems(list(names))
        self.setCurrentIndex(0)
        completer = QCompleter(self.model(), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.setCompleter(completer)
        self.view().setAccessibleName(name)
        self.editTextChanged.connect(self._mark)

    @property
    def zone(self) -> tzinfo | None:
        """The zone that is named, or None for a name that none has."""
        return _zone(self.currentText().strip())

    def _mark(self) -> None:
        is_known = self.zone is not None
        self.setProperty("invalid", not is_known)
        self.style().unpolish(self)
        self.style().polish(self)
        said = "" if is_known else self.tr("No time zone has this name.")
        self.setAccessibleDescription(said)
        self.setToolTip(said)


def _zone(name: str) -> tzinfo | None:
    if name == _UTC:
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):  # unknown, a folder of the database, no name at all
        return None
