"""Stretches of facts, as the plan of a write and the journal print them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from workbench.commands import output
from workbench.commands.output import period_text, value_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.model import Interval

_SHOWN: Final = 12


def tell_stretches(sign: str, stretches: Sequence[Interval]) -> None:
    """Print stretches that read no longer (`-`) or newly (`+`), one on a line."""
    for stretch in stretches[:_SHOWN]:
        name = output.shown(f"{stretch.subject} · {stretch.attribute}", 80)
        period = period_text(stretch.valid_from, stretch.valid_to)
        output.say(f"  {sign} {name}  {value_text(stretch.value, 80)}  {period}")
    if len(stretches) > _SHOWN:
        left = len(stretches) - _SHOWN
        output.say(f"  {sign} and {output.counted(left, 'more stretch', 'more stretches')}")
