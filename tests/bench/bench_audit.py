"""What an audit snapshot costs, as ratios to the least that could be done with the same rows.

    bash packaging/bench.sh audit [--facts 1000000] [--folder DIR] [--profile]

Two records of so many facts, loaded by `Store.load`: *history*, of ten versions a key and ten facts
an episode, and *wide*, of one version a key and an episode for each fact, so that all of it is in
force. Each step runs in a process of its own, which says how long it took and how much memory it
had at most. *Plain* is a SELECT with the names joined and `json.dumps` of each row, into one file
for each table, by the same driver; and for verifying, hashing the snapshot's own files, with
`json.loads` of each line of a .jsonl and `csv.reader` over facts.csv. Steps that are compared run
in turn, and the medians are told.
"""

from __future__ import annotations

import argparse
import cProfile
import csv
import hashlib
import json
import pstats
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from store.audit import Form, count_snapshot, open_history, take_snapshot  # noqa: E402
from store.audit.verify import verify  # noqa: E402
from store.backends.sqlite.library import driver  # noqa: E402
from store.contract import Scope  # noqa: E402
from store.model import EpisodeDraft, EpisodeKind, MemoryDelta  # noqa: E402
from store.open import open_store  # noqa: E402

SCOPE = Scope("acme")
DAY0 = datetime(2020, 1, 1, tzinfo=UTC)
BATCH = 50_000
SHAPES = {"history": (10, 10), "wide": (1, 1)}
"""How many versions a key has, and how many facts an episode."""
GOALS = {
    "snapshot / plain dump": "≤ 3",
    "verify / plain hashing and parsing": "≤ 3",
    "snapshot, peak memory": "< 300 MB",
    "verify, peak memory": "< 300 MB",
}

Table = dict[str, dict[str, str]]


