"""The scenario (DESIGN section 8): A created and answered, B created and the answer lost, C never executed."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

# the locales of a drill: the first n of them
TWELVE = (
    "en-US", "de-DE", "ja-JP", "fr-FR", "es-ES", "it-IT", "pt-BR", "nl-NL", "pl-PL", "ko-KR", "ar", "tr-TR",
)  # fmt: skip


class Letter(enum.StrEnum):
    """What is true of an item when the step fails."""

    A = "A"
    B = "B"
    C = "C"


@dataclass(frozen=True, slots=True)
class Item:
    """One draft of the drill."""

    letter: Letter
    product: str
    product_name: str
    locale: str


@dataclass(frozen=True, slots=True)
class ProductName:
    """A product of the project by its code."""

    code: str
    name: str


def items(products: Sequence[ProductName], locales: Sequence[str]) -> list[Item]:
    """One item a product and locale, in the order of sending: each A before a B, every C last.

    The first product is A, the second B, the third C, in every locale. Alternating keeps the target's breaker
    closed, which opens after several lost answers in a row.
    """
    first, second, third = products
    sent = [
        Item(letter, product.code, product.name, locale)
        for locale in locales
        for letter, product in ((Letter.A, first), (Letter.B, second))
    ]
    return sent + [Item(Letter.C, third.code, third.name, locale) for locale in locales]
