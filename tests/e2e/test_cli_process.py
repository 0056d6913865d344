"""The command line as a program: real processes on real files."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from store.model import SGAM_FIELDS
from tests.support import ROOT

DEADLINE = "passport_deadline"


@dataclass(frozen=True)
class Done:
    """What a process left behind."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


class Shell:
    """Runs `python -m workbench` in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "MEMORY_WORKBENCH_HOME": str(folder / "home"),
            "QT_QPA_PLATFORM": "offscreen",
        }

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-P", "-m", "workbench", *words]

    def __call__(self, *words: str, given: bytes = b"", **environment: str) -> Done:
        done = subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=self.environment | environment,
            input=given,
            capture_output=True,
            check=False,
            timeout=110,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command(*words),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def episode(shell: Shell, identity: str, occurred_at: str, content: str, *more: str) -> Done:
    return shell(
        "episode", "m.db", "--tenant", "acme", "--id", identity, "--kind", "message",
        "--occurred-at", occurred_at, "--content", content, *more,
    )  # fmt: skip


def write(shell: Shell, value: str, valid_from: str, source: str, *more: str) -> Done:
    return shell(
        "write", "m.db", "--tenant", "acme", "--subject", "mira", "--attribute", DEADLINE,
        "--value", value, "--valid-from", valid_from, "--episode", source, "--json", *more,
    )  # fmt: skip


def test_the_example_of_the_article(shell: Shell) -> None:
    made = episode(shell, "e1", "2026-06-01T09:00Z", "The deadline is 15 July.")
    assert (made.status, made.err) == (0, "Made the store m.db, which was not there.\n")
    first = write(shell, '"2026-07-15"', "2026-06-01T09:00Z", "e1", "--span", "16:23")
    assert (first.status, first.document["outcome"]) == (0, "applied")
    assert episode(shell, "e2", "2026-06-03T10:00Z", "It moved to 30 June.").err == ""
    second = write(shell, '"2026-06-30"', "2026-06-03T10:00Z", "e2").document
    assert [s["valid_to"] for s in second["plan"]["closed"]] == [None]
    assert [s["valid_to"] for s in second["plan"]["inserted"]] == ["2026-06-03T10:00:00Z", None]
    before_the_delay = shell("log", "m.db", "--tenant", "acme", "--json").lines[0]["recorded_at"]
    episode(shell, "e0", "2026-05-30T08:00Z", "The deadline is 1 August.")
    late = write(shell, '"2026-08-01"', "2026-05-30T08:00Z", "e0").document
    assert late["outcome"] == "applied"

    read = ("read", "m.db", "--tenant", "acme", "--subject", "mira", "--json")
    (now,) = shell(*read).lines
    assert tuple(now)[:13] == SGAM_FIELDS
    assert (now["value"], now["memory_id"]) == ("2026-06-30", second["memory_id"])
    assert now["supersedes_memory_id"] == first.document["memory_id"]
    assert (now["disputed"], now["evidence"]) == (False, [{"episode_id": "e2", "span": None}])
    at = ("--valid-at", "2026-05-31")
    assert [fact["value"] for fact in shell(*read, *at).lines] == ["2026-08-01"]
    assert shell(*read, *at, "--known-at", before_the_delay).lines == []
    history = shell(*read, "--history").lines
    assert [
        (v["value"], v["valid_from"][:10], v["valid_to"] and v["valid_to"][:10]) for v in history
    ] == [
        ("2026-08-01", "2026-05-30", "2026-06-01"),
        ("2026-07-15", "2026-06-01", "2026-06-03"),
        ("2026-06-30", "2026-06-03", None),
    ]

    report = shell("check", "m.db", "--full", "--json").document
    assert report["clean"]
    (head,) = report["heads"]
    kept = ("--tenant", "acme", "--head", head["head"])
    assert shell("check", "m.db", *kept).status == 0
    undone = shell("revert", "m.db", "6", "--tenant", "acme", "--reason", "as a trial", "--json")
    assert undone.document["transaction"] == 7
    assert shell(*read, *at).lines == []
    assert shell("check", "sqlite:///m.db", "--full", *kept).status == 0


def test_a_conflict_from_its_queue_to_its_decision(shell: Shell) -> None:
    for identity in ("e1", "e2", "e3"):
        episode(shell, identity, "2026-06-01", identity)
    gold = write(shell, '"gold"', "2026-06-01", "e1").document["memory_id"]
    queued = write(shell, '"silver"', "2026-06-01", "e2", "--agent", "support")
    assert queued.status == 3
    assert queued.document["outcome"] == "conflict"
    assert write(shell, '"gold"', "2026-06-01", "e1").document["outcome"] == "known"
    assert write(shell, '"gold"', "2026-06-01", "e3").document["outcome"] == "corroborated"
    (conflict,) = shell("conflicts", "m.db", "--tenant", "acme", "--json").lines
    assert conflict["conflict_id"] == queued.document["conflict_id"]
    assert conflict["incoming"][0]["agent_id"] == "support"
    resolve = ("resolve", "m.db", conflict["conflict_id"], "--reason", "asked", "--outcome")
    assert shell(*resolve, "defer").status == 0
    assert shell(*resolve, "incoming", "--tenant", "beta").status == 1
    assert shell(*resolve, "incoming", "--json").document["outcome"] == "applied"
    assert shell(*resolve, "incoming").status == 1
    (fact,) = shell("read", "m.db", "--tenant", "acme", "--json").lines
    assert (fact["value"], fact["supersedes_memory_id"]) == ("silver", gold)
    words = ("--episode", "e3", "--reason", "r")
    acts: list[tuple[str, ...]] = [
        ("correct", "m.db", fact["memory_id"], "--value", '"tin"', *words),
        ("end", "m.db", fact["memory_id"], "--at", "2026-07-01", *words),
        ("confirm", "m.db", fact["memory_id"], "--episode", "e1"),
        ("retract", "m.db", fact["memory_id"], "--gap", *words),
    ]
    assert [shell(*act).status for act in acts] == [0, 0, 0, 0]
    assert shell("check", "m.db", "--full").status == 0


def test_letters_of_the_world_in_and_out(shell: Shell) -> None:
    text = "Ñandú 🦤 東京 \u202eevil\u202c \x1b[2J\n— end"
    told = shell(
        "episode", "m.db", "--tenant", "Ünïcode", "--id", "é1", "--kind", "file",
        "--occurred-at", "2026-06-01", "--file", "-", given=text.encode(),
    )  # fmt: skip
    assert told.status == 0
    value = json.dumps({"naïve": text}, ensure_ascii=False)
    words = ("--tenant", "Ünïcode", "--subject", "Ñ")
    done = shell(
        "write", "m.db", *words, "--attribute", "a", "--value", value, "--valid-from", "2026",
        "--episode", "é1", "--json", LC_ALL="C", PYTHONIOENCODING="ascii",
    )  # fmt: skip
    assert done.document["plan"]["inserted"][0]["value"] == {"naïve": text}
    (fact,) = shell("read", "m.db", *words, "--json", PYTHONIOENCODING="latin-1").lines
    assert (fact["value"], fact["subject"]) == ({"naïve": text}, "Ñ")
    shown = shell("read", "m.db", *words, PYTHONIOENCODING="ascii")
    assert shown.status == 0
    assert "\x1b" not in shown.out
    assert "\\u26a0" not in shown.out


@pytest.mark.parametrize("command", ["read", "log", "conflicts", "check", "open", "revert"])
def test_what_is_not_there_is_not_made(shell: Shell, command: str) -> None:
    tenant = () if command in ("check", "open") else ("--tenant", "acme")
    more = ("1", "--reason", "r") if command == "revert" else ()
    said = shell(command, "none.db", *more, *tenant)
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("memory-workbench: ")
    assert said.err.count("\n") == 1
    assert "none.db" in said.err
    assert list(shell.folder.iterdir()) == []


def test_what_is_no_store_is_left_alone(shell: Shell) -> None:
    words = (
        "--tenant", "acme", "--id", "e1", "--kind", "message", "--occurred-at", "2026",
        "--content", "x",
    )  # fmt: skip
    letter = shell.folder / "letter.txt"
    letter.write_text("Dear Mira,\n" * 1000, encoding="utf-8")
    (shell.folder / "folder").mkdir()
    for location in ("letter.txt", "folder", "no/such/folder/m.db", "ftp://host/m.db", ""):
        for command in (("read", location, "--tenant", "acme"), ("episode", location, *words)):
            said = shell(*command)
            assert (said.status, said.out) == (1, ""), command
            assert said.err.startswith("memory-workbench: ")
            assert said.err.count("\n") == 1
    assert letter.read_text(encoding="utf-8") == "Dear Mira,\n" * 1000
    assert {path.name for path in shell.folder.iterdir()} == {"letter.txt", "folder"}


def test_a_reader_that_wants_no_more_is_no_error(shell: Shell) -> None:
    table = shell.folder / "t.csv"
    table.write_text("".join(f"s{n},a,{n},2026\n" for n in range(5_000)), encoding="utf-8")
    mapping = "subject=0,attribute=1,value=2,valid_from=3"
    done = shell("import", "table", "t.csv", "m.db", "--tenant", "acme", "--map", mapping)
    assert done.status == 0, done
    process = shell.start("read", "m.db", "--tenant", "acme", "--json")
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        assert json.loads(process.stdout.readline())["value"] == "0"
        process.stdout.close()
        assert process.wait(60) == 141
        assert process.stderr.read() == b""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_an_interrupted_import_keeps_whole_batches(shell: Shell) -> None:
    table = shell.folder / "t.csv"
    with table.open("w", encoding="utf-8") as file:
        file.writelines(f"s{n},a,{n},2026\n" for n in range(200_000))
    mapping = "subject=0,attribute=1,value=2,valid_from=3"
    words = ("import", "table", "t.csv", "m.db", "--tenant", "acme", "--map", mapping)
    process = shell.start(*words, "--on-error", "skip", "--json")
    reads = ("log", "m.db", "--tenant", "acme", "--limit", "1", "--json")
    wait_until(lambda: bool(shell(*reads).out), process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=100)
    report = json.loads(out)
    assert process.returncode == 130
    assert b"Stopping after the batch at hand" in err
    assert report["cancelled"]
    assert 0 < report["written"] < 200_000
    assert len(shell("read", "m.db", "--tenant", "acme", "--json").lines) == report["written"]
    assert shell("check", "m.db").status == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals, and no pipes so")
def test_a_command_that_the_system_ends_says_so(shell: Shell) -> None:
    pipe = shell.folder / "pipe"
    os.mkfifo(pipe)
    process = shell.start(
        "episode", "m.db", "--tenant", "acme", "--id", "e1", "--kind", "file", "--occurred-at",
        "2026", "--file", "pipe",
    )  # fmt: skip
    opened: list[int] = []

    def is_read() -> bool:
        with suppress(OSError):  # nobody reads it yet
            opened.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        return bool(opened)

    wait_until(is_read, process)
    try:
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=100)
    finally:
        os.close(opened[0])
    said = "memory-workbench: The work was stopped on request.\n"
    assert (process.returncode, out, err.decode()) == (143, b"", said)
    assert not (shell.folder / "m.db").exists()


def wait_until(holds: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Ask until something holds, while a process runs."""
    pause = threading.Event()
    while not holds():
        assert process.poll() is None, process.communicate()
        pause.wait(0.1)


