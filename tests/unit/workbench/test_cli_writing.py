"""The commands that write, on stores in memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from store.model import EpisodeKind, Resolution
from workbench import cli as command_line

if TYPE_CHECKING:
    from tests.unit.workbench.conftest import CommandLine, Said

BASE = ("a.db", "--tenant", "acme")
SOME_ID = "01900000-0000-7000-8000-000000000000"


def capture(cli: CommandLine, *identities: str) -> None:
    for identity in identities:
        said = cli(
            "episode", *BASE, "--id", identity, "--kind", "message",
            "--occurred-at", "2026-06-01T09:00Z", "--content", f"This is {identity}.",
        )  # fmt: skip
        assert said.status == 0, said


def write(
    cli: CommandLine, value: str, valid_from: str, episode: str, *more: str, attribute: str = "tier"
) -> Said:
    return cli(
        "write", *BASE, "--subject", "mira", "--attribute", attribute, "--value", value,
        "--valid-from", valid_from, "--episode", episode, "--json", *more,
    )  # fmt: skip


def read(cli: CommandLine, *more: str) -> list[dict]:
    return cli.ok("read", *BASE, "--json", *more).lines


@pytest.fixture
def gold(cli: CommandLine) -> str:
    """The id of a fact: mira's tier is gold from 1 June."""
    capture(cli, "e1", "e2", "e3")
    return write(cli, '"gold"', "2026-06-01", "e1").document["memory_id"]


@pytest.fixture
def conflict(cli: CommandLine, gold: str) -> str:
    """The id of a conflict: e2 says that it is silver from the same day."""
    return write(cli, '"silver"', "2026-06-01", "e2").document["conflict_id"]


# -- episode ------------------------------------------------------------------------------------


def test_an_episode_makes_the_store_and_says_so(cli: CommandLine) -> None:
    said = cli(
        "episode", *BASE, "--id", "e1", "--kind", "ticket", "--occurred-at", "2026-06-01",
        "--agent", "support", "--session", "s1", "--content", "Ñandú 🦤", "--json",
    )  # fmt: skip
    assert said.status == 0
    assert said.err == "Made the store a.db, which was not there.\n"
    assert said.document == {
        "outcome": "applied",
        "memory_id": None,
        "conflict_id": None,
        "episode_id": "e1",
        "transaction": 1,
        "reason": "The episode is captured.",
        "plan": {"closed": [], "inserted": []},
    }
    kept = cli.stores["a.db"]._tenants["acme"].episodes["e1"]
    assert (kept.draft.content, kept.draft.session_id) == ("Ñandú 🦤", "s1")
    assert (kept.draft.kind, kept.agent_id) == (EpisodeKind.TICKET, "support")


