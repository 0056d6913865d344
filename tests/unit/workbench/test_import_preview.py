"""The first rows of a table, what its columns are called, and which fields are proposed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from store.errors import Invalid, NotFound
from store.importers.table import FIELDS
from workbench.dialogs.import_preview import _KNOWN_AS, COLUMNS, ROWS, PreviewModel, read_preview


@pytest.fixture
def preview_of(tmp_path: Path):
    def read(content: str, name: str = "table.csv"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return read_preview(path)

    return read


def test_columns_are_proposed_by_their_names(preview_of) -> None:
    preview = preview_of(
        "Start Date,Entity,Note,Relation,Object,until\n2026,mira,x,lives in,Porto,\n"
    )
    assert preview.looks_like_header()
    assert preview.guess(has_header=True) == {
        "valid_from": 0,
        "subject": 1,
        "attribute": 3,
        "value": 4,
        "valid_to": 5,
    }
    assert preview.column(1, has_header=True) == "Entity"


def test_five_columns_of_numbers_are_proposed_in_the_usual_order(preview_of) -> None:
    preview = preview_of("3962\t14\t3927\t1926\t1929\n3927\t38\t3962\t1926\t3000\n", "train.txt")
    assert not preview.looks_like_header()
    assert preview.guess(has_header=False) == {
        "subject": 0,
        "attribute": 1,
        "value": 2,
        "valid_from": 3,
        "valid_to": 4,
    }
    assert preview.column(3, has_header=False) == "3"


def test_a_first_row_of_words_over_figures_is_a_header(preview_of) -> None:
    assert preview_of("who,what,city,when\nmira,home,Porto,2026\n").looks_like_header()
    assert not preview_of("mira,home,Porto,2025\nmira,home,Lisbon,2026\n").looks_like_header()
    assert not preview_of("a,a,b\n1,2,3\n").looks_like_header()


def test_of_two_columns_of_one_name_the_number_is_taken(preview_of) -> None:
    preview = preview_of("subject,value,value,valid_from\nmira,a,b,2026\n")
    assert [preview.column(at, has_header=True) for at in range(4)] == [
        "subject",
        "1",
        "2",
        "valid_from",
    ]


def test_json_lines_have_the_names_of_all_records(preview_of) -> None:
    preview = preview_of(
        '{"subject": "mira", "value": {"a": [1]}}\n{"subject": "teo", "since": 2026}\nnot json\n',
        "facts.jsonl",
    )
    assert preview.is_json
    assert preview.keys == ("subject", "value", "since")
    assert preview.guess(has_header=False) == {"subject": 0, "value": 1, "valid_from": 2}
    assert preview.lines[0].cells == ("mira", '{"a": [1]}', "")
    assert "not JSON" in preview.lines[2].problem


def test_rows_of_other_widths_and_broken_ones_do_not_hinder(preview_of) -> None:
    preview = preview_of('a,b,c\n1,2\n1,2,3,4\n"open\n')
    assert len(preview.keys) == 4
    assert [len(line.cells) for line in preview.lines if not line.problem] == [4, 4, 4]


def test_only_the_beginning_is_read(preview_of) -> None:
    wide = ",".join(map(str, range(300)))
    preview = preview_of("\n".join([wide] * 5000))
    assert len(preview.lines) == ROWS + 1
    assert len(preview.keys) == COLUMNS


def test_what_is_no_table_is_said(preview_of, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="no columns"):
        preview_of("just words\nand more words\n", "notes.txt")
    with pytest.raises(NotFound, match=r"absent\.csv"):
        read_preview(tmp_path / "absent.csv")
    with pytest.raises(NotFound):
        read_preview(tmp_path)


def test_names_that_are_known_belong_to_fields_and_to_one_only() -> None:
    assert set(_KNOWN_AS) == set(FIELDS)
    names = [name for known in _KNOWN_AS.values() for name in known]
    assert len(names) == len(set(names))


def test_the_model_keeps_a_row_for_the_fields_and_shows_hostile_cells_as_they_are(
    preview_of, qtmodeltester
) -> None:
    model = PreviewModel()
    preview = preview_of("subject,value\nmira,<b>\u202egold</b>\n\x00,x\n")
    model.show(preview, has_header=True)
    qtmodeltester.check(model, force_py=True)
    assert model.data(model.index(0, 0)) is None
    assert model.data(model.index(1, 1)) == "<b>⟨U+202E⟩gold</b>"
    assert "&lt;b&gt;" in model.data(model.index(1, 1), Qt.ItemDataRole.ToolTipRole)
    assert "NUL" in model.data(model.index(2, 0))
    assert model.headerData(1, Qt.Orientation.Vertical) == "2"
    model.show(preview, has_header=False)
    assert model.data(model.index(1, 0)) == "subject"
    assert model.title(0) == "Column 1"
    model.show(None)
    assert model.rowCount() == 0
