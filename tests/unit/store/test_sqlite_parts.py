"""The short cuts of the SQLite store, each held equal to the long way."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.backends.filters import has_words
from store.backends.sqlite import codec, ledger, load, plain, records, sight, unit, words, writer
from store.backends.sqlite.gate import Gate
from store.backends.sqlite.library import driver, explained
from store.backends.sqlite.made import id_of, instant, made
from store.backends.sqlite.plain import fact_digest, key_committed
from store.contract import Scope
from store.entry import row_digest
from store.errors import Cancelled, Corrupt, Locked, NotAStore, ReadOnly, Stale, Unavailable
from store.ids import SYSTEM_ENTROPY, format_id
from store.ledger import Content, Key, Row
from store.model import (
    EpisodeDraft,
    EpisodeKind,
    Evidence,
    Fact,
    MemoryDelta,
    RowKind,
    Span,
)
from store.open import open_store
from store.query import FactQuery, Order
from store.temporal import EARLIEST, LATEST, AsOf, Basis, Precision, from_micros
from store.write import Capture, Change, Correct, Retract
from tests.conformance.scene import Clock, Entropy, day

if TYPE_CHECKING:
    from pathlib import Path

SCOPE = Scope("acme")
DAY0 = datetime(2026, 1, 1, tzinfo=UTC)


# -- identities and digests -----------------------------------------------------------------------


@given(at=st.integers(0, LATEST), noise=st.binary(min_size=10, max_size=10))
def test_ids_are_made_as_ids_are(at: int, noise: bytes) -> None:
    text, raw = id_of(at, noise)
    assert text == format_id(at, noise)
    assert raw == codec.pack_id(text)
    assert codec.unpack_id(raw) == text


@given(st.text() | st.uuids().map(str) | st.uuids().map(lambda u: str(u).upper()))
def test_any_identity_comes_back(identity: str) -> None:
    assert codec.unpack_id(codec.pack_id(identity)) == identity


@given(
    value=st.sampled_from(['"Porto"', "null", '{"a":1}']),
    span=st.none() | st.just(Span(start=1, end=4)),
    stated=st.none() | st.text(max_size=5),
    confidence=st.floats(0, 1),
    until=st.none() | st.integers(11, 20),
    supersedes=st.none() | st.just("earlier"),
    names=st.lists(st.sampled_from(["a", "ü", '"', "\\", "x y"]), min_size=4, max_size=4),
    basis=st.sampled_from(Basis),
    precision=st.sampled_from(Precision),
)
def test_the_digest_of_a_fact_is_that_of_its_row(
    value, span, stated, confidence, until, supersedes, names, basis, precision
) -> None:
    owner, subject, attribute, agent = names
    delta = MemoryDelta(
        tenant_id="acme",
        subject=subject,
        attribute=attribute,
        value=None,
        valid_from=DAY0,
        source_episode_id="e",
        confidence=confidence,
        owner=owner,
        span=span,
        stated_as=stated,
        valid_from_basis=basis,
        precision=precision,
    )
    content = Content(
        "m", value, "e", agent, None, confidence, supersedes, 3, "short", basis, precision, stated
    )
    if span is not None:
        content = replace(content, span=(span.start, span.end))
    key = Key("acme", owner, subject, attribute, "")
    row = Row(key, 10, RowKind.FACT, content, until, tx_from=7, secret=b"s" * 16)
    quoted = '"' + agent.replace("\\", "\\\\").replace('"', '\\"') + '"'
    claimed = (value, 10, until, 7, "m", supersedes, b"s" * 16)
    committed = key_committed(owner, subject, attribute, "")
    assert fact_digest(delta, committed, quoted, (3, "short"), claimed) == row_digest(row)


def test_models_are_made_as_they_are_constructed() -> None:
    values = {"memory_id": "m", "episode_id": "e", "span": None, "transaction": 1}
    quick = made(Evidence, dict(values), set(Evidence.model_fields))
    slow = Evidence.model_construct(**values)
    assert quick == slow
    assert quick.model_dump() == slow.model_dump()
    assert quick.model_copy(update={"transaction": 2}).transaction == 2
    assert hash(repr(quick)) == hash(repr(slow))
    with pytest.raises(Exception, match="frozen"):
        quick.transaction = 2


@given(st.integers(EARLIEST, LATEST))
def test_instants_are_those_of_the_model(micros: int) -> None:
    assert instant(micros) == from_micros(micros)


# -- plain writes ---------------------------------------------------------------------------------


class _Twins:
    """Two stores on the same seeds: one takes short ways, one never does."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = Clock(day(100))
        self.stores = [
            open_store(folder / f"{n}.db", create=True, clock=self.clock, entropy=Entropy("twins"))
            for n in range(2)
        ]
        self._patch = monkeypatch

    def write(self, write: object) -> object:
        answers = [self.stores[0].write(SCOPE, write)]
        with self._patch.context() as patch:
            patch.setattr("store.backends.sqlite.backend.plain_change", lambda *_, **__: None)
            answers.append(self.stores[1].write(SCOPE, write))
        assert answers[0] == answers[1]
        assert self.stores[0].head(SCOPE) == self.stores[1].head(SCOPE)
        return answers[0]

    def close(self) -> None:
        for store in self.stores:
            assert store.check(full=True).is_clean
            store.close()


