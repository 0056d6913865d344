"""The program finds its data files, and says which one is missing."""

from __future__ import annotations

import pytest

from tests.support import ROOT
from workbench.resources import resource


def test_a_checkout_reads_its_own_resources() -> None:
    assert resource("README.md") == ROOT / "resources" / "README.md"
    assert resource() == ROOT / "resources"


def test_a_missing_file_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"no-such-icon\.svg is missing"):
        resource("icons", "no-such-icon.svg")
