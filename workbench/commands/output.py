"""What the commands print: JSON for programs, calm text for people.

Content of a store is never printed as it is: characters that a terminal would obey, or that would
change how a line reads, are shown as codes, and escaped in JSON. So nothing that an agent was told
can move the cursor, set a title, or turn a sentence around.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import Enum
from typing import Any, Final, TextIO

from pydantic import BaseModel

from store.encoding import visible
from store.temporal import iso, to_micros

LONGEST_SHOWN: Final = 160
"""How many characters of a value are shown to a person; JSON has all of them."""
_GAP: Final = "  "
_OBEYED: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_SUSPECT: Final = re.compile(r"[^ -~]")
_MIDNIGHT: Final = "T00:00:00Z"

Cells = Sequence[str]


# -- JSON ---------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """Return a record as JSON values, field by field; instants as ISO 8601 in UTC with a Z."""
    if isinstance(value, BaseModel):
        return {name: plain(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, datetime):
        return iso(to_micros(value))
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def emit_document(document: Any) -> None:
    """Print one JSON document."""
    _write(_escaped(json.dumps(plain(document), ensure_ascii=False, indent=2)) + "\n")


def emit_line(document: Any) -> None:
    """Print one line of JSON Lines."""
    _write(_escaped(json.dumps(plain(document), ensure_ascii=False)) + "\n")


def _escaped(text: str) -> str:
    """Escape what a terminal would obey; in JSON text it can stand inside strings only."""
    return _SUSPECT.sub(lambda found: _escape(found[0]), text)


def _escape(character: str) -> str:
    if character == "\n" or unicodedata.category(character) not in _OBEYED:
        return character
    return json.dumps(character)[1:-1]


# -- text ---------------------------------------------------------------------------------------


def say(text: str = "") -> None:
    """Print lines of our own making; what comes from a store must have gone through `shown`."""
    _write(text + "\n")


def note(text: str) -> None:
    """Print a sentence for the person to standard error."""
    sys.stderr.write(visible(text) + "\n")
    sys.stderr.flush()


def _write(text: str) -> None:
    sys.stdout.write(text)


def shown(text: str, limit: int = LONGEST_SHOWN) -> str:
    """Return text from a store on one line, safe to print, cut with an ellipsis."""
    line = visible(text[: limit + 1])
    return line if len(text) <= limit and len(line) <= limit else line[: limit - 1] + "…"


def value_text(value: Any, limit: int = LONGEST_SHOWN) -> str:
    """Return a value as JSON on one line, safe to print."""
    return shown(json.dumps(value, ensure_ascii=False), limit)


def instant_text(instant: datetime) -> str:
    """Return an instant no longer than it must be: a date at midnight UTC.

    It is always exact, so that what was read can be typed as a valid-at or known-at.
    """
    text = iso(to_micros(instant))
    if text.endswith(_MIDNIGHT):
        return text.removesuffix(_MIDNIGHT)
    if "." in text:
        return text.removesuffix("Z").rstrip("0") + "Z"
    return text.removesuffix(":00Z") + "Z" if text.endswith(":00Z") else text


def period_text(begins: datetime, ends: datetime | None, *, endless: str = "open") -> str:
    """Return a half-open period; `endless` stands where there is no end."""
    return f"{instant_text(begins)} → {endless if ends is None else instant_text(ends)}"


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun, such as `1 fact` or `2,634 facts`."""
    return f"{number:,} {one if number == 1 else many}"


def is_terminal(stream: TextIO) -> bool:
    """Say whether a person looks at the stream."""
    return stream.isatty()


def table(columns: Cells, rows: Sequence[Cells], *, heading: int = 1) -> None:
    """Print rows whose cells are safe already: drawn on a terminal, aligned elsewhere.

    Where a terminal is too narrow for the table, each row is a paragraph instead, so that no
    identifier is ever broken.

    Args:
        columns: the names of the columns.
        rows: cells, one for each column.
        heading: how many cells begin a paragraph; the others follow below.
    """
    from rich.cells import cell_len

    widths = [max(map(cell_len, cells)) for cells in zip(columns, *rows, strict=True)]
    if not is_terminal(sys.stdout):
        _write("".join(_aligned(line, widths) for line in (columns, *rows)))
        return
    width = shutil.get_terminal_size().columns
    if sum(widths) + len(_GAP) * (len(widths) - 1) <= width:
        _draw(columns, rows, width)
        return
    for row in rows:
        _write(_GAP.join(filter(None, row[:heading])) + "\n")
        named = [f"{name.lower()} {cell}" for name, cell in zip(columns, row, strict=True)]
        _write("".join(f"     {line}\n" for line in _packed(named[heading:], width - 5)))


def _aligned(line: Cells, widths: Sequence[int]) -> str:
    from rich.cells import cell_len

    padded = (
        cell + " " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)
    )
    return _GAP.join(padded).rstrip() + "\n"


def _draw(columns: Cells, rows: Iterable[Cells], width: int) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, padding=(0, len(_GAP), 0, 0), header_style="bold", pad_edge=False)
    for name in columns:
        drawn.add_column(Text(name), no_wrap=True, style="dim" if name == columns[-1] else "")
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    Console(file=sys.stdout, width=width, highlight=False).print(drawn)


def _packed(cells: Iterable[str], width: int) -> list[str]:
    """Put as many cells on each line as fit."""
    from rich.cells import cell_len

    lines: list[str] = []
    for cell in cells:
        joined = f"{lines[-1]} · {cell}" if lines else cell
        if lines and cell_len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(cell)
    return lines
