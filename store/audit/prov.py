"""Provenance in the words of W3C PROV-DM, written as PROV-JSON while the record passes by.

* A row of the ledger is an entity `v:n`, n being its line in `versions.jsonl`; an episode is an
  entity `e:id`. An id is written with letters, digits, `_` and `-`, all else percent-encoded.
* A transaction is an activity `t:n`. It generated the rows and episodes that it began, and
  invalidated the rows that it ended.
* Whoever wrote is an agent `a:id`: the operator a person, all others software. A transaction is
  associated with its actor, a row attributed to the agent that said so, an episode to the one that
  observed it.
* A row was derived from its source episode. It was derived as a revision (prov:Revision) from the
  first row of the fact that it superseded. An episode that supported it later influenced it.

What a row says is not here: it is in `versions.jsonl`.
"""

from __future__ import annotations

import re
from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from store.audit.format import PROVENANCE
from store.model import OPERATOR, RowKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from store.audit.lines import KeyTexts
    from store.audit.package import Package
    from store.entry import EpisodeEntry, EvidenceEntry, TransactionHeader
    from store.ledger import Row

NAMESPACE: Final = "urn:memory-workbench:"
PREFIXES: Final = {
    "a": f"{NAMESPACE}agent:",
    "e": f"{NAMESPACE}episode:",
    "mw": NAMESPACE,
    "t": f"{NAMESPACE}transaction:",
    "v": f"{NAMESPACE}version:",
}
SECTIONS: Final = (
    "entity",
    "activity",
    "agent",
    "wasGeneratedBy",
    "wasInvalidatedBy",
    "wasDerivedFrom",
    "wasInfluencedBy",
    "wasAttributedTo",
    "wasAssociatedWith",
)

_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*", re.ASCII)
_SETTLED_EVERY: Final = 4096
_BETWEEN: Final = ",\n"
"""Stands before each record of a section, and is left out before the first."""


_is_plain: Final = _PLAIN.fullmatch


def local_name(identity: str) -> str:
    """Return an identity as the local part of a qualified name."""
    if _PLAIN.fullmatch(identity):
        return identity
    name = quote(identity, safe="").replace(".", "%2E").replace("~", "%7E")
    return "%2D" + name[1:] if name.startswith("-") else name


def _name(qualified: str) -> str:
    return f'{{"$":"{qualified}","type":"prov:QUALIFIED_NAME"}}'


_KINDS: Final = {kind: _name(f"mw:{kind.value}") for kind in RowKind}
_EPISODE: Final = _name("mw:episode")
_REVISION: Final = _name("prov:Revision")
_PERSON: Final = _name("prov:Person")
_SOFTWARE: Final = _name("prov:SoftwareAgent")


