"""The write rules as pure functions: the neighbours of a key in, what to end and insert out.

A key's record is a set of assertions: `fact` (with `until` where the source stated an end) and
`end` ("nothing holds from here"). What holds at v is the assertion with the greatest `valid_from`
≤ v whose `until` is none or > v (`holder`). The derived rows `resume` and `gap` stand at each
`until` where no assertion starts and the holder changes, so that the last live row at or before v
answers every read. Nothing here does I/O or looks at a clock. Source: `semantics.md`, sections 3
and 4. All instants are microseconds since 1970 UTC.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from store.errors import Refused
from store.model import KEEP, ConflictKind, Outcome, RowKind
from store.temporal import LATEST, Basis, Precision, iso

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FOREVER: Final = LATEST + 1
"""Stands for an open end where bounds are compared."""


class Key(NamedTuple):
    """What a fact is about: the unit in which facts exclude one another."""

    tenant_id: str
    owner: str
    subject: str
    attribute: str
    slot: str


@dataclass(frozen=True, slots=True)
class Content:
    """What a row says, besides when. `value` is canonical JSON text, None in an `end`."""

    memory_id: str
    value: str | None
    episode_id: str
    agent_id: str
    span: tuple[int, int] | None = None
    confidence: float = 1.0
    supersedes: str | None = None
    schema_version: int = 1
    retention_policy: str = KEEP
    basis: Basis = Basis.STATED
    precision: Precision = Precision.INSTANT
    stated_as: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the ledger.

    Attributes:
        content: None in a gap.
        until: the end that the source stated; in a `resume`, the resumed fact's.
        over: the `end` (its content and `until`) whose place this fact took; it returns if the
            fact leaves.
        tx_from: the transaction that began the belief; 0 while only planned.
        tx_to: the one that ended it; None while live.
        secret: the row's random salt; empty while only planned.
    """

    key: Key
    valid_from: int
    kind: RowKind
    content: Content | None
    until: int | None = None
    over: tuple[Content, int | None] | None = None
    tx_from: int = 0
    tx_to: int | None = None
    secret: bytes = b""

    @property
    def is_assertion(self) -> bool:
        """Whether the row was claimed rather than derived."""
        return self.kind is RowKind.FACT or self.kind is RowKind.END

    @property
    def memory_id(self) -> str | None:
        """The fact that the row belongs to; None for a gap."""
        return self.content.memory_id if self.content else None

    def as_of(self, number: int) -> Row:
        """Return the row as it stood after a transaction: what came later had not ended it."""
        return self if (self.tx_to or 0) <= number else replace(self, tx_to=None)

    def says_the_same(self, other: Row) -> bool:
        """Whether two rows cannot be told apart by any read."""
        return (
            self.kind is other.kind
            and self.valid_from == other.valid_from
            and self.content == other.content
            and self.until == other.until
            and self.over == other.over
        )


class Stretch(NamedTuple):
    """A stretch in which one fact holds: adjacent rows of one fact read as one."""

    row: Row
    valid_from: int
    valid_to: int | None


class Clash(NamedTuple):
    """Why a claim cannot be applied: the standing row, and the contested period."""

    kind: ConflictKind
    standing: Row
    contested_from: int
    contested_to: int | None


class Moves(NamedTuple):
    """Rows to end and rows to insert, netted: nothing appears on both sides."""

    ends: tuple[Row, ...] = ()
    inserts: tuple[Row, ...] = ()


class Decision(NamedTuple):
    """What becomes of a claim.

    Attributes:
        row: the row inserted (applied), supported (corroborated), or None.
    """

    outcome: Outcome
    moves: Moves = Moves()
    row: Row | None = None
    clash: Clash | None = None
    restates: bool = False


# -- what holds -----------------------------------------------------------------------------------


class _Assertion(NamedTuple):
    """An assertion as the definition sees it; a fact outranks an end at one instant."""

    start: int
    is_fact: bool
    until: int | None
    row: Row

    def lasts(self, instant: int) -> bool:
        return self.until is None or self.until > instant


def _assertions(rows: Iterable[Row]) -> list[_Assertion]:
    found: list[_Assertion] = []
    for row in rows:
        if row.kind is RowKind.FACT:
            found.append(_Assertion(row.valid_from, True, row.until, row))
            if row.over is not None:
                found.append(_Assertion(row.valid_from, False, row.over[1], row))
        elif row.kind is RowKind.END:
            found.append(_Assertion(row.valid_from, False, row.until, row))
    found.sort(key=lambda a: (a.start, a.is_fact))
    return found


