"""Copying a foreign SQLite file as it stood at one instant, without opening the original.

A library that opens a database takes locks, may recover its log and writes beside it even when it
only reads; so the original is read as bytes. The file and its log are copied, then compared with
the originals byte by byte: if nothing differs, no byte changed between its copying and its
comparing, and the copy is what lay there at the instant between. That is the state which a crash
would have left, and SQLite is made to open that.
"""

from __future__ import annotations

import shutil
import time
from filecmp import clear_cache, cmp
from typing import TYPE_CHECKING, Final

from store.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from pathlib import Path

SQLITE_HEADER: Final = b"SQLite format 3\0"
ATTEMPTS: Final = 10
_PAUSE_S: Final = 0.1
_LOGS: Final = ("-wal", "-journal")


def copy_database(original: Path, folder: Path) -> Path:
    """Copy a SQLite file with its write-ahead log or journal into a folder of our own.

    Raises:
        Invalid: it is no SQLite file.
        Unavailable: it kept changing while it was copied, or cannot be read or copied.
    """
    try:
        with original.open("rb") as file:
            if file.read(len(SQLITE_HEADER)) != SQLITE_HEADER:
                raise Invalid("this is not a SQLite file.")
        for attempt in range(ATTEMPTS):
            time.sleep(_PAUSE_S * attempt)
            if _copied(original, folder):
                return folder / original.name
    except OSError as error:
        raise Unavailable(f"it cannot be copied: {error.strerror or error}.") from error
    raise Unavailable("it keeps changing while it is copied; stop what writes to it, or try again.")


def _copied(original: Path, folder: Path) -> bool:
    """Copy once and say whether the copy is of one instant."""
    files = _files(original, folder)
    try:
        for source, copy in files:
            copy.unlink(missing_ok=True)
            if source.exists():
                shutil.copyfile(source, copy)
        return all(_is_same(source, copy) for source, copy in files)
    except FileNotFoundError:  # a log went away between the look and the copy
        return False


def _is_same(source: Path, copy: Path) -> bool:
    clear_cache()
    if not source.exists():
        return not copy.exists()
    return copy.exists() and cmp(source, copy, shallow=False)


def _files(original: Path, folder: Path) -> list[tuple[Path, Path]]:
    names = [original.name, *(original.name + log for log in _LOGS)]
    return [(original.with_name(name), folder / name) for name in names]
