"""A column that is one of thousands of values: one parameter, where ``__in`` makes one of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db.models import BooleanField, F, Func, Value


class Among(Func):
    """``column = ANY(values)``, as a condition for ``filter`` and ``Q``; of no values it asks PostgreSQL nothing."""

    template = "%(expressions)s)"
    arg_joiner = " = ANY("
    output_field = BooleanField()

    def __init__(self, column: str, values: Iterable[Any]) -> None:
        self.values = list(values)
        super().__init__(F(column), Value(self.values))

    def as_sql(self, *args: Any, **kwargs: Any) -> Any:
        """Raises EmptyResultSet as Django's own ``__in`` does."""
        if not self.values:
            raise EmptyResultSet
        return super().as_sql(*args, **kwargs)
