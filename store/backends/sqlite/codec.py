"""Between rows of tables and rows of the ledger.

Numbers stand for the small enumerations; they are part of the file format and never change. Even
kinds of row hold a value (`fact`, `resume`), those below 2 are assertions.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from store.canonical import canonical, parse
from store.errors import Corrupt
from store.ledger import Content, Key, Row
from store.model import KEEP, RowKind, WriteKind
from store.temporal import Basis, Precision

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

KINDS: Final = (RowKind.FACT, RowKind.END, RowKind.RESUME, RowKind.GAP)
KIND_NO: Final = {kind: number for number, kind in enumerate(KINDS)}
BASES: Final = (Basis.STATED, Basis.EPISODE, Basis.ASSUMED, Basis.UNKNOWN)
BASIS_NO: Final = {basis: number for number, basis in enumerate(BASES)}
PRECISIONS: Final = (
    Precision.INSTANT,
    Precision.MINUTE,
    Precision.DAY,
    Precision.MONTH,
    Precision.YEAR,
)
PRECISION_NO: Final = {precision: number for number, precision in enumerate(PRECISIONS)}
WRITES: Final = (
    WriteKind.CAPTURE,
    WriteKind.CHANGE,
    WriteKind.CORRECT,
    WriteKind.END,
    WriteKind.RETRACT,
    WriteKind.CONFIRM,
    WriteKind.SETTLE,
    WriteKind.REVERT,
    WriteKind.REGISTER,
    WriteKind.LOAD,
)
WRITE_NO: Final = {kind: number for number, kind in enumerate(WRITES)}

SAID: Final = (
    "memory_id",
    "value",
    "episode_no",
    "agent_no",
    "secret",
    "supersedes",
    "confidence",
    "schema_version",
    "basis",
    "precision",
    "span_from",
    "span_to",
    "extra",
    "over",
)
"""The columns of what a row or a claim says, in the order of the schema."""
FACT: Final = ("key_id", "valid_from", "tx_from", "kind", "tenant_no", "until", *SAID)
"""The columns of a new row."""
ROW: Final = (
    "f.valid_from, f.tx_from, f.tx_to, f.kind, f.until, f.memory_id, f.value, e.episode_id, "
    "f.agent_no, f.secret, f.supersedes, f.confidence, f.schema_version, f.basis, f.precision, "
    "f.span_from, f.span_to, f.extra, f.over"
)
"""What `row_of` takes, from a row `f` and its episode `e`."""
CLAIM: Final = ROW.replace("f.tx_from, f.tx_to, f.kind,", "0, NULL, 0,")
"""The same of a claim, which is a row that was not inserted."""


_RAW: Final = (bytes, bytearray)


def pack_id(identity: str) -> bytearray | str:
    """Return an identity as it is stored: a UUID as its 16 bytes, anything else as it is."""
    if len(identity) == 36:
        try:
            raw = bytearray.fromhex(identity.replace("-", ""))
        except ValueError:
            return identity
        if unpack_id(raw) == identity:
            return raw
    return identity


def unpack_id(stored: bytes | bytearray | str) -> str:
    """Return a stored identity as text."""
    if isinstance(stored, str):
        return stored
    if not isinstance(stored, _RAW):
        raise unreadable(TypeError(f"{stored!r} is no identity"))
    text = stored.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def value_of(text: str) -> Any:
    """Return the value of a canonical JSON text; a plain string takes a short cut.

    Raises:
        Corrupt: there is none.
    """
    if not text:
        raise unreadable(ValueError("a value is missing"))
    if text[0] == '"' and "\\" not in text:
        return text[1:-1]
    return parse(text)


def said_values(
    row: Row, episode_no: Callable[[str], int], name_no: Callable[[str], int]
) -> tuple[Any, ...]:
    """Return the values of `SAID` for a row."""
    content = row.content
    if content is None:
        return (None, None, None, None, bytearray(row.secret), *(None,) * 9)
    return (
        pack_id(content.memory_id),
        content.value,
        episode_no(content.episode_id),
        name_no(content.agent_id),
        bytearray(row.secret),
        None if content.supersedes is None else pack_id(content.supersedes),
        content.confidence,
        content.schema_version,
        BASIS_NO[content.basis],
        PRECISION_NO[content.precision],
        *(content.span or (None, None)),
        extra_of(content.stated_as, content.retention_policy),
        None if row.over is None else canonical(_over(*row.over)),
    )


def extra_of(stated_as: str | None, retention_policy: str) -> str | None:
    """Return the column of what few rows have."""
    if stated_as is None and retention_policy == KEEP:
        return None
    extra: dict[str, Any] = {}
    if stated_as is not None:
        extra["stated_as"] = stated_as
    if retention_policy != KEEP:
        extra["retention_policy"] = retention_policy
    return canonical(extra)


def _over(content: Content, until: int | None) -> dict[str, Any]:
    return {
        "memory_id": content.memory_id,
        "value": content.value,
        "episode_id": content.episode_id,
        "agent_id": content.agent_id,
        "span": None if content.span is None else list(content.span),
        "confidence": content.confidence,
        "supersedes": content.supersedes,
        "schema_version": content.schema_version,
        "retention_policy": content.retention_policy,
        "basis": content.basis.value,
        "precision": content.precision.value,
        "stated_as": content.stated_as,
        "until": None if until is None else str(until),
    }


def over_of(said: dict[str, Any]) -> tuple[Content, int | None]:
    """Return what a fact took the place of, from what `said_values` wrote of it."""
    span = said["span"]
    until = said["until"]
    content = Content(
        memory_id=said["memory_id"],
        value=said["value"],
        episode_id=said["episode_id"],
        agent_id=said["agent_id"],
        span=None if span is None else (span[0], span[1]),
        confidence=float(said["confidence"]),
        supersedes=said["supersedes"],
        schema_version=said["schema_version"],
        retention_policy=said["retention_policy"],
        basis=Basis(said["basis"]),
        precision=Precision(said["precision"]),
        stated_as=said["stated_as"],
    )
    return content, None if until is None else int(until)


def row_of(key: Key, found: Sequence[Any], name_of: Callable[[int], str]) -> Row:
    """Return a ledger row.

    Args:
        key: its key.
        found: the columns of `ROW`.
        name_of: names by number.

    Raises:
        Corrupt: the values are not such as a store writes.
    """
    try:
        (
            valid_from,
            tx_from,
            tx_to,
            kind,
            until,
            memory_id,
            value,
            episode_id,
            agent_no,
            secret,
        ) = found[:10]
        content, over = None, None
        if memory_id is not None:
            supersedes, confidence, schema_version, basis, precision, start, end, extra, put = (
                found[10:]
            )
            more: dict[str, Any] = json.loads(extra) if extra else {}
            content = Content(
                unpack_id(memory_id),
                value,
                episode_id,
                name_of(agent_no),
                None if start is None else (start, end),
                confidence,
                None if supersedes is None else unpack_id(supersedes),
                schema_version,
                more.get("retention_policy", KEEP),
                BASES[basis],
                PRECISIONS[precision],
                more.get("stated_as"),
            )
            over = None if put is None else over_of(json.loads(put))
        return Row(key, valid_from, KINDS[kind], content, until, over, tx_from, tx_to, secret)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise unreadable(error) from error


def unreadable(error: Exception) -> Corrupt:
    """Return the error for values that no store writes."""
    return Corrupt(f"A row of the record cannot be read ({error}): the file is damaged.")
