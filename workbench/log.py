"""Where log records go: a rotating file, a ring in memory for the log panel, and Qt's own words.

Modules log with ``logging.getLogger(__name__)`` and configure nothing; `start` is called once, by
the application. Values of facts are never logged above DEBUG, for log files leave the house.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMessageLogContext, QObject, QtMsgType, Signal, qInstallMessageHandler

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILE_NAME: Final = "workbench.log"
FILE_BYTES: Final = 1_000_000
FILES_KEPT: Final = 3
RING_LINES: Final = 2_000

_FORMAT: Final = "%(asctime)s.%(msecs)03dZ %(levelname)-7s %(name)s: %(message)s"
_DATE_FORMAT: Final = "%Y-%m-%dT%H:%M:%S"

_log = logging.getLogger(__name__)
_qt_log = logging.getLogger("qt")

_QT_LEVELS: Final = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One record, as the log panel shows it.

    Attributes:
        at: when, in UTC.
        level: a level of `logging`, such as ``logging.WARNING``.
        logger: the name of the logger.
        text: the message, with a traceback on further lines if there is one.
    """

    at: datetime
    level: int
    logger: str
    text: str


class LogRing(QObject):
    """The newest log lines of this process.

    Signals:
        appended: with each new `LogLine`; from whichever thread logs, so connect it to a slot of
            an object that lives on the GUI thread.
    """

    appended = Signal(object)

    def __init__(self, size: int = RING_LINES) -> None:
        super().__init__()
        self._lines: deque[LogLine] = deque(maxlen=size)

    def append(self, line: LogLine) -> None:
        """Keep a line, dropping the oldest when full."""
        self._lines.append(line)
        self.appended.emit(line)

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """The kept lines, oldest first."""
        return tuple(self._lines)

    def tail(self, count: int = 50) -> str:
        """Give the newest lines as text, for a report."""
        return "\n".join(
            f"{line.at:%H:%M:%S} {logging.getLevelName(line.level)} {line.logger}: {line.text}"
            for line in self.lines[-count:]
        )


class _RingHandler(logging.Handler):
    def __init__(self, ring: LogRing) -> None:
        super().__init__()
        self._ring = ring
        self._formatter = logging.Formatter("%(message)s")

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = self._formatter.format(record)
            at = datetime.fromtimestamp(record.created, UTC)
            self._ring.append(LogLine(at, record.levelno, record.name, text))
        except Exception:  # logging's own convention: a log call never raises
            self.handleError(record)


class Log:
    """The configured log of this process.

    Attributes:
        ring: the newest lines.
        path: the log file, or None where it could not be opened.
    """

    def __init__(
        self, ring: LogRing, path: Path | None, undo: tuple[Callable[[], object], ...]
    ) -> None:
        self.ring = ring
        self.path = path
        self._undo = undo

    def stop(self) -> None:
        """Close the file and leave `logging` and Qt as they were; may be called twice."""
        for step in self._undo:
            step()
        self._undo = ()


def start(folder: Path, *, level: int = logging.INFO) -> Log:
    """Send the log to a file in `folder` and to a ring, and route Qt's messages into it.

    A folder that cannot be written costs the file only; the ring says so.
    """
    root = logging.getLogger()
    before = root.level
    ring = LogRing()
    handlers: list[logging.Handler] = [_RingHandler(ring)]
    path: Path | None = folder / FILE_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handlers.append(_file_handler(folder / FILE_NAME))
        problem = None
    except OSError as error:
        path, problem = None, error
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level)
    logging.captureWarnings(capture=True)
    earlier = qInstallMessageHandler(_on_qt_message)

    def take_handlers_away() -> None:
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()

    if problem is not None:
        _log.warning("No log file: %s cannot be written (%s).", folder, problem)
    return Log(
        ring,
        path,
        (
            lambda: qInstallMessageHandler(earlier),
            lambda: logging.captureWarnings(capture=False),
            take_handlers_away,
            lambda: root.setLevel(before),
        ),
    )


def _file_handler(path: Path) -> logging.Handler:
    handler = RotatingFileHandler(
        path,
        maxBytes=FILE_BYTES,
        backupCount=FILES_KEPT,
        encoding="utf-8",
        errors="backslashreplace",
    )
    formatter = logging.Formatter(_FORMAT, _DATE_FORMAT)
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    return handler


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    category = context.category or "default"
    _qt_log.log(_QT_LEVELS.get(kind, logging.WARNING), "%s: %s", category, message)
