from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from store.contract import Scope, Store
from store.errors import Invalid, NotFound, Unavailable
from store.importers import ImportReport, OnError, run_import, snapshot, zeroclaw
from store.importers.snapshot import copy_database
from store.importers.zeroclaw import ZeroclawImporter
from store.model import EpisodeKind, Fact
from store.open import open_store
from store.query import EpisodeQuery, FactQuery, Page
from store.temporal import Basis, Precision

if TYPE_CHECKING:
    from collections.abc import Iterator

SCOPE = Scope("acme")
AT = "2026-02-23T11:40:24.587407563+08:00"
LATER = "2026-02-24T09:00:00+08:00"
OLD = {
    "id": "TEXT PRIMARY KEY",
    "key": "TEXT NOT NULL UNIQUE",
    "content": "TEXT NOT NULL",
    "category": "TEXT NOT NULL DEFAULT 'core'",
    "embedding": "BLOB",
    "created_at": "TEXT NOT NULL",
    "updated_at": "TEXT NOT NULL",
}
NEW = {
    **OLD,
    "key": "TEXT NOT NULL",
    "session_id": "TEXT",
    "namespace": "TEXT DEFAULT 'default'",
    "importance": "REAL DEFAULT 0.5",
    "superseded_by": "TEXT",
    "agent_id": "TEXT NOT NULL REFERENCES agents(id)",
    "kind": "TEXT",
    "pinned": "INTEGER NOT NULL DEFAULT 0",
    "tenant_id": "TEXT",
}


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store("memory:") as opened:
        yield opened


def make_database(
    folder: Path, rows: list[dict[str, Any]], columns: dict[str, str] | None = None
) -> Path:
    """Make `memory/brain.db` in a folder, with an agents table if the columns ask for one."""
    columns = OLD if columns is None else columns
    path = folder / "memory" / "brain.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        if "agent_id" in columns:
            db.execute("CREATE TABLE agents (id TEXT PRIMARY KEY, alias TEXT NOT NULL UNIQUE)")
            db.execute("INSERT INTO agents VALUES ('u1', 'default'), ('u2', 'scout')")
        made = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        db.execute(f"CREATE TABLE memories ({made})")
        for row in rows:
            insert(db, row)
    return path


def insert(db: sqlite3.Connection, row: dict[str, Any]) -> None:
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    db.execute(f"INSERT INTO memories ({names}) VALUES ({marks})", [*row.values()])


def a_row(number: int = 1, **fields: Any) -> dict[str, Any]:
    row = {
        "id": f"r{number}",
        "key": f"k{number}",
        "content": f"content {number}",
        "category": "core",
        "created_at": AT,
        "updated_at": AT,
    }
    return {**row, **fields}


def load(
    store: Store, folder: Path, on_error: OnError = OnError.SKIP, **options: Any
) -> ImportReport:
    return run_import(store, SCOPE, ZeroclawImporter(folder, **options), on_error=on_error)


def facts(store: Store, **query: Any) -> tuple[Fact, ...]:
    return store.facts(SCOPE, FactQuery(history=True, **query), page=Page(1000)).items


# -- rows ---------------------------------------------------------------------------------------


def test_a_row_of_the_earliest_shape_becomes_an_episode_and_a_fact(
    store: Store, tmp_path: Path
) -> None:
    make_database(tmp_path, [a_row(embedding=b"\0" * 16)])
    report = load(store, tmp_path)
    assert (report.read, report.episodes, report.written) == (1, 1, 1)
    assert report.dropped == {"embedding": 1}
    (fact,) = facts(store)
    assert (fact.subject, fact.attribute, fact.value) == ("default", "k1", "content 1")
    assert (fact.memory_type, fact.owner, fact.confidence) == ("core", "", 1.0)
    assert fact.valid_from == datetime(2026, 2, 23, 3, 40, 24, 587407, tzinfo=UTC)
    assert fact.valid_from_basis is Basis.ASSUMED
    assert fact.precision is Precision.INSTANT
    assert fact.stated_as == AT
    assert fact.valid_to is None
    episode = store.episode(SCOPE, fact.source_episode_id)
    assert (episode.kind, episode.content) == (EpisodeKind.IMPORTED_ROW, "content 1")
    assert episode.occurred_at == fact.valid_from
    assert episode.metadata == {
        "source": "zeroclaw",
        "file": "memory/brain.db",
        "id": "r1",
        "key": "k1",
        "category": "core",
        "created_at": AT,
        "updated_at": AT,
        "agent": "default",
    }


