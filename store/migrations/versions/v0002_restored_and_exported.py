"""What stands beside the record: where a restored chain began, and which snapshots were taken."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"

_STATEMENTS = (
    """
    CREATE TABLE origin ( tenant_no INTEGER NOT NULL, store_id TEXT NOT NULL, PRIMARY KEY
    (tenant_no) ) STRICT
    """,
    """
    CREATE TABLE export ( export_no INTEGER NOT NULL, tenant_no INTEGER NOT NULL, taken_at INTEGER
    NOT NULL, number INTEGER NOT NULL, digest BLOB NOT NULL, manifest BLOB NOT NULL, arguments TEXT
    NOT NULL, destination TEXT NOT NULL, PRIMARY KEY (export_no) ) STRICT
    """,
    "CREATE INDEX export_feed ON export (tenant_no)",
    """
    CREATE TRIGGER origin_never_changes BEFORE UPDATE ON origin BEGIN SELECT RAISE(ABORT, 'the
    record never changes'); END
    """,
    """
    CREATE TRIGGER export_never_changes BEFORE UPDATE ON export BEGIN SELECT RAISE(ABORT, 'the
    record never changes'); END
    """,
    """
    CREATE TRIGGER origin_stays BEFORE DELETE ON origin BEGIN SELECT RAISE(ABORT, 'the record is
    append-only'); END
    """,
    """
    CREATE TRIGGER export_stays BEFORE DELETE ON export BEGIN SELECT RAISE(ABORT, 'the record is
    append-only'); END
    """,
    "PRAGMA user_version = 2",
)


def upgrade() -> None:
    """Make the tables."""
    for statement in _STATEMENTS:
        op.execute(statement)
