"""The columns of the facts table: what each is called, sorts by, and says about a fact."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from store.encoding import State, state_of
from store.model import SHARED
from store.query import FactField, Mark
from store.temporal import Basis, to_micros
from workbench import words
from workbench.text import (
    DASH,
    QT_TRANSLATE_NOOP,
    day,
    decimal,
    exact,
    instant,
    local,
    one_line,
    value_line,
    value_pretty,
    visible,
)

if TYPE_CHECKING:
    from datetime import datetime

    from store.model import EpisodeKind, Fact

translate = QCoreApplication.translate

CONTEXT: Final = "FactColumns"
"""The translators' context of all texts in this module."""
LONGEST_CELL: Final = 200
"""A cell shows at most so many characters."""
ASSUMED_SIGN: Final = "≈"


class Column(IntEnum):
    """The columns, in their first order. The number is the section of the model."""

    SUBJECT = 0
    ATTRIBUTE = 1
    VALUE = 2
    VALID_FROM = 3
    VALID_TO = 4
    SOURCE = 5
    CONFIDENCE = 6
    STATUS = 7
    TYPE = 8
    AGENT = 9
    OWNER = 10
    RECORDED = 11
    CONFIRMED = 12


@dataclass(slots=True)
class FactRow:
    """What a row shows: a fact, and the kind of its source where that is known.

    Attributes:
        texts: what its cells show, as far as they were asked; drop them for another language.
    """

    fact: Fact
    source_kind: EpisodeKind | None = None
    texts: dict[Column, str] = field(default_factory=dict, compare=False, repr=False)

    def state(self, at: int) -> State:
        """Say what the fact is at an instant in microseconds; a dispute outweighs the rest."""
        fact = self.fact
        ends = None if fact.valid_to is None else to_micros(fact.valid_to)
        marks = int(Mark.DISPUTED) if fact.disputed else 0
        return state_of(to_micros(fact.valid_from), ends, marks=marks, at=at)


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """What there is to say about a column.

    Attributes:
        id: its name in saved states and object names.
        title: untranslated.
        field: what the store filters and sorts by; None where it can do neither.
        hint: an example of a filter, untranslated.
        is_first_hidden: whether it has to be chosen to be seen.
        can_sort: whether the store sorts by it.
    """

    id: str
    title: str
    field: FactField | None
    hint: str = ""
    is_first_hidden: bool = False
    can_sort: bool = True


_HINT_TEXT = QT_TRANSLATE_NOOP("FactColumns", "contains …")
_HINT_TIME = QT_TRANSLATE_NOOP("FactColumns", "from ~ to")
_HINT_NUMBER = QT_TRANSLATE_NOOP("FactColumns", "> 0.8")

SPECS: Final[dict[Column, ColumnSpec]] = {
    Column.SUBJECT: ColumnSpec(
        "subject",
        QT_TRANSLATE_NOOP("FactColumns", "Subject"),
        FactField.SUBJECT,
        QT_TRANSLATE_NOOP("FactColumns", "= this | that"),
    ),
    Column.ATTRIBUTE: ColumnSpec(
        "attribute",
        QT_TRANSLATE_NOOP("FactColumns", "Attribute"),
        FactField.ATTRIBUTE,
        _HINT_TEXT,
    ),
    Column.VALUE: ColumnSpec(
        "value", QT_TRANSLATE_NOOP("FactColumns", "Value"), FactField.VALUE, _HINT_TEXT
    ),
    Column.VALID_FROM: ColumnSpec(
        "valid_from",
        QT_TRANSLATE_NOOP("FactColumns", "Valid from"),
        FactField.VALID_FROM,
        _HINT_TIME,
    ),
    Column.VALID_TO: ColumnSpec(
        "valid_to", QT_TRANSLATE_NOOP("FactColumns", "Valid to"), FactField.VALID_TO, _HINT_TIME
    ),
    Column.SOURCE: ColumnSpec(
        "source",
        QT_TRANSLATE_NOOP("FactColumns", "Source"),
        FactField.EPISODE,
        _HINT_TEXT,
        can_sort=False,
    ),
    Column.CONFIDENCE: ColumnSpec(
        "confidence",
        QT_TRANSLATE_NOOP("FactColumns", "Confidence"),
        FactField.CONFIDENCE,
        _HINT_NUMBER,
    ),
    Column.STATUS: ColumnSpec(
        "status",
        QT_TRANSLATE_NOOP("FactColumns", "Status"),
        None,
        QT_TRANSLATE_NOOP("FactColumns", "disputed"),
        can_sort=False,
    ),
    Column.TYPE: ColumnSpec(
        "type",
        QT_TRANSLATE_NOOP("FactColumns", "Type"),
        FactField.MEMORY_TYPE,
        _HINT_TEXT,
        is_first_hidden=True,
    ),
    Column.AGENT: ColumnSpec(
        "agent",
        QT_TRANSLATE_NOOP("FactColumns", "Agent"),
        FactField.AGENT,
        _HINT_TEXT,
        is_first_hidden=True,
    ),
    Column.OWNER: ColumnSpec(
        "owner",
        QT_TRANSLATE_NOOP("FactColumns", "Owner"),
        FactField.OWNER,
        _HINT_TEXT,
        is_first_hidden=True,
    ),
    Column.RECORDED: ColumnSpec(
        "recorded",
        QT_TRANSLATE_NOOP("FactColumns", "Recorded"),
        FactField.RECORDED_AT,
        _HINT_TIME,
        is_first_hidden=True,
    ),
    Column.CONFIRMED: ColumnSpec(
        "confirmed",
        QT_TRANSLATE_NOOP("FactColumns", "Last confirmed"),
        None,
        is_first_hidden=True,
        can_sort=False,
    ),
}

