"""A brute-force model of one key: assertions in a list, read by the definition alone.

It was written from `semantics.md` sections 3 and 4, not from `store/ledger.py`; it knows nothing of
derived rows, windows or plans. Times are small integers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


class Blocked(Exception):
    """The rules refuse the act."""


@dataclass(frozen=True)
class Assertion:
    """A claim that is believed.

    Attributes:
        value: None in an `end`.
        over: the `end` whose place a fact took.
    """

    start: int
    until: int | None
    value: str | None
    fact: str
    episode: str
    over: Assertion | None = None

    @property
    def is_fact(self) -> bool:
        return self.value is not None

    def lasts(self, instant: int) -> bool:
        return self.until is None or self.until > instant


def held(assertions: list[Assertion], instant: int) -> Assertion | None:
    """Apply the definition: the greatest start ≤ the instant whose end is none or later."""
    everything = assertions + [a.over for a in assertions if a.over is not None]
    found: Assertion | None = None
    for one in everything:
        if one.start > instant or not one.lasts(instant):
            continue
        if found is None or (one.start, one.is_fact) > (found.start, found.is_fact):
            found = one
    return found if found is not None and found.is_fact else None


class Oracle:
    """The assertions of one key after each transaction, and what each transaction did."""

    def __init__(self) -> None:
        self.now: list[Assertion] = []
        self.history: dict[int, list[Assertion]] = {0: []}
        self.done: dict[int, tuple[list[Assertion], list[Assertion]]] = {}

    def commit(self, number: int, assertions: list[Assertion]) -> None:
        """Take the new assertions as transaction `number`, one of this key."""
        came = [a for a in assertions if a not in self.now]
        gone = [a for a in self.now if a not in assertions]
        self.done[number] = (came, gone)
        self.now = assertions
        self.history[number] = list(assertions)

    def at(self, number: int) -> list[Assertion]:
        """Return the assertions as of a transaction of the tenant."""
        return self.history[max(n for n in self.history if n <= number)]

    # -- the rules ----------------------------------------------------------------------------

    def change(
        self, start: int, value: str, fact: str, episode: str, until: int | None
    ) -> tuple[str, list[Assertion]]:
        here = next((a for a in self.now if a.start == start), None)
        if here is not None and here.is_fact:
            if here.value == value and until in (None, here.until):
                return "corroborated", self.now
            return "conflict", self.now
        under = held(self.now, start)
        if under is not None and under.value == value:
            if until not in (None, under.until):
                return "conflict", self.now
            until, fact = under.until, under.fact
        elif self._crosses(start, until, value):
            return "conflict", self.now
        new = Assertion(start, until, value, fact, episode, over=here)
        return "applied", [a for a in self.now if a is not here] + [new]

    def _crosses(
        self, start: int, until: int | None, value: str, besides: list[Assertion] | None = None
    ) -> bool:
        if until is None:
            return False
        return any(
            a.start < start < a.until < until or start < a.start < until < a.until
            for a in self.now
            if a.is_fact and a.until is not None and a.value != value and a not in (besides or [])
        )

    def _mine(self, fact: str) -> list[Assertion]:
        mine = sorted((a for a in self.now if a.fact == fact and a.is_fact), key=lambda a: a.start)
        if not mine:
            raise Blocked
        return mine

    def end(self, fact: str, at: int, episode: str) -> list[Assertion]:
        mine = self._mine(fact)
        if any(a.start >= at for a in mine) or any(a.start == at for a in self.now):
            raise Blocked
        before = held(self.now, at - 1)
        if before is None or before.fact != fact or before.until == at:
            raise Blocked
        if before.until is None:
            return [*self.now, Assertion(at, None, None, fact, episode)]
        bounded = [a for a in mine if a.until is not None]
        for a in bounded:
            if self._crosses(a.start, at, a.value or "", bounded):
                raise Blocked
        return [a for a in self.now if a not in bounded] + [replace(a, until=at) for a in bounded]

    def retract(self, fact: str, *, gap: bool, episode: str) -> list[Assertion]:
        mine = self._mine(fact)
        rest = []
        for a in self.now:
            if a.fact == fact:
                continue
            mine_under = a.over is not None and a.over.fact == fact
            rest.append(replace(a, over=None) if mine_under else a)
        for a in mine:
            if a.over is not None:
                rest.append(a.over)
            elif gap:
                rest.append(Assertion(a.start, a.until, None, fact, episode))
        return rest

    def correct_value(self, fact: str, value: str, episode: str) -> list[Assertion]:
        mine = self._mine(fact)
        for a in mine:
            if self._crosses(a.start, a.until, value, mine):
                raise Blocked
        new = [replace(a, value=value, episode=episode) for a in mine]
        return [a for a in self.now if a not in mine] + new

    def correct_start(self, fact: str, start: int) -> list[Assertion]:
        first = self._mine(fact)[0]
        low, high = sorted((first.start, start))
        if any(low <= a.start <= high for a in self.now if a is not first):
            raise Blocked
        if first.over is not None and start < first.start:
            raise Blocked
        if first.until is not None and start >= first.until:
            raise Blocked
        if self._crosses(start, first.until, first.value or "", self._mine(fact)):
            raise Blocked
        rest = [a for a in self.now if a is not first]
        if first.over is not None and start != first.start:
            rest.append(first.over)
        over = first.over if start == first.start else None
        return [*rest, replace(first, start=start, over=over)]

    def correct_until(self, fact: str, until: int | None) -> list[Assertion]:
        mine = self._mine(fact)
        ends = [a for a in self.now if a.fact == fact and not a.is_fact]
        if not ends:
            for a in mine:
                if until is not None and until <= a.start:
                    raise Blocked
                if self._crosses(a.start, until, a.value or "", mine):
                    raise Blocked
            return [a for a in self.now if a not in mine] + [replace(a, until=until) for a in mine]
        rest = [a for a in self.now if a not in ends]
        if until is None:
            return rest
        before = held(rest, until - 1)
        if any(a.start == until for a in rest) or before is None or before.fact != fact:
            raise Blocked
        if any(a.start >= until for a in mine):
            raise Blocked
        return [*rest, replace(ends[0], start=until)]

    def revert(self, number: int) -> list[Assertion]:
        came, gone = self.done[number]
        if any(a not in self.now for a in came):
            raise Blocked
        kept = [a for a in self.now if a not in came]
        if {a.start for a in kept} & {a.start for a in gone}:
            raise Blocked
        after = kept + gone
        said = {(a.fact, a.value) for a in after if a.is_fact}
        if len(said) > len({fact for fact, _ in said}):
            raise Blocked  # a fact has one value
        return after
