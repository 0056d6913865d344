"""Lists in pages, orders, and filters against their plain meaning."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from store import (
    AsOf,
    FactField,
    FactQuery,
    Invalid,
    LaneFilter,
    NotFound,
    Order,
    Page,
    Store,
)
from store.canonical import canonical
from store.query import (
    INSTANT_FIELDS,
    Comparison,
    EpisodeQuery,
    FieldFilter,
    TransactionQuery,
    parse_filter,
)
from store.temporal import parse_instant
from tests.conformance.scene import Clock, Desk, Entropy, all_facts, day, delta

COUNT = 44
TEXT_FIELDS = [f for f in FactField if f not in {*INSTANT_FIELDS, FactField.CONFIDENCE}]
VALUE = FactField.VALUE
SORTED_BY = [f for f in FactField if f is not FactField.EPISODE]
AT = AsOf(valid_at=day(30))

VALUES: list[Any] = [
    "Lisbon",
    "Élan",
    "ELAN",
    "ßtraße",
    "10",
    10,
    9,
    -1.5,
    True,
    None,
    "",
    "null",
    {"a": 1},
    ["x", "y"],
    "50%_off",
    'say "hi"',
    "日本",
    "😀",
    "a\nb",
]


def _filled(store: Store, clock: Clock) -> Desk:
    """Facts of three owners, written in a random order of time."""
    desk = Desk(store, clock)
    dice = random.Random(7)
    desk.episode("e0", agent_id="someone")
    desk.episode("e1")
    entries = []
    for number in range(COUNT):
        until = dice.choice([None, 40.0, 50.0])
        entries.append(
            delta(
                VALUES[number % len(VALUES)],
                dice.choice([0, 0.5, 10, 20]),
                until,
                episode=f"e{number % 2}",
                subject=dice.choice(["mira", "Mira", "jonas", "ägir", "null"]) + str(number),
                attribute=dice.choice(["city", "drink", "Deadline"]),
                owner=dice.choice(["", "", "alice", "bob"]),
                confidence=dice.choice([0.0, 0.25, 0.5, 1.0]),
            )
        )
    for name in ("operator", "alice"):
        mine = [e for e in entries if (e.owner == "alice") == (name == "alice")]
        half = len(mine) // 2
        for part in (mine[:half], mine[half:]):
            clock.now = day(2000 + desk.newest)
            desk.of(name).store.load(desk.of(name).scope, part)
    return desk


@pytest.fixture(scope="module")
def shelf(opener: Callable[..., Store], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """What is only read."""
    clock = Clock(day(2000))
    folder = tmp_path_factory.mktemp("shelf")
    options = {"create": True, "read_only": False, "clock": clock, "entropy": Entropy("shelf")}
    with opener(folder, **options) as store:
        yield _filled(store, clock)


@pytest.fixture
def busy(make_store: Callable[..., Store]) -> Desk:
    """The same, to be written to."""
    clock = Clock(day(2000))
    return _filled(make_store(clock=clock), clock)


def _text(field: FactField, fact: Any) -> str:
    value = getattr(fact, field.value)
    if field is FactField.VALUE:
        return value if isinstance(value, str) else canonical(value)
    return str(value)


def _key(field: FactField, fact: Any) -> Any:
    value = getattr(fact, field.value)
    if field is FactField.VALUE:
        return canonical(value)
    if field is FactField.VALID_TO:
        return (value is None, value)
    return value


# -- pages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("descending", [False, True], ids=["up", "down"])
@pytest.mark.parametrize("field", SORTED_BY)
def test_pages_hold_every_fact_once_and_in_order(
    shelf: Desk, field: FactField, descending: bool
) -> None:
    order = Order(field, descending)
    query = FactQuery(history=True)
    whole = all_facts(shelf, query, as_of=AT, order=order, limit=1000)
    assert len(whole) == COUNT
    for limit in (7, COUNT - 1, COUNT):
        assert all_facts(shelf, query, as_of=AT, order=order, limit=limit) == whole
    keys = [_key(field, fact) for fact in whole]
    assert keys == sorted(keys, reverse=descending)
    for one, other in pairwise(whole):
        if _key(field, one) == _key(field, other):
            assert _ties(one) < _ties(other), "ties are in order, whatever the direction"


def _ties(fact: Any) -> tuple[Any, ...]:
    return (fact.subject, fact.attribute, fact.owner, fact.slot, fact.valid_from)


@pytest.mark.parametrize("field", SORTED_BY)
@pytest.mark.parametrize("descending", [False, True], ids=["up", "down"])
def test_anchors_agree_with_pages(shelf: Desk, field: FactField, descending: bool) -> None:
    order = Order(field, descending)
    query = FactQuery(history=True)
    whole = all_facts(shelf, query, as_of=AT, order=order)
    anchors = shelf.store.anchors(shelf.scope, query, as_of=AT, order=order, every=16)
    assert (anchors.count, anchors.every) == (COUNT, 16)
    assert len(anchors.cursors) == 3
    assert anchors.cursors[0] is None
    for number, cursor in enumerate(anchors.cursors):
        page = shelf.store.facts(shelf.scope, query, as_of=AT, order=order, page=Page(16, cursor))
        assert list(page.items) == whole[number * 16 : number * 16 + 16]


def test_anchors_of_nothing_and_of_a_whole_number_of_pages(shelf: Desk) -> None:
    nothing = shelf.store.anchors(shelf.scope, FactQuery(subject="nobody"), as_of=AT)
    assert (nothing.count, nothing.cursors) == (0, (None,))
    query = FactQuery(history=True)
    whole = shelf.store.anchors(shelf.scope, query, as_of=AT, every=COUNT // 2)
    assert (whole.count, len(whole.cursors)) == (COUNT, 2)
    assert shelf.store.anchors(shelf.scope, query, as_of=AT, every=COUNT).cursors == (None,)


@pytest.mark.parametrize("descending", [False, True], ids=["up", "down"])
@pytest.mark.parametrize("field", SORTED_BY)
def test_pages_stay_whole_while_others_write(
    busy: Desk, field: FactField, descending: bool
) -> None:
    """At a stated known-at nothing that is written meanwhile is seen, moves or is lost."""
    order = Order(field, descending)
    as_of = busy.as_of(busy.newest, 30)
    query = FactQuery(history=True)
    whole = all_facts(busy, query, as_of=as_of, order=order)
    found: list[Any] = []
    after = None
    while True:
        page = busy.store.facts(busy.scope, query, as_of=as_of, order=order, page=Page(11, after))
        found += page.items
        after = page.after
        if after is None:
            break
        last = page.items[-1]
        busy.retract(last.memory_id)
        busy.say("new", 1, subject=f"{last.subject} and more", episode="e0")
        busy.say("new", 1, subject="0", attribute=f"a{len(found)}", episode="e0")
    assert found == whole


def test_a_page_goes_on_where_its_last_item_has_gone(busy: Desk) -> None:
    order = Order(FactField.CONFIDENCE, descending=True)
    query = FactQuery(history=True)
    found: list[str] = []
    after = None
    first_ids = {f.memory_id for f in all_facts(busy, query, as_of=AT, order=order)}
    while True:
        page = busy.store.facts(busy.scope, query, as_of=AT, order=order, page=Page(9, after))
        found += [f.memory_id for f in page.items]
        after = page.after
        if after is None:
            break
        busy.retract(found[-1])
    assert set(found) == first_ids
    assert len(found) == len(first_ids)


def test_lists_of_other_things_go_on_where_their_last_item_has_gone(desk: Desk) -> None:
    conflicts = []
    for number in range(5):
        desk.fact("A", 1, subject=f"s{number}")
        conflicts.append(desk.contest("B", 1, subject=f"s{number}").conflict_id)
    first = desk.store.conflicts(desk.scope, page=Page(2))
    assert [c.conflict_id for c in first.items] == conflicts[:2]
    for conflict_id in conflicts[:3]:
        desk.settle(conflict_id, "standing")
    second = desk.store.conflicts(desk.scope, page=Page(2, first.after))
    assert [c.conflict_id for c in second.items] == conflicts[3:]
    assert second.after is None


def test_episodes_transactions_and_conflicts_come_in_pages(desk: Desk) -> None:
    for number in range(7):
        desk.episode(f"e{number}", occurred_at=day(number // 2))
    desk.fact("A", 1, episode="e0")
    for number in range(4):
        desk.contest("B", 1, episode=f"e{number + 1}")
        desk.contest("A", 2 + number, 40, episode="e6")
    lists: list[Callable[[Page], Any]] = [
        lambda page: desk.store.episodes(desk.scope, page=page),
        lambda page: desk.store.transactions(desk.scope, page=page),
        lambda page: desk.store.conflicts(desk.scope, None, page=page),
    ]
    for fetch in lists:
        whole = list(fetch(Page(1000)).items)
        assert fetch(Page(1000)).after is None
        for limit in (1, 2, 3, len(whole)):
            found, after = [], None
            while True:
                page = fetch(Page(limit, after))
                found += page.items
                after = page.after
                if after is None:
                    break
            assert found == whole


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_page_has_a_sensible_size(limit: int) -> None:
    with pytest.raises(Invalid):
        Page(limit)


@pytest.mark.parametrize("cursor", ["", "x", "{}", "[]", "[1]", '["a","b"]', "null", "\x00"])
def test_a_cursor_from_elsewhere_is_invalid(busy: Desk, cursor: str) -> None:
    with pytest.raises(Invalid):
        busy.store.facts(busy.scope, FactQuery(), as_of=AT, page=Page(5, cursor))
    busy.fact("A", 1, subject="zoe")
    busy.contest("B", 1, subject="zoe")
    if cursor not in ("[1]", '["a","b"]'):
        for fetch in (busy.store.episodes, busy.store.transactions, busy.store.conflicts):
            with pytest.raises(Invalid):
                fetch(busy.scope, page=Page(5, cursor))


# -- exact conditions ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def everything(shelf: Desk) -> list[Any]:
    """All facts of the shelf: what each condition is tried on by its plain meaning."""
    return all_facts(shelf, FactQuery(history=True), as_of=AT)


def test_names_match_exactly_in_queries(shelf: Desk, everything: list[Any]) -> None:
    for field in ("subject", "attribute", "memory_type", "owner"):
        for name in {getattr(f, field) for f in everything} | {"nobody"}:
            query = FactQuery(history=True, **{field: name})
            found = all_facts(shelf, query, as_of=AT)
            assert found == [f for f in everything if getattr(f, field) == name]
    for name in ("e0", "e1", "nobody"):
        found = all_facts(shelf, FactQuery(history=True, episode_id=name), as_of=AT)
        assert found == [f for f in everything if any(e.episode_id == name for e in f.evidence)]


def test_conditions_hold_together(shelf: Desk, everything: list[Any]) -> None:
    query = FactQuery(
        history=True,
        owner="",
        attribute="city",
        text="mira",
        filters=(FieldFilter(FactField.CONFIDENCE, Comparison.ABOVE, "0.1"),),
    )
    found = all_facts(shelf, query, as_of=AT)
    assert found == [
        f
        for f in everything
        if f.owner == ""
        and f.attribute == "city"
        and "mira" in f"{f.subject} {_text(FactField.VALUE, f)}".casefold()
        and f.confidence > 0.1
    ]
    assert found


@pytest.mark.parametrize(
    "text",
    ["lis", "LISBON city", "city lis", "mira 1", "ä", "ßtr", "50%_", '"hi"', "日", "zzz", " "],
)
def test_words_are_parts_of_subject_attribute_or_value(
    shelf: Desk, everything: list[Any], text: str
) -> None:
    found = all_facts(shelf, FactQuery(history=True, text=text), as_of=AT)
    assert found == [
        f
        for f in everything
        if all(
            any(
                word in place.casefold()
                for place in (f.subject, f.attribute, _text(FactField.VALUE, f))
            )
            for word in text.casefold().split()
        )
    ]


# -- every comparison on every field ---------------------------------------------------------------

TEXT_OPERANDS = [
    "LISBON",
    "",
    "10",
    "null",
    "50%_off",
    "Mira",
    "city",
    "bob",
]
INSTANT_OPERANDS = ["2026-01-01", "2026-01-11T00:00Z", "2026-02", "2026", "2031", "2032", "9999"]
NUMBER_OPERANDS = ["0", "0.25", "0.3", "1", "-1", "2"]


def _operands(field: FactField) -> list[str]:
    if field in INSTANT_FIELDS:
        return INSTANT_OPERANDS
    return NUMBER_OPERANDS if field is FactField.CONFIDENCE else TEXT_OPERANDS


def _plainly(condition: FieldFilter, fact: Any) -> bool:
    """What a condition means, from the words of `store.query` alone."""
    field, comparison = condition.field, condition.comparison
    value = getattr(fact, field.value)
    if comparison is Comparison.IS_EMPTY:
        return value is None or value == ""
    if field in INSTANT_FIELDS:
        return _instant_plainly(condition, value)
    if field is FactField.CONFIDENCE:
        return _ordered_plainly(condition, value, float)
    text = _text(field, fact).casefold()
    if comparison is Comparison.CONTAINS:
        return condition.operand.casefold() in text
    return _ordered_plainly(condition, text, str.casefold)


def _ordered_plainly(condition: FieldFilter, value: Any, read: Callable[[str], Any]) -> bool:
    match condition.comparison:
        case Comparison.EQUALS:
            return value in [read(w) for w in condition.alternatives or (condition.operand,)]
        case Comparison.DIFFERS:
            return bool(value != read(condition.operand))
        case Comparison.BELOW:
            return bool(value < read(condition.operand))
        case Comparison.ABOVE:
            return bool(value > read(condition.operand))
        case _:
            upper = condition.upper
            return read(condition.operand) <= value and (not upper or value < read(upper))


def _instant_plainly(condition: FieldFilter, instant: Any) -> bool:
    """An open end is later than every instant; a date is its whole day, a year its whole year."""

    def begins(operand: str) -> Any:
        return parse_instant(operand).instant

    def within(operand: str) -> bool:
        if instant is None:
            return False
        if operand == "9999":
            return bool(instant >= begins(operand))
        stated = parse_instant(operand)
        return bool(stated.instant <= instant < stated.period_end or instant == stated.instant)

    match condition.comparison:
        case Comparison.EQUALS:
            return any(within(w) for w in condition.alternatives or (condition.operand,))
        case Comparison.DIFFERS:
            return not within(condition.operand)
        case Comparison.BELOW:
            return instant is not None and instant < begins(condition.operand)
        case Comparison.ABOVE:
            if instant is None:
                return True
            return instant >= begins(condition.operand) and not within(condition.operand)
        case _:
            low = instant is None or instant >= begins(condition.operand)
            upper = condition.upper
            return low and (not upper or (instant is not None and instant < begins(upper)))


@pytest.mark.parametrize("field", list(FactField))
@pytest.mark.parametrize(
    "comparison", [c for c in Comparison if c not in (Comparison.MATCHES, Comparison.IS_EMPTY)]
)
def test_every_comparison_on_every_field(
    shelf: Desk, everything: list[Any], field: FactField, comparison: Comparison
) -> None:
    ordered = field in INSTANT_FIELDS or field is FactField.CONFIDENCE
    if ordered and comparison is Comparison.CONTAINS:
        with pytest.raises(Invalid):
            all_facts(shelf, _by(FieldFilter(field, comparison, "2026")), as_of=AT)
        return
    operands = _operands(field)
    hits = 0
    for number, operand in enumerate(operands):
        upper = ""
        if comparison is Comparison.BETWEEN and number % 2:
            upper = max(operands, key=str) if not ordered else operands[-1]
        condition = FieldFilter(field, comparison, operand, upper)
        found = all_facts(shelf, _by(condition), as_of=AT)
        assert found == [f for f in everything if _plainly(condition, f)], condition
        hits += len(found)
    assert hits or comparison is Comparison.EQUALS


def _by(*conditions: FieldFilter) -> FactQuery:
    return FactQuery(history=True, filters=conditions)


@pytest.mark.parametrize("field", list(FactField))
def test_several_alternatives(shelf: Desk, everything: list[Any], field: FactField) -> None:
    operands = [o for o in _operands(field) if o]
    condition = FieldFilter(field, Comparison.EQUALS, alternatives=tuple(operands[:4]))
    found = all_facts(shelf, _by(condition), as_of=AT)
    assert found == [f for f in everything if _plainly(condition, f)]


@pytest.mark.parametrize("field", list(FactField))
def test_empty_is_an_open_end_null_or_no_text(
    shelf: Desk, everything: list[Any], field: FactField
) -> None:
    condition = FieldFilter(field, Comparison.IS_EMPTY)
    found = all_facts(shelf, _by(condition), as_of=AT)
    assert found == [f for f in everything if _plainly(condition, f)]
    fields = (FactField.VALID_TO, FactField.VALUE, FactField.OWNER)
    assert bool(found) is (field in fields)


@pytest.mark.parametrize("field", TEXT_FIELDS)
@pytest.mark.parametrize("expression", ["^[Ll]is", r"\d{2}$", "a|b", "^$", "日", "(?i)MIRA"])
def test_expressions_look_at_the_shown_text_with_case(
    shelf: Desk, everything: list[Any], field: FactField, expression: str
) -> None:
    condition = FieldFilter(field, Comparison.MATCHES, expression)
    found = all_facts(shelf, _by(condition), as_of=AT)
    assert found == [f for f in everything if re.search(expression, _text(field, f))]


@pytest.mark.parametrize(
    "condition",
    [
        FieldFilter(FactField.VALUE, Comparison.MATCHES, "["),
        FieldFilter(FactField.SUBJECT, Comparison.MATCHES, "*"),
        FieldFilter(FactField.CONFIDENCE, Comparison.BELOW, "x"),
        FieldFilter(FactField.CONFIDENCE, Comparison.EQUALS, ""),
        FieldFilter(FactField.CONFIDENCE, Comparison.EQUALS, alternatives=("1", "x")),
        FieldFilter(FactField.CONFIDENCE, Comparison.BETWEEN, "0", "x"),
        FieldFilter(FactField.VALID_FROM, Comparison.ABOVE, "soon"),
        FieldFilter(FactField.RECORDED_AT, Comparison.EQUALS, ""),
        FieldFilter(FactField.VALID_TO, Comparison.EQUALS, "2026-13"),
    ],
    ids=str,
)
def test_a_condition_that_cannot_be_read_is_invalid(shelf: Desk, condition: FieldFilter) -> None:
    with pytest.raises(Invalid):
        shelf.store.facts(shelf.scope, _by(condition), as_of=AT)
    with pytest.raises(Invalid):
        shelf.store.anchors(shelf.scope, _by(condition), as_of=AT)


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        (FactField.VALUE, "lis"),
        (FactField.VALUE, "= Lisbon | 10 | elan"),
        (FactField.VALUE, "<> lisbon"),
        (FactField.VALUE, "/^[A-Z]/"),
        (FactField.OWNER, "empty"),
        (FactField.VALID_FROM, "2026-01-11"),
        (FactField.VALID_FROM, "> 2026-01-05"),
        (FactField.VALID_TO, "2026-02-01~2026-02-11"),
        (FactField.VALID_TO, "2026-02-15~"),
        (FactField.CONFIDENCE, "0.2~0.6"),
        (FactField.CONFIDENCE, "0.25"),
    ],
)
def test_what_a_person_types_means_the_same(
    shelf: Desk, everything: list[Any], field: FactField, typed: str
) -> None:
    condition = parse_filter(field, typed)
    assert condition is not None
    found = all_facts(shelf, _by(condition), as_of=AT)
    if condition.comparison is not Comparison.MATCHES:
        assert found == [f for f in everything if _plainly(condition, f)]
    assert 0 < len(found) < COUNT


def test_filters_apply_to_what_the_as_of_shows(desk: Desk) -> None:
    fact = desk.fact("A", 1)
    then = desk.newest
    desk.correct(fact, value="B")
    query = FactQuery(filters=(FieldFilter(FactField.VALUE, Comparison.EQUALS, "a"),))
    assert all_facts(desk, query, as_of=desk.as_of()) == []
    assert len(all_facts(desk, query, as_of=desk.as_of(then))) == 1
    ends = FactQuery(filters=(FieldFilter(FactField.VALID_TO, Comparison.IS_EMPTY),))
    assert len(all_facts(desk, ends, as_of=desk.as_of())) == 1
    desk.fact("C", 2500)
    assert all_facts(desk, ends, as_of=desk.as_of()) == []


@pytest.mark.parametrize("half", ["\ud800", "a\udfff"], ids=ascii)
def test_half_a_surrogate_pair_is_found_nowhere(shelf: Desk, half: str) -> None:
    store, scope = shelf.store, shelf.scope
    asked: list[Callable[[], Any]] = [
        lambda: store.read(scope, half, half),
        lambda: store.facts(scope, FactQuery(subject=half)).items,
        lambda: store.facts(scope, FactQuery(text=half)).items,
        lambda: store.facts(scope, _by(FieldFilter(VALUE, Comparison.EQUALS, half))).items,
        lambda: store.search(scope, half),
        lambda: store.suggest(scope, half),
        lambda: store.lanes(scope, LaneFilter(subject=half)),
        lambda: store.lanes(scope, LaneFilter(text=half)),
        lambda: store.episodes(scope, EpisodeQuery(text=half)).items,
        lambda: store.transactions(scope, TransactionQuery(subject=half)).items,
        lambda: store.conflicts(scope, subject=half).items,
        lambda: store.versions(scope, subject=half),
        lambda: store.episode(scope, half),
        lambda: store.fact(scope, half),
        lambda: store.facts_from(scope, half),
        lambda: store.conflict(scope, half),
        lambda: store.tenant_of(half),
    ]
    for ask in asked:
        try:
            found = ask()
        except (Invalid, NotFound):
            continue
        assert found == ()


def test_hostile_text_in_conditions_is_only_text(shelf: Desk) -> None:
    for hostile in ("' OR 1=1 --", "%", "_", '"', "\\", "*", "\x00", "a" * 5000):
        for query in (
            FactQuery(subject=hostile),
            FactQuery(text=hostile, history=True),
            _by(FieldFilter(FactField.VALUE, Comparison.CONTAINS, hostile)),
        ):
            found = all_facts(shelf, query, as_of=AT)
            if hostile in ("' OR 1=1 --", "\x00", "a" * 5000):
                assert found == []
        shelf.store.lanes(shelf.scope, LaneFilter(text=hostile))
        shelf.store.episodes(shelf.scope, EpisodeQuery(text=hostile))
        shelf.store.suggest(shelf.scope, hostile)
        shelf.store.search(shelf.scope, hostile)
    percent = all_facts(
        shelf, _by(FieldFilter(FactField.VALUE, Comparison.CONTAINS, "%")), as_of=AT
    )
    assert {f.value for f in percent} == {"50%_off"}
