"""The tables of a store, and the rules that the database itself keeps.

What is stored is append-only. A fact's end is nowhere: `(key_id, valid_from)` among live rows says
it all, so an overlap cannot be written down, and an equal beginning is a unique violation. Rows
live in the primary key's own tree (`WITHOUT ROWID`). Columns are ordered by use; what few rows have
is in `extra`, as JSON. Transaction numbers count within a tenant; so indexes on them lead with it.

Identities are 16 bytes where they are UUIDs, else text; small enumerations are numbers (`codec`).
`milestone` keeps, for every sixteenth write or so, how far a key's rows reached then: what was
believed long ago on a key of many versions is found by one seek and a few steps. `involved` names
the keys on which a fact has more than one row or source, or was ever contested: the read of an
agent's turn need not look for such things on the others.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlalchemy.types import REAL, UserDefinedType

from store.backends.sqlite.library import Connection, driver

APPLICATION_ID: Final = 0x4D57_4231
"""`MWB1`: how a file says that it is a store."""
VERSION: Final = 2
"""Of the schema; kept as `user_version`."""
REVISION: Final = "0002"
"""The migration that leads to this schema."""


class AnyType(UserDefinedType[Any]):
    """SQLite's ANY: kept as it is given, bytes or text."""

    cache_ok = True

    def get_col_spec(self, **_options: Any) -> str:
        """Return the name of the type."""
        return "ANY"


metadata: Final = MetaData()
_STRICT: Final[dict[str, Any]] = {"sqlite_strict": True}
_CLUSTERED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_with_rowid": False}

alembic_version: Final = Table(
    "alembic_version",
    metadata,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)

store: Final = Table(
    "store",
    metadata,
    Column("one", Integer, CheckConstraint("one = 1"), primary_key=True),
    Column("store_id", Text, nullable=False),
    Column("created_at", Integer, nullable=False),
    **_STRICT,
)

tenant: Final = Table(
    "tenant",
    metadata,
    Column("tenant_no", Integer, primary_key=True),
    Column("tenant_id", Text, nullable=False),
    Column("slot_secret", LargeBinary, nullable=False),
    UniqueConstraint("tenant_id"),
    **_STRICT,
)

origin: Final = Table(
    "origin",
    metadata,
    Column("tenant_no", Integer, primary_key=True),
    Column("store_id", Text, nullable=False),
    **_STRICT,
)
"""In which store the chain of a tenant began that was taken over from another."""