def test_the_demo_is_made_once_and_whole(shell: Shell) -> None:
    made = shell("demo", "here", "--no-open", "--json")
    path = str(Path("here") / "demo.db")
    assert made.status == 0, made
    assert (made.document["store"], made.document["made"]) == (path, True)
    assert made.err == f"Made the demo store {path}.\n"
    names = {file.name for file in (shell.folder / "here").iterdir()}
    assert names <= {"demo.db", "demo.db-gate"}
    before = (shell.folder / path).read_bytes()
    again = shell("demo", "here", "--no-open")
    assert (again.status, again.out, again.err) == (0, f"{path}\n", "")
    assert (shell.folder / path).read_bytes() == before
    assert shell("check", path, "--full").status == 0
    assert len(shell("conflicts", path, "--tenant", "acme", "--json").lines) >= 4
    facts = shell("read", path, "--tenant", "acme", "--subject", "mira", "--json").lines
    assert "2026-06-30" in [fact["value"] for fact in facts]
    own = shell("demo", "--no-open")
    assert own.out == f"{shell.folder / 'home' / 'data' / 'demo.db'}\n"


def test_the_window_is_drawn_into_a_picture(shell: Shell) -> None:
    shell("demo", ".", "--no-open")
    words = ("open", "demo.db", "--screenshot", "w.png", "--size", "1200x800", "--theme", "dark")
    done = shell(*words, DISPLAY="", WAYLAND_DISPLAY="", QT_QPA_PLATFORM="")
    assert (done.status, done.out) == (0, "Drew w.png\n"), done
    picture = (shell.folder / "w.png").read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == (1200, 800)
    assert shell("open", "demo.db", DISPLAY="", WAYLAND_DISPLAY="", QT_QPA_PLATFORM="").status == 1


