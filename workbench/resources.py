"""Where the program's data files are: icons, themes, catalogues, samples.

An installed package carries them as ``workbench/_resources``; a checkout has them in
``resources/`` beside the packages. Ask here instead of building paths.
"""

from __future__ import annotations

from pathlib import Path

_BUNDLED = Path(__file__).parent / "_resources"
_ROOT = _BUNDLED if _BUNDLED.is_dir() else Path(__file__).parent.parent / "resources"


def resource(*parts: str) -> Path:
    """Give the path of a data file or folder, such as ``resource("icons", "gap.svg")``.

    Raises:
        FileNotFoundError: Nothing is there; the installation is incomplete.
    """
    path = _ROOT.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"The program's own file {path} is missing: install it again.")
    return path
