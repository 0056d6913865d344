"""What has to happen to the rows of a list so that it becomes another list.

An item model that tells its views of inserted and removed rows, rather than resetting, keeps their
selection, current row and scroll. Knows no widget.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence


class Edit(NamedTuple):
    """Rows `[at, at + removed)` of the old list give way to rows of the new one.

    Attributes:
        at: position in the old list.
        removed: how many rows go.
        new_at: position in the new list of the first row that comes.
        inserted: how many rows come.
    """

    at: int
    removed: int
    new_at: int
    inserted: int


def kept_rows(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return pairs (position in old, position in new) of rows that stay, in rising order.

    They are as many as can stay without changing places among themselves. Keys are meant to be
    unique within each list.
    """
    ahead = 0
    while ahead < min(len(old), len(new)) and old[ahead] == new[ahead]:
        ahead += 1
    behind = 0
    while behind < min(len(old), len(new)) - ahead and old[-1 - behind] == new[-1 - behind]:
        behind += 1
    places = {key: at for at, key in enumerate(old[ahead : len(old) - behind], ahead)}
    middle = [
        (places[key], at)
        for at, key in enumerate(new[ahead : len(new) - behind], ahead)
        if key in places
    ]
    return [
        *((at, at) for at in range(ahead)),
        *_longest_rising(middle),
        *((len(old) - left, len(new) - left) for left in range(behind, 0, -1)),
    ]


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of the pairs in which the first numbers rise strictly."""
    lowest: list[int] = []  # lowest[n]: the lowest number that ends a rising part of n + 1 pairs
    last: list[int] = []  # last[n]: the place of the pair that does
    before: list[int] = []
    for place, (number, _) in enumerate(pairs):
        length = bisect_left(lowest, number)
        before.append(last[length - 1] if length else -1)
        if length == len(lowest):
            lowest.append(number)
            last.append(place)
        else:
            lowest[length], last[length] = number, place
    found: list[tuple[int, int]] = []
    place = last[-1] if last else -1
    while place >= 0:
        found.append(pairs[place])
        place = before[place]
    return found[::-1]


def edits_between(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Edit]:
    """Return the edits that make `new` of `old`, from the last row to the first.

    Carried out in this order, all positions in the old list stay right.
    """
    return list(_edits(kept_rows(old, new), len(old), len(new)))[::-1]


def _edits(kept: Sequence[tuple[int, int]], old_length: int, new_length: int) -> Iterator[Edit]:
    at = new_at = 0
    for old_row, new_row in (*kept, (old_length, new_length)):
        if old_row > at or new_row > new_at:
            yield Edit(at, old_row - at, new_at, new_row - new_at)
        at, new_at = old_row + 1, new_row + 1
