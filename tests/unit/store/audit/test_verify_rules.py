"""The rules of the verifier against those of the product, and against records that break them."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import ledger
from store.audit.tables import cell as product_cell
from store.audit.verify import (
    DerivedRows,
    Row,
    canonical,
    cell,
    conflict_state,
    iso,
    key_text,
    micros,
    number_text,
    read_line,
    row_digest,
)
from store.canonical import canonical as product_canonical
from store.entry import row_digest as product_row_digest
from store.ledger import Content, Key
from store.model import RowKind
from store.temporal import EARLIEST, LATEST
from store.temporal import iso as product_iso
from tests.unit.store.audit.verifying import (
    ACME,
    failed,
    files_of,
    lines_of,
    random_store,
    resealed,
    verdict_on,
)

KEY = Key("acme", "", "mira", "city", "")

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_canonical_json_is_the_products(value: Any) -> None:
    text = product_canonical(value)
    assert canonical(value) == text
    line = product_canonical({"value": value})
    members, problem = read_line(line.encode())
    assert problem == ""
    assert members is not None
    assert canonical(members) == line


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_written_as_the_product_does(number: float) -> None:
    assert number_text(number) == product_canonical(number)


@pytest.mark.parametrize("number", [0.0, -0.0, 1e-6, 1e-7, 1.5e-7, 1e20, 1.5e20, 1e21, 5e-324])
def test_numbers_at_the_bounds_of_their_forms(number: float) -> None:
    assert number_text(number) == product_canonical(number)


@given(st.integers(EARLIEST, LATEST))
def test_instants_are_written_as_the_product_does(at: int) -> None:
    assert iso(at) == product_iso(at)
    assert micros(iso(at)) == at


@given(st.text(alphabet="=+-@'\t\r\n\",abé＝＋－＠＇", max_size=6))  # noqa: RUF001
def test_cells_are_written_as_the_product_does(text: str) -> None:
    assert cell(text) == product_cell(text)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"b":1,"a":2}', "not written canonically"),
        ('{"a": 1}', "not written canonically"),
        ('{"a":1} ', "not written canonically"),
        ('{"a":1}{"b":2}', "not written canonically"),
        ('{"a":"\\u0041"}', "not written canonically"),
        ('{"a":-0}', "not written canonically"),
        ('{"a":1.0}', "not written canonically"),
        ('{"a":1e2}', "not written canonically"),
        ('{"a":0.00000010}', "not written canonically"),
        ('{"a":{"b":1,"b":1}}', "there twice"),
        ('{"a":"\t"}', "not JSON"),
    ],
)
def test_what_is_not_canonical_is_noticed(line: str, problem: str) -> None:
    assert problem in read_line(line.encode())[1]


# -- the definition of what holds -----------------------------------------------------------------


def content(number: int) -> Content:
    return Content(f"m{number}", json.dumps(number), f"e{number}", "operator")


def as_members(row: ledger.Row) -> dict[str, Any]:
    """Write a row as versions.jsonl does, with what the derived rows look at."""
    it: dict[str, Any] = {"kind": row.kind.value, "valid_from": row.valid_from}
    it |= {"tx_from": row.tx_from, "tx_to": row.tx_to, "until": row.until}
    for name, part in (("content", row.content), ("over", row.over and row.over[0])):
        if part is not None:
            it[name] = {
                "memory_id": part.memory_id,
                "value": json.loads(part.value or "null"),
                "episode_id": part.episode_id,
                "agent_id": part.agent_id,
            }
    if row.over is not None and row.over[1] is not None:
        it["over"]["until"] = row.over[1]
    return {name: value for name, value in it.items() if value is not None}


def random_rows(source: random.Random, steps: int) -> list[ledger.Row]:
    """Play additions and removals of assertions on a key by the product's own rules."""
    live: list[ledger.Row] = []
    ever: list[ledger.Row] = []
    for number in range(1, steps + 1):
        asserted = [row for row in live if row.is_assertion]
        free = [at for at in range(12) if all(row.valid_from != at for row in asserted)]
        if asserted and (not free or source.random() < 0.35):
            moves = ledger.replan(live, remove=[source.choice(asserted)])
        else:
            at = source.choice(free)
            until = source.choice([None, at + source.randint(1, 8)])
            kind = RowKind.FACT if source.random() < 0.8 else RowKind.END
            row = ledger.Row(KEY, at, kind, content(number), until)
            if kind is RowKind.FACT and source.random() < 0.2:
                row = replace(row, over=(content(0), source.choice([None, at + 3])))
            moves = ledger.replan(live, add=[row])
        gone = {row.valid_from for row in moves.ends}
        ever = [
            replace(row, tx_to=number) if row.tx_to is None and row.valid_from in gone else row
            for row in ever
        ]
        ever += [replace(row, tx_from=number) for row in moves.inserts]
        live = [row for row in ever if row.tx_to is None]
    return ever


def problems(rows: list[ledger.Row]) -> list[Any]:
    told = [Row(number, as_members(row)) for number, row in enumerate(rows)]
    return list(DerivedRows(told).problems(10**9))


@settings(max_examples=150)
@given(st.integers(0, 10**9))
def test_derived_rows_follow_after_every_transaction(seed: int) -> None:
    source = random.Random(seed)
    rows = random_rows(source, 25)
    assert problems(rows) == []
    derived = [n for n, row in enumerate(rows) if not row.is_assertion]
    if derived:
        at = source.choice(derived)
        assert problems(rows[:at] + rows[at + 1 :]), "a derived row is missing"
        other = replace(rows[at], valid_from=rows[at].valid_from + 100)
        assert problems([*rows[:at], other, *rows[at + 1 :]]), "one stands elsewhere"
        kind = RowKind.GAP if rows[at].kind is RowKind.RESUME else RowKind.RESUME
        said = None if kind is RowKind.GAP else content(1)
        other = replace(rows[at], kind=kind, content=said)
        assert problems([*rows[:at], other, *rows[at + 1 :]]), "one says something else"


