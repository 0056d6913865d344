"""Provenance is PROV-JSON that others read, and it breaks none of the standard's constraints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from prov import model as w3c

from store import Resolution
from store.audit.format import Withhold
from store.audit.prov import PREFIXES, local_name
from store.temporal import parse_instant
from tests.conformance.scene import Desk
from tests.unit.store.audit.audit_scene import bytes_of, lines_of, new_desk, populate, taken

Document = dict[str, dict[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def desk() -> Desk:
    found = new_desk()
    populate(found)
    contested = found.contest("Sintra", 50)
    claim = contested.incoming[0].claim_id
    found.settle(contested.conflict_id, Resolution.INCOMING, claim_id=claim)
    found.revert(found.newest)
    odd = found.episode("said/so: 100% <ä>.~- 🙂")
    found.fact("odd", 70, subject="Ada", attribute="odd", episode=odd)
    found.of("-bot ü:1").fact("quiet", 70, attribute="mood", owner="-bot ü:1")
    return found


@pytest.fixture(scope="module", params=["whole", "subject", "past", "withheld"])
def folder(desk: Desk, request: pytest.FixtureRequest, tmp_path_factory: Any) -> Path:
    selections: dict[str, dict[str, Any]] = {
        "whole": {},
        "subject": {"subject": "mira"},
        "past": {"number": desk.newest // 2},
        "withheld": {"withhold": Withhold.VALUES},
    }
    out: Path = tmp_path_factory.mktemp("prov") / "s"
    taken(desk, out, **selections[request.param])
    return out


@pytest.fixture(scope="module")
def said(folder: Path) -> Document:
    found: Document = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    return found


def test_the_prov_library_reads_it(folder: Path, said: Document) -> None:
    text = (folder / "provenance.json").read_text(encoding="utf-8")
    document = w3c.ProvDocument.deserialize(content=text, format="json")
    records = sum(len(members) for name, members in said.items() if name != "prefix")
    assert len(document.get_records()) == records > 50
    entities = list(document.get_records(w3c.ProvEntity))
    assert len(entities) == len(lines_of(folder, "versions.jsonl")) + len(
        lines_of(folder, "episodes.jsonl")
    )
    uris = {entity.identifier.uri for entity in entities}
    assert f"{PREFIXES['v']}1" in uris
    again = document.serialize(format="json")
    assert json.loads(again).keys() == said.keys()


def test_entities_are_the_rows_and_episodes(folder: Path, said: Document) -> None:
    for number, row in enumerate(lines_of(folder, "versions.jsonl"), 1):
        entity = said["entity"][f"v:{number}"]
        assert entity["prov:type"]["$"] == f"mw:{row['kind']}"
        assert (entity["mw:subject"], entity["mw:attribute"]) == (
            row["subject"],
            row["attribute"],
        )
        assert entity.get("mw:memory_id") == row.get("content", {}).get("memory_id")
    for episode in lines_of(folder, "episodes.jsonl"):
        assert f"e:{local_name(episode['episode_id'])}" in said["entity"]


def test_whatever_is_referred_to_is_declared(said: Document) -> None:
    declared = {name for part in ("entity", "activity", "agent") for name in said[part]}
    for section, members in said.items():
        if section in ("prefix", "entity", "activity", "agent"):
            continue
        for record in members.values():
            named = {
                value for name, value in record.items() if name not in ("prov:time", "prov:type")
            }
            assert named <= declared, section


def _when(said: Document, section: str) -> dict[str, tuple[int, str]]:
    """By entity: the number of the activity, and the time."""
    found: dict[str, tuple[int, str]] = {}
    for record in said.get(section, {}).values():
        entity = record["prov:entity"]
        assert entity not in found, f"{section} of {entity} is not unique"
        found[entity] = (int(record["prov:activity"].removeprefix("t:")), record["prov:time"])
    return found


def test_generation_is_unique_and_comes_before_invalidation(folder: Path, said: Document) -> None:
    born, gone = _when(said, "wasGeneratedBy"), _when(said, "wasInvalidatedBy")
    assert born.keys() == said["entity"].keys()
    assert gone.keys() <= said["entity"].keys()
    clock = {line["number"]: line["recorded_at"] for line in lines_of(folder, "transactions.jsonl")}
    for entity, (number, at) in gone.items():
        assert born[entity][0] < number
        assert parse_instant(born[entity][1]).instant < parse_instant(at).instant
    for number, at in [*born.values(), *gone.values()]:
        activity = said["activity"][f"t:{number}"]
        assert activity["prov:startTime"] == activity["prov:endTime"] == at
        instant = parse_instant(at).instant
        assert int(instant.timestamp()) == clock[number] // 1_000_000


def test_derivation_has_no_cycle_and_goes_back_in_time(said: Document) -> None:
    born = _when(said, "wasGeneratedBy")
    back: dict[str, set[str]] = {}
    revisions = 0
    for record in said["wasDerivedFrom"].values():
        new, old = record["prov:generatedEntity"], record["prov:usedEntity"]
        revisions += record.get("prov:type", {}).get("$") == "prov:Revision"
        assert new != old
        assert born[old][0] <= born[new][0], "what was made later is no source"
        back.setdefault(new, set()).add(old)
    assert revisions or len(said["entity"]) < 40
    done: set[str] = set()

    def visit(entity: str, above: frozenset[str]) -> None:
        assert entity not in above, "a cycle"
        if entity in done:
            return
        for old in back.get(entity, ()):
            visit(old, above | {entity})
        done.add(entity)

    for entity in back:
        visit(entity, frozenset())


def test_people_and_programs_are_told_apart(said: Document) -> None:
    kinds = {name: agent["prov:type"]["$"] for name, agent in said["agent"].items()}
    assert kinds.pop("a:operator") == "prov:Person"
    assert set(kinds.values()) <= {"prov:SoftwareAgent"}
    for record in said["wasAssociatedWith"].values():
        assert record["prov:agent"] in said["agent"]


def test_it_says_nothing_of_what_is_said(desk: Desk, tmp_path: Path) -> None:
    taken(desk, tmp_path / "s")
    text = bytes_of(tmp_path / "s")["provenance.json"].decode()
    for word in ("Lisboa", "Évora", "coffee", "since 1 January", "It was said so"):
        assert word not in text


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        ("said-1", "said-1"),
        ("-x", "%2Dx"),
        ("a.b~c", "a%2Eb%7Ec"),
        ("a/b c:d", "a%2Fb%20c%3Ad"),
        ("ä🙂", "%C3%A4%F0%9F%99%82"),
        ("100%", "100%25"),
    ],
)
def test_identities_become_local_names(identity: str, name: str) -> None:
    assert local_name(identity) == name
