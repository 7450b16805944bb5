"""Draw the pictures of the samples: flat shapes, written as PNG with nothing but zlib.

python docs/samples/draw_pictures.py
"""

from __future__ import annotations

import itertools
import math
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

WIDTH, HEIGHT = 640, 420
Colour = tuple[int, int, int]
Point = tuple[float, float]
Inside = Callable[[float, float], bool]
Layer = tuple[Inside, Colour]

FOLDER = Path(__file__).parent / "images"


def ellipse(x: float, y: float, across: float, down: float) -> Inside:
    """Centre and half axes."""
    return lambda px, py: ((px - x) / across) ** 2 + ((py - y) / down) ** 2 <= 1


def box(left: float, top: float, right: float, bottom: float, corner: float = 0) -> Inside:
    """A rectangle with round corners."""

    def inside(px: float, py: float) -> bool:
        dx = max(left + corner - px, px - (right - corner), 0)
        dy = max(top + corner - py, py - (bottom - corner), 0)
        return left <= px <= right and top <= py <= bottom and dx * dx + dy * dy <= max(corner, 0.001) ** 2

    return inside


def taper(top: float, bottom: float, middle: float, half_top: float, half_bottom: float) -> Inside:
    """A body that is wider at one end."""

    def inside(px: float, py: float) -> bool:
        share = (py - top) / (bottom - top)
        return 0 <= share <= 1 and abs(px - middle) <= half_top + (half_bottom - half_top) * share

    return inside


def stroke(points: list[Point], thick: float) -> Inside:
    """A line with round ends through ``points``."""

    def inside(px: float, py: float) -> bool:
        return any(_distance((px, py), start, end) <= thick / 2 for start, end in itertools.pairwise(points))

    return inside


def arc(x: float, y: float, radius: float, *, start: float, end: float, thick: float) -> Inside:
    """Part of a ring, in degrees, clockwise from the right."""

    def inside(px: float, py: float) -> bool:
        angle = math.degrees(math.atan2(py - y, px - x)) % 360
        return abs(math.hypot(px - x, py - y) - radius) <= thick / 2 and start <= angle <= end

    return inside


def _distance(point: Point, a: Point, b: Point) -> float:
    """From ``point`` to the line between ``a`` and ``b``."""
    across, down = b[0] - a[0], b[1] - a[1]
    share = ((point[0] - a[0]) * across + (point[1] - a[1]) * down) / (across**2 + down**2)
    share = max(0.0, min(1.0, share))
    return math.hypot(point[0] - a[0] - share * across, point[1] - a[1] - share * down)


STEEL, DARK, WOOD = (196, 203, 209), (52, 60, 66), (186, 134, 88)

KETTLE: list[Layer] = [
    (ellipse(330, 352, 210, 20), (226, 216, 200)),
    (arc(402, 245, 84, start=0, end=78, thick=20), DARK),
    (arc(402, 245, 84, start=272, end=360, thick=20), DARK),
    (stroke([(235, 290), (180, 268), (150, 210), (140, 140), (112, 112)], 17), STEEL),
    (taper(170, 345, 330, 78, 116), STEEL),
    (ellipse(330, 345, 116, 12), (176, 184, 191)),
    (taper(178, 337, 270, 6, 10), (224, 229, 233)),
    (ellipse(330, 170, 80, 15), (150, 159, 166)),
    (ellipse(330, 150, 16, 18), WOOD),
]
LAMP: list[Layer] = [
    (taper(150, 352, 208, 70, 148), (252, 240, 205)),
    (box(60, 352, 580, 360), (120, 104, 88)),
    (box(400, 332, 520, 352, 9), DARK),
    (stroke([(460, 335), (430, 215)], 13), STEEL),
    (stroke([(430, 215), (240, 112)], 13), STEEL),
    (ellipse(430, 215, 15, 15), WOOD),
    (taper(92, 152, 208, 30, 74), (44, 95, 94)),
    (box(134, 148, 282, 158, 5), (30, 72, 72)),
]
BOTTLE: list[Layer] = [
    (taper(130, 420, 400, 0, 330), (170, 194, 178)),
    (taper(205, 420, 150, 0, 260), (190, 210, 196)),
    (ellipse(320, 376, 120, 14), (132, 160, 144)),
    (box(262, 140, 378, 376, 26), (178, 74, 48)),
    (box(276, 160, 288, 350, 6), (208, 112, 84)),
    (box(278, 96, 362, 146, 10), DARK),
    (arc(320, 96, 26, start=180, end=360, thick=9), DARK),
    (box(262, 250, 378, 258), (244, 232, 214)),
]
PICTURES: dict[str, tuple[Colour, list[Layer]]] = {
    "gooseneck-kettle.png": ((242, 235, 224), KETTLE),
    "reading-lamp.png": ((214, 222, 219), LAMP),
    "trail-bottle.png": ((226, 236, 228), BOTTLE),
}


def png(background: Colour, layers: list[Layer]) -> bytes:
    """The picture's bytes; each pixel is the mean of four points, so that edges are smooth."""
    rows = bytearray()
    for y in range(HEIGHT):
        rows.append(0)
        for x in range(WIDTH):
            points = [
                _colour(x + dx, y + dy, background, layers) for dx in (0.25, 0.75) for dy in (0.25, 0.75)
            ]
            rows.extend(sum(parts) // 4 for parts in zip(*points, strict=True))
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_part(kind, data) for kind, data in parts)


def _colour(x: float, y: float, background: Colour, layers: list[Layer]) -> Colour:
    return next((colour for inside, colour in reversed(layers) if inside(x, y)), background)


def _part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for name, (background, layers) in PICTURES.items():
        (FOLDER / name).write_bytes(png(background, layers))


if __name__ == "__main__":
    main()
