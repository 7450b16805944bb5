"""What PostgreSQL cannot keep: a NUL, a text longer than its column, a number larger than its type."""

from __future__ import annotations

import logging

from django.db import DataError

logger = logging.getLogger(__name__)

_NUL = "cannot contain NUL"  # a driver may refuse it before it asks the server
# PostgreSQL's words: text too long, number or time out of range, offset out of range, no such character, no such escape.
# Any other fault of data (a division by zero, a row that cannot be read) is our own.
_ITS_CODES = frozenset({"22001", "22003", "22008", "22009", "22021", "22P05"})


def is_unstorable(error: Exception) -> bool:
    """Whether ``error`` says that a value that was given cannot be kept; its transaction has been rolled back."""
    if isinstance(error, DataError) and getattr(error.__cause__, "sqlstate", None) in _ITS_CODES:
        return True
    return isinstance(error, DataError | ValueError) and _NUL in str(error)


def noted_unstorable(error: Exception, path: str) -> bool:
    """Whether ``error`` is that; it is a line in the log then, without what was given and the driver's sentence, which
    may repeat it."""
    found = is_unstorable(error)
    if found:
        logger.warning("not storable: %s at %s", type(error.__cause__ or error).__name__, path)
    return found
