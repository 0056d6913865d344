"""The derived rows, replanning, and the neighbourhood of a claim, against the plain definition."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from store import ledger
from store.ledger import Content, Decision, Key, Moves, Row
from store.model import Outcome, RowKind

KEY = Key("acme", "", "mira", "city", "")
LAST = 24
INSTANTS = range(-1, LAST + 8)


def content(memory_id: str, value: str | None) -> Content:
    return Content(memory_id, value, "e1", "operator")


@st.composite
def assertions(draw: st.DrawFn, most: int = 10) -> list[Row]:
    """Assertion rows with different starts; some facts took the place of an end."""
    starts = draw(st.lists(st.integers(0, LAST), unique=True, max_size=most))
    rows = []
    for start in sorted(starts):
        until = draw(st.none() | st.integers(start + 1, LAST + 4))
        name = f"m{draw(st.integers(0, 4))}"
        if draw(st.integers(0, 3)) == 0:
            rows.append(Row(KEY, start, RowKind.END, content(name, None), until))
            continue
        over = None
        if draw(st.integers(0, 4)) == 0:
            over = (content("m9", None), draw(st.none() | st.integers(start + 1, LAST + 4)))
        # A fact has one value, whichever row says it.
        rows.append(Row(KEY, start, RowKind.FACT, content(name, f'"{name[1]}"'), until, over))
    return rows


def held(rows: list[Row], instant: int) -> str | None:
    """The definition, word for word: the greatest start whose end is none or later."""
    best: tuple[int, bool] | None = None
    holds: str | None = None
    for row in rows:
        spoken = [(row.kind is RowKind.FACT, row.until)]
        if row.over is not None:
            spoken.append((False, row.over[1]))
        for is_fact, until in spoken:
            if row.valid_from > instant or (until is not None and until <= instant):
                continue
            if best is None or (row.valid_from, is_fact) > best:
                best = (row.valid_from, is_fact)
                holds = row.memory_id if is_fact else None
    return holds


def whole(rows: list[Row]) -> list[Row]:
    """The live rows of a key: its assertions, and what is derived from them."""
    return sorted([*rows, *ledger.derived(rows)], key=lambda r: r.valid_from)


@given(assertions())
def test_the_last_live_row_answers_as_the_definition_does(rows: list[Row]) -> None:
    live = whole(rows)
    for instant in INSTANTS:
        row = ledger.row_at(live, instant)
        holder = ledger.holder(rows, instant)
        assert (row.memory_id if row else None) == held(rows, instant)
        assert (holder.memory_id if holder else None) == held(rows, instant)


@given(assertions())
def test_derived_rows_stand_only_where_a_stated_end_changes_the_holder(rows: list[Row]) -> None:
    starts = {row.valid_from for row in rows}
    ends = {row.until for row in rows} | {row.over[1] for row in rows if row.over}
    found = list(ledger.derived(rows))
    instants = [row.valid_from for row in found]
    assert instants == sorted(set(instants))
    for row in found:
        assert row.kind in (RowKind.RESUME, RowKind.GAP)
        assert row.valid_from in ends - starts
        before = ledger.holder(rows, row.valid_from - 1)
        after = ledger.holder(rows, row.valid_from)
        assert before is not after
        assert row.content == (after.content if after else None)
        if after is not None:
            assert row.until == after.until
    for at in ends - starts - {None}:
        assert at is not None
        if ledger.holder(rows, at - 1) is not ledger.holder(rows, at):
            assert at in instants


@given(assertions())
def test_live_rows_never_start_together(rows: list[Row]) -> None:
    starts = [row.valid_from for row in whole(rows)]
    assert len(starts) == len(set(starts))


@given(assertions())
def test_stretches_are_what_the_definition_gives(rows: list[Row]) -> None:
    found = ledger.stretches(whole(rows))
    for one, other in pairwise(found):
        assert one.valid_to is not None
        assert one.valid_to <= other.valid_from
        if one.valid_to == other.valid_from:
            assert one.row.memory_id != other.row.memory_id, "adjacent ones of one fact are joined"
    for instant in INSTANTS:
        inside = [
            s.row.memory_id
            for s in found
            if s.valid_from <= instant and (s.valid_to is None or instant < s.valid_to)
        ]
        assert inside == [m for m in (held(rows, instant),) if m is not None]


def moved(live: list[Row], moves: Moves) -> list[Row]:
    """Make the moves by hand, and see that they can be made."""
    for row in moves.ends:
        assert row in live, "only a live row can be ended"
    rest = [row for row in live if row not in moves.ends]
    taken = {row.valid_from for row in rest}
    for row in moves.inserts:
        assert row.valid_from not in taken, "an instant takes one live row"
        taken.add(row.valid_from)
    for ended in moves.ends:
        assert not any(ended.says_the_same(row) for row in moves.inserts), "plans are netted"
    return sorted([*rest, *moves.inserts], key=lambda r: r.valid_from)


@given(assertions(), assertions(), st.data())
def test_replanning_leads_to_the_normal_form(
    rows: list[Row], others: list[Row], data: st.DataObject
) -> None:
    removed = data.draw(st.lists(st.sampled_from(rows), unique=True)) if rows else []
    kept = [row for row in rows if row not in removed]
    taken = {row.valid_from for row in kept}
    added = [row for row in others if row.valid_from not in taken]
    live = whole(rows)
    moves = ledger.replan(live, remove=removed, add=added)
    result = moved(live, moves)
    assert result == whole(sorted([*kept, *added], key=lambda r: r.valid_from))
    assert result == ledger.after(live, moves)


@given(assertions())
def test_replanning_nothing_moves_nothing(rows: list[Row]) -> None:
    assert ledger.replan(whole(rows)) == Moves()


@given(assertions(), assertions())
def test_the_difference_leads_from_one_to_the_other(rows: list[Row], others: list[Row]) -> None:
    live, final = whole(rows), whole(others)
    assert moved(live, ledger.difference(live, final)) == final


# -- deciding ------------------------------------------------------------------------------------

claims = st.builds(
    lambda start, length, value: Row(
        KEY,
        start,
        RowKind.FACT,
        content("claim", f'"{value}"'),
        None if length is None else start + length,
    ),
    st.integers(0, LAST),
    st.none() | st.integers(1, 12),
    st.integers(0, 5),
)


@given(assertions(), claims)
def test_a_claim_that_is_applied_leads_to_the_normal_form(rows: list[Row], claim: Row) -> None:
    live = whole(rows)
    decision = ledger.decide(live, claim)
    if decision.outcome is not Outcome.APPLIED:
        assert decision.moves == Moves()
        return
    row = decision.row
    assert row is not None
    assert row in decision.moves.inserts
    result = moved(live, decision.moves)
    displaced = [r for r in rows if r.valid_from == claim.valid_from]
    assert all(r.kind is RowKind.END for r in displaced)
    after = [r for r in rows if r not in displaced] + [row]
    assert result == whole(sorted(after, key=lambda r: r.valid_from))
    asserted = [r for r in decision.moves.ends if r.is_assertion]
    assert asserted == displaced, "a change ends no assertion but an end at its own instant"
    if displaced:
        assert row.over == (displaced[0].content, displaced[0].until)


@given(assertions(), claims)
def test_a_claim_is_decided_by_the_words_of_the_rules(rows: list[Row], claim: Row) -> None:
    decision = ledger.decide(whole(rows), claim)
    here = [r for r in rows if r.valid_from == claim.valid_from and r.kind is RowKind.FACT]
    under = ledger.holder(rows, claim.valid_from)
    value = claim.content.value if claim.content else None
    if here:
        same = here[0].content is not None and here[0].content.value == value
        if same and claim.until in (None, here[0].until):
            assert decision.outcome is Outcome.CORROBORATED
        else:
            assert decision.outcome is Outcome.CONFLICT
            assert decision.clash is not None
            assert decision.clash.kind.value == ("end" if same else "value")
        assert decision.row == here[0]
    elif under is not None and under.content is not None and under.content.value == value:
        if claim.until in (None, under.until):
            assert decision.outcome is Outcome.APPLIED
            assert decision.row is not None
            assert decision.restates
            assert (decision.row.memory_id, decision.row.until) == (under.memory_id, under.until)
        else:
            assert decision.outcome is Outcome.CONFLICT
            assert decision.clash is not None
            assert (decision.clash.kind.value, decision.clash.standing) == ("end", under)
    elif any(_crosses(row, claim) for row in rows):
        assert decision.outcome is Outcome.CONFLICT
        assert decision.clash is not None
        assert decision.clash.kind.value == "crossing"
        assert _crosses(decision.clash.standing, claim)
    else:
        assert decision.outcome is Outcome.APPLIED
        assert decision.row is not None
        assert decision.row.memory_id == "claim"
        assert decision.row.content is not None
        assert decision.row.content.supersedes == (under.memory_id if under else None)


def _crosses(row: Row, claim: Row) -> bool:
    if row.kind is not RowKind.FACT or row.until is None or claim.until is None:
        return False
    if row.content is None or claim.content is None or row.content.value == claim.content.value:
        return False
    first, second = sorted((row, claim), key=lambda r: r.valid_from)
    assert first.until is not None
    assert second.until is not None
    return first.valid_from < second.valid_from < first.until < second.until


def neighbourhood(live: list[Row], claim: Row) -> list[Row]:
    """No more than the words of `ledger.decide` ask for."""
    at, until = claim.valid_from, claim.until
    before = [r for r in live if r.valid_from < at and r.is_assertion]
    open_before = [r for r in before if _lasts_for_ever(r)]
    kept = [*open_before[-1:], *(r for r in before if _reaches(r, at))]
    for row in live:
        if row.valid_from < at:
            continue
        if until is not None and row.valid_from > until:
            break
        kept.append(row)
        if row.valid_from > at and row.is_assertion and row.until is None:
            break
    if until is not None:
        kept += [
            r
            for r in live
            if r.is_assertion and at < r.valid_from < until and _reaches(r, until + 1)
        ]
    by_start = {row.valid_from: row for row in kept}
    return [by_start[start] for start in sorted(by_start)]


def _ends(row: Row) -> list[int | None]:
    return [row.until] if row.over is None else [row.until, row.over[1]]


def _lasts_for_ever(row: Row) -> bool:
    return any(until is None for until in _ends(row))


def _reaches(row: Row, instant: int) -> bool:
    return any(until is not None and until >= instant for until in _ends(row))


@settings(max_examples=400)
@given(assertions(most=14), claims)
def test_the_neighbourhood_decides_as_the_whole_key_does(rows: list[Row], claim: Row) -> None:
    live = whole(rows)
    near = neighbourhood(live, claim)
    there, here = ledger.decide(live, claim), ledger.decide(near, claim)
    assert _without_witness(here) == _without_witness(there)
    if there.clash is not None and there.clash.kind.value != "crossing":
        assert here == there


def _without_witness(decision: Decision) -> Decision:
    """A claim that crosses several periods may name any of them."""
    if decision.clash is None or decision.clash.kind.value != "crossing":
        return decision
    return decision._replace(row=None, clash=None)


@given(assertions(), st.data())
def test_retracting_everything_leaves_nothing(rows: list[Row], data: st.DataObject) -> None:
    facts = [r for r in rows if r.kind is RowKind.FACT]
    rows = [replace(r, content=content(f"m{n}", f'"{n}"')) for n, r in enumerate(facts)]
    live = whole(rows)
    for row in data.draw(st.permutations(rows)):
        assert row.memory_id is not None
        moves = ledger.retract(live, row.memory_id, gap=False, content=content("x", None))
        live = moved(live, moves)
        left = [r for r in live if r.kind is RowKind.FACT]
        assert live == whole([r for r in live if r.is_assertion])
        assert row.memory_id not in {r.memory_id for r in left}
    ends = [r for r in live if r.is_assertion]
    assert all(r.kind is RowKind.END for r in ends), "only ends whose place facts took return"
