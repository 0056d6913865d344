from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import Invalid
from store.importers import LONGEST_CONTENT
from store.importers.records import (
    MOST_COLUMNS,
    MOST_LINES,
    Dialect,
    Form,
    dialect_of,
    read_lines,
    read_records,
)

TSV = Dialect(Form.TSV, "\t")
CSV = Dialect(Form.CSV, ",", has_quotes=True)
JSON = Dialect(Form.JSON_LINES)


def records(content: bytes, dialect: Dialect) -> list[tuple[int, object]]:
    return [(r.line, r.problem or r.cells) for r in read_records(io.BytesIO(content), dialect)]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", b"a,b\n1,2\n", Dialect(Form.CSV, ",", True)),
        ("a.csv", b"a;b,c\n1;2,5\n3;4\n", Dialect(Form.CSV, ";", True)),
        ("a.CSV", b"only\none\n", Dialect(Form.CSV, ",", True)),
        ("a.tsv", b"a\tb,c\n", Dialect(Form.TSV, "\t", False)),
        ("a.tsv", b'"a"\tb\n', Dialect(Form.TSV, "\t", True)),
        ("a.tsv", b'5" pipe\tb\n', Dialect(Form.TSV, "\t", False)),
        ("a.txt", b"1\t2\t3\n4\t5\t6\n", Dialect(Form.TSV, "\t", False)),
        ("a.txt", b"1,2,3\n4,5,6\n", Dialect(Form.CSV, ",", False)),
        ("a.txt", b"1|2|3\n4|5|6\n", Dialect(Form.CSV, "|", False)),
        ("a.txt", b'{"a": 1}\n', Dialect(Form.JSON_LINES)),
        ("a.ndjson", b"", Dialect(Form.JSON_LINES)),
        ("a.csv", b"\xef\xbb\xbfa,b\n", Dialect(Form.CSV, ",", True)),
    ],
)
def test_dialect_goes_by_extension_then_by_the_first_lines(
    tmp_path: Path, name: str, content: bytes, expected: Dialect
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    assert dialect_of(file) == expected


def test_a_stated_form_outweighs_the_extension(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b"a\tb\n")
    assert dialect_of(file, Form.TSV) == TSV


@pytest.mark.parametrize("content", [b"one\ntwo\n", b"", b"\n\n"])
def test_text_without_columns_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(content)
    with pytest.raises(Invalid, match="no columns separated"):
        dialect_of(file)


def test_utf16_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes("a,b\n".encode("utf-16"))
    with pytest.raises(Invalid, match="UTF-16"):
        dialect_of(file)


def test_lines_end_at_either_break_and_the_mark_of_utf8_is_dropped() -> None:
    lines = read_lines(io.BytesIO(b"\xef\xbb\xbfone\r\ntwo\n\nfour"))
    assert [(line.number, line.text) for line in lines] == [
        (1, "one"),
        (2, "two"),
        (3, ""),
        (4, "four"),
    ]


def test_broken_lines_have_a_problem_and_the_next_is_read() -> None:
    content = b"\xff\xfe\nok\na\0b\n" + b"x" * (3 * LONGEST_CONTENT) + b"\nlast"
    lines = list(read_lines(io.BytesIO(content)))
    assert [line.number for line in lines] == [1, 2, 3, 4, 5]
    assert "UTF-8" in lines[0].problem
    assert lines[1].text == "ok"
    assert "NUL" in lines[2].problem
    assert "longer than" in lines[3].problem
    assert lines[4].text == "last"


def test_a_line_of_exactly_the_longest_length_is_read() -> None:
    content = b"x" * (LONGEST_CONTENT - 1) + b"\nlast"
    assert [len(line.text) for line in read_lines(io.BytesIO(content))] == [
        LONGEST_CONTENT - 1,
        4,
    ]


def test_csv_cells_may_hold_quotes_separators_and_breaks() -> None:
    content = b'a,"b ""q"", c"\n\n1,"two\nlines"\n"x",y\n'
    assert records(content, CSV) == [
        (1, ["a", 'b "q", c']),
        (3, ["1", "two\nlines"]),
        (5, ["x", "y"]),
    ]


def test_the_text_of_a_record_is_what_stands_in_the_file() -> None:
    content = b'1,"two\r\nlines"\r\n'
    (record,) = read_records(io.BytesIO(content), CSV)
    assert record.text == '1,"two\nlines"'


def test_an_unclosed_quote_costs_one_line() -> None:
    content = b'a,b\nc,"d\ne,f\ng,h\n'
    assert records(content, CSV) == [
        (1, ["a", "b"]),
        (2, "a quotation mark is opened here and not closed."),
        (3, ["e", "f"]),
        (4, ["g", "h"]),
    ]


def test_a_quote_is_not_looked_for_without_end() -> None:
    content = b'"open\n' + b"a,b\n" * (MOST_LINES + 5) + b'c,"d"\n'
    read = records(content, CSV)
    assert read[0] == (1, "a quotation mark is opened here and not closed.")
    assert len(read) == MOST_LINES + 7


def test_text_after_a_closing_quote_is_a_problem() -> None:
    (record,) = records(b'"a"b,c\n', CSV)
    assert "quotation marks" in str(record[1])


def test_a_quote_within_a_cell_is_a_letter() -> None:
    assert records(b'5" pipe,x\n', CSV) == [(1, ['5" pipe', "x"])]


def test_too_many_columns_are_a_problem() -> None:
    (record,) = records(b"," * (MOST_COLUMNS + 10), CSV)
    assert "columns" in str(record[1])


def test_json_lines_are_objects_or_lists_and_a_torn_last_line_is_named() -> None:
    content = b'{"a": 1}\n[1, 2]\n7\n{"a": NaN}\n{"a": 1'
    read = records(content, JSON)
    assert read[:2] == [(1, {"a": 1}), (2, [1, 2])]
    assert [line for line, _ in read] == [1, 2, 3, 4, 5]
    assert all("the line is n" in str(problem) for _, problem in read[2:])


def test_json_nested_without_end_is_a_problem() -> None:
    (record,) = records(b"[" * 100_000, JSON)
    assert "not JSON" in str(record[1])


@given(st.binary(max_size=300))
def test_no_content_breaks_the_reading(content: bytes) -> None:
    for dialect in (TSV, CSV, JSON):
        lines = [line for line, _ in records(content, dialect)]
        assert lines == sorted(set(lines))
        assert len(lines) <= content.count(b"\n") + 1


@given(
    st.lists(
        st.lists(st.text(st.characters(blacklist_characters="\r\0", codec="utf-8")), min_size=2),
        max_size=5,
    )
)
def test_what_was_written_as_csv_is_read_again(rows: list[list[str]]) -> None:
    text = "".join(
        ",".join('"' + cell.replace('"', '""') + '"' for cell in row) + "\n" for row in rows
    )
    assert [cells for _, cells in records(text.encode(), CSV)] == rows
