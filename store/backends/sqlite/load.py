"""The bulk path: a batch becomes one transaction, as if its deltas came one by one in order.

Most keys of a bulk load are simple: nothing stands in the way of their claims, and what becomes of
each follows from the claim before. Those are decided here in a tight loop and inserted many rows a
statement. Everything else goes through the acts, on an overlay that looks at what is near. Ids and
secrets are drawn in the order of `base.LedgerStore.load`, so both give the same ledger.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import replace
from json.encoder import encode_basestring as quoted
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from store.backends.acts import Proposal, slot_of
from store.backends.sqlite import codec
from store.backends.sqlite.made import id_of
from store.backends.sqlite.plain import fact_digest, key_committed
from store.backends.sqlite.sweep import SweepOverlay
from store.backends.sqlite.writer import INSERT_MILESTONE, Rows
from store.backends.unit import seal_others
from store.canonical import canonical
from store.entry import SECRET_BYTES, EvidenceEntry, TransactionHeader
from store.errors import Invalid
from store.ids import SYSTEM_ENTROPY
from store.ledger import Key, Row
from store.model import (
    KEEP,
    Cardinality,
    EpisodeDraft,
    MemoryDelta,
    Outcome,
    RowKind,
    WriteKind,
)
from store.temporal import to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from store.backends.base import LoadTally
    from store.backends.sqlite.unit import SqliteUnit
    from store.contract import Scope
    from store.ids import Entropy

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
_PLAIN: Final = (
    "key_id, valid_from, tx_from, kind, tenant_no, memory_id, value, episode_no, agent_no, secret, "
    "confidence, schema_version, basis, precision"
)


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep Python's collector from going through a batch again and again while it grows.

    Nothing in a batch refers to itself, so nothing is missed.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


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
        self.said = key_committed(key.owner, key.subject, key.attribute, key.slot)
        self.count = 0
        self.is_new = key_id is None
        self.is_involved = False


_Policy = tuple[str, bool, int, str]
"""Of an attribute: memory type, whether it has many values, schema version, retention policy."""
_Claim = tuple[int, int | None, str, "MemoryDelta"]
"""What a delta says, read once: valid_from, until, canonical value, the delta itself."""
_Identity = tuple[str, bytearray]
"""A fact's id as text and as it is stored."""
_Simple = tuple[_Lane, _Claim, _Identity, "_Identity | None", _Policy]
"""A row of a simple claim, before its secret is drawn: last but one, the fact that it displaces."""
_KNOWN: Final = (Outcome.KNOWN, None, False)
_Step = tuple[Outcome, "int | tuple[_Identity, _Identity | None] | None", bool]
"""What becomes of a simple claim: a row, a source, or nothing; on which claim (by position) or
existing fact (with what that displaced) it stands; and whether it restates that."""


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
            self._block, at = self._entropy(max(length, 1 << 16)), 0
        self._at = at + length
        return self._block[at : at + length]

    def several(self, count: int, length: int) -> list[bytearray]:
        """Return what as many calls would give."""
        if not self._is_system:
            return [bytearray(self._entropy(length)) for _ in range(count)]
        drawn = bytearray(self(count * length))
        return [drawn[at : at + length] for at in range(0, len(drawn), length)]


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
        self._proposal = Proposal(self._overlay, scope, self._draw)
        self._rows: list[_Simple | Row] = []
        self._lanes: list[_Lane] = []
        self._links: list[EvidenceEntry] = []
        self._agent = quoted(scope.agent_id)
        self._has_keys = unit.has_keys()
        self._policies: dict[str, _Policy] = {}
        self._lengths: dict[str, int] = {}

    def run(self, part: Sequence[EpisodeDraft | MemoryDelta]) -> int | None:
        """Compose and commit a batch; return the number of its transaction, if it wrote."""
        drafts: list[tuple[int, EpisodeDraft]] = []
        positions: list[int] = []
        deltas: list[MemoryDelta] = []
        for position, entry in enumerate(part, self._tally.read):
            if isinstance(entry, MemoryDelta):
                positions.append(position)
                deltas.append(entry)
            else:
                drafts.append((position, entry))
        cited = {delta.source_episode_id for delta in deltas}
        self._unit.expect_episodes(cited.union([draft.episode_id for _, draft in drafts]))
        for position, draft in drafts:
            self._capture(position, draft)
        done = told = 0
        for group in _by_place(deltas):
            if not self._simply([deltas[i] for i in group]):
                self._compose([(positions[i], deltas[i]) for i in group])
            done += len(group)
            if done - told >= BETWEEN_CALLS:
                told = done
                self._heard(done)
        return self._commit()

    def _capture(self, position: int, draft: EpisodeDraft) -> None:
        with self._tally.rejecting(position):
            composed = self._proposal.capture(draft)
            self._overlay.absorb(composed.entries)
            self._tally.episodes += composed.outcome is Outcome.APPLIED

    def _compose(self, deltas: Iterable[tuple[int, MemoryDelta]]) -> None:
        """Let the acts decide on the claims of one key."""
        looked_at = self._overlay.looked_at
        before = len(looked_at)
        for position, delta in deltas:
            with self._tally.rejecting(position):
                composed = self._proposal.change(delta)
                self._overlay.absorb(composed.entries)
                self._tally.count(composed.outcome)
                self._tally.clashed(composed.conflict_kind)
        for key in list(looked_at)[before:]:
            self._rows += [row for row in looked_at[key] if row.tx_from == self._unit.number]

    # -- simple claims ------------------------------------------------------------------------

    def _simply(self, deltas: Sequence[MemoryDelta]) -> bool:
        """Decide the claims of one subject and attribute, if all of them are simple."""
        first = deltas[0]
        policy = self._policy(first.attribute)
        if policy is None or first.tenant_id != self._scope.tenant_id:
            return False
        if not self._scope.may_write(first.owner):
            return False
        claims = self._read(deltas, policy[0])
        if claims is None:
            return False
        lanes: list[tuple[_Lane, Sequence[int]]] = []
        steps: list[_Step] = [_KNOWN] * len(claims)
        place = first.tenant_id, first.owner, first.subject, first.attribute
        if not policy[1] and self._in_turn(Key(*place, ""), claims, policy):
            return True
        if policy[1] and self._has_keys and self._overlay.corrected_slots(Key(*place, "")):
            return False
        for slot, positions in self._slots(claims, is_multi=policy[1]).items():
            lane = self._steps(Key(*place, slot), claims, positions, steps)
            if lane is None:
                return False
            lanes.append((lane, positions))
        self._take(lanes, claims, steps, policy)
        return True

    def _policy(self, attribute: str) -> _Policy | None:
        """Return what is registered of an attribute; None if it is not yet."""
        policy = self._policies.get(attribute)
        if policy is None:
            entry = self._overlay.attribute(attribute)
            if entry is None:
                return None
            it = entry.attribute
            is_multi = it.cardinality is Cardinality.MULTI
            policy = (it.memory_type, is_multi, it.schema_version, it.retention_policy)
            self._policies[attribute] = policy
        return policy

    def _read(self, deltas: Iterable[MemoryDelta], memory_type: str) -> list[_Claim] | None:
        """Read the claims; None if one of them would be rejected, so that the acts say why."""
        claims: list[_Claim] = []
        lengths = self._lengths
        for delta in deltas:
            said = delta.__dict__  # the fields of a model, without asking it for each
            length = lengths.get(said["source_episode_id"])
            if length is None:
                length = self._overlay.episode_length(said["source_episode_id"])
                if length is None:
                    return None
                lengths[said["source_episode_id"]] = length
            span, value, until = said["span"], said["value"], said["until"]
            if span is not None and span.end > length:
                return None
            if said["memory_type"] is not None and said["memory_type"] != memory_type:
                return None
            try:
                claims.append(
                    (
                        to_micros(said["valid_from"]),
                        None if until is None else to_micros(until),
                        quoted(value)
                        if type(value) is str and value.isascii()
                        else canonical(value),
                        delta,
                    )
                )
            except Invalid:
                return None
        return claims

    def _in_turn(self, key: Key, claims: Sequence[_Claim], policy: _Policy) -> bool:
        """Take claims that open a new key, if each comes later and says another value.

        That is what most keys of an import are; it comes to what `_steps` and `_take` do.
        """
        at: int | None = None
        said: str | None = None
        for valid_from, until, value, _ in claims:
            if until is not None or valid_from == at or value == said:
                return False
            at, said = valid_from, value
        if self._found(key) is not None:
            return False
        lane = _Lane(key, None)
        lane.count = len(claims)
        facts = self._new_ids(len(claims))
        displaced = [None, *facts]
        self._lanes.append(lane)
        self._rows += [
            (lane, claim, fact, before, policy)
            for claim, fact, before in zip(claims, facts, displaced, strict=False)
        ]
        self._tally.count(Outcome.APPLIED, len(claims))
        return True

    def _new_ids(self, count: int) -> list[_Identity]:
        """Draw ids for the claims of a key."""
        now = self._unit.recorded_at
        return [id_of(now, noise) for noise in self._draw.several(count, 10)]

    def _slots(self, claims: Sequence[_Claim], *, is_multi: bool) -> dict[str, Sequence[int]]:
        """Return the positions of the claims for each slot, in order of first use."""
        if not is_multi:
            return {"": range(len(claims))}
        slots: dict[str, list[int]] = {}
        for position, claim in enumerate(claims):
            slots.setdefault(slot_of(claim[2], self._unit.slot_secret), []).append(position)
        return dict(slots)

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
        is_alone = found is None and len(positions) == 1
        if not is_alone and any(claims[p][1] is not None for p in positions):
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
        times = {claims[p][0] for p in positions}
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
        holder: int | tuple[_Identity, _Identity | None] | None = None
        at: int | None = None
        sources: set[str] = set()
        for position in positions:
            valid_from, _, said, delta = claims[position]
            if valid_from == at:
                if said != value:
                    return None  # a conflict
                if delta.source_episode_id not in sources:
                    sources.add(delta.source_episode_id)
                    steps[position] = (Outcome.CORROBORATED, holder, False)
                    lane.is_involved = True
                continue
            while passed < len(standing) and standing[passed][0] < valid_from:
                _, kind, _, memory, value, displaced = standing[passed]
                holder = (_identity(memory), _identity(displaced)) if kind == 0 else None
                passed += 1
            restates = holder is not None and said == value
            lane.is_involved |= restates
            steps[position] = (Outcome.APPLIED, holder, restates)
            value, holder, at = said, position, valid_from
            sources = {delta.source_episode_id}
        return lane

    def _take(
        self,
        lanes: Iterable[tuple[_Lane, Sequence[int]]],
        claims: Sequence[_Claim],
        steps: Sequence[_Step],
        policy: _Policy,
    ) -> None:
        """Draw the ids, in order of the claims, and keep the rows and links."""
        facts = self._new_ids(len(claims))
        displaced: list[_Identity | None] = [None] * len(claims)
        applied = 0
        for position, (outcome, on, restates) in enumerate(steps):
            if outcome is not Outcome.APPLIED:
                self._tally.count(outcome)
                if isinstance(on, int):
                    facts[position] = facts[on]
                continue
            applied += 1
            if isinstance(on, int):
                before, under = facts[on], displaced[on]
            elif on is not None:
                before, under = on
            else:
                continue
            if restates:
                facts[position], displaced[position] = before, under
            else:
                displaced[position] = before
        self._tally.count(Outcome.APPLIED, applied)
        for lane, positions in lanes:
            self._lanes.append(lane)
            for position in positions:
                outcome, claim = steps[position][0], claims[position]
                if outcome is Outcome.APPLIED:
                    self._rows.append((lane, claim, facts[position], displaced[position], policy))
                    lane.count += 1
                    if claim[1] is not None:
                        self._rows.append(Row(lane.key, claim[1], RowKind.GAP, None))
                elif outcome is Outcome.CORROBORATED:
                    self._links.append(self._link(lane.key, claim, facts[position][0]))

    def _link(self, key: Key, claim: _Claim, memory_id: str) -> EvidenceEntry:
        valid_from, _, _, delta = claim
        span = None if delta.span is None else (delta.span.start, delta.span.end)
        number, episode_id = self._unit.number, delta.source_episode_id
        return EvidenceEntry(key, memory_id, valid_from, episode_id, span, number, number)

    # -- commit -------------------------------------------------------------------------------

    def _commit(self) -> int | None:
        unit, draw = self._unit, self._draw
        planned = self._overlay.entries()
        planned.evidence_begun += self._links
        planned.rows_begun = []
        if not self._rows and not planned:
            return None
        number = unit.number
        simple: list[_Simple] = []
        secrets: list[bytearray] = []
        rows: list[Row] = []
        drawn = draw.several(len(self._rows), SECRET_BYTES)
        for row, secret in zip(self._rows, drawn, strict=True):
            if isinstance(row, Row):
                rows.append(replace(row, tx_from=number, tx_to=None, secret=bytes(secret)))
            else:
                simple.append(row)
                secrets.append(secret)
        sealed = seal_others(planned, rows, number, draw)
        header = TransactionHeader(
            number=number,
            recorded_at=unit.recorded_at,
            kind=WriteKind.LOAD,
            actor=self._scope.agent_id,
            tool=self._tool,
            reason=None,
            secret=draw(SECRET_BYTES),
            previous=unit.previous,
        )
        unit.commit_with(header, sealed, lambda: self._insert(simple, secrets))
        return number

    def _insert(self, simple: Sequence[_Simple], secrets: Sequence[bytearray]) -> list[str]:
        """Insert the keys and rows of simple claims; return the digests of the rows."""
        self._insert_keys()
        number, agent = self._unit.number, self._agent
        inserts = _Inserts(self._unit, self._unit.name_no(self._scope.agent_id))
        digests: list[str] = []
        order: Iterable[int] = range(len(simple))
        if self._has_keys:  # of one key they are in order
            keys = [row[0].key_id or 0 for row in simple]
            order = sorted(order, key=keys.__getitem__)
        for i in order:
            row, secret = simple[i], secrets[i]
            lane, (valid_from, until, value, delta), fact, displaced, policy = row
            before = None if displaced is None else displaced[0]
            claimed = (value, valid_from, until, number, fact[0], before, secret)
            digests.append("+" + fact_digest(delta, lane.said, agent, policy[2:], claimed))
            inserts.add(row, secret)
        inserts.finish()
        return digests

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


