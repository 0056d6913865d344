"""The commands that prove, on stores in memory and snapshots on disk."""

from __future__ import annotations

import json
import re
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from store.audit.format import digest_of
from store.contract import Scope, Store
from store.errors import Locked, ReadOnly

if TYPE_CHECKING:
    from tests.unit.workbench.conftest import CommandLine, Said

TENANT = ("--tenant", "acme")


def wrote(cli: CommandLine, subject: str, value: str, valid_from: str, source: str) -> str:
    """Write a fact from an episode of its own; its id."""
    captured = cli(
        "episode", "a.db", *TENANT, "--id", source, "--kind", "message", "--occurred-at",
        valid_from, "--content", f"It is {value}.",
    )  # fmt: skip
    assert captured.status == 0, captured
    said = cli(
        "write", "a.db", *TENANT, "--subject", subject, "--attribute", "city", "--value",
        f'"{value}"', "--valid-from", valid_from, "--episode", source, "--json",
    )  # fmt: skip
    memory_id: str = said.document["memory_id"]
    return memory_id


@pytest.fixture
def taken(cli: CommandLine, tmp_path: Path) -> Path:
    """A snapshot of a store with two facts, and the store a.db itself."""
    wrote(cli, "mira", "Lisbon", "2026-01-01", "e1")
    wrote(cli, "nuno", "Porto", "2026-02-01", "e2")
    out = tmp_path / "acme"
    cli.ok("snapshot", "a.db", str(out), *TENANT)
    return out


def failed(said: Said, *words: str) -> None:
    """The command failed with one sentence that says so."""
    assert (said.status, said.out) == (1, "")
    assert said.err.count("\n") == 1
    assert all(word in said.err for word in words), said.err


# -- snapshot and head ----------------------------------------------------------------------------


def test_a_snapshot_says_what_names_it(cli: CommandLine, taken: Path, tmp_path: Path) -> None:
    said = cli.ok("snapshot", "a.db", str(tmp_path / "b.zip"), *TENANT, "--json").document
    assert said["noted"]
    assert said["counts"]["facts"]["in_scope"] == 2
    assert said["as_of"]["transaction"] == said["counts"]["transactions"]
    line = cli.ok("head", "a.db", *TENANT).out
    assert line.startswith(f"acme  {said['head']}  {said['entries']} entries  ")
    text = cli.ok("snapshot", "a.db", str(tmp_path / "c.zip"), *TENANT).out
    assert re.search(r"facts +2: 2 with a source, 0 with a span, 0 disputed, 2 imprecise", text)
    assert said["manifest"] in text
    assert said["head"] in text
    assert "scope" not in text
    words = ("--subject", "mira", "--window", "2026..2027", "--withhold", "values")
    text = cli.ok("snapshot", "a.db", str(tmp_path / "d.zip"), *TENANT, *words).out
    period = "2026-01-01T00:00:00Z to 2027-01-01T00:00:00Z"
    assert f"  scope     subject mira, facts of {period}, values withheld\n" in text


@pytest.mark.parametrize(
    ("out", "words", "is_file"),
    [
        ("x.zip", (), True),
        ("x", (), False),
        ("x.ZIP", (), True),
        ("x", ("--zip",), True),
        ("x.zip", ("--dir",), False),
    ],
)
def test_the_form_is_that_of_the_name_unless_it_is_said(
    cli: CommandLine, taken: Path, tmp_path: Path, out: str, words: tuple[str, ...], is_file: bool
) -> None:
    cli.ok("snapshot", "a.db", str(tmp_path / out), *TENANT, *words)
    assert (tmp_path / out).is_file() is is_file
    cli.ok("verify", str(tmp_path / out))