class Provenance:
    """Writes `provenance.json`: each section waits on disk until all has passed by."""

    def __init__(self, package: Package, recorded: Callable[[int], str]) -> None:
        """Begin.

        Args:
            package: takes the file.
            recorded: when a transaction was recorded, ISO 8601.
        """
        self._recorded = recorded
        self._spools = {section: package.spool() for section in SECTIONS}
        self._entity = self._spools["entity"].add
        self._generated = self._spools["wasGeneratedBy"].add
        self._derived = self._spools["wasDerivedFrom"].add
        self._attributed = self._spools["wasAttributedTo"].add
        self._agents: dict[str, str] = {}
        self._count = 0
        self._episodes = 0
        self._transactions = 0
        self._links = 0
        self._rows: list[tuple[Row, int]] = []
        self._places: dict[tuple[int, int], int] = {}
        self._names = ""

    def transaction(self, header: TransactionHeader) -> None:
        """Write a transaction and who carried it out."""
        number, at = header.number, self._recorded(header.number)
        self._transactions += 1
        if self._transactions % _SETTLED_EVERY == 0:
            self._settle()
        self._spools["activity"].add(
            f'{_BETWEEN}"t:{number}":{{"mw:tool":{quoted(header.tool)},"prov:endTime":"{at}",'
            f'"prov:startTime":"{at}","prov:type":{_name(f"mw:{header.kind.value}")}}}'
        )
        self._spools["wasAssociatedWith"].add(
            f'{_BETWEEN}"_:w{number}":{{"prov:activity":"t:{number}",'
            f'"prov:agent":"a:{self._agent(header.actor)}"}}'
        )

    def episode(self, entry: EpisodeEntry) -> None:
        """Write an episode, who observed it and what captured it."""
        draft, at = entry.draft, self._recorded(entry.tx_from)
        self._episodes += 1
        number, name = self._episodes, local_name(draft.episode_id)
        self._entity(
            f'{_BETWEEN}"e:{name}":{{"mw:kind":"{draft.kind.value}","prov:type":{_EPISODE}}}'
        )
        self._generated(
            f'{_BETWEEN}"_:c{number}":{{"prov:activity":"t:{entry.tx_from}",'
            f'"prov:entity":"e:{name}","prov:time":"{at}"}}'
        )
        self._attributed(
            f'{_BETWEEN}"_:o{number}":{{"prov:agent":"a:{self._agent(entry.agent_id)}",'
            f'"prov:entity":"e:{name}"}}'
        )
        if number % _SETTLED_EVERY == 0:
            self._settle()

    def _settle(self) -> None:
        for spool in self._spools.values():
            spool.settle()

    def _agent(self, agent_id: str) -> str:
        """Return the local name of an agent, who will be declared."""
        name = self._agents.get(agent_id)
        if name is None:
            name = self._agents[agent_id] = local_name(agent_id)
        return name

    # -- a key ------------------------------------------------------------------------------------

    def key(self, names: KeyTexts) -> None:
        """Take a key, whose rows follow."""
        self._names = f'"mw:attribute":{names.attribute},"mw:subject":{names.subject},'

    def row(self, row: Row) -> None:
        """Write a row of the key, what generated and invalidated it, and whence it was derived."""
        self._count = number = self._count + 1
        content, begun, ended = row.content, row.tx_from, row.tx_to
        fact = "" if content is None else f'"mw:memory_id":{quoted(content.memory_id)},'
        self._entity(
            f'{_BETWEEN}"v:{number}":{{{fact}{self._names}"mw:valid_from":{row.valid_from},'
            f'"prov:type":{_KINDS[row.kind]}}}'
        )
        self._generated(
            f'{_BETWEEN}"_:g{number}":{{"prov:activity":"t:{begun}","prov:entity":"v:{number}",'
            f'"prov:time":"{self._recorded(begun)}"}}'
        )
        if ended is not None:
            self._spools["wasInvalidatedBy"].add(
                f'{_BETWEEN}"_:i{number}":{{"prov:activity":"t:{ended}",'
                f'"prov:entity":"v:{number}","prov:time":"{self._recorded(ended)}"}}'
            )
        if content is not None:
            source = content.episode_id
            name = source if _is_plain(source) else local_name(source)
            self._derived(
                f'{_BETWEEN}"_:d{number}":{{"prov:generatedEntity":"v:{number}",'
                f'"prov:usedEntity":"e:{name}"}}'
            )
            agent = self._agents.get(content.agent_id) or self._agent(content.agent_id)
            self._attributed(
                f'{_BETWEEN}"_:s{number}":{{"prov:agent":"a:{agent}","prov:entity":"v:{number}"}}'
            )
        self._rows.append((row, number))
        if number % _SETTLED_EVERY == 0:
            self._settle()

    def link(self, link: EvidenceEntry) -> None:
        """Write that an episode supported a row of the key."""
        if not self._places:
            self._places = {(row.valid_from, row.tx_from): number for row, number in self._rows}
        number = self._places.get((link.valid_from, link.row_tx))
        if number is not None:
            self._links += 1
            self._spools["wasInfluencedBy"].add(
                f'{_BETWEEN}"_:l{self._links}":{{"prov:influencee":"v:{number}",'
                f'"prov:influencer":"e:{local_name(link.episode_id)}"}}'
            )

    def close_key(self) -> None:
        """Write which rows of the key took the place of other facts."""
        rows = self._rows
        if len(rows) > 1:
            first: dict[str, tuple[tuple[int, int], int]] = {}
            for row, number in rows:
                if row.memory_id is not None:
                    place = ((row.tx_from, row.valid_from), number)
                    first[row.memory_id] = min(place, first.get(row.memory_id, place))
            for row, number in rows:
                earlier = row.content and row.content.supersedes
                if earlier is not None and earlier in first:
                    self._revised(row, number, *first[earlier])
        self._rows = []
        self._places = {}

    def _revised(self, row: Row, number: int, place: tuple[int, int], earlier: int) -> None:
        # What was generated later cannot be what it was derived from, whatever a revert brought.
        if place < (row.tx_from, row.valid_from):
            self._derived(
                f'{_BETWEEN}"_:r{number}":{{"prov:generatedEntity":"v:{number}",'
                f'"prov:type":{_REVISION},"prov:usedEntity":"v:{earlier}"}}'
            )

    # -- the end ----------------------------------------------------------------------------------

    def finish(self, package: Package) -> None:
        """Write the file."""
        for agent, name in sorted(self._agents.items()):
            kind = _PERSON if agent == OPERATOR else _SOFTWARE
            self._spools["agent"].add(
                f'{_BETWEEN}"a:{name}":{{"prov:label":{quoted(agent)},"prov:type":{kind}}}'
            )
        sink = package.open(PROVENANCE)
        prefixes = ",\n".join(f'"{prefix}":"{uri}"' for prefix, uri in PREFIXES.items())
        sink.write(f'{{\n"prefix":{{\n{prefixes}\n}}')
        for section, spool in self._spools.items():
            if not spool.is_empty:
                sink.write(f',\n"{section}":{{\n')
                spool.pour_into(sink, skip=len(_BETWEEN))
                sink.write("\n}")
        sink.write("\n}\n")
        package.close(PROVENANCE)
