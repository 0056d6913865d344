"""The first rows of a table, and which of its columns may be which field."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from store import Unavailable
from store.errors import NotFound
from store.importers.records import Form, dialect_of, read_records
from workbench.text import one_line, tooltip, visible
from workbench.theme import current, font

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from store.importers.records import Record

translate = QCoreApplication.translate

ROWS: Final = 6
"""So many rows are shown."""
COLUMNS: Final = 100
"""So many columns can be mapped here; the command line takes more."""
_CELL: Final = 80
_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()

#: Names of columns that say by themselves which field they are, without signs and capitals.
_KNOWN_AS: Final[dict[str, frozenset[str]]] = {
    "subject": frozenset({"subject", "subjectid", "entity", "head", "about", "user"}),
    "attribute": frozenset({"attribute", "relation", "predicate", "property", "key"}),
    "value": frozenset({"value", "object", "tail", "content"}),
    "valid_from": frozenset(
        {"validfrom", "from", "start", "startdate", "starttime", "begin", "since"}
    ),
    "valid_to": frozenset({"validto", "to", "end", "enddate", "endtime", "until"}),
    "memory_type": frozenset({"memorytype", "type", "category"}),
    "confidence": frozenset({"confidence", "score"}),
    "owner": frozenset({"owner"}),
    "episode": frozenset({"episode", "episodeid", "sourceepisodeid", "source"}),
    "agent": frozenset({"agent", "agentid"}),
}
_IN_ORDER: Final = ("subject", "attribute", "value", "valid_from", "valid_to")
_DIGIT: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Line:
    """A record as it is shown.

    Attributes:
        number: the line on which it begins, from 1.
        cells: its cells as text, as many as the table has columns.
        problem: why it cannot be read; there are no cells then.
    """

    number: int
    cells: tuple[str, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """The beginning of a table.

    Attributes:
        form: how its records are written.
        separator: what parts the cells; "" in JSON Lines.
        keys: in JSON Lines the names of the columns; otherwise their numbers from 0, as text.
    """

    form: Form
    separator: str
    keys: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def is_json(self) -> bool:
        """Whether the columns have names of their own in every record."""
        return self.form is Form.JSON_LINES

    @property
    def header(self) -> tuple[str, ...]:
        """The cells of the first record that can be read, trimmed."""
        first = next((line for line in self.lines if not line.problem), None)
        return tuple(cell.strip() for cell in first.cells) if first is not None else ()

    def looks_like_header(self) -> bool:
        """Say whether the first record seems to name the columns."""
        names = self.header
        if self.is_json or not names or not all(names) or len(set(names)) < len(names):
            return False
        if len(_by_name(names)) >= 2:
            return True
        others = [line.cells for line in self.lines if not line.problem][1:]
        has_figures = any(_DIGIT.search(cell) for cells in others for cell in cells)
        return has_figures and not any(_DIGIT.search(name) for name in names)

    def titles(self, *, has_header: bool) -> tuple[str, ...]:
        """Give what each column is called, "" for one without a name."""
        if self.is_json:
            return self.keys
        return self.header if has_header else ("",) * len(self.keys)

    def guess(self, *, has_header: bool) -> dict[str, int]:
        """Propose a column for each field, by the names, else by the usual order."""
        by_name = _by_name(self.titles(has_header=has_header))
        if by_name or self.is_json or len(self.keys) not in (4, 5):
            return by_name
        return {field: at for at, field in enumerate(_IN_ORDER[: len(self.keys)])}

    def column(self, at: int, *, has_header: bool) -> str:
        """Give the name by which the importer finds a column: its own if only it has that."""
        titles = self.titles(has_header=has_header)
        title = titles[at]
        return title if title and titles.count(title) == 1 else self.keys[at]


def _by_name(titles: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for at, title in enumerate(titles):
        bare = re.sub(r"[\W_]", "", title).casefold()
        for field, names in _KNOWN_AS.items():
            if bare in names:
                found.setdefault(field, at)
    return found


def read_preview(path: Path) -> Preview:
    """Read the beginning of a table; to be called off the GUI thread.

    Raises:
        NotFound: there is no such file.
        Invalid: it is no table.
        Unavailable: it cannot be read.
    """
    if not path.is_file():
        said = translate("ImportPreview", "There is no file {file}.")
        raise NotFound(said.format(file=path))
    try:
        dialect = dialect_of(path)
        with path.open("rb") as file:
            records = list(islice(read_records(file, dialect), ROWS + 1))
    except OSError as error:
        said = translate("ImportPreview", "{file} cannot be read: {reason}.")
        raise Unavailable(said.format(file=path, reason=error.strerror or error)) from error
    keys = _keys(records)
    lines = tuple(_line(record, keys) for record in records)
    return Preview(dialect.form, dialect.separator, keys, lines)


def _keys(records: Sequence[Record]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    width = 0
    for record in records:
        if isinstance(record.cells, dict):
            names |= dict.fromkeys(record.cells)
        elif record.cells is not None:
            width = max(width, len(record.cells))
    return tuple([*names, *map(str, range(width))][:COLUMNS])


def _line(record: Record, keys: Sequence[str]) -> Line:
    if record.problem:
        return Line(record.line, (), record.problem)
    cells = record.cells
    if isinstance(cells, dict):
        return Line(record.line, tuple(_text(cells[key]) if key in cells else "" for key in keys))
    padded = [*map(_text, cells), *[""] * len(keys)]
    return Line(record.line, tuple(padded[: len(keys)]))


def _text(cell: Any) -> str:
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)


class PreviewModel(QAbstractTableModel):
    """The first rows of a table under one empty row, in which the view puts the choice of fields.

    A record that cannot be read shows its problem in the first column.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preview: Preview | None = None
        self._titles: tuple[str, ...] = ()
        self._lines: tuple[Line, ...] = ()
        self._used: frozenset[int] = frozenset()

    def show(self, preview: Preview | None, *, has_header: bool = False) -> None:
        """Show another table, or the same with or without a header; None for nothing."""
        self.beginResetModel()
        self._preview = preview
        self._titles = preview.titles(has_header=has_header) if preview is not None else ()
        lines = preview.lines if preview is not None else ()
        if has_header and preview is not None and not preview.is_json:
            first = next((line for line in lines if not line.problem), None)
            lines = tuple(line for line in lines if line is not first)
        self._lines = lines[:ROWS]
        self._used = frozenset()
        self.endResetModel()

    def set_used(self, columns: frozenset[int]) -> None:
        """Say which columns are mapped to a field; the others are written in quiet letters."""
        self._used = columns
        if self._lines:
            end = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(1, 0), end, [Qt.ItemDataRole.ForegroundRole])

    def title(self, column: int) -> str:
        """Give what a column is called, in words."""
        own = self._titles[column]
        return one_line(own, 40) if own else self.tr("Column {n}").format(n=column + 1)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() or self._preview is None else 1 + len(self._lines)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._titles)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() == 0:
            return None
        line = self._lines[index.row() - 1]
        is_problem = bool(line.problem) and index.column() == 0
        if role == Qt.ItemDataRole.ForegroundRole:
            role_of = "danger" if is_problem else "text" if index.column() in self._used else "dim"
            return current().color(role_of)  # type: ignore[arg-type]
        text = line.problem if is_problem else "" if line.problem else line.cells[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(text, _CELL)
        if role == Qt.ItemDataRole.ToolTipRole and text:
            return tooltip(visible(text[:2000], keeps_lines=True))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.FontRole:
            return font("secondary")
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return self.title(section) if section < len(self._titles) else None
        return self.tr("Field") if section == 0 else str(self._lines[section - 1].number)
