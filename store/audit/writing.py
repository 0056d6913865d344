"""The files of a snapshot, written while a record passes by."""

from __future__ import annotations

from functools import lru_cache
from importlib import metadata, resources
from typing import TYPE_CHECKING, Final

from store.audit.facts import fact_lines
from store.audit.format import (
    ATTRIBUTES,
    CONFLICTS,
    EPISODES,
    EVIDENCE,
    FACTS,
    FACTS_CSV,
    MANIFEST,
    OMITTED,
    REPORT_HTML,
    REPORT_MARKDOWN,
    STORE,
    TRANSACTIONS,
    VERIFIER,
    VERSIONS,
    Arguments,
    End,
    Manifest,
    Point,
    Tool,
    Withhold,
)
from store.audit.gathering import Gatherer
from store.audit.lines import (
    KeyTexts,
    attribute_line,
    conflict_line,
    episode_line,
    evidence_line,
    omitted_line,
    texts_of,
    transaction_line,
    version_line,
)
from store.audit.prov import Provenance
from store.audit.report import render_html, render_markdown
from store.audit.tables import header
from store.audit.walk import Walk
from store.temporal import iso

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.audit.facts import Held
    from store.audit.package import Package, Sorter
    from store.audit.walk import KnownKey, Question
    from store.contract import Cancel, Progress, Store
    from store.entry import AttributeEntry, ConflictCase, EpisodeEntry, EvidenceEntry
    from store.history import History, Sealed
    from store.ledger import Key, Row

TOOL: Final = "memory-workbench"
LEDGER: Final = (VERSIONS, EPISODES, EVIDENCE, CONFLICTS, ATTRIBUTES, TRANSACTIONS)
_NUMBER_BYTES: Final = 8
_DIGEST_BYTES: Final = 32


def write_files(
    package: Package,
    history: History,
    question: Question,
    *,
    language: str,
    store: Store | None,
    progress: Progress | None,
    cancel: Cancel | None,
) -> Manifest:
    """Write every file of a snapshot but its signature, and return its manifest.

    Args:
        package: takes the files.
        history: the record as of the transaction.
        question: what is asked of it.
        language: of the report.
        store: a copy of it is added, if given.
        progress: told how many of the ledger's entries are done, of how many.
        cancel: stops it.
    """
    walk = Walk(history, question, progress=progress, cancel=cancel)
    writer = Writer(package, question, walk.clock)
    walk.run(writer)
    writer.close()
    if store is not None:
        store.backup(package.folder / STORE, cancel=cancel)
        package.adopt(STORE)
    package.add(VERIFIER, _verifier())
    manifest = _manifest(history, question, walk, language=language, with_store=store is not None)
    files = [*package.files, MANIFEST, REPORT_HTML, REPORT_MARKDOWN]
    story = writer.gatherer.story(manifest, omitted=writer.omitted_count, files=sorted(files))
    for name, pieces in (
        (REPORT_HTML, render_html(story, language)),
        (REPORT_MARKDOWN, render_markdown(story, language)),
    ):
        sink = package.open(name)
        for piece in pieces:
            sink.write(piece)
        package.close(name)
    manifest = manifest.model_copy(update={"files": dict(package.files)}).sealed()
    package.add(MANIFEST, manifest.text())
    return manifest


