"""Windows are brought into the room of their screen when they open and when they grow."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QDialog

from workbench.widgets.on_screen import OnScreen, placed_within

ROOM = QRect(0, 24, 1600, 876)


@pytest.mark.parametrize(
    ("frame", "placed"),
    [
        (QRect(100, 100, 600, 400), QRect(100, 100, 600, 400)),
        (QRect(100, 700, 600, 400), QRect(100, 500, 600, 400)),
        (QRect(1400, -50, 600, 400), QRect(1000, 24, 600, 400)),
        (QRect(-20, 100, 2000, 1200), QRect(0, 24, 1600, 876)),
    ],
)
def test_a_frame_is_moved_and_only_where_it_must_be_made_smaller(
    frame: QRect, placed: QRect
) -> None:
    assert placed_within(frame, ROOM) == placed


def test_a_dialog_comes_back_when_it_opens_and_when_it_grows(qtbot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    keeper = OnScreen(dialog)
    room = dialog.screen().availableGeometry()
    dialog.resize(300, 200)
    dialog.move(room.bottomRight() - QPoint(100, 50))
    dialog.show()
    qtbot.waitUntil(lambda: room.contains(dialog.frameGeometry()))
    assert dialog.size().height() == 200
    dialog.resize(300, room.height() * 2)
    keeper.bring_later()
    qtbot.waitUntil(lambda: room.contains(dialog.frameGeometry()))
