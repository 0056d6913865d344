"""The house keeps its shape: what may lie where."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support import ROOT

TOP_LEVEL = {
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "packaging",
    "pyproject.toml",
    "resources",
    "store",
    "tests",
    "workbench",
}
OTHER_CONFIGURATION = re.compile(
    r"""setup\.(py|cfg) | tox\.ini | alembic\.ini | \.?pytest\.(ini|toml) | \.?mypy\.ini
      | \.?ruff\.toml | \.importlinter | \.coveragerc | \.flake8 | \.pylintrc | pyrightconfig\.json
      | hatch\.toml | .*requirements.*\.txt""",
    re.VERBOSE,
)
SCRIPTS = sorted([ROOT / ".ci" / "run", *(ROOT / "packaging").glob("*.sh")])


def own_files() -> list[Path]:
    """The repository's files, relative to its root; what git ignores is not ours."""
    names = git_files()
    if names is None:  # no git, or an unpacked sdist
        hidden = (".", "PKG-INFO")
        entries = [entry for entry in ROOT.iterdir() if not entry.name.startswith(hidden)]
        paths = [path for entry in entries for path in (entry, *entry.rglob("*"))]
        names = [str(path.relative_to(ROOT)) for path in paths]
    files = [Path(name) for name in names if (ROOT / name).is_file()]
    return [path for path in files if "__pycache__" not in path.parts]


def git_files() -> list[str] | None:
    """What git would keep, or None where it cannot be asked."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return None
    asked = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    return asked.stdout.split("\0")[:-1] if asked.returncode == 0 else None


@pytest.fixture(scope="module")
def files() -> list[Path]:
    return own_files()


def test_the_top_level_holds_only_what_was_agreed(files: list[Path]) -> None:
    entries = {path.parts[0] for path in files}
    strangers = {name for name in entries if name not in TOP_LEVEL and not name.startswith(".")}
    assert not strangers
    assert entries >= TOP_LEVEL


def test_pyproject_is_the_only_configuration(files: list[Path]) -> None:
    assert [path for path in files if OTHER_CONFIGURATION.fullmatch(path.name)] == []


def test_packaging_is_no_package(files: list[Path]) -> None:
    # Ours would hide PyPI's `packaging` from everything that is run in the checkout.
    assert Path("packaging/__init__.py") not in files


def test_no_script_in_packaging_hides_a_module(files: list[Path]) -> None:
    # `python packaging/x.py` puts this folder first on the path.
    modules = {*sys.stdlib_module_names, *importlib.metadata.packages_distributions()}
    scripts = {path.stem for path in files if path.parent == Path("packaging")}
    assert scripts.isdisjoint(modules)


def test_resources_hold_no_code(files: list[Path]) -> None:
    assert [path for path in files if path.parts[0] == "resources" and path.suffix == ".py"] == []


def test_tests_are_no_packages(files: list[Path]) -> None:
    packages = [path for path in files if path.parts[0] == "tests" and path.name == "__init__.py"]
    assert packages == []


def test_every_folder_of_code_is_a_package(files: list[Path]) -> None:
    folders = {
        path.parent
        for path in files
        if path.parts[0] in {"store", "workbench"} and path.suffix == ".py"
    }
    assert sorted(f for f in folders if f / "__init__.py" not in files) == []


def test_our_import_names_are_never_dependencies() -> None:
    # `store` and `workbench` on PyPI are other people's projects.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        lines += extra
    names = {re.split(r"[^\w.-]", line.strip())[0].lower() for line in lines}
    assert names.isdisjoint({"store", "workbench"})


@pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for Unix")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_shell_scripts_parse_and_stop_at_the_first_error(script: Path) -> None:
    subprocess.run(["bash", "-n", script], check=True)
    is_sourced = script.name == "system.sh"
    assert is_sourced or "\nset -euo pipefail\n" in script.read_text(encoding="utf-8")
