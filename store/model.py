"""The record: facts, episodes, evidence, conflicts and transactions, as frozen pydantic models.

Field names are those of Schema-Guided Agent Memory (SGAM). Instants are aware UTC datetimes;
periods are half-open. Text of names is Unicode NFC.
"""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from store.canonical import NESTS, TOO_DEEP, is_too_deep
from store.temporal import Basis, Precision

KEEP: Final = "keep"
"""The retention policy of a fact that states none."""
OPERATOR: Final = "operator"
"""The agent id of a person."""
SHARED: Final = ""
"""The owner of a key that all of a tenant's agents share."""
LONGEST_NAME: Final = 255


def clean_name(text: str) -> str:
    """Return a name in NFC, trimmed.

    Raises:
        ValueError: it is empty, longer than 255 characters, or has control characters.
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not name:
        raise ValueError("a name may not be empty")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"a name has at most {LONGEST_NAME} characters, not {len(name)}")
    # Printable text has none, and nearly all names are printable.
    if not name.isprintable() and any(unicodedata.category(c) in ("Cc", "Cs") for c in name):
        raise ValueError("a name may not have control characters")
    return name


def _clean_owner(text: str) -> str:
    return clean_name(text) if text else SHARED


def _whole_text(text: str) -> str:
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("half of a surrogate pair is not text") from error
    return text


def _not_too_deep(value: Any) -> Any:
    if is_too_deep(value):
        raise ValueError(TOO_DEEP)
    return value


Text = Annotated[str, AfterValidator(_whole_text)]
Name = Annotated[str, AfterValidator(clean_name)]
Owner = Annotated[str, AfterValidator(_clean_owner)]
Value = Annotated[Any, AfterValidator(_not_too_deep)]
"""Any JSON value that is not nested deeper than `store.canonical.DEEPEST`."""
Metadata = Annotated[dict[str, Any], AfterValidator(_not_too_deep)]
Confidence = Annotated[float, Field(ge=0.0, le=1.0)]


class Record(BaseModel):
    """Base of the models: frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_timedelta="iso8601")


class Span(Record):
    """Where in an episode's content the evidence stands: characters `[start, end)`."""

    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _not_empty(self) -> Span:
        if self.start >= self.end:
            raise ValueError("a span ends after it starts")
        return self


class EpisodeKind(StrEnum):
    """What sort of source event an episode is. The order is not the order of trust."""

    MESSAGE = "message"
    TOOL_RESULT = "tool_result"
    FILE = "file"
    TICKET = "ticket"
    BUSINESS_EVENT = "business_event"
    USER_CONFIRMATION = "user_confirmation"
    OPERATOR_NOTE = "operator_note"
    IMPORTED_ROW = "imported_row"


class EpisodeDraft(Record):
    """A source event about to be captured.

    Attributes:
        episode_id: chosen by the caller; unique within the tenant.
        kind: one of `EpisodeKind`.
        content: Markdown, plain text or JSON, exactly as observed.
        occurred_at: when it happened.
        agent_id: the agent that observed it; the scope's agent if None.
        metadata: small, JSON; channel, author, file name; nested at most 100 deep.
    """

    episode_id: Name
    kind: EpisodeKind
    content: Text
    occurred_at: AwareDatetime
    agent_id: Name | None = None
    session_id: Text | None = None
    metadata: Metadata = Field(default_factory=dict)


class Episode(Record):
    """One captured source event. Episodes are never changed and never reverted.

    Attributes:
        recorded_at: transaction time of its capture.
        transaction: number of the transaction that captured it.
    """

    tenant_id: str
    episode_id: str
    kind: EpisodeKind
    content: str
    occurred_at: AwareDatetime
    agent_id: str
    session_id: str | None
    metadata: dict[str, Any]
    recorded_at: AwareDatetime
    transaction: int


