"""What can be wrong with a file, and what is then said. Nothing is ever changed by a refusal."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from store import migrations
from store.backends.sqlite import doors, schema
from store.backends.sqlite.library import driver
from store.contract import Cancel, Scope, Store
from store.errors import (
    Cancelled,
    Corrupt,
    Invalid,
    Locked,
    NotAStore,
    NotFound,
    ReadOnly,
    StoreError,
    TooNew,
    TooOld,
    Unavailable,
)
from store.model import EpisodeDraft, EpisodeKind, MemoryDelta
from store.open import open_store
from store.query import Comparison, FactField, FactQuery, FieldFilter, Page
from store.write import Capture, Change
from tests.support import ROOT

SCOPE = Scope("acme")
MATCHES = Comparison.MATCHES
DAY0 = datetime(2026, 1, 1, tzinfo=UTC)


def _draft(name: str = "e", content: str = "said") -> EpisodeDraft:
    return EpisodeDraft(
        episode_id=name, kind=EpisodeKind.MESSAGE, content=content, occurred_at=DAY0
    )


def _delta(number: int, subject: str = "mira", value: str = "Porto") -> MemoryDelta:
    return MemoryDelta(
        tenant_id="acme",
        subject=subject,
        attribute="city",
        value=f"{value} {number}",
        valid_from=DAY0 + timedelta(days=number),
        source_episode_id="e",
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with one fact."""
    place = tmp_path / "x.db"
    with open_store(place, create=True) as store:
        store.write(SCOPE, Capture(episode=_draft()))
        store.write(SCOPE, Change(delta=_delta(1)))
    return place


def _raw(path: Path):
    return driver.connect(str(path), isolation_level=None)


def _refused(path: Path, kind: type[StoreError], match: str, **options: object) -> None:
    """Expect a refusal that is one clear sentence, names the file, and leaves it as it was."""
    before = _print_of(path)
    with pytest.raises(kind, match=match) as refusal:
        open_store(path, **options).close()
    assert type(refusal.value) is kind
    assert str(path) in str(refusal.value)
    assert "Traceback" not in str(refusal.value)
    assert _print_of(path) == before


def _print_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"


# -- not there, not a store ---------------------------------------------------------------------


def test_what_is_not_there_is_not_made_unasked(tmp_path: Path) -> None:
    _refused(tmp_path / "x.db", NotFound, "There is no store at")
    _refused(tmp_path / "x.db", NotFound, "There is no store at", create=True, read_only=True)
    _refused(tmp_path / "no" / "x.db", NotFound, "its folder is not there", create=True)
    assert list(tmp_path.iterdir()) == []


def test_a_new_store_is_whole_and_its_name_may_be_strange(tmp_path: Path) -> None:
    place = tmp_path / "a b#?%[ü]'.db"
    with open_store(place, create=True) as store:
        identity = store.store_id
        store.write(SCOPE, Capture(episode=_draft()))
    with open_store(place, create=True) as store:
        assert store.store_id == identity
        assert store.head(SCOPE).number == 1


def test_other_files_are_not_stores(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    _refused(folder, NotAStore, "is a folder")
    empty = tmp_path / "empty"
    empty.touch()
    _refused(empty, NotAStore, "is empty", create=True)
    text = tmp_path / "notes.md"
    text.write_text("# Notes\n" * 100)
    _refused(text, NotAStore, "is no SQLite database", create=True)
    other = tmp_path / "other.db"
    connection = _raw(other)
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    _refused(other, NotAStore, "another program", create=True)
    stub = tmp_path / "stub.db"
    stub.write_bytes(other.read_bytes()[:60])
    _refused(stub, Corrupt, "ends within its first bytes")


def test_a_durability_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="full or normal"):
        open_store(tmp_path / "x.db", create=True, durability="maybe")


# -- making one ---------------------------------------------------------------------------------


def test_what_breaks_off_the_making_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise driver.OperationalError("database or disk is full")

    monkeypatch.setattr(schema, "build", broken)
    with pytest.raises(Unavailable, match="is full"):
        open_store(tmp_path / "x.db", create=True)
    assert list(tmp_path.iterdir()) == []


MAKING = """
import sys
from store.open import open_store
number = 0
while True:
    open_store(f"{sys.argv[1]}/{number}.db", create=True).close()
    number += 1
    print(number, flush=True)
"""


