"""The command that imports, into stores in memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from workbench.commands import importing

if TYPE_CHECKING:
    from tests.unit.workbench.conftest import CommandLine, Said

COLUMNS = "subject=who,attribute=what,value=is,valid_from=since,valid_to=till"
TABLE = """who,what,is,since,till
mira,city,Lisbon,2020,2023
mira,city,Porto,2024,
nuno,city,Faro,?,
nuno,spouse,Ana,2019-05-01,now
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    file.write_text(TABLE, encoding="utf-8")
    return file


def imported(cli: CommandLine, file: Path, *more: str) -> Said:
    return cli(
        "import", "table", str(file), "a.db", "--tenant", "acme", "--map", COLUMNS,
        "--open", "now", "--unknown", "?", *more,
    )  # fmt: skip


def facts(cli: CommandLine, *more: str) -> dict[str, tuple[object, str, str | None]]:
    lines = cli.ok("read", "a.db", "--tenant", "acme", "--history", "--json", *more).lines
    return {
        f"{line['subject']} {line['value']}": (
            line["attribute"], line["valid_from"][:10], line["valid_to"] and line["valid_to"][:10]
        )
        for line in lines
    }  # fmt: skip


def test_a_table_is_imported_and_known_the_second_time(cli: CommandLine, table: Path) -> None:
    said = imported(cli, table, "--end-inclusive", "--json")
    assert said.status == 0
    assert said.err == "Made the store a.db, which was not there.\n"
    report = said.document
    assert (report["read"], report["written"], report["skipped_count"]) == (4, 3, 0)
    assert sum(report["without_fact"].values()) == 1
    assert facts(cli) == {
        "mira Lisbon": ("city", "2020-01-01", "2024-01-01"),
        "mira Porto": ("city", "2024-01-01", None),
        "nuno Ana": ("spouse", "2019-05-01", None),
    }
    again = imported(cli, table, "--end-inclusive", "--json").document
    assert (again["written"], again["known"], again["transactions"]) == (0, 3, None)


def test_a_dry_run_writes_and_makes_nothing(cli: CommandLine, table: Path) -> None:
    said = imported(cli, table, "--dry-run", "--json")
    assert said.status == 0
    assert said.err == "The store a.db is not there; it would be made.\n"
    assert (said.document["dry_run"], said.document["written"]) == (True, 3)
    assert cli.stores == {}
    imported(cli, table)
    assert imported(cli, table, "--dry-run", "--json").document["known"] == 3


def test_conflicts_have_their_status_and_many_values_have_none(
    cli: CommandLine, table: Path
) -> None:
    table.write_text(TABLE + "mira,city,Braga,2020,2023\n", encoding="utf-8")
    assert imported(cli, table, "--dry-run").status == 0
    said = imported(cli, table, "--json")
    assert (said.status, said.document["conflicts"]) == (3, 1)
    cli.stores.clear()
    said = imported(cli, table, "--many", "*", "--single", "spouse", "--json")
    assert (said.status, said.document["conflicts"]) == (0, 0)
    assert said.document["registered"] == ["city"]


def test_a_broken_row_stops_all_or_is_skipped(cli: CommandLine, table: Path) -> None:
    table.write_text(TABLE + "mira,city,Braga,soon,\n", encoding="utf-8")
    said = imported(cli, table)
    assert (said.status, said.out) == (1, "")
    assert "people.csv, line 6: " in said.err
    assert "Nothing was written" in said.err
    assert facts(cli) == {}
    said = imported(cli, table, "--on-error", "skip", "--json")
    assert (said.status, said.err) == (0, "")
    assert (said.document["written"], said.document["skipped_count"]) == (3, 1)
    assert said.document["skipped"][0]["line"] == 6
    told = imported(cli, table, "--on-error", "skip").out
    assert "3 are known" in told or "3 were known" in told
    assert "people.csv, line 6: " in told


