"""A copied link is read back as what it was copied from."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from store import AsOf, Invalid, Scope
from tests.sessions import session_on, standing_demo
from workbench.actions import Selection as Kind
from workbench.links import is_link, read_link
from workbench.session import NOTHING, Filter, Selection

JUNE = datetime(2026, 6, 4, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "selection",
    [
        NOTHING,
        Selection(Kind.FACT, memory_id="m1", episode_id="e1"),
        Selection(Kind.CONFLICT, conflict_id="c1"),
        Selection(Kind.TRANSACTION, transaction=578),
        Selection(Kind.EPISODE, episode_id="t-233"),
    ],
)
def test_what_is_copied_is_read_back(qapp: object, selection: Selection) -> None:
    with session_on(standing_demo()) as session:
        session.set_scope(Scope("acme", "support"))
        session.set_as_of(AsOf(valid_at=JUNE, known_at=JUNE))
        session.set_filter(subject="mira & co", attribute="a=b?", text="¿qué?", history=True)
        session.select(selection)
        link = read_link(session.link())
        assert session.store is not None
        assert link.store_id == session.store.store_id
    assert (link.location, link.tenant, link.agent) == ("memory:", "acme", "support")
    assert link.as_of == AsOf(valid_at=JUNE, known_at=JUNE)
    assert link.filter == Filter(subject="mira & co", attribute="a=b?", text="¿qué?", history=True)
    assert link.selection == selection


def test_the_location_of_a_file_is_its_path() -> None:
    link = read_link("memory-workbench:sqlite:////tmp/a%20b/m.db?tenant=acme\n")
    assert link.location == "/tmp/a b/m.db"
    assert link.as_of == AsOf()
    assert link.selection == NOTHING


@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://example.com/?tenant=acme",
        "memory-workbench:",
        "memory-workbench:sqlite:////tmp/m.db",
        "memory-workbench:sqlite:////tmp/m.db?tenant",
        "memory-workbench:sqlite:////tmp/m.db?tenant=acme&valid_at=2026-13-01",
        "memory-workbench:sqlite:////tmp/m.db?tenant=acme&valid_at=2026-06-01",
        "memory-workbench:sqlite:////tmp/m.db?tenant=acme&transaction=last",
    ],
)
def test_what_is_no_link_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_link(text)
    assert str(refused.value).endswith(".")
    assert is_link(text) == text.startswith("memory-workbench:")
