#!/usr/bin/env python3
"""Check an audit snapshot of Memory Workbench. Needs Python 3.9 or newer, and nothing else.

    python3 -I verify.py [SNAPSHOT] [--head N:DIGEST] [--manifest SHA256] [--json]

SNAPSHOT is a directory or a zip; without it, the directory in which this file lies is checked. The
command ends with 0 if nothing is wrong, 1 if something is, 2 if it was called wrongly. This file
uses no code of the product that wrote the snapshot: it goes by the form alone, as a second pair of
eyes. Nothing is written, nothing is unpacked, nothing in the snapshot is run.

**What is proved.** Every transaction has a digest over the digest before it, its own header and the
digests of all entries (rows, episodes, evidence, conflicts, registry) that it began or ended. They
are made again here from what the files say. So who has the newest number and digest (the head) from
elsewhere knows that nothing in the ledger's files was edited, removed, added or cut off after that
head was noted. Further: what the rules of the ledger forbid is nowhere in it, after any
transaction; and facts.jsonl and facts.csv say what follows from the ledger, and nothing else.

**What is not.** Without a head, a manifest digest or a signature from elsewhere, a whole snapshot
may have been made up. Of what is withheld or out of a filter's scope there are only digests, which
are taken as given; where values are withheld, so are the names and agents that are shown beside
them. report.html, report.md, provenance.json, store.db and this file are held to their digests in
the manifest, not to the ledger. What was never recorded cannot be seen at all.

**The rule of the digests.** h is SHA-256, fields are joined by U+001F as UTF-8, nothing is "":

    commitment  = h(secret + tag + U+001F + canonical JSON of the content), in hex
    entry       = h(tag, fields, commitments)
    transaction = h("tx1", previous digest, number, recorded_at, kind, tool, reverts,
                    commitment of [actor, reason], then the sorted list of "+" (began) or "-"
                    (ended) with the digest of each entry)

**Limits**, so that a hostile file costs no more than its size: see the constants below. Memory
grows by 33 bytes for each entry, about 90 for each transaction, 17 for each episode, and with the
longest line and the key that has most rows.
"""

from __future__ import annotations

import sys

if __name__ == "__main__" and not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
    del sys.path[0]  # the snapshot's own directory: nothing in it may be imported

import argparse
import io
import json
import os
import re
import stat
import struct
import zipfile
import zlib
from array import array
from base64 import b64decode, b64encode
from bisect import bisect_left, bisect_right, insort
from datetime import datetime, timedelta, timezone
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from json.encoder import encode_basestring as quote
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

FORMAT = "memory-workbench-snapshot"
FORMAT_VERSION = 1
DIGEST_RULE = 1

CHUNK = 1 << 15
"""So many bytes are read, and their lines looked at, at once: what fits a processor's cache."""
LONGEST_LINE = 64 << 20
"""Bytes of one line."""
LONGEST_USUAL = 1 << 16
"""Bytes of a line that may be matched as a whole: that takes 300 bytes for each of its escapes."""
LONGEST_INTEGER = 4000
"""Digits of a whole number."""
LARGEST_NUMBER = (1 << 53) - 1
"""Of transactions, counts, and characters of a text."""
DEEPEST = 120
"""How deep arrays and objects of a line stand in each other; those of a value at most 100."""
MOST_PARTS = 1 << 22
"""Arrays and objects of one line, each of which takes some 70 bytes."""
MOST_UNUSABLE = 1000
"""After so many unusable lines of a file no more of them are looked at."""
LARGEST_MANIFEST = 1 << 20
"""Bytes of manifest.json."""
LARGEST_DIRECTORY = 1 << 20
"""Bytes of a zip's list of members."""
LARGEST_PACKAGE = 1 << 38
"""Bytes of all files together, unpacked."""
GREATEST_RATIO = 500
"""How many bytes may come out of one byte of a zip, once that is more than `SMALLEST_BOMB`."""
SMALLEST_BOMB = 1 << 28
MOST_DUE = 64
"""So many facts are compared at once."""
MOST_STRANGERS = 20
"""So many names that do not belong there are looked at."""
MOST_STEPS = 50_000_000
"""How often rows are looked at to check the derived rows of keys with stated ends."""

LEDGER = (
    "versions.jsonl",
    "episodes.jsonl",
    "evidence.jsonl",
    "conflicts.jsonl",
    "attributes.jsonl",
    "transactions.jsonl",
)
ONLY_DIGESTS = ("provenance.json", "report.html", "report.md", "verify.py")
ALWAYS = ("manifest.json", "facts.jsonl", "facts.csv", *LEDGER, *ONLY_DIGESTS)
NAMES = (*ALWAYS, "omitted.jsonl", "store.db", "manifest.sig")
"""All that may be in a snapshot; the last three only if it is filtered, asked for, or signed."""

FIRST_DIGEST = "0" * 64
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
EARLIEST, LATEST = -62_135_596_800_000_000, 253_402_300_799_999_999
FOREVER = LATEST + 1


class Broken(Exception):
    """It is no snapshot that could be read safely; says why in a sentence."""


class Cancelled(Exception):
    """Stopped on request."""


# -- what is told ---------------------------------------------------------------------------------


class State(str, Enum):
    """What came of a check."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"
    NOT_PROVED = "not proved"


class Place(NamedTuple):
    """Where something is wrong, as far as that can be said."""

    file: str | None = None
    line: int | None = None
    transaction: int | None = None
    subject: str | None = None
    attribute: str | None = None

    def __str__(self) -> str:
        parts = [
            self.file or "",
            "" if self.line is None else f"line {self.line:,}",
            "" if self.transaction is None else f"transaction {self.transaction:,}",
            "" if self.subject is None else f"{visible(self.subject)} / {visible(self.attribute)}",
        ]
        return ", ".join(part for part in parts if part)


class Check:
    """One thing that is checked.

    Attributes:
        name: for programs; `title` and `unit` are for people.
        state: `passed` until something is wrong.
        looked_at: how many of `unit` were looked at.
        message: the first thing that is wrong, or why nothing is proved, in a sentence.
        place: where the first wrong thing is.
        failures: how many things are wrong, as far as they were counted.
    """

    def __init__(self, name: str, title: str, unit: str) -> None:
        self.name, self.title, self.unit = name, title, unit
        self.state = State.PASSED
        self.looked_at = 0
        self.message = ""
        self.place = Place()
        self.failures = 0

    def fail(self, message: str, *place: Any) -> None:
        """Note that something is wrong; `place` has the fields of `Place` in order."""
        self.failures += 1
        if self.failures == 1:
            self.state, self.message, self.place = State.FAILED, message, Place(*place)

    def set_aside(self, state: State, why: str) -> None:
        """Say that nothing can be checked, or not everything proved, unless something failed."""
        if self.state is State.PASSED:
            self.state, self.message = state, why

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON members."""
        return {
            "name": self.name,
            "title": self.title,
            "state": self.state.value,
            "looked_at": self.looked_at,
            "unit": self.unit,
            "message": self.message,
            "failures": self.failures,
            **{name: value for name, value in self.place._asdict().items() if value is not None},
        }


class Verdict(NamedTuple):
    """What came of it.

    Attributes:
        checks: in the order in which they ended.
        notes: sentences on what was not proved.
        head: number and digest of the last transaction, as `N:DIGEST`.
        manifest: SHA-256 that names the snapshot.
    """

    checks: tuple[Check, ...]
    notes: tuple[str, ...]
    head: str
    manifest: str

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return self.first_failure is None

    @property
    def first_failure(self) -> Check | None:
        """The failed check that tells best what was changed; one change makes many fail."""
        failed = {check.name: check for check in self.checks if check.state is State.FAILED}
        return next((failed[name] for name in (*PLAINEST, *failed) if name in failed), None)

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON members."""
        checks = [check.as_dict() for check in self.checks]
        return {"is_good": self.is_good, **self._asdict(), "checks": checks}


def visible(text: object, limit: int = 120) -> str:
    """Return foreign text so that it can do nothing to a terminal, and not too long."""
    cut = str(text)
    cut = cut if len(cut) <= limit else cut[: limit - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


# -- reading files that nobody vouches for --------------------------------------------------------

_ZIP_TROUBLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    OverflowError,
    OSError,
)


class Package:
    """The files of a snapshot, read where they lie: in a directory or a zip. A context manager.

    Only names that a snapshot may have are opened, only regular files, and never more of one than
    its size said at first.

    Attributes:
        names: the files that belong to a snapshot, in the order of `NAMES`.
        strangers: other names, at most 20 of them.

    Raises:
        Broken: there is nothing, or nothing that could be read safely.
    """

    def __init__(self, path: object) -> None:
        self.path = os.fspath(path)  # type: ignore[call-overload]
        self._sizes: dict[str, int] = {}
        self._zip: zipfile.ZipFile | None = None
        self._file: _Sparing | None = None
        self._strangers: list[str] = []
        self._parts: list[Part] = []
        try:
            mode = os.stat(self.path).st_mode
            if stat.S_ISDIR(mode):
                self._list_directory()
            elif stat.S_ISREG(mode):
                self._list_zip()
            else:
                raise Broken(f"{visible(self.path)} is neither a directory nor a zip.")
        except _ZIP_TROUBLE as error:
            self.close()
            raise Broken(f"There is no snapshot at {visible(self.path)}: {_why(error)}.") from error
        except Broken:
            self.close()
            raise
        self.names = tuple(name for name in NAMES if name in self._sizes)
        self.strangers = tuple(self._strangers)

    def __enter__(self) -> Package:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files, those that are being read included."""
        for part in self._parts:
            part.close()
        if self._zip is not None:
            self._zip.close()
        if self._file is not None:
            self._file.close()

    def _list_directory(self) -> None:
        with os.scandir(self.path) as entries:
            for entry in entries:
                if entry.name not in NAMES:
                    self._add_stranger(entry.name)
                    continue
                found = entry.stat(follow_symlinks=False)
                if not stat.S_ISREG(found.st_mode):
                    raise Broken(f"{entry.name} is a link or a device, not a file.")
                self._add(entry.name, found.st_size)

    def _list_zip(self) -> None:
        self._file = _Sparing(self.path)
        self._zip = zipfile.ZipFile(self._file)
        for member in self._zip.infolist():
            name = member.orig_filename
            if re.search(r"[/\\\0]|^\.*$|^.:", name):
                raise Broken(f"A member is named {visible(name)!r}; a snapshot has no folders.")
            if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG):
                raise Broken(f"{visible(name)} is a link or a device, not a file.")
            if member.flag_bits & 0x41:
                raise Broken(f"{visible(name)} is encrypted.")
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise Broken(f"{visible(name)} is compressed in a way that snapshots do not use.")
            if name in NAMES:
                self._add(name, member.file_size)
            else:
                self._add_stranger(name)
        self._check_layout()
        total, packed = sum(self._sizes.values()), os.stat(self.path).st_size
        if total > SMALLEST_BOMB and total > GREATEST_RATIO * packed:
            raise Broken(f"It would unpack to {total:,} bytes from {packed:,}: no snapshot does.")

    def _check_layout(self) -> None:
        """Refuse bytes that belong to no member: other programs might show them."""
        assert self._zip is not None
        end = os.stat(self.path).st_size
        members = sorted(self._zip.infolist(), key=lambda member: member.header_offset)
        begins = [member.header_offset for member in members] + [self._zip.start_dir]
        if begins[0] != 0 or self._zip.comment:
            raise Broken("It has bytes before its files, or a comment; no snapshot has.")
        for member, after in zip(members, begins[1:]):
            head = self._bytes_at(member.header_offset, 30)
            lengths = struct.unpack("<HH", head[26:30])
            has_descriptor = bool(member.flag_bits & 0x08)
            rest = after - member.header_offset - 30 - sum(lengths) - member.compress_size
            if rest not in ((12, 16, 20, 24) if has_descriptor else (0,)):
                raise Broken(f"There are bytes behind {visible(member.orig_filename)} in the zip.")
        at = self._zip.start_dir
        for _ in members:
            head = self._bytes_at(at, 46)
            at += 46 + sum(struct.unpack("<HHH", head[28:34]))
        if end - at not in (22, 22 + 20 + 56):
            raise Broken("There are bytes behind the zip's list of members.")

    def _bytes_at(self, place: int, count: int) -> bytes:
        assert self._file is not None
        self._file.seek(place)
        return self._file.read(count)

    def _add(self, name: str, size: int) -> None:
        if name in self._sizes:
            raise Broken(f"It holds {name} twice.")
        self._sizes[name] = size
        if sum(self._sizes.values()) > LARGEST_PACKAGE:
            raise Broken(f"Its files have more than {LARGEST_PACKAGE:,} bytes together.")

    def _add_stranger(self, name: str) -> None:
        if len(self._strangers) < MOST_STRANGERS:
            self._strangers.append(name)

    def size(self, name: str) -> int:
        """Return how many bytes a file has."""
        return self._sizes[name]

    def open(self, name: str) -> Part:
        """Open a file for reading, once or more often.

        Raises:
            Broken: it is not there, or no longer what it was.
        """
        if name not in self._sizes:
            raise Broken(f"{visible(name)} is missing.")
        try:
            part = Part(name, self._opened(name), self._sizes[name])
        except _ZIP_TROUBLE as error:
            raise Broken(f"{name} cannot be read: {_why(error)}.") from error
        self._parts.append(part)
        return part

    def _opened(self, name: str) -> Any:
        if self._zip is not None:
            return self._zip.open(name)
        flags = os.O_RDONLY
        for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
            flags |= getattr(os, flag, 0)
        number = os.open(os.path.join(self.path, name), flags)
        file = os.fdopen(number, "rb", buffering=0)
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode) or found.st_size != self._sizes[name]:
            file.close()
            raise Broken(f"{name} was changed while it was read.")
        return file

    def read(self, name: str, limit: int) -> bytes:
        """Return a whole small file.

        Raises:
            Broken: it is missing, has more bytes than the limit, or cannot be read.
        """
        if self._sizes.get(name, 0) > limit:
            raise Broken(f"{name} has more than {limit:,} bytes.")
        with self.open(name) as part:
            return b"".join(iter(part.read, b""))


