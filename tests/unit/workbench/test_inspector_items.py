"""What the inspector makes of versions and sources, held to what the store reads."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from store import Correct, EpisodeDraft, EpisodeKind, Scope, bind
from store.backends.memory import MemoryStore
from store.canonical import canonical
from store.model import Episode, Evidence, Span
from store.temporal import AsOf, to_micros
from store.write import Capture
from tests.sessions import standing_demo
from workbench.panels.inspector.items import (
    Source,
    band_in_force,
    belief_bands,
    excerpt,
    version_rows,
)

SCOPE = Scope("acme")
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


def day(number):
    return EPOCH + timedelta(days=number)


class Days:
    """A clock that stands where it is put."""

    def __init__(self):
        self.at = day(0)

    def __call__(self):
        return self.at


@pytest.fixture
def two_axes():
    """The fixture of the semantics: B from 30, then corrected to 25, then to 28."""
    clock = Days()
    store = MemoryStore(clock=clock)
    memory = bind(store, "acme", agent_id="support")
    memory.capture("e1", "said", occurred_at=day(1))
    clock.at = day(10)
    memory.change("mira", "home", "A", valid_from=day(1), episode="e1")
    clock.at = day(20)
    made = memory.change("mira", "home", "B", valid_from=day(30), episode="e1")
    for at, begins in ((40, 25), (50, 28)):
        clock.at = day(at)
        store.write(
            SCOPE,
            Correct(
                memory_id=made.memory_id, episode_id="e1", reason="later", valid_from=day(begins)
            ),
        )
    yield store
    store.close()


def shape(band):
    return [
        (it.value, (it.valid_from - to_micros(EPOCH)) // 86_400_000_000, it.valid_to)
        for it in band.stretches
    ]


def test_bands_are_what_was_believed_newest_first(two_axes):
    bands = belief_bands(two_axes.versions(SCOPE, subject="mira", attribute="home"))
    starts = [[start for _value, start, _end in shape(band)] for band in bands]
    assert starts == [[1, 28], [1, 25], [1, 30], [1]]
    assert [band.recorded_at for band in bands] == [day(50), day(40), day(20), day(10)]


def test_the_band_in_force_follows_the_known_at(two_axes):
    bands = belief_bands(two_axes.versions(SCOPE, subject="mira", attribute="home"))
    assert band_in_force(bands, None) == 0
    assert band_in_force(bands, day(45)) == 1
    assert band_in_force(bands, day(15)) == 3
    assert band_in_force(bands, day(5)) is None


def test_rows_know_what_is_believed_and_what_cannot_be_known_yet(two_axes):
    versions = two_axes.versions(SCOPE, subject="mira", attribute="home")
    fact = two_axes.read(SCOPE, "mira", "home", AsOf(day(60)))[0]
    rows = version_rows(versions, memory_id=fact.memory_id, known_at=day(45))
    told = [(row.version.value, row.is_believed, row.is_known, row.is_this) for row in rows]
    assert told == [
        ("B", False, False, True),
        ("B", True, True, True),
        ("B", False, True, True),
        ("A", True, True, False),
    ]


DEMO_KEYS = [
    ("mira", "passport_deadline"),
    ("mira", "home_city"),
    ("deploy-eu", "change_freeze"),
    ("deploy-eu", "status"),
    ("northwind-14", "owner"),
    ("cedar-31", "owner"),
]


@pytest.mark.parametrize(("subject", "attribute"), DEMO_KEYS)
def test_every_band_agrees_with_the_store(subject, attribute):
    store = standing_demo()
    bands = belief_bands(store.versions(SCOPE, subject=subject, attribute=attribute))
    assert bands
    for band in bands:
        edges = {edge for it in band.stretches for edge in (it.valid_from, it.valid_to) if edge}
        for edge in sorted(edges)[:6]:
            at = AsOf(datetime.fromtimestamp(edge / 1e6, UTC), band.recorded_at)
            read = [canonical(fact.value) for fact in store.read(SCOPE, subject, attribute, at)]
            seen = [
                it.value
                for it in band.stretches
                if it.valid_from <= edge and (it.valid_to is None or edge < it.valid_to)
            ]
            assert seen == read, (band.number, edge)


def test_a_claim_that_arrives_after_a_later_one_is_late():
    versions = standing_demo().versions(SCOPE, subject="mira", attribute="passport_deadline")
    rows = version_rows(versions, memory_id="", known_at=None)
    assert [(row.version.value, row.is_late) for row in rows] == [
        ("2026-08-01", True),
        ("2026-06-30", False),
        ("2026-07-15", False),
    ]


# --- a source in context --------------------------------------------------------------------


def source(content, span):
    store = MemoryStore()
    draft = EpisodeDraft(
        episode_id="e", kind=EpisodeKind.MESSAGE, content=content, occurred_at=day(1)
    )
    store.write(SCOPE, Capture(episode=draft))
    episode = store.episode(SCOPE, "e")
    store.close()
    assert isinstance(episode, Episode)
    return Source(Evidence(memory_id="m", episode_id="e", span=span, transaction=1), episode)


def test_a_short_content_is_shown_whole():
    shown = excerpt(source("It is now June 30.", Span(start=10, end=17)))
    assert shown.content == "It is now June 30."
    assert shown.spans == ((10, 17),)


def test_a_long_content_is_cut_around_the_evidence():
    content = "word " * 400 + "the deadline moved" + " word" * 400
    start = content.index("the deadline")
    shown = excerpt(source(content, Span(start=start, end=start + 18)))
    ((first, last),) = shown.spans
    assert shown.content[first:last] == "the deadline moved"
    assert shown.content[0] == shown.content[-1] == "…"
    assert shown.content[1:5] == "word"
    assert len(shown.content) < 600


def test_evidence_without_a_span_marks_nothing():
    shown = excerpt(source("a" * 2000, None))
    assert shown.spans == ()
    assert shown.content.endswith("…")
