"""What PostgreSQL cannot keep: a NUL, a text longer than its column, a number larger than its type."""

from __future__ import annotations

from django.db import DataError

_NUL = "cannot contain NUL"  # a driver may refuse it before it asks the server


def is_unstorable(error: Exception) -> bool:
    """Whether ``error`` says that a value that was given cannot be kept; its transaction has been rolled back."""
    return isinstance(error, DataError) or (isinstance(error, ValueError) and _NUL in str(error))
