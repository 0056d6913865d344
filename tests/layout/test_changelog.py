"""The changelog keeps the form of Keep a Changelog, so that people and tools can read it."""

from __future__ import annotations

import re

import pytest

import workbench
from tests.support import ROOT

KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
RELEASE = re.compile(r"\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d{2}-\d{2})(?: \[YANKED\])?")


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def titles(lines: list[str]) -> list[str]:
    return [line.removeprefix("## ") for line in lines if line.startswith("## ")]


def test_it_begins_with_its_title_and_the_unreleased(lines: list[str], titles: list[str]) -> None:
    assert lines[0] == "# Changelog"
    assert titles[0] == "[Unreleased]"


def test_releases_are_dated_and_the_newest_comes_first(titles: list[str]) -> None:
    releases = [RELEASE.fullmatch(title) for title in titles[1:]]
    assert None not in releases, titles
    order = [(int(r[1]), int(r[2]), int(r[3]), r[4]) for r in releases if r]
    assert order == sorted(order, reverse=True)
    assert len(set(order)) == len(order)


def test_no_release_is_newer_than_the_program(titles: list[str]) -> None:
    releases = [RELEASE.fullmatch(title) for title in titles[1:]]
    newest = max(((int(r[1]), int(r[2]), int(r[3])) for r in releases if r), default=(0, 0, 0))
    assert newest <= tuple(int(part) for part in workbench.__version__.split("."))


def test_changes_are_lists_under_the_agreed_kinds(lines: list[str]) -> None:
    kinds = [line.removeprefix("### ") for line in lines if line.startswith("### ")]
    assert kinds
    assert set(kinds) <= KINDS
    body = lines[lines.index("## [Unreleased]") + 1 :]
    prose = [line for line in body if line and not re.match(r"- |  \S|##|\[", line)]
    assert prose == []