def _delta(value: object, start: float, **more: object) -> MemoryDelta:
    fields = {"subject": "mira", "attribute": "city", "source_episode_id": "e", **more}
    return MemoryDelta(tenant_id="acme", value=value, valid_from=day(start), **fields)


def test_a_plain_write_is_what_the_acts_would_have_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twins = _Twins(tmp_path, monkeypatch)
    draft = EpisodeDraft(
        episode_id="e", kind=EpisodeKind.MESSAGE, content="They said", occurred_at=DAY0
    )
    twins.write(Capture(episode=draft))
    for write in (
        Change(delta=_delta("A", 10)),
        Change(delta=_delta("B", 20), reason="heard"),
        Change(delta=_delta("C", 15, span=Span(start=1, end=3), confidence=0.5)),
        Change(delta=_delta("D", 5, stated_as="long ago", precision=Precision.YEAR)),
        Change(delta=_delta({"ü": [1.5, None]}, 25, owner="bot")),
        Change(delta=_delta("S", 26, span=Span(start=0, end=9), memory_type="fact")),
        Change(delta=_delta("new key", 1, subject="jonas")),
        Change(delta=_delta("D", 7)),  # a restatement: not plain
        Change(delta=_delta("X", 10)),  # a conflict: not plain
        Change(delta=_delta("Y", 30)),  # nor is anything on a contested key
        Change(delta=_delta("A", 10, subject="jonas", until=day(12))),
        Change(delta=_delta("B", 14, subject="jonas")),
    ):
        twins.write(write)
    fact = twins.stores[0].read(SCOPE, "jonas", "city")[0]
    twins.write(Correct(memory_id=fact.memory_id, value="C", episode_id="e", reason="so"))
    twins.write(Change(delta=_delta("D", 40, subject="jonas")))
    fact = twins.stores[0].read(SCOPE, "mira", "city")[0]
    twins.write(Retract(memory_id=fact.memory_id, gap=True, episode_id="e", reason="so"))
    twins.write(Change(delta=_delta("Z", 90)))
    twins.close()


