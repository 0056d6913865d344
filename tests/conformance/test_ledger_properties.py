"""Random histories against the brute-force model of `tests/oracle.py`, on every backend."""

from __future__ import annotations

import atexit
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from store import (
    AsOf,
    Capture,
    Change,
    Correct,
    End,
    EpisodeDraft,
    EpisodeKind,
    LaneFilter,
    MemoryDelta,
    Outcome,
    Refused,
    Retract,
    Revert,
    Scope,
    Stale,
    open_store,
)
from store.temporal import to_micros
from tests.oracle import Assertion, Blocked, Oracle, held

if TYPE_CHECKING:
    from collections.abc import Callable

    from store import Receipt, Store

DAY0 = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 24
SCOPE = Scope("acme")
KEYS = ("mira", "jonas")


def day(number: int) -> datetime:
    return DAY0 + timedelta(days=number)


class LedgerMachine(RuleBasedStateMachine):
    """Writes at random, in any order of time, with equal times, delays and reverts."""

    make: Callable[[], Store]

    @initialize()
    def open_empty(self) -> None:
        self.store = self.make()
        self.oracles = {subject: Oracle() for subject in KEYS}
        self.facts: dict[str, list[str]] = {subject: [] for subject in KEYS}
        self.recorded: dict[int, datetime] = {0: DAY0}
        self.touched: dict[int, str] = {}
        self.known: dict[tuple[Any, ...], int] = {}
        self.forgotten: dict[int, set[tuple[Any, ...]]] = {}
        self.reverts: dict[int, int] = {}
        self.newest = 0
        self.episodes = 0
        for number in range(4):
            self._episode(f"e{number}")

    def teardown(self) -> None:
        if hasattr(self, "store"):
            for number in range(1, self.newest + 1):
                self._compare(number)  # no later transaction changed an earlier answer
            report = self.store.check(full=True)
            self.store.close()
            assert report.findings == ()

    def _episode(self, name: str) -> str:
        draft = EpisodeDraft(
            episode_id=name, kind=EpisodeKind.MESSAGE, content="said", occurred_at=DAY0
        )
        receipt = self.store.write(SCOPE, Capture(episode=draft))
        assert receipt.transaction is not None
        self._note(receipt.transaction)
        return name

    def _fresh_episode(self) -> str:
        self.episodes += 1
        return self._episode(f"x{self.episodes}")

    def _note(self, number: int, subject: str | None = None) -> None:
        assert number == self.newest + 1, "numbers have no gaps"
        self.newest = number
        recorded_at = self.store.transaction(SCOPE, number).transaction.recorded_at
        assert recorded_at > self.recorded[number - 1] or number == 1
        self.recorded[number] = recorded_at
        if subject is not None:
            self.touched[number] = subject

    # -- writes -------------------------------------------------------------------------------

    @rule(
        subject=st.sampled_from(KEYS),
        start=st.integers(1, DAYS - 4),
        length=st.none() | st.integers(1, 10),
        value=st.sampled_from("ABC"),
        episode=st.none() | st.integers(0, 3),
    )
    def change(
        self, subject: str, start: int, length: int | None, value: str, episode: int | None
    ) -> None:
        until = None if length is None else start + length
        name = self._fresh_episode() if episode is None else f"e{episode}"
        oracle = self.oracles[subject]
        claim = (subject, start, until, value, name)
        receipt = self.store.write(
            SCOPE,
            Change(
                delta=MemoryDelta(
                    tenant_id="acme",
                    subject=subject,
                    attribute="city",
                    value=value,
                    valid_from=day(start),
                    until=None if until is None else day(until),
                    source_episode_id=name,
                )
            ),
        )
        if self._is_known(claim):
            assert receipt.outcome is Outcome.KNOWN
            assert receipt.transaction is None
            return
        expected, after = oracle.change(start, value, receipt.memory_id or "", name, until)
        if receipt.outcome is Outcome.KNOWN:
            # The same words with the end that the record gave them count as the same claim.
            assert expected == "corroborated"
            return
        assert receipt.outcome.value == expected
        assert receipt.transaction is not None
        self.known[claim] = receipt.transaction
        self._committed(receipt, subject, after)

    def _is_known(self, claim: tuple[Any, ...]) -> bool:
        return claim in self.known

    @precondition(lambda self: any(self.facts.values()))
    @rule(data=st.data(), at=st.integers(1, DAYS))
    def end(self, data: st.DataObject, at: int) -> None:
        subject, fact = self._some_fact(data)
        episode = self._fresh_episode()
        self._act(
            subject,
            lambda: self.oracles[subject].end(fact, at, episode),
            End(memory_id=fact, at=day(at), episode_id=episode, reason="it stopped"),
        )

    @precondition(lambda self: any(self.facts.values()))
    @rule(data=st.data(), gap=st.booleans())
    def retract(self, data: st.DataObject, gap: bool) -> None:
        subject, fact = self._some_fact(data)
        episode = self._fresh_episode()
        self._act(
            subject,
            lambda: self.oracles[subject].retract(fact, gap=gap, episode=episode),
            Retract(memory_id=fact, gap=gap, episode_id=episode, reason="never so"),
        )

    @precondition(lambda self: any(self.facts.values()))
    @rule(data=st.data(), value=st.sampled_from("ABC"))
    def correct_value(self, data: st.DataObject, value: str) -> None:
        subject, fact = self._some_fact(data)
        episode = self._fresh_episode()
        self._act(
            subject,
            lambda: self.oracles[subject].correct_value(fact, value, episode),
            Correct(memory_id=fact, value=value, episode_id=episode, reason="misheard"),
        )

    @precondition(lambda self: any(self.facts.values()))
    @rule(data=st.data(), start=st.integers(1, DAYS))
    def correct_start(self, data: st.DataObject, start: int) -> None:
        subject, fact = self._some_fact(data)
        self._act(
            subject,
            lambda: self.oracles[subject].correct_start(fact, start),
            Correct(
                memory_id=fact,
                valid_from=day(start),
                episode_id=self._fresh_episode(),
                reason="began then",
            ),
        )

    @precondition(lambda self: any(self.facts.values()))
    @rule(data=st.data(), until=st.none() | st.integers(1, DAYS))
    def correct_until(self, data: st.DataObject, until: int | None) -> None:
        subject, fact = self._some_fact(data)
        self._act(
            subject,
            lambda: self.oracles[subject].correct_until(fact, until),
            Correct(
                memory_id=fact,
                until=None if until is None else day(until),
                episode_id=self._fresh_episode(),
                reason="ended then",
            ),
        )

    @precondition(lambda self: bool(self.touched))
    @rule(data=st.data(), last=st.booleans())
    def revert(self, data: st.DataObject, last: bool) -> None:
        candidates = sorted(self.touched)
        number = candidates[-1] if last else data.draw(st.sampled_from(candidates))
        subject = self.touched[number]
        oracle = self.oracles[subject]
        detail = self.store.transaction(SCOPE, number)
        moves_nothing = number not in oracle.done or not any(oracle.done[number])
        try:
            if any(self._is_in_effect(n) for n in self._reverts_of(number)):
                raise Blocked
            after = oracle.now if moves_nothing else oracle.revert(number)
        except Blocked:
            with pytest.raises(Stale):
                self.store.write(SCOPE, Revert(transaction=number, reason="undo"))
            return
        try:
            receipt = self.store.write(SCOPE, Revert(transaction=number, reason="undo"))
        except Stale:
            # Later work on evidence or conflicts may block where assertions alone would not.
            assert detail.evidence or detail.conflicts
            return
        self.reverts[receipt.transaction or 0] = number
        self._forget_and_remember(number, receipt.transaction or 0)
        self._committed(receipt, subject, after)

    def _reverts_of(self, number: int) -> list[int]:
        return [revert for revert, undone in self.reverts.items() if undone == number]

    def _is_in_effect(self, number: int) -> bool:
        return not any(self._is_in_effect(n) for n in self._reverts_of(number))

    def _forget_and_remember(self, number: int, revert: int) -> None:
        """A claim whose last ending was a revert is new again; undoing that makes it known."""
        gone = {claim for claim, made in self.known.items() if made == number}
        self.known = {c: made for c, made in self.known.items() if c not in gone}
        self.known.update(dict.fromkeys(self.forgotten.pop(number, ()), revert))
        self.forgotten[revert] = gone

    def _some_fact(self, data: st.DataObject) -> tuple[str, str]:
        pairs = [(s, f) for s, facts in self.facts.items() for f in facts]
        return data.draw(st.sampled_from(pairs))

    def _act(
        self, subject: str, model: Callable[[], list[Assertion]], write: Correct | End | Retract
    ) -> None:
        oracle = self.oracles[subject]
        try:
            after = model()
        except Blocked:
            with pytest.raises(Refused):
                self.store.write(SCOPE, write)
            return
        if sorted(after, key=repr) == sorted(oracle.now, key=repr):
            with pytest.raises(Refused):
                self.store.write(SCOPE, write)
            return
        self._committed(self.store.write(SCOPE, write), subject, after)

    def _committed(self, receipt: Receipt, subject: str, after: list[Assertion]) -> None:
        assert receipt.transaction is not None
        self._note(receipt.transaction, subject)
        self.oracles[subject].commit(receipt.transaction, after)
        facts = {a.fact for a in after if a.is_fact}
        known = self.facts[subject]
        known += sorted(facts - set(known))

    # -- what must always hold ----------------------------------------------------------------

    @invariant()
    def reads_equal_the_definition(self) -> None:
        """The newest state reads as the definition says; older ones are looked at in the end."""
        if hasattr(self, "store"):
            self._compare(self.newest)

    def _compare(self, number: int) -> None:
        as_of = AsOf(known_at=self.recorded[number])
        lanes = self.store.lanes(SCOPE, LaneFilter(), as_of=as_of)
        bars = {lane.key.subject: lane.bars for lane in lanes}
        for subject, oracle in self.oracles.items():
            assertions = oracle.at(number)
            for instant in range(DAYS + 8):
                expected = held(assertions, instant)
                at = to_micros(day(instant))
                found = [
                    (bar.memory_id, bar.value)
                    for bar in bars.get(subject, ())
                    if bar.valid_from <= at and (bar.valid_to is None or at < bar.valid_to)
                ]
                wanted = [(expected.fact, f'"{expected.value}"')] if expected else []
                assert found == wanted, f"{subject} on day {instant} as of {number}"


def machine_for(make: Callable[[], Store]) -> type[LedgerMachine]:
    return type("Machine", (LedgerMachine,), {"make": staticmethod(make)})


SETTINGS = {
    "stateful_step_count": 18,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
}


FOLDER = TemporaryDirectory(prefix="ledger")
atexit.register(FOLDER.cleanup)
FILES = count()


def _sqlite() -> Store:
    path = Path(FOLDER.name) / f"{next(FILES)}.db"
    return open_store(path, create=True, durability="normal")


class TestSqlite(machine_for(_sqlite).TestCase):  # type: ignore[misc]
    settings = settings(max_examples=20, **SETTINGS)


class TestMemory(machine_for(lambda: open_store("memory:")).TestCase):  # type: ignore[misc]
    settings = settings(max_examples=60, **SETTINGS)
