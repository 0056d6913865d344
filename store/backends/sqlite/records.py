"""Episodes, conflicts, rows on both axes, and what supports what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import Integer, LargeBinary, cast, func, literal_column, or_, select

from store.backends import filters, view
from store.backends.sqlite import codec, schema
from store.backends.sqlite.facts import f, k, seen
from store.backends.sqlite.functions import as_bytes
from store.backends.sqlite.words import episodes_that_may_hold
from store.errors import Invalid, NotFound
from store.ledger import stretches
from store.query import Listed, Order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.backends.sqlite.connection import Reader
    from store.backends.sqlite.sight import Sight
    from store.entry import ConflictCase, EpisodeEntry, TransactionHeader
    from store.ledger import Row
    from store.model import Attribute, Conflict, ConflictState, Episode, Evidence, Fact, Version
    from store.query import EpisodePage, EpisodeQuery, Page

_KEY_IDS_OF: Final = """
SELECT DISTINCT k.key_id, k.owner, k.subject, k.attribute, k.slot
FROM fact f JOIN key k ON k.key_id = f.key_id
WHERE f.memory_id = ? AND +f.tenant_no = ? AND f.tx_from <= ? AND f.kind & 1 = 0
ORDER BY k.subject, k.attribute, k.owner, k.slot"""
_KEYS_FROM: Final = """
SELECT DISTINCT k.key_id, k.owner, k.subject, k.attribute, k.slot FROM key k
WHERE k.key_id IN (SELECT key_id FROM fact WHERE episode_no = ?1
                   UNION SELECT key_id FROM evidence WHERE episode_no = ?1)
ORDER BY k.subject, k.attribute, k.owner, k.slot"""
_THEN: Final = "f.key_id = ? AND f.tx_from <= ? AND (f.tx_to IS NULL OR f.tx_to > ?)"
_MINE: Final = "f.memory_id = ? AND f.key_id = ? AND f.tx_from <= ? AND f.kind & 1 = 0"
_LATEST: Final = "SELECT max(tx_from), max(tx_to) FROM fact WHERE key_id = ?"


# -- facts by id --------------------------------------------------------------------------------


def fact_by_id(sight: Sight, memory_id: str) -> Fact:
    """Return a fact, in force at the valid-at, else its nearest row.

    Raises:
        NotFound: the scope sees no such fact.
    """
    packed = codec.pack_id(memory_id)
    place = (packed, sight.tenant_no, sight.number)
    for key_id, owner, *_ in sight.connection.execute(_KEY_IDS_OF, place).fetchall():
        if sight.scope.sees(owner):
            return _nearest(sight, key_id, packed)
    raise NotFound(f"There is no fact {memory_id} in tenant {sight.tenant_id}.")


def _nearest(sight: Sight, key_id: int, packed: bytearray | str) -> Fact:
    """Return the fact of the row that holds at the valid-at, else of the last begun, or the first.

    If the ledger did not believe it then, look as of the last transaction that did.
    """
    number = sight.number
    mine = sight.connection.execute(
        "SELECT f.valid_from, f.tx_from, f.tx_to FROM fact f WHERE " + _MINE,
        (packed, key_id, number),
    ).fetchall()
    believed = [row for row in mine if row[2] is None or row[2] > number]
    then = None
    if not believed:
        then = max(mine, key=lambda row: (row[2], row[1]))[2] - 1
        believed = [row for row in mine if row[1] <= then < row[2]]
    begun = [row for row in believed if row[0] <= sight.valid_at]
    # The row that holds at the valid-at, if it is this fact's, is the last of its rows that began.
    valid_from, tx_from, _ = max(begun) if begun else min(believed)
    return sight.fact_at(key_id, valid_from, tx_from, then)


def evidence_of(sight: Sight, memory_id: str) -> tuple[tuple[Evidence, Episode], ...]:
    """Return a fact's sources with their episodes."""
    links = fact_by_id(sight, memory_id).evidence
    return tuple((link, episode_by_id(sight, link.episode_id)) for link in links)


