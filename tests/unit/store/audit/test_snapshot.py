"""Taking a snapshot: always the same bytes, nothing left of a failed one, nothing leaked."""

from __future__ import annotations

import json
import resource
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import (
    Attribute,
    Cancel,
    Cancelled,
    Cardinality,
    EpisodeKind,
    Invalid,
    NotFound,
    Register,
    Scope,
    Store,
    StoreError,
    Unavailable,
    Unsupported,
    open_store,
)
from store.audit import (
    Form,
    Selection,
    Withhold,
    count_snapshot,
    read_manifest,
    take_snapshot,
    writing,
)
from store.audit import verify as verifier
from store.audit.format import NAMES
from store.audit.verify import verify
from store.backends.sqlite.library import driver
from store.canonical import canonical, parse
from store.errors import Corrupt
from tests.conformance.played import STEPS, step
from tests.conformance.scene import Desk, day, delta
from tests.unit.store.audit.audit_scene import (
    Written,
    bytes_of,
    lines_of,
    new_desk,
    populate,
    table_of,
    taken,
)

WHOLE = [name for name in NAMES if name not in ("omitted.jsonl", "store.db", "manifest.sig")]


@pytest.fixture(scope="module")
def desk() -> Desk:
    found = new_desk()
    populate(found)
    return found


def is_good(path: Path) -> bool:
    verdict = verify(path)
    assert verdict.is_good, verdict
    return True


# -- the same bytes -------------------------------------------------------------------------------

SELECTIONS: list[dict[str, Any]] = [
    {},
    {"subject": "mira"},
    {"memory_type": "preference"},
    {"subject": "nobody"},
    {"withhold": Withhold.CONTENT},
    {"withhold": Withhold.VALUES},
    {"withhold": Withhold.VALUES, "attribute": "city", "number": 30},
    {"window": (day(0), day(15)), "valid_at": day(12)},
]


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_twice_the_same_bytes_and_the_verifier_is_content(
    desk: Desk, tmp_path: Path, selection: dict[str, Any]
) -> None:
    manifest = taken(desk, tmp_path / "a", **selection)
    assert taken(desk, tmp_path / "b", **selection) == manifest
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")
    assert set(bytes_of(tmp_path / "a")) - {"omitted.jsonl"} == set(WHOLE)
    assert ("omitted.jsonl" in manifest.files) is manifest.arguments.is_filtered
    assert read_manifest(tmp_path / "a") == manifest
    assert is_good(tmp_path / "a")


@pytest.mark.parametrize("selection", SELECTIONS[:3], ids=str)
def test_a_zip_holds_the_same_files(desk: Desk, tmp_path: Path, selection: dict[str, Any]) -> None:
    manifest = taken(desk, tmp_path / "a", **selection)
    for name in ("a.zip", "b.zip"):
        assert taken(desk, tmp_path / name, form=Form.ZIP, **selection) == manifest
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        assert {n: packed.read(n) for n in packed.namelist()} == bytes_of(tmp_path / "a")
    assert read_manifest(tmp_path / "a.zip") == manifest
    assert is_good(tmp_path / "a.zip")


def test_however_the_transaction_was_named(desk: Desk, tmp_path: Path) -> None:
    number = desk.newest - 3
    at = desk.as_of(number).known_at
    taken(desk, tmp_path / "a", number=number)
    taken(desk, tmp_path / "b", known_at=at)
    taken(desk, tmp_path / "c", number=number, valid_at=at)
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b") == bytes_of(tmp_path / "c")


@settings(max_examples=6)
@given(steps=st.lists(step, min_size=4, max_size=STEPS), pick=st.integers(0, 6))
def test_as_of_a_transaction_it_is_the_one_taken_when_that_was_newest(
    steps: list[tuple[str, int, int, int, int]], pick: int
) -> None:
    desk = new_desk()
    selection = SELECTIONS[pick] | {"number": None}
    then: dict[int, dict[str, bytes]] = {}
    with desk.store, TemporaryDirectory() as name:
        folder = Path(name)
        played = Written(desk)
        for number, (kind, *drawn) in enumerate(steps):
            played.play(kind, *drawn)
            if desk.newest not in then:
                taken(desk, folder / f"then {number}", **selection)
                then[desk.newest] = bytes_of(folder / f"then {number}")
        for number, was in then.items():
            taken(desk, folder / f"now {number}", **selection | {"number": number})
            assert bytes_of(folder / f"now {number}") == was
            assert is_good(folder / f"now {number}")


