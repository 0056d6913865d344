from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from store import importers
from store.contract import Cancel, Scope, Store
from store.errors import Invalid, ReadOnly
from store.importers import (
    SKIPPED_KEPT,
    Importer,
    OnError,
    Piece,
    Place,
    Reading,
    Skipped,
    run_import,
)
from store.model import Attribute, Cardinality, EpisodeDraft, EpisodeKind, MemoryDelta
from store.open import open_store
from store.write import Capture, Change, Correct, Register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCOPE = Scope("acme")
START = datetime(2026, 1, 1, tzinfo=UTC)


class ListImporter(Importer):
    """Gives pieces that a test made."""

    kind = "list"
    source = "a list"

    def __init__(self, pieces: list[Piece], multi: frozenset[str] = frozenset()) -> None:
        self.given = pieces
        self.multi = multi
        self.single: frozenset[str] = frozenset()
        self.passes = 0
        self.is_open = False
        self.at_piece: Callable[[int], None] = lambda number: None

    def __enter__(self) -> ListImporter:
        self.is_open = True
        return self

    def __exit__(self, *exception: object) -> None:
        self.is_open = False

    def pieces(self, reading: Reading) -> Iterator[Piece]:
        assert self.is_open
        self.passes += 1
        for number, piece in enumerate(self.given):
            self.at_piece(number)
            yield piece

    def progress(self) -> tuple[int, int | None]:
        return len(self.given), len(self.given)

    def cardinality(self, attribute: str) -> Cardinality | None:
        if attribute in self.single:
            return Cardinality.SINGLE
        return Cardinality.MULTI if attribute in self.multi else None

    def notes(self) -> tuple[str, ...]:
        return ("A note.",)


def piece(line: int, value: Any = "x", attribute: str = "a", day: int = 0, **more: Any) -> Piece:
    episode = EpisodeDraft(
        episode_id=f"e{line}", kind=EpisodeKind.IMPORTED_ROW, content=str(line), occurred_at=START
    )
    delta = MemoryDelta(
        tenant_id="acme",
        subject="mira",
        attribute=attribute,
        value=value,
        valid_from=START + timedelta(days=day),
        source_episode_id=episode.episode_id,
        **more,
    )
    return Piece(Place("list", line), episode, delta)


BROKEN = Piece(Place("list", 9), problem="it is broken.")
ASIDE = Piece(Place("list", 8), piece(8).episode, without_fact="rows without a fact")


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store("memory:") as opened:
        yield opened


def values(store: Store) -> list[object]:
    return [fact.value for fact in store.read(SCOPE, "mira", "a")]


def test_everything_is_written_and_counted(store: Store) -> None:
    pieces = [piece(1, "x"), piece(2, "y", day=1), piece(3, "z", day=1), piece(4, "x"), ASIDE]
    report = run_import(store, SCOPE, ListImporter(pieces))
    assert (report.read, report.episodes, report.episodes_known) == (5, 5, 0)
    assert (report.written, report.known, report.corroborated, report.conflicts) == (2, 0, 1, 1)
    assert report.conflict_kinds == {"value": 1}
    assert report.without_fact == {"rows without a fact": 1}
    assert report.transactions == (1, 1)
    assert report.notes == ("A note.",)
    assert values(store) == ["y"]


def test_a_second_run_finds_all_of_it_known(store: Store) -> None:
    pieces = [piece(1, "x"), piece(2, "y", day=1), piece(3, "z", day=1), piece(4, "x"), ASIDE]
    run_import(store, SCOPE, ListImporter(pieces))
    head = store.head(SCOPE)
    again = run_import(store, SCOPE, ListImporter(pieces))
    assert (again.read, again.episodes, again.episodes_known) == (5, 0, 5)
    assert (again.written, again.known, again.corroborated, again.conflicts) == (0, 4, 0, 0)
    assert again.transactions is None
    assert store.head(SCOPE) == head


@pytest.mark.parametrize("on_error", OnError)
def test_a_dry_run_reports_what_the_run_then_does(store: Store, on_error: OnError) -> None:
    run_import(store, SCOPE, ListImporter([piece(1, "x"), piece(5, "w", attribute="b")]))
    pieces = [piece(1, "x"), piece(2, "y", day=1), piece(3, "z", day=1), piece(4, "x"), ASIDE]
    if on_error is OnError.SKIP:
        pieces.append(BROKEN)
    multi = frozenset({"b"})
    pieces.append(piece(6, "v", attribute="b"))
    head = store.head(SCOPE)
    trial = run_import(store, SCOPE, ListImporter(pieces, multi), dry_run=True, on_error=on_error)
    assert store.head(SCOPE) == head
    done = run_import(store, SCOPE, ListImporter(pieces, multi), on_error=on_error)
    wanted = {**done.as_json(), "dry_run": True, "transactions": None}
    assert trial.as_json() == wanted
    assert done.registered == ("b",)
    assert done.written == 2
    assert any("would" in sentence for sentence in trial.sentences())
    assert not any("would" in sentence for sentence in done.sentences())


