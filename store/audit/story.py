"""What a report tells: a bounded selection of a snapshot, already read, in the order to show.

Who writes a snapshot fills a `Story` while the files are written; `store.audit.report` turns it
into pages. Instants are microseconds since 1970 UTC, periods half-open. Values are canonical JSON
text, as they stand in the ledger; None where they are withheld.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

FACTS_TOLD: Final = 1_000
LANES_TOLD: Final = 400
STRETCHES_TOLD: Final = 40
"""Of one lane, the latest."""
CONFLICTS_TOLD: Final = 200
GAPS_TOLD: Final = 200
UNSOURCED_TOLD: Final = 200
TRANSACTIONS_TOLD: Final = 500
"""The newest."""
SOURCES_TOLD: Final = 5
"""Of one fact, the first."""
EXCERPT_AROUND: Final = 80
"""How many characters stand before and after the words that an excerpt quotes."""
EXCERPT_QUOTED: Final = 400
"""How many of the quoted characters are told."""

ItemT = TypeVar("ItemT", covariant=True)


@dataclass(frozen=True, slots=True)
class Told(Generic[ItemT]):
    """A list that was cut to what a reader can take in.

    Attributes:
        left_out: how many more there are; they stand in the snapshot's files.
        joined: how many are told within the items before them.
    """

    items: tuple[ItemT, ...] = ()
    left_out: int = 0
    joined: int = 0

    @property
    def total(self) -> int:
        """How many there are, told or not."""
        return self.told + self.left_out

    @property
    def told(self) -> int:
        """How many are told."""
        return len(self.items) + self.joined


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The words of an episode on which a fact rests, with a little around them.

    Attributes:
        before: what stands before the words.
        quoted: the words; the whole content where the evidence names no span.
        after: what stands behind them.
        is_cut_before: whether the content begins earlier.
        is_cut_inside: whether the quoted words go on where `quoted` stops; `after` is then empty.
        is_cut_after: whether the content goes on.
    """

    before: str
    quoted: str
    after: str
    is_cut_before: bool = False
    is_cut_inside: bool = False
    is_cut_after: bool = False


def excerpt_of(content: str, span: tuple[int, int] | None) -> Excerpt:
    """Cut out of an episode's content what a report quotes.

    Args:
        content: the episode's whole content.
        span: the characters `[start, end)` on which the fact rests; None means the whole content,
            which is then told from its beginning.
    """
    start, end = span or (0, len(content))
    begin, stop = max(0, start - EXCERPT_AROUND), min(len(content), end + EXCERPT_AROUND)
    if begin:
        begin = _next_word(content, begin, start)
    if stop < len(content):
        stop = _last_word(content, end, stop)
    is_cut_inside = end - start > EXCERPT_QUOTED
    return Excerpt(
        before=content[begin:start],
        quoted=content[start : min(end, start + EXCERPT_QUOTED)],
        after="" if is_cut_inside else content[end:stop],
        is_cut_before=begin > 0,
        is_cut_inside=is_cut_inside,
        is_cut_after=not is_cut_inside and stop < len(content),
    )


def _next_word(content: str, begin: int, limit: int) -> int:
    """Return where the first whole word after a place begins, or the place if none does."""
    space = content.find(" ", begin, limit)
    return begin if space < 0 else space + 1