COLUMNS_BY_ID: Final = {spec.id: column for column, spec in SPECS.items()}
INSTANT_COLUMNS: Final = frozenset(
    {Column.VALID_FROM, Column.VALID_TO, Column.RECORDED, Column.CONFIRMED}
)
NUMBER_COLUMNS: Final = frozenset({Column.CONFIDENCE})


def title(column: Column) -> str:
    """Give the title of a column in the language in force."""
    return translate(CONTEXT, SPECS[column].title)


def is_filterable(column: Column) -> bool:
    """Say whether anything can be typed under a column."""
    return SPECS[column].field is not None or column is Column.STATUS


def hint(column: Column) -> str:
    """Give an example of what can be typed under a column, in the language in force."""
    return translate(CONTEXT, SPECS[column].hint) if SPECS[column].hint else ""


def status(row: FactRow, at: datetime) -> State:
    """Say what a fact is at an instant; a dispute outweighs the rest."""
    return row.state(to_micros(at))


def status_word(row: FactRow, at: datetime) -> str:
    """Give the word of a row's status; its sources are the values of `State`."""
    return translate("State", status(row, at).value)


def cell_text(row: FactRow, column: Column, at: datetime) -> str:
    """Give what a cell shows, on one line, with nothing hidden in it.

    Args:
        row: the row.
        column: the column.
        at: the instant from which one looks, for the status.
    """
    if column is Column.STATUS:
        return status_word(row, at)
    text = row.texts.get(column)
    if text is None:
        text = row.texts[column] = _lasting_text(row, column)
    return text


def _lasting_text(row: FactRow, column: Column) -> str:
    fact = row.fact
    match column:
        case Column.SUBJECT:
            return one_line(fact.subject, LONGEST_CELL)
        case Column.ATTRIBUTE:
            return one_line(fact.attribute, LONGEST_CELL)
        case Column.VALUE:
            return value_line(fact.value, LONGEST_CELL)
        case Column.SOURCE:
            return _source(row)
        case Column.CONFIDENCE:
            return decimal(fact.confidence)
        case Column.TYPE:
            return one_line(fact.memory_type, LONGEST_CELL)
        case Column.AGENT:
            return one_line(fact.agent_id, LONGEST_CELL)
        case Column.OWNER:
            return one_line(fact.owner, LONGEST_CELL) if fact.owner != SHARED else _shared()
        case Column.VALID_FROM:
            shown = instant(fact.valid_from, fact.precision)
            return f"{ASSUMED_SIGN} {shown}" if is_assumed(fact) else shown
        case Column.VALID_TO:
            return instant(fact.valid_to)
        case Column.RECORDED:
            return instant(fact.recorded_at, has_seconds=True)
        case Column.CONFIRMED:
            return instant(fact.last_confirmed_at)
    return ""


def _instant(fact: Fact, column: Column) -> datetime | None:
    """Give the instant of one of `INSTANT_COLUMNS`, None where there is none."""
    return {
        Column.VALID_FROM: fact.valid_from,
        Column.VALID_TO: fact.valid_to,
        Column.RECORDED: fact.recorded_at,
        Column.CONFIRMED: fact.last_confirmed_at,
    }[column]


def _exact(fact: Fact, column: Column) -> str:
    at = _instant(fact, column)
    return "" if at is None else exact(at)


