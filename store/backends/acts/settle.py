"""Deciding a conflict."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from store import ledger
from store.backends.acts.act import (
    Act,
    begin_link,
    case_version,
    link_to,
    value_of,
)
from store.backends.acts.change import slot_of
from store.backends.acts.draft import Draft
from store.canonical import canonical
from store.entry import (
    AttributeEntry,
    ClaimEntry,
    ConflictCase,
    ConflictEvent,
    EpisodeEntry,
    EventKind,
)
from store.errors import Invalid, NotFound, Refused, Stale
from store.ids import new_id
from store.model import (
    SHARED,
    Attribute,
    Cardinality,
    ConflictKind,
    ConflictState,
    EpisodeDraft,
    EpisodeKind,
    Outcome,
    Resolution,
    RowKind,
    WriteKind,
    clean_name,
)
from store.temporal import from_micros, iso, to_micros

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.ledger import Key, Row
    from store.write import (
        Settle,
    )


class Settlement(Act):
    """Composes decisions of conflicts."""

    def settle(self, write: Settle) -> Draft:
        """Decide a conflict."""
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
                link = link_to(standing, decision.draft.episode_id, None)
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
            f"* standing: `{value_of(case.entry.standing)}`",
            f"* incoming: `{value_of(chosen.row)}`",
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
        link = link_to(row, episode_id, span)
        row_tx = row.tx_from or self.unit.number
        begin_link(draft.entries, replace(link, row_tx=row_tx))

    def _placed(self, rows: Sequence[Row], claim: Row) -> tuple[Sequence[Row], str | None]:
        """Return the rows with a claim among them, and the fact that it became part of."""
        decision = ledger.decide(rows, replace(claim, tx_from=0, secret=b""))
        if decision.outcome is not Outcome.APPLIED:
            assert decision.row is not None
            raise Refused(
                f"The claim still meets another: {value_of(decision.row)} from "
                f"{iso(decision.row.valid_from)}. Nothing was written."
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
            value = value_of(claim)
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
