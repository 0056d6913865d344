"""The importers on real sources, whose counts are found a second time by the rules' definition."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from store.contract import Scope
from store.importers import BATCH, ImportReport, OnError, run_import
from store.importers.table import TableImporter, TableOptions, read_lookup
from store.importers.zeroclaw import ZeroclawImporter
from store.model import ConflictKind, EpisodeKind
from store.open import open_store
from store.query import EpisodeQuery, FactQuery, Page
from store.temporal import Basis

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from store.contract import Store

SCOPE = Scope("acme")
WIKIDATA = Path("data/temporal_kg/wikidata12k_yago11k/WIKIDATA12k")
WORKSPACE = Path("data/agent_stores/zeroclaw_workspace")
OPEN = "3000"
UNKNOWN = "0"

SINGLE = frozenset(
    {
        "spouse",
        "!spouse",
        "head_of_government",
        "!head_of_government",
        "capital_of",
        "!capital_of",
        "country",
        "member_of_political_party",
    }
)
"""What somebody or something has one of at a time. Not in it: what one can hold several of (posts,
employers, teams, citizenships, awards), and places, which lie in several units at once."""


def options(folder: Path, single: frozenset[str]) -> TableOptions:
    entities = folder / "entity2id.txt"
    return TableOptions(
        columns={
            "subject": "0",
            "attribute": "1",
            "value": "2",
            "valid_from": "3",
            "valid_to": "4",
        },
        lookups={
            "subject": entities,
            "attribute": folder / "relation2id.txt",
            "value": entities,
        },
        many=frozenset({"*"}),
        single=single,
        open_tokens=frozenset({OPEN}),
        unknown_tokens=frozenset({UNKNOWN}),
        end_inclusive=True,
    )


# -- the rules, from their definition -------------------------------------------------------------


@dataclass(frozen=True)
class Claim:
    """A row that states a beginning, in years; the end is that of the first year without it."""

    subject: str
    attribute: str
    value: str
    start: int
    until: int | None
    text: str


def expected(
    rows: Iterable[str], relations: dict[str, str], single: frozenset[str]
) -> Counter[str]:
    """Count what becomes of rows, claim by claim, as `semantics.md` section 4 says."""
    counts: Counter[str] = Counter()
    seen: set[str] = set()
    standing: dict[tuple[str, ...], list[Claim]] = {}
    for batch in batches(rows):
        claims = [claim for claim in (claimed(row, relations) for row in batch) if claim]
        claims.sort(key=lambda claim: (claim.subject, claim.attribute, claim.start))
        for claim in claims:
            if claim.text in seen:
                counts["known"] += 1
                continue
            seen.add(claim.text)
            slot = "" if claim.attribute in single else claim.value
            held = standing.setdefault((claim.subject, claim.attribute, slot), [])
            outcome = decided(held, claim)
            counts[outcome] += 1
            if outcome == "written":
                held.append(claim)
    return counts


def batches(rows: Iterable[str]) -> Iterator[list[str]]:
    """Cut rows where the import begins a transaction: after so many episodes and facts."""
    entries = ((row, is_fact) for row in rows for is_fact in facts_of(row))
    while part := list(islice(entries, BATCH)):
        yield [row for row, is_fact in part if is_fact]


def facts_of(row: str) -> tuple[bool, ...]:
    return (False,) if row.split("\t")[3] == UNKNOWN else (False, True)


def claimed(row: str, relations: dict[str, str]) -> Claim | None:
    subject, relation, value, start, end = row.split("\t")
    until = None if end == OPEN else int(end) + 1
    return Claim(subject, relations[relation], value, int(start), until, row)


def decided(held: list[Claim], claim: Claim) -> str:
    for other in held:
        if other.start == claim.start:
            if other.value != claim.value:
                return "value"
            return "corroborated" if claim.until in (None, other.until) else "end"
    around = [
        other
        for other in held
        if other.start <= claim.start and (other.until is None or other.until > claim.start)
    ]
    holder = max(around, key=lambda other: other.start, default=None)
    if holder is not None and holder.value == claim.value:
        return "written" if claim.until in (None, holder.until) else "end"
    crossed = any(crosses(other, claim) for other in held if other.value != claim.value)
    return "crossing" if crossed else "written"


def crosses(one: Claim, other: Claim) -> bool:
    if one.until is None or other.until is None:
        return False
    first, second = sorted((one, other), key=lambda claim: claim.start)
    assert first.until is not None
    assert second.until is not None
    return first.start < second.start < first.until < second.until


def counted(report: ImportReport) -> Counter[str]:
    return Counter(
        {
            "written": report.written,
            "known": report.known,
            "corroborated": report.corroborated,
            **report.conflict_kinds,
        }
    )


# -- tables ---------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "memory.db", create=True) as opened:
        yield opened


@pytest.mark.parametrize(
    ("file", "single", "lines", "distinct", "unknown"),
    [
        ("valid.txt", frozenset(), 8124, 8124, 158),
        ("valid.txt", SINGLE, 8124, 8124, 158),
        pytest.param("train.txt", SINGLE, 64994, 64976, 2634, marks=pytest.mark.slow),
    ],
    ids=["all-multi", "some-single", "large"],
)
@pytest.mark.timeout(1200)
def test_wikidata_comes_out_as_the_rules_say(
    shared: Path,
    store: Store,
    file: str,
    single: frozenset[str],
    lines: int,
    distinct: int,
    unknown: int,
) -> None:
    folder = shared / WIKIDATA
    importer = TableImporter(folder / file, options(folder, single))
    report = run_import(store, SCOPE, importer)
    rows = (folder / file).read_text().splitlines()
    relations = read_lookup(folder / "relation2id.txt")
    assert counted(report) == expected(rows, relations, single)
    assert report.read == lines
    assert report.episodes == distinct
    assert sum(report.without_fact.values()) == unknown
    assert report.skipped_count == 0
    stated = {relations[row.split("\t")[1]] for row in rows if any(facts_of(row))}
    assert set(report.registered) == stated - single
    _conflicts_agree(store, report)
    check = store.check(full=True)
    assert check.findings == ()
    if file == "train.txt":
        return
    head = store.head(SCOPE)
    again = run_import(store, SCOPE, importer)
    assert again.known == report.written + report.conflicts + report.corroborated + report.known
    assert (again.written, again.conflicts, again.episodes) == (0, 0, 0)
    assert store.head(SCOPE) == head


def _conflicts_agree(store: Store, report: ImportReport) -> None:
    kinds: Counter[str] = Counter()
    after = None
    while True:
        page = store.conflicts(SCOPE, page=Page(1000, after))
        for conflict in page.items:
            kinds[conflict.kind] += len(conflict.incoming)
        after = page.after
        if after is None:
            break
    assert {ConflictKind(kind): n for kind, n in report.conflict_kinds.items()} == dict(kinds)


def test_a_marriage_is_found_with_its_years_and_its_row(shared: Path, store: Store) -> None:
    folder = shared / WIKIDATA
    row = next(
        line
        for line in (folder / "valid.txt").read_text().splitlines()
        if line.split("\t")[1] == "8" and line.split("\t")[4] != OPEN
    )
    subject, _, value, start, end = row.split("\t")
    run_import(store, SCOPE, TableImporter(folder / "valid.txt", options(folder, SINGLE)))
    names = read_lookup(folder / "entity2id.txt")
    query = FactQuery(subject=names[subject], attribute="spouse", history=True)
    found = [f for f in store.facts(SCOPE, query).items if f.value == names[value]]
    assert [(f.valid_from.year, f.until.year if f.until else None) for f in found] == [
        (int(start), int(end) + 1)
    ]
    assert store.episode(SCOPE, found[0].source_episode_id).content == row


# -- ZeroClaw -------------------------------------------------------------------------------------


def test_a_real_workspace_is_imported_whole(shared: Path, store: Store) -> None:
    folder = shared / WORKSPACE
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    trial = run_import(store, SCOPE, ZeroclawImporter(folder), dry_run=True)
    report = run_import(store, SCOPE, ZeroclawImporter(folder))
    assert (report.read, report.episodes, report.skipped_count) == (177, 177, 0)
    assert report.without_fact == {"autosaved conversation": 156, "lines without a key": 3}
    assert (report.written, report.conflicts) == (18, 0)
    assert trial.written == report.written
    messages = store.episodes(SCOPE, EpisodeQuery(kind=EpisodeKind.MESSAGE), page=Page(1000))
    assert len(messages.items) == 156
    facts = store.facts(SCOPE, FactQuery(history=True), page=Page(1000)).items
    assert {fact.subject for fact in facts} == {"default"}
    assert {fact.valid_from_basis for fact in facts} == {Basis.ASSUMED}
    deadline = [fact for fact in facts if fact.attribute == "passport_deadline"]
    assert [(fact.value, fact.valid_to is None) for fact in deadline] == [
        ("2026-07-15", False),
        ("2026-06-30", True),
    ]
    again = run_import(store, SCOPE, ZeroclawImporter(folder), on_error=OnError.SKIP)
    assert (again.known, again.written, again.episodes) == (18, 0, 0)
    assert store.check(full=True).findings == ()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