name: Final = Table(
    "name",
    metadata,
    Column("name_no", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    UniqueConstraint("name"),
    **_STRICT,
)

tx: Final = Table(
    "tx",
    metadata,
    Column("tenant_no", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("recorded_at", Integer, nullable=False),
    Column("kind", Integer, nullable=False),
    Column("actor_no", Integer, nullable=False),
    Column("tool_no", Integer, nullable=False),
    Column("entries", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("reason", Text),
    Column("reverts", Integer),
    **_CLUSTERED,
)
Index("tx_time", tx.c.tenant_no, tx.c.recorded_at, sqlite_where=text("number % 16 = 0"))
Index("tx_reverts", tx.c.tenant_no, tx.c.reverts, sqlite_where=text("reverts IS NOT NULL"))

attribute: Final = Table(
    "attribute",
    metadata,
    Column("attribute_no", Integer, primary_key=True),
    Column("tenant_no", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("memory_type", Text, nullable=False),
    Column("cardinality", Text, nullable=False),
    Column("sensitive", Integer, nullable=False),
    Column("retention_policy", Text, nullable=False),
    Column("schema_version", Integer, nullable=False),
    Column("tx_from", Integer, nullable=False),
    Column("tx_to", Integer),
    **_STRICT,
)
Index(
    "attribute_live",
    attribute.c.tenant_no,
    attribute.c.name,
    unique=True,
    sqlite_where=text("tx_to IS NULL"),
)
Index("attribute_name", attribute.c.tenant_no, attribute.c.name, attribute.c.tx_from)
Index("attribute_feed", attribute.c.tenant_no, attribute.c.tx_from)
Index(
    "attribute_ended",
    attribute.c.tenant_no,
    attribute.c.tx_to,
    sqlite_where=text("tx_to IS NOT NULL"),
)

episode: Final = Table(
    "episode",
    metadata,
    Column("episode_no", Integer, primary_key=True),
    Column("tenant_no", Integer, nullable=False),
    Column("episode_id", Text, nullable=False),
    Column("occurred_at", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("tx_from", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("agent_no", Integer, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("session_id", Text),
    Column("metadata", Text),
    Column("content", Text, nullable=False),
    UniqueConstraint("tenant_no", "episode_id"),
    **_STRICT,
)
Index("episode_time", episode.c.tenant_no, episode.c.occurred_at.desc(), episode.c.episode_id)
Index("episode_feed", episode.c.tenant_no, episode.c.tx_from)

key: Final = Table(
    "key",
    metadata,
    Column("key_id", Integer, primary_key=True),
    Column("tenant_no", Integer, nullable=False),
    Column("subject", Text, nullable=False),
    Column("attribute", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("slot", Text, nullable=False),
    Column("tx_from", Integer, nullable=False),
    UniqueConstraint("tenant_no", "subject", "attribute", "owner", "slot"),
    **_STRICT,
)


def _said() -> tuple[Column[Any], ...]:
    """Return the columns of what a row or a claim says."""
    return (
        Column("memory_id", AnyType),
        Column("value", Text),
        Column("episode_no", Integer),
        Column("agent_no", Integer),
        Column("secret", LargeBinary, nullable=False),
        Column("supersedes", AnyType),
        Column("confidence", REAL),
        Column("schema_version", Integer),
        Column("basis", Integer),
        Column("precision", Integer),
        Column("span_from", Integer),
        Column("span_to", Integer),
        Column("extra", Text),
        Column("over", Text),
    )


fact: Final = Table(
    "fact",
    metadata,
    Column("key_id", Integer, primary_key=True),
    Column("valid_from", Integer, primary_key=True),
    Column("tx_from", Integer, primary_key=True),
    Column("tx_to", Integer),
    Column("kind", Integer, nullable=False),
    Column("tenant_no", Integer, nullable=False),
    Column("until", Integer),
    *_said(),
    **_CLUSTERED,
)
Index(
    "fact_live",
    fact.c.key_id,
    fact.c.valid_from,
    unique=True,
    sqlite_where=text("tx_to IS NULL"),
)
Index("fact_feed", fact.c.tenant_no, fact.c.tx_from)
Index("fact_ended", fact.c.tenant_no, fact.c.tx_to, sqlite_where=text("tx_to IS NOT NULL"))
Index("fact_memory", fact.c.memory_id)
Index("fact_episode", fact.c.episode_no)
Index(
    "fact_bounded",
    fact.c.key_id,
    fact.c.until,
    sqlite_where=text("tx_to IS NULL AND until IS NOT NULL AND kind < 2"),
)
Index("fact_over", fact.c.key_id, sqlite_where=text("over IS NOT NULL"))

milestone: Final = Table(
    "milestone",
    metadata,
    Column("key_id", Integer, primary_key=True),
    Column("tx_from", Integer, primary_key=True),
    Column("hi", Integer, nullable=False),
    **_CLUSTERED,
)

involved: Final = Table(
    "involved",
    metadata,
    Column("key_id", Integer, primary_key=True),
    **_STRICT,
)

evidence: Final = Table(
    "evidence",
    metadata,
    Column("evidence_no", Integer, primary_key=True),
    Column("tenant_no", Integer, nullable=False),
    Column("key_id", Integer, nullable=False),
    Column("valid_from", Integer, nullable=False),
    Column("memory_id", AnyType, nullable=False),
    Column("episode_no", Integer, nullable=False),
    Column("row_tx", Integer, nullable=False),
    Column("tx_from", Integer, nullable=False),
    Column("tx_to", Integer),
    Column("span_from", Integer),
    Column("span_to", Integer),
    **_STRICT,
)
Index("evidence_key", evidence.c.key_id, evidence.c.valid_from)
Index("evidence_memory", evidence.c.memory_id)
Index("evidence_episode", evidence.c.episode_no)
Index("evidence_feed", evidence.c.tenant_no, evidence.c.tx_from)
Index(
    "evidence_ended", evidence.c.tenant_no, evidence.c.tx_to, sqlite_where=text("tx_to IS NOT NULL")
)

conflict: Final = Table(
    "conflict",
    metadata,
    Column("conflict_no", Integer, primary_key=True),
    Column("conflict_id", AnyType, nullable=False),
    Column("tenant_no", Integer, nullable=False),
    Column("key_id", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("contested_from", Integer, nullable=False),
    Column("contested_to", Integer),
    Column("standing_from", Integer, nullable=False),
    Column("standing_tx", Integer, nullable=False),
    Column("tx_from", Integer, nullable=False),
    UniqueConstraint("conflict_id"),
    **_STRICT,
)
Index("conflict_key", conflict.c.key_id, conflict.c.standing_from)
Index("conflict_feed", conflict.c.tenant_no, conflict.c.tx_from)

claim: Final = Table(
    "claim",
    metadata,
    Column("claim_no", Integer, primary_key=True),
    Column("conflict_no", Integer, nullable=False),
    Column("key_id", Integer, nullable=False),
    Column("valid_from", Integer, nullable=False),
    Column("until", Integer),
    *_said(),
    **_STRICT,
)
Index("claim_conflict", claim.c.conflict_no)
Index("claim_key", claim.c.key_id, claim.c.valid_from)

conflict_event: Final = Table(
    "conflict_event",
    metadata,
    Column("event_no", Integer, primary_key=True),
    Column("conflict_no", Integer, nullable=False),
    Column("tenant_no", Integer, nullable=False),
    Column("tx_from", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("claim_no", Integer),
    Column("resolution", Text),
    Column("chosen", AnyType),
    Column("actor", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    **_STRICT,
)
Index("conflict_event_conflict", conflict_event.c.conflict_no)
Index("conflict_event_feed", conflict_event.c.tenant_no, conflict_event.c.tx_from)

export: Final = Table(
    "export",
    metadata,
    Column("export_no", Integer, primary_key=True),
    Column("tenant_no", Integer, nullable=False),
    Column("taken_at", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("manifest", LargeBinary, nullable=False),
    Column("arguments", Text, nullable=False),
    Column("destination", Text, nullable=False),
    **_STRICT,
)
"""Which snapshots were taken: beside the chain, so no digest covers it."""
Index("export_feed", export.c.tenant_no)

document: Final = Table(
    "document",
    metadata,
    Column("document_no", Integer, primary_key=True),
    Column("key_id", Integer, nullable=False),
    **_STRICT,
)

indexed: Final = Table(
    "indexed",
    metadata,
    Column("tenant_no", Integer, primary_key=True),
    Column("number", Integer, nullable=False),
    **_STRICT,
)

_TEXT_INDEX: Final = (
    "CREATE VIRTUAL TABLE {name} USING fts5(content, content='', detail=none, columnsize=0, "
    "tokenize='trigram case_sensitive 1')"
)
TEXT_INDEXES: Final = ("document_text", "episode_text")

_ONCE: Final = (
    "CREATE TRIGGER {table}_changes_once BEFORE UPDATE ON {table} "
    "WHEN OLD.tx_to IS NOT NULL OR NEW.tx_to IS NULL OR NEW.tx_to <= OLD.tx_from OR {others} "
    "BEGIN SELECT RAISE(ABORT, 'a row of the record changes once, when belief in it ends'); END"
)
_NEVER: Final = (
    "CREATE TRIGGER {table}_never_changes BEFORE UPDATE ON {table} "
    "BEGIN SELECT RAISE(ABORT, 'the record never changes'); END"
)
_STAYS: Final = (
    "CREATE TRIGGER {table}_stays BEFORE DELETE ON {table} "
    "BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END"
)
ENDED_ONCE: Final = (fact, evidence, attribute)
NEVER_CHANGED: Final = (
    store,
    tenant,
    origin,
    name,
    tx,
    episode,
    key,
    milestone,
    involved,
    conflict,
    claim,
    conflict_event,
    export,
)


def triggers() -> tuple[str, ...]:
    """Return the statements that make the triggers by which the record guards itself."""
    made = []
    for table in ENDED_ONCE:
        others = " OR ".join(
            f"NEW.{c.name} IS NOT OLD.{c.name}" for c in table.columns if c.name != "tx_to"
        )
        made.append(_ONCE.format(table=table.name, others=others))
    made += [_NEVER.format(table=table.name) for table in NEVER_CHANGED]
    made += [_STAYS.format(table=table.name) for table in (*ENDED_ONCE, *NEVER_CHANGED)]
    return tuple(made)


def statements() -> tuple[str, ...]:
    """Return every statement that makes an empty store, in order."""
    from sqlalchemy.dialects import sqlite

    dialect = sqlite.dialect()
    made: list[str] = []
    for table in metadata.sorted_tables:
        made.append(str(CreateTable(table).compile(dialect=dialect)))
        made += [
            str(CreateIndex(index).compile(dialect=dialect))
            for index in sorted(table.indexes, key=lambda i: str(i.name))
        ]
    made += [_TEXT_INDEX.format(name=text_index) for text_index in TEXT_INDEXES]
    made += triggers()
    return tuple(" ".join(statement.split()) for statement in made)


def build(connection: Connection, store_id: str, created_at: int) -> None:
    """Make an empty store in an empty database, in the transaction that is open."""
    for statement in statements():
        connection.execute(statement)
    connection.execute("INSERT INTO alembic_version VALUES (?)", (REVISION,))
    connection.execute("INSERT INTO store VALUES (1, ?, ?)", (store_id, created_at))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def objects(connection: Connection) -> dict[tuple[str, str], str]:
    """Return what a database consists of: (type, name) to its statement, spaces folded.

    What SQLite makes by itself is left out: its own tables, and those behind a text index.
    """
    behind = tuple(f"{text_index}_" for text_index in TEXT_INDEXES)
    rows = connection.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
    return {
        (str(kind), str(title)): " ".join(str(sql).split())
        for kind, title, sql in rows
        if not str(title).startswith(("sqlite_", *behind))
    }


def expected() -> dict[tuple[str, str], str]:
    """Return what `objects` says of a store of this version."""
    connection = driver.connect(":memory:", isolation_level=None)
    try:
        build(connection, "", 0)
        return objects(connection)
    finally:
        connection.close()
