"""Showing what a snapshot brings with it in the programs of the system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from workbench.ops import ReadOp
from workbench.snapshots import take_report_out

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QObject

    from workbench.ops import Failed
    from workbench.session import Session
    from workbench.snapshots import Shelf


def open_report(
    session: Session, shelf: Shelf, path: Path, *, owner: QObject, on_failed: Failed
) -> None:
    """Open the report of a snapshot in the browser, from a copy that runs and loads nothing."""
    session.operations.read(
        ReadOp(
            ("snapshot", "report"),
            lambda _work: take_report_out(path, shelf.make()),
            is_long=True,
        ),
        on_done=show_file,
        on_failed=on_failed,
        owner=owner,
    )


def show_file(path: Path) -> None:
    """Open a file or a folder in the system's program for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
