"""The commands that look, on stores in memory."""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING

import pytest

from store.errors import Corrupt
from store.model import SGAM_FIELDS
from workbench.commands import output

if TYPE_CHECKING:
    from tests.unit.workbench.conftest import CommandLine, Said

BASE = ("a.db", "--tenant", "acme")
DEADLINE = "passport_deadline"
EVIL = "\x1b]0;owned\x07\x1b[2J\u009b31m\u202eevil\u2066\u200b\r\n\x7f\U000e0041"


def capture(cli: CommandLine, identity: str, content: str = "words") -> None:
    said = cli(
        "episode", *BASE, "--id", identity, "--kind", "message",
        "--occurred-at", "2026-06-01T09:00Z", "--content", content,
    )  # fmt: skip
    assert said.status == 0, said


def write(
    cli: CommandLine,
    value: str,
    valid_from: str,
    episode: str,
    *more: str,
    attribute: str = DEADLINE,
    subject: str = "mira",
) -> Said:
    return cli(
        "write", *BASE, "--subject", subject, "--attribute", attribute, "--value", value,
        "--valid-from", valid_from, "--episode", episode, "--json", *more,
    )  # fmt: skip


@pytest.fixture
def example(cli: CommandLine) -> list[str]:
    """The article's example, read literally; the ids of its facts as they were written."""
    written = []
    for episode, value, valid_from in (
        ("e1", '"2026-07-15"', "2026-06-01T09:00Z"),
        ("e2", '"2026-06-30"', "2026-06-03T10:00Z"),
        ("e0", '"2026-08-01"', "2026-05-30T08:00Z"),
    ):
        capture(cli, episode)
        said = write(cli, value, valid_from, episode)
        assert said.document["outcome"] == "applied"
        written.append(said.document["memory_id"])
    return written


# -- read ---------------------------------------------------------------------------------------


def test_the_example_of_the_article(cli: CommandLine, example: list[str]) -> None:
    first, second, late = example
    (now,) = cli.ok("read", *BASE, "--json").lines
    assert (now["value"], now["memory_id"]) == ("2026-06-30", second)
    assert now["supersedes_memory_id"] == first
    assert now["valid_to"] is None
    (then,) = cli.ok("read", *BASE, "--valid-at", "2026-06-02", "--json").lines
    assert then["value"] == "2026-07-15"
    assert then["valid_to"] == "2026-06-03T10:00:00Z"
    (before,) = cli.ok("read", *BASE, "--valid-at", "2026-05-31", "--json").lines
    assert (before["value"], before["memory_id"]) == ("2026-08-01", late)
    assert before["valid_to"] == "2026-06-01T09:00:00Z"


def test_a_fact_has_the_thirteen_fields_by_their_names(
    cli: CommandLine, example: list[str]
) -> None:
    (fact,) = cli.ok("read", *BASE, "--subject", "mira", "--attribute", DEADLINE, "--json").lines
    assert tuple(fact)[:13] == SGAM_FIELDS
    assert {"recorded_at", "superseded_at", "disputed", "evidence"} <= set(fact)
    assert fact["evidence"] == [{"episode_id": "e2", "span": None}]
    assert (fact["disputed"], fact["superseded_at"]) == (False, None)
    assert fact["recorded_at"].endswith("Z")


def test_known_at_looks_with_what_was_known(cli: CommandLine, example: list[str]) -> None:
    entries = cli.ok("log", *BASE, "--json").lines
    late = next(e["recorded_at"] for e in entries if e["number"] == 6)
    words = ("read", *BASE, "--valid-at", "2026-05-31", "--json")
    assert len(cli.ok(*words, "--known-at", late).lines) == 1
    before = entries[1]["recorded_at"]
    assert before < late
    assert cli.ok(*words, "--known-at", before).lines == []


def test_history_has_every_version_on_both_axes(cli: CommandLine, example: list[str]) -> None:
    first, second, late = example
    cli.ok(
        "correct", "a.db", second, "--value", '"2026-06-29"', "--episode", "e1",
        "--reason", "misread",
    )  # fmt: skip
    versions = cli.ok("read", *BASE, "--history", "--json").lines
    told = [
        (v["memory_id"], v["value"], v["valid_from"], v["valid_to"], v["superseded_at"] is None)
        for v in versions
    ]
    assert told == [
        (late, "2026-08-01", "2026-05-30T08:00:00Z", "2026-06-01T09:00:00Z", True),
        (first, "2026-07-15", "2026-06-01T09:00:00Z", "2026-06-03T10:00:00Z", True),
        (second, "2026-06-30", "2026-06-03T10:00:00Z", None, False),
        (second, "2026-06-29", "2026-06-03T10:00:00Z", None, True),
    ]
    wrong, right = versions[2:]
    assert wrong["superseded_at"] == right["recorded_at"]
    known_at = wrong["recorded_at"]
    believed = cli.ok("read", *BASE, "--history", "--known-at", known_at, "--json").lines
    assert [(v["value"], v["valid_to"]) for v in believed] == [
        ("2026-07-15", "2026-06-03T10:00:00Z"),
        ("2026-06-30", None),
    ]
    assert believed[1]["superseded_at"] is None
    held = cli.ok("read", *BASE, "--history", "--valid-at", "2026-06-10", "--json").lines
    assert [v["value"] for v in held] == ["2026-06-30", "2026-06-29"]


