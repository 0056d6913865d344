"""A layout that puts widgets in rows, as many as the width asks for: buttons in any language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QStyle, QWidget

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayoutItem


class FlowLayout(QLayout):
    """Widgets of their own width beside each other; those that do not fit go to the next row."""

    def __init__(
        self, parent: QWidget | None = None, *, spacing: int = 8, is_centered: bool = False
    ) -> None:
        super().__init__(parent)
        self._is_centered = is_centered
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), is_real=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, is_real=True)

    def sizeHint(self) -> QSize:
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in shown) + self.spacing() * max(0, len(shown) - 1)
        return QSize(width, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:
        shown = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(
            max((size.width() for size in shown), default=0),
            max((size.height() for size in shown), default=0),
        )

    def _rows(self, width: int) -> list[list[QLayoutItem]]:
        """Part the widgets that are shown into rows of at most a width."""
        rows: list[list[QLayoutItem]] = []
        taken = 0
        for item in self._items:
            if item.isEmpty():
                continue
            wide = item.sizeHint().width()
            if not rows or taken + self.spacing() + wide > width:
                rows.append([item])
                taken = wide
            else:
                rows[-1].append(item)
                taken += self.spacing() + wide
        return rows

    def _place(self, rect: QRect, *, is_real: bool) -> int:
        """Go through the widgets row by row, and give the height that they take."""
        parent = self.parentWidget()
        direction = parent.layoutDirection() if parent else Qt.LayoutDirection.LeftToRight
        y = rect.y()
        for number, row in enumerate(self._rows(rect.width())):
            y += self.spacing() if number else 0
            sizes = [item.sizeHint() for item in row]
            taken = sum(size.width() for size in sizes) + self.spacing() * (len(row) - 1)
            x = rect.x() + (max(0, rect.width() - taken) // 2 if self._is_centered else 0)
            for item, size in zip(row, sizes, strict=True):
                if is_real:
                    place = QRect(QPoint(x, y), size)
                    item.setGeometry(QStyle.visualRect(direction, rect, place))
                x += size.width() + self.spacing()
            y += max(size.height() for size in sizes)
        return y - rect.y()
