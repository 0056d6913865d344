"""The acts of the contract, composed from a unit's reads and the rules of the ledger.

Each `_compose_…` function answers one kind of write with a `Draft`: what the transaction would
begin and end, and what a person is told. Nothing here writes; so a preview is the same answer,
not committed. Backends share all of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from store import ledger
from store.canonical import canonical, parse
from store.entry import (
    AttributeEntry,
    ClaimEntry,
    ConflictCase,
    ConflictEntry,
    ConflictEvent,
    Entries,
    EpisodeEntry,
    EventKind,
    EvidenceEntry,
)
from store.errors import Invalid, NotFound, Refused, Stale
from store.ids import Entropy, new_id
from store.ledger import Content, Decision, Key, Moves, Row, Stretch
from store.model import (
    SHARED,
    Attribute,
    Cardinality,
    ConflictKind,
    ConflictState,
    EpisodeDraft,
    EpisodeKind,
    Interval,
    MemoryDelta,
    Outcome,
    Plan,
    Resolution,
    RowKind,
    Span,
    WriteKind,
    clean_name,
)
from store.temporal import from_micros, iso, to_micros
from store.write import (
    Capture,
    Change,
    Confirm,
    Correct,
    End,
    Register,
    Retract,
    Revert,
    Settle,
    Write,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from store.backends.unit import Unit
    from store.contract import Scope

SLOT_BYTES: Final = 12


@dataclass(slots=True)
class Draft:
    """What a write comes to, before it is committed."""

    kind: WriteKind
    outcome: Outcome
    sentence: str
    entries: Entries = field(default_factory=Entries)
    reason: str | None = None
    memory_id: str | None = None
    standing: str | None = None
    conflict_id: str | None = None
    conflict_kind: ConflictKind | None = None
    episode_id: str | None = None
    reverts: int | None = None
    version: int = 0
    lanes: list[tuple[Sequence[Row], Sequence[Row]]] = field(default_factory=list)
    """Rows of each touched key before and after, at least around the write."""

    @property
    def plan(self) -> Plan:
        """The draft as a person sees it: stretches that change, row by row."""
        closed: list[Interval] = []
        opened: list[Interval] = []
        for before, after in self.lanes:
            was, will_be = _pieces(before), _pieces(after)
            closed += [_interval(s) for s in was if not _among(s, will_be)]
            opened += [_interval(s) for s in will_be if not _among(s, was)]
        return Plan(
            outcome=self.outcome,
            reason=self.sentence,
            memory_id=self.memory_id,
            standing=self.standing,
            closed=tuple(closed),
            opened=tuple(opened),
            version=self.version,
        )

    @property
    def full_plan(self) -> Plan:
        """The plan with the whole lanes before and after; meant for drafts made for a preview."""
        before = [_interval(s) for rows, _ in self.lanes for s in ledger.stretches(rows)]
        after = [_interval(s) for _, rows in self.lanes for s in ledger.stretches(rows)]
        return self.plan.model_copy(update={"before": tuple(before), "after": tuple(after)})


def compose(unit: Unit, scope: Scope, write: Write, entropy: Entropy) -> Draft:
    """Return what a write comes to in the state that a unit sees.

    Raises:
        Invalid, Refused, NotFound, Stale: as `Store.write` says.
    """
    return Composer(unit, scope, entropy).compose(write)


def slot_of(value: str, secret: bytes) -> str:
    """Return the slot of a canonical value on a multi-valued attribute: a keyed digest, in hex."""
    return blake2b(value.encode(), key=secret, digest_size=SLOT_BYTES).hexdigest()


def interval_of(stretch: Stretch) -> Interval:
    """Return a stretch as the contract shows it."""
    return _interval(stretch)


class Composer:
    """Composes one write. It reads through the unit and never writes."""

    def __init__(self, unit: Unit, scope: Scope, entropy: Entropy) -> None:
        self.unit = unit
        self.scope = scope
        self.entropy = entropy

    def compose(self, write: Write) -> Draft:
        """Answer a write with a draft."""
        match write:
            case Capture():
                return self._capture(write.episode)
            case Change():
                return self.change(write.delta, write.reason)
            case Correct():
                return self._correct(write)
            case End():
                return self._end(write)
            case Retract():
                return self._retract(write)
            case Confirm():
                return self._confirm(write)
            case Settle():
                return self._settle(write)
            case Revert():
                return self._revert(write)
            case Register():
                return self._register(write.attribute, write.reason)

    # -- episodes and registry ----------------------------------------------------------------

    def _capture(self, draft: EpisodeDraft) -> Draft:
        found = self.unit.episode(draft.episode_id)
        if found is None:
            agent = draft.agent_id or self.scope.agent_id
            entries = Entries(episodes=[EpisodeEntry(_kept(draft), agent)])
            return Draft(
                WriteKind.CAPTURE,
                Outcome.APPLIED,
                "The episode is captured.",
                entries,
                episode_id=draft.episode_id,
            )
        same = found.draft.content == draft.content and found.draft.kind is draft.kind
        if same and found.draft.occurred_at == draft.occurred_at:
            return Draft(
                WriteKind.CAPTURE,
                Outcome.KNOWN,
                "The episode was captured before.",
                episode_id=draft.episode_id,
            )
        raise Invalid(
            f"The episode id {draft.episode_id} is taken by another episode; the one in the record "
            "was kept. Give the new one its own id."
        )

    def _register(self, attribute: Attribute, reason: str | None) -> Draft:
        found = self.unit.attribute(attribute.name)
        if found is not None and found.attribute == attribute:
            return Draft(WriteKind.REGISTER, Outcome.KNOWN, "The registry says so already.")
        if found is not None and found.attribute.memory_type != attribute.memory_type:
            raise Invalid(
                f"{attribute.name} is registered as {found.attribute.memory_type}; the type of an "
                "attribute with facts cannot change."
            )
        back_to_single = (
            found is not None
            and found.attribute.cardinality is Cardinality.MULTI
            and attribute.cardinality is Cardinality.SINGLE
        )
        if back_to_single:
            raise Invalid(
                f"{attribute.name} is multi-valued; it cannot become single-valued again."
            )
        entries = Entries(
            attributes_ended=[found] if found else [], attributes_begun=[AttributeEntry(attribute)]
        )
        return Draft(
            WriteKind.REGISTER,
            Outcome.APPLIED,
            f"{attribute.name} is registered as {attribute.memory_type}.",
            entries,
            reason=reason,
        )

    # -- change -------------------------------------------------------------------------------

    def change(self, delta: MemoryDelta, reason: str | None = None) -> Draft:
        """Propose a fact."""
        self._check_delta(delta)
        entry = self.unit.attribute(delta.attribute)
        attribute = entry.attribute if entry else _unregistered(delta)
        if delta.memory_type is not None and delta.memory_type != attribute.memory_type:
            raise Invalid(
                f"{delta.attribute} holds facts of type {attribute.memory_type}, not "
                f"{delta.memory_type}; nothing was written."
            )
        claim = self._claim(delta, attribute)
        draft = self._known(claim) or self._decided(claim)
        draft.reason = reason
        if entry is None and draft.entries:
            draft.entries.attributes_begun.append(AttributeEntry(attribute))
        return draft

    def _check_delta(self, delta: MemoryDelta) -> None:
        if delta.tenant_id != self.scope.tenant_id:
            raise Invalid(
                f"The fact belongs to tenant {delta.tenant_id}, and this scope writes to "
                f"{self.scope.tenant_id}; nothing was written."
            )
        self._check_owner(delta.owner)
        self._check_source(delta.source_episode_id, delta.span)

    def _check_owner(self, owner: str) -> None:
        if not self.scope.may_write(owner):
            raise Invalid(
                f"{self.scope.agent_id} may not write to the facts of {owner}; nothing was written."
            )

    def _check_source(self, episode_id: str, span: Span | None = None) -> None:
        length = self.unit.episode_length(episode_id)
        if length is None:
            raise Invalid(
                f"There is no episode {episode_id} in tenant {self.scope.tenant_id}; capture it "
                "first. Nothing was written."
            )
        if span is not None and span.end > length:
            raise Invalid(
                f"The span {span.start}:{span.end} lies outside episode {episode_id}, which has "
                f"{length} characters. Nothing was written."
            )

    def _claim(self, delta: MemoryDelta, attribute: Attribute) -> Row:
        value = canonical(delta.value)
        valid_from = to_micros(delta.valid_from)
        content = Content(
            memory_id=new_id(self.unit.recorded_at, self.entropy),
            value=value,
            episode_id=delta.source_episode_id,
            agent_id=self.scope.agent_id,
            span=_pair(delta.span),
            confidence=delta.confidence,
            schema_version=attribute.schema_version,
            retention_policy=attribute.retention_policy,
            basis=delta.valid_from_basis,
            precision=delta.precision,
            stated_as=delta.stated_as,
        )
        key = Key(delta.tenant_id, delta.owner, delta.subject, delta.attribute, "")
        until = None if delta.until is None else to_micros(delta.until)
        claim = Row(key, valid_from, RowKind.FACT, content, until)
        if attribute.cardinality is Cardinality.MULTI and not self._belongs_to_old_slot(claim):
            claim = replace(claim, key=key._replace(slot=slot_of(value, self.unit.slot_secret)))
        return claim

    def _belongs_to_old_slot(self, claim: Row) -> bool:
        """Say whether the key from before the attribute became multi-valued says the same there."""
        value = _value(claim)
        if any(_value(row) == value for row in self.unit.versions_at(claim.key, claim.valid_from)):
            return True
        held = ledger.holder(
            self.unit.neighbours(claim.key, claim.valid_from, claim.until), claim.valid_from
        )
        if held is not None and _value(held) == value:
            return True
        return self._waiting(claim) is not None

    def _known(self, claim: Row) -> Draft | None:
        """Return a draft that writes nothing if the record has, or had, this very claim."""
        matching = [
            row
            for row in self.unit.versions_at(claim.key, claim.valid_from)
            if _value(row) == _value(claim) and (claim.until is None or row.until == claim.until)
        ]
        endings = self._endings(claim, matching)
        if endings:
            live = [memory_id for memory_id, tx_to in endings if tx_to is None]
            memory_id, last = endings[0] if live else max(endings, key=lambda e: e[1] or 0)
            if live or not self._was_reverted(last):
                said = "The record says so already, from the same episode."
                was = "The record had this claim before and no longer believes it."
                return Draft(
                    WriteKind.CHANGE,
                    Outcome.KNOWN,
                    said if live else was,
                    memory_id=live[0] if live else memory_id,
                )
        case = self._waiting(claim)
        if case is None:
            return None
        return Draft(
            WriteKind.CHANGE,
            Outcome.KNOWN,
            "The claim waits in a conflict already, or was decided there.",
            standing=case.entry.standing.memory_id,
            conflict_id=case.entry.conflict_id,
        )

    def _endings(self, claim: Row, matching: Sequence[Row]) -> list[tuple[str, int | None]]:
        """Return the facts and endings under which the claim's episode said this."""
        assert claim.content is not None
        if not matching:
            return []
        episode = claim.content.episode_id
        found = [
            (row.content.memory_id, row.tx_to)
            for row in matching
            if row.content is not None and row.content.episode_id == episode
        ]
        starts = {row.tx_from for row in matching}
        found += [
            (link.memory_id, _ending(link, matching))
            for link in self.unit.evidence_at(claim.key, claim.valid_from)
            if link.episode_id == episode and link.row_tx in starts
        ]
        return found

    def _was_reverted(self, number: int | None) -> bool:
        """Say whether a transaction took back a statement; redoing a retraction is none."""
        reverts = 0
        header = self.unit.header(number) if number else None
        while header is not None and header.reverts is not None:
            reverts += 1
            header = self.unit.header(header.reverts)
        return reverts % 2 == 1

    def _waiting(self, claim: Row) -> ConflictCase | None:
        assert claim.content is not None
        if not self.unit.has_conflicts(claim.key):
            return None
        for case in self.unit.conflicts(claim.key):
            for held in case.claims:
                row = held.row
                assert row.content is not None
                if (
                    row.valid_from == claim.valid_from
                    and row.until == claim.until
                    and _value(row) == _value(claim)
                    and row.content.episode_id == claim.content.episode_id
                ):
                    return case
        return None

    def _decided(self, claim: Row) -> Draft:
        rows = self.unit.neighbours(claim.key, claim.valid_from, claim.until)
        decision = ledger.decide(rows, claim)
        match decision.outcome:
            case Outcome.CORROBORATED:
                return self._corroborated(decision, claim)
            case Outcome.CONFLICT:
                return self._queued(decision, claim)
            case _:
                return self._applied(rows, decision, claim)

    def _applied(self, rows: Sequence[Row], decision: Decision, claim: Row) -> Draft:
        row = decision.row
        assert row is not None
        assert row.content is not None
        entries = Entries()
        self._add_moves(entries, decision.moves, WriteKind.CHANGE)
        sentence = "The fact is stated again." if decision.restates else "The fact is written."
        return Draft(
            WriteKind.CHANGE,
            Outcome.APPLIED,
            sentence,
            entries,
            memory_id=row.content.memory_id,
            standing=row.content.supersedes,
            lanes=[_around(rows, decision.moves, claim.valid_from)],
        )

    def _corroborated(self, decision: Decision, claim: Row) -> Draft:
        row = decision.row
        assert row is not None
        assert row.content is not None
        assert claim.content is not None
        link = _link(row, claim.content.episode_id, claim.content.span)
        return Draft(
            WriteKind.CHANGE,
            Outcome.CORROBORATED,
            "Another episode says the same; it is kept as evidence.",
            Entries(evidence_begun=[link]),
            memory_id=row.content.memory_id,
            standing=row.content.memory_id,
        )

    def _queued(self, decision: Decision, claim: Row) -> Draft:
        clash = decision.clash
        assert clash is not None
        assert claim.content is not None
        entry = self._open_conflict(clash)
        entries = Entries()
        kind = EventKind.JOINED
        if entry is None:
            kind = EventKind.RAISED
            entry = ConflictEntry(
                new_id(self.unit.recorded_at, self.entropy),
                claim.key,
                clash.kind,
                clash.contested_from,
                clash.contested_to,
                clash.standing,
            )
            entries.conflicts.append(entry)
        held = ClaimEntry(claim.content.memory_id, claim)
        entries.events.append(ConflictEvent(entry.conflict_id, kind, held))
        return Draft(
            WriteKind.CHANGE,
            Outcome.CONFLICT,
            _clash_sentence(clash),
            entries,
            standing=clash.standing.memory_id,
            conflict_id=entry.conflict_id,
            conflict_kind=clash.kind,
        )

    def _open_conflict(self, clash: ledger.Clash) -> ConflictEntry | None:
        key = clash.standing.key
        if not self.unit.has_conflicts(key):
            return None
        for case in self.unit.conflicts(key):
            it = case.entry
            same = (
                it.kind is clash.kind
                and it.standing.memory_id == clash.standing.memory_id
                and it.standing.valid_from == clash.standing.valid_from
                and (it.contested_from, it.contested_to)
                == (clash.contested_from, clash.contested_to)
            )
            if same and case.state is ConflictState.OPEN:
                return it
        return None

    # -- explicit acts ------------------------------------------------------------------------

    def _correct(self, write: Correct) -> Draft:
        key, live, version = self._found(write.memory_id, write.seen)
        self._check_source(write.episode_id)
        mine = ledger.facts_of(live, write.memory_id)
        if not mine:
            raise Refused(f"The fact {write.memory_id} is no longer in the record.")
        sets = write.model_fields_set
        first = mine[0].content
        assert first is not None
        content = None
        if "value" in sets:
            content = replace(
                first,
                value=canonical(write.value),
                episode_id=write.episode_id,
                agent_id=self.scope.agent_id,
                span=None,
                confidence=1.0,
            )
        valid_from = None if write.valid_from is None else to_micros(write.valid_from)
        moves = ledger.correct(
            live,
            write.memory_id,
            content=content,
            valid_from=valid_from,
            until=None if write.until is None else to_micros(write.until),
            sets_until="until" in sets,
            row_from=None if write.row is None else to_micros(write.row),
        )
        entries = Entries()
        self._move_evidence(entries, key, write.memory_id, moves, keep="value" not in sets)
        if content is None:
            self._add_source(entries, moves, write.memory_id, write.episode_id)
        return self._acted(WriteKind.CORRECT, write, live, moves, entries, version)

    def _end(self, write: End) -> Draft:
        key, live, version = self._found(write.memory_id, write.seen)
        self._check_source(write.episode_id)
        content = self._bare_content(write.memory_id, write.episode_id)
        moves = ledger.end(live, write.memory_id, to_micros(write.at), content)
        entries = Entries()
        if not any(row.kind is RowKind.END for row in moves.inserts):
            self._move_evidence(entries, key, write.memory_id, moves, keep=True)
            self._add_source(entries, moves, write.memory_id, write.episode_id)
        return self._acted(WriteKind.END, write, live, moves, entries, version)

    def _retract(self, write: Retract) -> Draft:
        _key, live, version = self._found(write.memory_id, write.seen)
        self._check_source(write.episode_id)
        content = self._bare_content(write.memory_id, write.episode_id)
        moves = ledger.retract(live, write.memory_id, gap=write.gap, content=content)
        last = ledger.facts_of(live, write.memory_id)[-1]
        entries = Entries(evidence_begun=[replace(_link(last, write.episode_id, None))])
        return self._acted(WriteKind.RETRACT, write, live, moves, entries, version)

    def _confirm(self, write: Confirm) -> Draft:
        key, live, version = self._found(write.memory_id, None)
        self._check_source(write.episode_id, write.span)
        mine = ledger.facts_of(live, write.memory_id)
        if not mine:
            raise Refused(f"The fact {write.memory_id} is no longer in the record.")
        begun = [row for row in mine if row.valid_from <= self.unit.recorded_at]
        row = begun[-1] if begun else mine[0]
        assert row.content is not None
        links = self.unit.evidence(key, write.memory_id)
        sources = {link.episode_id for link in links if link.tx_to is None}
        draft = Draft(
            WriteKind.CONFIRM,
            Outcome.KNOWN,
            "The episode supports this fact already.",
            memory_id=write.memory_id,
            version=version,
        )
        if write.episode_id not in sources | {row.content.episode_id}:
            draft.outcome = Outcome.APPLIED
            draft.sentence = "The episode is kept as evidence."
            draft.entries.evidence_begun.append(_link(row, write.episode_id, _pair(write.span)))
        return draft

    def _found(self, memory_id: str, seen: int | None) -> tuple[Key, Sequence[Row], int]:
        """Return the key, live rows and version of a fact that the scope may write to."""
        key = self.unit.key_of(memory_id)
        if key is None or not self.scope.sees(key.owner):
            raise NotFound(f"There is no fact {memory_id} in tenant {self.scope.tenant_id}.")
        self._check_owner(key.owner)
        version = self.unit.key_version(key)
        if seen is not None and version > seen:
            raise Stale(
                f"{key.subject} / {key.attribute} changed in transaction {version}, after the "
                f"state that you saw (transaction {seen}); look again. Nothing was written."
            )
        return key, self.unit.live(key), version

    def _bare_content(self, memory_id: str, episode_id: str) -> Content:
        return Content(memory_id, None, episode_id, self.scope.agent_id)

    def _acted(
        self,
        kind: WriteKind,
        write: Correct | End | Retract,
        live: Sequence[Row],
        moves: Moves,
        entries: Entries,
        version: int,
    ) -> Draft:
        if not moves.ends and not moves.inserts:
            raise Refused("The record says so already; nothing was written.")
        self._add_moves(entries, moves, kind)
        return Draft(
            kind,
            Outcome.APPLIED,
            _ACTED[kind],
            entries,
            reason=write.reason,
            memory_id=write.memory_id,
            version=version,
            lanes=[(live, ledger.after(live, moves))],
        )

    def _move_evidence(
        self, entries: Entries, key: Key, memory_id: str, moves: Moves, *, keep: bool
    ) -> None:
        """Let further evidence follow a row whose beginning moved, or leave with a wrong value."""
        gone = {row.valid_from for row in moves.ends if row.kind is RowKind.FACT}
        stay = {row.valid_from for row in moves.inserts if row.kind is RowKind.FACT}
        came = sorted(stay - gone)
        for link in self.unit.evidence(key, memory_id):
            if link.tx_to is not None or link.valid_from not in gone:
                continue
            if keep and link.valid_from in stay:
                continue
            entries.evidence_ended.append(link)
            if keep and came:
                entries.evidence_begun.append(replace(link, valid_from=came[0], tx_from=0))

    def _add_source(self, entries: Entries, moves: Moves, memory_id: str, episode_id: str) -> None:
        rows = [r for r in moves.inserts if r.kind is RowKind.FACT and r.memory_id == memory_id]
        for row in rows[:1]:
            link = _link(row, episode_id, None)
            entries.evidence_begun.append(replace(link, row_tx=self.unit.number))

    def _add_moves(
        self,
        entries: Entries,
        moves: Moves,
        kind: WriteKind,
        *,
        settled: str | None = None,
    ) -> None:
        """Enter moves, and the conflicts whose standing claim leaves or comes back with them."""
        entries.rows_ended += moves.ends
        entries.rows_begun += moves.inserts
        if kind is not WriteKind.REVERT and not any(r.is_assertion for r in moves.ends):
            return
        for key in dict.fromkeys(r.key for r in (*moves.ends, *moves.inserts)):
            if self.unit.has_conflicts(key):
                entries.events += self._staleness(key, moves, settled)

    def _staleness(self, key: Key, moves: Moves, settled: str | None) -> Iterator[ConflictEvent]:
        rows = ledger.after(self.unit.live(key), moves, key)
        for case in self.unit.conflicts(key):
            if case.entry.conflict_id == settled:
                continue
            event = _following(case, rows)
            if event is not None:
                yield event

    # -- conflicts ----------------------------------------------------------------------------

    def _settle(self, write: Settle) -> Draft:
        case = self._open_case(write)
        draft = Draft(
            WriteKind.SETTLE,
            Outcome.CONFLICT,
            "The conflict stays in the queue.",
            reason=write.reason,
            standing=case.entry.standing.memory_id,
            conflict_id=write.conflict_id,
            version=self.unit.key_version(case.entry.key),
        )
        if write.resolution is Resolution.DEFER:
            return draft
        draft.outcome = Outcome.APPLIED
        chosen = self._chosen(case, write)
        live = self.unit.live(case.entry.key)
        standing = _standing_row(case, live)
        decision = self._decision_episode(case, write, chosen)
        draft.entries.episodes.append(decision)
        match write.resolution:
            case Resolution.INCOMING:
                self._prefer(draft, case, live, standing, chosen, decision)
            case Resolution.STANDING:
                draft.memory_id = standing.memory_id
                draft.lanes = [(live, live)]
                link = _link(standing, decision.draft.episode_id, None)
                draft.entries.evidence_begun.append(link)
                draft.sentence = (
                    "The standing claim stays; the incoming one is recorded as rejected."
                )
            case Resolution.MOVE:
                self._move(draft, write, live, standing, chosen, decision)
            case Resolution.BOTH:
                self._keep_both(draft, write, live, chosen, decision)
            case Resolution.MERGE:
                self._merge(draft, write, live, standing, chosen, decision)
        draft.entries.events.append(
            ConflictEvent(
                write.conflict_id,
                EventKind.SETTLED,
                resolution=write.resolution,
                claim_id=chosen.claim_id,
                actor=self.scope.agent_id,
                reason=write.reason,
            )
        )
        return draft

    def _open_case(self, write: Settle) -> ConflictCase:
        case = self.unit.conflict(write.conflict_id)
        if case is None or case.state is None or not self.scope.sees(case.entry.key.owner):
            raise NotFound(
                f"There is no conflict {write.conflict_id} in tenant {self.scope.tenant_id}."
            )
        self._check_owner(case.entry.key.owner)
        if case.state is ConflictState.SETTLED:
            assert case.settlement is not None
            raise Stale(
                f"The conflict was settled in transaction {case.settlement.tx_from}; revert that "
                "to decide again. Nothing was written."
            )
        if case.state is ConflictState.STALE:
            raise Stale(
                "The standing claim of the conflict has left the record, so there is nothing to "
                "decide. Nothing was written."
            )
        version = case_version(case, self.unit.key_version(case.entry.key))
        if write.seen is not None and version > write.seen:
            raise Stale(
                f"{case.entry.key.subject} / {case.entry.key.attribute} changed in transaction "
                f"{version}, after the state that you saw (transaction {write.seen}); look "
                "again. Nothing was written."
            )
        return case

    def _chosen(self, case: ConflictCase, write: Settle) -> ClaimEntry:
        claims = case.claims
        if write.claim_id is None:
            if len(claims) > 1 and write.resolution is not Resolution.STANDING:
                ids = ", ".join(c.claim_id for c in claims)
                raise Invalid(f"{len(claims)} claims wait here; say which one is meant: {ids}.")
            return claims[-1]
        for claim in claims:
            if claim.claim_id == write.claim_id:
                return claim
        raise NotFound(f"The conflict holds no claim {write.claim_id}.")

    def _decision_episode(
        self, case: ConflictCase, write: Settle, chosen: ClaimEntry
    ) -> EpisodeEntry:
        key = case.entry.key
        identity = f"decision-{new_id(self.unit.recorded_at, self.entropy)}"
        lines = [
            f"Decision on **{key.subject} / {key.attribute}**: {write.resolution.value}.",
            "",
            f"* standing: `{_value(case.entry.standing)}`",
            f"* incoming: `{_value(chosen.row)}`",
        ]
        metadata = {"conflict_id": write.conflict_id, "resolution": write.resolution.value}
        if key.owner != SHARED:
            # Episodes are the tenant's, and this one is ours: it tells nothing of a key that
            # not every agent may read.
            lines = [f"Decision on a fact of one agent: {write.resolution.value}."]
            del metadata["conflict_id"]
        draft = EpisodeDraft(
            episode_id=identity,
            kind=EpisodeKind.USER_CONFIRMATION,
            content="\n".join([*lines, "", write.reason]),
            occurred_at=from_micros(self.unit.recorded_at),
            metadata=metadata,
        )
        return EpisodeEntry(draft, self.scope.agent_id)

    def _prefer(
        self,
        draft: Draft,
        case: ConflictCase,
        live: Sequence[Row],
        standing: Row,
        chosen: ClaimEntry,
        decision: EpisodeEntry,
    ) -> None:
        """Let the incoming claim win.

        A value conflict, or one of ends from one beginning, ends the standing row and inserts the
        claim. Where only part of the standing period is contested, only that part gives way: a
        crossing is cut back to where the claim does not reach, and an end inside a fact is
        corrected to the claim's.
        """
        claim = chosen.row
        holds = claim.memory_id
        if case.entry.kind is ConflictKind.CROSSING:
            final, holds = self._cut_back(live, claim)
        elif claim.valid_from == standing.valid_from:
            rest = ledger.replan(live, remove=[standing], add=[_taking_over(claim, standing)])
            final = ledger.after(live, rest)
        else:
            final = self._end_corrected(draft, live, standing, claim)
            holds = standing.memory_id
        self._conclude(draft, live, final, holds, decision)
        draft.sentence = "The incoming claim holds; the standing one gave way."

    def _cut_back(self, live: Sequence[Row], claim: Row) -> tuple[Sequence[Row], str | None]:
        rows = live
        while (crossing := ledger.crossed(rows, claim)) is not None:
            assert claim.until is not None
            cut = replace(crossing, tx_from=0, secret=b"")
            if crossing.valid_from < claim.valid_from:
                cut = replace(cut, until=claim.valid_from)
            else:
                cut = replace(cut, valid_from=claim.until)
            self._refuse_taken(rows, cut, crossing)
            rows = ledger.after(rows, ledger.replan(rows, remove=[crossing], add=[cut]))
        return self._placed(rows, claim)

    def _refuse_taken(self, rows: Sequence[Row], cut: Row, crossing: Row) -> None:
        for row in rows:
            if row.is_assertion and row is not crossing and row.valid_from == cut.valid_from:
                raise Refused(
                    f"The standing period would begin at {iso(cut.valid_from)}, where another "
                    "claim stands; move one of them by hand."
                )

    def _end_corrected(
        self, draft: Draft, live: Sequence[Row], standing: Row, claim: Row
    ) -> Sequence[Row]:
        assert standing.content is not None
        assert claim.content is not None
        moves = ledger.correct(live, standing.content.memory_id, until=claim.until, sets_until=True)
        final = ledger.after(live, moves)
        row = ledger.facts_of(final, standing.content.memory_id)[0]
        self._support(draft, row, claim.content.episode_id, claim.content.span)
        return final

    def _support(
        self, draft: Draft, row: Row, episode_id: str, span: tuple[int, int] | None = None
    ) -> None:
        """Add evidence to a row, which may be one that this very transaction begins."""
        link = _link(row, episode_id, span)
        row_tx = row.tx_from or self.unit.number
        draft.entries.evidence_begun.append(replace(link, row_tx=row_tx))

    def _placed(self, rows: Sequence[Row], claim: Row) -> tuple[Sequence[Row], str | None]:
        """Return the rows with a claim among them, and the fact that it became part of."""
        decision = ledger.decide(rows, replace(claim, tx_from=0, secret=b""))
        if decision.outcome is not Outcome.APPLIED:
            assert decision.row is not None
            raise Refused(
                "The claim still meets another: "
                f"{_value(decision.row)} from {iso(decision.row.valid_from)}. Nothing was written."
            )
        assert decision.row is not None
        return ledger.after(rows, decision.moves), decision.row.memory_id

    def _move(
        self,
        draft: Draft,
        write: Settle,
        live: Sequence[Row],
        standing: Row,
        chosen: ClaimEntry,
        decision: EpisodeEntry,
    ) -> None:
        sets_until = "until" in write.model_fields_set
        if write.valid_from is None and not sets_until:
            raise Invalid("Say to which beginning or end the claim moves.")
        valid_from = None if write.valid_from is None else to_micros(write.valid_from)
        until = None if write.until is None else to_micros(write.until)
        claim = chosen.row
        rows = live
        if write.standing:
            assert standing.content is not None
            moves = ledger.correct(
                live,
                standing.content.memory_id,
                valid_from=valid_from,
                until=until,
                sets_until=sets_until,
                row_from=standing.valid_from,
            )
            rows = ledger.after(live, moves)
            self._move_evidence(
                draft.entries, standing.key, standing.content.memory_id, moves, keep=True
            )
        else:
            claim = replace(
                claim,
                valid_from=claim.valid_from if valid_from is None else valid_from,
                until=until if sets_until else claim.until,
            )
            if claim.until is not None and claim.until <= claim.valid_from:
                raise Invalid("The claim would end before it begins.")
        final, holds = self._placed(rows, claim)
        self._conclude(draft, live, final, holds, decision)
        draft.sentence = "One of the claims moved to its real time; both hold."

    def _keep_both(
        self,
        draft: Draft,
        write: Settle,
        live: Sequence[Row],
        chosen: ClaimEntry,
        decision: EpisodeEntry,
    ) -> None:
        claim = chosen.row
        entry = self.unit.attribute(claim.key.attribute)
        assert entry is not None
        if write.qualifier is not None:
            key = self._qualified(draft, claim.key, entry.attribute, write.qualifier)
            draft.sentence = f"Both hold; the incoming claim stands under {key.attribute}."
        else:
            value = _value(claim)
            assert value is not None
            key = claim.key._replace(slot=slot_of(value, self.unit.slot_secret))
            multi = entry.attribute.model_copy(update={"cardinality": Cardinality.MULTI})
            if multi != entry.attribute:
                draft.entries.attributes_ended.append(entry)
                draft.entries.attributes_begun.append(AttributeEntry(multi))
            draft.sentence = f"Both hold; {key.attribute} is multi-valued from now on."
        rows = self.unit.live(key)
        placed, holds = self._placed(rows, replace(claim, key=key))
        draft.lanes = [(live, live)]
        self._conclude(draft, rows, placed, holds, decision)

    def _qualified(self, draft: Draft, key: Key, attribute: Attribute, qualifier: str) -> Key:
        try:
            name = clean_name(f"{key.attribute} ({clean_name(qualifier)})")
        except ValueError as error:
            raise Invalid(f"The qualifier cannot be used: {error}.") from error
        if self.unit.attribute(name) is None:
            registered = attribute.model_copy(update={"name": name})
            draft.entries.attributes_begun.append(AttributeEntry(registered))
        return key._replace(attribute=name, slot="")

    def _merge(
        self,
        draft: Draft,
        write: Settle,
        live: Sequence[Row],
        standing: Row,
        chosen: ClaimEntry,
        decision: EpisodeEntry,
    ) -> None:
        if "value" not in write.model_fields_set:
            raise Invalid("Give the merged value.")
        assert standing.content is not None
        content = replace(
            standing.content,
            memory_id=new_id(self.unit.recorded_at, self.entropy),
            value=canonical(write.value),
            episode_id=decision.draft.episode_id,
            agent_id=self.scope.agent_id,
            span=None,
            confidence=1.0,
            supersedes=standing.content.memory_id,
        )
        merged = replace(standing, content=content, tx_from=0, secret=b"")
        moves = ledger.replan(live, remove=[standing], add=[merged])
        for source in (standing.content, chosen.row.content):
            assert source is not None
            self._support(draft, merged, source.episode_id, source.span)
        draft.memory_id = content.memory_id
        draft.lanes.append((live, ledger.after(live, moves)))
        self._add_moves(draft.entries, moves, WriteKind.SETTLE, settled=write.conflict_id)
        draft.sentence = "The merged value holds."

    def _conclude(
        self,
        draft: Draft,
        live: Sequence[Row],
        final: Sequence[Row],
        memory_id: str | None,
        decision: EpisodeEntry,
    ) -> None:
        """Enter what leads from the live rows to the final ones, with the decision as evidence."""
        moves = ledger.difference(live, final)
        draft.memory_id = memory_id
        draft.lanes.append((live, final))
        mine = ledger.facts_of(final, memory_id or "")
        if mine:
            new = [row for row in mine if row.tx_from == 0]
            self._support(draft, (new or mine)[0], decision.draft.episode_id)
        self._add_moves(draft.entries, moves, WriteKind.SETTLE, settled=draft.conflict_id)

    # -- revert -------------------------------------------------------------------------------

    def _revert(self, write: Revert) -> Draft:
        header = self.unit.header(write.transaction)
        if header is None:
            raise NotFound(
                f"There is no transaction {write.transaction} in tenant {self.scope.tenant_id}."
            )
        undone = self.unit.entries_of(write.transaction)
        self._check_entries(write.transaction, undone)
        draft = Draft(
            WriteKind.REVERT,
            Outcome.APPLIED,
            f"Transaction {write.transaction} is reverted.",
            reason=write.reason,
            reverts=write.transaction,
        )
        undone = self._standing_again(undone)
        self._refuse_blocked(write.transaction, undone)
        self._revert_rows(draft, undone)
        draft.entries.evidence_ended += undone.evidence_begun
        draft.entries.evidence_begun += [
            replace(e, tx_from=0, tx_to=None) for e in undone.evidence_ended
        ]
        draft.entries.attributes_ended += undone.attributes_begun
        draft.entries.attributes_begun += [
            replace(a, tx_from=0, tx_to=None) for a in undone.attributes_ended
        ]
        self._revert_events(draft, undone, write.transaction)
        if not draft.entries:
            raise Refused(
                f"Transaction {write.transaction} holds nothing that can be reverted: episodes and "
                "first registrations stay in the record."
            )
        return draft

    def _check_entries(self, number: int, undone: Entries) -> None:
        """Refuse to undo what the scope may not see, or may not write to."""
        owners = {row.key.owner for row in (*undone.rows_begun, *undone.rows_ended)}
        owners |= {link.key.owner for link in (*undone.evidence_begun, *undone.evidence_ended)}
        for event in undone.events:
            case = self.unit.conflict(event.conflict_id)
            assert case is not None
            owners.add(case.entry.key.owner)
        if owners and not any(self.scope.sees(owner) for owner in owners):
            raise NotFound(f"There is no transaction {number} in tenant {self.scope.tenant_id}.")
        if not all(self.scope.may_write(owner) for owner in owners):
            raise Invalid(
                f"Transaction {number} also concerns facts to which {self.scope.agent_id} may not "
                "write; nothing was written."
            )

    def _standing_again(self, undone: Entries) -> Entries:
        """Take for what a transaction began the same entries where a later revert restored them.

        The first registration of an attribute stays, as episodes do: facts of later transactions
        may rest on it, and it says nothing about the world.
        """
        had_entry = {entry.attribute.name for entry in undone.attributes_ended}
        return replace(
            undone,
            rows_begun=[self._row_again(row) for row in undone.rows_begun],
            evidence_begun=[self._link_again(link) for link in undone.evidence_begun],
            attributes_begun=[
                self._attribute_again(entry)
                for entry in undone.attributes_begun
                if entry.attribute.name in had_entry
            ],
        )

    def _row_again(self, row: Row) -> Row:
        if row.tx_to is None or not row.is_assertion:
            return row
        live = self.unit.live(row.key)
        return next((other for other in live if other.says_the_same(row)), row)

    def _link_again(self, link: EvidenceEntry) -> EvidenceEntry:
        if link.tx_to is None:
            return link
        links = self.unit.evidence(link.key, link.memory_id)
        same = (
            other
            for other in links
            if other.tx_to is None
            and (other.valid_from, other.episode_id, other.span)
            == (link.valid_from, link.episode_id, link.span)
        )
        return next(same, link)

    def _attribute_again(self, entry: AttributeEntry) -> AttributeEntry:
        live = self.unit.attribute(entry.attribute.name)
        return live if live is not None and live.attribute == entry.attribute else entry

    def _refuse_blocked(self, number: int, undone: Entries) -> None:
        blocking = {r.tx_to for r in undone.rows_begun if r.is_assertion and r.tx_to}
        blocking |= {e.tx_to for e in undone.evidence_begun if e.tx_to}
        blocking |= {a.tx_to for a in undone.attributes_begun if a.tx_to}
        blocking |= self._occupying(undone)
        blocking |= self._later_attributes(undone)
        for event in undone.events:
            blocking |= self._later_events(number, event)
        if blocking:
            names = ", ".join(str(n) for n in sorted(blocking))
            raise Stale(
                f"Transaction {number} cannot be reverted: later work builds on it (transaction "
                f"{names}). Revert that first. Nothing was written."
            )

    def _occupying(self, undone: Entries) -> set[int]:
        """Return the transactions that put something where an ended row must come back."""
        begun = {(r.key, r.valid_from) for r in undone.rows_begun if r.is_assertion}
        return {
            other.tx_from
            for row in undone.rows_ended
            if row.is_assertion and (row.key, row.valid_from) not in begun
            for other in self.unit.live(row.key)
            if other.is_assertion and other.valid_from == row.valid_from
        }

    def _later_attributes(self, undone: Entries) -> set[int]:
        begun = {a.attribute.name for a in undone.attributes_begun}
        later: set[int] = set()
        for entry in undone.attributes_ended:
            live = self.unit.attribute(entry.attribute.name)
            if live is not None and entry.attribute.name not in begun:
                later.add(live.tx_from)
        return later

    def _later_events(self, number: int, event: ConflictEvent) -> set[int]:
        """Return the transactions that changed what an event of a conflict made of it."""
        case = self.unit.conflict(event.conflict_id)
        assert case is not None
        if event.kind is EventKind.STALE or self._still_shows(case, event):
            return set()
        return {e.tx_from for e in case.events if e.tx_from > number}

    def _still_shows(self, case: ConflictCase, event: ConflictEvent) -> bool:
        held = event.claim is not None and any(
            claim.claim_id == event.claim.claim_id for claim in case.claims
        )
        settlement = case.settlement
        match event.kind:
            case EventKind.RAISED | EventKind.JOINED:
                return held and settlement is None
            case EventKind.WITHDRAWN:
                return not held
            case EventKind.SETTLED:
                return settlement is not None and (
                    (settlement.resolution, settlement.claim_id, settlement.reason)
                    == (event.resolution, event.claim_id, event.reason)
                )
            case _:
                return settlement is None

    def _revert_rows(self, draft: Draft, undone: Entries) -> None:
        keys = dict.fromkeys(
            r.key for r in (*undone.rows_begun, *undone.rows_ended) if r.is_assertion
        )
        for key in keys:
            live = self.unit.live(key)
            moves = ledger.restore(
                live,
                undo=[r for r in undone.rows_begun if r.key == key and r.is_assertion],
                bring_back=[r for r in undone.rows_ended if r.key == key and r.is_assertion],
            )
            draft.lanes.append((live, ledger.after(live, moves)))
            self._add_moves(draft.entries, moves, WriteKind.REVERT)

    def _revert_events(self, draft: Draft, undone: Entries, number: int) -> None:
        for event in undone.events:
            case = self.unit.conflict(event.conflict_id)
            assert case is not None
            before = case.as_of(number - 1)
            inverse: ConflictEvent | None = None
            match event.kind:
                case EventKind.RAISED | EventKind.JOINED:
                    inverse = replace(event, kind=EventKind.WITHDRAWN)
                case EventKind.WITHDRAWN:
                    inverse = replace(event, kind=EventKind.JOINED)
                case EventKind.SETTLED:
                    inverse = ConflictEvent(event.conflict_id, EventKind.REOPENED)
                case EventKind.REOPENED if before.settlement is not None:
                    inverse = before.settlement
                case _:
                    continue
            draft.entries.events.append(replace(inverse, tx_from=0, secret=b""))
        for conflict_id in dict.fromkeys(event.conflict_id for event in undone.events):
            self._follow_rows(draft, conflict_id)

    def _follow_rows(self, draft: Draft, conflict_id: str) -> None:
        """Let a conflict that comes back be stale if its standing claim has left meanwhile."""
        case = self.unit.conflict(conflict_id)
        assert case is not None
        entered = [event for event in draft.entries.events if event.conflict_id == conflict_id]
        moves = Moves(tuple(draft.entries.rows_ended), tuple(draft.entries.rows_begun))
        key = case.entry.key
        rows = ledger.after(self.unit.live(key), moves, key)
        event = _following(replace(case, events=(*case.events, *entered)), rows)
        if event is not None:
            draft.entries.events.append(event)


