"""Finding by words, and suggesting names."""

from __future__ import annotations

import pytest

from store import AsOf, Capability
from store.query import HitKind
from store.temporal import to_micros
from tests.conformance.scene import LATER, Desk, day, delta, draft


def _found(desk: Desk, text: str, as_of: AsOf = AsOf(), **more: int) -> list[tuple[str, str]]:
    hits = desk.store.search(desk.scope, text, as_of=as_of, **more)
    return [(hit.kind.value, hit.id) for hit in hits]


@pytest.mark.requires(Capability.FULL_TEXT)
def test_facts_and_episodes_are_found_by_all_their_words(desk: Desk) -> None:
    desk.episode("e1", "Please write to my flat in Porto from Monday.", occurred_at=day(3))
    fact = desk.fact("Rua das Flores, Porto", 1, episode="e1", attribute="postal address")
    desk.fact("Lisbon", 1, episode="e1", subject="jonas")
    assert set(_found(desk, "porto")) == {("fact", fact), ("episode", "e1")}
    assert _found(desk, "flores") == [("fact", fact)]
    assert _found(desk, "FLORES porto") == [("fact", fact)]
    assert _found(desk, "monday flat") == [("episode", "e1")]
    assert _found(desk, "monday flores") == []
    assert _found(desk, "elsewhere") == []
    assert _found(desk, "mira") == [("fact", fact)]
    assert _found(desk, "postal") == [("fact", fact)]
    hits = {hit.kind: hit for hit in desk.store.search(desk.scope, "porto")}
    assert "Porto" in hits[HitKind.FACT].excerpt
    assert "Porto" in hits[HitKind.EPISODE].excerpt
    assert hits[HitKind.FACT].valid_from == to_micros(day(1))
    assert hits[HitKind.EPISODE].valid_from == to_micros(day(3))
    assert "mira" in hits[HitKind.FACT].title
    assert "e1" in hits[HitKind.EPISODE].title


@pytest.mark.requires(Capability.FULL_TEXT)
def test_the_last_word_is_a_prefix(desk: Desk) -> None:
    desk.episode("e1", "nothing of note")
    fact = desk.fact("Constantinople by boat", 1, episode="e1")
    assert _found(desk, "constant") == [("fact", fact)]
    assert _found(desk, "boat const") == [("fact", fact)]
    assert _found(desk, "c") == [("fact", fact)]


@pytest.mark.requires(Capability.FULL_TEXT)
def test_a_read_never_misses_what_was_committed_before_it(desk: Desk) -> None:
    for number in range(20):
        desk.episode(f"word{number}", f"said word{number} once")
        assert _found(desk, f"word{number}") == [("episode", f"word{number}")]
        fact = desk.fact(f"value{number}", number, subject=f"s{number}", episode="word0")
        assert _found(desk, f"value{number}") == [("fact", fact)]


@pytest.mark.requires(Capability.FULL_TEXT)
def test_what_was_loaded_is_found(desk: Desk) -> None:
    desk.store.load(desk.scope, [draft("e1", "quicksilver"), delta("vitriol", 1, episode="e1")])
    assert _found(desk, "quicksilver") == [("episode", "e1")]
    assert len(_found(desk, "vitriol")) == 1


@pytest.mark.requires(Capability.FULL_TEXT)
def test_only_facts_in_force_are_found(desk: Desk) -> None:
    desk.episode("e1", "nothing")
    old = desk.fact("alpha", 1, episode="e1")
    then = desk.newest
    new = desk.fact("beta", 10, episode="e1")
    assert _found(desk, "alpha") == []
    assert _found(desk, "alpha", AsOf(valid_at=day(5))) == [("fact", old)]
    assert _found(desk, "alpha", desk.as_of(then)) == [("fact", old)]
    assert _found(desk, "beta", desk.as_of(then)) == []
    desk.retract(new)
    assert _found(desk, "beta") == []
    assert _found(desk, "alpha") == [("fact", old)]
    desk.fact("gamma", LATER + 5, episode="e1")
    assert _found(desk, "gamma") == []


@pytest.mark.requires(Capability.FULL_TEXT)
def test_a_corrected_value_is_found_by_its_new_words_only(desk: Desk) -> None:
    desk.episode("e1", "nothing")
    fact = desk.fact("alpha", 1, episode="e1")
    desk.memory.correct(fact, value="beta", episode="e1", reason="r")
    assert _found(desk, "alpha") == []
    assert _found(desk, "beta") == [("fact", fact)]
    desk.revert(desk.newest)
    assert _found(desk, "alpha") == [("fact", fact)]
    assert _found(desk, "beta") == []