def test_many_stated_ends_on_one_key_are_checked_in_little_more_than_their_number() -> None:
    rows = []
    for number in range(3000):
        fact = ledger.Row(KEY, 10 * number, RowKind.FACT, content(number), 10 * number + 5)
        gap = ledger.Row(KEY, 10 * number + 5, RowKind.GAP, None)
        rows += [replace(row, tx_from=number + 1) for row in (fact, gap)]
    told = [Row(number, as_members(row)) for number, row in enumerate(rows)]
    checked = DerivedRows(told)
    assert list(checked.problems(10**9)) == []
    assert checked.steps < 3000**2 * 2
    tired = DerivedRows(told)
    assert list(tired.problems(1000)) == []
    assert 1000 < tired.steps < 20_000


# -- records that are whole, sealed, and wrong ----------------------------------------------------


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ([], None),
        ([("raised", "a")], "open"),
        ([("raised", "a"), ("withdrawn", "a")], None),
        ([("raised", "a"), ("joined", "b"), ("withdrawn", "a")], "open"),
        ([("raised", "a"), ("settled", None)], "settled"),
        ([("raised", "a"), ("settled", None), ("reopened", None)], "open"),
        ([("raised", "a"), ("joined", "b"), ("settled", None), ("withdrawn", "b")], "settled"),
        ([("raised", "a"), ("stale", None)], "stale"),
    ],
)
def test_the_state_of_a_conflict(events: list[Any], state: str | None) -> None:
    told = [
        {"kind": kind, **({"claim": {"claim_id": claim}} if claim else {})}
        for kind, claim in events
    ]
    assert conflict_state(told) == state


def test_the_digest_of_a_row_is_the_products() -> None:
    store = random_store(7, 30)
    with store.history(ACME) as history:
        rows = {(r.key, r.valid_from, r.tx_from): r for r in history.rows()}
    lines = lines_of(files_of(store), "versions.jsonl")
    assert len(lines) == len(rows)
    for line in lines:
        it = json.loads(line)
        key = Key("acme", it["owner"], it["subject"], it["attribute"], it["slot"])
        named = key_text((key.subject, key.attribute, key.owner, key.slot))
        row = rows[key, it["valid_from"], it["tx_from"]]
        assert row_digest(it, named).hex() == product_row_digest(row)


def test_a_rule_that_is_broken_is_named_whatever_the_digests_say() -> None:
    files = files_of(random_store(11, 30))
    lines = lines_of(files, "versions.jsonl")
    facts = [n for n, line in enumerate(lines) if b'"kind":"fact"' in line]
    bounded = next(n for n in facts if b'"until"' in lines[n].split(b'"owner"')[1])
    ended = next(n for n, line in enumerate(lines) if b'"tx_to"' in line)
    derived = next(n for n, line in enumerate(lines) if b'"kind":"gap"' in line)

    def wrong(at: int, **members: Any) -> dict[str, str]:
        it = {**json.loads(lines[at]), **members}
        changed = [*lines[:at], canonical(it).encode() + b"\n", *lines[at + 1 :]]
        return failed(verdict_on(resealed({**files, "versions.jsonl": b"".join(changed)})))

    begins = json.loads(lines[bounded])["valid_from"]
    assert "not after the beginning" in wrong(bounded, until=begins)["ends"]
    since = json.loads(lines[ended])["tx_from"]
    assert "ends before it begins" in wrong(ended, tx_to=since)["beliefs"]
    missing = b"".join(lines[:derived] + lines[derived + 1 :])
    without = failed(verdict_on(resealed({**files, "versions.jsonl": missing})))
    assert "The gap that follows at" in without["derived"]
    twin = {**json.loads(lines[facts[0]]), "tx_from": json.loads(lines[facts[0]])["tx_from"] + 1}
    twin.pop("tx_to", None)
    it = {name: value for name, value in json.loads(lines[facts[0]]).items() if name != "tx_to"}
    pair = [canonical(it).encode() + b"\n", canonical(twin).encode() + b"\n"]
    doubled = [*lines[: facts[0]], *pair, *lines[facts[0] + 1 :]]
    two = failed(verdict_on(resealed({**files, "versions.jsonl": b"".join(doubled)})))
    assert "Another belief begins then too." in two["beginnings"]
    other = {**it, "valid_from": it["valid_from"] + 1}
    other["content"] = {**it["content"], "value": "another value"}
    split = [*lines[: facts[0]], pair[0], canonical(other).encode() + b"\n", *lines[facts[0] + 1 :]]
    both = failed(verdict_on(resealed({**files, "versions.jsonl": b"".join(split)})))
    assert "The fact says another value too." in both["values"]
    stranger = json.loads(lines[facts[0]])["content"] | {"supersedes": "m-of-elsewhere"}
    named = wrong(facts[0], content=stranger)["named"]
    assert "names the fact m-of-elsewhere, which the key never had" in named
    beyond = json.loads(lines[facts[0]])["content"] | {"span": [0, 10_000]}
    assert "beyond the end of its episode" in wrong(facts[0], content=beyond)["sources"]


def test_a_source_that_is_missing_is_named() -> None:
    files = files_of(random_store(3))
    lines = lines_of(files, "episodes.jsonl")
    at = next(n for n, line in enumerate(lines) if b'"episode_id":"e1"' in line)
    rest = b"".join(lines[:at] + lines[at + 1 :])
    wrong = failed(verdict_on(resealed({**files, "episodes.jsonl": rest})))
    assert "Episode 'e1' is missing." in wrong["sources"]