def test_history_shows_what_was_retracted(cli: CommandLine) -> None:
    capture(cli, "e1")
    gone = write(cli, '"x"', "2026-06-01", "e1").document["memory_id"]
    cli.ok("retract", "a.db", gone, "--episode", "e1", "--reason", "a joke")
    assert cli.ok("read", *BASE, "--json").lines == []
    (version,) = cli.ok("read", *BASE, "--history", "--json").lines
    assert (version["memory_id"], version["valid_to"]) == (gone, None)
    assert version["superseded_at"] is not None


def test_history_of_periods_that_interrupt(cli: CommandLine) -> None:
    capture(cli, "e1")
    write(cli, '"A"', "2026-01-01", "e1")
    write(cli, '"B"', "2026-02-01", "e1", "--valid-to", "2026-03-01")
    versions = cli.ok("read", *BASE, "--history", "--json").lines
    assert [
        (v["value"], v["valid_from"][:10], (v["valid_to"] or "open")[:10]) for v in versions
    ] == [
        ("A", "2026-01-01", "2026-02-01"),
        ("B", "2026-02-01", "2026-03-01"),
        ("A", "2026-03-01", "open"),
    ]


def test_a_disputed_fact_says_so(cli: CommandLine) -> None:
    capture(cli, "e1")
    capture(cli, "e2")
    write(cli, "1", "2026-06-01", "e1")
    assert write(cli, "2", "2026-06-01", "e2").status == 3
    assert cli.ok("read", *BASE, "--json").lines[0]["disputed"] is True
    assert "◆" in cli.ok("read", *BASE).out


def test_reading_makes_nothing(cli: CommandLine) -> None:
    for words in (
        ("read", *BASE), ("log", *BASE), ("conflicts", *BASE), ("check", "a.db"),
        ("revert", "a.db", "1", "--tenant", "acme", "--reason", "r"),
        ("end", "a.db", "x", "--at", "2026", "--episode", "e", "--reason", "r"),
    ):  # fmt: skip
        said = cli(*words)
        assert (said.status, said.out) == (1, "")
        assert said.err == "memory-workbench: There is no store a.db.\n"
    assert cli.stores == {}


def test_one_tenant_sees_nothing_of_another(cli: CommandLine, example: list[str]) -> None:
    for command in ("read", "log", "conflicts"):
        assert cli.ok(command, "a.db", "--tenant", "beta", "--json").out == ""
    assert cli.ok("read", "a.db", "--tenant", "beta").out == "Nothing holds there.\n"
    assert cli.ok("log", "a.db", "--tenant", "beta").out == "No transaction is recorded there.\n"


