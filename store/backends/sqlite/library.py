"""Which SQLite library serves, and what its errors mean for a person.

SQLite before 3.51.3 can damage a file in WAL mode when two connections meet at a reset of the log
(very rarely). So `pysqlite3`, which brings its own SQLite, is used where the standard library's is
older. One process must never open one file through two libraries: closing in one drops the locks
of the other. Hence the choice is made here, once, for everything.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any, Final

from store.errors import Cancelled, Corrupt, Locked, NotAStore, ReadOnly, StoreError, Unavailable

if TYPE_CHECKING:
    from types import ModuleType

SAFE_FROM: Final = (3, 51, 3)
"""The first version without the WAL-reset bug."""
NEEDED: Final = (3, 37, 0)
"""The first version with STRICT tables, which the schema uses."""


def _choose() -> ModuleType:
    if sqlite3.sqlite_version_info >= SAFE_FROM:
        return sqlite3
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        return sqlite3
    chosen: ModuleType = dbapi2
    return chosen if chosen.sqlite_version_info >= sqlite3.sqlite_version_info else sqlite3


driver: Final = _choose()
"""The DB-API module in use: `pysqlite3.dbapi2` or `sqlite3`."""

Error: type[Exception] = driver.Error
Connection = Any
"""A connection of the driver; the two libraries' classes are unrelated."""
Cursor = Any
"""A cursor of the driver."""


def warning() -> str:
    """Return a sentence about the library in use if there is something to know, else ""."""
    if driver.sqlite_version_info >= SAFE_FROM:
        return ""
    return (
        f"SQLite {driver.sqlite_version} of this Python has a rare fault that can damage a store "
        "when several programs write to it (fixed in 3.51.3); install pysqlite3, or a newer SQLite."
    )


def require() -> None:
    """Refuse a library that is too old for the schema.

    Raises:
        Unavailable: it is.
    """
    if driver.sqlite_version_info < NEEDED:
        raise Unavailable(
            f"SQLite {driver.sqlite_version} is too old for a store, which needs 3.37; install "
            "pysqlite3, or a newer Python."
        )


_BUSY, _LOCKED, _READONLY, _INTERRUPT, _IOERR = 5, 6, 8, 9, 10
_CORRUPT, _FULL, _CANTOPEN, _NOTADB = 11, 13, 14, 26
_HELD: Final = (
    "{path} is locked by another program that has been writing for too long; nothing was written. "
    "Try again, or close that program."
)
_DAMAGED: Final = (
    "{path} is damaged ({said}). Nothing was changed; make a copy, and restore a backup or export "
    "what can still be read."
)
_SENTENCES: Final[dict[int, tuple[type[StoreError], str]]] = {
    _BUSY: (Locked, _HELD),
    _LOCKED: (Locked, _HELD),
    _READONLY: (ReadOnly, "{path} may not be written ({said}); nothing was written."),
    _INTERRUPT: (Cancelled, "The work was stopped on request."),
    _IOERR: (
        Unavailable,
        "The disk that holds {path} could not be read or written ({said}); nothing of this was "
        "kept. Check the disk.",
    ),
    _CORRUPT: (Corrupt, _DAMAGED),
    _FULL: (
        Unavailable,
        "The disk that holds {path} is full; nothing of this write was kept, and what was written "
        "before is safe. Make room and try again.",
    ),
    _CANTOPEN: (Unavailable, "{path} cannot be opened ({said})."),
    _NOTADB: (
        NotAStore,
        "{path} is not a Memory Workbench store: it is no SQLite database.",
    ),
}
"""What the codes of the driver mean for a person."""


def explained(error: BaseException, path: str) -> StoreError | None:
    """Return a driver's error as one of ours, with one sentence; None if it is something else.

    SQLAlchemy's wrapping is looked through.
    """
    original = getattr(error, "orig", None) or error
    if not isinstance(original, Error):
        return None
    code = getattr(original, "sqlite_errorcode", None)
    said = str(original)
    if code is None:
        code = _code_of(said)
    sentence = _SENTENCES.get(code & 0xFF)
    if sentence is not None:
        kind, text = sentence
        return kind(text.format(path=path, said=said))
    if any(part in said for part in ("decode", "malformed", "user-defined function raised")):
        return _damaged(path, said)
    return None


def _damaged(path: str, said: str) -> Corrupt:
    return Corrupt(_DAMAGED.format(path=path, said=said))


def _code_of(said: str) -> int:
    """Guess the code of an error from its text, where the driver does not tell it."""
    texts = {
        "locked": _BUSY,
        "readonly": _READONLY,
        "interrupted": _INTERRUPT,
        "disk I/O": _IOERR,
        "malformed": _CORRUPT,
        "is full": _FULL,
        "unable to open": _CANTOPEN,
        "not a database": _NOTADB,
    }
    return next((code for text, code in texts.items() if text in said), 0)
