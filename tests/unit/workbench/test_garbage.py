"""Cycles of Qt objects are torn down on the GUI thread, whoever makes the garbage."""

from __future__ import annotations

import gc
import threading
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QObject

from workbench.garbage import GarbageCollector

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


class Knot(QObject):
    """An object in a cycle, that says on which thread it went."""

    went: ClassVar[list[str]] = []

    def __init__(self) -> None:
        super().__init__()
        self.me = self

    def __del__(self) -> None:
        Knot.went.append(threading.current_thread().name)


def make_garbage() -> None:
    for _ in range(20_000):
        held: list[object] = []
        held.append(held)


def test_a_worker_collects_nothing_and_the_gui_thread_does(qtbot: QtBot) -> None:
    collector = GarbageCollector()
    Knot.went.clear()
    Knot()
    worker = threading.Thread(target=make_garbage)
    worker.start()
    worker.join()
    assert Knot.went == []
    qtbot.waitUntil(lambda: Knot.went == [threading.main_thread().name], timeout=10_000)
    collector.stop()


def test_collection_goes_back_to_python_with_the_last(qtbot: QtBot) -> None:
    assert gc.isenabled()
    first, second = GarbageCollector(), GarbageCollector()
    assert not gc.isenabled()
    first.stop()
    first.stop()
    assert not gc.isenabled()
    second.stop()
    assert gc.isenabled()