class Evidence(Record):
    """A link from a fact to an episode that supports it.

    Attributes:
        span: characters of the episode's content; None means the whole of it.
        transaction: number of the transaction that added the link.
    """

    memory_id: str
    episode_id: str
    span: Span | None
    transaction: int


class MemoryDelta(Record):
    """What extraction proposes: one statement from one episode. Only the ledger decides on it.

    Attributes:
        value: any JSON value that is nested at most 100 deep; null is a value.
        valid_from: when it begins to hold in the world.
        until: the end that the source stated, if it stated one; exclusive.
        owner: `""` for a fact that the tenant's agents share, or the agent whose key it is.
        memory_type: type of the attribute, used when this is the attribute's first fact.
        valid_from_basis: which clock set `valid_from`.
        precision: how exact `valid_from` is.
        stated_as: the source's own words for the time, if they differ.

    Raises:
        pydantic.ValidationError: a field breaks its rule; `until` is not after `valid_from`.
    """

    tenant_id: Name
    subject: Name
    attribute: Name
    value: Any
    valid_from: AwareDatetime
    source_episode_id: Name
    until: AwareDatetime | None = None
    confidence: Confidence = 1.0
    owner: Owner = SHARED
    span: Span | None = None
    memory_type: Name | None = None
    valid_from_basis: Basis = Basis.STATED
    precision: Precision = Precision.INSTANT
    stated_as: Text | None = None

    @model_validator(mode="after")
    def _holds_somewhere(self) -> MemoryDelta:
        if self.until is not None and self.until <= self.valid_from:
            raise ValueError("the end (until) must lie after the beginning (valid_from)")
        # Nearly all values are scalars, and a validator of the field would be called for each.
        if isinstance(self.value, NESTS):
            _not_too_deep(self.value)
        return self


class Fact(Record):
    """One typed statement about a subject, as of a point on both axes.

    The first thirteen fields are SGAM's. Where several rows read as one interval, `valid_from` and
    `valid_to` are the interval's and every other field is that of the row in force at the instant.

    Attributes:
        valid_to: when it stops, as of the asked transaction; None while open; derived.
        supersedes_memory_id: the fact that this write displaced when it was made.
        until: the end that the source stated, if it stated one.
        row_from: `valid_from` of the row in force; names the row in acts on one of several rows.
        recorded_at: when the ledger began to hold this row.
        superseded_at: when it stopped, None while it believes it.
        transaction: number of the transaction that began this row.
        last_confirmed_at: latest `occurred_at` among its episodes, as of the asked transaction.
        disputed: an open conflict contests it within its interval.
        evidence: every link to an episode, the first being `source_episode_id`'s.
    """

    tenant_id: str
    memory_id: str
    subject: str
    attribute: str
    value: Any
    memory_type: str
    schema_version: int
    valid_from: AwareDatetime
    valid_to: AwareDatetime | None
    supersedes_memory_id: str | None
    source_episode_id: str
    confidence: float
    retention_policy: str

    agent_id: str
    owner: str
    slot: str
    until: AwareDatetime | None
    valid_from_basis: Basis
    precision: Precision
    stated_as: str | None
    row_from: AwareDatetime
    recorded_at: AwareDatetime
    superseded_at: AwareDatetime | None
    transaction: int
    last_confirmed_at: AwareDatetime | None
    disputed: bool
    evidence: tuple[Evidence, ...] = ()


SGAM_FIELDS: Final = tuple(Fact.model_fields)[:13]
"""Names of the thirteen SGAM fields, in order."""


class RowKind(StrEnum):
    """What a row of the ledger is: an assertion (`fact`, `end`) or derived (`resume`, `gap`)."""

    FACT = "fact"
    END = "end"
    RESUME = "resume"
    GAP = "gap"


