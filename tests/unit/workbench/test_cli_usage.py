"""Wrong calls, failures and bugs: one sentence each, the right status, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from store.errors import StoreError, Unavailable
from tests.support import ROOT
from workbench import __version__
from workbench.cli import app
from workbench.commands.working import work

if TYPE_CHECKING:
    from store.contract import Cancel, Progress
    from tests.unit.workbench.conftest import CommandLine

NAMES = [command.name for command in app.registered_commands]
HEAVY = ("PySide6", "shiboken6", "sqlalchemy", "pydantic", "sqlite3", "pysqlite3", "numpy")
WRITE = (
    "write", "a.db", "--tenant", "acme", "--subject", "s", "--attribute", "a", "--episode", "e1",
)  # fmt: skip
RIGHT = ("--value", "1", "--valid-from", "2026-06-01")
READ = ("read", "a.db", "--tenant", "acme")


def imported_by(*words: str) -> str:
    """Run a command line in a process of its own; what heavy things it imported."""
    program = (
        "import sys\n"
        "from workbench.cli import run\n"
        f"status = run({list(words)!r})\n"
        "assert status == 0, status\n"
        f"print('imported', [n for n in {HEAVY!r} if n in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()[-1]


@pytest.mark.parametrize("words", [("--version",), ("--help",), ("write", "--help"), ()])
def test_help_and_version_import_nothing_heavy(words: tuple[str, ...]) -> None:
    assert imported_by(*words) == "imported []"


def test_every_command_helps_without_anything_heavy() -> None:
    program = (
        "import sys\n"
        "from workbench.cli import run\n"
        f"assert [run([name, '--help']) for name in {NAMES!r}] == {[0] * len(NAMES)!r}\n"
        f"print('imported', [n for n in {HEAVY!r} if n in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "imported []"


def test_the_commands_are_those_of_the_desk(cli: CommandLine) -> None:
    assert set(NAMES) == {
        "demo", "open", "episode", "write", "correct", "end", "retract", "confirm", "read", "log",
        "conflicts", "resolve", "revert", "check", "import", "snapshot", "verify", "head",
        "compare", "key",
    }  # fmt: skip
    told = cli.ok("--help").out
    assert all(f" {name} " in told for name in NAMES)
    assert cli.ok("--version").out == f"memory-workbench {__version__}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("frobnicate",), "No such command 'frobnicate'."),
        (("--frobnicate",), "No such option: --frobnicate."),
        (("--debug",), "Missing command."),
        (("raed",), "Did you mean 'read'"),
        (("read", "a.db"), "Missing option '--tenant'."),
        (("read",), "Missing argument 'STORE'."),
        ((*READ, "--colour"), "No such option: --colour."),
        ((*READ, "--valid-at", "yesterday"), "'yesterday' is not a time"),
        ((*READ, "--valid-at", "2026-02-30"), "--valid-at: '2026-02-30' is not a time"),
        ((*READ, "--known-at", "2026-06-01T09:00"), "has no offset"),
        ((*READ, "--valid-at", "2026-06-01", "--zone", "Mars/Olympus"), "is not a zone"),
        ((*READ, "--zone", "../../etc/passwd"), "is not a zone"),
        ((*READ, "--zone", "America"), "is not a zone"),
        ((*READ, "--zone", ""), "is not a zone"),
        ((*READ, "--zone", "+99:00"), "is not a zone"),
        (("log", "a.db", "--tenant", "acme", "--limit", "0"), "--limit"),
        ((*WRITE, "--value", "Porto", "--valid-from", "2026"), "Porto is not JSON"),
        ((*WRITE, "--value", "NaN", "--valid-from", "2026"), "NaN is not JSON"),
        ((*WRITE, "--value", "[" * 100_000, "--valid-from", "2026"), "nested at most 100 arrays"),
        ((*WRITE, "--value", f"{'[' * 101}{']' * 101}", "--valid-from", "2026"), "at most 100"),
        ((*WRITE, *RIGHT, "--span", "9:3"), "'9:3' is not a span"),
        ((*WRITE, *RIGHT, "--span", "a:b"), "'a:b' is not a span"),
        ((*WRITE, *RIGHT, "--confidence", "1.5"), "--confidence"),
        ((*WRITE, *RIGHT, "--confidence", "much"), "--confidence"),
        ((*WRITE, *RIGHT, "--valid-to", "later"), "'later' is not a time"),
        (("correct", "a.db", "x", "--episode", "e1", "--reason", "r"), "Say what is right"),
        (("check", "a.db", "--head", f"1:{'a' * 64}"), "give --tenant and --head"),
        (("check", "a.db", "--tenant", "acme"), "give --tenant and --head"),
        (("check", "a.db", "--tenant", "acme", "--head", "1:xyz"), "is not a head"),
        (("revert", "a.db", "0", "--tenant", "acme", "--reason", "r"), "TRANSACTION"),
        (("revert", "a.db", "last", "--tenant", "acme", "--reason", "r"), "TRANSACTION"),
        (("open", "a.db", "--size", "big"), "is not a size"),
        (("open", "a.db", "--size", "1x1"), "is not a size"),
        (("open", "a.db", "--theme", "pink"), "'pink' is not one of"),
    ],
)
def test_a_wrong_call_is_a_sentence_and_makes_nothing(
    cli: CommandLine, words: tuple[str, ...], said: str
) -> None:
    answer = cli(*words)
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.startswith("memory-workbench")
    assert answer.err.count("\n") == 1
    assert "Traceback" not in answer.err
    assert cli.stores == {}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("--subject", ""), "a name may not be empty"),
        (("--subject", "x" * 256), "at most 255 characters"),
        (("--subject", "a\nb"), "may not have control characters"),
        (("--valid-to", "2026-05-01"), "must lie after the beginning"),
        (("--value", "9007199254740993"), "exceeds safe integer"),
        (("--value", '"\\ud800"'), "surrogate"),
        (("--agent", " "), "a name may not be empty"),
        (("--tenant", ""), "a name may not be empty"),
        (("--reason", "\udcff"), "half of a surrogate pair"),
    ],
)
def test_a_broken_rule_is_rejected(cli: CommandLine, changed: tuple[str, ...], said: str) -> None:
    cli(
        "episode", "a.db", "--tenant", "acme", "--id", "e1", "--kind", "message",
        "--occurred-at", "2026", "--content", "x",
    )  # fmt: skip
    answer = cli(*WRITE, *RIGHT, *changed, "--json")
    assert answer.status == 1
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert answer.document["outcome"] == "rejected"
    assert cli.ok("log", "a.db", "--tenant", "acme", "--json").lines[0]["number"] == 1


def test_the_system_s_errors_are_sentences(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, said in (
        (PermissionError(13, "Permission denied", "/root/a.db"), "/root/a.db: Permission denied."),
        (OSError(28, "No space left on device"), "No space left on device."),
        (Unavailable("The store is locked; try again."), "The store is locked; try again."),
        (StoreError("What\nnow?"), "What⏎now?"),
    ):

        def fail(*_words: object, error: Exception = error, **_more: object) -> None:
            raise error

        monkeypatch.setattr("workbench.commands.opening.open_store", fail)
        answer = cli(*READ)
        assert (answer.status, answer.out) == (1, "")
        assert answer.err == f"memory-workbench: {said}\n"


def test_a_bug_is_a_sentence_and_a_log(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_words: object, **_more: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr("workbench.commands.opening.open_store", fail)
    answer = cli(*READ)
    log = tmp_path / "home" / "log" / "command-line.log"
    assert answer.status == 1
    assert answer.err == (
        "memory-workbench: This is a bug in the program (KeyError); where it happened is kept in "
        f"{log}, and shown with --debug.\n"
    )
    assert "KeyError: 'oops'" in log.read_text(encoding="utf-8")
    shown = cli("--debug", *READ)
    assert "Traceback" in shown.err
    assert shown.status == 1
    log.unlink()
    log.mkdir()
    assert "run the command again with --debug" in cli(*READ).err


def test_an_interrupt_and_a_closed_pipe_are_quiet(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_words: object, **_more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("workbench.commands.opening.open_store", interrupt)
    answer = cli(*READ)
    assert (answer.status, answer.out, answer.err) == (130, "", "")


# -- work that takes long -----------------------------------------------------------------------


def test_work_returns_raises_and_tells_progress() -> None:
    def double(progress: Progress, cancel: Cancel) -> int:
        progress(1, 2)
        cancel.check()
        return 2

    assert work("Doubling", double) == 2

    def fail(_progress: Progress, _cancel: Cancel) -> None:
        raise Unavailable("no")

    with pytest.raises(Unavailable, match="no"):
        work("Failing", fail)


def test_the_first_interrupt_asks_and_the_second_leaves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from workbench.commands import working

    real, interrupts = working.wait, [KeyboardInterrupt]

    def interrupted(*words: object, **more: object) -> object:
        if interrupts:
            raise interrupts.pop()
        return real(*words, **more)

    monkeypatch.setattr(working, "wait", interrupted)

    def until_stopped(_progress: Progress, cancel: Cancel) -> str:
        while not cancel.is_cancelled:
            pass
        return "stopped after the batch"

    assert work("Waiting", until_stopped) == "stopped after the batch"
    assert "Stopping after the batch at hand" in capsys.readouterr().err

    interrupts += [KeyboardInterrupt, KeyboardInterrupt]
    released: list[bool] = []

    def deaf(_progress: Progress, _cancel: Cancel) -> None:
        while not released:
            pass

    with pytest.raises(KeyboardInterrupt):
        work("Deaf", deaf)
    released.append(True)
