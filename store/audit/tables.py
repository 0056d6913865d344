"""Facts as a table for spreadsheets, in which no cell is a formula, and nothing is lost.

A spreadsheet runs a cell that begins like a formula, whoever wrote it. So such a cell has an
apostrophe before it; so has one that begins with an apostrophe, and taking one leading apostrophe
away gives every cell back.
"""

from __future__ import annotations

import re
from typing import Final

COLUMNS: Final = (
    "subject",
    "attribute",
    "owner",
    "value",
    "memory_type",
    "valid_from",
    "valid_to",
    "until",
    "confidence",
    "disputed",
    "source_episode_id",
    "agent_id",
    "recorded_at",
    "transaction",
    "valid_from_basis",
    "precision",
    "stated_as",
    "row_from",
    "schema_version",
    "retention_policy",
    "slot",
    "supersedes_memory_id",
    "memory_id",
    "evidence",
    "tenant_id",
)
"""The columns of `facts.csv`: the members of a line of `facts.jsonl`, but in a reader's order."""

FORMULA_SIGNS: Final = "=+-@'\t\r\n＝＋－＠＇"  # noqa: RUF001 - the full-width forms are meant
"""What a spreadsheet may take for the beginning of a formula, or of a text that is none."""

_SPECIAL: Final = re.compile(r'[",\r\n]')
_UNIT: Final = "\x1f"
_ASCII_SIGNS: Final = tuple(_UNIT + sign for sign in FORMULA_SIGNS if sign.isascii())


def neutral(text: str) -> str:
    """Return a cell that no spreadsheet runs."""
    return "'" + text if text and text[0] in FORMULA_SIGNS else text


def original(text: str) -> str:
    """Return what a neutral cell was before."""
    return text.removeprefix("'")


def cell(text: str) -> str:
    """Return a text as a cell of a CSV file (RFC 4180)."""
    if text and text[0] in FORMULA_SIGNS:
        text = "'" + text
    if _SPECIAL.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text


def header() -> str:
    """Return the first line of `facts.csv`."""
    return ",".join(COLUMNS) + "\n"


def cells(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return texts as cells; nearly all are cells as they are, which one look at all tells."""
    joined = _UNIT + _UNIT.join(texts)
    if (
        joined.isascii()
        and '"' not in joined
        and "," not in joined
        and "\n" not in joined
        and "\r" not in joined
    ):
        for signs in _ASCII_SIGNS:
            if signs in joined:
                break
        else:
            return texts
    return tuple(map(cell, texts))


def json_cell(text: str) -> str:
    """Return a JSON text as a cell: most have quotation marks, and few begin like a formula."""
    if '"' in text and text[0] in '"[{':
        return '"' + text.replace('"', '""') + '"'
    return cell(text)
