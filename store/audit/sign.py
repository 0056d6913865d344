"""Signatures over snapshots and heads, by Ed25519 (RFC 8032); needs the optional extra `sign`.

What is signed is a short text that says what it is about, so that no signature can be taken for
another:

    memory-workbench-snapshot 1        memory-workbench-head 1
    store STORE_ID                     tenant TENANT_ID
    tenant TENANT_ID                   head NUMBER:DIGEST
    head NUMBER:DIGEST
    manifest DIGEST

Each line ends with a line feed; names stand as JSON strings. `manifest.sig` has this text, the
public key and the signature, so that any tool can check it. A signature proves something only if
the public key is known from elsewhere.
"""

from __future__ import annotations

import binascii
import json
import os
from base64 import b64decode, b64encode
from dataclasses import dataclass
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from store.audit.format import FORMAT, FORMAT_VERSION, SIGNATURE
from store.audit.reading import has_member, read_manifest, read_member
from store.errors import Corrupt, Invalid, NotFound, Unavailable, Unsupported

if TYPE_CHECKING:
    from types import ModuleType

    from cryptography.hazmat.primitives.asymmetric import ed25519

    from store.audit.format import Manifest
    from store.model import Head

ALGORITHM: Final = "ed25519"
HEAD_FORMAT: Final = "memory-workbench-head"
LONGEST_SIGNATURE: Final = 64 << 10
LONGEST_KEY: Final = 64 << 10
_KEY_BYTES: Final = 32
_SIGNATURE_BYTES: Final = 64
_MEMBERS: Final = frozenset({"algorithm", "fingerprint", "public_key", "signature", "text"})


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The half of a key that anybody may know: with it one checks signatures."""

    raw: bytes

    def __str__(self) -> str:
        """Give the form that `public_key` takes."""
        return f"{ALGORITHM}:{_text(self.raw)}"

    @property
    def fingerprint(self) -> str:
        """A short name of the key, to compare by eye: SHA-256 of its 32 bytes."""
        return f"SHA256:{_text(sha256(self.raw).digest()).rstrip('=')}"

    def check(self, signature: bytes, text: str) -> None:
        """Raise `Corrupt` if the signature is not this key's over the text."""
        from cryptography.exceptions import InvalidSignature

        key = _library().Ed25519PublicKey.from_public_bytes(self.raw)
        try:
            key.verify(signature, text.encode())
        except InvalidSignature as error:
            raise Corrupt(
                f"The signature is not that of the key {self.fingerprint} over what is here."
            ) from error


class SigningKey:
    """The secret half of a key: with it one signs."""

    def __init__(self, key: ed25519.Ed25519PrivateKey) -> None:
        self._key = key

    @property
    def public(self) -> PublicKey:
        """The other half."""
        return PublicKey(self._key.public_key().public_bytes_raw())

    def sign(self, manifest: Manifest) -> str:
        """Return what `manifest.sig` holds: a signature over the manifest's digest."""
        text = statement_of(manifest)
        members = {
            "algorithm": ALGORITHM,
            "fingerprint": self.public.fingerprint,
            "public_key": str(self.public),
            "signature": _text(self._key.sign(text.encode())),
            "text": text,
        }
        return json.dumps(members, ensure_ascii=False, indent=2, sort_keys=True) + "\n"

    def sign_head(self, head: Head) -> str:
        """Return a signature over a head, on one line, as `verify_head` takes it."""
        return f"{self.public}:{_text(self._key.sign(head_statement_of(head).encode()))}"


def statement_of(manifest: Manifest) -> str:
    """Return the text that is signed for a snapshot."""
    return (
        f"{FORMAT} {FORMAT_VERSION}\nstore {quoted(manifest.store_id)}\n"
        f"tenant {quoted(manifest.tenant_id)}\nhead {manifest.head}\nmanifest {manifest.digest}\n"
    )


def head_statement_of(head: Head) -> str:
    """Return the text that is signed for a head."""
    return f"{HEAD_FORMAT} {FORMAT_VERSION}\ntenant {quoted(head.tenant_id)}\nhead {head}\n"


# -- keys -----------------------------------------------------------------------------------------


def new_key(path: Path) -> SigningKey:
    """Make a key and keep it in a new file (PKCS #8, PEM) that only its owner may read.

    Raises:
        Invalid: there is something at the path.
        Unavailable: the file cannot be written.
        Unsupported: the extra `sign` is not installed.
    """
    key = _library().Ed25519PrivateKey.generate()
    from cryptography.hazmat.primitives import serialization

    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(pem)
    except FileExistsError as error:
        raise Invalid(f"There is something at {path} already; it was left as it is.") from error
    except OSError as error:
        why = error.strerror or str(error)
        raise Unavailable(f"The key cannot be written to {path}: {why}.") from error
    return SigningKey(key)


def load_key(path: Path) -> SigningKey:
    """Read the secret key of a file.

    Raises:
        NotFound: there is no such file.
        Invalid: it holds no Ed25519 key, or one that a password protects.
        Unavailable: it cannot be read.
        Unsupported: the extra `sign` is not installed.
    """
    private = _library().Ed25519PrivateKey
    from cryptography.hazmat.primitives import serialization

    pem = _read(Path(path))
    try:
        key = serialization.load_pem_private_key(pem, password=None)
    except (ValueError, TypeError, _unsupported()) as error:
        raise Invalid(f"{path} holds no secret Ed25519 key without a password.") from error
    if not isinstance(key, private):
        raise Invalid(f"{path} holds a key of another kind; an Ed25519 key is needed.")
    return SigningKey(key)


