"""Lines written by hand are the canonical JSON of what they say, whatever that is."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.audit.lines import (
    attribute_line,
    commitments_of,
    conflict_line,
    episode_commitment,
    episode_line,
    evidence_line,
    header_commitment,
    iso_text,
    transaction_line,
    version_line,
)
from store.audit.lines import texts_of as names_of
from store.audit.tables import FORMULA_SIGNS, cell, cells, json_cell, neutral, original
from store.canonical import canonical, parse
from store.entry import row_digest
from store.ledger import Row
from store.temporal import EARLIEST, LATEST, iso
from tests.conformance.scene import Desk
from tests.unit.store.audit.audit_scene import new_desk, populate


@pytest.fixture(scope="module")
def told() -> dict[str, list[Any]]:
    desk: Desk = new_desk()
    populate(desk)
    with desk.store.history(desk.scope) as history:
        return {
            "rows": list(history.rows()),
            "episodes": list(history.episodes()),
            "evidence": list(history.evidence()),
            "conflicts": list(history.conflicts()),
            "attributes": list(history.attributes()),
            "transactions": list(history.transactions()),
        }


def test_every_line_is_canonical(told: dict[str, list[Any]]) -> None:
    lines = [attribute_line(a) for a in told["attributes"]]
    for withheld in (False, True):
        lines += [version_line(r, names_of(r.key), withheld=withheld) for r in told["rows"]]
        lines += [episode_line(e, withheld=withheld) for e in told["episodes"]]
        lines += [transaction_line(t, out_of_scope=withheld) for t in told["transactions"]]
        lines += [
            conflict_line(c, names_of(c.entry.key), withheld=withheld) for c in told["conflicts"]
        ]
    lines += [evidence_line(e, names_of(e.key)) for e in told["evidence"]]
    assert len(lines) > 200
    for line in lines:
        assert line.endswith("}\n")
        assert canonical(parse(line)) + "\n" == line
        assert ":null" not in line.replace('"value":null', "").replace("[null,", "")


def test_a_line_has_what_the_row_has(told: dict[str, list[Any]]) -> None:
    seen: set[str] = set()
    for row in told["rows"]:
        said = json.loads(version_line(row, names_of(row.key)))
        seen |= {row.kind.value, *said}
        assert (said["valid_from"], said["tx_from"]) == (row.valid_from, row.tx_from)
        assert said.get("tx_to") == row.tx_to
        assert said.get("until") == row.until
        assert bytes.fromhex(said["secret"]) == row.secret
        assert ("content" in said) is (row.content is not None)
        if row.content is not None:
            content = said["content"]
            assert ("value" in content) is (row.content.value is not None)
            if "value" in content:
                assert canonical(content["value"]) == row.content.value
            assert content.get("stated_as") == row.content.stated_as
            assert content["memory_id"] == row.content.memory_id
        if row.over is not None:
            assert said["over"]["memory_id"] == row.over[0].memory_id
    assert {"fact", "end", "resume", "over", "tx_to", "until"} <= seen


def test_commitments_give_the_digest_of_a_withheld_row(told: dict[str, list[Any]]) -> None:
    for row in told["rows"]:
        said = json.loads(version_line(row, names_of(row.key), withheld=True))
        assert "secret" not in said
        assert not {"value", "stated_as"} & set(said.get("content", {}))
        assert not {"value", "stated_as"} & set(said.get("over", {}))
        assert said["commitments"] == json.loads(commitments_of(row))
        assert digest_from(row, said["commitments"]) == row_digest(row)


def digest_from(row: Row, given: dict[str, str]) -> str:
    """The digest of a row, from its fields and the commitments alone."""
    from hashlib import sha256

    def fields(content: Any, commitment: str) -> list[Any]:
        return [
            *(content.memory_id, content.episode_id, content.span, content.confidence),
            *(content.supersedes, content.schema_version, content.retention_policy),
            *(content.basis.value, content.precision.value, commitment),
        ]

    parts = ["row1", row.kind.value, row.valid_from, row.until, row.tx_from, given["key"]]
    if row.content is not None:
        parts += fields(row.content, given["value"])
    if row.over is not None:
        parts += fields(row.over[0], given["over"])
    parts.append(None if row.over is None else row.over[1])
    text = "\x1f".join("" if part is None else str(part) for part in parts)
    return sha256(text.encode()).hexdigest()


def test_what_is_withheld_has_a_commitment_and_no_words(told: dict[str, list[Any]]) -> None:
    for entry in told["episodes"]:
        said = json.loads(episode_line(entry, withheld=True))
        assert said["commitment"] == episode_commitment(entry)
        assert not {"content", "metadata", "secret"} & set(said)
    for sealed in told["transactions"]:
        said = json.loads(transaction_line(sealed, out_of_scope=True))
        assert said["commitment"] == header_commitment(sealed.header)
        assert not {"actor", "reason", "secret"} & set(said)


@given(st.integers(EARLIEST, LATEST))
def test_instants_are_written_as_everywhere(micros: int) -> None:
    assert iso_text(micros) == iso(micros)
    whole = micros - micros % 1_000_000
    assert iso_text(whole) == iso(whole)


@given(st.lists(st.text(alphabet=st.sampled_from(FORMULA_SIGNS + 'aé",;\x1f\x00 '), max_size=5)))
def test_cells_are_read_back_by_any_reader(texts: list[str]) -> None:
    row = ",".join(cells(tuple(texts)))
    assert row == ",".join(map(cell, texts))
    read = next(csv.reader(io.StringIO(row, newline="")), [])
    assert [original(text) for text in read] == (texts if row else [])
    for text in read:
        assert not text or text[0] == "'" or text[0] not in FORMULA_SIGNS


@given(st.text(max_size=8))
def test_taking_one_apostrophe_away_gives_it_back(text: str) -> None:
    assert original(neutral(text)) == text
    assert neutral(neutral("=1")) == "''=1"


@pytest.mark.parametrize("value", [-5, -0.5, "=SUM(A1)", "+1", "@x", ["=1"], {"=": "-"}, None, "'"])
def test_json_cells_run_nowhere(value: Any) -> None:
    text = canonical(value)
    read = next(csv.reader(io.StringIO(json_cell(text), newline="")))
    assert original(read[0]) == text
    assert read[0][0] not in FORMULA_SIGNS.replace("'", "")
