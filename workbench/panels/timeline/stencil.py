"""Takes the look of bars from `BarPainter` into the arrays that the raster stamps."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from workbench.panels.timeline.raster import CODES, DISPUTED, FUTURE, TINTS, Cap, Stencil
from workbench.widgets.lanes import FADE_WIDTH, RADIUS, RAGGED_WIDTH, BarPainter, Look, Start, mixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Pixels = NDArray[np.uint32]


class _Sheet(NamedTuple):
    """Bars of every tint as `BarPainter` draws them, and as the raster does without stamps."""

    drawn: Pixels
    plain: Pixels


def make_stencil(painter: BarPainter, *, bar_height: int, width: int, ground: QColor) -> Stencil:
    """Return how bars look on a ground; all in device pixels.

    Args:
        painter: draws the patterns.
        bar_height: of a bar.
        width: of the picture, which a bar may fill.
        ground: colour of the lane.
    """
    fill, edge = _colors(painter, ground)
    spans = {
        Start.CRISP: ceil(RADIUS * painter.ratio) + 1,
        Start.RAGGED: ceil(RAGGED_WIDTH * painter.ratio) + 2,
        Start.FADING: ceil(FADE_WIDTH * painter.ratio) + 1,
        Start.JOINED: round(painter.hairline * painter.ratio),
    }
    across = spans[Start.FADING] + 2 * spans[Start.CRISP]
    sheets = {
        start: _sheet(painter, start, (across, bar_height), ground=ground, colors=(fill, edge))
        for start in Start
    }
    caps = {start: _cap(sheet, spans[start]) for start, sheet in sheets.items()}
    mirrored = _Sheet(*(part[:, :, ::-1] for part in sheets[Start.CRISP]))
    return Stencil(
        fill=fill,
        edge=edge,
        crisp=caps[Start.CRISP],
        ragged=caps[Start.RAGGED],
        fading=caps[Start.FADING],
        tick=caps[Start.JOINED],
        tail=_cap(mirrored, spans[Start.CRISP]),
        hatch=_hatch(painter, width + painter.hatch_side, bar_height),
        hatch_side=painter.hatch_side,
        hatch_least=ceil(2 * RADIUS * painter.ratio),
    )


def _colors(painter: BarPainter, ground: QColor) -> tuple[Pixels, Pixels]:
    """Return fill and edge of each code."""
    edge_color = painter.colors.color("edge")
    fill = np.full(CODES, ground.rgb(), np.uint32)
    edge = np.full(CODES, edge_color.rgb(), np.uint32)
    for tint in range(TINTS):
        plain = painter.fill_of(Look(tint))
        variants = (
            plain,
            mixed(plain, edge_color, 0.7),
            mixed(plain, painter.colors.color("warn"), 0.6),
            painter.fill_of(Look(tint, is_future=True)),
        )
        for variant, color in enumerate(variants):
            fill[1 + tint + TINTS * variant] = color.rgb()
    accent = painter.colors.color("accent").rgb()
    edge[1 + TINTS * FUTURE : 1 + TINTS * (FUTURE + 1)] = accent
    return fill, edge


def _sheet(
    painter: BarPainter,
    start: Start,
    size: tuple[int, int],
    *,
    ground: QColor,
    colors: tuple[Pixels, Pixels],
) -> _Sheet:
    width, height = size
    looks = [Look(tint, start, has_tick=start is Start.JOINED) for tint in range(TINTS)]
    drawn = _drawn(painter, looks, size, ground)
    line = round(painter.hairline * painter.ratio)
    fill, edge = (color[1 : 1 + TINTS, None, None] for color in colors)
    plain = np.broadcast_to(fill, drawn.shape).copy()
    plain[:, :line] = edge
    plain[:, height - line :] = edge
    if start in (Start.CRISP, Start.RAGGED):
        plain[:, :, :line] = edge
    plain[:, :, width - line :] = edge
    return _Sheet(drawn, plain)


def _hatch(painter: BarPainter, width: int, height: int) -> Pixels:
    """Return the inside of a disputed bar of each tint."""
    looks = [Look(tint, Start.JOINED, is_disputed=True, runs_on=True) for tint in range(TINTS)]
    return _drawn(painter, looks, (width, height), painter.colors.color("panel"))


def _drawn(
    painter: BarPainter, looks: Sequence[Look], size: tuple[int, int], ground: QColor
) -> Pixels:
    """Return bars as `BarPainter` draws them: looks by rows by columns."""
    width, height = size
    image = QImage(width, height * len(looks), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(painter.ratio)
    image.fill(ground)
    brush = QPainter(image)
    scale = 1 / painter.ratio
    for number, look in enumerate(looks):
        rect = QRectF(0, number * height * scale, width * scale, height * scale)
        painter.paint_bar(brush, rect, look)
    brush.end()
    pixels = np.frombuffer(image.constBits(), np.uint32)
    return pixels.reshape(len(looks), height, width).copy()


def _cap(sheet: _Sheet, span: int) -> Cap:
    """Return the pixels of the first columns in which the sheet's two drawings differ."""
    drawn, plain = (part[:, :, :span] for part in sheet)
    dy, dx = np.nonzero((drawn != plain).any(axis=0))
    colors = np.zeros((CODES, len(dy)), np.uint32)
    colors[1 : 1 + TINTS] = drawn[:, dy, dx]
    colors[1 + TINTS * DISPUTED : 1 + TINTS * (DISPUTED + 1)] = drawn[:, dy, dx]
    return Cap(dx=dx, dy=dy, colors=colors, span=span)
