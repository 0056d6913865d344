"""The connections to one store: one that writes, as many as wanted that read.

The writer's transactions are explicit (`BEGIN IMMEDIATE`), stand in the queue of the gate, and
never overlap within the process. A reader looks at one consistent state for as long as it is held.
All errors of the driver become ours here.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager, nullcontext
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from store.backends.sqlite import functions
from store.backends.sqlite.codec import unreadable
from store.backends.sqlite.gate import PATIENCE_S, Gate
from store.backends.sqlite.library import Connection, Cursor, Error, driver, explained
from store.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import sqlalchemy

    from store.contract import Cancel

BUSY_SHARE: Final = 1 / 3
"""Which part of a writer's patience is for locks that the gate does not know of."""
IDLE_READERS: Final = 8
"""How many reading connections are kept for the next read."""
WAL_PAGES: Final = 4000
"""The log is carried over into the file when it has so many pages (16 MiB)."""

FOREIGN: Final = (Error, DBAPIError, UnicodeEncodeError, JSONDecodeError, OverflowError)
"""Errors that are not ours, and come of the file, the driver, or what was asked."""
WRITER_CACHE_KIB: Final = 16 * 1024
READER_CACHE_KIB: Final = 32 * 1024
"""How much of the file a connection may keep; SQLite's own 2 MiB make large stores read it anew.

The writer keeps less: each commit that splits pages goes through all of them.
"""
_SAFE: Final = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
)


def connect(uri: str, *pragmas: str, patience_s: float = PATIENCE_S) -> Connection:
    """Open a connection that trusts nothing in the file's schema; transactions are explicit.

    SQLite itself waits for locks that the gate does not know of, for a part of the patience.
    """
    connection = driver.connect(
        uri,
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=512,
    )
    try:
        waiting = f"PRAGMA busy_timeout = {int(patience_s * BUSY_SHARE * 1000)}"
        for pragma in (waiting, *_SAFE, *pragmas):
            connection.execute(pragma).close()
    except BaseException:
        connection.close()
        raise
    return connection


class Reader:
    """A connection that reads, in use by one thread at a time.

    Attributes:
        driver: the driver's connection, for hot statements.
    """

    def __init__(self, database: Database) -> None:
        self._sql = database.engine.connect()
        self.driver: Connection = self._sql.connection.driver_connection

    def all(self, statement: sqlalchemy.Executable, **values: Any) -> Sequence[Any]:
        """Run a statement of SQLAlchemy Core and return its rows."""
        return self._sql.execute(statement, values).all()

    def one(self, statement: sqlalchemy.Executable, **values: Any) -> Any:
        """Run a statement and return the first value of its first row, None if there is none."""
        return self._sql.execute(statement, values).scalar()

    def each(self, statement: sqlalchemy.Executable, **values: Any) -> Iterator[Any]:
        """Run a statement and yield its rows one by one."""
        result = self._sql.execute(statement, values)
        try:
            yield from result
        finally:
            result.close()

    def close(self) -> None:
        """Close the connection."""
        self._sql.close()