def facts_from(sight: Sight, episode_id: str) -> tuple[tuple[Fact, Evidence], ...]:
    """Return the facts that an episode supports as of the known-at, each with its link.

    Raises:
        NotFound: no such episode.
    """
    episode_by_id(sight, episode_id)
    number = sight.episode_found(episode_id)
    assert number is not None
    found: dict[str, tuple[Fact, Evidence]] = {}
    keys = sight.connection.execute(_KEYS_FROM, (number[0],)).fetchall()
    if len(keys) > 16:
        sight.types()
    for key_id, owner, *_ in keys:
        if not sight.scope.sees(owner):
            continue
        for fact in _every_interval(sight, key_id):
            for link in fact.evidence:
                if link.episode_id == episode_id:
                    found.setdefault(fact.memory_id, (fact, link))
    return tuple(sorted(found.values(), key=lambda pair: filters.sort_key(Order(), pair[0])))


def _every_interval(sight: Sight, key_id: int) -> Iterator[Fact]:
    """Yield a fact for each stretch of a key: of the row in force, else of the first."""
    rows = believed_rows(sight, key_id)
    held = view.position_at(rows, sight.valid_at)
    for stretch in stretches(rows):
        row = stretch.row
        if held is not None and view.bounds_of(rows, held)[0] == stretch.valid_from:
            row = rows[held]
        yield sight.fact_at(key_id, row.valid_from, row.tx_from)


def believed_rows(sight: Sight, key_id: int, number: int | None = None) -> list[Row]:
    """Return the rows of a key believed as of a transaction, in order of time."""
    at = sight.number if number is None else number
    return sight.rows_where(_THEN + " ORDER BY f.valid_from", key_id, at, at)


def versions(
    reader: Reader,
    sight: Sight,
    *,
    memory_id: str | None,
    subject: str | None,
    attribute: str | None,
    limit: int,
) -> tuple[Version, ...]:
    """Return rows ever held, newest transaction first.

    Raises:
        NotFound: the scope sees no such fact.
    """
    is_narrowed = any(name is not None for name in (memory_id, subject, attribute))
    # The plus keeps the planner from walking the whole tenant where little is asked for.
    tenant_no = literal_column("+f.tenant_no", Integer) if is_narrowed else f.c.tenant_no
    statement = (
        select(f.c.key_id, f.c.valid_from, f.c.tx_from)
        .select_from(k)
        .join(f, k.c.key_id == f.c.key_id)
        .where(tenant_no == sight.tenant_no, seen(sight.scope, k.c.owner))
        .order_by(
            f.c.tx_from.desc(),
            k.c.owner,
            k.c.subject,
            k.c.attribute,
            k.c.slot,
            f.c.valid_from,
        )
        .limit(limit)
    )
    if memory_id is not None:
        statement = statement.where(f.c.memory_id == codec.pack_id(memory_id))
    elif is_narrowed:
        statement = statement.where(k.c.tenant_no == sight.tenant_no)
    if subject is not None:
        statement = statement.where(k.c.subject == subject)
    if attribute is not None:
        statement = statement.where(k.c.attribute == attribute)
    places = reader.all(statement)
    if memory_id is not None and not places:
        raise NotFound(f"There is no fact {memory_id} in tenant {sight.tenant_id}.")
    found: list[Row] = []
    for place in places:
        found += sight.rows_where("f.key_id = ? AND f.valid_from = ? AND f.tx_from = ?", *place)
    return tuple(version_of(sight, row) for row in found)


def version_of(sight: Sight, row: Row) -> Version:
    """Return a row as the contract shows it."""
    return view.version_of(
        row, clock_of=sight.clock_of, kind_of=lambda number: header(sight, number).kind
    )


