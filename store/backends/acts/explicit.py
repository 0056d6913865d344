"""A person's acts on a fact: correct, end, retract, confirm."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from store import ledger
from store.backends.acts.act import (
    Act,
    link_to,
    pair_of,
)
from store.backends.acts.draft import Draft
from store.canonical import canonical
from store.entry import (
    Entries,
)
from store.errors import Refused
from store.model import (
    Outcome,
    RowKind,
    WriteKind,
)
from store.temporal import to_micros

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.ledger import Moves, Row
    from store.write import (
        Confirm,
        Correct,
        End,
        Retract,
    )


_ACTED: Final = {
    WriteKind.CORRECT: "The fact is corrected.",
    WriteKind.END: "The fact ends there.",
    WriteKind.RETRACT: "The fact is retracted.",
}


class ExplicitAct(Act):
    """Composes acts that name a fact. Where they collide they are refused, never queued."""

    def correct(self, write: Correct) -> Draft:
        """Say that a fact was wrong from the start."""
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

    def end(self, write: End) -> Draft:
        """Say that a fact stopped being true."""
        key, live, version = self._found(write.memory_id, write.seen)
        self._check_source(write.episode_id)
        content = self._bare_content(write.memory_id, write.episode_id)
        moves = ledger.end(live, write.memory_id, to_micros(write.at), content)
        entries = Entries()
        if not any(row.kind is RowKind.END for row in moves.inserts):
            self._move_evidence(entries, key, write.memory_id, moves, keep=True)
            self._add_source(entries, moves, write.memory_id, write.episode_id)
        return self._acted(WriteKind.END, write, live, moves, entries, version)

    def retract(self, write: Retract) -> Draft:
        """Say that a fact never held."""
        _key, live, version = self._found(write.memory_id, write.seen)
        self._check_source(write.episode_id)
        content = self._bare_content(write.memory_id, write.episode_id)
        moves = ledger.retract(live, write.memory_id, gap=write.gap, content=content)
        last = ledger.facts_of(live, write.memory_id)[-1]
        entries = Entries(evidence_begun=[replace(link_to(last, write.episode_id, None))])
        return self._acted(WriteKind.RETRACT, write, live, moves, entries, version)

    def confirm(self, write: Confirm) -> Draft:
        """Add evidence to a fact."""
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
            draft.entries.evidence_begun.append(link_to(row, write.episode_id, pair_of(write.span)))
        return draft

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
