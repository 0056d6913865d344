"""The bulk path: a batch becomes one transaction, as if its deltas came one by one in order.

Most keys of a bulk load are simple: nothing stands in the way of their claims, and what becomes of
each follows from the claim before. Those are decided here in a tight loop and inserted many rows a
statement. Everything else goes through the acts, on an overlay that looks at what is near. The order
in which ids and secrets are drawn is that of `base.LedgerStore.load`, so both give the same ledger.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from store.backends.acts import Composer, slot_of
from store.backends.base import in_load_order
from store.backends.sqlite import codec
from store.backends.sqlite.plain import fact_digest, key_said
from store.backends.sqlite.sweep import SweepOverlay
from store.backends.sqlite.unit import INSERT_MILESTONE, insert
from store.backends.unit import seal_others
from store.canonical import canonical
from store.entry import SECRET_BYTES, EvidenceEntry, TransactionHeader, transaction_digest
from store.errors import Invalid
from store.ids import SYSTEM_ENTROPY
from store.ledger import Key, Row
from store.model import Cardinality, EpisodeDraft, Outcome, RowKind, WriteKind
from store.temporal import to_micros
from store.write import Capture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from store.backends.base import LoadTally
    from store.backends.sqlite.unit import SqliteUnit
    from store.contract import Scope
    from store.entry import Entries
    from store.ids import Entropy
    from store.model import Attribute, MemoryDelta

ROWS_A_STATEMENT: Final = 200
BETWEEN_CALLS: Final = 2000
"""Progress is told, and a wish to stop looked for, after so many deltas."""
MANY_ROWS: Final = 16
"""A key that gains so many rows at once leaves a milestone."""

_EXISTING: Final = """
SELECT valid_from, kind, tx_to IS NULL, memory_id, value, supersedes FROM fact NOT INDEXED
WHERE key_id = ?1 AND valid_from <= ?3 AND valid_from >= ifnull((
  SELECT max(valid_from) FROM fact WHERE key_id = ?1 AND tx_to IS NULL AND valid_from <= ?2), ?2)
