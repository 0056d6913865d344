"""What a person kept elsewhere to hold a record against: heads and their lines, digests, keys.

A head is `NUMBER:DIGEST`. It may be given with the line that it was noted in, as the command `head`
prints it and as the desk copies it with a signature:

    TENANT  NUMBER:DIGEST  COUNT entries  INSTANT  ed25519:KEY:SIGNATURE

Words before a head are the tenant's name, which proves nothing and is passed over: a record stands
under any name. `named_tenant` gives it for a sentence on a head that does not fit. A word that was
meant to prove something and lost a part on its way is never passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from store.audit.verify import parse_head
from store.errors import Invalid
from store.model import Head

_SHOWN: Final = 80
_DIGEST: Final = re.compile(r"[0-9a-f]{64}", re.IGNORECASE)
_KEY: Final = re.compile(r"ed25519:[A-Za-z0-9+/]{43}=")
_SIGNATURE: Final = re.compile(r"ed25519:[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{86}==")
#: A head, digest, key or signature of which something is missing. Ids are shorter.
_BROKEN: Final = re.compile(
    r"(?:\d+:)?[0-9a-f]{48,}|\d+:[0-9a-f]{8,}|.*[0-9a-f]…|ed25519:.*", re.IGNORECASE
)
#: The line that `head` prints, as far as it is not signed.
_LINE: Final = re.compile(
    r"\s*(\S.*?) {2}\d+:[0-9a-f]{64} {2}[\d,]+ entr(?:y|ies)\b", re.IGNORECASE
)
#: What stands behind a head: how many entries, and when it was recorded.
_BEHIND: Final = re.compile(
    r"[\d,]+|entry|entries|\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)?"
)


@dataclass(frozen=True, slots=True)
class Noted:
    """What was kept; "" for each thing that was not.

    Attributes:
        head: `NUMBER:DIGEST`.
        signature: on the head, as `store.audit.sign.verify_head` takes it.
        manifest: SHA-256 of the manifest.
        key: a public key, as `store.audit.sign.public_key` takes it.
    """

    head: str = ""
    signature: str = ""
    manifest: str = ""
    key: str = ""

    def head_of(self, tenant_id: str) -> Head:
        """Return the head as one of a tenant's chain; how many entries it had is not known."""
        number, digest = parse_head(self.head)
        return Head(tenant_id=tenant_id, number=number, digest=digest, entries=0, recorded_at=None)


def read_noted(text: str) -> Noted:
    """Read what was kept, in any order: a head or its line, a digest, a public key.

    Raises:
        Invalid: there is something else, a part of something, or two of a kind.
    """
    noted = Noted()
    has_name = False
    for word in text.split():
        kind, said = _told(word)
        if kind:
            if getattr(noted, kind) not in ("", said):
                raise Invalid(f"{_short(text)} says two different things of one kind.")
            noted = replace(noted, **{kind: said})
        elif _BROKEN.fullmatch(word):
            raise Invalid(f"{_short(word)} is not whole.")
        elif not noted.head:
            has_name = True
        elif not _BEHIND.fullmatch(word):
            raise Invalid(f"{_short(word)} belongs to no head.")
    if not noted.head and (has_name or noted.signature or noted == Noted()):
        raise Invalid(f"{_short(text)} has no head in it, no digest and no public key.")
    return noted


def read_head(text: str) -> Noted:
    """Read a head or its line, and nothing else.

    Raises:
        Invalid: it is something else, or there is more.
    """
    try:
        noted = read_noted(text)
    except Invalid:
        noted = Noted()
    if not noted.head or noted.manifest or noted.key:
        raise Invalid(
            f"{_short(text)} is not a head; write NUMBER:DIGEST, or the whole line that head "
            "printed."
        )
    return noted


def named_tenant(text: str) -> str:
    """Return the tenant that the line of a head names, as it was printed; "" where none is named.

    It proves nothing, but tells why a head is not that of a record.
    """
    line = _LINE.match(text)
    return line[1] if line else ""


def _told(word: str) -> tuple[str, str]:
    """Return which attribute of `Noted` a word is, and what it says; "" for none."""
    if _DIGEST.fullmatch(word):
        return "manifest", word.lower()
    if _KEY.fullmatch(word):
        return "key", word
    if _SIGNATURE.fullmatch(word):
        return "signature", word
    try:
        number, digest = parse_head(word)
    except ValueError:
        return "", ""
    return "head", f"{number}:{digest}"


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
