"""Records to take snapshots of, and a short way to take and read one."""

from __future__ import annotations

import csv
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from store import (
    Attribute,
    Cardinality,
    Invalid,
    NotFound,
    Refused,
    Register,
    Resolution,
    Revert,
    Scope,
    Stale,
    Write,
    open_store,
)
from store.audit import Form, Manifest, Selection, take_snapshot
from store.audit.tables import original
from tests.conformance.played import Played
from tests.conformance.scene import Clock, Desk, Entropy, day, delta, draft

TODAY = 90


def new_desk(folder: Path | None = None, name: str = "acme") -> Desk:
    """A desk on an empty store: in memory, or in a file of a folder."""
    clock = Clock(day(TODAY))
    options: dict[str, Any] = {"clock": clock, "entropy": Entropy(name), "tool": "test"}
    if folder is None:
        return Desk(open_store("memory:", **options), clock)
    return Desk(open_store(folder / f"{name}.db", create=True, **options), clock)


def tick(desk: Desk) -> None:
    """Let the clock run, so that transactions are not a microsecond apart."""
    desk.clock.now += timedelta(hours=1)


def populate(desk: Desk) -> None:
    """Write something of everything: subjects, owners, slots, sources, conflicts, gaps, reverts."""
    desk.write(
        Register(
            attribute=Attribute(
                name="likes", cardinality=Cardinality.MULTI, memory_type="preference"
            ),
            reason="many",
        )
    )
    first = desk.fact("Lisbon", 1, confidence=0.25, stated_as="since 1 January")
    tick(desk)
    desk.fact("Porto", 10, 20, episode="long")
    desk.fact("Ada", 3, subject="Ada", attribute="name")
    desk.fact("Ada", 40, subject="Ada", attribute="name", memory_type=None)
    for value in ("tea", "coffee", {"z": 1, "a": [None, 2.5]}):
        desk.fact(value, 4, attribute="likes")
    desk.of("support").fact("quiet", 5, attribute="tone", owner="support")
    desk.of("support").fact("loud", 95, attribute="tone", owner="support")
    desk.confirm(first, "seen again")
    tick(desk)
    desk.confirm(first, "and again")
    desk.correct(first, value="Lisboa")
    conflict = desk.contest("Braga", 1)
    desk.contest("Faro", 10, 20)
    desk.contest("Eve", 3, subject="Ada", attribute="name")
    desk.settle(conflict.conflict_id, Resolution.STANDING)
    tick(desk)
    desk.end(first, 40)
    desk.fact("Évora", 50)
    home = desk.fact("here", 1, subject="zoe", attribute="home")
    desk.end(home, 10)
    desk.fact("there", 10, subject="zoe", attribute="home")
    retracted = desk.fact("gone", 60, subject="zoe", attribute="é")
    desk.retract(retracted, gap=True)
    lost = desk.fact("lost", 60, subject="zoe", attribute="also")
    desk.retract(lost)
    entries = [draft(f"row {n}", "x" * n, metadata={"line": n}) for n in range(1, 6)]
    deltas = [delta(f"v{n}", n, episode="row 1", subject=f"s{n % 3}") for n in range(9)]
    desk.store.load(desk.scope, [*entries, *deltas])
    desk.fact("undone", 8, subject="s1", attribute="more")
    desk.revert(desk.newest)
    other = Desk(desk.store, desk.clock, Scope("globex"), desk.spoken)
    other.fact("elsewhere", 1, attribute="secret of globex")


def taken(desk: Desk, out: Path, *, form: Form = Form.DIRECTORY, **selection: Any) -> Manifest:
    """Take a snapshot of a desk's tenant."""
    return take_snapshot(desk.store, desk.scope, out, Selection(**selection), form=form).manifest


class Written(Played):
    """Random histories that are only written: what can be read of them is tested elsewhere."""

    def _try(self, write: Write) -> int | None:
        try:
            return self.desk.write(write).transaction
        except (Refused, Stale, NotFound, Invalid):
            return None

    def _undo_and_redo(self) -> None:
        undone = self._try(Revert(transaction=self.desk.newest, reason="undo"))
        if undone is not None:
            self._try(Revert(transaction=undone, reason="redo"))


def bytes_of(path: Path) -> dict[str, bytes]:
    """The files of a snapshot that is a directory."""
    return {file.name: file.read_bytes() for file in sorted(path.iterdir())}


def lines_of(path: Path, name: str) -> list[dict[str, Any]]:
    """What the lines of a file say."""
    text = (path / name).read_text(encoding="utf-8")
    assert not text or text.endswith("\n")
    return [json.loads(line) for line in text.split("\n")[:-1]]


def table_of(path: Path) -> list[dict[str, str]]:
    """The cells of `facts.csv` as they were before they were made harmless."""
    csv.field_size_limit(1 << 24)
    with (path / "facts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return [dict(zip(rows[0], map(original, row), strict=True)) for row in rows[1:]]
