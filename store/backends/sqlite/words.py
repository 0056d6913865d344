"""The text index: which keys and episodes may hold the words of a search.

It follows behind the commits, so that no write waits for it, and only narrows: what it names is
still looked at, and so is everything written after it was last brought up to date. So no read
misses anything, and the index never decides.

Words occur as parts of words, so the index is of all sequences of three characters, without regard
to case. A document is a key with the values that were new when it was indexed; an episode is one
document by itself.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from sqlalchemy import Integer, Text, bindparam, column, or_, select, table

from store.backends import filters
from store.backends.sqlite import schema
from store.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from sqlalchemy import ColumnElement, Select

    from store.backends.sqlite.connection import Database
    from store.backends.sqlite.library import Connection
    from store.backends.sqlite.sight import Sight
    from store.contract import Cancel

ROWS_BEHIND: Final = 2000
"""So many unindexed rows are looked at rather than indexed when a search comes."""
EPISODES_BEHIND: Final = 100
"""The same for episodes, which are longer."""
ROWS_AT_ONCE: Final = 20_000
PATIENCE_S: Final = 0.3
"""A search does not wait for those who write: it looks at what is not indexed instead."""
TRIGRAMS_ASKED: Final = 12

_document_text: Final = table("document_text", column("rowid", Integer), column("document_text"))
_episode_text: Final = table("episode_text", column("rowid", Integer), column("episode_text"))

_BEHIND: Final = """
SELECT (SELECT count(*) FROM (SELECT 1 FROM fact WHERE tenant_no = ?1 AND tx_from > ?2 LIMIT ?3)),
  (SELECT count(*) FROM (SELECT 1 FROM episode WHERE tenant_no = ?1 AND tx_from > ?2 LIMIT ?4))"""
_UP_TO: Final = """
SELECT ifnull((SELECT tx_from FROM fact WHERE tenant_no = ?1 AND tx_from > ?2
               ORDER BY tx_from LIMIT 1 OFFSET ?3),
  (SELECT max(number) FROM tx WHERE tenant_no = ?1))"""
_NEW_VALUES: Final = """
SELECT f.key_id, k.subject, k.attribute, f.value FROM fact f JOIN key k ON k.key_id = f.key_id
WHERE f.tenant_no = ? AND f.tx_from > ? AND f.tx_from <= ? AND f.kind = 0
ORDER BY f.key_id"""
_NEW_EPISODES: Final = """
SELECT episode_no, episode_id, content FROM episode
WHERE tenant_no = ? AND tx_from > ? AND tx_from <= ?"""


def trigrams(text: str) -> str | None:
    """Return a question to the index that holds wherever all words of a text occur.

    None if no word is long enough to ask for.
    """
    found: dict[str, None] = {}
    for word in text.casefold().split():
        parts = [word[i : i + 3] for i in range(len(word) - 2)]
        # The first, the last and some between are enough to narrow; each is verified anyway.
        step = max(1, len(parts) // TRIGRAMS_ASKED)
        found.update(dict.fromkeys([*parts[::step], *parts[-1:]]))
    quoted = ['"' + part.replace('"', '""') + '"' for part in found if "\0" not in part]
    return " ".join(quoted) or None


def indexed_up_to(connection: Connection, tenant_no: int | None) -> int:
    """Return the number of the last transaction of a tenant that the index knows."""
    statement = "SELECT number FROM indexed WHERE tenant_no = ?"
    found = connection.execute(statement, (tenant_no,)).fetchone()
    return 0 if found is None else int(found[0])


def keys_that_may_hold(
    sight: Sight, text: str, key_id: ColumnElement[Any]
) -> ColumnElement[bool] | None:
    """Return the condition that a key may hold the words; None if the index cannot tell."""
    asked = trigrams(text)
    if asked is None:
        return None
    d, r = schema.document.alias("d"), schema.fact.alias("r")
    named = (
        select(d.c.key_id)
        .join(_document_text, _document_text.c.rowid == d.c.document_no)
        .where(_document_text.c.document_text.op("MATCH")(_asked(asked)))
    )
    later = select(r.c.key_id).where(
        r.c.tenant_no == sight.tenant_no,
        r.c.tx_from > indexed_up_to(sight.connection, sight.tenant_no),
    )
    return or_(key_id.in_(named), key_id.in_(later))


def episodes_that_may_hold(
    sight: Sight, text: str, episode_no: ColumnElement[Any], tx_from: ColumnElement[Any]
) -> ColumnElement[bool] | None:
    """Return the condition that an episode may hold the words; None if the index cannot tell."""
    asked = trigrams(text)
    if asked is None:
        return None
    named: Select[Any] = select(_episode_text.c.rowid).where(
        _episode_text.c.episode_text.op("MATCH")(_asked(asked))
    )
    behind = tx_from > indexed_up_to(sight.connection, sight.tenant_no)
    return or_(episode_no.in_(named), behind)


def _asked(asked: str) -> ColumnElement[str]:
    return bindparam(None, asked, type_=Text, unique=True)


# -- following ----------------------------------------------------------------------------------


def catch_up(
    database: Database, tenant_id: str, cancel: Cancel | None = None, *, all_of_it: bool = False
) -> None:
    """Bring the index up to date if it is far behind, in transactions of their own.

    Where another program keeps the store locked, or the disk is full, the index stays behind.
    """
    try:
        while _follow(database, tenant_id, all_of_it=all_of_it):
            if cancel is not None:
                cancel.check()
    except Unavailable:
        return


def _follow(database: Database, tenant_id: str, *, all_of_it: bool) -> bool:
    """Index some transactions; say whether there were any."""
    with database.reading() as reader:
        if not _is_behind(reader.driver, tenant_id, all_of_it=all_of_it):
            return False
    with database.writing(PATIENCE_S) as connection:
        tenant_no = _tenant_no(connection, tenant_id)
        done = indexed_up_to(connection, tenant_no)
        up_to = connection.execute(_UP_TO, (tenant_no, done, ROWS_AT_ONCE)).fetchone()[0]
        place = (tenant_no, done, up_to)
        _index_keys(connection, place)
        _index_episodes(connection, place)
        connection.execute("INSERT OR REPLACE INTO indexed VALUES (?, ?)", (tenant_no, up_to))
        connection.execute("COMMIT")
    return True


def _tenant_no(connection: Connection, tenant_id: str) -> int | None:
    statement = "SELECT tenant_no FROM tenant WHERE tenant_id = ?"
    found = connection.execute(statement, (tenant_id,)).fetchone()
    return None if found is None else int(found[0])


def _is_behind(connection: Connection, tenant_id: str, *, all_of_it: bool) -> bool:
    tenant_no = _tenant_no(connection, tenant_id)
    if tenant_no is None:
        return False
    rows, episodes = (0, 0) if all_of_it else (ROWS_BEHIND, EPISODES_BEHIND)
    place = (tenant_no, indexed_up_to(connection, tenant_no), rows + 1, episodes + 1)
    behind = connection.execute(_BEHIND, place).fetchone()
    return bool(behind[0] > rows or behind[1] > episodes)


def _index_keys(connection: Connection, place: tuple[Any, ...]) -> None:
    found = connection.execute(_NEW_VALUES, place).fetchall()
    first = connection.execute("SELECT max(document_no) FROM document").fetchone()[0] or 0
    keys: list[tuple[int, int]] = []
    texts: list[tuple[int, str]] = []
    for number, (key_id, group) in enumerate(groupby(found, lambda row: row[0]), first + 1):
        rows = list(group)
        values = dict.fromkeys(filters.shown(row[3]) for row in rows)
        keys.append((number, key_id))
        texts.append((number, document(rows[0][1], rows[0][2], *values)))
    connection.executemany("INSERT INTO document VALUES (?, ?)", keys)
    connection.executemany("INSERT INTO document_text (rowid, content) VALUES (?, ?)", texts)


def _index_episodes(connection: Connection, place: tuple[Any, ...]) -> None:
    def texts() -> Iterator[tuple[int, str]]:
        for number, episode_id, content in connection.execute(_NEW_EPISODES, place).fetchall():
            yield number, document(episode_id, content)

    connection.executemany("INSERT INTO episode_text (rowid, content) VALUES (?, ?)", texts())


def document(*parts: str) -> str:
    """Return what is indexed of some texts."""
    return " ".join(parts).casefold().replace("\0", " ")
