"""What the SQLite store costs, as ratios to the least that SQLite and the disk could do.

    bash packaging/bench.sh store [--sizes 10000,100000] [--folder DIR] [--no-writers]

Everything is measured in one run, each pair of operations alternating in one loop, so that a busy
machine hits both. *Alone* is the backend without what the whole path adds: rows, derived ends and
transactions, but no evidence, no chain and salts, no full text, no models. Ratios are of medians.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from store.backends.sqlite import connection, load, plain  # noqa: E402
from store.backends.sqlite.library import driver  # noqa: E402
from store.backends.sqlite.words import catch_up  # noqa: E402
from store.contract import Scope  # noqa: E402
from store.model import EpisodeDraft, EpisodeKind, MemoryDelta  # noqa: E402
from store.open import open_store  # noqa: E402
from store.temporal import AsOf, from_micros, to_micros  # noqa: E402
from store.write import Capture, Change  # noqa: E402
from tests.support import find_shared  # noqa: E402

SCOPE = Scope("acme")
DAY0 = datetime(2020, 1, 1, tzinfo=UTC)
BATCH = 50_000
VERSIONS = 10
HOT_VERSIONS = 100_000

Table = dict[str, dict[int, str]]

GOALS = {
    "write NORMAL, alone / bare commit": "≤ 5",
    "write NORMAL, whole / bare commit": "≤ 8",
    "write FULL, alone / bare commit": "≤ 1.4",
    "write FULL, whole / bare commit": "≤ 2.5",
    "read as of, alone / bare lookup": "≤ 1.1",
    "read as believed, alone / bare lookup": "≤ 1.1",
    "read now, whole / bare lookup": "≤ 5",
    "read as of, whole / bare lookup": "≤ 5",
    "read as believed, whole / bare lookup": "≤ 5",
    "hot key: as of, alone / bare lookup": "≤ 1.1",
    "hot key: as believed, alone / bare lookup": "≤ 1.1",
    "hot key: as believed, whole / bare lookup": "≤ 5",
    "load, alone: speed of raw executemany": "≥ 0.5",
    "load, whole: speed of raw executemany": "≥ 0.15",
    "bytes a version, without text": "≤ 300",
    "article's write / ours, NORMAL": "≥ 1000 at 10⁶",
}


def main() -> None:
    """Measure and print."""
    arguments = _arguments()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    print(f"SQLite {driver.sqlite_version} by {driver.__name__}, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="bench-store-") as name:
        folder = Path(name)
        print(f"fdatasync of 4 KiB in {folder.parent}: {_micros(_sync_time(folder))}")
        table: Table = {}
        for size in sizes:
            place = folder / str(size)
            place.mkdir()
            _measure(place, size, table, is_last=size == max(sizes))
        if not arguments.no_writers:
            _measure_writers(folder, table, max(sizes))
    _print(table, sizes)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10000,100000,1000000", help="numbers of facts")
    parser.add_argument("--folder", default=None, help="where to write; the disk is measured")
    parser.add_argument("--no-writers", action="store_true", help="without the eight processes")
    return parser.parse_args()


def _print(table: Table, sizes: Sequence[int]) -> None:
    width = max(map(len, table))
    print(f"\n{'':{width}}  {''.join(f'{size:>14,}' for size in sizes)}   goal")
    for name, row in table.items():
        cells = "".join(f"{row.get(size, ''):>14}" for size in sizes)
        print(f"{name:{width}}  {cells}   {GOALS.get(name, '')}")


def _micros(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f} µs"


class Timer:
    """Times of several operations that alternate in one loop."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}

    def run(self, name: str, operation: Callable[[], object]) -> None:
        began = time.perf_counter()
        operation()
        self.times.setdefault(name, []).append(time.perf_counter() - began)

    def median(self, name: str) -> float:
        return statistics.median(self.times[name])

    def ratio(self, name: str, to: str) -> str:
        return f"{self.median(name) / self.median(to):.2f}"


def _note(table: Table, name: str, size: int, value: str) -> None:
    table.setdefault(name, {})[size] = value


