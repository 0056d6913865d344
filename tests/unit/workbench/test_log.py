from __future__ import annotations

import logging
import threading
import warnings
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Slot, qWarning

from workbench import log


@pytest.fixture
def started(tmp_path: Path):
    it = log.start(tmp_path)
    yield it
    it.stop()


def test_a_record_reaches_the_file_and_the_ring(started: log.Log) -> None:
    logging.getLogger("workbench.test").warning("page %d is late", 3)
    assert started.ring.lines[-1].text == "page 3 is late"
    assert started.ring.lines[-1].level == logging.WARNING
    assert started.path is not None
    written = started.path.read_text(encoding="utf-8")
    assert written.rstrip().endswith("WARNING workbench.test: page 3 is late")
    assert written[19] == "."
    assert "Z WARNING" in written


def test_a_traceback_goes_along(started: log.Log) -> None:
    try:
        raise ValueError("no")
    except ValueError:
        logging.getLogger("x").exception("failed")
    assert "ValueError: no" in started.ring.tail(1)


def test_the_words_of_qt_arrive(started: log.Log) -> None:
    qWarning("a word of Qt")
    assert started.ring.lines[-1].logger == "qt"
    assert "a word of Qt" in started.ring.lines[-1].text


def test_warnings_of_python_arrive(started: log.Log) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("old thing", DeprecationWarning, stacklevel=1)
    assert started.ring.lines[-1].logger == "py.warnings"


def test_the_ring_forgets_the_oldest() -> None:
    ring = log.LogRing(size=2)
    for number in range(3):
        ring.append(log.LogLine(log.datetime.now(log.UTC), logging.INFO, "x", str(number)))
    assert [line.text for line in ring.lines] == ["1", "2"]


def test_a_line_from_a_thread_arrives_on_the_thread_of_the_listener(
    started: log.Log, qtbot
) -> None:
    class Panel(QObject):
        def __init__(self) -> None:
            super().__init__()
            self.threads: set[str] = set()

        @Slot(object)
        def _on_ring_appended(self, _line: log.LogLine) -> None:
            self.threads.add(threading.current_thread().name)

    panel = Panel()
    started.ring.appended.connect(panel._on_ring_appended)
    worker = threading.Thread(target=lambda: logging.getLogger("x").warning("from afar"))
    worker.start()
    worker.join()
    qtbot.waitUntil(lambda: panel.threads == {threading.main_thread().name})


def test_a_folder_that_cannot_be_written_costs_the_file_only(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    it = log.start(blocked / "log")
    try:
        assert it.path is None
        assert "No log file" in it.ring.lines[-1].text
    finally:
        it.stop()


def test_stopping_leaves_logging_as_it_was(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = list(root.handlers), root.level
    it = log.start(tmp_path)
    assert root.handlers != before[0]
    it.stop()
    it.stop()
    assert (list(root.handlers), root.level) == before
