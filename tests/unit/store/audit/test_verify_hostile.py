"""Packages made to do harm: each is refused in a sentence, and nothing is written or run."""

from __future__ import annotations

import ast
import io
import json
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from store.audit import verify as module
from store.audit.format import Selection, Withhold
from store.audit.verify import NAMES, Broken, Package, Part, main, verify
from tests.unit.store.audit.verifying import (
    LEDGER,
    Files,
    demo_files,
    failed,
    files_of,
    manifest_bytes,
    put,
    random_store,
    resealed,
    verdict_on,
    zipped,
)

VERIFIER = Path(module.__file__)
DEBIAN = Path("/usr/bin/python3")


def refused(path: Path) -> str:
    """Verify something that must be refused; the sentence."""
    with pytest.raises(Broken) as caught:
        verify(path)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert sentence.isprintable()
    assert len(sentence) < 300
    return sentence


def outcome(path: Path) -> str:
    """Verify something that may be refused; what is wrong, or nothing."""
    try:
        verdict = verify(path)
    except Broken as error:
        return str(error)
    first = verdict.first_failure
    return "" if first is None else first.message


def drain(part: Part) -> None:
    """Read a file to its end."""
    while part.read():
        pass


def a_zip(path: Path, *members: tuple[zipfile.ZipInfo | str, bytes], files: Any = None) -> Path:
    """Write a zip with these members after those of a good snapshot."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in (demo_files() if files is None else files).items():
            packed.writestr(name, data)
        for member, data in members:
            packed.writestr(member, data)
    return path


# -- names and kinds ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "../facts.jsonl",
        "/etc/passwd",
        "a/facts.jsonl",
        "..",
        "C:evil",
        "..\\facts.jsonl",
        "folder/",
        "facts.jsonl\0.txt",
        "\x1b[2J/x",
    ],
)
def test_a_zip_with_names_that_lead_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    member = zipfile.ZipInfo("x")
    member.filename = name
    assert "no folders" in refused(a_zip(tmp_path / "x.zip", (member, b"")))


@pytest.mark.parametrize("mode", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFDIR])
def test_a_zip_with_links_or_devices_is_refused(tmp_path: Path, mode: int) -> None:
    member = zipfile.ZipInfo("facts.jsonl")
    member.external_attr = (mode | 0o777) << 16
    files = {n: d for n, d in demo_files().items() if n != "facts.jsonl"}
    assert "link or a device" in refused(
        a_zip(tmp_path / "x.zip", (member, b"/etc/passwd"), files=files)
    )


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_with_a_name_twice_is_refused(tmp_path: Path) -> None:
    assert "facts.jsonl twice" in refused(a_zip(tmp_path / "x.zip", ("facts.jsonl", b"{}")))


def test_links_and_devices_in_a_directory_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"secret")
    for number, make in enumerate(
        (
            lambda path: path.symlink_to(secret),
            lambda path: os.mkfifo(path),
            lambda path: path.mkdir(),
        )
    ):
        folder = put(demo_files(), tmp_path / str(number))
        (folder / "facts.csv").unlink()
        make(folder / "facts.csv")
        assert "facts.csv is a link or a device" in refused(folder)


def test_a_file_that_turns_into_a_link_is_not_followed(tmp_path: Path) -> None:
    folder = put(demo_files(), tmp_path / "x")
    with Package(folder) as package:
        (folder / "facts.csv").unlink()
        (folder / "facts.csv").symlink_to("/etc/passwd")
        with pytest.raises(Broken, match=r"facts\.csv cannot be read"):
            package.open("facts.csv")


def test_other_names_are_reported_and_never_opened(tmp_path: Path) -> None:
    folder = put(demo_files(), tmp_path / "x")
    os.mkfifo(folder / "pipe")
    (folder / "\x1b[31mred").write_bytes(b"")
    for number in range(50):
        (folder / f"more{number}").mkdir()
    verdict = verify(folder)
    assert "does not belong there" in failed(verdict)["names"]
    names = next(check for check in verdict.checks if check.name == "names")
    assert names.failures == module.MOST_STRANGERS
    assert "\x1b" not in str(verdict.as_dict())


@pytest.mark.parametrize("name", ["passwd", "../x", "manifest.json/../x", ""])
def test_a_package_opens_known_names_only(tmp_path: Path, name: str) -> None:
    (tmp_path / "passwd").write_bytes(b"x")
    folder = put(demo_files(), tmp_path / "x")
    (folder / "passwd").write_bytes(b"x")
    with Package(folder) as package, pytest.raises(Broken, match="is missing"):
        package.open(name)


def test_what_is_nowhere_or_nothing_is_refused(tmp_path: Path) -> None:
    assert "There is no snapshot at" in refused(tmp_path / "nowhere")
    assert "manifest.json is missing" in refused(tmp_path)
    (tmp_path / "text").write_text("hello")
    assert "not a zip" in refused(tmp_path / "text")
    os.mkfifo(tmp_path / "pipe")
    assert "neither a directory nor a zip" in refused(tmp_path / "pipe")
    with pytest.raises(Broken, match="embedded null"):
        verify("a\0b")


# -- sizes ----------------------------------------------------------------------------------------


def test_a_bomb_is_refused_by_what_it_declares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SMALLEST_BOMB", 1 << 20)
    files = {**demo_files(), "report.md": b"\0" * (500 << 20 >> 4)}
    path = zipped(files, tmp_path / "x.zip")
    monkeypatch.setattr(module, "GREATEST_RATIO", 50)
    assert "It would unpack to" in refused(path)
    monkeypatch.setattr(module, "LARGEST_PACKAGE", 1 << 20)
    assert "more than 1,048,576 bytes together" in refused(path)
    assert "more than 1,048,576 bytes together" in refused(put(files, tmp_path / "dir"))


def _patched(data: bytes, name: bytes, at: int, value: bytes) -> bytes:
    """Change a field of a member's entry in a zip's list of members."""
    changed = bytearray(data)
    position = -1
    while True:
        position = data.index(b"PK\x01\x02", position + 1)
        if data[position + 46 : position + 46 + len(name)] == name:
            changed[position + at : position + at + len(value)] = value
            return bytes(changed)


@pytest.mark.parametrize("size", [0, 10, 1 << 30])
def test_a_bomb_that_lies_about_its_size_is_stopped_while_it_is_read(
    tmp_path: Path, size: int
) -> None:
    path = zipped({**demo_files(), "report.md": b"\0" * (8 << 20)}, tmp_path / "x.zip")
    path.write_bytes(_patched(path.read_bytes(), b"report.md", 24, size.to_bytes(4, "little")))
    said = outcome(path)
    assert said.startswith("report.md") or "It would unpack to" in said


def test_a_list_of_members_without_end_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for number in range(20_000):
            packed.writestr(f"{number:060}", b"")
    assert "too long" in refused(path)


def test_a_zip64_that_lies_is_refused(tmp_path: Path) -> None:
    data = zipped(demo_files(), tmp_path / "x.zip").read_bytes()
    end = data.rindex(b"PK\x05\x06")
    huge = (1 << 62).to_bytes(8, "little")
    record = b"PK\x06\x06" + (44).to_bytes(8, "little") + bytes([45, 0, 45, 0]) + bytes(8)
    record += (13).to_bytes(8, "little") * 2 + huge + huge
    locator = b"PK\x06\x07" + bytes(4) + end.to_bytes(8, "little") + (1).to_bytes(4, "little")
    (tmp_path / "y.zip").write_bytes(data[:end] + record + locator + data[end:])
    refused(tmp_path / "y.zip")


def test_every_cut_and_many_flipped_bits_of_a_zip_end_in_a_sentence(tmp_path: Path) -> None:
    small = {name: data[:2000] for name, data in demo_files().items()}
    data = zipped(small, tmp_path / "x.zip").read_bytes()
    path = tmp_path / "y.zip"
    for length in range(0, len(data), 1999):
        path.write_bytes(data[:length])
        refused(path)
    start = data.index(b"PK\x01\x02")
    for at in range(start, len(data), 5):
        changed = bytearray(data)
        changed[at] ^= 1 << (at % 8)
        path.write_bytes(changed)
        said = outcome(path)
        assert said == "" or said.endswith(".")


@pytest.mark.parametrize("at", [8, 10])
def test_encrypted_and_strangely_compressed_members_are_refused(tmp_path: Path, at: int) -> None:
    path = zipped(demo_files(), tmp_path / "x.zip")
    value = b"\x01\x00" if at == 8 else b"\x0c\x00"
    path.write_bytes(_patched(path.read_bytes(), b"facts.csv", at, value))
    assert "encrypted" in refused(path) if at == 8 else "in a way" in refused(path)


def test_a_file_that_grows_or_shrinks_while_it_is_read_is_noticed(tmp_path: Path) -> None:
    folder = put(demo_files(), tmp_path / "x")
    with Package(folder) as package:
        with package.open("facts.csv") as part:
            part.read(10)
            with (folder / "facts.csv").open("ab") as file:
                file.write(b"more")
            with pytest.raises(Broken, match="grew while it was read"):
                drain(part)
        with package.open("facts.jsonl") as part:
            part.read(10)
            os.truncate(folder / "facts.jsonl", 100)
            with pytest.raises(Broken, match="before its end"):
                drain(part)
        os.truncate(folder / "report.md", 5)
        with pytest.raises(Broken, match=r"report\.md was changed while it was read"):
            package.open("report.md")


def test_a_line_without_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST_LINE", 1 << 16)
    files = demo_files()
    for name in ("versions.jsonl", "facts.jsonl"):
        changed = {**files, name: b'{"a":"' + b"x" * (1 << 20) + b'"}\n' + files[name]}
        wrong = failed(verdict_on(resealed(changed)))
        assert ("files" if name == "versions.jsonl" else "facts") in wrong
        if name == "versions.jsonl":
            assert "a line of more than 65,536 bytes" in wrong["files"]


def test_a_last_line_without_its_end_is_named() -> None:
    files = demo_files()
    changed = {**files, "versions.jsonl": files["versions.jsonl"][:-1]}
    assert "ends within a line" in failed(verdict_on(resealed(changed)))["files"]


# -- manifests ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "not the manifest"),
        (b"\xff", "not UTF-8"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b'{"format":"memory-workbench-snapshot","format":"x"}', "there twice"),
        (b'{"format":"memory-workbench-snapshot","a":NaN}', "not JSON"),
        (b'{"format":"memory-workbench-snapshot","format_version":2,"digest_rule":1}', "form 2"),
        (b'{"format":"memory-workbench-snapshot","format_version":1,"digest_rule":1}', "missing"),
        (b"[" * 200_000, "not JSON"),
        (b" " * (2 << 20), "more than 1,048,576 bytes"),
        (b'{"a":"\\ud800"}', "not JSON"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_manifest_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    folder = put({**demo_files(), "manifest.json": data}, tmp_path / "x")
    assert said in refused(folder)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("as_of", "valid_at"), "yesterday"),
        (("as_of", "valid_at"), "2026-01-01T00:00:00.5Z"),
        (("arguments", "withhold"), "much"),
        (("arguments", "window"), ["2026-01-01T00:00:00Z"]),
        (("arguments", "window"), [1, 2]),
        (("files", "facts.csv"), 5),
        (("files", "facts.csv", "bytes"), "5"),
        (("files", "../x"), {"bytes": 1, "sha256": "0"}),
        (("head",), None),
        (("head", "number"), 10**30),
        (("head", "number"), True),
        (("counts",), {"facts": []}),
        (("counts", "keys"), 1.5),
        (("tenant_id",), "\ud800"),
        (("schema_versions",), {"x": [[]]}),
        (("extra",), 1),
    ],
    ids=str,
)
def test_a_manifest_that_says_something_else_is_refused(
    tmp_path: Path, path: tuple[str, ...], value: Any
) -> None:
    manifest = json.loads(demo_files()["manifest.json"])
    at = manifest
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    try:
        data = manifest_bytes(manifest)
    except Exception:  # what canonical JSON refuses to write
        data = json.dumps(manifest, indent=2, sort_keys=True).encode()
    folder = put({**demo_files(), "manifest.json": data}, tmp_path / "x")
    assert outcome(folder).endswith(".")


@pytest.mark.parametrize("name", LEDGER)
@pytest.mark.parametrize(
    "value", [10**30, -1, True, 1.5, "", [], {}, None, "\x1b[2J", [1, 2, 3], 1e300]
)
def test_no_member_of_any_kind_stops_the_verification(name: str, value: Any) -> None:
    """Each line has another member that says something else."""
    files = random_files()
    changed = []
    for number, line in enumerate(files[name].splitlines() * 8):
        it = json.loads(line)
        events = it.get("events")
        event = events[0] if events else {}
        row = event.get("claim", {}).get("row", {})
        parts = [it, it.get("content"), it.get("over"), it.get("standing"), event, row]
        part = parts[number % len(parts)]
        part = part if type(part) is dict and part else it
        members = [*part, "over", "commitments", "until", "tx_to", "span", "reverts", "commitment"]
        part[members[number // len(parts) % len(members)]] = value
        text = json.dumps(it, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        changed.append(text.encode() + b"\n")
    verdict = verdict_on(resealed({**files, name: b"".join(changed)}))
    assert failed(verdict)
    assert "\x1b" not in str(verdict.as_dict())


@cache
def random_files() -> Files:
    return files_of(random_store(5, 40))


# -- the file by itself ---------------------------------------------------------------------------


def test_it_is_written_in_python_3_9_and_needs_nothing_but_the_standard_library() -> None:
    tree = ast.parse(VERIFIER.read_text(), feature_version=(3, 9))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported - set(sys.stdlib_module_names) == {"cryptography"}


@pytest.mark.parametrize("form", ["dir", "zip"])
def test_debians_python_runs_it_from_inside_a_snapshot(tmp_path: Path, form: str) -> None:
    if not DEBIAN.exists():
        pytest.skip("there is no /usr/bin/python3")
    files = demo_files()
    make: Callable[[Files, Path], Path] = put if form == "dir" else zipped
    path = make(files, tmp_path / "snapshot")
    head = json.loads(files["manifest.json"])["head"]
    outside = f"{head['number']}:{head['digest']}"
    script = path / "verify.py" if form == "dir" else VERIFIER
    place = [] if form == "dir" else [str(path)]
    command = [str(DEBIAN), "-I", "-S", str(script), *place, "--head", outside]
    before = {it: it.stat().st_mtime_ns for it in tmp_path.rglob("*")}
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.endswith("Nothing is wrong.\n")
    assert "WRONG" not in ran.stdout
    wrong = subprocess.run(
        [*command[:-1], f"{head['number']}:{'0' * 64}"], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 1
    assert "made anew" in wrong.stdout
    assert {it: it.stat().st_mtime_ns for it in tmp_path.rglob("*")} == before


def test_nothing_in_the_snapshot_is_imported(tmp_path: Path) -> None:
    folder = put(demo_files(), tmp_path / "snapshot")
    (folder / "verify.py").write_bytes(VERIFIER.read_bytes())
    for name in ("json", "hashlib", "zipfile", "cryptography"):
        (folder / f"{name}.py").write_text(f"print('{name} was run')")
    ran = subprocess.run(
        [sys.executable, "verify.py"], capture_output=True, text=True, cwd=folder, check=False
    )
    assert "was run" not in ran.stdout
    assert "does not belong there" in ran.stdout
    assert ran.returncode == 1


# -- the command ----------------------------------------------------------------------------------


def told(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str]:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    return main(list(arguments)), out.getvalue()


def test_the_command_says_each_check_and_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(demo_files(), tmp_path / "x")
    status, text = told(monkeypatch, str(path))
    assert status == 0
    assert "ok    facts.jsonl says what follows from the ledger: " in text
    (path / "facts.jsonl").write_bytes(b"")
    status, text = told(monkeypatch, str(path))
    assert status == 1
    assert "WRONG facts.jsonl says what follows" in text
    assert text.endswith("Something is wrong: see above.\n")
    status, text = told(monkeypatch, str(tmp_path / "nowhere"))
    assert (status, text[:28]) == (1, "WRONG There is no snapshot a")


def test_the_command_prints_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put({**demo_files(), "\x1b[2J.txt": b""}, tmp_path / "x")
    status, text = told(monkeypatch, str(path), "--json")
    verdict = json.loads(text)
    assert status == 1
    assert verdict["is_good"] is False
    names = next(check for check in verdict["checks"] if check["name"] == "names")
    assert names["state"] == "failed"
    assert "\x1b" not in text
    status, text = told(monkeypatch, str(tmp_path / "nowhere"), "--json")
    assert json.loads(text)["is_good"] is False
    assert status == 1


@pytest.mark.parametrize("wrong", [["--head", "x"], ["--manifest", "x"], ["--what"], ["a", "b"]])
def test_a_wrong_call_ends_with_2(tmp_path: Path, wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*wrong] if wrong == ["a", "b"] else [str(tmp_path), *wrong])
    assert caught.value.code == 2


def test_the_names_are_those_of_the_form() -> None:
    from store.audit import format as form
    from store.audit.tables import COLUMNS

    assert set(NAMES) == set(form.NAMES)
    assert tuple(module.COLUMNS) == COLUMNS
    assert module.FORMAT == form.FORMAT
    assert module.FORMAT_VERSION == form.FORMAT_VERSION


# -- bytes that belong to nothing -----------------------------------------------------------------


def _with_comment(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as packed:
        packed.comment = b"Approved by the auditors."


def _with_hidden_member(path: Path) -> None:
    """Put a member between the files and their list, which does not list it."""
    data = path.read_bytes()
    with zipfile.ZipFile(path) as packed:
        begins = packed.start_dir
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as hidden:
        hidden.writestr("report.html", "<h1>All is well</h1>")
        hidden_bytes = other.getvalue()[: hidden.start_dir]
    end = bytearray(data[begins:])
    at = end.rindex(b"PK\x05\x06") + 16
    end[at : at + 4] = (begins + len(hidden_bytes)).to_bytes(4, "little")
    path.write_bytes(data[:begins] + hidden_bytes + bytes(end))


def _with_prefix(path: Path) -> None:
    path.write_bytes(b"#!/bin/sh\n" + path.read_bytes())


def _with_tail(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"%PDF-1.7")


@pytest.mark.parametrize("change", [_with_comment, _with_hidden_member, _with_prefix, _with_tail])
def test_a_zip_with_bytes_that_belong_to_no_file_is_refused(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    path = zipped(demo_files(), tmp_path / "a.zip")
    assert outcome(path) == ""
    change(path)
    assert outcome(path).endswith(".")


def test_a_zip_that_was_written_in_one_go_is_read(tmp_path: Path) -> None:
    class Stream(io.BytesIO):
        def seekable(self) -> bool:
            return False

    stream = Stream()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in demo_files().items():
            packed.writestr(name, data)
    path = tmp_path / "streamed.zip"
    path.write_bytes(stream.getvalue())
    assert outcome(path) == ""


# -- lines that no store writes -------------------------------------------------------------------


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("versions.jsonl", ("content", "confidence"), 10**400),
        ("versions.jsonl", ("content", "confidence"), -1),
        ("versions.jsonl", ("content", "value"), _nested(600)),
        ("versions.jsonl", ("content", "basis"), "guessed"),
        ("versions.jsonl", ("content", "precision"), "century"),
        ("versions.jsonl", ("kind",), "rumour"),
        ("versions.jsonl", ("valid_from",), 10**18),
        ("versions.jsonl", ("commitments",), {"key": "0" * 64}),
        ("evidence.jsonl", ("span",), ["a"]),
        ("evidence.jsonl", ("span",), [2, 1]),
        ("episodes.jsonl", ("kind",), "dream"),
        ("episodes.jsonl", ("metadata",), {"a": _nested(600)}),
        ("conflicts.jsonl", ("contested_to",), -(10**16)),
        ("conflicts.jsonl", ("standing", "content", "confidence"), 10**400),
        ("attributes.jsonl", ("cardinality",), "several"),
        ("transactions.jsonl", ("reverts",), 1),
    ],
    ids=lambda it: str(it)[:24],
)
def test_a_member_that_no_store_writes_makes_its_line_unusable(
    name: str, place: tuple[str, ...], value: Any
) -> None:
    files = random_files()
    lines = files[name].splitlines(keepends=True)
    for number in range(2 if name == "evidence.jsonl" else 1):
        it = part = json.loads(lines[number])
        for member in place[:-1]:
            part = part[member]
        part[place[-1]] = value
        text = json.dumps(it, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        lines[number] = text.encode() + b"\n"
    wrong = failed(verdict_on(resealed({**files, name: b"".join(lines)})))
    assert wrong["lines"].startswith(f"{name}, line 1")


def test_a_time_that_is_stated_is_refused_where_values_are_withheld() -> None:
    files = files_of(random_store(1), Selection(withhold=Withhold.VALUES))
    lines = files["versions.jsonl"].splitlines(keepends=True)
    it = json.loads(lines[0])
    it["content"]["stated_as"] = "as the boss says"
    lines[0] = module.canonical(it).encode() + b"\n"
    wrong = failed(verdict_on(resealed({**files, "versions.jsonl": b"".join(lines)})))
    assert "a time is stated where none may be" in wrong["lines"]


def test_a_file_of_nothing_but_unusable_lines_is_given_up(tmp_path: Path) -> None:
    files = demo_files()
    forged = resealed({**files, "evidence.jsonl": b"{}\n" * 50_000})
    verdict = verify(put(forged, tmp_path / "x"))
    lines = next(check for check in verdict.checks if check.name == "lines")
    assert module.MOST_UNUSABLE < lines.failures < 20_000
    assert "files" not in failed(verdict)


@pytest.mark.parametrize("files", [{}, {"verify.py": None}])
def test_a_manifest_without_its_files_is_told(files: dict[str, Any]) -> None:
    manifest = json.loads(demo_files()["manifest.json"])
    manifest["files"] = {n: f for n, f in manifest["files"].items() if files and n not in files}
    wrong = failed(verdict_on({**demo_files(), "manifest.json": manifest_bytes(manifest)}))
    assert "names" in wrong


@pytest.mark.parametrize("change", [{"slot_secret": "zz"}, {"counts": {"a": _nested(600)}}])
def test_a_manifest_that_no_snapshot_has_is_refused(tmp_path: Path, change: Any) -> None:
    manifest = {**json.loads(demo_files()["manifest.json"]), **change}
    data = json.dumps(manifest, indent=2, sort_keys=True).encode()
    assert "manifest.json" in refused(put({**demo_files(), "manifest.json": data}, tmp_path / "x"))