def instant_parts(row: FactRow, column: Column) -> tuple[str, str, str]:
    """Part what an instant's cell shows into sign, day (or what stands for it), and time of day."""
    text = cell_text(row, column, row.fact.valid_from)
    sign = ASSUMED_SIGN if text.startswith(ASSUMED_SIGN) else ""
    text = text.removeprefix(sign).strip()
    at = _instant(row.fact, column)
    shown_day = "" if at is None else day(local(at).date())
    if not shown_day or not text.startswith(shown_day):
        return sign, text, ""
    return sign, shown_day, text.removeprefix(shown_day).strip()


def longest_days() -> tuple[str, ...]:
    """Return days as they are shown, one of each month, with the longest number of a day."""
    return tuple(day(date(2026, month, 28)) for month in range(1, 13))


def is_assumed(fact: Fact) -> bool:
    """Say whether no source stated when a fact begins."""
    return fact.valid_from_basis in (Basis.ASSUMED, Basis.UNKNOWN)


def _source(row: FactRow) -> str:
    name = one_line(row.fact.source_episode_id, LONGEST_CELL)
    return name if row.source_kind is None else f"{name} · {words.episode_kind(row.source_kind)}"


def _shared() -> str:
    return translate("FactColumns", "shared")


def spoken_text(row: FactRow, column: Column, at: datetime) -> str:
    """Give what a screen reader says for a cell: no sign stands alone."""
    fact = row.fact
    if column is Column.VALID_FROM and is_assumed(fact):
        shown = instant(fact.valid_from, fact.precision)
        return f"{shown}, {words.basis(fact.valid_from_basis)}"
    if column is Column.VALID_TO and fact.valid_to is None:
        return translate("FactColumns", "until changed")
    if column is Column.CONFIRMED and fact.last_confirmed_at is None:
        return translate("FactColumns", "never")
    return cell_text(row, column, at)


def summary_text(row: FactRow, at: datetime) -> str:
    """Give a row in one sentence, for a screen reader."""
    return translate("FactColumns", "{subject} {attribute}: {value}, {status}").format(
        subject=cell_text(row, Column.SUBJECT, at),
        attribute=cell_text(row, Column.ATTRIBUTE, at),
        value=cell_text(row, Column.VALUE, at),
        status=cell_text(row, Column.STATUS, at),
    )


def hover_text(row: FactRow, column: Column) -> str:
    """Give what a hover tells, as plain text of one or more lines; "" where a cell says it all."""
    fact = row.fact
    match column:
        case Column.VALID_FROM:
            lines = [exact(fact.valid_from)]
            lines.append(f"{words.basis(fact.valid_from_basis)}, {words.precision(fact.precision)}")
            if fact.stated_as:
                stated = one_line(fact.stated_as, LONGEST_CELL)
                lines.append(translate("FactColumns", "Stated as “{words}”").format(words=stated))
            return "\n".join(lines)
        case Column.VALID_TO if fact.valid_to is None:
            return translate("FactColumns", "Open: it holds until changed.")
        case Column.VALID_TO | Column.RECORDED | Column.CONFIRMED:
            return _exact(fact, column)
        case Column.VALUE:
            return _whole_value(fact)
        case Column.SUBJECT:
            return visible(fact.subject) if len(fact.subject) > 24 else ""
        case Column.ATTRIBUTE:
            return visible(fact.attribute) if len(fact.attribute) > 24 else ""
    return ""


def _whole_value(fact: Fact) -> str:
    if isinstance(fact.value, str):
        return visible(fact.value[:2000], keeps_lines=True)
    if isinstance(fact.value, dict | list):
        return value_pretty(fact.value)[:2000]
    return ""


def copied_text(row: FactRow, column: Column, at: datetime) -> str:
    """Give what a cell is in a copy: instants exact, values whole, nothing that a sheet runs.

    A cell that a spreadsheet would read as a formula gets an apostrophe before it, as OWASP
    advises against CSV injection.
    """
    fact = row.fact
    match column:
        case _ if column in INSTANT_COLUMNS:
            return _exact(fact, column)
        case Column.CONFIDENCE:
            return f"{fact.confidence:g}"
        case Column.VALUE if isinstance(fact.value, int | float):
            return value_line(fact.value)
        case Column.VALUE:
            return _harmless(value_line(fact.value, 1_000_000))
        case Column.SUBJECT:
            return _harmless(visible(fact.subject))
        case Column.ATTRIBUTE:
            return _harmless(visible(fact.attribute))
    return _harmless(cell_text(row, column, at))


def _harmless(text: str) -> str:
    if text == DASH:
        return ""
    return f"'{text}" if text and text[0] in "=+-@" else text
