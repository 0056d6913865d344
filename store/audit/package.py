"""Writing a snapshot's files: hashed on the way, there at the end whole or not at all.

All is written into a folder beside the destination, readable by nobody else, and renamed at the
end. If anything goes wrong before, the folder goes, and nothing is left.
"""

from __future__ import annotations

import heapq
import os
import shutil
import tempfile
import zipfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Self

from store.audit.format import NAMES, File, Form
from store.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from store.contract import Cancel

CHUNK: Final = 1 << 20
"""So many characters or bytes are hashed and written at once."""
ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)
_PRIVATE: Final = 0o600
_REGULAR_FILE: Final = 0o100644 << 16
_UNIX: Final = 3


class Sink:
    """One file that is being written: text goes in, length, lines and digest come out."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._parts: list[str] = []
        self._held = 0
        self._bytes = 0
        self._digest = sha256()
        self.lines = 0

    def line(self, text: str) -> None:
        """Add a line, which ends with its line feed."""
        self.lines += 1
        self._parts.append(text)
        self._held += len(text)
        if self._held >= CHUNK:
            self.flush()

    def write(self, text: str) -> None:
        """Add a piece of text."""
        self._parts.append(text)
        self._held += len(text)
        if self._held >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Hash and write what was added so far."""
        self.pour("".join(self._parts).encode())
        self._parts.clear()
        self._held = 0

    def pour(self, data: bytes) -> None:
        """Hash and write bytes; what was added as text before must have been flushed."""
        self._digest.update(data)
        self._file.write(data)
        self._bytes += len(data)

    def close(self, *, counts_lines: bool) -> File:
        """Finish the file and say what it is."""
        self.flush()
        self._file.close()
        lines = self.lines if counts_lines else None
        return File(bytes=self._bytes, sha256=self._digest.hexdigest(), lines=lines)


class Spool:
    """Short texts that wait on disk until their place in a file has come.

    Attributes:
        add: adds a text; whoever adds many calls `settle` now and then.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._parts: list[str] = []
        self.add: Callable[[str], None] = self._parts.append

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added so far."""
        return not self._parts and not self._file.tell()

    def settle(self) -> None:
        """Move what was added so far from memory to disk."""
        self._file.write("".join(self._parts).encode())
        self._parts.clear()

    def pour_into(self, sink: Sink, *, skip: int = 0) -> None:
        """Move all of it, but the first `skip` bytes, into a file, and close this."""
        self.settle()
        sink.flush()
        self._file.seek(skip)
        while data := self._file.read(CHUNK):
            sink.pour(data)
        self._file.close()


class Sorter:
    """Sorts records of one length that need not fit into memory: runs on disk, then merged."""

    def __init__(self, new_file: Callable[[], IO[bytes]], length: int, run: int) -> None:
        self._new_file = new_file
        self._length = length
        self._run = run
        self._held: list[bytes] = []
        self._runs: list[IO[bytes]] = []
        self.count = 0

    def add(self, record: bytes) -> None:
        """Add a record."""
        self.count += 1
        self._held.append(record)
        if len(self._held) >= self._run:
            self._spill()

    def _spill(self) -> None:
        file = self._new_file()
        self._runs.append(file)
        file.write(b"".join(sorted(self._held)))
        self._held.clear()

    def sorted(self) -> Iterator[bytes]:
        """Yield the records in order."""
        return heapq.merge(sorted(self._held), *map(self._read, self._runs))

    def _read(self, file: IO[bytes]) -> Iterator[bytes]:
        file.seek(0)
        length = self._length
        while data := file.read(length * 4096):
            for start in range(0, len(data), length):
                yield data[start : start + length]


