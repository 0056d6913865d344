"""The facts of a key as of a transaction, from its rows: what `Store.facts` would say of it.

All functions look at one key's believed rows, by `valid_from`. Instants are microseconds since
1970 UTC. A test holds the answers equal to the store's over random histories.
"""

from __future__ import annotations

from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING, Final, NamedTuple

from store.audit.lines import evidence_text, iso_text, number_text
from store.audit.tables import cells, json_cell
from store.entry import Source, without_repeats
from store.model import RowKind
from store.temporal import Basis, Precision

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from store.audit.lines import KeyTexts
    from store.entry import ConflictCase, EvidenceEntry
    from store.ledger import Key, Row

_SAYS: Final = (RowKind.FACT, RowKind.RESUME)


class Run(NamedTuple):
    """A stretch in which one fact holds: adjacent rows of one fact, `first` to before `after`."""

    memory_id: str
    first: int
    after: int
    valid_from: int
    valid_to: int | None

    def holds(self, instant: int) -> bool:
        """Say whether it holds at an instant."""
        return self.valid_from <= instant and (self.valid_to is None or instant < self.valid_to)

    def touches(self, begins: int, ends: int) -> bool:
        """Say whether it holds at some instant of a half-open period."""
        return self.valid_from < ends and (self.valid_to is None or begins < self.valid_to)


class Held(NamedTuple):
    """A fact of the selected state: the row in force, its interval and what supports it."""

    row: Row
    valid_from: int
    valid_to: int | None
    evidence: tuple[Source, ...]
    disputed: bool


def runs_of(rows: Sequence[Row]) -> list[Run]:
    """Return the stretches of a key, in order."""
    runs: list[Run] = []
    first, memory_id = 0, None
    for position, row in enumerate(rows):
        here = row.memory_id if row.kind in _SAYS else None
        if here == memory_id:
            continue
        if memory_id is not None:
            begins = rows[first].valid_from
            runs.append(Run(memory_id, first, position, begins, row.valid_from))
        first, memory_id = position, here
    if memory_id is not None:
        runs.append(Run(memory_id, first, len(rows), rows[first].valid_from, None))
    return runs


def gaps_of(runs: Sequence[Run]) -> Iterator[tuple[Run, Run | None]]:
    """Yield the stretches after which nothing holds, each with the next one if there is one."""
    last = len(runs) - 1
    for position, run in enumerate(runs):
        following = runs[position + 1] if position < last else None
        if run.valid_to is not None and (following is None or following.valid_from != run.valid_to):
            yield run, following


def held_of(
    rows: Sequence[Row],
    runs: Iterable[Run],
    *,
    links: Sequence[EvidenceEntry],
    cases: Sequence[ConflictCase],
    valid_at: int,
    window: tuple[int, int] | None,
) -> list[Held]:
    """Return the facts in force at an instant, or every one that touches a window, by time.

    Args:
        rows: the believed rows of the key.
        runs: its stretches.
        links: its further evidence, believed as of the same transaction.
        cases: its conflicts, as of the same transaction.
        valid_at: the instant in the world that is asked about.
        window: asks for every interval that touches it instead.
    """
    found: list[Held] = []
    sources: dict[str, list[Source]] = {}
    for run in runs:
        if not (run.touches(*window) if window else run.holds(valid_at)):
            continue
        row = rows[run.first]
        if run.after - run.first > 1 and run.holds(valid_at):
            row = max(
                (r for r in rows[run.first : run.after] if r.valid_from <= valid_at),
                key=lambda r: r.valid_from,
            )
        disputed = bool(cases) and any(
            case.disputes(run.memory_id, run.valid_from, run.valid_to) for case in cases
        )
        if not sources and (len(rows) > 1 or links):
            sources = _sources_of(rows, links)
        evidence = _evidence_of(row, sources.get(run.memory_id, ()))
        found.append(Held(row, run.valid_from, run.valid_to, evidence, disputed))
    return found