def test_a_selection_is_taken_as_typed(cli: CommandLine, taken: Path, tmp_path: Path) -> None:
    words = (
        "--subject", "mira", "--attribute", "city", "--valid-at", "2026-01-15", "--window",
        "2026-01-01..2026-03", "--withhold", "content", "--transaction", "2", "--zone", "+02:00",
        "--lang", "es",
    )  # fmt: skip
    said = cli.ok("snapshot", "a.db", str(tmp_path / "b"), *TENANT, *words, "--json").document
    assert said["arguments"] == {
        "subject": "mira", "attribute": "city", "memory_type": None,
        "valid_at": "2026-01-14T22:00:00Z", "transaction": 2,
        "window": ["2025-12-31T22:00:00Z", "2026-02-28T22:00:00Z"], "withhold": "content",
        "language": "es", "with_store": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--window", "2026"), "'2026' is not a period; write FROM..TO"),
        (("--window", "..2026"), "is not a period"),
        (("--window", "2027..2026"), "The window is empty"),
        (("--window", "a..b"), "'a' is not a time"),
        (("--known-at", "2026", "--transaction", "1"), "Give --known-at or --transaction"),
        (("--transaction", "0"), "--transaction"),
        (("--withhold", "everything"), "'everything' is not one of"),
        (("--lang", "de"), "'de' is not one of"),
        (("--subject", ""), "a name may not be empty"),
    ],
)
def test_a_selection_that_makes_no_sense_is_a_wrong_call(
    cli: CommandLine, taken: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    answer = cli("snapshot", "a.db", str(tmp_path / "b"), *TENANT, *words)
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert not (tmp_path / "b").exists()


def test_what_cannot_be_taken_is_a_sentence(cli: CommandLine, taken: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "b")
    failed(cli("snapshot", "a.db", str(taken), *TENANT), "There is something at")
    failed(cli("snapshot", "a.db", out, "--tenant", "globex"), "globex")
    failed(cli("snapshot", "a.db", out, *TENANT, "--transaction", "99"), "99")
    early = cli("snapshot", "a.db", out, *TENANT, "--known-at", "1999")
    failed(early, "Nothing of tenant acme was recorded by 1999-01-01T00:00:00Z.")
    failed(cli("snapshot", "none.db", out, *TENANT), "none.db")
    failed(cli("snapshot", "a.db", str(tmp_path / "no" / "b"), *TENANT), "There is no folder")
    failed(cli("snapshot", "a.db", out, *TENANT, "--sign", str(tmp_path / "no.key")), "no.key")
    failed(cli("head", "a.db", "--tenant", "globex"), "globex")
    assert not (tmp_path / "b").exists()


def test_the_store_notes_where_a_snapshot_lies_for_whoever_is_elsewhere(
    cli: CommandLine, taken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cli.ok("snapshot", "a.db", "here.zip", *TENANT)
    noted = {export.destination for export in cli.stores["a.db"].exports(Scope("acme"))}
    assert str(tmp_path / "here.zip") in noted


UNNOTED = "so the store keeps no note of this snapshot; the snapshot is complete."


def test_a_snapshot_that_the_store_cannot_note_is_done_and_said(
    cli: CommandLine, taken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held(*_parts: object) -> None:
        raise Locked("a.db is locked by another program; nothing was written. Try again.")

    monkeypatch.setattr(cli.stores["a.db"], "note_export", held)
    said = cli("snapshot", "a.db", str(tmp_path / "b"), *TENANT)
    assert (said.status, said.err) == (0, f"a.db is locked by another program, {UNNOTED}\n")
    assert said.out.startswith("Wrote ")
    cli.ok("verify", str(tmp_path / "b"))
    said = cli("snapshot", "a.db", str(tmp_path / "c"), *TENANT, "--json")
    assert (said.status, said.document["noted"]) == (0, False)
    assert said.err.endswith(f"{UNNOTED}\n")


def test_a_store_that_may_only_be_read_says_that_it_keeps_no_note(
    cli: CommandLine, taken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_store(location: str, *, read_only: bool = False, **more: Any) -> Store:
        if not read_only:
            raise ReadOnly(f"{location} may not be written by this user.")
        return cli.open(location, read_only=True, **more)

    monkeypatch.setattr("workbench.commands.opening.open_store", open_store)
    said = cli("snapshot", "a.db", str(tmp_path / "b"), *TENANT)
    assert (said.status, said.err.count("\n")) == (0, 1)
    assert said.err.endswith(f"is open for reading only, {UNNOTED}\n")
    cli.ok("verify", str(tmp_path / "b"))


# -- verify ---------------------------------------------------------------------------------------


def test_a_snapshot_is_proved_with_what_was_kept(cli: CommandLine, taken: Path) -> None:
    said = cli.ok("verify", str(taken), "--json").document
    assert said["is_good"]
    line = cli.ok("head", "a.db", *TENANT).out
    for head in (said["head"], line, f"  {said['head'].upper()} "):
        words = ("--head", head, "--manifest", said["manifest"].upper(), "--against", "a.db")
        text = cli.ok("verify", str(taken), *words).out
        assert text.endswith("Nothing is wrong.\n")
        assert "The store's chain goes through the head" in text


def test_a_store_that_is_behind_or_other_is_noticed(cli: CommandLine, taken: Path) -> None:
    cli("episode", "b.db", *TENANT, "--id", "x", "--kind", "file", "--occurred-at", "2026",
        "--content", "x")  # fmt: skip
    said = cli("verify", str(taken), "--against", "b.db")
    assert said.status == 1
    assert "b.db has another record of tenant acme" in said.err, "fewer is not the same, cut"
    for name in "yzuvw":
        cli("episode", "b.db", *TENANT, "--id", name, "--kind", "file", "--occurred-at", "2026",
            "--content", "x")  # fmt: skip
    said = cli("verify", str(taken), "--against", "b.db", "--json")
    assert said.status == 1
    assert "b.db has another record of tenant acme" in said.err
    assert not said.document["is_good"]
    assert said.document["checks"][-1]["name"] == "against"


def test_an_older_copy_and_one_without_the_tenant_are_told_apart(
    cli: CommandLine, taken: Path, tmp_path: Path
) -> None:
    cli.ok("snapshot", "a.db", str(tmp_path / "early"), *TENANT, "--transaction", "2")
    assert cli("import", "snapshot", str(tmp_path / "early"), "early.db").status == 0
    said = cli("verify", str(taken), "--against", "early.db")
    assert said.status == 1
    assert "early.db ends with transaction 2, before the snapshot's" in said.err
    cli("episode", "early.db", *TENANT, "--id", "x", "--kind", "file", "--occurred-at", "2026",
        "--content", "x")  # fmt: skip
    said = cli("verify", str(taken), "--against", "early.db")
    assert "early.db has another digest of transaction 3" in said.err
    cli("episode", "b.db", "--tenant", "globex", "--id", "x", "--kind", "file",
        "--occurred-at", "2026", "--content", "x")  # fmt: skip
    said = cli("verify", str(taken), "--against", "b.db")
    assert "b.db has no record of tenant acme." in said.err


def test_a_head_of_another_tenant_is_called_that(cli: CommandLine, taken: Path) -> None:
    cli("episode", "a.db", "--tenant", "globex", "--id", "x", "--kind", "file", "--occurred-at",
        "2026", "--content", "x")  # fmt: skip
    line = cli.ok("head", "a.db", "--tenant", "globex").out
    said = cli("verify", str(taken), "--head", line)
    told = "The head is of tenant globex, and the snapshot of tenant acme."
    assert (said.status, said.err) == (1, f"{taken} is not proved: {told}\n")
    assert told in cli("verify", str(taken), "--head", line, "--json").out
    alone = cli("verify", str(taken), "--head", line.split()[1])
    assert "made anew" in alone.err, "nothing says whose it is"
    ours = cli.ok("head", "a.db", *TENANT).out
    cli.ok("verify", str(taken), "--head", ours.replace("acme", "renamed"))
    wrong = ours.replace(ours.split()[1][-64:], "0" * 64)
    assert "made anew" in cli("verify", str(taken), "--head", wrong).err


def test_an_empty_path_is_a_wrong_call(cli: CommandLine, taken: Path) -> None:
    for words in (
        ("snapshot", "a.db", "", *TENANT),
        ("snapshot", "a.db", "new", *TENANT, "--sign", ""),
        ("verify", ""),
        ("verify", str(taken), "--key", ""),
        ("verify", str(taken), "--against", ""),
        ("compare", "", "a.db"),
        ("compare", "a.db", "", *TENANT),
        ("head", "a.db", *TENANT, "--sign", ""),
        ("key", "new", ""),
        ("import", "snapshot", "", "new.db"),
        ("import", "zeroclaw", "", "new.db", *TENANT),
    ):
        said = cli(*words)
        assert (said.status, said.out) == (2, ""), words
        assert said.err.count("\n") == 1
        assert "An empty text is no path. See" in said.err


def test_a_filter_that_lets_nothing_through_is_told(
    cli: CommandLine, taken: Path, tmp_path: Path
) -> None:
    said = cli("snapshot", "a.db", str(tmp_path / "b"), *TENANT, "--subject", "nobody", "--json")
    assert (said.status, said.err) == (0, "No fact matches the filter (subject nobody).\n")
    assert said.document["counts"]["versions"] == 0
    cli.ok("verify", str(tmp_path / "b"))
    early = ("--subject", "mira", "--valid-at", "1999")
    cli.ok("snapshot", "a.db", str(tmp_path / "c"), *TENANT, *early)


def test_what_was_mistyped_is_not_held_against_the_snapshot(cli: CommandLine, taken: Path) -> None:
    failed(cli("verify", str(taken), "--against", "none.db"), "none.db")
    pytest.importorskip("cryptography")
    failed(cli("verify", str(taken), "--key", "none.key"), "There is no key at none.key.")


def test_what_was_changed_is_named(cli: CommandLine, taken: Path) -> None:
    versions = taken / "versions.jsonl"
    versions.write_text(versions.read_text().replace("Lisbon", "London"))
    said = cli("verify", str(taken))
    assert said.status == 1
    assert said.err.startswith(f"{taken} is not proved: versions.jsonl: ")
    assert said.err.count("\n") == 1
    assert "broken" in said.out
    assert "Nothing is wrong" not in said.out


def test_what_is_no_snapshot_is_a_sentence(cli: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear \x1b[31mMira")
    (tmp_path / "folder").mkdir()
    for name in ("none", "letter"):
        said = cli("verify", str(tmp_path / name))
        failed(said, name)
        assert said.err.count(str(tmp_path / name)) == 1
        failed(cli("import", "snapshot", str(tmp_path / name), "new.db"), name)
    assert cli("verify", str(tmp_path / "folder")).status == 1
    failed(cli("import", "snapshot", str(tmp_path / "folder"), "new.db"), "folder")
    assert cli.stores == {}


# -- compare --------------------------------------------------------------------------------------


def test_what_the_store_added_since_is_told(cli: CommandLine, taken: Path) -> None:
    same = cli.ok("compare", str(taken), "a.db").out
    assert "The chains are the same." in same
    assert "Facts: 2 the same, 0 added, 0 withdrawn, 0 ended, 0 changed." in same
    new = wrote(cli, "mira", "Faro", "2026-05-01", "e3")
    text = cli.ok("compare", str(taken), "a.db").out
    assert "A is a prefix of B" in text
    assert "Facts: 1 the same, 1 added, 0 withdrawn, 1 ended, 0 changed." in text
    assert f'+ added      mira · city  "Faro"  2026-05-01 → open  {new}' in text
    assert '| ended      mira · city  "Lisbon"  2026-01-01 → open ⇒ "Lisbon"  2026-01-01 → ' in text
    assert "B is a prefix of A" in cli.ok("compare", "a.db", str(taken)).out
    bounded = cli.ok("compare", str(taken), "a.db", "--limit", "1").out
    assert "and 1 more" in bounded
    counted = cli.ok("compare", str(taken), "a.db", "--limit", "0", "--json").document
    assert (counted["differences"], counted["counts"]["added"]) == ([], 1)


def test_filtered_and_withheld_sides_say_what_was_compared(
    cli: CommandLine, taken: Path, tmp_path: Path
) -> None:
    mira, withheld = str(tmp_path / "mira"), str(tmp_path / "withheld")
    cli.ok("snapshot", "a.db", mira, *TENANT, "--subject", "mira")
    cli.ok("snapshot", "a.db", withheld, *TENANT, "--withhold", "values")
    text = cli.ok("compare", mira, "a.db").out
    assert "Only what both sides hold was compared: subject mira." in text
    assert "Facts: 1 the same, 0 added" in text
    text = cli.ok("compare", str(taken), withheld).out
    assert "Values are withheld, so only periods were compared." in text
    assert "Facts: 2 the same, 0 added" in text


def test_two_stores_need_a_tenant(cli: CommandLine, taken: Path) -> None:
    said = cli("compare", "a.db", "a.db")
    assert (said.status, said.out) == (2, "")
    assert "--tenant" in said.err
    assert "The chains are the same." in cli.ok("compare", "a.db", "a.db", *TENANT).out
    failed(cli("compare", str(taken), "none.db"), "none.db")


@pytest.mark.parametrize("is_first", [True, False])
def test_a_side_that_was_changed_is_compared_but_not_taken_for_genuine(
    cli: CommandLine, taken: Path, is_first: bool
) -> None:
    versions = taken / "versions.jsonl"
    versions.write_text(versions.read_text().replace("Lisbon", "London"))
    sides = (str(taken), "a.db") if is_first else ("a.db", str(taken))
    said = cli("compare", *sides)
    assert said.status == 1
    first, *rest = said.out.splitlines()
    side = "A" if is_first else "B"
    assert first.startswith(f"{side} ({taken}) was changed since it was taken: versions.jsonl")
    assert first.endswith("; what follows is what its files say.")
    assert any(line.startswith("  ~ changed") and "London" in line for line in rest)
    assert said.err.startswith(f"{taken} is not proved: versions.jsonl")
    assert said.err.count("\n") == 1
    document = cli("compare", *sides, "--json").document
    wrong, good = document["one"]["wrong"], document["other"]["wrong"]
    if not is_first:
        wrong, good = good, wrong
    assert wrong.startswith("versions.jsonl")
    assert good is None
    assert document["counts"]["changed"] == 1


def test_a_side_that_cannot_be_read_is_one_sentence(cli: CommandLine, taken: Path) -> None:
    versions = taken / "versions.jsonl"
    versions.write_text("{}\n" + versions.read_text())
    said = cli("compare", str(taken), "a.db")
    failed(said, f"{taken} was changed since it was taken", "line 1")


# -- import snapshot ------------------------------------------------------------------------------


def test_a_record_is_restored_and_then_known(cli: CommandLine, taken: Path) -> None:
    trial = cli("import", "snapshot", str(taken), "new.db", "--dry-run")
    assert "The record would be restored whole" in trial.out
    assert "new.db" not in cli.stores
    done = cli("import", "snapshot", str(taken), "new.db")
    assert (done.status, done.err) == (0, "Made the store new.db, which was not there.\n")
    assert "The record was restored whole" in done.out
    assert cli.ok("head", "new.db", *TENANT).out == cli.ok("head", "a.db", *TENANT).out
    again = cli.ok("import", "snapshot", str(taken), "new.db", "--json").document
    assert (again["whole"], again["written"], again["known"]) == (False, 0, 2)
    renamed = cli.ok("import", "snapshot", str(taken), "new.db", "--tenant", "globex").out
    assert "as tenant acme" in renamed


def test_options_of_other_imports_are_wrong_here(cli: CommandLine, taken: Path) -> None:
    for words in (("--many", "*"), ("--zone", "Europe/Madrid"), ("--map", "subject=0")):
        said = cli("import", "snapshot", str(taken), "new.db", *words)
        assert (said.status, said.out) == (2, "")
    said = cli("import", "table", "t.csv", "new.db", "--map", "subject=0")
    assert (said.status, said.out) == (2, "")
    assert "--tenant" in said.err
    assert "new.db" not in cli.stores


@pytest.mark.parametrize("secret", ["zz", "", "0" * 31, "0" * 33, "0" * 30 + "\u0660\u0661"])
def test_a_secret_of_slots_that_is_none_is_refused(
    cli: CommandLine, taken: Path, secret: str
) -> None:
    manifest = taken / "manifest.json"
    members = json.loads(manifest.read_text(encoding="utf-8")) | {"slot_secret": secret}
    members["digest"] = digest_of(members)
    text = json.dumps(members, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    manifest.write_text(text, encoding="utf-8")
    for words in (("import", "snapshot", str(taken), "new.db"), ("compare", str(taken), "a.db")):
        failed(cli(*words), "slot_secret is not 16 bytes in hex")
    assert "new.db" not in cli.stores


def test_the_deepest_value_goes_all_the_way_and_a_deeper_one_no_step(
    cli: CommandLine, taken: Path, tmp_path: Path
) -> None:
    words = (*TENANT, "--subject", "mira", "--attribute", "notes", "--valid-from", "2026-01-01",
             "--episode", "e1")  # fmt: skip
    deepest = '[{"a":' * 49 + "[[1]]" + "}]" * 49
    refused = cli("write", "a.db", *words, "--value", f"[{deepest}]")
    assert (refused.status, refused.out) == (2, "")
    assert "JSON may be nested at most 100 arrays and objects deep" in refused.err
    cli.ok("write", "a.db", *words, "--value", deepest)
    out = str(tmp_path / "deep.zip")
    cli.ok("snapshot", "a.db", out, *TENANT)
    cli.ok("verify", out)
    assert cli.ok("compare", out, "a.db", "--json").document["counts"]["same"] == 3
    assert cli("import", "snapshot", out, "new.db").status == 0
    assert cli.ok("head", "new.db", *TENANT).out == cli.ok("head", "a.db", *TENANT).out


# -- keys -----------------------------------------------------------------------------------------


def test_a_key_is_made_once_and_signs(cli: CommandLine, taken: Path, tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    file, out = str(tmp_path / "my.key"), str(tmp_path / "signed")
    public = cli.ok("key", "new", file, "--json").document["public"]
    failed(cli("key", "new", file), "There is something at")
    assert cli("key", "old", file).status == 2
    cli.ok("snapshot", "a.db", out, *TENANT, "--sign", file)
    cli.ok("verify", out, "--key", public)
    cli.ok("verify", out, "--key", file)
    assert cli("verify", str(taken), "--key", public).status == 1
    line = cli.ok("head", "a.db", *TENANT, "--sign", file).out
    cli.ok("verify", out, "--head", line, "--key", public)
    said = cli.ok("verify", out, "--head", line).out
    assert "give --key to say whose it must be" in said
    for wrong in (f"{line.strip()[:-1]}", f"{line} {public}"):
        assert cli("verify", out, "--head", wrong).status == 2, "it is not passed over"


# -- hostile archives -----------------------------------------------------------------------------


def _member(name: str, mode: int = stat.S_IFREG | 0o644) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)
    member.create_system = 3
    member.external_attr = mode << 16
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def _climbing(path: Path, _good: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr(_member("../outside"), "x")


def _absolute(path: Path, _good: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr(_member("/tmp/outside"), "x")


def _linked(path: Path, _good: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr(_member("manifest.json", stat.S_IFLNK | 0o777), "/etc/passwd")


def _twice(path: Path, good: Path) -> None:
    shutil.copy(good, path)
    with (
        pytest.warns(UserWarning, match="Duplicate"),
        zipfile.ZipFile(path, "a") as packed,
    ):
        packed.writestr(_member("facts.jsonl"), "x")


def _bomb(path: Path, _good: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed, packed.open(_member("versions.jsonl"), "w") as file:
        for _ in range(300):
            file.write(bytes(1 << 20))


def _long_line(path: Path, good: Path) -> None:
    _with(path, good, "versions.jsonl", b'{"a":"' + b"x" * (70 << 20) + b'"}\n')


def _not_utf8(path: Path, good: Path) -> None:
    _with(path, good, "versions.jsonl", b"\xff\xfe\n")


def _unknown_version(path: Path, good: Path) -> None:
    with zipfile.ZipFile(good) as packed:
        manifest = json.loads(packed.read("manifest.json"))
    manifest["format_version"] = 99
    _with(path, good, "manifest.json", json.dumps(manifest).encode())


def _missing(path: Path, good: Path) -> None:
    with zipfile.ZipFile(good) as packed, zipfile.ZipFile(path, "w") as out:
        for name in packed.namelist():
            if name != "transactions.jsonl":
                out.writestr(_member(name), packed.read(name))


def _half(path: Path, good: Path) -> None:
    path.write_bytes(good.read_bytes()[: good.stat().st_size // 2])


def _with(path: Path, good: Path, name: str, data: bytes) -> None:
    with zipfile.ZipFile(good) as packed, zipfile.ZipFile(path, "w") as out:
        for member in packed.namelist():
            out.writestr(_member(member), data if member == name else packed.read(member))


def _folder(path: Path, _good: Path) -> None:
    path.mkdir()
    (path / "manifest.json").symlink_to("/etc/passwd")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_climbing, "a snapshot has no folders"),
        (_absolute, "a snapshot has no folders"),
        (_linked, "is a link or a device"),
        (_twice, "It holds facts.jsonl twice"),
        (_bomb, "no snapshot does"),
        (_long_line, "versions.jsonl"),
        (_not_utf8, "versions.jsonl"),
        (_unknown_version, "99"),
        (_missing, "transactions.jsonl"),
        (_half, "bad.zip"),
        (_folder, "is a link or a device"),
    ],
)
def test_a_hostile_archive_is_one_sentence_and_writes_nothing(
    cli: CommandLine,
    taken: Path,
    tmp_path: Path,
    make: Callable[[Path, Path], None],
    said: str,
) -> None:
    good, bad = tmp_path / "good.zip", tmp_path / "bad.zip"
    cli.ok("snapshot", "a.db", str(good), *TENANT)
    make(bad, good)
    before = {path.name for path in tmp_path.rglob("*")}
    for words in (
        ("verify", str(bad)),
        ("import", "snapshot", str(bad), "new.db"),
        ("import", "snapshot", str(bad), "new.db", "--dry-run"),
        ("compare", str(bad), "a.db"),
    ):
        answer = cli(*words)
        if words[0] == "compare" and answer.status == 0:
            continue  # what is wrong lies where it does not look
        assert answer.status == 1, answer
        assert answer.err.count("\n") == 1
        assert words[0] == "compare" or said in answer.err
        assert len(answer.err) < 1000
    assert {path.name for path in tmp_path.rglob("*")} == before
    assert "new.db" not in cli.stores