def test_a_dry_run_works_on_a_store_that_is_open_for_reading() -> None:
    with open_store("memory:", read_only=True) as store:
        assert run_import(store, SCOPE, ListImporter([piece(1)]), dry_run=True).written == 1
        with pytest.raises(ReadOnly, match="nothing was imported"):
            run_import(store, SCOPE, ListImporter([piece(1)]))


def test_stop_writes_nothing_of_a_broken_source(store: Store) -> None:
    importer = ListImporter([piece(1), BROKEN, piece(2, day=1), BROKEN])
    report = run_import(store, SCOPE, importer)
    assert report.refused
    assert report.transactions is None
    assert store.head(SCOPE).number == 0
    assert report.refusal.startswith("list, line 9: it is broken. (1 more like it) Nothing was")
    assert report.sentences()[0] == report.refusal
    assert report.skipped_count == 2
    assert not importer.is_open


def test_stop_reads_a_good_source_twice_and_skip_once(store: Store) -> None:
    importer = ListImporter([piece(1)])
    run_import(store, SCOPE, importer)
    assert importer.passes == 2
    run_import(store, SCOPE, importer, on_error=OnError.SKIP)
    assert importer.passes == 3


def test_skip_writes_the_good_rest(store: Store) -> None:
    importer = ListImporter([piece(1), BROKEN, piece(2, "y", day=1)])
    report = run_import(store, SCOPE, importer, on_error=OnError.SKIP)
    assert not report.refused
    assert report.refusal == ""
    assert report.written == 2
    assert report.skipped == (Skipped(Place("list", 9), "it is broken."),)
    assert "  list, line 9: it is broken." in report.sentences()


def test_the_named_skips_are_capped_and_all_are_counted(store: Store) -> None:
    importer = ListImporter([BROKEN] * (SKIPPED_KEPT + 7))
    report = run_import(store, SCOPE, importer, on_error=OnError.SKIP)
    assert len(report.skipped) == SKIPPED_KEPT
    assert report.skipped_count == SKIPPED_KEPT + 7


def test_reports_stay_small_whatever_the_source_says(store: Store) -> None:
    pieces = [
        Piece(Place("list", n), problem="x" * 10_000, dropped=(f"f{n}",)) for n in range(1500)
    ]
    report = run_import(store, SCOPE, ListImporter(pieces), on_error=OnError.SKIP)
    assert max(len(skipped.reason) for skipped in report.skipped) == 501
    assert len(report.dropped) == 1001
    assert report.dropped["other fields"] == 500


def test_what_the_store_would_refuse_is_found_before_anything_is_written(store: Store) -> None:
    refused = [piece(1), piece(2, 2**60), piece(3, float("nan")), piece(4, "\ud800")]
    report = run_import(store, SCOPE, ListImporter(refused))
    assert report.refused
    assert report.skipped_count == 3
    assert store.head(SCOPE).number == 0


def test_what_the_store_refuses_after_all_is_reported_with_its_line(store: Store) -> None:
    other = EpisodeDraft(
        episode_id="e1", kind=EpisodeKind.MESSAGE, content="another", occurred_at=START
    )
    store.write(SCOPE, Capture(episode=other))
    report = run_import(store, SCOPE, ListImporter([piece(1), piece(2, day=1)]))
    assert [str(skipped.place) for skipped in report.skipped] == ["list, line 1"]
    assert "taken by another episode" in report.skipped[0].reason
    assert (report.episodes, report.episodes_known) == (1, 0)


def test_an_agent_may_not_import_for_another(store: Store) -> None:
    scope = Scope("acme", "support")
    pieces = [piece(1, owner="support"), piece(2, owner="billing", attribute="b")]
    report = run_import(store, scope, ListImporter(pieces), on_error=OnError.SKIP)
    assert report.written == 1
    assert "billing" in report.skipped[0].reason


def test_an_attribute_keeps_its_type_and_the_other_is_counted(store: Store) -> None:
    pieces = [piece(1, memory_type="core"), piece(2, "y", day=1, memory_type="daily")]
    report = run_import(store, SCOPE, ListImporter(pieces))
    assert report.written == 2
    assert report.dropped == {"memory_type": 1}
    assert store.attributes(SCOPE) == (Attribute(name="a", memory_type="core"),)


def test_attributes_are_made_multi_valued_before_their_facts(store: Store) -> None:
    pieces = [piece(1, "x", memory_type="profile"), piece(2, "y")]
    report = run_import(store, SCOPE, ListImporter(pieces, frozenset({"a"})))
    assert report.registered == ("a",)
    assert report.conflicts == 0
    assert sorted(map(str, values(store))) == ["x", "y"]
    assert store.attributes(SCOPE)[0].memory_type == "profile"
    assert report.transactions == (1, 2)
    again = run_import(store, SCOPE, ListImporter(pieces, frozenset({"a"})))
    assert again.registered == ()


def test_what_is_multi_valued_cannot_be_asked_for_as_single(store: Store) -> None:
    attribute = Attribute(name="a", cardinality=Cardinality.MULTI)
    store.write(SCOPE, Register(attribute=attribute))
    importer = ListImporter([piece(1)])
    importer.single = frozenset({"a"})
    report = run_import(store, SCOPE, importer)
    assert report.refused
    assert "cannot become single-valued" in report.refusal


