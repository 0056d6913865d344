"""Lines of the usual form, which one expression reads, say what they say as JSON."""

from __future__ import annotations

import json
import re
import tracemalloc
from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from store.audit.format import Selection, Withhold
from store.audit.verify import SHAPES, USUAL, canonical, read_entries, read_line
from tests.unit.store.audit.verifying import (
    LEDGER,
    Files,
    demo_files,
    failed,
    files_of,
    lines_of,
    random_store,
    resealed,
    verdict_on,
)

TOKENS = (
    *('"x"', '""', '"a\\nb"', '"a\\/b"', '"\\u0041"', '"\\u000b"', '"\\u000B"', '"\\u000a"'),
    *('"\\ud800"', '"ñ\u2028\x7f"', '"\x01"', '"\t"', '"a', '"\\"', "null", "true", "false", "tru"),
    *("0", "-0", "1", "01", "-1", "0.5", "0.50", "-0.5", "-0.0", "1.0", "0.00001", "1e-05", "1e3"),
    *("9" * 15, "9" * 16, "9" * 18, "9" * 19, "9" * 5000, "0." + "1" * 17, "123456789.12345"),
    *("[0,1]", "[1,0]", "[0,0]", "[0, 1]", "[01,2]", "[-1,2]", "[]", "[1]", '["a",1]'),
    *("{}", '{"a":1}', '{"b":1,"a":2}', '{"a":1,"a":1}', '{"a":"}"}', '{"a": 1}', '{"a":1}}', "{"),
)
SPOT = re.compile(r'"(?:[^"\\]|\\.)*"(?!:)|-?[0-9.]+|\[[^\[\]]*\]|\{[^{}]*\}|true|false|null')


@cache
def _texts(name: str) -> list[str]:
    kept = [Selection(), Selection(withhold=Withhold.CONTENT), Selection(withhold=Withhold.VALUES)]
    stores = [random_store(seed) for seed in range(3)]
    files = [files_of(store, selection) for store in stores for selection in kept]
    lines = [line for one in files for line in lines_of(one, name)]
    return sorted({line.decode().rstrip("\n") for line in lines}, key=len)


def _agree(name: str, text: str) -> bool:
    """Say whether a line is of the usual form; if so, it must be what JSON says that it is."""
    it = USUAL[name](text)
    if it is None:
        return False
    members, problem = read_line(text.encode())
    assert problem == ""
    assert members == it
    assert canonical(it) == text
    assert SHAPES[name].problem(it) == ""
    return True


@pytest.mark.parametrize("name", USUAL)
@given(data=st.data())
def test_a_line_of_the_usual_form_says_what_it_says_as_json(name: str, data: Any) -> None:
    text = data.draw(st.sampled_from(_texts(name)))
    for _ in range(data.draw(st.integers(1, 2))):
        spots = [spot.span() for spot in SPOT.finditer(text)]
        assume(spots)
        begins, ends = data.draw(st.sampled_from(spots))
        text = text[:begins] + data.draw(st.sampled_from(TOKENS)) + text[ends:]
    _agree(name, text)


@pytest.mark.parametrize("name", USUAL)
@given(data=st.data())
def test_a_line_with_any_other_character_is_read_no_otherwise(name: str, data: Any) -> None:
    text = data.draw(st.sampled_from(_texts(name)))
    at = data.draw(st.integers(0, len(text)))
    more = data.draw(st.sampled_from(list('"\\{}[],: 01-.eu\x00\n\u00f1')) | st.just(""))
    _agree(name, text[:at] + more + text[at + data.draw(st.integers(0, 1)) :])


@pytest.mark.parametrize("name", USUAL)
def test_nearly_all_lines_of_a_record_are_of_the_usual_form(name: str) -> None:
    texts = [line.decode().rstrip("\n") for line in lines_of(demo_files(), name)]
    assert sum(_agree(name, text) for text in texts) > 0.95 * len(texts)


@pytest.mark.parametrize("name", USUAL)
def test_an_unreadable_line_takes_no_other_with_it(name: str) -> None:
    lines = [line.rstrip(b"\n") for line in lines_of(demo_files(), name)[:3]]
    told = list(read_entries(name, [lines[0], b'{"a":"\xff"}', lines[2]]))
    assert [problem for _, problem in told] == ["", "it is not UTF-8", ""]
    assert [it is None for it, _ in told] == [False, True, False]


def test_a_long_line_of_escapes_takes_no_more_memory_than_others() -> None:
    it = json.loads(lines_of(demo_files(), "episodes.jsonl")[0])
    line = canonical({**it, "content": "\n" * 500_000}).encode()
    tracemalloc.start()
    try:
        (said, problem), *_ = read_entries("episodes.jsonl", [line])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert problem == ""
    assert said is not None
    assert said["content"] == "\n" * 500_000
    assert most < 20 * len(line)


def _without_one(it: Any) -> list[Any]:
    """Return an object without one of its members, or one of theirs, for each of them."""
    if isinstance(it, list):
        return [
            [*it[:n], less, *it[n + 1 :]] for n in range(len(it)) for less in _without_one(it[n])
        ]
    if not isinstance(it, dict):
        return []
    found = [{name: it[name] for name in it if name != left} for left in it]
    return found + [{**it, name: less} for name in it for less in _without_one(it[name])]


@pytest.mark.parametrize("withhold", list(Withhold))
@pytest.mark.parametrize("name", LEDGER)
def test_any_member_that_was_removed_is_found(name: str, withhold: Withhold) -> None:
    files: Files = files_of(random_store(1), Selection(withhold=withhold))
    lines = lines_of(files, name)
    assert lines
    by_form = {tuple(json.loads(line)): number for number, line in enumerate(lines)}
    for number in by_form.values():
        for less in _without_one(json.loads(lines[number])):
            edited = [*lines[:number], canonical(less).encode() + b"\n", *lines[number + 1 :]]
            wrong = failed(verdict_on(resealed({**files, name: b"".join(edited)})))
            assert {"lines", "chain", "conflicts"} & wrong.keys(), less