def header(sight: Sight, number: int) -> TransactionHeader:
    """Return the header of a transaction that is there, kept for the next who asks."""
    found = sight.headers.get(number)
    if found is None:
        sealed = sight.sealed(number)
        if sealed is None:
            raise codec.unreadable(KeyError(f"transaction {number}"))
        found = sight.headers[number] = sealed[0]
    return found


# -- episodes -----------------------------------------------------------------------------------


def episode_by_id(sight: Sight, episode_id: str) -> Episode:
    """Return an episode.

    Raises:
        NotFound: no such episode in this tenant.
    """
    found = sight.episodes("episode_id = ?", episode_id)
    if not found:
        raise NotFound(f"There is no episode {episode_id} in tenant {sight.tenant_id}.")
    return _shown(sight, found[0])


def _shown(sight: Sight, entry: EpisodeEntry) -> Episode:
    return view.episode_of(sight.tenant_id, entry, sight.clock_of(entry.tx_from))


def episode_page(reader: Reader, sight: Sight, query: EpisodeQuery, page: Page) -> EpisodePage:
    """Return a page of episodes, latest first."""
    e = schema.episode.alias("e")
    statement = (
        select(e.c.occurred_at, e.c.episode_id)
        .where(e.c.tenant_no == sight.tenant_no)
        .order_by(e.c.occurred_at.desc(), e.c.episode_id)
        .limit(page.limit + 1)
    )
    if query.kind is not None:
        statement = statement.where(e.c.kind == query.kind.value)
    if query.agent_id is not None:
        n = schema.name
        agent = select(n.c.name_no).where(n.c.name == query.agent_id).scalar_subquery()
        statement = statement.where(e.c.agent_no == agent)
    if query.session_id is not None:
        statement = statement.where(e.c.session_id == query.session_id)
    if query.text.split():
        statement = statement.where(
            func.content_has(as_bytes(query.text), e.c.episode_id, cast(e.c.content, LargeBinary))
            == 1
        )
        narrowed = episodes_that_may_hold(sight, query.text, e.c.episode_no, e.c.tx_from)
        if narrowed is not None:
            statement = statement.where(narrowed)
    if page.after is not None:
        occurred_at, identity = read_place(page.after)
        statement = statement.where(
            e.c.occurred_at <= occurred_at,
            or_(e.c.occurred_at < occurred_at, e.c.episode_id > identity),
        )
    found = reader.all(statement)
    items = tuple(episode_by_id(sight, row[1]) for row in found[: page.limit])
    if len(found) <= page.limit:
        return Listed(items)
    return Listed(items, filters.write_cursor(tuple(found[page.limit - 1])))


def read_place(cursor: str) -> tuple[int, str]:
    """Return the number and the identity of a cursor.

    Raises:
        Invalid: it belongs to another list.
    """
    number, identity = filters.read_cursor(cursor, 2)
    if not isinstance(number, int) or not isinstance(identity, str):
        raise Invalid("The cursor belongs to another list.")
    return number, identity


# -- conflicts ----------------------------------------------------------------------------------


def conflict_by_id(sight: Sight, conflict_id: str) -> Conflict:
    """Return a conflict as it stands now.

    Raises:
        NotFound: the scope sees no such conflict.
    """
    for case in sight.cases("c.conflict_id = ?", codec.pack_id(conflict_id)):
        if case.state is not None and sight.scope.sees(case.entry.key.owner):
            return _conflict_of(sight, case)
    raise NotFound(f"There is no conflict {conflict_id} in tenant {sight.tenant_id}.")


