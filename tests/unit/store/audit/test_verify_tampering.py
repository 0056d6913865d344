"""Whatever is done to a snapshot's files is found and named, and honest ones raise no alarm."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store.audit.format import Selection, Withhold
from store.audit.sign import new_key
from store.audit.verify import CHECKS, Cancelled, Check, Package, State, main, verify
from store.canonical import canonical
from store.temporal import iso
from tests.conformance.scene import day
from tests.unit.store.audit.verifying import (
    ACME,
    LEDGER,
    Files,
    demo_files,
    failed,
    files_of,
    lines_of,
    manifest_bytes,
    put,
    random_store,
    resealed,
    verdict_on,
    zipped,
)

SELECTIONS = {
    "whole": Selection(),
    "filtered": Selection(subject="mira"),
    "withheld": Selection(withhold=Withhold.VALUES),
    "content withheld": Selection(attribute="city", withhold=Withhold.CONTENT),
    "window": Selection(window=(day(2), day(7))),
}
SEEDS = range(6)
EDITS = 12
"""So many places are tried in each of so many histories."""

FREE = {
    ("tool", "name"),
    ("tool", "version"),
    ("store_id",),
    ("rule",),
    ("slot_secret",),
    ("arguments", "language"),
}
"""What a manifest says that nothing else in the snapshot says again."""
NOT_PROVED = {"subject", "attribute", "owner", "slot", "agent_id", "session_id", "actor", "reason"}
"""What is shown in a withheld snapshot and not proved."""


def leaves(it: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = it.items() if isinstance(it, dict) else enumerate(it) if isinstance(it, list) else ()
    inner = [leaf for name, part in pairs for leaf in leaves(part, (*path, name))]
    yield from inner or [path]


def edited(value: Any, source: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + source.choice([1, -1, 10**6])
    if isinstance(value, float):
        return value / 2
    if isinstance(value, str):
        if len(value) >= 32 and not set(value[1:]) - set("0123456789abcdef"):
            at = source.randrange(1, len(value))
            return value[:at] + ("0" if value[at] != "0" else "1") + value[at + 1 :]
        return value + source.choice(["x", "é", " "])
    return "x" if value is None else [1, 2] if isinstance(value, list) else {"x": 1}


def with_edit(it: Any, path: tuple[Any, ...], source: random.Random) -> Any:
    if not path:
        return edited(it, source)
    copy = list(it) if isinstance(it, list) else dict(it)
    copy[path[0]] = with_edit(it[path[0]], path[1:], source)
    return copy


def some_line(files: Files, source: random.Random, names: Any = None) -> tuple[str, int]:
    known = [n for n in sorted(names or files) if n.endswith(".jsonl") and files[n]]
    name = source.choice(known)
    return name, source.randrange(len(lines_of(files, name)))


def with_line(files: Files, name: str, at: int, *instead: bytes) -> Files:
    lines = lines_of(files, name)
    lines[at : at + 1] = instead
    return {**files, name: b"".join(lines)}


# -- no false alarms ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_an_honest_snapshot_raises_no_alarm(seed: int) -> None:
    store = random_store(seed)
    newest = store.head(ACME).number
    numbers = random.Random(seed).sample(range(1, newest + 1), 3)
    asked = [*SELECTIONS.values(), *(Selection(number=n, valid_at=day(4)) for n in numbers)]
    for selection in asked:
        verdict = verdict_on(
            files_of(store, selection),
            head=str(store.head(ACME)) if selection.number is None else None,
        )
        assert failed(verdict) == {}
        assert len(verdict.checks) == len(CHECKS)


def test_the_demo_raises_no_alarm_as_a_directory_and_as_a_zip(tmp_path: Path) -> None:
    files = demo_files()
    for path in (put(files, tmp_path / "dir"), zipped(files, tmp_path / "x.zip")):
        verdict = verify(path)
        assert failed(verdict) == {}
        looked_at = {check.name: check.looked_at for check in verdict.checks}
        assert looked_at["facts"] > 100
        assert looked_at["derived"] > 300
        assert looked_at["conflicts"] >= 6
        assert looked_at["chain"] > 500


def test_what_is_not_proved_is_said() -> None:
    verdict = verdict_on(files_of(random_store(1), SELECTIONS["withheld"]))
    contents = next(check for check in verdict.checks if check.name == "contents")
    assert verdict.is_good
    assert contents.state is State.NOT_PROVED
    assert "taken as given" in contents.message
    assert any("subjects, attributes, owners, slots and agents" in note for note in verdict.notes)
    assert any("Agents and sessions of episodes" in note for note in verdict.notes)
    assert any("held to their digests" in note for note in verdict.notes)
    assert any("No head" in note for note in verdict.notes)


def test_a_head_holds_the_record_and_a_manifest_digest_the_report_too() -> None:
    store = random_store(1)
    files = files_of(store)
    kept = json.loads(files["manifest.json"])["digest"]
    forged = resealed({**files, "report.html": b"<p>Nothing was ever disputed."})
    verdict = verdict_on(forged, head=str(store.head(ACME)))
    assert verdict.is_good
    assert any(note.startswith("A head says nothing of those") for note in verdict.notes)
    assert set(failed(verdict_on(forged, manifest=kept))) == {"noted_manifest"}
    assert not any("A head says" in note for note in verdict_on(files, manifest=kept).notes)


def test_what_a_forger_of_part_and_verifier_can_hide_is_said() -> None:
    store = random_store(1)
    files = files_of(store, Selection(subject="mira", attribute="city"))
    arguments = json.loads(files["manifest.json"])["arguments"]
    widened = resealed(files, arguments={**arguments, "attribute": None})
    verdict = verdict_on(widened, head=str(store.head(ACME)))
    assert verdict.is_good
    assert any("among what was left out is not proved" in note for note in verdict.notes)
    exchanged = verdict_on(resealed({**files, "verify.py": b"print('Nothing is wrong.')"}))
    for said, is_other in ((verdict, False), (exchanged, True)):
        assert any("not the one that ran" in note for note in said.notes) is is_other


def test_a_stopped_verifier_says_so_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(_package: object, _name: str) -> None:
        raise KeyboardInterrupt

    path = put(files_of(random_store(1)), tmp_path / "snapshot")
    monkeypatch.setattr(Package, "open", stopped)
    assert main([str(path)]) == 130
    assert capsys.readouterr().err == "Stopped: nothing was found out about the snapshot.\n"


# -- each kind of tampering -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["whole", "filtered", "window"])
@pytest.mark.parametrize("seed", SEEDS)
def test_any_edited_member_of_any_line_is_found_even_if_the_manifest_was_made_anew(
    seed: int, kind: str
) -> None:
    source = random.Random(seed)
    files = files_of(random_store(seed), SELECTIONS[kind])
    for _ in range(EDITS):
        name, at = some_line(files, source)
        it = json.loads(lines_of(files, name)[at])
        path = source.choice(list(leaves(it)))
        line = canonical(with_edit(it, path, source)).encode() + b"\n"
        changed = with_line(files, name, at, line)
        plain, forged = verdict_on(changed), verdict_on(resealed(changed))
        assert "files" in failed(plain), (name, at, path)
        assert failed(plain)["files"].startswith(name)
        assert failed(forged), (name, at, path, line)


@pytest.mark.parametrize("seed", SEEDS)
def test_in_a_withheld_snapshot_all_but_names_is_proved(seed: int) -> None:
    source = random.Random(seed)
    files = files_of(random_store(seed), SELECTIONS["withheld"])
    for _ in range(EDITS):
        name, at = some_line(files, source)
        it = json.loads(lines_of(files, name)[at])
        path = source.choice([p for p in leaves(it) if not NOT_PROVED & set(p)])
        line = canonical(with_edit(it, path, source)).encode() + b"\n"
        assert failed(verdict_on(resealed(with_line(files, name, at, line)))), (name, at, path)


@pytest.mark.parametrize("kind", ["whole", "filtered", "withheld"])
@pytest.mark.parametrize("seed", SEEDS)
def test_removed_added_and_reordered_lines_are_found(seed: int, kind: str) -> None:
    source = random.Random(seed)
    files = files_of(random_store(seed), SELECTIONS[kind])
    for _ in range(4):
        name, at = some_line(files, source)
        lines = lines_of(files, name)
        removed = with_line(files, name, at)
        doubled = with_line(files, name, at, lines[at], lines[at])
        assert failed(verdict_on(resealed(removed))), f"{name} {at} removed"
        assert failed(verdict_on(resealed(doubled))), f"{name} {at} doubled"
        other = source.randrange(len(lines))
        if lines[at] != lines[other]:
            swapped = list(lines)
            swapped[at], swapped[other] = lines[other], lines[at]
            moved = {**files, name: b"".join(swapped)}
            assert failed(verdict_on(resealed(moved))), f"{name} {at} and {other} swapped"


def test_an_edited_value_is_named_with_its_place() -> None:
    files = demo_files()
    fact = json.loads(lines_of(files, "facts.jsonl")[0])
    wanted = fact["memory_id"], fact["transaction"], fact["row_from"]
    lines = lines_of(files, "versions.jsonl")
    at, it = next(
        (number, it)
        for number, it in enumerate(map(json.loads, lines))
        if it["kind"] == "fact"
        and (it["content"]["memory_id"], it["tx_from"], iso(it["valid_from"])) == wanted
    )
    it["content"]["value"] = "another value"
    line = canonical(it).encode() + b"\n"
    wrong = failed(verdict_on(resealed(with_line(files, "versions.jsonl", at, line))))
    assert f"transaction {it['tx_from']:,}" in wrong["chain"]
    assert f"versions.jsonl line {at + 1:,}" in wrong["chain"]
    assert wrong["facts"].startswith("facts.jsonl, line 1, transaction")
    assert it["subject"] in wrong["facts"]
    assert '"another value" follows from the ledger' in wrong["facts"]


def test_the_file_that_was_changed_is_named_first() -> None:
    files = demo_files()
    changed = files["versions.jsonl"].replace(b"Porto", b"Paris", 1)
    first = verdict_on(files | {"versions.jsonl": changed}).first_failure
    assert first is not None
    assert (first.name, first.place.file) == ("files", "versions.jsonl")


def test_an_edited_time_is_named_with_its_place() -> None:
    files = demo_files()
    lines = lines_of(files, "transactions.jsonl")
    it = json.loads(lines[40])
    it["recorded_at"] = json.loads(lines[39])["recorded_at"]
    line = canonical(it).encode() + b"\n"
    wrong = failed(verdict_on(resealed(with_line(files, "transactions.jsonl", 40, line))))
    assert wrong["transactions"] == (
        "transactions.jsonl, line 41, transaction 41: Its time is not after its predecessor's."
    )
    assert "In transaction 41" in wrong["chain"]


def test_a_missing_transaction_is_named() -> None:
    files = demo_files()
    wrong = failed(verdict_on(resealed(with_line(files, "transactions.jsonl", 40))))
    assert "Transaction 41 is missing." in wrong["transactions"]


def test_a_member_that_is_there_twice_is_named() -> None:
    files = demo_files()
    line = lines_of(files, "versions.jsonl")[2]
    doubled = line.replace(b'{"attribute":', b'{"attribute":"other","attribute":', 1)
    wrong = failed(verdict_on(resealed(with_line(files, "versions.jsonl", 2, doubled))))
    assert wrong == {
        "lines": "versions.jsonl, line 3: The line is unusable: the member 'attribute' is there "
        "twice."
    }


@pytest.mark.parametrize(
    "line",
    [
        b'{"a":1}',
        b"[]",
        b"",
        b"{",
        b"\xff\xfe",
        b'\xef\xbb\xbf{"a":1}',
        b'{"a":"\x00"}',
        b'{"a":NaN}',
        b'{"a":1e999}',
        b'{"a":1.0}',
        b'{"a":"\\ud800"}',
        b'{"a":' + b"9" * 5000 + b"}",
        b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
    ids=lambda line: repr(line[:12]),
)
@pytest.mark.parametrize("name", [*LEDGER, "facts.jsonl"])
def test_a_line_that_says_nothing_usable_is_named(name: str, line: bytes) -> None:
    files = demo_files()
    wrong = failed(verdict_on(resealed(with_line(files, name, 1, line + b"\n"))))
    assert wrong["facts" if name == "facts.jsonl" else "lines"].startswith(f"{name}, line 2")


@pytest.mark.parametrize("name", ["facts.csv", "facts.jsonl"])
def test_facts_that_do_not_follow_are_found_wherever_they_stand(name: str) -> None:
    files, source = demo_files(), random.Random(5)
    check = "table" if name == "facts.csv" else "facts"
    for _ in range(6):
        data = bytearray(files[name])
        at = source.randrange(len(data))
        data[at] ^= 1
        wrong = failed(verdict_on(resealed({**files, name: bytes(data)})))
        assert set(wrong) == {check}, (at, wrong)
    wrong = failed(verdict_on(resealed({**files, name: files[name] + b"x\n"})))
    assert "goes on where nothing more follows" in wrong[check]
    wrong = failed(verdict_on(resealed({**files, name: b""})))
    assert check in wrong


def test_a_cut_tail_is_seen_only_by_an_outside_head() -> None:
    store = random_store(3)
    head, newest = str(store.head(ACME)), store.head(ACME).number
    cut = files_of(store, Selection(number=newest - 2))
    assert verdict_on(cut).is_good
    assert "tail was cut off" in failed(verdict_on(cut, head=head))["noted_head"]
    early = verdict_on(cut).head
    assert verdict_on(files_of(store), head=early).is_good, "a head noted before is in the chain"


def test_a_record_made_anew_is_seen_only_by_an_outside_head() -> None:
    store, other = random_store(3), random_store(4)
    forged = files_of(other)
    assert verdict_on(forged).is_good
    number = min(store.head(ACME).number, other.head(ACME).number)
    head = verdict_on(files_of(store, Selection(number=number))).head
    assert "made anew" in failed(verdict_on(forged, head=head))["noted_head"]


def test_a_file_of_another_snapshot_is_found() -> None:
    files, other = files_of(random_store(3)), files_of(random_store(4))
    for name in sorted(files.keys() - {"manifest.json", "verify.py"}):
        swapped = {**files, name: other[name]}
        assert failed(verdict_on(swapped)), name
        if name in (*LEDGER, "facts.jsonl", "facts.csv") and files[name] != other[name]:
            assert failed(verdict_on(resealed(swapped))), name
    assert failed(verdict_on({**files, "manifest.json": other["manifest.json"]}))


def test_added_and_missing_files_are_named() -> None:
    files = demo_files()
    added = failed(verdict_on({**files, "notes.txt": b"hello"}))
    assert "notes.txt" in added["names"]
    for name in sorted(files.keys() - {"manifest.json"}):
        rest = {other: data for other, data in files.items() if other != name}
        assert f"{name} is missing" in failed(verdict_on(rest))["names"]
    for name in ("omitted.jsonl", "store.db"):
        assert name in failed(verdict_on({**files, name: b""}))["names"]


def test_any_edited_member_of_the_manifest_is_found() -> None:
    files, source = demo_files(), random.Random(1)
    manifest = json.loads(files["manifest.json"])
    for path in leaves(manifest):
        changed = with_edit(manifest, path, source)
        text = json.dumps(changed, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
        assert _is_refused({**files, "manifest.json": text.encode()}), path
        if path not in FREE and path != ("digest",):
            forged = {**files, "manifest.json": manifest_bytes(changed)}
            assert _is_refused(forged), f"{path}, digest made anew"


def _is_refused(files: Files) -> bool:
    from store.audit.verify import Broken

    try:
        return not verdict_on(files).is_good
    except Broken:
        return True


def test_a_manifest_written_otherwise_is_found() -> None:
    files = demo_files()
    said = files["manifest.json"].replace(b'\n  "counts"', b'\n   "counts"')
    assert "not written as" in failed(verdict_on({**files, "manifest.json": said}))["manifest"]


def test_the_outside_digest_of_the_manifest_is_compared() -> None:
    files = demo_files()
    digest = json.loads(files["manifest.json"])["digest"]
    assert verdict_on(files, manifest=digest.upper()).is_good
    assert "noted_manifest" in failed(verdict_on(files, manifest="0" * 64))


def test_what_lies_out_of_a_filter_is_found() -> None:
    files = files_of(random_store(2), Selection(attribute="city"))
    manifest = json.loads(files["manifest.json"])
    manifest["arguments"]["attribute"] = "mood"
    wrong = failed(verdict_on({**files, "manifest.json": manifest_bytes(manifest)}))
    assert "Its attribute is not what the filter lets through." in wrong["scope"]


# -- signatures, heads, progress ------------------------------------------------------------------


def test_a_signature_is_checked(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    key = new_key(tmp_path / "key")
    files = files_of(random_store(2), key=key)
    other = files_of(random_store(2), key=new_key(tmp_path / "other"))
    assert verdict_on(files).is_good
    said = json.loads(files["manifest.sig"])
    said["signature"] = json.loads(other["manifest.sig"])["signature"]
    forged = {**files, "manifest.sig": json.dumps(said).encode()}
    assert "signature is not that of the key" in failed(verdict_on(forged))["signature"]
    for data in (b"", b"{}", b"\xff", b"[]", b'{"text":"x"}'):
        wrong = failed(verdict_on({**files, "manifest.sig": data}))
        assert "no signature" in wrong["signature"]
    moved = {**files_of(random_store(3)), "manifest.sig": files["manifest.sig"]}
    assert "signs something else" in failed(verdict_on(moved))["signature"]


@pytest.mark.parametrize("head", ["", "x", "1:", "1:abc", "-1:" + "0" * 64, "1:" + "g" * 64])
def test_a_head_that_is_none_is_refused(head: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="N:DIGEST"):
        verify(tmp_path, head=head)


def test_checks_are_told_as_they_end_and_progress_reaches_the_end(tmp_path: Path) -> None:
    told: list[Check] = []
    steps: list[tuple[int, int]] = []
    path = put(demo_files(), tmp_path / "snapshot")
    verdict = verify(path, on_check=told.append, progress=lambda *step: steps.append(step))
    assert tuple(told) == verdict.checks
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert steps[-1] == (steps[0][1], sum(map(len, demo_files().values())))


def test_it_stops_on_request(tmp_path: Path) -> None:
    path = put(demo_files(), tmp_path / "snapshot")
    told: list[Check] = []
    with pytest.raises(Cancelled):
        verify(path, on_check=told.append, is_cancelled=lambda: len(told) == 4)
    assert len(told) == 4
