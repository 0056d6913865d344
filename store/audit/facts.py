"""The facts of a key as of a transaction, from its rows: what `Store.facts` would say of it.

All functions look at one key's believed rows, by `valid_from`. Instants are microseconds since
1970 UTC. A test holds the answers equal to the store's over random histories.
"""

from __future__ import annotations

from functools import lru_cache
from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING, Final, NamedTuple

from store.audit.lines import evidence_text, number_text
from store.audit.tables import cell
from store.ledger import FOREVER
from store.model import ConflictState, RowKind
from store.temporal import Basis, Precision, iso

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from store.audit.lines import KeyTexts
    from store.entry import ConflictCase, EvidenceEntry
    from store.ledger import Key, Row

Source = tuple[int, str, "tuple[int, int] | None"]
"""A transaction, the episode that it cited, and the span."""

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
) -> Iterator[Held]:
    """Yield the facts in force at an instant, or every one that touches a window, by time.

    Args:
        rows: the believed rows of the key.
        runs: its stretches.
        links: its further evidence, believed as of the same transaction.
        cases: its conflicts, as of the same transaction.
        valid_at: the instant in the world that is asked about.
        window: asks for every interval that touches it instead.
    """
    for run in runs:
        if run.touches(*window) if window else run.holds(valid_at):
            row = rows[run.first]
            if run.after - run.first > 1 and run.holds(valid_at):
                row = max(
                    (r for r in rows[run.first : run.after] if r.valid_from <= valid_at),
                    key=lambda r: r.valid_from,
                )
            yield Held(
                row,
                run.valid_from,
                run.valid_to,
                evidence_of(row, rows, links),
                any(contests(case, run) for case in cases),
            )


def evidence_of(
    row: Row, rows: Sequence[Row], links: Sequence[EvidenceEntry]
) -> tuple[Source, ...]:
    """Return what supports a fact: the row's own source, then the rest, oldest first.

    The rest are the sources of the fact's other statements, and further links, without repeats;
    those of one transaction come by episode and span.
    """
    own, memory_id = row.content, row.memory_id
    assert own is not None
    first = (row.tx_from, own.episode_id, own.span)
    if len(rows) == 1 and not links:
        return (first,)
    rest: list[Source] = [
        (other.tx_from, other.content.episode_id, other.content.span)
        for other in rows
        if other.kind is RowKind.FACT and other.content and other.memory_id == memory_id
    ]
    rest += [(e.tx_from, e.episode_id, e.span) for e in links if e.memory_id == memory_id]
    rest.sort(key=lambda source: (source[0], source[1], source[2] or ()))
    # The place of the newest link that says the same, with the number of the oldest.
    kept = {(episode_id, span): number for number, episode_id, span in reversed(rest)}
    kept.pop(first[1:], None)
    return (first, *((number, *source) for source, number in reversed(kept.items())))


def contests(case: ConflictCase, run: Run) -> bool:
    """Say whether a conflict disputes a fact within an interval."""
    entry = case.entry
    if entry.standing.memory_id != run.memory_id or case.state is not ConflictState.OPEN:
        return False
    contested_to = FOREVER if entry.contested_to is None else entry.contested_to
    return run.touches(entry.contested_from, contested_to)


class FactTexts:
    """Writes the facts of one key as lines of `facts.jsonl` and `facts.csv`."""

    def __init__(self, key: Key, texts: KeyTexts, memory_type: str, *, withheld: bool) -> None:
        self._withheld = withheld
        self._attribute = f'"attribute":{texts.attribute},'
        self._type = f'"memory_type":{quoted(memory_type)},"owner":{texts.owner},'
        self._slot = f'"slot":{texts.slot},'
        self._subject = f'"subject":{texts.subject},'
        self._tenant = f'"tenant_id":{quoted(key.tenant_id)},'
        self._names = ",".join(map(cell, (key.subject, key.attribute, key.owner)))
        self._type_cell = cell(memory_type)
        self._slot_cell = cell(key.slot)
        self._tenant_cell = cell(key.tenant_id)

    def lines(self, held: Held, recorded_at: str) -> tuple[str, str]:
        """Return a fact as JSON and as CSV, each with its line feed.

        Args:
            held: the fact.
            recorded_at: when its row was recorded, ISO 8601.
        """
        row = held.row
        content = row.content
        assert content is not None
        begins = _iso(held.valid_from)
        ends = None if held.valid_to is None else _iso(held.valid_to)
        row_from = begins if row.valid_from == held.valid_from else _iso(row.valid_from)
        until = None if row.until is None else _iso(row.until)
        evidence = evidence_text(held.evidence)
        shown = content.value or "null"
        stated_as = content.stated_as
        value, stated = f',"value":{shown}', f'"stated_as":{_text(stated_as)},'
        if self._withheld:
            value, stated, shown, stated_as = ',"withheld":true', "", "", None
        disputed = "true" if held.disputed else "false"
        agent, confidence, agent_cell = _agent(content.agent_id, content.confidence)
        basis, precision = content.basis, content.precision
        source, supersedes = content.episode_id, content.supersedes
        policy, policy_cell = _policy(content.retention_policy)
        line = (
            f'{agent}{self._attribute}"confidence":{confidence},"disputed":{disputed},'
            f'"evidence":{evidence},"memory_id":{quoted(content.memory_id)},{self._type}'
            f'"precision":{_WORDS[precision]},"recorded_at":"{recorded_at}",{policy}'
            f'"row_from":"{row_from}","schema_version":{content.schema_version},{self._slot}'
            f'"source_episode_id":{quoted(source)},{stated}{self._subject}'
            f'"supersedes_memory_id":{_text(supersedes)},{self._tenant}'
            f'"transaction":{row.tx_from},"until":{_instant(until)},"valid_from":"{begins}",'
            f'"valid_from_basis":{_WORDS[basis]},"valid_to":{_instant(ends)}{value}}}\n'
        )
        table = (
            f"{self._names},{cell(shown)},{self._type_cell},{begins},{ends or ''},"
            f"{until or ''},{confidence},{disputed},{cell(source)},{agent_cell},"
            f"{recorded_at},{row.tx_from},{basis},{precision},{cell(stated_as or '')},"
            f"{row_from},{content.schema_version},{policy_cell},{self._slot_cell},"
            f"{cell(supersedes or '')},{cell(content.memory_id)},{cell(evidence)},"
            f"{self._tenant_cell}\n"
        )
        return line, table


_iso: Final = lru_cache(maxsize=16_384)(iso)
_WORDS: Final = {word: f'"{word.value}"' for word in (*Basis, *Precision)}


@lru_cache(maxsize=4096)
def _agent(agent_id: str, confidence: float) -> tuple[str, str, str]:
    return f'{{"agent_id":{quoted(agent_id)},', number_text(confidence), cell(agent_id)


@lru_cache(maxsize=4096)
def _policy(name: str) -> tuple[str, str]:
    return f'"retention_policy":{quoted(name)},', cell(name)


def _instant(text: str | None) -> str:
    return "null" if text is None else f'"{text}"'


def _text(text: str | None) -> str:
    return "null" if text is None else quoted(text)
