from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from store.contract import Scope, Store
from store.errors import Invalid, NotFound
from store.importers import ImportReport, OnError, Reading, run_import
from store.importers.records import Form
from store.importers.table import TableImporter, TableOptions, names, pairs, read_lookup
from store.model import Cardinality, EpisodeDraft, EpisodeKind
from store.open import open_store
from store.query import FactQuery
from store.temporal import Basis, Precision
from store.write import Capture

if TYPE_CHECKING:
    from collections.abc import Iterator

SCOPE = Scope("acme")
FIVE = {"subject": "0", "attribute": "1", "value": "2", "valid_from": "3", "valid_to": "4"}


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store("memory:") as opened:
        yield opened


def load(
    store: Store,
    file: Path,
    content: str | bytes | None = None,
    *,
    on_error: OnError = OnError.SKIP,
    **options: Any,
) -> ImportReport:
    if content is not None:
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    options.setdefault("columns", FIVE)
    return run_import(store, SCOPE, TableImporter(file, TableOptions(**options)), on_error=on_error)


def history(store: Store) -> list[tuple[str, object, str, str]]:
    facts = store.facts(SCOPE, FactQuery(history=True)).items
    return [
        (
            f.attribute,
            f.value,
            f.valid_from.date().isoformat(),
            f.valid_to.date().isoformat() if f.valid_to else "",
        )
        for f in facts
    ]


def test_years_are_periods_and_an_end_year_can_be_meant_through(
    store: Store, tmp_path: Path
) -> None:
    rows = "mira\tcity\tLisbon\t1926\t1929\nmira\tcity\tPorto\t1930\t3000\n"
    options = {"open_tokens": frozenset({"3000"}), "end_inclusive": True}
    report = load(store, tmp_path / "t.tsv", rows, **options)
    assert report.written == 2
    assert history(store) == [
        ("city", "Lisbon", "1926-01-01", "1930-01-01"),
        ("city", "Porto", "1930-01-01", ""),
    ]
    first = store.facts(SCOPE, FactQuery(history=True)).items[0]
    assert first.precision is Precision.YEAR
    assert first.valid_from_basis is Basis.STATED
    assert first.stated_as == "1926/1929"
    assert first.until == datetime(1930, 1, 1, tzinfo=UTC)


def test_without_it_an_end_year_is_where_it_stops(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path / "t.tsv", "mira\tcity\tLisbon\t1926\t1929\n")
    assert history(store) == [("city", "Lisbon", "1926-01-01", "1929-01-01")]


@pytest.mark.parametrize(
    ("start", "end", "until", "precision"),
    [
        ("2026-02", "2026-02", "2026-03-01T00:00+01:00", Precision.MONTH),
        ("2026-03", "2026-03", "2026-04-01T00:00+02:00", Precision.MONTH),
        ("2026-03-29", "2026-03-29", "2026-03-30T00:00+02:00", Precision.DAY),
        ("2026", "2026", "2027-01-01T00:00+01:00", Precision.YEAR),
        ("2026-01-05T10:00", "2026-01-05T11:30Z", "2026-01-05T11:31Z", Precision.MINUTE),
        ("2026-01-05T10:00:00", "2026-01-05T11:30:00.25Z", "2026-01-05T11:30:00.25Z", "instant"),
    ],
)
def test_periods_end_by_the_calendar_of_the_zone(
    store: Store, tmp_path: Path, start: str, end: str, until: str, precision: str
) -> None:
    zone = ZoneInfo("Europe/Berlin")
    row = f"mira,city,Berlin,{start},{end}\n"
    report = load(store, tmp_path / "t.csv", row, zone=zone, end_inclusive=True)
    assert report.written == 1, report.skipped
    (fact,) = store.facts(SCOPE, FactQuery(history=True)).items
    assert fact.until == datetime.fromisoformat(until)
    assert fact.precision == precision


