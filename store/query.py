"""What may be asked of a store, and the shapes of long answers, as values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntFlag, StrEnum
from typing import Final, Generic, NamedTuple, TypeVar

from store.errors import Invalid
from store.model import ConflictKind, Episode, EpisodeKind, Fact, Transaction
from store.temporal import parse_instant

T = TypeVar("T")


class FactField(StrEnum):
    """A column of the facts table that can be filtered, and all but `episode` sorted by."""

    SUBJECT = "subject"
    ATTRIBUTE = "attribute"
    VALUE = "value"
    MEMORY_TYPE = "memory_type"
    VALID_FROM = "valid_from"
    VALID_TO = "valid_to"
    CONFIDENCE = "confidence"
    EPISODE = "source_episode_id"
    AGENT = "agent_id"
    OWNER = "owner"
    RECORDED_AT = "recorded_at"


INSTANT_FIELDS: Final = frozenset({FactField.VALID_FROM, FactField.VALID_TO, FactField.RECORDED_AT})


class Comparison(StrEnum):
    """How a filter compares. Text compares without regard to case, except with an expression.

    Values compare by the text that is shown: a string without its quotes, else canonical JSON.
    """

    EQUALS = "="
    DIFFERS = "<>"
    BELOW = "<"
    ABOVE = ">"
    BETWEEN = "~"
    CONTAINS = "contains"
    MATCHES = "/"
    IS_EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class FieldFilter:
    """One condition on one field.

    Attributes:
        operand: text; for instants an ISO 8601 text, for confidence a number; several alternatives
            for EQUALS are separated in `alternatives`.
        upper: the exclusive upper bound of BETWEEN.
    """

    field: FactField
    comparison: Comparison
    operand: str = ""
    upper: str = ""
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FactQuery:
    """Which facts are meant. All conditions must hold; names match exactly.

    Attributes:
        history: every interval as of the known-at, instead of only those in force at the valid-at.
        disputed: only disputed, or only undisputed ones.
        text: words that must all occur in the subject, attribute or shown value, as parts of words
            and without regard to case.
    """

    subject: str | None = None
    attribute: str | None = None
    memory_type: str | None = None
    owner: str | None = None
    episode_id: str | None = None
    history: bool = False
    disputed: bool | None = None
    text: str = ""
    filters: tuple[FieldFilter, ...] = ()


class Order(NamedTuple):
    """How a list is sorted; ties are broken by subject, attribute, owner, slot and beginning."""

    field: FactField = FactField.SUBJECT
    descending: bool = False


Cursor = str
"""Where a page ends: opaque, valid for the same query, order and as-of."""


@dataclass(frozen=True, slots=True)
class Page:
    """A request for part of a list: at most `limit` items after a cursor; from the start if None.

    Raises:
        Invalid: the limit is not within 1 to 1,000.
    """

    limit: int = 256
    after: Cursor | None = None

    def __post_init__(self) -> None:
        """Refuse limits that would make a page a dump."""
        if not 1 <= self.limit <= 1000:
            raise Invalid(f"A page holds 1 to 1,000 items, not {self.limit}.")


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """A page of an answer.

    Attributes:
        after: cursor of the next page; None when this is the last.
    """

    items: tuple[T, ...]
    after: Cursor | None = None


FactPage = Listed[Fact]
EpisodePage = Listed[Episode]
TransactionPage = Listed[Transaction]


@dataclass(frozen=True, slots=True)
class Anchors:
    """Cursors into a whole list, so that a window can jump anywhere without counting off rows.

    Attributes:
        count: how many items the list has.
        every: the distance between anchors, in items.
        cursors: `cursors[i]` is the `after` of the page that begins at item `i * every`;
            the first is None.
    """

    count: int
    every: int
    cursors: tuple[Cursor | None, ...]


@dataclass(frozen=True, slots=True)
class EpisodeQuery:
    """Which episodes are meant; newest `occurred_at` first."""

    kind: EpisodeKind | None = None
    agent_id: str | None = None
    session_id: str | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class TransactionQuery:
    """Which transactions are meant; newest first."""

    subject: str | None = None
    attribute: str | None = None
    actor: str | None = None
    kinds: frozenset[str] = frozenset()
    text: str = ""


class Mark(IntFlag):
    """What the state of a bar says besides its value."""

    DISPUTED = 1
    RESTATED = 2
    IMPRECISE = 4
    """The beginning is known to the day or worse."""
    ASSUMED = 8
    """The beginning is assumed, or unknown."""
    BELIEVED = 16
    """What was believed at another known-at."""
    CONFIRMED = 32
    """More than one episode supports it."""


class Bar(NamedTuple):
    """One stretch of a lane. Bounds are microseconds since 1970 UTC, half-open; None is open.

    `value` is canonical JSON text cut to 200 characters.
    """

    valid_from: int
    valid_to: int | None
    memory_id: str
    value: str
    marks: int


class LaneKey(NamedTuple):
    """Which key a lane shows."""

    owner: str
    subject: str
    attribute: str
    slot: str


class Lane(NamedTuple):
    """One key with its stretches as of the asked transaction, sorted and never overlapping."""

    key: LaneKey
    memory_type: str
    open_conflicts: int
    bars: tuple[Bar, ...]


class SubjectLanes(NamedTuple):
    """One subject in the order of lanes, with how many it has."""

    subject: str
    lanes: int
    memory_type: str
    open_conflicts: int


@dataclass(frozen=True, slots=True)
class LaneFilter:
    """Which lanes are meant. Lanes are ordered by subject, attribute, owner, slot (code points).

    Attributes:
        text: words that must all occur in the subject or attribute, without regard to case.
    """

    subject: str | None = None
    attribute: str | None = None
    memory_type: str | None = None
    text: str = ""


class Density(NamedTuple):
    """How many stretches begin in each bucket of a span of valid time, and where conflicts stand.

    Attributes:
        valid_from: beginning of the first bucket, microseconds since 1970.
        valid_to: end of the last one, exclusive.
        counts: one count for each bucket, all of the same width.
        conflicts: beginnings of the contested periods of open conflicts, sorted.
    """

    valid_from: int
    valid_to: int
    counts: tuple[int, ...]
    conflicts: tuple[int, ...]


class Extent(NamedTuple):
    """The outermost bounds in a record, microseconds since 1970; None in an empty one.

    Attributes:
        first_valid: the earliest `valid_from`.
        last_valid: the latest bound, of either end.
        first_recorded: `recorded_at` of the first transaction.
        last_recorded: and of the newest.
    """

    first_valid: int | None
    last_valid: int | None
    first_recorded: int | None
    last_recorded: int | None


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of one tenant as of a point on both axes.

    Attributes:
        facts: facts in force at the valid-at.
        intervals: all stretches as of the known-at.
        transaction: number of the transaction that the known-at resolved to.
        newest: number of the newest transaction.
        by_type: facts in force for each memory type, most first.
    """

    subjects: int
    keys: int
    facts: int
    intervals: int
    episodes: int
    conflicts_open: int
    transaction: int
    newest: int
    extent: Extent
    by_type: tuple[tuple[str, int], ...] = ()
    by_attribute: tuple[tuple[str, int], ...] = ()
    by_agent: tuple[tuple[str, int], ...] = ()


