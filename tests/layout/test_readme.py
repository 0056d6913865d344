"""The README speaks of what is there, and its code runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^):#]+)\)", README))))
def test_links_lead_somewhere(target: str) -> None:
    assert (ROOT / target).exists()


@pytest.mark.parametrize(
    "script", sorted(set(re.findall(r"bash ((?:packaging|\.ci)/[\w./-]+)", README)))
)
def test_scripts_exist(script: str) -> None:
    assert (ROOT / script).is_file()


def test_the_library_example_prints_what_is_promised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (promise,) = re.findall(r"^It prints .*$", README, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed
    assert printed == re.findall(r"`(\d[^`]*)`", promise)
