"""Saying again what is believed: no more claims than there is to say, whatever was made of it."""

from __future__ import annotations

import pytest

from store.audit.retelling import Lane, Standing, Why, retell
from store.ledger import Content, Key, Row
from store.model import RowKind

KEY = Key("acme", "", "mira", "city", "")
MANY = 2000


def fact(number: int, begins: int, until: int | None = None, value: str = '"Lisbon"') -> Row:
    said = Content(f"fact {number}", value, f"episode {number}", "a")
    return Row(KEY, begins, RowKind.FACT, said, until, tx_from=number)


def lane(*rows: Row) -> Lane:
    """Rows of one slot, each with the gap after it."""
    found = []
    for row in rows:
        found.append(row)
        if row.until is not None:
            found.append(Row(KEY, row.until, RowKind.GAP, None))
    return Lane(list(enumerate(found, 1)))


def nowhere(_row: Row, _begins: int, _ends: int | None) -> Standing:
    return Standing()


def periods(lanes: list[Lane]) -> list[tuple[int, int | None, str]]:
    told = retell(lanes, nowhere, is_multi=True)
    return [(claim.begins, claim.until, claim.episode_id) for claim in told.claims]


def test_what_lies_within_says_the_same_without_an_end() -> None:
    lanes = [lane(fact(1, 3, 5)), lane(fact(2, 1, 9))]
    assert periods(lanes) == [(1, 9, "episode 2"), (3, None, "episode 1")]


def test_what_reaches_further_follows_on() -> None:
    lanes = [lane(fact(1, 1, 5)), lane(fact(2, 3)), lane(fact(3, 4, 7))]
    assert periods(lanes) == [
        (1, 5, "episode 1"),
        (3, None, "episode 2"),
        (4, None, "episode 3"),
        (5, None, "episode 2"),
    ]


def test_values_that_no_other_slot_says_are_told_as_they_were_stated() -> None:
    lanes = [lane(fact(1, 1, 5)), lane(fact(2, 3, value='"Porto"'))]
    told = retell(lanes, nowhere, is_multi=True)
    assert [(claim.begins, claim.until) for claim in told.claims] == [(1, 5), (3, None)]
    assert (told.bounded, told.otherwise) == (0, [])


def test_where_an_attribute_has_one_value_slots_mean_nothing() -> None:
    told = retell([lane(fact(1, 1), fact(2, 4, value='"Porto"'))], nowhere, is_multi=False)
    assert [(claim.begins, claim.until) for claim in told.claims] == [(1, None), (4, None)]
    told = retell([lane(fact(1, 1), fact(2, 4, value='"Porto"'))], nowhere, is_multi=True)
    assert [(claim.begins, claim.until) for claim in told.claims] == [(1, 4), (4, None)]


@pytest.mark.parametrize("is_nested", [True, False])
def test_very_many_slots_of_one_value_are_told_in_few_claims(is_nested: bool) -> None:
    ends = [2 * MANY - n if is_nested else MANY + n for n in range(MANY)]
    lanes = [lane(fact(n, n, ends[n])) for n in range(MANY)]
    told = retell(lanes, nowhere, is_multi=True)
    assert len(told.claims) <= 2 * MANY
    assert {claim.episode_id for claim in told.claims} == {f"episode {n}" for n in range(MANY)}
    named = MANY if is_nested else MANY - 1
    assert len(told.otherwise) >= named
    assert {why for _, why in told.otherwise} == {Why.SLOTS}


def test_a_key_with_very_many_stated_ends_is_told_in_stretches() -> None:
    rows = [fact(n, 10 * n, 10 * n + 5, value=str(n)) for n in range(MANY)]
    told = retell([lane(*rows)], nowhere, is_multi=False)
    assert (len(told.claims), told.bounded, told.otherwise) == (MANY, 1, [])