def test_a_kill_while_making_stores_leaves_only_whole_ones(tmp_path: Path) -> None:
    maker = subprocess.Popen(
        [sys.executable, "-c", MAKING, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert maker.stdout is not None
    for _ in range(5):
        maker.stdout.readline()
    os.kill(maker.pid, signal.SIGKILL)
    maker.communicate()
    made = sorted(tmp_path.glob("[0-9]*.db"))
    assert len(made) >= 5
    for place in made:
        with open_store(place) as store:
            assert store.check(full=True).is_clean


def test_processes_that_make_the_same_store_get_the_same(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom store.open import open_store\n"
        "with open_store(sys.argv[1], create=True) as store: print(store.store_id)"
    )
    makers = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path / "x.db")],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for _ in range(4)
    ]
    identities = {maker.communicate()[0] for maker in makers}
    assert len(identities) == 1
    assert [maker.returncode for maker in makers] == [0] * 4
    assert not list(tmp_path.glob(".x.db.new-*"))


# -- versions -----------------------------------------------------------------------------------


def test_a_newer_schema_is_refused(path: Path) -> None:
    connection = _raw(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    _refused(path, TooNew, "newer version .*schema 99")
    _refused(path, TooNew, "newer version", read_only=True)


NEXT = schema.VERSION + 1


@pytest.fixture
def next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Make the program one version newer than its stores; returns how its step is written."""
    steps = tmp_path / "steps"
    shutil.copytree(migrations.STEPS, steps, ignore=shutil.ignore_patterns("__pycache__"))

    def write(body: str) -> None:
        (steps / "versions" / f"v{NEXT:04}_next.py").write_text(
            f'from alembic import op\nrevision = "{NEXT:04}"\n'
            f'down_revision = "{schema.REVISION}"\n\ndef upgrade():\n    {body}\n'
        )

    write(f'op.execute("PRAGMA user_version = {NEXT}")')
    monkeypatch.setattr(migrations, "STEPS", steps)
    monkeypatch.setattr(schema, "VERSION", NEXT)
    return write


def _version(path: Path) -> int:
    connection = _raw(path)
    try:
        return connection.execute("PRAGMA user_version").fetchone()[0]
    finally:
        connection.close()


def test_an_older_schema_is_copied_and_brought_up_to_date(path: Path, next_step) -> None:
    before = path.read_bytes()
    with open_store(path) as store:
        assert "brought up to date" in store.notice
        assert f"x.schema-{NEXT - 1}.db is as it was" in store.notice
        assert store.read(SCOPE, "mira", "city")[0].value == "Porto 1"
    copy = path.with_name(f"x.schema-{NEXT - 1}.db")
    assert _version(copy) == NEXT - 1
    connection = _raw(copy)
    assert connection.execute("SELECT count(*) FROM fact").fetchone() == (1,)
    connection.close()
    assert path.read_bytes() != before
    with open_store(path) as store:
        assert store.notice == ""


def test_an_older_schema_is_not_read_as_if_it_were_new(path: Path, next_step) -> None:
    _refused(path, TooOld, "open it for writing once", read_only=True)


def test_a_step_that_fails_leaves_the_store_as_it_was(path: Path, next_step) -> None:
    next_step('op.execute("CREATE TABLE half (x)"); op.execute("no SQL at all")')
    _refused(path, TooOld, "could not be brought up to date .*It is as it was")
    assert _version(path) == NEXT - 1
    connection = _raw(path)
    tables = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'half'")
    assert tables.fetchone() == (0,)
    connection.close()


@pytest.fixture
def first_version(path: Path, tmp_path: Path) -> Path:
    """A store of schema 1, made by the statements of then, with a record in it."""
    old = tmp_path / "old.db"
    connection = _raw(old)
    engine = create_engine("sqlite://", module=driver, creator=lambda: _raw(old))
    with engine.begin() as steps:
        steps.connection.driver_connection.execute("BEGIN IMMEDIATE")
        migrations.upgrade(steps, "0001")
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("ATTACH ? AS new", (str(path),))
    tables = connection.execute(
        "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'"
    ).fetchall()
    assert len(tables) > 10
    for (table,) in tables:
        connection.execute(f'INSERT INTO main."{table}" SELECT * FROM new."{table}"')
    connection.close()
    return old


def test_a_store_of_the_first_version_is_brought_up_to_date(first_version: Path) -> None:
    assert _version(first_version) == 1
    with open_store(first_version) as store:
        assert "old.schema-1.db is as it was" in store.notice
        assert store.schema_version == schema.VERSION
        assert store.read(SCOPE, "mira", "city")[0].value == "Porto 1"
        assert store.check(full=True).findings == ()
        store.write(SCOPE, Change(delta=_delta(2)))
    assert _version(first_version) == schema.VERSION
    connection = _raw(first_version)
    assert schema.objects(connection) == schema.expected()
    connection.close()
    assert _version(first_version.with_name("old.schema-1.db")) == 1
    with open_store(first_version, read_only=True) as store:
        assert store.notice == ""
        assert store.check(full=True).findings == ()


def test_a_store_of_the_first_version_is_not_changed_by_reading(first_version: Path) -> None:
    before = first_version.read_bytes()
    _refused(first_version, TooOld, "older schema .1; .*open it for writing", read_only=True)
    assert first_version.read_bytes() == before
    assert not list(first_version.parent.glob("old.schema*"))


def test_the_program_of_the_first_version_refuses_todays_stores(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "VERSION", 1)
    _refused(path, TooNew, f"newer version .*schema {schema.REVISION.lstrip('0')}; .*knows 1")


# -- locked, read-only, full ----------------------------------------------------------------------


LOCKING = """
import sys
from store.backends.sqlite.library import driver
connection = driver.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA locking_mode = EXCLUSIVE")
connection.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.readline()
"""


def test_a_locked_store_is_named_after_a_while(path: Path) -> None:
    other = subprocess.Popen(
        [sys.executable, "-c", LOCKING, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "locked\n"
    _refused(path, Locked, "locked by another program", patience_s=0.2)
    other.communicate("\n")
    open_store(path).close()


def test_another_programs_write_lock_is_waited_for_and_then_named(path: Path) -> None:
    with open_store(path, patience_s=0.2) as store:
        other = _raw(path)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="locked by another program"):
            store.write(SCOPE, Change(delta=_delta(2)))
        assert store.read(SCOPE, "mira", "city")[0].value == "Porto 1"
        other.execute("ROLLBACK")
        other.close()
        assert store.write(SCOPE, Change(delta=_delta(2))).transaction == 3


def test_a_store_that_is_open_for_reading_is_not_written(path: Path) -> None:
    with open_store(path, read_only=True) as store:
        assert not store.is_writable
        with pytest.raises(ReadOnly, match="open for reading only"):
            store.write(SCOPE, Change(delta=_delta(2)))
        with pytest.raises(ReadOnly, match="open for reading only"):
            store.load(SCOPE, [_delta(2)])
        assert store.search(SCOPE, "porto")[0].excerpt == "Porto 1"
        assert store.rehearse(SCOPE, [_delta(2)]).applied == 1
        assert store.check(full=True).is_clean


AS_NOBODY = """
import os, sys
from store.backends.sqlite.backend import SqliteStore
from store.contract import Scope
from store.errors import StoreError
from store.open import open_store
import store.backends.sqlite.doors, encodings.idna

if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
path, mode = sys.argv[1:]
try:
    with open_store(path, create=mode == "create", read_only=mode == "read") as store:
        print("open", store.head(Scope("acme")).number, store.notice)
        print([fact.value for fact in store.read(Scope("acme"), "mira", "city")])
except StoreError as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def public(path: Path):
    """The store where every user can reach it."""
    folder = Path(tempfile.mkdtemp(prefix="store-doors-"))
    folder.chmod(0o755)
    place = folder / "x.db"
    shutil.copy(path, place)
    yield place
    folder.chmod(0o755)
    shutil.rmtree(folder)


def _as_nobody(path: Path, mode: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(path), mode],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_file_that_may_not_be_written_is_named(public: Path) -> None:
    public.chmod(0o444)
    public.parent.chmod(0o777)
    assert _as_nobody(public, "write").startswith("ReadOnly " + str(public))
    assert _as_nobody(public, "read").startswith("open 2")


def test_a_folder_that_may_not_be_written_can_still_be_read(public: Path) -> None:
    public.chmod(0o666)
    public.parent.chmod(0o555)
    assert _as_nobody(public, "write").startswith("ReadOnly The folder of " + str(public))
    said = _as_nobody(public, "read")
    assert said.startswith("open 2 The folder may not be written")
    assert "['Porto 1']" in said
    assert _as_nobody(public.with_name("new.db"), "create").startswith("ReadOnly No store can")


def test_a_file_that_may_not_be_read_is_named(public: Path) -> None:
    public.chmod(0o000)
    assert _as_nobody(public, "read").startswith(f"Unavailable {public} may not be read")


def test_a_full_disk_loses_nothing_that_was_written(path: Path) -> None:
    with open_store(path) as store:
        writer = store._database._writer
        pages = writer.execute("PRAGMA page_count").fetchone()[0]
        writer.execute(f"PRAGMA max_page_count = {pages + 8}")
        written = 0

        def fill() -> None:
            nonlocal written
            for number in range(2, 200):
                store.write(SCOPE, Capture(episode=_draft(f"e{number}", "x" * 4000)))
                written += 1

        with pytest.raises(Unavailable, match=r"disk .*is full; nothing of this write was kept"):
            fill()
        assert store.head(SCOPE).number == 2 + written
        with pytest.raises(Unavailable, match="is full"):
            store.load(SCOPE, [_delta(n, f"s{n}", "x" * 500) for n in range(300)])
        assert store.check(full=True, head=store.head(SCOPE)).is_clean
        writer.execute("PRAGMA max_page_count = 1000000")
        assert store.write(SCOPE, Change(delta=_delta(2))).transaction == 3 + written


def test_a_closed_store_says_so(path: Path) -> None:
    store = open_store(path)
    store.close()
    store.close()
    for call in (
        lambda: store.read(SCOPE, "mira", "city"),
        lambda: store.write(SCOPE, Change(delta=_delta(2))),
        lambda: store.revision(),
        lambda: store.facts(SCOPE, FactQuery()),
    ):
        with pytest.raises(Unavailable, match="The store is closed"):
            call()


# -- damage and crafted files ---------------------------------------------------------------------


def test_a_file_that_lost_its_end_is_damaged(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    _refused(path, Corrupt, "lost its end")


def test_flipped_bytes_are_met_with_a_sentence_wherever_they_are(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    outcomes = set()
    for page in range(len(whole) // 4096):
        damaged = bytearray(whole)
        start = page * 4096 + (100 if page == 0 else 0)
        for offset in range(start, start + 200):
            damaged[offset] ^= 0xFF
        path.write_bytes(damaged)
        outcomes.add(_outcome(path))
        for leftover in ("-wal", "-shm"):
            path.with_name(path.name + leftover).unlink(missing_ok=True)
    assert outcomes <= {"refused", "found", "unharmed"}
    assert {"refused", "found"} <= outcomes


def _outcome(path: Path) -> str:
    """Open and check a damaged file: nothing but our own errors may come of it."""
    try:
        with open_store(path) as store:
            try:
                report = store.check(full=True)
            except StoreError:
                return "found"
            return "unharmed" if report.is_clean else "found"
    except (Corrupt, Unavailable):
        return "refused"


@pytest.mark.parametrize(
    "crafted",
    [
        "CREATE VIEW spy AS SELECT load_extension('x')",
        "CREATE TRIGGER spy AFTER INSERT ON fact BEGIN SELECT load_extension('x'); END",
        "CREATE TABLE more (x)",
        "CREATE INDEX more ON fact (hex(value))",
        "DROP TRIGGER fact_stays",
        "DROP INDEX fact_live",
        "DROP TABLE document_text",
        "ALTER TABLE fact ADD COLUMN more TEXT DEFAULT 'x'",
    ],
)
def test_a_crafted_schema_is_refused_before_it_runs(path: Path, crafted: str) -> None:
    connection = _raw(path)
    connection.execute(crafted)
    connection.close()
    _refused(path, Corrupt, "is not as the program made it")


@pytest.mark.parametrize(
    "columns",
    [
        {"kind": 99},
        {"basis": 99},
        {"precision": -99},
        {"agent_no": 99},
        {"value": "'no JSON'"},
        {"value": "NULL"},
        {"memory_id": "x'00'"},
        {"memory_id": 7},
        {"extra": "'[1]'"},
        {"over": "'{}'"},
        {"episode_no": 99},
        {"until": 2**62},
        {"valid_from": 2**62},
    ],
)
def test_a_crafted_row_is_met_with_a_sentence(path: Path, columns: dict) -> None:
    connection = _raw(path)
    row = connection.execute("SELECT * FROM fact").fetchone()
    names = [c.name for c in schema.fact.columns]
    values = {n: _literal(v) for n, v in zip(names, row, strict=True)}
    values |= {"valid_from": row[1] + 1, "tx_from": 2, **columns}
    listed = ", ".join(str(values[n]) for n in names)
    connection.execute(f"INSERT INTO fact VALUES ({listed})")
    connection.close()
    with open_store(path) as store:
        _survives(lambda: store.read(SCOPE, "mira", "city"))
        _survives(lambda: store.facts(SCOPE, FactQuery(history=True)))
        _survives(lambda: store.lanes(SCOPE))
        _survives(lambda: store.versions(SCOPE))
        _survives(lambda: store.transaction(SCOPE, 2))
        _survives(lambda: store.search(SCOPE, "porto"))
        _survives(lambda: store.summary(SCOPE))
        _survives(lambda: store.write(SCOPE, Change(delta=_delta(3))))
        assert _is_found(store)


def _is_found(store: Store) -> bool:
    """Whether a full check tells of the damage, in its report or by giving up."""
    try:
        return not store.check(full=True).is_clean
    except Corrupt:
        return True


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return repr(value)


def _survives(call) -> None:
    """Call, and let nothing but an answer or one of our own errors come of it."""
    with contextlib.suppress(StoreError):
        call()


# -- the journal, the library, stopping -----------------------------------------------------------


def test_network_drives_are_told_by_the_mounts(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path / 'far'} nfs4 rw 0 0\n"
        f"/dev/sdb {tmp_path / 'far' / 'near'} ext4 rw 0 0\nbroken\n"
    )
    assert doors.is_network_drive(tmp_path / "far" / "x.db", mounts)
    assert not doors.is_network_drive(tmp_path / "far" / "near" / "x.db", mounts)
    assert not doors.is_network_drive(tmp_path / "x.db", mounts)
    assert not doors.is_network_drive(tmp_path / "x.db", tmp_path / "none")


def test_on_a_network_drive_the_journal_is_rolled_back(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "is_network_drive", lambda _: True)
    with open_store(path) as store:
        assert "network drive" in store.notice
        store.write(SCOPE, Change(delta=_delta(2)))
        first = store.revision()
        with open_store(path) as other:
            other.write(SCOPE, Change(delta=_delta(3)))
        assert store.revision() != first
    assert not path.with_name("x.db-wal").exists()
    connection = _raw(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()


STANDARD = """
import sys
sys.modules["pysqlite3"] = None
from datetime import UTC, datetime
from store.open import open_store
from store.scope import bind
from store.backends.sqlite.library import SAFE_FROM, driver
with open_store(sys.argv[1], create=True) as store:
    memory = bind(store, "acme")
    memory.capture("e", "Porto it is", occurred_at=datetime(2026, 1, 1, tzinfo=UTC))
    day = datetime(2026, 1, 2, tzinfo=UTC)
    memory.change("mira", "city", "Porto", valid_from=day, episode="e")
    assert memory.read("mira", "city")[0].value == "Porto"
    assert len(memory.search("porto")) == 2
    assert store.check(full=True).is_clean
    is_safe = driver.sqlite_version_info >= SAFE_FROM
    assert is_safe or "rare fault" in store.notice, store.notice
    print(driver.__name__)
"""


def test_the_standard_library_serves_with_a_notice(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STANDARD, str(tmp_path / "x.db")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "sqlite3\n"


def test_a_long_read_is_broken_off(path: Path) -> None:
    with open_store(path) as store:
        store.load(SCOPE, [_delta(n, f"s{n % 500}", "w" * 50) for n in range(20_000)])
        query = FactQuery(history=True, filters=(FieldFilter(FactField.VALUE, MATCHES, "x"),))
        cancel = Cancel()
        threading.Timer(0.02, cancel.cancel).start()

        def read_on() -> None:
            while True:
                store.facts(SCOPE, query, page=Page(1000), cancel=cancel)

        with pytest.raises(Cancelled):
            read_on()
        assert store.read(SCOPE, "mira", "city")


def test_a_load_that_is_stopped_keeps_whole_batches(path: Path) -> None:
    with open_store(path) as store:
        cancel = Cancel()
        seen = []

        def progress(done: int, _total: int | None) -> None:
            seen.append(done)
            if done > 6000:
                cancel.cancel()

        deltas = [_delta(n, f"s{n}") for n in range(20_000)]
        report = store.load(SCOPE, deltas, progress=progress, cancel=cancel, batch=5000)
        assert report.cancelled
        assert report.read == report.applied == 5000
        assert report.transactions == (3, 3)
        assert seen == sorted(seen)
        assert store.head(SCOPE).number == 3
        again = store.load(SCOPE, deltas, batch=5000)
        assert (again.known, again.applied) == (5000, 15_000)
        assert store.check(full=True).is_clean