def _sync_time(folder: Path) -> float:
    path = folder / "sync"
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    os.write(file, bytes(4096))
    timer = Timer()
    for _ in range(200):
        os.pwrite(file, os.urandom(4096), 0)
        timer.run("sync", lambda: os.fdatasync(file))
    os.close(file)
    return timer.median("sync")


# -- what is written ------------------------------------------------------------------------------


def _delta(subject: str, number: int, version: int) -> MemoryDelta:
    return MemoryDelta(
        tenant_id="acme",
        subject=subject,
        attribute="home_city",
        value=f"value {version} of {number}",
        valid_from=DAY0 + timedelta(days=version, seconds=number),
        source_episode_id="e1",
    )


def _batches(size: int) -> Iterator[list[MemoryDelta]]:
    """Yield the facts of a size, key by key, a batch at a time."""
    batch: list[MemoryDelta] = []
    for key in range(size // VERSIONS):
        batch += [_delta(f"subject-{key:07}", key, version) for version in range(VERSIONS)]
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _subject(rng: random.Random, size: int) -> str:
    return f"subject-{rng.randrange(size // VERSIONS):07}"


def _episode(name: str) -> EpisodeDraft:
    return EpisodeDraft(
        episode_id=name, kind=EpisodeKind.MESSAGE, content="They said so.", occurred_at=DAY0
    )


# -- one size -------------------------------------------------------------------------------------


def _measure(folder: Path, size: int, table: Table, *, is_last: bool) -> None:
    print(f"… {size:,} facts", flush=True)
    path = folder / "store.db"
    _measure_load(folder, path, size, table)
    _measure_size(path, size, table)
    bare = _bare(folder, size)
    alone = _alone(folder, path)
    for durability in ("normal", "full"):
        _measure_writes(path, bare, alone, size, durability, table)
    _measure_parts(path, size, table)
    _measure_reads(path, bare, alone, size, table)
    _measure_text(path, size, table)
    if size == HOT_VERSIONS or (is_last and size < HOT_VERSIONS):
        _measure_hot_key(folder, bare, size, table)
    _measure_article(folder, path, size, table)
    alone.close()
    bare.close()


def _measure_load(folder: Path, path: Path, size: int, table: Table) -> None:
    raw = driver.connect(str(folder / "raw.db"), isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = NORMAL")
    raw.execute(
        "CREATE TABLE f (tenant TEXT, subject TEXT, attribute TEXT, value TEXT, "
        "valid_from INTEGER, until INTEGER, episode TEXT, recorded_at INTEGER)"
    )
    alone = driver.connect(str(folder / "alone-load.db"), isolation_level=None)
    _make_alone(alone, folder / "alone-model.db")
    spent = dict.fromkeys(("raw", "alone", "whole", "raw cpu", "whole cpu"), 0.0)

    @contextmanager
    def timed(name: str) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        spent[name] += time.perf_counter() - wall
        if f"{name} cpu" in spent:
            spent[f"{name} cpu"] += time.process_time() - cpu

    with open_store(path, create=True, durability="normal") as store:
        store.write(SCOPE, Capture(episode=_episode("e1")))
        store.write(SCOPE, Change(delta=_delta("first", 0, 0)))
        key_id = 0
        for number, batch in enumerate(_batches(size), 3):
            tuples = [_raw_row(delta) for delta in batch]
            keys, rows, key_id = _alone_rows(batch, number, key_id)
            with timed("raw"):
                raw.execute("BEGIN")
                raw.executemany("INSERT INTO f VALUES (?, ?, ?, ?, ?, ?, ?, ?)", tuples)
                raw.execute("COMMIT")
            with timed("alone"):
                _load_alone(alone, number, keys, rows)
            with timed("whole"):
                store.load(SCOPE, batch)
    raw.close()
    alone.close()
    _note(table, "raw executemany, µs a row", size, f"{spent['raw'] / size * 1e6:.2f}")
    _note(table, "load, whole, µs a row", size, f"{spent['whole'] / size * 1e6:.1f}")
    for name in ("alone", "whole"):
        ratio = spent["raw"] / spent[name]
        _note(table, f"load, {name}: speed of raw executemany", size, f"{ratio:.2f}")
    ratio = spent["raw cpu"] / spent["whole cpu"]
    _note(table, "  the same by CPU time, whole", size, f"{ratio:.2f}")


def _raw_row(delta: MemoryDelta) -> tuple[Any, ...]:
    begins = to_micros(delta.valid_from)
    names = delta.tenant_id, delta.subject, delta.attribute, str(delta.value)
    return (*names, begins, 0, delta.source_episode_id, begins)


def _measure_size(path: Path, size: int, table: Table) -> None:
    connection = driver.connect(str(path), isolation_level=None)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    used = _used(connection)
    text = connection.execute("SELECT sum(length(value)) FROM fact").fetchone()[0]
    text += connection.execute(
        "SELECT sum(length(subject) + length(attribute)) FROM key"
    ).fetchone()[0]
    _note(table, "bytes a version, without text", size, f"{(used - text) / size:.0f}")
    connection.execute("BEGIN")
    for name, index in (
        ("evidence", "fact_episode"),
        ("identity", "fact_memory"),
        ("journal", "fact_feed"),
        ("live-unique guard", "fact_live"),
    ):
        before = _used(connection)
        connection.execute(f"DROP INDEX {index}")
        gone = before - _used(connection)
        _note(table, f"  of it, index for {name}", size, f"{gone / size:.0f}")
    connection.execute("ROLLBACK")
    _note(table, "  of it, salt", size, "16")
    connection.close()


def _used(connection: Any) -> int:
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    free = connection.execute("PRAGMA freelist_count").fetchone()[0]
    return int((pages - free) * connection.execute("PRAGMA page_size").fetchone()[0])


# -- the least that could be done -----------------------------------------------------------------


def _bare(folder: Path, size: int) -> Any:
    """Make a table of one row a commit, and a primary key over three text columns."""
    bare = driver.connect(str(folder / "bare.db"), isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("CREATE TABLE one (id INTEGER PRIMARY KEY, value TEXT)")
    bare.execute(
        "CREATE TABLE three (tenant TEXT, subject TEXT, attribute TEXT, value TEXT, "
        "PRIMARY KEY (tenant, subject, attribute)) WITHOUT ROWID"
    )
    rows = (
        ("acme", f"subject-{key:07}", f"attribute-{version}", f"value {version} of {key}")
        for key in range(size // VERSIONS)
        for version in range(VERSIONS)
    )
    bare.execute("BEGIN")
    bare.executemany("INSERT INTO three VALUES (?, ?, ?, ?)", rows)
    bare.execute("COMMIT")
    bare.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return bare


def _bare_commit(bare: Any) -> None:
    bare.execute("BEGIN IMMEDIATE")
    bare.execute("INSERT INTO one (value) VALUES (?)", ("value 1 of 2",))
    bare.execute("COMMIT")


def _bare_lookup(bare: Any, subject: str, version: int) -> Any:
    return bare.execute(
        "SELECT value FROM three WHERE tenant = ? AND subject = ? AND attribute = ?",
        ("acme", subject, f"attribute-{version}"),
    ).fetchone()


def _make_alone(connection: Any, model: Path) -> None:
    """Make the backend's own tables without what the whole path adds."""
    open_store(model, create=True).close()
    source = driver.connect(str(model), isolation_level=None)
    wanted = ("key", "fact", "tx", "milestone", "fact_live", "fact_feed")
    statements = {
        name: sql
        for name, sql in source.execute("SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL")
        if name in wanted
    }
    source.close()
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    for name in wanted:
        connection.execute(statements[name].replace("secret BLOB NOT NULL", "secret BLOB"))


def _alone(folder: Path, path: Path) -> Any:
    """Copy the store's own rows into the tables of the backend alone."""
    alone = driver.connect(str(folder / "alone.db"), isolation_level=None, cached_statements=64)
    _make_alone(alone, folder / "alone-model-2.db")
    alone.execute(f"ATTACH '{path}' AS whole")
    alone.execute("BEGIN")
    for table in ("key", "tx"):
        alone.execute(f"INSERT INTO main.{table} SELECT * FROM whole.{table}")
    columns = "key_id, valid_from, tx_from, tx_to, kind, tenant_no, until, value, episode_no"
    alone.execute(f"INSERT INTO main.fact ({columns}) SELECT {columns} FROM whole.fact")
    alone.execute("INSERT INTO main.milestone SELECT * FROM whole.milestone")
    alone.execute("COMMIT")
    alone.execute("DETACH whole")
    alone.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    alone.execute("PRAGMA wal_autocheckpoint = 4000")
    return alone


def _alone_rows(
    batch: Sequence[MemoryDelta], number: int, key_id: int
) -> tuple[list[tuple[Any, ...]], list[Any], int]:
    keys: list[tuple[Any, ...]] = []
    rows: list[Any] = []
    for version, delta in enumerate(batch):
        if version % VERSIONS == 0:
            key_id += 1
            keys.append((key_id, 1, delta.subject, delta.attribute, "", "", number))
        rows += (key_id, to_micros(delta.valid_from), str(delta.value), 1)
    return keys, rows, key_id


def _load_alone(
    connection: Any, number: int, keys: Sequence[tuple[Any, ...]], rows: list[Any]
) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(_ALONE_TX, (number, number))
    connection.executemany("INSERT INTO key VALUES (?, ?, ?, ?, ?, ?, ?)", keys)
    start = (
        "INSERT INTO fact (key_id, valid_from, tx_from, kind, tenant_no, value, episode_no) VALUES "
    )
    row = f"(?, ?, {number}, 0, 1, ?, ?)"
    for first in range(0, len(rows), 800):
        values = rows[first : first + 800]
        connection.execute(start + ", ".join([row] * (len(values) // 4)), values)
    connection.execute("COMMIT")


_ALONE_TX = (
    "INSERT INTO tx (tenant_no, number, recorded_at, kind, actor_no, tool_no, entries, total, "
    "digest, secret) VALUES (1, ?, ?, 1, 1, 1, 1, 1, x'', x'')"
)
_ALONE_LOOK = """
SELECT (SELECT number FROM tx WHERE tenant_no = 1 ORDER BY number DESC LIMIT 1),
  (SELECT key_id FROM key WHERE tenant_no = 1 AND subject = ? AND attribute = ? AND owner = ''
   AND slot = '')"""
_ALONE_NEAR = """
SELECT valid_from, value FROM fact NOT INDEXED
WHERE key_id = ? AND valid_from <= ? AND tx_to IS NULL ORDER BY valid_from DESC LIMIT 1"""
_ALONE_FACT = (
    "INSERT INTO fact (key_id, valid_from, tx_from, kind, tenant_no, value, episode_no) "
    "VALUES (?, ?, ?, 0, 1, ?, 1)"
)
_ALONE_READ = """
SELECT f.value, f.kind, (SELECT n.valid_from FROM fact n NOT INDEXED
    WHERE n.key_id = f.key_id AND n.valid_from > f.valid_from AND n.tx_to IS NULL
    ORDER BY n.valid_from LIMIT 1)
FROM key k CROSS JOIN fact f NOT INDEXED ON f.key_id = k.key_id
WHERE k.tenant_no = 1 AND k.subject = ?1 AND k.attribute = ?2 AND k.owner = '' AND k.slot = ''
  AND f.valid_from <= ?3 AND f.tx_to IS NULL ORDER BY f.valid_from DESC LIMIT 1"""
_REACHED = """ifnull((SELECT m.hi FROM milestone m WHERE m.key_id = k.key_id AND m.tx_from >= ?4
    ORDER BY m.tx_from LIMIT 1), 9223372036854775807)"""
_ALONE_BELIEVED = f"""
SELECT f.value, f.kind, (SELECT n.valid_from FROM fact n NOT INDEXED
    WHERE n.key_id = f.key_id AND n.valid_from > f.valid_from AND n.valid_from <= {_REACHED}
      AND n.tx_from <= ?4 AND (n.tx_to IS NULL OR n.tx_to > ?4) ORDER BY n.valid_from LIMIT 1)
FROM key k CROSS JOIN fact f NOT INDEXED ON f.key_id = k.key_id
WHERE k.tenant_no = 1 AND k.subject = ?1 AND k.attribute = ?2 AND k.owner = '' AND k.slot = ''
  AND f.valid_from <= min(?3, {_REACHED})
  AND f.tx_from <= ?4 AND (f.tx_to IS NULL OR f.tx_to > ?4) ORDER BY f.valid_from DESC LIMIT 1"""


def _write_alone(alone: Any, delta: MemoryDelta, begins: int) -> None:
    alone.execute("BEGIN IMMEDIATE")
    place = delta.subject, delta.attribute
    number, key_id = alone.execute(_ALONE_LOOK, place).fetchone()
    found = alone.execute(_ALONE_NEAR, (key_id, begins)).fetchone()
    assert found is None or found[0] < begins
    alone.execute(_ALONE_TX, (number + 1, begins))
    alone.execute(_ALONE_FACT, (key_id, begins, number + 1, str(delta.value)))
    alone.execute("COMMIT")


# -- single writes and reads ----------------------------------------------------------------------


def _measure_writes(
    path: Path, bare: Any, alone: Any, size: int, durability: str, table: Table
) -> None:
    rng = random.Random(size)
    count = 2000 if durability == "normal" else 200
    for each in (bare, alone):
        each.execute(f"PRAGMA synchronous = {durability}")
    offset = 1000 if durability == "normal" else 5000
    timer = Timer()
    with open_store(path, durability=durability) as store:
        if durability == "full":
            # A log that still grows makes each sync dearer; let all three logs come round first.
            for each in (bare, alone, store._database._writer):  # type: ignore[attr-defined]
                each.execute("PRAGMA wal_autocheckpoint = 200")
            for number in range(count):
                delta = _delta(_subject(rng, size), number, offset + 1000 + number)
                _bare_commit(bare)
                _write_alone(alone, delta, to_micros(delta.valid_from))
                store.write(SCOPE, Change(delta=delta))
        for number in range(count):
            delta = _delta(_subject(rng, size), number, offset + number)
            begins = to_micros(delta.valid_from)
            timer.run("bare", lambda: _bare_commit(bare))
            timer.run("alone", lambda d=delta, b=begins: _write_alone(alone, d, b))
            timer.run("whole", lambda d=delta: store.write(SCOPE, Change(delta=d)))
    name = durability.upper()
    _note(table, f"write {name}, bare commit", size, _micros(timer.median("bare")))
    _note(table, f"write {name}, whole", size, _micros(timer.median("whole")))
    for which in ("alone", "whole"):
        ratio = timer.ratio(which, "bare")
        _note(table, f"write {name}, {which} / bare commit", size, ratio)


WRITE_PARTS = {
    "waiting and beginning": (connection.Database, "_begin"),
    "looking at what is there": (plain, "_look"),
    "digest of the row, salted": (plain, "fact_digest"),
    "the transaction, sealed": (plain, "_insert_header"),
    "the row in its five trees": (plain, "_insert_row"),
    "what was done, told": (plain, "_receipt"),
}
LOAD_PARTS = {
    "reading the deltas": (load.BatchLoad, "_read"),
    "ids": (load.BatchLoad, "_new_ids"),
    "digests of rows, salted": (load, "fact_digest"),
    "rows in their five trees": (load._Inserts, "_insert_shape"),
}


@contextmanager
def _parts(parts: dict[str, tuple[Any, str]], timer: Timer) -> Iterator[None]:
    """Time functions while the block runs."""
    kept = [(owner, name, getattr(owner, name)) for owner, name in parts.values()]
    for part, (owner, name, function) in zip(parts, kept, strict=True):
        setattr(owner, name, _timed(part, function, timer))
    try:
        yield
    finally:
        for owner, name, function in kept:
            setattr(owner, name, function)


def _timed(part: str, function: Any, timer: Timer) -> Any:
    def timed(*arguments: Any, **named: Any) -> Any:
        began = time.perf_counter()
        try:
            return function(*arguments, **named)
        finally:
            timer.times.setdefault(part, []).append(time.perf_counter() - began)

    return timed


def _measure_parts(path: Path, size: int, table: Table) -> None:
    """Time the parts of a write, and of a load; timing makes each a little dearer."""
    rng = random.Random(1)
    timer = Timer()
    with open_store(path, durability="normal") as store:
        with _parts(WRITE_PARTS, timer):
            for number in range(1000):
                delta = _delta(_subject(rng, size), number, 9000 + number)
                timer.run("whole", lambda d=delta: store.write(SCOPE, Change(delta=d)))
        told = sum(timer.median(part) for part in WRITE_PARTS)
        for part in WRITE_PARTS:
            _note(table, f"  write: {part}", size, _micros(timer.median(part)))
        rest = timer.median("whole") - told
        _note(table, "  write: the commit, and all between", size, _micros(rest))
        batch = [_delta(f"part-{n // VERSIONS}", n, n % VERSIONS) for n in range(10_000)]
        timer = Timer()
        with _parts(LOAD_PARTS, timer):
            timer.run("whole", lambda: store.load(SCOPE, batch))
    spent = {part: sum(timer.times[part]) / len(batch) for part in (*LOAD_PARTS, "whole")}
    for part in LOAD_PARTS:
        _note(table, f"  load: {part}, a row", size, _micros(spent[part]))
    rest = spent["whole"] - sum(spent[part] for part in LOAD_PARTS)
    _note(table, "  load: sorting, binding, all between, a row", size, _micros(rest))


def _measure_reads(path: Path, bare: Any, alone: Any, size: int, table: Table) -> None:
    rng = random.Random(size + 1)
    with open_store(path, read_only=True) as store:
        newest = store.head(SCOPE).number
        reader = store._database.take()  # type: ignore[attr-defined]
        times = _recorded(reader.driver, 1, newest)

        def asked() -> Asked:
            day = timedelta(days=rng.randrange(2 * VERSIONS))
            return _subject(rng, size), DAY0 + day, rng.choice(times)

        timer = _time_lookups((bare, alone, store), rng, size, asked)
        store._database.give(reader)  # type: ignore[attr-defined]
    _note(table, "read, bare lookup", size, _micros(timer.median("bare, alone")))
    _note(table, "read now, whole", size, _micros(timer.median("now, whole")))
    for name in ("as of, alone", "as believed, alone", *WHOLE_READS):
        _note(table, f"read {name} / bare lookup", size, _to_bare(timer, name))


Asked = tuple[str, datetime, tuple[int, int]]
"""A subject, an instant, and a transaction with its time in microseconds."""
WHOLE_READS = ("now, whole", "as of, whole", "as believed, whole")


def _to_bare(timer: Timer, name: str) -> str:
    return timer.ratio(name, f"bare, {name.split(', ')[1]}")


def _time_lookups(
    stores: tuple[Any, Any, Any], rng: random.Random, size: int, asked: Callable[[], Asked]
) -> Timer:
    """Time lookups beside bare ones, those of the backend alone and the whole ones apart.

    Each asks for a place of its own, in any order: the first after others, or of a place, finds
    the processor's caches cold, or the file's.
    """
    bare, alone, store = stores
    timer = Timer()

    def bare_lookup() -> Callable[[], object]:
        subject, version = _subject(rng, size), rng.randrange(VERSIONS)
        return lambda: _bare_lookup(bare, subject, version)

    def alone_lookup(statement: str, *, is_believed: bool) -> Callable[[], object]:
        subject, at, (number, _) = asked()
        place = (subject, "home_city", to_micros(at), *((number,) if is_believed else ()))
        return lambda: alone.execute(statement, place).fetchone()

    def whole_lookup(*, is_as_of: bool, is_believed: bool) -> Callable[[], object]:
        subject, at, (_, recorded) = asked()
        known_at = from_micros(recorded) if is_believed else None
        as_of = AsOf(at if is_as_of else None, known_at)
        return lambda: store.read(SCOPE, subject, "home_city", as_of)

    groups: tuple[dict[str, Callable[[], Callable[[], object]]], ...] = (
        {
            "bare, alone": bare_lookup,
            "as of, alone": lambda: alone_lookup(_ALONE_READ, is_believed=False),
            "as believed, alone": lambda: alone_lookup(_ALONE_BELIEVED, is_believed=True),
        },
        {
            "bare, whole": bare_lookup,
            "now, whole": lambda: whole_lookup(is_as_of=False, is_believed=False),
            "as of, whole": lambda: whole_lookup(is_as_of=True, is_believed=False),
            "as believed, whole": lambda: whole_lookup(is_as_of=True, is_believed=True),
        },
    )
    for group in groups:
        for _ in range(4000):
            for name in rng.sample(list(group), len(group)):
                timer.run(name, group[name]())
    return timer


def _recorded(connection: Any, tenant_no: int, newest: int) -> list[tuple[int, int]]:
    step = max(1, newest // 5000)
    return connection.execute(  # type: ignore[no-any-return]
        "SELECT number, recorded_at FROM tx WHERE tenant_no = ? AND number % ? = 0 OR number = ?",
        (tenant_no, step, newest),
    ).fetchall()


def _measure_text(path: Path, size: int, table: Table) -> None:
    with open_store(path, durability="normal") as store:
        database = store._database  # type: ignore[attr-defined]
        with database.reading() as reader:
            before = _used(reader.driver)
        began = time.perf_counter()
        catch_up(database, "acme", all_of_it=True)
        spent = time.perf_counter() - began
        with database.reading() as reader:
            after = _used(reader.driver)
        timer = Timer()
        for number in range(20):
            timer.run("search", lambda n=number: store.search(SCOPE, f"value of {n}", limit=10))
    _note(table, "full text, µs a version", size, f"{spent / size * 1e6:.1f}")
    _note(table, "full text, bytes a version", size, f"{(after - before) / size:.0f}")
    _note(table, "search, median", size, f"{timer.median('search') * 1e3:.1f} ms")


def _measure_hot_key(folder: Path, bare: Any, size: int, table: Table) -> None:
    """One key with many versions, each of a transaction of its own."""
    versions = min(size, HOT_VERSIONS)
    path = folder / "hot.db"
    with open_store(path, create=True, durability="normal") as store:
        store.write(SCOPE, Capture(episode=_episode("e1")))
        timer = Timer()
        for number in range(versions):
            delta = _delta("hot", 0, 0).model_copy(
                update={"valid_from": DAY0 + timedelta(minutes=number), "value": f"v{number}"}
            )
            timer.run("write", lambda d=delta: store.write(SCOPE, Change(delta=d)))
    alone = _hot_alone(folder, path)
    rng = random.Random(7)
    with open_store(path, read_only=True) as store:
        reader = store._database.take()  # type: ignore[attr-defined]
        times = _recorded(reader.driver, 1, versions)

        def asked() -> Asked:
            return "hot", DAY0 + timedelta(minutes=rng.randrange(versions)), rng.choice(times)

        lookups = _time_lookups((bare, alone, store), rng, size, asked)
        store._database.give(reader)  # type: ignore[attr-defined]
    early, late = timer.times["write"][100:2000], timer.times["write"][-2000:]
    grown = statistics.median(late) / statistics.median(early)
    _note(table, f"hot key of {versions:,}: last writes / first", size, f"{grown:.2f}")
    for name in ("as of, alone", "as believed, alone", "as of, whole", "as believed, whole"):
        _note(table, f"hot key: {name} / bare lookup", size, _to_bare(lookups, name))
    alone.close()


def _hot_alone(folder: Path, path: Path) -> Any:
    place = folder / "hot-alone"
    place.mkdir()
    return _alone(place, path)


# -- the article ----------------------------------------------------------------------------------


def _article() -> ModuleType | None:
    shared = find_shared()
    path = None if shared is None else shared / "bench" / "article_replace_fact.py"
    if path is None or not path.is_file():
        return None
    found = importlib.util.spec_from_file_location("article_replace_fact", path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module
    found.loader.exec_module(module)
    return module


def _measure_article(folder: Path, path: Path, size: int, table: Table) -> None:
    article = _article()
    if article is None:
        _note(table, "article's write / ours, NORMAL", size, "skipped")
        return
    database = article.open_db(str(folder / "article.db"))
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    rows = (
        (
            "acme",
            f"subject-{key:07}",
            "home_city",
            f"value {version} of {key}",
            _iso(version),
            None if version == VERSIONS - 1 else _iso(version + 1),
            "e1",
        )
        for key in range(size // VERSIONS)
        for version in range(VERSIONS)
    )
    with database:
        database.executemany(
            "insert into memory_facts (tenant_id, subject, attribute, value, valid_from, valid_to, "
            "source_episode_id) values (?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
    rng = random.Random(3)
    timer = Timer()
    with open_store(path, durability="normal") as store:
        for number in range(500):
            delta = _delta(_subject(rng, size), number, 20_000 + number)
            timer.run("ours", lambda d=delta: store.write(SCOPE, Change(delta=d)))
            timer.run("our read", lambda d=delta: store.read(SCOPE, d.subject, "home_city"))
        for number in range(12):
            subject = _subject(rng, size)
            at = 9000 + number
            fact = article.MemoryFact("acme", subject, "home_city", "x", _iso(at), "e1")
            timer.run("theirs", lambda f=fact: article.replace_fact(database, f))
            timer.run("their read", lambda s=subject: _article_read(article, database, s))
    database.close()
    for name, theirs, ours in (
        ("article's write / ours, NORMAL", "theirs", "ours"),
        ("article's read / ours", "their read", "our read"),
    ):
        ratio = timer.median(theirs) / timer.median(ours)
        _note(table, name, size, f"{ratio:,.0f}")
    _note(table, "  article's write", size, f"{timer.median('theirs') * 1e3:,.1f} ms")


def _article_read(article: ModuleType, database: Any, subject: str) -> Any:
    return article.fact_at(database, "acme", subject, "home_city", _iso(5))


def _iso(day: int) -> str:
    return (DAY0 + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")


# -- many writers ---------------------------------------------------------------------------------

WRITER = """
import json, sys, time
from datetime import UTC, datetime, timedelta
from store.contract import Scope
from store.model import MemoryDelta
from store.open import open_store
from store.write import Change
path, name, durability, count = sys.argv[1:]
waits, day0 = [], datetime(2020, 1, 1, tzinfo=UTC)
with open_store(path, durability=durability) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(count)):
        delta = MemoryDelta(
            tenant_id="acme", subject="one", attribute="home_city", value=f"{name} {number}",
            valid_from=day0 + timedelta(minutes=8 * number + int(name)), source_episode_id="e1",
        )
        began = time.perf_counter()
        store.write(Scope("acme"), Change(delta=delta))
        waits.append(time.perf_counter() - began)
print(json.dumps({"waits": waits, "ended": time.perf_counter()}))
"""


def _measure_writers(folder: Path, table: Table, size: int) -> None:
    for durability, count in (("normal", 400), ("full", 100)):
        path = folder / f"writers-{durability}.db"
        with open_store(path, create=True) as store:
            store.write(SCOPE, Capture(episode=_episode("e1")))
        waits, spent = _together(path, durability, count)
        with open_store(path) as store:
            lost = 8 * count + 1 - store.head(SCOPE).number
            is_clean = store.check(full=True).is_clean
        name = f"8 processes on one key, {durability.upper()}"
        _note(table, f"{name}: longest wait", size, f"{max(waits) * 1e3:.0f} ms")
        _note(table, f"{name}: lost", size, f"{lost}{'' if is_clean else ', DAMAGED'}")
        _note(table, f"{name}: writes a second", size, f"{8 * count / spent:,.0f}")
    GOALS["8 processes on one key, FULL: longest wait"] = "≤ 200 ms"
    GOALS["8 processes on one key, NORMAL: longest wait"] = "≤ 200 ms"


def _together(path: Path, durability: str, count: int) -> tuple[list[float], float]:
    """Let eight processes write; return how long each write took, and how long all of it."""
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [
        subprocess.Popen(
            [*command, str(number), durability, str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for number in range(8)
    ]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.readline()
    began = time.perf_counter()
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    reports = [json.loads(writer.communicate()[0]) for writer in writers]
    spent = max(report["ended"] for report in reports) - began
    return [wait for report in reports for wait in report["waits"]], spent


if __name__ == "__main__":
    main()