class _Inserts:
    """Rows on their way into the table, those of one shape many a statement."""

    def __init__(self, unit: SqliteUnit, agent_no: int) -> None:
        self._unit = unit
        self._agent_no = agent_no
        self._episodes = {name: it[0] for name, it in unit.episodes_found.items() if it}
        self._shapes: dict[tuple[Any, ...], list[Any]] = {}
        self._others = Rows(unit.connection)

    def add(self, row: _Simple, secret: bytearray) -> None:
        """Take a row."""
        lane, (valid_from, until, value, delta), fact, displaced, (_, _, version, retention) = row
        said = delta.__dict__
        source = self._episodes[said["source_episode_id"]]
        basis = codec.BASIS_NO[said["valid_from_basis"]]
        precision = codec.PRECISION_NO[said["precision"]]
        span, confidence, stated = said["span"], said["confidence"], said["stated_as"]
        is_short = until is None and span is None and stated is None and retention == KEEP
        if is_short and confidence == 1.0:
            shape = (displaced is not None, version, basis, precision)
            bound = self._shapes.get(shape)
            if bound is None:
                bound = self._shapes[shape] = []
            bound += (lane.key_id, valid_from, fact[1], value, source, secret)
            if displaced is not None:
                bound.append(displaced[1])
            return
        unit = self._unit
        values = (
            *(lane.key_id, valid_from, unit.number, 0, unit.tenant_no, until, fact[1], value),
            *(source, self._agent_no, secret),
            None if displaced is None else displaced[1],
            *(confidence, version, basis, precision),
            *((None, None) if span is None else (span.start, span.end)),
            *(codec.extra_of(stated, retention), None),
        )
        self._others.add("fact", codec.FACT, values)

    def finish(self) -> None:
        """Insert what was taken and is not in the table yet."""
        self._others.insert()
        for shape, bound in self._shapes.items():
            self._insert_shape(shape, bound)

    def _insert_shape(self, shape: tuple[Any, ...], bound: list[Any]) -> None:
        """Insert rows that differ in few columns; what they share is in the statement's text.

        If one fails, all of the batch does: so SQLite need not keep, as it otherwise would, what
        it takes to undo the one statement.
        """
        displaces, version, basis, precision = shape
        unit = self._unit
        row = (
            f"(?, ?, {unit.number}, 0, {unit.tenant_no}, ?, ?, ?, {self._agent_no}, ?, 1.0, "
            f"{version}, {basis}, {precision}{', ?' if displaces else ''})"
        )
        columns = _PLAIN + (", supersedes" if displaces else "")
        start = f"INSERT OR ROLLBACK INTO fact ({columns}) VALUES "
        width = 7 if displaces else 6
        step = width * ROWS_A_STATEMENT
        whole = start + ", ".join([row] * ROWS_A_STATEMENT)
        for first in range(0, len(bound), step):
            values = bound[first : first + step]
            count = len(values) // width
            statement = whole if count == ROWS_A_STATEMENT else start + ", ".join([row] * count)
            unit.connection.execute(statement, values)


def _identity(stored: Any) -> Any:
    if stored is None:
        return None
    text = codec.unpack_id(stored)
    return text, codec.pack_id(text)


def _by_place(deltas: Sequence[MemoryDelta]) -> Iterator[list[int]]:
    """Yield the positions of the deltas of each subject and attribute, in the order of a load."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for position, place in enumerate(map(_PLACE, deltas)):
        group = groups.get(place)
        if group is None:
            groups[place] = [position]
        else:
            group.append(position)
    begins = [delta.valid_from for delta in deltas]
    for place in sorted(groups):
        yield sorted(groups[place], key=begins.__getitem__)


_PLACE: Final = attrgetter("tenant_id", "owner", "subject", "attribute")
