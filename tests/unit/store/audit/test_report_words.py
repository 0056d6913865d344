"""The catalogues of the report: complete in every language, with numbers and dates as people do."""

from __future__ import annotations

import json
import re
from string import Formatter

import pytest

from store.audit.words import LANGUAGES, Words, catalogue
from store.encoding import State, mark_words
from store.errors import Invalid
from store.model import ConflictKind, EpisodeKind, WriteKind
from store.query import Mark
from store.temporal import Basis, Precision
from tests.support import ROOT

AT = 1_780_480_804_000_000  # 2026-06-03T10:00:04Z
MIDNIGHT = 1_780_444_800_000_000
CODE = ("markup", "picture", "plain", "report", "showing", "telling", "words")
FAMILIES = {
    "basis": Basis,
    "conflict": ConflictKind,
    "episode": EpisodeKind,
    "mark": mark_words(sum(Mark)),
    "state": State,
    "write": WriteKind,
}


def forms(entry):
    return entry if isinstance(entry, dict) else {"other": entry}


def gaps(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_sentence(language):
    assert list(catalogue(language)) == list(catalogue("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_gaps_are_the_same_in_every_language_and_form(language):
    for name, entry in catalogue("en").items():
        wanted = gaps(forms(entry)["other"])
        there = forms(catalogue(language)[name])
        for category, text in there.items():
            left_out = {"n"} if category == "one" else set()
            assert wanted - left_out <= gaps(text) <= wanted, (name, category)
        assert isinstance(entry, dict) == isinstance(catalogue(language)[name], dict), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_stands_twice_or_empty(language):
    path = ROOT / "store" / "audit" / "catalogues" / f"{language}.json"
    pairs = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names))
    assert all(
        text.strip() for entry in catalogue(language).values() for text in forms(entry).values()
    )


def test_every_form_that_a_language_needs_is_there():
    for name, entry in catalogue("en").items():
        if isinstance(entry, dict):
            assert set(entry) == {"one", "other"}, name
            spanish = catalogue("es")[name]
            assert {"one", "other"} <= set(spanish) <= {"one", "many", "other"}, name


def test_spanish_is_not_english():
    for name, entry in catalogue("en").items():
        text = forms(entry)["other"]
        own_words = re.sub(r"\{[a-z_]+\}", "", text)
        if re.search("[a-z]{3}", own_words):
            assert forms(catalogue("es")[name])["other"] != text, name


def test_every_sentence_is_used_and_every_kind_has_a_word():
    code = "".join((ROOT / f"store/audit/{name}.py").read_text(encoding="utf-8") for name in CODE)
    for name in catalogue("en"):
        family, _, rest = name.partition(".")
        is_built = (
            f'"{family}.{{' in code or f"{{ident}}.{rest}" in code or f"{{section}}.{rest}" in code
        )
        is_kind = f'kind("{family}", ' in code
        prefix = re.match(r"notice\.limit_", name)
        listed = f'("{name}")' in code or f'"{name}"' in code
        section = name in {"lanes", "facts", "conflicts", "gaps", "unsourced", "transactions"}
        assert listed or is_built or is_kind or prefix or section, name
    for family, kinds in FAMILIES.items():
        assert {f"{family}.{kind}" for kind in kinds} <= set(catalogue("en")), family


def test_an_unknown_language_is_refused():
    with pytest.raises(Invalid, match="no report in the language 'fr'"):
        Words("fr")


def test_numbers():
    english, spanish = Words("en"), Words("es")
    assert [english.number(n) for n in (0, 999, 1_000, 48_210)] == ["0", "999", "1,000", "48,210"]
    assert [spanish.number(n) for n in (999, 4_821, 48_210)] == ["999", "4821", "48.210"]
    assert (english.decimal(0.945), spanish.decimal(1)) == ("0.94", "1,00")


def test_shares_are_rounded_but_never_to_all_or_nothing():
    words = Words("en")
    shares = [(0, 10), (10, 10), (1, 3), (1, 100_000), (99_999, 100_000), (0, 0)]
    written = [words.share(*share) for share in shares]
    assert written == ["0%", "100%", "33%", "<\u202f1%", ">\u202f99%", "–"]
    assert Words("es").share(1, 2) == "50\u00a0%"


def test_plurals():
    english, spanish = Words("en"), Words("es")
    counts = (0, 1, 2, 1_000_000)
    assert [english.count("facts.count", n) for n in counts] == [
        "0 facts",
        "1 fact",
        "2 facts",
        "1,000,000 facts",
    ]
    assert [spanish.count("facts.count", n) for n in counts] == [
        "0 hechos",
        "1 hecho",
        "2 hechos",
        "1.000.000 de hechos",
    ]


@pytest.mark.parametrize(
    ("precision", "english", "spanish"),
    [
        (None, "3 Jun 2026 10:00", "3 jun 2026 10:00"),
        (Precision.INSTANT, "3 Jun 2026 10:00", "3 jun 2026 10:00"),
        (Precision.DAY, "3 Jun 2026", "3 jun 2026"),
        (Precision.MONTH, "Jun 2026", "jun 2026"),
        (Precision.YEAR, "2026", "2026"),
    ],
)
def test_an_instant_is_written_as_exactly_as_it_is_known(precision, english, spanish):
    assert Words("en").instant(AT, precision).replace("\u00a0", " ") == english
    assert Words("es").instant(AT, precision).replace("\u00a0", " ") == spanish


def test_times_of_day():
    words = Words("en")
    assert words.instant(MIDNIGHT).replace("\u00a0", " ") == "3 Jun 2026"
    assert words.clock(AT, has_seconds=True) == "10:00:04"
    early = MIDNIGHT + 8 * 3_600_000_000 + 5 * 60_000_000
    assert (words.clock(early), Words("es").clock(early)) == ("08:05", "8:05")
    period = words.period(MIDNIGHT, None).replace("\u00a0", " ")
    assert period == "3 Jun 2026 → until changed"
