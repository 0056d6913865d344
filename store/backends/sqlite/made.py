"""Models made from values that need no validation, quickly."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from store.model import Record
from store.temporal import EPOCH

R = TypeVar("R", bound=Record)

_new: Final = object.__new__
_set_values, _set_fields, _set_extra, _set_private = (
    BaseModel.__dict__[slot].__set__ for slot in BaseModel.__slots__
)
"""Of the slots of a model, which has these four; setting one by name costs a search each time."""


def made(model: type[R], values: dict[str, Any], fields: set[str]) -> R:
    """Return a model with all its values, as `model_construct` does.

    A fact is made at every read, and going through its fields costs as much as the statement.

    Args:
        model: what to make.
        values: of every field, kept as they are.
        fields: the names of all fields, shared by all that are made.
    """
    it = _new(model)
    _set_values(it, values)
    _set_fields(it, fields)
    _set_extra(it, None)
    _set_private(it, None)
    return it


def instant(micros: int) -> datetime:
    """Return the UTC instant of a count of microseconds since 1970.

    Raises:
        OverflowError: it lies outside the years 1 to 9999.
    """
    return EPOCH + timedelta(0, 0, micros)


def id_of(at: int, random: bytes | bytearray) -> tuple[str, bytearray]:
    """Return the id that `ids.format_id` gives, as text and as it is stored.

    Args:
        at: microseconds since 1970.
        random: ten bytes.
    """
    milliseconds = at // 1000 & 0xFFFF_FFFF_FFFF if at > 0 else 0
    raw = bytearray(milliseconds.to_bytes(6, "big") + random)
    raw[6] = raw[6] & 0x0F | 0x70
    raw[8] = raw[8] & 0x3F | 0x80
    text = raw.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}", raw