class Version(Record):
    """One row of the ledger as it stands in the record, on both axes.

    Attributes:
        kind: assertions are `fact` and `end`; `resume` and `gap` are derived.
        memory_id: the fact, for an `end` the one that it ends, None for a gap.
        value: None also where `kind` is `end` or `gap`.
        began: number of the transaction that began the belief.
        ceased: number of the transaction that ended it, None while it is live.
        ceased_by: kind of that transaction: a change, a correction, a retraction, …
    """

    kind: RowKind
    memory_id: str | None
    subject: str
    attribute: str
    owner: str
    slot: str
    value: Any
    valid_from: AwareDatetime
    until: AwareDatetime | None
    source_episode_id: str | None
    confidence: float | None
    agent_id: str | None
    began: int
    began_by: WriteKind
    recorded_at: AwareDatetime
    ceased: int | None
    ceased_by: WriteKind | None
    superseded_at: AwareDatetime | None


class Cardinality(StrEnum):
    """How many values an attribute has at one instant."""

    SINGLE = "single"
    MULTI = "multi"


class Attribute(Record):
    """A registry entry: what the tenant knows about an attribute."""

    name: Name
    memory_type: Name = "fact"
    cardinality: Cardinality = Cardinality.SINGLE
    sensitive: bool = False
    retention_policy: Name = KEEP
    schema_version: Annotated[int, Field(ge=1)] = 1


class WriteKind(StrEnum):
    """The kinds of transaction."""

    CAPTURE = "capture"
    CHANGE = "change"
    CORRECT = "correct"
    END = "end"
    RETRACT = "retract"
    CONFIRM = "confirm"
    SETTLE = "settle"
    REVERT = "revert"
    REGISTER = "register"
    LOAD = "load"


class Outcome(StrEnum):
    """What became of a write."""

    APPLIED = "applied"
    KNOWN = "known"
    CORROBORATED = "corroborated"
    CONFLICT = "conflict"
    REJECTED = "rejected"


class Interval(Record):
    """A stretch in which one fact holds: what a bar on the timeline shows."""

    memory_id: str
    subject: str
    attribute: str
    owner: str
    slot: str
    value: Any
    valid_from: AwareDatetime
    valid_to: AwareDatetime | None


class Plan(Record):
    """What a write does, or would do, to what can be read.

    Attributes:
        outcome: what becomes of it.
        reason: one sentence that says why, for a person.
        memory_id: the fact that it makes, changes or supports.
        standing: the fact that it meets: corroborated, contested, or in the way.
        closed: stretches that no longer read as before, as they were.
        opened: stretches that read newly, as they will be.
        before: the stretches of the touched keys around the write, now.
        after: the same stretches as they would be.
        version: number of the last transaction that touched the key; hand it back as `seen`.
    """

    outcome: Outcome
    reason: str
    memory_id: str | None = None
    standing: str | None = None
    closed: tuple[Interval, ...] = ()
    opened: tuple[Interval, ...] = ()
    before: tuple[Interval, ...] = ()
    after: tuple[Interval, ...] = ()
    version: int = 0


class Receipt(Record):
    """What a write did.

    Attributes:
        transaction: its number; None where nothing was written (known, rejected).
        conflict_id: the conflict that was raised or joined.
    """

    outcome: Outcome
    plan: Plan
    memory_id: str | None = None
    conflict_id: str | None = None
    episode_id: str | None = None
    transaction: int | None = None


class ConflictKind(StrEnum):
    """What two claims disagree about."""

    VALUE = "value"
    END = "end"
    CROSSING = "crossing"


class ConflictState(StrEnum):
    """Where a conflict stands."""

    OPEN = "open"
    SETTLED = "settled"
    STALE = "stale"


class Resolution(StrEnum):
    """What a person or a policy can decide about a conflict."""

    INCOMING = "incoming"
    STANDING = "standing"
    MOVE = "move"
    BOTH = "both"
    MERGE = "merge"
    DEFER = "defer"