def test_unknown_beginnings_leave_an_episode_and_unknown_ends_a_fact(
    store: Store, tmp_path: Path
) -> None:
    rows = "a,x,1,0,1990\nb,x,1,,\nc,x,1,1980,0\nd,x,1,1980,\n"
    report = load(store, tmp_path / "t.csv", rows, unknown_tokens=frozenset({"0"}))
    assert (report.read, report.episodes, report.written) == (4, 4, 2)
    assert report.without_fact == {"rows whose beginning is unknown": 2}
    assert report.skipped_count == 0
    assert report.notes == ("Written without an end, which is unknown: 1.",)
    assert [row[3] for row in history(store)] == ["", ""]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("m,x,1,98,", "the year 98"),
        ("m,x,1,-44,", "the year -44"),
        ("m,x,1,-0044-03-15,", "the year -0044-03-15"),
        ("m,x,1,12026,", "the year 12026"),
        ("m,x,1,0000,", "not a time"),
        ("m,x,1,19x6,", "not a time"),
        ("m,x,1,2026-13,", "not a time"),
        ("m,x,1,2026-01-01T10:00,", "no offset"),
        ("m,x,1,1930,1929", "before it holds"),
        ("m,x,1,1930,1930", "inclusively"),
        ("m,x,1,1930,soon", "not a time"),
        (",x,1,1930,", "subject"),
        ("m,,1,1930,", "attribute"),
        ("m,x\x07y,1,1930,", "control characters"),
        (f"{'m' * 300},x,1,1930,", "255 characters"),
        ("m,x,1,1930", "4 columns, where 5 belong"),
        ("m,x,1,1930,,", "6 columns"),
        ('m,x,"1,1930,', "quotation mark"),
    ],
)
def test_what_cannot_be_taken_is_skipped_with_its_line(
    store: Store, tmp_path: Path, row: str, said: str
) -> None:
    content = f"good,x,1,1926,\n{row}\nalso good,x,1,1926,\n"
    report = load(store, tmp_path / "t.csv", content)
    assert report.written == 2
    assert report.skipped_count == 1
    assert report.skipped[0].place.line == 2
    assert said in report.skipped[0].reason
    before = store.head(SCOPE)
    stopped = load(store, tmp_path / "t.csv", on_error=OnError.STOP)
    assert stopped.refused
    assert "t.csv, line 2: " in stopped.refusal
    assert store.head(SCOPE) == before


def test_the_last_year_cannot_be_meant_through(store: Store, tmp_path: Path) -> None:
    report = load(store, tmp_path / "t.csv", "m,x,1,1930,9999\n", end_inclusive=True)
    assert "after the year 9999" in report.skipped[0].reason


def test_columns_by_name_take_the_first_line_for_the_header(store: Store, tmp_path: Path) -> None:
    content = "\ufeffWho;Where;Since;Mail\nmira;Porto;2026-06-01;m@x\n"
    columns = {"subject": "Who", "value": "Where", "valid_from": "Since"}
    report = load(store, tmp_path / "people.csv", content, columns=columns)
    assert history(store) == [("Where", "Porto", "2026-06-01", "")]
    assert report.dropped == {"Mail": 1}
    assert report.notes == ("Line 1 was read as the header.",)


def test_a_header_over_numbered_columns_is_noticed(store: Store, tmp_path: Path) -> None:
    content = "who\twhat\tvalue\tfrom\tto\nm\tx\t1\t1926\t\n"
    report = load(store, tmp_path / "t.tsv", content)
    assert (report.read, report.written, report.skipped_count) == (1, 1, 0)
    assert report.notes == ("Line 1 was read as the header.",)


@pytest.mark.parametrize(("has_header", "read"), [(True, 1), (False, 2), (None, 2)])
def test_whether_there_is_a_header_can_be_said(
    store: Store, tmp_path: Path, has_header: bool | None, read: int
) -> None:
    content = "m,x,1,1926,\nn,x,1,1927,\n"
    assert load(store, tmp_path / "t.csv", content, has_header=has_header).read == read


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"subject": "Who", "value": "1", "valid_from": "2"}, "no column 'Who'; there are a, b, b"),
        ({"subject": "a", "value": "b", "valid_from": "c"}, "several columns called 'b'"),
        ({"subject": "a", "value": "1", "valid_from": "9"}, "no column 9; it has 4"),
    ],
)
def test_columns_that_are_not_there_are_named(
    store: Store, tmp_path: Path, columns: dict[str, str], said: str
) -> None:
    with pytest.raises(Invalid, match=said):
        load(store, tmp_path / "t.csv", "a,b,b,c\nm,x,1,1926\n", columns=columns)
    assert store.head(SCOPE).number == 0