def test_every_field_of_the_newest_shape_is_kept(store: Store, tmp_path: Path) -> None:
    row = a_row(
        session_id="telegram_1",
        namespace="work",
        importance=0.9,
        superseded_by="core_7",
        agent_id="u2",
        kind='{"semantic":"preference"}',
        pinned=1,
        tenant_id="t9",
    )
    make_database(tmp_path, [row], NEW)
    report = load(store, tmp_path)
    (fact,) = facts(store)
    assert (fact.subject, fact.owner) == ("scout", "scout")
    episode = store.episode(SCOPE, fact.source_episode_id)
    assert (episode.agent_id, episode.session_id) == ("scout", "telegram_1")
    kept = {name: episode.metadata[name] for name in row if name not in ("content", "session_id")}
    assert kept == {name: value for name, value in row.items() if name in kept}
    assert episode.metadata["agent"] == "scout"
    assert "superseded_by, because another text was similar: 1." in report.notes[0]
    assert fact.valid_to is None


@pytest.mark.parametrize("missing", ["session_id", "namespace", "importance", "superseded_by"])
def test_each_later_column_may_be_absent(store: Store, tmp_path: Path, missing: str) -> None:
    columns = {name: kind for name, kind in NEW.items() if name != missing}
    make_database(tmp_path, [a_row(agent_id="u1")], columns)
    assert load(store, tmp_path, OnError.STOP).written == 1


def test_columns_of_a_later_shape_are_kept_as_well(store: Store, tmp_path: Path) -> None:
    columns = {**OLD, '"odd ""name"""': "TEXT", "blob": "BLOB", "huge": "INTEGER"}
    row = a_row(blob=b"\xff\xfe", huge=2**60)
    make_database(tmp_path, [{**row, '"odd ""name"""': "x"}], columns)
    report = load(store, tmp_path)
    (fact,) = facts(store)
    assert store.episode(SCOPE, fact.source_episode_id).metadata['odd "name"'] == "x"
    assert report.dropped == {"blob": 1, "huge": 1}


def test_a_row_holds_from_its_last_update(store: Store, tmp_path: Path) -> None:
    make_database(tmp_path, [a_row(updated_at=LATER)])
    load(store, tmp_path)
    (fact,) = facts(store)
    assert fact.valid_from == datetime(2026, 2, 24, 1, tzinfo=UTC)
    assert fact.stated_as == LATER


@pytest.mark.parametrize(
    ("key", "category", "is_fact"),
    [
        ("user_msg_689963b5", "conversation", False),
        ("telegram_user_a_1009_11", "conversation", False),
        ("user_msg", "core", False),
        ("assistant_resp_1", "core", False),
        ("webhook_msg_1", "daily", False),
        ("whatsapp_number", "core", True),
        ("daily_2026-02-23_1", "daily", True),
        ("anything", "my own", True),
    ],
)
def test_autosaved_conversation_stays_an_episode(
    store: Store, tmp_path: Path, key: str, category: str, is_fact: bool
) -> None:
    make_database(tmp_path, [a_row(key=key, category=category)])
    report = load(store, tmp_path)
    assert report.written == is_fact
    assert report.without_fact == ({} if is_fact else {"autosaved conversation": 1})
    (episode,) = store.episodes(SCOPE, EpisodeQuery()).items
    assert episode.kind is (EpisodeKind.IMPORTED_ROW if is_fact else EpisodeKind.MESSAGE)


