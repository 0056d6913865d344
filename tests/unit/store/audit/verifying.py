"""Snapshots as dictionaries of bytes, to be tampered with and verified."""

from __future__ import annotations

import json
import random
import zipfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from store import Invalid, NotFound, Refused, Scope, Stale, open_store
from store.audit.format import Form, Selection
from store.audit.snapshot import take_snapshot
from store.audit.verify import State, Verdict, verify
from store.canonical import canonical
from store.contract import Store
from store.model import Attribute, Cardinality
from store.write import Register
from tests.conformance.played import Played
from tests.conformance.scene import LATER, Clock, Desk, Entropy, day, delta
from tests.sessions import standing_demo

Files = dict[str, bytes]

ACME = Scope("acme")
LEDGER = (
    "versions.jsonl",
    "episodes.jsonl",
    "evidence.jsonl",
    "conflicts.jsonl",
    "attributes.jsonl",
    "transactions.jsonl",
)
KINDS = (
    ["change"] * 8
    + ["settle"] * 4
    + ["revert"] * 3
    + ["correct", "correct", "end", "retract", "confirm", "undo and redo"]
)


def random_store(seed: int, steps: int = 14) -> Store:
    """Make a store with a random history on one subject, and a little beside it."""
    source = random.Random(seed)
    clock = Clock(day(LATER))
    store = open_store("memory:", create=True, clock=clock, entropy=Entropy(str(seed)))
    desk = Desk(store, clock)
    player = Played(desk)
    desk.write(Register(attribute=Attribute(name="tag", cardinality=Cardinality.MULTI)))
    for _ in range(steps):
        write = player._write(source.choice(KINDS), *(source.randint(0, 30) for _ in range(4)))
        try:
            if write is not None:
                desk.write(write)
        except (Refused, Stale, NotFound, Invalid):
            continue
    desk.say({"b": [1e-7, 0.5, 1e21, True, None], "a": "\u2028ñ\U0001f600"}, 3, subject="Ángela")
    desk.say("=1+1", 2, 9, subject="mira", attribute="tag")
    desk.say('-a,"b"\n', 2, subject="mira", attribute="tag", owner="alice")
    entries = [
        delta(f"v{n}", n, n + 3 if n % 2 else None, episode="e1", attribute="mood")
        for n in range(source.randint(1, 6))
    ]
    store.load(ACME, entries)
    return store


EVERYTHING = Selection()


def files_of(store: Store, selection: Selection = EVERYTHING, **more: Any) -> Files:
    """Take a snapshot and return its files."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        take_snapshot(store, ACME, out, selection, form=Form.DIRECTORY, **more)
        return {path.name: path.read_bytes() for path in out.iterdir()}


@cache
def _demo_files(**_more: Any) -> Files:
    return files_of(standing_demo())


def demo_files() -> Files:
    """Give the files of a snapshot of the demo store."""
    return dict(_demo_files())


def put(files: Files, folder: Path) -> Path:
    """Write files into a folder."""
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def zipped(files: Files, path: Path) -> Path:
    """Write files into a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return path


def verdict_on(files: Files, **asked: Any) -> Verdict:
    """Verify files from a directory."""
    with TemporaryDirectory() as folder:
        return verify(put(files, Path(folder) / "snapshot"), **asked)


def failed(verdict: Verdict) -> dict[str, str]:
    """Give the names of the checks that failed, with their messages."""
    return {c.name: f"{c.place}: {c.message}" for c in verdict.checks if c.state is State.FAILED}


def resealed(files: Files, **changes: Any) -> Files:
    """Give the manifest the digests of the files as they are, and its own, as a forger would."""
    manifest = json.loads(files["manifest.json"])
    manifest.update(changes)
    for name, said in manifest["files"].items():
        data = files.get(name, b"")
        said["bytes"], said["sha256"] = len(data), sha256(data).hexdigest()
        if "lines" in said:
            said["lines"] = data.count(b"\n")
    return {**files, "manifest.json": manifest_bytes(manifest)}


def manifest_bytes(manifest: dict[str, Any]) -> bytes:
    """Write a manifest with its digest."""
    said = {name: value for name, value in manifest.items() if name != "digest"}
    manifest = {**manifest, "digest": sha256(canonical(said).encode()).hexdigest()}
    text = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True)
    return (text + "\n").encode()


def lines_of(files: Files, name: str) -> list[bytes]:
    return files[name].splitlines(keepends=True)
