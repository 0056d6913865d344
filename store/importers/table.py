"""Tables of statements: CSV, TSV or JSON Lines, one row a statement, its columns mapped to fields.

Every row becomes an episode that keeps the row as it stands. Its id is made of the source's name
and the row's text, so that a second run knows it again wherever the row has moved to, and a
repeated row is the same observation, not a second witness. A row whose beginning is unknown stays
an episode; one whose end is unknown becomes a fact without a stated end, and is counted.

Years, months and dates are periods: a fact begins with the first instant of its period, in the
zone that is given, and ends before the first instant of the end's period, or with `end_inclusive`
after its last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from store.canonical import from_json
from store.errors import Invalid, NotFound, Unavailable
from store.importers import Importer, Piece, Place, checked
from store.importers.records import Dialect, Form, Record, dialect_of, read_lines, read_records
from store.model import SHARED, Cardinality, EpisodeDraft, EpisodeKind, MemoryDelta
from store.temporal import StatedInstant, from_micros, parse_instant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import tzinfo
    from pathlib import Path
    from types import TracebackType
    from typing import BinaryIO, Self

    from store.importers import Reading

FIELDS: Final = (
    "subject",
    "attribute",
    "value",
    "valid_from",
    "valid_to",
    "memory_type",
    "confidence",
    "owner",
    "episode",
    "agent",
)
"""What a column can be mapped to. `episode` is the id of a source that the store may have."""
LOOKED_UP: Final = frozenset({"subject", "attribute", "value", "memory_type", "owner", "agent"})
EVERY: Final = "*"
MOST_NAMES: Final = 5_000_000
"""Entries of a look-up file."""

_NEEDED: Final = ("subject", "value", "valid_from")
_SHORT_YEAR: Final = re.compile(r"-\d.*|[+]?\d{1,3}|\d{5,}(-.*)?")
_TIMES_KEPT: Final = 100_000


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How a table is to be read.

    Attributes:
        columns: for each field the name of its column, or its number counted from 0. Without
            `attribute`, the attribute is the name of the value's column.
        lookups: for a field the file that gives a name for each id in its column.
        many: attributes that hold several values at once; "*" means all but those in `single`.
        single: attributes that hold one value at a time.
        open_tokens: texts of the end that mean that it still holds; an empty cell does anyway.
        unknown_tokens: texts of a time that mean that it is unknown; an empty beginning does.
        end_inclusive: a fact holds through the year, month or day that its end names.
        has_header: whether the first row names the columns; None finds out.
        form: None goes by the extension, else by the first lines.
        zone: zone of dates, and of times without an offset; UTC for dates if None.
        json_values: the cells of values are JSON; in JSON Lines they are anyway.
        source: name of the source in ids, by which rows are known again; the file's if None.

    Raises:
        Invalid: a field is unknown or missing, or an attribute is both single and many.
    """

    columns: Mapping[str, str]
    lookups: Mapping[str, Path] = field(default_factory=dict)
    many: frozenset[str] = frozenset()
    single: frozenset[str] = frozenset()
    open_tokens: frozenset[str] = frozenset()
    unknown_tokens: frozenset[str] = frozenset()
    end_inclusive: bool = False
    has_header: bool | None = None
    form: Form | None = None
    zone: tzinfo | None = None
    json_values: bool = False
    source: str | None = None

    def __post_init__(self) -> None:
        """Refuse options that contradict one another."""
        for name in self.columns:
            if name not in FIELDS:
                raise Invalid(f"No field is called {name!r}; there are {', '.join(FIELDS)}.")
        missing = [name for name in _NEEDED if name not in self.columns]
        if missing:
            raise Invalid(f"Say which columns hold {' and '.join(missing)}.")
        for name in self.lookups:
            if name not in LOOKED_UP or name not in self.columns:
                raise Invalid(f"There is no column of {name!r} whose ids could be looked up.")
        both = sorted(self.many & self.single)
        if both:
            raise Invalid(f"{both[0]} cannot be both single-valued and multi-valued.")


