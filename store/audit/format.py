"""The form of an audit snapshot: what is in its files, and the types that say so.

A snapshot is a directory, or the same files as a zip with its members at the root. It stands alone:
a stranger checks it with `verify.py`, which is in it. This text is the authority on the form.

**Files.** `manifest.json facts.jsonl facts.csv versions.jsonl episodes.jsonl evidence.jsonl
conflicts.jsonl attributes.jsonl transactions.jsonl provenance.json report.html report.md
verify.py`; `omitted.jsonl` if filtered; `store.db` if asked for; `manifest.sig` if signed. Nothing
else. Text is UTF-8 with LF. Each line of a `.jsonl` file is one object in canonical JSON (RFC 8785:
members sorted, no spaces). A value is embedded as JSON, so its canonical text is read back by
writing it again canonically. The same state of a store and the same arguments give the same bytes
with one version of the program (`store.db` aside, a copy made by SQLite); the files of a zip have
the time 1980-01-01 00:00:00.

**Times.** In the ledger's files (versions, episodes, evidence, conflicts, attributes, transactions)
an instant is an integer, microseconds since 1970 UTC, and members that are null are left out. A
`value` is left out only where there is none (kinds `end` and `gap`); null is a value. In
`facts.jsonl`, `facts.csv` and the manifest instants are ISO 8601 with Z as `store.temporal.iso`
writes them, and nulls stay.

**As of.** All is told as of the manifest's transaction N: an entry begun later is not there, a
`tx_to` later than N is left out, conflicts have their events up to N.

**Rows.** A *content* has `memory_id value episode_id agent_id span [start, end] confidence
supersedes schema_version retention_policy basis precision stated_as`; an *over* has the same and
`until`. A *row* has `kind valid_from until tx_from secret content over`, the secret in hex. Where
values are withheld, `secret` is left out, and `value` and `stated_as` of content and over; instead
`commitments` has `key`, with a content also `value`, with an over also `over`: the commitments
of the digest rule in hex. Names, slot and `agent_id` are then shown, and not proved; the reasons of
transactions and of settlements are shown and proved, so whoever wrote a value there told it.

* `versions.jsonl`, by subject, attribute, owner, slot, valid_from, tx_from: a row with `owner
  subject attribute slot tx_to`.
* `evidence.jsonl`, by subject, attribute, owner, slot, valid_from, tx_from, memory_id, episode_id,
  span: `owner subject attribute slot memory_id valid_from episode_id span row_tx tx_from tx_to`.
* `conflicts.jsonl`, by subject, attribute, owner, slot, conflict_id: `conflict_id kind owner
  subject attribute slot contested_from contested_to standing state events`. `standing` is a row on
  that key as it stood when the conflict was raised; `state` is open, settled or stale, and left out
  if every claim was withdrawn. `events`, oldest first: `kind tx_from claim {claim_id, row}
  resolution claim_id actor reason secret`. The conflict's own digest belongs to the transaction of
  its first event.
* `episodes.jsonl`, by tx_from, episode_id: `episode_id kind occurred_at agent_id session_id content
  metadata tx_from secret`. Withheld (content or values): no `content metadata secret`, but
  `commitment`; `agent_id` and `session_id` are then shown, and not proved.
* `attributes.jsonl`, by name, tx_from: `name memory_type cardinality sensitive retention_policy
  schema_version tx_from tx_to`.
* `transactions.jsonl`, by number, all of 1 to N: `number recorded_at kind actor tool reason reverts
  secret digest entries total`. In a filtered snapshot, one without an entry in scope has no `actor
  reason secret`, but `commitment`, so that nothing of it leaks.
* `omitted.jsonl`, by transaction, digest: `{"digest": "+hex" or "-hex", "transaction": n}`, the
  digests of the entries that lie out of a filtered snapshot's scope and that transaction n began
  (+) or ended (-), so that the chain still verifies.

**Scope of a filter.** Subject and attribute match exactly, `memory_type` is that of the attribute's
newest registry entry as of N (`fact` without one). In scope are the keys that match, their rows,
evidence and conflicts; the episodes that those cite; the registry entries of the attributes that
those rows have; every transaction.

* `facts.jsonl`, by subject, attribute, owner, slot, valid_from: the members of `store.model.Fact`
  but `last_confirmed_at` and `superseded_at`, as `Store.facts` gives them as of (`valid_at`, N):
  those in force at `valid_at`, or with a window every interval that touches `[from, to)`.
  `evidence` has `{episode_id, span, transaction}`: the row's own source, then the rest, oldest
  first, those of one transaction by episode and span, without repeats. Where values are withheld:
  no `value` and `stated_as`, but `"withheld": true`.
* `facts.csv`: the same as a table, comma and LF, the columns of `store.audit.tables.COLUMNS`. Null
  is an empty cell; values and lists are JSON. A cell that begins with one of = + - @ ' tab CR LF or
  a full-width = + - @ ' has an apostrophe before it: take one leading apostrophe away, and it is as
  it was.
* `provenance.json`: W3C PROV-JSON, see `store.audit.prov`.

**manifest.json**, indented by two, members sorted: `format`, `format_version`, `digest_rule`,
`tool`, `store_id`, `tenant_id`, `slot_secret` (hex; only if nothing is filtered or withheld),
`arguments` (resolved, however N was named), `as_of`, `head`, `counts`, `schema_versions` (how many
facts in scope were written under each version of their attribute's schema), `files` (bytes, SHA-256
and, of a `.jsonl`, lines, of every other file but `manifest.sig`), `rule`, and `digest`: SHA-256 of
the manifest's canonical JSON without this member. It names the snapshot.

**Counts.** `facts`: the lines of facts.jsonl, of which `with_source` have their source episode in
the record, `with_span` have a span in some evidence, `disputed` are so, `imprecise` are known to
the day or worse, and `by_basis` counts each basis. `conflicts`: by state; settled ones by the actor
of the settling event: `operator` is a person, `policy` or `policy:…` a policy, any other an agent.
`episodes`: the lines of episodes.jsonl, of which `unused` are cited by no row, link, conflict or
claim in the snapshot. `versions`, `evidence`, `transactions`: lines. `keys` and `subjects`: of
versions.jsonl. `gaps`: periods after some stretch of a key, as of N, in which nothing holds,
whether or not something holds again later.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from store.canonical import canonical
from store.entry import DIGEST_RULE, SECRET_BYTES
from store.errors import Corrupt, Invalid, TooNew
from store.model import Head, clean_name
from store.temporal import parse_instant, to_micros

if TYPE_CHECKING:
    from datetime import datetime

FORMAT: Final = "memory-workbench-snapshot"
FORMAT_VERSION: Final = 1

MANIFEST: Final = "manifest.json"
FACTS: Final = "facts.jsonl"
FACTS_CSV: Final = "facts.csv"
VERSIONS: Final = "versions.jsonl"
EPISODES: Final = "episodes.jsonl"
EVIDENCE: Final = "evidence.jsonl"
CONFLICTS: Final = "conflicts.jsonl"
ATTRIBUTES: Final = "attributes.jsonl"
TRANSACTIONS: Final = "transactions.jsonl"
OMITTED: Final = "omitted.jsonl"
PROVENANCE: Final = "provenance.json"
REPORT_HTML: Final = "report.html"
REPORT_MARKDOWN: Final = "report.md"
VERIFIER: Final = "verify.py"
STORE: Final = "store.db"
SIGNATURE: Final = "manifest.sig"

NAMES: Final = (
    MANIFEST,
    FACTS,
    FACTS_CSV,
    VERSIONS,
    EPISODES,
    EVIDENCE,
    CONFLICTS,
    ATTRIBUTES,
    TRANSACTIONS,
    OMITTED,
    PROVENANCE,
    REPORT_HTML,
    REPORT_MARKDOWN,
    VERIFIER,
    STORE,
    SIGNATURE,
)
"""Every name that a snapshot may have, in the order of a zip's members."""

