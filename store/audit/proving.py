"""Proving a snapshot with the errors of a store: before it is taken back, or compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.audit import verify
from store.audit.reading import naming
from store.errors import Cancelled, Corrupt, NotFound

if TYPE_CHECKING:
    from pathlib import Path

    from store.contract import Cancel, Progress


def verdict_on(
    path: Path,
    *,
    head: str | None = None,
    manifest: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> verify.Verdict:
    """Verify a snapshot as `store.audit.verify` does, with the errors of a store.

    Args:
        path: a directory or a zip.
        head: `N:DIGEST`, kept elsewhere.
        manifest: SHA-256 of the manifest, kept elsewhere.
        progress: told how many bytes were looked at.
        cancel: stops it.

    Raises:
        NotFound: there is nothing at the path.
        Corrupt: it is nothing that could be read safely as a snapshot.
        Cancelled: stopped on request.
    """
    if not path.exists():
        raise NotFound(f"There is nothing at {path}.")
    try:
        return verify.verify(
            path,
            head=head,
            manifest=manifest,
            progress=progress,
            is_cancelled=None if cancel is None else lambda: cancel.is_cancelled,
        )
    except verify.Broken as error:
        raise Corrupt(naming(path, error)) from error
    except verify.Cancelled as error:
        raise Cancelled("The work was stopped on request.") from error


def first_wrong(
    path: Path, *, progress: Progress | None = None, cancel: Cancel | None = None
) -> str:
    """Verify a snapshot, and return the first thing that is wrong and where; "" if nothing is.

    Raises:
        NotFound: there is nothing at the path.
        Corrupt: it is nothing that could be read safely as a snapshot.
        Cancelled: stopped on request.
    """
    return told(verdict_on(path, progress=progress, cancel=cancel).first_failure)


def told(failed: verify.Check | None) -> str:
    """Return in one sentence where a check failed and how; "" without one."""
    if failed is None:
        return ""
    where = f"{failed.place}: " if str(failed.place) else ""
    return f"{where}{failed.message}"
