"""Every pair of colours that is used is readable (WCAG AA), in light and in dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parents[2] / "once_delivery" / "ui" / "static" / "ui" / "css"
TOKENS = (CSS / "tokens.css").read_text(encoding="utf-8")
PAIR = re.compile(r"--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)")
COLOURS = {name: (light, dark) for name, light, dark in PAIR.findall(TOKENS)}

TEXT, SHAPE = 4.5, 3.0
PAPERS = ("paper", "surface", "sunken")
STATES = ("planned", "sending", "accepted", "confirmed", "uncertain", "reconcile", "refused", "closed")
USED: list[tuple[str, str, float]] = [
    *((ink, paper, TEXT) for ink in ("ink", "ink-2", "ink-3", "accent", "accent-deep") for paper in PAPERS),
    *((ink, "accent-soft", TEXT) for ink in ("ink", "ink-2", "accent", "accent-deep")),
    *((ink, "raised", TEXT) for ink in ("ink", "ink-2", "ink-3")),
    *((state, f"{state}-wash", TEXT) for state in STATES),
    *((state, paper, TEXT) for state in STATES for paper in PAPERS),
    *(("ink", f"{state}-wash", TEXT) for state in STATES),
    *(("accent", f"{state}-wash", TEXT) for state in STATES),  # the link in a strip
    # the tick, bar or question mark that is cut out of a filled icon
    *((f"{state}-wash", state, SHAPE) for state in STATES),
    ("on-accent", "accent", TEXT),
    ("on-accent", "accent-deep", TEXT),
    *(("focus", paper, SHAPE) for paper in (*PAPERS, "accent-soft")),
    *(("edge", paper, SHAPE) for paper in ("paper", "surface")),
    *(("rule", paper, SHAPE) for paper in ("paper", "surface")),
    ("qr-ink", "qr-paper", TEXT),
    ("planned-line", "planned-wash", SHAPE),  # the dashed box is all that planned has
]
# hairlines and tints: nothing is read from them
DECOR = {"line", "line-2", "accent-line", *(f"{state}-line" for state in STATES)}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_pair_is_readable(theme: int) -> None:
    bad = {
        f"{ink} on {paper}": round(contrast(COLOURS[ink][theme], COLOURS[paper][theme]), 2)
        for ink, paper, least in USED
        if contrast(COLOURS[ink][theme], COLOURS[paper][theme]) < least
    }
    assert bad == {}


def test_every_colour_is_checked_or_is_decor() -> None:
    checked = {name for ink, paper, _ in USED for name in (ink, paper)}
    assert set(COLOURS) - checked - DECOR == set()


def test_colours_are_written_in_the_tokens_alone() -> None:
    raw = re.compile(r"#[0-9a-f]{3,8}\b(?![^{]*\{)|\b(rgb|hsl|oklch|lab)a?\(", re.IGNORECASE)
    found = {
        file.relative_to(CSS).as_posix(): raw.findall(file.read_text(encoding="utf-8"))
        for file in CSS.rglob("*.css")
        if file.name != "tokens.css"
    }
    assert {name: colours for name, colours in found.items() if colours} == {}