def _sources_of(rows: Iterable[Row], links: Iterable[EvidenceEntry]) -> dict[str, list[Source]]:
    """Return what each fact of a key rests on: its statements' sources, and further links."""
    sources: dict[str, list[Source]] = {}
    for row in rows:
        said = row.content
        if row.kind is RowKind.FACT and said is not None:
            sources.setdefault(said.memory_id, []).append((row.tx_from, said.episode_id, said.span))
    for link in links:
        found = sources.setdefault(link.memory_id, [])
        found.append((link.tx_from, link.episode_id, link.span))
    return sources


def _evidence_of(row: Row, sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return what supports a fact, its row's own source first."""
    own = row.content
    assert own is not None
    first = (row.tx_from, own.episode_id, own.span)
    return without_repeats(first, sources) if sources else (first,)


def fact_lines(
    held: Held, key: Key, names: KeyTexts, memory_type: str, recorded_at: str, *, withheld: bool
) -> tuple[str, str]:
    """Return a fact as a line of `facts.jsonl` and as one of `facts.csv`.

    Args:
        held: the fact.
        key: its key.
        names: the key's names as JSON.
        memory_type: of its attribute.
        recorded_at: when its row was recorded, ISO 8601.
        withheld: whether its value is.
    """
    row, valid_from, valid_to, sources, is_disputed = held
    content = row.content
    assert content is not None
    begins = iso_text(valid_from)
    ends = "" if valid_to is None else iso_text(valid_to)
    row_from = begins if row.valid_from == valid_from else iso_text(row.valid_from)
    until = "" if row.until is None else iso_text(row.until)
    evidence = evidence_text(sources)
    value, stated_as = content.value or "null", content.stated_as
    shown, stated = f',"value":{value}', f'"stated_as":{_text(stated_as)},'
    if withheld:
        shown, stated, value, stated_as = ',"withheld":true', "", "", None
    disputed = "true" if is_disputed else "false"
    confidence, version = number_text(content.confidence), content.schema_version
    basis, precision = _WORDS[content.basis], _WORDS[content.precision]
    source, memory_id, supersedes = content.episode_id, content.memory_id, content.supersedes
    agent_id, policy, number = content.agent_id, content.retention_policy, row.tx_from
    line = (
        f'{{"agent_id":{quoted(agent_id)},"attribute":{names.attribute},"confidence":{confidence},'
        f'"disputed":{disputed},"evidence":{evidence},"memory_id":{quoted(memory_id)},'
        f'"memory_type":{quoted(memory_type)},"owner":{names.owner},"precision":"{precision}",'
        f'"recorded_at":"{recorded_at}","retention_policy":{quoted(policy)},'
        f'"row_from":"{row_from}","schema_version":{version},"slot":{names.slot},'
        f'"source_episode_id":{quoted(source)},{stated}"subject":{names.subject},'
        f'"supersedes_memory_id":{_text(supersedes)},"tenant_id":{quoted(key.tenant_id)},'
        f'"transaction":{number},"until":{_instant(until)},"valid_from":"{begins}",'
        f'"valid_from_basis":"{basis}","valid_to":{_instant(ends)}{shown}}}\n'
    )
    subject, attribute, owner, kind, source, agent_id, stated_as, policy, slot, *ids = cells(
        (
            *(key.subject, key.attribute, key.owner, memory_type, source, agent_id),
            *(stated_as or "", policy, key.slot, supersedes or "", memory_id, key.tenant_id),
        )
    )
    table = (
        f"{subject},{attribute},{owner},{json_cell(value)},{kind},{begins},{ends},{until},"
        f"{confidence},{disputed},{source},{agent_id},{recorded_at},{number},{basis},{precision},"
        f"{stated_as},{row_from},{version},{policy},{slot},{ids[0]},{ids[1]},"
        f"{json_cell(evidence)},{ids[2]}\n"
    )
    return line, table


_WORDS: Final = {word: word.value for word in (*Basis, *Precision)}
"""A look-up takes less time than a member's `value`."""


def _instant(text: str) -> str:
    return f'"{text}"' if text else "null"


def _text(text: str | None) -> str:
    return "null" if text is None else quoted(text)