_ACTED: Final = {
    WriteKind.CORRECT: "The fact is corrected.",
    WriteKind.END: "The fact ends there.",
    WriteKind.RETRACT: "The fact is retracted.",
}


def _following(case: ConflictCase, rows: Sequence[Row]) -> ConflictEvent | None:
    """Return the event by which a conflict follows the rows of its key, if it has to."""
    standing = case.entry.standing
    stands = any(
        row.kind is RowKind.FACT
        and row.valid_from == standing.valid_from
        and row.memory_id == standing.memory_id
        for row in rows
    )
    if case.state is ConflictState.OPEN and not stands:
        return ConflictEvent(case.entry.conflict_id, EventKind.STALE)
    if case.state is ConflictState.STALE and stands:
        return ConflictEvent(case.entry.conflict_id, EventKind.REOPENED)
    return None


def case_version(case: ConflictCase, key_version: int) -> int:
    """Return the number of the last transaction that touched a conflict or its key."""
    return max(key_version, *(event.tx_from for event in case.events))


def _kept(draft: EpisodeDraft) -> EpisodeDraft:
    """Return an episode as it enters the record: in UTC, and sharing nothing with its giver.

    Raises:
        Invalid: its metadata is not JSON, or its time lies outside the years 1 to 9999 in UTC.
    """
    occurred_at = from_micros(to_micros(draft.occurred_at))
    metadata = parse(canonical(draft.metadata)) if draft.metadata else {}
    return draft.model_copy(update={"occurred_at": occurred_at, "metadata": metadata})


