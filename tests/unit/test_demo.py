"""The demo store: the samples replayed on the reference backend tell the stories they should."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from store.contract import Cancel, Scope, Store
from store.errors import Cancelled, Invalid
from store.model import ConflictState, Outcome, Resolution
from store.open import open_store
from store.query import EpisodeQuery, FactQuery, Page, TransactionQuery
from store.temporal import AsOf
from tests.support import ROOT
from workbench.demo import DemoClock, DemoReport, make_demo, read_acts, read_episodes

SAMPLES = ROOT / "resources" / "samples"
ACME = Scope("acme")
GLOBEX = Scope("globex")
TODAY = "2026-11-30T12:00Z"


def fresh(clock: DemoClock) -> Store:
    return open_store("memory:", create=True, clock=clock, entropy=random.Random(7).randbytes)


@pytest.fixture(scope="module")
def demo() -> Iterator[tuple[Store, DemoReport]]:
    clock = DemoClock()
    with fresh(clock) as store:
        yield store, make_demo(store, clock=clock, samples=SAMPLES)


@pytest.fixture(scope="module")
def store(demo: tuple[Store, DemoReport]) -> Store:
    return demo[0]


def as_of(valid_at: str, known_at: str | None = None) -> AsOf:
    known = None if known_at is None else datetime.fromisoformat(known_at)
    return AsOf(datetime.fromisoformat(valid_at), known)


def held(
    store: Store, lane: str, valid_at: str = TODAY, known_at: str | None = None, **who: Any
) -> list[Any]:
    subject, attribute = lane.split("/")
    facts = store.read(who.get("scope", ACME), subject, attribute, as_of(valid_at, known_at))
    return sorted((fact.value for fact in facts), key=str)


def test_every_act_has_the_outcome_that_the_samples_expect(
    demo: tuple[Store, DemoReport],
) -> None:
    store, report = demo
    acts = read_acts(SAMPLES)
    assert report.acts == len(acts)
    assert report.episodes == len(read_episodes(SAMPLES))
    assert sum(report.outcomes.values()) == sum(act.act == "change" for act in acts)
    assert set(report.outcomes) == set(Outcome) - {Outcome.REJECTED}
    assert [(t.tenant_id, t.newest) for t in store.tenants()] == [
        (tenant, store.head(Scope(tenant)).number) for tenant in ("acme", "globex")
    ]


def test_transaction_time_is_that_of_the_acts(store: Store) -> None:
    for scope in (ACME, GLOBEX):
        listed = store.transactions(scope, TransactionQuery(), page=Page(1000)).items
        times = {transaction.recorded_at for transaction in listed}
        acts = [act for act in read_acts(SAMPLES) if act.tenant == scope.tenant_id]
        silent = {a.recorded_at for a in acts if getattr(a, "expect", "") == Outcome.KNOWN}
        assert times == {act.recorded_at for act in acts} - silent


def test_the_ledger_is_sound(store: Store) -> None:
    assert store.check(full=True).findings == ()


def test_the_open_conflicts_are_those_that_were_meant(store: Store) -> None:
    found = {
        (c.subject, c.attribute, c.kind.value, c.standing.value, *(i.value for i in c.incoming))
        for scope in (ACME, GLOBEX)
        for c in store.conflicts(scope).items
    }
    assert found == {
        ("mira", "account_tier", "value", "gold", "platinum"),
        ("orion", "go_live", "value", "2027-02-01", "2027-02-15", "2027-03-01"),
        (
            "northwind-14",
            "delivery_address",
            "value",
            "Avenida da Boavista 1203, 4100 Porto",
            "Avenida da Boavista 1230, 4100 Porto",
        ),
        ("harbor-22", "sla_class", "end", "premium", "premium"),
        ("deploy-eu", "on_call", "crossing", "tomasz", "ines"),
        ("warranty-policy", "seals_months", "value", 6, 12),
    }


def test_disputed_facts_are_in_sight_today(store: Store) -> None:
    for lane in ("mira/account_tier", "orion/go_live", "harbor-22/sla_class", "deploy-eu/on_call"):
        (fact,) = store.read(ACME, *lane.split("/"), as_of(TODAY))
        assert fact.disputed


def test_conflicts_were_settled_each_in_its_way(store: Store) -> None:
    settled = {
        (c.subject, c.attribute): c.resolution
        for scope in (ACME, GLOBEX)
        for c in store.conflicts(scope, ConflictState.SETTLED).items
    }
    assert settled == {
        ("cedar-31", "discount_percent"): Resolution.INCOMING,
        ("plant-3", "pumps_ok"): Resolution.STANDING,
        ("invoice-10044", "payment_state"): Resolution.MERGE,
        ("lantern-7", "invoice_email"): Resolution.BOTH,
    }
    assert held(store, "cedar-31/discount_percent") == [10]
    assert held(store, "plant-3/pumps_ok", "2026-09-20T00:00Z", scope=GLOBEX) == [10]
    assert held(store, "invoice-10044/payment_state") == ["paid, 8,000 JPY waived"]
    assert held(store, "lantern-7/invoice_email") == [
        "compras@lantern.example",
        "finanzas@lantern.example",
    ]


def test_the_deadline_of_the_article(store: Store) -> None:
    lane = "mira/passport_deadline"
    assert held(store, lane) == ["2026-06-30"]
    assert held(store, lane, "2026-06-02T00:00Z") == ["2026-07-15"]
    assert held(store, lane, "2026-05-31T00:00Z") == ["2026-08-01"]
    assert held(store, lane, "2026-05-31T00:00Z", "2026-06-05T00:00Z") == []
    (fact,) = store.read(ACME, "mira", "passport_deadline", as_of(TODAY))
    assert fact.last_confirmed_at == datetime(2026, 11, 28, 10, 44, tzinfo=UTC)
    sources = store.evidence(ACME, fact.memory_id)
    assert [episode.episode_id for _, episode in sources] == ["e2", "crm-902", "e93"]
    link, episode = sources[0]
    assert link.span is not None
    quoted = episode.content[link.span.start : link.span.end]
    assert quoted == "the deadline moved, it is now June 30"


@pytest.mark.parametrize(
    ("lane", "stretches"),
    [
        (
            "mira/home_city",
            [("2026-05-01", "Lisbon"), ("2026-05-30", None), ("2026-06-10", "Porto")],
        ),
        ("mira/answer_style", [("2026-04-25", "detailed, with screenshots")]),
        (
            "mira/contact_channel",
            [("2026-11-19", "e-mail"), (TODAY, None), ("2026-12-08", "phone")],
        ),
        ("mira/export_format", [("2026-05-24", "XLSX"), ("2026-05-25", "CSV, semicolons")]),
        (
            "northwind-14/owner",
            [("2026-08-09", "ines"), ("2026-08-10", "teo"), ("2026-08-24", "ines")],
        ),
        (
            "northwind-14/delivery_address",
            [
                ("2026-07-31", "12 Rua do Ouro, 4050 Porto"),
                ("2026-08-15", "Cais 7, Doca Norte, 4450 Matosinhos"),
                ("2026-09-01", "12 Rua do Ouro, 4050 Porto"),
            ],
        ),
        ("northwind-14/sla_class", [("2026-01-01", "A"), (TODAY, "A"), ("2027-01-15", "A+")]),
        ("deploy-eu/status", [("2026-05-20T23:00Z", "running"), ("2026-06-06", "blocked")]),
        (
            "deploy-eu/change_freeze",
            [(TODAY, False), ("2027-01-03", True), ("2027-01-04", False)],
        ),
        ("export-service/queue_length", [("2026-06-11", 340), ("2026-07-01", None)]),
        ("lantern-7/po_reference", [(TODAY, "PO-2026-118")]),
        ("cedar-31/owner", [(TODAY, "teo")]),
    ],
)
def test_lanes_read_as_their_stories_go(
    store: Store, lane: str, stretches: list[tuple[str, Any]]
) -> None:
    for day, value in stretches:
        moment = day if "T" in day else f"{day}T00:00Z"
        assert held(store, lane, moment) == ([] if value is None else [value])


def test_what_was_believed_then_differs(store: Store) -> None:
    assert held(store, "mira/home_city", "2026-05-30T00:00Z", "2026-05-30T00:00Z") == ["Braga"]
    broken = "2026-07-29T05:00Z"
    for lane in ("acme-portal/status", "mail-gateway/status"):
        assert held(store, lane, broken, broken) == ["decommissioned"]
        assert held(store, lane, broken) == ["operational"]


def test_private_facts_are_seen_by_their_owner_only(store: Store) -> None:
    support, planner = Scope("acme", "support"), Scope("acme", "planner")
    assert held(store, "mira/tone_hint", scope=planner) == []
    assert len(held(store, "mira/tone_hint", scope=support)) == 1
    assert len(held(store, "deploy-eu/risk_estimate", scope=planner)) == 1


def test_the_two_tenants_share_a_name_and_nothing_else(store: Store) -> None:
    assert held(store, "mira/role", scope=GLOBEX) == ["junior buyer"]
    assert held(store, "mira/role") == []
    ids = {
        scope.tenant_id: {e.episode_id for e in store.episodes(scope, EpisodeQuery()).items}
        for scope in (ACME, GLOBEX)
    }
    assert not ids["acme"] & ids["globex"]


def test_bars_are_many_and_begin_at_many_instants(store: Store) -> None:
    page = store.facts(ACME, FactQuery(history=True), as_of=as_of(TODAY), page=Page(1000))
    assert len(page.items) > 300
    assert len({fact.valid_from for fact in page.items}) > 120
    assert any(fact.valid_from > datetime.fromisoformat(TODAY) for fact in page.items)


def test_the_same_entropy_gives_the_same_ledger(store: Store) -> None:
    clock = DemoClock()
    with fresh(clock) as again:
        make_demo(again, clock=clock, samples=SAMPLES)
        for scope in (ACME, GLOBEX):
            assert again.head(scope) == store.head(scope)


def test_progress_is_told_and_the_clock_runs_again_afterwards() -> None:
    clock, told = DemoClock(), list[tuple[int, int | None]]()
    with fresh(clock) as store:
        report = make_demo(
            store, clock=clock, samples=SAMPLES, progress=lambda *done: told.append(done)
        )
    assert told == [(done, report.acts) for done in range(report.acts + 1)]
    assert abs(clock() - datetime.now(UTC)) < timedelta(minutes=1)


def test_it_stops_when_asked() -> None:
    clock, cancel = DemoClock(), Cancel()
    with fresh(clock) as store, pytest.raises(Cancelled):
        make_demo(
            store,
            clock=clock,
            samples=SAMPLES,
            progress=lambda done, _of: cancel.cancel() if done == 20 else None,
            cancel=cancel,
        )


def test_a_store_that_holds_something_is_left_alone(store: Store) -> None:
    before = store.head(ACME)
    with pytest.raises(Invalid, match="not empty"):
        make_demo(store, clock=DemoClock(), samples=SAMPLES)
    assert store.head(ACME) == before


def test_an_outcome_that_was_not_expected_is_named(tmp_path: Path) -> None:
    samples = shutil.copytree(SAMPLES, tmp_path / "samples")
    path = samples / "acts.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    first = next(n for n, line in enumerate(lines) if '"act": "change"' in line)
    lines[first] = json.dumps(json.loads(lines[first]) | {"expect": "known"})
    path.write_text("\n".join(lines), encoding="utf-8")
    clock = DemoClock()
    with fresh(clock) as store, pytest.raises(Invalid, match="to be known and is applied"):
        make_demo(store, clock=clock, samples=samples)
