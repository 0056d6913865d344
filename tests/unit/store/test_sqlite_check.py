"""A check finds what was done to a store behind its back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from store.backends.sqlite.library import driver
from store.contract import Cancel, Scope
from store.errors import Cancelled
from store.model import EpisodeDraft, EpisodeKind, MemoryDelta
from store.open import open_store
from store.write import Capture, Change, Confirm, Correct

if TYPE_CHECKING:
    from pathlib import Path

SCOPE = Scope("acme")
DAY0 = datetime(2026, 1, 1, tzinfo=UTC)
SEALED = "the chain of digests holds"
NUMBERED = "transactions are numbered without gaps and rise in time"
DERIVED = "derived rows follow from the assertions"
HEAD = "the outside head is in the chain"
SOURCES = "sources exist"
TOGETHER = "everything has what it belongs to"
SHORTCUTS = "the indexes and short cuts fit the record"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a bit of everything."""
    place = tmp_path / "x.db"
    with open_store(place, create=True) as store:
        for number in range(3):
            draft = EpisodeDraft(
                episode_id=f"e{number}",
                kind=EpisodeKind.MESSAGE,
                content=f"They said {number}",
                occurred_at=DAY0,
            )
            store.write(SCOPE, Capture(episode=draft))
        first = store.write(SCOPE, Change(delta=_delta("A", 1)))
        store.write(SCOPE, Change(delta=_delta("B", 5, until=9)))
        store.write(SCOPE, Change(delta=_delta("C", 1)))
        store.write(SCOPE, Confirm(memory_id=first.memory_id or "", episode_id="e1"))
        store.write(
            SCOPE,
            Correct(memory_id=first.memory_id or "", value="D", episode_id="e2", reason="so"),
        )
        store.write(SCOPE, Change(delta=_delta("plain", 1, subject="jonas")))
        store.load(SCOPE, [_delta(f"v{n}", n, subject="hot") for n in range(400)])
        assert store.search(SCOPE, "they said")
        assert store.check(full=True, head=store.head(SCOPE)).is_clean
        assert store.check(head=store.head(SCOPE)).is_clean
    return place


def _delta(value: str, start: int, until: int | None = None, subject: str = "mira") -> MemoryDelta:
    return MemoryDelta(
        tenant_id="acme",
        subject=subject,
        attribute="city",
        value=value,
        valid_from=DAY0 + timedelta(days=start),
        until=None if until is None else DAY0 + timedelta(days=until),
        source_episode_id="e0",
    )


def _harm(path: Path, *statements: str) -> None:
    """Change a store as no program of ours does: without its triggers, which are then put back."""
    connection = driver.connect(str(path), isolation_level=None)
    triggers = connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
    ).fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        connection.execute(statement)
    for _, sql in triggers:
        connection.execute(sql)
    connection.close()


@pytest.mark.parametrize(
    ("rule", "harm"),
    [
        (SEALED, "UPDATE fact SET value = '\"X\"' WHERE value = '\"plain\"'"),
        (SEALED, "UPDATE fact SET confidence = 0.5 WHERE value = '\"plain\"'"),
        (SEALED, "UPDATE fact SET secret = zeroblob(16) WHERE value = '\"plain\"'"),
        (SEALED, "UPDATE key SET subject = 'joanna' WHERE subject = 'jonas'"),
        (SEALED, "UPDATE episode SET content = 'They said no' WHERE episode_id = 'e1'"),
        (SEALED, "UPDATE tx SET reason = 'other' WHERE reason = 'so'"),
        (SEALED, "UPDATE tx SET recorded_at = recorded_at + 1 WHERE number = 4"),
        (SEALED, "UPDATE tx SET entries = entries + 1 WHERE number = 4"),
        (SEALED, "UPDATE claim SET value = '\"X\"'"),
        (SEALED, "UPDATE attribute SET sensitive = 1"),
        (SEALED, "UPDATE evidence SET tx_to = NULL"),
        (SEALED, "DELETE FROM evidence"),
        (NUMBERED, "DELETE FROM tx WHERE number = 5"),
        (DERIVED, "DELETE FROM fact WHERE kind > 1"),
        (DERIVED, "UPDATE fact SET tx_to = 10 WHERE kind > 1 AND tx_to IS NULL"),
        (HEAD, "DELETE FROM tx WHERE number = (SELECT max(number) FROM tx)"),
        (SOURCES, "DELETE FROM episode WHERE episode_id = 'e0'"),
        (TOGETHER, "DELETE FROM key WHERE subject = 'jonas'"),
        (TOGETHER, "DELETE FROM conflict_event"),
        (TOGETHER, "DELETE FROM name"),
        (SHORTCUTS, "DELETE FROM involved"),
        (SHORTCUTS, "UPDATE milestone SET hi = 0"),
        (
            SHORTCUTS,
            "INSERT INTO milestone SELECT key_id, tx_from, 0 FROM fact WHERE value = '\"v7\"'",
        ),
        (SHORTCUTS, "UPDATE indexed SET number = 99"),
    ],
)
def test_harm_is_found(path: Path, rule: str, harm: str) -> None:
    with open_store(path) as store:
        head = store.head(SCOPE)
    prepared = ["INSERT OR IGNORE INTO indexed VALUES (1, 0)"] if "indexed" in harm else []
    _harm(path, *prepared, harm)
    with open_store(path) as store:
        report = store.check(full=True, head=head)
    assert rule in {finding.rule for finding in report.findings}
    assert all(finding.where and finding.sentence for finding in report.findings)


def test_the_ends_are_looked_at_quickly(path: Path) -> None:
    with open_store(path) as store:
        head = store.head(SCOPE)
    _harm(path, "UPDATE fact SET value = '\"X\"' WHERE value = '\"plain\"'")
    with open_store(path) as store:
        report = store.check(head=head)
        assert not report.full
        assert {finding.rule for finding in report.findings} == {SEALED}
    _harm(path, "DELETE FROM tx WHERE number = (SELECT max(number) FROM tx)")
    with open_store(path) as store:
        assert HEAD in {finding.rule for finding in store.check(head=head).findings}


def test_a_head_of_another_history_is_told(path: Path) -> None:
    with open_store(path) as store:
        head = store.head(SCOPE)
        for other in (
            head.model_copy(update={"digest": "0" * 64}),
            head.model_copy(update={"number": head.number + 1}),
            head.model_copy(update={"tenant_id": "nobody"}),
            head.model_copy(update={"number": 2}),
        ):
            for full in (True, False):
                found = store.check(full=full, head=other).findings
                assert {finding.rule for finding in found} == {HEAD}


def test_progress_is_told_and_a_check_can_be_stopped(path: Path) -> None:
    with open_store(path) as store:
        store.load(SCOPE, [_delta("x", n % 9, subject=f"s{n}") for n in range(12_000)])
        told: list[tuple[int, int | None]] = []
        report = store.check(full=True, progress=lambda *done: told.append(done))
        assert report.is_clean
        assert [done for done, _ in told] == sorted(done for done, _ in told)
        assert {total for _, total in told} == {told[0][1]}
        assert told[-1][0] <= (told[0][1] or 0)
        cancel = Cancel()
        with pytest.raises(Cancelled):
            store.check(full=True, progress=lambda *_: cancel.cancel(), cancel=cancel)