class Writer:
    """Writes what lies in scope as it passes by; a `store.audit.walk.Listener`.

    Attributes:
        gatherer: what the report tells.
        omitted_count: how many digests stand for what lies out of scope.
    """

    def __init__(self, package: Package, question: Question, clock: Sequence[int]) -> None:
        withhold = question.selection.withhold
        self._package = package
        self._hides_values = withhold is Withhold.VALUES
        self._hides_content = withhold is not Withhold.NOTHING
        self._recorded = lru_cache(maxsize=4096)(lambda number: iso(clock[number]))
        self._versions = package.open(VERSIONS)
        self._evidence = package.open(EVIDENCE)
        self._conflicts = package.open(CONFLICTS)
        self._episodes = package.open(EPISODES)
        self._attributes = package.open(ATTRIBUTES)
        self._transactions = package.open(TRANSACTIONS)
        self._facts = package.open(FACTS)
        self._table = package.open(FACTS_CSV)
        self._table.write(header())
        self._omitted: Sorter | None = None
        if question.selection.is_filtered:
            self._omitted = package.sorter(_NUMBER_BYTES + 1 + _DIGEST_BYTES)
        self._provenance = Provenance(package, self._recorded)
        self._key: Key | None = None
        self._names = KeyTexts("", "", "", "")
        self.gatherer = Gatherer(clock, withhold, is_window=question.window is not None)
        self.omitted_count = 0

    def close(self) -> None:
        """Finish the files."""
        for name in (*LEDGER, FACTS, FACTS_CSV):
            self._package.close(name)
        if self._omitted is not None:
            self._write_omitted(self._omitted)
        self._provenance.finish(self._package)

    # -- the record, as it passes by --------------------------------------------------------------

    def transaction(self, sealed: Sealed, *, out_of_scope: bool) -> None:
        """Write a transaction."""
        self._transactions.line(transaction_line(sealed, out_of_scope=out_of_scope))
        self.gatherer.transaction(sealed, out_of_scope=out_of_scope)
        if not out_of_scope:
            self._provenance.transaction(sealed.header)

    def attribute(self, entry: AttributeEntry) -> None:
        """Write a registry entry."""
        self._attributes.line(attribute_line(entry))

    def key(self, key: Key) -> None:
        """Take a key, whose rows follow."""
        self._key = key
        self._names = texts_of(key)
        self._provenance.key(self._names)

    def row(self, row: Row) -> None:
        """Write a row."""
        self._versions.line(version_line(row, self._names, withheld=self._hides_values))
        self._provenance.row(row)

    def link(self, entry: EvidenceEntry) -> None:
        """Write a link."""
        self._evidence.line(evidence_line(entry, self._texts(entry.key)))
        self._provenance.link(entry)

    def conflict(self, case: ConflictCase) -> None:
        """Write a conflict."""
        names = self._texts(case.entry.key)
        self._conflicts.line(conflict_line(case, names, withheld=self._hides_values))
        self.gatherer.conflict(case)

    def _texts(self, key: Key) -> KeyTexts:
        return self._names if key == self._key else texts_of(key)

    def facts(self, known: KnownKey, held: Sequence[Held]) -> None:
        """Write the facts of a key."""
        for fact in held:
            line, cells = fact_lines(
                fact,
                known.key,
                self._names,
                known.memory_type,
                self._recorded(fact.row.tx_from),
                withheld=self._hides_values,
            )
            self._facts.line(line)
            self._table.write(cells)
        self.gatherer.facts(known, held)
        self._provenance.close_key()

    def episode(self, entry: EpisodeEntry) -> None:
        """Write an episode."""
        self._episodes.line(episode_line(entry, withheld=self._hides_content))
        self._provenance.episode(entry)
        self.gatherer.episode(entry)

    # -- what lies out of scope -------------------------------------------------------------------

    def omitted(self, number: int, sign: bytes, digest: str) -> None:
        """Keep the digest of an entry out of scope until its place is known."""
        assert self._omitted is not None
        self._omitted.add(number.to_bytes(_NUMBER_BYTES) + sign + bytes.fromhex(digest))

    def _write_omitted(self, omitted: Sorter) -> None:
        sink = self._package.open(OMITTED)
        for record in omitted.sorted():
            number = int.from_bytes(record[:_NUMBER_BYTES])
            sign, digest = record[_NUMBER_BYTES : _NUMBER_BYTES + 1], record[_NUMBER_BYTES + 1 :]
            sink.line(omitted_line(number, sign.decode(), digest.hex()))
        self._package.close(OMITTED)
        self.omitted_count = omitted.count


def _manifest(
    history: History, question: Question, walk: Walk, *, language: str, with_store: bool
) -> Manifest:
    """Return the manifest, still without its files and digest."""
    asked, head, window = question.selection, history.head, question.window
    is_whole = not asked.is_filtered and asked.withhold is Withhold.NOTHING
    versions = sorted(walk.tally.schema_versions.items())
    return Manifest(
        tool=Tool(name=TOOL, version=_tool_version()),
        store_id=history.store_id,
        tenant_id=history.tenant_id,
        slot_secret=history.slot_secret.hex() if is_whole else None,
        arguments=Arguments(
            subject=asked.subject,
            attribute=asked.attribute,
            memory_type=asked.memory_type,
            valid_at=iso(question.valid_at),
            transaction=head.number,
            window=None if window is None else (iso(window[0]), iso(window[1])),
            withhold=asked.withhold,
            language=language,
            with_store=with_store,
        ),
        as_of=Point(
            transaction=head.number,
            recorded_at=iso(question.recorded_at),
            valid_at=iso(question.valid_at),
        ),
        head=End(number=head.number, digest=head.digest, entries=head.entries),
        counts=walk.tally.counts(),
        schema_versions={str(version): count for version, count in versions},
        files={},
    )


def _tool_version() -> str:
    try:
        return metadata.version(TOOL)
    except metadata.PackageNotFoundError:
        return "unknown"


def _verifier() -> str:
    """Return the text of the program that a stranger checks a snapshot with."""
    return resources.files("store.audit").joinpath(VERIFIER).read_text(encoding="utf-8")
