"""Reading a snapshot back: its files as the record that they tell, line by line.

Files are opened by `store.audit.verify.Package`, which lets nothing in that does not belong into a
snapshot. A line that is not as `store.audit.format` says is one sentence with file and line. What
is read here is not proved: that is what `store.audit.verify` does.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from store.audit import entries, verify
from store.audit.format import (
    ATTRIBUTES,
    CONFLICTS,
    EPISODES,
    EVIDENCE,
    MANIFEST,
    TRANSACTIONS,
    VERSIONS,
    Manifest,
    Withhold,
)
from store.entry import FIRST_DIGEST
from store.errors import Corrupt, Invalid, NotFound, Unsupported
from store.history import History

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from store.audit.entries import Members
    from store.contract import Cancel
    from store.entry import AttributeEntry, ConflictCase, EpisodeEntry, EvidenceEntry
    from store.history import Sealed
    from store.ledger import Row

T = TypeVar("T")

_LOOKED_EVERY: Final = 4096
_LINE_FEED: Final = b"\n"
_ZIP: Final = b"PK"


class SnapshotHistory(History):
    """What a snapshot tells of a tenant's record. Open while its block runs.

    Where it is filtered, it tells a part, and `transactions` cannot be read: only `digests`. Where
    contents are withheld, `episodes` and `conflicts` cannot be read; where values are, `rows`
    cannot, but `said_rows`.

    Raises:
        Corrupt: a line is not as it should be; the sentence has file and line.
        Cancelled: stopped on request.
    """

    def __init__(
        self,
        package: verify.Package,
        manifest: Manifest,
        *,
        tenant_id: str | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        self.manifest = manifest
        self.store_id = manifest.store_id
        self.tenant_id = tenant_id or manifest.tenant_id
        self.slot_secret = bytes.fromhex(manifest.slot_secret or "")
        self.head = manifest.head.model_copy(update={"tenant_id": self.tenant_id})
        self._package = package
        self._cancel = cancel
        self._begun: list[Generator[str]] = []

    def close(self) -> None:
        """Let go of the files that were not read to their end."""
        for lines in self._begun:
            lines.close()
        self._begun.clear()

    @property
    def filters(self) -> dict[str, str]:
        """What of the record is in it: `subject`, `attribute`, `memory_type`; {} means all."""
        asked = self.manifest.arguments
        named = {
            "subject": asked.subject,
            "attribute": asked.attribute,
            "memory_type": asked.memory_type,
        }
        return {name: value for name, value in named.items() if value is not None}

    @property
    def is_filtered(self) -> bool:
        """Whether only a part of the record is in it."""
        return self.manifest.arguments.is_filtered

    @property
    def is_withheld(self) -> bool:
        """Whether contents of episodes, or values as well, are withheld."""
        return self.manifest.arguments.withhold is not Withhold.NOTHING

    @property
    def has_values(self) -> bool:
        """Whether rows tell their values."""
        return self.manifest.arguments.withhold is not Withhold.VALUES

    @property
    def lines(self) -> int:
        """How many rows and episodes there are."""
        files = self.manifest.files
        return sum(files[name].lines or 0 for name in (VERSIONS, EPISODES) if name in files)

    def of_tenant(self, tenant_id: str) -> SnapshotHistory:
        """Return the same record under another tenant's name, which no digest covers."""
        renamed = SnapshotHistory(
            self._package, self.manifest, tenant_id=tenant_id, cancel=self._cancel
        )
        renamed._begun = self._begun
        return renamed

    # -- the sections -----------------------------------------------------------------------------

    def transactions(self) -> Iterator[Sealed]:
        """Yield the transactions from the first to the head's."""
        previous = FIRST_DIGEST

        def sealed(it: Members) -> Sealed:
            nonlocal previous
            found = entries.transaction_of(it, previous)
            previous = found.digest
            return found

        return self._section(TRANSACTIONS, sealed)

    def digests(self) -> Iterator[tuple[int, str]]:
        """Yield number and digest of each transaction."""
        return self._section(TRANSACTIONS, entries.digest_of)

    def attributes(self) -> Iterator[AttributeEntry]:
        """Yield the registry entries."""
        return self._section(ATTRIBUTES, entries.attribute_of)

    def episodes(self) -> Iterator[EpisodeEntry]:
        """Yield the episodes."""
        return self._section(EPISODES, entries.episode_of)

    def rows(self) -> Iterator[Row]:
        """Yield the rows."""
        return self._section(VERSIONS, lambda it: entries.row_of(it, self.tenant_id))

    def said_rows(self) -> Iterator[Row]:
        """Yield the rows, whose values say null where they are withheld."""
        return self._section(VERSIONS, lambda it: entries.said_of(it, self.tenant_id))

    def evidence(self) -> Iterator[EvidenceEntry]:
        """Yield the further links from facts to episodes."""
        return self._section(EVIDENCE, lambda it: entries.evidence_of(it, self.tenant_id))

    def conflicts(self) -> Iterator[ConflictCase]:
        """Yield the conflicts with their events."""
        return self._section(CONFLICTS, lambda it: entries.case_of(it, self.tenant_id))

    def _section(self, name: str, convert: Callable[[Members], T]) -> Iterator[T]:
        lines = _lines(self._package, name)
        self._begun.append(lines)
        for number, line in enumerate(lines, 1):
            if self._cancel is not None and number % _LOOKED_EVERY == 0:
                self._cancel.check()
            try:
                found = convert(entries.members_of(line))
            except entries.Wrong as error:
                raise Corrupt(f"{name}, line {number:,}: {error}.") from error
            yield found