class Claim(Record):
    """One side of a conflict: a statement with its source.

    Attributes:
        claim_id: identity of a waiting claim, the fact's `memory_id` for the standing one.
        recorded_at: when the ledger took note of it.
    """

    claim_id: str
    value: Any
    valid_from: AwareDatetime
    until: AwareDatetime | None
    valid_from_basis: Basis
    precision: Precision
    source_episode_id: str
    span: Span | None
    confidence: float
    agent_id: str
    recorded_at: AwareDatetime
    transaction: int


class Conflict(Record):
    """Claims that cannot both hold, kept until a person or a policy decides.

    Attributes:
        contested_from: beginning of the contested period.
        contested_to: its end; None while open.
        standing: the claim that reads return meanwhile, marked disputed.
        incoming: the claims that wait, oldest first.
        resolution: how it was settled, with `settled_by`, `reason` and `settled_in`.
        version: number of the last transaction that touched its key; hand it back as `seen`.
    """

    tenant_id: str
    conflict_id: str
    kind: ConflictKind
    state: ConflictState
    subject: str
    attribute: str
    owner: str
    slot: str
    memory_type: str
    contested_from: AwareDatetime
    contested_to: AwareDatetime | None
    standing: Claim
    incoming: tuple[Claim, ...]
    raised_at: AwareDatetime
    raised_in: int
    resolution: Resolution | None
    settled_by: str | None
    settled_at: AwareDatetime | None
    settled_in: int | None
    reason: str | None
    version: int


class Transaction(Record):
    """One atomic write of one tenant.

    Attributes:
        number: 1, 2, 3, … without gaps within the tenant.
        recorded_at: rises strictly within the tenant, whatever the clock does.
        actor: the agent that wrote, `operator` for a person.
        tool: the program that wrote.
        digest: SHA-256 in hex over the previous digest, this header and the entries.
        entries: how many entries of the record it made or ended.
    """

    tenant_id: str
    number: int
    recorded_at: AwareDatetime
    actor: str
    tool: str
    kind: WriteKind
    reason: str | None
    digest: str
    entries: int
    subjects: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()


class TransactionDetail(Record):
    """A transaction with what it made and ended, and what reads gave before and after.

    Attributes:
        began: rows that it inserted; at most 1,000.
        ceased: rows that it ended; at most 1,000.
        before: stretches of the touched keys that read otherwise afterwards, as they were.
        after: the stretches that took their place.
        truncated: whether rows or stretches were left out.
        reverted_by: number of the transaction that reverted it.
    """

    transaction: Transaction
    began: tuple[Version, ...]
    ceased: tuple[Version, ...]
    before: tuple[Interval, ...]
    after: tuple[Interval, ...]
    episodes: tuple[str, ...]
    conflicts: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    attributes: tuple[Attribute, ...]
    reverted_by: int | None
    truncated: bool = False


class Head(Record):
    """The end of a tenant's chain, to be kept elsewhere so that a cut tail is noticed.

    Attributes:
        number: the newest transaction; 0 in an empty ledger.
        digest: its digest in hex.
        entries: how many entries the ledger has made and ended so far.
    """

    tenant_id: str
    number: int
    digest: str
    entries: int
    recorded_at: AwareDatetime | None

    def __str__(self) -> str:
        """Give the form that `check --head` takes."""
        return f"{self.number}:{self.digest}"


class ExportDraft(Record):
    """An audit snapshot that was taken, about to be noted.

    Attributes:
        transaction: number of the transaction as of which it was taken.
        digest: of that transaction, in hex.
        manifest: SHA-256 of the snapshot's manifest, in hex: it names the snapshot.
        arguments: what was asked for, as the manifest says it.
        destination: where it was written.
    """

    tenant_id: str
    transaction: int
    digest: str
    manifest: str
    arguments: dict[str, Any]
    destination: str


class Export(ExportDraft):
    """A note of an audit snapshot that was taken.

    Attributes:
        taken_at: when it was noted, by the store's clock; after the newest transaction.
    """

    taken_at: AwareDatetime


Version.model_rebuild()