def test_progress_counts_both_passes(store: Store) -> None:
    told: list[tuple[int, int | None]] = []
    run_import(store, SCOPE, ListImporter([piece(1)]), progress=lambda d, t: told.append((d, t)))
    assert told == [(1, 2), (2, 2)]


def test_cancelling_the_first_pass_writes_nothing(store: Store) -> None:
    importer = ListImporter([ASIDE] * 5000)
    cancel = Cancel()
    importer.at_piece = lambda number: cancel.cancel() if number == 10 else None
    report = run_import(store, SCOPE, importer, cancel=cancel)
    assert report.cancelled
    assert report.read < 5000
    assert store.head(SCOPE).number == 0
    assert report.sentences()[-1].startswith("Stopped on request")
    assert not importer.is_open


def test_cancelling_while_writing_keeps_whole_batches(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importers, "BATCH", 100)
    pieces = [piece(n, n, day=n) for n in range(400)]
    importer = ListImporter(pieces)
    cancel = Cancel()
    importer.at_piece = lambda number: cancel.cancel() if number == 220 else None
    report = run_import(store, SCOPE, importer, cancel=cancel, on_error=OnError.SKIP)
    assert report.cancelled
    assert report.written == report.episodes == 200
    assert report.transactions == (1, 4)
    rest = run_import(store, SCOPE, ListImporter(pieces))
    assert (rest.known, rest.written) == (200, 200)


def test_large_contents_do_not_pile_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importers, "_BATCH_CHARACTERS", 10)
    long = piece(1).episode
    assert long is not None
    pieces = [
        Piece(Place("list", n), long.model_copy(update={"episode_id": f"e{n}", "content": "x" * 8}))
        for n in range(6)
    ]
    report = run_import(store, SCOPE, ListImporter(pieces))
    assert report.episodes == 6
    assert report.transactions == (1, 3)


def test_a_correction_by_hand_outlives_the_next_import(store: Store) -> None:
    pieces = [piece(1, "x")]
    run_import(store, SCOPE, ListImporter(pieces))
    (fact,) = store.read(SCOPE, "mira", "a")
    store.write(
        SCOPE, Correct(memory_id=fact.memory_id, value="right", episode_id="e1", reason="typo")
    )
    report = run_import(store, SCOPE, ListImporter(pieces))
    assert report.known == 1
    assert values(store) == ["right"]


def test_the_reading_remembers_only_when_it_shall(store: Store) -> None:
    store.write(SCOPE, Capture(episode=piece(1).episode))
    looking = Reading(store, SCOPE, cancel=None, looks_back=True)
    assert looking.episode("e1") is not None
    assert looking.episode("e2") is None
    assert Reading(store, SCOPE, cancel=None, looks_back=False).episode("e1") is None


def test_places_are_named() -> None:
    assert str(Place("a.csv", 3)) == "a.csv, line 3"
    assert str(Place("brain.db", row="r1")) == "brain.db, row r1"
    assert str(Place("brain.db")) == "brain.db"


def test_rehearsal_agrees_with_load_and_raises_what_registering_would(store: Store) -> None:
    store.write(SCOPE, Register(attribute=Attribute(name="a", memory_type="core")))
    draft = piece(1).episode
    delta = piece(1).delta
    assert draft is not None
    assert delta is not None
    head = store.head(SCOPE)
    told: list[int] = []
    report = store.rehearse(
        SCOPE, [draft, delta, draft], progress=lambda done, _total: told.append(done)
    )
    assert (report.read, report.episodes, report.applied) == (3, 1, 1)
    assert told == [3]
    with pytest.raises(Invalid):
        store.rehearse(SCOPE, [], attributes=[Attribute(name="a", memory_type="daily")])
    assert store.head(SCOPE) == head
    store.write(SCOPE, Capture(episode=draft))
    store.write(SCOPE, Change(delta=delta))
    assert store.rehearse(SCOPE, [draft, delta]).known == 1


def test_what_a_source_knows_of_a_new_attribute_is_registered(store: Store) -> None:
    class Telling(ListImporter):
        def entry(self, attribute: str) -> Attribute | None:
            return Attribute(name=attribute, memory_type="profile", sensitive=True)

    trial = run_import(store, SCOPE, Telling([piece(1)]), dry_run=True)
    assert (trial.written, store.attributes(SCOPE)) == (1, ())
    report = run_import(store, SCOPE, Telling([piece(1, memory_type="profile")]))
    assert report.registered == (), "that names those that were made multi-valued"
    (entry,) = store.attributes(SCOPE)
    assert (entry.sensitive, entry.memory_type) == (True, "profile")
    store.write(SCOPE, Register(attribute=entry.model_copy(update={"sensitive": False})))
    run_import(store, SCOPE, Telling([piece(2, day=1)]))
    assert not store.attributes(SCOPE)[0].sensitive, "what the store knows stays"