def test_what_agents_write_at_every_turn_is_plain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the system's clock and source of ids, and with a test's."""

    def decides(*_: object, **__: object) -> None:
        raise AssertionError("the acts were asked")

    draft = EpisodeDraft(episode_id="e", kind=EpisodeKind.MESSAGE, content="x", occurred_at=DAY0)
    for number, options in enumerate(({}, {"clock": Clock(day(9)), "entropy": Entropy("x")})):
        with open_store(tmp_path / f"{number}.db", create=True, **options) as store:
            store.write(SCOPE, Capture(episode=draft))
            store.write(SCOPE, Change(delta=_delta("A", 10)))
            with monkeypatch.context() as patch:
                patch.setattr(store, "_written", decides)
                for instant_, value in enumerate(("B", 2.5, None, ["C"], {"ü": 1}), 11):
                    store.write(SCOPE, Change(delta=_delta(value, instant_)))
                store.write(SCOPE, Change(delta=_delta("D", 1), reason="heard"))
                store.write(SCOPE, Change(delta=_delta("E", 5, stated_as="then")))
                store.write(SCOPE, Change(delta=_delta("F", 1, subject="jonas")))
            facts = {v.memory_id for v in store.versions(SCOPE, subject="mira")}
            secrets = _secrets(tmp_path / f"{number}.db")
            assert len(facts) == 8
            assert len(set(secrets)) == len(secrets)
            assert {len(secret) for secret in secrets} == {16}
            assert store.check(full=True).is_clean


def _secrets(path: Path) -> list[bytes]:
    connection = driver.connect(str(path))
    found = connection.execute("SELECT secret FROM fact UNION ALL SELECT secret FROM tx").fetchall()
    connection.close()
    return [secret for (secret,) in found]


def test_what_is_wrong_with_a_plain_write_is_said_as_ever(tmp_path: Path) -> None:
    errors = []
    for store in (
        open_store("memory:", clock=Clock(day(9)), entropy=Entropy("x")),
        open_store(tmp_path / "x.db", create=True, clock=Clock(day(9)), entropy=Entropy("x")),
    ):
        draft = EpisodeDraft(
            episode_id="e", kind=EpisodeKind.MESSAGE, content="short", occurred_at=DAY0
        )
        store.write(SCOPE, Capture(episode=draft))
        store.write(SCOPE, Change(delta=_delta("A", 1)))
        said = []
        for delta in (
            _delta("B", 2, source_episode_id="none"),
            _delta("B", 2, span=Span(start=1, end=99)),
            _delta("B", 2, memory_type="other"),
            _delta(float("nan"), 2),
            _delta("\ud800", 2),
            _delta("B", 2).model_copy(update={"tenant_id": "other"}),
        ):
            with pytest.raises(Exception) as refusal:  # noqa: PT011
                store.write(SCOPE, Change(delta=delta))
            said.append((type(refusal.value), str(refusal.value)))
        assert store.head(SCOPE).number == 2
        errors.append(said)
        store.close()
    assert errors[0] == errors[1]


# -- loads ----------------------------------------------------------------------------------------


def test_a_load_of_what_comes_in_turn_is_what_the_long_way_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deltas = [
        _delta(value, start, subject=subject)
        for subject in ("a", "b", "c")
        for start, value in enumerate((subject, "x", "y", "x" if subject == "b" else "y"))
    ]
    deltas += [_delta("one", 3, subject="d"), _delta("until", 4, subject="e", until=day(5))]
    heads = []
    for is_short in (True, False):
        with monkeypatch.context() as patch:
            if not is_short:
                patch.setattr(load.BatchLoad, "_in_turn", lambda *_: False)
            options = {"clock": Clock(day(9)), "entropy": Entropy("x")}
            with open_store(tmp_path / f"{is_short}.db", create=True, **options) as store:
                draft = EpisodeDraft(
                    episode_id="e", kind=EpisodeKind.MESSAGE, content="x", occurred_at=DAY0
                )
                store.write(SCOPE, Capture(episode=draft))
                store.write(SCOPE, Change(delta=_delta("older", -1, subject="c")))
                report = store.load(SCOPE, random.Random(2).sample(deltas, len(deltas)))
                assert report.applied == len(deltas)
                assert store.check(full=True).is_clean
                heads.append((report, store.head(SCOPE)))
    assert heads[0] == heads[1]


def test_a_load_that_finds_its_place_taken_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = load._Inserts.add

    def add_twice(inserts: load._Inserts, *row: object) -> None:
        add(inserts, *row)
        add(inserts, *row)

    draft = EpisodeDraft(episode_id="e", kind=EpisodeKind.MESSAGE, content="x", occurred_at=DAY0)
    deltas = [_delta(f"{n}", n, subject=f"s{n % 7}") for n in range(500)]
    with open_store(tmp_path / "x.db", create=True) as store:
        store.write(SCOPE, Capture(episode=draft))
        store.write(SCOPE, Change(delta=_delta("A", 1)))
        head = store.head(SCOPE)
        with monkeypatch.context() as patch:
            patch.setattr(load._Inserts, "add", add_twice)
            with pytest.raises(Stale, match="Nothing was written"):
                store.load(SCOPE, deltas)
        assert store.head(SCOPE) == head
        assert store.check(full=True).is_clean
        assert store.load(SCOPE, deltas).applied == 500
        assert store.check(full=True).is_clean


def test_bytes_drawn_together_are_those_drawn_one_by_one() -> None:
    together, apart = load.Draws(Entropy("x")), load.Draws(Entropy("x"))
    assert together.several(5, 16) == [apart(16) for _ in range(5)]
    drawn = load.Draws(SYSTEM_ENTROPY).several(9000, 10)
    assert {len(noise) for noise in drawn} == {10}
    assert len(set(map(bytes, drawn))) == 9000


# -- reads on a key of many versions --------------------------------------------------------------


@pytest.mark.parametrize("is_common", [True, False])
def test_what_was_believed_on_a_busy_key_is_what_the_reference_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_common: bool
) -> None:
    """With milestones at nearly every write, or as rare as they are."""
    if is_common:
        monkeypatch.setattr(writer, "is_milestone", lambda _, number: number % 2 == 0)
        monkeypatch.setattr("store.backends.sqlite.plain.is_milestone", lambda _, n: n % 3 == 0)
    rng = random.Random(3)
    clock = Clock(day(1000))
    stores = [
        open_store("memory:", clock=clock, entropy=Entropy("busy")),
        open_store(tmp_path / "x.db", create=True, clock=clock, entropy=Entropy("busy")),
    ]
    draft = EpisodeDraft(episode_id="e", kind=EpisodeKind.MESSAGE, content="x", occurred_at=DAY0)
    writes: list[object] = [Capture(episode=draft)]
    writes += [Change(delta=_delta(n, rng.randrange(500))) for n in range(150)]
    for number, write in enumerate(writes):
        receipts = [store.write(SCOPE, write) for store in stores]
        assert receipts[0] == receipts[1]
        if number % 40 == 39:
            loaded = [_delta(f"{number} {n}", rng.randrange(500)) for n in range(30)]
            reports = [store.load(SCOPE, loaded) for store in stores]
            assert reports[0] == reports[1]
    times = [t.recorded_at for t in stores[0].transactions(SCOPE).items]
    for _ in range(400):
        known_at = rng.choice(times) + timedelta(microseconds=rng.choice((-1, 0)))
        as_of = AsOf(day(rng.randrange(510)), rng.choice((known_at, None)))
        found = [store.read(SCOPE, "mira", "city", as_of) for store in stores]
        assert found[0] == found[1]
    assert stores[1].check(full=True).is_clean
    for store in stores:
        store.close()


def test_a_fact_that_is_read_is_a_fact(tmp_path: Path) -> None:
    with open_store(tmp_path / "x.db", create=True) as store:
        draft = EpisodeDraft(
            episode_id="e", kind=EpisodeKind.MESSAGE, content="x", occurred_at=DAY0
        )
        store.write(SCOPE, Capture(episode=draft))
        store.write(SCOPE, Change(delta=_delta("Porto", 1)))
        (fact,) = store.read(SCOPE, "mira", "city")
    assert Fact.model_validate(fact.model_dump()) == fact
    assert Fact.model_validate_json(fact.model_dump_json()) == fact


# -- the text index -------------------------------------------------------------------------------


@given(st.text(max_size=40), st.text(max_size=40))
def test_what_the_index_is_asked_holds_wherever_the_words_do(words_asked: str, text: str) -> None:
    asked = words.trigrams(words_asked)
    if asked is None or not has_words(words_asked, text):
        return
    document = words.document(text)
    parts = [part.replace('""', '"') for part in asked[1:-1].split('" "')]
    assert all(part in document for part in parts)


def _told(number: int) -> MemoryDelta:
    episode = f"e{number}"
    return _delta(f"ÉTÉ {number}", number, subject=f"s{number}", source_episode_id=episode)


def test_the_index_follows_behind_and_nothing_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "ROWS_BEHIND", 5)
    monkeypatch.setattr(words, "EPISODES_BEHIND", 5)
    path = tmp_path / "x.db"
    with open_store(path, create=True) as store:
        for number in range(20):
            draft = EpisodeDraft(
                episode_id=f"e{number}",
                kind=EpisodeKind.MESSAGE,
                content=f"Número {number} straße",
                occurred_at=DAY0,
            )
            store.write(SCOPE, Capture(episode=draft))
            store.write(SCOPE, Change(delta=_told(number)))
            assert len(store.search(SCOPE, "été", limit=100)) == number + 1
            assert len(store.search(SCOPE, "NÚMERO STRASSE", limit=100)) == number + 1
        with open_store(path, read_only=True) as reader:
            assert len(reader.search(SCOPE, "été 1", limit=100)) == 11
    connection = driver.connect(str(path))
    assert connection.execute("SELECT number FROM indexed").fetchone()[0] > 20
    connection.close()


# -- the gate -------------------------------------------------------------------------------------


def test_the_gate_lets_one_in_at_a_time_and_queues_the_others(tmp_path: Path) -> None:
    gates = [Gate(tmp_path / "gate", 20.0) for _ in range(3)]
    gates[0].enter()
    order: list[int] = []

    def pass_through(number: int) -> None:
        gates[number].enter()
        order.append(number)
        gates[number].leave()

    threads = [threading.Thread(target=pass_through, args=(n,)) for n in (1, 2)]
    for thread in threads:
        thread.start()
    assert order == []
    gates[0].leave()
    for thread in threads:
        thread.join(20)
    assert sorted(order) == [1, 2]
    for gate in gates:
        gate.close()


def test_a_gate_that_is_given_up_passes_its_turn_on(tmp_path: Path) -> None:
    holder, hasty, patient = (Gate(tmp_path / "gate", s) for s in (1.0, 0.05, 20.0))
    holder.enter()
    with pytest.raises(Unavailable, match="Another program"):
        hasty.enter()
    holder.leave()
    patient.enter()
    patient.leave()
    hasty.enter()
    hasty.leave()
    for gate in (holder, hasty, patient):
        gate.close()


def test_where_no_gate_can_be_made_sqlites_own_lock_serves(tmp_path: Path) -> None:
    gate = Gate(tmp_path / "no" / "gate")
    gate.enter()
    gate.leave()
    gate.close()


# -- what the driver says -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (5, Locked),
        (261, Locked),
        (6, Locked),
        (8, ReadOnly),
        (9, Cancelled),
        (10, Unavailable),
        (266, Unavailable),
        (11, Corrupt),
        (13, Unavailable),
        (14, Unavailable),
        (26, NotAStore),
    ],
)
def test_every_error_of_the_driver_is_a_sentence(code: int, kind: type) -> None:
    error = driver.OperationalError("said so")
    error.sqlite_errorcode = code
    found = explained(error, "/x.db")
    assert type(found) is kind
    assert str(found).endswith(".")


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("database is locked", Locked),
        ("attempt to write a readonly database", ReadOnly),
        ("interrupted", Cancelled),
        ("database disk image is malformed", Corrupt),
        ("database or disk is full", Unavailable),
        ("file is not a database", NotAStore),
        ("Could not decode to UTF-8 column 'value'", Corrupt),
    ],
)
def test_a_driver_without_codes_is_understood_by_its_words(said: str, kind: type) -> None:
    assert type(explained(driver.OperationalError(said), "/x.db")) is kind


def test_what_is_not_the_drivers_is_a_bug() -> None:
    assert explained(ValueError("no"), "/x.db") is None
    assert explained(driver.OperationalError("no such table: x"), "/x.db") is None


def test_the_plans_of_hot_statements_seek(tmp_path: Path) -> None:
    """No statement of an agent's turn walks a table, and ids are found by their own index."""
    path = tmp_path / "x.db"
    open_store(path, create=True).close()
    connection = driver.connect(str(path))
    for statement in (
        sight.PLAINLY,
        sight.PLAINLY_THEN,
        sight.HELD,
        sight.HELD_THEN,
        sight.ROW,
        sight.ROW_THEN,
        plain._LOOK,
        ledger._HEAD,
        ledger._KEY,
        unit._KEY_OF,
        unit._UP_TO,
        unit._AFTER,
        unit._REACHING,
        unit._VERSIONS_AT,
        records._KEY_IDS_OF,
    ):
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", (0,) * _bound(statement))
        lines = [row[3] for row in plan.fetchall()]
        assert not [line for line in lines if line.startswith("SCAN") and "CONSTANT" not in line], (
            statement,
            lines,
        )
        assert not [line for line in lines if "fact_feed" in line], (statement, lines)
    connection.close()


