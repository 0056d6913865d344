"""A fair queue for writers of several processes: a lock file beside the store.

SQLite lets writers that wait poll, so that one may starve for seconds. Waiting for a file lock
queues in the kernel instead; the longest wait of eight writers fell from over a second to under a
tenth. The gate is a courtesy, not the lock: SQLite's own lock keeps writers apart, also from
programs that do not know the gate.
"""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING, Final

from store.errors import Unavailable

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: SQLite's own waiting serves
    fcntl = None

PATIENCE_S: Final = 30.0
_AT_ONCE: Final = 0 if fcntl is None else fcntl.LOCK_EX | fcntl.LOCK_NB


class Gate:
    """The queue of one store for one process; enter it before a write, leave it after.

    Not for two threads at once: the writer's own lock stands before it.

    Args:
        path: of the lock file; it is made when first needed and stays, empty.
        patience_s: how long to wait before giving up.
    """

    def __init__(self, path: Path, patience_s: float = PATIENCE_S) -> None:
        self._path = path
        self._patience_s = patience_s
        self._file: int | None = None

    def enter(self, patience_s: float | None = None) -> None:
        """Wait for one's turn, as long as usual or as given.

        Raises:
            Unavailable: another program has held the gate for too long.
        """
        if fcntl is None:
            return
        if self._file is None:
            self._file = self._opened()
            if self._file is None:
                return
        try:
            fcntl.flock(self._file, _AT_ONCE)
        except BlockingIOError:
            self._wait(self._patience_s if patience_s is None else patience_s)
        except OSError:  # a file system without locks
            self._forget()

    def leave(self) -> None:
        """Let the next one in."""
        if fcntl is not None and self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go of the lock file."""
        self._forget()

    def _opened(self) -> int | None:
        try:
            return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError:  # not even a lock file may be made here: SQLite will say what is wrong
            return None

    def _forget(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _wait(self, patience_s: float) -> None:
        """Queue in the kernel, on a thread of its own so that waiting can be given up."""
        turn = _Turn(self._opened())
        threading.Thread(target=turn.wait, name="store-gate", daemon=True).start()
        if not turn.taken(patience_s):
            raise Unavailable(
                f"Another program has been writing to the store for {patience_s:.0f} s "
                f"(it holds {self._path}); nothing was written. Try again, or close that program."
            )
        self._forget()
        self._file = turn.file


class _Turn:
    """One place in the queue; given up, it passes its turn on at once."""

    def __init__(self, file: int | None) -> None:
        self.file = file
        self._lock = threading.Lock()
        self._came = threading.Event()
        self._is_given_up = False

    def wait(self) -> None:
        assert fcntl is not None
        if self.file is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(self.file, fcntl.LOCK_EX)
        with self._lock:
            self._came.set()
            if self._is_given_up and self.file is not None:
                os.close(self.file)

    def taken(self, patience_s: float) -> bool:
        if self._came.wait(patience_s):
            return True
        with self._lock:
            self._is_given_up = not self._came.is_set()
            return not self._is_given_up
