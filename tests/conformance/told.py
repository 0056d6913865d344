"""Whole records in the hands of a test: told, compared, and told again otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from store import Attribute, Cardinality, Register, Resolution
from store.entry import AttributeEntry, ConflictCase, EpisodeEntry, EvidenceEntry
from store.history import History, Sealed
from store.ledger import Row
from tests.conformance.scene import Desk, delta, draft

Told = dict[str, list[Any]]


def told(history: History) -> Told:
    """Everything that a history says, section by section."""
    return {
        "who": [history.store_id, history.tenant_id, history.slot_secret, history.head],
        "transactions": list(history.transactions()),
        "attributes": list(history.attributes()),
        "episodes": list(history.episodes()),
        "rows": list(history.rows()),
        "evidence": list(history.evidence()),
        "conflicts": list(history.conflicts()),
    }


def telling(desk: Desk, number: int | None = None) -> Told:
    with desk.store.history(desk.scope, number) as history:
        return told(history)


def populate(desk: Desk) -> None:
    """Write something of everything: several subjects, owners, values, sources, conflicts."""
    desk.write(
        Register(attribute=Attribute(name="likes", cardinality=Cardinality.MULTI), reason="many")
    )
    first = desk.fact("Lisbon", 1, subject="mira", confidence=0.25, stated_as="since 1 January")
    desk.fact("Porto", 10, 20)
    desk.fact("Ada", 3, subject="Ada", attribute="name")
    for value in ("tea", "coffee", {"z": 1, "a": [None, 2.5]}):
        desk.fact(value, 4, attribute="likes")
    desk.of("support").fact("quiet", 5, attribute="tone", owner="support")
    desk.confirm(first, "seen again")
    desk.confirm(first, "and again")
    desk.correct(first, value="Lisboa")
    desk.contest("Braga", 1)
    desk.contest("Faro", 10, 20, subject="mira")
    desk.end(first, 40)
    desk.fact("Évora", 40)
    retracted = desk.fact("gone", 60, subject="zoe", attribute="é")
    desk.retract(retracted, gap=True)
    entries = [draft(f"row {n}", "x" * n, metadata={"line": n}) for n in range(1, 6)]
    deltas = [delta(f"v{n}", n, episode="row 1", subject=f"s{n % 3}") for n in range(9)]
    desk.store.load(desk.scope, [*entries, *deltas])
    desk.revert(desk.newest)
    fought = desk.contest("Beja", 40).conflict_id
    for resolution in (Resolution.INCOMING, Resolution.STANDING):
        desk.settle(fought, resolution)
        desk.revert(desk.newest)
    desk.settle(fought, Resolution.STANDING)
    names = [f"attribute {n}" for n in (3, 1, 2)]
    many = [delta("v", 1, episode=f"row {n}", attribute=a) for a in names for n in (4, 2, 5, 3)]
    desk.store.load(desk.scope, many)


class Retold(History):
    """A history that says what it is given."""

    def __init__(self, said: Told) -> None:
        self.store_id, self.tenant_id, self.slot_secret, self.head = said["who"]
        self._said = said

    def transactions(self) -> Iterator[Sealed]:
        return iter(self._said["transactions"])

    def attributes(self) -> Iterator[AttributeEntry]:
        return iter(self._said["attributes"])

    def episodes(self) -> Iterator[EpisodeEntry]:
        return iter(self._said["episodes"])

    def rows(self) -> Iterator[Row]:
        return iter(self._said["rows"])

    def evidence(self) -> Iterator[EvidenceEntry]:
        return iter(self._said["evidence"])

    def conflicts(self) -> Iterator[ConflictCase]:
        return iter(self._said["conflicts"])
