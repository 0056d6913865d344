from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from store.backends.sqlite import schema
from store.backends.sqlite.connection import connect
from store.backends.sqlite.library import driver
from store.migrations import upgrade

if TYPE_CHECKING:
    from pathlib import Path


def test_the_steps_lead_to_what_a_new_store_is_made_of(tmp_path: Path) -> None:
    uri = f"{(tmp_path / 'x.db').as_uri()}?mode=rwc"
    engine = create_engine(
        "sqlite://", module=driver, creator=lambda: connect(uri), poolclass=NullPool
    )
    with engine.begin() as steps:
        steps.connection.driver_connection.execute("BEGIN IMMEDIATE")
        upgrade(steps)
    with engine.connect() as steps:
        connection = steps.connection.driver_connection
        assert schema.objects(connection) == schema.expected()
        assert connection.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
        assert connection.execute("PRAGMA application_id").fetchone() == (schema.APPLICATION_ID,)
        found = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        assert found == [(schema.REVISION,)]


@pytest.fixture
def record():
    connection = driver.connect(":memory:", isolation_level=None)
    schema.build(connection, "store", 0)
    connection.execute("INSERT INTO name VALUES (1, 'operator')")
    connection.execute("INSERT INTO key VALUES (1, 1, 'mira', 'city', '', '', 1)")
    connection.execute(
        "INSERT INTO fact (key_id, valid_from, tx_from, kind, tenant_no, memory_id, value, secret)"
        " VALUES (1, 10, 1, 0, 1, 'm', '1', x'00')"
    )
    yield connection
    connection.close()


def test_a_row_changes_once_when_belief_in_it_ends(record) -> None:
    record.execute("UPDATE fact SET tx_to = 2")
    for change in ("tx_to = 3", "tx_to = NULL", "tx_to = 2"):
        with pytest.raises(driver.IntegrityError, match="changes once"):
            record.execute(f"UPDATE fact SET {change}")


@pytest.mark.parametrize(
    "change",
    [
        "value = '2', tx_to = 2",
        "valid_from = 11, tx_to = 2",
        "secret = x'01', tx_to = 2",
        "over = 'x', tx_to = 2",
        "tx_to = 1",
        "value = '2'",
    ],
)
def test_nothing_else_of_a_row_changes(record, change: str) -> None:
    with pytest.raises(driver.IntegrityError, match="changes once"):
        record.execute(f"UPDATE fact SET {change}")


@pytest.mark.parametrize("table", [t.name for t in (*schema.ENDED_ONCE, *schema.NEVER_CHANGED)])
def test_nothing_is_deleted_or_rewritten(table: str) -> None:
    connection = driver.connect(":memory:", isolation_level=None)
    schema.build(connection, "store", 0)
    columns = schema.metadata.tables[table].columns
    values = ", ".join(_value(c) for c in columns)
    connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({values})")
    assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)
    with pytest.raises(driver.IntegrityError, match="append-only"):
        connection.execute(f"DELETE FROM {table}")
    first = columns[0].name
    with pytest.raises(driver.IntegrityError, match=r"never changes|changes once"):
        connection.execute(f"UPDATE {table} SET {first} = {first}")
    connection.close()


def _value(column) -> str:
    if column.name == "tx_to":
        return "NULL"
    kind = column.type.get_col_spec() if hasattr(column.type, "get_col_spec") else ""
    return {"BLOB": "x'00'", "TEXT": "'1'"}.get(kind or _kind(column), "1")


def _kind(column) -> str:
    return {"LargeBinary": "BLOB", "Text": "TEXT"}.get(type(column.type).__name__, "")


def test_two_live_rows_cannot_begin_at_one_instant(record) -> None:
    again = (
        "INSERT INTO fact (key_id, valid_from, tx_from, kind, tenant_no, memory_id, value, secret)"
        " VALUES (1, 10, 2, 0, 1, 'n', '2', x'00')"
    )
    with pytest.raises(driver.IntegrityError, match="UNIQUE"):
        record.execute(again)
    record.execute("UPDATE fact SET tx_to = 2")
    record.execute(again)
    live = record.execute("SELECT value FROM fact WHERE tx_to IS NULL").fetchall()
    assert live == [("2",)]
