"""Opening a file as a store, making one, and everything that can be wrong with a file.

What stands behind each refusal is one error with one sentence. Nothing here trusts the file: what
it consists of is compared with what a store of this version consists of, so that a crafted view or
trigger is met with a sentence rather than run.
"""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from store.backends.sqlite import library, schema
from store.backends.sqlite.connection import Database, connect
from store.backends.sqlite.library import Error, explained
from store.errors import (
    Corrupt,
    Invalid,
    NotAStore,
    NotFound,
    ReadOnly,
    StoreError,
    TooNew,
    TooOld,
    Unavailable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from store.backends.sqlite.library import Connection
    from store.contract import Cancel, Progress

_MAGIC: Final = b"SQLite format 3\0"
_HEADER_BYTES: Final = 100
_STALE_S: Final = 3600.0
"""An unfinished new store of that age was left behind by a program that died."""
NETWORK: Final = frozenset(
    {
        "nfs",
        "nfs4",
        "cifs",
        "smb2",
        "smb3",
        "smbfs",
        "afs",
        "ncpfs",
        "9p",
        "ceph",
        "glusterfs",
        "lustre",
        "davfs",
        "fuse.sshfs",
        "fuse.glusterfs",
        "fuse.rclone",
        "fuse.s3fs",
    }
)
"""File systems on which the shared memory of a write-ahead log does not work."""
PAGES_AT_ONCE: Final = 1000
"""A backup looks for a wish to stop after so many pages (4 MB)."""
DURABILITIES: Final = {"full": "FULL", "normal": "NORMAL"}


@dataclass(frozen=True, slots=True)
class Opened:
    """An open file.

    Attributes:
        store_id: the identity of the store in it.
        notice: what a person should know about how it was opened, or "".
    """

    database: Database
    store_id: str
    notice: str


def open_file(
    path: Path,
    *,
    create: bool,
    read_only: bool,
    durability: str,
    patience_s: float,
    new_store: Callable[[], tuple[str, int]],
) -> Opened:
    """Open a file, or make it.

    Args:
        path: of the file.
        create: make it if it is not there.
        read_only: change nothing, not even by a migration.
        durability: "full" (a commit is on the disk when it returns) or "normal" (a power loss may
            take the last commits, never more).
        patience_s: how long a write waits for another program's.
        new_store: gives the identity of a new store and the time in microseconds.

    Raises:
        StoreError: as `open_store` says.
    """
    library.require()
    if durability not in DURABILITIES:
        raise Invalid(f"Durability is full or normal, not {durability!r}.")
    notices = [library.warning()]
    try:
        if not _exists(path):
            _create(path, create and not read_only, new_store)
        _check_file(path)
        if not read_only:
            _check_permissions(path)
        uri, write_uri, notice = _uris(path, read_only=read_only)
        notices.append(notice)
        notices.append(_admit(path, write_uri or uri, patience_s, may_write=not read_only))
        database = Database(
            path,
            uri,
            write_uri,
            synchronous=DURABILITIES[durability],
            patience_s=patience_s,
        )
    except (Error, OSError) as error:
        raise _explained(error, path) from error
    try:
        with database.errors():
            store_id = _identity(database)
    except BaseException:
        database.close()
        raise
    return Opened(database, store_id, " ".join(n for n in notices if n))


def _explained(error: Exception, path: Path) -> Exception:
    if isinstance(error, PermissionError):
        return Unavailable(f"{path} may not be read or written by this user.")
    if isinstance(error, OSError):
        return Unavailable(f"{path} cannot be opened: {error.strerror or error}.")
    return explained(error, str(path)) or error


def _exists(path: Path) -> bool:
    if path.is_dir():
        raise NotAStore(f"{path} is a folder, not a store; name a file in it.")
    return path.exists()


# -- the file as such ---------------------------------------------------------------------------


def _check_file(path: Path) -> None:
    """Refuse what is no store by its first bytes, before SQLite looks at it."""
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if not header:
        raise NotAStore(f"{path} is empty, so it is not a store; nothing was changed.")
    if not header.startswith(_MAGIC):
        raise NotAStore(
            f"{path} is not a Memory Workbench store: it is no SQLite database. Nothing was "
            "changed."
        )
    if len(header) < _HEADER_BYTES:
        raise Corrupt(f"{path} is damaged: it ends within its first bytes. Nothing was changed.")
    if int.from_bytes(header[68:72], "big") != schema.APPLICATION_ID:
        raise NotAStore(
            f"{path} is a SQLite database of another program, not a Memory Workbench store. "
            "Nothing was changed."
        )
    size = int.from_bytes(header[16:18], "big")
    page_bytes = 65536 if size == 1 else size
    pages = int.from_bytes(header[28:32], "big")
    has_log = path.with_name(path.name + "-wal").exists()
    if not has_log and path.stat().st_size < pages * page_bytes:
        raise Corrupt(
            f"{path} is damaged: it has lost its end ({path.stat().st_size:,} of "
            f"{pages * page_bytes:,} bytes are there). Nothing was changed; restore a backup."
        )


def _check_permissions(path: Path) -> None:
    if not os.access(path, os.W_OK):
        raise ReadOnly(f"{path} may not be written by this user; open it for reading only.")
    if not os.access(path.parent, os.W_OK):
        raise ReadOnly(
            f"The folder of {path} may not be written by this user, and SQLite keeps its log "
            "there; open the store for reading only."
        )


def _uris(path: Path, *, read_only: bool) -> tuple[str, str | None, str]:
    """Return the addresses for reading and for writing, and a notice."""
    base = path.absolute().as_uri()
    if not read_only:
        return f"{base}?mode=rw", f"{base}?mode=rw", ""
    log = path.with_name(path.name + "-wal")
    has_log = log.exists() and log.stat().st_size > 0
    if has_log or os.access(path.parent, os.W_OK):
        return f"{base}?mode=ro", None, ""
    # Reading a file in WAL mode needs shared memory beside it, which cannot be made here.
    return (
        f"{base}?mode=ro&immutable=1",
        None,
        "The folder may not be written, so changes by other programs will not be seen.",
    )


# -- the database in it -------------------------------------------------------------------------


def _admit(path: Path, uri: str, patience_s: float, *, may_write: bool) -> str:
    """Refuse databases that are no store of this version, after a migration if need be.

    Returns what a person should know about it.
    """
    connection = connect(uri, patience_s=patience_s)
    try:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > schema.VERSION:
            raise TooNew(
                f"{path} was written by a newer version of the program (schema {version}; this "
                f"one knows {schema.VERSION}). Nothing was changed; update the program."
            )
        if version < schema.VERSION and not may_write:
            raise TooOld(
                f"{path} has an older schema ({version}; this program needs {schema.VERSION}); "
                "open it for writing once, so that it is copied and brought up to date."
            )
        notices = [_migrated(path, uri, version) if version < schema.VERSION else ""]
        _check_objects(path, connection)
        if may_write:
            notices.append(_set_journal(path, connection))
    finally:
        connection.close()
    return " ".join(notice for notice in notices if notice)


@cache
def _expected() -> dict[tuple[str, str], str]:
    return schema.expected()


def _check_objects(path: Path, connection: Connection) -> None:
    found, expected = schema.objects(connection), _expected()
    strange = sorted(f"{kind} {name}" for kind, name in found.keys() - expected.keys())
    missing = sorted(f"{kind} {name}" for kind, name in expected.keys() - found.keys())
    other = sorted(f"{k} {n}" for (k, n), sql in expected.items() if found.get((k, n), sql) != sql)
    for said, names in (
        ("has what no store has", strange),
        ("lacks", missing),
        ("has in another form", other),
    ):
        if names:
            listed = ", ".join(names[:3]) + (" and more" if len(names) > 3 else "")
            raise Corrupt(
                f"{path} is not as the program made it: it {said}: {listed}. Nothing was run or "
                "changed; restore a backup."
            )


def _migrated(path: Path, uri: str, version: int) -> str:
    """Bring a store up to date, all steps or none, after a copy of the file is made."""
    from store import migrations  # (alembic is slow to import, and rarely needed)

    copy = _copy_name(path, version)
    engine = create_engine(
        "sqlite://", module=library.driver, creator=lambda: connect(uri), poolclass=NullPool
    )
    with engine.begin() as steps:
        connection = steps.connection.driver_connection
        assert connection is not None
        connection.execute("BEGIN IMMEDIATE")
        if int(connection.execute("PRAGMA user_version").fetchone()[0]) != version:
            return ""  # another program was faster
        _copy(uri, copy)
        try:
            migrations.upgrade(steps)
            _check_objects(path, connection)
        except StoreError:
            raise
        except Exception as error:
            cause = getattr(error, "orig", None) or error
            raise TooOld(
                f"{path} has an older schema ({version}) and could not be brought up to date "
                f"({cause}). It is as it was, and {copy} is a copy of it."
            ) from error
    return f"The store was of an older version and was brought up to date; {copy} is as it was."


def _copy_name(path: Path, version: int) -> Path:
    """Return a free name beside a store for the copy of its older version."""
    plain = path.with_name(f"{path.stem}.schema-{version}{path.suffix}")
    name, number = plain, 1
    while name.exists():
        number += 1
        name = plain.with_name(f"{plain.stem}-{number}{plain.suffix}")
    return name


def _copy(uri: str, copy: Path) -> None:
    """Copy a store while its write lock is held, on a connection of its own."""
    source, target = connect(uri), library.driver.connect(str(copy))
    try:
        source.backup(target)
    finally:
        source.close()
        target.close()


def _identity(database: Database) -> str:
    """Return the store's identity."""
    with database.reading() as reader:
        found = reader.driver.execute("SELECT store_id FROM store").fetchone()
    if found is None:
        raise Corrupt(f"{database.path} does not say which store it is: it is damaged.")
    return str(found[0])


def _set_journal(path: Path, connection: Connection) -> str:
    """Use a write-ahead log, except on network drives, where it cannot work."""
    wanted = "delete" if is_network_drive(path) else "wal"
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    if mode != wanted:
        # Another program that has the store open keeps the mode as it is, or just set it.
        with contextlib.suppress(Error):
            connection.execute(f"PRAGMA journal_mode = {wanted}").fetchone()
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    if wanted == "wal":
        return "" if mode == "wal" else "The store works without a write-ahead log: slower."
    return (
        "The store is on a network drive: writing is slower there, and a power loss or a "
        "drive that does not keep its locks can damage it. A local disk is better."
    )


def is_network_drive(path: Path, mounts: Path = Path("/proc/mounts")) -> bool:
    """Say whether a path lies on a network file system, where the system tells (Linux)."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        place = path.resolve()
    except OSError:
        return False
    kind, longest = "", -1
    for line in lines:
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = Path(fields[1].replace("\\040", " "))
        if place.is_relative_to(point) and len(point.parts) >= longest:
            kind, longest = fields[2], len(point.parts)
    return kind in NETWORK


# -- making one ---------------------------------------------------------------------------------


def _create(path: Path, may_create: bool, new_store: Callable[[], tuple[str, int]]) -> None:
    """Make a new store beside its place and move it there whole, so that nothing is half-made."""
    if not may_create:
        raise NotFound(f"There is no store at {path}.")
    if not path.parent.is_dir():
        raise NotFound(f"No store can be made at {path}: its folder is not there; make it first.")
    _sweep(path)
    try:
        with _drafted(path) as draft:
            _build(draft, *new_store())
            with contextlib.suppress(FileExistsError):  # another program was faster: open its store
                _place(draft, path)
    except (Error, OSError) as error:
        raise _not_made(error, path) from error


@contextlib.contextmanager
def _drafted(path: Path) -> Iterator[Path]:
    """Give an empty file beside a place; what is left of it at the end is removed."""
    draft = path.with_name(f".{path.name}.new-{secrets.token_hex(4)}")
    try:
        draft.touch(exist_ok=False)
        yield draft
    finally:
        for end in ("", "-journal", "-wal", "-shm"):
            draft.with_name(draft.name + end).unlink(missing_ok=True)


def _not_made(error: Exception, path: Path) -> StoreError:
    refused = isinstance(error, PermissionError)
    explanation = explained(error, str(path))
    if refused or isinstance(explanation, ReadOnly):
        return ReadOnly(
            f"No store can be made at {path}: the folder may not be written by this user."
        )
    return explanation or Unavailable(
        f"No store can be made at {path}: {error}. Nothing was left behind."
    )


def copy_to(
    source: Connection,
    path: Path,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> None:
    """Copy a store to a new file, as it is in the transaction that is open on the connection.

    Args:
        source: in a reading transaction, so that writers need not wait and do not show.
        path: of the new file.
        progress: told how many pages are copied, and of how many.
        cancel: stops it; nothing is left at the path.

    Raises:
        Invalid: there is something at the path.
        NotFound: its folder is not there.
        Cancelled: stopped on request.
        Unavailable: the disk is full, or cannot be written.
    """
    if os.path.lexists(path):
        raise Invalid(f"There is something at {path} already; nothing was written.")
    if not path.parent.is_dir():
        raise NotFound(f"No copy can be made at {path}: its folder is not there; make it first.")

    def heard(_status: int, remaining: int, total: int) -> None:
        if cancel is not None:
            cancel.check()
        if progress is not None:
            progress(total - remaining, total)

    _sweep(path)
    try:
        with _drafted(path) as draft:
            target = connect(f"{draft.absolute().as_uri()}?mode=rw", "PRAGMA synchronous = FULL")
            try:
                source.execute("SELECT 1 FROM store").close()  # from here on, nothing shows
                source.backup(target, pages=PAGES_AT_ONCE, progress=heard)
                if is_network_drive(draft):
                    target.execute("PRAGMA journal_mode = delete").close()
            finally:
                target.close()
            _place(draft, path)
    except FileExistsError as error:
        raise Invalid(f"There is something at {path} already; nothing was written.") from error
    except (Error, OSError) as error:
        if cancel is not None:
            cancel.check()
        raise _not_made(error, path) from error


def _build(draft: Path, store_id: str, created_at: int) -> None:
    connection = connect(f"{draft.absolute().as_uri()}?mode=rw", "PRAGMA synchronous = FULL")
    try:
        connection.execute("BEGIN IMMEDIATE")
        schema.build(connection, store_id, created_at)
        connection.execute("COMMIT")
        if not is_network_drive(draft):
            connection.execute("PRAGMA journal_mode = wal").close()
    finally:
        connection.close()


def _place(draft: Path, path: Path) -> None:
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # no hard links here: a rename may replace a store made at this very moment
        if path.exists():
            raise FileExistsError from None
        draft.rename(path)


def _sweep(path: Path) -> None:
    """Remove drafts of this store that a program left when it died."""
    now = time.time()
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.new-*"):
        with contextlib.suppress(OSError):
            if now - leftover.stat().st_mtime > _STALE_S:
                leftover.unlink()
