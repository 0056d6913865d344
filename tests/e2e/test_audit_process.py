"""Audit snapshots by real processes: taken, proved by a stranger's Python, tampered, taken back."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.test_cli_process import Done, Shell, wait_until

STRANGER = Path("/usr/bin/python3")
"""A Python that is none of ours: the system's, with nothing of the product in it."""
TENANT = ("--tenant", "acme")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo store and snapshots of it, as a directory and as a zip."""
    folder = tmp_path_factory.mktemp("demo")
    shell = Shell(folder)
    assert shell("demo", ".", "--no-open").status == 0
    for out in ("acme", "acme.zip"):
        done = shell("snapshot", "demo.db", out, *TENANT, "--json")
        assert done.status == 0, done
        (folder / f"{out}.json").write_text(done.out)
    return folder


@pytest.fixture
def shell(demo: Path, tmp_path: Path) -> Shell:
    """A shell in a folder with copies of the demo store and of its snapshots."""
    folder = tmp_path / "here"
    shutil.copytree(demo, folder, ignore=shutil.ignore_patterns("home"))
    return Shell(folder)


def stranger(shell: Shell, snapshot: str, *words: str) -> Done:
    """Verify with the demo's verifier on the system's own Python, far from our code."""
    if not STRANGER.exists():
        pytest.skip("needs a Python of the system's own")
    program = shell.folder / "home" / "their-verify.py"
    with zipfile.ZipFile(shell.folder / "acme.zip") as packed:
        program.parent.mkdir(exist_ok=True)
        program.write_bytes(packed.read("verify.py"))
    done = subprocess.run(
        [STRANGER, "-I", program, snapshot, *words],
        cwd=shell.folder,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        capture_output=True,
        check=False,
        timeout=110,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def said(shell: Shell, snapshot: str) -> dict[str, object]:
    document: dict[str, object] = json.loads((shell.folder / f"{snapshot}.json").read_text())
    return document


# -- taken and proved -----------------------------------------------------------------------------


@pytest.mark.parametrize("snapshot", ["acme", "acme.zip"])
def test_a_snapshot_is_proved_by_us_and_by_a_stranger(shell: Shell, snapshot: str) -> None:
    kept = said(shell, snapshot)
    outside = ("--head", str(kept["head"]), "--manifest", str(kept["manifest"]))
    done = shell("verify", snapshot, *outside, "--against", "demo.db")
    assert (done.status, done.err) == (0, ""), done
    assert done.out.endswith("Nothing is wrong.\n")
    document = shell("verify", snapshot, *outside, "--json").document
    assert document["is_good"]
    assert document["head"] == kept["head"]
    theirs = stranger(shell, snapshot, *outside)
    assert theirs.status == 0, theirs


def test_the_same_state_and_arguments_give_the_same_bytes(shell: Shell) -> None:
    assert shell("snapshot", "demo.db", "again.zip", *TENANT).status == 0
    again = (shell.folder / "again.zip").read_bytes()
    assert again == (shell.folder / "acme.zip").read_bytes()
    number = str(said(shell, "acme")["head"]).partition(":")[0]
    shell(
        "episode", "demo.db", *TENANT, "--id", "later", "--kind", "message", "--occurred-at",
        "2027", "--content", "More.",
    )  # fmt: skip
    done = shell("snapshot", "demo.db", "as-of.zip", *TENANT, "--transaction", number)
    assert done.status == 0, done
    assert (shell.folder / "as-of.zip").read_bytes() == again
    assert shell("verify", "acme.zip", "--against", "demo.db").status == 0


def test_the_files_are_the_owners_only(shell: Shell) -> None:
    if os.name != "posix":
        pytest.skip("needs permissions as POSIX has them")
    shell("snapshot", "demo.db", "mine.zip", *TENANT)
    assert stat.S_IMODE((shell.folder / "mine.zip").stat().st_mode) & 0o077 == 0


def test_the_head_is_one_line_that_check_and_verify_take(shell: Shell) -> None:
    done = shell("head", "demo.db", *TENANT)
    assert done.status == 0
    assert done.out.count("\n") == 1
    tenant, head, entries, *_when = done.out.split("  ")
    assert tenant == "acme"
    assert entries.endswith("entries")
    assert shell("check", "demo.db", *TENANT, "--head", head).status == 0
    assert shell("verify", "acme.zip", "--head", head).status == 0
    assert shell("head", "demo.db", *TENANT, "--json").document["head"] == head
    early = shell("head", "demo.db", *TENANT, "--known-at", "1970", "--json")
    assert (early.status, early.out) == (1, "")


def test_a_filtered_and_a_withheld_one_are_proved_too(shell: Shell) -> None:
    for name, words in (
        ("mira", ("--subject", "mira", "--window", "2026-01..2026-09", "--lang", "es")),
        ("values", ("--withhold", "values", "--valid-at", "2026-03-01")),
    ):
        assert shell("snapshot", "demo.db", name, *TENANT, *words).status == 0
        assert shell("verify", name).status == 0
        assert stranger(shell, name).status == 0
    facts = (shell.folder / "mira" / "facts.jsonl").read_text().splitlines()
    assert {json.loads(line)["subject"] for line in facts} == {"mira"}


# -- tampered -------------------------------------------------------------------------------------


def _edited(folder: Path) -> None:
    path = folder / "versions.jsonl"
    text = path.read_text()
    assert '"value":"' in text
    path.write_text(text.replace('"value":"', '"value":"not ', 1))


def _added(folder: Path) -> None:
    (folder / "notes.txt").write_text("x")


def _swapped(folder: Path) -> None:
    shutil.copy(folder / "report.md", folder / "report.html")


def _gone(folder: Path) -> None:
    (folder / "evidence.jsonl").unlink()


@pytest.mark.parametrize(
    ("tamper", "named"),
    [
        (_edited, "versions.jsonl"),
        (_added, "notes.txt"),
        (_swapped, "report.html"),
        (_gone, "evidence.jsonl"),
    ],
)
def test_a_tampered_one_is_named_and_not_taken_back(
    shell: Shell, tamper: Callable[[Path], None], named: str
) -> None:
    tamper(shell.folder / "acme")
    done = shell("verify", "acme")
    assert done.status == 1
    assert done.err.count("\n") == 1
    assert named in done.err
    assert not shell("verify", "acme", "--json").document["is_good"]
    theirs = stranger(shell, "acme")
    assert theirs.status == 1
    assert named in theirs.out + theirs.err
    back = shell("import", "snapshot", "acme", "new.db")
    assert (back.status, back.out) == (1, "")
    assert back.err.count("\n") == 1
    assert not (shell.folder / "new.db").exists()


def test_an_outside_head_and_manifest_that_differ_are_noticed(shell: Shell) -> None:
    head = str(said(shell, "acme")["head"])
    number = int(head.partition(":")[0])
    for words in (
        ("--head", f"{number}:{'0' * 64}"),
        ("--head", f"{number + 1}:{'0' * 64}"),
        ("--manifest", "0" * 64),
    ):
        done = shell("verify", "acme.zip", *words)
        assert done.status == 1, done
        assert done.err.count("\n") == 1
        assert stranger(shell, "acme.zip", *words).status == 1
    for words in (("--head", "12"), ("--manifest", "abc"), ("--manifest", "g" * 64)):
        done = shell("verify", "acme.zip", *words)
        assert (done.status, done.out) == (2, "")
    done = shell("demo", "other", "--no-open")
    assert shell("verify", "acme.zip", "--against", "other/demo.db").status == 1


# -- compared -------------------------------------------------------------------------------------


def test_a_snapshot_is_compared_with_the_store_that_went_on(shell: Shell) -> None:
    same = shell("compare", "acme", "acme.zip", "--json").document
    assert same["relation"] == "same"
    assert same["differences"] == []
    shell(
        "episode", "demo.db", *TENANT, "--id", "later", "--kind", "message", "--occurred-at",
        "2027-01-01", "--content", "Blue.",
    )  # fmt: skip
    write = shell(
        "write", "demo.db", *TENANT, "--subject", "mira", "--attribute", "favourite_colour",
        "--value", '"blue"', "--valid-from", "2027-01-01", "--episode", "later", "--json",
    )  # fmt: skip
    assert write.status == 0, write
    found = shell("compare", "acme.zip", "demo.db", "--json").document
    assert found["relation"] == "one_is_prefix"
    assert [d["memory_id"] for d in found["differences"]] == [write.document["memory_id"]]
    text = shell("compare", "acme.zip", "demo.db")
    assert (text.status, text.err) == (0, "")
    assert "A is a prefix of B" in text.out
    assert "+ added" in text.out
    other = shell("compare", "acme.zip", "demo.db", "--tenant", "globex")
    assert "different tenants" in other.out or other.status == 1
    both = shell("compare", "demo.db", "demo.db")
    assert (both.status, both.out) == (2, "")


# -- taken back -----------------------------------------------------------------------------------


def test_it_comes_back_whole_and_to_the_byte(shell: Shell) -> None:
    trial = shell("import", "snapshot", "acme.zip", "new.db", "--dry-run", "--json")
    assert trial.document["whole"]
    assert not (shell.folder / "new.db").exists()
    done = shell("import", "snapshot", "acme.zip", "new.db", "--json")
    assert done.status == 0, done
    assert done.document["whole"]
    assert done.document["head"] == said(shell, "acme")["head"]
    assert shell("check", "new.db", "--full", *TENANT, "--head", done.document["head"]).status == 0
    assert shell("snapshot", "new.db", "again.zip", *TENANT).status == 0
    again = (shell.folder / "again.zip").read_bytes()
    assert again == (shell.folder / "acme.zip").read_bytes()


def test_into_a_record_it_comes_as_facts_once(shell: Shell) -> None:
    shell(
        "episode", "new.db", *TENANT, "--id", "mine", "--kind", "message", "--occurred-at",
        "2026", "--content", "Mine.",
    )  # fmt: skip
    done = shell("import", "snapshot", "acme.zip", "new.db", "--json")
    assert done.status == 0, done
    report = done.document
    assert not report["whole"]
    assert report["open_conflicts_count"] == len(report["open_conflicts"]) > 0
    assert report["written"] > 0
    again = shell("import", "snapshot", "acme.zip", "new.db", "--json").document
    assert (again["written"], again["episodes"], again["corroborated"]) == (0, 0, 0)
    assert shell("check", "new.db", "--full").status == 0
    reads = ("--subject", "mira", "--valid-at", "2026-07-01", "--json", *TENANT)
    mine = [(f["attribute"], f["value"]) for f in shell("read", "demo.db", *reads).lines]
    theirs = [(f["attribute"], f["value"]) for f in shell("read", "new.db", *reads).lines]
    assert sorted(map(str, theirs)) == sorted(map(str, mine))
    assert mine


def test_a_filtered_one_comes_as_facts_and_a_withheld_one_not(shell: Shell) -> None:
    shell("snapshot", "demo.db", "mira.zip", *TENANT, "--subject", "mira")
    done = shell("import", "snapshot", "mira.zip", "new.db", "--tenant", "globex", "--json")
    assert done.status == 0, done
    assert "filtered" in done.document["why_facts"]
    subjects = {f["subject"] for f in shell("read", "new.db", "--tenant", "globex", "--json").lines}
    assert subjects == {"mira"}
    shell("snapshot", "demo.db", "values.zip", *TENANT, "--withhold", "values")
    refused = shell("import", "snapshot", "values.zip", "other.db")
    assert (refused.status, refused.out) == (1, "")
    assert "withheld" in refused.err
    assert refused.err.count("\n") == 1
    wrong = shell("import", "snapshot", "mira.zip", "new.db", "--many", "*")
    assert (wrong.status, wrong.out) == (2, "")


# -- signed ---------------------------------------------------------------------------------------


def test_a_signature_is_made_and_checked(shell: Shell) -> None:
    pytest.importorskip("cryptography")
    made = shell("key", "new", "my.key", "--json")
    assert made.status == 0, made
    public = ("--key", made.document["public"])
    done = shell("snapshot", "demo.db", "signed.zip", *TENANT, "--sign", "my.key")
    assert done.status == 0, done
    assert stranger(shell, "signed.zip").status == 0
    line = shell("head", "demo.db", *TENANT, "--sign", "my.key")
    assert (line.status, line.out.count("\n")) == (0, 1)
    assert shell("verify", "signed.zip", "--head", line.out, *public).status == 0
    assert shell("verify", "acme.zip", *public).status == 1, "it is not signed"


# -- hostile and interrupted ----------------------------------------------------------------------


def test_a_hostile_archive_is_one_sentence_and_writes_nothing(shell: Shell) -> None:
    with zipfile.ZipFile(shell.folder / "bad.zip", "w") as packed:
        packed.writestr("../outside", "x")
    before = {path.name for path in shell.folder.iterdir()} - {"home"}
    for words in (("verify", "bad.zip"), ("import", "snapshot", "bad.zip", "new.db")):
        done = shell(*words)
        assert (done.status, done.out) == (1, "")
        assert done.err.count("\n") == 1
    assert stranger(shell, "bad.zip").status == 1
    assert {path.name for path in shell.folder.iterdir()} - {"home"} == before
    assert not (shell.folder.parent / "outside").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_snapshot_leaves_nothing(shell: Shell, number: signal.Signals) -> None:
    table = shell.folder / "t.csv"
    with table.open("w", encoding="utf-8") as file:
        file.writelines(f"s{n},a,{n},2026\n" for n in range(30_000))
    mapping = ("--map", "subject=0,attribute=1,value=2,valid_from=3")
    assert shell("import", "table", "t.csv", "m.db", *TENANT, *mapping).status == 0
    before = {path.name for path in shell.folder.iterdir()}
    process = shell.start("snapshot", "m.db", "m.zip", *TENANT)
    wait_until(lambda: any(shell.folder.glob(".*.partial/files/*.jsonl")), process)
    process.send_signal(number)
    out, err = process.communicate(timeout=100)
    assert process.returncode == 128 + number
    assert out == b""
    assert b"Traceback" not in err
    assert err.decode().splitlines()[-1] == "memory-workbench: The work was stopped on request."
    assert {path.name for path in shell.folder.iterdir()} - {"home"} == before - {"home"}
    assert shell("check", "m.db", "--full").status == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_return_leaves_no_store_that_was_not_there(
    shell: Shell, number: signal.Signals
) -> None:
    table = shell.folder / "t.csv"
    with table.open("w", encoding="utf-8") as file:
        file.writelines(f"s{n},a,{n},2026\n" for n in range(20_000))
    mapping = ("--map", "subject=0,attribute=1,value=2,valid_from=3")
    assert shell("import", "table", "t.csv", "m.db", *TENANT, *mapping).status == 0
    assert shell("snapshot", "m.db", "m.zip", *TENANT).status == 0
    before = {path.name for path in shell.folder.iterdir()}
    process = shell.start("import", "snapshot", "m.zip", "new.db")
    wait_until(lambda: (shell.folder / "new.db").exists(), process)
    process.send_signal(number)
    out, err = process.communicate(timeout=100)
    assert process.returncode == 128 + number
    assert out == b""
    assert b"Made the store" not in err
    assert {path.name for path in shell.folder.iterdir()} == before
