"""Code that several tests share: ``from tests.support import ...``."""

from __future__ import annotations

import os
from pathlib import Path

#: The checkout.
ROOT = Path(__file__).resolve().parent.parent


def find_shared() -> Path | None:
    """Find the folder of real input: ``$MEMORY_WORKBENCH_SHARED``, else ``../shared``.

    It is not part of the repository, so a stranger's clone has none and gets ``None``.
    """
    named = os.environ.get("MEMORY_WORKBENCH_SHARED")
    folder = Path(named) if named else ROOT.parent / "shared"
    return folder if (folder / "data").is_dir() else None