def public_key(text: str) -> PublicKey:
    """Read a public key: as `PublicKey` prints it, or from a file with either half of a key.

    Raises:
        Invalid: it is neither.
        Unavailable: the file cannot be read.
        Unsupported: the extra `sign` is not installed.
    """
    if text.startswith(f"{ALGORITHM}:"):
        return PublicKey(_bytes(text.removeprefix(f"{ALGORITHM}:"), _KEY_BYTES, "public key"))
    library = _library()
    from cryptography.hazmat.primitives import serialization

    pem = _read(Path(text))
    if b"PRIVATE KEY" in pem:
        return load_key(Path(text)).public
    if pem.startswith(f"{ALGORITHM}:".encode()):
        return public_key(pem.decode("ascii", "replace").strip())
    try:
        key = serialization.load_pem_public_key(pem)
    except (ValueError, _unsupported()) as error:
        raise Invalid(f"{text} holds no Ed25519 key.") from error
    if not isinstance(key, library.Ed25519PublicKey):
        raise Invalid(f"{text} holds a key of another kind; an Ed25519 key is needed.")
    return PublicKey(key.public_bytes_raw())


# -- checking -------------------------------------------------------------------------------------


def verify_snapshot(path: Path, expected: PublicKey | None = None) -> PublicKey:
    """Check a snapshot's signature, and return the key that made it.

    Only the manifest is looked at: whether the files are those that it names, `verify` says.

    Args:
        path: the snapshot.
        expected: the key that must have signed it; without it any key will do, which proves only
            that the manifest was not changed since.

    Raises:
        NotFound: there is nothing at the path.
        Invalid: it is no snapshot, it is not signed, or by another key.
        Corrupt: the signature is not over this manifest.
        Unsupported: the extra `sign` is not installed.
    """
    manifest = read_manifest(path)
    if not has_member(path, SIGNATURE):
        raise Invalid(f"{path} is not signed.")
    try:
        said = read_member(path, SIGNATURE, limit=LONGEST_SIGNATURE)
    except Corrupt as error:
        raise Invalid(f"{path} is signed so that it cannot be read: {error}") from error
    members = _members(said)
    key = public_key(members["public_key"])
    _expect(key, expected)
    if members["text"] != statement_of(manifest):
        raise Corrupt(f"{SIGNATURE} signs another snapshot than this one.")
    key.check(_bytes(members["signature"], _SIGNATURE_BYTES, "signature"), members["text"])
    if members["algorithm"] != ALGORITHM or members["fingerprint"] != key.fingerprint:
        raise Corrupt(f"{SIGNATURE} was changed: its fingerprint is not that of its key.")
    return key


def verify_head(head: Head, signature: str, expected: PublicKey | None = None) -> PublicKey:
    """Check a signature over a head, as `SigningKey.sign_head` gives it; return the key.

    Raises:
        Invalid: it is no such signature, or of another key than the expected one.
        Corrupt: it is not over this head.
        Unsupported: the extra `sign` is not installed.
    """
    public, _, said = signature.strip().rpartition(":")
    if not public.startswith(f"{ALGORITHM}:"):
        raise Invalid(f"A signature has the form {ALGORITHM}:KEY:SIGNATURE.")
    key = public_key(public)
    _expect(key, expected)
    key.check(_bytes(said, _SIGNATURE_BYTES, "signature"), head_statement_of(head))
    return key


def _expect(key: PublicKey, expected: PublicKey | None) -> None:
    if expected is not None and key != expected:
        raise Invalid(f"It is signed by the key {key.fingerprint}, not by {expected.fingerprint}.")


def _members(said: bytes) -> dict[str, str]:
    try:
        members: Any = json.loads(said)
    except (ValueError, RecursionError) as error:
        raise Corrupt(f"{SIGNATURE} is not JSON.") from error
    if (
        not isinstance(members, dict)
        or members.keys() != _MEMBERS
        or not all(isinstance(member, str) for member in members.values())
        or not members["public_key"].startswith(f"{ALGORITHM}:")
    ):
        raise Corrupt(f"{SIGNATURE} does not have what a signature has.")
    return members


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(LONGEST_KEY)
    except FileNotFoundError as error:
        raise NotFound(f"There is no key at {path}.") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unavailable(f"The key at {path} cannot be read: {why}.") from error


def _text(raw: bytes) -> str:
    return b64encode(raw).decode()


def _bytes(text: str, length: int, what: str) -> bytes:
    try:
        raw = b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Invalid(f"This is no {what}: it is not base64.") from error
    if len(raw) != length:
        raise Invalid(f"This is no {what}: it has {len(raw)} bytes instead of {length}.")
    return raw


def _library() -> ModuleType:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise Unsupported(
            "Signing needs the package cryptography, which is not installed; "
            "install memory-workbench[sign]. Nothing was written."
        ) from error
    return ed25519


def _unsupported() -> type[Exception]:
    from cryptography.exceptions import UnsupportedAlgorithm

    return UnsupportedAlgorithm
