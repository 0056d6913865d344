"""Episodes, the registry, and claims: what extraction proposes, and what becomes of it."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from store import ledger
from store.backends.acts.act import (
    Act,
    ending_of,
    link_to,
    pair_of,
    value_of,
)
from store.backends.acts.draft import Draft, around
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
)
from store.errors import Invalid
from store.ids import new_id
from store.ledger import Content, Decision, Key, Row
from store.model import (
    Attribute,
    Cardinality,
    ConflictKind,
    ConflictState,
    EpisodeDraft,
    MemoryDelta,
    Outcome,
    RowKind,
    WriteKind,
)
from store.temporal import from_micros, iso, to_micros

if TYPE_CHECKING:
    from collections.abc import Sequence


SLOT_BYTES: Final = 12


class Proposal(Act):
    """Composes captures, registrations and claims."""

    def capture(self, draft: EpisodeDraft) -> Draft:
        """Keep an episode."""
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

    def register(self, attribute: Attribute, reason: str | None) -> Draft:
        """Enter an attribute into the registry, or change its entry."""
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

    def _claim(self, delta: MemoryDelta, attribute: Attribute) -> Row:
        value = canonical(delta.value)
        valid_from = to_micros(delta.valid_from)
        content = Content(
            memory_id=new_id(self.unit.recorded_at, self.entropy),
            value=value,
            episode_id=delta.source_episode_id,
            agent_id=self.scope.agent_id,
            span=pair_of(delta.span),
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
        return self._slotted(claim) if attribute.cardinality is Cardinality.MULTI else claim

    def _slotted(self, claim: Row) -> Row:
        """Put a claim where its value is said already, else into the slot of its value.

        A slot whose fact was corrected says another value than the one that it was made for: it
        is the place of what it says now, and a claim of the old value goes beside it, unless the
        record knows that very claim.
        """
        if self._belongs_to_old_slot(claim):
            return claim
        value = value_of(claim)
        assert value is not None
        own = replace(claim, key=self._slot_key(claim.key, value))
        corrected = self.unit.corrected_slots(claim.key)
        if not corrected or self._known(own) is not None:
            return own
        for key in (own.key, *corrected):
            if self._values_on(key) == {value}:
                return replace(claim, key=key)
        beside = 0
        key = own.key
        while self._values_on(key) - {value}:
            beside += 1
            key = self._slot_key(claim.key, f"{value} {beside}")
        return replace(claim, key=key)

    def _slot_key(self, key: Key, said: str) -> Key:
        return key._replace(slot=slot_of(said, self.unit.slot_secret))

    def _values_on(self, key: Key) -> set[str | None]:
        return {value_of(row) for row in self.unit.live(key) if row.kind is RowKind.FACT}

    def _belongs_to_old_slot(self, claim: Row) -> bool:
        """Say whether the key from before the attribute became multi-valued says the same there."""
        value = value_of(claim)
        if any(
            value_of(row) == value for row in self.unit.versions_at(claim.key, claim.valid_from)
        ):
            return True
        held = ledger.holder(
            self.unit.neighbours(claim.key, claim.valid_from, claim.until), claim.valid_from
        )
        if held is not None and value_of(held) == value:
            return True
        return self._waiting(claim) is not None

    def _known(self, claim: Row) -> Draft | None:
        """Return a draft that writes nothing if the record has, or had, this very claim."""
        matching = [
            row
            for row in self.unit.versions_at(claim.key, claim.valid_from)
            if value_of(row) == value_of(claim)
            and (claim.until is None or row.until == claim.until)
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
            (link.memory_id, ending_of(link, matching))
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
        for case in self.unit.conflicts_near(claim.key, claim.valid_from):
            for held in case.claims:
                row = held.row
                assert row.content is not None
                if (
                    row.valid_from == claim.valid_from
                    and row.until == claim.until
                    and value_of(row) == value_of(claim)
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
            lanes=[around(rows, decision.moves, claim.valid_from)],
        )

    def _corroborated(self, decision: Decision, claim: Row) -> Draft:
        row = decision.row
        assert row is not None
        assert row.content is not None
        assert claim.content is not None
        link = link_to(row, claim.content.episode_id, claim.content.span)
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
        for case in self.unit.conflicts_near(key, clash.standing.valid_from):
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


def slot_of(value: str, secret: bytes) -> str:
    """Return the slot of a canonical value on a multi-valued attribute: a keyed digest, in hex."""
    return blake2b(value.encode(), key=secret, digest_size=SLOT_BYTES).hexdigest()


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


def _clash_sentence(clash: ledger.Clash) -> str:
    value = value_of(clash.standing)
    begins = iso(clash.standing.valid_from)
    match clash.kind:
        case ConflictKind.VALUE:
            return f"{value} begins at the same instant, {begins}; the claim waits for a decision."
        case ConflictKind.END:
            return f"{value} from {begins} ends at another time; the claim waits for a decision."
        case ConflictKind.CROSSING:
            return f"The stated periods of {value} from {begins} and the claim cross; it waits."