def _bound(statement: str) -> int:
    numbered = [int(part[0]) for part in statement.split("?")[1:] if part[:1].isdigit()]
    return max(numbered) if numbered else statement.count("?")


def test_the_order_of_names_is_that_of_code_points(tmp_path: Path) -> None:
    names = ["a", "B", "Z", "é", "z", "😀", "ﬀ", "a b"]
    with open_store(tmp_path / "x.db", create=True) as store:
        draft = EpisodeDraft(
            episode_id="e", kind=EpisodeKind.MESSAGE, content="x", occurred_at=DAY0
        )
        store.write(SCOPE, Capture(episode=draft))
        for name in names:
            store.write(SCOPE, Change(delta=_delta("x", 1, subject=name)))
        found = [f.subject for f in store.facts(SCOPE, FactQuery(), order=Order()).items]
    assert found == sorted(names)


def test_the_log_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.backends.sqlite.connection.WAL_PAGES", 50)
    path = tmp_path / "x.db"
    with open_store(path, create=True, durability="normal") as store:
        draft = EpisodeDraft(
            episode_id="e", kind=EpisodeKind.MESSAGE, content="x", occurred_at=DAY0
        )
        store.write(SCOPE, Capture(episode=draft))
        for number in range(300):
            store.write(SCOPE, Change(delta=_delta(number, number)))
            assert store.read(SCOPE, "mira", "city", AsOf(day(number)))
        assert path.with_name("x.db-wal").stat().st_size < 120 * 4200
    assert not path.with_name("x.db-wal").exists()
