"""What `store` offers, and what importing it does not bring along."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import store
from tests.support import ROOT


def test_the_list_of_public_names_is_whole_and_sorted() -> None:
    for name in store.__all__:
        assert getattr(store, name, None) is not None, name
    assert len(set(store.__all__)) == len(store.__all__)
    source = Path(store.__file__).read_text(encoding="utf-8")
    imported = {
        alias.asname or alias.name
        for node in ast.parse(source).body
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for alias in node.names
    }
    assert imported == set(store.__all__)


def test_the_names_of_the_contract_are_public() -> None:
    assert {
        "AsOf",
        "Change",
        "Fact",
        "FactQuery",
        "MemoryDelta",
        "Scope",
        "Store",
        "StoreError",
        "bind",
        "open_store",
    } <= set(store.__all__)


def _imported_by(statement: str) -> set[str]:
    """Top-level packages that a fresh interpreter has after a statement."""
    code = f"{statement}\nimport sys\nprint(*sorted({{m.split('.')[0] for m in sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


HEAVY = {
    "PySide6",
    "shiboken6",
    "pyqtgraph",
    "sqlalchemy",
    "alembic",
    "numpy",
    "typer",
    "workbench",
}


def test_importing_store_brings_neither_qt_nor_sql() -> None:
    assert not _imported_by("import store") & (HEAVY | {"sqlite3", "pysqlite3"})


def test_a_store_in_memory_needs_neither_qt_nor_sql() -> None:
    statement = "import store; store.open_store('memory:').close()"
    assert not _imported_by(statement) & (HEAVY | {"sqlite3", "pysqlite3"})


def test_a_sqlite_store_needs_no_qt(tmp_path: Path) -> None:
    where = str(tmp_path / "x.db")
    statement = f"import store; store.open_store({where!r}, create=True).close()"
    assert not _imported_by(statement) & {"PySide6", "shiboken6", "pyqtgraph", "workbench"}


def test_every_public_name_is_documented() -> None:
    import inspect

    for name in store.__all__:
        thing = getattr(store, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            doc = inspect.getdoc(thing)
            assert doc, name
            first = doc.splitlines()[0]
            assert first[0].isupper() or not first[0].isalpha(), name