def _last_word(content: str, limit: int, stop: int) -> int:
    """Return where the last whole word before a place ends, or the place if none does."""
    space = content.rfind(" ", limit, stop)
    return stop if space < 0 else space


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An episode that supports a fact.

    Attributes:
        kind: a `store.model.EpisodeKind`; None if the snapshot does not have the episode.
        occurred_at: when it happened, None likewise.
        span: characters of its content; None means the whole of it.
        excerpt: None where the content is withheld.
    """

    episode_id: str
    kind: str | None = None
    occurred_at: int | None = None
    span: tuple[int, int] | None = None
    excerpt: Excerpt | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldFact:
    """A fact of the selected state.

    Attributes:
        value: canonical JSON text, None if withheld.
        commitment: what stands for a withheld value, in hex.
        basis: a `store.temporal.Basis`.
        precision: a `store.temporal.Precision`.
        marks: as the timeline has them, see `store.query.Mark`.
        sources: the first `SOURCES_TOLD`; empty where it has none.
        further_sources: how many more there are.
    """

    memory_id: str
    subject: str
    attribute: str
    owner: str = ""
    memory_type: str
    value: str | None
    commitment: str | None = None
    valid_from: int
    valid_to: int | None
    basis: str
    precision: str
    stated_as: str | None = None
    confidence: float
    agent_id: str
    recorded_at: int
    transaction: int
    marks: int = 0
    sources: tuple[Source, ...] = ()
    further_sources: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldStretch:
    """A stretch of a lane: a bar. Between two stretches that do not touch, nothing is known."""

    valid_from: int
    valid_to: int | None
    value: str | None
    marks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldLane:
    """One key with its stretches as of the transaction, sorted and never overlapping.

    Attributes:
        earlier: how many stretches before the first one told were left out.
    """

    subject: str
    attribute: str
    owner: str = ""
    slot: str = ""
    memory_type: str
    open_conflicts: int = 0
    stretches: tuple[ToldStretch, ...]
    earlier: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldClaim:
    """One side of a conflict."""

    value: str | None
    commitment: str | None = None
    valid_from: int
    until: int | None
    basis: str
    precision: str
    confidence: float
    agent_id: str
    recorded_at: int
    transaction: int
    source: Source | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldConflict:
    """A conflict that waits for a decision: what stands, and what claims otherwise.

    Attributes:
        kind: a `store.model.ConflictKind`.
        incoming: the claims that wait, oldest first.
    """

    conflict_id: str
    kind: str
    subject: str
    attribute: str
    owner: str = ""
    contested_from: int
    contested_to: int | None
    raised_at: int
    raised_in: int
    standing: ToldClaim
    incoming: tuple[ToldClaim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldGap:
    """A period of a key in which nothing holds although something held before it.

    Attributes:
        gap_to: when something holds again; None if nothing does.
        before: the value that held until it begins, None if withheld.
        after: the value that holds from its end, None if withheld or none does.
    """

    subject: str
    attribute: str
    owner: str = ""
    gap_from: int
    gap_to: int | None
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldTransaction:
    """A transaction as the chain holds it.

    Attributes:
        actor: None where it lies out of a filtered snapshot's scope.
        reason: None where there is none, or likewise.
        digest: in hex.
        entries: how many entries of the record it began and ended.
        reverts: number of the transaction that it undid.
        through: where it begins a run of them out of scope, the number of the last; the run is
            told as one, with the digest of its last and the entries of all.
    """

    number: int
    recorded_at: int
    kind: str
    actor: str | None
    tool: str
    reason: str | None
    digest: str
    entries: int
    reverts: int | None = None
    through: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for, resolved; the manifest's arguments.

    Attributes:
        valid_at: the instant in the world that is asked about.
        window: if given, every interval that touches it is told instead.
        withhold: `nothing`, `content` or `values`.
    """

    subject: str | None = None
    attribute: str | None = None
    memory_type: str | None = None
    valid_at: int
    window: tuple[int, int] | None = None
    withhold: str = "nothing"

    @property
    def is_filtered(self) -> bool:
        """Whether part of the record lies out of scope."""
        return any((self.subject, self.attribute, self.memory_type))


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The denominators: how many of what the whole snapshot has. Names as in the manifest."""

    in_scope: int = 0
    with_source: int = 0
    without_source: int = 0
    with_span: int = 0
    disputed: int = 0
    imprecise: int = 0
    by_basis: Mapping[str, int] = field(default_factory=dict)
    conflicts_open: int = 0
    conflicts_stale: int = 0
    settled_by_person: int = 0
    settled_by_policy: int = 0
    settled_by_agent: int = 0
    episodes: int = 0
    episodes_unused: int = 0
    versions: int = 0
    evidence: int = 0
    transactions: int = 0
    keys: int = 0
    subjects: int = 0
    gaps: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """All that a report tells.

    Attributes:
        number: the transaction as of which the snapshot is; 0 in an empty ledger.
        recorded_at: when that transaction was recorded; None in an empty ledger.
        digest: that transaction's digest in hex; with the number it is the head.
        entries: how many entries the ledger had begun and ended by then.
        facts: by subject, attribute, owner, slot, `valid_from`.
        lanes: the pictures, by subject, attribute, owner, slot.
        unsourced: facts without any source.
        transactions: the newest, oldest of them first.
        omitted: how many entries of the record lie out of a filtered snapshot's scope.
        files: names of the snapshot's files.
        tool: name and version of the program, as the manifest has it.
    """

    store_id: str
    tenant_id: str
    asked: Asked
    number: int
    recorded_at: int | None
    digest: str
    entries: int
    totals: Totals
    facts: Told[ToldFact] = Told()
    lanes: Told[ToldLane] = Told()
    conflicts: Told[ToldConflict] = Told()
    gaps: Told[ToldGap] = Told()
    unsourced: Told[ToldFact] = Told()
    transactions: Told[ToldTransaction] = Told()
    omitted: int = 0
    files: tuple[str, ...] = ()
    tool: str = "memory-workbench"

    @property
    def head(self) -> str:
        """The form that `--head` takes."""
        return f"{self.number}:{self.digest}"