def test_a_file_tells_the_same_as_a_store_in_memory(tmp_path: Path) -> None:
    in_file = new_desk(tmp_path)
    populate(in_file)
    with in_file.store:
        taken(in_file, tmp_path / "a")
        taken(in_file, tmp_path / "b", subject="Ada", withhold=Withhold.VALUES)
        assert count_snapshot(in_file.store, in_file.scope).versions > 20
    assert is_good(tmp_path / "a")
    assert is_good(tmp_path / "b")
    manifest = read_manifest(tmp_path / "a")
    in_memory = new_desk()
    populate(in_memory)
    other = taken(in_memory, tmp_path / "c")
    assert manifest.counts == other.counts


# -- whole or not at all --------------------------------------------------------------------------


class Reached(Exception):
    """The test stops here."""


def _stop_after(entries: int, stop: Callable[[], None]) -> Callable[[int, int | None], None]:
    def progress(done: int, _total: int | None) -> None:
        if done >= entries:
            stop()

    return progress


@pytest.mark.parametrize("form", list(Form))
def test_a_cancelled_one_leaves_nothing(desk: Desk, tmp_path: Path, form: Form) -> None:
    cancel = Cancel()
    with pytest.raises(Cancelled):
        take_snapshot(
            desk.store,
            desk.scope,
            tmp_path / "s",
            form=form,
            cancel=cancel,
            progress=_stop_after(1, cancel.cancel),
        )
    assert list(tmp_path.iterdir()) == []


def test_one_cancelled_before_it_begins_leaves_nothing(desk: Desk, tmp_path: Path) -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        take_snapshot(desk.store, desk.scope, tmp_path / "s", cancel=cancel)
    with pytest.raises(Cancelled):
        count_snapshot(desk.store, desk.scope, cancel=cancel)
    assert list(tmp_path.iterdir()) == []


def test_an_error_in_the_middle_leaves_nothing(desk: Desk, tmp_path: Path) -> None:
    def stop() -> None:
        raise Reached

    with pytest.raises(Reached):
        take_snapshot(desk.store, desk.scope, tmp_path / "s", progress=_stop_after(1, stop))
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_record_leaves_nothing(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_parts: object, **_more: object) -> str:
        raise Corrupt("A row of the record cannot be read.")

    monkeypatch.setattr(writing, "version_line", broken)
    with pytest.raises(Corrupt):
        take_snapshot(desk.store, desk.scope, tmp_path / "s")
    assert list(tmp_path.iterdir()) == []


