"""The catalogues hold every text of the program, and what they say fits."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

from tests.support import ROOT
from workbench.actions import ACTIONS, MENUS

FOLDER = ROOT / "resources" / "i18n"
LANGUAGES = sorted(path.stem.removeprefix("workbench_") for path in FOLDER.glob("*.ts"))
WHOLE = [language for language in LANGUAGES if language != "en"]


@dataclass(frozen=True, order=True)
class Text:
    context: str
    source: str
    is_plural: bool = False


@dataclass(frozen=True)
class Entry:
    """What a catalogue has for a text: one form, or one for each number of the language."""

    text: Text
    forms: tuple[str, ...]
    state: str


# --- what is there --------------------------------------------------------------------------


def calls_in(path: Path) -> Iterator[tuple[str, str, ast.Call]]:
    """All calls of `tr`, `translate` and `QT_TRANSLATE_NOOP`, with the class that they stand in."""

    def walk(node: ast.AST, inside: str) -> Iterator[tuple[str, str, ast.Call]]:
        if isinstance(node, ast.ClassDef):
            inside = node.name
        if isinstance(node, ast.Call):
            function = node.func
            name = getattr(function, "attr", None) or getattr(function, "id", "")
            if name in {"tr", "translate", "QT_TRANSLATE_NOOP"}:
                yield name, inside, node
        for child in ast.iter_child_nodes(node):
            yield from walk(child, inside)

    yield from walk(ast.parse(path.read_text(encoding="utf-8")), "")


def literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


@cache
def texts_in_code() -> frozenset[Text]:
    found = set()
    for path in sorted((ROOT / "workbench").rglob("*.py")):
        for name, inside, call in calls_in(path):
            if name == "tr":
                source = literal(call.args[0])
                if source is not None:
                    found.add(Text(inside, source, len(call.args) == 3))
                continue
            context, source = (literal(arg) for arg in call.args[:2])
            if context is not None and source is not None:
                found.add(Text(context, source))
    return frozenset(found)


@cache
def catalogue(path: Path) -> tuple[Entry, ...]:
    entries = []
    for context in ET.parse(path).getroot().iter("context"):
        name = context.findtext("name") or ""
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            is_plural = message.get("numerus") == "yes"
            forms = (
                tuple(form.text or "" for form in translation.iter("numerusform"))
                if is_plural
                else (translation.text or "",)
            )
            text = Text(name, message.findtext("source") or "", is_plural)
            entries.append(Entry(text, forms, translation.get("type") or "finished"))
    return tuple(entries)


def of(language: str) -> tuple[Entry, ...]:
    return catalogue(FOLDER / f"workbench_{language}.ts")


def test_there_are_english_and_spanish() -> None:
    assert {"en", "es"} <= set(LANGUAGES)


# --- whole ----------------------------------------------------------------------------------


def test_texts_stand_literally_where_the_tools_see_them() -> None:
    # In a replacement field of an f-string lupdate sees nothing, and of a name it knows no text.
    unseen = []
    for path in sorted((ROOT / "workbench").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for name, _inside, call in calls_in(path):
            if name == "tr" and literal(call.args[0]) is None:
                unseen.append(f"{path.name}:{call.lineno}")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.JoinedStr):
                inner = [
                    getattr(n.func, "attr", getattr(n.func, "id", ""))
                    for n in ast.walk(node)
                    if isinstance(n, ast.Call)
                ]
                if {"tr", "translate"} & set(inner):
                    unseen.append(f"{path.name}:{node.lineno}")
    assert unseen == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_exactly_the_texts_of_the_code(language: str) -> None:
    wanted = {text for text in texts_in_code() if text.is_plural or language != "en"}
    have = {entry.text for entry in of(language)}
    hint = "run: bash packaging/translate.sh"
    assert sorted(wanted - have) == [], hint
    assert sorted(have - wanted) == [], hint


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated(language: str) -> None:
    missing = [
        entry.text for entry in of(language) if entry.state != "finished" or not all(entry.forms)
    ]
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tools_find_nothing_new_and_nothing_gone(language: str, tmp_path: Path) -> None:
    tool = shutil.which("pyside6-lupdate", path=str(Path(sys.executable).parent))
    if tool is None:
        pytest.skip("pyside6-lupdate is not beside this interpreter")
    copy = tmp_path / f"workbench_{language}.ts"
    shutil.copy(FOLDER / copy.name, copy)
    only = ["-pluralonly"] if language == "en" else []
    subprocess.run(
        [tool, "-silent", *only, "-extensions", "py", "-locations", "none", "workbench",
         "-ts", str(copy)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )  # fmt: skip
    assert set(catalogue(copy)) == set(of(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_says_what_the_source_says(language: str) -> None:
    translator = QTranslator()
    assert translator.load(str(FOLDER / f"workbench_{language}.qm"))
    differing = []
    for entry in of(language):
        context, source = entry.text.context, entry.text.source
        numbers = (1, 2) if entry.text.is_plural else (-1,)
        said = tuple(translator.translate(context, source, "", n) for n in numbers)
        if said != entry.forms:
            differing.append((entry.text, said))
    assert differing == [], "run: bash packaging/translate.sh"


# --- fitting --------------------------------------------------------------------------------


def gaps(text: str) -> Counter[str]:
    return Counter(re.findall(r"\{[^}]*\}|%n|%\d", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_gaps_stay_gaps(language: str) -> None:
    wrong = [
        (entry.text.source, form)
        for entry in of(language)
        for form in entry.forms
        if gaps(form) != gaps(entry.text.source)
    ]
    assert wrong == []


@pytest.mark.parametrize("language", WHOLE)
def test_edges_and_ends_are_kept(language: str) -> None:
    """Spaces at the edges, an ellipsis for "asks more", a colon or full stop at the end."""

    def edges(text: str) -> tuple[str, str, str]:
        said = text.strip()
        lead = text[: len(text) - len(text.lstrip())]
        end = said[-1:] if said[-1:] in "….:" else ""
        return lead, text[len(text.rstrip()) :], end

    wrong = [
        (entry.text.source, form)
        for entry in of(language)
        for form in entry.forms
        if edges(form) != edges(entry.text.source) or "!" in form
    ]
    assert wrong == []


@pytest.mark.parametrize("language", WHOLE)
def test_file_kinds_keep_their_patterns(language: str) -> None:
    pattern = re.compile(r"\((\*[^)]*)\)")
    for entry in of(language):
        for form in entry.forms:
            assert pattern.findall(form) == pattern.findall(entry.text.source), entry.text


# --- menu letters ---------------------------------------------------------------------------


def letters(text: str) -> list[str]:
    return re.findall(r"&(?=[^&])(.)", text.replace("&&", ""))


@pytest.mark.parametrize("language", WHOLE)
def test_a_text_with_a_letter_keeps_one(language: str) -> None:
    for entry in of(language):
        for form in entry.forms:
            found = letters(form)
            assert len(found) == len(letters(entry.text.source)), (entry.text.source, form)
            assert all(letter.isalnum() for letter in found), form


@pytest.mark.parametrize("language", WHOLE)
def test_letters_are_unique_in_their_menu(language: str) -> None:
    translator = QTranslator()
    assert translator.load(str(FOLDER / f"workbench_{language}.qm"))

    def label(source: str) -> str:
        return translator.translate("Actions", source) or source

    for menu in MENUS:
        labels = [label(spec.text) for spec in ACTIONS if spec.menu == menu.path]
        labels += [label(it.text) for it in MENUS if it.path[:-1] == menu.path]
        counts = Counter(letter.lower() for text in labels for letter in letters(text))
        assert [it for it, count in counts.items() if count > 1] == [], menu.path
    tops = Counter(letters(label(menu.text))[0].lower() for menu in MENUS if len(menu.path) == 1)
    assert max(tops.values()) == 1