class Package:
    """The files of a snapshot while they are written; a context manager.

    Leaving the block without `finish` or with an exception leaves nothing behind.

    Raises:
        Invalid: there is something at the destination, or no folder to put it into.
        Unavailable: the files cannot be written, such as on a full disk.
    """

    def __init__(self, out: Path, form: Form, *, cancel: Cancel | None = None) -> None:
        self._out = Path(out)
        self._form = form
        self._cancel = cancel
        self._open: dict[str, Sink] = {}
        self._waiting: list[IO[bytes]] = []
        self.files: dict[str, File] = {}

    def __enter__(self) -> Self:
        """Make the folder to write into."""
        self._refuse_existing()
        parent = self._out.parent
        if not parent.is_dir():
            raise Invalid(f"There is no folder {parent} to put the snapshot into.")
        try:
            place = tempfile.mkdtemp(
                prefix=f".{self._out.name[:40]}.", suffix=".partial", dir=parent
            )
        except OSError as error:
            raise self._unwritable(error) from error
        self._place = Path(place)
        self.folder = self._place / "files"
        self.folder.mkdir(mode=0o700)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take away what is not finished."""
        for file in self._waiting:
            with suppress(OSError):  # what could not be written before cannot be now
                file.close()
        shutil.rmtree(self._place, ignore_errors=True)
        if isinstance(error, OSError):
            raise self._unwritable(error) from error

    def _refuse_existing(self) -> None:
        if os.path.lexists(self._out):
            raise Invalid(f"There is something at {self._out} already; it was left as it is.")

    def _unwritable(self, error: OSError) -> Unavailable:
        why = error.strerror or str(error)
        return Unavailable(f"The snapshot cannot be written to {self._out}: {why}. None was kept.")

    # -- files ------------------------------------------------------------------------------------

    def open(self, name: str) -> Sink:
        """Begin a file."""
        file = _create(self.folder / name)
        self._waiting.append(file)
        sink = self._open[name] = Sink(file)
        return sink

    def spool(self) -> Spool:
        """Give a place where text can wait until the block ends."""
        return Spool(self._scratch())

    def sorter(self, length: int, *, run: int = 100_000) -> Sorter:
        """Give what sorts records of one length until the block ends, `run` of them in memory."""
        return Sorter(self._scratch, length, run)

    def _scratch(self) -> IO[bytes]:
        file = tempfile.TemporaryFile(dir=self._place)  # noqa: SIM115 - closed with the package
        self._waiting.append(file)
        return file

    def close(self, name: str) -> File:
        """Finish a file."""
        sink = self._open.pop(name)
        self.files[name] = file = sink.close(counts_lines=name.endswith(".jsonl"))
        return file

    def add(self, name: str, text: str) -> File:
        """Write a whole file."""
        self.open(name).write(text)
        return self.close(name)

    def adopt(self, name: str) -> File:
        """Take up a file that somebody else wrote into the folder."""
        digest, length = sha256(), 0
        path = self.folder / name
        path.chmod(_PRIVATE)
        with path.open("rb") as file:
            while data := file.read(CHUNK):
                self._check()
                digest.update(data)
                length += len(data)
        self.files[name] = taken = File(bytes=length, sha256=digest.hexdigest())
        return taken

    def _check(self) -> None:
        if self._cancel is not None:
            self._cancel.check()

    # -- the end ----------------------------------------------------------------------------------

    def finish(self) -> None:
        """Put the snapshot in its place.

        Raises:
            Invalid: something appeared there meanwhile.
            Cancelled: stopped on request.
        """
        self._check()
        if self._form is Form.DIRECTORY:
            self._refuse_existing()
            self.folder.rename(self._out)
            return
        packed = self._place / "packed.zip"
        self._pack(packed)
        self._refuse_existing()
        _move_file(packed, self._out)

    def _pack(self, path: Path) -> None:
        with _create(path) as file, zipfile.ZipFile(file, "w") as packed:
            for name in NAMES:
                source = self.folder / name
                if source.exists():
                    self._pack_file(packed, source)

    def _pack_file(self, packed: zipfile.ZipFile, source: Path) -> None:
        member = zipfile.ZipInfo(source.name, ZIP_TIME)
        member.create_system = _UNIX
        member.external_attr = _REGULAR_FILE
        member.compress_type = zipfile.ZIP_DEFLATED
        member.file_size = source.stat().st_size
        with source.open("rb") as file, packed.open(member, "w") as into:
            while data := file.read(CHUNK):
                self._check()
                into.write(data)


def _create(path: Path) -> IO[bytes]:
    """Open a new file that only its owner may read."""
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, _PRIVATE))


def _move_file(source: Path, out: Path) -> None:
    """Give a file its final name, without taking the place of another."""
    try:
        os.link(source, out)
    except FileExistsError as error:
        raise Invalid(f"There is something at {out} already; it was left as it is.") from error
    except OSError:  # no hard links here
        source.rename(out)
