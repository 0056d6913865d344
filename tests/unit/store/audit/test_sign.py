"""Signatures: over this snapshot, by this key, and never taken for another's."""

from __future__ import annotations

import base64
import json
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa

from store.audit import Form, Manifest, sign, take_snapshot
from store.errors import Corrupt, Invalid, NotFound, Unsupported
from tests.conformance.scene import Desk
from tests.support import ROOT
from tests.unit.store.audit.audit_scene import new_desk, populate


@pytest.fixture(scope="module")
def desk() -> Desk:
    found = new_desk()
    populate(found)
    return found


@pytest.fixture
def key(tmp_path: Path) -> sign.SigningKey:
    return sign.new_key(tmp_path / "key.pem")


def signed(desk: Desk, out: Path, key: sign.SigningKey, form: Form = Form.DIRECTORY) -> Manifest:
    return take_snapshot(desk.store, desk.scope, out, form=form, key=key).manifest


@pytest.mark.parametrize("form", list(Form))
def test_a_signed_snapshot_says_by_whom(
    desk: Desk, key: sign.SigningKey, tmp_path: Path, form: Form
) -> None:
    manifest = signed(desk, tmp_path / "s", key, form)
    assert sign.verify_snapshot(tmp_path / "s") == key.public
    assert sign.verify_snapshot(tmp_path / "s", key.public) == key.public
    text = sign.statement_of(manifest)
    assert manifest.digest in text
    assert str(manifest.head) in text
    assert "manifest.sig" not in manifest.files


def test_another_key_is_not_taken_for_it(desk: Desk, key: sign.SigningKey, tmp_path: Path) -> None:
    signed(desk, tmp_path / "s", key)
    other = sign.new_key(tmp_path / "other.pem")
    with pytest.raises(Invalid, match="signed by the key SHA256:"):
        sign.verify_snapshot(tmp_path / "s", other.public)


def test_a_signature_is_of_one_snapshot_only(
    desk: Desk, key: sign.SigningKey, tmp_path: Path
) -> None:
    signed(desk, tmp_path / "s", key)
    take_snapshot(desk.store, desk.scope, tmp_path / "es", form=Form.DIRECTORY, language="es")
    with pytest.raises(Invalid, match="is not signed"):
        sign.verify_snapshot(tmp_path / "es")
    shutil.copy(tmp_path / "s" / "manifest.sig", tmp_path / "es")
    with pytest.raises(Corrupt, match="another snapshot"):
        sign.verify_snapshot(tmp_path / "es")


@pytest.mark.parametrize(
    "change",
    [
        {"signature": base64.b64encode(bytes(64)).decode()},
        {"signature": "AAAA"},
        {"signature": "not base64!"},
        {"text": "memory-workbench-snapshot 1\n"},
        {"fingerprint": "SHA256:other"},
        {"algorithm": "none"},
        {"public_key": "ed25519:AAAA"},
        {"public_key": "/etc/passwd"},
        {"more": "members"},
        {"text": 5},
    ],
)
def test_a_changed_signature_is_found(
    desk: Desk, key: sign.SigningKey, tmp_path: Path, change: dict[str, Any]
) -> None:
    signed(desk, tmp_path / "s", key)
    path = tmp_path / "s" / "manifest.sig"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises((Corrupt, Invalid)) as raised:
        sign.verify_snapshot(tmp_path / "s")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ["", "[]", "[" * 30_000, "\xff", "{}"])
def test_a_signature_that_is_none_is_found(
    desk: Desk, key: sign.SigningKey, tmp_path: Path, text: str
) -> None:
    signed(desk, tmp_path / "s", key)
    (tmp_path / "s" / "manifest.sig").write_text(text, encoding="latin-1")
    with pytest.raises(Corrupt, match=r"manifest\.sig"):
        sign.verify_snapshot(tmp_path / "s")


def test_a_head_is_signed_on_one_line(desk: Desk, key: sign.SigningKey) -> None:
    line = key.sign_head(desk.head)
    assert "\n" not in line
    assert line.startswith(str(key.public))
    assert sign.verify_head(desk.head, line) == key.public
    assert sign.verify_head(desk.head, line + "\n", key.public) == key.public
    for changed in ({"number": 1}, {"tenant_id": "globex"}, {"digest": "0" * 64}):
        with pytest.raises(Corrupt, match="signature is not that"):
            sign.verify_head(desk.head.model_copy(update=changed), line)
    for broken in ("", "ed25519:", line[:-4], "x" + line, line.replace(":", " ")):
        with pytest.raises(Invalid):
            sign.verify_head(desk.head, broken)


def test_anybody_can_check_it_without_us(desk: Desk, key: sign.SigningKey, tmp_path: Path) -> None:
    signed(desk, tmp_path / "s", key)
    said = json.loads((tmp_path / "s" / "manifest.sig").read_text())
    raw = base64.b64decode(said["public_key"].removeprefix("ed25519:"))
    public = ed25519.Ed25519PublicKey.from_public_bytes(raw)
    public.verify(base64.b64decode(said["signature"]), said["text"].encode())


# -- keys -----------------------------------------------------------------------------------------


def test_a_key_is_its_owners_and_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    key = sign.new_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sign.load_key(path).public == key.public
    assert sign.public_key(str(key.public)) == key.public
    assert sign.public_key(str(path)) == key.public
    public = tmp_path / "public"
    public.write_text(f"{key.public}\n")
    assert sign.public_key(str(public)) == key.public
    loaded = serialization.load_pem_private_key(path.read_bytes(), None)
    public.write_bytes(
        loaded.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
    )
    assert sign.public_key(str(public)) == key.public
    assert key.public.fingerprint.startswith("SHA256:")


def test_no_key_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    sign.new_key(path)
    before = path.read_bytes()
    with pytest.raises(Invalid, match="something at"):
        sign.new_key(path)
    assert path.read_bytes() == before


def test_what_is_no_key_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no key at"):
        sign.load_key(tmp_path / "missing")
    path = tmp_path / "x.pem"
    path.write_text("hello")
    with pytest.raises(Invalid, match="holds no secret Ed25519 key"):
        sign.load_key(path)
    with pytest.raises(Invalid, match="holds no Ed25519 key"):
        sign.public_key(str(path))
    other = rsa.generate_private_key(65537, 2048)
    path.write_bytes(
        other.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    with pytest.raises(Invalid, match="another kind"):
        sign.load_key(path)
    protected = ed25519.Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )
    path.write_bytes(protected)
    with pytest.raises(Invalid, match="without a password"):
        sign.load_key(path)


def test_without_the_extra_one_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)
    with pytest.raises(Unsupported, match=r"install memory-workbench\[sign\]"):
        sign.new_key(tmp_path / "key.pem")
    with pytest.raises(Unsupported):
        sign.load_key(tmp_path / "key.pem")
    assert list(tmp_path.iterdir()) == []


def test_snapshots_need_no_cryptography() -> None:
    code = "import sys, store.audit.sign; print('cryptography' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