def test_names_need_a_header(store: Store, tmp_path: Path) -> None:
    columns = {"subject": "Who", "value": "1", "valid_from": "2"}
    with pytest.raises(Invalid, match="no column 'Who'; there are numbers from 0 to 2"):
        load(store, tmp_path / "t.csv", "m,x,1926\n", columns=columns, has_header=False)


def test_json_lines_keep_values_as_they_are(store: Store, tmp_path: Path) -> None:
    rows = [
        {"s": "m", "a": "size", "v": {"w": [1, None]}, "from": 1926},
        {"s": "m", "a": "note", "v": None, "from": "2026-06-01", "extra": 1},
        {"s": "m", "a": "gone", "from": "2026-06-01"},
        {"s": ["m"], "a": "bad", "v": 1, "from": "2026"},
        {"s": "m", "a": "bad", "v": 1, "from": True},
        {"s": "m", "a": "big", "v": 2**60, "from": "2026"},
    ]
    columns = {"subject": "s", "attribute": "a", "value": "v", "valid_from": "from"}
    content = "".join(json.dumps(row) + "\n" for row in rows)
    report = load(store, tmp_path / "t.jsonl", content, columns=columns)
    assert [row[:2] for row in history(store)] == [("note", None), ("size", {"w": [1, None]})]
    assert report.without_fact == {"rows without a value": 1}
    assert [skipped.place.line for skipped in report.skipped] == [4, 5, 6]
    assert report.dropped == {"extra": 1}


def test_json_lines_may_be_lists(store: Store, tmp_path: Path) -> None:
    report = load(store, tmp_path / "t.jsonl", '["m", "x", [1], 1926, null, "more"]\n["m"]\n')
    assert [row[:2] for row in history(store)] == [("x", [1])]
    assert report.dropped == {"column 5": 1}


def test_cells_can_be_json(store: Store, tmp_path: Path) -> None:
    content = 'm\tx\t{"a": 1}\t1926\t\nm\ty\tword\t1926\t\n'
    report = load(store, tmp_path / "t.tsv", content, json_values=True)
    assert [row[:2] for row in history(store)] == [("x", {"a": 1})]
    assert "Not JSON" in report.skipped[0].reason


def test_all_fields_can_be_mapped(store: Store, tmp_path: Path) -> None:
    content = (
        "m,x,1,1926,,profile,0.5,support,chat-7,scribe\n"
        "m,x,2,1927,,profile,1.5,,,\n"
        "m,x,3,1928,,profile,high,,,\n"
    )
    columns = {
        **FIVE,
        "memory_type": "5",
        "confidence": "6",
        "owner": "7",
        "episode": "8",
        "agent": "9",
    }
    report = load(store, tmp_path / "t.csv", content, columns=columns)
    (fact,) = store.facts(SCOPE, FactQuery(history=True)).items
    assert (fact.memory_type, fact.confidence, fact.owner) == ("profile", 0.5, "support")
    episode = store.episode(SCOPE, fact.source_episode_id)
    assert episode.agent_id == "scribe"
    assert episode.metadata == {"file": "t.csv", "line": 1, "episode": "chat-7"}
    assert ["confidence" in skipped.reason for skipped in report.skipped] == [True, True]


def test_a_row_that_names_a_captured_episode_cites_it(store: Store, tmp_path: Path) -> None:
    at = datetime(2026, 6, 1, tzinfo=UTC)
    draft = EpisodeDraft(
        episode_id="chat-7", kind=EpisodeKind.MESSAGE, content="I moved.", occurred_at=at
    )
    store.write(SCOPE, Capture(episode=draft))
    columns = {**FIVE, "episode": "5"}
    report = load(store, tmp_path / "t.csv", "m,x,1,1926,,chat-7\n", columns=columns)
    (fact,) = store.read(SCOPE, "m", "x")
    assert fact.source_episode_id == "chat-7"
    assert (report.episodes, report.written) == (0, 1)
    assert load(store, tmp_path / "t.csv", columns=columns).known == 1


