"""The record's models: names, bounds, and what is refused before a store is asked."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from store import (
    Attribute,
    Change,
    Correct,
    EpisodeDraft,
    Fact,
    MemoryDelta,
    Register,
    Revert,
    Settle,
    Span,
)
from store.canonical import DEEPEST
from store.model import SGAM_FIELDS, clean_name
from store.scope import validation_sentence

AT = datetime(2026, 1, 1, tzinfo=UTC)


def _delta(**more: Any) -> MemoryDelta:
    fields: dict[str, Any] = {
        "tenant_id": "acme",
        "subject": "mira",
        "attribute": "city",
        "value": 1,
        "valid_from": AT,
        "source_episode_id": "e1",
    }
    return MemoryDelta(**fields | more)


@given(st.text(max_size=300))
def test_a_clean_name_is_clean(text: str) -> None:
    try:
        name = clean_name(text)
    except ValueError:
        return
    assert name == unicodedata.normalize("NFC", name) == name.strip()
    assert 1 <= len(name) <= 255
    assert not any(unicodedata.category(c) in ("Cc", "Cs") for c in name)
    assert clean_name(name) == name


@given(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=100))
def test_any_ordinary_text_is_a_name(text: str) -> None:
    assert clean_name(f" {text}\t") == unicodedata.normalize("NFC", text)


def test_the_first_thirteen_fields_are_those_of_sgam() -> None:
    assert tuple(Fact.model_fields)[:13] == SGAM_FIELDS
    assert len(SGAM_FIELDS) == 13


def test_null_is_a_value_but_must_be_said() -> None:
    assert _delta(value=None).value is None
    with pytest.raises(ValidationError):
        MemoryDelta(
            tenant_id="acme",
            subject="mira",
            attribute="city",
            valid_from=AT,
            source_episode_id="e1",
        )


def test_models_are_frozen_and_strict_about_unknown_fields() -> None:
    delta = _delta()
    with pytest.raises(ValidationError):
        delta.value = 2  # type: ignore[misc]
    with pytest.raises(ValidationError):
        _delta(tags=["x"])


@pytest.mark.parametrize(
    "more",
    [
        {"valid_from": datetime(2026, 1, 1)},  # noqa: DTZ001
        {"until": AT},
        {"until": datetime(2026, 1, 2)},  # noqa: DTZ001
        {"confidence": 1.01},
        {"confidence": float("nan")},
        {"subject": ""},
        {"owner": " "},
        {"tenant_id": "\ud800"},
        {"precision": "week"},
        {"valid_from_basis": "guess"},
        {"span": {"start": 2, "end": 2}},
        {"memory_type": ""},
    ],
    ids=ascii,
)
def test_a_delta_that_breaks_a_rule_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        _delta(**more)


def test_an_empty_owner_is_shared() -> None:
    assert _delta(owner="").owner == ""
    assert _delta(owner=" bob ").owner == "bob"


def test_a_span_has_characters() -> None:
    assert Span(start=0, end=1)
    for start, end in ((1, 1), (2, 1), (-1, 1)):
        with pytest.raises(ValidationError):
            Span(start=start, end=end)


def test_a_correction_names_what_it_corrects() -> None:
    reason = {"memory_id": "m", "episode_id": "e", "reason": "r"}
    with pytest.raises(ValidationError):
        Correct(**reason)
    assert Correct(**reason, value=None).model_fields_set >= {"value"}
    assert Correct(**reason, until=None).model_fields_set >= {"until"}


def test_writes_refuse_what_can_mean_nothing() -> None:
    for number in (0, -1):
        with pytest.raises(ValidationError):
            Revert(transaction=number, reason="r")
    with pytest.raises(ValidationError):
        Settle(conflict_id="c", resolution="perhaps", reason="r")
    with pytest.raises(ValidationError):
        Register(attribute=Attribute(name="city", schema_version=0))
    with pytest.raises(ValidationError):
        EpisodeDraft(episode_id="e", kind="gossip", content="x", occurred_at=AT)


def test_a_broken_rule_is_told_in_a_sentence() -> None:
    with pytest.raises(ValidationError) as broken:
        _delta(subject=" ", confidence=7)
    sentence = validation_sentence(broken.value)
    assert "subject: a name may not be empty" in sentence
    assert "confidence" in sentence
    assert sentence.endswith("Nothing was written.")
    assert "http" not in sentence


@given(st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_a_delta_keeps_its_value(value: Any) -> None:
    assert Change(delta=_delta(value=value)).delta.value == value


@pytest.mark.parametrize("field", ["content", "session_id", "episode_id", "agent_id"])
def test_an_episode_that_is_not_unicode_is_refused(field: str) -> None:
    fields = {"episode_id": "e", "kind": "message", "content": "x", "occurred_at": AT}
    with pytest.raises(ValidationError):
        EpisodeDraft(**fields | {field: "a\ud800"})


def test_other_text_that_is_not_unicode_is_refused() -> None:
    with pytest.raises(ValidationError):
        _delta(stated_as="\udfff")
    with pytest.raises(ValidationError):
        Change(delta=_delta(), reason="\udfff")
    with pytest.raises(ValidationError):
        Revert(transaction=1, reason="\udfff")


def _nested(depth: int) -> dict[str, Any]:
    value: Any = {}
    for _ in range(depth - 1):
        value = {"a": value}
    return value  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "taken",
    [
        lambda value: _delta(value=value),
        lambda value: _delta(value=[*value.values()]),
        lambda value: Correct(memory_id="m", episode_id="e", reason="r", value=value),
        lambda value: Settle(conflict_id="c", resolution="merge", reason="r", value=value),
        lambda value: EpisodeDraft(
            episode_id="e", kind="file", content="", occurred_at=AT, metadata=value
        ),
    ],
)
def test_what_is_nested_too_deep_is_refused_where_it_is_taken(taken: Any) -> None:
    taken(_nested(DEEPEST))
    with pytest.raises(ValidationError) as error:
        taken(_nested(DEEPEST + 1))
    said = validation_sentence(error.value)
    assert "JSON may be nested at most 100 arrays and objects deep. Nothing was written." in said
    with pytest.raises(ValidationError):
        taken(_nested(5_000))