def conflict_page(
    reader: Reader, sight: Sight, state: ConflictState | None, subject: str | None, page: Page
) -> Listed[Conflict]:
    """Return a page of conflicts, oldest first."""
    c = schema.conflict.alias("c")
    statement = (
        select(c.c.conflict_no, c.c.tx_from, c.c.conflict_id)
        .join(k, k.c.key_id == c.c.key_id)
        .where(c.c.tenant_no == sight.tenant_no, seen(sight.scope, k.c.owner))
        .order_by(c.c.tx_from, c.c.conflict_id)
    )
    if subject is not None:
        statement = statement.where(k.c.subject == subject)
    if page.after is not None:
        raised_in, identity = read_place(page.after)
        packed = codec.pack_id(identity)
        statement = statement.where(
            c.c.tx_from >= raised_in, or_(c.c.tx_from > raised_in, c.c.conflict_id > packed)
        )
    found: list[ConflictCase] = []
    for number, _, _ in reader.all(statement):
        case = sight.cases("c.conflict_no = ?", number)[0]
        if case.state is not None and state in (None, case.state):
            found.append(case)
            if len(found) > page.limit:
                break
    items = tuple(_conflict_of(sight, case) for case in found[: page.limit])
    if len(found) <= page.limit:
        return Listed(items)
    last = items[-1]
    return Listed(items, filters.write_cursor((last.raised_in, last.conflict_id)))


def _conflict_of(sight: Sight, case: ConflictCase) -> Conflict:
    key = sight.key_found(case.entry.key)
    assert key is not None
    began, ended = sight.connection.execute(_LATEST, (key.key_id,)).fetchone()
    numbers = {case.entry.standing.tx_from, *(event.tx_from for event in case.events)}
    return view.conflict_of(
        case,
        memory_type=sight.memory_type(case.entry.key.attribute),
        key_version=max(began or 0, ended or 0),
        headers={number: header(sight, number) for number in numbers},
    )


# -- the registry -------------------------------------------------------------------------------


def registry(sight: Sight) -> tuple[Attribute, ...]:
    """Return the registry by name; an agent sees what its facts use."""
    found = sight.attributes("tx_to IS NULL ORDER BY name")
    return tuple(e.attribute for e in found if may_know(sight, e.attribute.name))


def may_know(sight: Sight, attribute: str) -> bool:
    """Say whether the scope may know that an attribute is registered: it sees a key of it."""
    owners = sight.scope.owners
    if owners is None:
        return True
    marks = ", ".join("?" * len(owners))
    statement = (
        f"SELECT 1 FROM key WHERE tenant_no = ? AND attribute = ? AND owner IN ({marks}) LIMIT 1"
    )
    place = (sight.tenant_no, attribute, *sorted(owners))
    return sight.connection.execute(statement, place).fetchone() is not None


def suggestions(
    reader: Reader, sight: Sight, prefix: str, limit: int
) -> tuple[tuple[str, str], ...]:
    """Return pairs of names that hold a text, those that begin with it first."""
    wanted = prefix.casefold()
    folded = as_bytes(wanted)
    visible = (k.c.tenant_no == sight.tenant_no, seen(sight.scope, k.c.owner))
    places: set[tuple[str, str]] = set()
    subject_at = func.instr(func.folded(k.c.subject), folded)
    subjects = select(k.c.subject).where(*visible).distinct()
    attribute_at = func.instr(func.folded(k.c.attribute), folded)
    pairs = select(k.c.subject, k.c.attribute).where(*visible).distinct()
    by_name = (k.c.subject, k.c.attribute)
    for begins in (True, False):
        # Names that begin with the text come first; the others only if there is room.
        if len(places) >= limit:
            break
        is_near = subject_at == 1 if begins else subject_at > 1
        near = reader.all(subjects.where(is_near).order_by(k.c.subject).limit(limit))
        places |= {(row[0], "") for row in near}
        is_near = attribute_at == 1 if begins else attribute_at > 1
        near = reader.all(pairs.where(is_near).order_by(*by_name).limit(limit))
        places |= {(row[0], row[1]) for row in near}

    def rank(pair: tuple[str, str]) -> tuple[bool, str, str]:
        name = pair[1] or pair[0]
        return (not name.casefold().startswith(wanted), *pair)

    return tuple(sorted(places, key=rank)[:limit])
