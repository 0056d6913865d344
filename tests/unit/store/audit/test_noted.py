"""What was kept elsewhere, as it is typed or pasted: heads, their lines, digests, keys."""

from __future__ import annotations

import pytest

from store.audit.noted import Noted, named_tenant, read_head, read_noted
from store.errors import Invalid
from store.model import Head

A, B = "a1" * 32, "b2" * 32
HEAD = f"381:{A}"
KEY = f"ed25519:{'k' * 43}="
SIGNATURE = f"{KEY}:{'s' * 86}=="


@pytest.mark.parametrize(
    "line",
    [
        HEAD,
        f"  {HEAD.upper()}\n",
        f"acme  {HEAD}  1,203 entries  2026-03-01T12:30:05.25Z",
        f"acme  {HEAD}  1 entry  2026-03-01\n",
        f"acme  {HEAD}  7 entries",
        f"a tenant of 12 words  {HEAD}  7 entries  2026-03-01T12:30Z",
        f"head of acme: {HEAD}",
        f"  head      {HEAD}",
        f"9f2c381c9f2c381c9f2c381c9f2c381c  {HEAD}",
        f"0012:{'9' * 4}  {HEAD}",
        f"{HEAD} {HEAD}",
    ],
)
def test_a_head_is_read_with_or_without_its_line(line: str) -> None:
    assert read_head(line) == read_noted(line) == Noted(head=HEAD)


@pytest.mark.parametrize(
    ("line", "tenant"),
    [
        (f"acme  {HEAD}  1,203 entries  2026-03-01T12:30:05.25Z", "acme"),
        (f"  acme  {HEAD.upper()}  1 entry  2026-03-01\n", "acme"),
        (f"a tenant of 12 words  {HEAD}  7 entries", "a tenant of 12 words"),
        (f"head of acme: {HEAD}", ""),
        (HEAD, ""),
        (f"{HEAD}  7 entries", ""),
        ("x  " * 10_000, ""),
    ],
)
def test_a_whole_line_names_a_tenant(line: str, tenant: str) -> None:
    assert named_tenant(line) == tenant


def test_a_signature_stays_with_its_head() -> None:
    for line in (f"acme  {HEAD}  {SIGNATURE}", f"acme  {HEAD}  7 entries  2026-03-01  {SIGNATURE}"):
        assert read_head(line) == Noted(head=HEAD, signature=SIGNATURE)


def test_several_things_are_told_apart_in_any_order() -> None:
    everything = Noted(head=HEAD, manifest=B, key=KEY)
    assert read_noted(f"{HEAD} {B} {KEY}") == everything
    assert read_noted(f"{KEY} {B.upper()} acme {HEAD} 7 entries") == everything
    assert read_noted(B) == Noted(manifest=B)
    assert read_noted(KEY) == Noted(key=KEY)
    assert read_noted(f"manifest  {B}\nhead {HEAD}") == Noted(head=HEAD, manifest=B)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "acme",
        "12",
        f"acme {B}",
        A[:-1],
        f"{HEAD} {B[:-1]}",
        f"{B[:-1]} acme {HEAD}",
        f"{HEAD} {HEAD[:-1]}",
        f"{HEAD[:20]}… {HEAD}",
        f"{HEAD} 382:{B}",
        f"{A} {B}",
        f"{HEAD} {KEY[:-5]}",
        f"{HEAD} {SIGNATURE[:-1]}",
        f"{SIGNATURE}",
        f"acme {HEAD} what is this",
        f"1:{B} {HEAD} 7 entries",
    ],
)
def test_nothing_that_was_meant_to_prove_is_passed_over(text: str) -> None:
    with pytest.raises(Invalid):
        read_noted(text)
    with pytest.raises(Invalid, match="is not a head"):
        read_head(text)


@pytest.mark.parametrize("text", [f"{HEAD} {B}", f"{HEAD} {KEY}", B, KEY])
def test_only_a_head_is_a_head(text: str) -> None:
    assert read_noted(text) != Noted()
    with pytest.raises(Invalid, match="is not a head"):
        read_head(text)


def test_a_head_is_one_of_a_tenants_chain() -> None:
    head = Noted(head=HEAD).head_of("acme")
    assert head == Head(tenant_id="acme", number=381, digest=A, entries=0, recorded_at=None)
    assert str(head) == HEAD


def test_a_long_text_is_not_said_back_whole() -> None:
    with pytest.raises(Invalid) as caught:
        read_head("x" * 10_000)
    assert len(str(caught.value)) < 300
