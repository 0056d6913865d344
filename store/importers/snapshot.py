"""Copying a foreign SQLite file as it stood at one instant, and not touching the original.

A library that opens a database takes locks, may recover its log and writes beside it even when it
only reads; so the original is read as bytes. The file and its log are copied, then compared with
the originals byte by byte: if nothing differs, no byte changed between its copying and its
comparing, and the copy is what lay there at the instant between. That is the state which a crash
would have left, and SQLite is made to open that.

Only where another program writes so busily that this never succeeds, SQLite's own backup is asked:
then the log is in use anyway, and its locks keep the copy whole.
"""

from __future__ import annotations

import importlib
import shutil
import time
from contextlib import closing
from filecmp import clear_cache, cmp
from typing import TYPE_CHECKING, Any, Final

from store.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from pathlib import Path

SQLITE_HEADER: Final = b"SQLite format 3\0"
ATTEMPTS: Final = 4
_PAUSE_S: Final = 0.1
_WAITS: Final = 40
"""SQLite's backup waits a quarter of a second for each, and by itself for ever."""
_DONE: Final = (0, 101)
"""SQLITE_OK and SQLITE_DONE."""
_LOGS: Final = ("-wal", "-journal")


def copy_database(original: Path, folder: Path) -> Path:
    """Copy a SQLite file with its write-ahead log or journal into a folder of our own.

    Raises:
        Invalid: it is no SQLite file.
        Unavailable: it cannot be read or copied, or what writes to it does not let go.
    """
    original = original.resolve()  # a log lies beside the file itself, not beside a link to it
    try:
        with original.open("rb") as file:
            if file.read(len(SQLITE_HEADER)) != SQLITE_HEADER:
                raise Invalid("this is not a SQLite file.")
        for attempt in range(ATTEMPTS):
            time.sleep(_PAUSE_S * attempt)
            if _copied(original, folder):
                return folder / original.name
        return _backed_up(original, folder)
    except OSError as error:
        raise Unavailable(f"it cannot be copied: {error.strerror or error}.") from error


def sqlite_driver() -> Any:
    """Return the SQLite library that the backend uses as well: the newer one if it is there.

    No process may open one file with two of them.
    """
    try:
        return importlib.import_module("pysqlite3")
    except ImportError:
        return importlib.import_module("sqlite3")


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


def _backed_up(original: Path, folder: Path) -> Path:
    """Copy a file that another program is writing, under SQLite's locks.

    Raises:
        Unavailable: the other program does not let go of it.
    """
    driver = sqlite_driver()
    for _, copy in _files(original, folder):
        copy.unlink(missing_ok=True)
    target = folder / original.name
    address = f"{original.resolve().as_uri()}?mode=ro"
    try:
        with (
            closing(driver.connect(address, uri=True, timeout=0)) as source,
            closing(driver.connect(str(target))) as copied,
        ):
            waits = iter(range(_WAITS))

            def give_up_at_last(status: int, _left: int, _pages: int) -> None:
                if status not in _DONE and next(waits, None) is None:
                    raise driver.OperationalError("it is locked")

            source.backup(copied, progress=give_up_at_last)
    except driver.Error as error:
        raise Unavailable(
            f"it keeps changing while it is copied ({error}); stop what writes to it, or try again."
        ) from error
    return target


def _is_same(source: Path, copy: Path) -> bool:
    clear_cache()
    if not source.exists():
        return not copy.exists()
    return copy.exists() and cmp(source, copy, shallow=False)


def _files(original: Path, folder: Path) -> list[tuple[Path, Path]]:
    names = [original.name, *(original.name + log for log in _LOGS)]
    return [(original.with_name(name), folder / name) for name in names]