def _unregistered(delta: MemoryDelta) -> Attribute:
    return Attribute(name=delta.attribute, memory_type=delta.memory_type or "fact")


def _value(row: Row) -> str | None:
    return row.content.value if row.content else None


def _ending(link: EvidenceEntry, rows: Sequence[Row]) -> int | None:
    """Return the transaction that ended a link or, before it, the row that it supports."""
    supported = [row.tx_to for row in rows if row.memory_id == link.memory_id]
    if link.tx_to is not None or not supported or None in supported:
        return link.tx_to
    return max(number for number in supported if number is not None)


def _pair(span: Span | None) -> tuple[int, int] | None:
    return None if span is None else (span.start, span.end)


def _link(row: Row, episode_id: str, span: tuple[int, int] | None) -> EvidenceEntry:
    assert row.content is not None
    return EvidenceEntry(
        row.key, row.content.memory_id, row.valid_from, episode_id, span, row.tx_from
    )


def _taking_over(claim: Row, standing: Row) -> Row:
    assert claim.content is not None
    content = replace(claim.content, supersedes=standing.memory_id)
    return replace(claim, content=content, over=standing.over, tx_from=0, secret=b"")


def _standing_row(case: ConflictCase, live: Sequence[Row]) -> Row:
    stood = case.entry.standing
    for row in live:
        if (
            row.kind is RowKind.FACT
            and row.valid_from == stood.valid_from
            and row.memory_id == stood.memory_id
        ):
            return row
    raise Stale("The standing claim of the conflict has left the record. Nothing was written.")