def _holder(sorted_assertions: Sequence[_Assertion], instant: int) -> Row | None:
    position = bisect_right(sorted_assertions, instant, key=lambda a: a.start)
    for assertion in reversed(sorted_assertions[:position]):
        if assertion.lasts(instant):
            return assertion.row if assertion.is_fact else None
    return None


def holder(rows: Iterable[Row], instant: int) -> Row | None:
    """Return the assertion row that holds at an instant by the definition, if one does."""
    return _holder(_assertions(rows), instant)


def derived(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the `resume` and `gap` rows that belong to a set of rows, in order of time.

    One sweep over starts and stated ends; a stack holds the assertions that may still hold, the
    latest start on top.
    """
    assertions = _assertions(rows)
    if all(a.until is None for a in assertions):
        return  # nothing ends of itself, as on most keys
    starts = {a.start for a in assertions}
    instants = sorted(starts | {a.until for a in assertions if a.until is not None})
    stack: list[_Assertion] = []
    before: _Assertion | None = None
    position = 0
    for instant in instants:
        while position < len(assertions) and assertions[position].start <= instant:
            stack.append(assertions[position])
            position += 1
        while stack and not stack[-1].lasts(instant):
            stack.pop()
        after = stack[-1] if stack and stack[-1].is_fact else None
        if instant not in starts and after is not before:
            key = assertions[0].row.key
            if after is None:
                yield Row(key, instant, RowKind.GAP, None)
            else:
                yield Row(key, instant, RowKind.RESUME, after.row.content, after.until)
        before = after


def stretches(rows: Iterable[Row]) -> list[Stretch]:
    """Return what reads give over a key's live rows: stretches in order, adjacent ones joined.

    The row of a stretch is its first.
    """
    found: list[Stretch] = []
    ordered = sorted(rows, key=lambda r: r.valid_from)
    for row, following in zip_longest(ordered, ordered[1:]):
        if row.kind is RowKind.END or row.kind is RowKind.GAP:
            continue
        ends = following.valid_from if following else None
        last = found[-1] if found else None
        if last and last.valid_to == row.valid_from and last.row.memory_id == row.memory_id:
            found[-1] = last._replace(valid_to=ends)
        else:
            found.append(Stretch(row, row.valid_from, ends))
    return found


def row_at(rows: Iterable[Row], instant: int) -> Row | None:
    """Return the live row that answers a read at an instant: the last at or before it."""
    before = [row for row in rows if row.valid_from <= instant]
    row = max(before, key=lambda r: r.valid_from, default=None)
    return None if row is None or row.kind in (RowKind.END, RowKind.GAP) else row


def replan(
    live: Sequence[Row],
    *,
    remove: Iterable[Row] = (),
    add: Iterable[Row] = (),
    within: tuple[int, int] = (-FOREVER, FOREVER),
) -> Moves:
    """Return what to end and insert so that the live rows lose and gain assertions.

    Derived rows from `within[0]` to `within[1]`, both included, are recomputed, for which every
    assertion that may hold there must be among `live`. Rows that would be ended and inserted
    unchanged are left alone.
    """
    removed = {(row.valid_from, row.kind) for row in remove}
    asserted = [r for r in live if r.is_assertion and (r.valid_from, r.kind) not in removed]
    asserted += add
    first, last = within
    wanted = {row.valid_from: row for row in asserted}
    for row in derived(asserted):
        if first <= row.valid_from <= last:
            wanted[row.valid_from] = row
    current = {
        row.valid_from: row for row in live if row.is_assertion or first <= row.valid_from <= last
    }
    ends = [r for at, r in current.items() if at not in wanted or not wanted[at].says_the_same(r)]
    inserts = [
        r for at, r in wanted.items() if at not in current or not current[at].says_the_same(r)
    ]
    by_start = sorted(ends, key=_start), sorted(inserts, key=_start)
    return Moves(tuple(by_start[0]), tuple(by_start[1]))


def after(live: Iterable[Row], moves: Moves, key: Key | None = None) -> list[Row]:
    """Return the live rows once the moves are made; with `key`, only moves of that key count."""
    gone = {(r.key, r.valid_from) for r in moves.ends}
    rows = [r for r in live if (r.key, r.valid_from) not in gone]
    rows += [r for r in moves.inserts if key is None or r.key == key]
    return sorted(rows, key=_start)


def difference(live: Sequence[Row], final: Sequence[Row]) -> Moves:
    """Return the moves that lead from live rows to final ones, both of one key."""
    now = {row.valid_from: row for row in live}
    then = {row.valid_from: row for row in final}
    return Moves(
        tuple(r for at, r in now.items() if at not in then or not r.says_the_same(then[at])),
        tuple(r for at, r in then.items() if at not in now or not r.says_the_same(now[at])),
    )


def _start(row: Row) -> int:
    return row.valid_from


# -- change ---------------------------------------------------------------------------------------


def decide(rows: Sequence[Row], claim: Row) -> Decision:
    """Return what becomes of a claim that the record does not know yet.

    Args:
        rows: the live rows of the claim's key, or at least, for a claim at t with stated end u:
            the nearest assertion before t without a stated end; every assertion before t whose
            stated end is ≥ t; every assertion in (t, u) whose stated end is > u; and every row
            from t to the first assertion after t without a stated end, or to u, whichever comes
            first, both included.
        claim: the row as it would be inserted, of kind `fact` and with a fresh `memory_id`.
    """
    at = claim.valid_from
    here = next((r for r in rows if r.valid_from == at and r.is_assertion), None)
    if here is not None and here.kind is RowKind.FACT:
        return _decide_equal(here, claim)
    container = _holder(_assertions(rows), at)
    if container is not None and _value(container) == _value(claim):
        if claim.until is not None and claim.until != container.until:
            return _clash(ConflictKind.END, container, claim)
        return _apply(rows, _restated(claim, container), container, here)
    crossing = crossed(rows, claim)
    if crossing is not None:
        return _clash(ConflictKind.CROSSING, crossing, claim)
    return _apply(rows, claim, container, here)


def crossed(rows: Iterable[Row], claim: Row) -> Row | None:
    """Return a fact of another value whose stated period crosses the claim's, if there is one."""
    if claim.until is None:
        return None
    for row in rows:
        if row.kind is not RowKind.FACT or row.until is None or _value(row) == _value(claim):
            continue
        starts_inside = row.valid_from < claim.valid_from < row.until < claim.until
        ends_inside = claim.valid_from < row.valid_from < claim.until < row.until
        if starts_inside or ends_inside:
            return row
    return None


def _value(row: Row) -> str | None:
    return row.content.value if row.content else None


def _decide_equal(here: Row, claim: Row) -> Decision:
    if _value(here) != _value(claim):
        return _clash(ConflictKind.VALUE, here, claim)
    if claim.until is None or claim.until == here.until:
        return Decision(Outcome.CORROBORATED, row=here)
    return _clash(ConflictKind.END, here, claim)


def _clash(kind: ConflictKind, standing: Row, claim: Row) -> Decision:
    begins, ends = claim.valid_from, claim.until
    if kind is ConflictKind.CROSSING:
        assert standing.until is not None
        assert claim.until is not None
        begins = max(standing.valid_from, claim.valid_from)
        ends = min(standing.until, claim.until)
    elif kind is ConflictKind.END:
        ends = None if standing.until is None or ends is None else max(standing.until, ends)
    clash = Clash(kind, standing, begins, ends)
    return Decision(Outcome.CONFLICT, row=standing, clash=clash)


def _restated(claim: Row, container: Row) -> Row:
    assert claim.content is not None
    assert container.content is not None
    content = replace(
        claim.content,
        memory_id=container.content.memory_id,
        supersedes=container.content.supersedes,
    )
    return replace(claim, content=content, until=container.until)


def _apply(
    rows: Sequence[Row], claim: Row, container: Row | None, displaced_end: Row | None
) -> Decision:
    restates = container is not None and container.memory_id == claim.memory_id
    row = claim
    if displaced_end is not None:
        assert displaced_end.content is not None
        row = replace(row, over=(displaced_end.content, displaced_end.until))
    if container is not None and not restates:
        assert row.content is not None
        row = replace(row, content=replace(row.content, supersedes=container.memory_id))
    remove = [displaced_end] if displaced_end is not None else []
    within = row.valid_from, _reach(rows, row)
    moves = replan(rows, remove=remove, add=[row], within=within)
    return Decision(Outcome.APPLIED, moves, row, restates=restates)


def _reach(rows: Sequence[Row], claim: Row) -> int:
    """Return the last instant at which the claim can change what holds.

    That is the first later assertion without a stated end, or the claim's own end.
    """
    cuts = (r.valid_from for r in rows if r.is_assertion and r.until is None)
    reach = min((at for at in cuts if at > claim.valid_from), default=FOREVER)
    return reach if claim.until is None else min(reach, claim.until)


# -- explicit acts --------------------------------------------------------------------------------


def correct(
    live: Sequence[Row],
    memory_id: str,
    *,
    content: Content | None = None,
    valid_from: int | None = None,
    until: int | None = None,
    sets_until: bool = False,
    row_from: int | None = None,
) -> Moves:
    """Correct a fact that was wrong from the start.

    Args:
        live: all live rows of the key.
        memory_id: the fact.
        content: what the corrected rows say; each keeps what it displaced and how its beginning was
            stated. None keeps all of theirs.
        valid_from: the right beginning of the first row, or the one at `row_from`.
        until: the right end, if `sets_until`; None opens it.
        sets_until: whether the end is corrected.
        row_from: `valid_from` of the row whose beginning is meant.

    Raises:
        Refused: the correction reaches or passes another assertion, or crosses a stated period.
    """
    mine = facts_of(live, memory_id)
    _require(bool(mine), f"The fact {memory_id} is no longer in the record.")
    first = mine[0] if row_from is None else _row_named(mine, row_from)
    ended = [r for r in live if r.kind is RowKind.END and r.memory_id == memory_id]
    removed, added = list(mine), []
    for row in mine:
        new = replace(row, tx_from=0, secret=b"")
        if content is not None:
            new = replace(new, content=_saying_instead(content, row))
        if sets_until and not ended:
            new = replace(new, until=until)
        if row is first and valid_from is not None and valid_from != row.valid_from:
            _refuse_passing(live, row, valid_from)
            new = _moved(new, valid_from)
            if row.over is not None:
                added.append(_returned_end(row))
        added.append(new)
    if sets_until and ended:
        removed += ended
        if until is not None:
            added.append(_moved_end(live, removed, added, ended[0], until))
    _refuse_impossible(live, removed, added)
    return replan(live, remove=removed, add=added)


def _saying_instead(content: Content, row: Row) -> Content:
    was = row.content
    assert was is not None
    return replace(
        content,
        supersedes=was.supersedes,
        basis=was.basis,
        precision=was.precision,
        stated_as=was.stated_as,
    )


def _moved(row: Row, valid_from: int) -> Row:
    assert row.content is not None
    exact = replace(row.content, basis=Basis.STATED, precision=Precision.INSTANT, stated_as=None)
    return replace(row, valid_from=valid_from, content=exact, over=None)


def _moved_end(
    live: Sequence[Row], removed: Sequence[Row], added: Sequence[Row], ended: Row, at: int
) -> Row:
    """Move the `end` of a fact; it must still end that fact and nothing else."""
    _refuse_occupied(live, at, except_rows=removed)
    rest = [r for r in live if r.is_assertion and r not in removed]
    before = holder([*rest, *added], at - 1)
    if before is None or before.memory_id != ended.memory_id:
        raise Refused(f"The fact does not hold just before {iso(at)}, so it cannot end there.")
    return replace(ended, valid_from=at, tx_from=0, secret=b"")


def end(live: Sequence[Row], memory_id: str, at: int, content: Content) -> Moves:
    """End a fact: it stopped being true in the world at `at`.

    Args:
        live: all live rows of the key.
        memory_id: the fact.
        at: the first instant at which it no longer holds.
        content: what the `end` row says (who, from which episode), with the fact's `memory_id`.

    Raises:
        Refused: the fact does not hold just before `at`, or something is asserted there.
    """
    mine = facts_of(live, memory_id)
    _require(bool(mine), f"The fact {memory_id} is no longer in the record.")
    later = [row for row in mine if row.valid_from >= at]
    if later:
        raise Refused(
            f"The fact is stated again at {iso(later[-1].valid_from)}, which is not before "
            f"{iso(at)}; end it after that, or retract it."
        )
    _refuse_occupied(live, at)
    assertions = _assertions(live)
    before = _holder(assertions, at - 1)
    if before is None or before.memory_id != memory_id:
        raise Refused(f"The fact does not hold just before {iso(at)}, so it cannot end there.")
    if before.until is None:
        return replan(live, add=[Row(mine[0].key, at, RowKind.END, content)])
    if before.until == at:
        raise Refused(f"The fact ends at {iso(at)} already.")
    shorter = [replace(row, until=at, tx_from=0, secret=b"") for row in mine if row.until]
    replaced = [row for row in mine if row.until]
    _refuse_impossible(live, replaced, shorter)
    return replan(live, remove=replaced, add=shorter)


def retract(live: Sequence[Row], memory_id: str, *, gap: bool, content: Content) -> Moves:
    """Say that a fact never held.

    Args:
        live: all live rows of the key.
        memory_id: the fact.
        gap: put an `end` in the place of each of its assertions, so that nothing flows on.
        content: what such an `end` says.

    Raises:
        Refused: the fact is no longer in the record.
    """
    removed = [r for r in live if r.is_assertion and r.memory_id == memory_id]
    facts = [row for row in removed if row.kind is RowKind.FACT]
    _require(bool(facts), f"The fact {memory_id} is no longer in the record.")
    added = [_returned_end(row) for row in facts if row.over is not None]
    if gap:
        added += [
            Row(row.key, row.valid_from, RowKind.END, content, row.until)
            for row in facts
            if row.over is None
        ]
    # An `end` of this fact whose place another fact took leaves with it.
    for row in live:
        if row.over is not None and row.over[0].memory_id == memory_id and row not in removed:
            removed.append(row)
            added.append(replace(row, over=None, tx_from=0, secret=b""))
    return replan(live, remove=removed, add=added)


def restore(live: Sequence[Row], *, undo: Sequence[Row], bring_back: Sequence[Row]) -> Moves:
    """Take back assertions that a transaction inserted and bring back those that it ended."""
    again = [replace(row, tx_from=0, tx_to=None, secret=b"") for row in bring_back]
    return replan(live, remove=undo, add=again)


def facts_of(live: Iterable[Row], memory_id: str) -> list[Row]:
    """Return a fact's assertion rows in order of time, without the ends that end it."""
    mine = [r for r in live if r.kind is RowKind.FACT and r.memory_id == memory_id]
    return sorted(mine, key=lambda r: r.valid_from)


def _returned_end(row: Row) -> Row:
    assert row.over is not None
    content, until = row.over
    return Row(row.key, row.valid_from, RowKind.END, content, until)


def _row_named(mine: Sequence[Row], row_from: int) -> Row:
    for row in mine:
        if row.valid_from == row_from:
            return row
    starts = ", ".join(iso(row.valid_from) for row in mine)
    raise Refused(f"The fact has no row that begins at {iso(row_from)}; it has {starts}.")


def _refuse_passing(live: Sequence[Row], row: Row, valid_from: int) -> None:
    low, high = sorted((row.valid_from, valid_from))
    for other in live:
        if other is row or not other.is_assertion:
            continue
        if low <= other.valid_from <= high:
            raise Refused(
                f"The beginning cannot move to {iso(valid_from)}: {_described(other)} stands at "
                f"{iso(other.valid_from)}."
            )
    if row.over is not None and valid_from < row.valid_from:
        raise Refused(
            f"The beginning cannot move to {iso(valid_from)}: an end stands at "
            f"{iso(row.valid_from)}."
        )


def _refuse_occupied(live: Sequence[Row], at: int, except_rows: Sequence[Row] = ()) -> None:
    for row in live:
        if row.is_assertion and row.valid_from == at and row not in except_rows:
            raise Refused(f"{_described(row).capitalize()} stands at {iso(at)} already.")


def _refuse_impossible(live: Sequence[Row], removed: Sequence[Row], added: Sequence[Row]) -> None:
    """Refuse empty periods and crossings with periods that other sources stated."""
    others = [r for r in live if r.kind is RowKind.FACT and r not in removed]
    for row in added:
        if row.until is not None and row.until <= row.valid_from:
            raise Refused(
                f"The fact would end at {iso(row.until)}, not after its beginning "
                f"{iso(row.valid_from)}."
            )
        crossing = crossed(others, row) if row.kind is RowKind.FACT else None
        if crossing is not None:
            assert crossing.until is not None
            raise Refused(
                f"The period would cross {_described(crossing)}, stated from "
                f"{iso(crossing.valid_from)} to {iso(crossing.until)}."
            )


def _described(row: Row) -> str:
    if row.kind is RowKind.END:
        return "an end"
    value = _value(row) or ""
    return f"the value {value if len(value) <= 60 else value[:59] + '…'}"


def _require(condition: bool, sentence: str) -> None:
    if not condition:
        raise Refused(sentence)
