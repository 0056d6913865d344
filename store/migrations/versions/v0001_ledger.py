"""The first schema: append-only rows, evidence, conflicts, registry, transactions, search."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None

_STATEMENTS = (
    """
    CREATE TABLE attribute ( attribute_no INTEGER NOT NULL, tenant_no INTEGER NOT NULL, name TEXT
    NOT NULL, memory_type TEXT NOT NULL, cardinality TEXT NOT NULL, sensitive INTEGER NOT NULL,
    retention_policy TEXT NOT NULL, schema_version INTEGER NOT NULL, tx_from INTEGER NOT NULL,
    tx_to INTEGER, PRIMARY KEY (attribute_no) ) STRICT
    """,
    "CREATE INDEX attribute_ended ON attribute (tenant_no, tx_to) WHERE tx_to IS NOT NULL",
    "CREATE INDEX attribute_feed ON attribute (tenant_no, tx_from)",
    "CREATE UNIQUE INDEX attribute_live ON attribute (tenant_no, name) WHERE tx_to IS NULL",
    "CREATE INDEX attribute_name ON attribute (tenant_no, name, tx_from)",
    """
    CREATE TABLE claim ( claim_no INTEGER NOT NULL, conflict_no INTEGER NOT NULL, key_id INTEGER
    NOT NULL, valid_from INTEGER NOT NULL, until INTEGER, memory_id ANY, value TEXT, episode_no
    INTEGER, agent_no INTEGER, secret BLOB NOT NULL, supersedes ANY, confidence REAL,
    schema_version INTEGER, basis INTEGER, precision INTEGER, span_from INTEGER, span_to INTEGER,
    extra TEXT, over TEXT, PRIMARY KEY (claim_no) ) STRICT
    """,
    "CREATE INDEX claim_conflict ON claim (conflict_no)",
    "CREATE INDEX claim_key ON claim (key_id, valid_from)",
    """
    CREATE TABLE "conflict" ( conflict_no INTEGER NOT NULL, conflict_id ANY NOT NULL, tenant_no
    INTEGER NOT NULL, key_id INTEGER NOT NULL, kind TEXT NOT NULL, contested_from INTEGER NOT
    NULL, contested_to INTEGER, standing_from INTEGER NOT NULL, standing_tx INTEGER NOT NULL,
    tx_from INTEGER NOT NULL, PRIMARY KEY (conflict_no), UNIQUE (conflict_id) ) STRICT
    """,
    'CREATE INDEX conflict_feed ON "conflict" (tenant_no, tx_from)',
    'CREATE INDEX conflict_key ON "conflict" (key_id, standing_from)',
    """
    CREATE TABLE conflict_event ( event_no INTEGER NOT NULL, conflict_no INTEGER NOT NULL,
    tenant_no INTEGER NOT NULL, tx_from INTEGER NOT NULL, kind TEXT NOT NULL, claim_no INTEGER,
    resolution TEXT, chosen ANY, actor TEXT NOT NULL, reason TEXT NOT NULL, secret BLOB NOT NULL,
    PRIMARY KEY (event_no) ) STRICT
    """,
    "CREATE INDEX conflict_event_conflict ON conflict_event (conflict_no)",
    "CREATE INDEX conflict_event_feed ON conflict_event (tenant_no, tx_from)",
    """
    CREATE TABLE document ( document_no INTEGER NOT NULL, key_id INTEGER NOT NULL, PRIMARY KEY
    (document_no) ) STRICT
    """,
    """
    CREATE TABLE episode ( episode_no INTEGER NOT NULL, tenant_no INTEGER NOT NULL, episode_id
    TEXT NOT NULL, occurred_at INTEGER NOT NULL, length INTEGER NOT NULL, tx_from INTEGER NOT
    NULL, kind TEXT NOT NULL, agent_no INTEGER NOT NULL, secret BLOB NOT NULL, session_id TEXT,
    metadata TEXT, content TEXT NOT NULL, PRIMARY KEY (episode_no), UNIQUE (tenant_no, episode_id)
    ) STRICT
    """,
    "CREATE INDEX episode_feed ON episode (tenant_no, tx_from)",
    "CREATE INDEX episode_time ON episode (tenant_no, occurred_at DESC, episode_id)",
    """
    CREATE TABLE evidence ( evidence_no INTEGER NOT NULL, tenant_no INTEGER NOT NULL, key_id
    INTEGER NOT NULL, valid_from INTEGER NOT NULL, memory_id ANY NOT NULL, episode_no INTEGER NOT
    NULL, row_tx INTEGER NOT NULL, tx_from INTEGER NOT NULL, tx_to INTEGER, span_from INTEGER,
    span_to INTEGER, PRIMARY KEY (evidence_no) ) STRICT
    """,
    "CREATE INDEX evidence_ended ON evidence (tenant_no, tx_to) WHERE tx_to IS NOT NULL",
    "CREATE INDEX evidence_episode ON evidence (episode_no)",
    "CREATE INDEX evidence_feed ON evidence (tenant_no, tx_from)",
    "CREATE INDEX evidence_key ON evidence (key_id, valid_from)",
    "CREATE INDEX evidence_memory ON evidence (memory_id)",
    """
    CREATE TABLE fact ( key_id INTEGER NOT NULL, valid_from INTEGER NOT NULL, tx_from INTEGER NOT
    NULL, tx_to INTEGER, kind INTEGER NOT NULL, tenant_no INTEGER NOT NULL, until INTEGER,
    memory_id ANY, value TEXT, episode_no INTEGER, agent_no INTEGER, secret BLOB NOT NULL,
    supersedes ANY, confidence REAL, schema_version INTEGER, basis INTEGER, precision INTEGER,
    span_from INTEGER, span_to INTEGER, extra TEXT, over TEXT, PRIMARY KEY (key_id, valid_from,
    tx_from) ) WITHOUT ROWID, STRICT
    """,
    """
    CREATE INDEX fact_bounded ON fact (key_id, until) WHERE tx_to IS NULL AND until IS NOT NULL
    AND kind < 2
    """,
    "CREATE INDEX fact_ended ON fact (tenant_no, tx_to) WHERE tx_to IS NOT NULL",
    "CREATE INDEX fact_episode ON fact (episode_no)",
    "CREATE INDEX fact_feed ON fact (tenant_no, tx_from)",
    "CREATE UNIQUE INDEX fact_live ON fact (key_id, valid_from) WHERE tx_to IS NULL",
    "CREATE INDEX fact_memory ON fact (memory_id)",
    "CREATE INDEX fact_over ON fact (key_id) WHERE over IS NOT NULL",
    """
    CREATE TABLE "indexed" ( tenant_no INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY
    (tenant_no) ) STRICT
    """,
    "CREATE TABLE involved ( key_id INTEGER NOT NULL, PRIMARY KEY (key_id) ) STRICT",
    """
    CREATE TABLE "key" ( key_id INTEGER NOT NULL, tenant_no INTEGER NOT NULL, subject TEXT NOT
    NULL, attribute TEXT NOT NULL, owner TEXT NOT NULL, slot TEXT NOT NULL, tx_from INTEGER NOT
    NULL, PRIMARY KEY (key_id), UNIQUE (tenant_no, subject, attribute, owner, slot) ) STRICT
    """,
    """
    CREATE TABLE milestone ( key_id INTEGER NOT NULL, tx_from INTEGER NOT NULL, hi INTEGER NOT
    NULL, PRIMARY KEY (key_id, tx_from) ) WITHOUT ROWID, STRICT
    """,
    """
    CREATE TABLE name ( name_no INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (name_no),
    UNIQUE (name) ) STRICT
    """,
    """
    CREATE TABLE store ( one INTEGER NOT NULL CHECK (one = 1), store_id TEXT NOT NULL, created_at
    INTEGER NOT NULL, PRIMARY KEY (one) ) STRICT
    """,
    """
    CREATE TABLE tenant ( tenant_no INTEGER NOT NULL, tenant_id TEXT NOT NULL, slot_secret BLOB
    NOT NULL, PRIMARY KEY (tenant_no), UNIQUE (tenant_id) ) STRICT
    """,
    """
    CREATE TABLE tx ( tenant_no INTEGER NOT NULL, number INTEGER NOT NULL, recorded_at INTEGER NOT
    NULL, kind INTEGER NOT NULL, actor_no INTEGER NOT NULL, tool_no INTEGER NOT NULL, entries
    INTEGER NOT NULL, total INTEGER NOT NULL, digest BLOB NOT NULL, secret BLOB NOT NULL, reason
    TEXT, reverts INTEGER, PRIMARY KEY (tenant_no, number) ) WITHOUT ROWID, STRICT
    """,
    "CREATE INDEX tx_reverts ON tx (tenant_no, reverts) WHERE reverts IS NOT NULL",
    "CREATE INDEX tx_time ON tx (tenant_no, recorded_at) WHERE number % 16 = 0",
    """
    CREATE VIRTUAL TABLE document_text USING fts5(content, content='', detail=none, columnsize=0,
    tokenize='trigram case_sensitive 1')
    """,
    """
    CREATE VIRTUAL TABLE episode_text USING fts5(content, content='', detail=none, columnsize=0,
    tokenize='trigram case_sensitive 1')
    """,
    """
    CREATE TRIGGER fact_changes_once BEFORE UPDATE ON fact WHEN OLD.tx_to IS NOT NULL OR NEW.tx_to
    IS NULL OR NEW.tx_to <= OLD.tx_from OR NEW.key_id IS NOT OLD.key_id OR NEW.valid_from IS NOT
    OLD.valid_from OR NEW.tx_from IS NOT OLD.tx_from OR NEW.kind IS NOT OLD.kind OR NEW.tenant_no
    IS NOT OLD.tenant_no OR NEW.until IS NOT OLD.until OR NEW.memory_id IS NOT OLD.memory_id OR
    NEW.value IS NOT OLD.value OR NEW.episode_no IS NOT OLD.episode_no OR NEW.agent_no IS NOT
    OLD.agent_no OR NEW.secret IS NOT OLD.secret OR NEW.supersedes IS NOT OLD.supersedes OR
    NEW.confidence IS NOT OLD.confidence OR NEW.schema_version IS NOT OLD.schema_version OR
    NEW.basis IS NOT OLD.basis OR NEW.precision IS NOT OLD.precision OR NEW.span_from IS NOT
    OLD.span_from OR NEW.span_to IS NOT OLD.span_to OR NEW.extra IS NOT OLD.extra OR NEW.over IS
    NOT OLD.over BEGIN SELECT RAISE(ABORT, 'a row of the record changes once, when belief in it
    ends'); END
    """,
    """
    CREATE TRIGGER evidence_changes_once BEFORE UPDATE ON evidence WHEN OLD.tx_to IS NOT NULL OR
    NEW.tx_to IS NULL OR NEW.tx_to <= OLD.tx_from OR NEW.evidence_no IS NOT OLD.evidence_no OR
    NEW.tenant_no IS NOT OLD.tenant_no OR NEW.key_id IS NOT OLD.key_id OR NEW.valid_from IS NOT
    OLD.valid_from OR NEW.memory_id IS NOT OLD.memory_id OR NEW.episode_no IS NOT OLD.episode_no
    OR NEW.row_tx IS NOT OLD.row_tx OR NEW.tx_from IS NOT OLD.tx_from OR NEW.span_from IS NOT
    OLD.span_from OR NEW.span_to IS NOT OLD.span_to BEGIN SELECT RAISE(ABORT, 'a row of the record
    changes once, when belief in it ends'); END
    """,
    """
    CREATE TRIGGER attribute_changes_once BEFORE UPDATE ON attribute WHEN OLD.tx_to IS NOT NULL OR
    NEW.tx_to IS NULL OR NEW.tx_to <= OLD.tx_from OR NEW.attribute_no IS NOT OLD.attribute_no OR
    NEW.tenant_no IS NOT OLD.tenant_no OR NEW.name IS NOT OLD.name OR NEW.memory_type IS NOT
    OLD.memory_type OR NEW.cardinality IS NOT OLD.cardinality OR NEW.sensitive IS NOT
    OLD.sensitive OR NEW.retention_policy IS NOT OLD.retention_policy OR NEW.schema_version IS NOT
    OLD.schema_version OR NEW.tx_from IS NOT OLD.tx_from BEGIN SELECT RAISE(ABORT, 'a row of the
    record changes once, when belief in it ends'); END
    """,
    """
    CREATE TRIGGER store_never_changes BEFORE UPDATE ON store BEGIN SELECT RAISE(ABORT, 'the
    record never changes'); END
    """,
    """
    CREATE TRIGGER tenant_never_changes BEFORE UPDATE ON tenant BEGIN SELECT RAISE(ABORT, 'the
    record never changes'); END
    """,
    """
    CREATE TRIGGER name_never_changes BEFORE UPDATE ON name BEGIN SELECT RAISE(ABORT, 'the record
    never changes'); END
    """,
    """
    CREATE TRIGGER tx_never_changes BEFORE UPDATE ON tx BEGIN SELECT RAISE(ABORT, 'the record
    never changes'); END
    """,
    """
    CREATE TRIGGER episode_never_changes BEFORE UPDATE ON episode BEGIN SELECT RAISE(ABORT, 'the
    record never changes'); END
    """,
    """
    CREATE TRIGGER key_never_changes BEFORE UPDATE ON key BEGIN SELECT RAISE(ABORT, 'the record
    never changes'); END
    """,
    """
    CREATE TRIGGER milestone_never_changes BEFORE UPDATE ON milestone BEGIN SELECT RAISE(ABORT,
    'the record never changes'); END
    """,
    """
    CREATE TRIGGER involved_never_changes BEFORE UPDATE ON involved BEGIN SELECT RAISE(ABORT, 'the
    record never changes'); END
    """,
    """
    CREATE TRIGGER conflict_never_changes BEFORE UPDATE ON conflict BEGIN SELECT RAISE(ABORT, 'the
    record never changes'); END
    """,
    """
    CREATE TRIGGER claim_never_changes BEFORE UPDATE ON claim BEGIN SELECT RAISE(ABORT, 'the
    record never changes'); END
    """,
    """
    CREATE TRIGGER conflict_event_never_changes BEFORE UPDATE ON conflict_event BEGIN SELECT
    RAISE(ABORT, 'the record never changes'); END
    """,
    """
    CREATE TRIGGER fact_stays BEFORE DELETE ON fact BEGIN SELECT RAISE(ABORT, 'the record is
    append-only'); END
    """,
    """
    CREATE TRIGGER evidence_stays BEFORE DELETE ON evidence BEGIN SELECT RAISE(ABORT, 'the record
    is append-only'); END
    """,
    """
    CREATE TRIGGER attribute_stays BEFORE DELETE ON attribute BEGIN SELECT RAISE(ABORT, 'the
    record is append-only'); END
    """,
    """
    CREATE TRIGGER store_stays BEFORE DELETE ON store BEGIN SELECT RAISE(ABORT, 'the record is
    append-only'); END
    """,
    """
    CREATE TRIGGER tenant_stays BEFORE DELETE ON tenant BEGIN SELECT RAISE(ABORT, 'the record is
    append-only'); END
    """,
    """
    CREATE TRIGGER name_stays BEFORE DELETE ON name BEGIN SELECT RAISE(ABORT, 'the record is
    append-only'); END
    """,
    """
    CREATE TRIGGER tx_stays BEFORE DELETE ON tx BEGIN SELECT RAISE(ABORT, 'the record is
    append-only'); END
    """,
    """
    CREATE TRIGGER episode_stays BEFORE DELETE ON episode BEGIN SELECT RAISE(ABORT, 'the record is
    append-only'); END
    """,
    """
    CREATE TRIGGER key_stays BEFORE DELETE ON key BEGIN SELECT RAISE(ABORT, 'the record is
    append-only'); END
    """,
    """
    CREATE TRIGGER milestone_stays BEFORE DELETE ON milestone BEGIN SELECT RAISE(ABORT, 'the
    record is append-only'); END
    """,
    """
    CREATE TRIGGER involved_stays BEFORE DELETE ON involved BEGIN SELECT RAISE(ABORT, 'the record
    is append-only'); END
    """,
    """
    CREATE TRIGGER conflict_stays BEFORE DELETE ON conflict BEGIN SELECT RAISE(ABORT, 'the record
    is append-only'); END
    """,
    """
    CREATE TRIGGER claim_stays BEFORE DELETE ON claim BEGIN SELECT RAISE(ABORT, 'the record is
    append-only'); END
    """,
    """
    CREATE TRIGGER conflict_event_stays BEFORE DELETE ON conflict_event BEGIN SELECT RAISE(ABORT,
    'the record is append-only'); END
    """,
    "PRAGMA application_id = 1297564209",
    "PRAGMA user_version = 1",
)


def upgrade() -> None:
    """Make the tables of an empty database."""
    for statement in _STATEMENTS:
        op.execute(statement)