def test_a_row_that_was_overwritten_gives_the_next_fact(store: Store, tmp_path: Path) -> None:
    path = make_database(tmp_path, [a_row(), a_row(2)])
    load(store, tmp_path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE memories SET content = 'new', updated_at = ? WHERE id = 'r1'", [LATER])
    report = load(store, tmp_path)
    assert (report.written, report.known, report.episodes) == (1, 1, 1)
    old, new = facts(store, attribute="k1")
    assert (old.value, old.valid_to, new.value) == ("content 1", new.valid_from, "new")
    assert load(store, tmp_path).known == 2


def test_an_upgrade_of_zeroclaw_makes_nothing_new(store: Store, tmp_path: Path) -> None:
    path = make_database(tmp_path, [a_row(), a_row(2, category="conversation")])
    load(store, tmp_path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE agents (id TEXT PRIMARY KEY, alias TEXT NOT NULL UNIQUE)")
        db.execute("INSERT INTO agents VALUES ('u1', 'default')")
        db.execute("ALTER TABLE memories ADD COLUMN agent_id TEXT DEFAULT 'u1'")
        db.execute("ALTER TABLE memories ADD COLUMN importance REAL DEFAULT 0.5")
        db.execute("ALTER TABLE memories ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0")
    report = load(store, tmp_path)
    assert (report.known, report.written, report.corroborated) == (1, 0, 0)
    assert (report.episodes, report.episodes_known) == (0, 2)


def test_one_key_of_two_agents_is_two_facts(store: Store, tmp_path: Path) -> None:
    rows = [a_row(1, key="home", agent_id="u1"), a_row(2, key="home", agent_id="u2")]
    make_database(tmp_path, rows, NEW)
    report = load(store, tmp_path)
    assert (report.written, report.conflicts) == (2, 0)
    assert {(f.subject, f.owner) for f in facts(store)} == {("default", ""), ("scout", "scout")}


def test_one_key_in_two_categories_keeps_the_first_type(store: Store, tmp_path: Path) -> None:
    rows = [
        a_row(1, key="home", agent_id="u1"),
        a_row(2, key="home", agent_id="u2", category="daily"),
    ]
    make_database(tmp_path, rows, NEW)
    report = load(store, tmp_path)
    assert report.written == 2
    assert report.dropped == {"memory_type": 1}
    assert {f.memory_type for f in facts(store)} == {"core"}


@pytest.mark.parametrize(
    ("fields", "said", "episodes"),
    [
        ({"key": "a\nb"}, "control characters", 1),
        ({"key": "k" * 300}, "255 characters", 1),
        ({"key": b"\xff"}, "key is not text", 0),
        ({"content": b"\xff"}, "content is not text", 0),
        ({"content": "a\0b"}, "NUL", 0),
        ({"content": "x" * (zeroclaw.LONGEST_CONTENT + 1)}, "content is longer", 0),
        ({"content": "x" * (4 * zeroclaw.LONGEST_CONTENT + 1)}, "content is longer", 0),
        ({"updated_at": "yesterday"}, "not a time", 0),
        ({"updated_at": "2026-02-23T11:40:24"}, "no offset", 0),
        ({"updated_at": "0000-01-01T00:00:00Z"}, "not a time", 0),
        ({"updated_at": "9999-12-31T23:59:59-08:00"}, "not a time", 0),
        ({"created_at": "", "updated_at": ""}, "not a time", 0),
    ],
)
def test_what_cannot_be_taken_is_named_by_its_row(
    store: Store, tmp_path: Path, fields: dict[str, Any], said: str, episodes: int
) -> None:
    make_database(tmp_path, [a_row(1, **fields), a_row(2)])
    stopped = load(store, tmp_path, OnError.STOP)
    assert stopped.refused
    assert store.head(SCOPE).number == 0
    report = load(store, tmp_path)
    assert (report.written, report.episodes) == (1, 1 + episodes)
    assert report.skipped_count == 1
    assert str(report.skipped[0].place) == "memory/brain.db, row r1"
    assert said in report.skipped[0].reason


def test_a_time_without_offset_is_read_in_the_zone_that_is_given(
    store: Store, tmp_path: Path
) -> None:
    make_database(tmp_path, [a_row(updated_at="2026-02-23T11:40:24")])
    load(store, tmp_path, zone=ZoneInfo("Asia/Taipei"))
    assert facts(store)[0].valid_from == datetime(2026, 2, 23, 3, 40, 24, tzinfo=UTC)


# -- the file -------------------------------------------------------------------------------------


def test_what_stands_in_the_log_is_read_and_the_originals_are_not_touched(
    store: Store, tmp_path: Path
) -> None:
    path = make_database(tmp_path, [a_row()])
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        insert(db, a_row(2))
        before = contents(tmp_path)
        assert "memory/brain.db-wal" in before
        report = load(store, tmp_path)
        assert contents(tmp_path) == before
    assert report.written == 2


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_crash_that_left_a_journal_is_undone_in_the_copy(store: Store, tmp_path: Path) -> None:
    path = make_database(tmp_path, [a_row()])
    script = (
        "import os, sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('PRAGMA cache_size = 1')\n"
        "db.execute('BEGIN')\n"
        "db.execute(\"UPDATE memories SET content = 'half'\")\n"
        "for n in range(200):\n"
        "    db.execute('CREATE TABLE IF NOT EXISTS t%d (a)' % n)\n"
        "os._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert path.with_name("brain.db-journal").exists()
    before = contents(tmp_path)
    load(store, tmp_path)
    assert facts(store)[0].value == "content 1"
    assert contents(tmp_path) == before


def test_a_folder_that_may_not_be_written_is_read(store: Store, tmp_path: Path) -> None:
    path = make_database(tmp_path, [a_row()])
    (tmp_path / "MEMORY.md").write_text("- **a**: 1\n")
    for each in (path, path.parent, tmp_path):
        each.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert load(store, tmp_path).written == 2
    finally:
        for each in (tmp_path, path.parent):
            each.chmod(stat.S_IRWXU)


def test_the_copies_are_gone_afterwards(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(aside))
    make_database(tmp_path / "w", [a_row()])
    load(store, tmp_path / "w")
    assert list(aside.iterdir()) == []


def test_a_file_that_changed_is_copied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_database(tmp_path, [a_row()])
    copies = tmp_path / "copies"
    copies.mkdir()
    copyfile = snapshot.shutil.copyfile
    changes = iter(range(3))

    def copy_and_change(source: Path, target: Path) -> None:
        copyfile(source, target)
        if next(changes, None) is not None:
            with path.open("ab") as file:
                file.write(b"\0")

    monkeypatch.setattr(snapshot, "_PAUSE_S", 0)
    monkeypatch.setattr(snapshot.shutil, "copyfile", copy_and_change)
    assert copy_database(path, copies).read_bytes() == path.read_bytes()
    assert next(changes, None) is None


WRITER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.execute("PRAGMA synchronous = OFF")
number = 0
print("ready", flush=True)
while True:
    number += 1
    db.execute("BEGIN IMMEDIATE")
    for half in "ab":
        db.execute(
            "INSERT INTO memories VALUES (?, ?, 'x', 'core', NULL, ?, ?)",
            [f"{half}{number}", f"{half}{number}", sys.argv[2], sys.argv[2]],
        )
    db.execute("COMMIT")
"""


def test_a_copy_is_whole_though_another_program_writes_all_the_while(tmp_path: Path) -> None:
    path = make_database(tmp_path, [])
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), AT], stdout=subprocess.PIPE
    ) as writer:
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            for run in range(3):
                copies = tmp_path / f"copies {run}"
                copies.mkdir()
                with closing(snapshot.sqlite_driver().connect(copy_database(path, copies))) as db:
                    ids = {row[0] for row in db.execute("SELECT id FROM memories")}
                    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                assert {i[1:] for i in ids if i[0] == "a"} == {i[1:] for i in ids if i[0] == "b"}
        finally:
            writer.kill()


def test_a_file_that_nobody_lets_go_of_is_said_to_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_database(tmp_path, [a_row()])
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr(snapshot, "_copied", lambda *_: False)
    monkeypatch.setattr(snapshot, "_PAUSE_S", 0)
    monkeypatch.setattr(snapshot, "_WAITS", 2)
    script = (
        "import sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('BEGIN EXCLUSIVE')\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(Unavailable, match="keeps changing"):
            copy_database(path, copies)
        holder.communicate()
    assert copy_database(path, copies).stat().st_size == path.stat().st_size


def test_the_standard_librarys_sqlite_serves_as_well(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pysqlite3", None)
    assert snapshot.sqlite_driver() is sqlite3
    make_database(tmp_path, [a_row(), a_row(2, content=b"\xff")])
    report = load(store, tmp_path)
    assert (report.written, report.skipped_count) == (1, 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a SQLite file"),
        (b"hello", "not a SQLite file"),
        (b"SQLite format 3\0" + b"\xff" * 5000, "the database is damaged"),
    ],
)
def test_a_file_that_is_no_database_is_named_and_the_rest_imported(
    store: Store, tmp_path: Path, content: bytes, said: str
) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "brain.db").write_bytes(content)
    (tmp_path / "MEMORY.md").write_text("- **a**: 1\n")
    assert load(store, tmp_path, OnError.STOP).refused
    report = load(store, tmp_path)
    assert report.written == 1
    assert said in report.skipped[0].reason


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("CREATE TABLE other (a)", "no table memories"),
        ("CREATE VIEW memories AS SELECT 1 AS id", "no table memories"),
        ("CREATE VIRTUAL TABLE memories USING fts5(id, key, content, created_at)", "no table"),
        ("CREATE TABLE memories (id, key)", "lacks the columns content, created_at"),
    ],
)
def test_databases_of_another_kind_are_named(
    store: Store, tmp_path: Path, sql: str, said: str
) -> None:
    (tmp_path / "memory").mkdir()
    with closing(sqlite3.connect(tmp_path / "memory" / "brain.db")) as db, db:
        db.execute(sql)
    report = load(store, tmp_path)
    assert said in report.skipped[0].reason


def test_damage_within_keeps_what_was_read_before_it(store: Store, tmp_path: Path) -> None:
    path = make_database(tmp_path, [a_row(n, content="x" * 900) for n in range(200)])
    content = bytearray(path.read_bytes())
    for page in range(20, len(content) // 4096):
        content[page * 4096 : page * 4096 + 4096] = b"\xee" * 4096
    path.write_bytes(content)
    assert load(store, tmp_path, OnError.STOP).refused
    report = load(store, tmp_path)
    assert 0 < report.written < 200
    assert "damaged" in report.skipped[-1].reason


# -- finding --------------------------------------------------------------------------------------


def test_an_install_is_read_with_all_its_workspaces(store: Store, tmp_path: Path) -> None:
    install = tmp_path / "zeroclaw"
    make_database(install / "data", [a_row(agent_id="u1")], NEW)
    scout = install / "agents" / "scout" / "workspace"
    (scout / "memory" / "archive").mkdir(parents=True)
    (scout / "MEMORY.md").write_text("# Long-Term Memory\n\n- **likes**: tea\n")
    (scout / "memory" / "2026-02-23.md").write_text("- **standup**: talked\n")
    (scout / "memory" / "archive" / "2025-01-01.md").write_text("- **old**: gone\n")
    (install / "data" / "MEMORY_SNAPSHOT.md").write_text("- **copy**: of a row\n")
    (install / "config.toml").write_text('[agents.far.workspace]\npath = "/elsewhere"\n')
    report = load(store, install)
    assert {(f.subject, f.owner, f.attribute) for f in facts(store)} == {
        ("default", "", "k1"),
        ("scout", "scout", "likes"),
        ("scout", "scout", "standup"),
    }
    said = " ".join(report.notes)
    assert "agents/scout/workspace/memory/archive, archived daily files" in said
    assert "data/MEMORY_SNAPSHOT.md" in said
    assert "the workspace of far, which lies elsewhere, in /elsewhere" in said


def test_a_workspace_and_its_install_know_the_same_lines(store: Store, tmp_path: Path) -> None:
    scout = tmp_path / "agents" / "scout" / "workspace"
    scout.mkdir(parents=True)
    (scout / "MEMORY.md").write_text("- **likes**: tea\n")
    assert load(store, scout).written == 1
    assert load(store, tmp_path).known == 1


def test_a_configured_workspace_within_is_read(store: Store, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "MEMORY.md").write_text("- **likes**: tea\n")
    (tmp_path / "config.toml").write_text('[agents.scout.workspace]\npath = "mine"\n')
    load(store, tmp_path)
    assert [(f.subject, f.value) for f in facts(store)] == [("scout", "tea")]


@pytest.mark.parametrize(
    "config", ["agents = 7", "[agents]\na = 1", "not toml", "[agents.a]\nworkspace = 2"]
)
def test_an_odd_configuration_does_no_harm(store: Store, tmp_path: Path, config: str) -> None:
    (tmp_path / "config.toml").write_text(config)
    (tmp_path / "MEMORY.md").write_text("- **likes**: tea\n")
    assert load(store, tmp_path).written == 1


def test_links_that_lead_outside_are_not_followed(store: Store, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("- **secret**: 1\n")
    folder = tmp_path / "w"
    (folder / "memory").mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- **a**: 1\n")
    (folder / "memory" / "x.md").symlink_to(secret)
    (folder / "memory" / "loop.md").symlink_to(folder / "memory" / "loop.md")
    (folder / "memory" / "brain.db").symlink_to(make_database(tmp_path, [a_row()]))
    os.mkfifo(folder / "memory" / "pipe.md")
    report = load(store, folder)
    assert [f.attribute for f in facts(store)] == ["a"]
    reasons = {skipped.place.file: skipped.reason for skipped in report.skipped}
    assert "outside of the folder" in reasons["memory/x.md"]
    assert "outside of the folder" in reasons["memory/brain.db"]
    assert "not an ordinary file" in reasons["memory/pipe.md"]


def test_a_folder_with_nothing_of_zeroclaw_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"no memory/brain\.db"):
        load(store, tmp_path)
    with pytest.raises(NotFound):
        load(store, tmp_path / "none")


# -- Markdown -------------------------------------------------------------------------------------

MTIME = 1_772_000_000_000_000
"""Microseconds since 1970."""


def write_memory(folder: Path, text: str | bytes, modified_at: int = MTIME) -> Path:
    file = folder / "MEMORY.md"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    os.utime(file, ns=(modified_at * 1000,) * 2)
    return file


def told(store: Store, attribute: str = "city") -> list[object]:
    """Return the values of an attribute in the order of time."""
    return [fact.value for fact in facts(store, attribute=attribute)]


def micros(at: datetime) -> int:
    return round((at - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1e6)


def test_of_repeated_keys_the_last_line_is_current(store: Store, tmp_path: Path) -> None:
    write_memory(tmp_path, "# Memory\n\n- **city**: Lisbon\n- **tea**: yes\n\n- **city**: Porto\n")
    report = load(store, tmp_path)
    assert (report.read, report.written, report.conflicts) == (3, 3, 0)
    assert told(store) == ["Lisbon", "Porto"]
    (current,) = store.read(SCOPE, "default", "city")
    assert current.value == "Porto"
    assert micros(current.valid_from) == MTIME + 6
    assert current.valid_from_basis is Basis.ASSUMED
    assert current.memory_type == "core"
    episode = store.episode(SCOPE, current.source_episode_id)
    assert episode.content == "- **city**: Porto"
    (link,) = current.evidence
    assert link.span is not None
    assert episode.content[link.span.start : link.span.end] == "Porto"


def test_a_value_that_returns_is_current_again(store: Store, tmp_path: Path) -> None:
    lines = "- **city**: Lisbon\n- **city**: Porto\n- **city**: Lisbon\n"
    write_memory(tmp_path, lines)
    load(store, tmp_path)
    assert told(store) == ["Lisbon", "Porto", "Lisbon"]
    assert load(store, tmp_path).known == 3


def test_a_dated_file_counts_from_its_date(store: Store, tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "2026-02-23.md").write_text("# Daily\n\n- **standup**: talked\n")
    (tmp_path / "memory" / "2026-02-31.md").write_text("- **odd**: date\n")
    load(store, tmp_path, zone=ZoneInfo("Asia/Taipei"))
    (fact,) = facts(store, attribute="standup")
    assert fact.valid_from == datetime(2026, 2, 22, 16, 0, 0, 3, tzinfo=UTC)
    assert (fact.precision, fact.memory_type) == (Precision.DAY, "daily")
    assert facts(store, attribute="odd")[0].precision is Precision.INSTANT


def test_lines_without_a_key_stay_episodes(store: Store, tmp_path: Path) -> None:
    text = "# Head\n## Other\n- asked twice\nplain **bold**: not at the start\n**key**: bare\n"
    write_memory(tmp_path, text)
    report = load(store, tmp_path)
    assert (report.read, report.written) == (3, 1)
    assert report.without_fact == {"lines without a key": 2}
    contents_ = {e.content for e in store.episodes(SCOPE, EpisodeQuery()).items}
    assert "- asked twice" in contents_


def test_touching_and_reordering_change_nothing(store: Store, tmp_path: Path) -> None:
    write_memory(tmp_path, "- **city**: Lisbon\nplain\n- **tea**: yes\n")
    load(store, tmp_path)
    head = store.head(SCOPE)
    write_memory(tmp_path, "plain\n\n\n- **tea**: yes\n- **city**: Lisbon\n", MTIME + 10**9)
    report = load(store, tmp_path)
    assert (report.known, report.episodes_known) == (2, 3)
    assert store.head(SCOPE) == head


def test_an_appended_line_holds_from_when_the_file_had_it(store: Store, tmp_path: Path) -> None:
    write_memory(tmp_path, "- **city**: Lisbon\n")
    load(store, tmp_path)
    write_memory(tmp_path, "- **city**: Lisbon\n\n- **city**: Porto\n", MTIME + 10**9)
    report = load(store, tmp_path)
    assert (report.known, report.written) == (1, 1)
    assert micros(store.read(SCOPE, "default", "city")[0].valid_from) == MTIME + 10**9 + 3


def test_a_line_inserted_above_does_not_become_current(store: Store, tmp_path: Path) -> None:
    write_memory(tmp_path, "\n\n- **city**: Lisbon\n\n- **city**: Porto\n")
    load(store, tmp_path)
    text = "- **city**: Faro\n- **city**: Lisbon\n- **city**: Braga\n- **city**: Porto\n"
    write_memory(tmp_path, text, MTIME + 10**9)
    report = load(store, tmp_path)
    assert (report.known, report.written, report.conflicts) == (2, 2, 0)
    assert told(store) == ["Faro", "Lisbon", "Braga", "Porto"]
    assert load(store, tmp_path).known == 4


def test_a_line_for_which_there_is_no_instant_stays_an_episode(
    store: Store, tmp_path: Path
) -> None:
    write_memory(tmp_path, "- **city**: Lisbon\n- **city**: Porto\n")
    load(store, tmp_path)
    text = "- **city**: Lisbon\n- **city**: Braga\n- **city**: Porto\n"
    for run in range(3):
        write_memory(tmp_path, text, MTIME + 10**9 * (run + 1))
        report = load(store, tmp_path)
        assert (report.known, report.written, report.conflicts) == (2, 0, 0)
        assert sum(report.without_fact.values()) == 1
    assert told(store) == ["Lisbon", "Porto"]


def test_a_file_set_back_in_time_still_appends_after(store: Store, tmp_path: Path) -> None:
    write_memory(tmp_path, "- **city**: Lisbon\n")
    load(store, tmp_path)
    write_memory(tmp_path, "- **city**: Lisbon\n- **city**: Porto\n", MTIME - 10**12)
    load(store, tmp_path)
    assert told(store) == ["Lisbon", "Porto"]


def test_a_broken_line_is_named_and_the_rest_is_read(store: Store, tmp_path: Path) -> None:
    text = b"- **a**: 1\n- **b**: \xff\n- **c**: a\0b\n- **d\te**: 1\n- **f**: 2\r\n"
    write_memory(tmp_path, text + b"x" * (zeroclaw.LONGEST_CONTENT + 1))
    report = load(store, tmp_path)
    assert [f.attribute for f in facts(store)] == ["a", "f"]
    assert facts(store, attribute="f")[0].value == "2"
    assert sorted(s.place.line or 0 for s in report.skipped) == [2, 3, 4, 6]
    assert load(store, tmp_path, OnError.STOP).refused


def test_oversized_files_are_left_out(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_memory(tmp_path, "- **a**: 1\n" * 20)
    monkeypatch.setattr(zeroclaw, "MOST_LINES", 10)
    assert "more than 10 lines" in load(store, tmp_path).skipped[0].reason
    monkeypatch.setattr(zeroclaw, "LARGEST_MARKDOWN", 10)
    assert "larger" in load(store, tmp_path).skipped[0].reason


def test_an_empty_key_or_value_is_no_fact(store: Store, tmp_path: Path) -> None:
    write_memory(tmp_path, "- ****: x\n- **a**:\n- ** **: x\n- **b**:y\n")
    report = load(store, tmp_path)
    assert [f.attribute for f in facts(store)] == ["b"]
    assert report.without_fact == {"lines without a key": 3}