def pairs(texts: Iterable[str]) -> dict[str, str]:
    """Read options such as `subject=0,value=2`.

    Raises:
        Invalid: a part is no such pair, or names a field twice.
    """
    found: dict[str, str] = {}
    for part in (part for text in texts for part in text.split(",")):
        name, equals, value = part.partition("=")
        name, value = name.strip(), value.strip()
        if not (name and equals and value):
            raise Invalid(f"{part!r} is not of the form FIELD=COLUMN.")
        if name in found:
            raise Invalid(f"{name} is given twice.")
        found[name] = value
    return found


def names(texts: Iterable[str]) -> frozenset[str]:
    """Read options such as `spouse,capital_of`, also when given several times."""
    return frozenset(name.strip() for text in texts for name in text.split(",") if name.strip())


class TableImporter(Importer):
    """Reads a file of statements.

    Args:
        file: CSV, TSV or JSON Lines, in UTF-8.
        options: how it is to be read.
    """

    kind = "table"

    def __init__(self, file: Path, options: TableOptions) -> None:
        self.source = str(file)
        self._file = file
        self._options = options
        self._name = options.source or file.name
        self._prefix = re.sub(r"[^\w.-]", "_", self._name)[:80]
        self._lookups: dict[str, dict[str, str]] = {}
        self._times: dict[str, StatedInstant] = {}
        self._dialect = Dialect(Form.JSON_LINES)
        self._signature: tuple[int, int, int] = (0, 0, 0)
        self._modified_at = datetime.fromtimestamp(0, UTC)
        self._done = 0
        self._found_notes: list[str] = []
        self._unknown_ends = 0

    def __enter__(self) -> Self:
        """Look at the first lines and read the look-up files.

        Raises:
            NotFound: a file is not there.
            Invalid: a file is something else.
            Unavailable: a file cannot be read.
        """
        if not self._file.exists():
            raise NotFound(f"There is no file {self._file}.")
        if not self._file.is_file():
            raise Invalid(f"{self._file} is not an ordinary file.")
        try:
            self._signature = self._look()
            self._modified_at = from_micros(self._signature[1] // 1000)
            self._dialect = dialect_of(self._file, self._options.form)
            self._lookups = {
                name: read_lookup(path) for name, path in self._options.lookups.items()
            }
        except OSError as error:
            said = error.strerror or error
            raise Unavailable(f"{error.filename or self._file} cannot be read: {said}.") from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Forget the look-up files."""
        self._lookups = {}
        self._times = {}

    def pieces(self, reading: Reading) -> Iterator[Piece]:
        """Yield the rows."""
        self._done = self._unknown_ends = 0
        self._found_notes = []
        try:
            if self._look() != self._signature:
                raise Invalid(f"{self._file} changed while it was read; nothing more was written.")
            with self._file.open("rb") as file:
                yield from self._rows(file, reading)
            if self._look() != self._signature:
                said = "the file changed while it was read; import it again."
                yield Piece(Place(self._file.name), problem=said)
        except OSError as error:
            raise Unavailable(
                f"{self._file} cannot be read on: {error.strerror or error}."
            ) from error

    def progress(self) -> tuple[int, int | None]:
        """Return how many bytes were read, and how many there are."""
        return self._done, self._signature[0]

    def cardinality(self, attribute: str) -> Cardinality | None:
        """Return what the options say of an attribute."""
        if attribute in self._options.single:
            return Cardinality.SINGLE
        is_many = attribute in self._options.many or EVERY in self._options.many
        return Cardinality.MULTI if is_many else None

    def notes(self) -> tuple[str, ...]:
        """Say what was found out or assumed."""
        unknown = f"Written without an end, which is unknown: {self._unknown_ends:,}."
        return (*self._found_notes, *([unknown] if self._unknown_ends else []))

    def _look(self) -> tuple[int, int, int]:
        """Return size, time of modification in nanoseconds and identity of the file."""
        found = self._file.stat()
        return found.st_size, found.st_mtime_ns, found.st_ino

    # -- rows ---------------------------------------------------------------------------------

    def _rows(self, file: BinaryIO, reading: Reading) -> Iterator[Piece]:
        columns: _Columns | None = None
        for record in read_records(file, self._dialect):
            self._done = file.tell()
            place = Place(self._file.name, record.line)
            if record.problem:
                yield Piece(place, problem=record.problem)
                continue
            if columns is None:
                columns = self._columns(record)
                if columns.is_header:
                    continue
            yield self._piece(_Row(record, columns), place, reading)

    def _columns(self, first: Record) -> _Columns:
        """Find the columns, and whether the first record names them.

        Raises:
            Invalid: there is no such column.
        """
        wanted = self._options.columns
        if self._dialect.form is Form.JSON_LINES:
            return _Columns(dict(wanted), width=None)
        has_header = self._options.has_header
        if has_header is None:
            has_header = self._looks_like_header(first.cells)
            if has_header:
                self._found_notes.append(f"Line {first.line} was read as the header.")
        header = [str(cell).strip() for cell in first.cells] if has_header else None
        found = {
            name: _position(column, header, len(first.cells), self._file.name)
            for name, column in wanted.items()
        }
        taken = set(found.values())
        titles = header or [f"column {i}" for i in range(len(first.cells))]
        rest = [(i, title[:100]) for i, title in enumerate(titles) if i not in taken]
        return _Columns(found, len(first.cells), header, is_header=header is not None, rest=rest)

    def _looks_like_header(self, cells: list[str]) -> bool:
        """Say whether columns are wanted by name, or the place of a time holds no figure."""
        wanted = self._options.columns
        if not all(column.isdecimal() for column in wanted.values()):
            return True
        position = int(wanted["valid_from"])
        cell = cells[position] if position < len(cells) else ""
        tokens = self._options.unknown_tokens
        return bool(cell.strip()) and cell not in tokens and not any(map(str.isdigit, cell))

    def _piece(self, row: _Row, place: Place, reading: Reading) -> Piece:
        try:
            row.check_width()
            episode = self._episode(row, place, reading)
        except Invalid as error:
            return Piece(place, problem=str(error))
        dropped = row.unmapped()
        try:
            begins = self._time(row, "valid_from")
            if begins is None:
                aside = "rows whose beginning is unknown"
                return Piece(place, episode, without_fact=aside, dropped=dropped)
            if not row.has_value():
                return Piece(place, episode, without_fact="rows without a value", dropped=dropped)
            delta = self._delta(row, begins, episode, reading)
        except Invalid as error:
            return Piece(place, episode, problem=str(error), dropped=dropped)
        cited = delta.source_episode_id != episode.episode_id
        return Piece(place, None if cited else episode, delta, dropped=dropped)

    def _episode(self, row: _Row, place: Place, reading: Reading) -> EpisodeDraft:
        text = row.record.text
        digest = blake2b(f"{self._name}\n{text}".encode(), digest_size=12).hexdigest()
        episode_id = f"{self._prefix}:{digest}"
        known = reading.episode(episode_id)
        metadata: dict[str, Any] = {"file": place.file, "line": place.line}
        source = row.text("episode")
        if source:
            metadata["episode"] = source
        return checked(
            EpisodeDraft,
            episode_id=episode_id,
            kind=EpisodeKind.IMPORTED_ROW,
            content=text,
            occurred_at=self._modified_at if known is None else known.occurred_at,
            agent_id=self._named(row, "agent") or None,
            metadata=metadata,
        )

    def _delta(
        self, row: _Row, begins: StatedInstant, episode: EpisodeDraft, reading: Reading
    ) -> MemoryDelta:
        until, end = self._end(row, begins)
        source = row.text("episode")
        is_captured = bool(source) and reading.episode(source) is not None
        return checked(
            MemoryDelta,
            tenant_id=reading.tenant_id,
            subject=self._named(row, "subject"),
            attribute=self._named(row, "attribute") or row.columns.name_of_value,
            value=self._value(row),
            valid_from=begins.instant,
            until=until,
            source_episode_id=source if is_captured else episode.episode_id,
            confidence=_confidence(row.cell("confidence")),
            owner=self._named(row, "owner") or SHARED,
            memory_type=self._named(row, "memory_type") or None,
            precision=begins.precision,
            stated_as=f"{begins.text}/{end}" if end else begins.text,
        )

    # -- cells --------------------------------------------------------------------------------

    def _named(self, row: _Row, name: str) -> str:
        """Return the text of a field, looked up if it is an id; "" if there is none.

        Raises:
            Invalid: the id has no name, or the cell holds a list or an object.
        """
        text = row.text(name)
        lookup = self._lookups.get(name)
        if lookup is None or not text:
            return text
        found = lookup.get(text)
        if found is None:
            where = self._options.lookups[name].name
            raise Invalid(f"{name}: {text!r} has no name in {where}.")
        return found

    def _value(self, row: _Row) -> Any:
        if "value" in self._lookups:
            return self._named(row, "value")
        cell = row.cell("value")
        if self._dialect.form is Form.JSON_LINES or cell is None:
            return cell
        return from_json(cell) if self._options.json_values else cell.strip()

    def _time(self, row: _Row, name: str) -> StatedInstant | None:
        """Return a time; None if it is unknown.

        Raises:
            Invalid: it is no time, or one that cannot be kept.
        """
        text = row.text(name)
        if not text or text in self._options.unknown_tokens:
            return None
        found = self._times.get(text)
        if found is None:
            if _SHORT_YEAR.fullmatch(text):
                raise Invalid(f"{name}: the year {text} is not one of 0001 to 9999.")
            found = parse_instant(text, self._options.zone)
            if len(self._times) >= _TIMES_KEPT:
                self._times.clear()
            self._times[text] = found
        return found

    def _end(self, row: _Row, begins: StatedInstant) -> tuple[datetime | None, str]:
        """Return the instant after the last at which a row says that it holds, and its words.

        Raises:
            Invalid: it is no time, or does not lie after the beginning.
        """
        text = row.text("valid_to")
        if not text or text in self._options.open_tokens:
            return None, text
        stated = self._time(row, "valid_to")
        if stated is None:
            self._unknown_ends += 1
            return None, text
        inclusive = self._options.end_inclusive
        until = stated.period_end if inclusive else stated.instant
        if until <= begins.instant:
            hint = "" if inclusive else " unless its end is meant inclusively"
            raise Invalid(f"it would end ({text}) before it holds ({begins.text}){hint}.")
        return until, text


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the fields stand.

    Attributes:
        found: for each field its position, or its key in JSON Lines.
        width: how many columns each row must have; None in JSON Lines.
        rest: positions and names of the columns that are mapped to nothing; None in JSON Lines.
    """

    found: Mapping[str, int | str]
    width: int | None
    header: list[str] | None = None
    is_header: bool = False
    rest: list[tuple[int, str]] | None = None

    @property
    def name_of_value(self) -> str:
        """The attribute where no column gives it: the name of the value's column."""
        column = self.found["value"]
        if isinstance(column, int):
            return self.header[column] if self.header is not None else ""
        return "" if column.isdecimal() else column


@dataclass(frozen=True, slots=True)
class _Row:
    """A record with the columns by which it is read."""

    record: Record
    columns: _Columns

    def check_width(self) -> None:
        """Refuse a row in which cells would have moved.

        Raises:
            Invalid: it has more or fewer columns than the first.
        """
        width = self.columns.width
        if width is not None and len(self.record.cells) != width:
            raise Invalid(f"the row has {len(self.record.cells)} columns, where {width} belong.")

    def cell(self, name: str) -> Any:
        """Return what stands in a field's column; None if there is nothing."""
        column = self.columns.found.get(name)
        if column is None:
            return None
        cells = self.record.cells
        if isinstance(cells, dict):
            return cells.get(str(column))
        position = column if isinstance(column, int) else _index(column)
        return cells[position] if position is not None and position < len(cells) else None

    def has_value(self) -> bool:
        """Say whether a value stands there; in JSON null is one, an empty cell is none."""
        cells = self.record.cells
        column = self.columns.found["value"]
        if isinstance(cells, dict):
            return column in cells
        if isinstance(column, str):
            position = _index(column)
            return position is not None and position < len(cells)
        return bool(cells[column].strip())

    def text(self, name: str) -> str:
        """Return a field as trimmed text, "" if there is none.

        Raises:
            Invalid: it is a list, an object or a truth value.
        """
        cell = self.cell(name)
        if cell is None:
            return ""
        if isinstance(cell, str):
            return cell.strip()
        if isinstance(cell, bool) or not isinstance(cell, int | float):
            raise Invalid(f"{name}: {str(cell)[:60]} is neither text nor a number.")
        return str(cell)

    def unmapped(self) -> tuple[str, ...]:
        """Return the names of columns that hold something and are mapped to no field."""
        cells = self.record.cells
        if isinstance(cells, dict):
            taken = self.columns.found.values()
            return tuple(key[:100] for key, cell in cells.items() if key not in taken and cell)
        rest = self.columns.rest
        if rest is None:
            taken = self.columns.found.values()
            rest = [(i, f"column {i}") for i in range(len(cells)) if str(i) not in taken]
        return tuple(name for i, name in rest if cells[i])


def _index(column: str) -> int | None:
    return int(column) if column.isdecimal() and len(column) < 10 else None


def _position(column: str, header: list[str] | None, width: int, file: str) -> int:
    """Return the position of a column that was asked for by name or number."""
    if header is not None and header.count(column) == 1:
        return header.index(column)
    if header is not None and header.count(column) > 1:
        raise Invalid(f"{file} has several columns called {column!r}; give its number.")
    position = _index(column)
    if position is None:
        there = f"numbers from 0 to {width - 1}" if header is None else ", ".join(header[:30])
        raise Invalid(f"{file} has no column {column!r}; there are {there}.")
    if position >= width:
        raise Invalid(f"{file} has no column {column}; it has {width}, counted from 0.")
    return position


def _confidence(cell: Any) -> float:
    if cell is None or cell == "":
        return 1.0
    try:
        return float(cell)
    except (TypeError, ValueError) as error:
        raise Invalid(f"confidence: {str(cell)[:60]!r} is not a number from 0 to 1.") from error


def read_lookup(path: Path) -> dict[str, str]:
    """Read a file of names and ids, two to a line in either order; return the names by id.

    The ids are the column of whole numbers; if both or neither are, they come second. A first line
    with nothing but a number is a count and passed over.

    Raises:
        NotFound: there is no such file.
        Invalid: a line has no two parts, or gives an id a second name.
    """
    if not path.is_file():
        raise NotFound(f"There is no file {path} to look ids up in.")
    rows: list[tuple[int, str, str]] = []
    with path.open("rb") as file:
        for line in read_lines(file):
            where = Place(path.name, line.number)
            if line.problem:
                raise Invalid(f"{where}: {line.problem}")
            is_count = line.number == 1 and line.text.strip().isdecimal()
            if not line.text.strip() or is_count:
                continue
            first, second = _two(line.text, where)
            rows.append((line.number, first, second))
            if len(rows) > MOST_NAMES:
                raise Invalid(f"{path.name} has more than {MOST_NAMES:,} names.")
    ids_first = all(first.isdecimal() for _, first, _ in rows) and not all(
        second.isdecimal() for _, _, second in rows
    )
    found: dict[str, str] = {}
    for number, first, second in rows:
        name, identity = (second, first) if ids_first else (first, second)
        if found.setdefault(identity, name) != name:
            raise Invalid(
                f"{Place(path.name, number)}: {identity} is called {found[identity]!r} already."
            )
    return found


def _two(text: str, where: Place) -> tuple[str, str]:
    if "\t" in text:
        parts = text.split("\t")
    else:
        parts = text.rsplit(maxsplit=1)
        if len(parts) == 2 and not parts[1].isdecimal():
            parts = text.split(maxsplit=1)
    if len(parts) != 2 or not all(part.strip() for part in parts):
        raise Invalid(f"{where}: there should be a name and an id.")
    return parts[0].strip(), parts[1].strip()