def test_ids_are_looked_up_in_a_zone(cli: CommandLine, tmp_path: Path) -> None:
    table, lookup = tmp_path / "t.tsv", tmp_path / "names.txt"
    table.write_text("0\t7\t2020-01-01\n", encoding="utf-8")
    lookup.write_text("mira\t0\n", encoding="utf-8")
    said = cli(
        "import", "table", str(table), "a.db", "--tenant", "acme", "--zone", "Europe/Madrid",
        "--map", "subject=0,value=1", "--map", "valid_from=2", "--lookup", f"subject={lookup}",
    )  # fmt: skip
    assert said.status == 1, said
    assert "attribute" in said.err
    table.write_text("0\tage\t7\t2020-01-01\n", encoding="utf-8")
    said = cli(
        "import", "table", str(table), "a.db", "--tenant", "acme", "--zone", "Europe/Madrid",
        "--map", "subject=0,attribute=1,value=2", "--map", "valid_from=3", "--json-values",
        "--no-header", "--lookup", f"subject={lookup}", "--agent", "importer",
    )  # fmt: skip
    assert said.status == 0, said
    (fact,) = cli.ok("read", "a.db", "--tenant", "acme", "--json").lines
    assert (fact["subject"], fact["value"], fact["agent_id"]) == ("mira", 7, "importer")
    assert fact["valid_from"] == "2019-12-31T23:00:00Z"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--map", "subject"), "is not of the form"),
        (("--map", "subject=0"), "Say which columns hold value and valid_from"),
        (("--map", "colour=0,subject=0,value=1,valid_from=2"), "No field is called 'colour'"),
        (("--map", COLUMNS, "--lookup", "x"), "--lookup: 'x' is not of the form"),
        (("--map", COLUMNS, "--lookup", "confidence=f"), "no column of 'confidence'"),
        (("--map", COLUMNS, "--many", "a", "--single", "a"), "both single-valued and multi"),
        ((), "Say which columns hold"),
        (("--on-error", "explode"), "--on-error"),
    ],
)
def test_a_wrong_mapping_is_a_wrong_call(
    cli: CommandLine, table: Path, words: tuple[str, ...], said: str
) -> None:
    answer = cli("import", "table", str(table), "a.db", "--tenant", "acme", *words)
    assert answer.status == 2
    assert said in answer.err
    assert cli.stores == {}


@pytest.mark.parametrize(
    "words",
    [
        ("--map", "a=0"), ("--lookup", "a=b"), ("--many", "*"), ("--single", "a"),
        ("--open", "x"), ("--unknown", "x"), ("--end-inclusive",), ("--header",),
        ("--no-header",), ("--json-values",),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_options_of_tables_are_for_tables(
    cli: CommandLine, tmp_path: Path, words: tuple[str, ...]
) -> None:
    said = cli("import", "zeroclaw", str(tmp_path), "a.db", "--tenant", "acme", *words)
    assert said.status == 2
    assert "It goes with import table only." in said.err


def test_a_workspace_of_zeroclaw(cli: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "MEMORY.md").write_text("- **city**: Lisbon\n", encoding="utf-8")
    said = cli("import", "zeroclaw", str(tmp_path), "a.db", "--tenant", "acme", "--json")
    assert said.status == 0, said
    assert said.document["written"] == 1
    (fact,) = cli.ok("read", "a.db", "--tenant", "acme", "--json").lines
    assert (fact["attribute"], fact["value"]) == ("city", "Lisbon")


def test_a_source_that_is_not_there_makes_no_store(cli: CommandLine, tmp_path: Path) -> None:
    for kind, more in (("zeroclaw", ()), ("table", ("--map", COLUMNS))):
        said = cli("import", kind, str(tmp_path / "none"), "a.db", "--tenant", "acme", *more)
        assert said.status == 1
        assert "There is nothing at" in said.err
    assert cli("import", "excel", "x", "a.db", "--tenant", "acme").status == 2
    assert cli.stores == {}


def test_a_source_that_is_something_else_makes_no_store(cli: CommandLine, tmp_path: Path) -> None:
    said = cli("import", "zeroclaw", str(tmp_path), "new.db", "--tenant", "acme")
    assert said.status == 1
    assert "ZeroClaw" in said.err
    folder = cli("import", "table", str(tmp_path), "new.db", "--tenant", "acme", "--map", COLUMNS)
    assert folder.status == 1
    assert "is not an ordinary file" in folder.err
    assert cli.stores == {}


def test_an_interrupted_import_reports_what_stayed(
    cli: CommandLine, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importing.run_import

    def interrupted(*words: object, **more: object) -> object:
        more["cancel"].cancel()  # type: ignore[attr-defined]
        return real(*words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(importing, "run_import", interrupted)
    said = imported(cli, table, "--json")
    assert said.status == 130
    assert (said.document["cancelled"], said.document["written"]) == (True, 0)
    assert "what was committed before stays" in imported(cli, table).out
