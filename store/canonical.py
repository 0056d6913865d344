"""Values as canonical JSON text (RFC 8785), so that equal values are equal strings."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any, Final

import rfc8785

from store.errors import Invalid, TooDeep

LARGEST_INTEGER: Final = 2**53 - 1
"""Not every JSON reader can tell integers beyond this apart (RFC 7493), so they are refused."""

DEEPEST: Final = 100
"""How deep arrays and objects of a value or of metadata may stand in each other.

What is deeper is refused where it is first taken, and where a record is restored: whoever reads a
record back, a stranger's program included, may use recursion, whose limit is its own.
"""
TOO_DEEP: Final = f"JSON may be nested at most {DEEPEST} arrays and objects deep"
NESTS: Final = (dict, list, tuple)
"""What nests in a value; all else is a scalar."""


def is_too_deep(value: object) -> bool:
    """Say whether arrays and objects stand deeper in each other than `DEEPEST`.

    It looks at one level after the other, without recursion, and at a part that stands several
    times on a level once, so that parts that hold each other end as well.
    """
    level = [value] if isinstance(value, NESTS) else []
    depth = 0
    while level:
        depth += 1
        if depth > DEEPEST:
            return True
        inner = {
            id(part): part
            for it in level
            for part in (it.values() if isinstance(it, dict) else it)
            if isinstance(part, NESTS)
        }
        level = list(inner.values())
    return False


def canonical(value: object) -> str:
    """Return the canonical JSON text of a value.

    What nearly all values are made of takes a short cut that a test holds equal to the library's
    answer: strings, booleans, null, small integers, and lists and objects of them.

    Raises:
        Invalid: the value is not JSON, has an integer beyond ±(2**53 - 1), NaN, an infinity, or
            text that is not Unicode (a lone surrogate); or it is nested too deeply.
    """
    if type(value) is str and value.isascii():
        return encode_basestring(value)
    try:
        return _text(value)
    except (rfc8785.CanonicalizationError, UnicodeError, RecursionError, TypeError) as error:
        raise Invalid(f"The value is not JSON that can be kept exactly: {error}.") from error


def _text(value: object) -> str:
    if type(value) is str:
        return _string(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if type(value) is int and -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
        return str(value)
    if type(value) is list:
        return f"[{','.join(map(_text, value))}]"
    if type(value) is dict and all(type(name) is str and name.isascii() for name in value):
        # Names are sorted by UTF-16 code units, which for ASCII is the order of code points.
        members = [f"{_string(name)}:{_text(value[name])}" for name in sorted(value)]
        return f"{{{','.join(members)}}}"
    return rfc8785.dumps(value).decode()  # type: ignore[arg-type]


def parse(text: str) -> Any:
    """Return the value of a canonical JSON text.

    A whole number that is too large for an integer was written as a float, and is one again.
    """
    return _DECODER.decode(text)


def from_json(text: str) -> Any:
    """Read a JSON value that a person or a file gave.

    Raises:
        Invalid: the text is not JSON.
        TooDeep: it is nested far deeper than a value may be; a little deeper, it is returned.
    """
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise TooDeep(f"{TOO_DEEP}.") from error
    except ValueError as error:
        raise Invalid(f"Not JSON: {error}.") from error
    return value


def _string(text: str) -> str:
    encoded = encode_basestring(text)
    if not text.isascii():
        text.encode()  # refuses a lone surrogate
    return encoded


def _integer(digits: str) -> int | float:
    number = int(digits)
    return number if -LARGEST_INTEGER <= number <= LARGEST_INTEGER else float(digits)


_DECODER: Final = json.JSONDecoder(parse_int=_integer)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")