def test_rows_are_known_again_wherever_they_moved_and_whenever(
    store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "t.csv"
    load(store, file, "m,x,1,1926,\nn,x,1,1926,\n")
    os.utime(file, (1, 1))
    report = load(store, file, "o,x,1,1926,\nn,x,1,1926,\nm,x,1,1926,\n")
    assert (report.known, report.written, report.episodes_known) == (2, 1, 2)


def test_a_repeated_row_is_one_observation(store: Store, tmp_path: Path) -> None:
    report = load(store, tmp_path / "t.csv", "m,x,1,1926,\nm,x,1,1926,\n")
    assert (report.episodes, report.episodes_known) == (1, 1)
    assert (report.written, report.known, report.corroborated) == (1, 1, 0)


def test_a_renamed_file_is_known_by_its_stated_name(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path / "old.csv", "m,x,1,1926,\n")
    new = tmp_path / "new.csv"
    (tmp_path / "old.csv").rename(new)
    assert load(store, new, source="old.csv").known == 1
    assert load(store, new).corroborated == 1


def test_the_episode_is_the_row_as_it_stands(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "naïve name.csv"
    file.write_bytes(b'm,x,"say ""hi""",1926,\r\n')
    os.utime(file, ns=(1_700_000_000_123_456_789,) * 2)
    before = file.read_bytes(), file.stat().st_mtime_ns
    load(store, file)
    (fact,) = store.read(SCOPE, "m", "x")
    episode = store.episode(SCOPE, fact.source_episode_id)
    assert episode.content == 'm,x,"say ""hi""",1926,'
    assert episode.kind is EpisodeKind.IMPORTED_ROW
    assert episode.occurred_at == datetime.fromtimestamp(1_700_000_000, UTC).replace(
        microsecond=123456
    )
    assert episode.episode_id.startswith("naïve_name.csv:")
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


@pytest.mark.parametrize(
    ("many", "single", "multi"),
    [
        ({"*"}, set(), {"x", "y"}),
        ({"*"}, {"y"}, {"x"}),
        ({"x"}, set(), {"x"}),
        (set(), {"x"}, set()),
    ],
)
def test_attributes_are_many_or_single_as_asked(
    store: Store, tmp_path: Path, many: set[str], single: set[str], multi: set[str]
) -> None:
    content = "m,x,1,1926,\nm,x,2,1926,\nm,y,1,1926,\nm,y,2,1926,\n"
    report = load(
        store, tmp_path / "t.csv", content, many=frozenset(many), single=frozenset(single)
    )
    found = {a.name for a in store.attributes(SCOPE) if a.cardinality is Cardinality.MULTI}
    assert found == multi
    assert set(report.registered) == multi
    assert report.conflicts == 2 - len(multi)


def test_ids_are_looked_up(store: Store, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("2\nMira Ferreira\t7\nPorto\t8\n")
    lookups = {"subject": tmp_path / "ids.txt", "value": tmp_path / "ids.txt"}
    report = load(
        store, tmp_path / "t.tsv", "7\tcity\t8\t1926\t\n9\tcity\t8\t1926\t\n", lookups=lookups
    )
    assert store.read(SCOPE, "Mira Ferreira", "city")[0].value == "Porto"
    assert report.skipped[0].reason == "subject: '9' has no name in ids.txt."


@pytest.mark.parametrize(
    "content",
    ["a b\t1\nc\t2\n", "1\ta b\n2\tc\n", "a b 1\nc 2\n", "1 a b\n2 c\n", "2\n\na b\t1\r\nc\t2"],
)
def test_lookup_files_may_be_in_either_order(tmp_path: Path, content: str) -> None:
    file = tmp_path / "ids.txt"
    file.write_bytes(content.encode())
    assert read_lookup(file) == {"1": "a b", "2": "c"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\t1\nb\t1\n", "line 2: 1 is called 'a' already"),
        (b"a\t1\nb\n", "line 2: there should be a name and an id"),
        (b"a\t1\tx\n", "line 1: there should be"),
        (b"a\t1\n\xff\t2\n", "line 2: the line is not text"),
    ],
)
def test_broken_lookup_files_are_refused_with_their_line(
    tmp_path: Path, content: bytes, said: str
) -> None:
    file = tmp_path / "ids.txt"
    file.write_bytes(content)
    with pytest.raises(Invalid, match=said):
        read_lookup(file)


def test_two_columns_of_numbers_are_name_then_id(tmp_path: Path) -> None:
    file = tmp_path / "ids.txt"
    file.write_text("10\t1\n20\t2\n")
    assert read_lookup(file) == {"1": "10", "2": "20"}


def test_missing_files_are_said_to_be_missing(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no file"):
        load(store, tmp_path / "none.csv")
    with pytest.raises(Invalid, match="not an ordinary file"):
        load(store, tmp_path)
    with pytest.raises(NotFound, match=r"ids\.txt"):
        load(store, tmp_path / "t.csv", "m,x,1,1926,\n", lookups={"value": tmp_path / "ids.txt"})


def test_a_file_that_changes_between_the_passes_is_not_imported(
    store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "t.csv"
    file.write_text("m,x,1,1926,\n")

    def change(done: int, total: int | None) -> None:
        if total is not None and done * 2 == total:
            file.write_text("m,x,2,1926,\nbroken\n")

    importer = TableImporter(file, TableOptions(columns=FIVE))
    with pytest.raises(Invalid, match="changed while it was read"):
        run_import(store, SCOPE, importer, progress=change)
    assert store.head(SCOPE).number == 0


def test_a_file_that_grows_while_it_is_read_is_said_to(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("m,x,1,1926,\n")
    importer = TableImporter(file, TableOptions(columns=FIVE))
    with importer:
        pieces = importer.pieces(Reading(store, SCOPE, cancel=None, looks_back=False))
        next(pieces)
        with file.open("a") as more:
            more.write("n,x,1,1926,\n")
        problems = [piece.problem for piece in pieces]
    assert problems[-1] == "the file changed while it was read; import it again."


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"columns": {"subject": "0", "value": "1"}}, "valid_from"),
        ({"columns": {**FIVE, "colour": "5"}}, "No field is called 'colour'"),
        ({"columns": FIVE, "lookups": {"owner": Path("x")}}, "no column of 'owner'"),
        ({"columns": FIVE, "lookups": {"valid_from": Path("x")}}, "valid_from"),
        ({"columns": FIVE, "many": {"x"}, "single": {"x"}}, "both"),
    ],
)
def test_options_that_contradict_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(Invalid, match=said):
        TableOptions(**options)


def test_options_are_read_from_words() -> None:
    assert pairs(["subject=0, value=2", "valid_from=a=b"]) == {
        "subject": "0",
        "value": "2",
        "valid_from": "a=b",
    }
    assert names(["a, b", "c"]) == {"a", "b", "c"}
    for wrong in ("subject", "=0", "subject=", "subject=0,subject=1", ""):
        with pytest.raises(Invalid):
            pairs([wrong])


def test_hostile_files_are_read_to_their_end(store: Store, tmp_path: Path) -> None:
    content = b"\n".join(
        [
            b"m,x,1,1926,",
            b"," * 1_000_000,
            b"y" * 3_000_000,
            b"m,x\0,1,1926,",
            b"m,\xff,1,1926,",
            b"m,x,1,99999999999999999999,",
            b"m,x,1,2026-06-31,",
            b"m,\xe2\x80\xaex,<script>,1926,",
            b'=cmd|" /C calc"!A0,x,1,1926,',
        ]
    )
    report = load(store, tmp_path / "t.csv", content)
    assert report.read == 9
    assert [skipped.place.line for skipped in report.skipped] == [2, 3, 4, 5, 6, 7]
    assert report.written == 3


def test_the_form_can_be_said(store: Store, tmp_path: Path) -> None:
    report = load(store, tmp_path / "t.csv", "m\tx\t1,5\t1926\t\n", form=Form.TSV)
    assert history(store)[0][1] == "1,5"
    assert report.written == 1