class HitKind(StrEnum):
    """What a search found."""

    FACT = "fact"
    EPISODE = "episode"


class Hit(NamedTuple):
    """One thing that a search found, best first.

    Attributes:
        id: `memory_id` or `episode_id`.
        title: subject and attribute, or kind and id.
        excerpt: plain text around the match, at most 200 characters.
        valid_from: beginning of the fact, or when the episode occurred; microseconds since 1970.
    """

    kind: HitKind
    id: str
    title: str
    excerpt: str
    valid_from: int


@dataclass(frozen=True, slots=True)
class TenantSummary:
    """What the operator scope may see of a tenant without entering it."""

    tenant_id: str
    facts: int
    conflicts_open: int
    newest: int


_BETWEEN: Final = re.compile(r"(?P<low>.+?)~(?P<high>.*)", re.DOTALL)


def parse_filter(field: FactField, text: str) -> FieldFilter | None:
    """Read what a person typed under a column header; None for an empty text.

    `= a | b`, `<> a`, `< a`, `> a`, `a~b` (from a up to b), `a~`, `/regular expression/`,
    `empty`, and anything else: contains (for numbers and times: equals).

    Raises:
        Invalid: the expression, number or time cannot be read.
    """
    typed = text.strip()
    if not typed:
        return None
    condition = _read(field, typed)
    if condition.comparison is Comparison.MATCHES:
        compile_expression(condition.operand)
    for operand in (condition.operand, condition.upper, *condition.alternatives):
        _check_operand(field, condition.comparison, operand)
    return condition