class Database:
    """The connections to one file.

    Args:
        path: of the file; for messages and the gate.
        uri: for reading.
        write_uri: for writing; None for a store that is open for reading.
        synchronous: SQLite's setting for the writer, FULL or NORMAL.
        patience_s: how long a write waits for another program's.

    Attributes:
        cursor: of the writer, for hot statements; each is run to its end before the next. None for
            a store that is open for reading.
    """

    def __init__(
        self,
        path: Path,
        uri: str,
        write_uri: str | None = None,
        *,
        synchronous: str = "FULL",
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.path = path
        self._uri = uri
        self._patience_s = patience_s
        self._lock = threading.Lock()
        self._gate = Gate(path.with_name(path.name + "-gate"), patience_s)
        self._idle: list[Reader] = []
        self._writing = Writing(self, None)
        self._is_closed = False
        self.engine = create_engine(
            "sqlite://", module=driver, creator=self._connect_reader, poolclass=NullPool
        )
        with self.errors():
            self._watch = self._connect_to_read()
            self._writer: Connection | None = None
            self.cursor: Cursor = None
            if write_uri is not None:
                self._writer = connect(
                    write_uri,
                    f"PRAGMA synchronous = {synchronous}",
                    f"PRAGMA cache_size = -{WRITER_CACHE_KIB}",
                    f"PRAGMA wal_autocheckpoint = {WAL_PAGES}",
                    f"PRAGMA journal_size_limit = {2 * WAL_PAGES * 4096}",
                    patience_s=patience_s,
                )
                self.cursor = self._writer.cursor()

    def _connect_to_read(self) -> Connection:
        return connect(
            self._uri,
            "PRAGMA query_only = ON",
            f"PRAGMA cache_size = -{READER_CACHE_KIB}",
            patience_s=self._patience_s,
        )

    def _connect_reader(self) -> Connection:
        connection = self._connect_to_read()
        functions.register(connection)
        return connection

    # -- errors -------------------------------------------------------------------------------

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn errors of the driver into ours while the block runs."""
        try:
            yield
        except FOREIGN as error:
            raise self.explained(error) from error

    def explained(self, error: Exception) -> Exception:
        """Return our error for one of the driver's; itself if it is a bug."""
        if self._is_closed:
            return Unavailable("The store is closed.")
        if isinstance(error, UnicodeEncodeError):
            return Invalid("The question holds half of a surrogate pair, which is not text.")
        if isinstance(error, JSONDecodeError | OverflowError):
            return unreadable(error)
        return explained(error, str(self.path)) or error

    def check_open(self) -> None:
        """Raise `Unavailable` once the store is closed."""
        if self._is_closed:
            raise Unavailable("The store is closed.")

    # -- reading ------------------------------------------------------------------------------

    def take(self) -> Reader:
        """Return a reader for the caller's own use; give it back with `give`."""
        self.check_open()
        try:
            return self._idle.pop()
        except IndexError:
            with self.errors():
                return Reader(self)

    def give(self, reader: Reader) -> None:
        """Take a reader back, outside any transaction."""
        if self._is_closed or len(self._idle) >= IDLE_READERS:
            reader.close()
        else:
            self._idle.append(reader)

    def _take_back(self, reader: Reader) -> None:
        """End a reader's transaction; one that an interrupt left in the middle is closed."""
        try:
            if reader.driver.in_transaction:
                reader.driver.execute("ROLLBACK").close()
        except Error:
            reader.close()
        else:
            self.give(reader)

    @contextmanager
    def reading(self, cancel: Cancel | None = None) -> Iterator[Reader]:
        """Lend a reader that sees one state while the block runs; `cancel` breaks statements off.

        Raises:
            Cancelled: it was asked to stop.
        """
        reader = self.take()
        connection = reader.driver
        try:
            with self.errors():
                connection.execute("BEGIN").close()
                with nullcontext() if cancel is None else cancel.interrupts(connection.interrupt):
                    yield reader
        finally:
            self._take_back(reader)

    def version(self) -> int:
        """Return a number that changes with every commit of any connection but its own."""
        self.check_open()
        with self.errors():
            return int(self._watch.execute("PRAGMA data_version").fetchone()[0])

    # -- writing ------------------------------------------------------------------------------

    def writing(self, patience_s: float | None = None) -> Writing:
        """Lend the writer, in a transaction; it is rolled back unless the block commits it.

        Args:
            patience_s: how long to wait for other writers, if not as long as usual.
        """
        return self._writing if patience_s is None else Writing(self, patience_s)

    def _begin(self, patience_s: float | None) -> Connection:
        if patience_s is None:
            self._lock.acquire()
        elif not self._lock.acquire(timeout=patience_s):
            raise Unavailable(f"{self.path} is being written; nothing more was written now.")
        cursor = self.cursor
        try:
            self.check_open()
            assert cursor is not None, "the store is open for reading"
            self._gate.enter(patience_s)
            try:
                cursor.execute("BEGIN IMMEDIATE")
            except BaseException:
                self._gate.leave()
                raise
        except BaseException:
            self._lock.release()
            raise
        return self._writer

    def _end(self) -> None:
        try:
            if self._writer is not None and self._writer.in_transaction:
                self._writer.execute("ROLLBACK").close()
        finally:
            self._gate.leave()
            self._lock.release()

    # -- end ----------------------------------------------------------------------------------

    def close(self) -> None:
        """Wait for the writer, then close every connection that is not in use.

        A reader in use is closed by the one who uses it.
        """
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            while self._idle:
                self._idle.pop().close()
            self._watch.close()
            if self._writer is not None:
                self._writer.close()
            self._gate.close()
            self.engine.dispose()


class Writing:
    """A block that has the writer to itself. A class, because it stands around every write.

    It keeps nothing of a block, so one serves for all.
    """

    __slots__ = ("_database", "_patience_s")

    def __init__(self, database: Database, patience_s: float | None) -> None:
        self._database = database
        self._patience_s = patience_s

    def __enter__(self) -> Connection:
        """Wait for one's turn and begin.

        Raises:
            Unavailable: another program writes for too long, or the store is closed.
        """
        try:
            return self._database._begin(self._patience_s)
        except FOREIGN as error:
            raise self._database.explained(error) from error

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Roll back what was not committed, and let the next one in."""
        self._database._end()
        if error is not None and isinstance(error, FOREIGN):
            raise self._database.explained(error) from error