@contextmanager
def largest_file(length: int) -> Iterator[None]:
    """Let no file grow longer, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (length, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("length", [0, 1000, 15_000, 60_000])
def test_a_full_disk_leaves_nothing(desk: Desk, tmp_path: Path, length: int, form: Form) -> None:
    with pytest.raises(Unavailable, match="cannot be written") as raised, largest_file(length):
        take_snapshot(desk.store, desk.scope, tmp_path / "s", form=form)
    assert str(tmp_path / "s") in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_left_as_it_is(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("mine")
    with pytest.raises(Invalid, match="something at"):
        take_snapshot(desk.store, desk.scope, tmp_path / "s")
    assert (tmp_path / "s").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


# -- what is asked for ----------------------------------------------------------------------------


def test_progress_ends_at_the_whole(desk: Desk, tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    take_snapshot(
        desk.store, desk.scope, tmp_path / "s", progress=lambda done, of: told.append((done, of))
    )
    assert told[-1] == (desk.head.entries, desk.head.entries)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    told.clear()
    only = Selection(subject="Ada")
    count_snapshot(desk.store, desk.scope, only, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (desk.head.entries, desk.head.entries)


def test_only_a_person_may_take_one(desk: Desk, tmp_path: Path) -> None:
    agent = Scope("acme", "support")
    with pytest.raises(Invalid):
        take_snapshot(desk.store, agent, tmp_path / "s")
    with pytest.raises(Invalid):
        count_snapshot(desk.store, agent)
    assert list(tmp_path.iterdir()) == []


def test_where_there_is_no_record_there_is_no_snapshot(desk: Desk, tmp_path: Path) -> None:
    long_ago = Selection(known_at=day(-1000))
    for scope, selection in (
        (Scope("nobody"), Selection()),
        (desk.scope, long_ago),
        (desk.scope, Selection(number=10_000)),
    ):
        with pytest.raises(NotFound):
            take_snapshot(desk.store, scope, tmp_path / "s", selection)
    assert list(tmp_path.iterdir()) == []


def test_a_selection_that_makes_no_sense_is_refused(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="not both"):
        Selection(known_at=day(1), number=1)
    with pytest.raises(Invalid, match="empty"):
        Selection(window=(day(2), day(2)))
    with pytest.raises(Invalid, match="no zone"):
        Selection(valid_at=day(1).replace(tzinfo=None))
    with pytest.raises(Invalid, match="filter"):
        Selection(subject="\x07")
    with pytest.raises(Invalid, match="Withhold"):
        Selection(withhold="values")  # type: ignore[arg-type]
    with pytest.raises(Invalid, match="no report in 'xx'"):
        take_snapshot(desk.store, desk.scope, tmp_path / "s", language="xx")
    assert Selection(subject=" mira ").subject == "mira"


def test_an_export_is_noted_beside_the_chain(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    populate(desk)
    before = desk.head
    with desk.store:
        manifest = taken(desk, tmp_path / "a")
        desk.clock.now = day(200)
        taken(desk, tmp_path / "b", subject="Ada")
        newest, first = desk.store.exports(desk.scope)
        assert newest.taken_at == day(200)
        assert first.manifest == manifest.digest
        assert (first.transaction, first.digest) == (before.number, before.digest)
        assert first.destination == str(tmp_path / "a")
        assert newest.arguments["subject"] == "Ada"
        assert desk.head == before
        again = taken(desk, tmp_path / "c")
    assert again == manifest


def test_a_store_that_can_only_be_read_says_that_it_keeps_no_note(tmp_path: Path) -> None:
    desk = new_desk(tmp_path)
    populate(desk)
    with desk.store:
        noted = take_snapshot(desk.store, desk.scope, tmp_path / "a")
    assert noted.unnoted == ""
    with open_store(tmp_path / "acme.db", read_only=True) as store:
        taken_again = take_snapshot(store, desk.scope, tmp_path / "b")
        assert len(store.exports(desk.scope)) == 1
    assert taken_again.manifest == noted.manifest
    assert taken_again.unnoted == (
        f"sqlite:///{tmp_path / 'acme.db'} is open for reading only, so the store keeps no note of "
        "this snapshot; the snapshot is complete."
    )


@pytest.mark.parametrize("form", Form)
def test_a_snapshot_stays_though_another_program_holds_the_store(
    tmp_path: Path, form: Form
) -> None:
    folder, out = tmp_path / "stores", tmp_path / "s"
    folder.mkdir()
    desk = new_desk(folder)
    populate(desk)
    desk.store.close()
    with open_store(folder / "acme.db", patience_s=0.03) as store:
        other = driver.connect(str(folder / "acme.db"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        unnoted = take_snapshot(store, desk.scope, out, form=form).unnoted
        other.execute("ROLLBACK")
        other.close()
        assert store.exports(desk.scope) == ()
    assert unnoted.endswith(
        "acme.db is locked by another program that has been writing for too long, so the store "
        "keeps no note of this snapshot; the snapshot is complete."
    )
    assert is_good(out)
    assert sorted(tmp_path.iterdir()) == [out, folder]


@pytest.mark.parametrize("error", [Unavailable, Unsupported, Invalid])
def test_whatever_keeps_the_note_away_leaves_the_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[StoreError]
) -> None:
    desk = new_desk()
    populate(desk)

    def refuse(*_parts: object) -> None:
        raise error("The disk is full; nothing was kept. Make room.")

    monkeypatch.setattr(desk.store, "note_export", refuse)
    unnoted = take_snapshot(desk.store, desk.scope, tmp_path / "s").unnoted
    assert unnoted.startswith("The disk is full, so the store keeps no note of this snapshot")
    assert is_good(tmp_path / "s")


# -- a copy of the store --------------------------------------------------------------------------


def _alone(folder: Path) -> Desk:
    desk = new_desk(folder)
    desk.fact("Porto", 1)
    return desk


def test_a_copy_of_the_store_opens(tmp_path: Path) -> None:
    desk = _alone(tmp_path)
    with desk.store:
        manifest = take_snapshot(
            desk.store, desk.scope, tmp_path / "s", form=Form.DIRECTORY, with_store=True
        ).manifest
        assert manifest.arguments.with_store
        assert manifest.files["store.db"].lines is None
        assert is_good(tmp_path / "s")
        with open_store(tmp_path / "s" / "store.db", read_only=True) as copy:
            assert copy.head(desk.scope) == desk.head


def test_a_copy_that_would_tell_more_is_refused(tmp_path: Path) -> None:
    desk = _alone(tmp_path)

    def ask(store: Store, selection: Selection) -> None:
        take_snapshot(store, desk.scope, tmp_path / "s", selection, with_store=True)

    with desk.store:
        for selection in (Selection(subject="mira"), Selection(withhold=Withhold.CONTENT)):
            with pytest.raises(Invalid, match="leaves out"):
                ask(desk.store, selection)
        Desk(desk.store, desk.clock, Scope("globex")).fact("x", 1)
        with pytest.raises(Invalid, match="tell of another tenant as well"):
            ask(desk.store, Selection())
    assert not (tmp_path / "s").exists()


# -- what is kept to oneself ----------------------------------------------------------------------

SECRET = "zqx"


def _with_secrets(desk: Desk) -> None:
    """Beside `mira`, write only what has the secret word in it."""
    s = SECRET
    desk.write(
        Register(
            attribute=Attribute(name=f"{s}-likes", cardinality=Cardinality.MULTI, memory_type=s),
            reason=f"{s} reason",
        )
    )
    more: dict[str, Any] = {"subject": f"{s}-bob", "attribute": f"{s}-city"}
    desk.episode(
        f"{s}-episode",
        f"{s} content",
        agent_id=f"{s}-agent",
        session_id=f"{s}-session",
        metadata={f"{s}-name": f"{s} meta"},
        kind=EpisodeKind.TICKET,
    )
    fact = desk.fact(f"{s} value", 1, episode=f"{s}-episode", stated_as=f"{s} said", **more)
    desk.contest(f"{s} other", 1, episode=f"{s}-other", **more)
    desk.confirm(fact, f"{s}-confirmed")
    desk.write(
        Register(attribute=Attribute(name=f"{s}-more", retention_policy=s), reason=f"{s} more")
    )
    bot = desk.of(f"{s}-bot")
    bot.say(f"{s} own", 2, owner=f"{s}-bot", episode=f"{s}-owned", reason=f"{s} why", **more)
    desk.say({s: [s]}, 3, episode=f"{s}-tea", subject=f"{s}-bob", attribute=f"{s}-likes")


@pytest.mark.parametrize("selection", [{"subject": "mira"}, {"attribute": "city"}], ids=str)
def test_nothing_out_of_scope_leaks(tmp_path: Path, selection: dict[str, Any]) -> None:
    desk = new_desk()
    first = desk.fact("Porto", 1, episode="seen")
    _with_secrets(desk)
    desk.confirm(first, "seen too")
    manifest = taken(desk, tmp_path / "s", **selection)
    assert manifest.counts.facts.in_scope == 1
    for name, data in bytes_of(tmp_path / "s").items():
        assert SECRET.encode() not in data.lower(), name
    assert is_good(tmp_path / "s")
    taken(desk, tmp_path / "whole")
    assert SECRET.encode() in bytes_of(tmp_path / "whole")["facts.jsonl"]


@pytest.mark.parametrize("withhold", [Withhold.CONTENT, Withhold.VALUES])
def test_what_is_withheld_is_nowhere(tmp_path: Path, withhold: Withhold) -> None:
    desk = new_desk()
    desk.write(
        Register(attribute=Attribute(name="tea", cardinality=Cardinality.MULTI), reason="many")
    )
    values = ["zqvalue one", {"zqvalue": 3}, "zqvalue two"]
    desk.episode("e1", "zqcontent of it", metadata={"zqcontent": "zqcontent"})
    home = desk.fact(values[0], 1, episode="e1", stated_as="zqvalue in spring")
    desk.contest(values[2], 1)
    desk.end(home, 10)
    desk.fact("zqvalue three", 10)
    desk.fact(values[1], 20, 30)
    desk.fact("zqvalue four", 3, attribute="tea")
    desk.correct(home, value="zqvalue five")
    manifest = taken(desk, tmp_path / "s", withhold=withhold, window=(day(0), day(50)))
    assert manifest.slot_secret is None
    said = b"".join(bytes_of(tmp_path / "s").values()).lower()
    assert b"zqcontent" not in said
    assert (b"zqvalue" in said) is (withhold is Withhold.CONTENT)
    assert is_good(tmp_path / "s")


# -- hostile content ------------------------------------------------------------------------------

HOSTILE: list[Any] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>]]><!--",
    '=HYPERLINK("http://example.com","x")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\u202etxt.exe\u2066 \u200b\ufeff",
    "\x00\x01\x07\x1b[31m\x7f\x85\u2028\u2029",
    '\\ud800 \\\\ " \\u0000',
    'line\r\nfeed\ttab,comma;"quote"',
    "🙂" * 10 + "e\u0301 \U0010ffff",
    "x" * 300_000,
    -5,
    -0.5,
    1e-7,
    1e300,
    2**53 - 1,
    None,
    True,
    [],
    {"": {"b": [None, {"\U0001f600": 1, "\ufb33": 2}]}},
    "[link](javascript:alert(1)) ![x](http://example.com/x.png) | `code` \n# head",
]


def test_hostile_content_comes_back_and_does_nothing(tmp_path: Path) -> None:
    desk = new_desk()
    names = ["<b>x</b>", "=1+1", "@x", "'q", "+", "a,b", "\u202ex", "\uff1dx", "-", 'say "hi"']
    for number, value in enumerate(HOSTILE):
        name = names[number % len(names)]
        content = value if isinstance(value, str) else canonical(value)
        episode = desk.episode(f"{name} {number}", content or " ", metadata={"said": value})
        desk.fact(
            value,
            1,
            subject=f"{name} {number}",
            attribute=name,
            episode=episode,
            owner="",
            stated_as=content[:1000],
        )
    taken(desk, tmp_path / "s")
    assert is_good(tmp_path / "s")
    facts = lines_of(tmp_path / "s", "facts.jsonl")
    found = {fact["subject"]: fact["value"] for fact in facts}
    assert len(found) == len(HOSTILE)
    for row, fact in zip(table_of(tmp_path / "s"), facts, strict=True):
        assert canonical(parse(row["value"])) == canonical(fact["value"]) == row["value"]
        assert row["subject"] == fact["subject"]
        assert row["stated_as"] == fact["stated_as"]
    for line in (tmp_path / "s" / "versions.jsonl").read_text(encoding="utf-8").split("\n")[:-1]:
        assert canonical(parse(line)) == line
    page = (tmp_path / "s" / "report.html").read_text(encoding="utf-8").lower()
    assert "<script" not in page
    assert "<img src=x" not in page
    for data in bytes_of(tmp_path / "s").values():
        data.decode()


def test_a_long_history_is_told_in_pieces(tmp_path: Path) -> None:
    desk = new_desk()
    desk.episode("e")
    entries = [
        delta(f"v{n}", n % 7, episode="e", subject=f"s{n // 7:05}", attribute="a")
        for n in range(7000)
    ]
    desk.store.load(desk.scope, entries)
    manifest = taken(desk, tmp_path / "s")
    assert (manifest.counts.versions, manifest.counts.facts.in_scope) == (7000, 1000)
    assert manifest.counts.subjects == 1000
    assert is_good(tmp_path / "s")
    only = taken(desk, tmp_path / "one", subject="s00042")
    assert only.counts.versions == 7
    assert only.files["omitted.jsonl"].lines == 7000 - 7
    omitted = lines_of(tmp_path / "one", "omitted.jsonl")
    order = [(line["transaction"], line["digest"]) for line in omitted]
    assert order == sorted(order)
    assert is_good(tmp_path / "one")


def test_the_manifest_is_read_as_it_was_written(desk: Desk, tmp_path: Path) -> None:
    manifest = taken(desk, tmp_path / "s")
    text = (tmp_path / "s" / "manifest.json").read_text(encoding="utf-8")
    assert text == manifest.text()
    members = json.loads(text)
    assert json.dumps(members, indent=2, sort_keys=True, ensure_ascii=False) + "\n" == text
    assert manifest.head == desk.head
    assert members["head"]["digest"] == desk.head.digest
    assert set(members["files"]) | {"manifest.json"} == set(WHOLE)


def test_the_verifier_is_in_it_word_for_word(desk: Desk, tmp_path: Path) -> None:
    taken(desk, tmp_path / "s")
    assert (tmp_path / "s" / "verify.py").read_bytes() == Path(verifier.__file__).read_bytes()
