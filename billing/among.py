"""A column that is one of thousands of values: one parameter, where ``__in`` makes one of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import BooleanField, F, Func, Value


class Among(Func):
    """``column = ANY(values)``, as a condition for ``filter`` and ``Q``."""

    template = "%(expressions)s)"
    arg_joiner = " = ANY("
    output_field = BooleanField()

    def __init__(self, column: str, values: Iterable[Any], **extra: Any) -> None:
        super().__init__(F(column), Value(list(values)), **extra)

    def copy(self) -> Among:
        """As it is: its arguments are no column and values any more."""
        made: Among = super().copy()
        return made
