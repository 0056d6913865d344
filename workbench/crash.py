"""What happens after a bug: one report that can be copied, however often and wherever it strikes.

Every Python exception in Qt code, from any thread, ends in `sys.excepthook`, as often as it is
raised. The `CrashReporter` hops to the GUI thread by a signal and folds repeats; a window shows
what it announces. A crash of the interpreter itself leaves a trace that the next start can show.
"""

from __future__ import annotations

import faulthandler
import logging
import platform
import sys
import threading
import traceback
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Final

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QObject, Qt, Signal, Slot, qVersion

from workbench import __version__

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from workbench.log import LogRing

_log = logging.getLogger(__name__)

TRACE_NAME: Final = "crash.trace"

Place = tuple[str, str, int]
"""What makes two crashes the same: the exception's type, the file and the line."""


@dataclass(frozen=True, slots=True)
class CrashReport:
    """One bug, however often it struck.

    Attributes:
        place: the exception's type, and the file and line that raised it.
        summary: the exception in one line.
        trace: the traceback of the first time.
        thread: the name of the thread.
        first_at: when it struck first, UTC.
        count: how often it struck.
    """

    place: Place
    summary: str
    trace: str
    thread: str
    first_at: datetime
    count: int = 1


class CrashReporter(QObject):
    """Catches what nothing else caught.

    Signals:
        crashed: a `CrashReport`, on the GUI thread: a new bug, or an old one with a new count.
    """

    crashed = Signal(object)
    _caught = Signal(object)

    def __init__(self, parent: QObject | None = None, *, ring: LogRing | None = None) -> None:
        super().__init__(parent)
        self._ring = ring
        self._reports: dict[Place, CrashReport] = {}
        self._hooks: tuple[object, object] | None = None
        self._trace_file: IO[str] | None = None
        self._was_tracing = False
        self.earlier_trace = ""
        self._caught.connect(self._on_caught, Qt.ConnectionType.QueuedConnection)

    @property
    def reports(self) -> tuple[CrashReport, ...]:
        """All bugs of this run, in the order in which they first struck."""
        return tuple(self._reports.values())

    def install(self, folder: Path) -> None:
        """Catch from now on; read what an earlier crash left in `folder` into `earlier_trace`."""
        self._hooks = sys.excepthook, threading.excepthook
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        self._open_trace(folder / TRACE_NAME)

    def uninstall(self) -> None:
        """Catch no longer; after a clean end the trace file is empty."""
        if self._hooks is not None:
            sys.excepthook, threading.excepthook = self._hooks  # type: ignore[assignment]
            self._hooks = None
        if self._trace_file is not None:
            faulthandler.disable()
            if self._was_tracing and sys.__stderr__ is not None:
                faulthandler.enable(sys.__stderr__)
            self._trace_file.close()
            self._trace_file = None

    def report_text(self) -> str:
        """Give everything that a developer needs as text: versions, bugs, newest log lines."""
        parts = [environment()]
        parts += [
            f"{report.summary}\n{report.count} times, first {report.first_at:%Y-%m-%dT%H:%M:%SZ}, "
            f"thread {report.thread}\n{report.trace}"
            for report in self.reports
        ]
        if self._ring is not None:
            parts.append(f"Newest log lines\n{self._ring.tail()}")
        return "\n\n".join(parts)

    def _open_trace(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                self.earlier_trace = path.read_text(encoding="utf-8", errors="replace").strip()
            self._trace_file = path.open("w", encoding="utf-8")
        except OSError as error:
            _log.warning("No crash trace: %s cannot be written (%s).", path, error)
            return
        self._was_tracing = faulthandler.is_enabled()
        faulthandler.enable(self._trace_file)

    def _on_exception(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        try:
            _log.critical("A bug", exc_info=(kind, error, trace))
            self._caught.emit(_report(kind, error, trace))
        except RuntimeError:  # Qt is gone already
            sys.__excepthook__(kind, error, trace)

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._on_exception(args.exc_type, args.exc_value, args.exc_traceback)

    @Slot(object)
    def _on_caught(self, report: CrashReport) -> None:
        known = self._reports.get(report.place)
        if known is not None:
            report = replace(known, count=known.count + 1)
        self._reports[report.place] = report
        self.crashed.emit(report)


def environment() -> str:
    """Name the versions that matter to a report, one a line."""
    return "\n".join(
        (
            f"Memory Workbench {__version__}",
            f"Python {platform.python_version()}, PySide6 {pyside_version}, Qt {qVersion()}",
            platform.platform(),
        )
    )


def _report(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> CrashReport:
    frames = traceback.extract_tb(trace)
    file, line = (frames[-1].filename, frames[-1].lineno or 0) if frames else ("", 0)
    return CrashReport(
        place=(kind.__qualname__, file, line),
        summary="".join(traceback.format_exception_only(kind, error)).strip(),
        trace="".join(traceback.format_exception(kind, error, trace)),
        thread=threading.current_thread().name,
        first_at=datetime.now(UTC),
    )
