from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from workbench.crash import TRACE_NAME, CrashReport, CrashReporter


@pytest.fixture
def reporter(tmp_path: Path, qapp):
    hooks = sys.excepthook, threading.excepthook
    it = CrashReporter()
    it.install(tmp_path)
    yield it
    it.uninstall()
    assert (sys.excepthook, threading.excepthook) == hooks


def strike(message: str = "broken") -> None:
    try:
        raise LookupError(message)
    except LookupError as error:
        sys.excepthook(LookupError, error, error.__traceback__)


def test_one_bug_is_one_report_however_often_it_strikes(reporter: CrashReporter, qtbot) -> None:
    told: list[CrashReport] = []
    reporter.crashed.connect(told.append)
    for _ in range(7):
        strike()
    qtbot.waitUntil(lambda: len(told) == 7)
    assert [report.count for report in told] == [1, 2, 3, 4, 5, 6, 7]
    assert len(reporter.reports) == 1
    assert reporter.reports[0].summary == "LookupError: broken"


def test_a_bug_on_another_thread_is_told_on_this_one(reporter: CrashReporter, qtbot) -> None:
    where: list[str] = []
    reporter.crashed.connect(lambda _report: where.append(threading.current_thread().name))
    worker = threading.Thread(target=lambda: 1 / 0, name="reader_0")
    worker.start()
    worker.join()
    qtbot.waitUntil(lambda: bool(where))
    assert where == [threading.main_thread().name]
    assert reporter.reports[0].thread == "reader_0"


def test_two_bugs_are_two_reports_in_one_text(reporter: CrashReporter, qtbot) -> None:
    strike()
    try:
        raise KeyError("other")
    except KeyError as error:
        sys.excepthook(KeyError, error, error.__traceback__)
    qtbot.waitUntil(lambda: len(reporter.reports) == 2)
    text = reporter.report_text()
    assert "Memory Workbench" in text
    assert "LookupError: broken" in text
    assert "KeyError: 'other'" in text


def test_ctrl_c_is_no_bug(
    reporter: CrashReporter, qtbot, capsys: pytest.CaptureFixture[str]
) -> None:
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    strike()
    qtbot.waitUntil(lambda: bool(reporter.reports))
    assert len(reporter.reports) == 1
    assert "KeyboardInterrupt" in capsys.readouterr().err


def test_the_trace_of_a_killed_run_is_there_at_the_next_start(tmp_path: Path, qapp) -> None:
    (tmp_path / TRACE_NAME).write_text("Fatal Python error: Segmentation fault", encoding="utf-8")
    first = CrashReporter()
    first.install(tmp_path)
    first.uninstall()
    assert first.earlier_trace == "Fatal Python error: Segmentation fault"
    second = CrashReporter()
    second.install(tmp_path)
    second.uninstall()
    assert second.earlier_trace == ""