class _Sparing(io.FileIO):
    """A zip's bytes, never many at once, however long its list of members says that it is."""

    def read(self, size: int | None = -1) -> bytes:
        wanted = -1 if size is None else size
        most = LARGEST_DIRECTORY
        data = super().read(wanted if 0 <= wanted <= most else most + 1) or b""
        if len(data) > most:
            raise Broken("The list of its members is too long for a snapshot.")
        return data


class Part:
    """One file of a package while it is read. A context manager."""

    def __init__(self, name: str, file: Any, size: int) -> None:
        self.name = name
        self._file = file
        self._left = size

    def __enter__(self) -> Part:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def read(self, length: int = CHUNK) -> bytes:
        """Return the next bytes, at most so many; none at the end.

        Raises:
            Broken: it has other bytes than its size or its checksum said.
        """
        try:
            data: bytes = self._file.read(length)
        except _ZIP_TROUBLE as error:
            raise Broken(f"{self.name} cannot be read: {_why(error)}.") from error
        self._left -= len(data)
        if self._left < 0:
            raise Broken(f"{self.name} grew while it was read.")
        if not data and self._left > 0:
            raise Broken(f"{self.name} ends {self._left:,} bytes before its end.")
        return data


def _why(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return visible(text).rstrip(".")


# -- canonical JSON (RFC 8785) --------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def number_text(number: float) -> str:
    """Return a number as ECMAScript writes it."""
    text = repr(number)
    if text.endswith(".0"):
        text = text[:-2]
    mantissa, has_exponent, exponent = text.partition("e")
    if not has_exponent:
        return "0" if text == "-0" else text
    sign = "-" if mantissa.startswith("-") else ""
    digits, power = mantissa.lstrip("-").replace(".", ""), int(exponent)
    if -7 < power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{digits}"
    if 0 < power < 21:
        return f"{sign}{digits.ljust(power + 1, '0')}"
    return f"{mantissa}e{'+' if power > 0 else '-'}{abs(power)}"


def canonical(value: Any) -> str:
    """Return the canonical text of a JSON value."""
    if type(value) is str:
        return quote(value)
    if type(value) is dict:
        names = sorted(value, key=None if "".join(value).isascii() else _utf_16)
        return "{" + ",".join([f"{quote(name)}:{canonical(value[name])}" for name in names]) + "}"
    if type(value) is list:
        return "[" + ",".join(map(canonical, value)) + "]"
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    return number_text(value)


def _utf_16(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


@lru_cache(maxsize=1 << 12)
def _float(token: str) -> float:
    number = float(token)
    if number_text(number) != token:
        raise ValueError(f"the number {visible(token, 40)} is not written canonically")
    return number


def _integer(token: str) -> int:
    if len(token) > LONGEST_INTEGER:
        raise ValueError(f"a number has {len(token):,} digits")
    return int(token)


def _constant(token: str) -> None:
    raise ValueError(f"{token} is no JSON number")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise ValueError(f"the member {visible(name, 40)!r} is there twice")
        members[name] = value
    return members


_READ = json.JSONDecoder(parse_float=_float, parse_constant=_constant).raw_decode
_READ_LONG = json.JSONDecoder(
    parse_float=_float, parse_constant=_constant, parse_int=_integer
).raw_decode
_READ_PAIRS = json.JSONDecoder(
    object_pairs_hook=_distinct, parse_float=_float, parse_constant=_constant, parse_int=_integer
).raw_decode
_QUICKLY = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode
"""Writes canonically, but for numbers with an exponent and the order of rare names."""


def _is_deeper(value: Any, most: int) -> bool:
    """Say whether arrays and objects stand in each other more than so many deep."""
    level = [value]
    for _ in range(most + 1):
        level = [
            part
            for it in level
            for part in (it.values() if type(it) is dict else it)
            if type(part) is dict or type(part) is list
        ]
        if not level:
            return False
    return True


def read_line(line: bytes) -> tuple[dict[str, Any] | None, str]:
    """Return the object that a line of canonical JSON says, if it does, and what is wrong."""
    try:
        text = line.decode()
        parts = text.count("[") + text.count("{")
        if parts > MOST_PARTS:
            return None, f"it has more than {MOST_PARTS:,} parts"
        read = _READ if len(line) < LONGEST_INTEGER else _READ_LONG
        it, _ = read(text)
        if type(it) is not dict:
            return None, "it is no JSON object"
        if parts > DEEPEST and _is_deeper(it, DEEPEST):
            return None, "it is nested too deeply"
        if _QUICKLY(it) == text or canonical(it) == text:
            return it, ""
        canonical(it).encode()
    except UnicodeDecodeError:
        return None, "it is not UTF-8"
    except UnicodeEncodeError:
        return None, "it has half of a surrogate pair"
    except json.JSONDecodeError as error:
        return None, f"it is not JSON: {error.msg} at character {error.pos + 1:,}"
    except RecursionError:
        return None, "it is nested too deeply"
    except ValueError as error:
        return None, str(error)
    try:
        _READ_PAIRS(text)
    except ValueError as error:
        return it, str(error)
    return it, "it is not written canonically"


# -- what lines may say ---------------------------------------------------------------------------

_SECRET = re.compile("[0-9a-f]{32}")
_DIGEST = re.compile("[0-9a-f]{64}")
_SIGNED = re.compile("[+-][0-9a-f]{64}")


def is_span(span: list[Any]) -> bool:
    """Say whether a list is a first and a last character, as evidence names them."""
    return (
        len(span) == 2
        and type(span[0]) is type(span[1]) is int
        and 0 <= span[0] < span[1] <= LARGEST_NUMBER
    )


_WORDS = {
    "row": "fact end resume gap",
    "basis": "stated episode assumed unknown",
    "precision": "instant minute day month year",
    "source": "message tool_result file ticket business_event user_confirmation operator_note "
    "imported_row",
    "conflict": "value end crossing",
    "state": "open settled stale",
    "event": "raised joined withdrawn settled stale reopened",
    "resolution": "incoming standing move both merge defer",
    "cardinality": "single multi",
    "write": "capture change correct end retract confirm settle revert register load",
}
"""The words of a store, by what they are of."""
_Rule = tuple[tuple[type, ...], Optional[Callable[[Any], Any]]]
_RULES: dict[str, _Rule] = {
    "text": ((str,), None),
    "text/none": ((str, type(None)), None),
    "name": ((str,), bool),
    "secret": ((str,), _SECRET.fullmatch),
    "digest": ((str,), _DIGEST.fullmatch),
    "signed": ((str,), _SIGNED.fullmatch),
    "instant": ((int,), lambda at: EARLIEST <= at <= LATEST),
    "count": ((int,), lambda count: 0 <= count <= LARGEST_NUMBER),
    "number": ((int,), lambda number: 0 < number <= LARGEST_NUMBER),
    "part": ((int, float), lambda part: 0 <= part <= 1),
    "whole": ((int,), None),
    "flag": ((bool,), None),
    "span": ((list,), is_span),
    "list": ((list,), None),
    "list/none": ((list, type(None)), None),
    "object": ((dict,), None),
    "any": ((str, int, float, bool, list, dict, type(None)), None),
    **{name: ((str,), frozenset(words.split()).__contains__) for name, words in _WORDS.items()},
}
"""Of what type a member is, and what holds of it besides."""


class Shape:
    """Which members an object has, and what rule each of them follows.

    Written as `name:rule`, the ones that must be there, then those that may; `parts` are the shapes
    of members that are objects themselves.
    """

    def __init__(self, needed: str, allowed: str = "", **parts: Shape) -> None:
        pairs = [member.split(":") for member in (needed + " " + allowed).split()]
        self._types = {name: _RULES[rule][0] for name, rule in pairs}
        self._holds = [(name, _RULES[rule][1]) for name, rule in pairs]
        self._needed = [member.split(":")[0] for member in needed.split()]
        self._parts = parts.items()
        self._seen: set[tuple[Any, ...]] = set()  # names and types that were found to be right

    def problem(self, it: dict[str, Any]) -> str:
        """Say what is wrong with an object; "" if nothing is."""
        form = (*it, *map(type, it.values()))
        if form not in self._seen:
            problem = self._form_problem(it)
            if problem:
                return problem
            self._seen.add(form)
        for name, holds in self._holds:
            if holds is not None and name in it and not holds(it[name]):
                return f"{name} is not what it may be"
        for name, shape in self._parts:
            problem = shape.problem(it[name]) if name in it else ""
            if problem:
                return f"in {name}, {problem}"
        return ""

    def _form_problem(self, it: dict[str, Any]) -> str:
        for name, value in it.items():
            if name not in self._types:
                return f"{visible(name, 40)!r} does not belong there"
            if type(value) not in self._types[name]:
                return f"{name} is of another type than it may be"
        missing = [name for name in self._needed if name not in it]
        return f"{missing[0]} is missing" if missing else ""


_KEY = "owner:text subject:name attribute:name slot:text "
_CONTENT = (
    "memory_id:name episode_id:name agent_id:name confidence:part schema_version:number "
    "retention_policy:name basis:basis precision:precision"
)
_PARTS = {
    "content": Shape(_CONTENT, "span:span supersedes:name stated_as:text value:any"),
    "over": Shape(_CONTENT, "span:span supersedes:name stated_as:text until:instant"),
    "commitments": Shape("key:digest", "value:digest over:digest"),
}
_ROW_NEEDED = "kind:row valid_from:instant tx_from:count"
_ROW_ALLOWED = "until:instant secret:secret commitments:object content:object over:object"
_ROW = Shape(_ROW_NEEDED, _ROW_ALLOWED, **_PARTS)
_EVENT = Shape(
    "kind:event tx_from:number",
    "claim:object resolution:resolution claim_id:name actor:text reason:text secret:secret "
    "commitment:digest",
    claim=Shape("claim_id:name row:object", row=_ROW),
)
SHAPES = {
    "versions.jsonl": Shape(_KEY + _ROW_NEEDED, _ROW_ALLOWED + " tx_to:number", **_PARTS),
    "evidence.jsonl": Shape(
        _KEY + "memory_id:name valid_from:instant episode_id:name row_tx:number tx_from:number",
        "span:span tx_to:number",
    ),
    "conflicts.jsonl": Shape(
        _KEY + "conflict_id:name kind:conflict contested_from:instant standing:object events:list",
        "contested_to:instant state:state",
        standing=_ROW,
    ),
    "episodes.jsonl": Shape(
        "episode_id:name kind:source occurred_at:instant agent_id:name tx_from:number",
        "session_id:text content:text metadata:object secret:secret commitment:digest",
    ),
    "attributes.jsonl": Shape(
        "name:name memory_type:name cardinality:cardinality sensitive:flag retention_policy:name "
        "schema_version:number tx_from:number",
        "tx_to:number",
    ),
    "transactions.jsonl": Shape(
        "number:number recorded_at:instant kind:write tool:text digest:digest entries:count "
        "total:count",
        "actor:text reason:text reverts:number secret:secret commitment:digest",
    ),
    "omitted.jsonl": Shape("transaction:number digest:signed"),
}
_KEY_OF = itemgetter("subject", "attribute", "owner", "slot")
ORDERS: dict[str, Callable[[dict[str, Any]], tuple[Any, ...]]] = {
    "versions.jsonl": itemgetter("subject", "attribute", "owner", "slot", "valid_from", "tx_from"),
    "evidence.jsonl": lambda it: (
        *(*_KEY_OF(it), it["valid_from"], it["tx_from"], it["memory_id"], it["episode_id"]),
        *(it.get("span", []), it["row_tx"]),
    ),
    "conflicts.jsonl": itemgetter("subject", "attribute", "owner", "slot", "conflict_id"),
    "episodes.jsonl": itemgetter("tx_from", "episode_id"),
    "attributes.jsonl": itemgetter("name", "tx_from"),
    "transactions.jsonl": lambda it: (it["number"],),
    "omitted.jsonl": itemgetter("transaction", "digest"),
}
"""By what the lines of a file are sorted. Texts sort by code points."""
MAY_REPEAT = ("evidence.jsonl", "omitted.jsonl")
"""Where two lines may be equal: one transaction may make one link twice."""

_HAS_VALUE = {"fact": True, "resume": True, "end": False, "gap": False}


def row_problem(row: dict[str, Any], is_withheld: bool) -> str:
    """Say what is wrong with a row of the right shape; "" if nothing is."""
    kind, content, over = row["kind"], row.get("content"), row.get("over")
    if (content is None) is not (kind == "gap"):
        return "only a gap says nothing"
    if content is None and "until" in row:
        return "a gap has no stated end"
    if over is not None and kind != "fact":
        return "only a fact takes the place of an end"
    if content is not None and ("value" in content) is not (_HAS_VALUE[kind] and not is_withheld):
        return "a value is missing, or is where none may be"
    if not is_withheld:
        if "secret" not in row or "commitments" in row:
            return "it should have a secret and no commitments"
        return ""
    parts = {"value": content, "over": over}
    if any("stated_as" in part for part in parts.values() if part is not None):
        return "a time is stated where none may be"
    due = {"key", *(name for name, part in parts.items() if part is not None)}
    if "secret" in row or row.get("commitments", {}).keys() != due:
        return "it should have commitments and no secret"
    return ""


def salt_problem(it: dict[str, Any], is_withheld: bool) -> str:
    """Say whether an entry lacks its secret or, where that is withheld, its commitment."""
    shown, hidden = ("commitment", "secret") if is_withheld else ("secret", "commitment")
    return f"it should have a {shown} and no {hidden}" if hidden in it or shown not in it else ""


# -- lines of the usual form ----------------------------------------------------------------------
#
# Nearly every line of the two long files looks like the others. Of such a line one expression says
# that it is JSON, canonical and of the right shape, and what its members are, in a third of the
# time. Of a line that does not match nothing is said: it is read as JSON.

_PLAIN = r'"([^"\\\x00-\x1f]*)"'
_STRING = r'"[^"\\\x00-\x1f]*(?:\\(?:["\\bfnrt]|u00(?:0[0-7bef]|1[0-9a-f]))[^"\\\x00-\x1f]*)*"'
_NUMBER = r"-?(?:[1-9][0-9]{0,8}|0)\.[0-9]{0,4}[1-9]|-?[1-9][0-9]{0,14}|0"
_TOKENS = {
    "plain": _PLAIN,
    "string": f"(?:{_PLAIN}|({_STRING}))",
    "value": f"(?:{_PLAIN}|({_STRING}|{_NUMBER}|true|false|null))",
    "object": r"(\{[^{}]*\})",
    "instant": "(-?[1-9][0-9]{0,17}|0)",
    "count": "([1-9][0-9]{0,14}|0)",
    "number": "([1-9][0-9]{0,14})",
    "part": r"(0\.[0-9]{0,4}[1-9]|1|0)",
    "span": r"(\[(?:[1-9][0-9]{0,14}|0),[1-9][0-9]{0,14}\])",
    "secret": '"([0-9a-f]{32})"',
    "digest": '"([0-9a-f]{64})"',
    "name": _PLAIN.replace("*", "+"),
    **{name: f'"({words.replace(" ", "|")})"' for name, words in _WORDS.items()},
}
"""What the values of usual members match; each is a group, where there are two only one of them."""


def _usual(form: str) -> Callable[[str], re.Match[str] | None]:
    """Return what matches lines of a form; <> is a value of a type, and [] may be left out."""
    pattern = form.replace("[", "(?:").replace("]", ")?").replace("{", r"\{").replace("}", r"\}")
    return re.compile(re.sub("<([a-z]+)>", lambda type_: _TOKENS[type_[1]], pattern)).fullmatch


_USUAL_ROW = _usual(
    '{"attribute":<name>[,"commitments":{"key":<digest>[,"value":<digest>]}]'
    '[,"content":{"agent_id":<name>,"basis":<basis>,"confidence":<part>,"episode_id":<name>,'
    '"memory_id":<name>,"precision":<precision>,"retention_policy":<name>,'
    '"schema_version":<number>[,"span":<span>][,"stated_as":<plain>][,"supersedes":<name>]'
    '[,"value":<value>]}],"kind":<row>,"owner":<plain>[,"secret":<secret>],"slot":<plain>,'
    '"subject":<name>,"tx_from":<count>[,"tx_to":<number>][,"until":<instant>],'
    '"valid_from":<instant>}'
)
_USUAL_EPISODE = _usual(
    '{"agent_id":<name>[,"commitment":<digest>][,"content":<string>],"episode_id":<name>,'
    '"kind":<source>[,"metadata":<object>],"occurred_at":<instant>[,"secret":<secret>]'
    '[,"session_id":<plain>],"tx_from":<number>}'
)
_part = lru_cache(maxsize=1 << 10)(float)


def usual_row(text: str) -> dict[str, Any] | None:
    """Return the members of a line of versions.jsonl, if it is of the usual form."""
    match = _USUAL_ROW(text)
    if match is None:
        return None
    told = match.groups()
    attribute, of_key, of_value = told[:3]
    agent_id, basis, confidence, episode_id, memory_id, precision, policy, version = told[3:11]
    span, stated_as, supersedes, value, other_value = told[11:16]
    kind, owner, secret, slot, subject, tx_from, tx_to, until, valid_from = told[16:]
    it: dict[str, Any] = {
        "attribute": attribute,
        "kind": kind,
        "owner": owner,
        "slot": slot,
        "subject": subject,
        "tx_from": int(tx_from),
        "valid_from": int(valid_from),
    }
    if not EARLIEST <= it["valid_from"] <= LATEST:
        return None
    if agent_id is not None:
        content: dict[str, Any] = {
            "agent_id": agent_id,
            "basis": basis,
            "confidence": _part(confidence),
            "episode_id": episode_id,
            "memory_id": memory_id,
            "precision": precision,
            "retention_policy": policy,
            "schema_version": int(version),
        }
        if span is not None:
            content["span"] = _READ(span)[0]
            if not is_span(content["span"]):
                return None
        if stated_as is not None:
            content["stated_as"] = stated_as
        if supersedes is not None:
            content["supersedes"] = supersedes
        if value is not None:
            content["value"] = value
        if other_value is not None:
            content["value"] = _READ(other_value)[0]
        it["content"] = content
    if secret is not None:
        it["secret"] = secret
    if tx_to is not None:
        it["tx_to"] = int(tx_to)
    if until is not None:
        it["until"] = int(until)
        if not EARLIEST <= it["until"] <= LATEST:
            return None
    if of_key is not None:
        it["commitments"] = {"key": of_key}
        if of_value is not None:
            it["commitments"]["value"] = of_value
    return it


def usual_episode(text: str) -> dict[str, Any] | None:
    """Return the members of a line of episodes.jsonl, if it is of the usual form."""
    match = _USUAL_EPISODE(text)
    if match is None:
        return None
    told = match.groups()
    agent_id, of_content, content, other_content, episode_id, kind, metadata = told[:7]
    occurred_at, secret, session_id, tx_from = told[7:]
    it: dict[str, Any] = {
        "agent_id": agent_id,
        "episode_id": episode_id,
        "kind": kind,
        "occurred_at": int(occurred_at),
        "tx_from": int(tx_from),
    }
    if not EARLIEST <= it["occurred_at"] <= LATEST:
        return None
    if of_content is not None:
        it["commitment"] = of_content
    if content is not None:
        it["content"] = content
    if other_content is not None:
        it["content"] = _READ(other_content)[0]
    if metadata is not None:
        it["metadata"], problem = ({}, "") if metadata == "{}" else read_line(metadata.encode())
        if problem:
            return None
    if secret is not None:
        it["secret"] = secret
    if session_id is not None:
        it["session_id"] = session_id
    return it


USUAL = {"versions.jsonl": usual_row, "episodes.jsonl": usual_episode}


def read_entries(name: str, lines: list[bytes]) -> Iterator[tuple[dict[str, Any] | None, str]]:
    """Yield the members of each line of a file, if it has the right ones, and what is wrong."""
    usual, problem_of = USUAL.get(name, _unusual), SHAPES[name].problem
    try:
        found = [usual(line.decode()) if len(line) < LONGEST_USUAL else None for line in lines]
    except UnicodeDecodeError:
        found = [None] * len(lines)
    for line, it in zip(lines, found):
        if it is not None:
            yield it, ""
            continue
        it, problem = read_line(line)
        ill_formed = "" if it is None else problem_of(it)
        yield (None if ill_formed else it), problem or ill_formed


def _unusual(_text: str) -> None:
    """Say that no form of lines is usual in a file."""


# -- the rule of the digests ----------------------------------------------------------------------


def commitment(secret: str, said: bytes) -> str:
    """Return the salted commitment of a tag and a canonical text, in hex."""
    return sha256(bytes.fromhex(secret) + said).hexdigest()


def _digest(*fields: object) -> bytes:
    joined = "\x1f".join(["" if field is None else str(field) for field in fields])
    return sha256(joined.encode()).digest()


def _span_text(span: list[int] | None) -> str:
    return "" if span is None else f"({span[0]}, {span[1]})"


def _content_fields(
    tag: str, content: dict[str, Any], secret: str | None, given: dict[str, str]
) -> str:
    said = given.get(tag, "") if secret is None else commitment(secret, _said(tag, content))
    it = content
    return (
        f"{it['memory_id']}\x1f{it['episode_id']}\x1f{_span_text(it.get('span'))}\x1f"
        f"{float(it['confidence'])}\x1f{it.get('supersedes') or ''}\x1f{it['schema_version']}\x1f"
        f"{it['retention_policy']}\x1f{it['basis']}\x1f{it['precision']}\x1f{said}\x1f"
    )


def _said(tag: str, content: dict[str, Any]) -> bytes:
    """Return what a content's commitment covers: who says it, the stated time and the value."""
    stated = content.get("stated_as")
    value = canonical(content["value"]) if "value" in content else ""
    who, stated = quote(content["agent_id"]), "null" if stated is None else quote(stated)
    return f"{tag}\x1f[{who},{stated},{value}]".encode()


def key_text(key: tuple[str, str, str, str]) -> bytes:
    """Return what the commitment of a row's key covers."""
    subject, attribute, owner, slot = map(quote, key)
    return f"key\x1f[{owner},{subject},{attribute},{slot}]".encode()


def row_digest(row: dict[str, Any], named: bytes) -> bytes:
    """Return the digest of a row on the key that `key_text` names. Its end does not enter it."""
    secret, content, over = row.get("secret"), row.get("content"), row.get("over")
    given = row.get("commitments", {})
    said = given.get("key", "") if secret is None else commitment(secret, named)
    fields = (
        f"row1\x1f{row['kind']}\x1f{row['valid_from']}\x1f{row.get('until', '')}\x1f"
        f"{row['tx_from']}\x1f{said}\x1f"
    )
    if content is not None:
        fields += _content_fields("value", content, secret, given)
    if over is not None:
        fields += _content_fields("over", over, secret, given) + str(over.get("until", ""))
    return sha256(fields.encode()).digest()


def episode_digest(it: dict[str, Any]) -> bytes:
    """Return the digest of an episode."""
    said = it.get("commitment")
    if said is None:
        text = canonical([it["content"], it["metadata"], it["agent_id"], it.get("session_id")])
        said = commitment(it["secret"], f"content\x1f{text}".encode())
    return _digest("episode1", it["episode_id"], it["kind"], it["occurred_at"], it["tx_from"], said)


def evidence_digest(it: dict[str, Any]) -> bytes:
    """Return the digest of a further link from a fact to an episode."""
    span = _span_text(it.get("span"))
    where = it["memory_id"], it["valid_from"], it["episode_id"]
    return _digest("evidence1", *where, span, it["row_tx"], it["tx_from"])


def conflict_digest(it: dict[str, Any], named: bytes) -> bytes:
    """Return the digest of what a conflict is about."""
    standing = it["standing"]
    period = it["contested_from"], it.get("contested_to")
    memory_id = standing["content"]["memory_id"] if "content" in standing else None
    row = row_digest(standing, named).hex()
    return _digest("conflict1", it["conflict_id"], it["kind"], *period, memory_id, row)


def event_digest(conflict_id: str, it: dict[str, Any], named: bytes) -> bytes:
    """Return the digest of an event in the life of a conflict."""
    claim, said = it.get("claim"), it.get("commitment")
    if said is None:
        text = canonical([it["actor"], it["reason"]])
        said = commitment(it["secret"], f"event\x1f{text}".encode())
    return _digest(
        "event1",
        conflict_id,
        it["kind"],
        it["tx_from"],
        it.get("resolution"),
        it.get("claim_id"),
        None if claim is None else claim["claim_id"],
        None if claim is None else row_digest(claim["row"], named).hex(),
        said,
    )


def attribute_digest(it: dict[str, Any]) -> bytes:
    """Return the digest of a registry entry."""
    names = "name", "memory_type", "cardinality", "sensitive", "retention_policy", "schema_version"
    return _digest("attribute1", *[it[name] for name in names], it["tx_from"])


class Chain:
    """The transactions in order, and the digests of what each of them began and ended."""

    def __init__(self) -> None:
        self.recorded_at = array("q")
        self.digests = bytearray()
        self._commitments = bytearray()
        self._words: list[str] = []
        self._same_words: dict[str, str] = {}
        self._first = array("q", [0])
        self._filled = array("q")
        self._slots = bytearray()

    def __len__(self) -> int:
        return len(self.recorded_at)

    @property
    def entries(self) -> int:
        """How many entries the transactions say that they began and ended."""
        return self._first[-1]

    def add_header(self, it: dict[str, Any]) -> None:
        """Add the next transaction."""
        said = it.get("commitment")
        if said is None:
            text = canonical([it["actor"], it.get("reason")])
            said = commitment(it["secret"], f"header\x1f{text}".encode())
        reverts = it.get("reverts")
        words = f"{it['kind']}\x1f{it['tool']}\x1f{'' if reverts is None else reverts}"
        self._words.append(self._same_words.setdefault(words, words))
        self._commitments += bytes.fromhex(said)
        self.digests += bytes.fromhex(it["digest"])
        self.recorded_at.append(it["recorded_at"])
        self._first.append(self._first[-1] + it["entries"])
        self._filled.append(0)

    def make_room(self) -> None:
        """Make room for the entries that the headers announced."""
        self._slots = bytearray(33 * self.entries)

    def add(self, number: int, sign: bytes, digest: bytes) -> bool:
        """Add an entry that transaction `number` began (+) or ended (-); False if there is none."""
        if not 0 < number <= len(self._filled):
            return False
        slot = self._first[number - 1] + self._filled[number - 1]
        self._filled[number - 1] += 1
        if slot < self._first[number]:
            self._slots[33 * slot : 33 * slot + 33] = sign + digest
        return True

    def digest(self, number: int) -> str:
        """Return the digest that a transaction says it has; that before the first for 0."""
        return self.digests[32 * number - 32 : 32 * number].hex() if number else FIRST_DIGEST

    def problem(self, number: int) -> str:
        """Say why a transaction does not give its digest after its predecessor's; "" if it does."""
        first, after = self._first[number - 1], self._first[number]
        found, said = self._filled[number - 1], after - first
        if found != said:
            return f"{found:,} entries are there for it, and it says that it has {said:,}"
        said_by = self._commitments[32 * number - 32 : 32 * number].hex()
        header = f"{self.recorded_at[number - 1]}\x1f{self._words[number - 1]}\x1f{said_by}"
        text = f"tx1\x1f{self.digest(number - 1)}\x1f{number}\x1f{header}"
        if said:
            entries = sorted(self._slots[33 * first : 33 * after].hex("\x1f", 33).split("\x1f"))
            listed = "\x1f" + "\x1f".join(entries)
            text += listed.replace("\x1f2b", "\x1f+").replace("\x1f2d", "\x1f-")
        if sha256(text.encode()).hexdigest() != self.digest(number):
            return "what it began and ended, or who says so, does not give its digest"
        return ""


# -- what holds -----------------------------------------------------------------------------------


class Row:
    """One belief about a key: from `begins` on, since one transaction, up to another."""

    __slots__ = (
        "begins",
        "content",
        "ended",
        "is_sourced",
        "kind",
        "line",
        "memory_id",
        "over",
        "since",
        "until",
    )

    def __init__(self, line: int, it: dict[str, Any]) -> None:
        content: Any = it.get("content")
        self.line = line
        self.kind: str = it["kind"]
        self.begins: int = it["valid_from"]
        self.until: int | None = it.get("until")
        self.since: int = it["tx_from"]
        self.ended: int | None = it.get("tx_to")
        self.content: dict[str, Any] = content
        self.over: dict[str, Any] | None = it.get("over")
        self.memory_id: str | None = None if content is None else content["memory_id"]
        self.is_sourced = False

    @property
    def is_derived(self) -> bool:
        """Whether it follows from assertions, rather than having been claimed."""
        return self.kind == "resume" or self.kind == "gap"

    @property
    def holds(self) -> bool:
        """Whether a fact holds from its beginning on."""
        return self.kind == "fact" or self.kind == "resume"

    def is_over(self, other: Row) -> bool:
        """Whether it was no longer believed when another one began to be."""
        return self.ended is not None and self.ended <= other.since

    @property
    def reach(self) -> int:
        """Until when what it asserts can hold."""
        reach = FOREVER if self.until is None else self.until
        return reach if self.over is None else max(reach, self.over.get("until", FOREVER))


class Assertion(NamedTuple):
    """What was claimed: from `begins` on, until a stated end, a fact or nothing (`row` is None).

    At an instant, the last assertion that has begun and whose stated end is not reached holds; of
    two that begin at once, a fact outranks the end whose place it took.
    """

    begins: int
    is_fact: bool
    until: int
    row: Row | None


def assertions_of(rows: Iterable[Row]) -> list[Assertion]:
    """Return what rows assert, in order."""
    found = []
    for row in rows:
        until = FOREVER if row.until is None else row.until
        if row.kind == "fact":
            found.append(Assertion(row.begins, True, until, row))
            if row.over is not None:
                found.append(Assertion(row.begins, False, row.over.get("until", FOREVER), None))
        elif row.kind == "end":
            found.append(Assertion(row.begins, False, until, None))
    return sorted(found, key=lambda a: a[:2])


def derived(assertions: list[Assertion]) -> dict[int, Row | None]:
    """Return where derived rows belong: a `resume` of the fact given, or a `gap` for None.

    One stands at each stated end at which no assertion begins and what holds changes.
    """
    begins = {assertion.begins for assertion in assertions}
    instants = begins | {assertion.until for assertion in assertions} - {FOREVER}
    wanted: dict[int, Row | None] = {}
    holding: list[Assertion] = []  # those that may still hold, the last begun on top
    before: Row | None = None
    waiting = iter(assertions)
    following = next(waiting, None)
    for instant in sorted(instants):
        while following is not None and following.begins <= instant:
            holding.append(following)
            following = next(waiting, None)
        while holding and holding[-1].until <= instant:
            holding.pop()
        now = holding[-1].row if holding else None
        if instant not in begins and now is not before:
            wanted[instant] = now
        before = now
    return wanted


class DerivedRows:
    """Checks that a key's derived rows follow from its assertions, after every transaction.

    After a transaction only that stretch is looked at in which it can have changed what holds: from
    the first beginning that it touched to where the last assertion that it touched can reach.

    Attributes:
        steps: how often rows were looked at.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self._changes: dict[int, list[Row]] = {}
        for row in rows:
            for number in {row.since, row.ended} - {None}:
                self._changes.setdefault(number, []).append(row)  # type: ignore[arg-type]
        self._begins: list[int] = []
        self._live: dict[int, Row] = {}
        self.steps = 0

    def problems(self, most_steps: int) -> Iterator[tuple[int, Row, str]]:
        """Yield transaction, row and what is wrong there, until there were too many steps."""
        for number, changed in sorted(self._changes.items()):
            if self.steps > most_steps:
                break
            for row in changed:
                if row.ended == number and self._live.get(row.begins) is row:
                    del self._live[row.begins]
                    self._begins.pop(bisect_left(self._begins, row.begins))
            for row in changed:
                if row.since == number and row.begins not in self._live:
                    self._live[row.begins] = row
                    insort(self._begins, row.begins)
            yield from self._compare(number, changed)

    def _compare(self, number: int, changed: list[Row]) -> Iterator[tuple[int, Row, str]]:
        first = min(row.begins for row in changed)
        last = max(row.begins if row.is_derived else self._reach(row) for row in changed)
        start, after = bisect_left(self._begins, first), bisect_right(self._begins, last)
        nearby = [self._live[at] for at in self._begins[start:after]]
        wanted = derived(assertions_of([*self._lasting(start, first), *nearby]))
        found = {row.begins: row for row in nearby if row.is_derived}
        self.steps += after - start
        for at in sorted(wanted.keys() | found.keys()):
            have = found.get(at)
            if at not in wanted:
                yield number, found[at], f"A {found[at].kind} stands where none follows"
            elif first <= at <= last and not _follows(have, wanted[at]):
                kind = "gap" if wanted[at] is None else "resume"
                near = have or wanted[at] or changed[0]
                yield number, near, f"The {kind} that follows at {iso(at)} is missing or other"

    def _lasting(self, start: int, first: int) -> list[Row]:
        """Return the assertions begun before `first` that may still hold just before it."""
        found = []
        for position in range(start - 1, -1, -1):
            row = self._live[self._begins[position]]
            self.steps += 1
            if not row.is_derived and row.reach >= first:
                found.append(row)
                if row.reach == FOREVER:
                    break
        return found

    def _reach(self, row: Row) -> int:
        """Return the last instant at which an assertion can matter to what holds."""
        if row.reach != FOREVER:
            return row.reach
        for position in range(bisect_right(self._begins, row.begins), len(self._begins)):
            other = self._live[self._begins[position]]
            self.steps += 1
            if not other.is_derived and other.reach == FOREVER:
                return other.begins
        return FOREVER


def _follows(have: Row | None, source: Row | None) -> bool:
    """Say whether a derived row is the `resume` of an assertion, or a `gap` for None."""
    if have is None or source is None:
        return have is not None and have.kind == "gap"
    return (
        have.kind == "resume"
        and have.until == source.until
        and canonical(have.content) == canonical(source.content)
    )


def conflict_state(events: list[dict[str, Any]]) -> str | None:
    """Return where a conflict stands after its events; None if every claim was withdrawn."""
    claims: set[str] = set()
    for event in events:
        if "claim" in event:
            claim_id = event["claim"]["claim_id"]
            (claims.discard if event["kind"] == "withdrawn" else claims.add)(claim_id)
    if not claims:
        return None
    last = next((e["kind"] for e in reversed(events) if e["kind"] != "withdrawn"), None)
    return last if last in ("settled", "stale") else "open"


# -- facts ----------------------------------------------------------------------------------------


def iso(at: int) -> str:
    """Return an instant in microseconds as ISO 8601 in UTC."""
    days, rest = divmod(at, 86_400_000_000)
    seconds, fraction = divmod(rest, 1_000_000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    end = f".{fraction:06}Z" if fraction else "Z"
    return f"{_date(days)}T{hour:02}:{minute:02}:{second:02}{end}"


_iso_again = lru_cache(maxsize=1 << 12)(iso)


@lru_cache(maxsize=1 << 12)
def _date(days: int) -> str:
    """Return the date that lies so many days after 1 January 1970."""
    try:
        return (EPOCH + timedelta(days=days)).date().isoformat()
    except OverflowError:
        return f"a day {days:,} days from 1970"


def micros(text: str) -> int:
    """Return the microseconds since 1970 of what `iso` writes."""
    form = "%Y-%m-%dT%H:%M:%S.%fZ" if "." in text else "%Y-%m-%dT%H:%M:%SZ"
    instant = datetime.strptime(text, form).replace(tzinfo=timezone.utc)
    return (instant - EPOCH) // timedelta(microseconds=1)


Source = tuple[int, str, Optional[list[int]]]
"""A transaction, the episode that it cited, and the span."""


class Fact(NamedTuple):
    """A fact that holds from `begins` to `ends`, with the row that is in force."""

    row: Row
    begins: int
    ends: int | None
    evidence: list[Source]
    is_disputed: bool


Stretch = tuple[list[Row], int, Optional[int]]
"""Adjacent rows of one fact, which read as one; from when, and until when."""


def stretches_of(live: list[Row]) -> list[Stretch]:
    """Return the stretches of a key, from its live rows in order of time."""
    found: list[Stretch] = []
    for row, ends in zip(live, [*[row.begins for row in live[1:]], None]):
        if not row.holds:
            continue
        rows, begins, ended = found[-1] if found else ([row], 0, None)
        if ended == row.begins and rows[0].memory_id == row.memory_id:
            rows.append(row)
            found[-1] = rows, begins, ends
        else:
            found.append(([row], row.begins, ends))
    return found


def touches(one: tuple[int, int | None], other: tuple[int, int | None]) -> bool:
    """Say whether two half-open periods have an instant in common."""
    return (other[1] is None or one[0] < other[1]) and (one[1] is None or other[0] < one[1])


def evidence_of(row: Row, live: list[Row], links: list[dict[str, Any]]) -> list[Source]:
    """Return what supports a fact: the source of the row in force, then the rest, oldest first.

    The rest are the sources of its other statements, and further links; those of one transaction
    come by episode and span. What is cited twice has the number of the first time and the place of
    the last.
    """
    first = (row.since, row.content["episode_id"], row.content.get("span"))
    rest = [
        (other.since, other.content["episode_id"], other.content.get("span"))
        for other in live
        if other.kind == "fact" and other.memory_id == row.memory_id
    ]
    rest += [
        (it["tx_from"], it["episode_id"], it.get("span"))
        for it in links
        if it["memory_id"] == row.memory_id
    ]
    if rest == [first]:
        return rest
    rest.sort(key=lambda source: (source[0], source[1], source[2] or []))
    kept = {(episode_id, _span_text(span)): n for n, episode_id, span in reversed(rest)}
    spans = {(episode_id, _span_text(span)): span for _, episode_id, span in rest}
    kept.pop((first[1], _span_text(first[2])), None)
    return [first, *((n, place[0], spans[place]) for place, n in reversed(list(kept.items())))]


COLUMNS = [
    "subject",
    "attribute",
    "owner",
    "value",
    "memory_type",
    "valid_from",
    "valid_to",
    "until",
    "confidence",
    "disputed",
    "source_episode_id",
    "agent_id",
    "recorded_at",
    "transaction",
    "valid_from_basis",
    "precision",
    "stated_as",
    "row_from",
    "schema_version",
    "retention_policy",
    "slot",
    "supersedes_memory_id",
    "memory_id",
    "evidence",
    "tenant_id",
]
"""The columns of facts.csv."""
_UNSAFE = re.compile("^[=+\\-@'\t\r\n\uff1d\uff0b\uff0d\uff20\uff07]|[\",\r\n]")
"""What a spreadsheet may take for a formula, at the beginning, or for the end of a cell."""


def cell(text: str) -> str:
    """Return a text as a cell of facts.csv: one like a formula has an apostrophe before it."""
    found = _UNSAFE.search(text)
    if found is None:
        return text
    if not found.start() and found[0] not in '",':
        text = "'" + text
    if '"' in text or "," in text or "\n" in text or "\r" in text:
        return '"' + text.replace('"', '""') + '"'
    return text


def _quoted(text: str | None) -> str:
    return "null" if text is None else quote(text)


@lru_cache(maxsize=1 << 12)
def _common(
    names: tuple[str, str, str, str], is_disputed: bool, said: tuple[Any, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return those pieces of a fact's two lines that many facts have in common."""
    attribute, owner, slot, memory_type = names
    agent_id, confidence, precision, policy, version, basis = said
    number, disputed = number_text(confidence), "true" if is_disputed else "false"
    line = (
        f'{{"agent_id":{quote(agent_id)},"attribute":{quote(attribute)},"confidence":{number},'
        f'"disputed":{disputed},"evidence":[',
        f'"memory_type":{quote(memory_type)},"owner":{quote(owner)},"precision":{quote(precision)},',
        f'"retention_policy":{quote(policy)},',
        f'"schema_version":{version},"slot":{quote(slot)},',
        f'"valid_from_basis":{quote(basis)},',
    )
    table = (
        f"{cell(attribute)},{cell(owner)}",
        cell(memory_type),
        f"{number},{disputed}",
        cell(agent_id),
        f"{cell(basis)},{cell(precision)}",
        f"{version},{cell(policy)},{cell(slot)}",
    )
    return line, table


class FactWriter:
    """Writes facts as facts.jsonl and facts.csv must have them."""

    def __init__(self, tenant_id: str, chain: Chain, types: dict[str, str], withheld: bool) -> None:
        self._tenant = f'"tenant_id":{quote(tenant_id)}'
        self._tenant_cell = cell(tenant_id)
        self._chain = chain
        self._types = types
        self._withheld = withheld

    def lines(self, key: tuple[str, str, str, str], fact: Fact) -> tuple[str, str]:
        """Return a fact's line of facts.jsonl and its line of facts.csv."""
        subject, attribute, owner, slot = key
        row, it = fact.row, fact.row.content
        begins = iso(fact.begins)
        row_from = begins if row.begins == fact.begins else iso(row.begins)
        ends = "" if fact.ends is None else iso(fact.ends)
        until = "" if row.until is None else iso(row.until)
        recorded_at = _iso_again(self._chain.recorded_at[row.since - 1])
        evidence = ",".join(
            [
                f'{{"episode_id":{quote(episode_id)},"span":'
                f'{"null" if span is None else f"[{span[0]},{span[1]}]"},"transaction":{number}}}'
                for number, episode_id, span in fact.evidence
            ]
        )
        memory_id, source = it["memory_id"], it["episode_id"]
        supersedes, stated_as = it.get("supersedes"), it.get("stated_as")
        if self._withheld:
            shown, stated, value = "", "", ',"withheld":true'
        else:
            shown, stated = canonical(it["value"]), f'"stated_as":{_quoted(stated_as)},'
            value = f',"value":{shown}'
        names = attribute, owner, slot, self._types.get(attribute, "fact")
        (agent, type_, policy, version, basis), cells = _common(
            names, fact.is_disputed, _COMMON_OF(it)
        )
        line = (
            f'{agent}{evidence}],"memory_id":{quote(memory_id)},{type_}"recorded_at":'
            f'"{recorded_at}",{policy}"row_from":"{row_from}",{version}"source_episode_id":'
            f'{quote(source)},{stated}"subject":{quote(subject)},"supersedes_memory_id":'
            f'{_quoted(supersedes)},{self._tenant},"transaction":{row.since},"until":'
            f'{_quoted(until or None)},"valid_from":"{begins}",{basis}"valid_to":'
            f"{_quoted(ends or None)}{value}}}\n"
        )
        table = (
            f"{cell(subject)},{cells[0]},{cell(shown)},{cells[1]},{begins},{ends},{until},"
            f"{cells[2]},{cell(source)},{cells[3]},{recorded_at},{row.since},{cells[4]},"
            f"{cell(stated_as) if stated_as else ''},{row_from},{cells[5]},"
            f"{cell(supersedes) if supersedes else ''},{cell(memory_id)},"
            f"{cell(f'[{evidence}]')},{self._tenant_cell}\n"
        )
        return line, table


_COMMON_OF = itemgetter(
    "agent_id", "confidence", "precision", "retention_policy", "schema_version", "basis"
)


# -- the verification -----------------------------------------------------------------------------

CHECKS = {
    "manifest": ("The manifest is well formed and gives its own digest", "manifests"),
    "noted_manifest": ("It is the manifest whose digest was noted elsewhere", "digests"),
    "names": ("The files of a snapshot are there, and no others", "files"),
    "transactions": ("Transactions are numbered without gaps and rise in time", "transactions"),
    "beginnings": ("No two beliefs about a key begin at one instant at once", "rows"),
    "ends": ("Stated ends follow beginnings", "rows"),
    "beliefs": ("Beliefs end after they begin", "rows"),
    "values": ("The rows of a fact say one value at once", "rows"),
    "named": ("Rows name no facts but those of their key", "rows"),
    "derived": ("After every transaction, derived rows follow from the assertions", "rows"),
    "scope": ("Everything lies in the scope of the filter", "rows"),
    "conflicts": ("The state of each conflict follows from its events", "conflicts"),
    "facts": ("facts.jsonl says what follows from the ledger", "facts"),
    "table": ("facts.csv says the same", "facts"),
    "sources": ("Every episode that is cited is there", "citations"),
    "lines": ("Every line of the ledger's files is well formed, canonical and in order", "lines"),
    "files": ("Each file has the size, digest and lines that the manifest says", "files"),
    "chain": ("Each transaction's digest follows from all before it and its entries", "entries"),
    "contents": ("Names, values, contents and reasons are what was committed to", "commitments"),
    "head": ("The manifest's head is the end of the chain", "heads"),
    "noted_head": ("The head that was noted elsewhere is in the chain", "heads"),
    "counts": ("The manifest's counts are those of the files", "counts"),
    "signature": ("The manifest was signed with the key that manifest.sig names", "signatures"),
}
"""What is checked, in the order in which it ends: title and unit."""
PLAINEST = ("names", "manifest", "noted_manifest", "files", "lines")
"""The checks that name the file that was changed; they are told before the others."""


class Reader:
    """One file of a package, read once and hashed on the way.

    Attributes:
        newlines: how many there were, if it is a file of lines.
        trouble: why it could not be read to its end, or "".
    """

    def __init__(self, package: Package, name: str, on_bytes: Callable[[int], None]) -> None:
        self.name = name
        self.size = 0
        self.newlines = 0
        self.trouble = ""
        self._on_bytes = on_bytes
        self._digest = sha256()
        self._buffer = b""
        self._at = 0
        self._part: Part | None = None
        try:
            self._part = package.open(name)
        except Broken as error:
            self.trouble = str(error)

    @property
    def digest(self) -> str:
        """SHA-256 of what was read."""
        return self._digest.hexdigest()

    def chunk(self) -> bytes:
        """Return the next bytes; none at the end, or when there is trouble."""
        if self._part is None:
            return b""
        data = b""
        try:
            data = self._part.read()
        except Broken as error:
            self.trouble = str(error)
        if not data:
            self._part.close()
            self._part = None
        self._digest.update(data)
        self.size += len(data)
        self._on_bytes(len(data))
        return data

    def blocks(self) -> Iterator[list[bytes]]:
        """Yield lines without line feeds, many at once; a too long one is cut, with trouble."""
        held: list[bytes] = []
        length = 0
        while True:
            data = self.chunk()
            parts = data.split(b"\n")
            last = parts.pop()
            self.newlines += len(parts)
            if parts:
                parts[0] = b"".join([*held, parts[0]])
                held, length = [], 0
                yield parts
            length += len(last)
            if length <= LONGEST_LINE:
                held.append(last)
            elif not self.trouble:
                self.trouble = f"{self.name} has a line of more than {LONGEST_LINE:,} bytes."
            if not data:
                break
        if length:
            self.trouble = self.trouble or f"{self.name} ends within a line."
            yield [b"".join(held)]

    def follows(self, text: str) -> bool:
        """Say whether this text comes next, and pass over it."""
        wanted = text.encode()
        while len(self._buffer) - self._at < len(wanted):
            data = self.chunk()
            if not data:
                break
            self._count_lines(data)
            self._buffer, self._at = self._buffer[self._at :] + data, 0
        is_next = self._buffer.startswith(wanted, self._at)
        self._at += len(wanted) if is_next else 0
        return is_next

    def rest_of_line(self) -> bytes:
        """Return what comes next instead, up to the end of the line or a chunk of it."""
        return self._buffer[self._at :].split(b"\n", 1)[0]

    def drain(self) -> bool:
        """Read to the end; say whether anything was left."""
        is_left = self._at < len(self._buffer)
        while data := self.chunk():
            self._count_lines(data)
            is_left = True
        return is_left

    def _count_lines(self, data: bytes) -> None:
        if self.name.endswith(".jsonl"):
            self.newlines += data.count(b"\n")


Line = tuple[Any, int, dict[str, Any]]
"""Key, number and members of a line."""
Entry = tuple[int, Any, dict[str, Any]]
"""Number, place in the order, and members of a line."""


class Beside:
    """Hands out what stands beside the rows, which is in the order of their keys, key by key."""

    def __init__(self, lines: Iterator[Line], on_stray: Callable[[Line], None]) -> None:
        self._lines = lines
        self._on_stray = on_stray
        self._next = next(lines, None)

    def take(self, key: Any) -> list[Line]:
        """Return what stands at a key; what stands before it has no rows."""
        found: list[Line] = []
        while self._next is not None and self._next[0] <= key:
            if self._next[0] == key:
                found.append(self._next)
            else:
                self._on_stray(self._next)
            self._next = next(self._lines, None)
        return found

    def finish(self) -> None:
        """Pass over all that is left."""
        while self._next is not None:
            self._on_stray(self._next)
            self._next = next(self._lines, None)


class Verification:
    """Goes through a package once and fills its checks."""

    def __init__(
        self,
        package: Package,
        on_check: Callable[[Check], None] | None,
        progress: Callable[[int, int], None] | None,
        is_cancelled: Callable[[], bool] | None,
    ) -> None:
        self._package = package
        self._on_check = on_check
        self._progress = progress
        self._is_cancelled = is_cancelled
        self._all = sum(map(package.size, package.names))
        self._done = 0
        self._checks = {name: Check(name, *words) for name, words in CHECKS.items()}
        self._ended: list[Check] = []
        self._readers: dict[str, Reader] = {}
        self._chain = Chain()
        self._types: dict[str, str] = {}
        self._episodes = array("q")
        self._lengths = array("q")
        self._cited = bytearray()
        self._opened = self._withheld = 0
        self._steps_left = MOST_STEPS
        self._due: list[tuple[Any, Fact]] = []
        self._facts = dict.fromkeys(_FACT_COUNTS, 0)
        self._by_basis = dict.fromkeys(_BASES, 0)
        self._by_conflict = dict.fromkeys(_CONFLICT_COUNTS, 0)
        self._by_version: dict[str, int] = {}
        self._counts = dict.fromkeys(_COUNTS, 0)

    def run(self, head: tuple[int, str] | None, manifest_digest: str | None) -> Verdict:
        """Check everything; see `verify`."""
        self._take_manifest(manifest_digest)
        self._check_names()
        self._take_transactions()
        self._take_attributes()
        self._take_episodes()
        self._take_keys()
        self._take_omitted()
        self._check_files()
        self._check_chain()
        self._check_head(head)
        self._check_counts()
        self._check_signature()
        number = len(self._chain)
        return Verdict(
            tuple(self._ended),
            tuple(self._notes(head, manifest_digest)),
            f"{number}:{self._chain.digest(number)}",
            str(self._manifest["digest"]),
        )

    def _end(self, *names: str) -> None:
        for name in names:
            self._ended.append(self._checks[name])
            if self._on_check is not None:
                self._on_check(self._checks[name])

    def _read_bytes(self, count: int) -> None:
        self._done += count
        if self._is_cancelled is not None and self._is_cancelled():
            raise Cancelled("The verification was stopped on request.")
        if self._progress is not None:
            self._progress(min(self._done, self._all), self._all)

    # -- manifest and names -----------------------------------------------------------------------

    def _take_manifest(self, noted: str | None) -> None:
        check = self._checks["manifest"]
        check.looked_at = 1
        data = self._package.read("manifest.json", LARGEST_MANIFEST)
        self._read_bytes(len(data))
        self._manifest = manifest = manifest_of(data)
        self._arguments = manifest["arguments"]
        filters = "subject", "attribute", "memory_type"
        self._is_filtered = any(self._arguments[name] is not None for name in filters)
        self._hides_values = self._arguments["withhold"] == "values"
        self._hides_content = self._arguments["withhold"] != "nothing"
        said = {name: value for name, value in manifest.items() if name != "digest"}
        text = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
        if sha256(canonical(said).encode()).hexdigest() != manifest["digest"]:
            check.fail("It was changed: its digest is not that of what it says.", "manifest.json")
        elif text.encode() != data:
            check.fail("It is not written as snapshots write it.", "manifest.json")
        elif ("slot_secret" in manifest) is (self._is_filtered or self._hides_content):
            check.fail("A secret of the record is missing, or should be.", "manifest.json")
        self._valid_at = micros(manifest["as_of"]["valid_at"])
        window = self._arguments["window"]
        self._window = None if window is None else (micros(window[0]), micros(window[1]))
        other = self._checks["noted_manifest"]
        if noted is None:
            other.set_aside(State.NOT_APPLICABLE, "No digest of a manifest was given.")
        else:
            other.looked_at = 1
            if noted != manifest["digest"]:
                other.fail(
                    f"It is another one: its digest is {manifest['digest']}.", "manifest.json"
                )
        self._end("manifest", "noted_manifest")

    def _check_names(self) -> None:
        check, package = self._checks["names"], self._package
        due = set(ALWAYS)
        due |= {"omitted.jsonl"} if self._is_filtered else set()
        due |= {"store.db"} if self._arguments["with_store"] else set()
        check.looked_at = len(package.names) + len(package.strangers)
        for name in NAMES:
            if name in due and name not in package.names:
                check.fail(f"{name} is missing.", name)
        for name in (*package.strangers, *package.names):
            if name not in due and name != "manifest.sig":
                check.fail(f"{visible(name)!r} does not belong there: it was added.", visible(name))
        for name in sorted(due ^ {*self._manifest["files"], "manifest.json"}):
            check.fail(f"The manifest should list {visible(name)!r}, or should not.", visible(name))
        self._end("names")

    # -- the ledger's files -----------------------------------------------------------------------

    def _reader(self, name: str) -> Reader:
        reader = self._readers[name] = Reader(self._package, name, self._read_bytes)
        return reader

    def _entries(self, name: str) -> Iterator[Entry]:
        """Yield those lines of a file that are well formed."""
        for block in self._blocks(name):
            yield from block

    def _blocks(self, name: str) -> Iterator[list[Entry]]:
        """Yield those lines of a file that are well formed, many at once, which is faster."""
        if name not in self._package.names:
            return
        place_of, may_repeat = ORDERS[name], name in MAY_REPEAT
        before: tuple[Any, ...] = ()
        number = unusable = 0
        for lines in self._reader(name).blocks():
            entries: list[Entry] = []
            for it, problem in read_entries(name, lines):
                number += 1
                if problem:
                    self._unusable(name, number, problem)
                if it is None:
                    unusable += 1
                    continue
                place = place_of(it)
                if place <= before and not (may_repeat and place == before):
                    self._fail(
                        "lines", "The line is out of order, or there twice.", name, number, it
                    )
                before = place
                entries.append((number, place, it))
            yield entries
            if unusable > MOST_UNUSABLE:
                break  # it is no such file; its digest is made by whoever drains it
        self._checks["lines"].looked_at += number

    def _unusable(
        self, name: str, line: int, problem: str, it: dict[str, Any] | None = None
    ) -> None:
        self._fail("lines", f"The line is unusable: {problem}.", name, line, it)

    def _fail(
        self, check: str, message: str, name: str, line: int, it: dict[str, Any] | None = None
    ) -> None:
        known = it or {}
        place = known.get("tx_from"), known.get("subject"), known.get("attribute")
        self._checks[check].fail(message, name, line, *place)

    def _add(self, name: str, line: int, it: dict[str, Any], digest: bytes) -> bool:
        """Take an entry into the chain; False if its transaction is not there."""
        ended = it.get("tx_to")
        is_known = self._chain.add(it["tx_from"], b"+", digest)
        if not is_known or (ended is not None and not self._chain.add(ended, b"-", digest)):
            self._fail("chain", "The entry's transaction is not there.", name, line, it)
        return is_known

    def _take_transactions(self) -> None:
        name, check, chain = "transactions.jsonl", self._checks["transactions"], self._chain
        room = sum(self._package.size(n) for n in self._package.names if n.endswith(".jsonl")) // 40
        for line, _, it in self._entries(name):
            check.looked_at += 1
            number, place = len(chain) + 1, (name, line, it["number"])
            problem = self._header_problem(it)
            if problem:
                self._unusable(name, line, problem)
            elif it["number"] != number:
                check.fail(f"Transaction {number:,} is missing.", *place)
            elif number > 1 and it["recorded_at"] <= chain.recorded_at[-1]:
                check.fail("Its time is not after its predecessor's.", *place)
            elif chain.entries + it["entries"] > room:
                check.fail("It says that it has more entries than all files can hold.", *place)
            elif chain.entries + it["entries"] != it["total"]:
                check.fail("Its total is not its predecessor's and its own entries.", *place)
            if problem or it["number"] != number or chain.entries + it["entries"] > room:
                break
            self._count_salt(it)
            chain.add_header(it)
        self._readers_end(name)
        chain.make_room()
        self._counts["transactions"] = len(chain)
        self._end("transactions")

    def _header_problem(self, it: dict[str, Any]) -> str:
        is_withheld = self._is_filtered and "commitment" in it
        if is_withheld is ("actor" in it) or (is_withheld and "reason" in it):
            return "who wrote it is missing, or should be"
        if ("reverts" in it) is not (it["kind"] == "revert"):
            return "only a revert names the transaction that it reverts"
        if it.get("reverts", 0) >= it["number"]:
            return "it reverts no earlier transaction"
        return salt_problem(it, is_withheld)

    def _readers_end(self, name: str) -> None:
        if name in self._readers:
            self._readers[name].drain()

    def _count_salt(self, it: dict[str, Any]) -> None:
        if "secret" in it:
            self._opened += 1
        else:
            self._withheld += 1

    def _take_attributes(self) -> None:
        for line, _, it in self._entries("attributes.jsonl"):
            if self._add("attributes.jsonl", line, it, attribute_digest(it)):
                self._types[it["name"]] = it["memory_type"]

    def _take_episodes(self) -> None:
        hashes, lengths = array("q"), array("q")
        for line, _, it in self._entries("episodes.jsonl"):
            problem = salt_problem(it, self._hides_content)
            shown = sum(member in it for member in ("content", "metadata"))
            if problem or shown != (0 if self._hides_content else 2):
                problem = problem or "its content is missing, or should be"
                self._unusable("episodes.jsonl", line, problem)
                continue
            self._count_salt(it)
            self._add("episodes.jsonl", line, it, episode_digest(it))
            hashes.append(hash(it["episode_id"]))
            lengths.append(len(it["content"]) if "content" in it else LARGEST_NUMBER)
        order = sorted(range(len(hashes)), key=hashes.__getitem__)
        self._episodes = array("q", map(hashes.__getitem__, order))
        self._lengths = array("q", map(lengths.__getitem__, order))
        self._cited = bytearray(len(hashes))
        twice = sum(a == b for a, b in zip(self._episodes, self._episodes[1:]))
        if twice:
            self._checks["sources"].fail("An episode is there twice.", "episodes.jsonl")

    def _cite(self, name: str, line: int, it: dict[str, Any], source: dict[str, Any]) -> bool:
        """Note that an episode is cited; say whether it is there, by the 64-bit hash of its id."""
        wanted = hash(source["episode_id"])
        at = bisect_left(self._episodes, wanted)
        self._checks["sources"].looked_at += 1
        if at == len(self._episodes) or self._episodes[at] != wanted:
            message = f"Episode {visible(source['episode_id'])!r} is missing."
            self._fail("sources", message, name, line, it)
            return False
        self._cited[at] = 1
        if "span" in source and source["span"][1] > self._lengths[at]:
            self._fail("sources", "A span leads beyond the end of its episode.", name, line, it)
        return True

    def _links(self) -> Iterator[Line]:
        """Yield the further links from facts to episodes."""
        name = "evidence.jsonl"
        for line, place, it in self._entries(name):
            self._counts["evidence"] += 1
            self._add(name, line, it, evidence_digest(it))
            self._cite(name, line, it, it)
            yield place[:4], line, it

    def _conflicts(self) -> Iterator[Line]:
        """Yield the conflicts."""
        name, check = "conflicts.jsonl", self._checks["conflicts"]
        for line, place, it in self._entries(name):
            check.looked_at += 1
            problem = self._conflict_problem(it)
            if problem:
                self._unusable(name, line, problem, it)
                continue
            key, events = place[:4], it["events"]
            named = key_text(key)
            first = {**it, "tx_from": events[0]["tx_from"]}
            self._add(name, line, first, conflict_digest(it, named))
            for event in events:
                self._count_salt(event)
                self._add(
                    name, line, {**it, **event}, event_digest(it["conflict_id"], event, named)
                )
            for row in _rows_in(it):
                self._count_salt(row)
                self._cite_row(name, line, it, row)
            numbers = [event["tx_from"] for event in events]
            state = conflict_state(events)
            if numbers != sorted(numbers):
                self._fail("conflicts", "Its events are out of order.", name, line, first)
            if it.get("state") != state:
                said = f"It says {it.get('state')!r}, and {state!r} follows from its events."
                self._fail("conflicts", said, name, line, first)
            self._count_conflict(state, events)
            yield key, line, it

    def _conflict_problem(self, it: dict[str, Any]) -> str:
        if not it["events"]:
            return "it has no events"
        if it.get("contested_to", FOREVER) <= it["contested_from"]:
            return "what is contested ends before it begins"
        for event in it["events"]:
            if type(event) is not dict:
                return "an event is no object"
            is_withheld = self._hides_values and "commitment" in event
            problem = _EVENT.problem(event) or salt_problem(event, is_withheld)
            if not is_withheld and not ("actor" in event and "reason" in event):
                problem = problem or "who did it is missing"
            if problem:
                return problem
        rows = (row_problem(row, self._hides_values) for row in _rows_in(it))
        return next(filter(None, rows), "")

    def _count_conflict(self, state: str | None, events: list[dict[str, Any]]) -> None:
        if state == "settled":
            settling = next(e for e in reversed(events) if e["kind"] == "settled")
            actor = settling.get("actor", "")
            is_policy = actor == "policy" or actor.startswith("policy:")
            who = "person" if actor == "operator" else "policy" if is_policy else "agent"
            state = f"settled_by_{who}"
        if state is not None:
            self._by_conflict[state] += 1

    def _cite_row(self, name: str, line: int, it: dict[str, Any], row: dict[str, Any]) -> bool:
        if "over" in row:
            self._cite(name, line, it, row["over"])
        return "content" in row and self._cite(name, line, it, row["content"])

    def _keys(self) -> Iterator[list[tuple[Any, list[Row]]]]:
        """Yield the keys with all rows of each, many at once."""
        key: Any = None
        keys: list[tuple[Any, list[Row]]] = []
        for block in self._blocks("versions.jsonl"):
            for here, row in self._rows("versions.jsonl", block):
                if here != key:
                    key = here
                    keys.append((key, []))
                keys[-1][1].append(row)
            yield keys[:-1]
            del keys[:-1]
        yield keys

    def _rows(self, name: str, block: list[Entry]) -> list[tuple[Any, Row]]:
        """Take rows into the chain; return those whose transaction is there, with their keys."""
        self._counts["versions"] += len(block)
        usable: list[tuple[Any, int, dict[str, Any], bytes]] = []
        key, named = None, b""
        for line, place, it in block:
            if place[:4] != key:
                key = place[:4]
                named = key_text(key)
            problem = row_problem(it, self._hides_values)
            if problem:
                self._unusable(name, line, problem, it)
            else:
                usable.append((key, line, it, named))
        if self._hides_values:
            self._withheld += len(usable)
        else:
            self._opened += len(usable)
        digests = [row_digest(it, text) for _, _, it, text in usable]
        rows = []
        for (here, line, it, _), digest in zip(usable, digests):
            is_known = self._add(name, line, it, digest)
            row = Row(line, it)
            row.is_sourced = self._cite_row(name, line, it, it)
            if is_known:
                rows.append((here, row))
        return rows

    def _take_keys(self) -> None:
        chain, tenant_id = self._chain, self._manifest["tenant_id"]
        self._writer = FactWriter(tenant_id, chain, self._types, self._hides_values)
        self._json, self._csv = self._reader("facts.jsonl"), self._reader("facts.csv")
        if not self._csv.follows(",".join(COLUMNS) + "\n"):
            self._checks["table"].fail("Its columns are not those of a snapshot.", "facts.csv", 1)
        links = Beside(self._links(), self._is_stray)
        conflicts = Beside(self._conflicts(), self._is_stray)
        subject = None
        for keys in self._keys():
            self._counts["keys"] += len(keys)
            for key, rows in keys:
                self._counts["subjects"] += key[0] != subject
                subject = key[0]
                self._check_rules(key, rows)
            for key, rows in keys:
                if self._is_filtered:
                    self._check_scope(key, rows)
                beside = links.take(key), conflicts.take(key)
                if beside[0] or beside[1]:
                    self._check_supported(rows, *beside)
                self._follow(key, rows, *beside)
        links.finish()
        conflicts.finish()
        for name in ("beginnings", "ends", "beliefs", "values", "named", "derived"):
            self._checks[name].looked_at = self._counts["versions"]
        if self._hides_values:
            self._checks["values"].looked_at = 0
            self._checks["values"].set_aside(State.NOT_PROVED, "Values are withheld.")
        self._finish_facts()
        if not self._is_filtered:
            why = "The whole record is there."
            self._checks["scope"].set_aside(State.NOT_APPLICABLE, why)
        unused = self._cited.count(0)
        if self._is_filtered and unused:
            self._checks["scope"].fail("Nothing that is there cites an episode.", "episodes.jsonl")
        self._end("beginnings", "ends", "beliefs", "values", "named", "derived", "scope")
        self._end("conflicts", "facts", "table", "sources")

    def _is_stray(self, line: Line) -> None:
        name = "conflicts.jsonl" if "standing" in line[2] else "evidence.jsonl"
        self._fail("sources", "The row that it is about is not there.", name, line[1], line[2])

    def _check_supported(self, rows: list[Row], links: list[Line], conflicts: list[Line]) -> None:
        """Check that the rows are there which links support and conflicts contest."""
        known = {(row.memory_id, row.since) for row in rows}
        for line in links:
            if (line[2]["memory_id"], line[2]["row_tx"]) not in known:
                self._is_stray(line)
        for line in conflicts:
            standing = Row(0, line[2]["standing"])
            if (standing.memory_id, standing.since) not in known:
                self._is_stray(line)

    def _check_rules(self, key: Any, rows: list[Row]) -> None:
        before: Row | None = None
        is_plain = True
        for row in rows:
            if before is not None and before.begins == row.begins and not before.is_over(row):
                self._fail_row("beginnings", "Another belief begins then too.", key, row)
            if row.ended is not None and row.ended <= row.since:
                self._fail_row("beliefs", "The belief ends before it begins.", key, row)
            if row.until is not None or row.over is not None or row.kind in ("resume", "gap"):
                is_plain = False
                if row.kind == "fact" and row.until is not None and row.until <= row.begins:
                    self._fail_row("ends", "The stated end is not after the beginning.", key, row)
            before = row
        if not self._hides_values:
            self._check_values(key, [row for row in rows if row.kind == "fact"])
        self._check_named(key, rows)
        if is_plain:
            return  # nothing ends of itself, so nothing follows
        derived_rows = DerivedRows(rows)
        for number, row, problem in derived_rows.problems(self._steps_left):
            self._fail_row("derived", f"{problem}.", key, row, number)
        self._steps_left -= derived_rows.steps
        if self._steps_left < 0:
            why = "There are too many stated ends on single keys to look at them all."
            self._checks["derived"].set_aside(State.NOT_PROVED, why)

    def _check_values(self, key: Any, rows: list[Row]) -> None:
        """Check that at no time two rows of a fact, both believed, say different values."""
        if len({row.memory_id for row in rows}) == len(rows):
            return
        statements: dict[Any, list[Row]] = {}
        for row in rows:
            statements.setdefault(row.memory_id, []).append(row)
        for rows in statements.values():
            believed: dict[str, int] = {}
            for row in sorted(rows, key=lambda row: row.since):
                value = canonical(row.content["value"])
                believed = {said: ended for said, ended in believed.items() if ended > row.since}
                if believed and value not in believed:
                    self._fail_row("values", "The fact says another value too.", key, row)
                ended = FOREVER if row.ended is None else row.ended
                believed[value] = max(ended, believed.get(value, 0))

    def _check_named(self, key: Any, rows: list[Row]) -> None:
        """Check that what rows displace, end and take the place of are facts of their key."""
        known = {row.memory_id for row in rows if row.kind == "fact"}
        known.add(None)
        named = [row.content.get("supersedes") for row in rows if row.content is not None]
        named += [row.memory_id for row in rows if row.kind != "fact"]
        named += [row.over["memory_id"] for row in rows if row.over is not None]
        named += [row.over.get("supersedes") for row in rows if row.over is not None]
        if not known.issuperset(named):
            missing = next(name for name in named if name not in known)
            message = f"A row names the fact {visible(missing, 40)}, which the key never had."
            self._fail_row("named", message, key, rows[0])

    def _fail_row(
        self, check: str, message: str, key: Any, row: Row, number: int | None = None
    ) -> None:
        since = row.since if number is None else number
        self._checks[check].fail(message, "versions.jsonl", row.line, since, key[0], key[1])

    def _check_scope(self, key: Any, rows: list[Row]) -> None:
        self._checks["scope"].looked_at += len(rows)
        found = key[0], key[1], self._types.get(key[1], "fact")
        for name, has in zip(("subject", "attribute", "memory_type"), found):
            if self._arguments[name] not in (None, has):
                message = f"Its {name} is not what the filter lets through."
                self._fail_row("scope", message, key, rows[0])

    # -- facts ------------------------------------------------------------------------------------

    def _follow(self, key: Any, rows: list[Row], links: list[Line], conflicts: list[Line]) -> None:
        """Compare what follows from a key's rows with what the files of facts say next."""
        live = [row for row in rows if row.ended is None]
        believed = [it for _, _, it in links if "tx_to" not in it]
        opened = [it for _, _, it in conflicts if conflict_state(it["events"]) == "open"]
        valid_at, window = self._valid_at, self._window
        before: int | None = None
        for same, begins, ends in stretches_of(live):
            self._counts["gaps"] += before is not None and before != begins
            before = ends
            holds_now = begins <= valid_at and (ends is None or valid_at < ends)
            if not (holds_now if window is None else touches((begins, ends), window)):
                continue
            row = same[0]
            if holds_now and len(same) > 1:
                row = [other for other in same if other.begins <= valid_at][-1]
            is_disputed = False
            for it in opened:
                if it["standing"].get("content", {}).get("memory_id") == row.memory_id:
                    contested = it["contested_from"], it.get("contested_to")
                    is_disputed |= touches((begins, ends), contested)
            evidence = evidence_of(row, live, believed)
            fact = Fact(row, begins, ends, evidence, is_disputed)
            self._count_fact(fact)
            self._due.append((key, fact))
        self._counts["gaps"] += before is not None
        if len(self._due) >= MOST_DUE:
            self._compare()

    def _count_fact(self, fact: Fact) -> None:
        said, facts = fact.row.content, self._facts
        facts["in_scope"] += 1
        facts["with_source" if fact.row.is_sourced else "without_source"] += 1
        if fact.is_disputed:
            facts["disputed"] += 1
        if said["precision"] in ("day", "month", "year"):
            facts["imprecise"] += 1
        for source in fact.evidence:
            if source[2] is not None:
                facts["with_span"] += 1
                break
        basis, version = said["basis"], str(said["schema_version"])
        self._by_basis[basis] = self._by_basis.get(basis, 0) + 1
        self._by_version[version] = self._by_version.get(version, 0) + 1

    def _compare(self) -> None:
        """Compare the facts that follow with what facts.jsonl and facts.csv say next."""
        due, self._due = self._due, []
        texts = [self._writer.lines(key, fact) for key, fact in due]
        for column, name, reader in ((0, "facts", self._json), (1, "table", self._csv)):
            check = self._checks[name]
            if check.state is not State.PASSED:
                continue
            if reader.follows("".join([text[column] for text in texts])):
                check.looked_at += len(texts)
                continue
            for (key, fact), text in zip(due, texts):
                check.looked_at += 1
                if not reader.follows(text[column]):
                    line = check.looked_at if reader is self._json else None
                    message = "Another row follows from the ledger here."
                    if reader is self._json:
                        message = _difference(text[column], reader.rest_of_line())
                    check.fail(message, reader.name, line, fact.row.since, key[0], key[1])
                    break

    def _finish_facts(self) -> None:
        self._compare()
        for check, reader in (("facts", self._json), ("table", self._csv)):
            if reader.drain() and self._checks[check].state is State.PASSED:
                self._checks[check].fail("It goes on where nothing more follows.", reader.name)

    # -- the rest ---------------------------------------------------------------------------------

    def _take_omitted(self) -> None:
        name = "omitted.jsonl"
        for line, _, it in self._entries(name):
            sign, digest = it["digest"][0].encode(), bytes.fromhex(it["digest"][1:])
            if not self._chain.add(it["transaction"], sign, digest):
                self._fail("chain", "The entry's transaction is not there.", name, line)

    def _check_files(self) -> None:
        check = self._checks["files"]
        for name, said in sorted(self._manifest["files"].items()):
            if name not in self._package.names:
                continue
            reader = self._readers.get(name) or self._reader(name)
            reader.drain()
            check.looked_at += 1
            if reader.trouble:
                check.fail(reader.trouble, name)
            elif reader.size != said["bytes"]:
                check.fail(f"It has {reader.size:,} bytes, not {said['bytes']:,}.", name)
            elif reader.digest != said["sha256"]:
                check.fail("It was changed: its digest is not the manifest's.", name)
            elif said.get("lines") != (reader.newlines if name.endswith(".jsonl") else None):
                check.fail(
                    f"It has {reader.newlines:,} lines, and the manifest says otherwise.", name
                )
        self._end("lines", "files")

    def _check_chain(self) -> None:
        chain, check = self._chain, self._checks["chain"]
        check.looked_at = chain.entries
        for number in range(1, len(chain) + 1):
            problem = chain.problem(number)
            if problem:
                if not check.failures:
                    problem += self._suspects(number)
                check.fail(f"In transaction {number:,}, {problem}.", None, None, number)
            if number % 1024 == 0:
                self._read_bytes(0)
        contents = self._checks["contents"]
        contents.looked_at = self._opened
        if check.failures:
            contents.set_aside(State.NOT_PROVED, "The chain that they enter does not hold.")
        elif self._withheld:
            why = f"{self._withheld:,} stand for what is withheld, and are taken as given."
            contents.set_aside(State.NOT_PROVED, why)
        self._end("chain", "contents")

    def _suspects(self, number: int) -> str:
        """Name the lines that belong to a transaction which does not hold, up to three."""
        found: list[str] = []
        marks = [
            f'"tx_{side}":{number}{after}'.encode() for side in ("from", "to") for after in ",}"
        ]
        for name in LEDGER:
            if name in self._package.names:
                for line in self._lines_with(name, marks):
                    found.append(f"{name} line {line:,}")
                    if len(found) > 3:
                        return f": one of {', '.join(found[:3])}, and more"
        return f": look at {', '.join(found)}" if found else ""

    def _lines_with(self, name: str, marks: list[bytes]) -> Iterator[int]:
        """Yield the numbers of lines in which one of some bytes are."""
        number = 0
        for lines in Reader(self._package, name, _no_bytes).blocks():
            block = b"\n".join(lines)
            if any(mark in block for mark in marks):
                for line, text in enumerate(lines, number + 1):
                    if any(mark in text for mark in marks):
                        yield line
            number += len(lines)

    def _check_head(self, noted: tuple[int, str] | None) -> None:
        chain, check, manifest = self._chain, self._checks["head"], self._manifest
        number = len(chain)
        check.looked_at = 1
        head = {"number": number, "digest": chain.digest(number), "entries": chain.entries}
        at = iso(chain.recorded_at[-1]) if number else ""
        said = manifest["as_of"]
        if manifest["head"] != head:
            check.fail(f"The chain ends with {number}:{chain.digest(number)}.", "manifest.json")
        elif said["transaction"] != number or self._arguments["transaction"] != number:
            check.fail("The manifest names another transaction besides.", "manifest.json")
        elif said["recorded_at"] != at or said["valid_at"] != self._arguments["valid_at"]:
            check.fail("The manifest's times are not those of its transaction.", "manifest.json")
        other = self._checks["noted_head"]
        if noted is None:
            other.set_aside(State.NOT_APPLICABLE, "No head was given.")
        else:
            other.looked_at = 1
            self._compare_head(other, *noted)
        self._end("head", "noted_head")

    def _compare_head(self, check: Check, number: int, digest: str) -> None:
        newest = len(self._chain)
        if number > newest:
            check.fail(
                f"The snapshot ends with transaction {newest:,}, before the noted {number:,}: its "
                "tail was cut off, or it was taken as of an earlier time.",
                *("transactions.jsonl", None, newest),
            )
        elif self._chain.digest(number) != digest:
            check.fail(
                f"Transaction {number:,} has another digest: the record was made anew.",
                *("transactions.jsonl", None, number),
            )

    def _check_counts(self) -> None:
        check = self._checks["counts"]
        found = {
            "facts": {**self._facts, "by_basis": self._by_basis},
            "conflicts": self._by_conflict,
            "episodes": {"total": len(self._cited), "unused": self._cited.count(0)},
            **self._counts,
        }
        pairs: list[tuple[Any, Any, str]] = [(found, self._manifest["counts"], "counts")]
        pairs.append((self._by_version, self._manifest["schema_versions"], "schema_versions"))
        for ours, said, name in pairs:
            for path in _differences(ours, said, name):
                check.fail(f"{path} is not what the files give.", "manifest.json")
        check.looked_at = len(_FACT_COUNTS) + len(_CONFLICT_COUNTS) + len(_COUNTS) + 2
        self._end("counts")

    def _check_signature(self) -> None:
        check, name = self._checks["signature"], "manifest.sig"
        if name not in self._package.names:
            check.set_aside(State.NOT_APPLICABLE, "It is not signed.")
        else:
            check.looked_at = 1
            data = self._package.read(name, LARGEST_MANIFEST)
            self._read_bytes(len(data))
            problem = signature_problem(data, self._manifest)
            if problem is None:
                why = "Not checked: it needs the package cryptography, which is not installed."
                check.set_aside(State.NOT_PROVED, why)
            elif problem:
                check.fail(problem, name)
        self._end("signature")

    def _notes(self, head: tuple[int, str] | None, manifest_digest: str | None) -> Iterator[str]:
        also = " store.db," if self._arguments["with_store"] else ""
        yield (
            f"provenance.json, report.html, report.md,{also} and verify.py are held to their "
            "digests in the manifest only, not to the ledger."
        )
        if head is not None and manifest_digest is None:
            yield (
                "A head says nothing of those: who writes them anew writes the manifest anew. The "
                "manifest's digest, noted elsewhere, holds them, or a signature by a known key."
            )
        if head is None and manifest_digest is None:
            yield (
                "No head or manifest digest from elsewhere was given: a cut tail, or a snapshot "
                "made up as a whole, cannot be noticed."
            )
        if "manifest.sig" in self._package.names:
            yield "A signature proves something only if its key is known from elsewhere."
        if self._hides_content:
            yield f"What {self._withheld:,} commitments stand for is withheld, and not proved."
            yield (
                "Agents and sessions of episodes stand within those commitments: they are shown as "
                "whoever sent the snapshot has them, and not proved."
            )
        if self._hides_values:
            yield (
                "So do subjects, attributes, owners, slots and agents of facts: shown, and not "
                "proved. Who knows the record can compare them with it."
            )
        if self._is_filtered:
            yield (
                "That nothing of the filter's scope is among what was left out is not proved: of "
                "that there are digests only."
            )
        if self._has_other_verifier():
            yield (
                "The verify.py in it is not the one that ran: it is of another version, or was "
                "exchanged. Do not rely on it."
            )

    def _has_other_verifier(self) -> bool:
        try:
            with open(os.path.abspath(__file__), "rb") as file:
                own = sha256(file.read()).hexdigest()
        except OSError:
            return False
        said = self._manifest["files"].get("verify.py")
        return said is not None and bool(own != said["sha256"])


_FACT_COUNTS = ["in_scope", "with_source", "without_source", "with_span", "disputed", "imprecise"]
_CONFLICT_COUNTS = ["open", "stale", "settled_by_person", "settled_by_policy", "settled_by_agent"]
_COUNTS = ["versions", "evidence", "transactions", "keys", "subjects", "gaps"]
_BASES = ["stated", "episode", "assumed", "unknown"]


def _rows_in(conflict: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield conflict["standing"]
    for event in conflict["events"]:
        if "claim" in event:
            yield event["claim"]["row"]


def _no_bytes(_count: int) -> None:
    """Look away: what is read a second time is no progress."""


def _difference(wanted: str, line: bytes) -> str:
    """Say how a line of facts.jsonl differs from the one that follows from the ledger."""
    said, problem = read_line(line)
    if said is None:
        return "It ends here, and more facts follow." if not line else f"The line: {problem}."
    due = json.loads(wanted)
    if any(said.get(name) != due[name] for name in ("subject", "attribute", "owner", "slot")):
        return "A fact is missing here, or one was added before it."
    for name in sorted(due.keys() | said.keys()):
        has, ought = (it.get(name, "nothing") for it in (said, due))
        if has != ought or type(has) is not type(ought):
            shown = visible(canonical(has), 60), visible(canonical(ought), 60)
            return f"It says {visible(name, 40)} {shown[0]}; {shown[1]} follows from the ledger."
    return f"The line: {problem or 'it is written otherwise'}."


def _differences(ours: Any, said: Any, path: str) -> Iterator[str]:
    if type(ours) is dict and type(said) is dict:
        for name in sorted(ours.keys() | said.keys()):
            yield from _differences(ours.get(name), said.get(name), f"{path}.{name}")
    elif ours != said or type(ours) is not type(said):
        yield visible(path)


def _is_iso(value: Any) -> bool:
    try:
        return type(value) is str and iso(micros(value)) == value
    except (ValueError, OverflowError):
        return False


_SIGNATURE = Shape("algorithm:text fingerprint:text public_key:text signature:text text:text")
_FILE = Shape("bytes:whole sha256:text", "lines:whole")
_MANIFEST = Shape(
    "format:text format_version:whole digest_rule:whole tool:object store_id:name tenant_id:name "
    "arguments:object as_of:object head:object counts:object schema_versions:object files:object "
    "rule:text digest:text",
    "slot_secret:secret",
    tool=Shape("name:text version:text"),
    arguments=Shape(
        "subject:text/none attribute:text/none memory_type:text/none valid_at:text "
        "transaction:whole window:list/none withhold:text language:text with_store:flag"
    ),
    as_of=Shape("transaction:whole recorded_at:text valid_at:text"),
    head=Shape("number:whole digest:text entries:whole"),
)


def manifest_of(data: bytes) -> dict[str, Any]:
    """Return the members of a manifest.

    Raises:
        Broken: it is none, or one of a form that is not known here.
    """
    try:
        members = _READ_PAIRS(data.decode().strip())[0]
        if type(members) is dict and _is_deeper(members, DEEPEST):
            raise ValueError("it is nested too deeply")
        json.dumps(members, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise Broken("manifest.json is not UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise Broken(f"manifest.json is not JSON: {_why(error)}.") from error
    if type(members) is not dict or members.get("format") != FORMAT:
        raise Broken("manifest.json is not the manifest of a Memory Workbench snapshot.")
    version = members.get("format_version"), members.get("digest_rule")
    if version != (FORMAT_VERSION, DIGEST_RULE):
        raise Broken(
            f"The snapshot has form {visible(version[0])} and digest rule {visible(version[1])}; "
            f"this program knows {FORMAT_VERSION} and {DIGEST_RULE}."
        )
    problem = _MANIFEST.problem(members) or _manifest_problem(members)
    if problem:
        raise Broken(f"manifest.json is not usable: {problem}.")
    return members


def _manifest_problem(it: dict[str, Any]) -> str:
    asked, window = it["arguments"], it["arguments"]["window"]
    times = [asked["valid_at"], it["as_of"]["recorded_at"], it["as_of"]["valid_at"]]
    times += [] if window is None else window
    if not all(map(_is_iso, times)) or (window is not None and len(window) != 2):
        return "a time is not written as snapshots write it"
    if asked["withhold"] not in ("nothing", "content", "values"):
        return "it withholds something unknown"
    for name, file in it["files"].items():
        problem = _FILE.problem(file) if type(file) is dict else "it is no object"
        if problem:
            return f"in files, {visible(name, 40)}: {problem}"
    return ""


def signature_problem(data: bytes, manifest: dict[str, Any]) -> str | None:
    """Say why manifest.sig does not sign a manifest; "" if it does, None if that takes a library.

    It is an Ed25519 signature over a text that names store, tenant, head and manifest.
    """
    head = manifest["head"]
    text = (
        f"{FORMAT} {FORMAT_VERSION}\nstore {quote(manifest['store_id'])}\n"
        f"tenant {quote(manifest['tenant_id'])}\nhead {head['number']}:{head['digest']}\n"
        f"manifest {manifest['digest']}\n"
    )
    try:
        said = _READ_PAIRS(data.decode().strip())[0]
        if type(said) is not dict or _SIGNATURE.problem(said):
            return "It is no signature."
        if said["text"] != text or said["algorithm"] != "ed25519":
            return "It signs something else than this manifest."
        algorithm, _, encoded = said["public_key"].partition(":")
        public = b64decode(encoded, validate=True)
        signature = b64decode(said["signature"], validate=True)
    except (ValueError, RecursionError):
        return "It is no signature."
    fingerprint = b64encode(sha256(public).digest()).decode().rstrip("=")
    if (
        algorithm != "ed25519"
        or len(public) != 32
        or said["fingerprint"] != f"SHA256:{fingerprint}"
    ):
        return "Its fingerprint is not that of its key."
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return None
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        return f"The signature is not that of the key SHA256:{fingerprint}."
    return ""


def parse_head(text: str) -> tuple[int, str]:
    """Return number and digest of a head that is written `N:DIGEST`.

    Raises:
        ValueError: it is not written so.
    """
    match = re.fullmatch(r"([0-9]{1,18}):([0-9a-fA-F]{64})", text.strip())
    if match is None:
        raise ValueError("a head is written N:DIGEST, a number and 64 hexadecimal digits")
    return int(match[1]), match[2].lower()


def verify(
    path: object,
    *,
    head: str | None = None,
    manifest: str | None = None,
    on_check: Callable[[Check], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> Verdict:
    """Check a snapshot.

    Args:
        path: of the directory or zip.
        head: `N:DIGEST` as it was noted elsewhere.
        manifest: SHA-256 of the manifest as it was noted elsewhere.
        on_check: called with each check as it ends.
        progress: told how many bytes are done, of how many.
        is_cancelled: asked now and then whether to stop.

    Raises:
        Broken: it is no snapshot that could be read safely.
        Cancelled: stopped on request.
        ValueError: the head or the digest is not written as such.
    """
    noted = None if head is None else parse_head(head)
    if manifest is not None:
        manifest = manifest.strip().lower()
        if not _DIGEST.fullmatch(manifest):
            raise ValueError("the digest of a manifest has 64 hexadecimal digits")
    with Package(path) as package:
        return Verification(package, on_check, progress, is_cancelled).run(noted, manifest)


# -- the command ----------------------------------------------------------------------------------

_SIGNS = {
    State.PASSED: "ok    ",
    State.FAILED: "WRONG ",
    State.NOT_APPLICABLE: "-     ",
    State.NOT_PROVED: "?     ",
}


def told(check: Check) -> str:
    """Return a check as lines for a person."""
    unit = check.unit if check.looked_at != 1 else re.sub("ies$", "y", check.unit).rstrip("s")
    text = f"{_SIGNS[check.state]}{check.title}: {check.looked_at:,} {unit}"
    if check.state is State.NOT_APPLICABLE:
        text = f"{_SIGNS[check.state]}{check.title}: not applicable"
    if check.message:
        where = f"{check.place}: " if str(check.place) else ""
        text += f"\n      {where}{check.message}"
    if check.failures > 1:
        text += f" ({check.failures - 1:,} more)"
    return text


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return 0 if nothing is wrong, 1 if something is."""
    parser = argparse.ArgumentParser(
        prog="verify.py", description="Check an audit snapshot of Memory Workbench."
    )
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("snapshot", nargs="?", default=here, metavar="SNAPSHOT")
    parser.add_argument("--head", metavar="N:DIGEST", help="the head that was noted elsewhere")
    parser.add_argument("--manifest", metavar="SHA256", help="the manifest's digest as noted")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    asked = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may lack a name's letters
    say = sys.stdout.write

    def say_check(check: Check) -> None:
        say(told(check) + "\n")

    try:
        verdict = verify(
            asked.snapshot,
            head=asked.head,
            manifest=asked.manifest,
            on_check=None if asked.json else say_check,
        )
    except ValueError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        sys.stderr.write("Stopped: nothing was found out about the snapshot.\n")
        return 130
    except Broken as error:
        message = {"is_good": False, "broken": str(error)}
        say(json.dumps(message, indent=2) + "\n" if asked.json else f"WRONG {error}\n")
        return 1
    if asked.json:
        say(json.dumps(verdict.as_dict(), indent=2) + "\n")
    else:
        say("".join(f"Note: {note}\n" for note in verdict.notes))
        say(f"Head: {verdict.head}\nManifest: {verdict.manifest}\n")
        say("Nothing is wrong.\n" if verdict.is_good else "Something is wrong: see above.\n")
    return 0 if verdict.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
