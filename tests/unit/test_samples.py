"""The sample data of the demo store: complete, well-formed, and rich in what it should show."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest

from store.errors import Invalid
from store.model import EpisodeKind, Outcome, Resolution
from store.temporal import Basis, Precision
from tests.support import ROOT
from workbench.demo import (
    CaptureAct,
    ChangeAct,
    ConfirmAct,
    CorrectAct,
    EndAct,
    RegisterAct,
    RetractAct,
    RevertAct,
    SampleEpisode,
    SettleAct,
    read_acts,
    read_episodes,
)

SAMPLES = ROOT / "resources" / "samples"
TODAY = datetime(2026, 11, 30, 12, tzinfo=UTC)
EPISODES = read_episodes(SAMPLES)
ACTS = read_acts(SAMPLES)
A = TypeVar("A")


def acts_of(kind: type[A]) -> list[A]:
    return [act for act in ACTS if isinstance(act, kind)]


CHANGES = acts_of(ChangeAct)
BY_REF = {change.ref: change for change in CHANGES if change.ref}


def lane(subject: str, attribute: str, tenant: str = "acme") -> list[ChangeAct]:
    return [
        c for c in CHANGES if (c.tenant, c.subject, c.attribute) == (tenant, subject, attribute)
    ]


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


# -- form ----------------------------------------------------------------------------------------


def test_there_is_enough_of_everything() -> None:
    assert len(EPISODES) >= 140
    assert len({(c.tenant, c.subject) for c in CHANGES}) >= 38
    assert len(CHANGES) >= 290
    assert {act.tenant for act in ACTS} == {"acme", "globex"}
    assert 0.75 <= sum(c.tenant == "acme" for c in CHANGES) / len(CHANGES) <= 0.9
    agents = {episode.agent for episode in EPISODES.values()}
    assert agents - {"operator"} == {"support", "sync", "planner"}


def test_every_episode_is_captured_once_and_at_its_own_time() -> None:
    captured = Counter((act.tenant, act.episode) for act in acts_of(CaptureAct))
    assert set(captured.values()) == {1}
    assert set(captured) == set(EPISODES)
    for act in acts_of(CaptureAct):
        episode = EPISODES[act.tenant, act.episode]
        assert act.recorded_at == episode.recorded_at
        assert episode.occurred_at <= episode.recorded_at


def test_file_names_follow_the_order_of_recording() -> None:
    for tenant in ("acme", "globex"):
        paths = sorted((SAMPLES / "episodes" / tenant).iterdir())
        times = [e.recorded_at for e in EPISODES.values() if e.tenant == tenant]
        assert times == sorted(times)
        assert [int(path.name[:3]) for path in paths] == list(range(1, len(paths) + 1))
        assert all(re.fullmatch(r"\d{3}-[a-z0-9-]+\.md", path.name) for path in paths)


def test_time_rises_strictly_within_a_tenant() -> None:
    for tenant in ("acme", "globex"):
        times = [act.recorded_at for act in ACTS if act.tenant == tenant]
        assert all(earlier < later for earlier, later in pairwise(times))
        assert times[-1] < TODAY
    assert [act.recorded_at for act in ACTS] == sorted(act.recorded_at for act in ACTS)


def test_each_quote_occurs_exactly_once_in_its_episode() -> None:
    quoted = [act for act in ACTS if getattr(act, "quote", None)]
    assert len(quoted) > 400
    for act in quoted:
        episode = EPISODES[act.tenant, act.episode]
        span = episode.span_of(act.quote)
        assert episode.content[span.start : span.end] == act.quote
    assert all(change.quote for change in CHANGES)


def test_acts_follow_their_episodes_and_their_refs() -> None:
    captured: set[tuple[str, str]] = set()
    known: dict[str, str] = {}
    for act in ACTS:
        if isinstance(act, CaptureAct):
            captured.add((act.tenant, act.episode))
        elif not isinstance(act, RegisterAct):
            assert (act.tenant, act.episode) in captured
        if isinstance(act, ChangeAct) and act.ref:
            assert act.ref not in known
            known[act.ref] = act.tenant
        for name in ("fact", "conflict", "target"):
            if hasattr(act, name):
                assert known[getattr(act, name)] == act.tenant


def test_every_attribute_is_registered_first_with_the_type_that_its_facts_name() -> None:
    registry: dict[tuple[str, str], str] = {}
    for act in ACTS:
        if isinstance(act, RegisterAct):
            registry[act.tenant, act.attribute] = act.memory_type
        elif isinstance(act, ChangeAct):
            assert registry[act.tenant, act.attribute] == act.memory_type


def test_the_lines_are_diffable_json() -> None:
    lines = (SAMPLES / "acts.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(json.dumps(json.loads(line), ensure_ascii=False) == line for line in lines)


def test_a_broken_sample_says_where(tmp_path: Path) -> None:
    folder = tmp_path / "episodes" / "acme"
    folder.mkdir(parents=True)
    (folder / "001-x.md").write_text("no front matter\n", encoding="utf-8")
    with pytest.raises(Invalid, match=r"001-x\.md has no front matter"):
        read_episodes(tmp_path)
    (folder / "001-x.md").write_text("---\nid: x\n---\ntext\n", encoding="utf-8")
    with pytest.raises(Invalid, match=r"001-x\.md is not an episode"):
        read_episodes(tmp_path)
    (tmp_path / "acts.jsonl").write_text('{"act": "dance"}\n', encoding="utf-8")
    with pytest.raises(Invalid, match=r"Line 1 of .*acts\.jsonl"):
        read_acts(tmp_path)


def test_a_quote_must_be_there_once() -> None:
    episode = SampleEpisode(
        id="x",
        tenant="acme",
        agent="support",
        kind=EpisodeKind.MESSAGE,
        occurred_at=TODAY,
        recorded_at=TODAY,
        content="tick tock tick",
    )
    assert episode.span_of("tock") is not None
    assert episode.span_of(None) is None
    with pytest.raises(Invalid, match="exactly once"):
        episode.span_of("tick")


# -- stories -------------------------------------------------------------------------------------


def test_the_example_of_the_article_is_there_word_for_word() -> None:
    deadlines = [(c.episode, c.value, c.valid_from) for c in lane("mira", "passport_deadline")]
    assert deadlines == [
        ("e1", "2026-07-15", at("2026-06-01T09:00Z")),
        ("e2", "2026-06-30", at("2026-06-03T10:00Z")),
        ("e0", "2026-08-01", at("2026-05-30T08:00Z")),
    ]


@pytest.mark.parametrize(
    ("subject", "attributes"),
    [
        (
            "mira",
            "passport_deadline answer_style home_city account_tier contact_channel export_format",
        ),
        ("northwind-14", "renewal_date owner delivery_address sla_class"),
        ("deploy-eu", "status assignee target_region"),
    ],
)
def test_the_subjects_of_the_drawings_are_there(subject: str, attributes: str) -> None:
    assert all(len(lane(subject, attribute)) >= 2 for attribute in attributes.split())


def test_corrections_of_value_start_and_end() -> None:
    named = {n for c in acts_of(CorrectAct) for n in c.model_fields_set}
    assert {"value", "valid_from", "until"} <= named


def test_a_preference_is_retracted_and_another_ended() -> None:
    retracted = {BY_REF[act.fact].memory_type for act in acts_of(RetractAct)}
    assert "preference" in retracted
    assert {act.gap for act in acts_of(RetractAct)} == {True, False}
    assert any(BY_REF[act.fact].attribute == "contact_channel" for act in acts_of(EndAct))


def test_some_facts_begin_in_the_future() -> None:
    future = [c.valid_from for c in CHANGES if c.valid_from > TODAY]
    assert at("2027-01-15T00:00Z") in future
    assert any((moment.year, moment.month) == (2026, 12) for moment in future)


def test_the_record_is_alive() -> None:
    recent = [c.recorded_at for c in acts_of(ConfirmAct) if (TODAY - c.recorded_at).days < 3]
    assert len(recent) >= 3


def test_some_episodes_and_facts_arrive_late() -> None:
    late = [e for e in EPISODES.values() if (e.recorded_at - e.occurred_at).days >= 1]
    assert len(late) >= 6
    slow = [
        c for c in CHANGES if (c.recorded_at - EPISODES[c.tenant, c.episode].recorded_at).days >= 7
    ]
    assert len(slow) >= 2
    overtaken = [
        (c.subject, c.attribute)
        for c in CHANGES
        for d in lane(c.subject, c.attribute, c.tenant)
        if d.valid_from < c.valid_from and d.recorded_at > c.recorded_at
    ]
    assert len(set(overtaken)) >= 5


def test_home_city_has_a_gap() -> None:
    values = [c.value for c in sorted(lane("mira", "home_city"), key=lambda c: c.valid_from)]
    assert values == ["Lisbon", "Lisbon", "Braga", "Porto"]
    (end,) = [act for act in acts_of(EndAct) if act.fact == "mira-city-1"]
    assert end.at < BY_REF["mira-city-2"].valid_from
    assert any(act.fact == "mira-city-braga" for act in acts_of(RetractAct))


@pytest.mark.parametrize(
    ("subject", "attribute"),
    [
        ("northwind-14", "delivery_address"),
        ("northwind-14", "owner"),
        ("jana", "delegate"),
        ("deploy-eu", "change_freeze"),
    ],
)
def test_stated_ends_interrupt_and_let_the_outer_fact_resume(subject: str, attribute: str) -> None:
    stretches = lane(subject, attribute)
    inner = [c for c in stretches if c.until and c.expect is Outcome.APPLIED]
    assert any(
        o.valid_from < i.valid_from and o.until is None and o.value != i.value
        for i in inner
        for o in stretches
    )


def conflicts() -> dict[str, ChangeAct]:
    return {c.ref: c for c in CHANGES if c.ref and c.expect is Outcome.CONFLICT}


def test_conflicts_are_settled_in_several_ways_and_several_stay_open() -> None:
    settled = {act.conflict: act for act in acts_of(SettleAct)}
    assert {act.outcome for act in settled.values()} >= {
        Resolution.INCOMING,
        Resolution.STANDING,
        Resolution.MERGE,
        Resolution.BOTH,
    }
    waiting = {ref: c for ref, c in conflicts().items() if ref not in settled}
    lanes = Counter((c.tenant, c.subject, c.attribute) for c in waiting.values())
    assert lanes == {
        ("acme", "mira", "account_tier"): 1,
        ("acme", "northwind-14", "delivery_address"): 1,
        ("acme", "harbor-22", "sla_class"): 1,
        ("acme", "deploy-eu", "on_call"): 1,
        ("acme", "orion", "go_live"): 2,
        ("globex", "warranty-policy", "seals_months"): 1,
    }


def test_the_tier_is_contested_between_tool_and_user() -> None:
    gold, platinum = BY_REF["mira-tier-gold"], BY_REF["mira-tier-platinum"]
    assert gold.valid_from == platinum.valid_from == at("2026-06-15T00:00Z")
    kinds = [EPISODES["acme", c.episode].kind for c in (gold, platinum)]
    assert kinds == [EpisodeKind.TOOL_RESULT, EpisodeKind.USER_CONFIRMATION]


def test_an_end_conflict_and_a_crossing_one_are_open() -> None:
    one, other = BY_REF["harbor-premium"], BY_REF["harbor-premium-2"]
    assert (one.valid_from, one.value) == (other.valid_from, other.value)
    assert None not in (one.until, other.until)
    assert one.until != other.until
    first, second = BY_REF["eu-oncall-tomasz"], BY_REF["eu-oncall-ines"]
    assert first.value != second.value
    assert first.valid_from < second.valid_from < first.until < second.until


def test_claims_are_corroborated_known_restated_and_reverted() -> None:
    outcomes = Counter(c.expect for c in CHANGES)
    assert outcomes[Outcome.CORROBORATED] >= 1
    assert outcomes[Outcome.KNOWN] >= 1
    assert len(acts_of(ConfirmAct)) >= 10
    assert len(acts_of(RevertAct)) >= 1
    restated = [
        (d.subject, d.attribute)
        for c in CHANGES
        for d in lane(c.subject, c.attribute, c.tenant)
        if c.valid_from < d.valid_from and c.value == d.value and c.until is d.until is None
    ]
    assert {("mira", "home_city"), ("northwind-14", "sla_class")} <= set(restated)


def test_starts_are_exact_coarse_or_assumed() -> None:
    assert {c.precision for c in CHANGES} == set(Precision)
    assert {c.basis for c in CHANGES} >= {Basis.STATED, Basis.EPISODE, Basis.ASSUMED}
    assert any(c.stated_as for c in CHANGES)


def test_some_attributes_have_many_values_and_some_facts_have_an_owner() -> None:
    many = {a.attribute for a in acts_of(RegisterAct) if a.cardinality == "multi"}
    assert {"watchers", "languages"} <= many
    assert len({c.value for c in lane("mira", "languages")}) == 3
    assert {c.owner for c in CHANGES if c.owner} == {"support", "planner"}
    assert all(c.owner in ("", c.agent) for c in CHANGES)
    assert any(a.sensitive for a in acts_of(RegisterAct))


def test_confidence_and_types_and_values_vary() -> None:
    assert min(c.confidence for c in CHANGES) == 0.55
    assert max(c.confidence for c in CHANGES) == 1.0
    types = {c.memory_type for c in CHANGES}
    assert types == {
        "profile",
        "preference",
        "account",
        "task",
        "project",
        "compliance",
        "contact",
    }
    kinds = {type(c.value) for c in CHANGES}
    assert kinds == {str, int, float, bool, list, dict, type(None)}
    assert {e.kind for e in EPISODES.values()} == set(EpisodeKind) - {EpisodeKind.IMPORTED_ROW}


def test_texts_are_of_this_world() -> None:
    text = "\n".join(episode.content for episode in EPISODES.values())
    for word in ("佐藤 遥", "Lucía Peña Ibáñez", "Prefiero que me escriban", "Gdańsk", "🚀"):
        assert word in text
    assert any(c.value == "佐藤 遥" for c in CHANGES)
    assert any("🚀" in str(c.value) for c in CHANGES)
    assert all(unicodedata.is_normalized("NFC", e.content) for e in EPISODES.values())


def test_hostile_content_is_there_to_be_shown_safely() -> None:
    text = "\n".join(episode.content for episode in EPISODES.values())
    for attack in ("<script>", "onerror=", "](https://", "](javascript:", "\u202e", "\u200b"):
        assert attack in text
    assert any(str(c.value).startswith("=HYPERLINK(") for c in CHANGES)
    hosts = set(re.findall(r"https?://([\w.-]+)", text)) | set(re.findall(r"@([\w.-]+\.\w+)", text))
    assert all(host.endswith((".example", ".invalid")) for host in hosts)


def test_prose_is_written_not_stamped() -> None:
    prose = [e.content for e in EPISODES.values() if e.kind is not EpisodeKind.TOOL_RESULT]
    sentences = Counter(
        s for text in prose for s in re.split(r"(?<=[.!?])\s+", text) if len(s) > 40
    )
    assert sentences.most_common(1)[0][1] == 1