def _read(field: FactField, typed: str) -> FieldFilter:
    if typed.casefold() in ("empty", "is empty"):
        return FieldFilter(field, Comparison.IS_EMPTY)
    if len(typed) > 2 and typed[0] == typed[-1] == "/":
        return FieldFilter(field, Comparison.MATCHES, typed[1:-1])
    for comparison in (Comparison.DIFFERS, Comparison.EQUALS, Comparison.BELOW, Comparison.ABOVE):
        if typed.startswith(comparison.value):
            operand = typed.removeprefix(comparison.value).strip()
            return _compared(field, comparison, operand)
    between = _BETWEEN.fullmatch(typed)
    if between is not None and field in INSTANT_FIELDS | {FactField.CONFIDENCE}:
        low, high = between["low"].strip(), between["high"].strip()
        return FieldFilter(field, Comparison.BETWEEN, low, high)
    if field in INSTANT_FIELDS | {FactField.CONFIDENCE}:
        return FieldFilter(field, Comparison.EQUALS, typed)
    return FieldFilter(field, Comparison.CONTAINS, typed)


def _compared(field: FactField, comparison: Comparison, operand: str) -> FieldFilter:
    if comparison is Comparison.EQUALS and "|" in operand:
        parts = tuple(part.strip() for part in operand.split("|") if part.strip())
        return FieldFilter(field, comparison, alternatives=parts)
    return FieldFilter(field, comparison, operand)


def compile_expression(expression: str) -> re.Pattern[str]:
    """Compile a regular expression that a person typed.

    Raises:
        Invalid: it is none, or repeats a group that itself repeats or branches: such a one can take
            longer than anyone waits, and nothing can break it off.
    """
    try:
        compiled = re.compile(expression)
    except (re.error, RecursionError, OverflowError) as error:
        raise Invalid(f"/{expression}/ is not a regular expression: {error}.") from error
    if _repeats_within_repeats(expression):
        raise Invalid(
            f"/{expression}/ repeats a group that itself repeats or branches, which can take "
            "endlessly long; write it without one of the repetitions."
        )
    return compiled


_TOKEN: Final = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?#[^)]*\)|\((?:\?(?:P?<\w+>|P=\w+|<?[=!]|>|[aiLmsux-]*:?))?|\)"
    r"|\||[*+?]|\{\d*,?\d*\}|.",
    re.DOTALL,
)
"""One piece of a regular expression: an escape, a class, a group's edge, a branch, a repetition."""
_REPEATS: Final = re.compile(r"[*+]|\{\d*,\d*\}|\{\d{2,}\}")


def _repeats_within_repeats(expression: str) -> bool:
    """Say whether a repeated group holds a repetition or a branch."""
    open_groups: list[bool] = [False]
    closed = False
    for match in _TOKEN.finditer(expression):
        token = match.group()
        if _REPEATS.fullmatch(token):
            if closed:
                return True
            open_groups[-1] = True
        if token.startswith("(") and not token.startswith("(?#"):
            open_groups.append(False)
        elif token == "|":
            open_groups[-1] = True
        if token == ")" and len(open_groups) > 1:
            closed = open_groups.pop()
            open_groups[-1] |= closed
        elif token != "?":
            closed = False
    return False


def _check_operand(field: FactField, comparison: Comparison, operand: str) -> None:
    if not operand or comparison in (Comparison.MATCHES, Comparison.CONTAINS):
        return
    if field in INSTANT_FIELDS:
        parse_instant(operand)
    elif field is FactField.CONFIDENCE:
        try:
            float(operand)
        except ValueError as error:
            raise Invalid(f"{operand!r} is not a number.") from error


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a bulk load did; counts of entries of the input.

    Attributes:
        read: entries taken from the input.
        episodes: captured.
        applied: facts written.
        known: already in the record.
        corroborated: evidence added to a fact that says the same.
        conflicts: claims queued.
        conflict_kinds: the same by the kind of conflict.
        rejected: entries that break a rule, with position and sentence; at most 1,000 kept.
        rejected_count: all of them.
        transactions: numbers of the first and last transaction, None if nothing was written.
    """

    read: int = 0
    episodes: int = 0
    applied: int = 0
    known: int = 0
    corroborated: int = 0
    conflicts: int = 0
    rejected: tuple[tuple[int, str], ...] = field(default=())
    rejected_count: int = 0
    transactions: tuple[int, int] | None = None
    cancelled: bool = False
    conflict_kinds: tuple[tuple[ConflictKind, int], ...] = ()


class Finding(NamedTuple):
    """One thing that a check found wrong: which rule, where, and a sentence."""

    rule: str
    where: str
    sentence: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check looked at and found.

    Attributes:
        rules: the rules that were checked, with how many things each looked at.
        findings: what is wrong, at most 1,000; empty for a clean store.
        heads: the head of each tenant that was looked at.
    """

    full: bool
    rules: tuple[tuple[str, int], ...]
    findings: tuple[Finding, ...]
    heads: tuple[str, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found wrong."""
        return not self.findings