@contextmanager
def open_snapshot(path: Path, *, cancel: Cancel | None = None) -> Iterator[SnapshotHistory]:
    """Open a snapshot, a directory or a zip, filtered or not, for reading while the block runs.

    Raises:
        NotFound: there is nothing at the path.
        Invalid: it is something else.
        Corrupt: it is damaged, or has what no snapshot has.
        TooNew: it was written in a form that this program does not know.
    """
    with (
        _opened(path) as package,
        closing(SnapshotHistory(package, _manifest(path, package), cancel=cancel)) as snapshot,
    ):
        yield snapshot


@contextmanager
def open_history(path: Path, *, cancel: Cancel | None = None) -> Iterator[SnapshotHistory]:
    """Open the whole record that a snapshot tells, while the block runs: for `Store.restore`.

    Raises:
        Unsupported: the snapshot is filtered, or something in it is withheld.
        NotFound: there is nothing at the path.
        Invalid: it is something else.
        Corrupt: it is damaged, or has what no snapshot has.
        TooNew: it was written in a form that this program does not know.
    """
    with open_snapshot(path, cancel=cancel) as snapshot:
        if snapshot.is_filtered:
            raise Unsupported(f"{path}: it is filtered, so it has no whole record.")
        if snapshot.is_withheld:
            raise Unsupported(f"{path}: contents are withheld in it, so it has no whole record.")
        yield snapshot


def is_snapshot(path: Path) -> bool:
    """Say whether a path is likely a snapshot: a directory with a manifest, or a zip."""
    try:
        if path.is_dir():
            return (path / MANIFEST).is_file()
        with path.open("rb") as file:
            return file.read(len(_ZIP)) == _ZIP
    except OSError:
        return False


def read_manifest(path: Path) -> Manifest:
    """Return the manifest of a snapshot, a directory or a zip; its own digest is checked.

    Raises:
        NotFound: there is nothing at the path.
        Invalid: it is something else.
        Corrupt: it is damaged, has what no snapshot has, or its manifest was changed.
        TooNew: it was written in a form that this program does not know.
    """
    with _opened(path) as package:
        return _manifest(path, package)


def has_member(path: Path, name: str) -> bool:
    """Say whether a snapshot has a file.

    Raises:
        NotFound: there is nothing at the path.
        Corrupt: it cannot be read safely.
    """
    with _opened(path) as package:
        return name in package.names


def read_member(path: Path, name: str, *, limit: int) -> bytes:
    """Return one file of a snapshot, of at most so many bytes.

    Raises:
        NotFound: there is nothing at the path.
        Corrupt: the file is missing, longer, or cannot be read.
    """
    with _opened(path) as package:
        return package.read(name, limit)


@contextmanager
def _opened(path: Path) -> Iterator[verify.Package]:
    """Open the files of a snapshot; what cannot be read is one sentence that names it."""
    if not path.exists():
        raise NotFound(f"There is nothing at {path}.")
    try:
        with verify.Package(path) as package:
            yield package
    except verify.Broken as error:
        raise Corrupt(naming(path, error)) from error


def naming(path: Path, error: verify.Broken) -> str:
    """Return what the verifier says of a snapshot as a sentence that names it, once."""
    said = str(error)
    return said if verify.visible(path) in said else f"{path}: {said}"


def _manifest(path: Path, package: verify.Package) -> Manifest:
    if MANIFEST not in package.names:
        raise Invalid(f"{path} is no snapshot: it has no {MANIFEST}.")
    return Manifest.parse(package.read(MANIFEST, verify.LARGEST_MANIFEST))


def _lines(package: verify.Package, name: str) -> Generator[str]:
    """Yield the lines of a file.

    Raises:
        Corrupt: one is longer than a snapshot's may be, not UTF-8, or not ended.
    """
    begun: list[bytes] = []
    held = number = 0
    with package.open(name) as part:
        while data := part.read():
            first, *others = data.split(_LINE_FEED)
            begun.append(first)
            held += len(first)
            if held > verify.LONGEST_LINE:
                raise Corrupt(f"{name}, line {number + 1:,}: it is too long.")
            if not others:
                continue
            whole = [b"".join(begun), *others[:-1]]
            begun, held = [others[-1]], len(others[-1])
            for line in whole:
                number += 1
                try:
                    yield line.decode()
                except UnicodeDecodeError as error:
                    raise Corrupt(f"{name}, line {number:,}: it is not UTF-8.") from error
    if held:
        raise Corrupt(f"{name}, line {number + 1:,}: it does not end with a line feed.")