def test_an_episode_may_come_from_a_file_exactly_as_it_is(cli: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "mail.md"
    file.write_bytes("One\r\ntwo — \u202ethree\n".encode())
    said = cli(
        "episode", *BASE, "--id", "e1", "--kind", "file", "--occurred-at", "2026-06-01",
        "--file", str(file),
    )  # fmt: skip
    assert said.status == 0
    draft = cli.stores["a.db"]._tenants["acme"].episodes["e1"].draft
    assert draft.content == "One\r\ntwo — \u202ethree\n"
    assert draft.metadata == {"file": "mail.md"}


def test_an_episode_that_is_known_is_done(cli: CommandLine) -> None:
    capture(cli, "e1", "e1")
    assert len(cli.ok("log", *BASE, "--json").lines) == 1


def test_an_id_that_is_taken_is_rejected(cli: CommandLine) -> None:
    capture(cli, "e1")
    said = cli(
        "episode", *BASE, "--id", "e1", "--kind", "message", "--occurred-at", "2026-06-01",
        "--content", "Something else", "--json",
    )  # fmt: skip
    assert said.status == 1
    assert said.document["outcome"] == "rejected"
    assert "taken by another episode" in said.err


@pytest.mark.parametrize("which", [(), ("--content", "a", "--file", "b")])
def test_content_comes_one_way(cli: CommandLine, which: tuple[str, ...]) -> None:
    said = cli(
        "episode", *BASE, "--id", "e1", "--kind", "message", "--occurred-at", "2026-06-01", *which
    )
    assert said.status == 2
    assert "either with --content or with --file" in said.err
    assert cli.stores == {}


def test_a_file_that_is_not_text_or_not_there_makes_no_store(
    cli: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "photo.jpg"
    file.write_bytes(b"\xff\xd8\xff")
    words = ("--id", "e1", "--kind", "file", "--occurred-at", "2026-06-01", "--file")
    said = cli("episode", *BASE, *words, str(file))
    assert (said.status, cli.stores) == (1, {})
    assert "is not text in UTF-8 (byte 0)" in said.err
    said = cli("episode", *BASE, *words, str(tmp_path / "none.md"))
    assert (said.status, cli.stores) == (1, {})
    assert "none.md: No such file or directory." in said.err


def test_the_kinds_and_outcomes_are_those_of_the_record() -> None:
    assert get_args(command_line.Kind) == tuple(kind.value for kind in EpisodeKind)
    assert get_args(command_line.Outcome) == tuple(it.value for it in Resolution)


# -- write --------------------------------------------------------------------------------------


def test_a_write_says_what_it_closed_and_inserted(cli: CommandLine, gold: str) -> None:
    said = write(cli, '"platinum"', "2026-07-01T00:00+02:00", "e2")
    document = said.document
    assert said.status == 0
    assert document["outcome"] == "applied"
    assert document["transaction"] == 5
    assert document["conflict_id"] is None
    assert document["memory_id"] not in (None, gold)
    place = {"subject": "mira", "attribute": "tier", "owner": "", "slot": ""}
    was = {"memory_id": gold, **place, "value": "gold", "valid_from": "2026-06-01T00:00:00Z"}
    assert document["plan"] == {
        "closed": [{**was, "valid_to": None}],
        "inserted": [
            {**was, "valid_to": "2026-06-30T22:00:00Z"},
            {
                "memory_id": document["memory_id"],
                **place,
                "value": "platinum",
                "valid_from": "2026-06-30T22:00:00Z",
                "valid_to": None,
            },
        ],
    }


def test_known_and_corroborated_are_done(cli: CommandLine, gold: str) -> None:
    known = write(cli, '"gold"', "2026-06-01", "e1")
    assert (known.status, known.document["outcome"]) == (0, "known")
    assert (known.document["transaction"], known.document["memory_id"]) == (None, gold)
    again = write(cli, '"gold"', "2026-06-01", "e2")
    assert (again.status, again.document["outcome"]) == (0, "corroborated")
    assert again.document["memory_id"] == gold


def test_a_queued_conflict_has_its_own_status(cli: CommandLine, gold: str) -> None:
    said = write(cli, '"silver"', "2026-06-01", "e2")
    assert said.status == 3
    assert said.err == ""
    assert said.document["outcome"] == "conflict"
    assert said.document["conflict_id"]
    known = write(cli, '"silver"', "2026-06-01", "e2")
    assert (known.status, known.document["outcome"]) == (0, "known")


def test_a_missing_episode_is_rejected(cli: CommandLine) -> None:
    capture(cli, "e1")
    said = write(cli, "1", "2026-06-01", "e9")
    assert said.status == 1
    assert said.document["outcome"] == "rejected"
    assert said.document["plan"] == {"closed": [], "inserted": []}
    assert said.document["reason"] in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("typed", "more", "precision", "instant", "stated"),
    [
        ("2026", (), "year", "2026-01-01T00:00:00Z", None),
        ("2026-06", (), "month", "2026-06-01T00:00:00Z", None),
        ("2026-06-01", (), "day", "2026-06-01T00:00:00Z", None),
        ("2026-06-01T09:00Z", (), "minute", "2026-06-01T09:00:00Z", None),
        ("2026-06-01T09:00:00.25Z", (), "instant", "2026-06-01T09:00:00.250000Z", None),
        ("2026-06-01T09:00+02:00", (), "minute", "2026-06-01T07:00:00Z", "2026-06-01T09:00+02:00"),
        (
            "2026-06-01",
            ("--zone", "Europe/Madrid"),
            "day",
            "2026-05-31T22:00:00Z",
            "2026-06-01 Europe/Madrid",
        ),
        (
            "2026-06-01T09:00",
            ("--zone", "-03:30"),
            "minute",
            "2026-06-01T12:30:00Z",
            "2026-06-01T09:00 -03:30",
        ),
    ],
)
def test_what_was_typed_says_how_exact_it_is(
    cli: CommandLine, typed: str, more: tuple[str, ...], precision: str, instant: str, stated: str
) -> None:
    capture(cli, "e1")
    assert write(cli, "true", typed, "e1", *more).status == 0
    (row,) = next(iter(cli.stores["a.db"]._tenants["acme"].rows.values()))
    assert row.content is not None
    assert (row.content.precision, row.content.stated_as) == (precision, stated)
    assert read(cli, "--history")[0]["valid_from"] == instant


def test_all_fields_reach_the_record(cli: CommandLine) -> None:
    capture(cli, "e1")
    said = write(
        cli, '{"b": [1, null], "a": "ü"}', "2026-06-01", "e1", "--valid-to", "2026-07-01",
        "--span", "0:4", "--confidence", "0.25", "--type", "profile", "--agent", "support",
        "--reason", "because",
    )  # fmt: skip
    assert said.status == 0
    (fact,) = read(cli, "--valid-at", "2026-06-15")
    assert fact["value"] == {"b": [1, None], "a": "ü"}
    assert (fact["valid_from"], fact["valid_to"]) == (
        "2026-06-01T00:00:00Z",
        "2026-07-01T00:00:00Z",
    )
    assert (fact["confidence"], fact["memory_type"]) == (0.25, "profile")
    assert (fact["agent_id"], fact["source_episode_id"]) == ("support", "e1")
    assert fact["evidence"] == [{"episode_id": "e1", "span": {"start": 0, "end": 4}}]
    assert cli.ok("log", *BASE, "--limit", "1", "--json").lines[0]["reason"] == "because"


# -- acts on a fact -----------------------------------------------------------------------------


def test_correct_changes_value_beginning_and_end(cli: CommandLine, gold: str) -> None:
    said = cli.ok(
        "correct", "a.db", gold, "--value", '"silver"', "--valid-from", "2026-05-01",
        "--episode", "e2", "--reason", "misread", "--json",
    )  # fmt: skip
    assert said.document["outcome"] == "applied"
    (fact,) = read(cli)
    assert (fact["value"], fact["valid_from"]) == ("silver", "2026-05-01T00:00:00Z")
    words = ("--episode", "e2", "--reason", "r")
    cli.ok("correct", "a.db", gold, "--valid-to", "2026-06-10", *words)
    assert read(cli, "--valid-at", "2026-06-10") == []
    cli.ok("correct", "a.db", gold, "--valid-to", "open", "--row", "2026-05-01", *words)
    assert read(cli)[0]["valid_to"] is None


def test_end_retract_and_confirm(cli: CommandLine, gold: str) -> None:
    words = ("--episode", "e2")
    cli.ok("confirm", "a.db", gold, *words, "--span", "0:4", "--tenant", "acme")
    assert read(cli)[0]["evidence"][1] == {"episode_id": "e2", "span": {"start": 0, "end": 4}}
    cli.ok("end", "a.db", gold, "--at", "2026-06-05", *words, "--reason", "left")
    assert read(cli) == []
    later = write(cli, '"bronze"', "2026-07-01", "e3").document["memory_id"]
    cli.ok("retract", "a.db", later, *words, "--reason", "a joke", "--json")
    assert read(cli) == []
    other = write(cli, '"tin"', "2026-06-02", "e3").document["memory_id"]
    cli.ok("retract", "a.db", other, "--gap", *words, "--reason", "neither")
    assert read(cli, "--valid-at", "2026-06-03") == []


def test_a_collision_is_refused_with_what_stands_in_the_way(cli: CommandLine, gold: str) -> None:
    words = ("--episode", "e2", "--reason", "r")
    said = cli("end", "a.db", gold, "--at", "2026-01-01", *words, "--json")
    assert said.status == 1
    assert said.document["outcome"] == "rejected"
    assert said.err.startswith("memory-workbench: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("act", ["correct", "end", "retract", "confirm", "resolve"])
def test_an_id_names_its_tenant_and_a_tenant_is_checked(
    cli: CommandLine, gold: str, conflict: str, act: str
) -> None:
    reason = ("--reason", "r")
    words = {
        "correct": ("--value", "1", "--episode", "e2", *reason),
        "end": ("--at", "2026-06-09", "--episode", "e2", *reason),
        "retract": ("--episode", "e2", *reason),
        "confirm": ("--episode", "e2"),
        "resolve": ("--outcome", "standing", *reason),
    }[act]
    identity = conflict if act == "resolve" else gold
    said = cli(act, "a.db", identity, *words, "--tenant", "beta")
    assert (said.status, said.out) == (1, "")
    assert said.err == (f"memory-workbench: Tenant beta has no fact or conflict {identity}.\n")
    assert cli(act, "a.db", SOME_ID, *words).status == 1
    assert cli(act, "a.db", identity, *words, "--tenant", "acme").status == 0


def test_revert_undoes_and_is_undone(cli: CommandLine, gold: str) -> None:
    words = ("--tenant", "acme", "--reason", "r")
    cli.ok("revert", "a.db", "4", *words)
    assert read(cli) == []
    cli.ok("revert", "a.db", "5", *words, "--json")
    assert read(cli)[0]["memory_id"] == gold
    said = cli("revert", "a.db", "99", *words)
    assert said.status == 1
    assert "There is no transaction 99 in tenant acme." in said.err


# -- resolve ------------------------------------------------------------------------------------


def resolve(cli: CommandLine, conflict: str, outcome: str, *more: str) -> Said:
    return cli("resolve", "a.db", conflict, "--outcome", outcome, "--reason", "asked", *more)


@pytest.mark.parametrize(
    ("outcome", "more", "values"),
    [
        ("incoming", (), {"silver"}),
        ("standing", (), {"gold"}),
        ("merge", ("--value", '"electrum"'), {"electrum"}),
        ("both", (), {"gold", "silver"}),
        ("both", ("--qualifier", "card"), {"gold", "silver"}),
        ("move", ("--at", "2026-07-01"), {"silver"}),
        ("move", ("--at", "2026-05-01"), {"gold"}),
        ("move", ("--standing", "--at", "2026-07-01"), {"gold"}),
        ("move", ("--at", "2026-05-01", "--to", "2026-05-20"), {"gold"}),
        ("defer", (), {"gold"}),
    ],
)
def test_every_outcome(
    cli: CommandLine, conflict: str, outcome: str, more: tuple[str, ...], values: set[str]
) -> None:
    said = resolve(cli, conflict, outcome, *more)
    assert (said.status, said.err) == (0, "")
    assert {fact["value"] for fact in read(cli)} == values
    left = [] if outcome != "defer" else [conflict]
    assert [it["conflict_id"] for it in cli.ok("conflicts", *BASE, "--json").lines] == left


def test_a_claim_is_named_where_several_wait(cli: CommandLine, conflict: str) -> None:
    write(cli, '"tin"', "2026-06-01", "e3")
    said = resolve(cli, conflict, "incoming")
    assert said.status == 1
    assert "2 claims wait here" in said.err
    (found,) = cli.ok("conflicts", *BASE, "--json").lines
    tin = next(claim for claim in found["incoming"] if claim["value"] == "tin")
    assert resolve(cli, conflict, "incoming", "--claim", tin["claim_id"]).status == 0
    assert read(cli)[0]["value"] == "tin"


def test_a_settled_conflict_is_not_settled_again(cli: CommandLine, conflict: str) -> None:
    resolve(cli, conflict, "standing")
    said = resolve(cli, conflict, "incoming")
    assert said.status == 1
    assert "was settled in transaction 6" in said.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("incoming", "--value", "1"), "--outcome merge only"),
        (("incoming", "--at", "2026"), "--outcome move only"),
        (("incoming", "--to", "open"), "--outcome move only"),
        (("both", "--standing"), "--outcome move only"),
        (("move", "--at", "2026", "--qualifier", "q"), "--outcome both only"),
        (("move",), "takes the real beginning"),
        (("merge",), "takes the merged value"),
        (("perhaps",), "is not one of"),
    ],
)
def test_options_of_other_outcomes_are_a_wrong_call(
    cli: CommandLine, words: tuple[str, ...], said: str
) -> None:
    answer = resolve(cli, SOME_ID, *words)
    assert answer.status == 2
    assert said in answer.err
