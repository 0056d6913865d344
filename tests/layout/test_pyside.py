"""The installed PySide6 keeps its reference counts, which 6.12.0 does not on Python 3.11."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject, Signal

ROUNDS = 400  # the interpreter died after about 570 lost references
TOLERANCE = 50  # other threads and pytest itself take and give a few


class Source(QObject):
    fired = Signal()


@pytest.mark.parametrize("constant", [True, None], ids=["True", "None"])
def test_qt_calls_lose_no_reference_to_a_constant(constant: bool | None) -> None:
    source = Source()
    before = sys.getrefcount(constant)
    for _ in range(ROUNDS):
        source.fired.emit()
        source.setObjectName("")
    assert sys.getrefcount(constant) >= before - TOLERANCE
