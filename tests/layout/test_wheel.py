"""What is in the wheel that pip installs."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath

import pytest

import workbench
from tests.support import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    builder = pytest.importorskip("hatchling.builders.wheel", reason="needs hatchling")
    folder = tmp_path_factory.mktemp("dist")
    built = next(
        builder.WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    )
    with zipfile.ZipFile(built) as archive:
        yield archive


def test_only_our_two_packages_are_at_the_top(wheel: zipfile.ZipFile) -> None:
    info = f"memory_workbench-{workbench.__version__}.dist-info"
    tops = {PurePosixPath(name).parts[0] for name in wheel.namelist()}
    assert tops == {"workbench", "store", info}


def test_all_code_is_inside(wheel: zipfile.ZipFile) -> None:
    sources = {
        path.relative_to(ROOT).as_posix()
        for package in ("store", "workbench")
        for path in (ROOT / package).rglob("*.py")
    }
    assert sources <= set(wheel.namelist())


def test_resources_travel_with_the_package(wheel: zipfile.ZipFile) -> None:
    folder = ROOT / "resources"
    expected = {
        f"workbench/_resources/{path.relative_to(folder).as_posix()}"
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert expected
    assert expected <= set(wheel.namelist())


def test_nothing_left_over_is_packed(wheel: zipfile.ZipFile) -> None:
    assert [name for name in wheel.namelist() if "__pycache__" in name] == []


def test_the_command_and_the_licence_are_there(wheel: zipfile.ZipFile) -> None:
    info = Path(f"memory_workbench-{workbench.__version__}.dist-info")
    commands = wheel.read((info / "entry_points.txt").as_posix()).decode()
    assert "memory-workbench = workbench.__main__:main" in commands
    licence = wheel.read((info / "licenses" / "LICENSE").as_posix())
    assert licence == (ROOT / "LICENSE").read_bytes()
