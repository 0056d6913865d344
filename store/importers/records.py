"""Records of text tables: CSV, TSV and JSON Lines, line by line and in bounded memory.

A record that cannot be read is one broken record, with its line and a sentence; the next line is
read again as a record of its own, so that one stray quotation mark does not swallow the rest.
"""

from __future__ import annotations

import csv
import json
import re
from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from store.canonical import from_json
from store.errors import Invalid
from store.importers import LONGEST_CONTENT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_COLUMNS: Final = 10_000
MOST_LINES: Final = 100
"""Lines of one record: a cell in quotation marks may hold line breaks."""
_SAMPLE: Final = 64 << 10
_SAMPLE_LINES: Final = 100
_SEPARATORS: Final = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars"}
_QUOTED: Final = re.compile(r'"[^"]*"')
_BROKEN_OFF: Final = "unexpected end of data"


class Form(StrEnum):
    """How the records of a table are written."""

    CSV = "csv"
    TSV = "tsv"
    JSON_LINES = "jsonl"


BY_EXTENSION: Final = {
    ".csv": Form.CSV,
    ".tsv": Form.TSV,
    ".tab": Form.TSV,
    ".jsonl": Form.JSON_LINES,
    ".ndjson": Form.JSON_LINES,
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """A form with what parts its cells.

    Attributes:
        separator: one character; "" in JSON Lines.
        has_quotes: whether a cell may stand in quotation marks.
    """

    form: Form
    separator: str = ""
    has_quotes: bool = False

    def __str__(self) -> str:
        """Give the dialect in words."""
        if self.form is Form.JSON_LINES:
            return "JSON Lines"
        return f"values separated by {_SEPARATORS[self.separator]}"


@dataclass(frozen=True, slots=True)
class Line:
    """A physical line, counted from 1, without its break.

    Attributes:
        problem: why it cannot be read; the text is "" then.
    """

    number: int
    text: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One record.

    Attributes:
        line: where it begins.
        text: as it stands in the file.
        cells: a list of texts, in JSON Lines a list or an object of JSON values.
        problem: why it cannot be read.
    """

    line: int
    text: str
    cells: Any = None
    problem: str = ""


def dialect_of(path: Path, form: Form | None = None) -> Dialect:
    """Return the dialect of a file, by its form, else its extension, else its first lines.

    Raises:
        Invalid: it is in UTF-16, or nothing parts its columns.
    """
    with path.open("rb") as file:
        sample = file.read(_SAMPLE)
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Invalid(f"{path.name} is text in UTF-16; save it as UTF-8.")
    text = sample.decode("utf-8-sig", "replace")
    lines = [line for line in text.splitlines()[:_SAMPLE_LINES] if line.strip()]
    form = form or BY_EXTENSION.get(path.suffix.casefold())
    if form is Form.JSON_LINES or (form is None and _is_json(lines)):
        return Dialect(Form.JSON_LINES)
    separator = "\t" if form is Form.TSV else _separator(lines)
    if not separator and form is None:
        raise Invalid(
            f"{path.name} has no columns separated by tabs, commas, semicolons or bars, and is no "
            "JSON Lines either."
        )
    separator = separator or ","
    cell = re.compile(rf'(?:^|{re.escape(separator)})"[^"]*"(?:{re.escape(separator)}|$)')
    quotes = form is Form.CSV or any(cell.search(line) for line in lines)
    return Dialect(form or (Form.TSV if separator == "\t" else Form.CSV), separator, quotes)


def read_lines(file: BinaryIO) -> Iterator[Line]:
    """Yield the lines of a file; a line too long or not text has a problem instead."""
    number = 0
    while raw := file.readline(LONGEST_CONTENT + 1):
        number += 1
        if len(raw) > LONGEST_CONTENT and not raw.endswith(b"\n"):
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(LONGEST_CONTENT)
            yield Line(number, "", f"the line is longer than {LONGEST_CONTENT:,} bytes.")
            continue
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            yield Line(number, "", "the line is not text in UTF-8.")
            continue
        if "\0" in text:
            yield Line(number, "", "the line holds a NUL character.")
            continue
        yield Line(number, text.removesuffix("\n").removesuffix("\r"))


def read_records(file: BinaryIO, dialect: Dialect) -> Iterator[Record]:
    """Yield the records of a file; blank lines are none."""
    read = _json_record if dialect.form is Form.JSON_LINES else _delimited_record
    lines = _Lines(read_lines(file))
    while (line := lines.next()) is not None:
        if line.problem:
            yield Record(line.number, "", problem=line.problem)
        elif line.text.strip():
            yield read(line, lines, dialect)


class _Lines:
    """Lines that can be put back."""

    def __init__(self, source: Iterator[Line]) -> None:
        self._source = source
        self._back: deque[Line] = deque()

    def next(self) -> Line | None:
        return self._back.popleft() if self._back else next(self._source, None)

    def put_back(self, lines: list[Line]) -> None:
        self._back.extendleft(reversed(lines))


def _json_record(line: Line, _lines: _Lines, _dialect: Dialect) -> Record:
    try:
        cells = from_json(line.text)
    except Invalid as error:
        return Record(line.number, line.text, problem=f"the line is not JSON: {error}")
    if not isinstance(cells, dict | list):
        said = "the line is neither a JSON object nor a list."
        return Record(line.number, line.text, problem=said)
    return Record(line.number, line.text, cells)


def _delimited_record(line: Line, lines: _Lines, dialect: Dialect) -> Record:
    text = line.text
    if text.count(dialect.separator) >= MOST_COLUMNS:
        said = f"the line has more than {MOST_COLUMNS:,} columns."
        return Record(line.number, text, problem=said)
    if not dialect.has_quotes or '"' not in text:
        return Record(line.number, text, text.split(dialect.separator))
    taken: list[Line] = []
    while True:
        try:
            cells = next(csv.reader([text], delimiter=dialect.separator, strict=True))
        except csv.Error as error:
            problem = _quote_problem(error)
            more = _more(taken, lines, text) if _BROKEN_OFF in str(error) else None
            if more is None:
                lines.put_back(taken)
                return Record(line.number, line.text, problem=problem)
            text = more
        else:
            return Record(line.number, text, cells)


def _more(taken: list[Line], lines: _Lines, text: str) -> str | None:
    """Return the text with the lines to the next quotation mark; None if there is none near."""
    parts = [text]
    length = len(text)
    while len(taken) < MOST_LINES and length <= LONGEST_CONTENT:
        line = lines.next()
        if line is None:
            return None
        taken.append(line)
        if line.problem:
            return None
        parts.append(line.text)
        length += len(line.text) + 1
        if '"' in line.text:
            return "\n".join(parts)
    return None


def _quote_problem(error: csv.Error) -> str:
    if _BROKEN_OFF in str(error):
        return "a quotation mark is opened here and not closed."
    return f"the quotation marks of the line make no cells: {error}."


def _is_json(lines: list[str]) -> bool:
    try:
        return bool(lines) and isinstance(json.loads(lines[0]), dict | list)
    except (ValueError, RecursionError):
        return False


def _separator(lines: list[str]) -> str:
    """Return the separator that parts most lines as it parts the first; "" if there is none."""
    bare = [_QUOTED.sub("", line) for line in lines]
    best, best_score = "", (0, 0)
    for separator in _SEPARATORS:
        counts = [line.count(separator) for line in bare]
        if not any(counts):
            continue
        score = counts.count(counts[0]) if counts[0] else 0, counts[0]
        if not best or score > best_score:
            best, best_score = separator, score
    return best
