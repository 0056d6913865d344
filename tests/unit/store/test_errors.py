"""The tree of errors is the one that its module draws."""

from __future__ import annotations

import re

import store
from store import errors


def _drawn() -> dict[str, str]:
    """Children and parents, by the indentation of the drawing."""
    parents: dict[str, str] = {}
    above: list[tuple[int, str]] = []
    assert errors.__doc__ is not None
    for line in errors.__doc__.splitlines():
        found = re.match(r"(?P<branch>[ |]*\+-- |    )(?P<name>[A-Z]\w+)(?:\s|$)", line)
        if found is None:
            continue
        depth = len(found["branch"])
        above = [entry for entry in above if entry[0] < depth]
        if above:
            parents[found["name"]] = above[-1][1]
        above.append((depth, found["name"]))
    return parents


def test_every_error_is_drawn_where_it_stands() -> None:
    kinds = {
        name: kind
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, Exception)
    }
    real = {name: kind.__base__.__name__ for name, kind in kinds.items() if name != "StoreError"}
    assert _drawn() == real
    assert kinds["StoreError"].__base__ is Exception


def test_every_error_is_public_and_says_what_it_is() -> None:
    for name in [*_drawn(), "StoreError"]:
        assert name in store.__all__
        kind = getattr(store, name)
        assert kind.__doc__
        assert str(kind("A sentence.")) == "A sentence."
