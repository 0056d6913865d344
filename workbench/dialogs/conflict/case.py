"""A conflict with all that a person needs to decide it, what was chosen, and what comes of it.

The reading functions run on a reader thread and touch nothing but the view that they are given.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QCoreApplication

from store import (
    Conflict,
    ConflictState,
    EpisodeKind,
    Page,
    Resolution,
    Settle,
    StoreError,
)
from store.query import LaneKey
from workbench.dialogs.lane import read_bars

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from store import Claim, Episode, Plan
    from store.query import Bar
    from workbench.session import View
    from workbench.widgets.value_edit import TypedValue

QUEUE_MOST: Final = 1000
"""So many open conflicts are walked through at a time, the oldest first."""

#: How far a source is trusted, the most first (`semantics.md` section 5).
_TRUST: Final[tuple[frozenset[EpisodeKind], ...]] = (
    frozenset({EpisodeKind.USER_CONFIRMATION}),
    frozenset({EpisodeKind.OPERATOR_NOTE}),
    frozenset(
        {
            EpisodeKind.TOOL_RESULT,
            EpisodeKind.TICKET,
            EpisodeKind.BUSINESS_EVENT,
            EpisodeKind.FILE,
        }
    ),
    frozenset({EpisodeKind.MESSAGE}),
    frozenset({EpisodeKind.IMPORTED_ROW}),
)
TRUST_RANKS: Final = len(_TRUST)

APPLICABLE_TO_OTHERS: Final = frozenset({Resolution.INCOMING, Resolution.STANDING, Resolution.BOTH})
"""Outcomes that mean the same for every conflict; a time or a value is for one only."""


def trust_rank(kind: EpisodeKind) -> int:
    """Give the rank of trust of a source, 1 being the most trusted."""
    return next(rank for rank, kinds in enumerate(_TRUST, start=1) if kind in kinds)


@dataclass(frozen=True)
class Case:
    """A conflict as it was read.

    Attributes:
        sources: the episodes of all claims, by id.
        bars: the lane as it is, sorted.
    """

    conflict: Conflict
    sources: Mapping[str, Episode]
    bars: tuple[Bar, ...]

    @property
    def is_open(self) -> bool:
        """Whether it can be decided."""
        return self.conflict.state is ConflictState.OPEN

    def claim(self, claim_id: str | None) -> Claim:
        """Give the waiting claim with an id; the oldest if there is none."""
        incoming = self.conflict.incoming
        return next((it for it in incoming if it.claim_id == claim_id), incoming[0])

    def source(self, claim: Claim) -> Episode | None:
        """Give the episode of a claim."""
        return self.sources.get(claim.source_episode_id)


@dataclass(frozen=True)
class Choice:
    """What a person chose so far for one conflict. At first, nothing.

    Attributes:
        claim_id: the waiting claim that is looked at and meant.
        standing: for `move`, whether the standing claim moves.
        begins: for `move`, the real beginning; None leaves it.
        has_end: for `move`, whether the end changes too, to `ends`.
        is_qualified: for `both`, whether the incoming claim goes under a qualifier.
        typed: for `merge`, the merged value.
    """

    resolution: Resolution | None = None
    claim_id: str | None = None
    standing: bool = False
    begins: datetime | None = None
    has_end: bool = False
    ends: datetime | None = None
    is_qualified: bool = False
    qualifier: str = ""
    typed: TypedValue | None = None

    def missing(self) -> str:
        """Say what is still to be given, or ""."""
        translate = QCoreApplication.translate
        if self.resolution is None:
            return translate("Conflict", "Choose an outcome: press 1 to 6.")
        if self.resolution is Resolution.MOVE and self.begins is None and not self.has_end:
            return translate("Conflict", "Change the beginning or the end of one of the claims.")
        if self.resolution is Resolution.BOTH and self.is_qualified and not self.qualifier:
            return translate("Conflict", "Type the qualifier.")
        if self.resolution is Resolution.MERGE and self.typed is None:
            return translate("Conflict", "Type the value that is true.")
        return ""

    def settle(self, conflict: Conflict, reason: str, *, claim_id: str | None = None) -> Settle:
        """Give the write that carries this choice out on a conflict as it was seen.

        Args:
            conflict: the conflict; its version is what the person saw.
            reason: why.
            claim_id: which waiting claim is meant; the chosen one if None.
        """
        assert self.resolution is not None
        extra: dict[str, Any] = {}
        if self.resolution is Resolution.MOVE:
            extra["standing"] = self.standing
            if self.begins is not None:
                extra["valid_from"] = self.begins
            if self.has_end:
                extra["until"] = self.ends
        elif self.resolution is Resolution.BOTH and self.is_qualified:
            extra["qualifier"] = self.qualifier
        elif self.resolution is Resolution.MERGE and self.typed is not None:
            extra["value"] = self.typed.value
        return Settle(
            conflict_id=conflict.conflict_id,
            resolution=self.resolution,
            reason=reason,
            claim_id=claim_id or self.claim_id or conflict.incoming[0].claim_id,
            seen=conflict.version,
            **extra,
        )

    def fitting(self, conflict: Conflict) -> Choice:
        """Give this choice with a claim that waits in a conflict."""
        ids = [claim.claim_id for claim in conflict.incoming]
        return self if self.claim_id in ids else replace(self, claim_id=ids[0])


class Party(NamedTuple):
    """Who speaks in a claim: what sort of source, and the agent that observed it."""

    kind: EpisodeKind
    agent_id: str


class Pair(NamedTuple):
    """The two sources of a conflict."""

    standing: Party
    incoming: Party


@dataclass(frozen=True)
class Alike:
    """Another open conflict whose claims come from the same pair of sources.

    Attributes:
        claim_id: the waiting claim from the same source as the one that is looked at.
    """

    conflict: Conflict
    claim_id: str


@dataclass(frozen=True)
class Consequence:
    """What the chosen outcome would do to another conflict.

    Attributes:
        write: None where it cannot be done; `problem` says why.
    """

    alike: Alike
    write: Settle | None = None
    plan: Plan | None = None
    problem: str = ""


@dataclass
class _Sources:
    """Episodes as they are needed, each read once."""

    view: View
    found: dict[str, Episode] = field(default_factory=dict)

    def party(self, claim: Claim) -> Party:
        episode = self.episode(claim.source_episode_id)
        return Party(episode.kind, episode.agent_id)

    def episode(self, episode_id: str) -> Episode:
        if episode_id not in self.found:
            self.view.work.cancel.check()
            self.found[episode_id] = self.view.store.episode(self.view.scope, episode_id)
        return self.found[episode_id]


def read_case(view: View, conflict_id: str) -> Case:
    """Read a conflict, its sources and its lane.

    Raises:
        NotFound: there is no such conflict in this scope.
    """
    conflict = view.store.conflict(view.scope, conflict_id)
    sources = _Sources(view)
    for claim in (conflict.standing, *conflict.incoming):
        sources.episode(claim.source_episode_id)
    key = LaneKey(conflict.owner, conflict.subject, conflict.attribute, conflict.slot)
    return Case(conflict, sources.found, read_bars(view, key))


def read_queue(view: View) -> tuple[Conflict, ...]:
    """Read the open conflicts, oldest first."""
    return view.store.conflicts(view.scope, page=Page(QUEUE_MOST)).items


def read_alike(view: View, case: Case, claim_id: str | None) -> tuple[Alike, ...]:
    """Find the other open conflicts with the same pair of sources.

    A conflict in which several claims come from the same source is left out: which of them is
    meant is for a person to say.
    """
    sources = _Sources(view, dict(case.sources))
    pair = Pair(sources.party(case.conflict.standing), sources.party(case.claim(claim_id)))
    found = []
    for other in read_queue(view):
        if other.conflict_id == case.conflict.conflict_id:
            continue
        if sources.party(other.standing) != pair.standing:
            continue
        claims = [it for it in other.incoming if sources.party(it) == pair.incoming]
        if len(claims) == 1:
            found.append(Alike(other, claims[0].claim_id))
    return tuple(found)


def read_consequences(
    view: View, choice: Choice, alike: Iterable[Alike], reason: str
) -> tuple[Consequence, ...]:
    """Find out what a choice would do to other conflicts."""
    found = []
    for other in alike:
        view.work.cancel.check()
        write = choice.settle(other.conflict, reason, claim_id=other.claim_id)
        try:
            plan = view.store.preview(view.scope, write)
        except StoreError as error:
            found.append(Consequence(other, problem=str(error)))
        else:
            found.append(Consequence(other, write, plan))
    return tuple(found)