def _clash_sentence(clash: ledger.Clash) -> str:
    value = _value(clash.standing)
    begins = iso(clash.standing.valid_from)
    match clash.kind:
        case ConflictKind.VALUE:
            return f"{value} begins at the same instant, {begins}; the claim waits for a decision."
        case ConflictKind.END:
            return f"{value} from {begins} ends at another time; the claim waits for a decision."
        case ConflictKind.CROSSING:
            return f"The stated periods of {value} from {begins} and the claim cross; it waits."


def _around(
    rows: Sequence[Row], moves: Moves, valid_from: int
) -> tuple[Sequence[Row], Sequence[Row]]:
    """Cut rows to those from the last one before an instant on, before and after some moves.

    To the left of that row a unit's neighbours have holes.
    """
    before = max((r.valid_from for r in rows if r.valid_from < valid_from), default=valid_from)
    near = [row for row in rows if row.valid_from >= before]
    return near, ledger.after(near, moves)


def _pieces(rows: Sequence[Row]) -> list[Stretch]:
    """Return the stretches of single rows, not joined: what a change touches, exactly."""
    ordered = sorted(rows, key=lambda r: r.valid_from)
    return [
        Stretch(row, row.valid_from, None if following is None else following.valid_from)
        for row, following in zip_longest(ordered, ordered[1:])
        if row.kind in (RowKind.FACT, RowKind.RESUME)
    ]


def _among(stretch: Stretch, others: Sequence[Stretch]) -> bool:
    return any(
        stretch.valid_from == other.valid_from
        and stretch.valid_to == other.valid_to
        and stretch.row.content == other.row.content
        for other in others
    )


def _interval(stretch: Stretch) -> Interval:
    row = stretch.row
    assert row.content is not None
    return Interval.model_construct(
        memory_id=row.content.memory_id,
        subject=row.key.subject,
        attribute=row.key.attribute,
        owner=row.key.owner,
        slot=row.key.slot,
        value=parse(row.content.value or "null"),
        valid_from=from_micros(stretch.valid_from),
        valid_to=None if stretch.valid_to is None else from_micros(stretch.valid_to),
    )
