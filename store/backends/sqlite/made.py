"""Models made from values that need no validation, quickly."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from store.model import Record
from store.temporal import EPOCH

R = TypeVar("R", bound=Record)

_set: Final = object.__setattr__


def made(model: type[R], values: dict[str, Any], fields: set[str]) -> R:
    """Return a model with all its values, as `model_construct` does.

    A fact is made at every read, and going through its fields costs as much as the statement.

    Args:
        model: what to make.
        values: of every field, kept as they are.
        fields: the names of all fields, shared by all that are made.
    """
    it = model.__new__(model)
    _set(it, "__dict__", values)
    _set(it, "__pydantic_fields_set__", fields)
    _set(it, "__pydantic_extra__", None)
    _set(it, "__pydantic_private__", None)
    return it


def instant(micros: int) -> datetime:
    """Return the UTC instant of a count of microseconds since 1970.

    Raises:
        OverflowError: it lies outside the years 1 to 9999.
    """
    return EPOCH + timedelta(0, 0, micros)


class IdMaker:
    """Makes the ids of one instant, as `ids.new_id` does, as text and as they are stored."""

    __slots__ = ("_bytes", "_start")

    def __init__(self, at: int) -> None:
        milliseconds = max(at, 0) // 1000 & 0xFFFF_FFFF_FFFF
        text = f"{milliseconds:012x}"
        self._start = f"{text[:8]}-{text[8:]}-"
        self._bytes = milliseconds.to_bytes(6, "big")

    def make(self, random: bytes) -> tuple[str, bytearray]:
        """Return the id of ten random bytes."""
        raw = bytearray(self._bytes + random)
        raw[6] = raw[6] & 0x0F | 0x70
        raw[8] = raw[8] & 0x3F | 0x80
        text = raw.hex()
        return f"{self._start}{text[12:16]}-{text[16:20]}-{text[20:]}", raw
