"""What a schema cannot say of a text: an ID that can be read, a currency that there is."""

from __future__ import annotations

import unicodedata

from pydantic_core import PydanticCustomError

from billing.money import CURRENCIES, UnknownCurrencyError
from once_delivery.common.sheets.characters import shown
from once_delivery.ledger.trust import is_result_id

BAD_CHARACTER = "bad-character"
UNKNOWN_CURRENCY = UnknownCurrencyError.code


def result_id(given: str) -> str:
    """``given``, when a person can read it as an ID. Raises PydanticCustomError."""
    wrong = next((one for one in given if unicodedata.category(one) == "Cc"), None)
    if wrong is not None:
        raise PydanticCustomError(BAD_CHARACTER, "a control character", {"character": shown(wrong)})
    if not is_result_id(given):
        raise PydanticCustomError("string_too_short", "nothing that can be read")
    return given


def known_currency(given: str) -> str:
    """``given``, when it is empty or a currency (ISO 4217). Raises PydanticCustomError."""
    if given and given not in CURRENCIES:
        raise PydanticCustomError(UNKNOWN_CURRENCY, "no currency", {"typed": given})
    return given
