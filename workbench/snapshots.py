"""Snapshots on their way to the desk: told from stores, opened as copies, their reports shown.

A snapshot may come from anywhere. A copy is restored only after it was verified; a report is shown
from a copy that runs no script and loads nothing. Both lie on a `Shelf` and go with the program.
"""

from __future__ import annotations

import re
import shutil
import threading
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLockFile

from store import Corrupt, Unsupported, open_store

if TYPE_CHECKING:
    from datetime import datetime

    from PySide6.QtCore import QMimeData

    from store.contract import Cancel, Progress

MANIFEST: Final = "manifest.json"
REPORT: Final = "report.html"
LARGEST_REPORT: Final = 128_000_000
"""Bytes; a larger report is not shown."""

#: Stands before whatever a package brings as its report: a browser then runs and loads nothing.
_FENCE: Final = (
    b'<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
    b"content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    b"form-action 'none'; base-uri 'none'\">\n"
)
_LEADS_AWAY: Final = re.compile(rb"(http)-(equiv)", re.IGNORECASE)
_AS_TEXT: Final = rb"\1&#45;\2"
"""Reads the same in a text, and is no attribute: a page could lead to another one by it."""


class Withheld(Unsupported):
    """What a snapshot keeps back is needed to look at it as a store."""


@dataclass(frozen=True, slots=True)
class OpenedSnapshot:
    """From which snapshot a store is that was restored to be looked at.

    Attributes:
        path: the package.
        number: the transaction as of which it was taken.
        recorded_at: of that transaction; None where there was none.
        head: in the form that `verify` takes, ``N:DIGEST``.
        is_whole: the record is the same, transactions included; otherwise the package holds a part
            of it, and its facts were taken in anew.
        conflicts_left: how many open conflicts the package has that are not in the store.
    """

    path: Path
    tenant_id: str
    number: int
    recorded_at: datetime | None
    head: str
    is_whole: bool
    conflicts_left: int = 0


def package_of(path: Path) -> Path:
    """Return the folder of a manifest that was pointed at instead of the folder itself."""
    return path.parent if path.name == MANIFEST else path


def restore_copy(
    path: Path, at: Path, *, tool: str, progress: Progress, cancel: Cancel
) -> OpenedSnapshot:
    """Verify a snapshot and restore it into a new store at a path.

    Raises:
        Withheld: values or contents are not in it.
        Invalid, TooNew: it is no snapshot, or of a version that is not known.
        Corrupt: it is damaged, or does not stand verification.
        Cancelled: stopped on request; what is at `at` is to be thrown away.
    """
    # Wanted rarely, and much: not before someone opens a snapshot.
    from store.audit.format import Withhold
    from store.audit.reading import read_manifest
    from store.audit.restore import restore_snapshot
    from store.importers import OnError

    manifest = read_manifest(path)
    if manifest.arguments.withhold is not Withhold.NOTHING:
        said = QCoreApplication.translate(
            "Snapshot",
            "{name} keeps values or contents back, so there is no record in it that could be "
            "opened. Its report and its proof are there.",
        )
        raise Withheld(said.format(name=path.name))
    with open_store(at, create=True, tool=tool) as store:
        report = restore_snapshot(
            store, None, path, on_error=OnError.SKIP, progress=progress, cancel=cancel
        )
    cancel.check()
    head = manifest.head
    return OpenedSnapshot(
        path=path,
        tenant_id=manifest.tenant_id,
        number=head.number,
        recorded_at=head.recorded_at,
        head=str(head),
        is_whole=report.is_whole,
        conflicts_left=0 if report.is_whole else report.conflicts_count,
    )


def take_report_out(path: Path, folder: Path) -> Path:
    """Copy the report of a snapshot into a folder, as a page that runs and loads nothing.

    Raises:
        Corrupt: there is no report, it is too large, or the package cannot be read.
    """
    out = folder / REPORT
    out.write_bytes(_FENCE + _LEADS_AWAY.sub(_AS_TEXT, _report_of(path)))
    return out


def _report_of(path: Path) -> bytes:
    from store.audit.verify import Broken, Package

    try:
        with Package(path) as package:
            return package.read(REPORT, LARGEST_REPORT)
    except Broken as error:
        raise Corrupt(f"The report in {path.name} cannot be shown. {error}") from error


class Shelf:
    """Folders for what is looked at and not kept; all of them go when the program ends.

    Thread-safe. What a program left behind that did not end as it should is removed by `sweep`;
    what another one that runs has on its shelf stays.
    """

    def __init__(self, root: Path) -> None:
        """Make a shelf in a folder of the program's; nothing is written until `make`."""
        self._root = root
        self._own = root / uuid.uuid4().hex
        self._lock: QLockFile | None = None
        self._guard = threading.Lock()

    def make(self) -> Path:
        """Make a new empty folder."""
        with self._guard:
            if self._lock is None:
                self._root.mkdir(parents=True, exist_ok=True)
                self._lock = _lock_of(self._own)  # first: a folder without a lock is swept
                self._lock.tryLock(0)
                self._own.mkdir(mode=0o700)
            made = self._own / uuid.uuid4().hex
            made.mkdir(mode=0o700)
            return made

    def drop(self, folder: Path) -> None:
        """Remove a folder that `make` made, with all that is in it."""
        if folder.parent == self._own:
            shutil.rmtree(folder, ignore_errors=True)

    def sweep(self) -> None:
        """Remove what programs that do not run any more left behind."""
        left = list(self._root.iterdir()) if self._root.is_dir() else []
        for folder in left:
            if folder == self._own or not folder.is_dir() or folder.is_symlink():
                continue
            lock = _lock_of(folder)
            if lock.tryLock(0):
                shutil.rmtree(folder, ignore_errors=True)
                lock.unlock()

    def clear(self) -> None:
        """Remove everything that is on this shelf."""
        with self._guard:
            shutil.rmtree(self._own, ignore_errors=True)
            if self._lock is not None:
                self._lock.unlock()
                self._lock = None


def _lock_of(folder: Path) -> QLockFile:
    lock = QLockFile(str(folder.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # however old: it holds as long as its process runs
    return lock


def dropped_file(carried: QMimeData) -> Path | None:
    """Return the one local file or folder that is dragged, or None."""
    urls = carried.urls() if carried.hasUrls() else []
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    return Path(urls[0].toLocalFile())