def test_a_long_list_is_whole(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.commands.history.LARGEST_PAGE", 2)
    monkeypatch.setattr("workbench.commands.reading.LARGEST_PAGE", 2)
    capture(cli, "e1")
    capture(cli, "e2")
    for number in range(5):
        write(cli, str(number), "2026-06-01", "e1", subject=f"s{number}")
        write(cli, str(-number - 1), "2026-06-01", "e2", subject=f"s{number}")
    assert [f["value"] for f in cli.ok("read", *BASE, "--json").lines] == [0, 1, 2, 3, 4]
    assert len(cli.ok("conflicts", *BASE, "--json").lines) == 5
    assert [t["number"] for t in cli.ok("log", *BASE, "--limit", "5", "--json").lines] == [
        12, 11, 10, 9, 8,
    ]  # fmt: skip


# -- log ----------------------------------------------------------------------------------------


def test_the_journal_is_newest_first_with_before_and_after(
    cli: CommandLine, example: list[str]
) -> None:
    entries = cli.ok("log", *BASE, "--json").lines
    assert [e["number"] for e in entries] == [6, 5, 4, 3, 2, 1]
    second = entries[2]
    assert (second["kind"], second["actor"]) == ("change", "operator")
    assert second["tool"].startswith("memory-workbench ")
    assert (second["subjects"], second["attributes"]) == (["mira"], [DEADLINE])
    assert len(second["digest"]) == 64
    assert [i["value"] for i in second["plan"]["closed"]] == ["2026-07-15"]
    assert [i["value"] for i in second["plan"]["inserted"]] == ["2026-07-15", "2026-06-30"]
    assert entries[3]["episodes"] == ["e2"]
    assert len(cli.ok("log", *BASE, "--limit", "2", "--json").lines) == 2
    of_key = cli.ok("log", *BASE, "--subject", "mira", "--attribute", DEADLINE, "--json").lines
    assert [e["number"] for e in of_key] == [6, 4, 2]


def test_the_journal_in_words(cli: CommandLine, example: list[str]) -> None:
    cli.ok("revert", "a.db", "6", "--tenant", "acme", "--reason", "too late")
    told = cli.ok("log", *BASE, "--limit", "2").out
    assert "revert  by operator with memory-workbench" in told
    assert "“too late”" in told
    assert "change  by operator" in told
    assert "reverted by 7" in told
    assert '+ mira · passport_deadline  "2026-08-01"  2026-05-30T08:00Z → 2026-06-01T09:00Z' in told


# -- conflicts ----------------------------------------------------------------------------------


def test_conflicts_show_both_claims(cli: CommandLine) -> None:
    capture(cli, "e1")
    capture(cli, "e2")
    write(cli, '"gold"', "2026-06-01", "e1")
    queued = write(cli, '"silver"', "2026-06-01", "e2", "--confidence", "0.5").document
    (found,) = cli.ok("conflicts", *BASE, "--json").lines
    assert (found["conflict_id"], found["kind"], found["state"]) == (
        queued["conflict_id"],
        "value",
        "open",
    )
    assert found["standing"]["value"] == "gold"
    assert [claim["value"] for claim in found["incoming"]] == ["silver"]
    told = cli.ok("conflicts", *BASE).out
    assert queued["conflict_id"] in told
    assert 'standing  "gold"' in told
    assert 'incoming  "silver"' in told
    assert "from e2, by operator, confidence 0.5" in told
    cli.ok("resolve", "a.db", queued["conflict_id"], "--outcome", "standing", "--reason", "asked")
    assert cli.ok("conflicts", *BASE).out == "No conflict is open.\n"
    assert "standing, by operator at" in cli.ok("conflicts", *BASE, "--all").out
    assert cli.ok("conflicts", *BASE, "--all", "--json").lines[0]["state"] == "settled"


# -- check --------------------------------------------------------------------------------------


def test_a_clean_store_checks_clean(cli: CommandLine, example: list[str]) -> None:
    report = cli.ok("check", "a.db", "--full", "--json").document
    assert (report["clean"], report["full"], report["findings"]) == (True, True, [])
    assert all(set(rule) == {"rule", "looked_at"} for rule in report["rules"])
    (head,) = report["heads"]
    assert head["tenant_id"] == "acme"
    assert "Nothing is wrong" in cli.ok("check", "a.db").out
    told = [it for it in cli.ok("check", "a.db").out.splitlines() if it.startswith("head of ")]
    for said in (head["head"], cli.ok("head", "a.db", "--tenant", "acme").out, *told):
        outside = cli.ok("check", "a.db", "--tenant", "acme", "--head", said, "--json")
        assert outside.document["clean"] is True


def test_damage_is_found_and_fails(cli: CommandLine, example: list[str]) -> None:
    (head,) = cli.ok("check", "a.db", "--json").document["heads"]
    number, digest = head["head"].split(":")
    later = f"{int(number) + 1}:{digest}"
    said = cli("check", "a.db", "--tenant", "acme", "--head", later, "--json")
    assert said.status == 1
    assert said.err == "a.db is damaged: the check has 1 finding.\n"
    (finding,) = said.document["findings"]
    assert set(finding) == {"rule", "where", "sentence"}
    told = cli("check", "a.db", "--tenant", "acme", "--head", later)
    assert "broken" in told.out
    assert finding["sentence"] in told.out


def test_a_store_that_cannot_be_read_says_so_in_a_sentence(
    cli: CommandLine, example: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_words: object, **_more: object) -> None:
        raise Corrupt("The file a.db is damaged at page 7; nothing was changed.")

    monkeypatch.setattr(cli.stores["a.db"], "check", broken)
    said = cli("check", "a.db")
    assert said.status == 1
    assert said.err == (
        "memory-workbench: The file a.db is damaged at page 7; nothing was changed.\n"
    )


# -- nothing obeys what it reads ----------------------------------------------------------------


def is_obeyed(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def obeyed(text: str) -> set[str]:
    return {c for c in text if is_obeyed(c) and c != "\n"}


@pytest.fixture
def hostile(cli: CommandLine) -> CommandLine:
    """A store in which everything that may hold them holds characters that terminals obey."""
    evil_name = "a\u202eb\u2066\u200bc"
    for episode in ("e1", f"e\u202e2{evil_name}"):
        capture(cli, episode, EVIL)
    words = {"subject": evil_name, "attribute": evil_name}
    more = ("--agent", evil_name, "--type", evil_name, "--reason", EVIL)
    value = json.dumps({EVIL: [EVIL]})
    assert write(cli, value, "2026-06-01", "e1", *more, **words).status == 0
    second = write(cli, json.dumps(EVIL), "2026-06-01", f"e\u202e2{evil_name}", *more, **words)
    assert second.status == 3
    cli.ok(
        "resolve", "a.db", second.document["conflict_id"], "--outcome", "standing",
        "--reason", EVIL,
    )  # fmt: skip
    return cli


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize(
    "words",
    [("read", "--history"), ("read",), ("log",), ("conflicts", "--all")],
    ids=lambda words: "-".join(words),
)
def test_no_content_reaches_the_terminal_as_a_command(
    hostile: CommandLine, words: tuple[str, ...], terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda _stream: terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "500")
    command, *more = words
    told = hostile.ok(command, *BASE, *more).out
    drawn = {"\x1b"} if terminal and command == "read" else set()
    assert obeyed(told) <= drawn
    assert "\x1b]" not in told
    assert "\x1b[2J" not in told
    assert "⟨U+202E⟩" in told
    lines = hostile.ok(command, *BASE, *more, "--json")
    assert obeyed(lines.out) == set()
    assert EVIL in every_string(lines.lines)


def every_string(value: object) -> str:
    if isinstance(value, dict):
        return "".join(every_string(k) + every_string(v) for k, v in value.items())
    if isinstance(value, list):
        return "".join(map(every_string, value))
    return value if isinstance(value, str) else ""


def test_no_error_obeys_what_it_quotes(cli: CommandLine) -> None:
    for words in (
        ("read", f"{EVIL}.db", "--tenant", "acme"),
        ("read", "a.db", "--tenant", EVIL),
        ("read", "a.db", "--tenant", "acme", "--valid-at", EVIL),
        ("write", "a.db", "--value", EVIL),
        ("resolve", "a.db", EVIL, "--outcome", EVIL, "--reason", "r"),
        (EVIL,),
        ("read", f"--{EVIL}"),
        ("read", "a.db", "--tenant", "acme", "--valid-at", "9" * 100_000),
    ):
        said = cli(*words)
        assert said.status in (1, 2)
        assert obeyed(said.err) == set()
        assert said.err.count("\n") == 1
        assert len(said.err) < 2500


def test_values_are_cut_for_people_and_whole_for_programs(cli: CommandLine) -> None:
    capture(cli, "e1")
    write(cli, json.dumps("x" * 100_000), "2026-06-01", "e1")
    assert len(cli.ok("read", *BASE).out) < 1000
    assert len(cli.ok("read", *BASE, "--json").lines[0]["value"]) == 100_000


def test_columns_line_up_under_wide_letters(cli: CommandLine) -> None:
    from rich.cells import cell_len

    capture(cli, "e1")
    write(cli, '"東京"', "2026-06-01", "e1")
    write(cli, '"Rome"', "2026-06-01", "e1", subject="鈴木")
    head, *rows = cli.ok("read", *BASE).out.splitlines()
    places = {cell_len(row[: row.index("2026-06-01")]) for row in rows}
    assert places == {head.index("VALID")}


def test_a_narrow_terminal_gets_paragraphs_and_whole_identifiers(
    cli: CommandLine, example: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda _stream: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    told = cli.ok("read", *BASE).out
    assert told == (
        f'●  mira  {DEADLINE}  "2026-06-30"\n'
        f"     valid 2026-06-03T10:00Z → open · source e2\n     fact {example[1]}\n"
    )
    monkeypatch.setenv("COLUMNS", "200")
    head, row = cli.ok("read", *BASE).out.splitlines()
    assert "ATTRIBUTE" in head
    assert example[1] in row


def test_a_cut_text_has_an_ellipsis_within_the_limit() -> None:
    assert output.shown("a" * 10, 5) == "aaaa…"
    assert output.shown("\x00" * 10, 8) == "⟨U+0000…"