def main() -> None:
    """Measure and print."""
    arguments = _arguments()
    if arguments.step:
        _run_step(arguments)
        return
    print(f"SQLite {driver.sqlite_version} by {driver.__name__}, Python {sys.version.split()[0]}")
    table: Table = {}
    for shape in arguments.shapes.split(","):
        with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="bench-audit-") as name:
            _measure(Path(name), shape, arguments, table)
    _print(table)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--facts", type=int, default=1_000_000)
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--rounds", type=int, default=3, help="of the steps that are compared")
    parser.add_argument("--folder", default=None, help="where to write")
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    parser.add_argument("--no-restore", action="store_true", help="without restoring")
    parser.add_argument("--step", default="", help=argparse.SUPPRESS)
    parser.add_argument("--place", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def _print(table: Table) -> None:
    shapes = list(dict.fromkeys(shape for row in table.values() for shape in row))
    width = max(map(len, table))
    print(f"\n{'':{width}}  {''.join(f'{shape:>14}' for shape in shapes)}   goal")
    for name, row in table.items():
        cells = "".join(f"{row.get(shape, ''):>14}" for shape in shapes)
        print(f"{name:{width}}  {cells}   {GOALS.get(name, '')}")


# -- what is written ------------------------------------------------------------------------------


def _entries(facts: int, versions: int, per_episode: int) -> Iterator[EpisodeDraft | MemoryDelta]:
    """Yield episodes, each before the facts that it gave, key by key."""
    for number in range(facts):
        key, version = divmod(number, versions)
        episode = f"episode-{number // per_episode:07}"
        at = DAY0 + timedelta(days=version, seconds=key % 80_000)
        if number % per_episode == 0:
            yield EpisodeDraft(
                episode_id=episode,
                kind=EpisodeKind.MESSAGE,
                content=f"They said that it is value {version} of {key}, and a little more.",
                occurred_at=at,
                agent_id="support",
                session_id=f"session {number // 1000}",
            )
        yield MemoryDelta(
            tenant_id="acme",
            subject=f"subject-{key // 10:07}",
            attribute=f"attribute_{key % 10}",
            value=f"value {version} of {key}",
            valid_from=at,
            source_episode_id=episode,
        )


def _load(path: Path, facts: int, shape: str) -> None:
    batch: list[EpisodeDraft | MemoryDelta] = []
    with open_store(path, create=True, durability="normal") as store:
        for entry in _entries(facts, *SHAPES[shape]):
            batch.append(entry)
            if len(batch) >= BATCH:
                store.load(SCOPE, batch, batch=BATCH)
                batch = []
        if batch:
            store.load(SCOPE, batch)


# -- the steps, each in a process of its own ------------------------------------------------------


def _run_step(arguments: argparse.Namespace) -> None:
    place = Path(arguments.place)
    step: Callable[[Path], object] = STEPS[arguments.step]
    profile = cProfile.Profile() if arguments.profile else None
    began, cpu = time.perf_counter(), time.process_time()
    if profile is None:
        step(place)
    else:
        profile.runcall(step, place)
    spent, busy = time.perf_counter() - began, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": spent, "cpu": busy, "peak_mb": peak}))
    if profile is not None:
        statistics_ = pstats.Stats(profile, stream=sys.stderr)
        statistics_.sort_stats("tottime").print_stats(35)


def _step_load(place: Path) -> None:
    facts, shape = json.loads((place / "what.json").read_text())
    _load(place / "store.db", facts, shape)


PLAIN = {
    "fact": """
        SELECT k.subject, k.attribute, k.owner, k.slot, f.valid_from, f.tx_from, f.tx_to, f.kind,
          f.until, f.memory_id, f.value, e.episode_id, n.name AS agent_id, f.secret, f.supersedes,
          f.confidence, f.schema_version, f.basis, f.precision, f.span_from, f.span_to, f.extra,
          f.over
        FROM key k CROSS JOIN fact f ON f.key_id = k.key_id
        LEFT JOIN episode e ON e.episode_no = f.episode_no
        LEFT JOIN name n ON n.name_no = f.agent_no
        ORDER BY k.subject, k.attribute, k.owner, k.slot, f.valid_from, f.tx_from""",
    "episode": """
        SELECT e.episode_id, e.occurred_at, e.tx_from, e.kind, n.name AS agent_id, e.secret,
          e.session_id, e.metadata, e.content
        FROM episode e LEFT JOIN name n ON n.name_no = e.agent_no
        ORDER BY e.tx_from, e.episode_id""",
    "evidence": "SELECT * FROM evidence",
    "conflict": "SELECT * FROM conflict",
    "attribute": "SELECT * FROM attribute",
    "tx": "SELECT * FROM tx",
}


def _step_plain_dump(place: Path) -> None:
    connection = driver.connect(str(place / "store.db"))
    out = place / "plain"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    for table, statement in PLAIN.items():
        cursor = connection.execute(statement)
        names = [column[0] for column in cursor.description]
        with (out / f"{table}.jsonl").open("w", encoding="utf-8") as file:
            for row in cursor:
                members = dict(zip(names, row, strict=True))
                file.write(json.dumps(members, default=bytes.hex) + "\n")
    connection.close()


def _step_snapshot(place: Path) -> None:
    shutil.rmtree(place / "snapshot", ignore_errors=True)
    with open_store(place / "store.db", read_only=True) as store:
        take_snapshot(store, SCOPE, place / "snapshot", form=Form.DIRECTORY)


def _step_zip(place: Path) -> None:
    with open_store(place / "store.db", read_only=True) as store:
        take_snapshot(store, SCOPE, place / "snapshot.zip", form=Form.ZIP)


def _step_count(place: Path) -> None:
    with open_store(place / "store.db", read_only=True) as store:
        count_snapshot(store, SCOPE)


def _step_history(place: Path) -> None:
    with (
        open_store(place / "store.db", read_only=True) as store,
        store.history(SCOPE) as history,
    ):
        for section in (history.transactions, history.rows, history.evidence, history.episodes):
            for _ in section():
                pass


def _step_plain_parse(place: Path) -> None:
    for path in sorted((place / "snapshot").iterdir()):
        digest = hashlib.sha256()
        with path.open("rb") as file:
            if path.suffix == ".csv":
                for _row in csv.reader(_hashed(file, digest)):
                    pass
            elif path.suffix == ".jsonl":
                for line in _hashed(file, digest):
                    json.loads(line)
            else:
                while data := file.read(1 << 20):
                    digest.update(data)


def _hashed(file: BinaryIO, digest: Any) -> Iterator[str]:
    for line in file:
        digest.update(line)
        yield line.decode()


def _step_verify(place: Path) -> None:
    verdict = verify(place / "snapshot")
    assert verdict.is_good, verdict


def _step_restore(place: Path) -> None:
    with (
        open_history(place / "snapshot") as history,
        open_store(place / "restored.db", create=True, durability="normal") as store,
    ):
        store.restore(SCOPE, history)


STEPS: dict[str, Callable[[Path], object]] = {
    "load": _step_load,
    "plain dump": _step_plain_dump,
    "snapshot": _step_snapshot,
    "zip": _step_zip,
    "count": _step_count,
    "history": _step_history,
    "plain hashing and parsing": _step_plain_parse,
    "verify": _step_verify,
    "restore": _step_restore,
}


# -- one shape ------------------------------------------------------------------------------------


class Steps:
    """Runs steps in processes of their own and keeps what they say."""

    def __init__(self, place: Path, *, profile: bool) -> None:
        self._place = place
        self._profile = profile
        self._said: dict[str, list[dict[str, float]]] = {}

    def run(self, *names: str, rounds: int = 1) -> None:
        for _ in range(rounds):
            for name in names:
                said = self._run(name, profile=False)
                self._said.setdefault(name, []).append(said)
                print(f"  {name}: {said['seconds']:.1f} s, {said['peak_mb']:.0f} MB", flush=True)
        if self._profile:
            for name in names:
                print(f"--- {name}")
                self._run(name, profile=True)

    def _run(self, name: str, *, profile: bool) -> dict[str, float]:
        command = [sys.executable, __file__, "--step", name, "--place", str(self._place)]
        done = subprocess.run(
            [*command, "--profile"] if profile else command,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            cwd=ROOT,
        )
        said: dict[str, float] = json.loads(done.stdout)
        return said

    def median(self, name: str, what: str = "seconds") -> float:
        return statistics.median(said[what] for said in self._said[name])

    def most(self, name: str) -> float:
        return max(said["peak_mb"] for said in self._said[name])


def _measure(folder: Path, shape: str, arguments: Any, table: Table) -> None:
    facts = arguments.facts
    versions, per_episode = SHAPES[shape]
    print(f"… {shape}: {facts:,} facts, {versions} a key, {per_episode} an episode", flush=True)
    (folder / "what.json").write_text(json.dumps([facts, shape]))
    steps = Steps(folder, profile=False)
    steps.run("load")
    steps = Steps(folder, profile=arguments.profile)
    steps.run("plain dump", "snapshot", rounds=arguments.rounds)
    steps.run("history", "count")
    steps.run("plain hashing and parsing", "verify", rounds=arguments.rounds)
    steps.run("zip")
    names = ["plain dump", "history", "count", "snapshot", "zip"]
    names += ["plain hashing and parsing", "verify"]
    if not arguments.no_restore:
        steps.run("restore")
        names.append("restore")

    def note(name: str, value: str) -> None:
        table.setdefault(name, {})[shape] = value

    for name in names:
        note(f"{name}, µs a fact", f"{steps.median(name) / facts * 1e6:.1f}")
    for name, base in (("snapshot", "plain dump"), ("verify", "plain hashing and parsing")):
        note(f"{name} / {base}", f"{steps.median(name) / steps.median(base):.2f}")
        ratio = steps.median(name, "cpu") / steps.median(base, "cpu")
        note(f"  {name} / {base}, CPU time", f"{ratio:.2f}")
    for name in ("snapshot", "count", "zip", "verify"):
        note(f"{name}, peak memory", f"{steps.most(name):.0f} MB")
    size = sum(path.stat().st_size for path in (folder / "snapshot").iterdir())
    plain = sum(path.stat().st_size for path in (folder / "plain").iterdir())
    note("snapshot, bytes a fact", f"{size / facts:,.0f}")
    note("plain dump, bytes a fact", f"{plain / facts:,.0f}")


if __name__ == "__main__":
    main()