@pytest.mark.slow
def test_real_statements_with_years(shell: Shell, shared: Path) -> None:
    folder = shared / "data" / "temporal_kg" / "wikidata12k_yago11k" / "WIKIDATA12k"
    words = (
        "import", "table", str(folder / "test.txt"), "m.db", "--tenant", "acme", "--map",
        "subject=0,attribute=1,value=2,valid_from=3,valid_to=4", "--lookup",
        f"subject={folder / 'entity2id.txt'},value={folder / 'entity2id.txt'}", "--lookup",
        f"attribute={folder / 'relation2id.txt'}", "--open", "3000", "--unknown", "0",
        "--end-inclusive", "--many", "*", "--json",
    )  # fmt: skip
    trial = shell(*words, "--dry-run").document
    assert not (shell.folder / "m.db").exists()
    done = shell(*words)
    report = done.document
    assert report["read"] > 1000
    assert {name: trial[name] for name in ("read", "written", "known", "conflicts")} == {
        name: report[name] for name in ("read", "written", "known", "conflicts")
    }
    assert done.status == (3 if report["conflicts"] else 0)
    assert shell("check", "m.db", "--full").status == 0
    again = shell(*words).document
    assert (again["written"], again["episodes"]) == (0, 0)


def test_a_real_workspace_of_zeroclaw(shell: Shell, shared: Path) -> None:
    folder = shared / "data" / "agent_stores" / "zeroclaw_workspace"
    words = ("import", "zeroclaw", str(folder), "m.db", "--tenant", "acme", "--on-error", "skip")
    report = shell(*words, "--json").document
    assert report["episodes"] > 0
    assert shell("check", "m.db", "--full").status == 0
    assert shell(*words, "--json").document["episodes"] == 0