RULE: Final = (
    "h is SHA-256; fields are joined by U+001F as UTF-8, null as the empty string, after the "
    "entry's tag. commitment = h(secret + tag + U+001F + canonical JSON of the content), in hex; "
    "entry = h(tag, fields, commitments); transaction = h(tx1, previous digest, number, "
    "recorded_at, kind, tool, reverts, commitment of [actor, reason], then the sorted list of + or "
    "- with the digest of each entry that it began or ended). Numbers are written as Python writes "
    "them. A file's digest is SHA-256 of its bytes; the manifest's is SHA-256 of its canonical "
    "JSON (RFC 8785) without the member digest."
)
"""How the digests were made, in the manifest's words; `store.entry` has it in full."""
_SECRET: Final = re.compile(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}")


class Withhold(StrEnum):
    """What a snapshot keeps to itself: contents of episodes, or all values with them."""

    NOTHING = "nothing"
    CONTENT = "content"
    VALUES = "values"


class Form(StrEnum):
    """What a snapshot is on disk."""

    DIRECTORY = "dir"
    ZIP = "zip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is in a snapshot. Names match exactly.

    Attributes:
        valid_at: the instant in the world that is asked about; None means when the transaction
            was recorded.
        known_at: as of the last transaction recorded by then; at most one of it and `number`.
        number: as of this transaction; None means the newest.
        window: facts are every interval that touches the half-open period, instead of those in
            force at `valid_at`.
        withhold: what only its salted digest stands for.

    Raises:
        Invalid: a name breaks the rules of names, an instant is naive, the window is empty, or
            both `known_at` and `number` are given.
    """

    subject: str | None = None
    attribute: str | None = None
    memory_type: str | None = None
    valid_at: datetime | None = None
    known_at: datetime | None = None
    number: int | None = None
    window: tuple[datetime, datetime] | None = None
    withhold: Withhold = Withhold.NOTHING

    def __post_init__(self) -> None:
        """Refuse what makes no sense, above all what would withhold less than was asked."""
        if not isinstance(self.withhold, Withhold):
            raise Invalid(f"{self.withhold!r} is not one of Withhold's members.")
        if self.known_at is not None and self.number is not None:
            raise Invalid("Say the time or the number of the transaction to look from, not both.")
        for instant in (self.valid_at, self.known_at):
            if instant is not None:
                to_micros(instant)
        if self.window is not None and to_micros(self.window[0]) >= to_micros(self.window[1]):
            raise Invalid("The window is empty: its end must lie after its beginning.")
        for field in ("subject", "attribute", "memory_type"):
            name = getattr(self, field)
            if name is not None:
                object.__setattr__(self, field, _clean(name))

    @property
    def is_filtered(self) -> bool:
        """Whether part of the record lies out of scope."""
        return any(n is not None for n in (self.subject, self.attribute, self.memory_type))


def _clean(name: str) -> str:
    try:
        return clean_name(name)
    except ValueError as error:
        raise Invalid(f"The filter is not usable: {error}.") from error


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


Count = Field(default=0, ge=0)


class FactCounts(_Part):
    """How many facts are in scope, and how many of them are so and so."""

    in_scope: int = Count
    with_source: int = Count
    without_source: int = Count
    with_span: int = Count
    disputed: int = Count
    imprecise: int = Count
    by_basis: dict[str, int] = Field(default_factory=dict)


class ConflictCounts(_Part):
    """How many conflicts wait, and who settled the others."""

    open: int = Count
    stale: int = Count
    settled_by_person: int = Count
    settled_by_policy: int = Count
    settled_by_agent: int = Count


class EpisodeCounts(_Part):
    """How many episodes there are, and how many nothing cites."""

    total: int = Count
    unused: int = Count


class Counts(_Part):
    """What is in a snapshot, with denominators; the module says what each counts."""

    facts: FactCounts = FactCounts()
    conflicts: ConflictCounts = ConflictCounts()
    episodes: EpisodeCounts = EpisodeCounts()
    versions: int = Count
    evidence: int = Count
    transactions: int = Count
    keys: int = Count
    subjects: int = Count
    gaps: int = Count


class Tool(_Part):
    """The program that wrote a snapshot."""

    name: str
    version: str


class Arguments(_Part):
    """What was asked for, resolved: the same however the transaction was named.

    Attributes:
        valid_at: ISO 8601, as are the bounds of the window.
    """

    subject: str | None
    attribute: str | None
    memory_type: str | None
    valid_at: str
    transaction: int
    window: tuple[str, str] | None
    withhold: Withhold
    language: str
    with_store: bool

    @property
    def is_filtered(self) -> bool:
        """Whether part of the record lies out of scope."""
        return any(n is not None for n in (self.subject, self.attribute, self.memory_type))


class Point(_Part):
    """The point on both axes from which a snapshot looks, as ISO 8601."""

    transaction: int
    recorded_at: str
    valid_at: str


class End(_Part):
    """The end of the chain: number and digest of the transaction, entries up to it."""

    number: int
    digest: str
    entries: int


class File(_Part):
    """What a file must be: its length, its SHA-256 in hex, and the lines of a `.jsonl`."""

    bytes: int
    sha256: str
    lines: int | None = None


class Manifest(_Part):
    """What a snapshot is, with its denominators and the digest of each file.

    Attributes:
        digest: SHA-256 in hex of the rest; it names the snapshot.
        files: every file but the manifest and its signature, by name.
    """

    format: Literal["memory-workbench-snapshot"] = FORMAT
    format_version: int = FORMAT_VERSION
    digest_rule: int = DIGEST_RULE
    tool: Tool
    store_id: str
    tenant_id: str
    slot_secret: str | None = None
    arguments: Arguments
    as_of: Point
    end: End = Field(alias="head")
    counts: Counts
    schema_versions: dict[str, int]
    files: dict[str, File]
    rule: str = RULE
    digest: str = ""

    @property
    def head(self) -> Head:
        """The end of the chain, for `verify --head` and the notebook."""
        return Head(
            tenant_id=self.tenant_id,
            number=self.end.number,
            digest=self.end.digest,
            entries=self.end.entries,
            recorded_at=parse_instant(self.as_of.recorded_at).instant,
        )

    def sealed(self) -> Manifest:
        """Return the same with its digest."""
        return self.model_copy(update={"digest": digest_of(self._members())})

    def text(self) -> str:
        """Return what `manifest.json` holds."""
        text = json.dumps(self._members(), ensure_ascii=False, indent=2, sort_keys=True)
        return text + "\n"

    def _members(self) -> dict[str, Any]:
        members = self.model_dump(mode="json", by_alias=True)
        if self.slot_secret is None:
            del members["slot_secret"]
        for file in members["files"].values():
            if file["lines"] is None:
                del file["lines"]
        return members

    @classmethod
    def parse(cls, text: str | bytes) -> Manifest:
        """Read what `manifest.json` holds, and check its digest.

        Raises:
            Invalid: it is no manifest of a snapshot.
            TooNew: it was written in a form that this program does not know.
            Corrupt: it was changed after it was written.
        """
        try:
            members = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Invalid(f"{MANIFEST} is not JSON: {error}.") from error
        if not isinstance(members, dict) or members.get("format") != FORMAT:
            raise Invalid(f"{MANIFEST} is not the manifest of a Memory Workbench snapshot.")
        version = members.get("format_version")
        if version != FORMAT_VERSION or members.get("digest_rule") != DIGEST_RULE:
            raise TooNew(f"The snapshot has the form {version!r}, which this program cannot read.")
        try:
            manifest = cls.model_validate_json(text, strict=True)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise Invalid(f"{MANIFEST} is not usable: {where}: {first['msg']}.") from error
        if digest_of(members) != manifest.digest:
            raise Corrupt(f"{MANIFEST} was changed: its digest is not that of what it says.")
        if manifest.slot_secret is not None and not _SECRET.fullmatch(manifest.slot_secret):
            raise Corrupt(
                f"{MANIFEST} is not usable: slot_secret is not {SECRET_BYTES} bytes in hex."
            )
        return manifest


def digest_of(members: dict[str, Any]) -> str:
    """Return the digest of a manifest from its members; `digest` itself does not enter it."""
    rest = {name: value for name, value in members.items() if name != "digest"}
    return sha256(canonical(rest).encode()).hexdigest()