@pytest.mark.requires(Capability.FULL_TEXT)
def test_a_fact_that_resumes_is_found(desk: Desk) -> None:
    desk.episode("e1", "nothing")
    fact = desk.fact("alpha", 1, episode="e1")
    desk.fact("beta", 10, 20, episode="e1")
    assert _found(desk, "alpha", AsOf(valid_at=day(25))) == [("fact", fact)]
    assert _found(desk, "alpha", AsOf(valid_at=day(15))) == []


@pytest.mark.requires(Capability.FULL_TEXT)
def test_episodes_are_found_only_once_known(desk: Desk) -> None:
    desk.episode("e1", "alpha")
    then = desk.newest
    desk.episode("e2", "alpha")
    assert set(_found(desk, "alpha")) == {("episode", "e1"), ("episode", "e2")}
    assert _found(desk, "alpha", desk.as_of(then)) == [("episode", "e1")]


@pytest.mark.requires(Capability.FULL_TEXT)
def test_values_of_every_kind_are_found(desk: Desk) -> None:
    desk.episode("e1", "nothing")
    fact = desk.fact({"street": "Flores", "number": 77}, 1, episode="e1")
    assert _found(desk, "flores") == [("fact", fact)]
    assert _found(desk, "street") == [("fact", fact)]
    assert _found(desk, "77") == [("fact", fact)]


@pytest.mark.requires(Capability.FULL_TEXT)
@pytest.mark.parametrize("text", ["Élan", "ÉLAN", "élan"])
def test_case_does_not_matter_beyond_ascii(desk: Desk, text: str) -> None:
    desk.episode("e1", "nothing")
    fact = desk.fact("Élan vital", 1, episode="e1")
    assert _found(desk, text) == [("fact", fact)]


@pytest.mark.requires(Capability.FULL_TEXT)
def test_a_limit_is_kept_and_each_thing_is_found_once(desk: Desk) -> None:
    desk.episode("e1", "nothing")
    fact = desk.fact("alpha", 1, episode="e1")
    desk.fact("alpha", 5, episode="e1")
    for number in range(9):
        desk.fact("alpha alpha", 1, subject=f"s{number}", episode="e1")
    assert len(_found(desk, "alpha", limit=4)) == 4
    found = _found(desk, "alpha", limit=50)
    assert len(found) == len(set(found)) == 10
    assert ("fact", fact) in found


@pytest.mark.requires(Capability.FULL_TEXT)
@pytest.mark.parametrize(
    "text",
    [
        *("", "   ", '"', '""', "*", "a*", "NEAR(", "AND", "OR NOT", "-", "^x", "a:b", "(", "'"),
        *("\\", "{a}", "\x00", "col:", "x" * 3000, "💥", "%", "_", "a AND", '"a', "+", "NOT a"),
    ],
    ids=ascii,
)
def test_whatever_is_typed_is_only_text(desk: Desk, text: str) -> None:
    desk.episode("e1", "plain words")
    desk.fact("plain value", 1, episode="e1")
    found = _found(desk, text)
    if not text.strip():
        assert found == []
    assert isinstance(found, list)
    assert desk.value(1) == "plain value"


# -- suggestions ---------------------------------------------------------------------------------


def test_names_are_suggested_nearest_first(desk: Desk) -> None:
    for subject, attribute in (
        ("mira", "city"),
        ("mirador", "drink"),
        ("admiral", "city"),
        ("jonas", "mirth"),
    ):
        desk.fact("x", 1, subject=subject, attribute=attribute)
    found = desk.store.suggest(desk.scope, "MIR")
    assert set(found) == {("mira", ""), ("mirador", ""), ("admiral", ""), ("jonas", "mirth")}
    assert found[-1] == ("admiral", ""), "what begins with it comes first"
    assert desk.store.suggest(desk.scope, "cit") == (("admiral", "city"), ("mira", "city"))
    assert len(desk.store.suggest(desk.scope, "mir", 2)) == 2
    assert desk.store.suggest(desk.scope, "zzz") == ()
    assert ("mira", "") in desk.store.suggest(desk.scope, "")
