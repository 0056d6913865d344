"""An icon that stands by itself, redrawn in the colours of the theme in force."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.theme import Role, current, paint_icon


class IconLabel(QWidget):
    """An icon of a fixed size; what it means must stand beside it in words."""

    def __init__(
        self, name: str, role: Role = "text", parent: QWidget | None = None, *, size: int = 16
    ) -> None:
        super().__init__(parent)
        self._name = name
        self._role: Role = role
        self._side = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, name: str, role: Role) -> None:
        """Show another icon, or the same in another role."""
        self._name, self._role = name, role
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._side, self._side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_icon(painter, QRectF(self.rect()), self._name, code=getattr(current(), self._role))