ORDER BY valid_from, tx_from LIMIT ?4"""
_PLAIN_COLUMNS: Final = (
    "key_id, valid_from, tx_from, kind, tenant_no, memory_id, value, episode_no, agent_no, secret, "
    "confidence, schema_version, basis, precision"
)


class _Lane:
    """A key in the making.

    Attributes:
        key_id: None until it is entered.
        said: what its commitment covers.
        count: of new rows.
        is_new: whether it has no rows yet.
        is_involved: whether a fact on it has several rows or sources.
    """

    __slots__ = ("count", "is_involved", "is_new", "key", "key_id", "said")

    def __init__(self, key: Key, key_id: int | None) -> None:
        self.key = key
        self.key_id = key_id
        self.said = key_said(key.owner, key.subject, key.attribute, key.slot).encode()
        self.count = 0
        self.is_new = key_id is None
        self.is_involved = False


class _Claim(NamedTuple):
    """What a delta says, read once."""

    valid_from: int
    until: int | None
    value: str
    delta: MemoryDelta


class _Step(NamedTuple):
    """What becomes of a simple claim: a row, a restatement, a source, or nothing.

    Attributes:
        on: the claim (by position) or the existing fact (id, displaced one) that it stands on.
    """

    outcome: Outcome
    on: int | tuple[str, str | None] | None = None
    restates: bool = False


class _SimpleRow(NamedTuple):
    """A row of a simple claim, before its secret is drawn."""

    lane: _Lane
    claim: _Claim
    memory_id: str
    supersedes: str | None
    attribute: Attribute


class Draws:
    """A source of random bytes that asks the system for many at a time."""

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy
        self._is_system = entropy is SYSTEM_ENTROPY
        self._block = b""
        self._at = 0

    def __call__(self, length: int) -> bytes:
        """Return so many bytes."""
        if not self._is_system:
            return self._entropy(length)
        at = self._at
        if at + length > len(self._block):
            self._block, at = self._entropy(1 << 16), 0
        self._at = at + length
        return self._block[at : at + length]


class BatchLoad:
    """One batch, in the transaction of a unit.

    Args:
        unit: of the writer.
        scope: who writes.
        entropy: source of ids and secrets.
        tool: name of the program.
        tally: counts what becomes of the entries.
        heard: told how many deltas are decided; raises to give the batch up.
    """

    def __init__(
        self,
        unit: SqliteUnit,
        scope: Scope,
        entropy: Entropy,
        *,
        tool: str,
        tally: LoadTally,
        heard: Callable[[int], None],
    ) -> None:
        self._unit = unit
        self._scope = scope
        self._draw = Draws(entropy)
        self._tool = tool
        self._tally = tally
        self._heard = heard
        self._overlay = SweepOverlay(unit)
        self._composer = Composer(self._overlay, scope, self._draw)
        self._rows: list[_SimpleRow | Row] = []
        self._lanes: list[_Lane] = []
        self._links: list[EvidenceEntry] = []
        self._agent = quoted(scope.agent_id)
        self._ids = _IdMaker(unit.recorded_at)
        self._has_keys = unit.has_keys()

    def run(self, part: Sequence[EpisodeDraft | MemoryDelta]) -> int | None:
        """Compose and commit a batch; return the number of its transaction, if it wrote."""
        tally = self._tally
        self._unit.expect_episodes(
            e.episode_id if isinstance(e, EpisodeDraft) else e.source_episode_id for e in part
        )
        for position, entry in enumerate(part, tally.read):
            if isinstance(entry, EpisodeDraft):
                self._capture(position, entry)
        done = told = 0
        for _, group in groupby(in_load_order(part, tally.read), _place):
            deltas = list(group)
            if not self._simply(deltas):
                self._compose(deltas)
            done += len(deltas)
            if done - told >= BETWEEN_CALLS:
                told = done
                self._heard(told)
        return self._commit()

    def _capture(self, position: int, draft: EpisodeDraft) -> None:
        with self._tally.rejecting(position):
            composed = self._composer.compose(Capture(episode=draft))
            self._overlay.absorb(composed.entries)
            self._tally.episodes += composed.outcome is Outcome.APPLIED

    def _compose(self, deltas: Iterable[tuple[int, MemoryDelta]]) -> None:
        """Let the acts decide on the claims of one key."""
        looked_at = self._overlay.looked_at
        before = len(looked_at)
        for position, delta in deltas:
            with self._tally.rejecting(position):
                composed = self._composer.change(delta)
                self._overlay.absorb(composed.entries)
                self._tally.count(composed.outcome)
                self._tally.clashed(composed.conflict_kind)
        for key in list(looked_at)[before:]:
            self._rows += [row for row in looked_at[key] if row.tx_from == self._unit.number]

    # -- simple claims ------------------------------------------------------------------------

    def _simply(self, deltas: Sequence[tuple[int, MemoryDelta]]) -> bool:
        """Decide the claims of one subject and attribute, if all of them are simple."""
        first = deltas[0][1]
        entry = self._overlay.attribute(first.attribute)
        if entry is None or first.tenant_id != self._scope.tenant_id:
            return False
        if not self._scope.may_write(first.owner):
            return False
        claims = self._read(deltas, entry.attribute)
        if claims is None:
            return False
        lanes: list[tuple[_Lane, list[int]]] = []
        steps: list[_Step] = [_Step(Outcome.KNOWN)] * len(claims)
        for slot, positions in self._slots(first, claims, entry.attribute).items():
            key = Key(first.tenant_id, first.owner, first.subject, first.attribute, slot)
            lane = self._steps(key, claims, positions, steps)
            if lane is None:
                return False
            lanes.append((lane, positions))
        self._take(lanes, claims, steps, entry.attribute)
        return True

    def _read(
        self, deltas: Iterable[tuple[int, MemoryDelta]], attribute: Attribute
    ) -> list[_Claim] | None:
        """Read the claims; None if one of them would be rejected, so that the acts say why."""
        claims = []
        for _, delta in deltas:
            length = self._overlay.episode_length(delta.source_episode_id)
            if length is None or delta.memory_type not in (None, attribute.memory_type):
                return None
            if delta.span is not None and delta.span.end > length:
                return None
            try:
                until = None if delta.until is None else to_micros(delta.until)
                valid_from = to_micros(delta.valid_from)
                claims.append(_Claim(valid_from, until, canonical(delta.value), delta))
            except Invalid:
                return None
        return claims

    def _slots(
        self, first: MemoryDelta, claims: Sequence[_Claim], attribute: Attribute
    ) -> dict[str, list[int]]:
        """Return the positions of the claims for each slot, in order of first use."""
        if attribute.cardinality is Cardinality.SINGLE:
            return {"": list(range(len(claims)))}
        slots: dict[str, list[int]] = {}
        for position, claim in enumerate(claims):
            slot = slot_of(claim.value, self._unit.slot_secret)
            slots.setdefault(slot, []).append(position)
        return slots

    def _steps(
        self,
        key: Key,
        claims: Sequence[_Claim],
        positions: Sequence[int],
        steps: list[_Step],
    ) -> _Lane | None:
        """Say what becomes of the claims on a key; None if they are not simple."""
        if key.slot and self._found(key._replace(slot="")) is not None:
            return None  # the key from before the attribute had many values may say the same
        found = self._found(key)
        if any(claims[p].until is not None for p in positions) and (
            found is not None or len(positions) > 1
        ):
            return None
        standing: list[tuple[Any, ...]] = []
        if found is not None:
            existing = self._existing(key, claims, positions)
            if existing is None:
                return None
            standing = existing
        return self._sweep(_Lane(key, found), standing, claims, positions, steps)

    def _found(self, key: Key) -> int | None:
        if not self._has_keys:
            return None
        found = self._unit.key_found(key)
        return None if found is None else found.key_id

    def _existing(
        self, key: Key, claims: Sequence[_Claim], positions: Sequence[int]
    ) -> list[tuple[Any, ...]] | None:
        """Return the live rows among which the claims fall; None if anything is not simple."""
        found = self._unit.key_found(key)
        assert found is not None
        if found.has_conflicts or found.is_bounded:
            return None
        times = {claims[p].valid_from for p in positions}
        most = 4 * len(positions) + 64
        place = (found.key_id, min(times), max(times), most)
        rows = self._unit.connection.execute(_EXISTING, place).fetchall()
        if len(rows) == most or any(row[0] in times for row in rows):
            return None
        return [row for row in rows if row[2]]

    def _sweep(
        self,
        lane: _Lane,
        standing: Sequence[tuple[Any, ...]],
        claims: Sequence[_Claim],
        positions: Sequence[int],
        steps: list[_Step],
    ) -> _Lane | None:
        passed = 0
        value: str | None = None
        holder: int | tuple[str, str | None] | None = None
        at: int | None = None
        sources: set[str] = set()
        for position in positions:
            claim = claims[position]
            if claim.valid_from == at:
                if claim.value != value:
                    return None  # a conflict
                if claim.delta.source_episode_id not in sources:
                    sources.add(claim.delta.source_episode_id)
                    steps[position] = _Step(Outcome.CORROBORATED, holder)
                    lane.is_involved = True
                continue
            while passed < len(standing) and standing[passed][0] < claim.valid_from:
                _, kind, _, memory, said, displaced = standing[passed]
                value, holder = None, None
                if kind == 0:
                    before = None if displaced is None else codec.unpack_id(displaced)
                    value, holder = said, (codec.unpack_id(memory), before)
                passed += 1
            restates = holder is not None and claim.value == value
            lane.is_involved |= restates
            steps[position] = _Step(Outcome.APPLIED, holder, restates)
            value, holder, at = claim.value, position, claim.valid_from
            sources = {claim.delta.source_episode_id}
        return lane

    def _take(
        self,
        lanes: Iterable[tuple[_Lane, Sequence[int]]],
        claims: Sequence[_Claim],
        steps: Sequence[_Step],
        attribute: Attribute,
    ) -> None:
        """Draw the ids, in order of the claims, and keep the rows and links."""
        made = [self._ids.make(self._draw(10)) for _ in claims]
        displaced: list[str | None] = [None] * len(claims)
        for position, step in enumerate(steps):
            self._tally.count(step.outcome)
            on = step.on
            if step.outcome is Outcome.CORROBORATED:
                assert isinstance(on, int)
                made[position] = made[on]
            elif isinstance(on, int):
                if step.restates:
                    made[position], displaced[position] = made[on], displaced[on]
                else:
                    displaced[position] = made[on]
            elif on is not None:
                if step.restates:
                    made[position], displaced[position] = on
                else:
                    displaced[position] = on[0]
        for lane, positions in lanes:
            self._lanes.append(lane)
            for position in positions:
                outcome, claim = steps[position].outcome, claims[position]
                if outcome is Outcome.APPLIED:
                    row = _SimpleRow(lane, claim, made[position], displaced[position], attribute)
                    self._rows.append(row)
                    lane.count += 1
                    if claim.until is not None:
                        gap = Row(lane.key, claim.until, RowKind.GAP, None)
                        self._rows.append(gap)
                elif outcome is Outcome.CORROBORATED:
                    self._links.append(self._link(lane.key, claim, made[position]))

    def _link(self, key: Key, claim: _Claim, memory_id: str) -> EvidenceEntry:
        delta = claim.delta
        span = None if delta.span is None else (delta.span.start, delta.span.end)
        number = self._unit.number
        return EvidenceEntry(
            key, memory_id, claim.valid_from, delta.source_episode_id, span, number, number
        )

    # -- commit -------------------------------------------------------------------------------

    def _commit(self) -> int | None:
        unit, draw = self._unit, self._draw
        planned = self._overlay.entries()
        planned.evidence_begun += self._links
        planned.rows_begun = []
        if not self._rows and not planned:
            return None
        simple, rows, digests = self._sealed()
        sealed = seal_others(planned, rows, unit.number, draw)
        header = TransactionHeader(
            number=unit.number,
            recorded_at=unit.recorded_at,
            kind=WriteKind.LOAD,
            actor=self._scope.agent_id,
            tool=self._tool,
            reason=None,
            secret=draw(SECRET_BYTES),
            previous=unit.previous,
        )
        digest = digest_of(header, sealed, digests)
        unit.commit_with(
            header,
            sealed,
            digest,
            more=len(simple),
            write_more=lambda: self._insert(simple),
        )
        return unit.number

    def _sealed(self) -> tuple[list[tuple[_SimpleRow, bytes]], list[Row], list[str]]:
        """Draw the secrets of all rows, in order; return the digests of the simple ones."""
        simple: list[tuple[_SimpleRow, bytes]] = []
        rows: list[Row] = []
        digests: list[str] = []
        number, agent = self._unit.number, self._agent
        for row in self._rows:
            secret = self._draw(SECRET_BYTES)
            if isinstance(row, Row):
                rows.append(replace(row, tx_from=number, tx_to=None, secret=secret))
                continue
            lane, claim, memory_id, supersedes, attribute = row
            valid_from, until, value, delta = claim
            policy = (attribute.schema_version, attribute.retention_policy)
            said = (value, valid_from, until, number, memory_id, supersedes, secret)
            digests.append("+" + fact_digest(delta, lane.said, agent, policy, said))
            simple.append((row, secret))
        return simple, rows, digests

    def _insert(self, simple: list[tuple[_SimpleRow, bytes]]) -> None:
        """Insert the keys and rows of simple claims, in the order of the table."""
        self._insert_keys()
        unit = self._unit
        number, tenant_no = unit.number, unit.tenant_no
        agent_no = unit.name_no(self._scope.agent_id)
        episode_no = unit.episode_no
        shapes: dict[tuple[Any, ...], list[Any]] = {}
        others: list[tuple[Any, ...]] = []
        simple.sort(key=lambda item: (item[0].lane.key_id, item[0].claim.valid_from))
        for (lane, claim, memory_id, supersedes, attribute), secret in simple:
            valid_from, until, value, delta = claim
            memory = codec.pack_id(memory_id)
            source = episode_no(delta.source_episode_id)
            basis = codec.BASIS_NO[delta.valid_from_basis]
            precision = codec.PRECISION_NO[delta.precision]
            version = attribute.schema_version
            extra = codec.extra_of(delta.stated_as, attribute.retention_policy)
            if until is None and delta.span is None and extra is None and delta.confidence == 1.0:
                shape = (supersedes is not None, version, basis, precision)
                bound = shapes.setdefault(shape, [])
                bound += (lane.key_id, valid_from, memory, value, source, bytearray(secret))
                if supersedes is not None:
                    bound.append(codec.pack_id(supersedes))
                continue
            span = (None, None) if delta.span is None else (delta.span.start, delta.span.end)
            others.append(
                (
                    *(lane.key_id, valid_from, number, 0, tenant_no, until, memory, value, source),
                    *(agent_no, bytearray(secret)),
                    None if supersedes is None else codec.pack_id(supersedes),
                    *(delta.confidence, version, basis, precision, *span, extra, None),
                )
            )
        for shape, bound in shapes.items():
            self._insert_shape(shape, bound, agent_no)
        for values in others:
            unit.connection.execute(*insert("fact", codec.FACT, values))

    def _insert_shape(self, shape: tuple[Any, ...], bound: list[Any], agent_no: int) -> None:
        """Insert rows that differ in few columns, many a statement; the rest is in its text."""
        displaces, version, basis, precision = shape
        unit = self._unit
        row = (
            f"(?, ?, {unit.number}, 0, {unit.tenant_no}, ?, ?, ?, {agent_no}, ?, 1.0, {version}, "
            f"{basis}, {precision}{', ?' if displaces else ''})"
        )
        columns = _PLAIN_COLUMNS + (", supersedes" if displaces else "")
        width = 7 if displaces else 6
        step = width * ROWS_A_STATEMENT
        start = f"INSERT INTO fact ({columns}) VALUES "
        whole = start + ", ".join([row] * ROWS_A_STATEMENT)
        for first in range(0, len(bound), step):
            values = bound[first : first + step]
            count = len(values) // width
            statement = whole if count == ROWS_A_STATEMENT else start + ", ".join([row] * count)
            unit.connection.execute(statement, values)

    def _insert_keys(self) -> None:
        unit = self._unit
        found = unit.connection.execute("SELECT max(key_id) FROM key").fetchone()[0] or 0
        new: list[tuple[Any, ...]] = []
        for lane in self._lanes:
            if lane.key_id is None and lane.count:
                found += 1
                lane.key_id = found
                key = lane.key
                place = (found, unit.tenant_no, key.subject, key.attribute, key.owner, key.slot)
                new.append((*place, unit.number))
                unit.enter_key(key, found)
            self._leave_milestones(lane)
        unit.connection.executemany("INSERT INTO key VALUES (?, ?, ?, ?, ?, ?, ?)", new)
        involved = [(lane.key_id,) for lane in self._lanes if lane.is_involved]
        statement = "INSERT OR IGNORE INTO involved (key_id) VALUES (?)"
        unit.connection.executemany(statement, involved)

    def _leave_milestones(self, lane: _Lane) -> None:
        """Say how far a key reached before it gains many rows at once."""
        if lane.count >= MANY_ROWS and not lane.is_new:
            place = (lane.key_id, self._unit.number - 1)
            self._unit.connection.execute(INSERT_MILESTONE, place)


def digest_of(header: TransactionHeader, sealed: Entries, digests: Iterable[str]) -> str:
    """Return the digest of a transaction some of whose rows were digested already."""
    return transaction_digest(header, [*sealed.digests(), *digests])


class _IdMaker:
    """Makes the ids of one instant, as `ids.new_id` does."""

    def __init__(self, at: int) -> None:
        milliseconds = max(at, 0) // 1000 & 0xFFFF_FFFF_FFFF
        text = f"{milliseconds:012x}"
        self._start = f"{text[:8]}-{text[8:]}-7"

    def make(self, random: bytes) -> str:
        """Return the id of ten random bytes."""
        text = random.hex()
        variant = "89ab"[random[2] >> 4 & 3]
        return f"{self._start}{text[1:4]}-{variant}{text[5:8]}-{text[8:]}"


def _place(item: tuple[int, MemoryDelta]) -> tuple[str, str, str, str]:
    delta = item[1]
    return delta.tenant_id, delta.owner, delta.subject, delta.attribute
